"""Checks of people: everyone who acts has joined the table, and is allowed to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from re import compile as pattern
from typing import Any

from rollwright.engine.replay import Done
from rollwright.engine.steps import Choice, ThrowStep
from rollwright.errors import UnknownName
from rollwright.i18n.messages import Message, msg
from rollwright.jsonable import Json
from rollwright.kit.games import Game, find_game
from rollwright.kit.shared import TABLE
from rollwright.table.effects import may_decide_effects
from rollwright.table.events import (
    BLIND,
    HERE,
    HIDDEN,
    KNOCKING,
    OPEN,
    PRIVATE,
    REFEREE,
    REMOVED,
    SEALED,
    SPECTATOR,
    VISIBILITIES,
    Audience,
    ErasableText,
    Event,
    Seat,
    audience_of,
    true_kind,
)
from rollwright.table.rolls import EVERYBODY, TableRoll, owner_of, player_of
from rollwright.table.sheets import Sheet, forbidden_field
from rollwright.table.state import TableState
from rollwright.table.verify.chain import LogRow
from rollwright.table.verify.report import Findings

NOBODY: tuple[str, ...] = ()


class AudienceFinder:
    """The audiences of a log's events, found one after the other."""

    def __init__(self, seen_by: str) -> None:
        self._owner = (seen_by,)
        """The owner of the copy: the only one who surely may see all that it shows."""
        self._rolls: dict[str, TableRoll] = {}
        self._hidden_sheets: set[str] = set()
        self._asks: dict[str, Audience] = {}

    def of(self, kind: str, open: Mapping[str, object], body: Mapping[str, Any] | None) -> Audience:
        """Who may see an event; None for everybody."""
        if body is None:
            return NOBODY
        is_sealed, kind = kind == SEALED, true_kind(kind, body)
        if kind.startswith("roll.") or kind == "roll_request.answered":
            found = self._of_roll(kind, open, body, is_sealed)
        elif kind.startswith("sheet."):
            found = self._of_sheet(kind, body)
        elif kind == "chat.sent":
            found = None if body["to"] == EVERYBODY else (*body["to"], body["by"])
        elif kind == "roll_request.created":
            found = self._asks[body["ask"]] = self._of_ask(body)
        elif kind == "roll_request.closed":
            found = self._asks.get(body["ask"], self._owner)
        else:
            found = None
        return self._owner if found is None and is_sealed else found

    def _of_roll(
        self, kind: str, open: Mapping[str, object], body: Mapping[str, Any], is_sealed: bool
    ) -> Audience:
        if kind == "roll.started":
            visibility = body["visibility"] if body["visibility"] in VISIBILITIES else "hidden"
            audience = audience_of(visibility, body["by"])
            self._rolls[body["roll"]] = TableRoll(
                id=body["roll"], by=body["by"], what={}, version="", audience=audience
            )
            return audience
        if kind == "roll.refused" and "roll" not in body:
            return self._of_refusal(open, body, is_sealed)
        roll = self._rolls.get(body["roll"])
        if roll is None:
            return self._owner if open else None
        if kind == "roll.revealed":
            roll.revealed = True
            return None
        if kind == "roll.thrown" and roll.seers is None and "roll" in open:
            return self._owner  # the rule hides this throw from the others
        if kind == "roll_request.answered":
            return roll.seers if is_sealed else None
        return roll.seers

    def _of_refusal(
        self, open: Mapping[str, object], body: Mapping[str, Any], is_sealed: bool
    ) -> Audience:
        """Who may see a call that was refused: those who would have seen the roll."""
        if not is_sealed and "by" not in open:
            return None
        command = body["call"].get("command", {})
        visibility = command.get("visibility") if isinstance(command, dict) else None
        secret = visibility if visibility in VISIBILITIES and visibility != OPEN else "hidden"
        return audience_of(str(secret), body["by"])

    def _of_sheet(self, kind: str, body: Mapping[str, Any]) -> Audience:
        """Who sees a sheet sees its changes; what a secret roll does to others' sheets waits."""
        if kind == "sheet.created" and not body["shown"]:
            self._hidden_sheets.add(body["sheet"])
        return (REFEREE,) if body["sheet"] in self._hidden_sheets else None

    def _of_ask(self, body: Mapping[str, Any]) -> Audience:
        if body["visibility"] == OPEN or body["who"] == EVERYBODY:
            return None
        return (*body["who"], body["by"], REFEREE)


