"""A log from elsewhere as the beginning of a table here: checked first, secrets kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from re import compile as pattern
from typing import Any, Literal, NamedTuple

from rollwright import __version__
from rollwright.errors import BadField, UnknownName
from rollwright.i18n.messages import Message
from rollwright.jsonable import Json
from rollwright.kit.bodies import Body as FieldsOf
from rollwright.kit.bodies import Data, Object, Text
from rollwright.kit.checks import checked, format_value
from rollwright.kit.fields import field, fields_within
from rollwright.kit.games import find_game
from rollwright.kit.shared import TABLE
from rollwright.table import schemas
from rollwright.table.commands.context import Ids, command_field_error
from rollwright.table.commands.seats import house_rules_of
from rollwright.table.errors import CodedError, as_field_errors, command_error, cut
from rollwright.table.events import (
    REFEREE,
    REMOVED,
    TABLE_ID,
    ErasableText,
    Event,
    EventDraft,
    kind_of,
)
from rollwright.table.fairness import TABLE_LANE, handover_commitment, handover_of, slot_at
from rollwright.table.limits import LIMITS, TableLimits
from rollwright.table.mentions import check_name
from rollwright.table.reducer import text_of
from rollwright.table.rolls import EVERYBODY
from rollwright.table.schemas import Colour, DiceSet, Role, Symbol
from rollwright.table.sheets import Sheet, values_to_json
from rollwright.table.state import TableState
from rollwright.table.verify.chain import is_hash, sealed_fields
from rollwright.table.verify.log import verify_log
from rollwright.table.verify.permissions import AudienceFinder
from rollwright.table.visibility import snapshot, view_event


class LogImport(NamedTuple):
    """A log that can be gone on with here."""

    table: str
    events: tuple[Event, ...]
    devices: tuple[str, ...]
    """The devices that sign calls."""

    @property
    def handovers(self) -> tuple[str, ...]:
        """Every commitment to a handover in the log; the last one counts."""
        founding = ("table.created", "table.imported")
        found = [event.body for event in self.events if event.kind in founding]
        return tuple(str(body.get("handover", "")) for body in found)

    def rebase_event(self, secret: bytes, by: str) -> EventDraft:
        """The event to be written next: this host's commitments, and the referee who came."""
        return rebase(self.events[-1].seq, secret, self.devices, by=by)


def another_device(state: TableState, seat: str, key: str, secret: bytes) -> EventDraft:
    """Seat a device of the referee who brought the log: nobody signed it in, and the check says so.

    The page of another host has none of the keys that it had at the first.
    """
    name = f"d{len(state.devices) + 1}"
    keep_old = len(state.devices_of(seat)) < LIMITS.tokens
    body = schemas.SeatMovedEvent(
        by=seat, seat=seat, keep_old=keep_old, device={"id": name, "key": key}
    )
    return EventDraft("seat.moved", body, open={"slots": {name: slot_at(secret, name, 1)}})


def rebase(from_seq: int, secret: bytes, devices: Iterable[str], *, by: str = "") -> EventDraft:
    """The event from which on a table has other slots: it came from elsewhere, or from a copy.

    `by` is the referee who brought it; a copy is made by the host, and by nobody at the table.
    """
    body: schemas.TableImportedEvent = {
        "from_seq": from_seq,
        "rollwright": __version__,
        "by": by,
        "handover": handover_commitment(handover_of(secret)),
    }
    if not by:
        body["copy"] = True
    slots = {lane: slot_at(secret, lane, 1) for lane in (TABLE_LANE, *devices)}
    return EventDraft("table.imported", body, open={"slots": slots})


def import_log(plain: Any, *, stop: Callable[[], bool] | None = None) -> LogImport:
    """The events behind a log, to be stored as they are; refused if anything is wrong with it.

    What the log withholds stays withheld, from everybody. Whatever was secret in it is seen by
    no more people than before. Follow it with `rebased(…)`: the old host's keys are not here.
    Whether somebody may go on with the table is another question: see `check_handover`.
    """
    report = verify_log(plain, stop=stop)
    if not report.ok:
        raise command_error("bad_request", "table.log.false", problem=report.problems[0].sentence)
    events = _check_whole(plain["events"], AudienceFinder(report.seen_by))
    state = check_bounds(report.table, events)
    devices = [device.id for device in state.devices.values() if not device.is_gone]
    return LogImport(report.table, events, tuple(devices))


