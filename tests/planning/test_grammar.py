"""What each wording is read as."""

from __future__ import annotations

from typing import Any

import pytest

from console.planning.instructions import parse
from console.planning.instructions.models import Instruction, Unknown

T, K, W, O, A = "label", "kind", "window", "ordinal", "anchor"


def flat(instruction: Instruction) -> dict[str, Any]:
    """Only what was said: no defaults, no source, no literal."""
    values = instruction.model_dump(exclude_defaults=True, exclude={"source"})

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: bare(one) for key, one in value.items() if key not in ("literal", "source")}
        return value

    return bare(values)


def one(goal: str) -> tuple[str, dict[str, Any]]:
    found = parse(goal)
    assert len(found) == 1, found
    return type(found[0]).__name__, flat(found[0])


def thing(label: str = "", **fields: Any) -> dict[str, Any]:
    return {"thing": {**({"label": label} if label else {}), **fields}}


def visible(label: str = "", negated: bool = False, **fields: Any) -> dict[str, Any]:
    held = {"kind": "visible", **thing(label, **fields), **({"negated": True} if negated else {})}
    return {"condition": held}


def held(kind: str, **fields: Any) -> dict[str, Any]:
    return {"condition": {"kind": kind, **fields}}


APPS = [
    ("open Mousepad", "Open", {"app": "Mousepad"}),
    ("launch the app 'Text Editor'", "Open", {"app": "Text Editor"}),
    ("Start galculator.", "Open", {"app": "galculator"}),
    ("run the program thunar", "Open", {"app": "thunar"}),
    ("start up Thunar", "Open", {"app": "Thunar"}),
    ("open the Files app", "Open", {"app": "Files"}),
    ("Please open “Mousepad”", "Open", {"app": "Mousepad"}),
    ("switch to Mousepad", "SwitchTo", {"name": "Mousepad"}),
    ('activate the window "Notes"', "SwitchTo", {"name": "Notes"}),
    ("focus Mousepad", "SwitchTo", {"name": "Mousepad"}),
    ("go back to the window «Notes»", "SwitchTo", {"name": "Notes"}),
    ("bring 'Notes' to the front", "SwitchTo", {"name": "Notes"}),
    ("switch over to the Calculator window", "SwitchTo", {"name": "Calculator"}),
    ("quit Mousepad", "Quit", {"app": "Mousepad"}),
    ("close the app Thunar", "Quit", {"app": "Thunar"}),
    ("exit galculator", "Quit", {"app": "galculator"}),
    ("close the window", "ChangeWindow", {"how": "close"}),
    ("close the current window", "ChangeWindow", {"how": "close"}),
    ("close the window “Untitled 1”", "ChangeWindow", {"how": "close", "name": "Untitled 1"}),
    ("close the 'Notes' window", "ChangeWindow", {"how": "close", "name": "Notes"}),
    ("maximize the window", "ChangeWindow", {"how": "maximize"}),
    ("maximise Mousepad", "ChangeWindow", {"how": "maximize", "name": "Mousepad"}),
    ("minimize the window “Notes”", "ChangeWindow", {"how": "minimize", "name": "Notes"}),
    ("restore the Notes window", "ChangeWindow", {"how": "restore", "name": "Notes"}),
    ("move the window to the left half", "ChangeWindow", {"how": "left_half"}),
    ("move the window 'Notes' to the right half of the screen", "ChangeWindow", {"how": "right_half", "name": "Notes"}),
    ("put Mousepad on the left half", "ChangeWindow", {"how": "left_half", "name": "Mousepad"}),
    ("snap the window to the top", "ChangeWindow", {"how": "top_half"}),
    ("move the window to 100, 50", "ChangeWindow", {"how": "move", "numbers": (100, 50)}),
    ("resize the window “Notes” to 800x600", "ChangeWindow", {"how": "resize", "name": "Notes", "numbers": (800, 600)}),
    ("make the window fullscreen", "ChangeWindow", {"how": "fullscreen"}),
    ("go to https://example.org/a?b=c", "GoTo", {"url": "https://example.org/a?b=c"}),
    ("navigate to localhost:8000/x", "GoTo", {"url": "localhost:8000/x"}),
    ("open https://example.org", "GoTo", {"url": "https://example.org"}),
    ("open “https://example.org”", "GoTo", {"url": "https://example.org"}),
    ("visit www.example.org", "GoTo", {"url": "www.example.org"}),
    ('go to the page "file:///srv/a b.html"', "GoTo", {"url": "file:///srv/a b.html"}),
    ("browse to example.com", "GoTo", {"url": "example.com"}),
    ("confirm the dialog", "AnswerDialog", {}),
    ("accept this dialog", "AnswerDialog", {}),
    ("dismiss the dialog", "AnswerDialog", {"accept": False}),
    ("cancel the dialog box", "AnswerDialog", {"accept": False}),
    ("close the dialog", "AnswerDialog", {"accept": False}),
]
POINTER = [
    ("click Save", "ClickOn", thing("Save")),
    ("Click on the “Save” button", "ClickOn", thing("Save", kind="button")),
    ("click the button 'Save'", "ClickOn", thing("Save", kind="button")),
    ('click the button labelled "Save"', "ClickOn", thing("Save", kind="button")),
    ("CLICK THE LINK «Delete»", "ClickOn", thing("Delete", kind="link")),
    ("tap “OK”", "ClickOn", thing("OK")),
    ("push “OK”", "ClickOn", thing("OK")),
    ("press the OK button", "ClickOn", thing("OK", kind="button")),
    ("press “OK”", "ClickOn", thing("OK")),
    ("press “5”", "ClickOn", thing("5")),
    ("hit the button “Go”", "ClickOn", thing("Go", kind="button")),
    ("click the first checkbox", "ClickOn", thing(kind="checkbox", ordinal=1)),
    ("click the second “Delete”", "ClickOn", thing("Delete", ordinal=2)),
    ("click the 3rd Delete link", "ClickOn", thing("Delete", kind="link", ordinal=3)),
    ("click the last 'Edit' button", "ClickOn", thing("Edit", kind="button", ordinal=-1)),
    ("click “Delete” next to “Invoice 7”", "ClickOn", thing("Delete", relation="row", anchor="Invoice 7")),
    ("click the Delete next to 'Invoice 7'", "ClickOn", thing("Delete", relation="row", anchor="Invoice 7")),
    (
        "click the “Delete” link in the row of “Invoice 7”",
        "ClickOn",
        thing("Delete", kind="link", relation="row", anchor="Invoice 7"),
    ),
    ("click Delete in the row with “Invoice 7”", "ClickOn", thing("Delete", relation="row", anchor="Invoice 7")),
    ("click “Delete” in the row “Invoice 7”", "ClickOn", thing("Delete", relation="row", anchor="Invoice 7")),
    ("click the button beside “Total”", "ClickOn", thing(kind="button", relation="row", anchor="Total")),
    ("click the field below “Name”", "ClickOn", thing(kind="field", relation="below", anchor="Name")),
    ("click “Edit” under the heading “Ada”", "ClickOn", thing("Edit", relation="below", anchor="Ada")),
    ("click “Edit” above “Bob”", "ClickOn", thing("Edit", relation="above", anchor="Bob")),
    ("click the icon to the left of “Bob”", "ClickOn", thing(kind="icon", relation="left", anchor="Bob")),
    ("click the icon right of “Bob”", "ClickOn", thing(kind="icon", relation="right", anchor="Bob")),
    ("click “+” near “Tabs”", "ClickOn", thing("+", relation="near", anchor="Tabs")),
    ("click “Save” in the window “Notes”", "ClickOn", thing("Save", window="Notes")),
    ("click “Save” in the “Notes” window", "ClickOn", thing("Save", window="Notes")),
    ("click Save in the window Notes", "ClickOn", thing("Save", window="Notes")),
    ("click “Save” in Mousepad", "ClickOn", thing("Save", window="Mousepad")),
    ("click the “Save” button in the dialog", "ClickOn", thing("Save", kind="button", window="dialog")),
    ("click “Yes” in the dialog ‘Sure?’", "ClickOn", thing("Yes", window="Sure?")),
    ("double-click “a.txt”", "ClickOn", {**thing("a.txt"), "count": 2}),
    ("double click on the file “a.txt”", "ClickOn", {**thing("a.txt", kind="item"), "count": 2}),
    ("doubleclick a.txt", "ClickOn", {**thing("a.txt"), "count": 2}),
    ("click twice on “a.txt”", "ClickOn", {**thing("a.txt"), "count": 2}),
    ("click “a.txt” twice", "ClickOn", {**thing("a.txt"), "count": 2}),
    ("triple-click “a.txt”", "ClickOn", {**thing("a.txt"), "count": 3}),
    ("right-click “a.txt”", "ClickOn", {**thing("a.txt"), "button": "right"}),
    ("right click on a.txt", "ClickOn", {**thing("a.txt"), "button": "right"}),
    ("middle-click the link “x”", "ClickOn", {**thing("x", kind="link"), "button": "middle"}),
    ("click “x” with the right mouse button", "ClickOn", {**thing("x"), "button": "right"}),
    ("open the context menu of “x”", "ClickOn", {**thing("x"), "button": "right"}),
    ("ctrl-click “Row 2”", "ClickOn", {**thing("Row 2"), "modifiers": ("ctrl",)}),
    ("Ctrl+Shift+click “Row 2”", "ClickOn", {**thing("Row 2"), "modifiers": ("ctrl", "shift")}),
    ("click “Row 2” while holding shift", "ClickOn", {**thing("Row 2"), "modifiers": ("shift",)}),
    ("open the File menu", "ClickOn", thing("File", kind="menu")),
    ("open the menu “File”", "ClickOn", thing("File", kind="menu")),
    ("switch to the tab “Details”", "ClickOn", thing("Details", kind="tab")),
    ("go to the Details tab", "ClickOn", thing("Details", kind="tab")),
    ("focus the field “Name”", "ClickOn", thing("Name", kind="field")),
    ("put the cursor in the Name field", "ClickOn", thing("Name", kind="field")),
    ("hover over “Help”", "PointAt", thing("Help")),
    ("point at the icon “Help”", "PointAt", thing("Help", kind="icon")),
    ("move the mouse to “Help”", "PointAt", thing("Help")),
    ("choose File > Save As…", "ChooseMenu", {"path": ("File", "Save As…")}),
    ("select the menu File -> Print", "ChooseMenu", {"path": ("File", "Print")}),
    ("click File → Export → PDF", "ChooseMenu", {"path": ("File", "Export", "PDF")}),
    ("choose “File > Save As…” from the menu", "ChooseMenu", {"path": ("File", "Save As…")}),
    ("choose “File” > “Save As…” in “Mousepad”", "ChooseMenu", {"path": ("File", "Save As…"), "window": "Mousepad"}),
    ("choose “Save” from the File menu", "ChooseMenu", {"path": ("File", "Save")}),
    ("select Copy from the menu Edit", "ChooseMenu", {"path": ("Edit", "Copy")}),
    ("drag “a” onto “b”", "DragTo", {**thing("a"), "onto": {"label": "b"}}),
    (
        "drag the file “a” to the folder “b”",
        "DragTo",
        {**thing("a", kind="item"), "onto": {"label": "b", "kind": "item"}},
    ),
    ("drag and drop a into b", "DragTo", {**thing("a"), "onto": {"label": "b"}}),
    ("drag “a” and drop it on “b”", "DragTo", {**thing("a"), "onto": {"label": "b"}}),
    ("scroll down", "ScrollBy", {}),
    ("scroll down 3", "ScrollBy", {"notches": 3}),
    ("scroll up by 10 notches", "ScrollBy", {"direction": "up", "notches": 10}),
    ("scroll down twice in the list", "ScrollBy", {"notches": 2, **thing(kind="list")}),
    ("scroll the page up", "ScrollBy", {"direction": "up"}),
    ("scroll right 2 times in “Table”", "ScrollBy", {"direction": "right", "notches": 2, **thing("Table")}),
    ("scroll to the bottom", "ScrollBy", {"notches": 50}),
    ("scroll to the top of “Log”", "ScrollBy", {"direction": "up", "notches": 50, **thing("Log")}),
    ("scroll until “Terms” is visible", "ScrollUntil", thing("Terms")),
    ("scroll up until “Terms” appears", "ScrollUntil", {**thing("Terms"), "direction": "up"}),
    ("scroll down until you see “Terms”", "ScrollUntil", thing("Terms")),
    ("scroll down in “Log” until “End” is visible", "ScrollUntil", {**thing("End"), "inside": {"label": "Log"}}),
    ("scroll to “Terms”", "ScrollUntil", thing("Terms")),
    ("scroll “Terms” into view", "ScrollUntil", thing("Terms")),
]
TEXT = [
    ("type “hello”", "TypeWords", {"text": "hello"}),
    ("type hello world", "TypeWords", {"text": "hello world"}),
    ('Type the text "a\\nb"', "TypeWords", {"text": "a\nb"}),
    ("type 'a\\nb'", "TypeWords", {"text": "a\\nb"}),
    ('type "say \\"hi\\""', "TypeWords", {"text": 'say "hi"'}),
    ('type «Zażółć <a@b.c> "é" 100 € 日本語 🙂»', "TypeWords", {"text": 'Zażółć <a@b.c> "é" 100 € 日本語 🙂'}),
    ("type Ada into Name", "TypeWords", {"text": "Ada", **thing("Name")}),
    ("type “Ada” into the field “Name”", "TypeWords", {"text": "Ada", **thing("Name", kind="field")}),
    ("enter “Ada” in the Name field", "TypeWords", {"text": "Ada", **thing("Name", kind="field")}),
    ("write “Ada” to “Name”", "TypeWords", {"text": "Ada", **thing("Name")}),
    ("type into “Name”: “Ada”", "TypeWords", {"text": "Ada", **thing("Name")}),
    ('type "then; 1. and click"', "TypeWords", {"text": "then; 1. and click"}),
    ("type {total}", "TypeWords", {"text": "{total}"}),
    ("type the value total into “Sum”", "TypeWords", {"text": "the value total", **thing("Sum")}),
    ("set “Name” to “Ada”", "SetField", {"text": "Ada", **thing("Name")}),
    ("set Name to Ada Lovelace", "SetField", {"text": "Ada Lovelace", **thing("Name")}),
    ("set the field “Name” = “Ada”", "SetField", {"text": "Ada", **thing("Name", kind="field")}),
    ("change the value of “Name” to “Ada”", "SetField", {"text": "Ada", **thing("Name")}),
    ("fill in “Name” with “Ada”", "SetField", {"text": "Ada", **thing("Name")}),
    ("fill the Name field with Ada", "SetField", {"text": "Ada", **thing("Name", kind="field")}),
    ("fill in “Ada” for “Name”", "SetField", {"text": "Ada", **thing("Name")}),
    ("put “Ada” into “Name”", "SetField", {"text": "Ada", **thing("Name")}),
    ("replace the text in “Name” with “Bob”", "SetField", {"text": "Bob", **thing("Name")}),
    ("clear “Name”", "SetField", {"text": "", **thing("Name")}),
    ("clear the field “Name”", "SetField", {"text": "", **thing("Name", kind="field")}),
    ("empty the Name field", "SetField", {"text": "", **thing("Name", kind="field")}),
    ("delete the text in “Name”", "SetField", {"text": "", **thing("Name")}),
    ("choose “Poland” in “Country”", "Choose", {"option": "Poland", **thing("Country")}),
    ("select Poland from the Country list", "Choose", {"option": "Poland", **thing("Country", kind="list")}),
    ("pick “Red” for “Colour”", "Choose", {"option": "Red", **thing("Colour")}),
    ("select the option “Red”", "Choose", {"option": "Red"}),
    ("select “Red”", "Choose", {"option": "Red"}),
    ("select the row “Ada”", "ClickOn", thing("Ada", kind="row")),
    ("tick “Remember me”", "Tick", thing("Remember me")),
    ("check the “Remember me” checkbox", "Tick", thing("Remember me", kind="checkbox")),
    ("check “Remember me”", "Tick", thing("Remember me")),
    ("enable “Wi-Fi”", "Tick", thing("Wi-Fi")),
    ("turn on “Wi-Fi”", "Tick", thing("Wi-Fi")),
    ("turn “Wi-Fi” off", "Tick", {**thing("Wi-Fi"), "on": False}),
    ("untick “Remember me”", "Tick", {**thing("Remember me"), "on": False}),
    ("uncheck the checkbox “Remember me”", "Tick", {**thing("Remember me", kind="checkbox"), "on": False}),
    ("press ctrl+s", "Press", {"keys": (("ctrl", "s"),)}),
    ("press Ctrl + Shift + S", "Press", {"keys": (("ctrl", "shift", "s"),)}),
    ("press ctrl-s", "Press", {"keys": (("ctrl", "s"),)}),
    ("press “ctrl+s”", "Press", {"keys": (("ctrl", "s"),)}),
    ("press Enter", "Press", {"keys": (("Enter",),)}),
    ("hit return", "Press", {"keys": (("Enter",),)}),
    ("press Enter twice", "Press", {"keys": (("Enter",),), "times": 2}),
    ("press the Escape key", "Press", {"keys": (("Escape",),)}),
    ("press the key “a”", "Press", {"keys": (("a",),)}),
    ("press down 3 times", "Press", {"keys": (("Down",),), "times": 3}),
    ("press the down arrow five times", "Press", {"keys": (("Down",),), "times": 5}),
    ("press Tab, Tab and Enter", "Press", {"keys": (("Tab",), ("Tab",), ("Enter",))}),
    ("use the shortcut ctrl+alt+t", "Press", {"keys": (("ctrl", "alt", "t"),)}),
    ("press F5", "Press", {"keys": (("F5",),)}),
    ("press ctrl++", "Press", {"keys": (("ctrl", "+"),)}),
    ("press .", "Press", {"keys": ((".",),)}),
    ("press Page Down", "Press", {"keys": (("PageDown",),)}),
    ("select all", "Press", {"keys": (("ctrl", "a"),)}),
    ("copy", "Press", {"keys": (("ctrl", "c"),)}),
    ("paste.", "Press", {"keys": (("ctrl", "v"),)}),
    ("save the file", "Press", {"keys": (("ctrl", "s"),)}),
    ("read “Total” as total", "ReadAs", {"name": "total", **thing("Total")}),
    ("read the value of “Total” as total", "ReadAs", {"name": "total", **thing("Total")}),
    ("read the field “Total” as total", "ReadAs", {"name": "total", **thing("Total", kind="field")}),
    ("read the display as result", "ReadAs", {"name": "result", **thing(kind="display")}),
    ("read the text of the status bar as status", "ReadAs", {"name": "status", **thing(kind="text")}),
    ("read total from “Total”", "ReadAs", {"name": "total", **thing("Total")}),
    ("get “Total” and call it “the sum”", "ReadAs", {"name": "the sum", **thing("Total")}),
    ("remember the value of “Total” as total", "ReadAs", {"name": "total", **thing("Total")}),
    (
        "read the field next to “Total” as total",
        "ReadAs",
        {"name": "total", **thing(kind="field", relation="row", anchor="Total")},
    ),
    ("read “Total”", "ReadAs", {"name": "Total", **thing("Total")}),
    ("remember “draft” as kind", "Remember", {"text": "draft", "name": "kind"}),
    ("return total", "Return", {"names": ("total",)}),
    ("return the value total", "Return", {"names": ("total",)}),
    ("return total and “the name”", "Return", {"names": ("total", "the name")}),
]
FLOW = [
    ("wait 2 seconds", "Pause", {"ms": 2000}),
    ("wait for 1.5 s", "Pause", {"ms": 1500}),
    ("pause for a minute", "Pause", {"ms": 60000}),
    ("wait 300 ms", "Pause", {"ms": 300}),
    ("wait a moment", "Pause", {"ms": 1000}),
    ("wait for “Ready”", "WaitUntil", visible("Ready")),
    ("wait until “Ready” appears", "WaitUntil", visible("Ready")),
    ("wait for “Ready” to appear", "WaitUntil", visible("Ready")),
    ("wait till “Ready” is visible", "WaitUntil", visible("Ready")),
    ("wait until “Loading” is gone", "WaitUntil", visible("Loading", negated=True)),
    ("wait for “Loading” to disappear", "WaitUntil", visible("Loading", negated=True)),
    ("wait until the button “OK” disappears", "WaitUntil", visible("OK", negated=True, kind="button")),
    ("wait up to 10 s for “Ready”", "WaitUntil", {**visible("Ready"), "limit_ms": 10000}),
    ("wait until “Ready” appears, up to 10 s", "WaitUntil", {**visible("Ready"), "limit_ms": 10000}),
    ("wait for the window “Save As”", "WaitUntil", held("window_open", text="Save As")),
    ("wait until the “Save As” window is open", "WaitUntil", held("window_open", text="Save As")),
    ("wait until the window “Save As” is closed", "WaitUntil", held("window_open", text="Save As", negated=True)),
    ("wait until “Status” contains “done”", "WaitUntil", held("contains", text="done", **thing("Status"))),
    ("expect that “Saved” is visible", "Expect", visible("Saved")),
    ("expect “Saved”", "Expect", visible("Saved")),
    ("verify “Saved” is shown", "Expect", visible("Saved")),
    ("check that “Saved” appears", "Expect", visible("Saved")),
    ("make sure I see “Saved”", "Expect", visible("Saved")),
    ("verify that there is no “Error”", "Expect", visible("Error", negated=True)),
    ("check that “Error” is not visible", "Expect", visible("Error", negated=True)),
    ("make sure “Error” is gone", "Expect", visible("Error", negated=True)),
    ("expect “Name” is “Ada”", "Expect", held("equals", text="Ada", **thing("Name"))),
    ("check that the field “Name” equals “Ada”", "Expect", held("equals", text="Ada", **thing("Name", kind="field"))),
    ("verify that “Name” is not “Bob”", "Expect", held("equals", text="Bob", negated=True, **thing("Name"))),
    ("check that “Name” contains “da”", "Expect", held("contains", text="da", **thing("Name"))),
    ("check that “Name” does not contain “x”", "Expect", held("contains", text="x", negated=True, **thing("Name"))),
    ("expect that “Name” is empty", "Expect", held("equals", **thing("Name"))),
    ("expect that total is “42”", "Expect", held("equals", text="42", **thing("total"))),
    ("expect that the window “Notes” is open", "Expect", held("window_open", text="Notes")),
    ("expect that the window “Notes” is active", "Expect", held("window_active", text="Notes")),
    ("expect that the active window is “Notes”", "Expect", held("window_active", text="Notes")),
    ("expect that the window title contains “Notes”", "Expect", held("window_active", text="Notes")),
    ("check that the checkbox “A” is ticked", "Expect", held("ticked", **thing("A", kind="checkbox"))),
    ("check that “A” is checked", "Expect", held("ticked", **thing("A"))),
    ("check that “A” is unticked", "Expect", held("ticked", negated=True, **thing("A"))),
    ("check that “A” is enabled", "Expect", held("enabled", **thing("A"))),
    ("check that “A” is greyed out", "Expect", held("enabled", negated=True, **thing("A"))),
    ("ask me “Which file?” as file", "Ask", {"question": "Which file?", "name": "file"}),
    ('ask me "Sure?"', "Ask", {"question": "Sure?"}),
    ("ask me for the password as pw", "Ask", {"question": "The password?", "name": "pw"}),
    ("ask: “Which?” and remember it as x", "Ask", {"question": "Which?", "name": "x"}),
    ("ask me before continuing", "AskToGoOn", {}),
    ("ask before going on", "AskToGoOn", {}),
    ("stop and ask me", "AskToGoOn", {}),
    ("wait for my confirmation", "AskToGoOn", {}),
]


