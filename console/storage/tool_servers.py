"""The servers of tools as a file, `mcp.json`, in the format that most programs share."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from console.contracts.errors import StorageError
from console.contracts.tool_servers import USUAL_TIMEOUT_S, ToolServer

from .atomic import write_atomically
from .folders import config_folder

FILE, SECTION = "mcp.json", "mcpServers"
# What this console writes itself; every other key of an entry stays as it is.
_OWN = frozenset({"command", "args", "env", "cwd", "url", "headers", "enabled", "disabled", "timeout_s", "cache"})
_TRANSPORTS = ("stdio", "http", "streamable-http", "streamableHttp")
Raw = dict[str, Any]


def tool_servers_path() -> Path:
    return config_folder() / FILE


def load_tool_servers(path: Path | None = None) -> tuple[tuple[ToolServer, ...], list[str]]:
    """Every server that can be read, and a sentence for each that cannot, with its line."""
    path = path or tool_servers_path()
    text, raw, problem = _read(path)
    if problem:
        return (), [problem]
    servers: list[ToolServer] = []
    notices: list[str] = []
    for name, entry in _entries(raw).items():
        found = _server(name, entry)
        if isinstance(found, ToolServer):
            servers.append(found)
        else:
            notices.append(f"The server “{name}” in {path}, line {_line_of(text, name)}, is not used: {found}.")
    if SECTION in raw and not isinstance(raw[SECTION], dict):
        notices.append(f"“{SECTION}” in {path}, line {_line_of(text, SECTION)}, is no object; no server is used.")
    return tuple(servers), notices


def save_tool_servers(servers: Sequence[ToolServer], path: Path | None = None) -> None:
    """Write them over the readable ones. Raises `StorageError`.

    Keys and entries that this console does not know stay; a file that cannot be read is kept aside.
    """
    path = path or tool_servers_path()
    _, raw, problem = _read(path)
    try:
        if problem and path.exists():
            path.replace(path.with_name(f"mcp.broken-{time.strftime('%Y%m%d-%H%M%S')}.json"))
        old = _entries(raw)
        names = {server.name for server in servers}
        kept = {
            name: entry
            for name, entry in old.items()
            if name in names or not isinstance(_server(name, entry), ToolServer)
        }
        for server in servers:
            kept[server.name] = _written(server, kept.get(server.name))
        text = json.dumps({**raw, SECTION: kept}, indent=2, ensure_ascii=False)
        write_atomically(path, text.encode() + b"\n")
    except OSError as error:
        raise StorageError(
            f"The servers could not be saved: {error.strerror or error}.", f"Check the folder {path.parent}."
        ) from error


def _read(path: Path) -> tuple[str, Raw, str]:
    """The text, the values, and a sentence if there should be some and are none."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        raw = json.loads(text) if text.strip() else {}
    except FileNotFoundError:
        return "", {}, ""
    except json.JSONDecodeError as error:
        return "", {}, f"The servers of tools in {path} are not used: line {error.lineno}: {error.msg}."
    except (OSError, ValueError, RecursionError) as error:
        return "", {}, f"The servers of tools in {path} could not be read: {error}."
    if not isinstance(raw, dict):
        return "", {}, f"The servers of tools in {path} are not used: line 1: the file holds no object."
    return text, raw, ""


def _entries(raw: Raw) -> Raw:
    section = raw.get(SECTION)
    return dict(section) if isinstance(section, dict) else {}


def _server(name: str, entry: Any) -> ToolServer | str:
    """The server, or why it is none."""
    if not isinstance(entry, dict):
        return "it is no object"
    given = {key: value for key, value in entry.items() if key in _OWN and value is not None}
    kind = entry.get("type")
    if kind is not None and kind not in _TRANSPORTS:
        return f"its type “{kind}” is not supported; stdio and http are"
    if bool(given.get("command")) == bool(given.get("url")):
        return "it needs either “command” or “url”"
    given["enabled"] = given.get("enabled", not given.pop("disabled", False))
    for key in ("env", "headers"):
        if isinstance(given.get(key), dict):
            given[key] = {inner: _text(value) for inner, value in given[key].items()}
    try:
        server = ToolServer.model_validate({**given, "name": name})
    except ValidationError as error:
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    if server.url and not re.match(r"https?://|\$\{", server.url):
        return "its “url” has to begin with http:// or https://"
    return server


def _text(value: Any) -> Any:
    """Numbers and truth values are often written without quotes."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


def _written(server: ToolServer, old: Any) -> Raw:
    """The entry as it stands in the file: what is as usual is left out."""
    before = old if isinstance(old, dict) else {}
    entry = {key: value for key, value in before.items() if key not in _OWN}
    if bool(before.get("url")) != bool(server.url):
        entry.pop("type", None)
    values = server.model_dump(mode="json", exclude={"name", "enabled", "timeout_s"})
    entry |= {key: value for key, value in values.items() if value}
    if not server.enabled:
        entry["enabled"] = False
    if server.timeout_s != USUAL_TIMEOUT_S:
        entry["timeout_s"] = server.timeout_s
    return entry


def _line_of(text: str, name: str) -> int:
    """Where the name stands as a key, as far as that can be told without reading the whole grammar."""
    hit = re.search(re.escape(json.dumps(name, ensure_ascii=False)) + r"\s*:", text)
    return text.count("\n", 0, hit.start()) + 1 if hit else 1
