"""The tools of a run: programs, and missions that are carried out by the model of the settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from console.contracts.adapter import Adapter
from console.contracts.errors import ConsoleError
from console.contracts.model_use import ModelCall, Report
from console.planning.deciding import DECIDING
from console.planning.kit import PlannerKit
from console.planning.models.settings import ModelSettings
from console.planning.models.talk import Talk
from console.ptc.lisp.host import Discovery
from console.ptc.mcp.adapter import ServerAdapter
from console.ptc.mcp.catalogue import Catalogue
from console.ptc.mission_adapter import MissionAdapter
from console.ptc.missions import LlmError, LlmInput, LlmReply, LlmToolCall
from console.ptc.programs import ProgramAdapter

CUT = "The answer was cut off at its output limit. Write a shorter one."


def adapters_of(
    kit: PlannerKit, planner: str, options: Mapping[str, str], servers: Sequence[ServerAdapter]
) -> Sequence[Adapter]:
    """Made for one run: they know what they are in the middle of."""
    settings, _ = kit.chosen(DECIDING.name, options if planner == DECIDING.name else None)
    assert isinstance(settings, ModelSettings)

    def model(report: Report) -> TalkingModel | None:
        if not settings.model.strip():
            return None
        talk = Talk(settings, kit.parts)
        talk.report_to(report)
        return TalkingModel(talk)

    def discovery(names: Mapping[tuple[str, str], str]) -> Discovery:
        return Catalogue(servers, names)

    found = discovery if servers else None
    missions = MissionAdapter(model, lambda: kit.parts.text("prompts/mission.md"), servers, found)
    return (ProgramAdapter((missions, *servers), discovery=found), missions, *servers)


class TalkingModel:
    """The model of the settings, as a mission asks it. An answer that was cut off is never run."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk

    async def __call__(self, given: LlmInput) -> LlmReply:
        try:
            said = await self._talk.say(given.system, given.messages, given.tools)
        except ConsoleError as error:
            raise LlmError(error.sentence(), "model") from error
        if said.cut:
            return LlmReply(CUT, _tokens(said.call), (), said.call.cost_usd)
        calls = tuple(LlmToolCall(call.name, call.args, call.id) for call in said.calls)
        return LlmReply(said.text, _tokens(said.call), calls, said.call.cost_usd)

    async def close(self) -> None:
        await self._talk.close()


def _tokens(call: ModelCall) -> dict[str, int]:
    known = {"input": call.input_tokens, "output": call.output_tokens, "cache_read": call.cache_read_tokens}
    return {name: count for name, count in known.items() if count is not None}