REFEREES = frozenset(
    (
        "table.imported",
        "table.changed",
        "link.changed",
        "seat.admitted",
        "seat.role_changed",
        "session.ended",
        "roll_request.created",
        "roll.undone",
        "sheet.removed",
    )
)
"""Kinds of events that only a referee causes."""
OWN = frozenset(("seat.removed", "seat.renamed", "seat.styled", "seat.moved", "person.erased"))
"""Kinds of events that a seat causes for itself, also at the door, and a referee for it."""
ROLLERS = frozenset(("roll.revealed", "roll.cancelled"))
"""Kinds of events for the roller and for referees."""
EFFECT_DECISIONS = frozenset(("roll.applied", "roll.declined"))
"""Kinds of events for the owners of sheets on which effects wait, and for referees."""
BY_NOBODY = frozenset(("table.created", "table.imported", "witness.timed_out"))


def sheets_in(sheets: object) -> list[str]:
    """The sheets that an event names."""
    return [name for name in sheets if isinstance(name, str)] if isinstance(sheets, list) else []


class PermissionChecker:
    """Who may do what at a table, by the roles that seats have at that moment."""

    def __init__(self, findings: Findings, so_far: VerifierState) -> None:
        self._findings = findings
        self._so_far = so_far
        self._with: set[tuple[str, str]] = set()
        """Who has rolled with which sheet: a referee may have such a roll thrown again."""

    @property
    def former_seats(self) -> set[str]:
        """The seats that have left the table."""
        return {seat.id for seat in self._so_far.state.seats.values() if not seat.is_here}

    def check(
        self, row: LogRow, kind: str, body: Mapping[str, Json], *, follows: bool = False
    ) -> None:
        """Check that the seat that is said to have acted could do so.

        What `follows` from their call was allowed when they called: dice may have waited.
        """
        if not self._so_far.is_whole or (kind in BY_NOBODY and not self._is_taken_up(kind, body)):
            return
        is_new = kind == "seat.joined"
        wrong = (
            self._check_join(body) if is_new else self._problem_of(row, kind, body, follows=follows)
        )
        if wrong:
            self._findings.problem(row.seq, "forbidden act", wrong)
        if wrong := self._comes_to_nothing(kind, body):
            self._findings.problem(row.seq, "forged event", wrong)

    def _comes_to_nothing(self, kind: str, body: Mapping[str, Json]) -> Message | None:
        """Return what keeps somebody from coming or leaving, or a sheet from being made."""
        name, state = str(body.get("seat"))[:20], self._so_far.state
        seat = self._so_far.seat(body.get("seat"))
        if kind == "seat.admitted" and (seat is None or seat.status != KNOCKING):
            return msg("verify.came.unasked", seat=name)
        if kind == "seat.removed" and (seat is None or seat.status == REMOVED):
            return msg("verify.left.before", seat=name)
        if kind != "sheet.created":
            return None
        sheet = state.sheets.get(str(body.get("sheet")))
        is_there = sheet is not None and not sheet.removed
        return msg("verify.made.before", sheet=str(body.get("sheet"))[:20]) if is_there else None

    def _is_taken_up(self, kind: str, body: Mapping[str, Json]) -> bool:
        """Return whether somebody is said to have brought the table, and not its host a copy."""
        return kind == "table.imported" and body.get("by") != ""

    def _check_join(self, body: Mapping[str, Json]) -> Message | None:
        name = str(body.get("seat"))[:20]
        if self._so_far.seat(body.get("seat")) is not None:
            return msg("verify.came.before", seat=name)
        is_next = name == f"s{len(self._so_far.state.seats) + 1}"
        same = is_next and body.get("by") == body.get("seat")
        return None if same else msg("verify.came.other", seat=name)

    def _problem_of(
        self, row: LogRow, kind: str, body: Mapping[str, Json], *, follows: bool
    ) -> Message | None:
        by = str(body.get("by"))[:20]
        seat = self._so_far.seat(body.get("by"))
        if seat is None:
            return msg("verify.came.never", seat=by)
        if kind == "roll.started":
            return self._may_begin(row, body) or self._check_start(seat, body)
        if not seat.is_here and not follows and not self._is_knocking(seat, kind, body):
            return msg("verify.away", seat=by)
        if seat.is_referee:
            return None
        if kind in REFEREES:
            return msg("verify.no_referee", seat=by)
        if kind in OWN:
            return None if body.get("seat") == seat.id else msg("verify.other_seat", seat=by)
        if seat.role == SPECTATOR and not follows and not kind.startswith("witness."):
            return msg("table.watches", seat=by)
        if kind.startswith("roll."):
            was_theirs = follows and kind != "roll.cancelled"
            return None if was_theirs else self._check_roll(row, kind, body, seat)
        return self._check_write(kind, body, seat) if kind.startswith("sheet.") else None

    def _is_knocking(self, seat: Seat, kind: str, body: Mapping[str, Json]) -> bool:
        return seat.status == KNOCKING and kind in OWN and body.get("seat") == seat.id

    def _may_begin(self, row: LogRow, body: Mapping[str, Json]) -> Message | None:
        """Check that whoever called for a roll could play: a referee may repeat that of another."""
        call = body.get("call")
        plain = call if isinstance(call, dict) else {}
        device = self._so_far.state.devices.get(str(plain.get("device")))
        seat = self._so_far.seat(plain.get("seat") if device is None else device.seat)
        if seat is None:
            return None  # which is told of the call
        if not seat.is_here:
            return msg("verify.away", seat=seat.id)
        return msg("table.watches", seat=seat.id) if seat.role == SPECTATOR else None

    def _check_start(self, seat: Seat, body: Mapping[str, Json]) -> Message | None:
        """Check that a roll belongs to the roller, even if a referee repeats it for them."""
        sheet = self._so_far.state.sheets.get(str(body.get("sheet")))
        if sheet is None or (seat.id, sheet.id) in self._with:
            return None
        self._with.add((seat.id, sheet.id))
        if seat.is_referee or sheet.owner == seat.id:
            return None
        return msg("verify.rolled.with", seat=seat.id, owner=sheet.owner[:20])

    def _check_roll(
        self, row: LogRow, kind: str, body: Mapping[str, Json], seat: Seat
    ) -> Message | None:
        roll = self._so_far.state.rolls.get(str(body.get("roll")))
        if roll is not None and kind in EFFECT_DECISIONS:
            return self._check_decision(body, seat, roll)
        if roll is not None and kind == "roll.revealed" and roll.visibility == BLIND:
            return msg("table.roll.blind")
        if roll is None or seat.id == roll.by or kind in ("roll.waiting", "roll.refused"):
            return None
        if kind in ROLLERS:
            return msg("verify.other_roll", seat=seat.id, by=roll.by)
        after = roll.after if kind in ("roll.thrown", "roll.called") and roll.each else None
        if after is not None and after["step"] == "throw" and after["by"] == seat.id:
            return None  # their own dice: that they are is checked with the throw
        if kind == "roll.thrown" and MARKED in row.open and not roll.is_secret:
            return None  # the rule hides it: who may throw it is checked with the throw
        if kind == "roll.chosen" or seat.id in roll.authors[-1:]:
            return None  # who chooses throws what follows, and may take it back
        return msg("verify.no_part", seat=seat.id, by=roll.by)

    def _check_decision(
        self, body: Mapping[str, Json], seat: Seat, roll: TableRoll
    ) -> Message | None:
        state = self._so_far.state
        for name in sheets_in(body.get("sheets")):
            sheet = state.sheets.get(name)
            if sheet is not None and not may_decide_effects(state, seat, roll, sheet):
                return msg("verify.decided.over", seat=seat.id, owner=sheet.owner[:20])
        return None

    def _check_write(self, kind: str, body: Mapping[str, Json], seat: Seat) -> Message | None:
        name, cause = str(body.get("sheet"))[:20], body.get("cause")
        if kind == "sheet.created":
            return None if name == seat.id else msg("verify.made", seat=seat.id, sheet=name)
        if not isinstance(cause, dict) or "roll" in cause:
            return None
        if "hand" not in cause:
            back = self._takes_back(seat, cause)
            return None if back else msg("verify.no_referee", seat=seat.id)
        sheet = self._so_far.state.sheets.get(name)
        if sheet is None or sheet.owner == seat.id:
            return None
        if sheet.id == TABLE:
            return self._check_change(seat, sheet, body.get("changes"))
        return msg("verify.changed", seat=seat.id, owner=sheet.owner[:20])

    def _takes_back(self, seat: Seat, cause: Mapping[str, Json]) -> bool:
        """Whether a change goes back with the choice that somebody's own roll had ended by."""
        seq, state = cause.get("undo"), self._so_far.state
        change = state.change(seq) if type(seq) is int else None
        roll = None if change is None else state.rolls.get(change.roll)
        return roll is not None and roll.is_open and roll.by == seat.id

    def _check_change(self, seat: Seat, sheet: Sheet, changes: Json) -> Message | None:
        """Check who may change the shared sheet: everybody, but for the referees' fields."""
        fields = changes if isinstance(changes, dict) and self._so_far.game is not None else {}
        held = forbidden_field(self._so_far.state, seat, sheet, fields) if fields else ""
        return msg("table.shared.referees", field=held[:30]) if held else None

    @property
    def is_whole(self) -> bool:
        """Whether all is here that everybody may see."""
        return self._so_far.is_whole

    def plays(self, game: object) -> bool:
        """Whether a game may be that of the table."""
        state = self._so_far.state
        return not state.head or game == state.game

    def was_here(self, name: str, seen: int | None) -> bool:
        """Return whether a seat is known to have been at the table after an event, or to be now."""
        return self._so_far.is_whole and self._so_far.was_here(name, seen)

    def unshown_by(self, name: str) -> int | None:
        """Return how many more rolls of a seat nobody has heard of than the one that it shows.

        None where nothing is said of that: of a referee's, and where events are missing.
        """
        seat = self._so_far.seat(name)
        if not self._so_far.is_whole or seat is None or seat.role == REFEREE:
            return None
        return self._so_far.state.unshown.get(name, 1) - 1

    def may_choose(self, seat: object, rule_seat: str, roll: TableRoll) -> bool:
        """Whether a seat may choose in a roll for a seat of the rule."""
        found = self._so_far.seat(seat)
        if found is None:
            return not self._so_far.is_whole
        player = player_of(roll, rule_seat)
        return found.is_referee or (found.id == player and player != REFEREE)

    def may_throw(self, seat: object, whose: str, roll: TableRoll) -> bool:
        """Whether a seat may throw in a roll where people throw the dice that are theirs."""
        found = self._so_far.seat(seat)
        if found is None or not self._so_far.is_whole:
            return True
        owner, known = self.owner_of(roll, whose), self._so_far.state.rolls.get(roll.id)
        last = [owner] if owner or known is None else known.authors[-1:]  # who goes on throws
        return found.is_referee or found.id in (roll.by, *last)

    def waits_for_another(self, roll: TableRoll, whose: str, caller: str) -> bool:
        """Whether dice wait for their owner, and not for what another seat's call leads to."""
        return self._so_far.is_whole and self.owner_of(roll, whose) not in ("", caller)

    def may_throw_secretly(self, seat: object, sees: tuple[str, ...], roll: TableRoll) -> bool:
        """Whether a seat may throw dice that the rule hides: who sees them, or who went on."""
        found, known = self._so_far.seat(seat), self._so_far.state.rolls.get(roll.id)
        if found is None or known is None or not self._so_far.is_whole:
            return True
        player = player_of(roll, sees[0]) if sees else REFEREE
        return found.is_referee or found.id in (roll.by, player, *known.authors[-1:])

    def owner_of(self, roll: TableRoll, whose: str) -> str:
        """Return the seat that throws dice the rule names somebody for; empty if anyone may."""
        return owner_of(roll, whose, self._so_far.state.seats)

    def next_seats(
        self, roll: TableRoll, step: ThrowStep[object] | Choice[object] | Done, whose: str
    ) -> Json:
        """Return who goes on with a roll at a step, as its events say."""
        if isinstance(step, Choice):
            return [player_of(roll, step.by)]
        if isinstance(step, Done) or step.sees is None:
            return self.owner_of(roll, whose) or player_of(roll, roll.by)
        return player_of(roll, step.sees[0]) if step.sees else REFEREE

    def may_reopen(self, name: str) -> bool:
        """Whether what was agreed in a roll may still be taken back: no other came after it."""
        state = self._so_far.state
        return not self._so_far.is_whole or name in [roll.id for roll in state.agreed.values()]


