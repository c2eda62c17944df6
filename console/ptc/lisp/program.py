"""Running a program: from its text to its Step, in a thread of its own and within its limits.

The evaluator is a tree of Python closures that runs in a worker thread, because a program may take as long as it is
allowed to and a window must not wait for it. A tool that is awaited runs on the loop of the host; the program's thread
waits for it there. Cancelling sets a flag that the evaluator sees with its next slice of steps.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..signature import Signature, SignatureError
from ..signature import parse as parse_signature
from .analyser.core import Analyser
from .analyser.forms import special_forms
from .analyser.namespaces import SUBJECTS
from .analyser.scope import FIRST_SLOT, FnContext, Node
from .convert import ToolFunction, internal, outward, rounded
from .failure import Halt, LispFailure, with_class
from .host import Discovery, Host, Tool
from .library.catalogue import LIBRARY
from .limits import Limits
from .meter import Meter
from .reader import Reader
from .runtime import Record, Runtime
from .step import Failure, LispStep, Usage
from .values import Keyword

_NAMESPACES = {name: subjects for name, (_, subjects) in SUBJECTS.items()}
_POLL = 0.05


@dataclass(frozen=True, slots=True)
class Setting:
    """What a program runs with."""

    context: Mapping[Any, Any] = field(default_factory=dict)
    memory: Mapping[Any, Any] = field(default_factory=dict)
    tools: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    signature: str | None = None
    journal: Mapping[str, Any] | None = None
    tool_cache: Mapping[str, Any] = field(default_factory=dict)
    turn_history: Sequence[Any] = ()
    budget: Mapping[Any, Any] = field(default_factory=dict)
    discovery: Discovery | None = None
    on_task: Callable[[Mapping[str, Any]], None] | None = None
    float_precision: int | None = None
    strict_data: bool = False


@dataclass(frozen=True, slots=True)
class Analysed:
    """A program that is ready to run."""

    node: Node
    context: FnContext
    data_names: frozenset[str]


def analyse(source: str, limits: Limits, *, defined: Sequence[str] = (), tools: Sequence[str] = ()) -> Analysed:
    """Reads and analyses `source`; LispFailure says what is wrong with it."""
    if len(source.encode("utf-8", "replace")) > limits.max_program_bytes:
        raise LispFailure("program_too_large", f"the program has more than {limits.max_program_bytes} bytes")
    deadline = time.monotonic() + limits.compile_timeout / 1000

    def check() -> None:
        if time.monotonic() > deadline:
            raise LispFailure("compile_timeout", f"reading the program took longer than {limits.compile_timeout} ms")

    forms = Reader(limits, check).read(source)
    analyser = Analyser(special_forms(), LIBRARY, set(defined), frozenset(tools), check)
    node, context = analyser.program(forms)
    return Analysed(node, context, frozenset(analyser.data_names))


class Run:
    """One run of one program."""

    def __init__(self, source: str, setting: Setting, loop: asyncio.AbstractEventLoop | None = None):
        self._source = source
        self._setting = setting
        self._started = time.monotonic()
        self._rt: Runtime | None = None
        self._host = Host(
            loop=loop, library=LIBRARY, namespaces=_NAMESPACES, discovery=setting.discovery, on_task=setting.on_task
        )
        self._cancelled = False
        self.done = threading.Event()
        self.step: LispStep | None = None

    def start(self, when_done: Callable[[], None] = lambda: None) -> None:
        """Begins; `when_done` is called in the thread of the program."""

        def main() -> None:
            step = self._whole()
            if self.step is None:
                self.step = step
            self.done.set()
            when_done()

        try:
            threading.Thread(target=main, name="lisp-program", daemon=True).start()
        except RuntimeError as error:
            self.step = self._failed(LispFailure("execution_error", f"no thread for the program: {error}"))
            self.done.set()
            when_done()

    def cancel(self) -> None:
        """Nobody waits any more: the program ends with its next slice of steps, and its tools are cancelled."""
        self._cancelled = True
        if self._rt is not None:
            self._rt.meter.cancelled.set()
        self._host.cancel_pending()

    def overdue(self) -> bool:
        """Whether the program is held by something that does not look at the clock, such as a tool that blocks."""
        limits = self._setting.limits
        if self._rt is None:
            return time.monotonic() - self._started > 2 * limits.compile_timeout / 1000
        return time.monotonic() > self._rt.meter.started + 1.6 * limits.timeout / 1000

    def abandon(self) -> LispStep:
        """The Step of a program that is not waited for any longer, with what it did so far."""
        self.cancel()
        failure = LispFailure("timeout", f"the program took longer than {self._setting.limits.timeout} ms")
        self.step = self.step or self._failed(failure)
        return self.step

    def _whole(self) -> LispStep:
        try:
            return self._run()
        except LispFailure as failure:
            return self._failed(failure)
        except BaseException as error:  # noqa: BLE001 - a defect here must not leave the host waiting
            return self._failed(LispFailure("execution_error", f"{type(error).__name__}: {error}"))

    def _run(self) -> LispStep:
        setting, limits = self._setting, self._setting.limits
        limits.check()
        signature = _signature(setting.signature)
        self._host.tools = {name: Tool.of(name, tool) for name, tool in setting.tools.items()}
        names = [_name(key) for key in setting.memory]
        program = analyse(self._source, limits, defined=names, tools=list(self._host.tools))
        rt = self._runtime(program)
        frame = [rt, (), None] + [None] * (program.context.size - FIRST_SLOT)
        signal = None
        try:
            value = rt.enter(program.context.weight, program.node, frame)
        except Halt as halt:
            signal, value = halt.kind, halt.value
        value = outward(rt, value)
        if setting.float_precision is not None:
            value = rounded(rt, value, setting.float_precision)
        if signature is not None and signal is None:
            _check_result(signature, value)
        memory = outward(rt, {k: v for k, v in rt.defs.items() if not isinstance(v, ToolFunction)})
        rt.meter.check()
        return self._step(rt, return_=value, signal=signal, memory=memory, signature=setting.signature)

    def _runtime(self, program: Analysed) -> Runtime:
        setting = self._setting
        meter = Meter(setting.limits, timeout_ms=setting.limits.timeout)
        rt = Runtime(meter, self._host, {}, None if setting.journal is None else dict(setting.journal))
        self._rt = rt
        if self._cancelled:
            meter.cancelled.set()
        wanted = {name.replace("-", "_") for name in program.data_names}
        context = {key: value for key, value in setting.context.items() if _name(key).replace("-", "_") in wanted}
        self._host.context = internal(rt, context)
        self._host.budget = internal(rt, setting.budget)
        self._host.strict_data = setting.strict_data
        self._host.tool_cache = dict(setting.tool_cache)
        for key, value in setting.memory.items():
            rt.defs[_name(key)] = internal(rt, value)
        if rt.journal is not None:
            rt.journal = {str(key): internal(rt, value) for key, value in rt.journal.items()}
        rt.history = internal(rt, list(setting.turn_history)[-3:])
        return rt

    def _failed(self, failure: LispFailure) -> LispStep:
        details = with_class(failure, running=self._rt is not None)
        told = Failure(failure.reason, failure.message, failure.op, details)
        memory = {_name(key): value for key, value in self._setting.memory.items()}
        if self._rt is None:
            cache = dict(self._setting.tool_cache)
            journal = None if self._setting.journal is None else dict(self._setting.journal)
            return LispStep(fail=told, memory=memory, journal=journal, tool_cache=cache)
        return self._step(self._rt, fail=told, memory=memory)

    def _step(self, rt: Runtime, **fields: Any) -> LispStep:
        record: Record = rt.record
        duration = int((time.monotonic() - self._started) * 1000)
        return LispStep(
            journal=None if rt.journal is None else dict(rt.journal),
            usage=Usage(duration, rt.meter.memory_bytes),
            prints=tuple(record.prints),
            tool_calls=tuple(record.tool_calls),
            pmap_calls=tuple(record.pmap_calls),
            catalog_ops=tuple(record.catalog_ops),
            child_traces=tuple(record.child_traces),
            child_steps=tuple(record.child_steps),
            summaries=dict(record.summaries),
            tool_cache=dict(self._host.tool_cache),
            **fields,
        )


def _name(key: Any) -> str:
    return key.name if isinstance(key, Keyword) else str(key)


def _check_result(signature: Signature, value: Any) -> None:
    from ..typecheck import validate as problems_of  # it needs the values of this package

    problems = problems_of(signature, value)
    if problems:
        raise LispFailure("validation_error", "; ".join(str(problem) for problem in problems[:20]))


def _signature(text: str | None) -> Signature | None:
    if text is None:
        return None
    try:
        return parse_signature(text)
    except SignatureError as error:
        raise LispFailure("parse_error", f"signature: {error}") from None


def _setting(options: Mapping[str, Any]) -> Setting:
    """The options that are said; None is as good as nothing."""
    return Setting(**{name: value for name, value in options.items() if value is not None})


def run(source: str, **options: Any) -> LispStep:
    """Runs a program and waits for it; the options are the fields of Setting. Awaited tools get a loop of their own."""
    one = Run(source, _setting(options))
    one.start()
    while not one.done.wait(_POLL):
        if one.overdue():
            return one.abandon()
    assert one.step is not None
    return one.step


async def run_async(source: str, **options: Any) -> LispStep:
    """Runs a program while the loop goes on; awaited tools run on this loop. Cancelling the task ends the program."""
    loop = asyncio.get_running_loop()
    finished = asyncio.Event()

    def tell() -> None:
        try:
            loop.call_soon_threadsafe(finished.set)
        except RuntimeError:  # the loop was closed while nobody waited
            return

    one = Run(source, _setting(options), loop)
    one.start(tell)
    try:
        while not finished.is_set():
            try:
                await asyncio.wait_for(finished.wait(), 0.25)
            except TimeoutError:
                if one.overdue():
                    return one.abandon()
    except asyncio.CancelledError:
        one.cancel()
        raise
    assert one.step is not None
    return one.step


def validate(source: str, limits: Limits | None = None, *, memory: Sequence[str] = ()) -> Failure | None:
    """Reads and analyses a program without running it; None where it can be run."""
    found: list[Failure | None] = [None]

    def main() -> None:
        try:
            analyse(source, limits or Limits(), defined=memory)
        except LispFailure as failure:
            found[0] = Failure(failure.reason, failure.message, failure.op, failure.details)

    # On a stack of its own: how deep the caller's is must not decide what can be read.
    thread = threading.Thread(target=main, name="lisp-validate", daemon=True)
    thread.start()
    thread.join()
    return found[0]
