"""The rolls of a table for a spreadsheet: a line each, always the same columns."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from datetime import UTC, datetime
from io import StringIO
from json import dumps
from typing import Any

from rollwright.table.history_names import Names, PlainEvent
from rollwright.table.history_rolls import RollTold, Throw, face_said, rolls_of

COLUMNS = (
    "seq",
    "time",
    "session",
    "roll",
    "seat",
    "name",
    "sheet",
    "title",
    "what",
    "note",
    "visibility",
    "status",
    "how",
    "dice",
    "faces",
    "choices",
    "outcome",
    "good",
    "told",
    "effects",
)
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What makes a spreadsheet take a cell for more than a text."""


def history_csv(events: Iterable[PlainEvent]) -> str:
    """One line for each roll, as whoever saw these events may know it."""
    listed = list(events)
    names = Names.of(listed)
    page = StringIO()
    writer = csv.writer(page, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for roll in rolls_of(listed).values():
        cells = _cells(roll, names)
        writer.writerow([safe(cells[column]) for column in COLUMNS])
    return page.getvalue()


def safe(cell: Any) -> str:
    """A cell that no spreadsheet takes for a formula.

    >>> safe("=1+1"), safe(7), safe(-7), safe("a-b")
    ("'=1+1", '7', "'-7", 'a-b')
    """
    text = "" if cell is None else str(cell)
    return f"'{text}" if text.startswith(FORMULAS) else text


def _cells(roll: RollTold, names: Names) -> dict[str, Any]:
    end = roll.end or {}
    when = datetime.fromtimestamp(roll.at / 1000, UTC)
    good = end.get("good")
    return {
        "seq": roll.seq,
        "time": f"{when:%Y-%m-%dT%H:%M:%SZ}",
        "session": roll.session,
        "roll": roll.id,
        "seat": roll.by,
        "name": names.name(roll.by) if roll.by else "",
        "sheet": roll.sheet,
        "title": names.put(roll.title),
        "what": _what(roll.what, names),
        "note": names.put(roll.note),
        "visibility": roll.visibility,
        "status": roll.status,
        "how": roll.how,
        "dice": "; ".join(", ".join(throw.dice) for throw in roll.throws),
        "faces": "; ".join(map(_faces, roll.throws)),
        "choices": "; ".join(names.put(choice) for choice in roll.choices),
        "outcome": _json(end["fields"], names) if "fields" in end else "",
        "good": "" if good is None else "yes" if good else "no",
        "told": names.put(str(end.get("told", ""))),
        "effects": names.put("; ".join(_effect(roll, one) for one in end.get("effects", ()))),
    }


def _effect(roll: RollTold, effect: dict[str, Any]) -> str:
    """An effect, and whether nobody let it happen."""
    decided, _ = roll.decided.get(effect["sheet"], ("", ""))
    is_done = not effect.get("waits") or decided in ("roll.revealed", "roll.applied")
    return f"{effect['said']}" if is_done else f"{effect['said']} (not done)"


def _what(what: Any, names: Names) -> str:
    if not what:
        return ""
    if "expression" in what:
        return str(what["expression"])
    return _json(what["request"], names)


def _faces(throw: Throw) -> str:
    return ", ".join(map(face_said, throw.faces))


def _json(value: Any, names: Names) -> str:
    return dumps(_named(value, names), ensure_ascii=False, sort_keys=True)


def _named(value: Any, names: Names) -> Any:
    if isinstance(value, dict):
        return {names.put(name): _named(part, names) for name, part in value.items()}
    if isinstance(value, list):
        return [_named(part, names) for part in value]
    return names.put(value) if isinstance(value, str) else value
