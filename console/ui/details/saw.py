"""The first tab: the view as the planner saw it, and how much of the budget is used."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHeaderView,
    QLabel,
    QProgressBar,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from console.contracts.events import Observed

from ..elided import ElidedLabel
from ..run_model import RunModel
from .elements import elements_model

EMPTY = "The app, the window and the elements that the planner was shown stand here, once it has looked."


class SawTab(QWidget):
    """Says which element is looked at, so that the screen can show it."""

    element_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._seen: Observed | None = None
        self._pages = QStackedWidget(self)
        self._facts = QGridLayout()
        self._facts.setHorizontalSpacing(10)
        self._facts.setVerticalSpacing(3)
        self._facts.setColumnStretch(1, 1)
        self._lines: dict[str, QLabel] = {}
        for place, name in enumerate(("App", "Window", "Attention", "Elements")):
            self._lines[name] = self._fact(place, name)
        self.model = elements_model(self)
        self.table = QTableView(self)
        self.table.setModel(self.model)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(22)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setAccessibleName("Elements that the planner saw")
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setStretchLastSection(True)
        header.resizeSection(0, 30)
        header.resizeSection(1, 72)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self.table.selectionModel().currentRowChanged.connect(self._point_at)
        self.table.setMouseTracking(True)
        self.table.entered.connect(self._point_at)
        self._steps, self._time = _Budget("Steps", self), _Budget("Time", self)
        self._cost = _Budget("Models", self)
        self._cost.setProperty("kind", "small")
        self._lay_out()

    def show_seen(self, seen: Observed | None) -> None:
        if seen is self._seen and seen is not None:
            return
        self._seen = seen
        self._pages.setCurrentIndex(1 if seen else 0)
        if seen is None:
            self.model.show(())
            return
        view = seen.view
        self._lines["App"].setText(view.screen.active_app or "none")
        self._lines["Window"].setText(view.screen.window or "none")
        noted = [b.description for b in view.blockers] + [a.description for a in view.anomalies]
        attention = self._lines["Attention"]
        attention.setText("\n".join(noted) or "nothing special")
        attention.setProperty("kind", "warn" if noted else "muted")
        attention.style().polish(attention)
        self._lines["Elements"].setText(f"{len(view.elements)} shown · {view.omitted_counts.elements} omitted")
        self.model.show(view.elements)

    def show_budget(self, run: RunModel) -> None:
        most = run.limits.max_steps
        self._steps.show_share(run.steps_used, most, f"{run.steps_used} / {most}")
        limit_s = run.limits.timeout_ms // 1000
        used_s = run.active_ms // 1000
        amount = f"{_clock(used_s)} / {_clock(limit_s)}"
        self._time.show_share(used_s, limit_s, f"{amount} · waiting not counted", amount)
        self._show_models(run)

    def _show_models(self, run: RunModel) -> None:
        """Money where it is limited and known, else tokens."""
        spent, limits = run.spent, run.limits
        if limits.max_cost_usd and not spent.unpriced:
            cents, most = int(spent.cost_usd * 100), int(limits.max_cost_usd * 100)
            words = f"{spent.words()} / ${limits.max_cost_usd:.2f}" if spent.calls else "none used"
        else:
            cents, most = spent.tokens, limits.max_tokens or 0
            words = spent.words() or "none used"
        self._cost.show_share(cents, most, words, spent.words() or words)

    def _point_at(self, index: QModelIndex) -> None:
        element = self.model.items[index.row()] if index.isValid() else None
        self.element_chosen.emit(element.bounds if element else None)

    def _fact(self, place: int, name: str) -> QLabel:
        title = QLabel(name, self)
        title.setProperty("kind", "muted")
        title.setAlignment(Qt.AlignmentFlag.AlignTop)
        label = QLabel("", self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setAccessibleName(name)
        self._facts.addWidget(title, place, 0)
        self._facts.addWidget(label, place, 1)
        return label

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 14, 10)
        layout.setSpacing(10)
        empty = QLabel(EMPTY, self)
        empty.setProperty("kind", "muted")
        empty.setWordWrap(True)
        empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._pages.addWidget(empty)
        page = QWidget(self)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addLayout(self._facts)
        column.addWidget(self.table, 1)
        heading = QLabel("Budget", self)
        heading.setProperty("kind", "heading")
        for widget in (heading, self._steps, self._time, self._cost):
            column.addWidget(widget)
        self._pages.addWidget(page)
        layout.addWidget(self._pages, 1)


class _Budget(QWidget):
    """A name, an amount in words, and a bar."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(3)
        self._amount = ElidedLabel("", "small", self)
        self._amount.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(name)
        layout.addWidget(QLabel(name, self), 0, 0)
        layout.addWidget(self._amount, 0, 1)
        layout.setColumnStretch(1, 1)
        layout.addWidget(self._bar, 1, 0, 1, 2)

    def show_share(self, used: int, limit: int, *wordings: str) -> None:
        self._bar.setRange(0, max(limit, 1))
        self._bar.setValue(min(used, limit))
        self._amount.say(*wordings)


def _clock(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"
