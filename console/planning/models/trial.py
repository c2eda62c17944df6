"""One tiny call, to see whether a model can be reached with its key."""

from __future__ import annotations

from ..parts import PlannerParts
from .caller import ModelCaller, Request
from .connection import Choice, connect

QUESTION = "Answer with the one word: ready"
TOKENS = 64


async def try_model(choice: Choice, parts: PlannerParts) -> str:
    """A sentence that says that it works. Raises `PlannerError` that says why it does not."""
    caller = ModelCaller(lambda: connect(choice, parts.keys), tries=1, timeout_s=min(choice.timeout_s, 30))
    try:
        await caller.connection()  # loads the libraries beside the loop
        from pydantic_ai.messages import ModelRequest
        from pydantic_ai.models import ModelRequestParameters

        request = Request(
            [ModelRequest.user_text_prompt(QUESTION)], ModelRequestParameters(), "test", TOKENS, stream=False
        )
        reply = await caller.ask(request)
    finally:
        await caller.close()
    return f"{reply.call.model} answered in {reply.call.latency_ms / 1000:.1f} s."
