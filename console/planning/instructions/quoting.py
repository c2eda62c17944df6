"""Takes the quoted parts out of a goal, so that nothing in them is read as wording."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

HOLE = r"\x00\d+\x00"
_HOLE = re.compile(r"\x00(\d+)\x00")
_ONE_HOLE = re.compile(HOLE)
# <<TAG … TAG, or << … >>; what follows the tag on its line still belongs to the instruction.
_BLOCK = re.compile(
    r"<<[ \t]*(?P<tag>[A-Z][A-Z0-9_]*)?(?P<rest>[^\n]*)\n(?P<body>(?:.*\n)*?)[ \t]*(?(tag)(?P=tag)|>>)[ \t]*(?=\n|$)"
)
_TRIPLE = re.compile(r'"""(?P<body>.*?)"""', re.DOTALL)
_QUOTES = re.compile(
    r'"(?P<double>(?:\\.|[^"\\\n])*)"'
    r"|[“„](?P<curly>[^”“\n]*)[”“]"
    r"|«(?P<guillemets>[^»\n]*)»"
    r"|‘(?P<single_curly>[^’\n]*)’(?!\w)"
    r"|(?<!\w)'(?P<single>(?:[^'\n]|(?<=\w)'(?=\w))*)'(?!\w)"
    r"|`(?P<tick>[^`\n]*)`"
)
_EXACT = frozenset({"single", "single_curly", "tick"})
_ESCAPE = re.compile(r'\\([nt"\\])')
_DRIVE = re.compile(r"[A-Za-z]:\\|\\\\\w")
_ESCAPED = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


class Unreadable(Exception):
    """A phrase that mixes quoted and other words: taken for a name or a text it would be a guess."""


@dataclass(frozen=True)
class Quote:
    """One quoted part: its words, how it stood in the goal, and whether a backslash in it is just a backslash."""

    words: str
    source: str
    exact: bool = False

    def text(self) -> str:
        """As text to be typed: \\n, \\t, \\" and \\\\ mean what they usually do, except in exact quotes."""
        if self.exact or _DRIVE.match(self.words):
            return self.words
        return _ESCAPE.sub(lambda hit: _ESCAPED[hit[1]], self.words)


@dataclass
class Reader:
    """A goal with holes where its quotes were, and the quotes to fill them."""

    masked: str = ""
    quotes: list[Quote] = field(default_factory=list)

    @classmethod
    def of(cls, goal: str) -> Reader:
        reader = cls()
        text = goal.replace("\x00", "�").replace("\r\n", "\n").replace("\r", "\n")
        text = _BLOCK.sub(reader._block, text)
        text = _TRIPLE.sub(reader._triple, text)
        reader.masked = _QUOTES.sub(reader._quote, text)
        return reader

    def label(self, phrase: str) -> str:
        """The words of a phrase as the name of a thing."""
        quote = self._whole(phrase)
        if quote is None:
            return self._bare(phrase)
        return quote.words if quote.exact else quote.words.replace('\\"', '"')

    def text(self, phrase: str) -> str:
        """The words of a phrase as text to be typed."""
        quote = self._whole(phrase)
        return self._bare(phrase) if quote is None else quote.text()

    def _bare(self, phrase: str) -> str:
        if _HOLE.search(phrase):
            raise Unreadable(self.source(phrase))
        return phrase.strip()

    def source(self, phrase: str) -> str:
        """The phrase as it stood in the goal."""
        # A block may hold holes of its own: none is nested deeper than its own number.
        for _ in range(3):
            phrase = _HOLE.sub(lambda hit: self.quotes[int(hit[1])].source, phrase)
        return phrase

    def quoted(self, phrase: str) -> bool:
        return self._whole(phrase) is not None

    def _whole(self, phrase: str) -> Quote | None:
        phrase = phrase.strip()
        return self.quotes[int(phrase[1:-1])] if _ONE_HOLE.fullmatch(phrase) else None

    def _hole(self, quote: Quote) -> str:
        self.quotes.append(quote)
        return f"\x00{len(self.quotes) - 1}\x00"

    def _block(self, hit: re.Match[str]) -> str:
        body = hit["body"].removesuffix("\n")
        return self._hole(Quote(body, f"“{body}”", exact=True)) + " " + hit["rest"]

    def _triple(self, hit: re.Match[str]) -> str:
        body = self.source(hit["body"]).removeprefix("\n").removesuffix("\n")
        return self._hole(Quote(body, f"“{body}”", exact=True))

    def _quote(self, hit: re.Match[str]) -> str:
        kind = hit.lastgroup or "double"
        return self._hole(Quote(self.source(hit[kind]), self.source(hit[0]), exact=kind in _EXACT))
