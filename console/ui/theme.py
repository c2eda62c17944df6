"""Colours, spacing and the style sheet, light and dark, from one set of tokens."""

from __future__ import annotations

from dataclasses import dataclass, fields
from string import Template
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from console.resources import resource

ThemeName = Literal["system", "light", "dark"]
Tone = Literal["", "ok", "warn", "danger", "ask", "accent"]
BASE_PX, SMALL_PX = 13, 11.5


@dataclass(frozen=True)
class Tokens:
    """The colours of one theme, as `#rrggbb`."""

    bg: str
    surface: str
    line: str
    text: str
    muted: str
    accent: str
    on_accent: str
    ok: str
    warn: str
    danger: str
    ask: str
    selected: str
    shade: str
    canvas: str

    def tone(self, tone: Tone) -> str:
        return getattr(self, tone) if tone else self.muted


LIGHT = Tokens(
    bg="#f6f7f9", surface="#ffffff", line="#e2e5ea", text="#1a1e26", muted="#5f6b80",
    accent="#205cd6", on_accent="#ffffff", ok="#177344", warn="#945a08", danger="#c0362c", ask="#6a48c4",
    selected="#e9f0ff", shade="#eef0f4", canvas="#dfe4ec",
)  # fmt: skip
DARK = Tokens(
    bg="#13161b", surface="#1b1f26", line="#2b313b", text="#e6e9ef", muted="#98a2b3",
    accent="#77a6ff", on_accent="#0d1420", ok="#4cc38a", warn="#e0a64b", danger="#ff7a70", ask="#b49cff",
    selected="#22304a", shade="#232831", canvas="#0c0f13",
)  # fmt: skip

_MOVING = (
    Qt.UIEffect.UI_AnimateMenu,
    Qt.UIEffect.UI_FadeMenu,
    Qt.UIEffect.UI_AnimateCombo,
    Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip,
)


class Theme:
    """What is in use right now. Widgets that paint themselves ask for `tokens` when they paint."""

    def __init__(self) -> None:
        self.name: ThemeName = "system"
        self.tokens = LIGHT
        self._followed: QApplication | None = None

    def apply(self, app: QApplication, name: ThemeName) -> None:
        """Style the application; `system` follows the desktop."""
        self.name = name
        dark = name == "dark" or (name == "system" and _system_is_dark())
        self.tokens = DARK if dark else LIGHT
        app.setStyle("Fusion")
        app.setFont(base_font())
        app.setPalette(_palette(self.tokens))
        app.setStyleSheet(style_sheet(self.tokens))
        for effect in _MOVING:
            app.setEffectEnabled(effect, False)
        if self._followed is not app:
            self._followed = app
            QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_changed)

    def _system_changed(self) -> None:
        app = QApplication.instance()
        if self.name == "system" and isinstance(app, QApplication):
            self.apply(app, "system")


theme = Theme()


def base_font() -> QFont:
    """The system's UI font at 13 px with figures of equal width where it has them."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPixelSize(BASE_PX)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def small_font(bold: bool = False) -> QFont:
    font = base_font()
    font.setPixelSize(round(SMALL_PX))
    font.setBold(bold)
    return font


def mono_font() -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(12)
    return font


def mixed(color: str, into: str, share: float) -> str:
    """`share` of the colour mixed into another."""
    a, b = QColor(color), QColor(into)
    parts = [round(x * share + y * (1 - share)) for x, y in zip(a.getRgb()[:3], b.getRgb()[:3], strict=True)]  # type: ignore[index]
    return "#" + "".join(f"{part:02x}" for part in parts)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2, from 1 to 21."""

    def luminance(color: str) -> float:
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _system_is_dark() -> bool:
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


def _palette(t: Tokens) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for where, color in (
        (role.Window, t.bg), (role.Base, t.surface), (role.AlternateBase, t.shade), (role.Button, t.surface),
        (role.WindowText, t.text), (role.Text, t.text), (role.ButtonText, t.text), (role.ToolTipBase, t.surface),
        (role.ToolTipText, t.text), (role.Highlight, t.accent), (role.HighlightedText, t.on_accent),
        (role.PlaceholderText, t.muted), (role.Link, t.accent), (role.Mid, t.line), (role.Dark, t.line),
        (role.Light, t.surface),
    ):  # fmt: skip
        palette.setColor(where, QColor(color))
    for where in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, where, QColor(t.muted))
    return palette


def style_sheet(t: Tokens) -> str:
    """The one style sheet. Object names and the property `kind` choose the variants."""
    values = {field.name: getattr(t, field.name) for field in fields(t)}
    values["focus"] = t.accent
    shade = "dark" if t is DARK else "light"
    for name in ("down", "up", "tick"):
        values[name] = resource(f"ui/{name}-{shade}.svg").as_posix()
    values["warn_bg"] = mixed(t.warn, t.surface, 0.14)
    return Template(resource("ui/style.qss").read_text(encoding="utf-8")).substitute(values)
