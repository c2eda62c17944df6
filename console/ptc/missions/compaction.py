"""Leaving old turns out of what the model reads; the run itself keeps all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .errors import MissionError

_CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Compaction:
    """When the conversation is trimmed, and what stays: `trigger` names a number of turns, of tokens, or both."""

    strategy: str = "trim"
    trigger: Mapping[str, int] = field(default_factory=lambda: {"turns": 8})
    keep_recent_turns: int = 3
    keep_initial_user: bool = True

    def __post_init__(self) -> None:
        if self.strategy != "trim":
            raise MissionError(f"the only strategy of compaction is trim, not {self.strategy!r}")
        if not self.trigger or set(self.trigger) - {"turns", "tokens"}:
            raise MissionError("the trigger of compaction is a number of turns, of tokens, or both")
        if self.keep_recent_turns < 1:
            raise MissionError("compaction keeps at least one turn")

    @classmethod
    def of(cls, given: Any) -> Compaction | None:
        """The setting from True, a map or itself; None where it is off."""
        if given is None or given is False or isinstance(given, Compaction):
            return given or None
        if given is True:
            return cls()
        try:
            return cls(**dict(given))
        except (TypeError, ValueError) as error:
            raise MissionError(f"compaction: {error}") from error

    def reason(self, messages: Sequence[Mapping[str, Any]], turn: int) -> str | None:
        """Which trigger asks for it in this turn."""
        if turn > self.trigger.get("turns", turn):
            return "turn_pressure"
        limit = self.trigger.get("tokens")
        return "token_pressure" if limit is not None and estimated_tokens(messages) >= limit else None

    def kept(self, messages: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """The first message of the user and the last turns; the user begins, for models answer to nothing else."""
        tail = list(messages[-2 * self.keep_recent_turns :])
        if len(tail) == len(messages):
            return tail
        initial = next((one for one in messages[: -len(tail)] if one.get("role") == "user"), None)
        if self.keep_initial_user and initial is not None:
            return [initial, *tail]
        while tail and tail[0].get("role") != "user":
            tail.pop(0)
        return tail


class Compactor:
    """Trims the conversation of one run and counts what that saved."""

    def __init__(self, setting: Compaction | None):
        self._setting = setting
        self.stats: dict[str, Any] | None = None

    def seen(self, messages: Sequence[Mapping[str, Any]], turn: int) -> tuple[Mapping[str, Any], ...]:
        """What the model reads in this turn."""
        setting = self._setting
        if setting is None:
            return tuple(messages)
        reason = setting.reason(messages, turn)
        kept = setting.kept(messages) if reason else list(messages)
        if len(kept) < len(messages):
            before = self.stats["times"] if self.stats else 0
            self.stats = {
                "strategy": setting.strategy,
                "reason": reason,
                "times": before + 1,
                "messages_before": len(messages),
                "messages_after": len(kept),
                "estimated_tokens_before": estimated_tokens(messages),
                "estimated_tokens_after": estimated_tokens(kept),
            }
        return tuple(kept)


def estimated_tokens(messages: Sequence[Mapping[str, Any]]) -> int:
    """A quarter of the letters."""
    return sum(len(str(message.get("content") or "")) for message in messages) // _CHARS_PER_TOKEN
