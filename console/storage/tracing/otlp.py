"""Sends spans to an OpenTelemetry collector (OTLP over HTTP), in a thread of its own, where an endpoint is named."""

from __future__ import annotations

import logging
import os
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from console import __version__
from console.contracts.events import RunEnded, RunEvent

from .span import Span
from .writer import SpanWriter

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
TEXTS = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
log = logging.getLogger(__name__)
TIMEOUT_S, BUNCH_S, MOST_WAITING = 3.0, 1.0, 10_000
NOT_INSTALLED = "To send spans, install the extra “otel”: pip install “operator-console[otel]”."
NOT_TAKEN = "The collector does not take the spans of this run; no more are sent. Look at OTEL_EXPORTER_OTLP_ENDPOINT."


def endpoint_set(environment: Mapping[str, str] = os.environ) -> bool:
    return any(environment.get(name) for name in ENDPOINTS)


class SpanSender:
    """`see` takes the events of one run and never waits. What goes wrong is told once, from another thread."""

    def __init__(self, tell: Callable[[str], None], environment: Mapping[str, str] = os.environ) -> None:
        self._tell = tell
        self._writer = SpanWriter(texts=_texts(environment))
        self._spans: queue.Queue[Span | None] = queue.Queue(MOST_WAITING)
        self.thread = threading.Thread(target=self._send_all, name="spans")

    def see(self, event: RunEvent) -> None:
        if not self.thread.ident:
            self.thread.start()
        try:
            spans = self._writer.see(event)
        except Exception:  # the run is worth more than its trace
            log.exception("The trace of a run")
            spans = []
        for span in spans:
            self._put(span)
        if isinstance(event, RunEnded):
            self._put(None)

    def _put(self, span: Span | None) -> None:
        try:
            self._spans.put_nowait(span)
        except queue.Full:
            return

    def _send_all(self) -> None:
        """Until the run ends, or the console; a process waits for this thread, so each sending has its time."""
        send = self._sender()
        going = True
        while going:
            bunch, going = self._bunch()
            if bunch and send is not None and not send(bunch):
                send = None
                self._tell(NOT_TAKEN)
            going = going and threading.main_thread().is_alive()

    def _bunch(self) -> tuple[list[Span], bool]:
        """What came within a second, and whether more may come."""
        found: list[Span] = []
        end = time.monotonic() + BUNCH_S
        while (left := end - time.monotonic()) > 0:
            try:
                span = self._spans.get(timeout=left)
            except queue.Empty:
                break
            if span is None:
                return found, False
            found.append(span)
        return found, True

    def _sender(self) -> Callable[[Sequence[Span]], bool] | None:
        try:
            return collector()
        except ImportError:
            self._tell(NOT_INSTALLED)
            return None


def spans_of(events: Sequence[RunEvent]) -> list[Span]:
    """Of a run that is over, or was interrupted."""
    writer = SpanWriter(texts=_texts(os.environ))
    return [*(span for event in events for span in writer.see(event)), *writer.finish()]


def _texts(environment: Mapping[str, str]) -> bool:
    return environment.get(TEXTS, "").casefold() in ("true", "1")


def collector() -> Callable[[Sequence[Span]], bool]:
    """Sends spans, and says whether they were taken. Raises `ImportError` without the SDK."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import SpanExportResult

    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)  # it is told in one sentence instead
    exporter = OTLPSpanExporter(timeout=TIMEOUT_S)

    def send(spans: Sequence[Span]) -> bool:
        return exporter.export([as_readable(span) for span in spans]) is SpanExportResult.SUCCESS

    return send


def as_readable(span: Span) -> ReadableSpan:
    """The span as the SDK has it; times become nanoseconds."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import Event, ReadableSpan
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope
    from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags

    def place(span_id: str) -> SpanContext:
        return SpanContext(int(span.trace_id, 16), int(span_id, 16), is_remote=False, trace_flags=TraceFlags(1))

    status = Status(StatusCode.ERROR, span.message or span.failed) if span.failed else Status(StatusCode.OK)
    return ReadableSpan(
        name=span.name,
        context=place(span.span_id),
        parent=place(span.parent_id) if span.parent_id else None,
        resource=Resource.create({"service.name": "operator-console", "service.version": __version__}),
        attributes=dict(span.attributes) | ({"error.type": span.failed} if span.failed else {}),
        events=[Event(note.name, dict(note.attributes), timestamp=note.at_ms * 1_000_000) for note in span.notes],
        kind=SpanKind.CLIENT if span.client else SpanKind.INTERNAL,
        status=status,
        start_time=span.start_ms * 1_000_000,
        end_time=span.end_ms * 1_000_000,
        instrumentation_scope=InstrumentationScope("operator-console", __version__),
    )
