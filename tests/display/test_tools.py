"""Tools of servers in whole runs on the real desktop, as the command line starts them."""

from __future__ import annotations

import json
import secrets
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.apps import Apps
from tests.support.goals import run_goal
from tests.support.mcp_servers import MARK, ROOT, alive

pytestmark = pytest.mark.display
PROGRAM = ["--planner", "program"]
FILL = """
(tool/wait-for {:label "Note" :role "input"})
(def found (first (apropos "read note")))
(def text (:result (tool/notes-read-note {:title "milk"})))
(tool/set-value {:label "Note" :role "input" :value text})
(def kept (:result (tool/notes-add-note {:title "seen" :text (tool/read {:label "Note" :role "input"})})))
{:found found :kept kept :notes (tool/notes-list-notes) :servers (map :state (mcp/servers))}
"""


def servers(folder: Path, mark: str) -> None:
    """Writes the file with a good server and one that crashes."""
    (folder / "data").mkdir()
    env = {MARK: mark}
    listed: dict[str, Any] = {
        name: {
            "command": sys.executable,
            "args": ["-m", f"tests.support.mcp_servers.{kind}", *args],
            "cwd": str(ROOT),
            "env": env,
        }
        for name, kind, args in (("notes", "notes", ()), ("broken", "odd", ("crash",)))
    }
    (folder / "data" / "mcp.json").write_text(json.dumps({"mcpServers": listed}), encoding="utf-8")


@pytest.mark.parametrize("approved", [True, False])
def test_a_program_works_with_tools_and_windows_and_nothing_is_left(app: Apps, tmp_path: Path, approved: bool) -> None:
    app(["zenity", "--forms", "--title=Order", "--add-entry=Note"], "^Order$")
    mark = secrets.token_hex(8)
    servers(tmp_path, mark)
    yes = [{"on": "approval", "match": "notes: add note", "decide": "approve", "times": 1}]
    result = run_goal(FILL, tmp_path, arguments=PROGRAM, decisions=yes if approved else [])
    assert [event["request"]["sentence"] for event in result.of("approval_asked")] == [
        "notes: add note “title: seen, text: two litres”"
    ]
    assert result.code == (0 if approved else 3), result.told()
    assert "The server “broken” could not be used: Connection closed. It ended with code 1." in result.stderr
    if approved:
        assert result.step["return"] == {
            "found": "notes/read_note - The text of one note.",
            "kept": "added seen",
            "notes": {"milk": "two litres", "rent": "on the first", "seen": "two litres"},
            "servers": ["ready", "failed"],
        }
        (program,) = result.step["child_steps"]
        assert [op["operation"] for op in program["catalog_ops"]] == ["apropos", "servers"]
    deadline = time.monotonic() + 2
    while alive(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert alive(mark) == []
