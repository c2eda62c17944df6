"""A run as a trace: entries by the published types, and spans that a real collector receives."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from console.app.tracing import TracedStore, traced
from console.contracts.actions import Custom
from console.contracts.events import ActionIntended, RunEnded, RunEvent
from console.storage.tracing.entries import Entry, entries_of
from console.storage.tracing.otlp import NOT_INSTALLED, NOT_TAKEN, SpanSender, endpoint_set, spans_of
from console.storage.tracing.writer import SpanWriter
from console.testing.doubles import MemoryStore
from tests.ptc.test_mission_adapter import Model, carried_out, mission

PROGRAM = '(println "begins") (tool/click {:label "OK"}) (tool/mission-run {:prompt "inner" :name "in"})'
ANSWERS = ("(def a 1)", '(tool/key {:key "a"}) (return 21)')
CANARY = "a-goal-nobody-should-read"


async def a_run(answers: tuple[str, ...] = ANSWERS, source: str = PROGRAM) -> list[Any]:
    action = Custom(adapter="ptc", action="run", params={"source": source})
    _, _, events = await carried_out(Model(*answers), action)
    return events


class Collector(ThreadingHTTPServer):
    """Keeps the spans that it is sent; `status` is its answer, after `delay_s`."""

    daemon_threads = True

    def __init__(self) -> None:
        self.spans: list[Any] = []
        self.calls = 0
        self.status, self.delay_s = 200, 0.0
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                collector.calls += 1
                body = self.rfile.read(int(self.headers["Content-Length"]))
                time.sleep(collector.delay_s)
                if collector.status == 200:
                    request = ExportTraceServiceRequest.FromString(body)
                    for resource in request.resource_spans:
                        collector.spans += [span for scope in resource.scope_spans for span in scope.spans]
                self.send_response(collector.status)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Quiet."""

        super().__init__(("127.0.0.1", 0), Handler)


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    server = Collector()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    level = logging.getLogger("opentelemetry").level
    yield server
    logging.getLogger("opentelemetry").setLevel(level)
    server.shutdown()
    server.server_close()
    thread.join()


def sent(events: list[RunEvent]) -> list[str]:
    """What was told while the events of a run were sent."""
    told: list[str] = []
    sender = SpanSender(told.append)
    began = time.monotonic()
    for event in events:
        sender.see(event)
    assert time.monotonic() - began < 0.5
    sender.thread.join(15)
    assert not sender.thread.is_alive()
    return told


async def test_the_entries_tell_of_the_run_its_program_and_its_mission() -> None:
    events = await a_run()
    entries = entries_of(events)
    run, program, inner = list(dict.fromkeys(entry.trace_id for entry in entries))
    by_trace = {one: [entry.type for entry in entries if entry.trace_id == one] for one in (run, program, inner)}
    assert by_trace[run] == ["nested_call", "return"]
    assert by_trace[program] == ["program_start", "tool_call", "tool_result", "nested_call", "program_end", "return"]
    turns = ["llm_call", "llm_response", "program_start", "program_end"] * 2
    assert sorted(by_trace[inner]) == sorted([*turns, "tool_call", "tool_result", "return"])
    parents = {entry.trace_id: entry.parent_trace_id for entry in entries}
    assert parents == {run: None, program: run, inner: program}
    assert [entry.timestamp for entry in entries] == sorted(entry.timestamp for entry in entries)
    nested = next(entry for entry in entries if entry.type == "nested_call")
    assert nested.data["child_trace_id"] == program
    assert Entry.model_validate_json(entries[0].model_dump_json()) == entries[0]


async def test_a_run_that_failed_or_was_interrupted_gives_what_it_has() -> None:
    events = await a_run(source='(fail {:reason :no :message "not now"})')
    last = entries_of(events)
    assert next(entry.data["reason"] for entry in last if entry.type == "fail") == "no"
    whole = await a_run()
    cut = whole[: next(place for place, event in enumerate(whole) if isinstance(event, ActionIntended)) + 1]
    assert [entry.type for entry in entries_of(cut)] == ["nested_call"]
    assert entries_of([]) == []
    interrupted = spans_of(cut)
    assert {span.failed for span in interrupted} >= {"interrupted"}


