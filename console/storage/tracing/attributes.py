"""What of an event stands in a span: names, kinds, numbers and codes always, texts only where they are asked for."""

from __future__ import annotations

import json
from typing import Any

from console.contracts.actions import AnyAction, Custom
from console.contracts.events import (
    ActionIntended,
    ApprovalAsked,
    ApprovalGiven,
    Attempted,
    ChecklistChanged,
    ClarifyAnswered,
    ClarifyAsked,
    Decided,
    DoneChecked,
    ModelCalled,
    ModelWaits,
    Noticed,
    Observed,
    PhaseChanged,
    Recorded,
    RunEnded,
    RunEvent,
    RunStarted,
    VerifyAnswered,
    VerifyAsked,
)
from console.contracts.model_use import ModelCall
from console.contracts.moves import Batch
from console.contracts.step import Step

from .span import Attributes

OWN = "operator_console."
LONGEST = 4000
# The names that the GenAI conventions give to providers, where they are not ours.
_PROVIDERS = {"google": "gcp.gemini", "openai_chat": "openai"}


def attributes_of(event: RunEvent, *, texts: bool) -> Attributes:
    """Without what is not known; a text is cut to a bounded length."""
    found = _facts(event) | (_texts(event) if texts else {})
    return {_named(name): _short(value) for name, value in found.items() if value is not None and value != ""}


def tool_name(action: AnyAction) -> str:
    """`click`, or `adapter.action`."""
    return f"{action.adapter}.{action.action}" if isinstance(action, Custom) else str(action.type)


def model_name(call: ModelCall) -> tuple[str, str]:
    """The provider, by its name in the conventions, and the model."""
    provider, _, model = call.model.partition(":")
    return (_PROVIDERS.get(provider, provider), model) if model else ("", provider)


def _named(name: str) -> str:
    return name if name.startswith("gen_ai.") else OWN + name


def _short(value: Any) -> Any:
    return value if not isinstance(value, str) or len(value) <= LONGEST else value[: LONGEST - 1] + "…"


def _facts(event: RunEvent) -> dict[str, Any]:
    match event:
        case RunStarted():
            agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "operator-console"}
            begun = {"run.id": event.run_id, "planner": event.planner, "resumed": event.resumed_from is not None}
            return {**agent, **begun, "limits.steps": event.limits.max_steps, "limits.ms": event.limits.timeout_ms}
        case Observed():
            left_out = sum(count or 0 for count in event.view.omitted_counts.model_dump().values())
            seen = {"elements": len(event.view.elements), "elements.left_out": left_out}
            return {"turn": event.turn, "scene.id": event.scene_id, **seen}
        case Decided():
            steps = len(event.move.steps) if isinstance(event.move, Batch) else None
            return {"turn": event.turn, "move": event.move.kind, "steps": steps}
        case ModelCalled():
            return _of_call(event.call)
        case ActionIntended():
            return {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": tool_name(event.action),
                "gen_ai.tool.call.id": event.attempt_id,
                "turn": event.turn,
                "risk": event.risk.level.value,
                "risk.category": event.risk.category,
                "step_number": event.step_number,
                "program": event.program,
            }
        case Attempted():
            return _of_attempt(event)
        case RunEnded():
            ended = {"end": event.end, "unverified": event.unverified, "denied": event.denied}
            return {**ended, "steps_used": event.steps_used, "active_ms": event.active_ms, **_of_step(event.step)}
        case _:
            return _asides(event)


