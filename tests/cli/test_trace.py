"""`operator-console trace`: a run as entries, and its spans sent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.storage.test_tracing import Collector, collector

from .fakes import FakeWiring, say

__all__ = ["collector"]  # a fixture


@pytest.fixture
def kept(wiring: FakeWiring) -> FakeWiring:
    assert say(wiring, "run", "save it").code == 0
    return wiring


def test_entries_are_printed_or_written_once(kept: FakeWiring, tmp_path: Path) -> None:
    said = say(kept, "trace", "last")
    types = [json.loads(line)["type"] for line in said.out.splitlines()]
    assert types[:2] == ["tool_call", "tool_result"]
    assert types[-1] == "return"
    file = tmp_path / "trace.jsonl"
    assert say(kept, "trace", "last", "--out", str(file)).out.strip() == str(file)
    assert file.read_text(encoding="utf-8") == said.out
    assert "is there already" in say(kept, "trace", "last", "--out", str(file)).err


def test_spans_are_sent_where_a_collector_is_named(
    kept: FakeWiring, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = say(kept, "trace", "last", "--otlp")
    assert (said.code, said.out.strip()) == (0, f"{len(collector.spans)} spans are sent.")
    assert say(kept, "trace", "last", "--otlp", "--json").lines[0]["spans"] * 2 == len(collector.spans)
    collector.status = 400
    assert "The collector did not take the spans." in say(kept, "trace", "last", "--otlp").err
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT")
    assert "No collector is named." in say(kept, "trace", "last", "--otlp").err
