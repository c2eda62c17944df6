"""The words people have for kinds of things, and the element types that they mean."""

from __future__ import annotations

_FIELDS = ("input", "textarea", "spinbutton", "combobox", "select")
_ROWS = ("row", "listitem", "treeitem", "cell")
_TEXTS = ("text", "label", "heading", "statusbar", "alert", "cell", "notification")
TYPES: dict[str, tuple[str, ...]] = {
    "button": ("button", "togglebutton", "switch"),
    "link": ("link",),
    "checkbox": ("checkbox", "switch", "menuitem", "togglebutton"),
    "radio button": ("radio", "menuitem"),
    "menu item": ("menuitem", "menu"),
    "menu": ("menu", "menuitem"),
    "tab": ("tab",),
    "row": _ROWS,
    "item": (*_ROWS, "menuitem", "icon"),
    "cell": ("cell",),
    "field": _FIELDS,
    "text area": ("textarea", "input", "document", "terminal", "text"),
    "list": ("combobox", "select", "list", "listbox", "tree", "table"),
    "slider": ("slider",),
    "switch": ("switch", "checkbox", "togglebutton", "button"),
    "icon": ("icon", "image", "button", "link", "listitem", "cell"),
    "text": (*_TEXTS, "textarea", "input", "document", "terminal"),
    "heading": ("heading",),
    "column header": ("columnheader", "button"),
    "display": ("input", "textarea", "text", "label", "statusbar", "document"),
    "tree": ("tree", "treeitem"),
    "dialog": ("dialog", "alert", "window"),
    "window": ("window", "dialog"),
}
_SYNONYMS: dict[str, tuple[str, ...]] = {
    "button": ("push button", "toggle button", "toolbar button"),
    "link": ("hyperlink",),
    "checkbox": ("check box", "tick box", "tickbox"),
    "radio button": ("radio", "radio option"),
    "menu item": ("menu entry", "menuitem", "menu option"),
    "tab": ("page tab",),
    "row": ("table row", "line"),
    "item": ("list item", "entry in the list", "file", "folder", "tree item", "listitem"),
    "cell": ("table cell",),
    "field": (
        "text field", "input field", "entry field", "input", "entry", "text box", "textbox", "box",

        "spin box", "spinbox", "spin button",
    ),
    "text area": ("textarea", "editor", "document", "text editor", "editing area", "terminal"),
    "list": ("combo box", "combobox", "dropdown", "drop-down", "dropdown list", "drop-down list", "select box",
    "list box", "menu list"),
    "switch": ("toggle",),
    "icon": ("image", "picture"),
    "text": ("label", "message", "status", "status bar", "paragraph"),
    "heading": ("title", "headline"),
    "column header": ("column", "header"),
    "display": ("result", "output", "screen", "value"),
}  # fmt: skip
# Longest first, so that “radio button” is not a “button” called “radio”.
NOUNS: dict[str, str] = dict(
    sorted(
        {
            **{kind: kind for kind in TYPES},
            **{word: kind for kind, words in _SYNONYMS.items() for word in words},
        }.items(),
        key=lambda pair: -len(pair[0]),
    )
)
# What has the more telling role, when one thing is in the tree twice.
SPECIFIC = (
    "button", "link", "checkbox", "radio", "switch", "menuitem", "tab", "input", "textarea", "combobox",
    "spinbutton", "slider",
    "menu", "listitem", "treeitem", "row", "cell", "heading", "text", "label", "image",
)  # fmt: skip


def specificity(element_type: str) -> int:
    """Lower is more telling."""
    return SPECIFIC.index(element_type) if element_type in SPECIFIC else len(SPECIFIC)
