"""Checks of a log's bytes: events and their order, the chain of hashes, bodies, sealed texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeGuard, is_typeddict

from rollwright.kit.fields import Field, fields_of
from rollwright.plain import BadValue, Json, Record, check_plain
from rollwright.table.events import SEALED, Shown, chained, digest_of, first_hash, seal_of
from rollwright.table.schemas import EVENTS
from rollwright.table.verify.report import Findings

HASH = re.compile(r"[0-9a-f]{64}")
MOST_EVENTS = 200_000
LONGEST_KIND = 60
DEEPEST = 100
"""Events hold what commands held, a few levels deeper."""
OUTSIDE = ("by", "roll", "visibility")
"""What everybody may see of an event that also stands in its body."""
SEARCHED = 4
"""How many events that were taken out or put in are looked for where the chain is broken."""


class Row(NamedTuple):
    """An event of a log that has the form of one."""

    seq: int
    at: int
    kind: str
    open: Record
    body: Record | None
    """None where the event is withheld."""
    salt: str
    digest: str
    hash: str
    texts: Record


def is_hash(value: object) -> TypeGuard[str]:
    """Whether this is a hash as we write it: 64 small hexadecimal digits."""
    return isinstance(value, str) and HASH.fullmatch(value) is not None


def fields(value: object) -> Record:
    """The fields of what should have some; none of anything else."""
    return value if isinstance(value, dict) else {}


def rows_of(events: list[Json], findings: Findings) -> list[Row]:
    """The events that have the form of one, in the order of their numbers."""
    rows = []
    for place, event in enumerate(events, start=1):
        row = _row(event)
        if isinstance(row, Row):
            rows.append(row)
        else:
            findings.problem(place, "malformed event", row)
    return _in_order(rows, len(events) - len(rows), findings)


def _row(event: Json) -> Row | str:
    """An event that has the form of one, or what keeps it from having it."""
    if not isinstance(event, dict):
        return "this is not an event"
    seq, at, kind, body = event.get("seq"), event.get("at"), event.get("kind"), event.get("body")
    digest, hash_, salt = event.get("digest"), event.get("hash"), event.get("salt", "")
    open_, texts = event.get("open"), event.get("texts") or {}
    if type(seq) is not int or not 0 <= seq < 2**53:
        return "seq must be a whole number"
    if type(at) is not int or not 0 <= at < 2**53:
        return "at must be a whole number"
    if not isinstance(kind, str) or not 0 < len(kind) <= LONGEST_KIND:
        return "kind must be a short text"
    if not is_hash(digest) or not is_hash(hash_):
        return f"{'hash' if is_hash(digest) else 'digest'} must be 64 hexadecimal digits"
    if not isinstance(open_, dict):
        return "open must hold fields by name"
    if not isinstance(texts, dict):
        return "texts must be given by name"
    if body is not None and not isinstance(body, dict):
        return "body must hold fields by name"
    if body is not None and not is_hash(salt):
        return "a body needs its salt, 64 hexadecimal digits"
    try:
        check_plain([kind, open_, body], DEEPEST)
    except BadValue as problem:
        return str(problem)
    return Row(seq, at, kind, open_, body, str(salt), digest, hash_, texts)


def _in_order(rows: list[Row], broken: int, findings: Findings) -> list[Row]:
    """The events by number; what is missing, doubled or in another order is told."""
    ordered = sorted(rows, key=lambda row: row.seq)
    if [row.seq for row in rows] != [row.seq for row in ordered]:
        moved = next(row for row, right in zip(rows, ordered, strict=True) if row is not right)
        findings.problem(moved.seq, "wrong order", "this event does not stand in its place")
    known: list[Row] = []
    before = 0
    for row in ordered:
        if row.seq == before:
            findings.problem(row.seq, "repeated event", "there are two events with this number")
            continue
        if row.seq > before + 1 + broken:
            missing = f"event {before + 1}" if row.seq == before + 2 else _range(before, row.seq)
            findings.problem(before + 1, "dropped event", f"{missing} is missing")
        broken = 0 if row.seq > before + 1 else broken
        before = row.seq
        known.append(row)
    return known


def _range(before: int, seq: int) -> str:
    return f"everything from {before + 1} to {seq - 1}"


class Chain:
    """The chain of hashes, followed from event to event."""

    def __init__(self, table: str, findings: Findings) -> None:
        self._findings = findings
        self._before: tuple[str, ...] = (first_hash(table),)
        self._seq = 0
        self._shift = 0
        self._is_broken = False

    def follow(self, row: Row, after: Row | None) -> None:
        """Check that an event is chained to the one before it."""
        computed = [self._hash(row, before, self._shift) for before in self._before]
        if row.hash in computed:
            self._is_broken = False
        elif row.seq == self._seq + 1:  # behind a gap, only what follows can be checked
            self._tell(row, after)
        self._before = (row.hash, *computed[:1])
        self._seq = row.seq

    def _hash(self, row: Row, before: str, shift: int) -> str:
        return chained(before, row.seq + shift, row.at, row.kind, row.open, row.digest)

    def _tell(self, row: Row, after: Row | None) -> None:
        if self._shifted(row):
            return
        if after is not None and row.hash == self._hash(row, after.hash, after.seq - row.seq):
            say = f"it was chained to event {after.seq}, which now stands after it"
            self._findings.problem(row.seq, "wrong order", say)
        elif not self._is_broken:
            say = "it does not follow by its hash: it, or what stood before it, was altered"
            self._findings.problem(row.seq, "broken chain", say)
        self._is_broken = True

    def _shifted(self, row: Row) -> bool:
        """Whether the event fits if it once had another number: then events came or went."""
        for shift in range(self._shift - SEARCHED, self._shift + SEARCHED + 1):
            if shift != self._shift and row.hash == self._hash(row, self._before[0], shift):
                went = shift > self._shift
                what = "dropped event" if went else "forged event"
                say = "events before it were taken out" if went else "events were put in before it"
                self._findings.problem(row.seq - 1, what, f"by its hash, {say}")
                self._shift = shift
                self._is_broken = False
                return True
        return False


def check_body(row: Row, findings: Findings) -> None:
    """Check that a body that is shown is the one that was chained, and its texts those sealed."""
    if row.body is None:
        findings.count("withheld events")
        return
    if digest_of(row.salt, row.body) != row.digest:
        findings.problem(row.seq, "altered event", "its contents do not fit its digest")
    if contradicts(row.open, row.body):
        findings.problem(row.seq, "altered event", "what everybody may see of it is not what it is")
    left = dict(row.texts)
    for ref, seals in sealed_in(row.body).items():
        text = left.pop(ref, None)
        if text is None:
            findings.count("erased texts")
        elif all(_opens(text, seal) for seal in seals):
            findings.count("texts")
        else:
            findings.problem(row.seq, "altered text", f"the text {ref} does not fit its seal")
    if left:
        say = f"nothing in the event refers to the text {min(left)[:40]!r}"
        findings.problem(row.seq, "unsealed text", say)


def contradicts(shown: Record, body: Record) -> bool:
    """Whether what everybody may see of an event says otherwise than its body."""
    if any(shown[name] != body[name] for name in OUTSIDE if name in shown and name in body):
        return True
    after, inside = shown.get("after"), body.get("after")
    if not isinstance(after, dict) or not isinstance(inside, dict):
        return False
    return any(after[name] != inside.get(name) for name in after)


def check_types(row: Row, findings: Findings) -> None:
    """Check that an event holds what its kind holds, where nothing else is wrong with it."""
    if place := misfit(Shown, row.open):
        findings.problem(row.seq, "malformed event", f"open.{place} is not what an event holds")
    if row.body is None:
        return
    kind = EVENTS.get(str(row.body.get("kind"))) if row.kind == SEALED else EVENTS.get(row.kind)
    if kind is not None and (place := misfit(kind, row.body)):
        findings.problem(row.seq, "malformed event", f"{place} is not what an event holds")


def misfit(kind: type, plain: Record) -> str:
    """Where some data is not what its type says; empty where it is, as far as it is there."""
    known = fields_of(kind).items()
    found = (_misfit(about, plain[name], name) for name, about in known if name in plain)
    return next((place for place in found if place), "")


def _misfit(about: Field, value: Json, place: str) -> str:
    if value is None:
        unsaid = about.kind == "any" and not about.inner
        return "" if about.optional or unsaid else place
    if about.kind == "value" and is_typeddict(about.inner):
        inside = misfit(about.inner, value) if isinstance(value, dict) else ""
        return f"{place}.{inside}" if inside else "" if isinstance(value, dict) else place
    if about.kind in ("list", "map"):
        if not isinstance(value, list if about.kind == "list" else dict):
            return place
        parts = enumerate(value) if isinstance(value, list) else value.items()
        found = (_misfit(about.inner, part, f"{place}.{name}"[:60]) for name, part in parts)
        return next((one for one in found if one), "")
    if about.kind == "any":
        fits = not about.inner or any(not _misfit(part, value, place) for part in about.inner)
        return "" if fits else place
    if about.choices:
        return "" if value in about.choices else place
    known = _PLAIN.get(about.kind)
    return place if known is not None and type(value) is not known else ""


_PLAIN = {"text": str, "int": int, "bool": bool}


def sealed_in(value: object) -> dict[str, list[Json]]:
    """Every sealed text that a body refers to, with the seals that stand beside its name."""
    found: dict[str, list[Json]] = {}
    for _, ref, seal in sealed_fields(value):
        found.setdefault(ref, []).append(seal)
    return found


def sealed_fields(value: object, field: str = "") -> Iterator[tuple[str, str, Json]]:
    """The sealed texts in a body: the field that one stands in, its name and its seal."""
    waiting = [(field, value)]
    while waiting:
        field, part = waiting.pop()
        if isinstance(part, dict):
            if part.keys() == {"text", "seal"} and isinstance(part["text"], str):
                yield field, part["text"], part["seal"]
            waiting += part.items()
        elif isinstance(part, list):
            waiting += [(field, one) for one in part]


def _opens(text: Json, seal: Json) -> bool:
    salt, words = fields(text).get("salt"), fields(text).get("text")
    if not is_hash(salt) or not isinstance(words, str):
        return False
    try:
        return seal_of(salt, words) == seal
    except UnicodeEncodeError:
        return False
