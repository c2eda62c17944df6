"""What reaches out of the evaluation: printing, ending early, and notes of progress."""

from __future__ import annotations

from typing import Any, NoReturn

from ..convert import outward
from ..failure import Halt, LispFailure, type_failure
from ..functions import Shelf
from ..idents import ident, note
from ..render import shown
from ..runtime import Runtime
from ..values import LispSet, type_name

EFFECTS = Shelf("effects")


@EFFECTS("println", "& values", "Prints the values in one line; gives nil.")
def _println(rt: Runtime, *values: Any) -> Any:
    limits = rt.meter.limits
    if len(rt.record.prints) >= limits.max_prints:
        raise LispFailure("memory_exceeded", f"more than {limits.max_prints} lines were printed", op="println")
    line = " ".join([shown(rt, value) for value in values])
    most = limits.max_print_length
    if len(line) > most:
        line = f"{line[:most]}... ({most}/{len(line)} chars)"
    rt.record.prints.append(rt.text(line))


@EFFECTS("return", "value", "Ends the program with the value.")
def _return(rt: Runtime, value: Any) -> NoReturn:
    raise Halt("return", outward(rt, value))


@EFFECTS("fail", "value", "Ends the program; the value says why it failed.")
def _fail(rt: Runtime, value: Any) -> NoReturn:
    raise Halt("fail", outward(rt, value))


@EFFECTS("step-done", "id text", "Notes that a step of the plan is done; gives the text.")
def _step_done(rt: Runtime, name: Any, text: Any) -> Any:
    key = ident(rt, name, "step-done")
    if text is None or isinstance(text, tuple | dict | LispSet):
        type_failure(f"step-done: text must be a string, got {type_name(text)}", "step-done")
    rt.record.summaries[key] = note(rt, text)
    return rt.record.summaries[key]


@EFFECTS("task-reset", "id", "Forgets a task, so that it is done again; gives nil.")
def _task_reset(rt: Runtime, name: Any) -> Any:
    key = ident(rt, name, "task-reset")
    if rt.journal is not None:
        rt.journal.pop(key, None)
