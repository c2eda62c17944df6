"""Skips a first navigation to the page that is already open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from console.contracts.actions import ActionBatch, AnyAction, CdpEval, Navigate
from console.contracts.moves import AttemptRecord

_ASSIGNS = re.compile(r"location(?:\.href)?\s*=\s*['\"]([^'\"]+)['\"]")


def already_there(
    action: AnyAction, purpose: str, url: str | None, history: Sequence[AttemptRecord]
) -> AttemptRecord | None:
    """A success record instead of the navigation, only while nothing has been done yet."""
    wanted = _destination(action)
    if history or not url or wanted is None or _same_page(wanted) != _same_page(url):
        return None
    return AttemptRecord(step_purpose=purpose, action=action, succeeded=True, data={"already_at": url})


def without_noops(action: AnyAction, url: str | None, history: Sequence[AttemptRecord]) -> AnyAction:
    """A nested batch loses only the navigation that is not needed, not its other members."""
    if not isinstance(action, ActionBatch):
        return action
    kept = tuple(a for a in action.actions if already_there(a, "", url, history) is None)
    return action if len(kept) == len(action.actions) else action.model_copy(update={"actions": kept})


def _destination(action: AnyAction) -> str | None:
    if isinstance(action, Navigate):
        return action.url
    if isinstance(action, CdpEval):
        hit = _ASSIGNS.search(action.expression)
        return hit[1] if hit else None
    return None


def _same_page(url: str) -> tuple[str, str, str]:
    parts = urlsplit(url if "://" in url else f"https://{url}")
    return parts.scheme, parts.netloc.casefold(), parts.path.removesuffix("/")
