"""Checks of asks: answered by those asked, as asked, and ended by those who may."""

from __future__ import annotations

from collections.abc import Mapping

from rollwright.i18n.messages import Message, msg
from rollwright.jsonable import Json
from rollwright.table.events import OPEN
from rollwright.table.rolls import EVERYBODY, RollRequest
from rollwright.table.verify.chain import LogRow
from rollwright.table.verify.permissions import VerifierState
from rollwright.table.verify.report import Findings


class RequestChecker:
    """The asks of a table, held against what answers them."""

    def __init__(self, findings: Findings, so_far: VerifierState) -> None:
        self._findings = findings
        self._so_far = so_far
        self._checks = {
            "roll.started": self._check_roll,
            "roll_request.answered": self._check_answer,
            "roll_request.closed": self._check_end,
        }

    def check(self, row: LogRow, kind: str, body: Mapping[str, Json]) -> None:
        """Check an event that belongs to an ask; a hidden ask cannot be checked."""
        name, check = body.get("ask"), self._checks.get(kind)
        if not self._so_far.is_whole or check is None or not name:
            return
        ask = self._so_far.state.asks.get(str(name))
        if ask is not None:
            wrong = check(ask, body)
        elif not self._so_far.has_secrets:
            wrong = msg("verify.ask.none", ask=str(name)[:20])
        else:
            return
        if wrong is not None:
            self._findings.problem(row.seq, "forbidden act", wrong)

    def _check_roll(self, ask: RollRequest, body: Mapping[str, Json]) -> Message | None:
        """Check that a seat that was asked rolls once, with the ask's visibility and play."""
        seat = str(body.get("by"))[:20]
        if not ask.includes(seat):
            return msg("verify.ask.others", ask=ask.id, seat=seat)
        if seat in ask.answered:
            return msg("verify.ask.again", ask=ask.id, seat=seat)
        announced = ask.announce or ask.visibility == OPEN
        told = {"visibility": ask.visibility, "announce": announced}
        if ask.has_policy:
            told |= {"policy": ask.roll["policy"], "bound": True}
        for name, asked in told.items():
            if body.get(name) != asked:
                return msg("verify.ask.otherwise", ask=ask.id, field=name)
        return None

    def _check_answer(self, ask: RollRequest, body: Mapping[str, Json]) -> Message | None:
        """Check that an ask is answered by a roll of a seat that was asked, made for it."""
        seat, name = str(body.get("seat"))[:20], str(body.get("roll"))[:20]
        if seat != body.get("by") or not ask.includes(seat):
            return msg("verify.ask.others", ask=ask.id, seat=str(body.get("by"))[:20])
        if seat in ask.answered:
            return msg("verify.ask.again", ask=ask.id, seat=seat)
        roll = self._so_far.state.rolls.get(name)
        if roll is None:  # hidden from us, or there is none
            return None if self._so_far.has_secrets else msg("verify.ask.roll", ask=ask.id)
        return None if (roll.by, roll.ask) == (seat, ask.id) else msg("verify.ask.roll", ask=ask.id)

    def _check_end(self, ask: RollRequest, body: Mapping[str, Json]) -> Message | None:
        """Check that an ask is ended by a referee, by its last answer, or by the only one left."""
        by = self._so_far.seat(body.get("by"))
        if by is None or by.is_referee:
            return None
        asked = ask.who != EVERYBODY and ask.includes(by.id)
        is_last = (
            ask.open_seats <= {by.id} or self._so_far.has_secrets
        )  # others may have, unseen by us
        return None if asked and is_last else msg("verify.ask.closing", ask=ask.id, seat=by.id)
