"""`operator-console save`: a finished run as a program or as instructions, which can be run again."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from console.contracts.errors import ConsoleError

from .exits import Exit
from .history import find_run
from .output import Output
from .wiring import Wiring


async def save(args: Namespace, wiring: Wiring, output: Output) -> int:
    store = wiring.open_store(output.problem)
    try:
        run_id = await find_run(store, args.run)
        events = await store.events(run_id)
    finally:
        await store.close()
    if args.form == "program":
        from console.ptc.from_run import program_of as text_of
    else:
        from console.planning.instructions.from_run import instructions_of as text_of
    text = text_of(events)
    if args.out:
        write_new(Path(args.out), text)
    if args.json:
        output.json({"run_id": run_id, "as": args.form, "text": text, **({"file": args.out} if args.out else {})})
    else:
        output.line(args.out or text.rstrip("\n"))
    return Exit.SUCCEEDED


def write_new(path: Path, text: str) -> None:
    """Raises `ConsoleError`. What is there already is somebody's work."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise ConsoleError(f"{path} is there already.", "Choose another name.") from error
    except OSError as error:
        raise ConsoleError(
            f"{path} could not be written: {error.strerror or error}.", "Choose another place."
        ) from error
