"""Reads the arguments, runs the command, and turns every end into one sentence and an exit code."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from console.contracts.errors import ConsoleError, DesktopUnavailable

from .exits import Exit, WrongUse
from .output import Output
from .parser import PROGRAM, make_parser

if TYPE_CHECKING:
    from .wiring import Wiring

Command = Callable[[Namespace, "Wiring", Output], Coroutine[Any, Any, int]]


def main(argv: Sequence[str], wiring: Callable[[], Wiring], output: Output | None = None) -> int:
    """The exit code. `wiring` is called only when a command needs it."""
    output = output or Output()
    try:
        args = make_parser().parse_args(argv)
    except SystemExit as end:  # argparse ends that way after --help and after wrong use
        return int(end.code or 0)
    try:
        return _carry_out(args, wiring, output)
    except WrongUse as error:
        output.problem(f"{PROGRAM}: {error}")
        return Exit.WRONG_USE
    except DesktopUnavailable as error:
        output.problem(f"{PROGRAM}: {error.sentence()}")
        return Exit.NO_DESKTOP
    except ConsoleError as error:
        output.problem(f"{PROGRAM}: {error.sentence()}")
        return Exit.FAILED
    except KeyboardInterrupt:
        return Exit.STOPPED
    except BrokenPipeError:
        output.mute()
        return Exit.SUCCEEDED


def _carry_out(args: Namespace, wiring: Callable[[], Wiring], output: Output) -> int:
    if args.command is None:
        return wiring().run_app(args.goal, args.theme)
    import asyncio  # costs more than all the help

    return asyncio.run(_command(args.command)(args, wiring(), output))


def _command(name: str) -> Command:
    """Imported by name because each brings what it needs with it."""
    match name:
        case "run":
            from .run import run as command
        case "observe":
            from .observe import observe as command
        case "act":
            from .act import act as command
        case "runs":
            from .runs import runs as command
        case "lisp":
            from .lisp import lisp as command
        case "ask":
            from .ask import ask as command
        case "save":
            from .save import save as command
        case "trace":
            from .trace import trace as command
        case "report":
            from .report import report as command
        case _:
            from .doctor import doctor as command
    return command
