"""What the doctor finds."""

from __future__ import annotations

from console.contracts.health import Finding


def test_a_finding_has_a_mark_that_needs_no_colour() -> None:
    assert [Finding("Input", health, "").mark for health in ("ok", "warn", "bad")] == ["✓", "!", "✕"]
