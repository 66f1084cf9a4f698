"""How each kind of event changes a table: seats, sheets, asks and the rest; rolls are apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rollwright.table import schemas
from rollwright.table.devices import CallAt, Device, Offered, Waiting, lane_spent
from rollwright.table.events import (
    HERE,
    REMOVED,
    Audience,
    Event,
    Look,
    Sealed,
    Seat,
    count_of,
    kind_of,
)
from rollwright.table.fairness import framed_hash
from rollwright.table.rolls import ABANDONED, DONE, GOING, Ask, Roll
from rollwright.table.sheets import Change, Sheet

if TYPE_CHECKING:
    from rollwright.table.state import TableState


def _started(state: TableState, event: Event, body: schemas.RollStarted) -> None:
    roll = Roll(
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
    _went_on(state, roll, event, body)


def _tuple(audience: Audience) -> Audience:
    return None if audience is None else tuple(audience)  # a store may give back a list


def _went_on(state: TableState, roll: Roll, event: Event, body: schemas.RollWaits) -> None:
    """The roll has one event more, and waits for what the event says."""
    roll.seqs.append(event.seq)
    roll.went_at = event.seq
    roll.after = after = body["after"]
    if "call" in body and "slots" in event.open:
        at = CallAt(
            event.seq, body["by"], *lane_spent(event.open["slots"], state.lanes), body["call"]
        )
        roll.calls[at.seq] = at
    if "witness" in event.open and roll.calls:
        _ask_witness(state, roll, event, roll.calls[max(roll.calls)])
    if roll.asked_at and kind_of(event) != "roll.waits":  # which says once more what is asked
        state.forget_options(roll)
    if after["step"] == "done":
        _close(state, roll, DONE)
    elif after["step"] == "stopped":
        _close(state, roll, ABANDONED)
    else:
        if after["step"] == "choice":
            roll.asked_at += (event.seq,)
            state.options[event.seq] = event.offers
        roll.weigh(body)


def _ask_witness(
    state: TableState, roll: Roll, event: Event, call: CallAt, *, once: bool = False
) -> None:
    """Dice of the roll wait for a witness."""
    seat, offer = event.open["witness"]["seat"], event.open["witness"]["offer"]
    state.offers.pop(offer, None)
    once = once or kind_of(event) == "roll.called"
    roll.witness = Waiting(call, event.seq, seat, offer, once)


def _close(state: TableState, roll: Roll, status: str) -> None:
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


def _settle(state: TableState, roll: Roll) -> None:
    """The next roll of a sheet: what was agreed in the last one is taken back no more."""
    if roll.is_secret and not roll.announce:
        return  # others would learn of it
    before = state.agreed.pop(roll.place, None)
    if before is not None:
        before.stay()
        _hold(state, before, was_held=True)


def _reopen(state: TableState, roll: Roll) -> None:
    """A roll that has ended goes on: what was agreed in it is taken back."""
    if state.agreed.get(roll.place) is roll:
        del state.agreed[roll.place]
    state.waiting.pop(roll.id, None)
    roll.status, roll.waits = GOING, ()
    state.going[roll.id] = roll


MOST_WAITING = 40
"""Rolls that are held at hand because something of them waits."""


def _hold(state: TableState, roll: Roll, was_held: bool = False) -> None:
    """Hold a roll at hand while something of it waits, but not any number of them."""
    if roll.waits:
        state.waiting[roll.id] = roll
    elif state.waiting.pop(roll.id, None) is not None or was_held:
        _end(state, roll)
    if len(state.waiting) > MOST_WAITING:
        _end(state, state.waiting.pop(next(iter(state.waiting))))


def _end(state: TableState, roll: Roll) -> None:
    """Nothing waits of a roll; what was agreed in it may still be taken back."""
    if not roll.agreed:
        state.ended(roll.id, roll.weight)


def _let(state: TableState, roll: Roll, event: Event, body: schemas.RollLet) -> None:
    """Apply a decision about the effects that waited on some sheets."""
    roll.seqs.append(event.seq)
    if roll.waits:
        roll.let(body.get("sheets", ()))
        if roll.id in state.waiting:
            _hold(state, roll)


def _thrown(state: TableState, roll: Roll, event: Event, body: schemas.RollThrown) -> None:
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
    _went_on(state, roll, event, body)


def _chosen(state: TableState, roll: Roll, event: Event, body: schemas.RollChosen) -> None:
    roll.entries.append({"option": body["option"], "by": body["role"]})
    roll.authors.append(body["by"])
    roll.agreed = body.get("agreed", False)
    _went_on(state, roll, event, body)


def _back(state: TableState, roll: Roll, event: Event, body: schemas.RollBack) -> None:
    if roll.agreed and not roll.is_open:
        _reopen(state, roll)
    roll.agreed = False
    del roll.entries[-1:]
    del roll.authors[-1:]
    _went_on(state, roll, event, body)


def _revealed(state: TableState, roll: Roll, event: Event, body: schemas.RollLet) -> None:
    if roll.is_secret and not roll.announce:
        state.unshown[roll.by] -= 1
    roll.revealed = True
    _let(state, roll, event, body)


def _over(state: TableState, roll: Roll, event: Event, body: schemas.OfRoll) -> None:
    roll.seqs.append(event.seq)
    _close(state, roll, kind_of(event).removeprefix("roll."))  # undone, or abandoned


Fold = Callable[["TableState", Event, Any], None]
"""How a kind of event changes a table: the last argument is its body, of the type of its kind."""


def _of_known(change: Callable[[TableState, Roll, Event, Any], None]) -> Fold:
    """A change of a roll whose beginning is known: of an imported log, it may be missing."""

    def fold(state: TableState, event: Event, body: schemas.OfRoll) -> None:
        roll = state.roll(body["roll"])
        if roll is not None:
            change(state, roll, event, body)
            state.changed(roll)

    return fold


ROLL_FOLDS: dict[str, Fold] = {
    "roll.started": _started,
    "roll.thrown": _of_known(_thrown),
    "roll.chosen": _of_known(_chosen),
    "roll.back": _of_known(_back),
    "roll.waits": _of_known(_went_on),
    "roll.called": _of_known(_went_on),
    "roll.revealed": _of_known(_revealed),
    "roll.applied": _of_known(_let),
    "roll.declined": _of_known(_let),
    "roll.undone": _of_known(_over),
    "roll.abandoned": _of_known(_over),
}


def text_of(event: Event, sealed: schemas.SealedText | None) -> Sealed | None:
    """The text behind a seal of an event's body; None where there is none any more."""
    return event.texts.get(sealed["text"]) if isinstance(sealed, dict) else None


