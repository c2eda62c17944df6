"""The rows that tell of a model: what it thought, what went wrong, and how long the next try is away."""

from __future__ import annotations

import time

from console.contracts.events import ModelCalled, ModelWaits
from console.contracts.model_use import spent_words

from .rows import Chip, Row

CALL = "model call"
LATEST = 160
_UNSAID = {
    "decide": "Decided what to do next",
    "repair": "Answered again",
    "verify": "Looked whether it is done",
    "mission": "Wrote a program",
}


def thought_row(event: ModelCalled) -> Row:
    """One for each answer: its words, what it cost and how long it took."""
    call = event.call
    chips = [Chip("asked again", "warn")] if call.purpose == "repair" else []
    if call.tokens:
        chips.append(Chip(spent_words(call.tokens, call.cost_usd)))
    title = " ".join(_prose(call.words).split()) or _UNSAID.get(call.purpose, "Answered")
    return Row("note", title, "·", "accent", "", tuple(chips), f"{call.latency_ms / 1000:.1f} s", event=event)


def _prose(words: str) -> str:
    """What it said without the code: a program is shown by the steps that it takes."""
    return " ".join(words.split("```")[::2])


def trouble_row(event: ModelCalled) -> Row:
    call = event.call
    return Row("note", call.problem or "", "!", "warn", call.model, (), f"{call.latency_ms / 1000:.1f} s", event=event)


def wait_row(event: ModelWaits) -> Row:
    wait = event.wait
    detail = f"try {wait.attempt} of {wait.attempts} after {wait.seconds:.0f} s"
    return Row("note", wait.reason, "!", "warn", detail, event=event)


def waiting(event: ModelWaits | None) -> Row | None:
    """The countdown, while there is one."""
    left = (event.until_ms / 1000 - time.time()) if event else 0.0
    if event is None or left <= 0:
        return None
    title = f"Asks the model again in {left:.0f} s"
    return Row("note", title, "…", "warn", "Stop ends the wait.")


def latest(words: str) -> str:
    """The end of what is being said, which is what is new."""
    flat = " ".join(words.split())
    return flat if len(flat) <= LATEST else "…" + flat[1 - LATEST :]
