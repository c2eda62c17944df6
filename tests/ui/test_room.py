"""Where there is little room: words are shortened, buttons go on in the next line, nothing is cut."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from console.contracts.events import RunPhase
from console.contracts.operator import ClarifyRequest, VerifyRequest
from console.ui.bar import CompactBar
from console.ui.cards.approval import ApprovalCard
from console.ui.cards.card import Card
from console.ui.cards.clarify import ClarifyCard, VerifyCard
from console.ui.flow import FlowLayout

from .sample_events import approval

LONG = "Delete in the row “Invoice 8, due on the third of November” of the table of a company with a long name"


def cards() -> dict[str, Card]:
    return {
        "approval": ApprovalCard(approval()),
        "clarify": ClarifyCard(ClarifyRequest(request_id="r", question="Which?", candidates=(LONG, "B & C"))),
        "verify": VerifyCard(VerifyRequest(request_id="r", summary="All is tidy.", problem="no answer")),
    }


@pytest.mark.parametrize("kind", ["approval", "clarify", "verify"])
@pytest.mark.parametrize("width", [330, 420, 700])
def test_no_button_of_a_card_stands_out_or_lies_on_another(kind: str, width: int, qtbot: QtBot) -> None:
    card = cards()[kind]
    qtbot.addWidget(card)
    card.resize(width, card.layout().totalHeightForWidth(width))
    with qtbot.waitExposed(card):
        card.show()
    buttons = [button for button in card.findChildren(QPushButton) if button.isVisible()]
    places = [
        button.geometry().translated(button.parentWidget().mapTo(card, button.pos()) - button.pos())
        for button in buttons
    ]
    assert all(card.rect().contains(place) for place in places), places
    assert not any(a.intersects(b) for n, a in enumerate(places) for b in places[:n])
    assert all(place.height() >= button.sizeHint().height() for place, button in zip(places, buttons, strict=True))


def test_a_long_candidate_keeps_its_key_and_says_the_rest_in_its_tip(qtbot: QtBot) -> None:
    card = cards()["clarify"]
    qtbot.addWidget(card)
    card.resize(420, 300)
    card.show()
    long, short = (b for b in card.findChildren(QPushButton) if "Delete" in b.text() or "B &&" in b.text())
    assert LONG in long.toolTip()
    assert short.text() == "2   B && C   Alt+2"
    assert long.text().endswith("Alt+1")


def test_a_flow_goes_on_in_the_next_line(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    field, *others = QLineEdit(page), QPushButton("One", page), QPushButton("Two", page), QPushButton("Three", page)
    others[2].hide()
    flow = FlowLayout(field, *others)
    page.setLayout(flow)
    wide = flow.sizeHint().width()
    page.resize(wide + 100, 100)
    page.show()
    assert field.width() == field.sizeHint().width() + 100, "what expands takes what is left"
    assert others[0].y() == others[1].y()
    page.resize(wide - 20, 100)
    qtbot.waitUntil(lambda: others[1].y() > others[0].y())
    assert flow.heightForWidth(wide - 20) > flow.heightForWidth(wide)
    assert flow.takeAt(0) is not None
    assert flow.takeAt(7) is None
    assert flow.itemAt(7) is None


def test_the_sentence_of_the_bar_is_shortened_and_its_tip_has_it_all(qtbot: QtBot) -> None:
    bar = CompactBar()
    qtbot.addWidget(bar)
    bar.show_phase(RunPhase.ACTING)
    sentence, purpose = f"Click “{LONG}”", f"Instruction 1 of 2: {LONG} · step 1"
    bar.show_step(sentence, purpose)
    bar.come_up()
    for label, words in ((bar.sentence, sentence), (bar.purpose, purpose)):
        qtbot.waitUntil(lambda label=label: label.text().endswith("…"))
        assert label.fontMetrics().horizontalAdvance(label.text()) <= label.width()
        assert words in label.toolTip()
    bar.show_step("Click “A”", "step 2")
    assert (bar.sentence.text(), bar.sentence.toolTip()) == ("Click “A”", "")
