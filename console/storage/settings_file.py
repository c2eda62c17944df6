"""Settings as a file: a value that is no good falls back to its default and says so."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from console.contracts.errors import StorageError
from console.contracts.settings import Settings
from console.contracts.usable import usable

from .atomic import write_atomically
from .folders import config_folder

FILE = "settings.json"
Raw = dict[str, Any]


def settings_path() -> Path:
    return config_folder() / FILE


def load_settings(path: Path | None = None) -> tuple[Settings, list[str]]:
    """The settings, and a sentence for each value that was not used."""
    raw, problem = _read(path or settings_path())
    settings, notices = usable(Settings, raw)
    return settings, [f"{problem} The defaults are used.", *notices] if problem else notices


def save_settings(settings: Settings, path: Path | None = None) -> None:
    """Write them so that the old file stays until the new one is whole. Raises `StorageError`.

    What this version does not know stays in the file, so that a newer console finds it again; a file that cannot be
    read is kept aside.
    """
    path = path or settings_path()
    raw, problem = _read(path)
    try:
        if problem and path.exists():
            path.replace(path.with_name(f"settings.broken-{time.strftime('%Y%m%d-%H%M%S')}.json"))
        merged = _merged(raw, settings.model_dump(mode="json"))
        write_atomically(path, json.dumps(merged, indent=2, ensure_ascii=False).encode() + b"\n")
    except OSError as error:
        raise StorageError(
            f"The settings could not be saved: {error.strerror or error}.", f"Check the folder {path.parent}."
        ) from error


def _read(path: Path) -> tuple[Raw, str]:
    """The raw values, and a sentence if there should be some and are none."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}, ""
    except (OSError, ValueError, RecursionError) as error:
        return {}, f"The settings in {path} could not be read: {error}."
    if not isinstance(raw, dict):
        return {}, f"The file {path} holds no settings."
    return raw, ""


def _merged(old: Raw, new: Raw) -> Raw:
    merged = dict(old)
    for name, value in new.items():
        before = old.get(name)
        merged[name] = _merged(before, value) if isinstance(value, dict) and isinstance(before, dict) else value
    return merged
