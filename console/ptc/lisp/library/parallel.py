"""`pmap` and `pcalls`: the same work in several threads, for tools that are waited for.

A worker sees a snapshot of the definitions. What it defines, prints and sums up is its own; its tool calls and its
finished tasks are kept, in the order of the items, also when another worker failed.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal

from ..failure import Halt, LispFailure
from ..functions import Call, Shelf
from ..runtime import Runtime

PARALLEL = Shelf("parallel")
_OWN_REASON = frozenset(
    {
        "cancelled",
        "loop_limit_exceeded",
        "memory_exceeded",
        "parallel_capacity_exceeded",
        "recursion_limit_exceeded",
        "timeout",
        "tool_call_limit_exceeded",
    }
)
Kind = Literal["pmap", "pcalls"]


@dataclass(frozen=True, slots=True)
class ParallelRecord:
    """One `pmap` or `pcalls` that has ended."""

    type: Kind
    count: int
    child_trace_ids: tuple[str, ...]
    child_steps: tuple[Any, ...]
    timestamp: str
    duration_ms: int
    success_count: int
    error_count: int


@PARALLEL("pmap", "f coll", "Like map, with several items at a time.")
def _pmap(rt: Runtime, f: Any, coll: Any) -> Any:
    call = rt.callable(f, "pmap")
    items = rt.seq(coll, "pmap", 2)
    return _Parallel(rt, "pmap", [partial(_on_item, call, item) for item in items]).run()


def _on_item(call: Call, item: Any, child: Runtime) -> Any:
    return call(child, item)


@PARALLEL("pcalls", "& fs", "Calls functions without arguments, several at a time.")
def _pcalls(rt: Runtime, *fs: Any) -> Any:
    return _Parallel(rt, "pcalls", [rt.callable(f, "pcalls", index + 1) for index, f in enumerate(fs)]).run()


class _Parallel:
    """One parallel operation."""

    def __init__(self, rt: Runtime, kind: Kind, work: list[Callable[[Runtime], Any]]):
        self._rt = rt
        self._kind = kind
        self._work = work
        self._children: list[Runtime | None] = [None] * len(work)
        self._results: list[Any] = [None] * len(work)
        self._errors: dict[int, BaseException] = {}
        self._stop = threading.Event()
        self._next = 0
        self._lock = threading.Lock()

    def run(self) -> Any:
        if not self._work:
            return ()
        rt, meter = self._rt, self._rt.meter
        limits = meter.limits
        wanted = limits.pmap_max_concurrency or 2 * (os.cpu_count() or 1)
        workers = min(len(self._work), wanted, limits.max_parallel_workers)
        stamp, started = datetime.now(UTC).isoformat(), time.monotonic()
        outermost = self._enter(workers)
        try:
            self._start(workers)
        finally:
            with meter.lock:
                meter.workers -= workers
                if outermost:
                    meter.parallel_deadline = None
        self._write_down(stamp, started)
        rt.meter.check()
        if self._errors:
            raise self._failure()
        return rt.vector(self._results)

    def _enter(self, workers: int) -> bool:
        meter = self._rt.meter
        with meter.lock:
            if meter.workers + workers > meter.limits.max_parallel_workers:
                most = meter.limits.max_parallel_workers
                raise LispFailure("parallel_capacity_exceeded", f"more than {most} workers at once", op=self._kind)
            meter.workers += workers
            outermost = meter.parallel_deadline is None
            if outermost:
                meter.parallel_deadline = time.monotonic() + meter.limits.pmap_timeout / 1000
        return outermost

    def _start(self, workers: int) -> None:
        threads = [threading.Thread(target=self._worker, name="lisp-worker", daemon=True) for _ in range(workers)]
        begun = []
        try:
            for thread in threads:
                thread.start()
                begun.append(thread)
        except RuntimeError:
            self._stop.set()
            raise LispFailure("parallel_capacity_exceeded", "no more threads can be started", op=self._kind) from None
        finally:
            for thread in begun:
                thread.join()

    def _worker(self) -> None:
        while not self._stop.is_set():
            with self._lock:
                index = self._next
                self._next += 1
            if index >= len(self._work):
                return
            child = self._rt.fork(self._stop)
            self._children[index] = child
            try:
                self._results[index] = self._work[index](child)
            except BaseException as error:  # noqa: BLE001 - told by the thread that waits
                self._errors[index] = error
                self._stop.set()

    def _write_down(self, stamp: str, started: float) -> None:
        record = self._rt.record
        done = [child for child in self._children if child is not None]
        for child in done:
            record.absorb(child.record)
            self._rt.keep_journal(child)
        record.pmap_calls.append(
            ParallelRecord(
                type=self._kind,
                count=len(self._work),
                child_trace_ids=tuple(trace for child in done for trace in child.record.child_traces),
                child_steps=tuple(step for child in done for step in child.record.child_steps),
                timestamp=stamp,
                duration_ms=int((time.monotonic() - started) * 1000),
                success_count=len(done) - len(self._errors),
                error_count=len(self._errors),
            )
        )

    def _failure(self) -> BaseException:
        """The failure of the first item that did not only stop because another one had failed."""
        told = sorted(self._errors.items())
        own = [e for _, e in told if not (isinstance(e, LispFailure) and e.reason == "sibling_failed")]
        error = own[0] if own else told[0][1]
        if isinstance(error, Halt):
            return LispFailure(
                f"{self._kind}_error", f"({error.kind} ...) cannot end a program from inside {self._kind}"
            )
        if not isinstance(error, LispFailure) or error.reason in _OWN_REASON:
            return error
        return LispFailure(
            f"{self._kind}_error", f"{self._kind}: {error.message}", op=error.op, details={"reason": error.reason}
        )
