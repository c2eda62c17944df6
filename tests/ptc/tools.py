"""Tools for the programs of the tests."""

from __future__ import annotations

import asyncio
from typing import Any


def echo(args: dict[str, Any]) -> Any:
    return args


def broken(args: dict[str, Any]) -> Any:
    raise OSError("no network")


async def slowly(args: dict[str, Any]) -> Any:
    await asyncio.sleep(0.01)
    return args["n"] * 2
