"""Typing, clicking and stopping on a real X server: exact, whatever the layout, and nothing left pressed."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator

import pytest

from console.contracts.errors import InputError
from console.contracts.geometry import Point
from console.desktop.input.activity import ActivityMonitor
from console.desktop.input.device import X11Input

pytestmark = pytest.mark.display
LAYOUTS = ["us", "de", "fr", "ru"]
AWKWARD = 'abc yz 123 @#<>/ <a href="x">'
FOREIGN = "żółw é ß € 日本語 🙂 ёж"
CJK = "".join(chr(0x4E00 + n) for n in range(300))
MARKUP = '<p class="vo i">Čecha</p>' * 50


def setxkbmap(*arguments: str) -> None:
    subprocess.run(["setxkbmap", *arguments], check=True)


def xdotool(*arguments: object) -> None:
    subprocess.run(["xdotool", *map(str, arguments)], check=True)


@pytest.fixture
async def device(x_state) -> AsyncIterator[X11Input]:
    device = X11Input()
    yield device
    await device.close()


@pytest.fixture
def layout() -> Iterator[None]:
    """The plain layout again after the test."""
    yield
    setxkbmap("-layout", "us", "-option", "")


async def wait_text(receiver, text: str) -> None:
    await asyncio.to_thread(receiver.wait_text, text)


@pytest.mark.parametrize("name", LAYOUTS)
async def test_text_is_exact_on_a_layout_that_was_set_before(name, device, receiver, layout):
    setxkbmap(name)
    await device.type_text(f"{AWKWARD} {FOREIGN}")
    await wait_text(receiver, f"{AWKWARD} {FOREIGN}")


async def test_text_is_exact_after_each_switch_of_the_layout(device, receiver, layout):
    expected = ""
    for name in [*LAYOUTS, "us,ru", "us"]:
        setxkbmap(name)
        await device.type_text(f"{AWKWARD} {FOREIGN}")
        expected += f"{AWKWARD} {FOREIGN}"
        await wait_text(receiver, expected)


async def test_text_is_exact_in_the_second_group_and_stays_there(device, receiver, layout, screen):
    setxkbmap("us,ru", "-option", "grp:alt_shift_toggle")
    xdotool("key", "alt+shift")
    await device.type_text(AWKWARD + "привет")
    await wait_text(receiver, AWKWARD + "привет")


async def test_caps_lock_changes_nothing_and_stays_on(device, receiver, screen):
    xdotool("key", "Caps_Lock")
    try:
        await device.type_text("Abc Ж ß <x>")
        await wait_text(receiver, "Abc Ж ß <x>")
        assert screen.held().mask == 2
    finally:
        xdotool("key", "Caps_Lock")


async def test_num_lock_changes_nothing(device, receiver):
    xdotool("key", "Num_Lock")
    try:
        await device.type_text("a1<2")
        await device.keys(["shift+Left"])
        await device.keys(["x"])
        await wait_text(receiver, "a1<x")
    finally:
        xdotool("key", "Num_Lock")


async def test_the_bare_keymap_of_the_server_types_less_than(device, receiver, layout):
    await device.type_text("a<b>c")
    await wait_text(receiver, "a<b>c")


@pytest.mark.parametrize("text", [CJK, MARKUP, CJK * 2], ids=["300 CJK", "markup x 50", "600 CJK"])
async def test_long_text_arrives_whole(text, device, receiver):
    await device.type_text(text)
    await wait_text(receiver, text)


async def test_long_text_arrives_whole_on_a_busy_machine(device, receiver):
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        await device.type_text(MARKUP)
        await wait_text(receiver, MARKUP)
    finally:
        for process in busy:
            process.kill()
            process.wait()


async def test_mousepad_gets_the_markup_byte_for_byte(app, device, screen, tmp_path):
    file = tmp_path / "page.html"
    file.write_text("")
    app(["mousepad", "--disable-server", str(file)], "page.html")
    await asyncio.sleep(0.3)
    await device.type_text(MARKUP + "\r\n" + CJK)
    await device.keys(["ctrl+s"])
    deadline = time.monotonic() + 15
    expected = f"{MARKUP}\n{CJK}".encode()
    while file.read_bytes().rstrip(b"\n") != expected and time.monotonic() < deadline:
        await asyncio.sleep(0.2)
        await device.keys(["ctrl+s"])
    assert file.read_bytes().rstrip(b"\n") == expected


async def test_a_terminal_gets_each_line_once(app, device, tmp_path):
    out = tmp_path / "out.txt"
    app(["xterm", "-u8", "-T", "Cat", "-e", f"cat > {out}"], "^Cat$")
    await asyncio.sleep(0.3)
    lines = ['<p class="vo i">Čecha</p>' * 3] * 17
    await device.type_text("\r\n".join(lines) + "\n" + r"back\nslash" + "\n")
    expected = "\n".join(lines) + "\n" + "back\\nslash\n"
    deadline = time.monotonic() + 10
    while out.read_text(encoding="utf-8") != expected and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
    assert out.read_text(encoding="utf-8") == expected


async def test_line_ends_of_every_kind_are_one_return(device, receiver):
    await device.type_text("line1\nline2\r\nline3\tend \\n")
    await wait_text(receiver, "line1\nline2\nline3\tend \\n")
    returns = [event for event in receiver.events("key_press") if event["text"] == "\r" and event["widget"] == "text"]
    assert len(returns) == 2


async def test_a_held_modifier_is_waited_for_and_then_an_error(device, receiver):
    xdotool("keydown", "ctrl")
    try:
        with pytest.raises(InputError, match="held down"):
            await device.type_text("abc")
    finally:
        xdotool("keyup", "ctrl")
    assert receiver.text == ""


async def test_keys_arrive_by_any_name_and_an_unknown_one_sends_nothing(device, receiver, raw_events):
    await device.type_text("one two")
    await device.keys(["Control_L+a"])
    await device.keys(["BackSpace"])
    await wait_text(receiver, "")
    before = len(raw_events.quiet(0.2))
    for combo in (["foo"], ["ctrl", "foo"], [""], ["ctrl+alt+backspace"]):
        with pytest.raises(InputError):
            await device.keys(combo)
    assert len(raw_events.quiet(0.2)) == before
    await device.keys(["shift+x"])
    await device.keys(["?"])
    await device.keys(["ctrl", "shift", "Left"])
    await wait_text(receiver, "X?")


@pytest.mark.parametrize("amount", [3, -3])
async def test_scrolling_is_in_notches_and_down_is_positive(amount, device, receiver):
    point = Point(**dict(zip("xy", receiver.centre("text"), strict=True)))
    await device.scroll(point, 0, amount)
    await device.scroll(point, amount, 0)
    await asyncio.sleep(0.3)
    wheel = [event for event in receiver.events("wheel") if event["widget"] not in ("", "text")]
    wheel = wheel or receiver.events("wheel")
    sign = -1 if amount > 0 else 1
    down = {event["t"]: event["dy"] for event in wheel if event["dy"]}
    across = {event["t"]: event["dx"] for event in wheel if event["dx"]}
    assert set(down.values()) == {sign * 120}
    assert set(across.values()) == {sign * 120}


async def test_a_scroll_counts_wheel_buttons_and_is_capped(device, receiver, raw_events):
    point = Point(**dict(zip("xy", receiver.centre("text"), strict=True)))
    await device.scroll(point, 2, -3)
    events = [event.detail for event in raw_events.quiet(0.2) if event.kind == "press"]
    assert events == [4, 4, 4, 7, 7]
    await device.scroll(point, 0, 600)
    events = [event.detail for event in raw_events.quiet(0.2) if event.kind == "press"]
    assert events.count(5) == 50


async def test_clicks_land_to_the_pixel_with_each_button(device, receiver):
    x, y = receiver.centre("text")
    for button, count, modifiers in (("left", 2, ("ctrl",)), ("middle", 1, ()), ("back", 1, ("shift",))):
        await device.click(Point(x=x, y=y), button=button, count=count, modifiers=modifiers)
    await asyncio.sleep(0.3)
    presses = {(e["button"], e["x"], e["y"]) for e in receiver.events("press")}
    assert {("LeftButton", x, y), ("MiddleButton", x, y), ("BackButton", x, y)} <= presses


async def test_a_point_beyond_the_screen_moves_nothing(device, screen, raw_events):
    before = screen.pointer()
    for point in (Point(x=99_999, y=5), Point(x=-5, y=5), Point(x=1280, y=0)):
        with pytest.raises(InputError, match="on no monitor"):
            await device.click(point)
        with pytest.raises(InputError, match="on no monitor"):
            await device.drag([Point(x=5, y=5), point])
    assert screen.pointer() == before


async def test_with_the_pointer_in_a_corner_everything_works(device, receiver, screen):
    xdotool("mousemove", 0, 0)
    x, y = receiver.centre("button")
    await device.click(Point(x=x, y=y))
    await asyncio.to_thread(receiver.wait, lambda s: s["clicks"] == 1, "the click")
    for corner in ((0, 0), (1279, 0), (0, 799), (1279, 799)):
        await device.click(Point(x=corner[0], y=corner[1]))
        assert screen.pointer() == corner
    await device.click(Point(x=x, y=y))
    await asyncio.to_thread(receiver.wait, lambda s: s["clicks"] == 2, "the second click")


async def test_a_drag_selects_text(device, receiver):
    await device.type_text("drag me")
    x, y, width, _ = receiver.state["places"]["text"]
    await device.drag([Point(x=x + 6, y=y + 14), Point(x=x + width - 10, y=y + 14)])
    await device.keys(["x"])
    await wait_text(receiver, "x")


async def test_nothing_is_held_after_a_stop_in_a_drag(device, receiver, screen):
    drag = asyncio.create_task(
        device.drag([Point(x=100, y=600), Point(x=1100, y=600), Point(x=100, y=700)], modifiers=["ctrl"])
    )
    while screen.held().mask & 0x104 != 0x104:
        await asyncio.sleep(0.005)
    device.stop_now()
    assert not screen.held()
    with pytest.raises(InputError, match="stopped"):
        await drag
    assert not screen.held()


@pytest.mark.parametrize("how", ["stop", "cancel"])
async def test_the_last_event_comes_at_once_after_stop(how, device, receiver, raw_events, screen):
    slowest = 0.0
    for turn in range(6):
        device.reset()
        task = asyncio.create_task(device.type_text("Xy <ž>" * 300))
        count = len(raw_events.events)
        while len(raw_events.events) < count + 20:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.013 * turn)
        began = time.monotonic()
        if how == "stop":
            threading.Thread(target=device.stop_now).start()
            with pytest.raises(InputError, match="stopped"):
                await task
        else:
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        raw_events.quiet(0.15)
        slowest = max(slowest, raw_events.last("key_press", "key_release").t - began)
        assert not screen.held()
    assert slowest < 0.25, f"the last event came {slowest * 1000:.0f} ms after Stop"


async def test_after_a_stop_nothing_is_sent_until_reset(device, receiver, raw_events):
    await device.connect()
    device.stop_now()
    raw_events.quiet(0.1)
    count = len(raw_events.events)
    for call in (
        device.type_text("a"),
        device.keys(["a"]),
        device.move(Point(x=9, y=9)),
        device.click(Point(x=9, y=9)),
    ):
        with pytest.raises(InputError, match="stopped"):
            await call
    assert [e for e in raw_events.quiet(0.1)[count:] if e.kind in ("key_press", "press", "motion")] == []
    device.reset()
    await device.type_text("b")
    await wait_text(receiver, "b")


async def test_the_spare_keys_are_given_back_at_the_end(receiver, x_state):
    def meanings() -> str:
        return subprocess.run(["xmodmap", "-pke"], capture_output=True, text=True, check=True).stdout

    before = meanings()
    device = X11Input()
    await device.type_text("日本 ёж")
    await wait_text(receiver, "日本 ёж")
    assert meanings() != before
    await device.close()
    assert meanings() == before


class Watch:
    """What the monitor told, with when."""

    def __init__(self, device: X11Input, **options) -> None:
        self.stops: list[tuple[float, str]] = []
        self.hands: list[str] = []
        self.monitor = ActivityMonitor(
            device.pressed,
            lambda why: self.stops.append((time.monotonic(), why)),
            self.hands.append,
            **options,
        )
        self.monitor.start()


@pytest.fixture
async def watch(device, x_state) -> AsyncIterator[Watch]:
    xdotool("mousemove", 640, 400)
    watch = Watch(device)
    yield watch
    watch.monitor.close()


async def test_our_own_typing_and_moving_is_not_taken_for_a_hand(watch, device, receiver):
    x, y = receiver.centre("text")
    await device.click(Point(x=x, y=y))
    await device.type_text("some text Ž <b>" * 12)
    await device.drag([Point(x=x, y=y), Point(x=x + 100, y=y + 20)])
    await device.scroll(Point(x=x, y=y), 0, 3)
    await device.click(Point(x=0, y=0))
    await asyncio.sleep(0.15)
    assert watch.monitor.problem is None
    assert (watch.stops, watch.hands) == ([], [])


async def test_the_mouse_of_the_operator_is_noticed_while_we_type(watch, device, receiver):
    typing = asyncio.create_task(device.type_text("some text " * 40))
    await asyncio.sleep(0.15)
    xdotool("mousemove_relative", 30, 10)
    await typing
    assert "You moved the mouse." in watch.hands
    assert "You pressed a key." not in watch.hands
    assert watch.stops == []


async def test_a_key_of_the_operator_is_noticed(watch, receiver):
    xdotool("keydown", "z")
    await asyncio.sleep(0.1)
    xdotool("keyup", "z")
    assert "You pressed a key." in watch.hands


@pytest.mark.parametrize("corner", [(2, 2), (1278, 1), (1, 798), (1279, 799)])
async def test_the_pointer_thrown_into_a_corner_stops(corner, watch):
    began = time.monotonic()
    xdotool("mousemove", *corner)
    while not watch.stops and time.monotonic() < began + 2:
        await asyncio.sleep(0.005)
    at, why = watch.stops[0]
    assert at - began < 0.2
    assert "corner" in why


async def test_a_pointer_that_is_in_the_corner_already_stops_nothing(device, x_state):
    xdotool("mousemove", 0, 0)
    watch = Watch(device)
    await asyncio.sleep(0.1)
    xdotool("mousemove", 1, 2)
    await asyncio.sleep(0.1)
    assert watch.stops == []
    xdotool("mousemove", 400, 300)
    await asyncio.sleep(0.1)
    xdotool("mousemove", 0, 0)
    await asyncio.sleep(0.1)
    watch.monitor.close()
    assert [why for _, why in watch.stops] == ["You moved the pointer into the top left corner."]


async def test_corners_can_be_switched_off(device, x_state):
    xdotool("mousemove", 640, 400)
    watch = Watch(device, corners=False)
    xdotool("mousemove", 0, 0)
    await asyncio.sleep(0.1)
    watch.monitor.close()
    assert watch.stops == []


async def test_the_stop_key_works_with_the_locks_on_as_well(watch):
    for lock in ("Caps_Lock", "Num_Lock"):
        xdotool("key", lock)
        xdotool("key", "ctrl+alt+Escape")
        await asyncio.sleep(0.1)
        xdotool("key", lock)
    assert [why for _, why in watch.stops] == ["You pressed the stop key."] * 2


async def test_a_stop_key_that_cannot_be_had_is_said(watch, device):
    second = Watch(device)
    unknown = Watch(device, stop_key="Ctrl+Alt+Foo")
    plain = Watch(device, stop_key="a+b")
    for other in (second, unknown, plain):
        other.monitor.close()
    assert "another program has it" in str(second.monitor.problem)
    assert "no key “Foo”" in str(unknown.monitor.problem)
    assert plain.monitor.problem
