"""What the journal writes into its tables and reads from them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from pydantic import ValidationError

from console.contracts.errors import StorageError
from console.contracts.events import (
    RUN_EVENT,
    Attempted,
    Noticed,
    Observed,
    PhaseChanged,
    RunEnded,
    RunEvent,
    RunPhase,
    RunStarted,
)
from console.contracts.store import RunSummary

from .owner import Owner

Connection = sqlite3.Connection
ENDS = {"succeeded": RunPhase.DONE, "failed": RunPhase.FAILED, "refused": RunPhase.REFUSED, "stopped": RunPhase.STOPPED}
_COLUMNS = "run_id, goal, planner, started_at_ms, ended_at_ms, phase, summary, attempts, owner_pid, owner_started"


def claim(db: Connection, run_id: str, owner: Owner) -> None:
    """Make the run this process's own. Raises `StorageError` if another living process carries it out."""
    was = going_on(db, run_id)
    if was is not None and was != owner:
        raise StorageError("This run is being carried out by another console.", "Close that one first.")
    db.execute("UPDATE runs SET owner_pid = ?, owner_started = ? WHERE run_id = ?", (owner.pid, owner.started, run_id))


def going_on(db: Connection, run_id: str) -> Owner | None:
    """The living process that carries out the run, if it has not ended."""
    row = db.execute("SELECT owner_pid, owner_started, phase FROM runs WHERE run_id = ?", (run_id,)).fetchone()
    if row is None or RunPhase(row[2]).ended:
        return None
    owner = Owner(row[0], row[1])
    return owner if owner.alive() else None


def add(db: Connection, event: RunEvent, owner: Owner) -> None:
    """Add the event and keep the line of its run in step. The same event again changes nothing."""
    body = event.model_dump_json()
    inserted = db.execute(
        "INSERT OR IGNORE INTO events (run_id, seq, at_ms, kind, body) VALUES (?, ?, ?, ?, ?)",
        (event.run_id, event.seq, event.at_ms, event.event, body),
    )
    if inserted.rowcount == 0:
        _same(db, event, body)
        return
    _summarise(db, event, owner)
    for name in pictures_of(event):
        db.execute("INSERT OR IGNORE INTO pictures (run_id, name) VALUES (?, ?)", (event.run_id, name))


def _same(db: Connection, event: RunEvent, body: str) -> None:
    row = db.execute("SELECT body FROM events WHERE run_id = ? AND seq = ?", (event.run_id, event.seq)).fetchone()
    if row[0] != body:
        raise StorageError(
            f"The journal holds another event {event.seq} of this run.", "Start the goal again as a new run."
        )


def _summarise(db: Connection, event: RunEvent, owner: Owner) -> None:
    goal, planner = (event.goal, event.planner) if isinstance(event, RunStarted) else ("", "")
    if isinstance(event, RunStarted) or event.seq == 1 or not _known(db, event.run_id):
        db.execute(
            "INSERT INTO runs (run_id, goal, planner, started_at_ms, phase, words, owner_pid, owner_started) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run_id) DO UPDATE SET phase = excluded.phase, "
            "ended_at_ms = NULL, goal = excluded.goal, planner = excluded.planner, words = excluded.words",
            (event.run_id, goal, planner, event.at_ms, RunPhase.READY, goal.casefold(), owner.pid, owner.started),
        )
    match event:
        case PhaseChanged():
            db.execute("UPDATE runs SET phase = ? WHERE run_id = ?", (event.phase, event.run_id))
        case Attempted():
            db.execute("UPDATE runs SET attempts = attempts + 1 WHERE run_id = ?", (event.run_id,))
        case RunEnded():
            summary = event.outcome.sentence()
            db.execute(
                "UPDATE runs SET phase = ?, ended_at_ms = ?, summary = ?, words = words || char(10) || ? "
                "WHERE run_id = ?",
                (ENDS[event.end], event.at_ms, summary, summary.casefold(), event.run_id),
            )
        case _:
            pass


