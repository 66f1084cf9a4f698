"""Small games whose rules hide throws or misbehave, to try what no game of ours does."""

from __future__ import annotations

from typing import Any

from rollwright.dice import D6
from rollwright.engine.steps import Call
from rollwright.kit import Effect, Game, Request, Value, add_game, field
from rollwright.rules import choose, roll, rule


class House(Value):
    """No house rules."""


@rule
async def guess(chooser: str) -> int:
    """A die that only the keeper sees; then somebody else guesses whether it is high."""
    (hidden,) = (await roll(D6, sees=("keeper",))).readings
    said = await choose("high", "low", by=chooser, about=hidden)
    (shown,) = (await roll(D6)).readings
    return (hidden + shown) * ((hidden > 3) == (said == "high"))


@rule
async def stumble(at: int) -> int:
    """A rule with a mistake in it that one face brings to light."""
    (face,) = (await roll(D6)).readings
    if face == at:
        raise ZeroDivisionError("a mistake")
    return face


class Guess(Request, roll="guess", title="Guess", outcome=int):
    """Guess a hidden die."""

    chooser: str = field(default="guesser", help="who guesses")

    def call(self) -> Call[Any]:
        """The rule."""
        return guess(self.chooser)


class Stumble(Request, roll="stumble", title="Stumble", outcome=int):
    """Stumble at a face."""

    at: int = field(default=6, help="the face that brings it to light")

    def call(self) -> Call[Any]:
        """The rule."""
        return stumble(self.at)


class Sheet(Value):
    """A sheet."""

    name: str = field(default="", help="who it is")
    points: int = field(default=0, help="points", low=0, high=9)


def _broken(*_: Any) -> Any:
    raise LookupError("not thought of")


def _effects(request: Request, outcome: int) -> tuple[Effect, ...]:
    return (Effect("points", outcome), Effect("riddle"))


def _apply(sheet: Sheet, effect: Effect) -> Any:
    if effect.kind != "points":
        raise LookupError("not thought of")
    return sheet.but(points=sheet.points + effect.amount)


GAME = add_game(
    Game(
        name="hidden-game",
        title="Hidden game",
        summary="Tries what no game does.",
        requests=(Guess, Stumble),
        house=House,
        prefix="HID",
        rulebook={},
        tell=_broken,
        sheet=Sheet,
        effects=_effects,
        apply=_apply,
        stays=_broken,
    )
)