def _asides(event: RunEvent) -> dict[str, Any]:
    """Of what is asked, answered and told beside the work."""
    match event:
        case ApprovalAsked():
            risk = event.request.risk
            asked = {"gen_ai.tool.name": tool_name(event.request.action), "risk": risk.level.value}
            return {**asked, "risk.category": risk.category, "changed_since_asked": event.request.changed_since_asked}
        case ApprovalGiven() | VerifyAnswered():
            return {"verdict": event.decision.verdict}
        case ClarifyAsked():
            return {"candidates": len(event.request.candidates)}
        case ClarifyAnswered():
            return {"declined": event.answer.declined, "secret": event.answer.secret}
        case DoneChecked():
            return {"verified": event.verdict.verified if event.verdict else None}
        case ModelWaits():
            return {"seconds": event.wait.seconds, "attempt": event.wait.attempt, "attempts": event.wait.attempts}
        case Recorded():
            return {"turn": event.turn, "succeeded": event.record.succeeded, "steps_charged": event.steps_charged}
        case ChecklistChanged():
            return {"done": sum(item.done for item in event.items), "items": len(event.items)}
        case Noticed():
            return {"severity": event.severity}
        case _:
            return {}


def _of_call(call: ModelCall) -> dict[str, Any]:
    provider, model = model_name(call)
    first = None if call.first_word_ms is None else call.first_word_ms / 1000
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": model,
        "gen_ai.usage.input_tokens": call.input_tokens,
        "gen_ai.usage.output_tokens": call.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": call.cache_read_tokens,
        "gen_ai.response.time_to_first_chunk": first,
        "cost_usd": call.cost_usd,
        "purpose": call.purpose,
        "request_bytes": call.request_bytes,
    }


def _of_attempt(event: Attempted) -> dict[str, Any]:
    receipt, effect = event.receipt, event.record.effect
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool_name(event.record.action),
        "gen_ai.tool.call.id": event.attempt_id,
        "turn": event.turn,
        "succeeded": event.record.succeeded,
        "status": receipt.status if receipt else None,
        "route": receipt.route.route if receipt else None,
        "effect": effect.status if effect else None,
        "settled": event.settled,
        "duration_ms": event.duration_ms,
        **(_of_step(event.step) if event.step else {}),
    }


def _of_step(step: Step) -> dict[str, Any]:
    """The counts of a Step, and its own trace id, by which the JSON lines tell of it."""
    usage = step.usage
    return {
        "step.trace_id": step.trace_id,
        "step.parent_trace_id": step.parent_trace_id,
        "step.name": step.name,
        "step.turns": len(step.turns) if step.turns is not None else None,
        "step.tool_calls": len(step.tool_calls),
        "step.child_steps": len(step.child_steps),
        "step.memory_bytes": usage.memory_bytes if usage else None,
        "step.cost_usd": usage.cost_usd if usage else None,
    }


def _texts(event: RunEvent) -> dict[str, Any]:
    match event:
        case RunStarted():
            return {"goal": event.goal}
        case Observed():
            return {"app": event.view.screen.active_app, "window": event.view.screen.window}
        case ModelCalled():
            return {"words": event.call.words}
        case ActionIntended():
            arguments = event.action.model_dump_json(exclude={"type"})
            return {"gen_ai.tool.call.arguments": arguments, "purpose": event.purpose, "sentence": event.sentence}
        case Attempted():
            data = event.record.data
            result = None if data is None else json.dumps(data, ensure_ascii=False)
            return {"gen_ai.tool.call.result": result, "sentence": event.sentence}
        case PhaseChanged():
            return {"reason": event.detail}
        case Decided() | Recorded() | Noticed() | RunEnded() | ModelWaits():
            return {"sentence": event.headline()}
        case _:
            return _asked_and_answered(event)


def _asked_and_answered(event: RunEvent) -> dict[str, Any]:
    match event:
        case ApprovalAsked():
            return {"sentence": event.request.sentence, "purpose": event.request.purpose}
        case ApprovalGiven() | VerifyAnswered():
            return {"reason": event.decision.reason}
        case ClarifyAsked():
            return {"question": event.request.question}
        case ClarifyAnswered():
            return {"answer": None if event.answer.secret else event.answer.text}
        case VerifyAsked():
            return {"summary": event.request.summary, "problem": event.request.problem}
        case DoneChecked():
            return {"summary": event.summary, "reason": event.verdict.reason if event.verdict else event.problem}
        case _:
            return {}
