"""The receipt tab: how an action was done, in words."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from console.contracts.events import ApprovalAsked, Attempted

from ..run_model import Row


class ReceiptTab(QScrollArea):
    """Key and value for each thing that is known of a row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.rows: list[tuple[str, str]] = []
        self.show_row(None)

    def show_row(self, row: Row | None) -> None:
        self.rows = facts(row)
        page = QWidget()
        page.setObjectName("column")
        outer = QVBoxLayout(page)
        outer.setContentsMargins(14, 10, 14, 10)
        form = QFormLayout()
        form.setHorizontalSpacing(10)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for name, text in self.rows:
            value = QLabel(text, page)
            value.setTextFormat(Qt.TextFormat.PlainText)
            value.setWordWrap(True)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            title = QLabel(name, page)
            title.setProperty("kind", "muted")
            form.addRow(title, value)
        outer.addLayout(form)
        outer.addStretch(1)
        self.setWidget(page)


def facts(row: Row | None) -> list[tuple[str, str]]:
    """What to say about a row; empty values are left out."""
    if row is None or row.event is None:
        return [("", "Choose an attempt in the timeline.")]
    event = row.event
    found = [("What", row.title), ("Came to", row.detail), ("At", row.clock)]
    if isinstance(event, ApprovalAsked):
        found += [("Risk", "\n".join(event.request.risk.reasons)), ("Purpose", event.request.purpose)]
    if row.intent is not None:
        risk = row.intent.risk
        found += [
            ("Purpose", row.intent.purpose),
            ("Risk", " ".join((risk.level.value, risk.category, *risk.reasons)).strip()),
        ]
    if isinstance(event, Attempted):
        found += _of_attempt(event)
    return [(name, text) for name, text in found if text]


def _of_attempt(event: Attempted) -> list[tuple[str, str]]:
    found = [
        ("Took", f"{event.duration_ms} ms"),
        ("Came to rest", "yes" if event.settled else "no, it was still moving"),
    ]
    receipt = event.receipt
    if receipt is not None:
        effect = receipt.observed_effect
        route = receipt.route.model_dump()
        way = " ".join(str(part).replace("_", " ") for part in route.values())
        found += [
            ("Way", way),
            ("Effect", effect.words() + (f": {effect.detail}" if effect.detail else "")),
            ("Status", receipt.status),
        ]
    target = event.target
    if target is not None and target.point is not None:
        found.append(("Point", f"{target.point.x}, {target.point.y}"))
    if event.record.data is not None:
        found.append(("Data", str(event.record.data)))
    return found
