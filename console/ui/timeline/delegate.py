"""Paints a row of the timeline: mark, sentence, what came of it, duration. Always plain text."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ..rows import Chip, Row
from ..theme import base_font, mixed, small_font, theme
from .model import ROW

ROW_HEIGHT = 44
_MARGIN, _MARK, _GAP, _CHIP_PAD, _INSIDE = 14, 22, 8, 6, 18
_AT_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_ISOLATE, _END = "\u2068", "\u2069"


@cache
def _fonts() -> tuple[QFont, QFont, QFont]:
    """Plain, strong and small; made once, because twenty rows are painted at a time."""
    strong = base_font()
    strong.setBold(True)
    return base_font(), strong, small_font()


class RowDelegate(QStyledItemDelegate):
    """All rows have one height, so that twenty thousand cost no more than twenty."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, ROW_HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: Row = index.data(ROW)
        area: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(theme.tokens.selected))
        if row.kind == "group":
            _paint_group(painter, area, row)
        else:
            _paint_row(painter, area, row)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(theme.tokens.accent))
            painter.drawRoundedRect(area.adjusted(2, 2, -3, -3), 5, 5)
        painter.restore()


def _paint_group(painter: QPainter, area: QRect, row: Row) -> None:
    font = _fonts()[1]
    painter.setFont(font)
    painter.setPen(QColor(theme.tokens.text))
    box = area.adjusted(_MARGIN, 14, -_MARGIN, -2)
    _line(painter, box, row.title, QFontMetrics(font))


def _paint_row(painter: QPainter, area: QRect, row: Row) -> None:
    """Two lines; a row with nothing to say in the second has its one line in the middle."""
    tokens = theme.tokens
    base, _, small = _fonts()
    metrics, small_metrics = QFontMetrics(base), QFontMetrics(small)
    top = area.y() + (5 if row.detail or row.chips else 13)
    area = area.adjusted(row.depth * _INSIDE, 0, 0, 0)
    left, edge = area.x() + _MARGIN + _MARK, area.right() - _MARGIN
    right = small_metrics.horizontalAdvance(row.right) + _GAP if row.right else 0
    painter.setFont(base)
    painter.setPen(QColor(tokens.tone(row.tone)))
    painter.drawText(QRect(area.x() + _MARGIN, top, _MARK, 18), Qt.AlignmentFlag.AlignVCenter, row.mark)
    painter.setPen(QColor(tokens.text))
    _line(painter, QRect(left, top, edge - left - right, 18), row.title, metrics)
    painter.setFont(small)
    painter.setPen(QColor(tokens.muted))
    if row.right:
        painter.drawText(QRect(edge - right, top, right, 18), _AT_RIGHT, row.right)
    _paint_below(painter, QRect(left, top + 18, edge - left, 16), row, small_metrics)


def _paint_below(painter: QPainter, line: QRect, row: Row, metrics: QFontMetrics) -> None:
    """What came of it, then the chips, then the time of day where there is room left for it."""
    widths = [metrics.horizontalAdvance(chip.text) + 2 * _CHIP_PAD for chip in row.chips]
    room = max(line.width() - sum(w + 4 for w in widths) - (6 if widths else 0), 0)
    detail = metrics.elidedText(" ".join(row.detail.split()), Qt.TextElideMode.ElideRight, room)
    _line(painter, QRect(line.x(), line.y(), room, line.height()), detail, metrics)
    used = metrics.horizontalAdvance(detail) + 6 if detail else 0
    for chip, width in zip(row.chips, widths, strict=True):
        _paint_chip(painter, QRect(line.x() + used, line.y(), min(width, line.width() - used), 16), chip, metrics)
        used += width + 4
    clock = metrics.horizontalAdvance(row.clock)
    if row.clock and (row.detail or row.chips) and used + clock + _GAP <= line.width():
        painter.setPen(QColor(theme.tokens.muted))
        painter.drawText(line, _AT_RIGHT, row.clock)


def _paint_chip(painter: QPainter, box: QRect, chip: Chip, metrics: QFontMetrics) -> None:
    if box.width() < 2 * _CHIP_PAD:
        return
    tokens = theme.tokens
    color = tokens.tone(chip.tone)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(mixed(color, tokens.surface, 0.12)))
    painter.drawRoundedRect(box, 5, 5)
    painter.setPen(QColor(color))
    text = metrics.elidedText(chip.text, Qt.TextElideMode.ElideRight, box.width() - 2 * _CHIP_PAD + 2)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _line(painter: QPainter, box: QRect, text: str, metrics: QFontMetrics) -> None:
    """One line, elided, isolated so that text of the other direction cannot turn its surroundings around."""
    flat = " ".join(text.split())
    shown = metrics.elidedText(flat, Qt.TextElideMode.ElideRight, box.width())
    option = QTextOption(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    option.setTextDirection(Qt.LayoutDirection.LeftToRight)
    painter.drawText(box, f"{_ISOLATE}{shown}{_END}", option)
