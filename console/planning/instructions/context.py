"""What the planning of one instruction works with: the view, the values, the answers, and the finding of things."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from console.contracts.actions import ActionBatch, AnyAction, Hover, Key, KeyCombo, Scroll, Wait
from console.contracts.base import Json
from console.contracts.moves import BatchStep
from console.contracts.view import PlanningElement

from .matching import Match, Suits, anything, described, match
from .models import Thing
from .outcomes import Act, Finished, GiveUp, Halt, Lacking, Outcome, Query
from .plan import Entry, Tried, mark
from .questions import could_be, dialog_in_the_way, no_such, nothing_changed, which
from .settings import InstructionSettings
from .sight import Sight
from .templates import NoValue, fill

Way = Callable[[], Sequence[tuple[str, AnyAction]]]
MOST_FAILURES = 4
_NO_EFFECT = ("timed_out", "contradicted")
# Copying, a key that an app ignores now, the pointer at rest: these may do their work and show nothing of it.
_MAY_SHOW_NOTHING = (ActionBatch, Hover, Key, KeyCombo, Scroll, Wait)
_NOTHING_SENT = "Nothing was sent"


@dataclass
class Context:
    """One instruction at one moment."""

    entry: Entry
    sight: Sight
    values: Mapping[str, Json]
    names: Sequence[str]
    settings: InstructionSettings
    next_words: str = ""
    checked_next: bool = False
    asked: Sequence[str] = ()

    @property
    def words(self) -> str:
        return self.entry.instruction.words()

    def fill(self, text: str) -> str:
        try:
            return fill(text, self.values, self.names)
        except NoValue as missing:
            reason = (
                f"Instruction {self.entry.key} ({self.words}) needs the value “{missing.name}”, and it was not read."
            )
            raise Halt(GiveUp(reason)) from missing

    def filled(self, thing: Thing) -> Thing:
        """With values in place of their names; what is read on the screen stays a mere label."""
        update = {key: self.fill(getattr(thing, key)) for key in ("label", "window", "anchor", "literal")}
        return thing.model_copy(update=update)

    def look(self, thing: Thing, suits: Suits = anything, *, must: bool = False) -> Match:
        """All that the thing may mean, after what the operator has said about it."""
        thing = self.filled(thing)
        for answer in reversed(self.entry.answers):
            if answer.picked and f": {no_such(thing.words())}" in answer.question:
                return match(Thing(label=answer.picked, window=thing.window), self.sight, suits, must=must)
        found = match(thing, self.sight, suits, must=must)
        picked = next(
            (
                a.picked
                for a in reversed(self.entry.answers)
                if a.picked and f": {could_be(thing.words())}" in a.question
            ),
            None,
        )
        if picked is None:
            return found
        names = described(found.found, self.sight)
        chosen = tuple(e for e, name in zip(found.found, names, strict=True) if name == picked)
        return Match(found=chosen, near=tuple(dict.fromkeys(names)))

    def one(self, thing: Thing, suits: Suits = anything, *, must: bool = False) -> PlanningElement:
        """The one element that is meant. Otherwise the planning of the instruction ends here with what it lacks."""
        found = self.look(thing, suits, must=must)
        words = self.filled(thing).words()
        if len(found.found) > 1:
            candidates = described(found.found, self.sight)
            raise Halt(Query(which(self.entry.key, self.words, words, candidates)))
        only = found.only
        if only is None:
            alike = tuple(element.label for element in found.alike if element.label)
            raise Halt(Lacking(words, near=found.near, alike=alike))
        self._not_blocked(only)
        return only

    def _not_blocked(self, element: PlanningElement) -> None:
        """A dialog that holds the rest of its app still is the operator's to answer, unless the thing is in it."""
        modal = self.sight.modal
        if modal is None or element.window is None or element.window == modal:
            return
        if not self.sight.same_app(element.window, modal):
            return
        raise Halt(self.ask_about_dialog(modal))

    def ask_about_dialog(self, title: str) -> Outcome:
        buttons = tuple(
            dict.fromkeys(
                e.label
                for e in self.sight.of_window(title)
                if e.label and e.element_type == "button" and e.state.enabled
            )
        )
        return Query(dialog_in_the_way(self.entry.key, self.words, title, buttons))

    def step(self, action: AnyAction, what: str = "", words: str = "") -> BatchStep:
        return BatchStep(purpose=mark(self.entry.key, words or self.words, what), action=action)

    def act(self, *ways: Way, quiet: bool = False, again_is_safe: bool = True) -> Outcome:
        """Take the first way that has not failed yet. All steps but the last of a way are parts of the instruction."""
        over = self.settled(again_is_safe=again_is_safe)
        if over is not None:
            return over
        number = self.entry.switches
        if number >= len(ways):
            return self.failed()
        steps = list(ways[number]())
        made = [self.step(action, f".{place}", words) for place, (words, action) in enumerate(steps[:-1], 1)]
        return Act((*made, self.step(steps[-1][1])), quiet=quiet and len(steps) == 1)

    def settled(self, *, again_is_safe: bool = True) -> Outcome | None:
        """Finished, failed for good, or in doubt; None if there is still something to do."""
        entry = self.entry
        final = entry.final
        if final is not None and (final.record.succeeded or final.delivered):
            return self._by_effect()
        last = entry.failures[-1] if entry.failures else None
        if last is not None and not again_is_safe and _may_have_arrived(last):
            return self.failed()
        return self.failed() if len(entry.failures) >= MOST_FAILURES else None

    def _by_effect(self) -> Outcome:
        """Success needs evidence: where nothing was seen to change and nothing checks it, the operator says."""
        final = self.entry.final
        effect = final.record.effect if final else None
        if effect is None or effect.status not in _NO_EFFECT or self.checked_next or self.entry.fine:
            return Finished()
        if final is not None and isinstance(final.record.action, _MAY_SHOW_NOTHING):
            return Finished()
        return Query(nothing_changed(self.entry.key, self.words, effect.detail or ""))

    def failed(self) -> GiveUp:
        last = self.entry.failures[-1] if self.entry.failures else None
        why = (last.record.error if last else "") or "it could not be done"
        return GiveUp(f"Instruction {self.entry.key} ({self.words}) failed: {why}")


def _may_have_arrived(tried: Tried) -> bool:
    """Whether input may have been sent before it failed."""
    effect = tried.record.effect
    return effect is not None and not (effect.detail or "").startswith(_NOTHING_SENT)
