"""Decides which steps wait for the operator, and remembers what was approved for the whole run."""

from __future__ import annotations

from console.contracts.actions import AnyAction, Custom
from console.contracts.safety import RiskAssessment, RiskLevel, Target
from console.contracts.settings import SafetySettings

_ASKED = {
    "destructive": frozenset({RiskLevel.DESTRUCTIVE}),
    "every_change": frozenset({RiskLevel.DESTRUCTIVE, RiskLevel.ORDINARY}),
    "everything": frozenset({RiskLevel.DESTRUCTIVE, RiskLevel.ORDINARY, RiskLevel.HARMLESS}),
}
Grant = tuple[str, str, str]


class Policy:
    """The rule of the settings and the grants of one run."""

    def __init__(self, settings: SafetySettings | None = None) -> None:
        self._asked = _ASKED[(settings or SafetySettings()).ask_for]
        self._grants: set[Grant] = set()

    def must_ask(self, action: AnyAction, risk: RiskAssessment, target: Target) -> bool:
        return risk.level in self._asked and grant_of(action, risk, target) not in self._grants

    def grant(self, action: AnyAction, risk: RiskAssessment, target: Target) -> None:
        """Later steps of this kind, category and application pass without a question in this run."""
        self._grants.add(grant_of(action, risk, target))


def grant_of(action: AnyAction, risk: RiskAssessment, target: Target) -> Grant:
    """What “this kind” means: the same kind of action with the same consequence in the same application; of a tool box,
    the same tool."""
    place = f"{action.adapter}.{action.action}" if isinstance(action, Custom) else target.print.app
    return (action.type, risk.category, place)
