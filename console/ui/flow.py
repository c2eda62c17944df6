"""A layout that goes on in the next line where one has no more room."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Items keep the width they like, as far as there is room; one that expands takes what is left of its line."""

    def __init__(self, *widgets: QWidget, spacing: int = 8) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = self._lines(width)
        return sum(_height(line) for line in lines) + self.spacing() * max(len(lines) - 1, 0)

    def sizeHint(self) -> QSize:
        """All in one line."""
        shown = self._shown()
        width = sum(item.sizeHint().width() for item in shown) + self.spacing() * max(len(shown) - 1, 0)
        return QSize(width, _height(shown))

    def minimumSize(self) -> QSize:
        shown = self._shown()
        return QSize(max((item.minimumSize().width() for item in shown), default=0), _height(shown))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        top = rect.top()
        for line in self._lines(rect.width()):
            left, height = rect.left(), _height(line)
            widths = [min(item.sizeHint().width(), rect.width()) for item in line]
            room = rect.width() - sum(widths) - self.spacing() * (len(line) - 1)
            for item, liked in zip(line, widths, strict=True):
                width = liked
                if room > 0 and item.expandingDirections() & Qt.Orientation.Horizontal:
                    width, room = liked + room, 0
                size = QSize(width, min(item.sizeHint().height(), height))
                item.setGeometry(QRect(QPoint(left, top + (height - size.height()) // 2), size))
                left += width + self.spacing()
            top += height + self.spacing()

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        used = 0
        for item in self._shown():
            more = item.sizeHint().width() + self.spacing()
            if not lines or used + more - self.spacing() > width:
                lines.append([])
                used = 0
            lines[-1].append(item)
            used += more
        return lines


def _height(items: list[QLayoutItem]) -> int:
    return max((item.sizeHint().height() for item in items), default=0)
