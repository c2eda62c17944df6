"""The HTTP side: reads each wire format, asks the test what to answer, and writes it, streamed or whole."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from . import anthropic, google, openai_chat, openai_responses
from .answers import Answer, Broken, Hang, Status

WIRES = {
    "/v1/messages": anthropic,
    "/chat/completions": openai_chat,
    "/responses": openai_responses,
    "GenerateContent": google,
    "generateContent": google,
}


@dataclass(frozen=True)
class Asked:
    """One request as the server got it."""

    wire: str
    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    size: int
    at: float
    stream: bool

    @property
    def text(self) -> str:
        """Every string of the request, whatever it stands in."""
        return "\n".join(_strings(self.body))

    @property
    def images(self) -> list[bytes]:
        return [base64.b64decode(data) for data in _images(self.body)]

    @property
    def image_sizes(self) -> list[int]:
        """Of each picture as it stands in the request."""
        return [len(data) for data in _images(self.body)]


Brain = Callable[[Asked], Answer]


@dataclass
class ModelServer:
    """Start it in a `with`; `address(provider)` is what belongs into the settings."""

    brain: Brain
    asked: list[Asked] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)

    def __enter__(self) -> ModelServer:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                _serve(self, owner)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)

    def address(self, provider: str) -> str:
        root = f"http://127.0.0.1:{self._http.server_address[1]}"
        return root if provider in ("anthropic", "google") else f"{root}/v1"


def _serve(handler: BaseHTTPRequestHandler, server: ModelServer) -> None:
    raw = handler.rfile.read(int(handler.headers.get("content-length") or 0))
    body = json.loads(raw)
    wire = next(module for end, module in WIRES.items() if end in handler.path)
    stream = bool(body.get("stream")) or "streamGenerateContent" in handler.path
    headers = {name.lower(): value for name, value in handler.headers.items()}
    asked = Asked(wire.__name__.rsplit(".", 1)[-1], handler.path, body, headers, len(raw), time.monotonic(), stream)
    server.asked.append(asked)
    answer = server.brain(asked)
    try:
        _answer(handler, wire, asked, answer)
    except (BrokenPipeError, ConnectionResetError):
        server.gone.append(handler.path)


def _answer(handler: BaseHTTPRequestHandler, wire: Any, asked: Asked, answer: Answer) -> None:
    if isinstance(answer, Hang):
        handler.connection.settimeout(0.05)
        until = time.monotonic() + answer.seconds
        while time.monotonic() < until:
            try:
                if handler.connection.recv(1) == b"":
                    raise BrokenPipeError
            except TimeoutError:
                continue
        return
    if isinstance(answer, Status):
        _send(handler, answer.code, wire.error(answer), answer.headers)
        return
    if not asked.stream:
        _send(handler, 200, wire.whole(asked.body, answer), {})
        return
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.send_header("connection", "close")
    handler.end_headers()
    handler.close_connection = True
    for event in wire.streamed(asked.body, answer):
        if isinstance(event, float):
            time.sleep(event)
            continue
        handler.wfile.write(event.encode())
        handler.wfile.flush()
        if isinstance(answer, Broken):
            time.sleep(0.05)
    if isinstance(answer, Broken):
        handler.connection.close()


def _send(handler: BaseHTTPRequestHandler, code: int, body: dict[str, Any], headers: dict[str, str]) -> None:
    data = json.dumps(body).encode()
    handler.send_response(code)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", str(len(data)))
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(data)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if len(value) < 500_000 and not value.startswith(("iVBOR", "/9j/", "data:image")):
            yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _images(value: Any) -> Iterator[str]:
    """The base64 of each picture: in a `source`, an `inlineData`, or a data URL."""
    if isinstance(value, str):
        if value.startswith("data:image"):
            yield value.partition(",")[2]
    elif isinstance(value, dict):
        if isinstance(value.get("data"), str) and ({"media_type", "mimeType", "mime_type"} & value.keys()):
            yield value["data"].replace("-", "+").replace("_", "/")
            return
        for inner in value.values():
            yield from _images(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _images(inner)
