"""How each event of a roll changes a table: no rule is played again, the events say it all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rollwright.table.events import Event
from rollwright.table.fairness import witness_commitment
from rollwright.table.ids import count_of
from rollwright.table.rolls import ABANDONED, DONE, UNDONE, Roll
from rollwright.table.seats import Audience

if TYPE_CHECKING:
    from rollwright.table.state import TableState


def _started(state: TableState, event: Event) -> None:
    body = event.body
    roll = Roll(
        id=body["roll"],
        by=body["by"],
        what=body["what"],
        version=body["version"],
        title=body["title"],
        sheet=body["sheet"],
        from_sheet=body.get("from_sheet"),
        visibility=body["visibility"],
        announce=body["announce"],
        audience=_tuple(event.audience),
        roles=body["roles"],
        ask=body["ask"],
        physical=body["physical"],
        goal=body["goal"],
    )
    state.rolls[roll.id] = state.going[roll.id] = roll
    if roll.is_secret and not roll.announce:
        state.unshown[roll.by] = state.unshown.get(roll.by, 0) + 1
    state.rolled = max(state.rolled, count_of(roll.id))
    _went_on(state, roll, event)


def _tuple(audience: Audience) -> Audience:
    return None if audience is None else tuple(audience)  # a store may give back a list


def _went_on(state: TableState, roll: Roll, event: Event) -> None:
    """The roll has one event more, and waits for what the event says."""
    roll.seqs.append(event.seq)
    roll.after = event.body["after"]
    if roll.after["step"] == "done":
        _close(state, roll, DONE)
    else:
        roll.weigh(event.body)


def _close(state: TableState, roll: Roll, status: str) -> None:
    was_open = roll.is_open
    roll.close(status)
    state.going.pop(roll.id, None)
    _hold(state, roll, was_open)


MOST_WAITING = 40
"""Rolls that are held at hand because something of them waits."""


def _hold(state: TableState, roll: Roll, was_open: bool = False) -> None:
    """Hold a roll at hand while something of it waits, but not any number of them."""
    if roll.waits:
        state.waiting[roll.id] = roll
    elif state.waiting.pop(roll.id, None) is not None or was_open:
        state.ended(roll.id, roll.weight)
    if len(state.waiting) > MOST_WAITING:
        oldest = state.waiting.pop(next(iter(state.waiting)))
        state.ended(oldest.id, oldest.weight)


def _let(state: TableState, roll: Roll, event: Event) -> None:
    """What waited on some sheets has been decided."""
    roll.seqs.append(event.seq)
    if roll.waits:
        roll.let(event.body.get("sheets", ()))
        if roll.id in state.waiting:
            _hold(state, roll)


def _thrown(state: TableState, roll: Roll, event: Event) -> None:
    body = event.body
    roll.entries.append({"faces": body["faces"], "how": body["how"]})
    roll.authors.append(body["by"])
    if _tuple(event.audience) != roll.seers:
        roll.veiled.append(event.seq)
    witness = (body["fair"] or {}).get("witness")
    if witness is not None:
        state.offers.pop(witness_commitment(bytes.fromhex(witness["nonce"])), None)
    _went_on(state, roll, event)


def _chosen(state: TableState, roll: Roll, event: Event) -> None:
    body = event.body
    roll.entries.append({"option": body["option"], "by": body["role"]})
    roll.authors.append(body["by"])
    _went_on(state, roll, event)


def _back(state: TableState, roll: Roll, event: Event) -> None:
    del roll.entries[-1:]
    del roll.authors[-1:]
    _went_on(state, roll, event)


def _revealed(state: TableState, roll: Roll, event: Event) -> None:
    if roll.is_secret and not roll.announce:
        state.unshown[roll.by] -= 1
    roll.revealed = True
    _let(state, roll, event)


def _undone(state: TableState, roll: Roll, event: Event) -> None:
    roll.seqs.append(event.seq)
    _close(state, roll, UNDONE)


def _abandoned(state: TableState, roll: Roll, event: Event) -> None:
    roll.seqs.append(event.seq)
    _close(state, roll, ABANDONED)


Fold = Callable[["TableState", Event], None]


def _of_known(change: Callable[[TableState, Roll, Event], None]) -> Fold:
    """A change of a roll whose beginning is known: of an imported log, it may be missing."""

    def fold(state: TableState, event: Event) -> None:
        roll = state.roll(event.body["roll"])
        if roll is not None:
            change(state, roll, event)
            state.changed(roll)

    return fold


ROLL_FOLDS: dict[str, Fold] = {
    "roll.started": _started,
    "roll.thrown": _of_known(_thrown),
    "roll.chosen": _of_known(_chosen),
    "roll.back": _of_known(_back),
    "roll.waits": _of_known(_went_on),
    "roll.revealed": _of_known(_revealed),
    "roll.applied": _of_known(_let),
    "roll.declined": _of_known(_let),
    "roll.undone": _of_known(_undone),
    "roll.abandoned": _of_known(_abandoned),
}
