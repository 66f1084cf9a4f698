"""The view of each seat: the one place where secrets are held back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypedDict

from rollwright.table.devices import Device
from rollwright.table.events import Audience, ErasableText, Event, Seat, is_in_audience, kind_of
from rollwright.table.rolls import TableRoll
from rollwright.table.schemas import (
    DeviceView,
    EventView,
    RollRequestView,
    SeatView,
    SheetData,
    TableView,
    style_data,
)
from rollwright.table.sheets import Sheet
from rollwright.table.state import TableState


def view_event(event: Event, seat: Seat | None, state: TableState) -> EventView:
    """The event as a seat sees it; None is somebody who only watches by a spectator's link.

    A seat outside its audience gets neither body, salt nor texts.
    """
    return full_view(event) if may_see(event, seat, state) else _outside(event)


def view_with_options(event: Event, seat: Seat | None, state: TableState) -> EventView:
    """The same with what may be chosen now, where the event says so: for who sees it whole."""
    found = view_event(event, seat, state)
    if event.seq in state.options and "body" in found:
        offers = state.options[event.seq]
        if offers is not None:
            found["offers"] = offers
    return found


def _outside(event: Event) -> EventView:
    """Return the part that everybody at the table gets."""
    return {
        "seq": event.seq,
        "at": event.at,
        "kind": event.kind,
        "open": event.open,
        "digest": event.digest,
        "hash": event.hash,
    }


INSIDE: Final = ("body", "salt", "texts")
"""Fields of an event that only its audience gets."""


def full_view(event: Event) -> EventView:
    """Return the event with everything in it."""
    found = _outside(event)
    found["body"], found["salt"] = event.body, event.salt
    found["texts"] = {ref: {"salt": one.salt, "text": one.text} for ref, one in event.texts.items()}
    return found


def may_see(event: Event, seat: Seat | None, state: TableState) -> bool:
    """Check whether a seat may see all of an event as things are now."""
    if seat is not None and not seat.is_here:
        return event.kind.startswith("seat.") and event.body.get("seat") == seat.id
    return is_in_audience(seat, audience_now(event, state))


def audience_now(event: Event, state: TableState) -> Audience:
    """Who may see an event by now: a reveal and a roll's end open what was hidden."""
    if event.audience is None or not event.body:  # of an imported log, something may be withheld
        return event.audience
    body = event.body
    kind = kind_of(event)
    of_roll = kind.startswith("roll.") or kind == ANSWERED
    roll = state.roll(str(body.get("roll", ""))) if of_roll else None
    if roll is None:
        return event.audience
    if roll.is_open and event.seq in roll.veiled:
        return event.audience
    return roll.seers


ANSWERED = "roll_request.answered"


def reopened_seqs(events: Iterable[Event], state: TableState) -> tuple[int, ...]:
    """The seqs of earlier events that a frame with these events must carry again in full.

    `state` is the state after the events. A reveal opens all of a roll, its end the throws that
    the rule had hidden.
    """
    listed = list(events)
    first = listed[0].seq if listed else 0
    found: set[int] = set()
    for event in listed:
        kind, body = kind_of(event), event.body
        roll = state.roll(body["roll"]) if kind == "roll.revealed" else None
        if roll is not None:
            found |= set(roll.seqs) - (set(roll.veiled) if roll.is_open else set())
        elif kind.startswith("roll."):
            found |= _opened_by(body, state)
    return tuple(sorted(seq for seq in found if seq < first))


def _opened_by(body: Mapping[str, object], state: TableState) -> set[int]:
    """Return the events of its own that a roll's end opens; an imported log may name others."""
    after = body.get("after") or body
    told = after.get("opened") if isinstance(after, Mapping) else None
    if not isinstance(told, list) or not told:
        return set()
    roll = state.roll(str(body.get("roll", "")))
    return set() if roll is None else {seq for seq in roll.seqs if seq in told}


class TableSummary(TypedDict):
    """The table and the people at it."""

    table: TableView
    seats: list[SeatView]
    session: int


class Snapshot(TableSummary):
    """The table as a seat sees it."""

    sheets: list[SheetData]
    asks: list[RollRequestView]
    rolls: dict[str, list[EventView]]
    recent: list[EventView]


def snapshot(
    state: TableState, seat: Seat | None, recent: Iterable[Event] = (), going: Iterable[Event] = ()
) -> Snapshot:
    """The table as a seat sees it now, with the latest events and those of its open rolls."""
    return {
        **table_summary(state, seat),
        "sheets": [sheet_view(sheet) for sheet in sheets_for(state, seat)],
        "asks": requests_for(state, seat),
        "rolls": _rolls(state, seat, going),
        "recent": [view_with_options(event, seat, state) for event in recent],
    }


