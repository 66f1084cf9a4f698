"""Storage for a seat between two runs: its token, its key, and what it has signed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Protocol

from rollwright.client.storage import Storage
from rollwright.errors import RollwrightError
from rollwright.jsonable import BadValue, json_text, parse_json

SEAT = "seat"


class SeatStore(Protocol):
    """Something that holds what is known of one seat."""

    def read(self) -> dict[str, Any]:
        """Return the stored seat; empty before the first time."""
        ...

    def write(self, held: dict[str, Any]) -> None:
        """Keep this in its place; it is on the disk when this comes back."""
        ...


class BadSeatError(RollwrightError):
    """A file that holds no seat."""


class MemorySeatStore:
    """Keeps a seat for as long as the program runs."""

    def __init__(self) -> None:
        self._held: dict[str, Any] = {}

    def read(self) -> dict[str, Any]:
        """Return the stored seat."""
        return self._held

    def write(self, held: dict[str, Any]) -> None:
        """Keep this in its place."""
        self._held = held


class FileSeatStore:
    """Keeps a seat in a file that only its owner reads."""

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)

    def read(self) -> dict[str, Any]:
        """Return the file's contents; empty if there is no file yet."""
        try:
            found = parse_json(self._path.read_bytes())
        except FileNotFoundError:
            return {}
        except BadValue as problem:
            raise BadSeatError(f"{self._path} holds no seat: {problem}") from None
        if not isinstance(found, dict):
            raise BadSeatError(f"{self._path} holds no seat")
        return found

    def write(self, held: dict[str, Any]) -> None:
        """Write beside the file, and let that take its name once it is on the disk."""
        part = self._path.with_name(f"{self._path.name}.part")
        part.unlink(missing_ok=True)
        opened = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(opened, "w", encoding="utf-8") as file:
            file.write(json_text(held))
            file.flush()
            os.fsync(file.fileno())
        part.replace(self._path)


class BotSeatStore:
    """Keeps a seat among others in a bot's file."""

    def __init__(self, storage: Storage, name: str) -> None:
        self._storage = storage
        self._name = name

    def read(self) -> dict[str, Any]:
        """Return the seat stored under its name."""
        found = self._storage.find(SEAT, self._name)
        return found if isinstance(found, dict) else {}

    def write(self, held: dict[str, Any]) -> None:
        """Keep this under its name."""
        self._storage.put(SEAT, self._name, held)


SeatStoreLike = SeatStore | Path | str | None
"""Storage of a seat: a place, the path of a file, or only memory."""


def seat_store(keep: SeatStoreLike) -> SeatStore:
    """The place that is meant."""
    if keep is None:
        return MemorySeatStore()
    return FileSeatStore(keep) if isinstance(keep, Path | str) else keep
