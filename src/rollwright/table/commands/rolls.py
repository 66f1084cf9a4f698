"""Commands about rolls as a whole: starting, revealing, undoing, cancelling, throwing again."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from rollwright.errors import BadField, RollwrightError
from rollwright.i18n.messages import Message
from rollwright.kit.bodies import Object, Text
from rollwright.kit.checks import format_value
from rollwright.kit.fields import field
from rollwright.kit.shared import TABLE
from rollwright.table import schemas
from rollwright.table.commands.context import (
    PLAYERS,
    REFEREES,
    SIGNS,
    THROWS,
    Command,
    Id,
    Ids,
    Nonce,
    Roles,
    Seers,
    check_may_roll,
    check_roles,
    check_sees_roll,
    check_whole_roll,
    command_field_error,
    find_open_roll,
    find_own_sheet,
    find_roll,
    find_seat,
    seers_of_roll,
)
from rollwright.table.commands.roll_execution import (
    RollExecution,
    apply_late,
    closed_keys,
    shares,
    weigh_late,
    weight,
)
from rollwright.table.commands.roll_specs import (
    RollStart,
    find_roll_kind,
    fit_draft,
    repeat_spec,
    roll_spec_from,
    rolling_sheet,
    spec_form,
    start_of,
    translate_dice,
)
from rollwright.table.commands.sheets import check_whole_changes, write_undo
from rollwright.table.commands.writer import EventWriter
from rollwright.table.effects import is_foreign, may_decide_effects, waiting_sheets
from rollwright.table.errors import bad_field, command_error
from rollwright.table.events import (
    BLIND,
    OPEN,
    REFEREE,
    PublicPart,
    audience_of,
    is_in_audience,
    next_id,
)
from rollwright.table.mentions import holds_typed_names, last_naming, resolve_people
from rollwright.table.rolls import DONE, EVERYBODY, RollRequest, TableRoll, player_label
from rollwright.table.schemas import Visibility
from rollwright.table.sheets import Sheet, game_of
from rollwright.table.state import TableState
from rollwright.table.visibility import sheet_for


class RollSpecCommand(Command):
    """A roll in one of three forms, and the way to roll it."""

    expression: Text | None = field(None, help="Dice as they are written.", most="expression")
    dialect: Text = field(
        "",
        help="The tool whose spelling the dice have: roll20, foundry, avrae, yearzero, wod, cofd, "
        "or rollwright; the table's own without it.",
        most=40,
        empty=True,
    )
    request: Object | None = field(None, help="A roll of the table's game.", most="request")
    draft: Object | None = field(
        None,
        help="`roll`, `pick` (things on the sheet by name) and `set` (fields that are said).",
        most="request",
    )
    visibility: Visibility | None = field(
        None, help="Who sees it: all, the roller and the referees, the referees, the roller."
    )
    announce: bool = field(True, help="Whether the others learn that something is rolled.")
    roles: Roles | None = field(None, help="Seats of the rule with seats of the table.")
    physical: bool = field(False, help="Whether the dice are real ones, to be typed in.")
    goal: Text = field("", help="What advice goes by.", most=200, empty=True)
    policy: Text = field(
        "",
        help="What is agreed of the roller's choices: a way to decide by name, or `ask` to be "
        "asked where something is to gain.",
        most=200,
        empty=True,
    )
    note: Text = field("", help="A word about it.", most="note", empty=True, lines=True)

    @property
    def effective_visibility(self) -> Visibility:
        """Who sees it; what all see cannot be kept from them."""
        if not self.announce and self.visibility in (None, OPEN):
            raise bad_field(
                "announce", Message("table.announce.open"), Message("table.announce.do")
            )
        return self.visibility or OPEN

    @property
    def roll_spec(self) -> schemas.RollSpecData:
        """The roll that is asked for and how, as far as that is given."""
        asked = roll_spec_from(vars(self))
        if roles := self.roles or self._drafted_roles():
            asked["roles"] = roles
        if self.physical:
            asked["physical"] = True
        if self.goal:
            asked["goal"] = self.goal
        if self.policy:
            asked["policy"] = self.policy
        return asked

    def _drafted_roles(self) -> dict[str, str]:
        """Return the players of the parts as the form has them, without empty parts."""
        came = (self.draft or {}).get("roles")
        try:
            return check_roles("draft.roles", came) if came else {}
        except BadField as problem:
            raise command_field_error(problem) from None


class StartRollCommand(RollSpecCommand, do="roll.start", allowed=PLAYERS, signs=THROWS):
    """A roll begins; the table throws until somebody must choose."""

    sheet: Id = field("", help="Whose sheet it is rolled with; your own without it.")
    ask: Id = field("", help="The ask that it answers.")
    each: bool = field(
        False, help="Whether people at the table throw the dice of the roll that are theirs."
    )
    away: Ids = field((), help="Those of them who are not there now: theirs are thrown.", most=100)
    nonce: Nonce = field("", help="Your part in the dice.", secret=True)

    def seers(self, state: TableState, by: str) -> Seers:
        ask = state.asks.get(self.ask)
        if ask is not None and is_in_audience(state.seats[by], ask.audience):
            return Seers(audience_of(ask.visibility, by), ask.announce or ask.visibility == OPEN)
        return Seers(audience_of(self.visibility or OPEN, by), self.announce)

    def run(self, writer: EventWriter) -> None:
        ask = _find_request(writer, self.ask)
        own = translate_dice(writer.state, self.roll_spec, self.dialect)
        asked = own if ask is None else self._complete_spec(ask, own)
        visibility = self.effective_visibility if ask is None else ask.visibility
        announce = self.announce if ask is None else ask.announce
        sheet = self._sheet(writer)
        if self.sheet and "expression" in asked:
            raise bad_field("sheet", Message("table.sheet.expression"), Message("would_do.none"))
        _check_names(writer, asked)
        asked = _with_people(writer, asked, sheet)
        if ask is not None and "draft" in asked:
            asked["draft"] = fit_draft(writer.state, asked["draft"], sheet)
        _check_fresh(writer, asked, self.sheet or writer.by)
        self._check_dialect(writer, ask)
        start = start_of(writer.state, asked, sheet, whose=writer.by)
        roles = known_roles(writer, asked.get("roles", {}))
        each = self.each and "request" in start.what
        announce = announce or visibility == OPEN
        roll = TableRoll(
            id=_next_id(writer, announce),
            by=writer.by,
            what=start.what,
            version=start.version,
            written=start.written,
            title=start.title,
            sheet="" if sheet is None or "expression" in start.what else sheet.id,
            draft=start.draft,
            visibility=visibility,
            announce=announce,
            audience=audience_of(visibility, writer.by),
            roles=roles,
            ask=self.ask,
            physical=asked.get("physical", False),
            goal=asked.get("goal", ""),
            policy=asked.get("policy", ""),
            bound=ask is not None and ask.has_policy,
            each=each,
            away=self.away if each else (),
        )
        _begin(writer, roll, start, self.note)
        if ask is not None:
            _answer(writer, roll, ask)

    def _check_dialect(self, writer: EventWriter, ask: RollRequest | None) -> None:
        """The same of what is said of dice elsewhere: in an ask, or by how a table spells them."""
        seen = writer.device_head
        if seen is None:
            return
        changed = 0 if ask is None else ask.seq
        if self.expression is not None and not self.dialect:
            changed = max(changed, writer.state.dialect_changed)
        if changed > seen:
            raise command_error("changed", "table.call.changed", "call")

    def _complete_spec(self, ask: RollRequest, own: schemas.RollSpecData) -> schemas.RollSpecData:
        """Return the ask's roll with the roller's own fields; visibility and play are the ask's."""
        if self.visibility not in (None, ask.visibility):
            raise bad_field(
                "visibility",
                Message("table.ask.visibility", {"ask": ask.id, "visibility": ask.visibility}),
            )
        if not self.announce and (ask.announce or ask.visibility == OPEN):
            raise bad_field("announce", Message("table.ask.announced", {"ask": ask.id}), "true")
        kept: schemas.RollSpecData = {"policy": ask.roll["policy"]} if ask.has_policy else {}
        if spec_form(own):
            return {**own, **kept}
        if "roles" in ask.roll:
            kept["roles"] = ask.roll["roles"]
        return {**ask.roll, **own, **kept}

    def _sheet(self, writer: EventWriter) -> Sheet | None:
        """The sheet that is named, or one's own if there is one."""
        if self.sheet:
            return rolling_sheet(find_own_sheet(writer, self.sheet))
        own = writer.state.sheets.get(writer.by)
        return None if own is None or own.removed else own


