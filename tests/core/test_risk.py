"""What is destructive waits; what is not must not be in the way."""

from __future__ import annotations

import pytest

from console.contracts import actions as act
from console.contracts.safety import RiskAssessment, RiskLevel, Target, TargetPrint
from console.contracts.view import AdapterActionRef
from console.core.risk import assess, worst
from console.core.risk_words import category_of

CLICK = act.Click(target_id="ax:1")


def on(label: str = "", kind: str = "button", **print_: str) -> Target:
    return Target(print=TargetPrint(element_id="ax:1", element_type=kind, label=label, **print_))


def level(action: act.AnyAction, target: Target) -> str:
    return assess(action, target).level.value


@pytest.mark.parametrize(
    ("label", "category"),
    [
        ("Delete", "delete"),
        ("_Delete", "delete"),
        ("Move to Trash", "delete"),
        ("Don’t Save", "delete"),
        ("Close without Saving", "delete"),
        ("Uninstall", "delete"),
        ("Replace", "overwrite"),
        ("Send", "send"),
        ("Submit order", "send"),
        ("Place order", "pay"),
        ("Buy now", "pay"),
        ("Publish", "publish"),
        ("Install", "install"),
        ("Shut Down…", "power"),
        ("Log Out", "power"),
        ("Allow", "rights"),
        ("Löschen", "delete"),
        ("Supprimer", "delete"),
        ("Usuń", "delete"),
        ("Enviar", "send"),
    ],
)
@pytest.mark.parametrize("kind", ["button", "link", "menuitem", "text"])
def test_a_click_on_a_destructive_word_waits(label: str, category: str, kind: str) -> None:
    risk = assess(CLICK, on(label, kind))
    assert (risk.level, risk.category) == (RiskLevel.DESTRUCTIVE, category)
    assert risk.reasons[0].startswith(f"“{label}”")


@pytest.mark.parametrize(
    "label", ["Save", "OK", "Next", "Undo", "Sender", "Posture", "Payroll", "Edit", "", "7", "Buyer’s guide"]
)
def test_an_everyday_click_does_not(label: str) -> None:
    assert level(CLICK, on(label)) == "ordinary"


def test_a_name_that_sounds_destructive_is_still_only_a_name() -> None:
    for kind in ("row", "listitem", "cell", "input", "treeitem"):
        assert level(CLICK, on("delete me.txt", kind)) == "ordinary"


def test_a_right_click_only_opens_a_menu() -> None:
    assert level(act.Click(target_id="a", button="right"), on("Delete")) == "ordinary"


@pytest.mark.parametrize("button", ["Yes", "OK", "Continue", ""])
def test_saying_yes_to_a_dialog_that_deletes_waits(button: str) -> None:
    words = "This permanently deletes 3 files. It cannot be undone."
    risk = assess(CLICK, on(button, scene_words=words, window="Question"))
    assert risk.category == "delete"
    assert "permanently deletes" in risk.reasons[0]


@pytest.mark.parametrize("button", ["Cancel", "No", "Keep", "Abbrechen", "close"])
def test_the_way_out_of_a_dialog_is_free(button: str) -> None:
    assert level(CLICK, on(button, scene_words="Delete 3 files?")) == "ordinary"


def test_text_fields_of_a_dialog_are_free() -> None:
    assert level(CLICK, on("Name", "input", scene_words="A file of this name already exists")) == "ordinary"


@pytest.mark.parametrize("key", ["Delete", "del", "shift+Delete", "KP_Delete"])
def test_delete_waits_outside_a_text_field(key: str) -> None:
    assert assess(act.Key(key=key), on("a.txt", "listitem")).category == "delete"
    assert level(act.Key(key=key), on("Name", "input")) == "ordinary"


@pytest.mark.parametrize("keys", [("ctrl", "alt", "BackSpace"), ("Control_L", "Alt_L", "F2"), ("ctrl+alt+delete",)])
def test_keys_that_leave_the_session_are_forbidden(keys: tuple[str, ...]) -> None:
    assert level(act.KeyCombo(keys=keys), on()) == "forbidden"


def test_the_power_key_waits() -> None:
    assert assess(act.Key(key="XF86PowerOff"), on()).category == "power"


@pytest.mark.parametrize("keys", [("alt", "F4"), ("ctrl", "q"), ("control", "w")])
def test_closing_waits_when_work_is_unsaved(keys: tuple[str, ...]) -> None:
    assert level(act.KeyCombo(keys=keys), on(window="*Untitled 1 - Mousepad")) == "destructive"
    assert level(act.KeyCombo(keys=keys), on(window="notes.txt - Mousepad")) == "ordinary"


def test_quitting_and_closing_a_window_wait_when_work_is_unsaved() -> None:
    for action in (act.QuitApp(app_name="x"), act.Window(op="close")):
        assert assess(action, on(window="a.txt · *b.txt")).category in ("quit", "")
        assert level(action, on(window="*b.txt")) == "destructive"
        assert level(action, on(window="b.txt")) == "ordinary"
    assert level(act.Window(op="minimize"), on(window="*b.txt")) == "ordinary"


