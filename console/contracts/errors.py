"""Errors that a person can act on; everything else is a bug."""

from __future__ import annotations


class ConsoleError(Exception):
    """A failure with a sentence for the operator and a hint that says what to do about it."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def sentence(self) -> str:
        """The message and, where there is one, what to do."""
        return f"{self.message} {self.hint}".strip()


class CaptureError(ConsoleError):
    """The screen could not be read, whatever the back-end called it."""


class InputError(ConsoleError):
    """Input was not delivered as asked."""


class TargetError(ConsoleError):
    """The target of an action is not there any more, or cannot be acted on."""


class PermitVoid(ConsoleError):
    """The permit does not cover what is about to happen: the operator has to be asked again."""


class PlannerError(ConsoleError):
    """The planner gave no usable move."""


class StorageError(ConsoleError):
    """The journal could not be written or read."""


class DesktopUnavailable(ConsoleError):
    """There is no desktop that can be seen and driven."""
