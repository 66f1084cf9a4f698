"""Logs as lines of JSON that hold no token, no name, no text and no secret."""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from pathlib import PurePath
from typing import Any

TOLD = ("failure", "table", "code", "count", "seconds", "process", "state")


class JsonLines(logging.Formatter):
    """One object for each record.

    Of an exception only its type and the way to it are written: its text could hold what somebody
    typed.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        told: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage().replace("\n", " ").strip(),
        }
        told |= {name: getattr(record, name) for name in TOLD if hasattr(record, name)}
        if record.exc_info and record.exc_info[1] is not None:
            told["problem"] = type(record.exc_info[1]).__name__
            told["way"] = _way(record.exc_info[1])
        return json.dumps(told, ensure_ascii=False)


def _way(problem: BaseException) -> list[str]:
    frames = traceback.extract_tb(problem.__traceback__)
    return [f"{PurePath(at.filename).name}:{at.lineno} {at.name}" for at in frames]


class _Sayings(logging.Filter):
    """Leaves out what uvicorn says about requests: their addresses are nobody's business."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name == "uvicorn.error" and record.levelno < logging.ERROR:
            return False
        return "Invalid UTF-8" not in str(record.msg)  # a client's slip, told to the client


def start_logging(level: str) -> None:
    """Send every log line of the server to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(_Sayings())
    for name in ("rollwright.server", "uvicorn.error", "asyncio", "websockets"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level.upper() if name == "rollwright.server" else "WARNING")
    logging.getLogger("uvicorn.access").handlers = []