MARKED = "roll"
"""Field of a roll's secret event that everybody may see: the roll that it belongs to."""
SECRET = (PRIVATE, BLIND, HIDDEN)
"""How secret a roll may be."""
HIDEABLE = (
    "sheet.created",
    "sheet.changed",
    "sheet.removed",
    "chat.sent",
    "roll_request.created",
    "roll_request.closed",
)
"""Events that may be for some people only without saying so: hidden sheets, whispers, asks."""

_hidden_sheet = pattern("n0?[1-9][0-9]{0,8}")
BRINGING = ("seat.joined", "seat.moved")
"""Kinds of events by which devices come."""
STATUS = {"seat.admitted": HERE, "seat.removed": REMOVED}


class VerifierState:
    """A table at one place of its log, as far as the owner of the log may know it."""

    def __init__(self, table: str, rows: list[LogRow], seen_by: str) -> None:
        self.state = TableState.new(table)
        self.is_outside = _is_outside(rows, seen_by)
        """Whether the log is the copy of somebody who does not sit at the table: nearly empty."""
        self.is_whole = not self.is_outside
        """Whether all is here that everybody may see, so that what is not here never was."""
        self.has_secrets = False
        """Whether anything was withheld so far."""
        self._signing: dict[str, list[str]] = {}
        """The devices of each seat that are not gone."""
        self.versions = set(_versions(rows))
        """The versions of the game's sheets that the log names."""
        self._audiences = AudienceFinder(seen_by)
        self._seen_by = seen_by
        self._role = _role(rows, seen_by)
        self._brought = max((row.seq for row in rows if row.kind == "table.imported"), default=0)
        """The last event by which the table came from elsewhere."""
        self.revealed = {
            str(row.body.get("roll")) for row in rows if row.body and row.kind == "roll.revealed"
        }
        """Rolls that were secret until somebody told of them."""
        self._forgotten = {
            str(row.body.get("seat")): row.seq
            for row in rows
            if row.body and row.kind == "person.erased"
        }
        """The events by which people were forgotten last."""

    def may_lack(self, body: Mapping[str, Json]) -> bool:
        """Whether what a roll goes back to, an ask or a roll before, may be hidden from us.

        Whoever sees a secret roll sees that too, unless they were told of the roll later: whose
        copy the log says it is does not matter.
        """
        if not self.is_whole:
            return True
        was_told = body.get("visibility") != OPEN and str(body.get("roll")) in self.revealed
        return self.has_secrets and was_told

    def may_hide(self, sheet: object) -> bool:
        """Whether there may be a sheet that we do not see: those of people lie open."""
        return self.has_secrets and _hidden_sheet.fullmatch(str(sheet)) is not None

    def may_mean(self, id: str, by: object) -> bool:
        """Whether a seat may mean somebody whom we do not know by name, or not any more.

        Only referees see what is hidden, and of people who were forgotten the log says so.
        """
        state, seat = self.state, self.seat(by)
        if id in state.seats:
            was_forgotten = self._forgotten.get(id, 0) > state.head
            return state.seats[id].name is None and was_forgotten
        is_hidden = id not in state.sheets and self.may_hide(id)
        return is_hidden and seat is not None and seat.is_referee

    def is_somebody(self, id: str, by: object) -> bool:
        """Whether a roll of a seat may be turned to somebody: there is such a one."""
        state = self.state
        is_known = id in state.seats or id in state.sheets
        return is_known or not self.is_whole or self.may_mean(id, by)

    def follow(self, row: LogRow) -> None:
        """Go on by one event."""
        self.has_secrets = self.has_secrets or row.body is None
        shown: Any = row.open  # as the writer says: a misfit is reported as an error
        event = Event(
            seq=row.seq,
            at=row.at,
            kind=row.kind,
            open=shown,
            body=row.body or {},
            salt=row.salt,
            digest=row.digest,
            hash=row.hash,
            audience=self._audiences.of(row.kind, row.open, row.body),
            texts=dict(_texts(row)),
        )
        self.state.apply(event)
        self.state.offers.clear()  # which witnesses are due is found elsewhere
        if true_kind(row.kind, row.body) in BRINGING:
            self._add_devices(event.body)

    def _add_devices(self, body: Mapping[str, Json]) -> None:
        """Take note of the devices that a seat has by now."""
        seat, device = str(body.get("seat")), body.get("device")
        known = self._signing.get(seat, []) if body.get("keep_old") else []
        brought = [str(device.get("id"))] if isinstance(device, dict) else []
        self._signing[seat] = [*known, *brought]

    def signs(self, seat: str) -> bool:
        """Whether a seat has a device that is not gone."""
        return bool(self._signing.get(seat))

    def own_name(self, body: Mapping[str, Json]) -> str:
        """Return what the character of whoever rolls is called; empty without one."""
        sheet = self.state.sheets.get(str(body.get("sheet")))
        return "" if sheet is None else str(sheet.values.get("name") or "")

    @property
    def game(self) -> Game | None:
        """The game of the table; None for free notation, or where the game is not here."""
        try:
            return find_game(self.state.game) if self.state.game else None
        except UnknownName:
            return None

    @property
    def knows_sheets(self) -> bool:
        """Whether its sheets are of the version that is here, and of no other."""
        if not self.state.game:
            return True
        return self.game is not None and self.versions <= {self.game.sheet_version}

    def seat(self, name: object) -> Seat | None:
        """Somebody who has come to the table, here or not any more."""
        return self.state.seats.get(name) if isinstance(name, str) else None

    def was_here(self, name: object, seen: int | None) -> bool:
        """Whether a seat was at the table after an event; without one, whether it is now."""
        return self.state.was_here(str(name), self.state.head if seen is None else seen)

    def may_withhold(self, row: LogRow) -> bool:
        """Whether an event may be kept from somebody: all but what everybody may see."""
        if self.is_outside or row.kind == SEALED or row.kind in HIDEABLE:
            return True
        if row.kind == "roll.refused":
            return "by" in row.open
        is_marked = row.kind.startswith("roll.") and {MARKED, "by"} <= row.open.keys()
        return is_marked and _has_visibility(row) and not self._is_for_owner(row)

    def _is_for_owner(self, row: LogRow) -> bool:
        """Whether a withheld event of a roll is for the owner of the copy all the same.

        Who sees how a roll begins sees all of it, but for dice that the rule hides. What came
        before the table was brought from elsewhere may be lost to everybody.
        """
        if row.kind == "roll.thrown":
            return False
        if self.state.roll(str(row.open.get(MARKED))) is not None:
            return True
        visibility, is_own = row.open.get("visibility"), row.open.get("by") == self._seen_by
        if row.seq < self._brought or not self._role:
            return False
        if self._role == REFEREE and visibility in (PRIVATE, BLIND):
            return True
        return is_own and row.kind == "roll.started" and visibility in (PRIVATE, HIDDEN)


