"""UI-TARS behind a server that speaks chat completions: its answers are text."""

from __future__ import annotations

from console.contracts.model_use import CallPurpose

from ..models.caller import ModelCaller, Request
from ..models.reading import Unreadable
from ..pictures import SentPicture
from .anthropic import messages_of
from .history import Conversation
from .points import Unit
from .said import Acts, Looks, Said
from .ui_tars import read_reply, thought_of
from .wire import Answer, Call

ACTIONS = """
# Form
Answer in this form:
Thought: what you see and what comes next
Action: one call, or several, each on a line of its own

The calls are
click(start_box='(x,y)')
left_double(start_box='(x,y)')
right_single(start_box='(x,y)')
drag(start_box='(x,y)', end_box='(x,y)')
hotkey(key='ctrl c')
type(content='text; \\n at its end is Enter')
scroll(start_box='(x,y)', direction='down, up, left or right')
wait()
finished(content='what was reached')
call_user(content='a question to the person')
"""


class TarsWire:
    """`unit` is that of the model's points."""

    only_acts = True

    def __init__(self, unit: Unit) -> None:
        self._unit: Unit = unit

    async def ask(
        self, caller: ModelCaller, talk: Conversation, rules: str, purpose: CallPurpose, max_output_tokens: int
    ) -> Answer:
        await caller.connection()  # loads the libraries beside the loop
        from pydantic_ai.models import ModelRequestParameters

        sent = talk.trimmed()
        messages = messages_of(sent, rules + ACTIONS)
        request = Request(messages, ModelRequestParameters(), purpose, max_output_tokens, size_bytes=sent.size_bytes)
        reply = await caller.ask(request)
        call = Call("", "text", {"text": reply.text})
        return Answer(reply.response, len(reply.text), (call,), thought_of(reply.text), reply.cut)

    def meaning(self, call: Call, picture: SentPicture) -> Said:
        """All actions of a reply come in one call. Raises `Unreadable`."""
        read = read_reply(call.arguments["text"], picture, self._unit)
        actions = [action for said in read.said if isinstance(said, Acts) for action in said.actions]
        if actions:
            return Acts(actions)
        other = next((said for said in read.said if not isinstance(said, Acts | Looks)), None)
        if other is None:
            raise Unreadable("There is no action.")
        return other
