"""How fast the Lisp is: how long a program takes to start, and a million simple evaluations of several kinds."""

from __future__ import annotations

import asyncio
import time

from console.ptc.lisp import Limits, run, run_async

_ROOMY = Limits(timeout=60_000, max_heap=20_000_000, max_loop_jumps=10_000, max_steps=1_000_000_000)
_COUNTING = (
    "(defn inner [n] (loop [i 0 acc 0] (if (< i n) (recur (inc i) (+ acc i)) acc))) "
    "(reduce + (map (fn [_] (inner 1000)) (range 1000)))"
)
_MILLION = {
    "loop and recur": _COUNTING,
    "map a closure": "(count (map (fn [x] (+ x 1)) (range 1000000)))",
    "reduce with +": "(reduce + (range 1000000))",
    "filter and map": "(->> (range 500000) (filter even?) (map inc) (reduce +))",
    "maps and keywords": "(reduce (fn [acc m] (+ acc (:n m))) 0 (map (fn [n] {:n n}) (range 300000)))",
    "plain recursion": "(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 24)",
}
_START = "(let [xs [1 2 3]] (->> xs (map inc) (filter even?) (reduce +)))"


def _seconds(source: str) -> float:
    started = time.perf_counter()
    step = run(source, limits=_ROOMY)
    if step.fail is not None:
        raise SystemExit(f"{source}: {step.text()}")
    return time.perf_counter() - started


async def _longest_pause() -> float:
    """How long a window would wait while a program counts."""
    longest, before = 0.0, time.perf_counter()
    program = asyncio.create_task(run_async(_COUNTING, limits=_ROOMY))
    while not program.done():
        await asyncio.sleep(0.001)
        now = time.perf_counter()
        longest, before = max(longest, now - before), now
    return longest


def main() -> None:
    """Prints the table."""
    _seconds(_START)
    starts = sorted(_seconds(_START) for _ in range(200))
    print(f"start, median          {starts[100] * 1000:8.2f} ms")
    print(f"start, 99 of 100       {starts[198] * 1000:8.2f} ms")
    for name, source in _MILLION.items():
        print(f"{name:22} {_seconds(source):8.2f} s")
    print(f"longest pause of loop  {asyncio.run(_longest_pause()) * 1000:8.2f} ms")


if __name__ == "__main__":
    main()
