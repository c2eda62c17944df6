"""AT-SPI roles and states, as the element types and states of the contract."""

from __future__ import annotations

from console.contracts.view import ElementState

# The numbers of AtspiRole (at-spi2-core, atspi-constants.h).
ROLES: dict[int, str] = {
    1: "label", 2: "alert", 5: "date", 6: "canvas", 7: "checkbox", 8: "menuitem", 9: "color", 10: "columnheader",
    11: "combobox", 12: "date", 13: "image", 14: "panel", 15: "slider", 16: "dialog", 17: "panel", 18: "canvas",
    19: "dialog", 20: "panel", 21: "panel", 22: "dialog", 23: "window", 24: "panel", 25: "panel", 26: "image",
    27: "image", 28: "panel", 29: "label", 30: "panel", 31: "list", 32: "listitem", 33: "menu", 34: "menubar",
    35: "menuitem", 36: "panel", 37: "tab", 38: "tablist", 39: "panel", 40: "input", 41: "menu", 42: "progress",
    43: "button", 44: "radio", 45: "menuitem", 46: "panel", 47: "rowheader", 48: "scrollbar", 49: "panel",
    50: "separator", 51: "slider", 52: "spinbutton", 53: "panel", 54: "statusbar", 55: "table", 56: "cell",
    57: "columnheader", 58: "rowheader", 59: "menuitem", 60: "terminal", 61: "text", 62: "button", 63: "toolbar",
    64: "tooltip", 65: "tree", 66: "treetable", 68: "panel", 69: "window", 70: "text", 71: "text", 72: "text",
    73: "text", 75: "application", 76: "input", 77: "toolbar", 79: "input", 80: "image", 81: "text", 82: "document",
    83: "heading", 84: "panel", 85: "panel", 86: "panel", 87: "panel", 88: "link", 90: "row", 91: "treeitem",
    92: "document", 93: "document", 94: "document", 95: "document", 96: "document", 97: "group", 98: "list",
    99: "group", 100: "image", 101: "alert", 102: "alert", 103: "progress", 104: "panel", 105: "text", 108: "text",
    109: "group", 110: "panel", 111: "panel", 112: "panel", 114: "slider", 115: "text", 116: "text", 119: "text",
    120: "text", 121: "list", 122: "text", 123: "text", 124: "text", 125: "text", 126: "text", 127: "text",
    128: "text", 129: "button", 130: "switch",
}  # fmt: skip
PASSWORD_ROLE = 40
ENTRY_ROLES = frozenset({76, 79, PASSWORD_ROLE})
TEXT_ROLE, COMBO_ROLE, CELL_ROLE = 61, 11, 56
# Never have children, or none that say more than they do themselves.
LEAF_ROLES = frozenset({PASSWORD_ROLE, 48, 50, 116})
ROW_ROLES = frozenset({32, 90, 91})
VALUE_ROLES = frozenset({15, 42, 48, 51, 52, 103, 114})
MENU_ROLES = frozenset({8, 33, 35, 41, 45, 59})
CLICKABLE = frozenset(
    {"button", "checkbox", "radio", "menuitem", "menu", "link", "tab", "switch", "listitem", "treeitem", "cell", "row",
     "columnheader", "rowheader", "combobox"}
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


def bits(body: list[list[int]]) -> frozenset[int]:
    """The answer of GetState, a set in two 32-bit words, as numbers of bits."""
    return frozenset(32 * place + bit for place, word in enumerate(body[0]) for bit in range(32) if word >> bit & 1)
