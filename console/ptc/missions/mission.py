"""A mission: what a model shall find out or do, with what, and within which limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from ..lisp import Limits
from ..signature import MapOf, Signature, SignatureError
from ..signature import parse as parse_signature
from .compaction import Compaction
from .errors import MissionError
from .llm import LlmRetry
from .plan import PlanStep, Progress, plan_of
from .template import has_sections, roots

RESERVED = frozenset({"return", "fail", "lisp_eval"})
SELF = "self"
ProgressFn = Callable[[Progress, Any], tuple[str, Any]]


@dataclass(frozen=True, slots=True)
class FormatOptions:
    """How much of what a program gave is told to the model: numbers of items, letters, and bytes for `*1`."""

    feedback_limit: int = 10
    feedback_max_chars: int = 512
    preview_max_chars: int = 250
    history_max_bytes: int = 1024
    max_print_length: int = 2000

    @classmethod
    def of(cls, given: FormatOptions | Mapping[str, Any] | None) -> FormatOptions:
        if isinstance(given, FormatOptions):
            return given
        known = {one.name for one in fields(cls)}
        return cls(**{name: value for name, value in (given or {}).items() if name in known})


@dataclass(frozen=True, slots=True)
class Mission:
    """Times in milliseconds, `memory_limit` in bytes, `max_heap` in cells, `max_steps` in evaluations of one
    program; None is no limit.

    `turn_budget` and `mission_timeout` count for the mission and all its sub-missions together, and so does `max_depth`
    for how deep they are nested. `max_tool_calls` counts over all turns. MissionError where the options do not fit.
    """

    prompt: str
    signature: str | None = None
    tools: Mapping[str, Any] = field(default_factory=dict)
    max_turns: int = 5
    retry_turns: int = 0
    max_depth: int = 3
    turn_budget: int = 20
    mission_timeout: int | None = None
    timeout: int = 5000
    pmap_timeout: int = 5000
    pmap_max_concurrency: int | None = None
    max_heap: int | None = None
    max_steps: int | None = None
    max_tool_calls: int | None = None
    memory_limit: int | None = 1 << 20
    memory_strategy: Literal["strict", "rollback"] = "strict"
    float_precision: int | None = 2
    output: Literal["ptc_lisp", "text"] = "ptc_lisp"
    completion_mode: Literal["implicit", "explicit"] = "implicit"
    plan: Sequence[Any] = ()
    progress_fn: ProgressFn | None = None
    journaling: bool = False
    compaction: Any = None
    llm: Any = None
    llm_retry: LlmRetry | Mapping[str, Any] | None = None
    system_prompt: str | Mapping[str, str] | Callable[[str], str] | None = None
    name: str | None = None
    description: str | None = None
    field_descriptions: Mapping[str, str] | None = None
    context_descriptions: Mapping[str, str] | None = None
    format_options: FormatOptions | Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.prompt, str):
            raise MissionError("the prompt is a text")
        self._check_numbers()
        self._check_words()
        self._check_tools()
        self._check_template()
        plan_of(self.plan)
        Compaction.of(self.compaction)
        LlmRetry.of(self.llm_retry)

    @property
    def contract(self) -> Signature | None:
        """The signature as types."""
        return None if self.signature is None else parse_signature(self.signature)

    @property
    def steps(self) -> tuple[PlanStep, ...]:
        """The plan."""
        return plan_of(self.plan)

    @property
    def format(self) -> FormatOptions:
        return FormatOptions.of(self.format_options)

    @property
    def single_shot(self) -> bool:
        """Whether one answer is all: nothing could be fed back, and nothing is to be called."""
        alone = self.max_turns == 1 and self.retry_turns == 0 and not self.tools
        return alone and self.output == "ptc_lisp" and self.completion_mode == "implicit"

    def limits(self, *, seconds: float | None, tool_calls: int) -> Limits:
        """The limits of one program, of which `tool_calls` were made before and which has so many seconds at most."""
        timeout = self.timeout if seconds is None else max(1, min(self.timeout, int(seconds * 1000)))
        left = None if self.max_tool_calls is None else max(0, self.max_tool_calls - tool_calls)
        usual = Limits()
        return Limits(
            timeout=timeout,
            pmap_timeout=self.pmap_timeout,
            pmap_max_concurrency=self.pmap_max_concurrency,
            max_heap=self.max_heap or usual.max_heap,
            max_steps=self.max_steps or usual.max_steps,
            max_tool_calls=left,
            max_print_length=self.format.max_print_length,
        )

    def _check_numbers(self) -> None:
        least = {"max_turns": 1, "retry_turns": 0, "max_depth": 1, "turn_budget": 1, "timeout": 1, "pmap_timeout": 1}
        for name, low in least.items():
            _check_number(name, getattr(self, name), low)
        optional = {"mission_timeout": 1, "memory_limit": 1, "max_heap": 1, "max_steps": 1, "pmap_max_concurrency": 1}
        for name, low in (optional | {"max_tool_calls": 0, "float_precision": 0}).items():
            if getattr(self, name) is not None:
                _check_number(name, getattr(self, name), low)

    def _check_words(self) -> None:
        allowed = {
            "memory_strategy": ("strict", "rollback"),
            "output": ("ptc_lisp", "text"),
            "completion_mode": ("implicit", "explicit"),
        }
        for name, words in allowed.items():
            if getattr(self, name) not in words:
                raise MissionError(f"{name} is one of {', '.join(words)}, not {getattr(self, name)!r}")

    def _check_tools(self) -> None:
        for name, tool in self.tools.items():
            if name in RESERVED:
                raise MissionError(f"{name} is no name for a tool: the language has it", "reserved_tool_name")
            if tool == SELF and self.signature is None:
                raise MissionError("a mission that calls itself needs a signature")

    def _check_template(self) -> None:
        try:
            contract = self.contract
        except SignatureError as error:
            raise MissionError(f"signature: {error}") from error
        if self.output == "ptc_lisp" and has_sections(self.prompt):
            raise MissionError("only a mission with text output has sections in its prompt", "template_error")
        names = roots(self.prompt)
        if contract is None:
            return
        known = MapOf(contract.params).fields
        missing = [name for name in names if name.replace("-", "_") not in {k.replace("-", "_") for k, _ in known}]
        if missing:
            told = ", ".join(missing)
            raise MissionError(f"the prompt asks for what is no parameter of the signature: {told}", "template_error")


def _check_number(name: str, value: Any, low: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise MissionError(f"{name} is a whole number of at least {low}, not {value!r}")
