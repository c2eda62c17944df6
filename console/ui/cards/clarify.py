"""The Clarify card: a question with its candidates as buttons, and free words."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QCheckBox, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from console.contracts.operator import ClarifyAnswer, ClarifyRequest, VerifyDecision, VerifyRequest

from ..flow import FlowLayout
from .card import Card

KEYS = 9
TALLEST = 220


class ClarifyCard(Card):
    """An empty answer is no answer; going away declines."""

    def __init__(self, request: ClarifyRequest, parent: QWidget | None = None) -> None:
        hint = (
            "Choose one, or say it in your own words. Nothing is done until you answer."
            if request.candidates
            else "Nothing is done until you answer."
        )
        super().__init__("ask", asked(request), hint, parent)
        self.request = request
        self.body.addWidget(self.title)
        self.body.addWidget(self.text)
        if request.candidates:
            self.body.addWidget(self._choices(request.candidates))
        self.words = QLineEdit(self)
        self.words.setPlaceholderText("Or say it in your own words…" if request.candidates else "Your answer…")
        self.words.setAccessibleName("Your answer")
        self.words.returnPressed.connect(self._answer)
        self._secret = QCheckBox("Secret", self)
        self._secret.setToolTip("Keep the answer out of the records of the run")
        self._secret.toggled.connect(self._hide_words)
        self._send = self.button("Answer", "Ctrl+Return", self._answer, "primary")
        self._send.setEnabled(False)
        self.words.textChanged.connect(self._judge_words)
        end = self.button("End the run", "", self._decline)
        self.body.addLayout(FlowLayout(self.words, self._secret, self._send, end))
        self.setFocusProxy(self.words)

    def _choices(self, candidates: tuple[str, ...]) -> QWidget:
        inner = QWidget(self)
        layout = QVBoxLayout(inner)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        for number, text in enumerate(candidates, 1):
            key = f"Alt+{number}" if number <= KEYS else ""
            button = self.button(f"{number}   {text}", key, partial(self._choose, text), "choice")
            button.setAccessibleName(text)
            layout.addWidget(button)
        if inner.sizeHint().height() <= TALLEST:
            return inner
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setWidget(inner)
        area.setFixedHeight(TALLEST)
        return area

    def _choose(self, text: str) -> None:
        self.answer(ClarifyAnswer(text=text))

    def _judge_words(self, text: str) -> None:
        self._send.setEnabled(bool(text.strip()))

    def _hide_words(self, on: bool) -> None:
        self.words.setEchoMode(QLineEdit.EchoMode.Password if on else QLineEdit.EchoMode.Normal)

    def _decline(self) -> None:
        self.answer(ClarifyAnswer(declined=True))

    def _answer(self) -> None:
        text = self.words.text().strip()
        if text:
            self.answer(ClarifyAnswer(text=text, secret=self._secret.isChecked()))


def asked(request: ClarifyRequest) -> str:
    """The question; the candidates that it lists stand on the buttons already."""
    lines = request.question.splitlines()
    listed = {f"• {candidate}" for candidate in request.candidates}
    return "\n".join(line for line in lines if line.strip() not in listed)


class VerifyCard(Card):
    """Nobody else could check a Done: is it done?"""

    def __init__(self, request: VerifyRequest, parent: QWidget | None = None) -> None:
        text = f"The planner says: {request.summary} It could not be checked: {request.problem}."
        super().__init__("ask", "Is it done?", text, parent)
        self.request = request
        self.body.addWidget(self.title)
        self.body.addWidget(self.text)
        row = FlowLayout()
        for words, key, verdict, kind in (
            ("Yes, it is done", "Alt+1", "accept", "primary"),
            ("No, go on", "Alt+2", "reject", ""),
            ("I cannot tell", "Alt+3", "unverified", ""),
        ):
            decision = VerifyDecision.model_validate({"verdict": verdict})
            row.addWidget(self.button(words, key, partial(self.answer, decision), kind))
        self.body.addLayout(row)
