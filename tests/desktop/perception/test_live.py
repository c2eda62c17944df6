"""Single elements by their ids: every failure is one kind of error with a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from console.contracts.errors import TargetError
from console.contracts.geometry import Point
from console.contracts.scene import SceneElement
from console.desktop.accessibility import roles
from console.desktop.accessibility.live import LiveElements
from console.desktop.accessibility.reader import AccessibilityReader

from .fakes import SHOWING, FakeApp, FakeBus, FakeNode, top, window
from .test_reading import BUTTON, EDITABLE, ENTRY, PASSWORD

WINDOW = window(1, 7, active=True)
ALL = ("Accessible", "Action", "Component", "EditableText", "Selection", "Text", "Value")


class LiveBus(FakeBus):
    """Also does what it is asked to; `refuses` answers no."""

    refuses = False
    did: tuple[str, Any] = ("", None)
    interfaces = ALL

    def _answer(self, app: FakeApp, node: FakeNode, member: str, body: tuple[Any, ...]) -> Any:
        does: dict[str, Callable[[], object]] = {
            "SetTextContents": lambda: setattr(node, "text", body[0]),
            "Set": lambda: setattr(node, "number", body[2].value if member == "Set" else 0),
            "GrabFocus": lambda: setattr(node, "states", node.states | {roles.FOCUSED}),
            "DoAction": lambda: None,
            "SelectChild": lambda: None,
            "ScrollTo": lambda: None,
        }
        if member == "GetInterfaces":
            return [f"org.a11y.atspi.{name}" for name in self.interfaces]
        if member == "GetAccessibleAtPoint":
            return app.ref(node)
        if member not in does:
            return super()._answer(app, node, member, body)
        self.did = (member, body[-1] if body else None)
        if not self.refuses:
            does[member]()
        return not self.refuses


class Live:
    def __init__(self, node: FakeNode) -> None:
        self.node, self.app = node, FakeApp([top(node)], 7)
        self.bus: Any = LiveBus(self.app)
        self.reader = AccessibilityReader(self.bus)
        self.elements = LiveElements(self.bus, self.reader)

    async def seen(self) -> SceneElement:
        return (await self.reader.read((WINDOW,))).elements[0]


def button(**more: Any) -> FakeNode:
    return FakeNode(BUTTON, "OK", (10, 10, 50, 20), actions=("press", "show menu"), **more)


@pytest.mark.parametrize(("word", "index"), [("click", 0), ("activate", 0), ("press", 0), ("show_menu", 1)])
async def test_actions_go_by_the_words_of_the_contract(word: str, index: int) -> None:
    live = Live(button())
    seen = await live.seen()
    assert live.elements.offers(seen, word)
    await live.elements.act(seen.id, word)
    assert live.bus.did == ("DoAction", index)


async def test_what_it_does_not_offer_or_refuses_is_said() -> None:
    live = Live(button())
    seen = await live.seen()
    assert not live.elements.offers(seen, "increment")
    with pytest.raises(TargetError) as caught:
        await live.elements.act(seen.id, "increment")
    assert "press, show menu" in caught.value.hint
    live.bus.refuses = True
    with pytest.raises(TargetError, match="refused"):
        await live.elements.act(seen.id, "click")


async def test_text_is_set_and_read_back() -> None:
    live = Live(FakeNode(ENTRY, "Name", (10, 10, 50, 20), states=EDITABLE, text="old"))
    seen = await live.seen()
    assert await live.elements.set_text(seen.id, "żółw") == "żółw"
    assert await live.elements.read_text(seen.id) == "żółw"
    live.bus.refuses = True
    with pytest.raises(TargetError, match="refused"):
        await live.elements.set_text(seen.id, "x")
    live.bus.interfaces = ("Accessible",)
    with pytest.raises(TargetError, match="cannot be set"):
        await live.elements.set_text(seen.id, "x")
    with pytest.raises(TargetError, match="no number"):
        await live.elements.set_number(seen.id, 3)


async def test_a_password_is_set_but_never_read() -> None:
    live = Live(FakeNode(PASSWORD, "Secret", (10, 10, 50, 20), states=EDITABLE, text="hunter2!"))
    seen = await live.seen()
    assert await live.elements.set_text(seen.id, "new") is None
    with pytest.raises(TargetError, match="never read"):
        await live.elements.read_text(seen.id)
    assert live.bus.asked["GetText"] == 0


async def test_numbers_are_set() -> None:
    live = Live(FakeNode(51, "Volume", (10, 10, 50, 20), number=1.0))
    assert await live.elements.set_number((await live.seen()).id, 7.5) == "7.5"


async def test_an_option_of_a_list_is_chosen_by_its_name() -> None:
    items = [FakeNode(32, name, (10, 10 + 20 * n, 50, 20)) for n, name in enumerate(("Red", "Green"))]
    live = Live(FakeNode(31, "Colour", (10, 10, 50, 60), items))
    seen = await live.seen()
    await live.elements.select_option(seen.id, "green")
    assert live.bus.did == ("SelectChild", 1)
    with pytest.raises(TargetError) as caught:
        await live.elements.select_option(seen.id, "Blue")
    assert "Red, Green" in caught.value.hint
    live.bus.refuses = True
    with pytest.raises(TargetError, match="refused"):
        await live.elements.select_option(seen.id, "Red")


async def test_focus_scrolling_and_what_is_at_a_point() -> None:
    live = Live(button())
    seen = await live.seen()
    assert await live.elements.focus(seen.id)
    assert await live.elements.focus(seen.id)
    await live.elements.scroll_into_view(seen.id)
    assert await live.elements.at(seen.id, Point(x=12, y=12)) == live.app.ref(live.node)
    assert await live.elements.at("ax:none", Point(x=12, y=12)) is None
    live.bus.refuses = True
    with pytest.raises(TargetError, match="does not scroll"):
        await live.elements.scroll_into_view(seen.id)


async def test_an_element_is_brought_up_to_date() -> None:
    live = Live(FakeNode(ENTRY, "Name", (10, 10, 50, 20), states=EDITABLE, text="old"))
    seen = await live.seen()
    live.node.text, live.node.box, live.node.name = "new", (380, 30, 50, 20), "Surname"
    now = await live.elements.refresh(seen, WINDOW)
    assert now is not None
    assert (now.value, now.label, now.bounds.x, now.bounds.width, now.id) == ("new", "Surname", 380, 20, seen.id)


@pytest.mark.parametrize("how", ["hidden", "gone", "other", "outside", "broken"])
async def test_an_element_that_is_gone_is_none_or_an_error(how: str) -> None:
    live = Live(button())
    seen = await live.seen()
    match how:
        case "hidden":
            live.node.states = SHOWING - {roles.SHOWING}
        case "gone":
            live.bus.apps.clear()
        case "other":
            live.node.role = 88
        case "outside":
            live.node.box = (9000, 10, 50, 20)
        case "broken":
            live.node.broken = frozenset({"GetState"})
    assert await live.elements.refresh(seen, WINDOW) is None
    if how in ("hidden", "gone", "broken"):
        with pytest.raises(TargetError, match="not there"):
            await live.elements.act(seen.id, "click")
    with pytest.raises(TargetError):
        await live.elements.act("ax:unknown", "click")


async def test_an_application_that_stops_ends_in_an_error_soon() -> None:
    live = Live(button())
    seen = await live.seen()
    live.app.stopped = True
    assert await live.elements.refresh(seen, WINDOW) is None
    with pytest.raises(TargetError, match="does not answer"):
        await live.elements.act(seen.id, "click")
    assert await live.elements.at(seen.id, Point(x=12, y=12)) is None
