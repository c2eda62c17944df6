"""What all contract values have in common: frozen, tolerant of unknown keys, silent about absent options."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, JsonValue, SerializerFunctionWrapHandler, model_serializer

Json = JsonValue


class Value(BaseModel):
    """A frozen value. An option that nobody set is left out of its JSON, so a published shape comes back unchanged."""

    # Built when first used: all of it at once would take a good part of the time until the window is there.
    model_config = ConfigDict(
        frozen=True, extra="ignore", populate_by_name=True, serialize_by_alias=True, defer_build=True
    )

    @model_serializer(mode="wrap")
    def _leave_out_unset_options(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = dump(self)
        for name in type(self).model_fields:
            if getattr(self, name, None) is None and name not in self.model_fields_set:
                fields.pop(name, None)
        return fields


def _as_text(value: object) -> object:
    """Null reads as empty and any other JSON as its text, because models put objects where a sentence belongs."""
    import json

    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _as_whole_number(value: object) -> object:
    """Only a finite whole number is a coordinate: no text, no truth value, no fraction."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("must be a whole number")  # noqa: TRY004 - pydantic reports only ValueError
    if not math.isfinite(value) or value != int(value):
        raise ValueError("must be a finite whole number")
    return int(value)


LenientText = Annotated[str, BeforeValidator(_as_text)]
WholeNumber = Annotated[int, BeforeValidator(_as_whole_number)]
