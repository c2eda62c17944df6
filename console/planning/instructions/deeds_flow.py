"""Plans waiting, checking, asking, conditions and the naming of the result."""

from __future__ import annotations

from console.contracts.actions import Wait
from console.contracts.moves import Clarify

from .checking import Seen, check
from .context import Context
from .models import Ask, AskToGoOn, Condition, Expect, Pause, Remember, Return, WaitUntil
from .outcomes import Finished, Lacking, Outcome, Query
from .questions import shall_i_go_on


def pause(instruction: Pause, context: Context) -> Outcome:
    return context.settled() or context.act(lambda: [("", Wait(ms=instruction.ms))])


def filled(condition: Condition, context: Context) -> Condition:
    """With values in place of their names."""
    thing = context.filled(condition.thing)
    return condition.model_copy(update={"thing": thing, "text": context.fill(condition.text)})


def seen(condition: Condition, context: Context) -> Seen:
    return check(filled(condition, context), context.sight, context.values)


def wait_until(instruction: WaitUntil, context: Context) -> Outcome:
    now = seen(instruction.condition, context)
    if now.holds:
        return Finished()
    words = filled(instruction.condition, context).words()
    return Lacking(words, near=now.near, limit_ms=instruction.limit_ms, ask=False, otherwise=now.instead)


def expect(instruction: Expect, context: Context) -> Outcome:
    """What is expected may take a moment to come; what does not come fails the run."""
    now = seen(instruction.condition, context)
    if now.holds:
        return Finished()
    words = filled(instruction.condition, context).words()
    return Lacking(words, near=now.near, ask=False, otherwise=now.instead)


def ask(instruction: Ask, context: Context) -> Outcome:
    if context.entry.answers:
        return Finished()
    return Query(Clarify(question=question_of(instruction, context)))


def question_of(instruction: Ask, context: Context) -> str:
    """The question as it stands; one with values, or put before, is marked, so that its answer finds back."""
    question = context.fill(instruction.question)
    plain = question == instruction.question and question not in context.asked
    return question if plain else f"Instruction {context.entry.key}: {question}"


def ask_to_go_on(instruction: AskToGoOn, context: Context) -> Outcome:
    return Finished() if context.entry.fine else Query(shall_i_go_on(context.entry.key, context.next_words))


def nothing(instruction: Remember | Return, context: Context) -> Outcome:
    """Values and results are worked out from the plan; there is nothing to do on the screen."""
    return Finished()
