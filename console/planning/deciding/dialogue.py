"""One question to a model with a typed answer: at most two repairs, and nothing that was cut off is ever used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from console.contracts.errors import PlannerError
from console.contracts.model_use import CallPurpose

from ..models.caller import ModelCaller, Reply, Request
from ..models.failures import ModelTrouble, refused
from ..models.reading import Unreadable, snippet, the_object
from ..pictures import SentPicture, halved
from .forms import as_text

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import ModelRequestParameters

REPAIRS = 2
SHORTER = "The answer was cut off at the output limit. Make it much shorter: one or two steps."
A = TypeVar("A")


@dataclass(frozen=True)
class Question:
    """What is asked: the rules, the words of this turn, the picture, and the tool that carries the answer."""

    rules: str
    words: str
    tool: str
    schema: dict[str, Any]
    purpose: CallPurpose
    picture: SentPicture | None = None


@dataclass
class Dialogue:
    """Remembers what it found out about the model: that it takes no tools, or no pictures."""

    caller: ModelCaller
    max_output_tokens: int
    tools: bool = True
    pictures: bool = True
    stream: bool = True
    notes: list[str] = field(default_factory=list)

    async def ask(self, question: Question, read: Callable[[dict[str, Any]], A]) -> A:
        """The answer as `read` makes it. Raises `PlannerError` after the repairs, or if the model is not to be had."""
        await self.caller.connection()  # loads the libraries beside the loop, before they are named here
        messages = self._first(question)
        problem, purpose = "", question.purpose
        for _ in range(REPAIRS + 1):
            question, messages, reply = await self._reply(question, messages, purpose)
            if reply.response.finish_reason == "content_filter":
                raise refused(reply.text)
            try:
                if reply.cut:
                    raise Unreadable(SHORTER)
                return read(answer_of(reply, question.tool))
            except Unreadable as error:
                problem, purpose = str(error), "repair"
                messages = [*messages, *self._repair(reply, problem)]
        raise PlannerError(
            f"The model gave no usable answer, also after {REPAIRS} repairs: {snippet(problem)}",
            "Try again, or choose another model.",
        )

    async def _reply(
        self, question: Question, messages: list[ModelMessage], purpose: CallPurpose
    ) -> tuple[Question, list[ModelMessage], Reply]:
        """Send it; a form or a picture that the model does not take is left out, and is not offered again."""
        for _ in range(4):
            try:
                return question, messages, await self.caller.ask(self._request(question, messages, purpose))
            except ModelTrouble as trouble:
                if trouble.trouble == "tools" and self.tools:
                    self.tools = False
                elif trouble.trouble == "image" and question.picture is not None:
                    question = self._less_picture(question)
                else:
                    raise
                messages = self._first(question)
        raise AssertionError("each of them happens once")  # pragma: no cover

    def _less_picture(self, question: Question) -> Question:
        """Half its size first, then none: what was refused does not stay in the request."""
        picture = question.picture
        if picture is not None and picture.width == picture.source_width:
            return replace(question, picture=halved(picture))
        self.pictures = False
        return replace(question, picture=None)

    def _first(self, question: Question) -> list[ModelMessage]:
        from pydantic_ai.messages import BinaryContent, ModelRequest, UserPromptPart

        rules = question.rules if self.tools else question.rules + as_text(question.schema)
        content: list[Any] = [question.words]
        picture = question.picture if self.pictures else None
        if picture is not None:
            content.append(BinaryContent(picture.data, media_type=picture.media_type))
        return [ModelRequest(parts=[UserPromptPart(content)], instructions=rules)]

    def _request(self, question: Question, messages: list[ModelMessage], purpose: CallPurpose) -> Request:
        picture = question.picture if self.pictures else None
        size = len(question.rules) + len(question.words) + (picture.base64_bytes if picture else 0)
        return Request(
            messages,
            self._parameters(question),
            purpose,
            self.max_output_tokens,
            extra={"parallel_tool_calls": False} if self.tools else None,
            stream=self.stream,
            size_bytes=size,
        )

    def _parameters(self, question: Question) -> ModelRequestParameters:
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.tools import ToolDefinition

        if not self.tools:
            return ModelRequestParameters()
        tool = ToolDefinition(
            name=question.tool,
            parameters_json_schema=question.schema,
            description="Your answer.",
            kind="output",
            strict=False,
        )
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)

    def _repair(self, reply: Reply, problem: str) -> list[ModelMessage]:
        """The answer as it was, and what is wrong with it; a call is always followed by its result."""
        from pydantic_ai.messages import ModelRequest, ToolReturnPart, UserPromptPart

        words = f"Nothing was done: {problem} Answer again."
        calls = reply.tool_calls()
        if calls:
            parts: list[Any] = [ToolReturnPart(call.tool_name, words, tool_call_id=call.tool_call_id) for call in calls]
        else:
            parts = [UserPromptPart(words)]
        if not reply.response.parts:
            return [ModelRequest(parts=parts)]
        return [reply.response, ModelRequest(parts=parts)]


def answer_of(reply: Reply, tool: str) -> dict[str, Any]:
    """The one object that the model answered with, as a tool call or in its text."""
    calls = reply.tool_calls()
    if not calls:
        return the_object(reply.text)
    found: list[dict[str, Any]] = []
    for call in calls:
        arguments = call.args if isinstance(call.args, dict) else the_object(call.args or "")
        if call.tool_name != tool:
            raise Unreadable(f"There is no tool “{call.tool_name}”; answer with {tool}.")
        if arguments not in found:
            found.append(arguments)
    if len(found) > 1:
        raise Unreadable(f"There are {len(found)} answers; give exactly one.")
    return found[0]
