"""Which picture belongs to a row at a moment, and what is drawn on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from console.contracts.events import ActionIntended, ApprovalAsked, Attempted, Observed
from console.contracts.geometry import Point, Rect
from console.contracts.safety import Target

from ..rows import Row

Moment = Literal["live", "before", "after"]


@dataclass(frozen=True)
class Shown:
    """`name` is a stored picture or empty; the rectangles and the point are in pixels of the screen."""

    name: str
    frame: str = ""
    outlines: tuple[Rect, ...] = ()
    target: Rect | None = None
    point: Point | None = None


def target_of(row: Row | None) -> Target | None:
    """Where the input of the row goes or went."""
    event = row.event if row else None
    if isinstance(event, ApprovalAsked):
        return event.request.target
    return event.target if isinstance(event, ActionIntended | Attempted) else None


def has_after(row: Row | None) -> bool:
    return bool(row and isinstance(row.event, Attempted) and row.event.after)


def shown_at(moment: Moment, row: Row | None, latest: Observed | None, newest: str) -> Shown:
    """`latest` is the last look, `newest` the name of the newest picture of the run."""
    if moment == "live":
        seen, name = latest, newest
    else:
        seen = row.seen if row and row.seen else latest
        name = (seen.screenshot if seen else None) or ""
    event = row.event if row else None
    if isinstance(event, Attempted):
        name = {"before": event.before or name, "after": event.after or "", "live": name}[moment]
    frame = (isinstance(event, Attempted) and moment != "live" and event.frame_id) or (seen.frame_id if seen else "")
    target = target_of(row)
    if moment == "after" or target is None or (moment == "live" and isinstance(event, Attempted)):
        return Shown(name, frame, _outlines(seen) if moment != "after" else ())
    return Shown(name, frame, _outlines(seen), target.bounds, target.point)


def _outlines(seen: Observed | None) -> tuple[Rect, ...]:
    return tuple(e.bounds for e in seen.view.elements if e.bounds is not None) if seen else ()
