"""A roll as a message shows it elsewhere: in words, with its picture, and for whose eyes it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from rollwright.client.narration import RollNarration, TableFormatter, add_worths
from rollwright.client.rolls import EventData, RollView
from rollwright.client.tables import Table
from rollwright.errors import RollwrightError
from rollwright.table.events import SEALED, true_kind

MOST_OFFERED = 25


class RollMoment(NamedTuple):
    """The moment of a roll that a button was made for: what is pressed is for that moment only."""

    table: str
    roll: str
    moment: int


@dataclass(frozen=True)
class RollMessage:
    """A roll in words and as a picture; the narration is empty if it is not ours to see."""

    waiting: RollMoment
    told: RollNarration
    title: str = ""
    who: str = ""
    private: bool = False
    picture: bytes = field(default=b"", repr=False)
    last: int = 0
    """The event of the table up to which it is shown."""


FormatterFor = Callable[[bool], TableFormatter]
"""Returns the voice of a roll: for everybody, or (True) for the seat alone."""


def roll_message(
    table: Table, voices: FormatterFor, events: Sequence[EventData], name: str = ""
) -> RollMessage:
    """Return a roll of a table as it is after some events, as the seat may see it.

    What others do not see is private, though the roll is open: the rule may hide a throw from them.
    Of such an event everybody knows which roll it belongs to, or it is sealed; of others the body
    names it. What is not private is narrated and drawn as everybody may know it.
    """
    roll = RollView.from_events(events, name)
    private = any("body" in one and _is_secret(one, roll.id) for one in events)
    voice = voices(private)
    begun = [one["body"] for one in events if "body" in one and _is_start(one)]
    waiting = RollMoment(table.id, roll.id, int(roll.after.get("index", 0)))
    last = max((one["seq"] for one in events), default=0)
    bare = RollMessage(waiting, RollNarration(""), private=True, last=last)
    if not roll.after:
        return bare
    start: Mapping[str, Any] = begun[0] if begun else {}
    return replace(
        bare,
        told=add_advice(voice.narrate(roll.after), lambda: table.advise(roll)),
        title=voice.format_text(start["title"]) if start else "",
        who=voice.names.get(start.get("by", ""), ""),
        private=private,
        picture=try_draw(lambda: table.picture(roll, "png", light="dark", own=private)),
    )


def _is_start(event: EventData) -> bool:
    return true_kind(event["kind"], event["body"]) == "roll.started"


def _is_secret(event: EventData, roll: str) -> bool:
    """Check whether an event of a roll is not for everybody."""
    return event["kind"] == SEALED or event["open"].get("roll") == roll


def add_advice(held: RollNarration, advise: Callable[[], Mapping[str, Any]]) -> RollNarration:
    """The options with what each is worth; without, where that cannot be counted."""
    if not held.options:
        return held
    try:
        return add_worths(held, advise(), MOST_OFFERED)
    except RollwrightError:
        return replace(held, offers=held.offers[:MOST_OFFERED])


def try_draw(draw: Callable[[], bytes]) -> bytes:
    """The dice in pixels; nothing where they cannot be drawn."""
    try:
        return draw()
    except RollwrightError:
        return b""
