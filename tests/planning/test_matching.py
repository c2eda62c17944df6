"""Which elements a phrase means."""

from __future__ import annotations

import pytest

from console.contracts.view import AdapterFactRef, Blocker, PlanningElement
from console.planning import SHIPPED, PlannerParts, entry
from console.planning.instructions.matching import Match, clickable, described, match, settable
from console.planning.instructions.models import Thing
from console.planning.instructions.names import Fit, fit, has_words
from console.planning.instructions.quoting import Reader
from console.planning.instructions.sight import Sight
from console.planning.instructions.templates import NoValue, fill
from console.planning.instructions.things import thing

from .world import World, element


def sight(*elements: PlanningElement, **fields: object) -> Sight:
    return Sight(World.of(*elements, **fields).view())  # type: ignore[arg-type]


def named(phrase: str) -> Thing:
    reader = Reader.of(phrase)
    return thing(reader.masked, reader)


def ids(found: Match) -> list[str]:
    return [one.id for one in found.found]


@pytest.mark.parametrize(
    ("wanted", "shown", "result"),
    [
        ("Save", "Save", Fit.EXACT),
        ("save", "Save", Fit.SAME),
        ("Save As", "_Save As…", Fit.PLAIN),
        ("Save As", "Save &As...", Fit.PLAIN),
        ("Name", "Name:", Fit.PLAIN),
        ("E-mail", "E-mail *", Fit.PLAIN),
        ("Zolc", "Żółć", Fit.PLAIN),
        ("Datei", "Datei (F)", Fit.PLAIN),
        ("don't save", "Don’t Save", Fit.PLAIN),
        ("Save", "Save As…", Fit.PREFIX),
        ("Invoice 7", "The Invoice 7", Fit.WITHIN),
        ("Invoice 7", "Invoice 77", Fit.ALIKE),
        ("Preferenses", "Preferences", Fit.ALIKE),
        ("5", "55", Fit.NONE),
        ("Save", "Quit", Fit.NONE),
        ("", "x", Fit.NONE),
        ("x", "", Fit.NONE),
        ("+", "+", Fit.EXACT),
        ("…", "…", Fit.EXACT),
    ],
)
def test_fit(wanted: str, shown: str, result: Fit) -> None:
    assert fit(wanted, shown) == result


def test_words_are_whole_words() -> None:
    assert has_words("pay invoice 7 now", "invoice 7")
    assert not has_words("pay invoice 77 and invoice 78", "invoice 7")
    assert has_words("invoice 77, invoice 7", "invoice 7")
    assert not has_words("anything", "")


def test_the_label_as_it_stands_wins_over_its_taking_apart() -> None:
    seen = sight(
        element("a", "Save in Archive"), element("b", "Save"), element("c", "Point of Sale", at=(10, 40, 80, 20))
    )
    assert ids(match(named("Save in Archive"), seen, clickable)) == ["a"]
    assert ids(match(named("Point of Sale"), seen, clickable)) == ["c"]
    assert ids(match(named("the Save button"), seen, clickable)) == ["b"]


def test_the_kind_tells_apart_and_is_not_taken_too_seriously() -> None:
    seen = sight(element("b", "Help"), element("l", "Help", "link", at=(10, 50, 80, 20)))
    assert ids(match(named("the Help link"), seen, clickable)) == ["l"]
    assert ids(match(named("the Help button"), seen, clickable)) == ["b"]
    assert ids(match(named("the Help tab"), seen, clickable)) == ["b", "l"]


def test_the_front_window_the_enabled_and_the_useful_are_preferred() -> None:
    seen = sight(
        element("other", "Save", window="Other"),
        element("off", "Save", enabled=False, at=(10, 50, 80, 20)),
        element("text", "Save", "text", at=(10, 90, 80, 20)),
        element("on", "Save", at=(10, 130, 80, 20)),
    )
    assert ids(match(named("Save"), seen, clickable)) == ["on"]
    assert ids(match(named("“Save” in the window “Other”"), seen, clickable)) == ["other"]


def test_a_field_is_meant_when_something_is_to_be_set() -> None:
    seen = sight(element("label", "Name", "text"), element("field", "Name:", "input", at=(100, 10, 80, 20)))
    assert ids(match(named("Name"), seen, clickable)) == ["label"]
    assert ids(match(named("Name"), seen, settable)) == ["field"]
    assert ids(match(named("Name"), seen, settable, must=True)) == ["field"]


def test_the_same_thing_twice_is_one() -> None:
    seen = sight(
        element("cell", "Delete", "row", at=(10, 10, 100, 30)), element("link", "Delete", "link", at=(12, 12, 60, 20))
    )
    assert ids(match(named("Delete"), seen, clickable)) == ["link"]


def test_what_is_typed_is_no_name() -> None:
    seen = sight(element("f", None, "input", value="Save"), element("t", None, "text", value="Save"))
    assert ids(match(named("Save"), seen)) == ["t"]


