"""What a name means: a local value, a definition, a function of the library, or a member of a namespace."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from ..convert import ToolFunction
from ..failure import LispFailure
from ..functions import Builtin
from ..lookup import MISSING, find_key
from ..reader import Symbol
from ..toolcalls import call_tool
from ..values import Keyword, encode
from . import calls
from .namespaces import MEMBERS, SUBJECTS
from .scope import Frame, Node, Scope

if TYPE_CHECKING:
    from .core import Analyser


def symbol(analyser: Analyser, name: str, scope: Scope) -> Node:
    """The node that reads `name`."""
    local = scope.find(name)
    if local is not None:
        return local
    if "/" in name and name != "/":
        return _qualified(analyser, name)
    if name in {"*1", "*2", "*3"}:
        back = int(name[1])
        return lambda f: f[0].history[-back] if len(f[0].history) >= back else None
    if name in analyser.defined:
        return _defined(name, analyser.library.get(name, MISSING))
    if name in analyser.library:
        value = analyser.library[name]
        return lambda f: value
    if name.startswith("%"):
        raise LispFailure("invalid_placeholder", f"{name} has a meaning only inside #(...)")
    raise unbound(analyser, name)


def unbound(analyser: Analyser, name: str) -> LispFailure:
    """Says that nothing is called `name`, and what perhaps was meant."""
    if name in analyser.forms:
        return LispFailure("invalid_form", f"{name} is a special form and no value")
    if name.startswith(".") and len(name) > 1:
        return LispFailure("unsupported_method", f"{name}: methods of objects are not supported; see (apropos ...)")
    near = get_close_matches(name[:64], [*analyser.library, *analyser.defined], n=3)
    hint = f". Did you mean {', '.join(near)}?" if near else ""
    return LispFailure("unbound_var", f"Undefined variable: {name}{hint}")


def _defined(name: str, fallback: Any) -> Node:
    def read(f: Frame) -> Any:
        value = f[0].defs.get(name, fallback)
        if value is MISSING:
            raise LispFailure("unbound_var", f"Undefined variable: {name}")
        return value

    return read


def call(analyser: Analyser, name: str, args: Sequence[Any], scope: Scope) -> Node:
    """The node of `(name args…)` where `name` is no local and no special form."""
    function = analyser.builtin(name)
    if function is not None:
        return calls.known(analyser, function, args, scope)
    if "/" in name and name != "/":
        space, member = name.split("/", 1)
        if space == "tool":
            return _tool_call(analyser, member, args, scope)
        if name == "budget/remaining":
            if args:
                raise LispFailure("invalid_arity", "budget/remaining takes no arguments")
            return _budget
        found = _member(analyser, space, member)
        if isinstance(found, Builtin):
            return calls.known(analyser, found, args, scope)
    return calls.dynamic(analyser, symbol(analyser, name, scope), args, scope)


def _qualified(analyser: Analyser, name: str) -> Node:
    space, member = name.split("/", 1)
    if space == "data":
        return _data(analyser, member)
    if space == "tool":
        check_tool(analyser, member)
        function = ToolFunction(f"tool/{member}", lambda rt, *args: call_tool(rt, member, _arguments(rt, member, args)))
        return lambda f: function
    if space == "budget":
        if member != "remaining":
            raise LispFailure("invalid_form", f"Unknown budget function: {name}. There is budget/remaining")
        return _budget
    value = _member(analyser, space, member)
    return lambda f: value


def _member(analyser: Analyser, space: str, member: str) -> Any:
    """What `space/member` is; namespaces of Clojure are other names for the functions of the library."""
    if space in MEMBERS:
        rows = MEMBERS[space]
        if member in rows:
            target = rows[member]
            return analyser.library[target] if isinstance(target, str) else target
        raise _no_member(space, member, list(rows), "Interop")
    if space not in SUBJECTS:
        spaces = ", ".join(sorted([*SUBJECTS, *MEMBERS, "data", "tool", "budget"]))
        raise LispFailure("invalid_form", f"Unknown namespace: {space}. There are {spaces}")
    title, subjects = SUBJECTS[space]
    found = analyser.library.get(member)
    if isinstance(found, Builtin) and (subjects is None or found.subject in subjects):
        return found
    offered = [n for n, b in analyser.library.items() if isinstance(b, Builtin) and subjects and b.subject in subjects]
    raise _no_member(space, member, offered, title)


def _no_member(space: str, member: str, offered: list[str], title: str) -> LispFailure:
    names = ", ".join(sorted(n for n in offered if "/" not in n)) or "see (apropos ...)"
    return LispFailure("invalid_form", f"{space}/{member} is not available. {title} functions: {names}")


def _budget(f: Frame) -> Any:
    return f[0].host.budget


def _data(analyser: Analyser, name: str) -> Node:
    analyser.data_names.add(name)

    def read(f: Frame) -> Any:
        host = f[0].host
        found = find_key(f[0], host.context, name)
        if found is not MISSING:
            return host.context[found]
        if host.strict_data:
            raise LispFailure("runtime_error", f"data/{name} is not in the context")
        return None

    return read


def check_tool(analyser: Analyser, name: str) -> None:
    """Refuses a tool that is not there before anything runs; without any tools that is seen only when it is called."""
    if analyser.tools and name not in analyser.tools and name.replace("-", "_") not in analyser.tools:
        known = ", ".join(sorted(analyser.tools))
        raise LispFailure("unknown_tool", f"Unknown tool: {name}. Available tools: {known}", op=name)


def _tool_call(analyser: Analyser, name: str, args: Sequence[Any], scope: Scope) -> Node:
    check_tool(analyser, name)
    nodes = [analyser.compile(arg, scope) for arg in args]

    def run(f: Frame) -> Any:
        rt = f[0]
        rt.spend(1)
        return call_tool(rt, name, _arguments(rt, name, tuple([node(f) for node in nodes])))

    return run


def _arguments(rt: Any, name: str, args: tuple[Any, ...]) -> Any:
    """One map, or keywords with their values, or nothing."""
    if not args:
        return {}
    if len(args) == 1 and isinstance(args[0], dict):
        return args[0]
    if len(args) % 2 or not all(isinstance(key, Keyword) for key in args[::2]):
        raise LispFailure("invalid_tool_args", f"tool/{name} takes one map, or pairs of keyword and value", op=name)
    return {encode(rt, key): value for key, value in zip(args[::2], args[1::2], strict=True)}


def plain_symbol(form: Any) -> str | None:
    """The name of a symbol without a namespace."""
    return form.name if isinstance(form, Symbol) and ("/" not in form.name or form.name == "/") else None
