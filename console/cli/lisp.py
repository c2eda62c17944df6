"""`operator-console lisp`: a program by itself. On the desktop it runs as `run --planner program --goal-file FILE`."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from .exits import Exit, WrongUse
from .output import Output
from .wiring import Wiring


async def lisp(args: Namespace, wiring: Wiring, output: Output) -> int:
    """Prints what the program prints, then its value; with --json the whole Step."""
    from console.ptc.lisp import Limits, run_async

    done = await run_async(
        _source(args.file),
        context=_data(args.data),
        signature=args.signature,
        journal={},
        limits=Limits(timeout=max(1, int(args.timeout * 1000)), max_loop_jumps=10_000),
    )
    good = done.ok and done.signal != "fail"
    if args.json:
        output.json(done.to_step().to_json())
        return Exit.SUCCEEDED if good else Exit.FAILED
    for line in done.prints:
        output.line(line)
    if good:
        output.line(done.text())
        return Exit.SUCCEEDED
    output.problem(done.text())
    return Exit.FAILED


def _source(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise WrongUse(f"The program {name} cannot be read: {error.strerror}. Check the name.") from error
    except UnicodeDecodeError as error:
        raise WrongUse(f"The program {name} is not UTF-8 text. Save it as UTF-8.") from error


def _data(text: str | None) -> dict[str, Any]:
    if text is None:
        return {}
    try:
        data = json.loads(text)
    except ValueError as error:
        raise WrongUse(f"--data is no JSON: {error}.") from error
    if not isinstance(data, dict):
        raise WrongUse('--data has to be a JSON object, such as {"n": 5}.')
    return data
