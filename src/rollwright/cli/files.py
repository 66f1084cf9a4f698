"""Files that are read and written: requests, saved rolls, tables, pictures; `-` is the pipe."""

from __future__ import annotations

import sys
from typing import Any

import click

MOST_BYTES = 16_000_000


def read_text(name: str, most: int = MOST_BYTES) -> str:
    """What a file holds, or the pipe for `-`; no more than so many characters of it."""
    try:
        if name == "-":
            return sys.stdin.read(most)
        with open(name, encoding="utf-8") as handle:
            return handle.read(most)
    except OSError as problem:
        raise click.UsageError(f"{name!r} cannot be read: {problem.strerror}") from None
    except (UnicodeDecodeError, ValueError):
        raise click.UsageError(f"{name!r} is not a text file") from None


def read_json(name: str) -> Any:
    """The JSON in a file, or in the pipe for `-`."""
    from json import loads

    try:
        return loads(read_text(name))
    except (ValueError, RecursionError) as problem:
        raise click.UsageError(f"{name!r} is not JSON: {problem}") from None


def write_text(name: str, text: str) -> None:
    """Write a file, or to the pipe for `-`."""
    write_bytes(name, text.encode("utf-8"))


def write_bytes(name: str, data: bytes) -> None:
    """Write a file, or to the pipe for `-`."""
    if name == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    try:
        with open(name, "wb") as handle:
            handle.write(data)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise click.UsageError(f"{name!r} cannot be written: {reason}") from None


def looks_like_file(name: str) -> bool:
    """Whether an argument names a file rather than dice or a game."""
    return name == "-" or name.endswith(".json")
