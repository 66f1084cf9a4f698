"""Check a log: completely, without the host and offline."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rollwright.engine.transcript import unknown_format
from rollwright.plain import Json
from rollwright.table.events import FORMAT, SEALED, true_kind
from rollwright.table.fairness import SPOKEN_BITS, heard
from rollwright.table.schemas import EVENTS
from rollwright.table.verify.asks import Asks
from rollwright.table.verify.calls import Calls
from rollwright.table.verify.chain import (
    MOST_EVENTS,
    MOST_NESTED,
    Chain,
    Row,
    check_body,
    check_types,
    fields,
    is_deep,
    rows_of,
    unread,
)
from rollwright.table.verify.effects import Effects, Sheets
from rollwright.table.verify.entries import Told
from rollwright.table.verify.people import MARKED, People, SoFar
from rollwright.table.verify.report import Findings, Problem, Report
from rollwright.table.verify.rolls import Later, Rolls
from rollwright.table.verify.throws import Throws
from rollwright.words.messages import Message, said

__all__ = ["Problem", "Report", "verify_log"]

NOT_A_LOG = ("not a log", said("verify.no_log"))
SECRET = ("roll.", "ask.", "sheet.", "said")
"""The kinds of events that others may not know of."""
ENDING = ("roll.started", "roll.thrown", "roll.chosen")
"""The kinds of events by which a roll may end with an outcome."""
SHORTEST_HEAD = SPOKEN_BITS // 4
LONGEST_ID = 64


def verify_log(plain: object, *, head: str = "", stop: Callable[[], bool] | None = None) -> Report:
    """Check a log as somebody sees it; never raises, whatever it is given.

    `head` is the hash of an event that somebody noted earlier, at least its first 32 digits, or
    the eight words for it: a log that was shortened or rewritten since then does not have it.
    `stop` is asked before each event; once it says yes, the rest is left unchecked, and the
    report says so.

    >>> print(*verify_log({"format": 2}).said(), sep="\\n")
    Not true. 1 problem:
    the log: unknown format: format 2 is older than any release, and is read no more; only 3 is
    """
    findings = Findings()
    log = fields(plain)
    wrong = _not_a_log(plain)
    table, events = log.get("table"), log.get("events")
    if wrong is not None or not isinstance(table, str) or not isinstance(events, list):
        findings.problem(None, *(wrong or NOT_A_LOG))
        return findings.report("", "", "")
    rows = rows_of(events, findings)
    findings.count("events", len(rows))
    _check_head(rows, head, findings)
    seen_by = _seen_by(log)
    Checking(rows, SoFar(table, rows, seen_by), findings, stop).run()
    last = rows[-1].hash if rows else ""
    return findings.report(table, seen_by, last)


def _not_a_log(plain: object) -> tuple[str, Message] | None:
    if not isinstance(plain, dict):
        return NOT_A_LOG
    if type(plain.get("format")) is not int or plain["format"] != FORMAT:
        return "unknown format", unknown_format(plain.get("format"), FORMAT)
    table = plain.get("table")
    if not isinstance(table, str) or not 0 < len(table) <= LONGEST_ID or not table.isascii():
        return "not a log", said("verify.no_table")
    events = plain.get("events")
    if not isinstance(events, list) or not events:
        return "not a log", said("verify.no_events")
    if len(events) > MOST_EVENTS:
        return "too large", said("verify.too_many", n=len(events), most=MOST_EVENTS)
    if is_deep(unread(plain), MOST_NESTED):
        return "not a log", said("verify.deep", most=MOST_NESTED)
    return None


def _seen_by(plain: Mapping[str, Json]) -> str:
    who = plain.get("for")
    return who[:LONGEST_ID] if isinstance(who, str) else ""


def _check_head(rows: list[Row], head: str, findings: Findings) -> None:
    """Whether the hash that somebody noted is that of an event here."""
    noted = heard(head) or head.strip().lower()
    if not noted:
        return
    if len(noted) < SHORTEST_HEAD:
        say = said("verify.head.short", least=SHORTEST_HEAD, n=len(noted))
        findings.problem(None, "missing head", say)
    elif not any(row.hash.startswith(noted) for row in rows):
        findings.problem(None, "missing head", said("verify.head.none"))


class Checking:
    """A check under way, event by event."""

    def __init__(
        self, rows: list[Row], so_far: SoFar, findings: Findings, stop: Callable[[], bool] | None
    ) -> None:
        self._table = so_far.state.table
        self._rows = rows
        self._so_far = so_far
        self._findings = findings
        self._stop = stop
        self._time = 0
        self._calls = Calls(self._table, rows, findings, so_far)
        self._throws = Throws(self._calls, findings)
        self._people = People(findings, so_far)
        self._asks = Asks(findings, so_far)
        self._sheets = Sheets(findings, so_far)
        self._rolls = Rolls(findings, self._throws, self._people, _later(rows))
        self._effects = Effects(findings, so_far, self._rolls.found)

    def run(self) -> None:
        """Check everything, from the first event to the last."""
        chain = Chain(self._table, self._findings)
        seq = 0
        for place, row in enumerate(self._rows):
            after = self._rows[place + 1] if place + 1 < len(self._rows) else None
            if self._stop is not None and self._stop():
                say = said("verify.no_time", seq=str(row.seq))
                self._findings.problem(None, "too large", say)
                break
            self._check_gap(row.seq - seq - 1)
            seq = row.seq
            chain.follow(row, after)
            check_body(row, self._findings)
            self._check_time(row)
            try:
                self._check(row)
            except Exception as problem:  # a log may hold anything, and a game may do anything
                say = said("verify.senseless", problem=type(problem).__name__)
                self._findings.problem(row.seq, "malformed event", say)
                self._so_far.is_whole = False
            check_types(row, self._findings)
        else:
            self._effects.finish()
            self._rolls.check_cut(self._calls.end())
        self._rolls.finish()
        self._calls.finish()

    def _check_gap(self, events: int) -> None:
        """Let nobody take what follows from missing events for a thing of its own."""
        if events:
            self._rolls.miss(events)
            self._calls.miss(events)
            self._so_far.is_whole = False

    def _check_time(self, row: Row) -> None:
        if row.at < self._time:
            self._findings.problem(row.seq, "wrong order", said("verify.time"))
        self._time = max(row.at, self._time)

    def _check(self, row: Row) -> None:
        kind = true_kind(row.kind, row.body)
        self._rolls.check_cut(self._calls.begin(row))
        self._effects.meet(row, kind)
        if row.body is None:
            self._withhold(row)
        else:
            self._check_shown(Told(row, kind, row.body))

    def _check_shown(self, told: Told) -> None:
        row, kind, body = told
        if kind not in EVENTS:
            self._findings.count("unknown events")
        elif row.kind == SEALED and not kind.startswith(SECRET):
            self._findings.problem(row.seq, "forged event", said("verify.sealed"))
        follows = self._calls.leads_to(row, body) or self._calls.is_let_go(*told)
        self._people.check(row, kind, body, follows=follows)
        self._calls.check(row, kind, body)
        self._asks.check(row, kind, body)
        if self._check_beginning(row, kind) and kind == "table.created":
            self._create(row, body)
        if kind.startswith("sheet."):
            self._sheets.check_openness(row, kind, body)
        if kind.startswith("roll."):
            self._check_roll(told)
        elif kind == "sheet.changed":
            self._sheets.follow(row, body)
        elif kind.startswith("witness."):
            self._check_witness(row, kind, body)
        elif kind == "table.imported":
            self._import(row, body)
        self._effects.follow(told)
        self._so_far.follow(row)
        if kind in ENDING and fields(told.after).get("step") == "done":
            self._effects.end(told)

    def _check_witness(self, row: Row, kind: str, body: Mapping[str, Json]) -> None:
        witnesses = self._calls.witnesses
        if kind == "witness.offered":
            witnesses.offer(row, str(body.get("by")), body.get("commitments"))
        elif kind == "witness.opened":
            self._calls.resume(self._calls.found(witnesses.open(row, body)), row)
        elif kind == "witness.silent":
            self._calls.resume(self._calls.found(witnesses.pass_over(row, body)), row)

    def _check_roll(self, told: Told) -> None:
        if told.kind == "roll.refused":
            self._findings.count("calls refused")
            return
        self._rolls.follow(told)
        if told.kind == "roll.started" and self._rolls.can_replay(told.body.get("roll")):
            self._sheets.check_start(told.row, told.body)
            self._sheets.check_call(told.row, told.body)

    def _withhold(self, row: Row) -> None:
        """Take note of an event whose body is not shown: commitments are shown all the same."""
        if not self._so_far.may_withhold(row):
            is_own = row.kind.startswith("roll.") and MARKED in row.open
            say = said("verify.withheld.own") if is_own else said("verify.withheld")
            self._findings.problem(row.seq, "withheld event", say)
        self._check_beginning(row, row.kind)
        self._findings.count("outside events", int(self._so_far.is_outside))
        is_refused = row.kind == "roll.refused" and "by" in row.open
        self._findings.count("calls refused", int(is_refused))
        self._calls.withhold(row)
        self._calls.witnesses.withhold(row)
        self._rolls.withhold(row)
        self._so_far.follow(row)

    def _check_beginning(self, row: Row, kind: str) -> bool:
        """Whether the table is created by its first event and no other, be it shown or not."""
        if (kind == "table.created") is (row.seq == 1):
            return True
        self._findings.problem(row.seq, "wrong order", said("verify.founding"))
        return False

    def _create(self, row: Row, body: Mapping[str, Json]) -> None:
        if body.get("table") != self._table:
            say = said("verify.table", came=str(body.get("table"))[:20], table=self._table)
            self._findings.problem(row.seq, "altered event", say)

    def _import(self, row: Row, body: Mapping[str, Json]) -> None:
        """From here on another host goes on, with keys of its own."""
        if body.get("from_seq") != row.seq - 1:
            told = str(body.get("from_seq"))[:20]
            say = said("verify.events.before", n=row.seq - 1, told=told)
            self._findings.problem(row.seq, "dropped event", say)
        self._findings.count("imports")
        self._throws.lapse()


def _later(rows: list[Row]) -> Later:
    later = Later()
    for row in rows:
        if row.body is not None:
            later.note(row.seq, true_kind(row.kind, row.body), row.body)
    return later