@pytest.mark.parametrize(("goal", "kind", "said"), [*APPS, *POINTER, *TEXT, *FLOW])
def test_wording(goal: str, kind: str, said: dict[str, Any]) -> None:
    assert one(goal) == (kind, said)


def test_there_are_many_wordings() -> None:
    assert len([*APPS, *POINTER, *TEXT, *FLOW]) >= 150


@pytest.mark.parametrize(
    ("goal", "kinds"),
    [
        ("open Mousepad\ntype “a”\npress ctrl+s", "Open TypeWords Press"),
        ("open Mousepad then type “a”, then press ctrl+s", "Open TypeWords Press"),
        ("Open Mousepad, and then type “a”; press ctrl+s.", "Open TypeWords Press"),
        ("1. open Mousepad 2. type “a” 3. press ctrl+s", "Open TypeWords Press"),
        ("1) open Mousepad\n2) type “a”\n\n3) press ctrl+s", "Open TypeWords Press"),
        ("- open Mousepad\n* type “a”\n• press ctrl+s", "Open TypeWords Press"),
        ("# a comment\nopen Mousepad\n  # another\n", "Open"),
        ("open Mousepad and type “a” and press ctrl+s", "Open TypeWords Press"),
        ("Open Mousepad. Type “a”. Press ctrl+s.", "Open TypeWords Press"),
        ("click “Save”, wait 2 s, click “OK”", "ClickOn Pause ClickOn"),
        ("click Search and replace", "ClickOn"),
        ("click Save and close", "ClickOn"),
        ("if “Error” is visible, click “OK”", "When"),
        ("if “Error” is visible then click “OK”; press Enter", "When Press"),
        ("unless “Done” is visible: click “Go”", "When"),
        ("", ""),
        ("\n \n# only a comment", ""),
        ("Step 1: open Mousepad\nStep 2: click Save", "Open ClickOn"),
    ],
)
def test_several_instructions(goal: str, kinds: str) -> None:
    assert " ".join(type(found).__name__ for found in parse(goal)) == kinds


