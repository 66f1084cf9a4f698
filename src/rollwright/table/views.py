"""What a seat may see: the one place where secrets are held back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rollwright.table.events import Event, Sealed, kind_of
from rollwright.table.rolls import Roll
from rollwright.table.seats import Audience, Seat, belongs
from rollwright.table.sheets import Sheet
from rollwright.table.state import TableState


def seen(event: Event, seat: Seat | None, state: TableState) -> dict[str, Any]:
    """The event as a seat sees it; None is somebody who only watches by a spectator's link.

    Whoever does not belong to its audience gets neither body, salt nor texts.
    """
    return whole(event) if may_see(event, seat, state) else _outside(event)


def _outside(event: Event) -> dict[str, Any]:
    """What everybody at the table gets of it."""
    return {
        "seq": event.seq,
        "at": event.at,
        "kind": event.kind,
        "open": dict(event.open),
        "digest": event.digest,
        "hash": event.hash,
    }


def _inside(event: Event) -> dict[str, Any]:
    """What only those get who may see it."""
    texts = {ref: {"salt": one.salt, "text": one.text} for ref, one in event.texts.items()}
    return {"body": event.body, "salt": event.salt, "texts": texts}


def whole(event: Event) -> dict[str, Any]:
    """The event with everything in it, whoever may see it."""
    return {**_outside(event), **_inside(event)}


def may_see(event: Event, seat: Seat | None, state: TableState) -> bool:
    """Whether a seat may see all of an event as things stand now."""
    if seat is not None and not seat.is_here:
        return event.kind.startswith("seat.") and event.body.get("seat") == seat.id
    return belongs(seat, audience_now(event, state))


def audience_now(event: Event, state: TableState) -> Audience:
    """Who may see an event by now: a reveal and a roll's end open what was hidden."""
    if event.audience is None or not event.body:  # of an imported log, something may be withheld
        return event.audience
    body = event.body
    kind = kind_of(event)
    of_roll = kind.startswith("roll.") or kind == ANSWERED
    roll = state.rolls.get(str(body.get("roll", ""))) if of_roll else None
    if roll is None:
        return event.audience
    if roll.is_open and event.seq in roll.veiled:
        return event.audience
    return roll.seers


ANSWERED = "ask.answered"


def opened(events: Iterable[Event], state: TableState) -> tuple[int, ...]:
    """The seqs of earlier events that a frame with these events must carry again in full.

    `state` is the state after the events. A reveal opens all of a roll, its end the throws that
    the rule had hidden.
    """
    listed = list(events)
    first = listed[0].seq if listed else 0
    found: set[int] = set()
    for event in listed:
        kind, body = kind_of(event), event.body
        roll = state.rolls.get(body["roll"]) if kind == "roll.revealed" else None
        if roll is not None:
            found |= set(roll.seqs) - (set(roll.veiled) if roll.is_open else set())
        elif kind.startswith("roll."):
            found |= set((body.get("after") or body).get("opened", ()))
    return tuple(sorted(seq for seq in found if seq < first))


def snapshot(state: TableState, seat: Seat | None, recent: Iterable[Event] = ()) -> dict[str, Any]:
    """The table as a seat sees it now, with the latest events."""
    outside = seat is not None and not seat.is_here
    seats = [seat] if seat is not None and outside else list(state.seats.values())
    return {
        "table": _table(state, outside),
        "seats": [_seat(one) for one in seats],
        "sheets": [] if outside else _sheets(state, seat),
        "asks": [] if outside else _asks(state, seat),
        "session": state.session,
        "rolls": {} if outside else _rolls(state, seat),
        "recent": [seen(event, seat, state) for event in recent],
    }


def _text(sealed: Sealed | None) -> str | None:
    return None if sealed is None else sealed.text


def _table(state: TableState, outside: bool) -> dict[str, Any]:
    known = {
        "table": state.table,
        "game": state.game,
        "title": _text(state.title),
        "knock": state.knock,
        "head": state.head,
        "hash": state.hash,
    }
    if outside:
        return known
    return known | {
        "game_version": state.game_version,
        "house": state.house,
        "lists": state.lists,
        "number": state.number,
        "links": dict(state.links),
    }


def _seat(seat: Seat) -> dict[str, Any]:
    return {"seat": seat.id, "role": seat.role, "status": seat.status, "name": _text(seat.name)}


def _sheets(state: TableState, seat: Seat | None) -> list[dict[str, Any]]:
    lying = [sheet for sheet in state.sheets.values() if not sheet.removed]
    return [_sheet(sheet) for sheet in lying if belongs(seat, sheet.audience)]


def _sheet(sheet: Sheet) -> dict[str, Any]:
    return {
        "sheet": sheet.id,
        "owner": sheet.owner,
        "shown": sheet.shown,
        "values": dict(sheet.values),
    }


def _asks(state: TableState, seat: Seat | None) -> list[dict[str, Any]]:
    return [
        {
            "ask": ask.id,
            "by": ask.by,
            "who": ask.who if isinstance(ask.who, str) else list(ask.who),
            "roll": ask.roll,
            "note": _text(ask.note),
            "visibility": ask.visibility,
            "announce": ask.announce,
            "answered": {
                who: name
                for who, name in ask.answered.items()
                if name in state.rolls and _knows_of(state.rolls[name], seat)
            },
        }
        for ask in state.asks.values()
        if belongs(seat, ask.audience)
    ]


def _knows_of(roll: Roll, seat: Seat | None) -> bool:
    return roll.announce or belongs(seat, roll.seers)


def _rolls(state: TableState, seat: Seat | None) -> dict[str, list[dict[str, Any]]]:
    return {
        roll.id: [seen(event, seat, state) for event in roll.events]
        for roll in (*state.going.values(), *state.waiting.values())
        if _knows_of(roll, seat)
    }
