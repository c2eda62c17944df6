"""What an action is about to touch, and how it is called."""

from __future__ import annotations

import pytest

from console.contracts import actions as act
from console.contracts.errors import TargetError
from console.contracts.geometry import Point, Rect
from console.contracts.safety import TargetPrint
from console.core.targets import dialog_words, namer, resolve_target

from .scenes import element, frame, scene, window

SAVE = element("ax:1", "Save", bounds=Rect(x=100, y=200, width=80, height=20))


def test_an_id_resolves_to_its_element_and_its_centre() -> None:
    target = resolve_target(act.Click(target_id="ax:1"), scene(SAVE))
    assert target.print == TargetPrint(
        element_id="ax:1", element_type="button", label="Save", window_id=1, window="Notes", app="Mousepad"
    )
    assert target.point == Point(x=140, y=210)
    assert target.bounds == SAVE.bounds


def test_an_id_that_is_not_there_is_an_error_with_a_way_on() -> None:
    with pytest.raises(TargetError) as caught:
        resolve_target(act.Click(target_id="ax:9"), scene(SAVE))
    assert caught.value.sentence() == "There is no element ax:9 on the screen. Look again and choose one that is there."


def test_a_point_is_a_pixel_of_the_picture_and_is_scaled_once() -> None:
    half = frame(image_width=640, image_height=400)
    target = resolve_target(act.Click(target_id="point:70,105"), scene(SAVE, frame=half))
    assert target.point == Point(x=140, y=210)
    assert target.print.label == "Save"
    assert target.print.element_id == "point:70,105"


def test_a_point_on_a_monitor_to_the_left_is_negative() -> None:
    left = Rect(x=-1920, y=0, width=1920, height=1080)
    wide = frame(bounds=left, image_width=1920, image_height=1080, monitors=({"bounds": left},))
    assert resolve_target(act.Click(target_id="point:100,100"), scene(frame=wide)).point == Point(x=-1820, y=100)


@pytest.mark.parametrize("target_id", ["point:1280,10", "point:-1,10", "point:10,800"])
def test_a_point_outside_the_picture_is_refused(target_id: str) -> None:
    with pytest.raises(TargetError, match="outside the picture"):
        resolve_target(act.Click(target_id=target_id), scene(SAVE))


def test_a_point_between_monitors_is_refused() -> None:
    gap = frame(monitors=({"bounds": Rect(x=0, y=0, width=100, height=100)},))
    with pytest.raises(TargetError, match="on no monitor"):
        resolve_target(act.Click(target_id="point:500,500"), scene(frame=gap))


def test_a_point_over_another_window_belongs_to_the_topmost() -> None:
    popup = window(2, "Popup", "Other", bounds=Rect(x=90, y=190, width=200, height=100))
    target = resolve_target(act.Click(target_id="point:140,210"), scene(SAVE, windows=(popup, window())))
    assert (target.print.window, target.print.label) == ("Popup", "")


def test_keys_go_to_the_focused_element_of_the_active_window() -> None:
    field = element("ax:2", "Name", "input", protected=True)
    target = resolve_target(act.TypeText(text="x"), scene(field, focused_id="ax:2"))
    assert target.print.label == "Name"
    assert target.protected


def test_keys_without_a_focused_element_go_to_the_active_window() -> None:
    assert resolve_target(act.Key(key="a"), scene(SAVE)).print.window == "Notes"
    nowhere = scene(windows=(window(active=False),))
    assert resolve_target(act.KeyCombo(keys=("ctrl", "s")), nowhere).print == TargetPrint()


def test_focus_in_another_window_than_the_active_one_does_not_count() -> None:
    stray = element("ax:3", "Elsewhere", "input", window_id=7)
    assert resolve_target(act.Key(key="a"), scene(stray, focused_id="ax:3")).print.label == ""


