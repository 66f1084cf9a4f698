"""Checks of fair throws: numbers without gaps, keys that open commitments, nonces, faces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rollwright.dice import Pool
from rollwright.engine.values import to_plain
from rollwright.plain import Json, canonical
from rollwright.table.events import digest_of
from rollwright.table.fairness import Fair, commitment, witness_commitment
from rollwright.table.verify.chain import Row, fields, is_hash
from rollwright.table.verify.report import Findings
from rollwright.words.messages import Message, said

COINCIDENCE = 0.05
"""Faces that agree by chance more seldom than this were not all made up."""
MOST_COMPARED = 60


class FairThrow(NamedTuple):
    """A fair throw as the log tells it, with the dice that the rule asked for."""

    row: Row
    body: Mapping[str, Json]
    place: int
    """Among the entries of its roll."""
    faces: list[Json]
    pool: Pool
    by: str
    """Who threw, and so cannot be the witness."""
    explains: Callable[[list[Json]], bool | None]
    """Whether faces lead to what the event says came of them; None if that cannot be told."""


class Proof(NamedTuple):
    """What proves a fair throw: its number, its key and the nonces."""

    number: int
    key: bytes
    nonce: bytes
    witness: str = ""
    """The seat; empty where there was none."""
    witness_nonce: bytes = b""


class Throws:
    """The numbers, commitments and keys of a table, followed from throw to throw."""

    def __init__(self, table: str, rows: list[Row], findings: Findings) -> None:
        self._table = table
        self._findings = findings
        self._numbers = [n for row in rows if (n := _number(row)) is not None]
        self._places = {number: place for place, number in enumerate(self._numbers)}
        self._taken = 0
        self._missing = 0
        self._used: set[int] = set()
        self._published: dict[str, int] = {}
        self._promised: dict[int, str] = {}
        self.next = 1
        """The number of the next throw."""
        self.witnesses = Witnesses(findings)

    def publish(self, row: Row) -> None:
        """Take note of the commitment to the key of the next throw."""
        promised = row.open.get("next")
        if not is_hash(promised):
            self._findings.problem(row.seq, "missing commitment", said("verify.uncommitted"))
            self._promised.pop(self.next, None)
            return
        if promised in self._published:
            number = self._published[promised]
            say = said("verify.committed.again", n=str(number))
            self._findings.problem(row.seq, "reused key", say)
        self._promised[self.next] = promised
        self._published.setdefault(promised, self.next)

    def miss(self, events: int) -> None:
        """Take note of events that are missing, each of which may have been a throw."""
        self._missing += events
        self.witnesses.withhold(events)

    def take(self, row: Row) -> str | None:
        """Take the number of a fair throw, seen or not: the commitment its key must open."""
        number = _number(row)
        if number is None:
            self._findings.problem(row.seq, "forged number", said("verify.unnumbered"))
            return None
        self._check_number(row, number)
        self._taken += 1
        self._used.add(self.next)
        promised = self._promised.get(self.next)
        self.next += 1
        self.publish(row)
        return promised

    def _check_number(self, row: Row, number: int) -> None:
        if number == self.next:
            return
        if 0 < number - self.next <= self._missing:
            self._missing -= number - self.next
            self.next = number
            return
        following = self._numbers[self._taken + 1 : self._taken + 2]
        if following == [self.next + 1] or number in self._used:
            id = "verify.throw.again" if number in self._used else "verify.throw.other"
            say = said(id, came=str(number), due=str(self.next))
            self._findings.problem(row.seq, "forged number", say)
            return
        if self._places.get(self.next, -1) > self._taken:
            say = said("verify.throw.before", came=str(number), due=str(self.next))
            self._findings.problem(row.seq, "wrong order", say)
        else:
            say = said("verify.throw.due", came=str(number), due=str(self.next))
            self._findings.problem(row.seq, "dropped event", say)
        self.next = number

    def check(self, thrown: FairThrow) -> list[Json] | None:
        """Check a throw whose key is shown; what the dice truly showed, if that can be told."""
        row, body = thrown.row, thrown.body
        promised = self.take(row)
        proof = _proof(body.get("fair"))
        if not isinstance(proof, Proof):
            self._findings.problem(row.seq, *proof)
            return None
        if proof.number != _number(row):
            say = said("verify.numbers", n=str(_number(row)), key=str(proof.number))
            self._findings.problem(row.seq, "forged number", say)
        drawn = self._draw(thrown, proof)
        follows = canonical(drawn) == canonical(body.get("faces"))
        self._open(row, proof.key, promised, follows)
        self.witnesses.check(row, thrown.by, proof)
        if self._findings.has(row.seq):
            return None
        if follows:
            self._findings.count("throws")
            return None
        return self._tell_faces(thrown, drawn)

    def _draw(self, thrown: FairThrow, proof: Proof) -> list[Json]:
        source = Fair(
            proof.key,
            table=self._table,
            roll=str(thrown.body.get("roll")),
            index=thrown.place,
            number=proof.number,
            nonce=proof.nonce,
            witness=proof.witness_nonce,
        )
        return [to_plain(face) for face in source.throw(thrown.pool)]

    def _open(self, row: Row, key: bytes, promised: str | None, follows: bool) -> None:
        """Check that the key is the one that was committed to; else tell what it is."""
        made = commitment(key)
        if promised is None or made == promised:
            return
        if made in self._published:
            what = "reused key"
            say = said("verify.key.again", n=str(self._published[made]))
        elif follows:
            what = "unopened commitment"
            say = said("verify.key.uncommitted")
        else:
            what = "altered key"
            say = said("verify.key.other")
        self._findings.problem(row.seq, what, say)

    def _tell_faces(self, thrown: FairThrow, drawn: list[Json]) -> list[Json] | None:
        """Say what is wrong with faces that do not follow; the true faces if only those are."""
        written = thrown.faces
        seen, true = _said(written), _said(drawn)
        if _faces_alone(thrown, written, drawn):
            say = said("verify.face", seen=seen, true=true)
            self._findings.problem(thrown.row.seq, "altered face", say)
            return drawn
        say = said("verify.faces", seen=seen, true=true)
        self._findings.problem(thrown.row.seq, "altered face or nonce", say)
        return None


_NO_PROOF = ("malformed event", said("verify.unproven"))


def _number(row: Row) -> int | None:
    number = row.open.get("number")
    return number if type(number) is int else None


def _proof(fair: Json) -> Proof | tuple[str, Message]:
    """What proves a throw, or what is wrong with it."""
    told = fields(fair)
    number, key, nonce, witness = map(told.get, ("number", "key", "nonce", "witness"))
    if type(number) is not int:
        return _NO_PROOF
    if not is_hash(key):
        return "altered key", said("verify.digits.key")
    if nonce != "" and not is_hash(nonce):
        return "altered nonce", said("verify.digits.roller")
    proof = Proof(number, bytes.fromhex(key), bytes.fromhex(str(nonce)))
    if witness is None:
        return proof
    seat, offered = fields(witness).get("seat"), fields(witness).get("nonce")
    if not isinstance(seat, str):
        return "altered witness nonce", said("verify.witness.both")
    if not is_hash(offered):
        return "altered witness nonce", said("verify.digits.nonce")
    return proof._replace(witness=seat, witness_nonce=bytes.fromhex(offered))


def _faces_alone(thrown: FairThrow, written: list[Json], drawn: list[Json]) -> bool:
    """Whether all speaks for altered faces, and not for an altered nonce.

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
        agreeing += canonical(one) == canonical(other)
        share = max(die.weights) / die.total
        chances = [
            (chances[n] if n < len(chances) else 0) * (1 - share)
            + (chances[n - 1] * share if n else 0)
            for n in range(len(chances) + 1)
        ]
    return agreeing > 0 and sum(chances[agreeing:]) < COINCIDENCE


