"""Commands that go on with a roll: faces, choices, and taking them back."""

from __future__ import annotations

from typing import Any

from rollwright.engine.steps import Choice, Throw
from rollwright.engine.values import from_plain, to_plain
from rollwright.table.commands.context import PLAYERS, Command, an_id, open_roll, rollers, seen_roll
from rollwright.table.commands.forms import Field, bad_field, nonce, said, whole, yes_or_no
from rollwright.table.commands.plays import Play
from rollwright.table.commands.subjects import roll_named, start_of
from rollwright.table.commands.writer import Pen
from rollwright.table.limits import Limits
from rollwright.table.refusals import Refusal, refusing
from rollwright.table.rolls import BLIND, TYPED, Roll, called, may_play, player_of
from rollwright.table.seats import belongs
from rollwright.table.sheet_values import differences, need_game


def commands(limits: Limits) -> dict[str, Command]:
    """The commands that go on with a roll."""
    back = {"roll": Field(an_id), "index": Field(whole(0, limits.entries), None)}
    throw = {**back, "nonce": Field(nonce, b"")}
    choose = {
        **throw,
        "option": Field(lambda name, came: came, None),
        "number": Field(whole(0, 10_000), None),
        "anyway": Field(yes_or_no, False),
    }
    return {
        "roll.enter": Command({**throw, "faces": Field(_faces(limits))}, PLAYERS, enter_faces),
        "roll.throw": Command(throw, PLAYERS, throw_on),
        "roll.choose": Command(choose, PLAYERS, choose_option),
        "roll.back": Command(back, PLAYERS, take_back),
    }


def _faces(limits: Limits) -> Any:
    def check(name: str, came: Any) -> list[Any]:
        if not isinstance(came, list):
            raise bad_field(name, f"{said(came)} came", "a list with a face for each die")
        if len(came) > limits.dice:
            raise Refusal("too_many", f"{name}: {len(came)} came, at most {limits.dice}", name)
        return came

    return check


def _check_place(roll: Roll, place: int, index: int | None) -> None:
    """Refuse what was meant for an earlier moment of the roll: somebody else was quicker."""
    if index is not None and index != place:
        raise Refusal("conflict", f"{roll.id} has gone on meanwhile", "index")


def _waits_for_throw(pen: Pen, fields: dict[str, Any]) -> Play:
    """A roll that waits for faces which the one who commands may bring about."""
    name = fields["roll"]
    roll = open_roll(pen, name)
    play = Play(pen, roll)
    step = play.transcript.step
    by = str((roll.after or {}).get("by", ""))
    if not isinstance(step, Throw):
        seen_roll(pen, roll)
        raise Refusal("conflict", f"{name} waits for a choice, not for dice", "roll")
    if step.sees is None:
        rollers(pen, roll, "throwing")
        if not (roll.visibility == BLIND and pen.seat.id == roll.by):  # who throws sees the dice
            seen_roll(pen, roll)
    elif not may_play(pen.seat, by):
        raise Refusal("forbidden", f"these dice are for {called(by)} alone", "roll")
    _check_place(roll, len(roll.entries), fields["index"])
    return play


def enter_faces(pen: Pen, fields: dict[str, Any]) -> None:
    """The faces of physical dice."""
    play = _waits_for_throw(pen, fields)
    pen.weigh(len(fields["faces"]))
    try:
        play.enter(fields["faces"])
    except Refusal as refusal:
        if belongs(pen.seat, play.roll.seers):
            raise
        # How many dice are thrown may follow from faces that the roller does not see.
        raise Refusal(refusal.code, "these faces do not fit the dice", "faces") from None
    play.go_on()


def throw_on(pen: Pen, fields: dict[str, Any]) -> None:
    """Dice of the table for a throw that waits."""
    play = _waits_for_throw(pen, fields)
    play.go_on(once=True)


def choose_option(pen: Pen, fields: dict[str, Any]) -> None:
    """Somebody chooses, or a referee for them."""
    roll = open_roll(pen, fields["roll"])
    seen_roll(pen, roll)
    play = Play(pen, roll)
    step = play.transcript.step
    if not isinstance(step, Choice):
        raise Refusal("conflict", f"{roll.id} waits for dice, not for a choice", "roll")
    player = player_of(roll, step.by)
    if not may_play(pen.seat, player) and not pen.seat.is_referee:
        raise Refusal("forbidden", f"the choice is for {called(player)}", "roll")
    _check_place(roll, len(roll.entries), fields["index"])
    if not fields["anyway"]:
        _check_sheet(pen, roll)
    play.choose(_option(step, fields), by=pen.seat.id)
    play.go_on()


def _check_sheet(pen: Pen, roll: Roll) -> None:
    """Refuse to go on with numbers that the sheet has no more: another roll may have spent them."""
    sheet = pen.state.sheets.get(roll.sheet)
    if roll.from_sheet is None or sheet is None or sheet.removed:
        return
    try:
        now = start_of(pen.state, {"from_sheet": roll.from_sheet}, sheet).what
    except Refusal as refusal:
        changed = refusal.message
    else:
        kind = roll_named(need_game(pen.state, "sheet"), roll.from_sheet)
        changed = differences(kind, roll.what["request"], now["request"])
    if changed:
        say = f"the sheet has changed since {roll.id} began"
        if belongs(pen.seat, sheet.audience):  # whoever chooses need not be who may see the sheet
            say += f": {changed}"
        raise Refusal("conflict", say, "anyway")


def _option(step: Choice[Any], fields: dict[str, Any]) -> Any:
    number, option = fields["number"], fields["option"]
    if (number is None) == (option is None):
        raise Refusal("bad_request", "say which: one of option and number would do", "option")
    if number is not None:
        if number >= len(step.options):
            raise bad_field("number", f"{number} came", f"0 to {len(step.options) - 1}")
        return step.options[number]
    for offered in step.options:
        if to_plain(offered) == option and type(to_plain(offered)) is type(option):
            return offered
    with refusing("option"):
        return from_plain(option, "option")


def take_back(pen: Pen, fields: dict[str, Any]) -> None:
    """The last entry is taken back, unless dice that nobody typed were thrown."""
    roll = open_roll(pen, fields["roll"])
    if not roll.entries:
        seen_roll(pen, roll)
        raise Refusal("conflict", "nothing has happened yet that could be taken back", "roll")
    if pen.seat.id not in (roll.by, roll.authors[-1]) and not pen.seat.is_referee:
        raise Refusal("forbidden", "taking back is for the roller, whoever made it, and referees")
    if pen.seat.id != roll.authors[-1]:
        seen_roll(pen, roll)
    last = roll.entries[-1]
    _check_place(roll, len(roll.entries) - 1, fields["index"])
    if "faces" in last and last["how"] != TYPED:
        raise Refusal(
            "conflict", "the dice have been thrown: only typed faces and choices go back", "roll"
        )
    Play(pen, roll).back()
