"""The ladder of Difficulty Levels, the outcome of a result against one, and what rolls come to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, NamedTuple

from rollwright.errors import BadField, format_number
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import Message, row_of, word
from rollwright.kit import Ranked

from .house import House

WORDS = words_of(__package__ or __name__)
msg = WORDS.msg
WIDTH = 6
"""Every level is six points wide; Easy begins at 8."""
NAMES = ("below Easy", "Easy", "Moderate", "Hard", "Severe")
SEVERE = 4
HIGHEST = 20
"""The highest step a result can come to with the bonuses a request accepts."""
LONGEST_DL = 40
HIGHEST_DL = 9999
SITE_NAMES = ("Extreme", "Impossible")
BOOK = House()


class Grade(Ranked):
    """One of the four outcomes, from worst to best.

    >>> Grade("Fade") < Grade("Success"), Grade("Fade") == "Fade"
    (True, True)
    """

    ranks: ClassVar[Mapping[str, int]] = {"Glitch": 0, "Fade": 1, "Success": 2, "Cool Success": 3}


GRADES = GLITCH, FADE, SUCCESS, COOL = tuple(Grade(word) for word in Grade.ranks)


class Level(Ranked):
    """The name of a level of the ladder, from the lowest up."""

    ranks: ClassVar[Mapping[str, int]] = {
        **{name: step for step, name in enumerate(NAMES)},
        **{f"Severe +{more}": SEVERE + more for more in range(1, HIGHEST - SEVERE + 1)},
        **{name: SEVERE + more for more, name in enumerate(SITE_NAMES, start=1)},
    }


class Check(NamedTuple):
    """The result of one roll, after Luck."""

    outcome: Grade
    level: Level
    """The level that the result reaches."""
    result: int
    """The dice and every bonus that counts, the Luck Bonus with them."""
    luck_used: bool
    steps: int
    """How many levels the result lies above the Difficulty Level; below it is negative."""
    before: Grade
    """The outcome before Luck altered it."""
    successes: int
    """1 for a Success or a Cool Success, else 0."""
    glitches: int
    """1 for a Glitch, else 0."""


class Score(NamedTuple):
    """The result of a session's rolls."""

    successes: int = 0
    """How many ended as a Success or a Cool Success."""
    value: Fraction | int = 0
    """The worth of all outcomes, added up."""
    glitches: int = 0
    cools: int = 0
    luck_used: int = 0
    """How many Luck Points were spent."""


def top_step(house: House) -> int:
    """The highest step of the ladder as a table reads it."""
    if house.above_severe == "open":
        return SEVERE
    return SEVERE + len(SITE_NAMES) if house.above_severe == "site" else HIGHEST


def step_of(result: int, house: House) -> int:
    """The step of the highest level whose number the result reaches; 0 is below Easy.

    >>> [step_of(result, House()) for result in (-3, 7, 8, 13, 14, 20, 26, 32)]
    [0, 0, 1, 1, 2, 3, 4, 5]
    """
    return min(max((result - 2) // WIDTH, 0), top_step(house))


def number_of(step: int) -> int:
    """The number at which a level begins: Easy 8, Moderate 14, Hard 20, Severe 26, and on."""
    return 2 + WIDTH * step


def level_at(step: int, house: House) -> Level:
    """The name of a step."""
    if step <= SEVERE:
        return Level(NAMES[step])
    more = step - SEVERE
    return Level(SITE_NAMES[more - 1] if house.above_severe == "site" else f"Severe +{more}")


def grade_at(result: int, dl: int, house: House) -> Grade:
    """The outcome of a result against the step of a Difficulty Level.

    >>> [str(grade_at(result, 3, House())) for result in (27, 24, 16, 10)]
    ['Cool Success', 'Success', 'Fade', 'Glitch']
    """
    step = step_of(result, house)
    if step == 0 and house.below_easy == "failure":
        return GLITCH
    if step > dl:
        return COOL
    return SUCCESS if step == dl else FADE if step == dl - 1 else GLITCH


def canonical_dl(dl: object) -> int | str:
    """A Difficulty Level as it is kept: the name of one of the four, else name or number as given.

    >>> canonical_dl(20), canonical_dl("hard"), canonical_dl("17"), canonical_dl("Hard (20)")
    ('Hard', 'Hard', 17, 'Hard')
    """
    if isinstance(dl, str) and len(dl) > LONGEST_DL:
        raise _bad_dl(msg("refusal.long", n=len(dl)))
    if isinstance(dl, str) and dl.strip().isascii() and dl.strip().isdecimal():
        dl = int(dl)
    if isinstance(dl, str):
        return _level_named(dl) or dl
    if type(dl) is not int:
        raise _bad_dl(msg("refusal.dl", came=str(dl)[:40]))
    if abs(dl) > HIGHEST_DL:
        raise _bad_dl(msg("refusal.off_ladder", n=format_number(dl)))
    step, rest = divmod(dl - 2, WIDTH)
    return NAMES[step] if not rest and 1 <= step <= SEVERE else dl


_WITH_NUMBER = re.compile(r"(.+?)\s*\((\d{1,4})\)")


def _level_named(text: str) -> str:
    """The level that somebody wrote as it is listed: its name, in any language, and its number."""
    whole = text.strip().lower()
    found = _WITH_NUMBER.fullmatch(whole)
    level = _levels_by_word().get(found[1] if found else whole, "")
    if found and level and number_of(Level.ranks[level]) != int(found[2]):
        return ""
    return level


@lru_cache(maxsize=1)
def _levels_by_word() -> Mapping[str, str]:
    """Every level by its own name and by what it is called in each language; its own goes first."""
    catalogs = WORDS.sources[0].values()
    said_so = {
        text.lower(): name
        for catalog in catalogs
        for name in Level.ranks
        if (text := catalog.texts.get(f"word.{name}"))
    }
    return {**said_so, **{name.lower(): name for name in Level.ranks}}


def dl_step(dl: int | str, house: House) -> int:
    """The step of a Difficulty Level given by name or number, or a refusal that says what does."""
    highest = _highest_dl(house)
    if isinstance(dl, str):
        named = _steps_by_name(house)
        if dl not in named:
            raise _bad_dl(msg("refusal.no_level", name=repr(dl)), house)
        return named[dl]
    step, rest = divmod(dl - 2, WIDTH)
    if step > highest and house.dl_between == "level":
        return highest
    if not 1 <= step <= highest:
        raise _bad_dl(msg("refusal.off_ladder", n=str(dl)), house)
    if rest and house.dl_between == "refuse":
        raise _bad_dl(msg("refusal.between", n=str(dl)), house)
    return step


@lru_cache(maxsize=64)
def _steps_by_name(house: House) -> Mapping[str, int]:
    """Every step that a Difficulty Level can ask for, by its name."""
    return {str(level_at(step, house)): step for step in range(1, _highest_dl(house) + 1)}


def _highest_dl(house: House) -> int:
    """The highest step that a Difficulty Level can ask for: nothing asks for the Impossible."""
    return top_step(house) - (house.above_severe == "site")


def _bad_dl(problem: Message, house: House = BOOK) -> BadField:
    return BadField("dl", problem, rule="GHOST R8", would_do=levels_said(house))


def levels_said(house: House = BOOK) -> Message:
    """The Difficulty Levels, each with its number."""
    steps = range(1, min(_highest_dl(house), SEVERE + 1) + 1)
    levels = [msg("dl", level=word(level_at(step, house)), n=number_of(step)) for step in steps]
    return msg("fits.levels", levels=row_of(levels))
