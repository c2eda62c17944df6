"""Waits, keeps and reads values, and calls adapters."""

from __future__ import annotations

import re
from collections.abc import Sequence

from console.contracts.actions import Custom, Extract, ExtractWithFallback, NotebookWrite, ReadCells, Wait, WriteCells
from console.contracts.adapter import Adapter
from console.contracts.base import Json
from console.contracts.effects import AdapterReadback, ObservedEffect
from console.contracts.errors import ConsoleError, TargetError
from console.contracts.moves import StepErr, StepOk
from console.contracts.receipt import AccessibilityRoute, AdapterRoute, OtherRoute
from console.contracts.scene import Scene

from ..selectors import Found, find, parse_selector, why_not
from .job import Job, Outcome

_NUMBER = re.compile(r"[-+−]?\d[\d\s.,'’\u00a0\u202f]*(?:[eE][-+]?\d+)?")
_SPACES = re.compile(r"[\s'’\u00a0\u202f]")


async def wait(action: Wait, job: Job) -> Outcome:
    job.via(OtherRoute(detail="waited"))
    await job.hands.sleep(action.ms / 1000)
    return Outcome(effect=ObservedEffect(status="not_checked", detail="Waiting has no effect of its own."))


async def extract(action: Extract, job: Job) -> Outcome:
    """The value is the planner's own; it is kept as it is."""
    job.via(OtherRoute(detail="kept"))
    return Outcome(StepOk(data=action.data or None), _unchecked("The value was given by the planner, not read."))


async def notebook(_: NotebookWrite, job: Job) -> Outcome:
    job.via(OtherRoute(detail="ignored"))
    return Outcome(effect=_unchecked("A notebook is not kept; nothing was done."))


async def extract_with_fallback(action: ExtractWithFallback, job: Job) -> Outcome:
    """The first selector that finds something of the right kind. The screen is read anew."""
    if action.parse_as == "html":
        raise TargetError("The HTML of a page needs a browser connection, and there is none.", "Read it as text.")
    scene = await job.hands.observer.observe("")
    job.via(AccessibilityRoute())
    problems: list[str] = []
    for written in action.selectors:
        selector = parse_selector(written)
        if selector is None:
            problems.append(why_not(written))
            continue
        hits = [hit for hit in find(selector, scene) if not hit.protected]
        if not hits:
            problems.append(f"{written} is not on the screen.")
            continue
        text = await _text(hits[0], scene, job)
        try:
            return Outcome(StepOk(data=_parsed(text, action.parse_as)), _unchecked("It was read, nothing was done."))
        except ValueError:
            problems.append(f"{written} shows no number but “{text[:60]}”.")
    return Outcome(StepErr(message=f"“{action.name}” could not be read. {' '.join(problems) or 'Give a selector.'}"))


async def _text(hit: Found, scene: Scene, job: Job) -> str:
    """The whole text; the scene may hold only its beginning."""
    element = scene.element(hit.element_id)
    if element is not None and element.source == "accessibility" and element.value is not None:
        try:
            return await job.hands.elements.read_text(element.id)
        except TargetError:
            return hit.text
    return hit.text


def _parsed(text: str, kind: str) -> Json:
    if kind == "text":
        return text.strip()
    found = _NUMBER.search(text)
    if found is None:
        raise ValueError(text)
    number = _as_number(found[0])
    if kind == "int":
        if number != int(number):
            raise ValueError(text)
        return int(number)
    return number


def _as_number(text: str) -> float:
    """1,234.5 and 1.234,5 and 1 234,5: the last of the two marks is the decimal one, unless it groups thousands."""
    plain = _SPACES.sub("", text).replace("−", "-").rstrip(".,")
    commas, dots = plain.count(","), plain.count(".")
    if commas and dots:
        thousands = "," if plain.rindex(".") > plain.rindex(",") else "."
        plain = plain.replace(thousands, "").replace(",", ".")
    elif commas > 1 or (commas == 1 and re.fullmatch(r"[-+]?[1-9]\d{0,2},\d{3}", plain)):
        plain = plain.replace(",", "")
    elif dots > 1:
        plain = plain.replace(".", "")
    return float(plain.replace(",", "."))


async def custom(action: Custom, job: Job) -> Outcome:
    adapter = job.hands.adapters.get(action.adapter)
    if adapter is None:
        known = ", ".join(job.hands.adapters) or "none"
        raise TargetError(f"There is no adapter “{action.adapter}”.", f"There are: {known}.")
    return await _call(adapter, action.action, action.params, job)


async def write_cells(action: WriteCells, job: Job) -> Outcome:
    return await _cells(action, "write_cells", job)


async def read_cells(action: ReadCells, job: Job) -> Outcome:
    return await _cells(action, "read_cells", job)


async def _cells(action: WriteCells | ReadCells, name: str, job: Job) -> Outcome:
    adapters: Sequence[Adapter] = tuple(job.hands.adapters.values())
    able = next((a for a in adapters if any(offered.action == name for offered in a.actions())), None)
    if able is None:
        raise TargetError(f"No spreadsheet adapter can do that in {action.app}.", "Work in its window instead.")
    return await _call(able, name, action.model_dump(mode="json", exclude={"type"}), job)


async def _call(adapter: Adapter, name: str, params: Json, job: Job) -> Outcome:
    job.via(AdapterRoute(name=adapter.name, op=name))
    try:
        result = await adapter.call(name, params)
    except ConsoleError as error:
        result = StepErr(message=error.sentence())
    except Exception as error:  # noqa: BLE001 - an adapter is foreign code, and its failure is the step's
        result = StepErr(message=f"{adapter.name} failed: {error}. Try another way.")
    if isinstance(result, StepOk) and result.data is not None:
        return Outcome(result, ObservedEffect(status="observed", kind=AdapterReadback(action=name)))
    return Outcome(result, _unchecked(f"{adapter.name} read nothing back."))


def _unchecked(detail: str) -> ObservedEffect:
    return ObservedEffect(status="not_checked", detail=detail)
