"""Settings from raw values, and keys from nowhere."""

from __future__ import annotations

from console.contracts.keys import NoKeys
from console.contracts.settings import Settings
from console.contracts.usable import usable


def test_a_bad_value_falls_back_and_says_so() -> None:
    raw = {"limits": {"max_steps": "many", "timeout_s": 60}, "safety": 3, "planner": "model", "unknown": 1}
    settings, notices = usable(Settings, raw)
    assert (settings.limits.max_steps, settings.limits.timeout_s, settings.planner) == (80, 60, "model")
    assert len(notices) == 2
    assert notices[0].startswith("Limits: Steps “many” is not used: ")
    assert notices[1] == "“Safety” in the settings is no section; its defaults are used."


def test_a_long_value_is_cut_in_the_notice() -> None:
    _, notices = usable(Settings, {"limits": {"max_steps": "m" * 99}})
    assert "…" in notices[0]


async def test_no_keys_has_none() -> None:
    assert await NoKeys().key("anthropic") is None
