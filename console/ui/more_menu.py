"""The menu behind “More”: what is needed now and then."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from .goal_entry import GoalEntry

EARLIER, SHOWN = 12, 60
THEMES = (("system", "As the system"), ("light", "Light"), ("dark", "Dark"))


class MoreButton(QToolButton):
    """Made from the table of commands, with the earlier goals and the themes as menus of their own."""

    def __init__(self, actions: dict[str, QAction], entry: GoalEntry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText("More ▾")
        self.setAccessibleName("More")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._entry = entry
        menu = QMenu(self)
        menu.addAction(actions["goal"])
        self.earlier = menu.addMenu("Earlier goals")
        menu.addSeparator()
        for key in ("history", "open", "save", "export", "ask", "program", "bar", "details"):
            menu.addAction(actions[key])
        menu.addSeparator()
        menu.addAction(actions["settings"])
        self.themes = menu.addMenu("Theme")
        group = QActionGroup(self)
        for name, _ in THEMES:
            action = actions[f"theme_{name}"]
            action.setCheckable(True)
            group.addAction(action)
            self.themes.addAction(action)
        menu.addAction(actions["check"])
        menu.addAction(actions["about"])
        menu.addSeparator()
        menu.addAction(actions["quit"])
        menu.aboutToShow.connect(self._list_earlier)
        self.setMenu(menu)

    def _list_earlier(self) -> None:
        self.earlier.clear()
        for goal in tuple(self._entry.past)[:EARLIER]:
            line = " · ".join(part.strip() for part in goal.splitlines() if part.strip()).replace("&", "&&")
            text = line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"
            self.earlier.addAction(text, partial(self._entry.write, goal))
        self.earlier.setEnabled(bool(self._entry.past) and not self._entry.isReadOnly())
