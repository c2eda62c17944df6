"""Whatever is written as a goal is read as instructions, and nothing of it is lost silently."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from console.contracts.moves import Batch, Clarify, Done, Fail
from console.planning.instructions import parse
from console.planning.instructions.keys import combo, sequence
from console.planning.instructions.models import Instruction, TypeWords
from console.planning.instructions.parse import FORMS

from .world import World, element

EXAMPLES = [form.example for form in FORMS]
WORDS = st.sampled_from(
    [
        "click",
        "the",
        "“Save”",
        "button",
        "in",
        "type",
        "'x'",
        "then",
        ";",
        ",",
        "and",
        "if",
        "is",
        "visible",
        "1.",
        "2)",
        "\n",
        "#",
        "<<",
        ">>",
        '"""',
        "“",
        "»",
        "wait",
        "until",
        "as",
        "{a}",
        ">",
        "press",
        "ctrl+",
        "+",
        "next to",
        "99999999999999999999",
        "s",
        "read",
        "\x00",
        "\x001\x00",
        "ask me",
        "scroll",
        "down",
        "first",
        "window",
        "unless",
        ":",
        "\\",
        ".",
    ]
)
GOALS = st.one_of(
    st.text(),
    st.lists(WORDS, max_size=14).map(" ".join),
    st.lists(st.sampled_from(EXAMPLES), max_size=4).map("; ".join),
)


@given(GOALS)
@settings(max_examples=400, deadline=None)
def test_every_goal_is_read(goal: str) -> None:
    for found in parse(goal):
        assert isinstance(found, Instruction)
        assert found.words() is not None
        assert found.source


@given(GOALS)
@settings(max_examples=150, deadline=None)
async def test_every_goal_gets_a_move(goal: str) -> None:
    world = World.of(element("s", "Save"), element("n", "Name", "input", value="x"))
    move = await world.planner.decide_next(goal, (), {}, world.view(), None)
    assert isinstance(move, Batch | Clarify | Done | Fail)
    await world.planner.verify_done(goal, "x", {}, world.view(), None)


@given(st.text(alphabet=st.characters(exclude_characters='"\\\x00\n\r')))
@settings(deadline=None)
def test_quoted_text_arrives_as_it_stands(text: str) -> None:
    (found,) = parse(f'type "{text}"')
    assert isinstance(found, TypeWords)
    assert found.text == text


@given(st.text(alphabet=st.characters(exclude_characters="\x00\r")).filter(lambda text: "\nEND" not in f"\n{text}"))
@settings(deadline=None)
def test_a_block_arrives_as_it_stands(text: str) -> None:
    (found,) = parse(f"type <<END\n{text}\nEND")
    assert isinstance(found, TypeWords)
    assert found.text == text


@given(st.lists(st.sampled_from(EXAMPLES), min_size=1, max_size=6), st.sampled_from(["\n", "; ", " then ", ", then "]))
@settings(deadline=None)
def test_instructions_can_be_joined_in_any_way(examples: list[str], joint: str) -> None:
    alone = [found.model_dump() for example in examples for found in parse(example)]
    assert [found.model_dump() for found in parse(joint.join(examples))] == alone


@given(st.text(max_size=12))
def test_keys_are_known_or_none(text: str) -> None:
    assert combo(text) is None or all(combo(text) or ())
    assert sequence(text) is None or sequence(text)
