"""The rules of the source: its size, its layers, its words, and what it must never do."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "console"
FILES = sorted(PACKAGE.rglob("*.py"))
LINES = 350
FUNCTION_LINES = 45
LOOP = PACKAGE / "core" / "run.py"
LOOP_LINES = 100
DEVICES = {"mss", "pyautogui"}
QT = {"PySide6", "qasync", "qtawesome", "shiboken6"}


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.fixture(params=FILES, ids=_name)
def source(request: pytest.FixtureRequest) -> tuple[Path, str, ast.Module]:
    text = request.param.read_text(encoding="utf-8")
    return request.param, text, ast.parse(text)


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _imported(tree: ast.Module) -> set[str]:
    """The top-level packages that a file imports, anywhere in it."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    return names


def test_a_file_opens_with_what_it_is_for(source):
    path, _, tree = source
    said = ast.get_docstring(tree)
    assert said, f"{_name(path)} has no docstring"
    assert said.split("\n\n")[0].rstrip().endswith((".", "?", "!")), f"{_name(path)} does not open with a sentence"


def test_a_file_is_short(source):
    path, text, _ = source
    assert text.count("\n") <= LINES, f"{_name(path)} has more than {LINES} lines"


def test_a_function_is_short(source):
    path, _, tree = source
    limit = LOOP_LINES if path == LOOP else FUNCTION_LINES
    long = {f.name: n for f in _functions(tree) if (n := (f.end_lineno or f.lineno) - f.lineno + 1) > limit}
    assert not long, f"{_name(path)}: longer than {limit} lines: {long}"


def test_nothing_is_executed_from_text(source):
    path, _, tree = source
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    found = {call.id for call in calls if isinstance(call, ast.Name)} & {"exec", "eval", "compile", "__import__"}
    assert not found, f"{_name(path)} calls {found}"


def test_no_coroutine_runs_a_loop_of_its_own(source):
    """A nested Qt loop inside a coroutine stops the run: dialogs open and are awaited."""
    path, _, tree = source
    coroutines = (node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef))
    calls = (call.func for node in coroutines for call in ast.walk(node) if isinstance(call, ast.Call))
    found = [call.attr for call in calls if isinstance(call, ast.Attribute) and call.attr in {"exec", "exec_"}]
    assert not found, f"{_name(path)} calls exec() in a coroutine"


def test_the_devices_and_qt_stay_where_they_belong(source):
    path, _, tree = source
    place = path.relative_to(PACKAGE).parts[0]
    imported = _imported(tree)
    assert place == "desktop" or not imported & DEVICES, f"{_name(path)} imports {imported & DEVICES}"
    assert place in {"ui", "app"} or not imported & QT, f"{_name(path)} imports {imported & QT}"


@pytest.mark.parametrize(
    "module", ["console.contracts.view", "console.core.run", "console.planning", "console.storage", "console.cli"]
)
def test_importing_it_loads_neither_qt_nor_devices(module):
    unwanted = sorted(QT | DEVICES | {"Xlib", "rapidocr", "onnxruntime"})
    code = f"import sys, {module}; print(*[name for name in {unwanted} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize(
    "module",
    ["console.app.console", "console.app.tools", "console.app.adapters", "console.ptc.mcp", "console.ui.session"],
)
def test_the_sdk_of_servers_of_tools_is_loaded_only_when_one_is_used(module):
    code = f"import sys, {module}; print(*[name for name in ('mcp', 'mcp_types', 'starlette') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_only_one_xlib_package_is_wanted():
    """python-xlib writes the same files as python3-xlib, which PyAutoGUI brings."""
    wanted = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    pinned = (ROOT / "packaging" / "constraints.txt").read_text(encoding="utf-8")
    assert not re.search(r'"python-xlib', wanted)
    assert not re.search(r"^python-xlib", pinned, re.MULTILINE | re.IGNORECASE)


def test_pins_are_a_name_and_a_version_and_no_address():
    lines = (ROOT / "packaging" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    odd = [line for line in lines if not re.fullmatch(r"#.*|[A-Za-z0-9_.-]+==[A-Za-z0-9_.+!]+", line)]
    assert not odd
