"""A roll of a table to be shown elsewhere: what everybody sees of it, and what proves its dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright import __version__
from rollwright.engine.transcript import FORMAT, expression_to_json
from rollwright.engine.values import value_from_json, value_to_json
from rollwright.table.errors import command_error
from rollwright.table.events import is_in_audience, true_kind
from rollwright.table.fairness import FairDice, call_hash
from rollwright.table.visibility import knows_of, sheets_for

if TYPE_CHECKING:
    from rollwright.jsonable import Json
    from rollwright.table.events import Seat
    from rollwright.table.rolls import TableRoll
    from rollwright.table.schemas import EventView
    from rollwright.table.state import TableState

OVER = ("undone", "cancelled")


def shareable(state: TableState, seat: Seat | None, seer: Seat | None, name: str) -> TableRoll:
    """A roll that a seat may show elsewhere: all of it is for the seer to see, and it counts.

    The seer is everybody (None), or the seat itself for a copy of its own.
    """
    roll = state.roll(name)
    if roll is None or not knows_of(roll, seat):
        raise command_error("not_found", "table.roll.none", "roll", name=repr(name[:40]))
    if roll.is_open and roll.veiled:
        raise command_error("forbidden", "table.roll.secret", roll=roll.id)
    if not is_in_audience(seer, roll.seers):
        unseen = "table.roll.unshared" if is_in_audience(seat, roll.seers) else "table.roll.secret"
        raise command_error("forbidden", unseen, roll=roll.id)
    if roll.status in OVER:
        raise command_error("conflict", "table.roll.over", "roll", roll=roll.id, status=roll.status)
    return roll


class _ShareCommand(NamedTuple):
    """A call that dice of a roll follow from."""

    said: Mapping[str, Any]
    throws: list[tuple[int, Mapping[str, Any]]]
    """The entries, and what the events say of them."""
    witness: str = ""


class _ShareRecord(NamedTuple):
    """A roll as its events describe it."""

    started: Mapping[str, Any]
    entries: list[dict[str, Any]]
    """Faces and options in order, as a stored transcript has them."""
    calls: dict[int, _ShareCommand]
    """The calls that its fair throws follow from, by their events."""
    keys: dict[int, str]
    after: Mapping[str, Any]
    opened: tuple[int, str] = (0, "")
    """The event and the number of the last witness that was opened."""

    @property
    def transcript(self) -> dict[str, Any]:
        """The roll as data."""
        done = self.after.get("step") == "done"
        outcome = {"outcome": self.after["outcome"]} if done else {}
        return {**_start_fields(self.started), "answers": self.entries, **outcome}


def share_query(
    state: TableState, seat: Seat | None, roll: TableRoll, events: Iterable[EventView]
) -> dict[str, Json]:
    """Return the question to `share` about a roll, from its events as that seat sees them.

    None is everybody; somebody's own copy of a secret roll says that it is one.
    """
    told = _collect(roll, events)
    policy = str(told.started.get("policy") or "")
    people = _people(state, seat)
    found: dict[str, Any] = {
        "transcript": told.transcript,
        "goal": told.started.get("goal") or None,
        "policy": None if policy in ("", "ask") else policy,
        "who": people.get(str(told.started.get("sheet") or "")) or people.get(roll.by),
        "people": people,
    }
    if roll.is_secret:
        found["secret"] = roll.visibility
    if calls := list(_proofs(state, told)):
        found["proof"] = {"table": state.table, "roll": roll.id, "calls": calls}
    return {name: value for name, value in found.items() if value is not None}


def _collect(roll: TableRoll, events: Iterable[EventView]) -> _ShareRecord:
    """Return a roll put together from its events; refuse if one is not for the viewer."""
    told = _ShareRecord({}, [], {}, {}, {})
    for event in sorted(events, key=lambda event: event["seq"]):
        body = event.get("body")
        if body is None:
            raise command_error("forbidden", "table.roll.secret", roll=roll.id)
        told = _add_event(told, event["seq"], true_kind(event["kind"], body), body)
    if not told.started:  # of an imported log, the beginning may be withheld
        raise command_error("forbidden", "table.roll.secret", roll=roll.id)
    return told


def _add_event(told: _ShareRecord, seq: int, kind: str, body: Mapping[str, Any]) -> _ShareRecord:
    entries, place = told.entries, len(told.entries)
    if kind == "witness.revealed":
        return told._replace(opened=(seq, body["number"]))
    if "call" in body:
        told.calls[seq] = _ShareCommand(body["call"], [])
    told.keys.update({int(call): key for call, key in body.get("keys", {}).items()})
    if kind == "roll.started":
        told = told._replace(started=body)
    elif kind == "roll.thrown":
        if body["fair"]:
            _note_throw(told, seq, place, body)
        entries.append({"faces": body["faces"], "how": body["how"]})
    elif kind == "roll.chosen":
        entries.append({"option": body["option"], "by": body["role"]})
    elif kind == "roll.taken_back" and entries:
        entries.pop()
    return told._replace(after=body.get("after") or told.after)


def _note_throw(told: _ShareRecord, seq: int, place: int, body: Mapping[str, Any]) -> None:
    """Note a throw; the number of its witness comes right before the first of a call."""
    fair = body["fair"]
    call = told.calls.get(fair["call"])
    if call is None:
        return
    if "key" in fair:
        told.keys[fair["call"]] = fair["key"]
    if not call.throws and told.opened[0] == seq - 1:
        call = told.calls[fair["call"]] = call._replace(witness=told.opened[1])
    call.throws.append((place, body))


def _proofs(state: TableState, told: _ShareRecord) -> Iterator[dict[str, Any]]:
    """Yield the proofs of the throws of each call; a call from before an import has none."""
    for seq, call in told.calls.items():
        key, device = told.keys.get(seq, ""), state.devices.get(call.said.get("device", ""))
        if not call.throws or not key:
            continue
        made = call_hash(state.table, state.epoch, device.seat if device else "", call.said)
        proof = {"throws": [place for place, _ in call.throws], "key": key, "call": made.hex()}
        witness = bytes.fromhex(call.witness)
        if all(_follows(body, key, made, witness) for _, body in call.throws):
            yield {**proof, **({"witness": call.witness} if call.witness else {})}


def _follows(body: Mapping[str, Any], key: str, call: bytes, witness: bytes) -> bool:
    dice = FairDice(bytes.fromhex(key), call, body["fair"]["throw"], witness)
    faces = dice.throw(value_from_json(body["pool"]))
    return bool(body["faces"] == [value_to_json(face) for face in faces])


def _start_fields(started: Mapping[str, Any]) -> dict[str, Any]:
    what, plain = started["what"], {"format": FORMAT, "rollwright": __version__}
    if "request" in what:
        return {**plain, "request": what["request"], "version": started["version"]}
    return {**plain, **expression_to_json(what["expression"])}


def _people(state: TableState, seat: Seat | None) -> dict[str, Json]:
    """Return the names of everybody the seat knows: by their characters, or by name."""
    people: dict[str, Json] = {
        one.id: one.name.text for one in state.seats.values() if one.name is not None
    }
    characters = {sheet.id: sheet.values.get("name") for sheet in sheets_for(state, seat)}
    return {**people, **{sheet: str(name) for sheet, name in characters.items() if name}}
