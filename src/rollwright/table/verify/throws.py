"""Checks of fair throws: that they follow from a call and its key, and the faces from both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rollwright.dice import Pool
from rollwright.engine.values import value_to_json
from rollwright.i18n.messages import Message, msg
from rollwright.jsonable import Json, canonical_json
from rollwright.table.events import digest_of
from rollwright.table.fairness import FairDice, slot_of
from rollwright.table.verify.chain import LogRow, fields, is_hash
from rollwright.table.verify.report import Findings
from rollwright.table.verify.signed_commands import CommandChecker, CommandTrace

COINCIDENCE = 0.05
"""Faces that agree by chance more seldom than this were not all made up."""
MOST_COMPARED = 60


class LoggedThrow(NamedTuple):
    """A fair throw as the log records it, with the dice that the rule asked for."""

    row: LogRow
    body: Mapping[str, Json]
    faces: list[Json]
    pool: Pool
    skipped: int
    """Throws before it that may be hidden from us, of a roll that is not announced."""
    explains: Callable[[list[Json]], bool | None]
    """Whether faces lead to what the event says came of them; None if that is unknown."""


class ThrowChecker:
    """Every fair throw of a log, held against its call."""

    def __init__(self, calls: CommandChecker, findings: Findings) -> None:
        self._calls = calls
        self._findings = findings
        self._closed: dict[str, list[tuple[LoggedThrow, CommandTrace, int]]] = {}
        """Throws whose keys are opened at the end of their rolls."""

    def find_command(self, body: Mapping[str, Json]) -> CommandTrace | None:
        """The call that a throw is said to follow from; None if it is none of that roll."""
        called = self._calls.find(fields(body.get("fair")).get("call"))
        return called if called is not None and called.roll == body.get("roll") else None

    def caller_of(self, roll: str) -> CommandTrace | None:
        """The call of a roll whose dice wait for a witness."""
        return self._calls.waiting(roll)

    def check(self, thrown: LoggedThrow) -> list[Json] | None:
        """Check a throw; return what the dice truly showed, if that is known."""
        row, fair = thrown.row, fields(thrown.body.get("fair"))
        called = self.find_command(thrown.body)
        if called is None:
            self._problem(row, "forged call", msg("verify.throw.call"))
            return None
        place = self._place(thrown, called, fair.get("throw"))
        called.weight += len(canonical_json(thrown.faces))
        if not self._calls.is_running(called):
            self._problem(row, "wrong order", msg("verify.throw.late"))
        if thrown.body.get("by") != called.by:
            self._problem(row, "forged call", msg("verify.throw.by", by=called.by[:20]))
        if self._calls.witnesses.is_due(called.seq):
            self._problem(row, "witness passed over", msg("verify.witness.passed"))
        if "key" not in fair:
            self._closed.setdefault(called.roll, []).append((thrown, called, place))
            return None
        return self._draw(thrown, called, place, fair.get("key"))

    def _place(self, thrown: LoggedThrow, called: CommandTrace, came: Json) -> int:
        """Check that a throw is the next of its call; return which it is."""
        due = called.throws
        hidden = min(thrown.skipped, called.sealed)
        place = came if type(came) is int and due <= came <= due + hidden else due
        called.throws, called.sealed = place + 1, called.sealed - (place - due)
        if came != place:
            say = msg("verify.throw.due", came=str(came)[:20], due=str(place))
            self._problem(thrown.row, "wrong order", say)
        return place

    def open(self, row: LogRow, roll: str, keys: Json) -> None:
        """Check the throws of a roll whose keys its end opens."""
        told = fields(keys)
        for thrown, called, place in self._closed.pop(roll, []):
            key = told.get(str(called.seq))
            if key is None:
                self._problem(row, "unopened key", msg("verify.key.closed", seq=str(called.seq)))
            else:
                self._draw(thrown, called, place, key)

    def finish(self) -> None:
        """Count what nobody could check: keys of rolls that go on."""
        self._findings.count("closed throws", sum(map(len, self._closed.values())))

    def lapse(self) -> None:
        """Another host goes on: keys that are closed stay with the one before."""
        self.finish()
        self._closed.clear()

    def _draw(
        self, thrown: LoggedThrow, called: CommandTrace, place: int, plain: Json
    ) -> list[Json] | None:
        row = thrown.row
        if not is_hash(plain):
            self._problem(row, "altered key", msg("verify.digits.key"))
            return None
        key = bytes.fromhex(plain)
        witness = self._calls.witnesses.number_of(called.seq)
        source = FairDice(key, called.hash, place, witness)
        drawn = [value_to_json(face) for face in source.throw(thrown.pool)]
        follows = canonical_json(drawn) == canonical_json(thrown.faces)
        if slot_of(key) != called.slot:
            what = "unopened commitment" if follows else "altered key"
            say = msg("verify.key.uncommitted" if follows else "verify.key.other")
            self._problem(row, what, say)
        if self._findings.has(row.seq):
            return None
        if follows:
            self._count(called, bool(witness))
            return None
        return self._report_faces(thrown, drawn)

    def _count(self, called: CommandTrace, has_witness: bool) -> None:
        self._findings.count("throws")
        if has_witness:
            self._findings.count("witnessed throws")
        if not called.is_signed:
            self._findings.count("unsigned throws")
        elif called.held:
            self._findings.count("held throws")

    def _problem(self, row: LogRow, what: str, wording: Message) -> None:
        self._findings.problem(row.seq, what, wording)

    def _report_faces(self, thrown: LoggedThrow, drawn: list[Json]) -> list[Json] | None:
        """Say what is wrong with faces that do not follow; the true faces if only those are."""
        written = thrown.faces
        seen, true = _faces_text(written), _faces_text(drawn)
        if _faces_alone(thrown, written, drawn):
            say = msg("verify.face", seen=seen, true=true)
            self._problem(thrown.row, "altered face", say)
            return drawn
        say = msg("verify.faces", seen=seen, true=true)
        self._problem(thrown.row, "altered face or number", say)
        return None


def _faces_alone(thrown: LoggedThrow, written: list[Json], drawn: list[Json]) -> bool:
    """Whether all speaks for altered faces, and not for an altered number.

    It does if only the faces drawn lead to what came of the throw, if the event's digest is that
    of the faces drawn, or if more of the faces agree than would by chance.
    """
    if thrown.explains(drawn) and not thrown.explains(written):
        return True
    if digest_of(thrown.row.salt, {**thrown.body, "faces": drawn}) == thrown.row.digest:
        return True
    chances = [1.0]
    agreeing = 0
    for die, one, other in list(zip(thrown.pool.dice, written, drawn, strict=True))[:MOST_COMPARED]:
        agreeing += canonical_json(one) == canonical_json(other)
        share = max(die.weights) / die.total
        chances = [
            (chances[n] if n < len(chances) else 0) * (1 - share)
            + (chances[n - 1] * share if n else 0)
            for n in range(len(chances) + 1)
        ]
    return agreeing > 0 and sum(chances[agreeing:]) < COINCIDENCE


def _faces_text(faces: list[Json]) -> str:
    listed = ", ".join(str(face)[:20] for face in faces[:8])
    return f"{listed}, …" if len(faces) > 8 else listed
