"""A plain conversation over every wire: what goes out, calls of tools, answers that were cut, errors in words."""

from __future__ import annotations

import pytest

from console.contracts.errors import PlannerError
from console.planning import PlannerParts
from console.planning.models.settings import ModelSettings
from console.planning.models.talk import AskedCall, Talk
from tests.planning.model_world import Heard, OneKey
from tests.support.model_goals import WIRES
from tests.support.model_servers import Answer, Asked, ModelServer, Refusal, Say, Status, Use

TOOL = {
    "name": "add",
    "description": "adds",
    "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
}


def talk_with(server: ModelServer, provider: str, **more: object) -> tuple[Talk, Heard]:
    given = {"provider": provider, "model": "m", "address": server.address(provider), **more}
    talk, heard = Talk(ModelSettings.model_validate(given), PlannerParts(OneKey())), Heard()
    talk.report_to(heard)
    return talk, heard


@pytest.mark.parametrize("provider", WIRES)
async def test_it_says_what_was_said_before_and_hears_the_answer(provider: str) -> None:
    with ModelServer(lambda _: Say("(return 2)", pause_s=0.02)) as server:
        talk, heard = talk_with(server, provider)
        said = await talk.say(
            "Be brief.",
            [
                {"role": "user", "content": "first question"},
                {"role": "assistant", "content": "(return 1)"},
                {"role": "user", "content": "second question"},
            ],
        )
        await talk.close()
    assert (said.text, said.calls, said.cut) == ("(return 2)", (), False)
    text = server.asked[0].text
    assert all(part in text for part in ("Be brief.", "first question", "(return 1)", "second question"))
    assert [(call.purpose, call.input_tokens, call.output_tokens) for call in heard.calls] == [("mission", 1200, 80)]
    assert heard.words


@pytest.mark.parametrize("provider", WIRES)
async def test_tools_are_called_and_their_results_go_back_with_their_calls(provider: str) -> None:
    def brain(asked: Asked) -> Answer:
        return Say("three") if "the sum is 3" in asked.text else Use({"a": 1}, tool="add", more=(("add", {"a": 2}),))

    with ModelServer(brain) as server:
        talk, _ = talk_with(server, provider)
        first = await talk.say("", [{"role": "user", "content": "add them"}], [TOOL])
        assert [(call.name, call.args) for call in first.calls] == [("add", {"a": 1}), ("add", {"a": 2})]
        asked = [{"id": call.id, "name": call.name, "args": call.args} for call in first.calls]
        results = [
            {"role": "tool", "name": "add", "tool_call_id": call.id, "content": "the sum is 3"} for call in first.calls
        ]
        second = await talk.say(
            "",
            [
                {"role": "user", "content": "add them"},
                {"role": "assistant", "content": "", "tool_calls": asked},
                *results,
            ],
            [TOOL],
        )
        await talk.close()
    assert second.text == "three"
    assert all(isinstance(call, AskedCall) and call.id for call in first.calls)


@pytest.mark.parametrize("provider", WIRES)
async def test_an_answer_that_was_cut_says_so(provider: str) -> None:
    with ModelServer(lambda _: Say("(return", cut=True)) as server:
        talk, _ = talk_with(server, provider)
        assert (await talk.say("", [{"role": "user", "content": "q"}])).cut
        await talk.close()


async def test_what_goes_wrong_is_said_in_words() -> None:
    answers: list[Answer] = [Status(401), Refusal()]
    with ModelServer(lambda _: answers.pop(0)) as server:
        talk, heard = talk_with(server, "anthropic", tries=1)
        with pytest.raises(PlannerError, match="does not accept the key"):
            await talk.say("", [{"role": "user", "content": "q"}])
        with pytest.raises(PlannerError, match=r"(?i)refus"):
            await talk.say("", [{"role": "user", "content": "q"}])
        await talk.close()
    assert heard.calls[0].problem
