"""Commands that go on with a roll: faces, choices, and taking them back."""

from __future__ import annotations

from dataclasses import replace

from rollwright.engine.endings import MOST_OPTIONS
from rollwright.engine.steps import Choice, Option, ThrowStep
from rollwright.engine.transcript import Transcript
from rollwright.engine.values import value_from_json, value_to_json
from rollwright.i18n.messages import Message, row_of
from rollwright.kit.bodies import Data, Object
from rollwright.kit.card.choices import option_for
from rollwright.kit.fields import field
from rollwright.table.commands.context import (
    PLAYERS,
    SIGNS,
    THROWS,
    Command,
    Faces,
    Id,
    Nonce,
    Seers,
    check_may_roll,
    check_sees_roll,
    find_open_roll,
    find_roll,
    seers_of_roll,
)
from rollwright.table.commands.roll_execution import RollExecution
from rollwright.table.commands.roll_specs import find_roll_kind, repeat_spec, start_of
from rollwright.table.commands.sheets import check_whole_changes, write_undo
from rollwright.table.commands.writer import EventWriter
from rollwright.table.effects import is_foreign
from rollwright.table.errors import CodedError, as_command_errors, bad_field, command_error
from rollwright.table.events import BLIND, is_in_audience
from rollwright.table.rolls import GOING, TYPED, TableRoll, may_play, player_label, player_of
from rollwright.table.sheets import differences, need_game
from rollwright.table.state import TableState
from rollwright.table.transcripts import full_transcript


class ContinueRollCommand(Command):
    """An open roll goes on, or a step back."""

    roll: Id = field(help="The roll.")
    index: int | None = field(
        None, help="The moment of the roll that is meant.", low=0, high="entries"
    )

    def check_place(self, writer: EventWriter, roll: TableRoll, place: int) -> None:
        """Refuse what was meant for an earlier moment of the roll: somebody else was quicker.

        They may have known the number of the call by then, and what it would come to.
        """
        is_unseen = writer.device_head is not None and roll.went_at > writer.device_head
        if is_unseen or (self.index is not None and self.index != place):
            raise command_error("conflict", "table.roll.gone_on", "index", roll=roll.id)

    def seers(self, state: TableState, by: str) -> Seers:
        return seers_of_roll(state, by, self.roll)


class ThrowingCommand(ContinueRollCommand):
    """A roll that waits for dice goes on."""

    def start_execution(self, writer: EventWriter) -> RollExecution:
        """A roll that waits for faces which the one who commands may bring about."""
        name = self.roll
        roll = find_open_roll(writer, name)
        play = RollExecution(writer, roll)
        step, after = play.transcript.step, roll.after
        by = after["by"] if after is not None and after["step"] == "throw" else ""
        if not isinstance(step, ThrowStep):
            check_sees_roll(writer, roll)
            raise command_error("conflict", "table.waits.choice", "roll", roll=name)
        if roll.witness is not None:
            raise command_error("conflict", "table.waits.witness", "roll", roll=name)
        if step.sees is None:
            if not (roll.each and writer.seat.id == by):  # their own dice
                check_may_roll(writer, roll, "throwing")
            if not (
                roll.visibility == BLIND and writer.seat.id == roll.by
            ):  # who throws sees the dice
                check_sees_roll(writer, roll)
        elif not may_play(writer.seat, by):
            raise command_error("forbidden", "table.dice.other", "roll", who=player_label(by))
        self.check_place(writer, roll, len(roll.entries))
        return play


class EnterFacesCommand(ThrowingCommand, do="roll.enter", allowed=PLAYERS, signs=SIGNS):
    """The faces of physical dice."""

    faces: Faces = field(help="A face for each die.", most="dice")

    def run(self, writer: EventWriter) -> None:
        play = self.start_execution(writer)
        if not may_enter_faces(play.roll, writer.limits.throws):
            raise command_error("conflict", "table.faces.unreal", "roll", roll=self.roll)
        writer.weigh(len(self.faces))
        try:
            play.enter(self.faces)
        except CodedError as problem:
            if is_in_audience(writer.seat, play.roll.seers):
                raise
            # How many dice are thrown may follow from faces that the roller does not see.
            raise command_error(problem.code, "table.faces.misfit", "faces") from None
        play.advance()


def may_enter_faces(roll: TableRoll, most: int) -> bool:
    """Whether faces may be typed in: of real dice, or where a roll has become too long to go on."""
    since = 0
    for entry in reversed(roll.entries):
        if "option" in entry:
            break
        since += 1
    return roll.physical or since >= most


class ThrowCommand(ThrowingCommand, do="roll.throw", allowed=PLAYERS, signs=THROWS):
    """Dice of the table for a throw that waits."""

    nonce: Nonce = field("", help="Your part in the dice.", secret=True)

    def run(self, writer: EventWriter) -> None:
        play = self.start_execution(writer)
        if not play.call_witness():
            play.advance(once=True)


