"""Real servers, good and bad: each works, or says in one sentence why not, and none is left running."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest

from console.contracts.errors import ConsoleError
from console.contracts.moves import StepErr, StepOk
from console.contracts.tool_servers import ToolServer
from console.ptc.mcp import look_at
from console.ptc.mcp.adapter import ServerAdapter
from tests.support.mcp_servers import Refusing, alive, end, over_http, started

from .conftest import AsItIs, Boxes


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with over_http() as url:
        yield url


def notes(mark: str, **fields: Any) -> ToolServer:
    return started("notes", mark, **fields)


def odd(mark: str, kind: str = "", **fields: Any) -> ToolServer:
    return started("odd", mark, kind, **fields)


async def connected(boxes: Boxes, server: ToolServer) -> ServerAdapter:
    box = boxes(server)
    await box.wait()
    (adapter,) = box.adapters
    assert adapter.link.connected, adapter.link.problem
    return adapter


@pytest.mark.parametrize("way", ["as a program", "at an address"])
async def test_a_good_server_lists_its_tools_and_they_are_called(
    way: str, boxes: Boxes, mark: str, request: pytest.FixtureRequest
) -> None:
    at = ToolServer(name="notes", url=request.getfixturevalue("address")) if way == "at an address" else notes(mark)
    adapter = await connected(boxes, at)
    assert [(tool.line.name, tool.line.effect) for tool in adapter.link.tools] == [
        ("list_notes", "reads"),
        ("read_note", "reads"),
        ("add_note", "changes"),
        ("delete_note", "destroys"),
        ("stamp", "unknown"),
        ("whoami", "reads"),
        ("learn", "reads"),
    ]
    assert adapter.link.about == "Keeps short notes."
    assert await adapter.facts("x") == ()
    refs = {ref.action: ref for ref in adapter.actions()}
    assert not refs["list_notes"].mutates_state
    assert all(refs[name].mutates_state for name in ("add_note", "delete_note", "stamp"))
    assert refs["add_note"].params_schema["required"] == ["title", "text"]
    assert await adapter.call("add_note", {"title": "tea", "text": "green"}) == StepOk(data={"result": "added tea"})
    listed = await adapter.call("list_notes", None)
    assert isinstance(listed, StepOk)
    assert isinstance(listed.data, dict)
    assert listed.data["tea"] == "green"
    assert boxes.told == []


async def test_on_the_loop_of_the_window_it_is_the_same(
    qt_loop: asyncio.AbstractEventLoop, boxes: Boxes, mark: str
) -> None:
    adapter = await connected(boxes, notes(mark))
    assert await adapter.call("stamp", {"text": "a"}) == StepOk(data={"result": "a (stamped)"})


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("crash", "The server “odd” could not be used: Connection closed. It ended with code 1. It said: No licence"),
        ("silent", "The server “odd” did not answer within 1 s."),
        ("garbage", "It writes what is no message, and does not stop."),
    ],
)
async def test_a_server_that_does_not_start_says_why_once(kind: str, words: str, boxes: Boxes, mark: str) -> None:
    box = boxes(odd(mark, kind, timeout_s=1 if kind == "silent" else 30))
    await box.wait()
    (adapter,) = box.adapters
    (said,) = boxes.told
    assert words in said
    assert said.endswith("Look at it in Settings, under Tools.")
    (fact,) = await adapter.facts("x")
    assert (fact.kind, str(fact.payload) in said) == ("unavailable", True)
    assert adapter.actions() == []
    assert isinstance(await adapter.call("x", {}), StepErr)
    assert alive(mark) == []


async def test_a_command_that_is_not_there(boxes: Boxes) -> None:
    box = boxes(ToolServer(name="gone", command="no-such-program"), ToolServer(name="cwd", command="true", cwd="/no"))
    await box.wait()
    first, second = sorted(boxes.told)
    assert first == (
        "“no-such-program” could not be started: No such file or directory. "
        "Check the command and its folder in Settings, under Tools."
    )
    assert second.startswith("“true” could not be started: ")


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "it answers 401, so it wants a key in its headers, or another one."),
        (403, "it answers 403, so what its headers hold does not suffice."),
        (404, "it answers 404, so nothing is at this address."),
        (418, "it answers 418."),
        (500, "it answers 500, so it has a fault of its own."),
        (200, "Unexpected content type: text/html."),
    ],
)
async def test_an_address_that_refuses(status: int, words: str, boxes: Boxes) -> None:
    with Refusing(status) as web:
        server = ToolServer(name="web", url=web.url, headers={"Authorization": "Bearer x"}, timeout_s=10)
        await boxes(server).wait()
        assert web.headers["authorization"] == "Bearer x"
    (said,) = boxes.told
    assert said == f"The server “web” could not be used: {words} Look at it in Settings, under Tools."


async def test_an_address_where_nobody_is(boxes: Boxes) -> None:
    with Refusing(200) as web:
        url = web.url
    await boxes(ToolServer(name="web", url=url)).wait()
    (said,) = boxes.told
    assert said.startswith("The server “web” could not be used: ")


async def test_a_server_that_crashes_in_a_call_is_started_again_by_the_next(boxes: Boxes, mark: str) -> None:
    adapter = await connected(boxes, odd(mark))
    with pytest.raises(ConsoleError) as caught:
        await adapter.call("crash", {})
    assert caught.value.message == (
        "The server “odd” was gone during the call. It ended with code 7. It said: Out of paper."
    )
    assert "Whether the call took effect is not known" in caught.value.hint
    assert await adapter.call("noise", {}) == StepOk(data={"result": "done"})
    assert adapter.link.connected


async def test_a_server_that_ends_between_two_calls_is_told_once_and_started_again(boxes: Boxes, mark: str) -> None:
    adapter = await connected(boxes, odd(mark))
    end(alive(mark))
    async with asyncio.timeout(5):
        while not boxes.told:
            await asyncio.sleep(0.01)
    assert boxes.told == ["The server “odd” ended. It ended with code -9. Look at it in Settings, under Tools."]
    assert await adapter.call("noise", {}) == StepOk(data={"result": "done"})
    assert len(boxes.told) == 1


async def test_a_server_at_an_address_that_goes_and_comes_back(boxes: Boxes) -> None:
    with over_http() as url:
        adapter = await connected(boxes, ToolServer(name="web", url=url))
    with pytest.raises(ConsoleError, match="The server “web” was gone during the call"):
        await adapter.call("stamp", {"text": "a"})
    assert boxes.told == []
    with over_http(url.split(":")[2].partition("/")[0]):
        assert await adapter.call("stamp", {"text": "a"}) == StepOk(data={"result": "a (stamped)"})


async def test_an_answer_that_is_too_large_to_take_ends_the_connection(boxes: Boxes, mark: str) -> None:
    adapter = await connected(boxes, odd(mark))
    with pytest.raises(ConsoleError, match="It sent a message of more than 16 MB"):
        await adapter.call("giant", {})
    assert await adapter.call("noise", {}) == StepOk(data={"result": "done"})


async def test_a_call_under_way_ends_when_its_run_does(boxes: Boxes, mark: str) -> None:
    adapter = await connected(boxes, odd(mark))
    call = asyncio.create_task(adapter.call("hang", {}))
    await asyncio.sleep(0.2)
    await boxes.made[0].close()
    with pytest.raises(ConsoleError, match="was gone during the call"):
        await call


async def test_a_call_that_hangs_ends_at_its_time(boxes: Boxes, mark: str) -> None:
    adapter = await connected(boxes, odd(mark, timeout_s=4))
    began = time.monotonic()
    with pytest.raises(ConsoleError) as caught:
        await adapter.call("hang", {})
    assert caught.value.message == "“odd” did not answer within 4 s."
    assert time.monotonic() - began < 6
    assert await adapter.call("noise", {}) == StepOk(data={"result": "done"})


async def test_a_call_that_hangs_can_be_given_up_at_once(boxes: Boxes, mark: str) -> None:
    adapter = await connected(boxes, odd(mark))
    call = asyncio.create_task(adapter.call("hang", {}))
    await asyncio.sleep(0.2)
    began = time.monotonic()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert time.monotonic() - began < 0.1
    assert await adapter.call("noise", {}) == StepOk(data={"result": "done"})


async def test_odd_answers_are_told(boxes: Boxes, mark: str, unblocked_loop: asyncio.AbstractEventLoop) -> None:
    adapter = await connected(boxes, odd(mark))
    huge = await adapter.call("huge", {})
    assert isinstance(huge, StepOk)
    assert isinstance(huge.data, str)
    assert len(huge.data) < 70_000
    assert huge.data.endswith("(cut: the first 64000 of 6000014 bytes)")
    failed = await adapter.call("fail", {})
    assert failed == StepErr(message="odd: Error executing tool fail: The paper [31m is red.")
    assert await adapter.call("picture", {}) == StepOk(data="Look:\n(image, 3x2/image/png)")
    missing = await adapter.call("nothing", {})
    assert isinstance(missing, StepErr)
    assert missing.message.startswith("odd has no tool “nothing”. It has: crash, hang, huge")
    assert await adapter.call("fail", [1]) == StepErr(
        message="odd.fail: “params” is an object with the names of the parameters."
    )


async def test_what_is_no_message_is_passed_over(boxes: Boxes, mark: str) -> None:
    adapter = await connected(boxes, odd(mark, "chatty"))
    assert await adapter.call("noise", {}) == StepOk(data={"result": "done"})
    assert boxes.told == []


@pytest.mark.parametrize("way", ["as a program", "at an address"])
async def test_a_list_that_changes_is_read_again(way: str, boxes: Boxes, mark: str) -> None:
    if way == "as a program":
        await _learns(await connected(boxes, notes(mark)))
    else:
        with over_http() as url:
            await _learns(await connected(boxes, ToolServer(name="notes", url=url)))


async def _learns(adapter: ServerAdapter) -> None:
    await adapter.call("learn", {})
    async with asyncio.timeout(10):
        while "list_more" not in [ref.action for ref in adapter.actions()]:
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("kind", ["stubborn", "fork"])
async def test_nothing_is_left_of_a_server_that_does_not_want_to_go(kind: str, boxes: Boxes, mark: str) -> None:
    adapter = await connected(boxes, odd(mark, kind))
    if kind == "fork":
        assert isinstance(await adapter.call("fork", {}), StepOk)
        assert len(alive(mark)) == 2
    began = time.monotonic()
    await boxes.made[0].close()
    assert time.monotonic() - began < 2.5
    await asyncio.sleep(0.1)
    assert alive(mark) == []


async def test_a_box_that_is_not_used_starts_nothing_and_one_that_is_closed_early_leaves_nothing(
    boxes: Boxes, mark: str
) -> None:
    unused, early = boxes(notes(mark)), boxes(notes(mark), odd(mark, "silent"))
    await unused.close()
    early.begin()
    await asyncio.sleep(0.3)
    await early.close()
    early.begin()
    assert not any(link.connected for link in (*unused.links, *early.links))
    assert boxes.told == []
    await asyncio.sleep(0.1)
    assert alive(mark) == []


async def test_a_slow_server_holds_up_the_first_look_only_for_a_moment(boxes: Boxes, mark: str) -> None:
    box = boxes(odd(mark, "silent"), patience_s=0.2)
    (adapter,) = box.adapters
    began = time.monotonic()
    assert await adapter.facts("x") == ()
    assert await adapter.facts("x") == ()
    assert 0.15 < time.monotonic() - began < 0.5


async def test_a_thousand_tools_are_listed_and_the_loop_goes_on(
    boxes: Boxes, mark: str, unblocked_loop: asyncio.AbstractEventLoop
) -> None:
    adapter = await connected(boxes, odd(mark, "many"))
    assert len(adapter.actions()) == 1000


async def test_names_of_servers_are_told_apart(boxes: Boxes, mark: str) -> None:
    box = boxes(notes(mark, name="ptc"), notes(mark, name="My files"), notes(mark, name="My/files"))
    off = boxes(notes(mark, enabled=False))
    assert [one.name for one in box.adapters] == ["ptc_2", "My_files", "My_files_2"]
    assert off.adapters == ()


async def test_a_trial_lists_the_tools_or_raises(mark: str) -> None:
    found = await look_at(notes(mark), AsItIs())
    assert [(line.name, line.about) for line in found][:2] == [
        ("list_notes", "All notes by their title."),
        ("read_note", "The text of one note."),
    ]
    with pytest.raises(ConsoleError, match="No licence was found"):
        await look_at(odd(mark, "crash"), AsItIs())
    await asyncio.sleep(0.1)
    assert alive(mark) == []
