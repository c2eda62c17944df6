"""The settings: what holds for every run, the planners, and the servers of tools."""

from __future__ import annotations

from pydantic import ValidationError
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QScrollArea, QTabWidget, QVBoxLayout, QWidget

from console.contracts.errors import ConsoleError
from console.contracts.settings import Settings

from .backstage import PlannerDesk, ToolDesk
from .form import ModelForm
from .planner_pages import PlannerPages, Spawn
from .tool_page import ToolPage

FRAME = 40  # what the window manager puts around it


class SettingsDialog(QDialog):
    """Emits the whole settings when they are saved. A value that is no good is said beside the buttons."""

    saved = Signal(object)

    def __init__(
        self, settings: Settings, desk: PlannerDesk, tools: ToolDesk, spawn: Spawn, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self.resize(580, min(660, self.screen().availableGeometry().height() - FRAME))
        self._settings = settings
        self.form = ModelForm(settings, self)
        self.form.setObjectName("page")
        self.form.box.addStretch(1)
        self.fields = self.form.fields
        self.planners = PlannerPages(desk, spawn, settings.planner, self)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setWidget(self.form)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(area, "General")
        self.tabs.addTab(self.planners, "Planners")
        self.tools = ToolPage(tools, spawn, self)
        self.tabs.addTab(self.tools, "Tools")
        self.problem = QLabel("", self)
        self.problem.setProperty("kind", "warn")
        self.problem.setWordWrap(True)
        self.problem.setContentsMargins(20, 0, 20, 0)
        self.problem.hide()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel, self)
        buttons.setContentsMargins(16, 8, 16, 16)
        buttons.accepted.connect(self.save)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tabs, 1)
        layout.addWidget(self.problem)
        layout.addWidget(buttons)

    def save(self) -> None:
        """Emit what is entered, with the planners that were not looked at as they were."""
        try:
            planners = {**self._settings.planners, **self.planners.values()}
            settings = Settings.model_validate({**self.form.values(), "planners": planners})
            self.tools.save()
        except ValidationError as error:
            first = error.errors()[0]
            self._say(f"{'.'.join(map(str, first['loc']))}: {first['msg']}.")
            return
        except ConsoleError as error:
            self._say(error.sentence())
            return
        self.saved.emit(settings)
        self.accept()

    def _say(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.show()