async def test_spans_are_one_tree_in_the_trace_of_the_run() -> None:
    events = await a_run()
    spans = spans_of(events)
    assert {span.trace_id for span in spans} == {events[0].trace_id}
    by_id = {span.span_id: span for span in spans}
    assert len(by_id) == len(spans)
    (root,) = [span for span in spans if span.parent_id is None]
    assert root.name == "run"
    assert all(span.parent_id in by_id for span in spans if span is not root)
    names = [span.name for span in spans]
    assert {"look", "decide", "execute_tool ptc.run", "execute_tool mission.run", "execute_tool click"} <= set(names)
    inner = next(span for span in spans if span.name == "execute_tool mission.run")
    assert by_id[str(inner.parent_id)].name == "execute_tool ptc.run"
    assert [span.name for span in spans if span.parent_id == inner.span_id].count("chat m") == 2
    assert all(span.start_ms <= span.end_ms for span in spans)
    assert spans_of(events) == spans


async def test_texts_stand_in_spans_only_where_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, events = await carried_out(Model("(return 1)"), mission(CANARY))
    assert CANARY not in "".join(span.model_dump_json() for span in spans_of(events))
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
    assert CANARY in "".join(span.model_dump_json() for span in spans_of(events))


async def test_a_collector_receives_the_spans_of_a_run(collector: Collector) -> None:
    events = await a_run(source="(tool/nothing)")
    assert sent(events) == []
    expected = spans_of(events)
    assert [span.span_id.hex() for span in collector.spans] == [span.span_id for span in expected]
    root = next(span for span in collector.spans if span.name == "run")
    assert root.trace_id.hex() == events[0].trace_id
    assert root.status.code == 2
    (why,) = [one.value.string_value for one in root.attributes if one.key == "error.type"]
    assert why == root.status.message == events[-1].step.fail.reason


@pytest.mark.parametrize("status", [400, 500])
async def test_a_collector_that_refuses_costs_one_sentence(collector: Collector, status: int) -> None:
    collector.status = status
    began = time.monotonic()
    assert sent(await a_run()) == [NOT_TAKEN]
    assert time.monotonic() - began < 10


async def test_a_slow_or_a_missing_collector_costs_no_more(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    collector.delay_s = 4.0
    assert sent(await a_run()) == [NOT_TAKEN]
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    assert sent(await a_run()) == [NOT_TAKEN]


async def test_without_the_extra_it_says_what_to_install(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    assert sent(await a_run()) == [NOT_INSTALLED]
    assert collector.calls == 0


async def test_a_defect_of_the_trace_does_not_end_the_run(
    monkeypatch: pytest.MonkeyPatch, expected_log: Any, collector: Collector
) -> None:
    def broken(self: SpanWriter, event: RunEvent) -> list[Any]:
        raise KeyError(event.seq)

    events = await a_run()
    monkeypatch.setattr(SpanWriter, "see", broken)
    expected_log("The trace of a run")
    assert sent(events) == []


async def test_a_journal_is_traced_only_where_a_collector_is_named(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    store = MemoryStore()
    collector.status = 500
    both = traced(store, told.append)
    assert isinstance(both, TracedStore)
    events = await a_run()
    for event in events:
        await both.append(event)
    assert await both.events(events[0].run_id) == await store.events(events[0].run_id)
    assert len(await both.runs()) == 1
    assert await both.blob(await both.save_blob(b"x", "image/png")) == b"x"
    await both.close()
    end = time.monotonic() + 10
    while not told and time.monotonic() < end:
        await asyncio.sleep(0.05)
    assert told == [NOT_TAKEN]
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT")
    assert not endpoint_set()
    assert traced(store, told.append) is store
    assert isinstance(events[-1], RunEnded)
