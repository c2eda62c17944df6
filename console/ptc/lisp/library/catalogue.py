"""All functions of the language by name, and the few names that are plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from .bits import BITS
from .combinators import COMBINATORS
from .dates import DATES
from .discovery import DISCOVERY
from .effects import EFFECTS
from .formatting import FORMATTING
from .jsontext import JSON
from .maps import MAPS
from .numbers import NUMBERS
from .ordering import ORDERING
from .parallel import PARALLEL
from .parsing import PARSING, REGEXES
from .predicates import PREDICATES
from .sequences import SEQUENCES
from .sets import SETS
from .slices import SLICES
from .strings import STRINGS
from .trees import TREES

_SHELVES = (
    SEQUENCES,
    SLICES,
    ORDERING,
    MAPS,
    SETS,
    TREES,
    NUMBERS,
    BITS,
    PREDICATES,
    STRINGS,
    FORMATTING,
    PARSING,
    REGEXES,
    JSON,
    DATES,
    COMBINATORS,
    PARALLEL,
    EFFECTS,
    DISCOVERY,
)
_VALUES = {"NaN": math.nan, "Infinity": math.inf}

LIBRARY: Mapping[str, Any] = MappingProxyType({k: v for shelf in _SHELVES for k, v in shelf.rows.items()} | _VALUES)