def check_handover(plain: Mapping[str, Json], imported: LogImport) -> None:
    """Refuse a copy that is no referee's: it lacks what its host gave to referees alone.

    The one who continues a table becomes its referee, under the id and the log that people know.
    """
    given = plain.get("handover")
    if is_hash(given) and handover_commitment(bytes.fromhex(given)) == imported.handovers[-1]:
        return
    raise command_error("forbidden", "table.log.handover", "handover")


def _event(plain: schemas.EventView, audiences: AudienceFinder) -> Event:
    body = plain.get("body")
    return Event(
        seq=plain["seq"],
        at=plain["at"],
        kind=plain["kind"],
        open=plain["open"],
        body=body or {},
        salt=plain["salt"] if body is not None else "",
        digest=plain["digest"],
        hash=plain["hash"],
        audience=audiences.of(plain["kind"], plain["open"], body),
        texts={} if body is None else _texts(plain, body),
    )


def _texts(plain: schemas.EventView, body: Mapping[str, Any]) -> dict[str, ErasableText]:
    """The sealed texts of an event, each with the seat that it is of."""
    name = body.get("name")
    of_seat = name["text"] if isinstance(name, dict) and "seat" in body else ""
    return {
        ref: ErasableText(str(body["seat"] if ref == of_seat else body.get("by", "")), **held)
        for ref, held in (plain.get("texts") or {}).items()
    }


def _check_whole(listed: list[schemas.EventView], audiences: AudienceFinder) -> tuple[Event, ...]:
    """The events, refused if so much is held back that nobody can go on with them."""
    try:
        events = tuple(_event(event, audiences) for event in listed)
        state = TableState.of(events)
        for seat in (None, *state.seats.values()):
            snapshot(state, seat, events[-1:], events)
        for event in events:
            view_event(event, None, state)
    except Exception as problem:  # what is missing shows wherever the table needs it
        why = Message("table.log.refers", {"problem": type(problem).__name__})
        raise command_error("bad_request", "table.log.withholds", why=why) from None
    for event in events:
        if not event.body and event.open.get("roll") in state.going:
            why = Message("table.log.open", {"roll": event.open["roll"], "seq": str(event.seq)})
            raise command_error("bad_request", "table.log.withholds", why=why)
    return events


ID = pattern("s[1-9][0-9]{0,8}|[nra]0?[1-9][0-9]{0,8}")
"""The id of a seat, a sheet, a roll or an ask; a secret one has a 0 in front of its number."""
NAMED = ("seat", "sheet", "roll", "ask", "again")
"""Fields of a body that hold an id."""
LONGEST_WORD, LONGEST_WAY, LONGEST_SAID = 60, 200, 50_000
"""Characters of a word and of a goal or a way to decide; bytes of what is said of a roll."""
MOST_AWAY = 100

TEXTS = ("name", "title", "text", "note", "why")
"""Fields of a body that hold sealed texts."""


NAMING = ("seat.joined", "seat.renamed")
"""Kinds of events by which somebody is called so."""


