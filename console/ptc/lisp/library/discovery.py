"""What there is to call: the functions of the language, and what the host offers."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import Any, Literal

from ..convert import internal, json_value
from ..failure import LispFailure, type_failure
from ..functions import Builtin, Closure, Shelf
from ..runtime import Runtime
from ..values import Keyword, SymbolRef, type_name

DISCOVERY = Shelf("discovery")
_WORD = re.compile(r"[a-z0-9?!*+<>=]+")
Operation = Literal["servers", "apropos", "dir", "doc", "meta"]


@dataclass(frozen=True, slots=True)
class CatalogRecord:
    """One question that went to the host."""

    operation: Operation
    args: dict[str, Any]
    outcome: Literal["ok", "nil_world_fault", "error"]
    reason: str | None
    duration_ms: int


def _ask(rt: Runtime, operation: Operation, args: dict[str, Any]) -> Any:
    """The host's answer. A fault of the world is nil; a fault of the program ends it."""
    discover = rt.host.discovery
    if discover is None:
        raise LispFailure("runtime_error", f"{operation}: the host offers nothing to discover", op=operation)
    started = time.monotonic()
    outcome: Literal["ok", "nil_world_fault", "error"] = "error"
    reason: str | None = None
    try:
        found = discover(operation, args)
        if found.kind == "programmer_fault":
            raise LispFailure("runtime_error", f"{operation}: {found.value}", op=operation)
        if found.kind == "world_fault":
            outcome, reason = "nil_world_fault", str(found.value)
            return None
        value = internal(rt, found.value)
        outcome = "ok"
        return value
    except LispFailure:
        raise
    except Exception as error:
        raise LispFailure("runtime_error", f"{operation}: {error}", op=operation) from error
    finally:
        duration = int((time.monotonic() - started) * 1000)
        rt.record.catalog_ops.append(CatalogRecord(operation, args, outcome, reason, duration))


@DISCOVERY("mcp/servers", "", "The servers that the host offers.")
def _servers(rt: Runtime) -> Any:
    return _ask(rt, "servers", {})


def _ref(value: Any, op: str) -> str:
    if isinstance(value, SymbolRef | Keyword | Builtin | Closure):
        return value.name
    if isinstance(value, str):
        return value
    return type_failure(f"{op}: expected a quoted name or a string, got {type_name(value)}", op)


def _option(options: Any, name: str, least: int, most: int, usual: int, op: str) -> int:
    value = (options or {}).get(Keyword(name), usual) if isinstance(options, dict | None) else None
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        type_failure(f"{op}: {name} must be a whole number from {least} to {most}", op)
    return int(value)


def _functions(rt: Runtime) -> list[Builtin]:
    return [one for name, one in sorted(rt.host.library.items()) if isinstance(one, Builtin)]


def _line(one: Builtin) -> str:
    return f"{one.name} - {one.doc}"


def _score(query: list[str], one: Builtin) -> int:
    score = 0
    for word in query:
        best = 0
        for token in _WORD.findall(f"{one.name} {one.doc}".lower()):
            best = max(best, 10 if token == word else 5 if token.startswith(word) else 2 if word in token else 0)
        score += best + (10 if word == one.name.lower() else 0)
    return score


@DISCOVERY("apropos", "query | query options", "Lines about what fits the words best; {:limit 8}.")
def _apropos(rt: Runtime, query: Any, options: Any = None) -> Any:
    text = _ref(query, "apropos")
    limit = _option(options, "limit", 1, 50, 8, "apropos")
    lines: list[Any] = []
    if rt.host.discovery is not None:
        args = {"query": text} | ({} if options is None else {"opts": json_value(rt, options)})
        lines += rt.seq(_ask(rt, "apropos", args), "apropos")
    words = _WORD.findall(text.lower())[:20]
    rows = _functions(rt)
    rt.spend(len(rows) * (1 + len(words)))
    ranked = sorted(((-_score(words, one), _line(one)) for one in rows), key=lambda row: row)
    lines += [line for score, line in ranked if score < 0]
    return rt.vector(lines[:limit])


@DISCOVERY("dir", "ref | ref options", "What a namespace or a server offers; {:limit 50 :offset 0}.")
def _dir(rt: Runtime, ref: Any, options: Any = None) -> Any:
    name = _ref(ref, "dir")
    limit = _option(options, "limit", 1, 200, 50, "dir")
    offset = _option(options, "offset", 0, 1_000_000, 0, "dir")
    members = _members(rt, name)
    if members is None:
        args: dict[str, Any] = {"server": name}
        if options is not None:
            args["opts"] = json_value(rt, options)
        return _ask(rt, "dir", args)
    return rt.vector([one.name for one in members][offset : offset + limit])


def _members(rt: Runtime, name: str) -> list[Builtin] | None:
    """The functions of a local namespace."""
    spaces = rt.host.namespaces
    if name not in spaces:
        return None
    subjects = spaces[name]
    return [one for one in _functions(rt) if subjects is None or one.subject in subjects]


def _local(rt: Runtime, name: str) -> Any:
    space, _, member = name.rpartition("/") if len(name) > 1 else ("", "", name)
    held = rt.defs.get(name)
    if isinstance(held, Closure):
        return held
    if space and space not in rt.host.namespaces:
        return rt.host.library.get(name)
    return rt.host.library.get(member)


@DISCOVERY("doc", "ref", "How something is called and what it does.")
def _doc(rt: Runtime, ref: Any) -> Any:
    name = _ref(ref, "doc")
    found = _local(rt, name)
    if isinstance(found, Builtin):
        forms = "\n".join(f"({found.name} {one})".replace(" )", ")") for one in found.arglists)
        return f"{found.name}\n{forms}\n{found.doc}"
    if isinstance(found, Closure):
        return f"{found.name}\n({found.name} {found.params})"
    return _ask(rt, "doc", {"ref": name})


@DISCOVERY("meta", "ref", "The same as doc, as a map.")
def _meta(rt: Runtime, ref: Any) -> Any:
    name = _ref(ref, "meta")
    found = _local(rt, name)
    if isinstance(found, Builtin):
        return rt.map(
            {
                Keyword("name"): found.name,
                Keyword("ns"): found.subject,
                Keyword("arglists"): tuple(f"[{one}]" for one in found.arglists),
                Keyword("doc"): found.doc,
            }
        )
    if isinstance(found, Closure):
        return rt.map({Keyword("name"): found.name, Keyword("arglists"): (f"[{found.params}]",)})
    return _ask(rt, "meta", {"ref": name})


@DISCOVERY("ns-publics", "ns", "The functions of a namespace and what they do.")
def _ns_publics(rt: Runtime, ns: Any) -> Any:
    name = _ref(ns, "ns-publics")
    members = _members(rt, name)
    if members is None:
        raise LispFailure("runtime_error", f"ns-publics: there is no namespace {name}", op="ns-publics")
    return rt.map({one.name: one.doc for one in members})
