"""The wiring: the only package that knows which concrete parts a console is made of."""

from __future__ import annotations

from .console import Console


def wiring() -> Console:
    return Console()