def _check_fresh(writer: EventWriter, asked: schemas.RollSpecData, sheet: str) -> None:
    """Refuse a call that was signed before what it reads has changed, or the sheet was removed.

    Otherwise the seat that changed it would choose the dice, since the call's number is known.
    """
    seen, state = writer.device_head, writer.state
    if seen is None or "expression" in asked:
        return
    read = [state.sheets.get(sheet), state.sheets.get(TABLE)] if "draft" in asked else []
    if "draft" in asked and (game := game_of(state)) is not None:
        kind, roles = find_roll_kind(game, asked["draft"]), asked.get("roles", {})
        read += [state.sheets.get(roles.get(name, "")) for name in kind.elsewhere]
    changed = [one.changed for one in read if one is not None] + [state.house_changed]
    if max(changed) > seen:
        raise command_error("changed", "table.call.changed", "call")


def _check_names(writer: EventWriter, asked: schemas.RollSpecData) -> None:
    """The same of names that were typed: whoever is called so now may be somebody else."""
    seen, state = writer.device_head, writer.state
    if seen is None or game_of(state) is None or last_naming(state, writer.seat) <= seen:
        return
    draft = "draft" in asked and holds_typed_names(state, asked["draft"])
    if draft or ("request" in asked and holds_typed_names(state, asked["request"], ("",))):
        raise command_error("changed", "table.call.changed", "call")


