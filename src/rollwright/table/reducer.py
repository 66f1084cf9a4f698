"""How each kind of event changes a table: seats, sheets, asks and the rest; rolls are apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rollwright.table import schemas
from rollwright.table.devices import (
    CommandPlace,
    Device,
    WitnessCommitment,
    WitnessWait,
    lane_of_event,
)
from rollwright.table.events import (
    HERE,
    REMOVED,
    Audience,
    ErasableText,
    Event,
    Seat,
    SeatStyle,
    count_of,
    kind_of,
)
from rollwright.table.fairness import framed_hash
from rollwright.table.rolls import CANCELLED, DONE, GOING, RollRequest, TableRoll
from rollwright.table.sheets import Sheet, SheetChange

if TYPE_CHECKING:
    from rollwright.table.state import TableState


def _start_roll(state: TableState, event: Event, body: schemas.RollStartedEvent) -> None:
    roll = TableRoll(
        id=body["roll"],
        by=body["by"],
        what=body["what"],
        version=body["version"],
        title=body["title"],
        sheet=body["sheet"],
        draft=body.get("draft"),
        visibility=body["visibility"],
        announce=body["announce"],
        audience=_tuple(event.audience),
        roles=body["roles"],
        ask=body["ask"],
        physical=body["physical"],
        goal=body["goal"],
        policy=body.get("policy", ""),
        bound=body.get("bound", False),
        each=body.get("each", False),
        away=tuple(body.get("away", ())),
    )
    _settle(state, roll)
    state.rolls[roll.id] = state.going[roll.id] = roll
    if roll.is_secret and not roll.announce:
        state.unshown[roll.by] = state.unshown.get(roll.by, 0) + 1
    state.rolled = max(state.rolled, count_of("r", roll.id))
    _continue_roll(state, roll, event, body)


def _tuple(audience: Audience) -> Audience:
    return None if audience is None else tuple(audience)  # a store may give back a list


def _continue_roll(
    state: TableState, roll: TableRoll, event: Event, body: schemas.RollWaitingEvent
) -> None:
    """The roll has one event more, and waits for what the event says."""
    roll.seqs.append(event.seq)
    roll.went_at = event.seq
    roll.after = after = body["after"]
    if "call" in body and "slots" in event.open:
        at = CommandPlace(
            event.seq, body["by"], *lane_of_event(event.open["slots"], state.lanes), body["call"]
        )
        roll.calls[at.seq] = at
    if "witness" in event.open and roll.calls:
        _ask_witness(state, roll, event, roll.calls[max(roll.calls)])
    if roll.asked_at and kind_of(event) != "roll.waiting":  # which says once more what is asked
        state.forget_options(roll)
    if after["step"] == "done":
        _close(state, roll, DONE)
    elif after["step"] == "stopped":
        _close(state, roll, CANCELLED)
    else:
        if after["step"] == "choice":
            roll.asked_at += (event.seq,)
            state.options[event.seq] = event.offers
        roll.weigh(body)


def _ask_witness(
    state: TableState, roll: TableRoll, event: Event, call: CommandPlace, *, once: bool = False
) -> None:
    """Dice of the roll wait for a witness."""
    seat, offer = event.open["witness"]["seat"], event.open["witness"]["offer"]
    state.offers.pop(offer, None)
    once = once or kind_of(event) == "roll.called"
    roll.witness = WitnessWait(call, event.seq, seat, offer, once)


def _close(state: TableState, roll: TableRoll, status: str) -> None:
    was_held = roll.is_open or state.agreed.get(roll.place) is roll
    if roll.asked_at:
        state.forget_options(roll)
    roll.close(status)
    state.going.pop(roll.id, None)
    if roll.agreed:
        state.agreed[roll.place] = roll
    elif state.agreed.get(roll.place) is roll:
        del state.agreed[roll.place]
    _hold(state, roll, was_held)


def _settle(state: TableState, roll: TableRoll) -> None:
    """The next roll of a sheet: what was agreed in the last one is taken back no more."""
    if roll.is_secret and not roll.announce:
        return  # others would learn of it
    before = state.agreed.pop(roll.place, None)
    if before is not None:
        before.make_final()
        _hold(state, before, was_held=True)


def _reopen(state: TableState, roll: TableRoll) -> None:
    """A roll that has ended goes on: what was agreed in it is taken back."""
    if state.agreed.get(roll.place) is roll:
        del state.agreed[roll.place]
    state.waiting.pop(roll.id, None)
    roll.status, roll.waits = GOING, ()
    state.going[roll.id] = roll


MOST_WAITING = 40
"""Rolls that are held at hand because something of them waits."""


def _hold(state: TableState, roll: TableRoll, was_held: bool = False) -> None:
    """Hold a roll at hand while something of it waits, but not any number of them."""
    if roll.waits:
        state.waiting[roll.id] = roll
    elif state.waiting.pop(roll.id, None) is not None or was_held:
        _end(state, roll)
    if len(state.waiting) > MOST_WAITING:
        _end(state, state.waiting.pop(next(iter(state.waiting))))


def _end(state: TableState, roll: TableRoll) -> None:
    """Nothing waits of a roll; what was agreed in it may still be taken back."""
    if not roll.agreed:
        state.note_end(roll.id, roll.weight)


def _decide_effects(
    state: TableState, roll: TableRoll, event: Event, body: schemas.RollDecidedEvent
) -> None:
    """Apply a decision about the effects that waited on some sheets."""
    roll.seqs.append(event.seq)
    if roll.waits:
        roll.settle_effects(body.get("sheets", ()))
        if roll.id in state.waiting:
            _hold(state, roll)


def _add_throw(
    state: TableState, roll: TableRoll, event: Event, body: schemas.RollThrownEvent
) -> None:
    roll.entries.append({"faces": body["faces"], "how": body["how"]})
    roll.authors.append(body["by"])
    roll.throw_by(body["by"], body.get("whose", ""), state.seats)
    roll.agreed = False
    if _tuple(event.audience) != roll.seers:
        roll.veiled.append(event.seq)
    roll.witness = None
    fair = body["fair"]
    if fair is not None and "key" not in fair and fair["call"] not in roll.closed:
        roll.closed = (*roll.closed, fair["call"])
    _continue_roll(state, roll, event, body)


def _add_choice(
    state: TableState, roll: TableRoll, event: Event, body: schemas.RollChosenEvent
) -> None:
    roll.entries.append({"option": body["option"], "by": body["role"]})
    roll.authors.append(body["by"])
    roll.agreed = body.get("agreed", False)
    if not roll.agreed:
        roll.choose_by(body["by"], body["role"])
    _continue_roll(state, roll, event, body)


def _take_back(
    state: TableState, roll: TableRoll, event: Event, body: schemas.RollTakenBackEvent
) -> None:
    if roll.agreed and not roll.is_open:
        _reopen(state, roll)
    roll.agreed = False
    if body["taken"] == "choice":
        roll.chose = tuple([seat for seat in roll.chose if seat not in roll.authors[-1:]])
    del roll.entries[-1:]
    del roll.authors[-1:]
    _continue_roll(state, roll, event, body)


def _reveal_roll(
    state: TableState, roll: TableRoll, event: Event, body: schemas.RollDecidedEvent
) -> None:
    if roll.is_secret and not roll.announce:
        state.unshown[roll.by] -= 1
    roll.revealed = True
    _decide_effects(state, roll, event, body)


def _close_roll(state: TableState, roll: TableRoll, event: Event, body: schemas.RollEvent) -> None:
    roll.seqs.append(event.seq)
    _close(state, roll, kind_of(event).removeprefix("roll."))  # undone, or cancelled


Reducer = Callable[["TableState", Event, Any], None]
"""How a kind of event changes a table: the last argument is its body, of the type of its kind."""


def _if_roll_here(change: Callable[[TableState, TableRoll, Event, Any], None]) -> Reducer:
    """A change of a roll whose beginning is known: of an imported log, it may be missing."""

    def reduce(state: TableState, event: Event, body: schemas.RollEvent) -> None:
        roll = state.roll(body["roll"])
        if roll is not None:
            change(state, roll, event, body)
            state.put_back(roll)

    return reduce


ROLL_REDUCERS: dict[str, Reducer] = {
    "roll.started": _start_roll,
    "roll.thrown": _if_roll_here(_add_throw),
    "roll.chosen": _if_roll_here(_add_choice),
    "roll.taken_back": _if_roll_here(_take_back),
    "roll.waiting": _if_roll_here(_continue_roll),
    "roll.called": _if_roll_here(_continue_roll),
    "roll.revealed": _if_roll_here(_reveal_roll),
    "roll.applied": _if_roll_here(_decide_effects),
    "roll.declined": _if_roll_here(_decide_effects),
    "roll.undone": _if_roll_here(_close_roll),
    "roll.cancelled": _if_roll_here(_close_roll),
}


def text_of(event: Event, sealed: schemas.SealedText | None) -> ErasableText | None:
    """The text behind a seal of an event's body; None where there is none any more."""
    return event.texts.get(sealed["text"]) if isinstance(sealed, dict) else None


