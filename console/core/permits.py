"""Issues permits and takes them back: each is good once, for a short time, for exactly what it names."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from console.contracts.actions import AnyAction
from console.contracts.errors import PermitVoid
from console.contracts.safety import Permit, TargetPrint

LIFETIME_S = 15.0


class PermitBook:
    """The only place that makes permits. The gate issues, the desktop redeems."""

    def __init__(self, now: Callable[[], float] = time.monotonic, lifetime_s: float = LIFETIME_S) -> None:
        self._now = now
        self._lifetime_s = lifetime_s
        self._open: dict[str, Permit] = {}

    def issue(self, action: AnyAction, target: TargetPrint, scene_id: str, *, approved: bool) -> Permit:
        issued_at = self._now()
        permit = Permit(
            id=secrets.token_hex(8),
            action=action,
            target=target,
            scene_id=scene_id,
            issued_at=issued_at,
            expires_at=issued_at + self._lifetime_s,
            approved=approved,
        )
        self._open = {key: p for key, p in self._open.items() if p.expires_at > issued_at}
        self._open[permit.id] = permit
        return permit

    def redeem(self, permit: Permit, action: AnyAction, target: TargetPrint) -> None:
        """Use it up. Raises `PermitVoid` if it is unknown, used, expired or covers something else."""
        issued = self._open.pop(permit.id, None)
        if issued is None or issued != permit:
            raise PermitVoid("This action has no valid permit.", "It has to be approved again.")
        if self._now() >= issued.expires_at:
            raise PermitVoid("The permit has expired.", "It has to be approved again.")
        if issued.action != action:
            raise PermitVoid("The action is not the one that was approved.", "It has to be approved again.")
        if issued.target != target:
            raise PermitVoid(
                f"The target has changed: {_difference(issued.target, target)}.", "It has to be approved again."
            )

    def void_all(self) -> None:
        """Forget every open permit, as Stop does."""
        self._open.clear()


def _difference(was: TargetPrint, now: TargetPrint) -> str:
    names = {"element_type": "kind", "window_id": "window", "scene_words": "text of the dialog"}
    changed = [
        names.get(field, field) for field in TargetPrint.model_fields if getattr(was, field) != getattr(now, field)
    ]
    return ", ".join(dict.fromkeys(changed))