def _with_people(
    writer: EventWriter, asked: schemas.RollSpecData, sheet: Sheet | None
) -> schemas.RollSpecData:
    """Return the same, with people typed by name as people chosen from the list."""
    found = asked.copy()
    if not ("draft" in asked or "request" in asked) or game_of(writer.state) is None:
        return found
    if "draft" in asked:
        parts = ("pick", "set")
        found["draft"] = resolve_people(writer.state, writer.seat, asked["draft"], sheet, parts)
    if "request" in asked:
        found["request"] = resolve_people(writer.state, writer.seat, asked["request"], sheet, ("",))
    return found


def known_roles(writer: EventWriter, roles: dict[str, str]) -> dict[str, str]:
    """Who plays which part of a rule; refused where one is neither here nor in sight."""
    for part, player in roles.items():
        in_sight = player.startswith("n") and sheet_for(writer.state, writer.seat, player)
        if player != REFEREE and not in_sight:
            find_seat(writer, player, f"roles.{part}"[:60])
    return roles


def _next_id(writer: EventWriter, announce: bool) -> str:
    """Return the next roll's id; one that is not announced takes no number of the others."""
    return next_id("r", writer.state.rolled, writer.seq, secret=not announce)


def _begin(
    writer: EventWriter, roll: TableRoll, start: RollStart, note: str = "", again: str = ""
) -> None:
    _check_space(writer, roll, again)
    play = RollExecution(writer, roll, start.transcript, begins=True)
    play.start(note, again)
    play.advance()


def _check_space(writer: EventWriter, roll: TableRoll, leaving: str) -> None:
    """Refuse to begin one roll more where too many are open: for the roller, or for the table.

    Of what a table takes, everybody who plays has an equal share that nobody else can use up.
    """
    going = [held for held in writer.state.going.values() if held.id != leaving]
    if not going:
        return
    limits, mine = writer.limits, [held for held in going if held.by == roll.by]
    if len(mine) >= limits.open_rolls_each or weight(mine) > limits.open_bytes_each:
        raise command_error("too_many", "table.rolls.yours", n=len(mine))
    is_full = len(going) >= limits.open_rolls or weight(going) > limits.open_bytes
    if not is_full:
        return
    many, much = shares(writer)
    if len(mine) >= many or weight(mine) > much:
        raise command_error("too_many", "table.rolls.all", n=len(going))


def _find_request(writer: EventWriter, name: str) -> RollRequest | None:
    if not name:
        return None
    ask = writer.state.asks.get(name)
    if ask is None or not is_in_audience(writer.seat, ask.audience):
        raise command_error("not_found", "table.ask.none", "ask", name=format_value(name))
    if not ask.includes(writer.by):
        raise command_error("forbidden", "table.ask.others", "ask", ask=name, seat=writer.by)
    if writer.by in ask.answered:
        raise command_error("conflict", "table.ask.answered", "ask", ask=name)
    return ask


def _answer(writer: EventWriter, roll: TableRoll, ask: RollRequest) -> None:
    body = schemas.RequestAnsweredEvent(by=writer.by, ask=ask.id, seat=writer.by, roll=roll.id)
    unnamed = roll.is_secret and not roll.announce
    writer.write("roll_request.answered", body, roll.seers if unnamed else None, unnamed=unnamed)
    ask_after = {**ask.answered, writer.by: roll.id}
    if ask.who != EVERYBODY and all(seat in ask_after for seat in ask.who):
        write_request_end(writer, ask)


