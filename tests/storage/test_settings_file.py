"""Settings survive; what is no good falls back and says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from console.contracts.errors import StorageError
from console.contracts.settings import AppearanceSettings, LimitSettings, Settings
from console.storage.folders import OVERRIDE
from console.storage.settings_file import load_settings, save_settings, settings_path


def test_there_are_none_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OVERRIDE, str(tmp_path / "new"))
    assert settings_path() == tmp_path / "new" / "settings.json"
    assert load_settings() == (Settings(), [])
    save_settings(Settings(planner="replay"))
    assert load_settings()[0].planner == "replay"


def test_round_trip(tmp_path: Path) -> None:
    settings = Settings(limits=LimitSettings(max_steps=7), appearance=AppearanceSettings(theme="dark"))
    save_settings(settings, tmp_path / "s.json")
    assert load_settings(tmp_path / "s.json") == (settings, [])


@pytest.mark.parametrize(
    ("raw", "notice"),
    [
        ({"limits": {"max_steps": -3, "timeout_s": 60}}, "Limits: Steps “-3” is not used"),
        ({"limits": 5}, "“Limits” in the settings is no section"),
        ({"planner": ["x"] * 90}, "It is instructions now."),
        ({"appearance": {"theme": "pink"}}, "Appearance: Theme “pink” is not used"),
        ([1], "holds no settings"),
    ],
)
def test_a_bad_value_falls_back_and_says_so(tmp_path: Path, raw: Any, notice: str) -> None:
    path = tmp_path / "s.json"
    path.write_text(json.dumps(raw))
    settings, notices = load_settings(path)
    assert len(notices) == 1
    assert notice in notices[0]
    assert settings.limits.max_steps == 80


def test_what_a_newer_console_wrote_stays(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"telepathy": True, "limits": {"max_steps": 9, "max_doubts": 2}}))
    settings, notices = load_settings(path)
    assert notices == []
    save_settings(settings, path)
    raw = json.loads(path.read_text())
    assert raw["telepathy"] is True
    assert raw["limits"]["max_doubts"] == 2
    assert raw["limits"]["max_steps"] == 9


@pytest.mark.parametrize("broken", ["{not json", "[" * 100_000, "\udcff"])
def test_a_broken_file_is_kept_aside(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(broken.encode("utf-8", "surrogateescape"))
    settings, (notice,) = load_settings(path)
    assert settings == Settings()
    assert "could not be read" in notice
    assert "The defaults are used." in notice
    save_settings(settings, path)
    assert load_settings(path) == (Settings(), [])
    assert len(list(tmp_path.glob("settings.broken-*.json"))) == 1


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="could not be saved"):
        save_settings(Settings(), tmp_path / "file" / "settings.json")
