"""The file of servers: what is read, what is refused with its line, and what of it stays when it is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from console.contracts.errors import StorageError
from console.contracts.tool_servers import ToolServer
from console.storage.tool_servers import load_tool_servers, save_tool_servers, tool_servers_path

SHARED = {
    "mcpServers": {
        "files": {"command": "npx", "args": ["-y", "server-files", "~/Documents"], "env": {"PORT": 80, "SAFE": True}},
        "web": {"type": "http", "url": "https://example.org/mcp?key=1", "headers": {"Authorization": "${key:web}"}},
        "off": {"command": "x", "disabled": True, "timeout_s": 5, "cache": ["look_up"], "icon": "kept"},
    },
    "inputs": [{"id": "kept"}],
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mcp.json"


def written(path: Path, value: Any) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=1), encoding="utf-8")
    return path


def test_where_the_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPERATOR_CONSOLE_DATA", str(tmp_path))
    assert tool_servers_path() == tmp_path / "mcp.json"
    assert load_tool_servers() == ((), [])


def test_the_format_that_most_programs_share_is_read(path: Path) -> None:
    servers, problems = load_tool_servers(written(path, SHARED))
    assert problems == []
    assert servers == (
        ToolServer(
            name="files",
            command="npx",
            args=("-y", "server-files", "~/Documents"),
            env={"PORT": "80", "SAFE": "true"},
        ),
        ToolServer(name="web", url="https://example.org/mcp?key=1", headers={"Authorization": "${key:web}"}),
        ToolServer(name="off", command="x", enabled=False, timeout_s=5, cache=("look_up",)),
    )
    assert [server.place() for server in servers] == [
        "npx -y server-files '~/Documents'",
        "https://example.org/mcp",
        "x",
    ]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("text", "it is no object"),
        ({}, "it needs either “command” or “url”"),
        ({"command": "x", "url": "http://a"}, "it needs either “command” or “url”"),
        ({"type": "sse", "url": "http://a"}, "its type “sse” is not supported; stdio and http are"),
        ({"url": "ftp://a"}, "its “url” has to begin with http:// or https://"),
        ({"command": "x", "args": "one"}, "args: "),
        ({"command": "x", "env": {"A": [1]}}, "env.A: "),
        ({"command": "x", "timeout_s": 0}, "timeout_s: "),
    ],
)
def test_an_entry_that_is_no_server_is_told_with_its_line_and_the_others_are_used(
    path: Path, entry: Any, words: str
) -> None:
    servers, problems = load_tool_servers(written(path, {"mcpServers": {"good": {"command": "x"}, "odd": entry}}))
    assert [server.name for server in servers] == ["good"]
    (problem,) = problems
    assert problem.startswith(f"The server “odd” in {path}, line 6, is not used: {words}")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"mcpServers": {\n  "a": }', "line 2: Expecting value."),
        ("[1]", "line 1: the file holds no object."),
        ('{\n"mcpServers": 3}', "“mcpServers” in {path}, line 2, is no object; no server is used."),
        ("[" * 100_000, "could not be read"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(path: Path, text: str, words: str) -> None:
    servers, (problem,) = load_tool_servers(written(path, text))
    assert servers == ()
    assert words.format(path=path) in problem


def test_an_empty_file_holds_no_servers(path: Path) -> None:
    assert load_tool_servers(written(path, " \n")) == ((), [])


def test_a_folder_in_its_place_is_told(path: Path) -> None:
    path.mkdir()
    servers, (problem,) = load_tool_servers(path)
    assert servers == ()
    assert "could not be read" in problem
    with pytest.raises(StorageError, match="could not be saved"):
        save_tool_servers((), written(path.parent / "text", "x") / "mcp.json")


def test_what_is_saved_is_read_again_and_what_the_console_does_not_know_stays(path: Path) -> None:
    written(path, {**SHARED, "mcpServers": {**SHARED["mcpServers"], "later": {"type": "sse", "url": "http://a"}}})  # type: ignore[dict-item]
    servers, _ = load_tool_servers(path)
    changed = (
        ToolServer(name="files", url="http://127.0.0.1/mcp"),
        servers[2].model_copy(update={"enabled": True, "timeout_s": 9.0}),
        ToolServer(name="new", command="y", enabled=False),
    )
    save_tool_servers(changed, path)
    assert load_tool_servers(path)[0] == changed
    raw = json.loads(path.read_text(encoding="utf-8"))
    assert raw["inputs"] == [{"id": "kept"}]
    assert raw["mcpServers"] == {
        "files": {"url": "http://127.0.0.1/mcp"},
        "off": {"icon": "kept", "command": "x", "cache": ["look_up"], "timeout_s": 9.0},
        "later": {"type": "sse", "url": "http://a"},
        "new": {"command": "y", "enabled": False},
    }


def test_the_transport_of_an_entry_goes_when_the_server_is_reached_another_way(path: Path) -> None:
    written(path, SHARED)
    save_tool_servers((ToolServer(name="web", command="x"),), path)
    assert json.loads(path.read_text(encoding="utf-8"))["mcpServers"] == {"web": {"command": "x"}}


def test_a_broken_file_is_kept_aside(path: Path) -> None:
    written(path, "{broken")
    save_tool_servers((ToolServer(name="a", command="x"),), path)
    (kept,) = path.parent.glob("mcp.broken-*.json")
    assert kept.read_text(encoding="utf-8") == "{broken"
    assert [server.name for server in load_tool_servers(path)[0]] == ["a"]
