"""Finding the one program in what a model wrote."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TAGGED = re.compile(r"```(?:clojure|clj|lisp|ptc-lisp)[ \t]*\r?\n(.*?)```", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"```[\w.+-]*[ \t]*\r?\n(.*?)```", re.DOTALL)
_ELEMENT = re.compile(r"<clojure>(.*?)</clojure>", re.DOTALL | re.IGNORECASE)
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff"))
_QUOTES = {0x201C: '"', 0x201D: '"', 0x2018: "'", 0x2019: "'"}
_OPENERS = {"(": ")", "[": "]", "{": "}"}
_CLOSERS = frozenset(")]}")
_SPACE = frozenset(" \t\r\n,")


@dataclass(frozen=True, slots=True)
class Program:
    """The program and how it goes into the conversation."""

    source: str

    @property
    def block(self) -> str:
        return f"```clojure\n{self.source}\n```"


@dataclass(frozen=True, slots=True)
class NoProgram:
    """Why there is no program to run."""

    message: str


def extract(text: str) -> Program | NoProgram:
    """The program of an answer: one tagged block, or one block that is code, or an element, or the bare text."""
    tagged = _TAGGED.findall(text)
    if len(tagged) > 1:
        return NoProgram(f"found {len(tagged)} code blocks; answer with exactly one ```clojure block")
    if tagged:
        return _program(tagged[0])
    fenced = [block for block in _FENCED.findall(text) if block.lstrip().startswith("(")]
    if len(fenced) == 1:
        return _program(fenced[0])
    elements = _ELEMENT.findall(text)
    if len(elements) == 1:
        return _program(elements[0])
    if text.strip().startswith("("):
        return _program(text)
    return NoProgram("found no PTC-Lisp program; answer with exactly one ```clojure block")


def _program(text: str) -> Program | NoProgram:
    source = clean(text).strip()
    return Program(source) if source else NoProgram("the code block is empty")


def clean(text: str) -> str:
    """The text without what editors and habits put into programs: invisible letters, curly quotes, `#_form`."""
    return _without_discards(text.translate(_INVISIBLE).translate(_QUOTES))


def _without_discards(text: str) -> str:
    if "#_" not in text:
        return text
    kept: list[str] = []
    at = 0
    while at < len(text):
        if text[at] in '";\\':
            end = _skip_atom(text, at)
            kept.append(text[at:end])
            at = end
        elif text.startswith("#_", at):
            at = _skip_form(text, at + 2)
        else:
            kept.append(text[at])
            at += 1
    return "".join(kept)


def _skip_atom(text: str, at: int) -> int:
    """The end of the string, the comment, the character or the word that begins here."""
    if text[at] == '"':
        end = at + 1
        while end < len(text) and text[end] != '"':
            end += 2 if text[end] == "\\" else 1
        return end + 1
    if text[at] == ";":
        end = text.find("\n", at)
        return len(text) if end < 0 else end
    if text[at] == "\\":
        at += 1  # the letter after it may be any, also a bracket
    end = at + 1
    while end < len(text) and text[end] not in _SPACE and text[end] not in '()[]{}";':
        end += 1
    return end


def _skip_form(text: str, at: int) -> int:
    """The end of the form that begins at or after `at`; a further `#_` before it takes one more form."""
    pending = 1
    depth = 0
    while at < len(text):
        char = text[at]
        if char in _SPACE or (char in "#'" and text[at + 1 : at + 2] in _OPENERS):
            at += 1
            continue
        if char == ";":
            at = _skip_atom(text, at)
            continue
        if text.startswith("#_", at) and not depth:
            pending += 1
            at += 2
            continue
        if char in _CLOSERS and not depth:
            return at
        depth += 1 if char in _OPENERS else -1 if char in _CLOSERS else 0
        at = at + 1 if char in _OPENERS or char in _CLOSERS else _skip_atom(text, at)
        if not depth:
            pending -= 1
            if not pending:
                return at
    return at
