"""Checks of a log's bytes: events and their order, the chain of hashes, bodies, sealed texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeGuard, is_typeddict

from rollwright.i18n.messages import Message, msg
from rollwright.jsonable import BadValue, Json, JsonObject, check_jsonable
from rollwright.kit.fields import Field, fields_of
from rollwright.table.events import SEALED, PublicPart, chain_hash, digest_of, first_hash, seal_of
from rollwright.table.schemas import EVENTS
from rollwright.table.verify.report import Findings

HASH = re.compile(r"[0-9a-f]{64}")
MOST_EVENTS = 200_000
LONGEST_KIND = 60
DEEPEST = 100
"""Events hold what commands held, a few levels deeper."""
MOST_NESTED = 500
"""So deep may lie what is left unread; parsers differ on more."""
READ = frozenset(("seq", "at", "kind", "open", "digest", "hash", "body", "salt"))
"""The fields of an event that are looked into."""
OUTSIDE = ("by", "roll", "visibility")
"""Fields of an event for everybody that are in its body too."""
SEARCHED = 4
"""How many events that were taken out or put in are looked for where the chain is broken."""


class LogRow(NamedTuple):
    """An event of a log that has the form of one."""

    seq: int
    at: int
    kind: str
    open: JsonObject
    body: JsonObject | None
    """None where the event is withheld."""
    salt: str
    digest: str
    hash: str
    texts: JsonObject


def is_hash(value: object) -> TypeGuard[str]:
    """Whether this is a hash as we write it: 64 small hexadecimal digits."""
    return isinstance(value, str) and HASH.fullmatch(value) is not None


def fields(value: object) -> JsonObject:
    """The fields of what should have some; none of anything else."""
    return value if isinstance(value, dict) else {}


def unknown_parts(log: JsonObject) -> list[Json]:
    """Return what stands in a log and is no part of it; texts, of which a part is none, as well."""
    beside = [held for name, held in log.items() if name != "events"]
    for event in log["events"] if isinstance(log["events"], list) else ():
        if isinstance(event, dict):
            beside += [held for name, held in event.items() if name not in READ]
        else:
            beside.append(event)
    return beside


def is_deep(values: list[Json], most: int) -> bool:
    """Whether anything lies deeper than so much in some of these values."""
    level = [one for one in values if isinstance(one, (dict, list))]
    for _ in range(most):
        if not level:
            return False
        parts = [part for one in level for part in (one.values() if type(one) is dict else one)]
        level = [one for one in parts if isinstance(one, (dict, list))]
    return bool(level)


def rows_of(events: list[Json], findings: Findings) -> list[LogRow]:
    """The events that have the form of one, in the order of their numbers."""
    rows = []
    for place, event in enumerate(events, start=1):
        row = _row(event)
        if isinstance(row, LogRow):
            rows.append(row)
        else:
            findings.problem(place, "malformed event", row)
    return _in_order(rows, len(events) - len(rows), findings)


def _row(event: Json) -> LogRow | Message | str:
    """An event that has the form of one, or what keeps it from having it."""
    if not isinstance(event, dict):
        return msg("verify.row.none")
    seq, at, kind, body = event.get("seq"), event.get("at"), event.get("kind"), event.get("body")
    digest, hash_, salt = event.get("digest"), event.get("hash"), event.get("salt", "")
    open_, texts = event.get("open"), event.get("texts", {})
    if type(seq) is not int or not 0 <= seq < 2**53:
        return msg("verify.row.number", field="seq")
    if type(at) is not int or not 0 <= at < 2**53:
        return msg("verify.row.number", field="at")
    if not isinstance(kind, str) or not 0 < len(kind) <= LONGEST_KIND:
        return msg("verify.row.kind")
    if not is_hash(digest) or not is_hash(hash_):
        return msg("verify.row.hash", field="hash" if is_hash(digest) else "digest")
    if not isinstance(open_, dict):
        return msg("verify.row.fields", field="open")
    if not isinstance(texts, dict):
        return msg("verify.row.texts")
    if body is not None and not isinstance(body, dict):
        return msg("verify.row.fields", field="body")
    if body is not None and not is_hash(salt):
        return msg("verify.row.salt")
    try:
        check_jsonable([kind, open_, body], DEEPEST)
    except BadValue as problem:
        return problem.wording
    return LogRow(seq, at, kind, open_, body, str(salt), digest, hash_, texts)


def _in_order(rows: list[LogRow], broken: int, findings: Findings) -> list[LogRow]:
    """Return the events by number, noting what is missing, doubled or in another order."""
    ordered = sorted(rows, key=lambda row: row.seq)
    if [row.seq for row in rows] != [row.seq for row in ordered]:
        moved = next(row for row, right in zip(rows, ordered, strict=True) if row is not right)
        findings.problem(moved.seq, "wrong order", msg("verify.order"))
    known: list[LogRow] = []
    before = 0
    for row in ordered:
        if row.seq == before:
            findings.problem(row.seq, "repeated event", msg("verify.twice"))
            continue
        if row.seq > before + 1 + broken:
            findings.problem(before + 1, "dropped event", _missing(before + 1, row.seq - 1))
        broken = 0 if row.seq > before + 1 else broken
        before = row.seq
        known.append(row)
    return known


def _missing(first: int, last: int) -> Message:
    if first == last:
        return msg("verify.missing", seq=str(first))
    return msg("verify.missing.range", first=str(first), last=str(last))


class ChainChecker:
    """The chain of hashes, followed from event to event."""

    def __init__(self, table: str, findings: Findings) -> None:
        self._findings = findings
        self._before: tuple[str, ...] = (first_hash(table),)
        self._seq = 0
        self._shift = 0
        self._is_broken = False

    def follow(self, row: LogRow, after: LogRow | None) -> None:
        """Check that an event is chained to the one before it."""
        computed = [self._hash(row, before, self._shift) for before in self._before]
        if row.hash in computed:
            self._is_broken = False
        elif row.seq == self._seq + 1:  # behind a gap, only what follows can be checked
            self._report(row, after)
        self._before = (row.hash, *computed[:1])
        self._seq = row.seq

    def _hash(self, row: LogRow, before: str, shift: int) -> str:
        return chain_hash(before, row.seq + shift, row.at, row.kind, row.open, row.digest)

    def _report(self, row: LogRow, after: LogRow | None) -> None:
        if self._fits_elsewhere(row):
            return
        if after is not None and row.hash == self._hash(row, after.hash, after.seq - row.seq):
            say = msg("verify.chained", seq=str(after.seq))
            self._findings.problem(row.seq, "wrong order", say)
        elif not self._is_broken:
            self._findings.problem(row.seq, "broken chain", msg("verify.unchained"))
        self._is_broken = True

    def _fits_elsewhere(self, row: LogRow) -> bool:
        """Whether the event fits if it once had another number: then events came or went."""
        for shift in range(self._shift - SEARCHED, self._shift + SEARCHED + 1):
            if shift != self._shift and row.hash == self._hash(row, self._before[0], shift):
                went = shift > self._shift
                what = "dropped event" if went else "forged event"
                say = msg("verify.taken_out" if went else "verify.put_in")
                self._findings.problem(row.seq - 1, what, say)
                self._shift = shift
                self._is_broken = False
                return True
        return False


def check_body(row: LogRow, findings: Findings) -> None:
    """Check that a body that is shown is the one that was chained, and its texts those sealed."""
    if row.body is None:
        findings.count("withheld events")
        return
    if digest_of(row.salt, row.body) != row.digest:
        findings.problem(row.seq, "altered event", msg("verify.digest"))
    if contradicts(row.open, row.body):
        findings.problem(row.seq, "altered event", msg("verify.outside"))
    left = dict(row.texts)
    for ref, seals in sealed_in(row.body).items():
        text = left.pop(ref, None)
        if text is None:
            findings.count("erased texts")
        elif all(_opens(text, seal) for seal in seals):
            findings.count("texts")
        else:
            findings.problem(row.seq, "altered text", msg("verify.seal", text=ref))
    if left:
        say = msg("verify.unsealed", text=repr(min(left)[:40]))
        findings.problem(row.seq, "unsealed text", say)


def contradicts(shown: JsonObject, body: JsonObject) -> bool:
    """Whether what everybody may see of an event says otherwise than its body."""
    if any(shown[name] != body[name] for name in OUTSIDE if name in shown and name in body):
        return True
    after, inside = shown.get("after"), body.get("after")
    asked = fields(shown.get("witness")).get("seat")
    if isinstance(inside, dict) and inside.get("witness") != asked:
        return True
    if not isinstance(after, dict) or not isinstance(inside, dict):
        return False
    return any(after[name] != inside.get(name) for name in after)


def check_types(row: LogRow, findings: Findings) -> None:
    """Check that an event holds what its kind holds, where nothing else is wrong with it."""
    if place := misfit(PublicPart, row.open):
        findings.problem(row.seq, "malformed event", msg("verify.misfit", place=f"open.{place}"))
    if row.body is None:
        return
    kind = EVENTS.get(str(row.body.get("kind"))) if row.kind == SEALED else EVENTS.get(row.kind)
    if kind is not None and (place := misfit(kind, row.body)):
        findings.problem(row.seq, "malformed event", msg("verify.misfit", place=place))


def misfit(kind: type, plain: JsonObject) -> str:
    """Return the place at which data does not fit its type; empty if all that is there fits."""
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
        fits = any(value == one and type(value) is type(one) for one in about.choices)
        return "" if fits else place
    known = _PLAIN.get(about.kind)
    return place if known is not None and type(value) is not known else ""


_PLAIN = {"text": str, "int": int, "bool": bool}


def sealed_in(value: object) -> dict[str, list[Json]]:
    """Return every sealed text that a body refers to, with the seals beside its name."""
    found: dict[str, list[Json]] = {}
    for _, ref, seal in sealed_fields(value):
        found.setdefault(ref, []).append(seal)
    return found


def sealed_fields(value: object, field: str = "") -> Iterator[tuple[str, str, Json]]:
    """Yield the sealed texts in a body: the field that holds one, its name and its seal."""
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
