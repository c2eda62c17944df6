"""A recorded run as the timeline, the details and the screenshots need one: old installers are deleted in Thunar."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from console.contracts.actions import ActivateApp, AnyAction, Click, DoneAction
from console.contracts.base import Value
from console.contracts.effects import EffectStatus, ObservedEffect
from console.contracts.events import (
    ActionIntended,
    ApprovalAsked,
    ApprovalGiven,
    Attempted,
    ClarifyAnswered,
    ClarifyAsked,
    Decided,
    DoneChecked,
    Noticed,
    Observed,
    PhaseChanged,
    Recorded,
    RunEnded,
    RunEvent,
    RunPhase,
    RunStarted,
    Stamp,
)
from console.contracts.geometry import Rect
from console.contracts.moves import AttemptRecord, Batch, DoneVerdict, NextActionHint
from console.contracts.operator import ClarifyAnswer, ClarifyRequest
from console.contracts.outcome import Failed, Refused, RunLimits, Succeeded
from console.contracts.receipt import AccessibilityRoute, ExecutionReceipt, NativeInputRoute
from console.contracts.safety import ApprovalDecision, ApprovalRequest, RiskAssessment, RiskLevel, Target, TargetPrint
from console.contracts.step import Step
from console.contracts.view import (
    Blocker,
    ElementState,
    OmittedCounts,
    PlanningElement,
    PlanningScreen,
    PlanningView,
    RunProgress,
    ViewBudget,
)

RUN_ID = "run-0417"
START_MS = 1_760_000_000_000
GOAL = "Clean up Downloads: keep the invoices, delete installers older than a month"
DELETE = Rect(x=935, y=486, width=174, height=52)
ROW = Rect(x=118, y=268, width=788, height=44)
ORDINARY = RiskAssessment(level=RiskLevel.ORDINARY)
DELETES = RiskAssessment(
    level=RiskLevel.DESTRUCTIVE,
    category="delete",
    reasons=("The button “Delete” deletes.", "The dialog says that the file is permanently lost."),
)
ELEMENTS = (
    PlanningElement(id="ax:1", element_type="button", label="Delete", bounds=DELETE, clickable=True),
    PlanningElement(
        id="ax:2", element_type="button", label="Cancel", bounds=Rect(x=752, y=486, width=156, height=52),
        state=ElementState(focused=True), clickable=True,
    ),
    PlanningElement(
        id="ax:3", element_type="text", label="Permanently delete “setup-2.1.run”?",
        bounds=Rect(x=570, y=366, width=420, height=26),
    ),
    PlanningElement(
        id="ax:4", element_type="row", label="setup-2.1.run", bounds=ROW, state=ElementState(selected=True)
    ),
    PlanningElement(
        id="ax:5", element_type="row", label="setup-2.0.run", bounds=Rect(x=118, y=322, width=400, height=44)
    ),
    PlanningElement(
        id="ax:6", element_type="row", label="invoice-0417.pdf", bounds=Rect(x=118, y=214, width=788, height=44)
    ),
    PlanningElement(
        id="ax:7", element_type="row", label="חשבונית 2024 — טיוטה.pdf", bounds=Rect(x=118, y=376, width=400, height=44)
    ),
    PlanningElement(
        id="ax:8", element_type="entry", label="Speicherort der heruntergeladenen Dateien", value="/home/ada/Downloads",
        bounds=Rect(x=118, y=160, width=246, height=40), settable=True,
    ),
)  # fmt: skip


class Story:
    """Stamps one event after another."""

    def __init__(self, run_id: str = RUN_ID, at_ms: int = START_MS) -> None:
        self.run_id = run_id
        self.at_ms = at_ms
        self.events: list[RunEvent] = []
        self.steps = 0
        self.turn = 0
        self.batch = ""

    def add(self, kind: type[Stamp], *, wait_ms: int = 0, **fields: Any) -> Stamp:
        self.at_ms += wait_ms
        event = kind(run_id=self.run_id, seq=len(self.events) + 1, at_ms=self.at_ms, **fields)
        self.events.append(cast("RunEvent", event))
        return event

    def started(self, goal: str = GOAL, planner: str = "instructions") -> None:
        self.add(RunStarted, goal=goal, planner=planner, limits=RunLimits(), trace_id="trace-1")

    def phase(self, phase: RunPhase, detail: str = "") -> None:
        self.add(PhaseChanged, phase=phase, detail=detail)

    def looked(self, window: str = "Downloads — Thunar", picture: str | None = "files", **more: Any) -> None:
        self.turn += 1
        self.phase(RunPhase.LOOKING)
        self.add(
            Observed, wait_ms=90, turn=self.turn, scene_id=f"scene-{self.turn}", frame_id=f"frame-{24 + self.turn}",
            view=view(window, self.steps, **more), screenshot=picture, duration_ms=90,
        )  # fmt: skip

    def planned(self, purpose: str) -> None:
        self.batch = purpose
        self.phase(RunPhase.PLANNING)
        self.add(Decided, wait_ms=4, turn=self.turn, move=Batch(purpose=purpose, steps=()), duration_ms=4)

    def intended(self, sentence: str, action: AnyAction, target: Target, risk: RiskAssessment = ORDINARY) -> str:
        self.phase(RunPhase.ACTING)
        self.steps += 1
        attempt_id = f"attempt-{self.steps}"
        self.add(
            ActionIntended, attempt_id=attempt_id, turn=self.turn, batch_purpose=self.batch, purpose=self.batch,
            action=action, sentence=sentence, risk=risk, target=target, step_number=self.steps,
        )  # fmt: skip
        return attempt_id

    def attempted(
        self, sentence: str, detail: str, status: EffectStatus = "observed", *, ms: int = 300,
        action: AnyAction | None = None, bounds: Rect = ROW, error: str | None = None,
        hint: NextActionHint | None = None, before: str | None = "files", after: str | None = "files",
        settled: bool = True,
    ) -> None:  # fmt: skip
        """One step from the intent to the receipt."""
        action = action or Click(target_id="ax:4")
        target = aimed("", bounds)
        attempt_id = self.intended(sentence, action, target)
        effect = ObservedEffect(status=status, detail=detail or None)
        self.add(
            Attempted, wait_ms=ms, attempt_id=attempt_id, turn=self.turn, batch_purpose=self.batch, sentence=sentence,
            record=AttemptRecord(
                step_purpose=self.batch, action=action, succeeded=error is None, error=error, next_action_hint=hint,
                effect=effect,
            ),
            receipt=receipt(attempt_id, effect, self.at_ms, ms, error), target=target, before=before, after=after,
            frame_id=f"frame-{24 + self.turn}", settled=settled, duration_ms=ms,
        )  # fmt: skip

    def refused(self, error: str, hint: NextActionHint | None = None, *, succeeded: bool = False) -> None:
        record = AttemptRecord(
            step_purpose="rest", action=DoneAction(summary="All tidy"), succeeded=succeeded, error=error or None,
            next_action_hint=hint,
        )  # fmt: skip
        self.add(Recorded, turn=self.turn, record=record)

    def asked(self, question: str, answer: str | None, *candidates: str) -> None:
        self.phase(RunPhase.WAITING)
        request = ClarifyRequest(request_id=f"ask-{len(self.events)}", question=question, candidates=candidates)
        self.add(ClarifyAsked, request=request)
        if answer is not None:
            reply = ClarifyAnswer(text=answer)
            self.add(ClarifyAnswered, wait_ms=41_000, request_id=request.request_id, answer=reply)

    def needs_approval(self, sentence: str = "Click “Delete” in “Delete File?”") -> ApprovalRequest:
        request = approval(f"attempt-{self.steps + 1}", self.turn, sentence)
        self.phase(RunPhase.WAITING)
        self.add(ApprovalAsked, request=request)
        return request

    def approved(self, request: ApprovalRequest, verdict: str = "approve", reason: str = "") -> None:
        decision = ApprovalDecision.model_validate({"verdict": verdict, "reason": reason})
        self.add(
            ApprovalGiven, wait_ms=2000, request_id=request.request_id, attempt_id=request.attempt_id,
            decision=decision,
        )  # fmt: skip

    def noticed(self, text: str, hint: str = "") -> None:
        self.add(Noticed, severity="warning", text=text, hint=hint)

    def checked(self, summary: str, reason: str = "") -> None:
        self.phase(RunPhase.CHECKING)
        self.add(DoneChecked, summary=summary, verdict=DoneVerdict(verified=not reason, reason=reason))

    def ended(self, end: str = "succeeded", sentence: str = "Two installers are gone; four invoices are kept.") -> None:
        outcome: Value = {
            "succeeded": Succeeded(summary=sentence),
            "failed": Failed(failing_sub_goal=sentence, failing_step=""),
            "refused": Refused(summary=sentence),
            "stopped": Failed(failing_sub_goal=sentence, failing_step=""),
        }[end]
        self.phase({"succeeded": RunPhase.DONE, "failed": RunPhase.FAILED, "refused": RunPhase.REFUSED,
                    "stopped": RunPhase.STOPPED}[end])  # fmt: skip
        self.add(RunEnded, end=end, outcome=outcome, step=Step.ok(None, {}), steps_used=self.steps, active_ms=72_000)


def view(window: str, steps: int = 0, *, app: str = "Thunar", blockers: Iterable[str] = ()) -> PlanningView:
    return PlanningView(
        goal=GOAL,
        budget=ViewBudget(),
        screen=PlanningScreen(active_app=app, window=window),
        elements=ELEMENTS,
        omitted_counts=OmittedCounts(elements=112),
        run_progress=RunProgress(steps_used=steps, max_steps=80),
        blockers=tuple(Blocker(kind="modal_dialog", description=text) for text in blockers),
    )


def aimed(label: str, bounds: Rect, window: str = "Downloads — Thunar") -> Target:
    return Target(
        print=TargetPrint(element_id="ax:1", element_type="button", label=label, window=window, app="Thunar"),
        bounds=bounds,
        point=bounds.center,
    )


def receipt(
    attempt_id: str, effect: ObservedEffect, at_ms: int, took_ms: int, error: str | None = None
) -> ExecutionReceipt:
    return ExecutionReceipt(
        receipt_id=f"receipt-{attempt_id}", run_id=RUN_ID, action_kind="click", target="ax:4",
        route=AccessibilityRoute() if error is None else NativeInputRoute(), observed_effect=effect,
        requested_at_ms=at_ms - took_ms, completed_at_ms=at_ms, duration_ms=took_ms,
        status="ok" if error is None else "failed", error=error,
    )  # fmt: skip


def approval(attempt_id: str = "attempt-6", turn: int = 5, sentence: str = "Delete “setup-2.1.run”") -> ApprovalRequest:
    return ApprovalRequest(
        request_id=f"approve-{attempt_id}", attempt_id=attempt_id, action=Click(target_id="ax:1"), sentence=sentence,
        purpose="Delete the two installers", risk=DELETES, target=aimed("Delete", DELETE, "Delete File?"),
        scene_id=f"scene-{turn}", frame_id=f"frame-{24 + turn}",
    )  # fmt: skip


def clarification() -> ClarifyRequest:
    return ClarifyRequest(
        request_id="ask-1",
        question="Which “Delete” do you mean?",
        candidates=("Delete in the row “Invoice 7 · Ada · 120 €”", "Delete in the row “Invoice 8 · Grace · 80 €”"),
    )


def waiting_run() -> list[RunEvent]:
    """Seven attempts, two batches, a question, and now an approval is asked for."""
    story = Story()
    story.started()
    story.looked("Desktop", None)
    story.planned("Open Downloads")
    story.attempted("Switch to Thunar", "window came to front", ms=200, action=ActivateApp(app_name="Thunar"))
    story.attempted("Double-click “Downloads”", "list changed, 14 rows", ms=600)
    story.looked()
    story.planned("Find old installers")
    story.attempted("Click column “Date Modified”", "", "not_checked")
    story.attempted(
        "Click “setup-2.1.run”", "", "timed_out", ms=2000, error="The row moved while clicking",
        hint=NextActionHint.DIFFERENT_TARGET,
    )  # fmt: skip
    story.refused("The rest of the batch was skipped: 1 step.")
    story.looked()
    story.attempted("Click “setup-2.1.run” in the row “9”", "row selected")
    story.asked("Which installers count as old?", "only the two in the root folder")
    story.looked("Delete File?", "dialog", blockers=("The dialog “Delete File?” is open.",))
    story.planned("Delete the two installers")
    story.needs_approval()
    return story.events


def finished_run() -> list[RunEvent]:
    """The same run to its end: approved, rejected once as not done, then done."""
    story = Story()
    story.events = waiting_run()
    story.at_ms, story.steps, story.turn = story.events[-1].at_ms, 5, 4
    story.batch = "Delete the two installers"
    asked = story.events[-1]
    assert isinstance(asked, ApprovalAsked)
    story.approved(asked.request)
    story.attempted("Click “Delete” in “Delete File?”", "dialog closed", bounds=DELETE, before="dialog")
    story.checked("Installers are gone", "“setup-2.0.run” is still there.")
    story.refused("Done was not accepted: “setup-2.0.run” is still there.", NextActionHint.DIFFERENT_ACTION)
    story.looked()
    story.attempted("Click “setup-2.0.run”", "row selected", settled=False)
    story.noticed("An app does not answer: LibreOffice.", "Its elements are left out.")
    story.checked("Installers are gone")
    story.ended()
    return story.events


def long_run(attempts: int) -> list[RunEvent]:
    """So many attempts, ten to a batch. All are copies of one, because twenty thousand take their time to check."""
    story = Story()
    story.started("A long day")
    story.looked()
    story.planned("Page")
    begin = len(story.events)
    story.attempted("Click “Row”", "row selected", before=None, after=None)
    model = story.events[begin:]
    del story.events[begin:]
    for number in range(attempts):
        words = {"attempt_id": f"attempt-{number}", "batch_purpose": f"Page {number // 10 + 1}",
                 "sentence": f"Click “Row {number + 1}”", "step_number": number + 1}  # fmt: skip
        for event in model:
            known = {name: value for name, value in words.items() if name in type(event).model_fields}
            story.events.append(event.model_copy(update={**known, "seq": len(story.events) + 1}))
    return story.events
