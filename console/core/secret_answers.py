"""Answers that the operator marked as secret: a planner is given a token for each, and only a step turns it back."""

from __future__ import annotations

import json
import re
from collections.abc import Set
from typing import TypeVar

from console.contracts.actions import ACTION, AnyAction
from console.contracts.base import Json, Value

from .secrecy import MASK

_TOKEN = re.compile(r"⟦secret \d+⟧")
V = TypeVar("V", bound=Value)


def is_hidden(value: Json) -> bool:
    """Whether the value stands for a secret that no record holds."""
    return isinstance(value, str) and (value == MASK or _TOKEN.fullmatch(value) is not None)


class SecretAnswers:
    """The secrets of one run, in memory only."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def hide(self, text: str) -> str:
        """The token that stands for the text from now on."""
        for token, known in self._texts.items():
            if known == text:
                return token
        token = f"⟦secret {len(self._texts) + 1}⟧"
        self._texts[token] = text
        return token

    def reveal(self, action: AnyAction) -> AnyAction:
        """The action as it is to be done."""
        return self._replaced(action, self._texts)

    def hidden(self, action: AnyAction) -> AnyAction:
        """The action as a planner and a record may have it."""
        return self._replaced(action, {text: token for token, text in self._texts.items() if text})

    @staticmethod
    def _replaced(action: AnyAction, texts: dict[str, str]) -> AnyAction:
        if not texts:
            return action
        before = action.model_dump_json()
        after = before
        for old, new in texts.items():
            after = after.replace(_inside(old), _inside(new))
        return action if after == before else ACTION.validate_json(after)


def without(value: V, secrets: Set[str]) -> V:
    """The value with every secret blotted out."""
    if not secrets:
        return value
    body = value.model_dump_json()
    clean = body
    for secret in sorted(secrets, key=len, reverse=True):
        clean = clean.replace(_inside(secret), MASK)
    return value if clean == body else type(value).model_validate_json(clean)


def _inside(text: str) -> str:
    """As it stands inside a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
