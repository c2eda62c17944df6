"""Writes the request of one turn: goal, answers, what was done, what is on the screen; within its budget of tokens."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from console.contracts.base import Json
from console.contracts.moves import AttemptRecord
from console.contracts.view import PlanningView

from ..pictures import SentPicture
from .history import history_lines, warnings
from .shapes import shape
from .table import LONGEST_LABEL, quoted, table

CHARACTERS_PER_TOKEN = 3.5  # less than the four of English prose: ids, numbers and other languages cost more
LONGEST_MEMORY, LONGEST_FACT, LONGEST_TOOL, MOST_TOOLS = 2000, 240, 800, 60
ANSWERS = "operator_answers"
# How many attempts stand in full, and what part of the table is shown, from the widest to the narrowest request.
STEPS_DOWN = ((12, 1.0), (6, 1.0), (4, 0.6), (2, 0.35), (1, 0.15), (0, 0.05))


@dataclass(frozen=True)
class Prompt:
    """`shown` elements of the view stand in the table."""

    text: str
    shown: int

    @property
    def tokens(self) -> int:
        return tokens_of(self.text)


def tokens_of(text: str) -> int:
    """An estimate, on the safe side."""
    return int(len(text) / CHARACTERS_PER_TOKEN) + 1


def decision_prompt(
    goal: str,
    history: Sequence[AttemptRecord],
    memory: Mapping[str, Json],
    view: PlanningView,
    *,
    max_tokens: int,
    picture: str = "",
) -> Prompt:
    """The widest request that fits. `picture` says what is known of the screenshot that comes with it."""
    prompt = Prompt("", 0)
    for in_full, part in STEPS_DOWN:
        shown = max(int(len(view.elements) * part), min(len(view.elements), 5))
        sections = [
            f"# Goal\n{goal}",
            _answers(memory),
            "# What has been done\n" + "\n".join(history_lines(history, in_full)),
            "\n".join(warnings(history)),
            _memory(memory),
            _progress(view),
            _tools(view),
            _screen(view, shown),
            picture,
        ]
        prompt = Prompt("\n\n".join(section for section in sections if section), shown)
        if prompt.tokens <= max_tokens:
            return prompt
    return Prompt(prompt.text[: int(max_tokens * CHARACTERS_PER_TOKEN)], prompt.shown)


def check_prompt(goal: str, claim: str, memory: Mapping[str, Json], view: PlanningView, *, picture: str = "") -> Prompt:
    """What the grader is given."""
    sections = [
        f"# Goal\n{goal}",
        f"# The claim\n{quoted(claim, LONGEST_MEMORY)}",
        _answers(memory),
        _memory(memory),
        _screen(view, len(view.elements)),
        picture,
    ]
    return Prompt("\n\n".join(section for section in sections if section), len(view.elements))


def words_of_picture(picture: SentPicture | None) -> str:
    """What the model has to know about the picture: its size, and that @x,y of the table are other pixels."""
    if picture is None:
        return ""
    words = f"# Picture\nThe picture of the screen is {picture.width}×{picture.height} pixels."
    if (picture.width, picture.height) != (picture.source_width, picture.source_height):
        screen = f"{picture.source_width}×{picture.source_height}"
        words += f" The places (@x,y) of the table are in pixels of the screen, which is {screen}."
    return words


def _answers(memory: Mapping[str, Json]) -> str:
    """What the person said, word for word."""
    answers = memory.get(ANSWERS)
    if not isinstance(answers, list) or not answers:
        return ""
    lines = [
        f"- You asked: {answer.get('question')}\n  The person answered: {answer.get('answer')}"
        for answer in answers
        if isinstance(answer, dict)
    ]
    return "# Answers of the person\n" + "\n".join(lines)


def _memory(memory: Mapping[str, Json]) -> str:
    kept = {key: value for key, value in memory.items() if key != ANSWERS}
    return f"# Read so far (data)\n{quoted(json.dumps(kept, ensure_ascii=False), LONGEST_MEMORY)}" if kept else ""


def _progress(view: PlanningView) -> str:
    progress = view.run_progress
    if not progress.max_steps:
        return ""
    words = f"# Steps\n{progress.steps_used} of {progress.max_steps} are used."
    if progress.remaining * 4 <= progress.max_steps:
        return words + " Few are left: finish what matters most, and end with done or fail before they are gone."
    if progress.remaining * 2 <= progress.max_steps:
        return words + " Half of them are gone."
    return words


def _tools(view: PlanningView) -> str:
    if not view.adapter_actions:
        return ""
    lines = []
    for tool in view.adapter_actions[:MOST_TOOLS]:
        changes = " (changes something)" if tool.mutates_state else ""
        line = f"- {tool.adapter}.{tool.action}{changes}: {tool.description} params: "
        whole, short = (line + shape(tool.params_schema, told=told) for told in (True, False))
        lines.append(whole if len(whole) <= LONGEST_TOOL else short[:LONGEST_TOOL])
    hidden = (view.omitted_counts.adapter_actions or 0) + max(len(view.adapter_actions) - MOST_TOOLS, 0)
    if hidden:
        lines.append(f'({hidden} more tools are not shown; a program finds them with (apropos "words").)')
    return "# TOOLS\n" + "\n".join(lines)


def _screen(view: PlanningView, shown: int) -> str:
    """The only part that comes from the screen, in a block of its own."""
    screen = view.screen
    lines = ["# Screen", "<screen>"]
    lines += [f"BLOCKER {one.kind}: {quoted(one.description, LONGEST_FACT)}" for one in view.blockers]
    lines += [f"ANOMALY {one.kind}: {quoted(one.description, LONGEST_FACT)}" for one in view.anomalies]
    lines.append(f"Application in front: {quoted(screen.active_app, LONGEST_LABEL)}")
    if screen.window:
        lines.append(f"Window in front: {quoted(screen.window, LONGEST_LABEL)}")
    if screen.url:
        lines.append(f"Address: {quoted(screen.url, LONGEST_FACT)}")
    lines += [f"{fact.adapter} {fact.kind}: {_data(fact.payload)}" for fact in view.adapter_facts]
    lines += [f"Known: {quoted(item.content, LONGEST_FACT)}" for item in view.knowledge]
    lines += [f"Remembered: {quoted(item.summary, LONGEST_FACT)}" for item in view.memories]
    lines += [f"Event: {quoted(event.summary, LONGEST_FACT)}" for event in view.recent_events]
    lines += ["Elements:", table(view.elements[:shown])]
    missing = view.omitted_counts.elements + len(view.elements) - shown
    if missing:
        lines.append(f"({missing} more elements are not shown.)")
    return "\n".join([*lines, "</screen>"])


def _data(value: Json) -> str:
    return quoted(json.dumps(value, ensure_ascii=False), LONGEST_FACT)
