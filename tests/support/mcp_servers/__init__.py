"""Servers of tools for tests, good and bad ones, with the SDK's own server side; each is a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from console.contracts.tool_servers import ToolServer

ROOT = Path(__file__).resolve().parents[3]
MARK = "OPERATOR_CONSOLE_TEST_MARK"


def started(kind: str, mark: str, *args: str, **fields: Any) -> ToolServer:
    """A server that is started as a program. All that it starts carries the mark in its environment."""
    env = {MARK: mark, **fields.pop("env", {})}
    command = ("-m", f"tests.support.mcp_servers.{kind}", *args)
    return ToolServer(
        **{"name": kind, "command": sys.executable, "args": command, "cwd": str(ROOT), "env": env, **fields}
    )


def alive(mark: str) -> list[int]:
    """The processes that carry the mark and have not ended."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                if f"{MARK}={mark}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
    return found


def end(pids: list[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@contextmanager
def over_http(*args: str) -> Iterator[str]:
    """The address of a good server on this machine."""
    command = [sys.executable, "-m", "tests.support.mcp_servers.notes", "--http", *args]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/mcp"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


class Refusing:
    """Answers everything with one status; `headers` are those of the last request."""

    def __init__(self, status: int, body: str = "<h1>No</h1>") -> None:
        self.headers: dict[str, str] = {}
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                owner.headers = {key.lower(): value for key, value in self.headers.items()}
                self.rfile.read(int(self.headers.get("content-length", 0)))
                data = body.encode()
                self.send_response(status)
                self.send_header("content-type", "text/html")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Refusing:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/mcp"