class ChooseCommand(ContinueRollCommand, do="roll.choose", allowed=PLAYERS, signs=THROWS):
    """Somebody chooses, or a referee for them."""

    nonce: Nonce = field("", help="Your part in the dice.", secret=True)
    option: Data | None = field(None, help="The option.")
    number: int | None = field(
        None, help="The same by its place among the options, from 0.", low=0, high=MOST_OPTIONS - 1
    )
    puts: Object | None = field(
        None, help="The same as tokens that are handed out: places with what is put there."
    )
    anyway: bool = field(False, help="Whether to go on although the sheet has changed.")

    def run(self, writer: EventWriter) -> None:
        roll = find_open_roll(writer, self.roll)
        check_sees_roll(writer, roll)
        play = RollExecution(writer, roll)
        step = play.transcript.step
        if not isinstance(step, Choice):
            raise command_error("conflict", "table.waits.dice", "roll", roll=roll.id)
        player = player_of(roll, step.by)
        if not may_play(writer.seat, player) and not writer.seat.is_referee:
            raise command_error("forbidden", "table.choice.other", "roll", who=player_label(player))
        self.check_place(writer, roll, len(roll.entries))
        if not self.anyway:
            _check_sheet(writer, roll)
        play.choose(self._option(play.transcript))
        play.advance()

    def _option(self, transcript: Transcript) -> Option:
        number, option, step = self.number, self.option, transcript.step
        if [number, option, self.puts].count(None) != 2:
            raise command_error("bad_request", "table.choice.which", "option")
        if self.puts is not None:
            with as_command_errors():
                return option_for(transcript, self.puts)
        if number is not None:
            if number >= len(step.options):
                last = len(step.options) - 1
                fits = Message("fits.range", {"low": "0", "high": str(last)})
                raise bad_field("number", Message("field.came", {"came": str(number)}), fits)
            return step.options[number]
        for offered in step.options:
            if value_to_json(offered) == option and type(value_to_json(offered)) is type(option):
                return offered
        with as_command_errors("option"):
            return value_from_json(option, "option")


def _check_sheet(writer: EventWriter, roll: TableRoll) -> None:
    """Refuse to go on with numbers that the sheet has no more: another roll may have spent them."""
    sheet = writer.state.sheets.get(roll.sheet)
    if roll.draft is None or sheet is None or sheet.removed:
        return
    game = need_game(writer.state, "sheet")
    try:
        again = repeat_spec({}, roll.draft)
        again["roles"] = roll.roles
        now = start_of(writer.state, again, sheet, whose=roll.by).what
    except CodedError as problem:
        changed: list[Message | str] = [problem.wording]
    else:
        kind = find_roll_kind(game, roll.draft)
        changed = [*differences(game, kind, roll.what["request"], now["request"])]
    if not changed:
        return
    if is_in_audience(writer.seat, sheet.audience):  # the chooser may not see the sheet
        say = game.words.msg("table.sheet.changed.so", roll=roll.id, changed=row_of(changed))
        raise CodedError("conflict", say, "anyway")
    raise command_error("conflict", "table.sheet.changed", "anyway", roll=roll.id)


class TakeBackCommand(ContinueRollCommand, do="roll.take_back", allowed=PLAYERS, signs=SIGNS):
    """The last entry is taken back, unless dice that nobody typed were thrown.

    So is a choice that was made as agreed, also where the roll has ended by it: what it did to
    sheets is taken back as well, until the next roll of that sheet.
    """

    def run(self, writer: EventWriter) -> None:
        roll = find_roll(writer, self.roll)
        if not roll.is_open and roll.agreed:
            self._reopen(writer, roll)
            return
        roll = find_open_roll(writer, self.roll)
        if not roll.entries:
            check_sees_roll(writer, roll)
            raise command_error("conflict", "table.back.nothing", "roll")
        if writer.seat.id not in (roll.by, roll.authors[-1]) and not writer.seat.is_referee:
            raise command_error("forbidden", "table.back.other")
        if writer.seat.id != roll.authors[-1]:
            check_sees_roll(writer, roll)
        last = roll.entries[-1]
        self.check_place(writer, roll, len(roll.entries) - 1)
        if "faces" in last and last["how"] != TYPED:
            raise command_error("conflict", "table.back.thrown", "roll")
        _check_own_policy(writer, roll)
        RollExecution(writer, roll).take_back()

    def _reopen(self, writer: EventWriter, roll: TableRoll) -> None:
        """Take the choice by which a roll ended back, with what the roll did to sheets."""
        check_may_roll(writer, roll, "roll.take_back")
        check_sees_roll(writer, roll)
        self.check_place(writer, roll, len(roll.entries) - 1)
        _check_own_policy(writer, roll)
        check_whole_changes(writer.state, roll.changes)
        if not writer.seat.is_referee and not _is_own(writer, roll):
            raise command_error("forbidden", "table.back.foreign", "roll", roll=roll.id)
        with as_command_errors("roll"):
            transcript = full_transcript(writer.state.table, roll)
        RollExecution(writer, replace(roll, status=GOING), transcript).take_back()
        for seq in reversed(roll.changes):
            write_undo(writer, seq)


def _check_own_policy(writer: EventWriter, roll: TableRoll) -> None:
    """Refuse to take back a choice that was decided by the seat that asked, not by the roller."""
    if roll.agreed and roll.bound and not writer.seat.is_referee:
        raise command_error("forbidden", "table.back.asked", "roll", roll=roll.id)


def _is_own(writer: EventWriter, roll: TableRoll) -> bool:
    """Whether all that a roll changed is on sheets of its roller, or of the table."""
    changes = [writer.state.changes[seq] for seq in roll.changes]
    sheets = [writer.state.sheets[change.sheet] for change in changes]
    return not any(is_foreign(writer.state, roll, sheet) for sheet in sheets)