def _created(state: TableState, event: Event, body: schemas.TableCreated) -> None:
    state.table = body["table"]
    state.game = body["game"]
    state.house, state.knock, state.lists = body["house"], body["knock"], body["lists"]
    state.title = text_of(event, body["title"])
    _turn_witnesses(state, event, is_on=body.get("witnesses", False))
    state.epoch = event.hash


def _changed(state: TableState, event: Event, body: schemas.TableChanged) -> None:
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


def _link_changed(state: TableState, event: Event, body: schemas.LinkChanged) -> None:
    state.links[body["role"]] = event.seq


def _joined(state: TableState, event: Event, body: schemas.SeatJoined) -> None:
    name = text_of(event, body["name"])
    seat = Seat(body["seat"], body["role"], body["status"], name)
    _come_or_go(state, event, state.seats.get(seat.id), seat)
    state.seats[seat.id] = seat
    state.people_changed = event.seq
    if "device" in body:
        _bring(state, body["seat"], body["device"])


def _come_or_go(state: TableState, event: Event, before: Seat | None, after: Seat) -> None:
    """Take note of when a seat is at the table and when not."""
    if after.is_here != (before is not None and before.is_here):
        state.comings.setdefault(after.id, []).append(event.seq)


def _bring(state: TableState, seat: str, device: schemas.DeviceSaid) -> None:
    """A device of a seat signs from now on."""
    held = device.get("held", "")
    state.devices[device["id"]] = Device(device["id"], seat, device["key"], held)


def _moved(state: TableState, event: Event, body: schemas.SeatMoved) -> None:
    seat = body["seat"]
    if not body["keep_old"]:
        for one in state.devices_of(seat):
            state.devices[one.id] = one._replace(is_gone=True)
    if "device" in body:
        _bring(state, seat, body["device"])


def _of_seat(change: Callable[[Seat, Event, Any], Seat]) -> Fold:
    """A change of one seat."""

    def fold(state: TableState, event: Event, body: schemas.SeatTouched) -> None:
        before = state.seats[body["seat"]]
        state.seats[before.id] = after = change(before, event, body)
        _come_or_go(state, event, before, after)
        if after.look is before.look:
            state.people_changed = event.seq

    return fold


_left = _of_seat(lambda seat, event, body: seat._replace(status=REMOVED))


def _removed(state: TableState, event: Event, body: schemas.SeatTouched) -> None:
    """Somebody has left; open rolls that nobody was told of end without an event of their own."""
    _left(state, event, body)
    for roll in [*state.going.values()]:
        is_silent = roll.is_secret and not roll.announce
        if roll.by == body["seat"] and is_silent and roll.witness is None:
            _close(state, roll, ABANDONED)


def _forgotten(state: TableState, event: Event, body: schemas.SeatTouched) -> None:
    """Every text of the person goes, wherever the state holds one."""
    seat = body["seat"]
    state.seats[seat] = state.seats[seat]._replace(name=None, look=Look())
    state.people_changed = event.seq
    if state.title is not None and state.title.seat == seat:
        state.title = None
    for ask in state.asks.values():
        if ask.note is not None and ask.note.seat == seat:
            ask.note = None


def _sheet_made(state: TableState, event: Event, body: schemas.SheetMade) -> None:
    name = body["sheet"]
    owner, values, version = body["owner"], dict(body["values"]), body["version"]
    state.sheets[name] = Sheet(
        name, owner, values, body["shown"], False, event.seq, version, event.seq, event.seq
    )
    if name not in state.seats:
        state.npcs = max(state.npcs, count_of("n", name))