def _known(db: Connection, run_id: str) -> bool:
    return db.execute("SELECT 1 FROM runs WHERE run_id = ?", (run_id,)).fetchone() is not None


def pictures_of(event: RunEvent) -> tuple[str, ...]:
    """The names of the stored images that the event refers to."""
    names: tuple[str | None, ...] = ()
    if isinstance(event, Observed):
        names = (event.screenshot,)
    if isinstance(event, Attempted):
        names = (event.before, event.after)
    return tuple(name for name in names if name)


def events(db: Connection, run_id: str) -> list[RunEvent]:
    """In order. An event that this version cannot read stands as a notice in its place."""
    rows = db.execute("SELECT seq, at_ms, kind, body FROM events WHERE run_id = ? ORDER BY seq", (run_id,))
    return [_event(run_id, *row) for row in rows]


def _event(run_id: str, seq: int, at_ms: int, kind: str, body: str) -> RunEvent:
    try:
        return RUN_EVENT.validate_json(body)
    except ValidationError:
        text = f"Event {seq} ({kind.replace('_', ' ')}) cannot be read by this version."
        return Noticed(
            run_id=run_id,
            seq=seq,
            at_ms=at_ms,
            severity="warning",
            text=text,
            hint="Open the run with a newer console.",
        )


def runs(db: Connection, search: str, limit: int) -> list[RunSummary]:
    """Newest first; every word of the search has to be somewhere in goal or summary, in any case."""
    patterns = [f"%{_literal(word)}%" for word in search.casefold().split()]
    where = " AND ".join(["words LIKE ? ESCAPE '\\'"] * len(patterns)) or "1"
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM runs WHERE {where} ORDER BY started_at_ms DESC, rowid DESC LIMIT ?",
        (*patterns, limit),
    )
    return [_summary(row) for row in rows]


def _literal(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _summary(row: Sequence[object]) -> RunSummary:
    """A run that never ended and whose process is gone was interrupted; that is seen when it is looked up, so that
    nothing has to be repaired first."""
    *shown, pid, started = row
    fields = dict(zip(_COLUMNS.split(", "), shown, strict=False))
    phase = RunPhase(str(fields["phase"]))
    if not phase.ended and not Owner(int(str(pid)), str(started)).alive():
        phase = RunPhase.INTERRUPTED
    return RunSummary.model_validate({**fields, "phase": phase})


def goals(db: Connection, limit: int) -> list[str]:
    """The goals of the last runs, each once, newest first."""
    rows = db.execute(
        "SELECT goal FROM runs WHERE goal != '' GROUP BY goal "
        "ORDER BY max(started_at_ms) DESC, max(rowid) DESC LIMIT ?",
        (limit,),
    )
    return [str(row[0]) for row in rows]


def ended(db: Connection) -> list[tuple[str, int]]:
    """The runs that came to an end, and when; the oldest first."""
    rows = db.execute("SELECT run_id, ended_at_ms FROM runs WHERE ended_at_ms IS NOT NULL ORDER BY ended_at_ms, rowid")
    return [(str(run_id), int(at_ms)) for run_id, at_ms in rows]


def has_ended(db: Connection, run_id: str) -> bool:
    row = db.execute("SELECT 1 FROM runs WHERE run_id = ? AND ended_at_ms IS NOT NULL", (run_id,)).fetchone()
    return row is not None


def named_pictures(db: Connection) -> set[str]:
    return {str(row[0]) for row in db.execute("SELECT DISTINCT name FROM pictures")}


def forget(db: Connection, run_id: str) -> list[str]:
    """Remove the run; gives the names of the images that no other run refers to."""
    orphans = db.execute(
        "SELECT name FROM pictures AS mine WHERE run_id = ? AND NOT EXISTS "
        "(SELECT 1 FROM pictures WHERE name = mine.name AND run_id != mine.run_id)",
        (run_id,),
    ).fetchall()
    for table in ("pictures", "events", "runs"):
        db.execute(f"DELETE FROM {table} WHERE run_id = ?", (run_id,))
    return [str(row[0]) for row in orphans]