def _create_table(state: TableState, event: Event, body: schemas.TableCreatedEvent) -> None:
    state.table = body["table"]
    state.game = body["game"]
    state.house, state.knock, state.lists = body["house"], body["knock"], body["lists"]
    state.title = text_of(event, body["title"])
    _turn_witnesses(state, event, is_on=body.get("witnesses", False))
    state.epoch = event.hash


def _change_table(state: TableState, event: Event, body: schemas.TableChangedEvent) -> None:
    if "house" in body:
        state.house, state.house_changed = body["house"], event.seq
    _turn_witnesses(state, event, is_on=body.get("witnesses", state.witnesses))
    state.knock = body.get("knock", state.knock)
    state.lists = body.get("lists", state.lists)
    if "dialect" in body:
        state.dialect, state.dialect_changed = body["dialect"], event.seq
    if "title" in body:
        state.title = text_of(event, body["title"])


def _turn_witnesses(state: TableState, event: Event, *, is_on: bool) -> None:
    if bool(is_on) != state.witnesses:
        state.witnesses_turned.append(event.seq)
    state.witnesses = bool(is_on)


def _change_link(state: TableState, event: Event, body: schemas.LinkChangedEvent) -> None:
    state.links[body["role"]] = event.seq


def _join_seat(state: TableState, event: Event, body: schemas.SeatJoinedEvent) -> None:
    name = text_of(event, body["name"])
    seat = Seat(body["seat"], body["role"], body["status"], name)
    _note_presence(state, event, state.seats.get(seat.id), seat)
    state.seats[seat.id] = seat
    state.people_changed = event.seq
    if "device" in body:
        _add_device(state, body["seat"], body["device"])