def write_request_end(writer: EventWriter, ask: RollRequest) -> None:
    """An ask is over, for those who know of it."""
    body = schemas.RequestClosedEvent(by=writer.by, ask=ask.id)
    writer.write("roll_request.closed", body, ask.audience, unnamed=ask.is_silent)


class RevealCommand(Command, do="roll.reveal", allowed=PLAYERS):
    """Everybody may see a secret roll from now on."""

    roll: Id = field(help="The roll.")

    def run(self, writer: EventWriter) -> None:
        roll = find_roll(writer, self.roll)
        check_may_roll(writer, roll, "roll.reveal")
        if not roll.is_secret:
            raise command_error("conflict", "table.roll.seen", "roll", roll=roll.id)
        if roll.visibility == BLIND and not writer.seat.is_referee:
            raise command_error("forbidden", "table.roll.blind", "roll")
        waiting = waiting_sheets(writer.state, roll)
        ready = [sheet.id for sheet in waiting if not is_foreign(writer.state, roll, sheet)]
        if ready:
            check_whole_roll(roll)
        body = schemas.RollDecidedEvent(by=writer.by, roll=roll.id)
        if not roll.announce and writer.state.seats[roll.by].role != REFEREE:
            # How many more they made that nobody heard of: none is picked out of many.
            body["unshown"] = writer.state.unshown[roll.by] - 1
        if ready:
            body["sheets"] = ready
        writer.write("roll.revealed", body)
        if ready:
            weigh_late(writer, roll)
            with suppress(RollwrightError):  # the rules have changed, its effect is unknown
                apply_late(writer, roll, ready)


class EffectDecisionCommand(Command):
    """Something of a roll waits for somebody to let it happen, or not."""

    roll: Id = field(help="The roll.")
    sheet: Id = field("", help="The sheet; all that are yours to decide without it.")

    def find_waiting(self, writer: EventWriter) -> tuple[TableRoll, list[str]]:
        """Return a roll with waiting effects, and the sheets for which this seat decides."""
        roll = find_roll(writer, self.roll)
        check_sees_roll(writer, roll)
        named = self.sheet
        waiting = [s for s in waiting_sheets(writer.state, roll) if named in ("", s.id)]
        if not waiting:
            if not named:
                raise command_error("conflict", "table.nothing.waits", "roll", roll=roll.id)
            on = {"roll": roll.id, "sheet": format_value(named)}
            raise command_error("conflict", "table.nothing.waits.on", "roll", **on)
        sheets = [
            sheet.id
            for sheet in waiting
            if may_decide_effects(writer.state, writer.seat, roll, sheet)
        ]
        if not sheets:
            whose = player_label(waiting[0].owner)
            raise command_error("forbidden", "table.for.owner", what=self.do, who=whose)
        return roll, sheets


class ApplyEffectsCommand(EffectDecisionCommand, do="roll.apply", allowed=PLAYERS):
    """Apply the waiting effects of a roll; a secret roll stays secret."""

    def run(self, writer: EventWriter) -> None:
        roll, sheets = self.find_waiting(writer)
        check_whole_roll(roll)
        weigh_late(writer, roll)
        body = schemas.RollDecidedEvent(by=writer.by, roll=roll.id, sheets=sheets)
        _write_end(writer, "roll.applied", roll, body)
        apply_late(writer, roll, sheets)


class DeclineEffectsCommand(EffectDecisionCommand, do="roll.decline", allowed=PLAYERS):
    """Decline the waiting effects of a roll."""

    def run(self, writer: EventWriter) -> None:
        roll, sheets = self.find_waiting(writer)
        body = schemas.RollDecidedEvent(by=writer.by, roll=roll.id, sheets=sheets)
        _write_end(writer, "roll.declined", roll, body)


def _write_end(
    writer: EventWriter, kind: str, roll: TableRoll, body: schemas.RollEvent, *, is_act: bool = True
) -> None:
    told = roll.is_secret and roll.announce
    shown: PublicPart = {"by": writer.by, "roll": roll.id} if told else {}
    unnamed = roll.is_secret and not roll.announce
    writer.write(kind, body, roll.seers, shown, unnamed=unnamed, is_act=is_act)


