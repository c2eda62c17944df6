"""Where the console keeps its files on this machine."""

from __future__ import annotations

import os
from pathlib import Path

APP = "operator-console"
OVERRIDE = "OPERATOR_CONSOLE_DATA"


def data_folder() -> Path:
    """The folder of the journal and its pictures. The environment may name another one, for everything at once."""
    from platformdirs import user_data_path

    override = os.environ.get(OVERRIDE)
    return Path(override).expanduser() if override else user_data_path(APP, appauthor=False)


def config_folder() -> Path:
    """The folder of the settings."""
    from platformdirs import user_config_path

    override = os.environ.get(OVERRIDE)
    return Path(override).expanduser() if override else user_config_path(APP, appauthor=False)


def made(folder: Path) -> Path:
    """The folder, made where it is missing; screens are private, so nobody else may look into it."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder
