"""Paints a row of the timeline: mark, sentence, what came of it, duration. Always plain text."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ..run_model import Chip, Row
from ..theme import base_font, mixed, small_font, theme
from .model import ROW

ROW_HEIGHT = 44
_MARGIN, _MARK, _GAP, _CHIP_PAD = 14, 22, 8, 6
_ISOLATE, _END = "\u2068", "\u2069"


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
        if state & QStyle.StateFlag.State_HasFocus and row.kind != "group":
            painter.setPen(QColor(theme.tokens.accent))
            painter.drawRoundedRect(area.adjusted(2, 2, -3, -3), 5, 5)
        painter.restore()


def _paint_group(painter: QPainter, area: QRect, row: Row) -> None:
    font = base_font()
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(QColor(theme.tokens.text))
    box = area.adjusted(_MARGIN, 14, -_MARGIN, -2)
    _line(painter, box, row.title, QFontMetrics(font))


def _paint_row(painter: QPainter, area: QRect, row: Row) -> None:
    tokens = theme.tokens
    small = small_font()
    metrics, small_metrics = QFontMetrics(base_font()), QFontMetrics(small)
    right = small_metrics.horizontalAdvance(row.right) + _GAP if row.right else 0
    left = area.x() + _MARGIN + _MARK
    width = area.right() - _MARGIN - left
    painter.setFont(base_font())
    painter.setPen(QColor(tokens.tone(row.tone)))
    painter.drawText(QRect(area.x() + _MARGIN, area.y() + 5, _MARK, 18), Qt.AlignmentFlag.AlignVCenter, row.mark)
    painter.setPen(QColor(tokens.text))
    _line(painter, QRect(left, area.y() + 5, width - right, 18), row.title, metrics)
    painter.setFont(small)
    painter.setPen(QColor(tokens.muted))
    if row.right:
        box = QRect(area.right() - _MARGIN - right, area.y() + 5, right, 18)
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, row.right)
    widths = [small_metrics.horizontalAdvance(chip.text) + 2 * _CHIP_PAD for chip in row.chips]
    room = width - sum(w + 4 for w in widths)
    detail = small_metrics.elidedText(" ".join(row.detail.split()), Qt.TextElideMode.ElideRight, max(room, 0))
    below = QRect(left, area.y() + 23, max(room, 0), 16)
    _line(painter, below, detail, small_metrics)
    x = left + (small_metrics.horizontalAdvance(detail) + 6 if detail else 0)
    for chip, chip_width in zip(row.chips, widths, strict=True):
        _paint_chip(
            painter, QRect(x, area.y() + 23, min(chip_width, area.right() - _MARGIN - x), 16), chip, small_metrics
        )
        x += chip_width + 4


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
