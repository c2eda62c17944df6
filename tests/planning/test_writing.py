"""What is written down as an instruction is read back as exactly that instruction."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.planning.instructions import models as m
from console.planning.instructions import parse
from console.planning.instructions.writing import written

T = m.Thing
TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=30) | st.sampled_from(
    [
        "Save As…",
        'say "hi"',
        "it's “x”",
        "a; then b",
        "C:\\new\\table",
        "{total}",
        "a > b",
        "and, if",
        "1. one",
        "`",
        "»",
    ]
)
THINGS = st.builds(T, label=TEXTS, kind=st.sampled_from(["", "button", "field"]), window=st.just("") | TEXTS)
SAID = st.one_of(
    st.builds(m.ClickOn, thing=THINGS, button=st.sampled_from(["left", "right"]), count=st.integers(1, 2)),
    st.builds(m.TypeWords, text=TEXTS, thing=st.none() | THINGS),
    st.builds(m.SetField, thing=THINGS, text=TEXTS),
    st.builds(m.Tick, thing=THINGS, on=st.booleans()),
    st.builds(m.Open, app=TEXTS),
    st.builds(m.GoTo, url=TEXTS),
    st.builds(m.Ask, question=TEXTS, name=st.just("answer")),
    st.builds(m.Choose, option=TEXTS, thing=st.none() | THINGS),
)


@given(SAID)
@settings(max_examples=300, deadline=None)
def test_what_is_written_says_just_that_whatever_the_text_holds(said: m.Instruction) -> None:
    line = written(said)
    if line is None:
        return  # there are no words for it, and then nothing is written
    (read,) = parse(line)
    bare = {"source", "literal"}
    assert type(read) is type(said)
    for name in set(type(said).model_fields) - bare:
        ours, theirs = getattr(said, name), getattr(read, name)
        if isinstance(ours, T):
            ours, theirs = (one.model_copy(update={"literal": ""}) for one in (ours, theirs))
        assert ours == theirs


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (m.Open(app="Text Editor"), "open “Text Editor”"),
        (m.SwitchTo(name="Notes"), "switch to “Notes”"),
        (m.Quit(app="galculator"), "quit “galculator”"),
        (m.ChangeWindow(how="maximize"), "maximize the window"),
        (m.ChangeWindow(how="left_half", name="Notes"), "move the window “Notes” to the left half"),
        (m.ChangeWindow(how="resize", numbers=(800, 600)), "resize the window to 800 x 600"),
        (m.ChangeWindow(how="move", name="Notes", numbers=(10, 20)), "move the window “Notes” to 10, 20"),
        (m.ClickOn(thing=T(label="Save")), "click “Save”"),
        (m.ClickOn(thing=T(label="Row 2"), modifiers=("ctrl", "shift")), "ctrl-shift-click “Row 2”"),
        (m.ClickOn(thing=T(label="Delete", ordinal=2)), "click the second “Delete”"),
        (m.ClickOn(thing=T(kind="field", ordinal=4)), "click the 4th field"),
        (m.ClickOn(thing=T(label="OK", window="dialog")), "click “OK” in the window “dialog”"),
        (m.PointAt(thing=T(label="Help")), "hover over “Help”"),
        (m.DragTo(thing=T(label="a"), onto=T(label="b")), "drag “a” onto “b”"),
        (m.ScrollBy(direction="up", notches=3, thing=T(label="Log")), "scroll up 3 in “Log”"),
        (m.ScrollBy(notches=2), "scroll down 2"),
        (m.TypeWords(text="two\nlines\t\\"), 'type "two\\nlines\\t\\\\"'),
        (m.SetField(thing=T(label="Name"), text=""), "clear “Name”"),
        (m.Choose(option="Poland", thing=T(label="Country")), "choose “Poland” in “Country”"),
        (m.Press(keys=(("ctrl", "+"),)), "press ctrl+plus"),
        (m.Press(keys=(("Tab",),), times=2), "press Tab 2 times"),
        (m.Pause(ms=1500), "wait 1.5 seconds"),
        (m.ReadAs(thing=T(label="Total"), name="total"), "read “Total” as total"),
        (m.Ask(question="Why?"), "ask me “Why?”"),
        (m.GoTo(url="https://example.org/?a=b"), "go to https://example.org/?a=b"),
        (m.AnswerDialog(accept=False), "dismiss the dialog"),
        (m.AskToGoOn(), None),
        (m.ClickOn(thing=T(label="r"), count=2, modifiers=("ctrl",)), None),
    ],
)
def test_lines_as_a_person_would_write_them(said: Any, line: str | None) -> None:
    assert written(said) == line
