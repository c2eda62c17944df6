"""A small made-up desktop whose elements and windows change when they are acted upon, and the loop of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from console.contracts import actions as act
from console.contracts.actions import AnyAction, Extract
from console.contracts.base import Json
from console.contracts.effects import ObservedEffect
from console.contracts.geometry import Rect
from console.contracts.moves import AttemptRecord, Batch, BatchStep, Clarify, Done, DoneVerdict, Fail, NextActionHint
from console.contracts.view import (
    AdapterFactRef,
    AnomalyRef,
    Blocker,
    ElementState,
    OmittedCounts,
    PlanningElement,
    PlanningScreen,
    PlanningView,
    ViewBudget,
)
from console.planning.instructions import InstructionPlanner, InstructionSettings

Move = Batch | Done | Fail | Clarify
CLICKABLE = frozenset({"button", "checkbox", "radio", "menuitem", "menu", "link", "tab", "listitem", "row", "combobox"})
SETTABLE = frozenset({"input", "textarea", "combobox", "spinbutton"})


def element(id_: str, label: str | None = None, kind: str = "button", **fields: Any) -> PlanningElement:
    state = {key: fields.pop(key) for key in ("enabled", "checked", "focused", "selected", "expanded") if key in fields}
    place = fields.pop("at", (10, 10, 80, 24))
    return PlanningElement(
        **{
            "id": id_,
            "element_type": kind,
            "label": label,
            "clickable": kind in CLICKABLE,
            "settable": kind in SETTABLE,
            "state": ElementState(**state),
            "window": "Notes",
            "bounds": Rect(x=place[0], y=place[1], width=place[2], height=place[3]),
            "source": "accessibility",
            **fields,
        }
    )


@dataclass
class World:
    """`on` maps “click:save”, “launch_app:Mousepad”, … to what then happens; `later` what happens after so many ms."""

    elements: dict[str, PlanningElement] = field(default_factory=dict)
    windows: list[dict[str, Any]] = field(
        default_factory=lambda: [{"title": "Notes", "app": "Mousepad", "active": True}]
    )
    blockers: list[Blocker] = field(default_factory=list)
    anomalies: list[AnomalyRef] = field(default_factory=list)
    on: dict[str, Callable[[], object]] = field(default_factory=dict)
    fails: dict[str, list[AttemptRecord | str]] = field(default_factory=dict)
    effects: dict[str, ObservedEffect] = field(default_factory=dict)
    later: list[tuple[int, Callable[[], object]]] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    done: list[AnyAction] = field(default_factory=list)
    history: list[AttemptRecord] = field(default_factory=list)
    memory: dict[str, Json] = field(default_factory=dict)
    questions: list[Clarify] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    verdicts: list[DoneVerdict] = field(default_factory=list)
    clock_ms: int = 0
    planner: InstructionPlanner = field(default_factory=InstructionPlanner)

    @classmethod
    def of(cls, *elements: PlanningElement, wait_s: int = 15, **fields: Any) -> World:
        planner = InstructionPlanner(InstructionSettings(wait_s=wait_s))
        return cls(elements={e.id: e for e in elements}, planner=planner, **fields)

    def add(self, *elements: PlanningElement) -> None:
        self.elements |= {e.id: e for e in elements}

    def drop(self, *ids: str) -> None:
        for id_ in ids:
            self.elements.pop(id_, None)

    def change(self, id_: str, **fields: Any) -> None:
        self.elements[id_] = self.elements[id_].model_copy(update=fields)

    def window(self, title: str, app: str = "", **flags: Any) -> None:
        """Bring a new window to the front."""
        for other in self.windows:
            other["active"] = False
        self.windows.insert(0, {"title": title, "app": app or title, "active": True, **flags})

    def dialog(self, title: str, *buttons: str, blocks: bool = True) -> None:
        self.window(title, "Mousepad", dialog=True)
        self.add(*(element(f"{title}-{name}", name, window=title) for name in buttons))
        if blocks:
            self.blockers.append(Blocker(kind="modal_dialog", description=f"The dialog “{title}” is open."))

    def close(self, title: str) -> None:
        self.windows = [window for window in self.windows if window["title"] != title]
        if self.windows:
            self.windows[0]["active"] = True
        self.elements = {key: e for key, e in self.elements.items() if e.window != title}
        self.blockers = [blocker for blocker in self.blockers if title not in blocker.description]

    def view(self, goal: str = "") -> PlanningView:
        active = next((window for window in self.windows if window.get("active")), {"title": "", "app": ""})
        facts = tuple(AdapterFactRef(adapter="desktop", kind="window", payload=dict(window)) for window in self.windows)
        return PlanningView(
            goal=goal,
            budget=ViewBudget(),
            screen=PlanningScreen(active_app=active["app"], window=active["title"]),
            elements=tuple(self.elements.values()),
            omitted_counts=OmittedCounts(),
            adapter_facts=facts,
            blockers=tuple(self.blockers),
            anomalies=tuple(self.anomalies),
        )

    async def run(self, goal: str, most_turns: int = 80) -> Done | Fail | Clarify:
        """Decide and act until the end; a question without an answer is the end as well."""
        for _ in range(most_turns):
            move = await self.planner.decide_next(goal, tuple(self.history), dict(self.memory), self.view(goal), None)
            self.moves.append(move)
            if isinstance(move, Clarify):
                assert move.question not in [asked.question for asked in self.questions], (
                    "asked twice in the same words"
                )
                self.questions.append(move)
                if not self.answers:
                    return move
                self.answer(move, self.answers.pop(0))
            elif isinstance(move, Done):
                verdict = await self.planner.verify_done(goal, move.summary, dict(self.memory), self.view(goal), None)
                self.verdicts.append(verdict)
                if verdict.verified:
                    return move
                self.history.append(rejected(move.summary, verdict))
            elif isinstance(move, Fail):
                return move
            else:
                self.carry_out(move)
        raise AssertionError(f"no end after {most_turns} turns: {self.moves[-3:]}")

    def answer(self, question: Clarify, text: str) -> None:
        action = Extract(goal=question.question, data=text)
        self.history.append(AttemptRecord(step_purpose="operator_answer", action=action, succeeded=True, data=text))
        before = self.memory.get("operator_answers")
        entry: Json = {"question": question.question, "answer": text}
        self.memory["operator_answers"] = [*(before if isinstance(before, list) else []), entry]

    def carry_out(self, batch: Batch) -> None:
        assert 1 <= len(batch.steps) <= 5
        for step in batch.steps:
            record = self._step(step)
            self.history.append(record)
            if not record.succeeded:
                return

    def _step(self, step: BatchStep) -> AttemptRecord:
        action = step.action
        key = key_of(action)
        trouble = self.fails.get(key)
        if trouble:
            given = trouble.pop(0)
            if isinstance(given, AttemptRecord):
                return given.model_copy(update={"step_purpose": step.purpose, "action": action})
            return AttemptRecord(step_purpose=step.purpose, action=action, succeeded=False, error=given)
        for target in action.targets():
            if target not in self.elements and not target.startswith("point:"):
                return AttemptRecord(
                    step_purpose=step.purpose,
                    action=action,
                    succeeded=False,
                    error="It is not there any more.",
                    next_action_hint=NextActionHint.DIFFERENT_TARGET,
                )
        self.done.append(action)
        data = self._happen(action, key)
        fields: dict[str, Any] = {} if data is None else {"data": data}
        if key in self.effects:
            fields["effect"] = self.effects[key]
        return AttemptRecord(step_purpose=step.purpose, action=action, succeeded=True, **fields)

    def _happen(self, action: AnyAction, key: str) -> Json:
        if isinstance(action, act.Wait):
            self.clock_ms += action.ms
        if isinstance(action, act.SetValue):
            target = self.elements[action.target_id]
            checked = action.value == "true" if target.state.checked is not None else None
            state = target.state.model_copy(update={"checked": checked})
            self.change(action.target_id, value=action.value, state=state)
        if isinstance(action, act.TypeText) and action.target_id:
            self.change(action.target_id, value=(self.elements[action.target_id].value or "") + action.text)
        happens = self.on.get(key)
        if happens:
            happens()
        due = [then for at, then in self.later if at <= self.clock_ms]
        self.later = [(at, then) for at, then in self.later if at > self.clock_ms]
        for then in due:
            then()
        return self._read(action) if isinstance(action, act.ExtractWithFallback) else None

    def _read(self, action: act.ExtractWithFallback) -> Json:
        target = self.elements[action.selectors[0].removeprefix('id="').removesuffix('"')]
        text = target.value if target.value is not None else target.label or ""
        value: Json = {"int": int, "float": float}.get(action.parse_as, str)(text)
        self.memory[action.name] = value
        return value

    @property
    def deeds(self) -> list[str]:
        """What was done, in words, without the waiting."""
        return [action.describe(lambda id_: id_) for action in self.done if not isinstance(action, act.Wait)]


def key_of(action: AnyAction) -> str:
    """“click:save”, “key:Enter”, “launch_app:Mousepad”."""
    names = ("target_id", "key", "keys", "app_name", "url", "text", "op", "name", "from_target_id")
    value = next((getattr(action, name) for name in names if getattr(action, name, None)), "")
    return f"{action.type}:{'+'.join(value) if isinstance(value, tuple) else value}"


def rejected(summary: str, verdict: DoneVerdict) -> AttemptRecord:
    return AttemptRecord(
        step_purpose="verify_done",
        action=act.DoneAction(summary=summary),
        succeeded=False,
        error=f"runtime rejected Done: {verdict.reason}",
        next_action_hint=verdict.next_action_hint,
    )


def words(steps: Sequence[BatchStep]) -> list[str]:
    return [step.purpose for step in steps]


OBSERVED = ObservedEffect(status="observed")
NOTHING = ObservedEffect(status="contradicted", detail="The screen stayed the same.")


INVOICES = [
    element("d7", "Delete", "link", context="Invoice 7 · Ada · 120 €", at=(400, 100, 60, 20)),
    element("d77", "Delete", "link", context="Invoice 77 · Bob · 80 €", at=(400, 130, 60, 20)),
    element("i7", "Invoice 7", "cell", at=(10, 100, 100, 20)),
    element("i77", "Invoice 77", "cell", at=(10, 130, 100, 20)),
]


def form(**fields: object) -> World:
    return World.of(
        element("name", "Name:", "input", at=(100, 10, 200, 24)),
        element("mail", "E-mail *", "input", at=(100, 40, 200, 24)),
        element("list", "Country", "combobox", select_options="pl|Poland, de|Germany", at=(100, 70, 200, 24)),
        element("tick", "Remember me", "checkbox", checked=False, at=(100, 100, 200, 24)),
        element("ok", "OK", at=(100, 130, 80, 24)),
        **fields,
    )
