"""The approval card: what will happen, where, why it is risky, and the four answers."""

from __future__ import annotations

import json
import re

from pydantic import ValidationError
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from console.contracts.actions import ACTION
from console.contracts.geometry import Rect
from console.contracts.safety import ApprovalDecision, ApprovalRequest

from ..flow import FlowLayout
from ..theme import mono_font, theme
from .card import Card

_PLACE = re.compile(r"^\[[^\]]*\]\s*")
CROP_WIDTH, CROP_HEIGHT, AROUND = 168, 104, 36


class ApprovalCard(Card):
    """Default deny: Esc denies, and going away denies."""

    def __init__(self, request: ApprovalRequest, picture: QImage | None = None, parent: QWidget | None = None) -> None:
        super().__init__("warn", f"{request.sentence}?", explanation(request), parent)
        self.request = request
        self.crop = Crop(self)
        self.crop.setVisible(request.target.bounds is not None)
        if picture is not None:
            self.show_picture(picture)
        self._reason = QLineEdit(self)
        self._reason.setPlaceholderText("Why not? The planner reads it (may stay empty)")
        self._reason.setAccessibleName("Reason for the denial")
        self._reason.returnPressed.connect(self._deny)
        self._editor = QPlainTextEdit(self)
        self._editor.setFont(mono_font())
        self._editor.setAccessibleName("The action as JSON")
        self._editor.setMaximumHeight(140)
        self._problem = QLabel("", self)
        self._problem.setProperty("kind", "warn")
        self._problem.setWordWrap(True)
        for widget in (self._reason, self._editor, self._problem):
            widget.hide()
        self._lay_out()

    def show_picture(self, picture: QImage) -> None:
        """The picture that the step was planned on; the crop of the target is made from it."""
        if self.request.target.bounds is not None:
            self.crop.show_target(picture, self.request.target.bounds)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(14)
        top.addWidget(self.crop, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self.title)
        words.addWidget(self.text)
        words.addStretch(1)
        top.addLayout(words, 1)
        self.body.addLayout(top)
        for widget in (self._reason, self._editor, self._problem):
            self.body.addWidget(widget)
        self._approve = self.button("Approve once", "Ctrl+Return", self._approve_once, "primary", patient=True)
        self._kind = self.button("Approve this kind for this run", "", self._approve_kind, patient=True)
        self._edit = self.button("Edit…", "", self._begin_edit)
        self._no = self.button("Deny…", "Esc", self._deny_or_ask)
        for buttons in ((self._approve, self._kind), (self._no, self._edit)):
            self.body.addLayout(FlowLayout(*buttons))

    def _approve_once(self) -> None:
        if self._editor.isVisible():
            self._send_edit()
        else:
            self.answer(ApprovalDecision(verdict="approve"))

    def _approve_kind(self) -> None:
        self.answer(ApprovalDecision(verdict="approve_kind"))

    def _deny_or_ask(self) -> None:
        """The first time it asks for a reason, the second time it denies without one."""
        if self._reason.isVisible():
            self._deny()
            return
        self._reason.show()
        self._reason.setFocus()
        self._no.setText("Deny   Esc")

    def _deny(self) -> None:
        self.answer(ApprovalDecision(verdict="deny", reason=self._reason.text().strip()))

    def _begin_edit(self) -> None:
        shown = self.request.action.model_dump(mode="json")
        self._editor.setPlainText(json.dumps(shown, indent=2, ensure_ascii=False))
        self._editor.show()
        self._editor.setFocus()
        self._kind.hide()
        self._edit.hide()
        self._approve.setText("Approve as edited   Ctrl+↵")

    def _send_edit(self) -> None:
        try:
            edited = ACTION.validate_json(self._editor.toPlainText())
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            self._problem.setText(f"This is no action: {place + ': ' if place else ''}{first['msg']}.")
            self._problem.show()
            return
        self.answer(ApprovalDecision(verdict="edit", edited=edited))


class Crop(QWidget):
    """The target with a little of what is around it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedSize(CROP_WIDTH, CROP_HEIGHT)
        self.setAccessibleName("The target on the screen")
        self._image: QImage | None = None
        self._box = QRectF()

    def show_target(self, picture: QImage, bounds: Rect) -> None:
        scale = min(1.0, CROP_WIDTH / (bounds.width + 2 * AROUND), CROP_HEIGHT / (bounds.height + 2 * AROUND))
        width, height = CROP_WIDTH / scale, CROP_HEIGHT / scale
        center = bounds.center
        left, top = center.x - width / 2, center.y - height / 2
        area = QRectF(left, top, width, height).toRect()
        self._image = picture.copy(area)
        self._box = QRectF(
            (bounds.x - left) * scale, (bounds.y - top) * scale, bounds.width * scale, bounds.height * scale
        )
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(self.rect(), QColor(theme.tokens.canvas))
        if self._image is not None:
            painter.drawImage(QRectF(self.rect()), self._image)
            painter.setPen(QPen(QColor(192, 54, 44), 2.5))
            painter.drawRoundedRect(self._box.adjusted(-2, -2, 2, 2), 4, 4)
        painter.setPen(QPen(QColor(theme.tokens.line), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


def explanation(request: ApprovalRequest) -> str:
    """Why it is asked, in sentences."""
    app = request.target.print.app
    lines = [f"The agent wants to do this in {app}." if app else "The agent wants to do this."]
    purpose = _PLACE.sub("", request.purpose)
    if purpose and purpose not in request.sentence:
        lines.append(f"It is for: {purpose}.")
    reasons = " ".join(request.risk.reasons)
    lines.append(f"Asked because: {reasons}" if reasons else "Asked because your settings say so.")
    if request.changed_since_asked:
        lines.insert(0, "The target has changed since you were asked.")
    return " ".join(lines)
