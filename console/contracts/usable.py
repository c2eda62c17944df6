"""Takes from raw settings what is good; a value that is not falls back to its default and says so."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

M = TypeVar("M", bound=BaseModel)
Raw = dict[str, Any]


def usable(model: type[M], raw: Mapping[str, Any]) -> tuple[M, list[str]]:
    """The settings, and a sentence for each value that was not used."""
    notices: list[str] = []
    return model.model_validate(_usable(model, raw, notices, "")), notices


def _usable(model: type[BaseModel], raw: Mapping[str, Any], notices: list[str], prefix: str) -> Raw:
    """The part of the raw values that the model takes."""
    good: Raw = {}
    for name, field in model.model_fields.items():
        if name not in raw:
            continue
        value, title, inner = raw[name], field.title or name, field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            if isinstance(value, dict):
                good[name] = _usable(inner, value, notices, f"{title}: ")
            else:
                notices.append(f"“{title}” in the settings is no section; its defaults are used.")
            continue
        try:
            model.model_validate({name: value})
        except ValidationError as error:
            why = error.errors()[0]["msg"]
            notices.append(f"{prefix}{title} “{_short(value)}” is not used: {why}. It is {_short(field.default)} now.")
            continue
        good[name] = value
    return good


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:39] + "…"
