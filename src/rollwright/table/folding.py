"""How each kind of event changes a table: seats, sheets, asks and the rest; rolls are apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rollwright.table.asks import Ask
from rollwright.table.events import Event, Sealed
from rollwright.table.folding_rolls import ROLL_FOLDS, Fold
from rollwright.table.frames import framed_hash
from rollwright.table.ids import count_of
from rollwright.table.seats import HERE, REMOVED, Seat
from rollwright.table.sheets import Change, Sheet

if TYPE_CHECKING:
    from rollwright.table.state import TableState


def text_of(event: Event, sealed: Any) -> Sealed | None:
    """The text behind a seal of an event's body; None where there is none any more."""
    return event.texts.get(sealed["text"]) if isinstance(sealed, dict) else None


def _created(state: TableState, event: Event) -> None:
    body = event.body
    state.table = body["table"]
    state.game = body["game"]
    state.house, state.knock, state.lists = body["house"], body["knock"], body["lists"]
    state.title = text_of(event, body["title"])


def _changed(state: TableState, event: Event) -> None:
    body = event.body
    state.house = body.get("house", state.house)
    state.knock = body.get("knock", state.knock)
    state.lists = body.get("lists", state.lists)
    if "title" in body:
        state.title = text_of(event, body["title"])


def _link_changed(state: TableState, event: Event) -> None:
    state.links[event.body["role"]] = event.seq


def _joined(state: TableState, event: Event) -> None:
    body = event.body
    name = text_of(event, body["name"])
    state.seats[body["seat"]] = Seat(body["seat"], body["role"], body["status"], name)


def _reseat(state: TableState, seat: str, **changes: Any) -> None:
    state.seats[seat] = state.seats[seat]._replace(**changes)


def _admitted(state: TableState, event: Event) -> None:
    _reseat(state, event.body["seat"], status=HERE)


def _removed(state: TableState, event: Event) -> None:
    _reseat(state, event.body["seat"], status=REMOVED)


def _renamed(state: TableState, event: Event) -> None:
    _reseat(state, event.body["seat"], name=text_of(event, event.body["name"]))


def _role_changed(state: TableState, event: Event) -> None:
    _reseat(state, event.body["seat"], role=event.body["role"])


def _forgotten(state: TableState, event: Event) -> None:
    """Every text of the person goes, wherever the state holds one."""
    seat = event.body["seat"]
    _reseat(state, seat, name=None)
    if state.title is not None and state.title.seat == seat:
        state.title = None
    for ask in state.asks.values():
        if ask.note is not None and ask.note.seat == seat:
            ask.note = None


def _sheet_made(state: TableState, event: Event) -> None:
    body = event.body
    name = body["sheet"]
    state.sheets[name] = Sheet(
        name,
        body["owner"],
        dict(body["values"]),
        body["shown"],
        made=event.seq,
        version=body["version"],
    )
    if name not in state.seats:
        state.npcs = max(state.npcs, count_of(name))


def _sheet_changed(state: TableState, event: Event) -> None:
    body, cause = event.body, event.body["cause"]
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
    state.ended(event.seq, change.weight)
    if roll is not None:
        roll.seqs.append(event.seq)
        if "roll" in cause:
            roll.changes.append(event.seq)
        state.changed(roll)


def _sheet_removed(state: TableState, event: Event) -> None:
    sheet = state.sheets.get(event.body["sheet"])
    if sheet is not None:
        sheet.remove()


def _ask_made(state: TableState, event: Event) -> None:
    body = event.body
    state.asked = max(state.asked, count_of(body["ask"]))
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


def _ask_answered(state: TableState, event: Event) -> None:
    ask, roll = state.asks.get(event.body["ask"]), state.roll(event.body["roll"])
    if ask is not None:
        ask.answered[event.body["seat"]] = event.body["roll"]
    if roll is not None:
        roll.seqs.append(event.seq)
        state.changed(roll)


def _ask_closed(state: TableState, event: Event) -> None:
    state.asks.pop(event.body["ask"], None)


def _offered(state: TableState, event: Event) -> None:
    for commitment in event.body["commitments"]:
        state.offers[commitment] = event.body["by"]
        state.offered.add(offer_key(commitment))


def offer_key(commitment: str) -> int:
    """What an offer is known by for ever: 64 bits, so that many of them take little."""
    return int.from_bytes(framed_hash(str(commitment).encode(errors="replace"))[:8], "big")


def _imported(state: TableState, event: Event) -> None:
    state.offers.clear()  # their nonces stayed with the host that the table came from


def _session_ended(state: TableState, event: Event) -> None:
    state.session = event.body["number"] + 1


FOLDS: dict[str, Fold] = {
    "table.created": _created,
    "table.changed": _changed,
    "link.changed": _link_changed,
    "seat.joined": _joined,
    "seat.admitted": _admitted,
    "seat.removed": _removed,
    "seat.renamed": _renamed,
    "seat.changed": _role_changed,
    "person.forgotten": _forgotten,
    "sheet.made": _sheet_made,
    "sheet.changed": _sheet_changed,
    "sheet.removed": _sheet_removed,
    "ask.made": _ask_made,
    "ask.answered": _ask_answered,
    "ask.closed": _ask_closed,
    "witness.offered": _offered,
    "session.ended": _session_ended,
    "table.imported": _imported,
    **ROLL_FOLDS,
}
