"""Commands that go on with a roll: faces, choices, and taking them back."""

from __future__ import annotations

from typing import Any

from rollwright.steps import Choice, Throw
from rollwright.table.forms import Field, bad_field, nonce, said, whole
from rollwright.table.limits import Limits
from rollwright.table.mishaps import refusing
from rollwright.table.needs import PLAYERS, Command, an_id, open_roll, rollers, seen_roll
from rollwright.table.pens import Pen
from rollwright.table.performers import called, may_play, player_of
from rollwright.table.plays import Play
from rollwright.table.refusals import Refusal
from rollwright.table.rolls import BLIND, TYPED
from rollwright.values import from_plain, to_plain


def commands(limits: Limits) -> dict[str, Command]:
    """The commands that go on with a roll."""
    a_roll, a_nonce = Field(an_id), Field(nonce, b"")
    choose = {
        "roll": a_roll,
        "option": Field(lambda name, came: came, None),
        "number": Field(whole(0, 10_000), None),
        "nonce": a_nonce,
    }
    enter = {"roll": a_roll, "faces": Field(_faces(limits)), "nonce": a_nonce}
    return {
        "roll.enter": Command(enter, PLAYERS, enter_faces),
        "roll.throw": Command({"roll": a_roll, "nonce": a_nonce}, PLAYERS, throw_on),
        "roll.choose": Command(choose, PLAYERS, choose_option),
        "roll.back": Command({"roll": a_roll}, PLAYERS, take_back),
    }


def _faces(limits: Limits) -> Any:
    def check(name: str, came: Any) -> list[Any]:
        if not isinstance(came, list):
            raise bad_field(name, f"{said(came)} came", "a list with a face for each die")
        if len(came) > limits.dice:
            raise Refusal("too_many", f"{name}: {len(came)} came, at most {limits.dice}", name)
        return came

    return check


def _waits_for_throw(pen: Pen, name: str) -> Play:
    """A roll that waits for faces which the one who commands may bring about."""
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
    return play


def enter_faces(pen: Pen, fields: dict[str, Any]) -> None:
    """The faces of physical dice."""
    play = _waits_for_throw(pen, fields["roll"])
    play.enter(fields["faces"])
    play.go_on()


def throw_on(pen: Pen, fields: dict[str, Any]) -> None:
    """Dice of the table for a throw that waits."""
    play = _waits_for_throw(pen, fields["roll"])
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
    play.choose(_option(step, fields), by=pen.seat.id)
    play.go_on()


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
    if "faces" in last and last["how"] != TYPED:
        raise Refusal(
            "conflict", "the dice have been thrown: only typed faces and choices go back", "roll"
        )
    Play(pen, roll).back()
