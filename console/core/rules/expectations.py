"""Drops an expectation that cannot be evaluated on this desktop, so that the action still runs."""

from __future__ import annotations

import re

from console.contracts.actions import AnyAction
from console.contracts.effects import DomChanged
from console.contracts.scene import Scene

# What the desktop can look up itself: role[name="…"], text="…", id="…".
_EVALUABLE = re.compile(r"\s*(?:[a-z]+\[name\s*[*^]?=\s*(['\"]).*\1\]|(?:text|id)\s*=\s*(['\"]?).+\2)\s*", re.DOTALL)


def evaluable(selector: str) -> bool:
    return bool(_EVALUABLE.fullmatch(selector))


def without_blind_expectation(action: AnyAction, scene: Scene) -> tuple[AnyAction, str | None]:
    """The action, and the selector that was dropped from it. With a browser connection nothing is dropped."""
    expected = getattr(action, "expect_after", None)
    if expected is None or isinstance(expected, DomChanged) or "cdp" in scene.capabilities:
        return action, None
    if evaluable(expected.selector):
        return action, None
    return action.model_copy(update={"expect_after": None}), expected.selector
