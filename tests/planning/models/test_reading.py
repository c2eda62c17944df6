"""What models write around and instead of an object, and what is made of it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.contracts.actions import Click, SetValue, TypeText
from console.contracts.moves import Batch, Clarify, Done, Fail
from console.planning.models.moves import the_move
from console.planning.models.reading import Unreadable, the_object

CLICK = '{"kind":"batch","steps":[{"purpose":"p","action":{"type":"click","target_id":"1"}}]}'


def move(text: str) -> object:
    return the_move(the_object(text), lambda said: {"1": "ax:save"}.get(said, said))


@pytest.mark.parametrize(
    "text",
    [
        CLICK,
        f"\n{CLICK}\n",
        f"Sure! {CLICK}",
        f"```json\n{CLICK}\n```",
        f"{CLICK} That should do it.",
        '{"kind":"batch","steps":[{"purpose":"p","action":{"type":"click","target_id":"1",},},],}',
        '{"kind":"batch","purpose":null,"steps":[{"purpose":["p"],"action":{"type":"click","target_id":1}}]}',
        '{"thought":["a","b"],"kind":"batch","memory":null,"confidence":0.9,'
        '"steps":[{"purpose":"p","action":{"type":"click","target_id":"1","button":null}}]}',
        '{"steps":[{"purpose":"p","action":{"type":"click","target_id":"1"}}]}',
        '{"actions":[{"type":"click","target_id":"1"}]}',
        '{"type":"click","target_id":"1"}',
        '{"purpose":"p","action":{"type":"click","target_id":"1"}}',
        '{"next_move":{"kind":"batch","steps":[{"action":{"type":"click","target_id":"1"}}]}}',
        f"{CLICK}\n{CLICK}",
        f"{{}} {CLICK}",
        '{"kind":"batch","steps":[{"purpose":"a } brace { in \\"text\\"","action":{"type":"click","target_id":"1"}}]}',
    ],
)
def test_a_click_is_a_click_whatever_stands_around_it(text: str) -> None:
    found = move(text)
    assert isinstance(found, Batch)
    assert [step.action for step in found.steps] == [Click(target_id="ax:save")]
    assert all(step.purpose for step in found.steps)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("I cannot do that", "There is no JSON object"),
        ("", "There is no JSON object"),
        ("{}", "has no “kind”"),
        ("[]", "There is no JSON object"),
        ('{"action":null}', "has no “kind”"),
        ('{"actions":[{}]}', "Step 1 has no action with a “type”"),
        ('{"kind":"batch","steps":[]}', "at least one step"),
        ('{"kind":"batch","steps":["click"]}', "Step 1 is no object"),
        ('{"kind":"batch"}', "at least one step"),
        ('{"kind":"jump"}', '“kind” is "jump"'),
        ('{"kind":"batch","steps":[{"action":{"type":"telepathy"}}]}', "Step 1, telepathy"),
        ('{"kind":"batch","steps":[{"action":{"type":"click"}}]}', "target_id: Field required"),
        ('{"kind":"batch","steps":[{"action":{"type":"click","target_id":true}}]}', "a target is the number"),
        ('{"kind":"batch","steps":[{"action":{"type":"scroll","dy":"3"}}]}', "must be a whole number"),
        ('{"kind":"batch","steps":[{"action":{"type":"wait","ms":-5}}]}', "greater than or equal to 0"),
        ('{"kind":"type","text":"rm -rf /tm', "cannot be read"),
        ('{"kind":"done","summary":"a"} {"kind":"fail","reason":"b"}', "There are 2 JSON objects"),
        ('{"kind":"done"}', "summary: Field required"),
        ('{"kind":"clarify","question":"  "}', "needs its question"),
        ("{'kind': 'done'}", "cannot be read"),
        ('{"value": __import__("os").system("touch made-by-a-model")}', "cannot be read"),
        ("{" * 3000, "cannot be read"),
    ],
)
def test_what_is_no_move_is_said_in_words(text: str, problem: str) -> None:
    with pytest.raises(Unreadable) as told:
        move(text)
    assert problem in str(told.value)
    assert not Path("made-by-a-model").exists()


def test_too_many_steps_are_refused() -> None:
    step = '{"action":{"type":"wait","ms":1}}'
    with pytest.raises(Unreadable, match="at most 20 steps"):
        move('{"kind":"batch","steps":[' + ",".join([step] * 21) + "]}")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"kind":"done","summary":{"total":5}}', Done(summary='{"total": 5}')),
        ('{"kind":"done","summary":"s","extracted_data":{"a":1}}', Done(summary="s", extracted_data={"a": 1})),
        ('{"kind":"fail","reason":["no","way"]}', Fail(reason="no; way")),
        ('{"kind":"clarify","question":"Which?","candidates":["a"]}', Clarify(question="Which?", candidates=("a",))),
    ],
)
def test_ends_and_questions(text: str, found: object) -> None:
    assert move(text) == found


def test_what_an_action_does_is_taken_as_it_is() -> None:
    steps = '{"action":{"type":"type","text":"a,}"}},{"type":"set_value","target_id":"1","value":""}'
    text = f'{{"kind":"batch","steps":[{steps}]}}'
    found = move(text)
    assert isinstance(found, Batch)
    assert [step.action for step in found.steps] == [TypeText(text="a,}"), SetValue(target_id="ax:save", value="")]


@given(st.text(alphabet='{}[]":,\\ ankdstep1', max_size=60))
def test_any_text_is_an_object_or_unreadable(text: str) -> None:
    with suppress(Unreadable):
        assert isinstance(the_object(text), dict)
