"""A second look, before anything is written, that no secret is in an event."""

from __future__ import annotations

from typing import TypeVar

from console.contracts.events import ActionIntended, ApprovalAsked, Attempted, ClarifyAnswered, RunEvent
from console.contracts.safety import ApprovalRequest
from console.core.secrecy import MASK, masked

E = TypeVar("E", ActionIntended, ApprovalRequest)


def scrubbed(event: RunEvent) -> RunEvent:
    """The event without secret answers and without what is typed into protected fields. The run has masked them
    already; the disk does not depend on that."""
    match event:
        case ClarifyAnswered() if event.answer.secret and event.answer.text != MASK:
            return event.model_copy(update={"answer": event.answer.model_copy(update={"text": MASK})})
        case ActionIntended() if event.target.protected:
            return _without_text(event)
        case ApprovalAsked() if event.request.target.protected:
            return event.model_copy(update={"request": _without_text(event.request)})
        case Attempted() if event.target is not None and event.target.protected:
            record, action = event.record, masked(event.record.action, protected=True)
            sentence = _clean(event.sentence, record.action, action)
            return event.model_copy(
                update={"record": record.model_copy(update={"action": action}), "sentence": sentence}
            )
        case _:
            return event


def _without_text(value: E) -> E:
    action = masked(value.action, protected=True)
    return value.model_copy(update={"action": action, "sentence": _clean(value.sentence, value.action, action)})


def _clean(sentence: str, before: object, after: object) -> str:
    """The sentence without the text that the masked action has lost."""
    for name in ("text", "value"):
        secret = getattr(before, name, None)
        if isinstance(secret, str) and secret and secret != getattr(after, name):
            sentence = sentence.replace(" ".join(secret.split()), MASK)
    return sentence
