"""Loads the SDK when it is first needed, and keeps it quiet."""

from __future__ import annotations

import importlib
import logging


def load_sdk() -> None:
    """May take more than a second, so call it in a thread. What goes wrong with a server is said in one sentence, and
    not once more, with a traceback, in the log of the SDK."""
    for name in ("mcp", "client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    for name in ("mcp.client", "mcp.client.streamable_http", "mcp.client.subscriptions"):
        importlib.import_module(name)
