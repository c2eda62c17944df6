"""A model that says what it is told to say, and remembers what it was asked."""

from __future__ import annotations

from typing import Any

from console.ptc.missions import LlmInput


class Script:
    """Answers in order; each question is kept."""

    def __init__(self, *replies: Any, tokens: dict[str, int] | None = None):
        self._replies = list(replies)
        self._tokens = tokens
        self.asked: list[LlmInput] = []

    async def __call__(self, given: LlmInput) -> Any:
        self.asked.append(given)
        reply = self._replies.pop(0)
        if isinstance(reply, BaseException):
            raise reply
        if self._tokens is not None and isinstance(reply, str):
            return {"content": reply, "tokens": self._tokens}
        return reply

    @property
    def user_texts(self) -> list[str]:
        """What the user said before the last question."""
        return [str(one["content"]) for one in self.asked[-1].messages if one["role"] == "user"]


def block(source: str) -> str:
    """A program as a model writes it."""
    return f"Here it is:\n```clojure\n{source}\n```"