class TypedFields(FieldsOf):
    """Fields of events, as far as they hold what somebody made up."""

    name: Text = field(help="", most="name")
    title: Text = field(help="", most="title", empty=True)
    text: Text = field(help="", most="said", lines=True)
    note: Text = field(help="", most="note", empty=True, lines=True)
    why: Text = field(help="", most="note", empty=True, lines=True)
    game: Text = field(help="", most=LONGEST_WORD, empty=True)
    knock: bool = field(help="")
    lists: Data = field(help="", most="lists")
    dialect: Text = field(help="", most=LONGEST_WORD, empty=True)
    house: Object = field(help="", most="house")
    role: Role = field(help="")
    colour: Colour = field(help="")
    symbol: Symbol = field(help="")
    dice: DiceSet = field(help="")
    status: Literal["here", "knocking"] = field(help="")
    version: Text = field(help="", most=LONGEST_WORD, empty=True)
    goal: Text = field(help="", most=LONGEST_WAY, empty=True)
    policy: Text = field(help="", most=LONGEST_WAY, empty=True)
    away: Ids = field(help="", most=MOST_AWAY)
    said: Data = field(help="", most=LONGEST_SAID)
    marks: Data = field(help="", most="whole_request")
    expression: Text = field(help="", most="expression")
    what: Object = field(help="", most="whole_request")
    draft: Object = field(help="", most="request")
    roles: Object = field(help="", most="request")
    roll: Object = field(help="", most="request")
    values: Object = field(help="", most="sheet")


def check_bounds(table: str, events: Iterable[Event], limits: TableLimits = LIMITS) -> TableState:
    """The table that the events lead to; refused where one of them is beyond what is let in here.

    The refusal says which event it is, and what of it.
    """
    if not TABLE_ID.fullmatch(table):
        raise CodedError("bad_field", f"table: {format_value(table)} is no id of a table", "table")
    bounds = BoundsChecker(limits)
    for event in events:
        with _in_event(event.seq):
            bounds.check(event)
    bounds.finish()
    return bounds.state


