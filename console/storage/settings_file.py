"""Settings as a file: a value that is no good falls back to its default and says so."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import platformdirs
from pydantic import BaseModel, ValidationError

from console.contracts.settings import Settings

from .errors import spoken


def settings_path() -> Path:
    """OPERATOR_CONSOLE_CONFIG, or the platform's folder for settings."""
    folder = os.environ.get("OPERATOR_CONSOLE_CONFIG") or platformdirs.user_config_dir("operator-console")
    return Path(folder) / "settings.json"


def load_settings(path: Path | None = None) -> tuple[Settings, list[str]]:
    """The settings, and a sentence for each value that was not used."""
    path = path or settings_path()
    if not path.exists():
        return Settings(), []
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return Settings(), [f"The settings could not be read and the defaults are used: {error}"]
    if not isinstance(raw, dict):
        return Settings(), ["The settings file holds no settings; the defaults are used."]
    notices: list[str] = []
    return Settings.model_validate(_usable(Settings, raw, notices, "")), notices


def save_settings(settings: Settings, path: Path | None = None) -> None:
    """Write them so that the old file stays until the new one is whole. Raises `StorageError`."""
    path = path or settings_path()
    part = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(settings.model_dump_json(indent=2), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise spoken(error, path) from error


def _usable(model: type[BaseModel], raw: dict[str, Any], notices: list[str], prefix: str) -> dict[str, Any]:
    """The part of the raw values that the model takes."""
    good: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        if name not in raw:
            continue
        value = raw[name]
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            good[name] = _usable(inner, value if isinstance(value, dict) else {}, notices, f"{field.title or name}: ")
            continue
        try:
            model.model_validate({name: value})
        except ValidationError as error:
            notices.append(f"{prefix}{field.title or name} “{value}” is not used: {error.errors()[0]['msg']}.")
            continue
        good[name] = value
    return good
