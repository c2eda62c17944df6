"""A form made from a settings model: a title, a field with its limits, one sentence."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

NAME_WIDTH, NOTE_WIDTH, LINE_WIDTH = 130, 340, 300


class ModelForm(QWidget):
    """One row a field; a model inside the model is a section of its own. `fields` are the editors by dotted name."""

    def __init__(self, model: BaseModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = type(model)
        self.fields: dict[str, QWidget] = {}
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(20, 16, 20, 16)
        self.box.setSpacing(6)
        self._add_model(model, "")

    def values(self) -> dict[str, Any]:
        """What is entered now, not checked."""
        return self._values(self._model, "")

    def _add_model(self, model: BaseModel, prefix: str) -> None:
        form: QFormLayout | None = None
        for name, info in type(model).model_fields.items():
            value = getattr(model, name)
            if isinstance(value, dict):
                continue
            if isinstance(value, BaseModel):
                heading = QLabel(info.title or name, self)
                heading.setProperty("kind", "title")
                heading.setContentsMargins(0, 14, 0, 2)
                self.box.addWidget(heading)
                self._add_model(value, f"{name}.")
                continue
            if form is None:
                form = _form()
                self.box.addLayout(form)
            self._add_field(form, f"{prefix}{name}", info, value)

    def _add_field(self, form: QFormLayout, key: str, info: FieldInfo, value: Any) -> None:
        field = editor_for(info, value)
        field.setAccessibleName(info.title or key)
        field.setAccessibleDescription(info.description or "")
        self.fields[key] = field
        note = [note_label(info.description, self)] if info.description else []
        self.add_row(form, info.title or key, field, *note)
        self.added(key, form)

    def added(self, key: str, form: QFormLayout) -> None:
        """A field was added; a form of its own may put rows behind it with `add_row`."""

    def add_row(self, form: QFormLayout, title: str, *widgets: QWidget) -> None:
        place = QWidget(self)
        box = QVBoxLayout(place)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(2)
        for widget in widgets:
            flag = Qt.AlignmentFlag(0) if isinstance(widget, QLabel) else Qt.AlignmentFlag.AlignLeft
            box.addWidget(widget, 0, flag)
        name = QLabel(title, self)
        name.setFixedWidth(NAME_WIDTH)
        name.setWordWrap(True)
        form.addRow(name, place)

    def _values(self, model: type[BaseModel], prefix: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, info in model.model_fields.items():
            inner = info.annotation
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                found[name] = self._values(inner, f"{prefix}{name}.")
            elif f"{prefix}{name}" in self.fields:
                found[name] = value_of(self.fields[f"{prefix}{name}"])
        return found


def note_label(text: str, parent: QWidget) -> QLabel:
    note = QLabel(text, parent)
    note.setProperty("kind", "small")
    note.setWordWrap(True)
    note.setTextFormat(Qt.TextFormat.PlainText)
    note.setMinimumWidth(NOTE_WIDTH)
    note.setMinimumHeight(note.heightForWidth(NOTE_WIDTH))
    return note


def _form() -> QFormLayout:
    form = QFormLayout()
    form.setHorizontalSpacing(16)
    form.setVerticalSpacing(10)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return form


def editor_for(info: FieldInfo, value: Any) -> QWidget:
    """The editor that fits the type of a setting."""
    if get_origin(info.annotation) is Literal:
        combo = QComboBox()
        for choice in get_args(info.annotation):
            combo.addItem(str(choice).replace("_", " ").capitalize(), choice)
        combo.setCurrentIndex(combo.findData(value))
        return combo
    if info.annotation is bool:
        check = QCheckBox("On")
        check.setChecked(bool(value))
        return check
    limits = {type(m).__name__: m for m in info.metadata}
    low, high = getattr(limits.get("Ge"), "ge", 0), getattr(limits.get("Le"), "le", 1_000_000)
    if info.annotation is int:
        spin = QSpinBox()
        spin.setRange(int(low), int(high))
        spin.setValue(int(value))
        spin.setMinimumWidth(110)
        return spin
    if info.annotation is float:
        amount = QDoubleSpinBox()
        amount.setRange(float(low), float(high))
        amount.setValue(float(value))
        amount.setMinimumWidth(110)
        return amount
    line = QLineEdit(str(value))
    line.setMinimumWidth(LINE_WIDTH)
    return line


def value_of(field: QWidget) -> Any:
    if isinstance(field, QComboBox):
        return field.currentData()
    if isinstance(field, QCheckBox):
        return field.isChecked()
    if isinstance(field, QSpinBox | QDoubleSpinBox):
        return field.value()
    return field.text() if isinstance(field, QLineEdit) else None