def test_neighbours() -> None:
    seen = sight(
        element("t", "Total", "text", at=(10, 100, 50, 20)),
        element("left", None, "input", at=(0, 100, 8, 20)),
        element("right", None, "input", at=(80, 100, 50, 20)),
        element("far", None, "input", at=(400, 100, 50, 20)),
        element("below", None, "input", at=(10, 140, 50, 20)),
        element("above", None, "input", at=(10, 60, 50, 20)),
        element("aside", None, "input", at=(300, 125, 50, 20)),
    )
    for phrase, id_ in (
        ("the field right of “Total”", "right"),
        ("the field below “Total”", "below"),
        ("the field above “Total”", "above"),
        ("the field to the left of “Total”", "left"),
    ):
        assert ids(match(named(phrase), seen, settable)) == [id_]
    assert ids(match(named("the field near “Nothing”"), seen, settable)) == []
    assert ids(match(named("next to “Total”"), seen, settable)) == ["left"]
    assert ids(match(named("the field near “otal”"), seen, settable)) == []


def test_an_element_without_a_place_is_no_neighbour() -> None:
    lost = element("lost", "Edit").model_copy(update={"bounds": None})
    seen = sight(element("t", "Total", "text"), lost)
    assert ids(match(named("“Edit” near “Total”"), seen)) == []
    assert ids(match(named("the first “Edit”"), seen)) == ["lost"]


def test_ordinals_count_in_reading_order() -> None:
    seen = sight(
        element("c", "Edit", at=(10, 90, 50, 20)),
        element("b", "Edit", at=(100, 10, 50, 20)),
        element("a", "Edit", at=(10, 12, 50, 20)),
    )
    assert ids(match(named("the first Edit"), seen)) == ["a"]
    assert ids(match(named("the 2nd Edit button"), seen)) == ["b"]
    assert ids(match(named("the last Edit"), seen)) == ["c"]
    assert ids(match(named("the 4th Edit"), seen)) == []
    assert ids(match(named("the only Edit"), seen)) == ["c", "b", "a"]


def test_descriptions_tell_apart() -> None:
    one, two = element("a", "Edit"), element("b", "Edit", at=(10, 90, 50, 20))
    assert described([one, two], sight()) == ("Edit (number 1 from the top)", "Edit (number 2 from the top)")
    other = element("c", "Edit", window="Other")
    assert described([one, other], sight()) == ("Edit in the window “Notes”", "Edit in the window “Other”")
    link = element("d", "Edit", "link", at=(10, 90, 50, 20))
    assert described([one, link], sight()) == (
        "Edit (button, number 1 from the top)",
        "Edit (link, number 2 from the top)",
    )
    assert described([element("e", None, "input")], sight()) == ("the input",)


def test_a_dialog_is_known_from_the_view() -> None:
    world = World.of(element("x", "OK", window="Ask"))
    world.blockers = [Blocker(kind="modal_dialog", description="“Ask” is open.", element_id="x")]
    assert Sight(world.view()).modal == "Ask"
    world.blockers = [Blocker(kind="modal_dialog", description="“Notes” is open.")]
    assert Sight(world.view()).modal == "Notes"
    world.blockers = [Blocker(kind="modal_dialog", description="Something is open.")]
    assert Sight(world.view()).modal is None
    world.windows.append({"title": "Ask", "app": "x", "dialog": True})
    assert Sight(world.view()).modal == "Ask"
    world.blockers = []
    assert Sight(world.view()).dialog_title() == "Ask"
    assert ids(match(named("“OK” in the dialog"), Sight(world.view()))) == ["x"]
    assert ids(match(named("“OK” in the dialog"), sight(element("x", "OK")))) == []


def test_windows_are_known_by_title_and_app() -> None:
    world = World.of(element("b", "OK", window="Untitled"))
    world.windows = [
        {"title": "Untitled", "app": "org.xfce.mousepad"},
        {"title": "Other", "app": "", "minimized": True},
    ]
    view = world.view()
    view = view.model_copy(update={"adapter_facts": (*view.adapter_facts, AdapterFactRef(adapter="x", kind="y"))})
    seen = Sight(view)
    assert [window.title for window in seen.windows_like("Mousepad")] == ["Untitled"]
    assert seen.windows_like("Gimp") == []
    assert seen.active is None
    assert ids(match(named("“OK” in Mousepad"), seen)) == ["b"]
    world.windows = []
    bare = world.view().model_copy(
        update={"screen": world.view().screen.model_copy(update={"active_app": "a", "window": "W"})}
    )
    assert [(w.title, w.active) for w in Sight(bare).windows] == [("W", True)]


def test_a_dialog_of_another_app_blocks_nothing() -> None:
    world = World.of(element("x", "Refresh", window="Files"))
    world.windows.append({"title": "Files", "app": "thunar"})
    assert not Sight(world.view()).same_app("Files", "Notes")
    assert Sight(world.view()).same_app("Files", "Unknown")


def test_values_are_put_in_only_where_they_are_known() -> None:
    assert fill("{a} ${a} {b} {}", {"a": 4}, ["a"]) == "4 4 {b} {}"
    assert fill("the value a", {"a": "x"}, ["a"]) == "x"
    assert fill("the value of “a”", {"a": "x"}, ["a"]) == "x"
    assert fill("the value of life", {}, ["a"]) == "the value of life"
    with pytest.raises(NoValue):
        fill("{a}", {}, ["a"])


def test_the_catalogue() -> None:
    first = SHIPPED[0]
    assert first is entry("instructions")
    assert entry("nobody") is None
    planner = first.make(first.settings(), PlannerParts())
    assert getattr(planner, "wants_screenshot", True) is False
    assert first.budget.max_elements > 80
