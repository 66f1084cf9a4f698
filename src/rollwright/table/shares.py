"""A roll of a table to be shown elsewhere: what a seat sees of it, and what proves its dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright import __version__
from rollwright.engine.transcript import FORMAT, expression_to_plain
from rollwright.table.events import belongs, true_kind
from rollwright.table.refusals import refusal
from rollwright.table.visibility import knows_of, sheets_for

if TYPE_CHECKING:
    from rollwright.plain import Json
    from rollwright.table.events import Seat
    from rollwright.table.rolls import Roll
    from rollwright.table.schemas import Seen
    from rollwright.table.state import TableState

OVER = ("undone", "abandoned")


def shareable(state: TableState, seat: Seat | None, name: str) -> Roll:
    """A roll that somebody may show elsewhere: all of it is theirs to see, and it counts."""
    roll = state.roll(name)
    if roll is None or not knows_of(roll, seat):
        raise refusal("not_found", "table.roll.none", "roll", name=repr(name[:40]))
    if not belongs(seat, roll.seers) or (roll.is_open and roll.veiled):
        raise refusal("forbidden", "table.roll.secret", roll=roll.id)
    if roll.status in OVER:
        raise refusal("conflict", "table.roll.over", "roll", roll=roll.id, status=roll.status)
    return roll


class _Told(NamedTuple):
    """A roll as its events tell it."""

    started: Mapping[str, Any]
    entries: list[dict[str, Any]]
    """Faces and options in order, as a stored transcript has them."""
    throws: dict[int, dict[str, Any]]
    """The keys of its fair throws, by their entries."""
    after: Mapping[str, Any]

    @property
    def transcript(self) -> dict[str, Any]:
        """The roll as data."""
        done = self.after.get("step") == "done"
        outcome = {"outcome": self.after["outcome"]} if done else {}
        return {**_begun(self.started), "answers": self.entries, **outcome}


def share_question(
    state: TableState, seat: Seat | None, roll: Roll, events: Iterable[Seen]
) -> dict[str, Json]:
    """What is asked of `share` about a roll, from its events as that seat sees them."""
    told = _told(roll, events)
    policy = str(told.started.get("policy") or "")
    people = _people(state, seat)
    found: dict[str, Any] = {
        "transcript": told.transcript,
        "goal": told.started.get("goal") or None,
        "policy": None if policy in ("", "ask") else policy,
        "who": people.get(str(told.started.get("sheet") or "")) or people.get(roll.by),
        "people": people,
    }
    if told.throws:
        throws = list(told.throws.values())
        found["proof"] = {"table": state.table, "roll": roll.id, "throws": throws}
    return {name: value for name, value in found.items() if value is not None}


def _told(roll: Roll, events: Iterable[Seen]) -> _Told:
    """A roll put together from its events; refused where one is not for whoever looks."""
    told = _Told({}, [], {}, {})
    for event in events:
        body = event.get("body")
        if body is None:
            raise refusal("forbidden", "table.roll.secret", roll=roll.id)
        told = _gone_on(told, true_kind(event["kind"], body), body)
    if not told.started:  # of an imported log, the beginning may be withheld
        raise refusal("forbidden", "table.roll.secret", roll=roll.id)
    return told


def _gone_on(told: _Told, kind: str, body: Mapping[str, Any]) -> _Told:
    entries, place = told.entries, len(told.entries)
    if kind == "roll.started":
        told = told._replace(started=body)
    elif kind == "roll.thrown":
        if body["fair"]:
            told.throws[place] = _fair(place, body["fair"])
        entries.append({"faces": body["faces"], "how": body["how"]})
    elif kind == "roll.chosen":
        entries.append({"option": body["option"], "by": body["role"]})
    elif kind == "roll.back" and entries:
        entries.pop()
        told.throws.pop(place - 1, None)
    return told._replace(after=body.get("after") or told.after)


def _fair(entry: int, fair: Mapping[str, Any]) -> dict[str, Any]:
    witness = fair["witness"]
    told = {name: fair[name] for name in ("number", "key", "nonce")}
    return {"entry": entry, **told, "witness": witness["nonce"] if witness else ""}


def _begun(started: Mapping[str, Any]) -> dict[str, Any]:
    what, plain = started["what"], {"format": FORMAT, "rollwright": __version__}
    if "request" in what:
        return {**plain, "request": what["request"], "version": started["version"]}
    return {**plain, **expression_to_plain(what["expression"])}


def _people(state: TableState, seat: Seat | None) -> dict[str, Json]:
    """What everybody is called whom that seat knows: by their characters, or by name."""
    people: dict[str, Json] = {
        one.id: one.name.text for one in state.seats.values() if one.name is not None
    }
    characters = {sheet.id: sheet.values.get("name") for sheet in sheets_for(state, seat)}
    return {**people, **{sheet: str(name) for sheet, name in characters.items() if name}}