def _said(faces: list[Json]) -> str:
    listed = ", ".join(str(face)[:20] for face in faces[:8])
    return f"{listed}, …" if len(faces) > 8 else listed


MOST_SEATS = 1000


class Witnesses:
    """The nonces that seats have offered and that no throw has used yet, oldest first."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._waiting: dict[str, dict[str, int]] = {}
        """By seat the commitments of nonces that wait, each with its age: a running number."""
        self._owners: dict[str, str] = {}
        self._used: set[str] = set()
        self._unseen = 0
        """Withheld throws, each of which may have used an offer that still seems to wait."""
        self._blamed: set[str] = set()
        """Offers that were not taken in their turn, which was told."""
        self.removed: set[str] = set()

    def offer(self, row: Row, seat: str, commitments: Json) -> None:
        """Take note of nonces that a seat offers."""
        offers = commitments if isinstance(commitments, list) else [None]
        hashes = [offered for offered in offers if is_hash(offered)]
        if len(hashes) < len(offers):
            self._findings.problem(row.seq, "malformed event", said("verify.digits.offers"))
            return
        if seat not in self._waiting and len(self._waiting) >= MOST_SEATS:
            say = said("verify.offers.many", most=str(MOST_SEATS))
            self._findings.problem(row.seq, "too large", say)
            return
        for offered in hashes:
            if offered in self._owners:
                self._findings.problem(row.seq, "reused witness nonce", said("verify.offered"))
            else:
                self._waiting.setdefault(seat, {})[offered] = len(self._owners)
                self._owners[offered] = seat

    def withhold(self, throws: int = 1) -> None:
        """Take note of throws that cannot be looked into."""
        self._unseen += throws

    def forget(self) -> None:
        """Let go of all offers: another host does not have their nonces."""
        for offers in self._waiting.values():
            self._used |= offers.keys()
        self._waiting.clear()

    def check(self, row: Row, roller: str, proof: Proof) -> None:
        """Check the witness of a throw that is not the roller, or that there was none."""
        if not proof.witness_nonce:
            self._pass_over(row, roller, len(self._owners))
            return
        made = witness_commitment(proof.witness_nonce)
        wrong = self._wrong(made, proof.witness, roller)
        if wrong is not None:
            self._findings.problem(row.seq, *wrong)
            self._pass(self._older(roller, len(self._owners))[:1])  # most likely it was meant
            return
        self._findings.count("witnessed throws")
        age = self._waiting[self._owners[made]][made]
        self._pass([made])
        self._pass_over(row, roller, age)

    def _wrong(self, made: str, seat: str, roller: str) -> tuple[str, Message] | None:
        owner = self._owners.get(made)
        if owner is None:
            return "altered witness nonce", said("verify.witness.unoffered", seat=seat)
        if made in self._used:
            return "reused witness nonce", said("verify.witness.used")
        if owner != seat:
            return "altered witness", said("verify.witness.other", owner=owner, seat=seat)
        if seat == roller:
            return "altered witness", said("verify.witness.own", seat=seat)
        if seat in self.removed:  # a host could pick among all that such seats left behind
            return "altered witness", said("verify.witness.gone", seat=seat)
        return None

    def _pass_over(self, row: Row, roller: str, age: int) -> None:
        """Check that every older offer that was not taken may have been used in a secret throw."""
        passed = self._older(roller, age)
        if len(passed) <= self._unseen:
            self._unseen -= len(passed)
            self._pass(passed)
            return
        self._blamed.add(passed[0])
        say = said("verify.witness.passed", seat=self._owners[passed[0]])
        self._findings.problem(row.seq, "witness passed over", say)

    def _older(self, roller: str, age: int) -> list[str]:
        """The offers of others that should have been taken before one of that age."""
        found = []
        for seat, offers in self._waiting.items():
            if seat == roller or seat in self.removed:
                continue
            for offered, since in offers.items():
                if since >= age:
                    break
                if offered not in self._blamed:
                    found.append(offered)
        return sorted(found, key=lambda offered: self._waiting[self._owners[offered]][offered])

    def _pass(self, offered: list[str]) -> None:
        for one in offered:
            del self._waiting[self._owners[one]][one]
            self._used.add(one)
