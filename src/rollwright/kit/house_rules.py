"""A rulebook in our own words, and house rules: how each place that can be read in several ways is.

A house rule is a switch with its readings, the default first; how much it changes is counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.errors import Misuse
from rollwright.kit.fields import Field, Value, fields_of, preset

if TYPE_CHECKING:
    from rollwright.dice import Outcome
    from rollwright.jsonable import Json
    from rollwright.kit.games import Game

_NUMBER = re.compile(r"^\s*(R\d+) ", re.MULTILINE)
_GUIDANCE = "guidance: "


class Line(NamedTuple):
    """A line of the rulebook in our own words; `guidance` lines are advice to people."""

    text: str
    guidance: bool = False


def rulebook_of(text: str) -> dict[str, Line]:
    """The lines of a rulebook, each begun by its number; `guidance:` marks advice to people.

    >>> lines = rulebook_of(
    ...     "R1 Throw a D6 for each oar;\\n"
    ...     "   a 5 or a 6 is a stroke.\\n"
    ...     "R2 guidance: Say first what waits on the other side."
    ... )
    >>> lines["R1"]
    Line(text='Throw a D6 for each oar; a 5 or a 6 is a stroke.', guidance=False)
    >>> lines["R2"]
    Line(text='Say first what waits on the other side.', guidance=True)
    """
    before, *parts = _NUMBER.split(text)
    if before.strip():
        line = before.strip().splitlines()[0]
        raise Misuse(f"{line!r:.60} has no number: a line of a rulebook begins with R1, R2, …")
    return {number: _line(" ".join(said.split())) for number, said in zip(parts[::2], parts[1::2])}


def _line(said: str) -> Line:
    return Line(said.removeprefix(_GUIDANCE), guidance=said.startswith(_GUIDANCE))


class NoHouse(Value):
    """The house rules of a game that has none."""


class Shows(NamedTuple):
    """The question by which a house rule is measured: a request and what is asked of its odds."""

    question: str
    """In a player's words: "chance that a pushed burst jams"."""
    roll: str
    fields: Mapping[str, object]
    measure: str | Callable[[Outcome], int | Fraction]
    """A number for each outcome, or the field that is one; its average is shown (True counts 1,
    so a chance is one too)."""
    policy: str = ""
    unit: str = "%"
    """`%` for a chance, else what is counted: `successes`."""


def switch(code: str, help: str, readings: Mapping[Any, str], shows: Shows, **limits: Any) -> Any:
    """A house rule: a field with what each setting means, the default first.

    `code` is its number in the list of ambiguities, such as D3.
    """
    default = next(iter(readings))
    return preset(default, help, code=code, readings=readings, shows=shows, **limits)


class HouseRuleMeasure(NamedTuple):
    """A house rule with what each reading says and what it comes to."""

    name: str
    code: str
    """Its number in the list of ambiguities, such as D3."""
    help: str
    question: str
    unit: str
    readings: tuple[tuple[Json, str, Fraction], ...]
    """Each setting, what it means, and the number; the default first."""


def measured_house(game: Game) -> tuple[HouseRuleMeasure, ...]:
    """Every house rule of a game, measured on its own question with all else at the default.

    One that has no such question is left out.
    """
    known = fields_of(game.house).values()
    return tuple(_measure(game, about) for about in known if "shows" in about.more)


def _measure(game: Game, about: Field) -> HouseRuleMeasure:
    shows: Shows = about.more["shows"]
    readings: Mapping[Json, str] = about.more["readings"]
    ordered = [about.default, *(setting for setting in readings if setting != about.default)]
    found = tuple(
        (setting, readings[setting], _number(game, about.name, setting, shows))
        for setting in ordered
    )
    return HouseRuleMeasure(
        about.name, about.more["code"], about.help, shows.question, shows.unit, found
    )


def _number(game: Game, name: str, setting: Json, shows: Shows) -> Fraction:
    from rollwright.api import odds

    request = game.request(shows.roll, **shows.fields, house={name: setting})
    measure = attrgetter(shows.measure) if isinstance(shows.measure, str) else shows.measure
    outcomes = odds(request, shows.policy or None)
    return outcomes.map(lambda outcome: Fraction(measure(outcome))).counted_mean