def test_a_condition_before_an_instruction() -> None:
    (when,) = parse("if the window “Tip” is open, click “Close” in the window “Tip”")
    assert flat(when)["condition"] == {"kind": "window_open", "text": "Tip"}
    assert when.words() == "If the window “Tip” is open: Click “Close” in “Tip”"
    (unless,) = parse("unless “Done” is visible, click “Go”")
    assert flat(unless)["condition"]["negated"] is True


@pytest.mark.parametrize(
    "goal",
    [
        'type """\nfirst "line"\n\n  then; third # no comment\n""" into “Text”',
        'type <<END into “Text”\nfirst "line"\n\n  then; third # no comment\nEND',
        'type << into “Text”\nfirst "line"\n\n  then; third # no comment\n>>',
    ],
)
def test_a_block_is_typed_as_it_stands(goal: str) -> None:
    kind, said = one(goal)
    assert kind == "TypeWords"
    assert said == {"text": 'first "line"\n\n  then; third # no comment', **thing("Text")}


def test_after_a_block_the_goal_goes_on() -> None:
    kinds = [type(found).__name__ for found in parse("type <<A\nclick x\nA\npress Enter")]
    assert kinds == ["TypeWords", "Press"]


@pytest.mark.parametrize(
    "goal", ["frobnicate the widget", "make me a sandwich", "if it rains, dance", "delete everything"]
)
def test_what_is_not_understood_says_what_is_near(goal: str) -> None:
    (found,) = parse(goal)
    assert isinstance(found, Unknown)
    assert found.source == goal
    assert found.nearest


def test_an_unquoted_phrase_keeps_its_literal() -> None:
    (found,) = parse("click Point of Sale in the window Shop")
    assert found.model_dump()["thing"]["literal"] == "Point of Sale in the window Shop"
    (found,) = parse("click “Save”")
    assert found.model_dump()["thing"]["literal"] == ""
