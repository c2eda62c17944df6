"""Events of made-up runs."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PIL import Image

from console.contracts.actions import Click, TypeText
from console.contracts.effects import ObservedEffect
from console.contracts.events import (
    ActionIntended,
    Attempted,
    Observed,
    PhaseChanged,
    RunEnded,
    RunPhase,
    RunStarted,
)
from console.contracts.geometry import Point, Rect
from console.contracts.moves import AttemptRecord
from console.contracts.outcome import Failed, Refused, RunLimits, Succeeded
from console.contracts.receipt import ExecutionReceipt, NativeInputRoute
from console.contracts.safety import RiskAssessment, RiskLevel, Target, TargetPrint
from console.contracts.step import Step
from console.contracts.view import OmittedCounts, PlanningScreen, PlanningView, ViewBudget

AT = 1_700_000_000_000
TARGET = Target(
    print=TargetPrint(element_id="b1", element_type="button", label="Save"),
    bounds=Rect(x=20, y=30, width=60, height=20),
    point=Point(x=50, y=40),
)
SECRET = Target(print=TargetPrint(element_id="p1", element_type="password"), protected=True)


def stamp(seq: int, run_id: str = "r1", **fields: Any) -> dict[str, Any]:
    return {"run_id": run_id, "seq": seq, "at_ms": AT + seq * 1000, **fields}


def started(seq: int = 1, run_id: str = "r1", goal: str = "Save the file", **fields: Any) -> RunStarted:
    limits = RunLimits()
    return RunStarted(
        **{**stamp(seq, run_id), "goal": goal, "planner": "instructions", "limits": limits, "trace_id": "t", **fields}
    )


def phase(seq: int, phase: RunPhase = RunPhase.PLANNING, run_id: str = "r1") -> PhaseChanged:
    return PhaseChanged(**stamp(seq, run_id), phase=phase)


def intended(seq: int, run_id: str = "r1", **fields: Any) -> ActionIntended:
    return ActionIntended(
        **{
            **stamp(seq, run_id),
            "attempt_id": f"a{seq}",
            "turn": 1,
            "batch_purpose": "save",
            "purpose": "save",
            "action": Click(target_id="b1"),
            "sentence": "Click “Save”",
            "risk": RiskAssessment(level=RiskLevel.ORDINARY),
            "target": TARGET,
            "step_number": 1,
            **fields,
        }
    )


def attempted(seq: int, run_id: str = "r1", **fields: Any) -> Attempted:
    return Attempted(
        **{
            **stamp(seq, run_id),
            "attempt_id": f"a{seq - 1}",
            "turn": 1,
            "batch_purpose": "save",
            "sentence": "Click “Save”",
            "record": AttemptRecord(step_purpose="save", action=Click(target_id="b1"), succeeded=True),
            "target": TARGET,
            "duration_ms": 340,
            **fields,
        }
    )


def observed(seq: int, run_id: str = "r1", **fields: Any) -> Observed:
    view = PlanningView(
        goal="Save the file",
        budget=ViewBudget(),
        screen=PlanningScreen(active_app="Mousepad"),
        elements=(),
        omitted_counts=OmittedCounts(),
    )
    return Observed(
        **{
            **stamp(seq, run_id),
            "turn": 1,
            "scene_id": "s1",
            "frame_id": "f1",
            "view": view,
            "duration_ms": 5,
            **fields,
        }
    )


def typed(seq: int, text: str, run_id: str = "r1") -> Attempted:
    """An attempt at a password field that somebody forgot to mask."""
    record = AttemptRecord(step_purpose="log in", action=TypeText(target_id="p1", text=text), succeeded=True)
    return attempted(seq, run_id, record=record, target=SECRET, sentence=f"Type “{text}”")


def ended(
    seq: int, end: str = "succeeded", run_id: str = "r1", summary: str = "It is saved", **fields: Any
) -> RunEnded:
    outcome: Any = {
        "succeeded": Succeeded(summary=summary),
        "failed": Failed(failing_sub_goal=summary, failing_step="click"),
        "refused": Refused(summary=summary),
        "stopped": Failed(failing_sub_goal=summary, failing_step="<stopped>"),
    }[end]
    step = Step.ok({"total": 42}, {}) if end == "succeeded" else Step.error(end, summary, {})
    return RunEnded(**{**stamp(seq, run_id), "end": end, "outcome": outcome, "step": step, "active_ms": 900, **fields})


def receipt(**fields: Any) -> ExecutionReceipt:
    return ExecutionReceipt(
        **{
            "receipt_id": "x",
            "action_kind": "click",
            "route": NativeInputRoute(),
            "observed_effect": ObservedEffect(status="observed", detail="The title changed."),
            "requested_at_ms": AT,
            "completed_at_ms": AT + 1,
            "duration_ms": 1,
            "status": "ok",
            **fields,
        }
    )


def picture(colour: str = "navy", size: tuple[int, int] = (1280, 800), kind: str = "JPEG") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, kind)
    return out.getvalue()


def other_process(code: str, *args: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """Python that has said one line; it is asked to go on by a line, or killed."""
    pipe = subprocess.PIPE
    other = subprocess.Popen([sys.executable, "-c", code, *args], env=env, stdin=pipe, stdout=pipe)
    assert other.stdout is not None
    assert other.stdout.readline()
    return other


def files_below(folder: Path, pattern: str = "*") -> list[Path]:
    return sorted(path for path in folder.rglob(pattern) if path.is_file())
