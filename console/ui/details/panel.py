"""The details column: three tabs about the chosen row."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QTabWidget, QVBoxLayout, QWidget

from console.contracts.events import Observed

from ..rows import Row
from ..run_model import RunModel
from .raw import RawTab
from .receipt import ReceiptTab
from .saw import SawTab


class DetailsPanel(QFrame):
    """Takes a row, shows it."""

    element_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("column")
        self.saw, self.receipt, self.raw = SawTab(self), ReceiptTab(self), RawTab(self)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.addTab(self.saw, "What it saw")
        self.tabs.addTab(self.receipt, "Receipt")
        self.tabs.addTab(self.raw, "JSON")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tabs)
        self.saw.element_chosen.connect(self.element_chosen)

    def show_row(self, row: Row, run: RunModel) -> None:
        self.saw.show_seen(row.seen)
        self.receipt.show_row(row)
        self.raw.show_value(row.event)
        self.saw.show_budget(run)

    def show_latest(self, seen: Observed, run: RunModel) -> None:
        self.saw.show_seen(seen)
        self.saw.show_budget(run)

    def clear(self) -> None:
        self.saw.show_seen(None)
        self.receipt.show_row(None)
        self.raw.show_value(None)
