"""Rounding as people do it: a half goes away from zero."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal

# Enough digits for any float with a hundred decimals.
_CONTEXT = Context(prec=512)


def half_away(value: float, decimals: int) -> Decimal:
    """A finite number with so many decimals."""
    return Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, _CONTEXT)


def rounded_float(value: float, decimals: int) -> float:
    """A float with at most so many decimals; what is not finite stays."""
    if not math.isfinite(value) or decimals > 15:
        return value
    return float(half_away(value, max(0, decimals)))
