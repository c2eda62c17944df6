"""AT-SPI roles and states, as the element types and states of the contract."""

from __future__ import annotations

from console.contracts.view import ElementState

# The numbers of AtspiRole (at-spi2-core, atspi-constants.h).
ROLES: dict[int, str] = {
    1: "alert", 2: "alert", 5: "date", 7: "checkbox", 8: "menuitem", 9: "color", 10: "text", 11: "combobox", 12: "date",
    14: "panel", 15: "panel", 16: "dialog", 17: "panel", 18: "canvas", 19: "dialog", 20: "panel", 21: "panel",
    22: "text",
    23: "window", 25: "panel", 26: "image", 27: "image", 28: "panel", 29: "label", 30: "panel", 31: "list",
    32: "listitem",
    33: "menu", 34: "menubar", 35: "menuitem", 36: "panel", 37: "tab", 38: "tablist", 39: "panel", 40: "input",
    41: "menu", 42: "progress", 43: "button", 44: "radio", 45: "menuitem", 46: "panel", 47: "row", 48: "scrollbar",
    49: "panel", 50: "separator", 51: "slider", 52: "spinbutton", 53: "panel", 54: "statusbar", 55: "table", 56: "cell",
    57: "columnheader", 58: "rowheader", 59: "menuitem", 60: "terminal", 61: "text", 62: "button", 63: "toolbar",
    64: "tooltip", 65: "tree", 66: "treetable", 68: "panel", 69: "window", 70: "text", 71: "text", 72: "text",
    73: "text",
    75: "application", 76: "input", 77: "toolbar", 79: "input", 81: "text", 82: "document", 83: "heading", 84: "text",
    85: "panel", 86: "panel", 87: "panel", 88: "link", 90: "row", 91: "treeitem", 92: "document", 93: "document",
    94: "document", 95: "document", 96: "document", 97: "list", 98: "group", 99: "image", 100: "notification",
    101: "panel",
    102: "progress", 103: "text", 116: "text", 117: "text", 118: "alert", 119: "panel", 129: "button", 130: "switch",
}  # fmt: skip
PASSWORD_ROLE = 40
ENTRY_ROLES = frozenset({40, 79, 76})
TEXT_ROLE, TERMINAL_ROLE, COMBO_ROLE, PAGE_TAB_ROLE = 61, 60, 11, 37
TOPLEVEL_ROLES = frozenset({2, 16, 19, 23, 69})
ROW_ROLES = frozenset({32, 90, 91})
VALUE_ROLES = frozenset({42, 48, 51, 52})
CLICKABLE = frozenset(
    {"button", "checkbox", "radio", "menuitem", "menu", "link", "tab", "switch", "listitem", "treeitem", "cell", "row",
     "columnheader", "combobox"}
)  # fmt: skip
TEXTUAL = frozenset({"input", "textarea", "text", "label", "terminal", "heading", "spinbutton"})
# Containers that say nothing unless they have a name or can be acted on.
SILENT = frozenset(
    {"panel", "scrollbar", "separator", "menubar", "toolbar", "tablist", "window", "application", "list", "table",
     "tree",
     "treetable", "group", "unknown", "statusbar", "document", "row"}
)  # fmt: skip

# The bits of AtspiStateType.
ACTIVE, CHECKED, EDITABLE, ENABLED, EXPANDABLE, EXPANDED, FOCUSABLE, FOCUSED = 1, 4, 7, 8, 9, 10, 11, 12
MODAL, MULTI_LINE, PRESSED, SELECTABLE, SELECTED, SENSITIVE, SHOWING = 16, 17, 20, 22, 23, 24, 25
VISIBLE, MANAGES_DESCENDANTS, CHECKABLE = 30, 31, 41


def element_type(role: int, states: frozenset[int]) -> str:
    """The contract's word for a role; a text that can be edited is a field."""
    if role in (TEXT_ROLE, *ENTRY_ROLES) and EDITABLE in states:
        return "textarea" if MULTI_LINE in states else "input"
    return ROLES.get(role, "unknown")


def element_state(kind: str, states: frozenset[int]) -> ElementState:
    checkable = kind in ("checkbox", "radio", "switch") or CHECKABLE in states
    checked = (CHECKED in states or (PRESSED in states and kind == "button")) if checkable else None
    return ElementState(
        focused=FOCUSED in states,
        selected=SELECTED in states,
        enabled=ENABLED in states or SENSITIVE in states,
        checked=checked,
        expanded=EXPANDED in states if EXPANDABLE in states else None,
    )


def bits(words: list[int]) -> frozenset[int]:
    """The state set of AT-SPI (two 32-bit words) as numbers of bits."""
    return frozenset(32 * place + bit for place, word in enumerate(words) for bit in range(32) if word >> bit & 1)
