"""What the commands of this folder say, and how they stop."""

from __future__ import annotations


class Stop(Exception):
    """Something that a person has to do first; its text says what."""


def say(text: str) -> None:
    """A line of progress, at once."""
    print(f"· {text}", flush=True)
