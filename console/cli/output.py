"""The only place that prints: results on stdout, problems on stderr, in words that the terminal can show."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from typing import Any, TextIO

_PLAIN = str.maketrans({
    "✓": "+", "✕": "x", "·": "-", "→": ">", "“": '"', "”": '"', "‘": "'", "’": "'", "…": "...", "—": "-", "–": "-",
    "•": "*", "×": "x",
})  # fmt: skip
_TURNING = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def harmless(text: str) -> str:
    """Text of the screen on one line: nothing in it can steer the terminal or turn the line around."""
    kept = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text if c not in _TURNING)
    return " ".join(kept.split())


def one_line(text: str) -> str:
    """Text of several lines on one, with the ends of its lines still to be seen."""
    return " / ".join(filter(None, (harmless(line) for line in text.splitlines())))


class Output:
    """Writes whole lines and flushes each, so that a reader of the pipe sees them as they happen."""

    def __init__(self, stdout: TextIO | None = None, stderr: TextIO | None = None) -> None:
        self._stdout = stdout or sys.stdout
        self._stderr = stderr or sys.stderr

    def line(self, text: str = "") -> None:
        """Raises `BrokenPipeError` if nobody reads any more."""
        _write(self._stdout, text)

    def json(self, value: Any) -> None:
        """One JSON value on a line of its own, in ASCII wherever the terminal is not sure to take more."""
        utf8 = (self._stdout.encoding or "").casefold().replace("-", "") == "utf8"
        self.line(json.dumps(value, ensure_ascii=not utf8, separators=(",", ":")))

    def problem(self, sentence: str) -> None:
        """One sentence with what to do. That stderr is closed is no reason to fail."""
        try:
            _write(self._stderr, harmless(sentence))
        except (BrokenPipeError, ValueError):
            return

    def mute(self) -> None:
        """Nobody reads stdout: what the interpreter flushes at its end must not fail either."""
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stdout.fileno())
            os.close(nowhere)
        except (OSError, ValueError):
            return


def _write(stream: TextIO, text: str) -> None:
    stream.write(fitting(text, stream.encoding or "utf-8") + "\n")
    stream.flush()


def fitting(text: str, encoding: str) -> str:
    """The text as far as the encoding can express it, with plain signs for the rest."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_PLAIN).encode(encoding, "replace").decode(encoding)
    except LookupError:
        return text.translate(_PLAIN).encode("ascii", "replace").decode("ascii")
    return text