def test_enter_runs_commands_and_sends_messages() -> None:
    assert assess(act.Key(key="Return"), on(app="xterm", window="~")).category == "command"
    assert assess(act.TypeText(text="rm -rf x\n"), on(app="XTerm", window="root")).category == "command"
    assert assess(act.Key(key="enter"), on(app="Slack", window="general")).category == "send"
    assert level(act.TypeText(text="ls"), on(app="xterm")) == "ordinary"
    assert level(act.Key(key="Return"), on("Name", "input", app="zenity")) == "ordinary"


def test_enter_and_space_press_what_has_the_focus() -> None:
    assert assess(act.Key(key="space"), on("Delete")).category == "delete"
    assert (
        assess(act.Key(key="Return"), on("Name", "input", scene_words="already exists. Replace it?")).category
        == "overwrite"
    )
    assert assess(act.TypeText(text="y\n"), on("", "input", scene_words="Delete it?")).category == "delete"


def test_plain_keys_and_typing_are_ordinary() -> None:
    assert level(act.Key(key="a"), on()) == "ordinary"
    assert level(act.KeyCombo(keys=("ctrl", "+")), on()) == "ordinary"
    assert level(act.TypeText(text="delete"), on("Search", "input")) == "ordinary"
    assert level(act.TypeText(text="a\nb"), on("Body", "textarea")) == "ordinary"


def test_rights_by_a_check_box() -> None:
    tick = act.SetValue(target_id="a", value="true")
    assert assess(tick, on("Allow executing file as program", "checkbox")).category == "rights"
    assert level(tick, on("Wrap lines", "checkbox")) == "ordinary"
    assert level(tick, on("Permissions", "input")) == "ordinary"


def test_dropping_on_the_bin() -> None:
    drag = act.Drag(from_target_id="a", to_target_id="b")
    assert assess(drag, on("a.txt → Trash")).category == "delete"
    assert level(drag, on("a.txt → Photos")) == "ordinary"


def test_dialog_actions() -> None:
    assert level(act.Dialog(op="list"), on("Delete")) == "harmless"
    assert level(act.Dialog(op="click", button="Delete"), on("Delete")) == "destructive"
    assert level(act.Dialog(op="dismiss"), on()) == "ordinary"


def test_code_waits() -> None:
    assert assess(act.CdpEval(expression="1"), on()).category == "code"
    assert assess(act.Navigate(url=" JavaScript:alert(1)"), on()).category == "code"
    assert level(act.Navigate(url="https://example.org"), on()) == "ordinary"


def test_tools_count_as_changing_unless_they_say_otherwise() -> None:
    reader = AdapterActionRef(adapter="files", action="read", mutates_state=False)
    writer = AdapterActionRef(adapter="files", action="write", mutates_state=True)
    call = act.Custom(adapter="files", action="read")
    assert assess(call, on(), [reader, writer]).level is RiskLevel.HARMLESS
    assert assess(call.model_copy(update={"action": "write"}), on(), [reader, writer]).category == "tool"
    assert assess(call, on()).category == "tool"


@pytest.mark.parametrize(
    ("destructive", "words"),
    [
        (True, "files says that “write” may destroy something."),
        (False, "files may change something."),
        (None, "files may change something."),
    ],
)
def test_whatever_a_tool_changes_waits_for_a_yes(destructive: bool | None, words: str) -> None:
    tool = AdapterActionRef(adapter="files", action="write", mutates_state=True, destructive=destructive)
    risk = assess(act.Custom(adapter="files", action="write"), on(), [tool])
    assert (risk.level, risk.reasons) == (RiskLevel.DESTRUCTIVE, (words,))


def test_looking_and_waiting_are_harmless_and_opening_is_ordinary() -> None:
    assert level(act.Wait(ms=1), on()) == "harmless"
    assert level(act.Hover(target_id="a"), on("Delete")) == "harmless"
    assert level(act.Scroll(dy=1), on()) == "harmless"
    assert level(act.LaunchApp(app_name="x"), on()) == "ordinary"


def test_a_batch_is_as_risky_as_its_worst_member() -> None:
    batch = act.ActionBatch(actions=(act.Wait(ms=1), CLICK))
    assert level(batch, on("Delete")) == "destructive"
    assert worst([]) == RiskAssessment(level=RiskLevel.HARMLESS)
    both = worst(
        [
            RiskAssessment(level=RiskLevel.DESTRUCTIVE, reasons=("a",)),
            RiskAssessment(level=RiskLevel.DESTRUCTIVE, reasons=("b",)),
        ]
    )
    assert both.reasons == ("a", "b")


def test_words_are_whole_words() -> None:
    assert category_of("Formatting bar") is None
    assert category_of("Undeleted") is None
    assert category_of("deleting files") == ("delete", "deleting")
