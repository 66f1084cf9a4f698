"""Checks of witnesses: asked in their turn, heard, or said to have been silent."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from math import inf
from typing import NamedTuple

from rollwright.plain import Json
from rollwright.table.devices import Offered
from rollwright.table.events import ASKING, SEALED
from rollwright.table.fairness import offer_of
from rollwright.table.verify.chain import Row, fields, is_hash
from rollwright.table.verify.people import SoFar
from rollwright.table.verify.report import Findings
from rollwright.words.messages import Message, said


class Caller(NamedTuple):
    """A call that dice follow from, and what its device had seen."""

    seq: int
    by: str
    seen: int | None
    """None where nobody signed."""


class Asked(NamedTuple):
    """What an event asks for."""

    caller: Caller | None
    """None where the event is withheld."""
    seat: str
    offer: str


class Witnesses:
    """The numbers that seats have ready, and the calls that wait for one."""

    def __init__(self, findings: Findings, so_far: SoFar) -> None:
        self._findings = findings
        self._so_far = so_far
        self._offers: dict[str, Offered] = {}
        """Those that wait, the oldest first."""
        self._of: dict[str, dict[str, int]] = {}
        """The same by their seats, with the events that offered them."""
        self._known: set[str] = set()
        self._asked: dict[int, Asked] = {}
        """The events that ask, and have no answer yet."""
        self._turns: list[int] = []
        """All events that asked."""
        self._numbers: dict[int, bytes] = {}
        """Numbers that witnesses gave, by the calls."""
        self._due: set[int] = set()
        """Calls that wait for a witness's number."""

    def number_of(self, call: int) -> bytes:
        """Return the number that a witness gave for a call; empty if there was none."""
        return self._numbers.get(call, b"")

    def is_due(self, call: int) -> bool:
        """Whether dice of a call had to wait for a witness, and did not."""
        return call in self._due

    def lapse(self) -> int:
        """Let go of all offers: another host goes on. How many calls waited for a number."""
        waiting = len({one.caller and one.caller.seq for one in self._asked.values()})
        self._offers.clear()
        self._of.clear()
        self._asked.clear()
        return waiting

    def offer(self, row: Row, seat: str, commitments: Json) -> None:
        """Take note of numbers that a seat has ready."""
        for offered in commitments if isinstance(commitments, list) else [None]:
            if not is_hash(offered):
                self._problem(row, "malformed event", said("verify.digits.offers"))
            elif offered in self._known:
                self._problem(row, "reused witness number", said("verify.offered"))
            else:
                self._known.add(offered)
                self._offers[offered] = Offered(seat, row.seq)
                self._of.setdefault(seat, {})[offered] = row.seq

    def call(self, row: Row, caller: Caller) -> bool:
        """Check that a call asks the witness that is due; whether its dice wait for one."""
        seen = caller.seen
        if seen is not None and self._so_far.state.had_witnesses(seen):
            between = len(self._turns) - bisect_right(self._turns, seen)
            is_none_left = row.seq == caller.seq and self._find(caller) is None
            if "witness" in row.open or is_none_left:
                self._findings.count("insertions", between)
        return self._ask(row, caller)

    def withhold(self, row: Row) -> None:
        """Check the witness that an unreadable event asks."""
        asked = fields(row.open.get("witness"))
        if not asked:
            return
        seat, offer = str(asked.get("seat")), str(asked.get("offer"))
        if row.kind not in (SEALED, *ASKING):
            self._problem(row, "witness passed over", said("verify.witness.idle"))
        elif self._so_far.is_whole and not self._may_be_asked(seat, offer):
            self._problem(row, "witness passed over", said("verify.witness.turn", seat=seat[:20]))
        self._take(row, Asked(None, seat, offer))

    def waste(self, row: Row) -> None:
        """Take note of an event that asks for a number which no dice follow from."""
        asked = fields(row.open.get("witness"))
        self._take(row, Asked(None, str(asked.get("seat")), str(asked.get("offer"))))

    def _take(self, row: Row, asked: Asked) -> None:
        offered = self._offers.pop(asked.offer, None)
        if offered is not None:
            del self._of[offered.seat][asked.offer]
        self._asked[row.seq] = asked
        self._turns.append(row.seq)

    def _may_be_asked(self, seat: str, offer: str) -> bool:
        """Whether it may be the turn of a witness if nobody knows who called and had seen what.

        It is the second's turn if the first called. Who came or left since their offer may have
        been away, or still here, as the device had seen it.
        """
        state, offered = self._so_far.state, self._offers.get(offer)
        if offered is None or offered.seat != seat:
            return False
        at, comings = offered.at, state.comings.get(seat)
        turned = max(state.witnesses_turned[-1:], default=0)
        if not comings or (not state.witnesses and turned <= at):
            return False
        if comings[-1] <= at and self._first_of(seat)[0] != offer:
            return False
        before = [one for one in self._of if one != seat and self._first_of(one)[1] < at]
        return len(before) < 2

    def _first_of(self, seat: str) -> tuple[str, float]:
        """The oldest offer of a seat that has surely been here ever since, and where it stands."""
        comings = self._so_far.state.comings.get(seat) or []
        if len(comings) % 2:
            for offer, at in self._of[seat].items():
                if at >= comings[-1]:
                    return offer, at
        return "", inf

    def _ask(self, row: Row, caller: Caller) -> bool:
        asked = fields(row.open.get("witness"))
        due = self._find(caller)
        if not asked:
            if due is not None:
                self._due.add(caller.seq)  # unless no dice follow from it
            return False
        seat, offer = str(asked.get("seat")), str(asked.get("offer"))
        if due != (seat, offer):
            self._problem(row, "witness passed over", said("verify.witness.turn", seat=seat[:20]))
        self._take(row, Asked(caller, seat, offer))
        self._due.add(caller.seq)
        return True

    def _find(self, caller: Caller) -> tuple[str, str] | None:
        """The witness whose turn it is: the oldest offer of somebody else who was here.

        Offers and people count as the device which called had seen them, and so does whether dice
        wait for a witness: the host could choose among them once it knows the number of the call.
        """
        state = self._so_far.state
        seen = state.head if caller.seen is None else caller.seen
        if not state.had_witnesses(seen):
            return None
        oldest, due = seen + 1, None
        for seat, ready in self._of.items():
            offer, at = next(iter(ready.items()), ("", oldest))
            if at < oldest and seat != caller.by and state.was_here(seat, seen):
                oldest, due = at, (seat, offer)
        return due

    def open(self, row: Row, body: Mapping[str, Json]) -> int | None:
        """Check the number that a witness gives; return the call whose dice follow then."""
        waiting = self._waiting(row, body)
        if waiting is None:
            return None
        caller, seat, offer = waiting
        number = body.get("number")
        if body.get("by") != seat:
            self._problem(row, "altered witness", said("verify.witness.other", seat=seat[:20]))
        if not is_hash(number) or offer_of(bytes.fromhex(number)) != offer:
            say = said("verify.witness.unoffered", seat=seat[:20])
            self._problem(row, "altered witness number", say)
            return None
        if caller is None:
            return None
        self._numbers[caller.seq] = bytes.fromhex(number)
        self._due.discard(caller.seq)
        return caller.seq

    def pass_over(self, row: Row, body: Mapping[str, Json]) -> int | None:
        """Take note of a witness who is said to have been silent; the call if dice follow now."""
        waiting = self._waiting(row, body)
        seat = str(body.get("seat"))
        for offer in self._of.pop(seat, ()):
            del self._offers[offer]
        self._findings.count("silent witnesses")
        if waiting is None:
            self.withhold(row)
            return None
        caller, asked, _ = waiting
        if asked != seat:
            self._problem(row, "altered witness", said("verify.witness.other", seat=asked[:20]))
        if caller is None:  # of a roll that is not shown, whose next witness is asked all the same
            self.withhold(row)
            return None
        self._due.discard(caller.seq)
        return None if self._ask(row, caller) else caller.seq

    def _waiting(self, row: Row, body: Mapping[str, Json]) -> Asked | None:
        asked = body.get("asked")
        found = self._asked.pop(asked, None) if type(asked) is int else None
        if found is None and self._so_far.is_whole:
            self._problem(row, "forged event", said("verify.witness.unasked"))
        return found

    def _problem(self, row: Row, what: str, wording: Message) -> None:
        self._findings.problem(row.seq, what, wording)
