"""`operator-console ask`: puts a past decision to planners again, side by side, and does nothing."""

from __future__ import annotations

from argparse import Namespace

from console.core.moments import Moment, SecondOpinion, move_lines

from .exits import Exit
from .history import find_run
from .output import Output, harmless
from .wiring import Wiring


async def ask(args: Namespace, wiring: Wiring, output: Output) -> int:
    """Fails if no planner gave a move."""
    store = wiring.open_store(output.problem)
    try:
        run_id = await find_run(store, args.run)
        opinions: list[SecondOpinion] = []
        for name in args.planner or [None]:
            moment, opinion = await wiring.second_opinion(store, run_id, args.turn, name, dict(args.set or ()))
            if not opinions:
                _then(args, moment, output)
            opinions.append(opinion)
            _now(args, moment, opinion, output)
    finally:
        await store.close()
    return Exit.SUCCEEDED if any(opinion.move for opinion in opinions) else Exit.FAILED


def _then(args: Namespace, moment: Moment, output: Output) -> None:
    if args.json:
        output.json({"planner": moment.planner, "turn": moment.turn, "then": True, "move": moment.move.model_dump()})
        return
    output.line(f"Turn {moment.turn}, as {moment.planner} decided it:")
    for line in move_lines(moment.move, moment.view):
        output.line(f"    {harmless(line)}")


def _now(args: Namespace, moment: Moment, opinion: SecondOpinion, output: Output) -> None:
    if args.json:
        output.json(
            {
                "planner": opinion.planner,
                "turn": moment.turn,
                "then": False,
                "move": opinion.move.model_dump() if opinion.move else None,
                "problem": opinion.problem,
                "duration_ms": opinion.duration_ms,
                "spent": opinion.spent.model_dump(),
            }
        )
        return
    cost = f", {opinion.spent.words()}" if opinion.spent.calls else ""
    output.line(f"{opinion.planner} now ({opinion.duration_ms / 1000:.1f} s{cost}):")
    lines = move_lines(opinion.move, moment.view) if opinion.move else [opinion.problem]
    for line in lines:
        output.line(f"    {harmless(line)}")
