"""Blots keys out of every log line, whoever writes it, with its traceback."""

from __future__ import annotations

import logging
from collections.abc import Set
from typing import Any

MASK = "••••••"


def hide_in_logs(secrets: Set[str]) -> None:
    """From now on, in the whole process. `secrets` may grow."""
    before = logging.getLogRecordFactory()
    formatter = logging.Formatter()

    def record_without_secrets(*args: Any, **fields: Any) -> logging.LogRecord:
        record = before(*args, **fields)
        if not secrets:
            return record
        message = record.getMessage()
        clean = _without(message, secrets)
        if clean != message:
            record.msg, record.args = clean, None
        if record.exc_info:
            record.exc_text = _without(formatter.formatException(record.exc_info), secrets)
            record.exc_info = None
        return record

    logging.setLogRecordFactory(record_without_secrets)


def _without(text: str, secrets: Set[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, MASK)
    return text
