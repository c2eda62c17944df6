"""What a program may use, and the numbers it gets when nobody says otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from .failure import LispFailure

# One deep value, walked by Python's own stack: a hundred levels cost at most three hundred frames.
VALUE_DEPTH = 100
SOURCE_DEPTH = 64
INTEGER_DIGITS = 100
INTEGER_BITS = 1 << 18
PATTERN_BYTES = 256
PATTERN_INPUT = 32 * 1024
PATTERN_WORK = 10_000_000
BIG_INTEGER = 1 << 60


@dataclass(frozen=True, slots=True)
class Limits:
    """Times in milliseconds; `max_heap` in cells of about eight bytes that are alive at once; None is no limit.

    Workers draw from the same memory as their program, so `worker_max_heap` can only be checked for being a number.
    `max_steps` counts evaluations and every item that a function walks over.
    """

    timeout: int = 1000
    compile_timeout: int = 5000
    max_heap: int = 1_250_000
    worker_max_heap: int | None = None
    max_parallel_workers: int = 8
    pmap_timeout: int = 5000
    pmap_max_concurrency: int | None = None
    max_symbols: int = 10_000
    max_program_bytes: int = 1_000_000
    max_tool_calls: int | None = None
    max_print_length: int = 2000
    max_prints: int = 10_000
    max_loop_jumps: int = 1000
    max_steps: int = 200_000_000
    max_depth: int = 2000

    def check(self) -> None:
        """Refuses numbers that are no limits."""
        for name in ("worker_max_heap", "max_parallel_workers", "pmap_max_concurrency"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise LispFailure("invalid_config", f"{name} must be a positive whole number, got {value!r}")
