"""The namespaces that lead to functions of the library, and the members that other languages made habits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# The title is what the functions of the namespace are called in a message; None is every function of the library.
SUBJECTS: Mapping[str, tuple[str, frozenset[str] | None]] = {
    "clojure.core": ("Core", None),
    "core": ("Core", None),
    "clojure.string": ("String", frozenset({"strings"})),
    "str": ("String", frozenset({"strings"})),
    "string": ("String", frozenset({"strings"})),
    "clojure.set": ("Set", frozenset({"sets"})),
    "set": ("Set", frozenset({"sets"})),
    "clojure.walk": ("Walk", frozenset({"trees"})),
    "walk": ("Walk", frozenset({"trees"})),
    "regex": ("Regex", frozenset({"regex"})),
    "Math": ("Math", frozenset({"numbers"})),
}

_DOUBLE: dict[str, Any] = {
    "parseDouble": "parse-double",
    "POSITIVE_INFINITY": float("inf"),
    "NEGATIVE_INFINITY": float("-inf"),
    "NaN": float("nan"),
}

# A text is the name of the function in the library, anything else is the value itself.
MEMBERS: Mapping[str, Mapping[str, Any]] = {
    "json": {"parse-string": "json/parse-string", "generate-string": "json/generate-string"},
    "mcp": {"servers": "mcp/servers"},
    "Boolean": {"parseBoolean": "parse-boolean"},
    "Double": _DOUBLE,
    "Float": {"parseFloat": "parse-double", "parseDouble": "parse-double"},
    "Integer": {"parseInt": "parse-long"},
    "Long": {"parseLong": "parse-long"},
    "LocalDate": {"parse": "parse"},
    "Instant": {"parse": "parse"},
}
