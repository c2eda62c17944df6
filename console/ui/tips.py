"""Tips with words from anywhere: Qt takes what looks like markup for markup, so it is told what is not."""

from __future__ import annotations

from html import escape


def plain_tip(*lines: str) -> str:
    """The lines that are not empty, shown letter by letter."""
    words = "<br>".join(escape(line).replace("\n", "<br>") for line in lines if line)
    return f"<qt>{words}</qt>" if words else ""
