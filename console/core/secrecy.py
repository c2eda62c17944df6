"""Keeps what is typed into a password field out of every record."""

from __future__ import annotations

from console.contracts.actions import AnyAction, SetValue, TypeText

MASK = "••••••"


def masked(action: AnyAction, *, protected: bool) -> AnyAction:
    """The action as it may be written down: without the text that goes into a protected field."""
    if not protected:
        return action
    if isinstance(action, TypeText):
        return action.model_copy(update={"text": MASK})
    if isinstance(action, SetValue):
        return action.model_copy(update={"value": MASK})
    return action
