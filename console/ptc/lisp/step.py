"""What comes of a program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .convert import json_value
from .failure import LispFailure
from .host import Host
from .limits import Limits
from .meter import Meter
from .render import readable
from .runtime import Runtime

if TYPE_CHECKING:
    from console.contracts.step import Step


def json_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values of the language as JSON; a function reads as its name."""
    rt = Runtime(Meter(Limits(), timeout_ms=5000), Host(), {}, None)
    return {name: json_value(rt, one) for name, one in values.items()}


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a program failed: a code for machines and a sentence for people."""

    reason: str
    message: str
    op: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Usage:
    """Milliseconds, and an estimate of the most memory at once in bytes."""

    duration_ms: int
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class LispStep:
    """The result of one program. `return_` and `memory` hold values of the language, without keywords; `signal` says
    that the program ended by `(return v)` or `(fail v)`, and then `return_` is v."""

    return_: Any = None
    signal: Literal["return", "fail"] | None = None
    fail: Failure | None = None
    memory: Mapping[str, Any] = field(default_factory=dict)
    journal: Mapping[str, Any] | None = None
    signature: str | None = None
    usage: Usage | None = None
    prints: tuple[str, ...] = ()
    tool_calls: tuple[Any, ...] = ()
    pmap_calls: tuple[Any, ...] = ()
    catalog_ops: tuple[Any, ...] = ()
    child_traces: tuple[str, ...] = ()
    child_steps: tuple[Any, ...] = ()
    summaries: Mapping[str, str] = field(default_factory=dict)
    tool_cache: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether the program came to an end without failing; `(fail v)` is such an end."""
        return self.fail is None

    def to_step(self) -> Step:
        """The result as the published contract has it, in JSON; an early end is a pair of its kind and its value."""
        from console.contracts.step import Step

        value = json_of({"return": self.return_})["return"]
        return Step.model_validate(
            {
                "return": value if self.signal is None else [self.signal, value],
                "fail": None if self.fail is None else asdict(self.fail),
                "memory": json_of(self.memory),
                "journal": None if self.journal is None else json_of(self.journal),
                "signature": self.signature,
                "usage": None if self.usage is None else asdict(self.usage),
                "prints": self.prints,
                "tool_calls": [asdict(call) for call in self.tool_calls],
                "pmap_calls": [asdict(call) | {"child_steps": ()} for call in self.pmap_calls],
                "catalog_ops": [asdict(op) for op in self.catalog_ops],
                "child_traces": self.child_traces,
                "child_steps": self.child_steps,
                "summaries": dict(self.summaries),
                "tool_cache": json_of(self.tool_cache),
            }
        )

    def text(self) -> str:
        """The value as a program would write it, or the failure."""
        if self.fail is not None:
            return f"{self.fail.reason}: {self.fail.message}"
        rt = Runtime(Meter(Limits(), timeout_ms=5000), Host(), {}, None)
        try:
            return readable(rt, self.return_)
        except LispFailure as failure:
            return f"#<{failure.reason}>"
