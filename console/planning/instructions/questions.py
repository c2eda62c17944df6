"""The questions to the operator, and what an answer to one of them means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from rapidfuzz import fuzz
from rapidfuzz.utils import default_process

from console.contracts.action import quoted
from console.contracts.moves import Clarify

from .names import has_words, plain

AGAIN, SKIP, STOP, GO_ON, FINE = "Try again", "Skip this instruction", "Give up", "Go on", "It is fine, go on"
_KEY = re.compile(r"Instruction (?P<key>\d+[a-z]*)\b")
_NOT_UNDERSTOOD = "I do not understand"
_WAS_DONE, _SHALL_I = "it was done, but:", "shall I go on?"
_IN_THE_WAY = "is open and in the way"
_BULLET = "• "
_SURE, _APART = 90, 2
_WORDS: dict[str, frozenset[str]] = {
    SKIP: frozenset({"skip", "skip it", "skip this", "skip this instruction", "ignore it", "leave it out"}),
    AGAIN: frozenset({"try again", "again", "retry", "wait", "wait longer", "look again"}),
    STOP: frozenset({"stop", "give up", "cancel", "abort", "no", "end the run", "end", "quit", "stop it"}),
    GO_ON: frozenset({"go on", "yes", "y", "ok", "okay", "continue", "proceed", "go ahead", "sure"}),
    FINE: frozenset({"it is fine, go on", "it is fine", "fine", "go on", "ok", "okay", "yes", "continue", "done"}),
}  # fmt: skip
_PLACES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}


class Means(Enum):
    """What came of an answer."""

    PICK = "pick"
    SKIP = "skip"
    AGAIN = "again"
    STOP = "stop"
    GO_ON = "go_on"
    WORDS = "words"


@dataclass(frozen=True)
class Answer:
    """An answered question. `index` is its place in the history."""

    index: int
    question: str
    text: str

    @property
    def key(self) -> str | None:
        hit = _KEY.match(self.question)
        return hit["key"] if hit else None

    @property
    def about_wording(self) -> bool:
        return _NOT_UNDERSTOOD in self.question

    @property
    def about_dialog(self) -> bool:
        """It was about a dialog in the way, so what was done for the instruction still counts."""
        return _IN_THE_WAY in self.question

    @property
    def about_going_on(self) -> bool:
        """It could be answered by “go on”."""
        return _WAS_DONE in self.question or _SHALL_I in self.question

    @property
    def offered(self) -> tuple[str, ...]:
        lines = self.question.split("\n")
        return tuple(line.removeprefix(_BULLET) for line in lines if line.startswith(_BULLET))

    @property
    def picked(self) -> str | None:
        """The offered candidate that the answer names: in full, by number, or by words that only it has."""
        text = plain(self.text)
        offered = [option for option in self.offered if option not in _WORDS]
        for option in offered:
            if plain(option) == text:
                return option
        place = _place(text)
        if place is not None and offered and -1 <= place < len(offered):
            return offered[place]
        hits = [option for option in offered if has_words(plain(option), text)]
        if not hits and len(text) > 3:
            hits = _most_like(self.text, offered)
        return hits[0] if len(hits) == 1 else None

    def means(self) -> Means:
        if self.picked is not None:
            return Means.PICK
        text = " ".join(self.text.casefold().split()).rstrip(".!")
        for word, means in (
            (SKIP, Means.SKIP),
            (AGAIN, Means.AGAIN),
            (STOP, Means.STOP),
            (GO_ON, Means.GO_ON),
            (FINE, Means.GO_ON),
        ):
            if text in _WORDS[word] or text == word.casefold():
                return means
        return Means.WORDS


def _most_like(text: str, offered: list[str]) -> list[str]:
    """The one that the words are by far the most like, if there is one."""
    scores = {option: fuzz.token_set_ratio(default_process(text), default_process(option)) for option in offered}
    best = max(scores.values(), default=0)
    return [option for option, score in scores.items() if best >= _SURE and score > best - _APART]


def _place(text: str) -> int | None:
    hit = re.fullmatch(r"(?:the |number |no\.? |#)?(\d{1,2})(?:st|nd|rd|th)?(?: one)?", text)
    if hit:
        return int(hit[1]) - 1 if int(hit[1]) > 0 else None
    hit = re.fullmatch(r"(?:the )?(\w+)(?: one)?", text)
    return _PLACES.get(hit[1]) if hit else None


def _ask(head: str, options: tuple[str, ...], listed: tuple[str, ...] = ()) -> Clarify:
    lines = [head, *(f"{_BULLET}{option}" for option in listed)]
    return Clarify(question="\n".join(lines), candidates=(*listed, *options))


def _head(key: str, words: str) -> str:
    return f"Instruction {key} ({words})"


def not_understood(key: str, source: str, nearest: str) -> Clarify:
    near = f" The nearest form that I know is: {nearest}." if nearest else ""
    return _ask(f"Instruction {key}: {_NOT_UNDERSTOOD} {quoted(source, 200)}.{near} How shall I read it?", (SKIP, STOP))


def could_be(words: str) -> str:
    return f"{words} could be any of these. Which one?"


def no_such(words: str) -> str:
    return f"there is no {words} on the screen. Did you mean one of these?"


def which(key: str, instruction: str, words: str, candidates: tuple[str, ...]) -> Clarify:
    return _ask(f"{_head(key, instruction)}: {could_be(words)}", (SKIP,), candidates)


def missing(key: str, instruction: str, words: str, near: tuple[str, ...]) -> Clarify:
    return _ask(f"{_head(key, instruction)}: {no_such(words)}", (AGAIN, SKIP, STOP), near)


def dialog_open(title: str) -> str:
    return f"the dialog {quoted(title)} {_IN_THE_WAY}. What shall I press in it?"


def dialog_in_the_way(key: str, instruction: str, title: str, buttons: tuple[str, ...]) -> Clarify:
    return _ask(f"{_head(key, instruction)}: {dialog_open(title)}", (AGAIN, STOP), buttons)


def nothing_changed(key: str, instruction: str, detail: str) -> Clarify:
    seen = detail or "Nothing changed on the screen."
    return _ask(
        f"{_head(key, instruction)}: {_WAS_DONE} {seen} What now?",
        (FINE, AGAIN, STOP),
    )


def shall_i_go_on(key: str, next_words: str) -> Clarify:
    then = f" Next: {next_words}." if next_words else ""
    return _ask(f"Instruction {key}: {_SHALL_I}{then}", (GO_ON, STOP))


def told_apart(clarify: Clarify, asked: tuple[str, ...]) -> Clarify | None:
    """The question with words that set it off from those that were asked before; None after three of them."""
    times = sum(1 for question in asked if question.split("\n")[0].startswith(clarify.question.split("\n")[0]))
    if times == 0:
        return clarify
    if times > 2:
        return None
    head, *rest = clarify.question.split("\n")
    suffix = "(The last answer did not settle it.)" if times == 1 else "(The last two answers did not settle it.)"
    return clarify.model_copy(update={"question": "\n".join([f"{head} {suffix}", *rest])})