def _cancel(writer: EventWriter, roll: TableRoll, *, is_act: bool = True) -> None:
    body = schemas.RollCancelledEvent(by=writer.by, roll=roll.id, opened=list(roll.veiled))
    if keys := closed_keys(writer, roll):
        body["keys"] = keys
    _write_end(writer, "roll.cancelled", roll, body, is_act=is_act)


def cancel_rolls(writer: EventWriter, rolls: Iterable[TableRoll]) -> None:
    """Give up open rolls with whoever has left, or with the session.

    Those that nobody was told of are left out: the events would tell that there are some. So are
    those whose dice wait for a witness: they were called for, and there is no way out of that.
    """
    for roll in rolls:
        if roll.witness is None and (roll.announce or not roll.is_secret):
            _cancel(writer, roll, is_act=False)


class KnownRollCommand(Command):
    """Something about a roll that is known."""

    roll: Id = field(help="The roll.")

    def seers(self, state: TableState, by: str) -> Seers:
        return seers_of_roll(state, by, self.roll)


class CancelRollCommand(KnownRollCommand, do="roll.cancel", allowed=PLAYERS, signs=SIGNS):
    """An open roll is given up."""

    def run(self, writer: EventWriter) -> None:
        roll = find_open_roll(writer, self.roll)
        check_may_roll(writer, roll, "roll.cancel")
        _cancel(writer, roll)


class UndoRollCommand(Command, do="roll.undo", allowed=REFEREES):
    """A roll counts for nothing, and what it did to sheets is taken back."""

    roll: Id = field(help="The roll.")
    why: Text = field("", help="Why.", most="note", empty=True, lines=True)

    def run(self, writer: EventWriter) -> None:
        roll = find_roll(writer, self.roll)
        if roll.status != DONE:
            id = "table.undo.open" if roll.is_open else "table.undo.not"
            raise command_error("conflict", id, "roll", roll=roll.id, status=roll.status)
        check_whole_changes(writer.state, roll.changes)
        body = schemas.RollUndoneEvent(by=writer.by, roll=roll.id, why=writer.seal(self.why))
        _write_end(writer, "roll.undone", roll, body)
        for seq in reversed(roll.changes):
            write_undo(writer, seq)


def _current_sheet(writer: EventWriter, roll: TableRoll) -> Sheet | None:
    """The sheet that a roll was made with; None where it is gone."""
    sheet = writer.state.sheets.get(roll.sheet)
    return None if sheet is None or sheet.removed else find_own_sheet(writer, sheet.id)


class RepeatRollCommand(KnownRollCommand, do="roll.repeat", allowed=PLAYERS, signs=THROWS):
    """Make the same roll again; an open one is cancelled first."""

    nonce: Nonce = field("", help="Your part in the dice.", secret=True)

    def seers(self, state: TableState, by: str) -> Seers:
        """Those of the new roll, which is as secret as the old one was before it was revealed."""
        known, roll = super().seers(state, by), state.roll(self.roll)
        if roll is None or not known.roll:
            return known
        return Seers(roll.audience, roll.announce or roll.visibility == OPEN, roll.id)

    def run(self, writer: EventWriter) -> None:
        roll = find_roll(writer, self.roll)
        check_may_roll(writer, roll, "roll.repeat")
        check_whole_roll(roll)
        sheet, roles = _current_sheet(writer, roll), known_roles(writer, roll.roles)
        asked = repeat_spec(roll.what, roll.draft)
        if roll.roles and roll.draft is not None:
            asked["roles"] = roll.roles
        if roll.goal:
            asked["goal"] = roll.goal
        if roll.policy:
            asked["policy"] = roll.policy
        _check_fresh(writer, asked, roll.sheet or roll.by)
        start = start_of(writer.state, asked, sheet, whose=writer.by)
        if roll.is_open:
            _cancel(writer, roll, is_act=False)
        again = TableRoll(
            id=_next_id(writer, roll.announce),
            by=roll.by,
            what=start.what,
            version=start.version,
            written=start.written,
            title=start.title,
            sheet="" if sheet is None else sheet.id,
            draft=start.draft,
            visibility=roll.visibility,
            announce=roll.announce,
            audience=roll.audience,
            roles=roles,
            physical=roll.physical,
            goal=roll.goal,
            policy=roll.policy,
            bound=roll.bound,
            each=roll.each,
            away=roll.away,
        )
        _begin(writer, again, start, again=roll.id)
