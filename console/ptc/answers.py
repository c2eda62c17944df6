"""Answers of tools that may be taken again: they last for all programs and missions of a run."""

from __future__ import annotations

import json

from console.contracts.adapter import Hands
from console.contracts.base import Json
from console.contracts.step import Step

ANSWERS = "ptc.tool_cache"
# In characters of JSON, since every answer that is kept is written to the journal of the run; a longer one is asked for
# again by the next program.
LONGEST = 100_000


def known_answers(hands: Hands) -> dict[str, Json]:
    """By the key of their call, as `Step.tool_cache` holds them."""
    found = hands.kept.get(ANSWERS)
    return dict(found) if isinstance(found, dict) else {}


async def keep_answers(hands: Hands, step: Step) -> None:
    """Those that a program or a mission has added."""
    known = known_answers(hands)
    added = {
        key: answer
        for key, answer in step.tool_cache.items()
        if key not in known and len(json.dumps(answer, ensure_ascii=False)) <= LONGEST
    }
    if added:
        await hands.keep(ANSWERS, {**known, **added})
