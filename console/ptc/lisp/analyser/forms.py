"""All special forms by name."""

from __future__ import annotations

from collections.abc import Mapping

from . import closures, control, hostforms, loops, pipes
from .core import Handler


def special_forms() -> Mapping[str, Handler]:
    """The table that the analyser reads."""
    return {**control.FORMS, **closures.FORMS, **loops.FORMS, **pipes.FORMS, **hostforms.FORMS}
