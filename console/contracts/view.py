"""The budgeted picture of the desktop that a planner is given (cel-contracts `PlanningView`)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .base import Json, Value
from .geometry import Rect

MemoryKind = Literal["outcome", "prior", "failure", "preference"]


class ViewBudget(Value):
    """How much may be shown. `max_tokens` is advice to renderers; the counts are enforced."""

    max_tokens: int = 8000
    max_elements: int = 80
    max_memories: int = 8
    max_adapter_facts: int = 12
    max_knowledge: int = 8
    max_recent_events: int = 10


class RunProgress(Value):
    steps_used: int = 0
    max_steps: int = 0

    @property
    def remaining(self) -> int:
        """Steps left, never below zero."""
        return max(self.max_steps - self.steps_used, 0)


class PlanningScreen(Value):
    active_app: str
    window: str = ""
    summary: str | None = None
    url: str | None = None


class ElementState(Value):
    """`None` means that the element has no such state."""

    focused: bool = False
    selected: bool = False
    enabled: bool = True
    checked: bool | None = None
    expanded: bool | None = None


class PlanningElement(Value):
    """One element as the planner sees it. `select_options` reads `value|Label, …`.

    Additions of this console: `window` (title), `context` (text of its row or group), `bounds` (pixels of the
    screenshot) and `source`.
    """

    id: str
    element_type: str
    label: str | None = None
    value: str | None = None
    state: ElementState = ElementState()
    clickable: bool = False
    settable: bool = False
    select_options: str | None = None
    window: str | None = None
    context: str | None = None
    bounds: Rect | None = None
    source: str | None = None


class MemoryRef(Value):
    id: int
    kind: MemoryKind
    summary: str
    content: str = ""
    created_at: str | None = None


class KnowledgeRef(Value):
    id: str
    source: str
    content: str
    tags: tuple[str, ...] = ()


class AdapterFactRef(Value):
    adapter: str
    kind: str
    payload: Json = None
    id: str | None = None


class AdapterActionRef(Value):
    """Additions: `destructive` says whether a change may destroy something (None is unknown), and `cacheable` that the
    same parameters get the same answer for as long as a run lasts."""

    adapter: str
    action: str
    params_schema: dict[str, Json] = Field(default_factory=dict)
    description: str = ""
    mutates_state: bool = False
    requires_verification: bool = False
    returns_data: bool = False
    destructive: bool | None = None
    cacheable: bool | None = None


class CapabilityRef(Value):
    id: str
    detail: str | None = None


class EventRef(Value):
    id: str
    kind: str
    summary: str
    at: str | None = None


class EvidenceRef(Value):
    source: str
    id: str
    summary: str


class AnomalyRef(Value):
    kind: str
    description: str


class Blocker(Value):
    kind: str
    description: str
    element_id: str | None = None


class OmittedCounts(Value):
    """How many were seen and not shown. `adapter_actions` (an addition) can be called all the same."""

    elements: int = 0
    memories: int = 0
    knowledge: int = 0
    adapter_facts: int = 0
    recent_events: int = 0
    adapter_actions: int | None = None


class PlanningView(Value):
    """Everything a planner may know about the present moment."""

    goal: str
    budget: ViewBudget
    screen: PlanningScreen
    elements: tuple[PlanningElement, ...]
    omitted_counts: OmittedCounts
    adapter_facts: tuple[AdapterFactRef, ...] = ()
    adapter_actions: tuple[AdapterActionRef, ...] = ()
    capabilities: tuple[CapabilityRef, ...] = ()
    run_progress: RunProgress = RunProgress()
    memories: tuple[MemoryRef, ...] = ()
    knowledge: tuple[KnowledgeRef, ...] = ()
    recent_events: tuple[EventRef, ...] = ()
    blockers: tuple[Blocker, ...] = ()
    anomalies: tuple[AnomalyRef, ...] = ()
    evidence: tuple[EvidenceRef, ...] = ()
    selection_rationale: str | None = None
    adapter_actions_prompt: str | None = None

    def element(self, element_id: str) -> PlanningElement | None:
        return next((element for element in self.elements if element.id == element_id), None)
