"""The words of a model beside its answer: its text, its reasoning, and the thought in its tool call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse

LONGEST_WORDS = 4000
THOUGHT = "thought"


def spoken(response: ModelResponse) -> str:
    """In the order it came, also while it is still coming. An answer in JSON is shown by its thought alone."""
    from pydantic_ai.messages import TextPart, ThinkingPart, ToolCallPart

    said: list[str] = []
    for part in response.parts:
        if isinstance(part, ThinkingPart):
            said.append(part.content)
        elif isinstance(part, TextPart):
            said.append(_of_text(part.content))
        elif isinstance(part, ToolCallPart):
            said.append(_thought(part.args))
    return "\n".join(words.strip() for words in said if words and words.strip())[-LONGEST_WORDS:]


def _of_text(text: str) -> str:
    """Prose as it is; what begins an object is read for its thought."""
    before, brace, rest = text.partition("{")
    if not brace:
        return text
    return "\n".join(part for part in (before.replace("```json", "").strip(), _thought(brace + rest)) if part)


def _thought(arguments: Any) -> str:
    """The thought in arguments that may not be complete yet."""
    from pydantic_core import from_json

    if isinstance(arguments, str):
        try:
            arguments = from_json(arguments, allow_partial="trailing-strings")
        except ValueError:
            return ""
    thought = arguments.get(THOUGHT) if isinstance(arguments, dict) else None
    return thought if isinstance(thought, str) else ""
