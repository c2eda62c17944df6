"""Builds the budgeted `PlanningView` from a scene: what fits is shown, the rest is counted,
nothing that blocks is lost."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from console.contracts.base import Json
from console.contracts.geometry import Rect
from console.contracts.scene import Frame, Scene, SceneElement, WindowInfo
from console.contracts.view import (
    AdapterActionRef,
    AdapterFactRef,
    AnomalyRef,
    Blocker,
    CapabilityRef,
    EventRef,
    EvidenceRef,
    KnowledgeRef,
    MemoryRef,
    OmittedCounts,
    PlanningElement,
    PlanningScreen,
    PlanningView,
    RunProgress,
    ViewBudget,
)

from .scoring import GoalWords

SOFT_STALE_MS, HARD_STALE_MS = 1500, 5000
_PREVIEW = 80
MOST_TOOLS = 60


def build_view(
    scene: Scene,
    goal: str,
    *,
    budget: ViewBudget,
    progress: RunProgress,
    facts: Sequence[AdapterFactRef] = (),
    actions: Sequence[AdapterActionRef] = (),
    pinned: Collection[str] = (),
    memories: Sequence[MemoryRef] = (),
    knowledge: Sequence[KnowledgeRef] = (),
    recent_events: Sequence[EventRef] = (),
    now_ms: int | None = None,
) -> PlanningView:
    """The view of the scene for the goal. Lists are given best first; `pinned` element ids are always shown."""
    elements = _chosen(scene, goal, budget.max_elements, pinned)
    all_facts = (*_window_facts(scene), *facts)
    kept_facts = all_facts[: budget.max_adapter_facts]
    kept_memories, kept_knowledge = tuple(memories[: budget.max_memories]), tuple(knowledge[: budget.max_knowledge])
    kept_events = tuple(recent_events[: budget.max_recent_events])
    return PlanningView(
        goal=goal,
        budget=budget,
        screen=_screen(scene),
        elements=tuple(_shown(element, scene.frame) for element in elements),
        omitted_counts=OmittedCounts(
            elements=len(scene.elements) - len(elements),
            memories=max(len(memories) - budget.max_memories, 0),
            knowledge=max(len(knowledge) - budget.max_knowledge, 0),
            adapter_facts=len(all_facts) - len(kept_facts),
            recent_events=max(len(recent_events) - budget.max_recent_events, 0),
            adapter_actions=max(len(actions) - MOST_TOOLS, 0) or None,
        ),
        adapter_facts=kept_facts,
        adapter_actions=_likely_tools(actions, goal),
        capabilities=tuple(CapabilityRef(id=name) for name in scene.capabilities),
        run_progress=progress,
        memories=kept_memories,
        knowledge=kept_knowledge,
        recent_events=kept_events,
        blockers=(*scene.blockers, *_stale(scene, now_ms)),
        anomalies=_anomalies(scene, now_ms),
        evidence=_evidence(kept_memories, kept_knowledge, kept_events, facts[: budget.max_adapter_facts]),
        selection_rationale=_rationale(kept_memories, kept_knowledge, kept_events),
    )


def _chosen(scene: Scene, goal: str, limit: int, pinned: Collection[str]) -> list[SceneElement]:
    """Pinned ones first, then the best by score. Nothing is dropped while there is room."""
    words = GoalWords(goal)
    must = _must_show(scene) | set(pinned)
    visible = [element for element in scene.elements if not element.bounds.empty]
    ranked = sorted(visible, key=lambda e: (e.id not in must, -words.score(e)))
    return ranked[:limit]


def _likely_tools(actions: Sequence[AdapterActionRef], goal: str) -> tuple[AdapterActionRef, ...]:
    """All while they are few. Else those that share most words with the goal, and of the others the first of each
    tool box, in the order in which they were given."""
    if len(actions) <= MOST_TOOLS:
        return tuple(actions)
    words = GoalWords(goal).keywords
    seen: dict[str, int] = {}
    ranks: list[tuple[int, int, int]] = []
    for place, ref in enumerate(actions):
        text = f"{ref.adapter} {ref.action} {ref.description}".casefold()
        seen[ref.adapter] = seen.get(ref.adapter, 0) + 1
        ranks.append((-sum(word in text for word in words), seen[ref.adapter], place))
    return tuple(actions[place] for place in sorted(place for _, _, place in sorted(ranks)[:MOST_TOOLS]))


def _must_show(scene: Scene) -> set[str]:
    """What has the focus, what blocks, and the controls of the window that blocks."""
    ids = {blocker.element_id for blocker in scene.blockers if blocker.element_id}
    ids |= {element.id for element in scene.elements if element.state.focused}
    modal = {w.id for w in scene.windows if w.modal or (w.dialog and w.active)}
    ids |= {e.id for e in scene.elements if e.window_id in modal and (e.clickable or e.settable)}
    return ids


def _shown(element: SceneElement, frame: Frame) -> PlanningElement:
    values = {
        "id": element.id,
        "element_type": element.element_type,
        "label": element.label or None,
        "value": None if element.protected else element.value,
        "state": element.state,
        "clickable": element.clickable,
        "settable": element.settable,
        "select_options": ", ".join(element.select_options) or None,
        "window": element.window or None,
        "context": element.context or None,
        "bounds": _in_image(element.bounds, frame),
        "source": element.source,
    }
    return PlanningElement.model_validate({key: value for key, value in values.items() if value is not None})


def _in_image(bounds: Rect, frame: Frame) -> Rect:
    """Physical pixels as pixels of the picture that the planner is given."""
    across, down = frame.image_width / frame.bounds.width, frame.image_height / frame.bounds.height
    return Rect(
        x=round((bounds.x - frame.bounds.x) * across),
        y=round((bounds.y - frame.bounds.y) * down),
        width=max(round(bounds.width * across), 1),
        height=max(round(bounds.height * down), 1),
    )


def _screen(scene: Scene) -> PlanningScreen:
    window = scene.active_window
    others = sum(1 for w in scene.windows if not w.menu) - (1 if window else 0)
    summary = f"{len(scene.elements)} elements, {others} other window{'' if others == 1 else 's'}"
    if window is None:
        return PlanningScreen(active_app="", summary=summary)
    return PlanningScreen(active_app=window.app, window=window.title, summary=summary)


def _window_facts(scene: Scene) -> tuple[AdapterFactRef, ...]:
    return tuple(_window_fact(window) for window in scene.windows if not window.menu)


def _window_fact(window: WindowInfo) -> AdapterFactRef:
    payload: dict[str, Json] = {
        "title": window.title,
        "app": window.app,
        "active": window.active,
        "minimized": window.minimized,
        "dialog": window.dialog or window.modal,
    }
    return AdapterFactRef(adapter="desktop", kind="window", payload=payload, id=f"window:{window.id}")


def _age(scene: Scene, now_ms: int | None) -> int:
    return 0 if now_ms is None else now_ms - scene.taken_at_ms


def _stale(scene: Scene, now_ms: int | None) -> tuple[Blocker, ...]:
    if _age(scene, now_ms) < HARD_STALE_MS:
        return ()
    return (Blocker(kind="stale_perception", description="The picture of the screen is out of date."),)


def _anomalies(scene: Scene, now_ms: int | None) -> tuple[AnomalyRef, ...]:
    found = [AnomalyRef(kind=a.kind, description=a.description) for a in scene.anomalies]
    if SOFT_STALE_MS <= _age(scene, now_ms) < HARD_STALE_MS:
        found.append(AnomalyRef(kind="perception_soft_stale", description="The picture of the screen is a little old."))
    return tuple(found)


def _evidence(
    memories: Sequence[MemoryRef],
    knowledge: Sequence[KnowledgeRef],
    events: Sequence[EventRef],
    facts: Sequence[AdapterFactRef],
) -> tuple[EvidenceRef, ...]:
    """One reference for everything that was kept; the desktop's own windows are on the screen and need none."""
    return (
        *(EvidenceRef(source="memory", id=str(m.id), summary=m.summary[:_PREVIEW]) for m in memories),
        *(EvidenceRef(source="knowledge", id=k.id, summary=k.content[:_PREVIEW]) for k in knowledge),
        *(EvidenceRef(source="observation", id=e.id, summary=e.summary[:_PREVIEW]) for e in events),
        *(
            EvidenceRef(source="adapter", id=f.id or f"{f.adapter}:{f.kind}", summary=str(f.payload)[:_PREVIEW])
            for f in facts
        ),
    )


def _rationale(
    memories: Sequence[MemoryRef], knowledge: Sequence[KnowledgeRef], events: Sequence[EventRef]
) -> str | None:
    parts = [
        f"{len(kept)} {name}, {why}."
        for kept, name, why in (
            (memories, "memories", "by words of the goal and age"),
            (knowledge, "knowledge entries", "by words of the goal"),
            (events, "recent events", "newest first"),
        )
        if kept
    ]
    return " ".join(parts) or None