def table_summary(state: TableState, seat: Seat | None) -> TableSummary:
    """Return the table and the people at it, as a seat sees them now."""
    outside = seat is not None and not seat.is_here
    seats = [seat] if seat is not None and outside else list(state.seats.values())
    return {
        "table": _table(state, seat, outside),
        "seats": [_seat(one) for one in seats],
        "session": state.session,
    }


def _text(sealed: ErasableText | None) -> str | None:
    return None if sealed is None else sealed.text


def _table(state: TableState, seat: Seat | None, outside: bool) -> TableView:
    known: TableView = {
        "table": state.table,
        "game": state.game,
        "title": _text(state.title),
        "knock": state.knock,
        "head": state.head,
        "hash": state.hash,
    }
    if not outside:
        known["house"], known["lists"] = state.house, state.lists
        known["dialect"] = state.dialect
        known["links"] = dict(state.links)
        known["epoch"], known["witnesses"] = state.epoch, state.witnesses
        known["slots"] = {name: lane.slot for name, lane in state.lanes.items()}
        known["devices"] = [_device(one, seat) for one in state.devices.values()]
        mine = "" if seat is None else seat.id
        known["offers"] = [offer for offer, owner in state.offers.items() if owner.seat == mine]
    return known


def _device(device: Device, seat: Seat | None) -> DeviceView:
    """A device; how often it called in secret is for its owner alone."""
    found: DeviceView = {
        "id": device.id,
        "key": device.key,
        "seat": device.seat,
        "counter": device.counter,
    }
    if device.held:
        found["held"] = device.held
    if seat is not None and seat.id == device.seat:
        found["quiet"] = device.quiet
    if device.is_gone:
        found["gone"] = True
    return found


def _seat(seat: Seat) -> SeatView:
    seen: SeatView = {
        "seat": seat.id,
        "role": seat.role,
        "status": seat.status,
        "name": _text(seat.name),
    }
    if any(seat.look):
        seen["look"] = style_data(seat.look)
    return seen


def sheets_for(state: TableState, seat: Seat | None) -> list[Sheet]:
    """The sheets that a seat may see."""
    return [sheet for sheet in state.sheets.values() if _can_see(sheet, seat)]


def sheet_for(state: TableState, seat: Seat | None, name: str) -> Sheet | None:
    """The sheet of that name, if there is one that a seat may see."""
    sheet = state.sheets.get(name)
    return sheet if sheet is not None and _can_see(sheet, seat) else None


def _can_see(sheet: Sheet, seat: Seat | None) -> bool:
    return not sheet.removed and is_in_audience(seat, sheet.audience)


def sheet_view(sheet: Sheet) -> SheetData:
    """A sheet as everybody sees it who may."""
    return {
        "sheet": sheet.id,
        "owner": sheet.owner,
        "shown": sheet.shown,
        "values": dict(sheet.values),
    }


def requests_for(state: TableState, seat: Seat | None) -> list[RollRequestView]:
    """The open asks that a seat may know of, as it sees them."""
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
                who: name for who, name in ask.answered.items() if knows_of(state.roll(name), seat)
            },
        }
        for ask in state.asks.values()
        if is_in_audience(seat, ask.audience)
    ]


def knows_of(roll: TableRoll | None, seat: Seat | None) -> bool:
    """Check whether somebody may know that there is a roll."""
    return roll is not None and (roll.announce or is_in_audience(seat, roll.seers))


def may_name(roll: TableRoll | None, seat: Seat) -> bool:
    """Check whether a command may name a roll: a known one, the seat's own, or as a referee any."""
    if roll is None:
        return False
    return knows_of(roll, seat) or seat.id == roll.by or seat.is_referee


def open_rolls_for(state: TableState, seat: Seat | None) -> list[TableRoll]:
    """The rolls that are open, or of which something waits, that somebody may know of."""
    if seat is not None and not seat.is_here:
        return []
    at_hand = (*state.going.values(), *state.waiting.values())
    return [roll for roll in at_hand if knows_of(roll, seat)]


def _rolls(
    state: TableState, seat: Seat | None, going: Iterable[Event]
) -> dict[str, list[EventView]]:
    events = {event.seq: event for event in going if kind_of(event).startswith("roll.")}
    return {
        roll.id: [
            view_with_options(events[seq], seat, state)
            for seq in roll.snapshot_seqs
            if seq in events
        ]
        for roll in open_rolls_for(state, seat)
    }