def _has_visibility(row: LogRow) -> bool:
    """Whether the beginning of a roll says for whom it is; nonsense is told elsewhere."""
    told = row.open.get("visibility", OPEN)
    return row.kind != "roll.started" or not isinstance(told, str) or told in SECRET


def _is_outside(rows: list[LogRow], seat: str) -> bool:
    """Whether all that is shown is how somebody came to the door, or left the table again."""
    status = HERE
    for row in rows:
        if row.body is None:
            continue
        if row.body.get("seat") != seat or not row.kind.startswith("seat."):
            return False
        status = STATUS.get(row.kind, str(row.body.get("status", status)))
    return status != HERE


def _role(rows: list[LogRow], seat: str) -> str:
    """The role of a seat at the end of a log; empty if it is not at the table then."""
    role, status = "", ""
    for row in rows:
        body = row.body if row.kind.startswith("seat.") else None
        if body is None or body.get("seat") != seat:
            continue
        status = STATUS.get(row.kind, str(body.get("status", status)))
        if row.kind in ("seat.joined", "seat.role_changed"):
            role = str(body.get("role"))
    return role if status == HERE else ""


def _texts(row: LogRow) -> Iterator[tuple[str, ErasableText]]:
    """The texts that came with an event: by their names people may be meant."""
    for ref, held in row.texts.items():
        if isinstance(held, dict) and isinstance(text := held.get("text"), str):
            yield ref, ErasableText("", str(held.get("salt")), text)


def _versions(rows: list[LogRow]) -> Iterator[str]:
    """The versions of sheets that a log names."""
    for row in rows:
        if row.body is not None and row.kind in ("sheet.created", "session.ended"):
            yield str(row.body.get("version"))
