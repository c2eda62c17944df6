"""A permit is good once, soon, and for exactly what it names."""

from __future__ import annotations

import pytest

from console.contracts.actions import Click
from console.contracts.errors import PermitVoid
from console.contracts.safety import Permit, TargetPrint
from console.core.permits import PermitBook

CLICK = Click(target_id="ax:1")
TARGET = TargetPrint(element_id="ax:1", label="Delete", window="Files")


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def book(clock: Clock) -> PermitBook:
    return PermitBook(clock, lifetime_s=10)


def test_it_is_taken_once(book: PermitBook) -> None:
    permit = book.issue(CLICK, TARGET, "s1", approved=True)
    book.redeem(permit, CLICK, TARGET)
    with pytest.raises(PermitVoid, match="no valid permit"):
        book.redeem(permit, CLICK, TARGET)


def test_it_expires(book: PermitBook, clock: Clock) -> None:
    permit = book.issue(CLICK, TARGET, "s1", approved=True)
    clock.now += 10
    with pytest.raises(PermitVoid, match="expired"):
        book.redeem(permit, CLICK, TARGET)


def test_a_forged_or_altered_permit_is_worth_nothing(book: PermitBook) -> None:
    permit = book.issue(CLICK, TARGET, "s1", approved=False)
    with pytest.raises(PermitVoid, match="no valid permit"):
        book.redeem(permit.model_copy(update={"approved": True}), CLICK, TARGET)
    forged = Permit(id="x", action=CLICK, target=TARGET, scene_id="s1", issued_at=0, expires_at=1e9)
    with pytest.raises(PermitVoid, match="no valid permit"):
        book.redeem(forged, CLICK, TARGET)


def test_it_covers_only_its_action_and_its_target(book: PermitBook) -> None:
    with pytest.raises(PermitVoid, match="not the one that was approved"):
        book.redeem(book.issue(CLICK, TARGET, "s1", approved=True), Click(target_id="ax:2"), TARGET)
    moved = TARGET.model_copy(update={"label": "Cancel", "window_id": 5, "scene_words": "gone"})
    with pytest.raises(PermitVoid, match="The target has changed: label, window, text of the dialog"):
        book.redeem(book.issue(CLICK, TARGET, "s1", approved=True), CLICK, moved)


def test_all_can_be_voided(book: PermitBook) -> None:
    permit = book.issue(CLICK, TARGET, "s1", approved=True)
    book.void_all()
    with pytest.raises(PermitVoid):
        book.redeem(permit, CLICK, TARGET)