class BoundsChecker:
    """The bounds of a table here, held against a log event by event."""

    def __init__(self, limits: TableLimits) -> None:
        self.state = TableState()
        self._limits = limits
        self._fields = fields_within(TypedFields, limits)
        self._kinds: dict[str, Callable[[Any], None]] = {
            "table.created": self._check_table,
            "table.changed": self._check_table,
            "seat.joined": self._check_join,
            "seat.role_changed": self._check_role,
            "seat.styled": self._check_style,
            "link.changed": self._check_role,
            "roll.started": self._check_start,
            "roll.thrown": self._check_throw,
            "roll_request.created": self._check_request,
        }

    def check(self, event: Event) -> None:
        """Check an event, and go on by it."""
        kind, body = kind_of(event), event.body
        if body:
            self._check_ids(body)
            self._check_texts(event)
            self._check_name(kind, event)
            if check := self._kinds.get(kind):
                check(body)
        self.state.apply(event)
        if body and kind in ("sheet.created", "sheet.changed"):
            self._check_sheet(self.state.sheets.get(body["sheet"]))

    def finish(self) -> None:
        """Check what the table is in the end."""
        going = self.state.going.values()
        for seat in {roll.by for roll in going}:
            mine = sum(roll.by == seat for roll in going)
            _count(f"open rolls of {seat}", mine, self._limits.open_rolls_each)
        for sheet in self.state.sheets.values():
            if not sheet.removed:
                self._check_values(sheet)

    def _check_ids(self, body: Mapping[str, object]) -> None:
        for name in NAMED:
            named = body.get(name)
            if isinstance(named, str) and named and (name, named) != ("sheet", TABLE):
                _check_id(name, named)
        if body.get("by"):
            _check_id("by", body["by"])

    def _check_texts(self, event: Event) -> None:
        """Every text is one of a field that has texts, and no longer than there."""
        fields = {ref: field for field, ref, _ in sealed_fields(event.body)}
        for ref, sealed in event.texts.items():
            if fields.get(ref) not in TEXTS or len(ref) > LONGEST_WORD:
                raise CodedError("bad_field", f"there is no field for the text {format_value(ref)}")
            self._check_field(fields[ref], sealed.text)

    def _check_name(self, kind: str, event: Event) -> None:
        """A name is seen, and nobody else's who is here then; one that was erased is nobody's."""
        name = text_of(event, event.body["name"]) if kind in NAMING else None
        if name is not None:
            check_name(name.text, event.body["seat"], self.state.seats.values())

    def _check_field(self, field: str, came: object) -> None:
        try:
            checked(self._fields[field], came)
        except BadField as problem:
            raise command_field_error(problem) from None

    def _check_fields(self, body: Mapping[str, object], *fields: str) -> None:
        for name in fields:
            self._check_field(name, body.get(name))

    def _check_role(self, body: schemas.LinkChangedEvent) -> None:
        self._check_fields(body, "role")

    def _check_style(self, body: schemas.SeatStyledEvent) -> None:
        self._check_fields(body["look"], "colour", "symbol", "dice")

    def _check_table(self, body: schemas.TableChangedEvent) -> None:
        self._check_fields(
            body, *(name for name in ("game", "knock", "lists", "house", "dialect") if name in body)
        )
        if "house" in body:
            game = str(body.get("game", self.state.game))
            if _is_here(game):
                house_rules_of(game, body["house"])

    def _check_join(self, body: schemas.SeatJoinedEvent) -> None:
        self._check_fields(body, "role", "status")
        if body["seat"] != f"s{len(self.state.seats) + 1}":
            raise CodedError(
                "bad_field", f"seat: {format_value(body['seat'])} is not the next one", "seat"
            )
        here = [seat for seat in self.state.seats.values() if seat.status != REMOVED]
        _count("seats", len(here) + 1, self._limits.seats)

    def _check_start(self, body: schemas.RollStartedEvent) -> None:
        if "expression" in body["what"]:
            self._check_field("expression", body["what"]["expression"])
        self._check_fields(body, "version", "what", "roles", "goal")
        self._check_field("said", body["title"])
        for name in ("draft", "policy", "away", "marks"):
            if body.get(name) is not None:
                self._check_fields(body, name)

    def _check_throw(self, body: schemas.RollThrownEvent) -> None:
        self._check_field("said", [body.get(name) for name in ("whose", "label")])

    def _check_request(self, body: schemas.RequestCreatedEvent) -> None:
        self._check_fields(body, "roll")
        who = body["who"]
        for seat in () if who == EVERYBODY else who:
            _check_id("who", seat)
        _count("asks", len(self.state.asks) + 1, self._limits.asks)

    def _check_sheet(self, sheet: Sheet | None) -> None:
        """A sheet as it is now; by the rules of another version only its size can be judged."""
        if sheet is None:
            return
        if sheet.owner not in (REFEREE, TABLE):
            _check_id("owner", sheet.owner)
        lying = [one for one in self.state.sheets.values() if not one.removed]
        _count("sheets", len(lying), self._limits.sheets)
        self._check_field("values", sheet.values)
        self._check_field("version", sheet.version)
        if not self.state.game or self._is_of_our_version(sheet):
            self._check_values(sheet)

    def _is_of_our_version(self, sheet: Sheet) -> bool:
        game = self.state.game
        return _is_here(game) and find_game(game).sheet_version == sheet.version

    def _check_values(self, sheet: Sheet) -> None:
        if self.state.game and not _is_here(self.state.game):
            return
        with as_field_errors(f"sheet {sheet.id}"):
            values_to_json(self.state, sheet.id, sheet.values)


@contextmanager
def _in_event(seq: int) -> Iterator[None]:
    """Say of a refusal in which event it is; what has no sense at all is one too."""
    try:
        yield
    except CodedError as problem:
        say = Message("table.log.event", {"seq": str(seq), "problem": cut(problem)})
        raise CodedError(problem.code, say, problem.field) from None
    except Exception as problem:
        why = f"event {seq} is none that is written here ({type(problem).__name__})"
        raise CodedError("bad_request", why) from None


def _check_id(field: str, came: object) -> None:
    if not isinstance(came, str) or not ID.fullmatch(came):
        raise CodedError("bad_field", f"{field}: {format_value(came)} is no id, such as s1", field)


def _count(what: str, count: int, most: int) -> None:
    if count > most:
        raise CodedError("too_many", f"{count:,} {what} came, at most {most:,} would do")


def _is_here(game: str) -> bool:
    try:
        return bool(game) and bool(find_game(game))
    except UnknownName:
        return False
