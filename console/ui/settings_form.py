"""The settings as a form, made from their models: a title, a field with its limits, one sentence."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from console.contracts.settings import Settings

NAME_WIDTH, NOTE_WIDTH = 130, 340


class SettingsDialog(QDialog):
    """Emits the whole settings when they are saved. A value that is no good is said beside the buttons."""

    saved = Signal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self.resize(560, 620)
        self._settings = settings
        self.fields: dict[str, QWidget] = {}
        page = QWidget(self)
        page.setObjectName("page")
        self._form = QVBoxLayout(page)
        self._form.setContentsMargins(20, 16, 20, 16)
        self._form.setSpacing(6)
        self._add_model(settings, "")
        self._form.addStretch(1)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setWidget(page)
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
        layout.addWidget(area, 1)
        layout.addWidget(self.problem)
        layout.addWidget(buttons)

    def save(self) -> None:
        try:
            settings = Settings.model_validate(self._values(Settings, ""))
        except ValidationError as error:
            first = error.errors()[0]
            self.problem.setText(f"{'.'.join(map(str, first['loc']))}: {first['msg']}.")
            self.problem.show()
            return
        self.saved.emit(settings)
        self.accept()

    def _add_model(self, model: BaseModel, prefix: str) -> None:
        form: QFormLayout | None = None
        for name, info in type(model).model_fields.items():
            value = getattr(model, name)
            if isinstance(value, BaseModel):
                heading = QLabel(info.title or name, self)
                heading.setProperty("kind", "title")
                heading.setContentsMargins(0, 14, 0, 2)
                self._form.addWidget(heading)
                self._add_model(value, f"{name}.")
                continue
            if form is None:
                form = QFormLayout()
                form.setHorizontalSpacing(16)
                form.setVerticalSpacing(10)
                form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
                self._form.addLayout(form)
            self._add_field(form, f"{prefix}{name}", info, value)

    def _add_field(self, form: QFormLayout, key: str, info: FieldInfo, value: Any) -> None:
        field = editor_for(info, value)
        field.setAccessibleName(info.title or key)
        field.setAccessibleDescription(info.description or "")
        self.fields[key] = field
        place = QWidget(self)
        box = QVBoxLayout(place)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(2)
        box.addWidget(field, 0, Qt.AlignmentFlag.AlignLeft)
        if info.description:
            note = QLabel(info.description, self)
            note.setProperty("kind", "small")
            note.setWordWrap(True)
            note.setMinimumWidth(NOTE_WIDTH)
            note.setMinimumHeight(note.heightForWidth(NOTE_WIDTH))
            box.addWidget(note)
        name = QLabel(info.title or key, self)
        name.setFixedWidth(NAME_WIDTH)
        name.setWordWrap(True)
        form.addRow(name, place)

    def _values(self, model: type[BaseModel], prefix: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, info in model.model_fields.items():
            inner = info.annotation
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                found[name] = self._values(inner, f"{prefix}{name}.")
            else:
                found[name] = value_of(self.fields[f"{prefix}{name}"])
        return found


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
    if info.annotation is int:
        spin = QSpinBox()
        limits = {type(m).__name__: m for m in info.metadata}
        low, high = limits.get("Ge"), limits.get("Le")
        spin.setRange(int(getattr(low, "ge", 0)), int(getattr(high, "le", 1_000_000)))
        spin.setValue(int(value))
        spin.setMinimumWidth(110)
        return spin
    line = QLineEdit(str(value))
    line.setMinimumWidth(220)
    return line


def value_of(field: QWidget) -> Any:
    if isinstance(field, QComboBox):
        return field.currentData()
    if isinstance(field, QCheckBox):
        return field.isChecked()
    if isinstance(field, QSpinBox):
        return field.value()
    return field.text() if isinstance(field, QLineEdit) else None