def test_ax_action_without_an_id_is_found_by_label_and_role() -> None:
    link = element("ax:4", "Save", "link")
    found = resolve_target(act.AxAction(action="click", label="save", role_hint="link"), scene(SAVE, link))
    assert found.print.element_id == "ax:4"
    with pytest.raises(TargetError, match="2 things are called “save”"):
        resolve_target(act.AxAction(action="click", label="save"), scene(SAVE, link))
    with pytest.raises(TargetError, match="Nothing on the screen is called “”"):
        resolve_target(act.AxAction(action="click"), scene(SAVE))


def test_a_dialog_action_means_the_topmost_dialog_and_its_button() -> None:
    dialog = window(2, "Sure?", dialog=True)
    yes = element("ax:5", "Delete", window_id=2)
    here = scene(SAVE, yes, windows=(dialog, window()))
    assert resolve_target(act.Dialog(op="click", button="delete"), here).print.element_id == "ax:5"
    assert resolve_target(act.Dialog(op="dismiss"), here).print.window == "Sure?"
    with pytest.raises(TargetError, match="no dialog"):
        resolve_target(act.Dialog(op="list"), scene(SAVE))


def test_apps_are_bound_to_the_titles_of_their_windows() -> None:
    two = scene(windows=(window(1, "*b"), window(2, "a")))
    assert resolve_target(act.QuitApp(app_name="mousepad"), two).print == TargetPrint(app="mousepad", window="*b · a")
    assert resolve_target(act.Window(op="close"), two).print.window == "*b"
    assert resolve_target(act.Window(op="close", app="a"), two).print.app == "a"
    assert resolve_target(act.LaunchApp(app_name="xterm"), two).print == TargetPrint(app="xterm")


def test_drag_binds_both_ends_and_a_batch_all_of_its_members() -> None:
    bin_ = element("ax:6", "Trash")
    drag = resolve_target(act.Drag(from_target_id="ax:1", to_target_id="ax:6"), scene(SAVE, bin_))
    assert drag.print.label == "Save → Trash"
    assert drag.point == SAVE.bounds.center
    batch = act.ActionBatch(actions=(act.Wait(ms=1), act.Click(target_id="ax:1")))
    assert resolve_target(batch, scene(SAVE)).print.label == "Save"
    assert resolve_target(act.ActionBatch(actions=()), scene(SAVE)).print == TargetPrint()
    one = act.ActionBatch(actions=(act.Click(target_id="ax:1"),))
    assert resolve_target(one, scene(SAVE)).print.element_id == "ax:1"


def test_other_kinds() -> None:
    area = resolve_target(act.Select(from_x=50, from_y=60, to_x=10, to_y=20), scene(SAVE))
    assert area.bounds == Rect(x=10, y=20, width=41, height=41)
    assert area.print.window == "Notes"
    assert resolve_target(act.Navigate(url="https://a.b"), scene(SAVE)).print.label == "https://a.b"
    assert resolve_target(act.Custom(adapter="x", action="y"), scene(SAVE)).print.label == "y"
    assert resolve_target(act.Wait(ms=1), scene(SAVE)).print == TargetPrint()


def test_names_say_the_row_only_where_the_label_is_not_enough() -> None:
    first = element("ax:7", "Delete", context="Invoice 7 · Ada")
    second = element("ax:8", "Delete", context="Invoice 8 · Grace")
    name = namer(scene(SAVE, first, second, element("ax:9", kind="input", window="")))
    assert name("ax:1") == "“Save” in “Notes”"
    assert name("ax:7") == "“Delete” in the row “Invoice 7 · Ada” in “Notes”"
    assert name("ax:9") == "the input"
    assert name("point:3,4") == "the point (3, 4)"
    assert name("gone") == "“gone”"


def test_only_dialogs_speak() -> None:
    words = (
        element("a", "for good?", "text", bounds=Rect(x=5, y=40, width=9, height=9)),
        element("b", "Delete it", "text", bounds=Rect(x=5, y=20, width=9, height=9)),
        element("c", "Yes"),
    )
    assert dialog_words(scene(*words, windows=(window(dialog=True),)), window(dialog=True)) == "Delete it for good?"
    assert dialog_words(scene(*words), window()) == ""
    assert dialog_words(scene(*words), None) == ""
