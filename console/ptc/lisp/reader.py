"""From the text of a program to its forms, without recursion and in time that grows with the text alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from .failure import LispFailure
from .limits import INTEGER_DIGITS, SOURCE_DEPTH, Limits
from .values import Keyword

Kind = Literal["list", "vector", "map", "set", "fn"]


class Symbol:
    """A name in the text of a program."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Form:
    """A bracketed form and what is in it."""

    kind: Kind
    items: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Quoted:
    """`'name`."""

    name: str


@dataclass(frozen=True, slots=True)
class VarQuoted:
    """`#'name`."""

    name: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """`#"text"`."""

    text: str


_SYMBOL = r"[A-Za-z0-9+\-*<>=?!_/.%&][A-Za-z0-9+\-*<>=?!_/.%&']*"
_TOKEN = re.compile(
    rf"""
    (?P<space>(?:[\s,]|;[^\n]*)++)
  | (?P<string>"(?:[^"\\]|\\.)*+")
  | (?P<regex>\#"(?:[^"\\]|\\.)*+")
  | (?P<special>\#\#(?:Inf|-Inf|NaN)(?![A-Za-z0-9]))
  | (?P<open>\#\(|\#\{{|[(\[{{])
  | (?P<close>[)\]}}])
  | (?P<var>\#'(?P<var_name>{_SYMBOL}))
  | (?P<quote>'(?P<quote_name>{_SYMBOL}))
  | (?P<char>\\(?:newline|space|tab|return|backspace|formfeed|[^\s])(?![A-Za-z0-9]))
  | (?P<number>-?[0-9]++(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?(?![A-Za-z0-9+\-*<>=?!_/.%&']))
  | (?P<keyword>:[A-Za-z0-9+\-*<>=?!_]++(?![/.%&']))
  | (?P<symbol>(?![0-9]|-[0-9]){_SYMBOL})
    """,
    re.VERBOSE | re.DOTALL,
)
_OPEN: dict[str, tuple[Kind, str]] = {
    "(": ("list", ")"),
    "[": ("vector", "]"),
    "{": ("map", "}"),
    "#{": ("set", "}"),
    "#(": ("fn", ")"),
}
_BRACKET_NAMES = {")": "parentheses", "]": "brackets", "}": "braces"}
_CHARS = {
    "newline": "\n",
    "space": " ",
    "tab": "\t",
    "return": "\r",
    "backspace": "\b",
    "formfeed": "\f",
}
_SPECIAL = {"##Inf": float("inf"), "##-Inf": float("-inf"), "##NaN": float("nan")}
_WORDS = {"nil": None, "true": True, "false": False}
_ESCAPES = {"\\": "\\", '"': '"', "n": "\n", "t": "\t", "r": "\r"}
_HINTS = {
    "@": "deref syntax (@) is not supported",
    "#_": "the discard syntax #_ is not supported",
    "'(": "quoted collections are not supported; use (list ...) or [...]",
    "'[": "quoted collections are not supported; use [...]",
    "'{": "quoted collections are not supported; use {...}",
    "`": "syntax quote is not supported",
    "~": "unquote is not supported",
    "^": "metadata is not supported",
    '"': "a string has no closing quote",
    '#"': "a regular expression has no closing quote",
}


@dataclass(slots=True)
class _Open:
    kind: Kind
    closer: str
    items: list[Any] = field(default_factory=list)


class Reader:
    """Reads one program; `check` is called now and then and may raise when the time is over."""

    def __init__(self, limits: Limits, check: Callable[[], None] | None = None):
        self._limits = limits
        self._check = check
        self._names: dict[str, Symbol | Keyword] = {}

    def read(self, source: str) -> list[Any]:
        """The top-level forms of `source`."""
        top: list[Any] = []
        stack: list[_Open] = []
        position, count = 0, 0
        while position < len(source):
            match = _TOKEN.match(source, position)
            if match is None:
                raise self._unreadable(source, position)
            position = match.end()
            count += 1
            if count % 2048 == 0 and self._check:
                self._check()
            kind = str(match.lastgroup)
            if kind == "space":
                continue
            if kind == "open":
                self._open(stack, match.group())
            elif kind == "close":
                self._close(stack, top, match.group())
            else:
                (stack[-1].items if stack else top).append(self._atom(kind, match))
        if stack:
            raise LispFailure(
                "parse_error", f"unbalanced {_BRACKET_NAMES[stack[-1].closer]}: the program ends too soon"
            )
        return top

    def _open(self, stack: list[_Open], bracket: str) -> None:
        if len(stack) >= SOURCE_DEPTH:
            raise LispFailure("parse_error", f"forms are nested deeper than {SOURCE_DEPTH} levels")
        kind, closer = _OPEN[bracket]
        stack.append(_Open(kind, closer))

    def _close(self, stack: list[_Open], top: list[Any], bracket: str) -> None:
        if not stack:
            return  # a stray closer after a whole form is what models write most
        opened = stack.pop()
        if opened.closer != bracket:
            raise LispFailure(
                "parse_error", f"unbalanced {_BRACKET_NAMES[opened.closer]}: expected {opened.closer}, got {bracket}"
            )
        if opened.kind == "map" and len(opened.items) % 2:
            raise LispFailure("parse_error", "a map literal needs an even number of forms")
        (stack[-1].items if stack else top).append(Form(opened.kind, tuple(opened.items)))

    def _atom(self, kind: str, match: re.Match[str]) -> Any:
        text = match.group()
        if kind == "symbol":
            return _WORDS[text] if text in _WORDS else self._named(text, Symbol(text))
        if kind == "keyword":
            return self._named(text, Keyword(text[1:]))
        if kind == "number":
            return _number(text)
        if kind == "string":
            return _unescape(text[1:-1])
        if kind == "char":
            return text[1:] if len(text) == 2 else _CHARS[text[1:]]
        if kind == "regex":
            return Pattern(text[2:-1].replace('\\"', '"'))
        if kind == "special":
            return _SPECIAL[text]
        return Quoted(match["quote_name"]) if match["quote"] else VarQuoted(match["var_name"])

    def _named(self, text: str, made: Symbol | Keyword) -> Symbol | Keyword:
        known = self._names.get(text)
        if known is not None:
            return known
        if len(self._names) >= self._limits.max_symbols:
            raise LispFailure(
                "symbol_limit_exceeded", f"more than {self._limits.max_symbols} different symbols and keywords"
            )
        self._names[text] = made
        return made

    def _unreadable(self, source: str, position: int) -> LispFailure:
        rest = source[position : position + 2]
        hint = _HINTS.get(rest) or _HINTS.get(rest[:1]) or f"cannot read {source[position : position + 20]!r}"
        line = source.count("\n", 0, position) + 1
        return LispFailure("parse_error", f"{hint} (line {line})")


def _number(text: str) -> int | float:
    if "." in text or "e" in text or "E" in text:
        return float(text)
    if len(text.lstrip("-")) > INTEGER_DIGITS:
        raise LispFailure("parse_error", f"an integer literal has more than {INTEGER_DIGITS} digits")
    return int(text)


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    # An unknown escape keeps its backslash, so that "\d" may be written for a regular expression.
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[0]), text, flags=re.DOTALL)