def _sheet_changed(state: TableState, event: Event, body: schemas.SheetChanged) -> None:
    cause = body["cause"]
    name = cause.get("roll", "")
    if "undo" in cause:
        taken = state.change(cause["undo"])
        name = taken.roll if taken is not None else ""
        state.undone.add(cause["undo"])
    roll = state.roll(name)
    change = Change(event.seq, body["sheet"], body["changes"], name)
    sheet = state.sheets.get(body["sheet"])
    if sheet is None:  # of an imported log, its beginning may be missing
        return
    state.changes[event.seq] = change
    sheet.change(body["changes"])
    sheet.changed = event.seq
    if "name" in body["changes"]:
        sheet.named = event.seq
    state.ended(event.seq, change.weight)
    if roll is not None:
        roll.seqs.append(event.seq)
        if "roll" in cause:
            roll.changes.append(event.seq)
        state.changed(roll)


def _sheet_removed(state: TableState, event: Event, body: schemas.SheetRemoved) -> None:
    sheet = state.sheets.get(body["sheet"])
    if sheet is not None:
        sheet.remove()
        sheet.changed = sheet.named = event.seq


def _ask_made(state: TableState, event: Event, body: schemas.AskMade) -> None:
    state.asked = max(state.asked, count_of("a", body["ask"]))
    who = body["who"]
    state.asks[body["ask"]] = Ask(
        id=body["ask"],
        by=body["by"],
        who=who if isinstance(who, str) else tuple(who),
        roll=body["roll"],
        visibility=body["visibility"],
        announce=body.get("announce", True),
        note=text_of(event, body["note"]),
        seq=event.seq,
    )


def _ask_answered(state: TableState, event: Event, body: schemas.AskAnswered) -> None:
    ask, roll = state.asks.get(body["ask"]), state.roll(body["roll"])
    if ask is not None:
        ask.answered[body["seat"]] = body["roll"]
    if roll is not None:
        roll.seqs.append(event.seq)
        state.changed(roll)


def _ask_closed(state: TableState, event: Event, body: schemas.AskClosed) -> None:
    state.asks.pop(body["ask"], None)


def _offered(state: TableState, event: Event, body: schemas.WitnessOffered) -> None:
    for commitment in body["commitments"]:
        state.offers[commitment] = Offered(body["by"], event.seq)
        state.offered.add(offer_key(commitment))


def offer_key(commitment: str) -> int:
    """Return the key that remembers an offer for ever: 64 bits, because there are many."""
    return int.from_bytes(framed_hash(str(commitment).encode(errors="replace"))[:8], "big")


def _opened(state: TableState, event: Event, body: schemas.WitnessOpened) -> None:
    roll = waiting_roll(state, body["asked"])
    if roll is not None:
        roll.witness = None


def _silent(state: TableState, event: Event, body: schemas.WitnessSilent) -> None:
    state.offers = {
        offer: owner for offer, owner in state.offers.items() if owner.seat != body["seat"]
    }
    roll = waiting_roll(state, body["asked"])
    if roll is None or roll.witness is None:
        return
    before, roll.witness = roll.witness, None
    if "witness" in event.open:
        _ask_witness(state, roll, event, before.call, once=before.once)


def waiting_roll(state: TableState, asked: int) -> Roll | None:
    """The roll whose dice wait for the witness that was asked in that event."""
    waiting = (roll for roll in state.going.values() if roll.witness is not None)
    return next((roll for roll in waiting if roll.witness and roll.witness.asked == asked), None)


def _imported(state: TableState, event: Event, body: schemas.Happened) -> None:
    """Another host goes on: the keys of the one before stayed there."""
    state.epoch = event.hash
    state.offers.clear()
    state.lanes.clear()
    for roll in state.going.values():
        roll.calls, roll.closed, roll.witness = {}, (), None


def _session_ended(state: TableState, event: Event, body: schemas.SessionEnded) -> None:
    state.session = body["number"] + 1


FOLDS: dict[str, Fold] = {
    "table.created": _created,
    "table.changed": _changed,
    "link.changed": _link_changed,
    "seat.joined": _joined,
    "seat.admitted": _of_seat(lambda seat, event, body: seat._replace(status=HERE)),
    "seat.removed": _removed,
    "seat.renamed": _of_seat(
        lambda seat, event, body: seat._replace(name=text_of(event, body["name"]))
    ),
    "seat.changed": _of_seat(lambda seat, event, body: seat._replace(role=body["role"])),
    "seat.moved": _moved,
    "seat.dressed": _of_seat(lambda seat, event, body: seat._replace(look=Look(**body["look"]))),
    "person.forgotten": _forgotten,
    "sheet.made": _sheet_made,
    "sheet.changed": _sheet_changed,
    "sheet.removed": _sheet_removed,
    "ask.made": _ask_made,
    "ask.answered": _ask_answered,
    "ask.closed": _ask_closed,
    "witness.offered": _offered,
    "witness.opened": _opened,
    "witness.silent": _silent,
    "session.ended": _session_ended,
    "table.imported": _imported,
    **ROLL_FOLDS,
}
