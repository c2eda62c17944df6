"""The window: one event loop for Qt and asyncio, until the operator closes it."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING

from console.contracts.events import EVENT_TYPES
from console.planning import catalogue

from .backstage import Backstage

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from console.cli.wiring import Theme

    from .console import Console


def run_window(console: Console, goal: str | None, theme: Theme | None) -> int:
    """Show the window and give the exit code once it is closed."""
    if sys.platform.startswith("linux") and not os.environ.get("QT_QPA_PLATFORM"):
        from console.desktop.x11 import X11

        X11().close()  # Qt would end the process where the display cannot be reached
    os.environ["QT_API"] = "pyside6"  # qasync takes the first binding it finds otherwise
    from PySide6.QtWidgets import QApplication
    from qasync import QEventLoop

    app = QApplication(["operator-console"])
    app.setApplicationName("Operator Console")
    app.setDesktopFileName("operator-console")
    app.setQuitOnLastWindowClosed(False)
    loop = QEventLoop(app)
    with loop:
        loop.run_until_complete(_until_closed(console, app, goal, theme))
    return 0


async def _until_closed(console: Console, app: QApplication, goal: str | None, theme_name: Theme | None) -> None:
    from console.ui.goal_bar import PlannerChoice
    from console.ui.main_window import MainWindow
    from console.ui.session import Session
    from console.ui.theme import theme
    from console.ui.tray import icon

    theme.apply(app, theme_name or console.settings.appearance.theme)
    app.setWindowIcon(icon())
    backstage = Backstage(console, app)
    choices = [PlannerChoice(one.name, one.title) for one in catalogue()]
    window = MainWindow(choices, console.settings, backstage.store.blob)
    backstage.tell = window.notices.show_text
    session = Session(window, backstage, console.settings)
    for notice in console.setting_notices:
        window.notices.show_text(notice)
    if goal:
        window.goal_bar.entry.setPlainText(goal.strip())
    closed = asyncio.Event()
    session.finished.connect(closed.set)
    window.show()
    await _prepare_events()
    await closed.wait()
    window.deleteLater()


async def _prepare_events() -> None:
    """Build what reads and writes events, one kind after the other, so that the first run does not wait for it."""
    for kind in EVENT_TYPES:
        kind.model_rebuild()
        await asyncio.sleep(0)
