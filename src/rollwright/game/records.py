"""What happens in a roll beside its dice and choices, noted while it is played to be told.

Counting notes nothing and pays nothing for it.
"""

from __future__ import annotations

from _thread import get_ident
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias


class Change(NamedTuple):
    """A field of a sheet has another value."""

    role: str
    field: str
    before: Any
    after: Any


class Addition(NamedTuple):
    """Something was added up: dice, and what else counts by name."""

    parts: tuple[tuple[str, Any], ...]
    """The name of each part, empty for dice, and what it comes to."""
    total: int


class Remark(NamedTuple):
    """A sentence of the game's own, at the step it belongs to."""

    text: str
    values: Mapping[str, Any]


Record: TypeAlias = Change | Addition | Remark
_noting: dict[int, list[Record]] = {}
"""By the thread, what is noted there: empty nearly always, so that asking is cheap."""


@contextmanager
def noting() -> Iterator[list[Record]]:
    """Note what happens in rolls that are played in this thread."""
    thread, noted = get_ident(), list[Record]()
    before, _noting[thread] = _noting.get(thread), noted
    try:
        yield noted
    finally:
        del _noting[thread]
        if before is not None:
            _noting[thread] = before


def note(record: Record) -> None:
    """Note something, if anybody wants to know."""
    if _noting and (noted := _noting.get(get_ident())) is not None:
        noted.append(record)


def begin() -> None:
    """A roll begins, perhaps once more: what was noted of it is noted again."""
    if _noting and (noted := _noting.get(get_ident())) is not None:
        noted.clear()


def total(*parts: Any, **named: int) -> int:
    """Add up dice and what counts beside them; the story tells each part by its name.

    `total(dice, agility=2)` reads "9 + 5 + Agility 2 = 16". A part without a name is a bonus.
    """
    found: Any = 0
    for part in parts:
        found = found + (part if isinstance(part, int) else part.sum)
    for number in named.values():
        found = found + number
    if _noting:
        listed = [("bonus" if isinstance(part, int) else "", part) for part in parts]
        note(Addition((*listed, *named.items()), found))
    return found  # type: ignore[no-any-return]


def tell(text: str, **values: Any) -> None:
    """Add a sentence to the story, here and now: `tell("{who} slips", who=helper)`."""
    if _noting:
        note(Remark(text, values))
