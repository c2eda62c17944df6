"""The receipt tab: how an action was done, in words."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from console.contracts.events import ApprovalAsked, Attempted, ModelCalled
from console.contracts.model_use import ModelCall

from ..rows import Row
from ..theme import theme

AIR = 8
PURPOSES = {
    "decide": "the next move",
    "repair": "the move again, since the answer could not be used",
    "verify": "whether the goal is reached",
    "mission": "the next program of a mission",
    "test": "a test",
}


class ReceiptTab(QTableWidget):
    """Key and value for each thing that is known of a row; made when it is looked at."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, 2, parent)
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContentsMargins(10, 8, 10, 8)
        self.setAccessibleName("Receipt")
        self.rows: list[tuple[str, str]] = []
        self._dirty = False
        self.show_row(None)

    def show_row(self, row: Row | None) -> None:
        self.rows, self._dirty = facts(row), True
        if self.isVisible():
            self._fill()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._dirty:
            self._fill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As high as the words need, with some air."""
        self.resizeRowsToContents()
        for place in range(self.rowCount()):
            self.setRowHeight(place, self.sizeHintForRow(place) + AIR)

    def _fill(self) -> None:
        self._dirty = False
        self.setRowCount(len(self.rows))
        for place, (name, text) in enumerate(self.rows):
            title, value = QTableWidgetItem(name), QTableWidgetItem(text)
            title.setForeground(QColor(theme.tokens.muted))
            for item in (title, value):
                item.setTextAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
                item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            self.setItem(place, 0, title)
            self.setItem(place, 1, value)
        self._fit()


def facts(row: Row | None) -> list[tuple[str, str]]:
    """What to say about a row; empty values are left out."""
    if row is None or row.event is None:
        return [("", "Choose an attempt in the timeline.")]
    event = row.event
    found = [("What", row.title), ("Outcome", row.detail), ("At", row.clock)]
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
    if isinstance(event, ModelCalled):
        found += _of_call(event.call)
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


def _of_call(call: ModelCall) -> list[tuple[str, str]]:
    """What one call of a model was, took and cost."""
    first = f"{call.first_word_ms / 1000:.1f} s" if call.first_word_ms is not None else ""
    cached = f" ({call.cache_read_tokens:,} of them from the cache)" if call.cache_read_tokens else ""
    return [
        ("It said", call.words),
        ("Model", call.model),
        ("Asked for", PURPOSES[call.purpose]),
        ("Took", f"{call.latency_ms / 1000:.1f} s"),
        ("First word", first),
        ("Tokens in", f"{call.input_tokens:,}{cached}" if call.input_tokens is not None else ""),
        ("Tokens out", f"{call.output_tokens:,}" if call.output_tokens is not None else ""),
        ("Cost", f"${call.cost_usd:.4f}" if call.cost_usd is not None else "not known" if call.tokens else ""),
        ("Request", f"{call.request_bytes / 1000:,.0f} kB" if call.request_bytes else ""),
    ]
