"""House rules: what each switch reads, and how much it changes the odds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.kit.fields import Field, fields_of

if TYPE_CHECKING:
    from rollwright.kit.games import Game


class Shows(NamedTuple):
    """The question by which a house rule is measured: a request and what is asked of its odds."""

    question: str
    """In a player's words: "chance that a pushed burst jams"."""
    roll: str
    fields: Mapping[str, Any]
    measure: Callable[[Any], Any]
    """A number for each outcome; its average is shown (True counts 1, so a chance is one too)."""
    policy: str = ""
    unit: str = "%"
    """`%` for a chance, else what is counted: `successes`."""


class Measured(NamedTuple):
    """A house rule with what each reading says and what it comes to."""

    name: str
    code: str
    """Its number in the list of ambiguities, such as D3."""
    help: str
    question: str
    unit: str
    readings: tuple[tuple[Any, str, Fraction], ...]
    """Each setting, what it means, and the number; the default first."""


def measured_house(game: Game) -> tuple[Measured, ...]:
    """Every house rule of a game, measured on its own question with all else at the default."""
    return tuple(_measured(game, about) for about in fields_of(game.house).values())


def _measured(game: Game, about: Field) -> Measured:
    shows: Shows = about.more["shows"]
    readings: Mapping[Any, str] = about.more["readings"]
    ordered = [about.default, *(setting for setting in readings if setting != about.default)]
    found = tuple(
        (setting, readings[setting], _number(game, about.name, setting, shows))
        for setting in ordered
    )
    return Measured(about.name, about.more["code"], about.help, shows.question, shows.unit, found)


def _number(game: Game, name: str, setting: Any, shows: Shows) -> Fraction:
    from rollwright.api import odds

    request = game.request(shows.roll, **shows.fields, house={name: setting})
    outcomes = odds(request, shows.policy or None)
    return outcomes.map(lambda outcome: Fraction(shows.measure(outcome))).mean
