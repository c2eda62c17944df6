"""The arguments of every command. Standard library only, so that help needs neither a display nor a second."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import NoReturn

from console import __version__

from .output import fitting, harmless

PROGRAM = "operator-console"
EXITS = "Exit codes: 0 succeeded, 1 failed, 2 wrong use, 3 refused, 4 stopped, 5 no usable desktop."


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        sentence = f"{self.prog}: {message}. See “{self.prog} --help”."
        self.exit(2, fitting(harmless(sentence), getattr(sys.stderr, "encoding", None) or "ascii") + "\n")


def make_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=PROGRAM,
        description="Watch and steer an agent that works on your desktop.",
        epilog=EXITS,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    parser.add_argument("--goal", metavar="TEXT", help="open the window with this goal")
    parser.add_argument("--theme", choices=("light", "dark", "system"), help="how the window looks")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", parser_class=_Parser)
    for name, text, add in _COMMANDS:
        command = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.", epilog=EXITS)
        add(command)
        command.add_argument("--json", action="store_true", help="print one JSON object a line")
    return parser


def _run(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group()
    what.add_argument("goal", nargs="?", metavar="GOAL", help="what to do")
    what.add_argument("--goal-file", metavar="FILE", help="read the goal from a file, or from stdin with “-”")
    what.add_argument("--resume", metavar="RUN", help="go on with a run that was interrupted")
    parser.add_argument("--planner", metavar="NAME", help="who plans")
    parser.add_argument("--decisions", metavar="FILE", help="JSON list of prepared approvals and answers")
    parser.add_argument("--ask", action="store_true", help="ask on this terminal what the decisions leave open")
    parser.add_argument("--max-steps", type=_count, metavar="N", help="end after this many steps")
    parser.add_argument("--timeout", type=_seconds, metavar="S", help="end after this many seconds")
    parser.add_argument("--max-cost", type=_amount, metavar="USD", help="ask when models have cost this much")
    parser.add_argument("--max-tokens", type=_count, metavar="N", help="ask when models have used this many tokens")
    parser.add_argument(
        "--set", action="append", type=_setting, metavar="NAME=VALUE", help="a setting of the planner, for this run"
    )
    parser.add_argument("--report", metavar="DIR", help="write the report of the run into this folder")


def _observe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--goal", default="", metavar="TEXT", help="rank what is seen by this goal")
    parser.add_argument("--app", metavar="NAME", help="only the windows and elements of this application")
    parser.add_argument("--image", metavar="FILE", help="save the screenshot (.png or .jpg)")


def _act(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="approve everything that may be approved")


def _runs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--search", default="", metavar="WORDS", help="only runs with these words in goal or result")
    parser.add_argument("--limit", type=_count, default=50, metavar="N", help="at most this many (50)")
    parser.add_argument("--delete", metavar="RUN", help="delete this run and its pictures; “last” is the newest")


def _report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", help="the run's name, the beginning of it, or “last”")
    parser.add_argument("--out", metavar="DIR", help="the folder to write (report-RUN)")


def _save(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", help="the run's name, the beginning of it, or “last”")
    parser.add_argument(
        "--as", dest="form", choices=("instructions", "program"), default="instructions", help="(instructions)"
    )
    parser.add_argument("--out", metavar="FILE", help="the file to write, instead of this terminal")


def _trace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", help="the run's name, the beginning of it, or “last”")
    parser.add_argument("--out", metavar="FILE", help="the file to write, instead of this terminal")
    parser.add_argument("--otlp", action="store_true", help="send it to the collector of OTEL_EXPORTER_OTLP_ENDPOINT")


def _ask(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", help="the run's name, the beginning of it, or “last”")
    parser.add_argument("--turn", type=_count, metavar="N", help="which decision (the last one)")
    parser.add_argument("--planner", action="append", metavar="NAME", help="whom to ask; may be given several times")
    parser.add_argument("--set", action="append", type=_setting, metavar="NAME=VALUE", help="a setting of the planner")


def _lisp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the program, or “-” for stdin")
    parser.add_argument("--data", metavar="JSON", help="an object whose fields the program reads as data/name")
    parser.add_argument("--signature", metavar="TYPE", help="the type of its value, such as “() -> {total :int}”")
    parser.add_argument(
        "--timeout", type=_seconds, default=10.0, metavar="S", help="end it after this many seconds (10)"
    )


def _nothing(parser: argparse.ArgumentParser) -> None:
    """This command has no arguments of its own."""


def _count(text: str) -> int:
    number = int(text) if text.strip().isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"“{text}” is not a whole number from 1")
    return number


def _amount(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= 1e6:  # also false for what is no number
        raise argparse.ArgumentTypeError(f"“{text}” is not an amount of money above 0")
    return number


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise argparse.ArgumentTypeError(f"“{text}” is not NAME=VALUE")
    return name.strip(), value


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0.001 <= number <= 1e9:  # also false for what is no number
        raise argparse.ArgumentTypeError(f"“{text}” is not a number of seconds")
    return number


_COMMANDS: tuple[tuple[str, str, Callable[[argparse.ArgumentParser], None]], ...] = (
    ("run", "carry out a goal without a window", _run),
    ("observe", "print what a planner would see now", _observe),
    ("act", "perform the actions on stdin, one JSON object a line", _act),
    ("runs", "list the runs", _runs),
    ("report", "write the report of a run", _report),
    ("save", "print a run as instructions or as a program that can be run again", _save),
    ("trace", "print a run as a trace, one JSON object a line, or send its spans", _trace),
    ("ask", "put a past decision to planners again, and do nothing", _ask),
    ("lisp", "run a PTC-Lisp program by itself, without the desktop", _lisp),
    ("doctor", "say what works here, and how to mend what does not", _nothing),
)