def _note_presence(state: TableState, event: Event, before: Seat | None, after: Seat) -> None:
    """Take note of when a seat is at the table and when not."""
    if after.is_here != (before is not None and before.is_here):
        state.comings.setdefault(after.id, []).append(event.seq)


def _add_device(state: TableState, seat: str, device: schemas.DeviceData) -> None:
    """A device of a seat signs from now on."""
    held = device.get("held", "")
    state.devices[device["id"]] = Device(device["id"], seat, device["key"], held)


def _move_seat(state: TableState, event: Event, body: schemas.SeatMovedEvent) -> None:
    seat = body["seat"]
    if not body["keep_old"]:
        for one in state.devices_of(seat):
            state.devices[one.id] = one._replace(is_gone=True)
    if "device" in body:
        _add_device(state, seat, body["device"])


def _for_seat(change: Callable[[Seat, Event, Any], Seat]) -> Reducer:
    """A change of one seat."""

    def reduce(state: TableState, event: Event, body: schemas.SeatEvent) -> None:
        before = state.seats[body["seat"]]
        state.seats[before.id] = after = change(before, event, body)
        _note_presence(state, event, before, after)
        if after.look is before.look:
            state.people_changed = event.seq

    return reduce


_leave_seat = _for_seat(lambda seat, event, body: seat._replace(status=REMOVED))


def _remove_seat(state: TableState, event: Event, body: schemas.SeatEvent) -> None:
    """Somebody has left; open rolls that nobody was told of end without an event of their own."""
    _leave_seat(state, event, body)
    for roll in [*state.going.values()]:
        is_silent = roll.is_secret and not roll.announce
        if roll.by == body["seat"] and is_silent and roll.witness is None:
            _close(state, roll, CANCELLED)


def _erase_person(state: TableState, event: Event, body: schemas.SeatEvent) -> None:
    """Every text of the person goes, wherever the state holds one."""
    seat = body["seat"]
    state.seats[seat] = state.seats[seat]._replace(name=None, look=SeatStyle())
    state.people_changed = event.seq
    if state.title is not None and state.title.seat == seat:
        state.title = None
    for ask in state.asks.values():
        if ask.note is not None and ask.note.seat == seat:
            ask.note = None


def _create_sheet(state: TableState, event: Event, body: schemas.SheetCreatedEvent) -> None:
    name = body["sheet"]
    owner, values, version = body["owner"], dict(body["values"]), body["version"]
    state.sheets[name] = Sheet(
        name, owner, values, body["shown"], False, event.seq, version, event.seq, event.seq
    )
    if name not in state.seats:
        state.npcs = max(state.npcs, count_of("n", name))


def _change_sheet(state: TableState, event: Event, body: schemas.SheetChangedEvent) -> None:
    cause = body["cause"]
    name = cause.get("roll", "")
    if "undo" in cause:
        taken = state.change(cause["undo"])
        name = taken.roll if taken is not None else ""
        state.undone.add(cause["undo"])
    roll = state.roll(name)
    change = SheetChange(event.seq, body["sheet"], body["changes"], name)
    sheet = state.sheets.get(body["sheet"])
    if sheet is None:  # of an imported log, its beginning may be missing
        return
    state.changes[event.seq] = change
    sheet.change(body["changes"])
    sheet.changed = event.seq
    if "name" in body["changes"]:
        sheet.named = event.seq
    state.note_end(event.seq, change.weight)
    if roll is not None:
        roll.seqs.append(event.seq)
        if "roll" in cause:
            roll.changes.append(event.seq)
        state.put_back(roll)


