"""Tools of a real server in a run: called by the planner and by programs, asked about one by one, stopped at once."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from console.contracts import actions as act
from console.contracts.events import ApprovalAsked, Attempted, RunEnded, RunEvent
from console.contracts.moves import Batch, BatchStep, Done
from console.contracts.safety import ApprovalDecision, ApprovalRequest
from console.contracts.step import Step
from console.core.control import RunControl
from console.core.gate import Gate
from console.core.permits import PermitBook
from console.core.policy import Policy
from console.core.run import Run
from console.ptc.mcp import ToolBox
from console.ptc.mcp.catalogue import Catalogue
from console.ptc.programs import ProgramAdapter
from console.storage.export import export_run
from console.storage.journal import Journal
from console.storage.references import References
from console.testing.doubles import FakeDesktop, MemoryStore, ScriptedOperator, ScriptedPlanner
from tests.core.scenes import element, scene
from tests.support.mcp_servers import started

from .conftest import Boxes

SCENE = scene(element("ax:ok", "OK"))
CANARY = "sk-TEST-CANARY-123"
DONE = Done(summary="It is done")


def called(adapter: str, action: str, **params: Any) -> Batch:
    step = BatchStep(purpose="use the tool", action=act.Custom(adapter=adapter, action=action, params=params))
    return Batch(purpose="use the tool", steps=(step,))


def program(source: str) -> Batch:
    return called("ptc", "run", source=source)


class Story:
    """One run with the tools of a box."""

    def __init__(
        self, box: ToolBox, *moves: Any, approvals: Any = (), store: Any = None, keys: Any = frozenset()
    ) -> None:
        office = PermitBook()
        self.operator = approvals if not isinstance(approvals, tuple) else ScriptedOperator(approvals=list(approvals))
        self.desktop = FakeDesktop(SCENE, office=office, adapters=box.adapters)
        programs = ProgramAdapter(box.adapters, discovery=lambda names: Catalogue(box.adapters, names))
        self.planner = ScriptedPlanner(*moves)
        self.control = RunControl()
        self.run = Run(
            self.planner,
            self.desktop,
            Gate(office, Policy(), self.operator),
            self.operator,
            store or MemoryStore(),
            self.control,
            adapters=[programs, *box.adapters],
            keys=keys,
        )
        self.events: list[RunEvent] = []

    async def tell(self, saw: Callable[[RunEvent], None] = lambda event: None) -> RunEnded:
        async for event in self.run.events("keep my notes"):
            self.events.append(event)
            saw(event)
        assert isinstance(self.events[-1], RunEnded)
        return self.events[-1]

    @property
    def asked(self) -> list[str]:
        return [event.request.sentence for event in self.events if isinstance(event, ApprovalAsked)]

    @property
    def attempts(self) -> list[tuple[str, bool]]:
        found = [event for event in self.events if isinstance(event, Attempted)]
        return [(event.record.action.describe(), event.record.succeeded) for event in found]

    @property
    def step(self) -> Step:
        """Of the last program."""
        ended = self.events[-1]
        assert isinstance(ended, RunEnded)
        return ended.step.child_steps[-1]


@pytest.fixture
def box(boxes: Boxes, mark: str) -> ToolBox:
    return boxes(started("notes", mark))


async def test_a_planner_sees_the_tools_and_calls_them_and_each_change_is_asked(box: ToolBox) -> None:
    story = Story(
        box,
        called("notes", "read_note", title="milk"),
        called("notes", "add_note", title="tea", text="green"),
        called("notes", "delete_note", title="rent"),
        called("notes", "stamp", text="a"),
        called("notes", "list_notes"),
        DONE,
        approvals=("approve", "deny", "approve"),
    )
    ended = await story.tell()
    assert ended.end == "succeeded"
    shown = {f"{ref.adapter}.{ref.action}" for ref in story.planner.asked[0][2].adapter_actions}
    assert {"notes.read_note", "notes.delete_note", "ptc.run"} <= shown
    assert story.asked == [
        "notes: add note “title: tea, text: green”",
        "notes: delete note “title: rent”",
        "notes: stamp “text: a”",
    ]
    history = story.planner.asked[-1][0]
    assert [record.succeeded for record in history] == [True, True, False, True, True]
    assert history[-1].data == {"milk": "two litres", "rent": "on the first", "tea": "green"}


async def test_a_program_finds_out_what_there_is_and_calls_it(box: ToolBox) -> None:
    story = Story(
        box,
        program(
            """{:servers (mcp/servers)
                :found (apropos "delete note" {:limit 2})
                :some (dir 'notes {:limit 2 :offset 1})
                :doc (doc 'notes/add_note)
                :meta (meta "notes/list_notes")
                :named (meta 'notes-stamp)
                :server (doc 'notes)
                :none (apropos "zeppelin")
                :read (tool/notes-read-note {:title "milk"})
                :added (:result (tool/notes-add-note {:title "tea" :text "green"}))}"""
        ),
        DONE,
        approvals=("approve",),
    )
    ended = await story.tell()
    assert ended.end == "succeeded", story.attempts
    said: Any = story.step.return_
    assert said["servers"] == [{"name": "notes", "state": "ready", "tools": 7, "about": "Keeps short notes."}]
    assert said["found"][0] == "notes/delete_note - Deletes a note for ever."
    assert said["some"] == ["notes/read_note - The text of one note.", "notes/add_note - Adds a note."]
    assert said["doc"] == ("notes/add_note\n(tool/notes-add-note {:title … :text …})\nAdds a note.\nChanges something.")
    assert (said["meta"]["call"], said["meta"]["effect"]) == ("(tool/notes-list-notes)", "reads")
    assert said["named"]["name"] == "notes/stamp"
    assert (said["server"], said["none"]) == ("notes: 7 tools", [])
    assert (said["read"], said["added"]) == ({"result": "two litres"}, "added tea")
    assert story.asked == ["notes: add note “title: tea, text: green”"]
    assert [(op.operation, op.outcome) for op in story.step.catalog_ops] == [
        ("servers", "ok"),
        ("apropos", "ok"),
        ("dir", "ok"),
        ("doc", "ok"),
        ("meta", "ok"),
        ("meta", "ok"),
        ("doc", "ok"),
        ("apropos", "ok"),
    ]
    assert [call.name for call in story.step.tool_calls] == ["notes-read-note", "notes-add-note"]


async def test_answers_that_last_are_asked_for_once_by_all_programs_of_a_run(boxes: Boxes, mark: str) -> None:
    server = started("notes", mark)
    box = boxes(server.model_copy(update={"cache": ("read_note", "stamp")}))
    read, stamp = '(tool/notes-read-note {:title "milk"})', '(tool/notes-stamp {:text "a"})'
    story = Story(
        box, program(f"[{read} {read} {stamp}]"), program(f"[{read} {stamp}]"), DONE, approvals=("approve", "approve")
    )
    ended = await story.tell()
    assert ended.end == "succeeded", story.attempts
    words = [words for words, _ in story.attempts]
    assert [word for word in words if "notes" in word] == [
        "notes: read note “title: milk”",
        "notes: stamp “text: a”",  # it may change something, so it is done each time
        "notes: stamp “text: a”",
    ]
    first, second = ended.step.child_steps
    assert [bool(call.cached) for call in first.tool_calls] == [False, True, False]
    assert [bool(call.cached) for call in second.tool_calls] == [True, False]
    assert second.return_ == [{"result": "two litres"}, {"result": "a (stamped)"}]
    assert ended.step.tool_cache == {'["notes-read-note", {"title": "milk"}]': {"result": "two litres"}}


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("(dir 'nowhere)", "there is no server nowhere; there are: notes"),
        ("(doc 'notes/nothing)", 'there is nothing called notes/nothing; find it with (apropos "words")'),
        ("(meta 'nothing)", "there is nothing called nothing"),
    ],
)
async def test_a_question_for_what_is_not_there_ends_the_program(box: ToolBox, source: str, words: str) -> None:
    story = Story(box, program(source), DONE)
    await story.tell()
    assert words in str(story.planner.asked[-1][0][-1].error)
    assert [op.outcome for op in story.step.catalog_ops] == ["error"]


async def test_a_server_that_is_not_there_reads_as_nothing(boxes: Boxes, mark: str) -> None:
    box = boxes(started("odd", mark, "crash"))
    story = Story(box, program("[(mcp/servers) (dir 'odd) (doc 'odd/x)]"), DONE)
    await story.tell()
    said: Any = story.step.return_
    assert (said[0][0]["state"], said[1], said[2]) == ("failed", None, None)
    assert [(op.outcome, "licence" in str(op.reason)) for op in story.step.catalog_ops[1:]] == [
        ("nil_world_fault", True),
        ("nil_world_fault", True),
    ]


async def test_what_only_reads_is_called_in_parallel_and_what_changes_is_not(box: ToolBox) -> None:
    reads = '(pmap (fn [title] (:result (tool/notes-read-note {:title title}))) ["milk" "rent" "milk"])'
    changes = '(pmap (fn [title] (tool/notes-add-note {:title title :text "x"})) ["a" "b"])'
    story = Story(box, program(reads), program(changes), called("notes", "list_notes"), DONE)
    await story.tell()
    first, second, listed = story.planner.asked[-1][0]
    assert first.data == ["two litres", "on the first", "two litres"]
    assert not second.succeeded
    assert "pmap" in str(second.error)
    assert listed.data == {"milk": "two litres", "rent": "on the first"}
    assert story.asked == []


async def test_stop_ends_a_call_that_hangs_within_a_quarter_of_a_second(
    boxes: Boxes, mark: str, unblocked_loop: asyncio.AbstractEventLoop
) -> None:
    box = boxes(started("odd", mark))
    story = Story(box, program("(tool/odd-hang)"), DONE)
    pressed: list[float] = []

    def stop() -> None:
        pressed.append(time.monotonic())
        story.control.stop("Enough.")

    def saw(event: RunEvent) -> None:
        if event.event == "action_intended" and "odd: hang" in event.model_dump_json() and not pressed:
            asyncio.get_running_loop().call_later(0.3, stop)

    ended = await story.tell(saw)
    took = time.monotonic() - pressed[0]
    assert ended.end == "stopped"
    assert took < 0.25
    await box.close()


class Waits:
    """An operator who denies late."""

    def __init__(self) -> None:
        self.asked: list[ApprovalRequest] = []

    async def approve(self, request: ApprovalRequest) -> ApprovalDecision:
        self.asked.append(request)
        await asyncio.sleep(0.2)
        return ApprovalDecision(verdict="deny", reason="not that")


async def test_nothing_is_called_before_the_answer_and_nothing_after_a_no(box: ToolBox) -> None:
    operator = Waits()
    story = Story(
        box,
        program('(tool/notes-delete-note {:title "milk"})'),
        called("notes", "list_notes"),
        DONE,
        approvals=operator,
    )
    await story.tell()
    (request,) = operator.asked
    assert request.risk.reasons == ("notes says that “delete_note” may destroy something.",)
    assert story.planner.asked[-1][0][-1].data == {"milk": "two litres", "rent": "on the first"}


class Ring:
    """A keyring with one key."""

    def __init__(self) -> None:
        self.known: set[str] = set()

    async def key(self, service: str) -> SecretStr | None:
        return SecretStr(CANARY)


async def test_a_secret_of_a_server_stands_nowhere(
    boxes: Boxes, mark: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ring = Ring()
    box = boxes(started("notes", mark, env={"NOTES_TOKEN": "${key:notes}"}), resolver=References(ring))
    journal = Journal(tmp_path / "data")
    story = Story(
        box,
        called("notes", "whoami"),
        program("[(tool/notes-whoami) (mcp/servers)]"),
        called("notes", "stamp", text=CANARY),
        DONE,
        approvals=("approve",),
        store=journal,
        keys=ring.known,
    )
    with caplog.at_level(logging.DEBUG):
        ended = await story.tell()
    assert ended.end == "succeeded"
    assert story.planner.asked[-1][0][0].data == {"result": "••••••"}
    assert CANARY not in json.dumps([record.model_dump(mode="json") for record in story.planner.asked[-1][0][:2]])
    await export_run(journal, story.run.run_id, tmp_path / "out")
    await journal.close()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 3
    assert [path for path in files if CANARY.encode() in path.read_bytes()] == []
    assert CANARY not in "".join(event.model_dump_json() for event in story.events)
    assert CANARY not in caplog.text
