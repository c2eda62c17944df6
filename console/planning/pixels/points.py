"""The units in which models say where something is, each brought to a pixel of the screenshot exactly once."""

from __future__ import annotations

import math
from typing import Any, Literal

from console.contracts.errors import PlannerError

from ..models.reading import Unreadable
from ..pictures import SentPicture

Unit = Literal["pixels", "thousandths", "fractions"]
_TOP: dict[Unit, float] = {"thousandths": 1000.0, "fractions": 1.0}


def target_of(x: Any, y: Any, picture: SentPicture, unit: Unit = "pixels") -> str:
    """`point:X,Y` of the screenshot that the picture was made from.

    `pixels` are those of the sent picture, `thousandths` go from 0 to 1000 over each side, `fractions` from 0 to 1.
    Raises `Unreadable` for what is no number or lies outside; nothing is guessed or moved inside.
    """
    for value in (x, y):
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise Unreadable(f"({x}, {y}) is no point: both have to be numbers.")
    if unit != "pixels":
        top = _TOP[unit]
        if not (0 <= x <= top and 0 <= y <= top):
            raise Unreadable(f"The point ({x}, {y}) is outside: both go from 0 to {top:g}.")
        x = min(x / top * picture.width, picture.width - 1)
        y = min(y / top * picture.height, picture.height - 1)
    try:
        point = picture.to_source(x, y)
    except PlannerError as error:
        raise Unreadable(error.sentence()) from error
    return f"point:{point.x},{point.y}"
