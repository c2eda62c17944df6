"""Reads .desktop files as the freedesktop.org Desktop Entry Specification has them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from console.contracts.base import Value

_SECTION = "[Desktop Entry]"
_ESCAPES = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}


class DesktopEntry(Value):
    """One application. `name` is in the language of the session, `plain_name` as written without a language."""

    id: str
    name: str
    plain_name: str = ""
    generic_name: str = ""
    plain_generic_name: str = ""
    argv: tuple[str, ...]
    path: str = ""
    wm_class: str = ""
    terminal: bool = False
    shown: bool = True

    @property
    def stem(self) -> str:
        """The name of its file."""
        return self.id.removesuffix(".desktop")

    def exact_names(self) -> frozenset[str]:
        """All names that are the app itself, folded: its name, file and program."""
        program = Path(self.argv[0]).name if self.argv else ""
        stem = self.stem
        names = (self.name, self.plain_name, self.wm_class, program, self.id, stem, stem.rpartition(".")[2])
        return frozenset(name.casefold() for name in names if name)

    def all_names(self) -> frozenset[str]:
        """These and what kind of app it is."""
        return self.exact_names() | {n.casefold() for n in (self.generic_name, self.plain_generic_name) if n}


def data_folders(environ: Mapping[str, str]) -> list[Path]:
    """Where .desktop files live, the person's own first."""
    home = environ.get("XDG_DATA_HOME") or str(Path(environ.get("HOME", "/nonexistent")) / ".local/share")
    system = environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    return [Path(folder) / "applications" for folder in dict.fromkeys([home, *system.split(":")]) if folder]


def read_entries(environ: Mapping[str, str]) -> tuple[DesktopEntry, ...]:
    """Every application, each id once: the first folder that has it wins, and a hidden one hides it."""
    found: dict[str, DesktopEntry | None] = {}
    languages = _languages(environ)
    for folder in data_folders(environ):
        for file in sorted(folder.rglob("*.desktop")) if folder.is_dir() else ():
            entry_id = "-".join(file.relative_to(folder).parts)
            if entry_id not in found:
                found[entry_id] = _read(file, entry_id, languages)
    return tuple(entry for entry in found.values() if entry is not None)


def parse_entry(text: str, entry_id: str, languages: list[str]) -> DesktopEntry | None:
    """None for what is hidden, is no application or has no usable command."""
    fields = dict(_fields(text))
    if fields.get("Type", "Application") != "Application" or fields.get("Hidden") == "true":
        return None
    argv = command(fields.get("Exec", ""), name=fields.get("Name", ""))
    if not argv or not fields.get("Name"):
        return None
    return DesktopEntry(
        id=entry_id,
        name=_local(fields, "Name", languages),
        plain_name=_unescaped(fields["Name"]),
        generic_name=_local(fields, "GenericName", languages),
        plain_generic_name=_unescaped(fields.get("GenericName", "")),
        argv=argv,
        path=_unescaped(fields.get("Path", "")),
        wm_class=_unescaped(fields.get("StartupWMClass", "")),
        terminal=fields.get("Terminal") == "true",
        shown=fields.get("NoDisplay") != "true",
    )


def command(line: str, name: str = "") -> tuple[str, ...]:
    """The words of an Exec line without its field codes; empty if the line is broken."""
    try:
        words = shlex.split(_unescaped(line))
    except ValueError:
        return ()
    found: list[str] = []
    for word in words:
        if len(word) == 2 and word[0] == "%" and word[1] in "fFuUdDnNickvm":
            if word[1] == "c":
                found.append(name)
            continue
        found.append(word.replace("%%", "%"))
    return tuple(found)


def _read(file: Path, entry_id: str, languages: list[str]) -> DesktopEntry | None:
    try:
        return parse_entry(file.read_text(encoding="utf-8", errors="replace"), entry_id, languages)
    except OSError:
        return None


def _fields(text: str) -> Iterator[tuple[str, str]]:
    inside = False
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("["):
            inside = stripped == _SECTION
        elif inside and "=" in stripped and not stripped.startswith("#"):
            key, _, value = stripped.partition("=")
            yield key.strip(), value.strip()


def _languages(environ: Mapping[str, str]) -> list[str]:
    """The suffixes to try, from `lang_COUNTRY` to `lang`."""
    raw = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or ""
    full = raw.partition(".")[0].partition("@")[0]
    return [name for name in dict.fromkeys([full, full.partition("_")[0]]) if name and name not in ("C", "POSIX")]


def _local(fields: Mapping[str, str], key: str, languages: list[str]) -> str:
    named = next((fields[f"{key}[{language}]"] for language in languages if f"{key}[{language}]" in fields), None)
    return _unescaped(named if named is not None else fields.get(key, ""))


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    out, position = [], 0
    while position < len(text):
        if text[position] == "\\" and text[position + 1 : position + 2] in _ESCAPES:
            out.append(_ESCAPES[text[position + 1]])
            position += 2
        else:
            out.append(text[position])
            position += 1
    return "".join(out)
