"""The colours can be read, and the theme follows what it is told."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from console.ui.theme import BASE_PX, DARK, LIGHT, Tokens, base_font, contrast, mixed, style_sheet, theme

WORDS = ("text", "muted", "accent", "ok", "warn", "danger", "ask")
GROUNDS = ("bg", "surface", "selected", "shade")
TINTED = ("muted", "accent", "ok", "warn", "danger", "ask")


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("ground", ["bg", "surface"])
def test_words_stand_out_from_the_ground(tokens: Tokens, word: str, ground: str) -> None:
    assert contrast(getattr(tokens, word), getattr(tokens, ground)) >= 4.5


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("word", ["text", "muted"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_words_can_be_read_where_something_is_chosen(tokens: Tokens, word: str, ground: str) -> None:
    assert contrast(getattr(tokens, word), getattr(tokens, ground)) >= 4.5


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("tone", TINTED)
def test_a_chip_and_the_pill_can_be_read_on_their_tint(tokens: Tokens, tone: str) -> None:
    color = getattr(tokens, tone)
    assert contrast(color, mixed(color, tokens.surface, 0.12)) >= 4.5


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_the_words_of_the_main_button_can_be_read(tokens: Tokens) -> None:
    assert contrast(tokens.on_accent, tokens.accent) >= 4.5


def test_contrast_is_that_of_the_guideline() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_the_style_sheet_has_no_gaps_and_shows_the_focus(tokens: Tokens) -> None:
    sheet = style_sheet(tokens)
    assert "$" not in sheet
    assert sheet.count(":focus") >= 5


def test_the_font_has_the_size_of_the_design(qapp: QApplication) -> None:
    assert base_font().pixelSize() == BASE_PX == 13


def test_each_theme_can_be_applied_and_nothing_moves(qapp: QApplication) -> None:
    for name, tokens in (("dark", DARK), ("light", LIGHT)):
        theme.apply(qapp, name)
        assert qapp.palette().color(QPalette.ColorRole.Window).name() == tokens.bg
    assert not QApplication.isEffectEnabled(Qt.UIEffect.UI_AnimateMenu)


def test_the_system_theme_follows_the_desktop(qapp: QApplication) -> None:
    hints = QGuiApplication.styleHints()
    theme.apply(qapp, "system")
    try:
        hints.setColorScheme(Qt.ColorScheme.Dark)
        theme._system_changed()
        assert theme.tokens is (DARK if hints.colorScheme() == Qt.ColorScheme.Dark else LIGHT)
    finally:
        hints.setColorScheme(Qt.ColorScheme.Unknown)
        theme.apply(qapp, "light")