def _remove_sheet(state: TableState, event: Event, body: schemas.SheetRemovedEvent) -> None:
    sheet = state.sheets.get(body["sheet"])
    if sheet is not None:
        sheet.remove()
        sheet.changed = sheet.named = event.seq


def _create_request(state: TableState, event: Event, body: schemas.RequestCreatedEvent) -> None:
    state.asked = max(state.asked, count_of("a", body["ask"]))
    who = body["who"]
    state.asks[body["ask"]] = RollRequest(
        id=body["ask"],
        by=body["by"],
        who=who if isinstance(who, str) else tuple(who),
        roll=body["roll"],
        visibility=body["visibility"],
        announce=body.get("announce", True),
        note=text_of(event, body["note"]),
        seq=event.seq,
    )


def _answer_request(state: TableState, event: Event, body: schemas.RequestAnsweredEvent) -> None:
    ask, roll = state.asks.get(body["ask"]), state.roll(body["roll"])
    if ask is not None:
        ask.answered[body["seat"]] = body["roll"]
    if roll is not None:
        roll.seqs.append(event.seq)
        state.put_back(roll)


def _close_request(state: TableState, event: Event, body: schemas.RequestClosedEvent) -> None:
    state.asks.pop(body["ask"], None)


def _commit_witness(state: TableState, event: Event, body: schemas.WitnessCommittedEvent) -> None:
    for commitment in body["commitments"]:
        state.offers[commitment] = WitnessCommitment(body["by"], event.seq)
        state.offered.add(offer_key(commitment))


def offer_key(commitment: str) -> int:
    """Return the key that remembers an offer for ever: 64 bits, because there are many."""
    return int.from_bytes(framed_hash(str(commitment).encode(errors="replace"))[:8], "big")


def _reveal_witness(state: TableState, event: Event, body: schemas.WitnessRevealedEvent) -> None:
    roll = waiting_roll(state, body["asked"])
    if roll is not None:
        roll.witness = None


def _time_out_witness(state: TableState, event: Event, body: schemas.WitnessTimedOutEvent) -> None:
    state.offers = {
        offer: owner for offer, owner in state.offers.items() if owner.seat != body["seat"]
    }
    roll = waiting_roll(state, body["asked"])
    if roll is None or roll.witness is None:
        return
    before, roll.witness = roll.witness, None
    if "witness" in event.open:
        _ask_witness(state, roll, event, before.call, once=before.once)


def waiting_roll(state: TableState, asked: int) -> TableRoll | None:
    """The roll whose dice wait for the witness that was asked in that event."""
    waiting = (roll for roll in state.going.values() if roll.witness is not None)
    return next((roll for roll in waiting if roll.witness and roll.witness.asked == asked), None)


def _import_table(state: TableState, event: Event, body: schemas.EventBody) -> None:
    """Another host goes on: the keys of the one before stayed there."""
    state.epoch = event.hash
    state.offers.clear()
    state.lanes.clear()
    for roll in state.going.values():
        roll.calls, roll.closed, roll.witness = {}, (), None


def _end_session(state: TableState, event: Event, body: schemas.SessionEndedEvent) -> None:
    state.session = body["number"] + 1


REDUCERS: dict[str, Reducer] = {
    "table.created": _create_table,
    "table.changed": _change_table,
    "link.changed": _change_link,
    "seat.joined": _join_seat,
    "seat.admitted": _for_seat(lambda seat, event, body: seat._replace(status=HERE)),
    "seat.removed": _remove_seat,
    "seat.renamed": _for_seat(
        lambda seat, event, body: seat._replace(name=text_of(event, body["name"]))
    ),
    "seat.role_changed": _for_seat(lambda seat, event, body: seat._replace(role=body["role"])),
    "seat.moved": _move_seat,
    "seat.styled": _for_seat(
        lambda seat, event, body: seat._replace(look=SeatStyle(**body["look"]))
    ),
    "person.erased": _erase_person,
    "sheet.created": _create_sheet,
    "sheet.changed": _change_sheet,
    "sheet.removed": _remove_sheet,
    "roll_request.created": _create_request,
    "roll_request.answered": _answer_request,
    "roll_request.closed": _close_request,
    "witness.committed": _commit_witness,
    "witness.revealed": _reveal_witness,
    "witness.timed_out": _time_out_witness,
    "session.ended": _end_session,
    "table.imported": _import_table,
    **ROLL_REDUCERS,
}
