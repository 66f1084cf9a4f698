"""Scores, their bands and ranges, the shorthand they are written in, and what rolls come to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from rollwright.dice import Die, Pool
from rollwright.errors import BadField
from rollwright.i18n.catalogs import words_of
from rollwright.kit import Ranked

WORDS = words_of(__package__ or __name__)
msg, name_said, known_as = WORDS.msg, WORDS.name, WORDS.known_as
"""A message of this game's words."""


Side: TypeAlias = Literal["0!", "", "10!"]
"""Which side effect of a critical is due."""


class Beyond(int):
    """The value of 0! and 10! where numbers are compared; it is written as in the book.

    >>> str(BEST), BEST > 40, BEST == 99
    ('10!', True, True)
    """

    def __str__(self) -> str:
        return "10!" if self > 0 else "0!"


WORST, BEST = Beyond(-99), Beyond(99)
"""Below and above every Score."""
MIXED, HIGH = 7, 10
"""Lowest Mixed Score and lowest High Score."""
STANDARD_RANGES = ("[..6]", "[7..9]", "[10..]")
Judging: TypeAlias = Literal["bands", "pass", "ranges"]
"""How a Score is judged: as Low, Mixed or High, as passed or failed, or by its ranges alone."""


class Band(Ranked):
    """Low, mixed or high, or as much of that as is known.

    >>> Band("low") < Band("mixed") < Band("high"), Band("low") == "low"
    (True, True)
    """

    ranks: ClassVar[Mapping[str, int]] = {
        "low": 0,
        "low or mixed": 1,
        "low or mixed or high": 2,
        "mixed": 3,
        "mixed or high": 4,
        "high": 5,
    }


LOW_BAND, MIXED_BAND, HIGH_BAND = Band("low"), Band("mixed"), Band("high")


def band_of(value: int) -> Band:
    """Low, mixed or high."""
    return LOW_BAND if value < MIXED else MIXED_BAND if value < HIGH else HIGH_BAND


SIDES: tuple[Side, Side, Side] = ("0!", "", "10!")


class Score(NamedTuple):
    """The end of a Test: a number, and whether it is a 0! (-1), a 10! (1) or neither (0)."""

    value: int
    critical: int = 0

    @property
    def shown(self) -> str:
        """How it is said: `9`, `0!` or `10!`."""
        return self.side or str(self.value)

    @property
    def side(self) -> Side:
        """Which side effect is due: that of a `0!`, of a `10!`, or none."""
        return SIDES[self.critical + 1]

    @property
    def band(self) -> Band:
        return band_of(self.value)

    @property
    def gifts(self) -> int:
        """How many Advantages a player with this Score can give away in a Group Test."""
        if self.critical:
            return 2 if self.critical > 0 else 0
        return (self.value >= MIXED) + (self.value >= HIGH)


def score_of(kept: int, modifier: int, *, beyond: bool = True) -> Score:
    """The Score of a kept die: 0 and 10 are critical and, by the book, beyond every number."""
    critical = (kept == 10) - (kept == 0)
    if critical and beyond:
        return Score(BEST if critical > 0 else WORST, critical)
    return Score(kept + modifier, critical)


class ScoreRange(NamedTuple):
    """A range in brackets: open ends are None; `[0!]` and `[10!]` have only `critical`."""

    low: int | None
    high: int | None
    critical: int = 0

    def holds(self, score: Score) -> bool:
        if self.critical:
            return self.critical == score.critical
        return (self.low is None or self.low <= score.value) and (
            self.high is None or score.value <= self.high
        )


_RANGE = re.compile(r"\[\s*(-?\d{1,9})?\s*\.\.\s*(-?\d{1,9})?\s*\]")
_CRITICAL = re.compile(r"\[\s*(0|10)!\s*\]")
_SINGLE = re.compile(r"\[\s*(-?\d{1,9})\s*\]")


@lru_cache(maxsize=1024)
def range_of(text: str) -> ScoreRange:
    """The range behind its shorthand, or a refusal that says how to write it.

    >>> range_of("[7..9]")
    ScoreRange(low=7, high=9, critical=0)
    """
    if critical := _CRITICAL.fullmatch(text):
        return ScoreRange(None, None, 1 if critical[1] == "10" else -1)
    found = _RANGE.fullmatch(text)
    if found is None or not any(found.groups()):
        single = _SINGLE.fullmatch(text)
        would_do = f"[{single[1]}..{single[1]}]" if single else msg("do.ranges")
        problem = msg("refusal.range", came=repr(text[:40]))
        raise BadField("ranges", problem, rule="KLEP R22", would_do=would_do)
    low, high = (None if end is None else int(end) for end in found.groups())
    if low is not None and high is not None and low > high:
        problem = msg("refusal.backwards", came=repr(text))
        raise BadField("ranges", problem, rule="KLEP R20", would_do=f"[{high}..{low}]")
    return ScoreRange(low, high)


def judged_by(ranges: tuple[str, ...]) -> Judging:
    """How a Test with these ranges is judged.

    >>> judged_by(("[..6]", "[7..9]", "[10..]", "[0!]")), judged_by(("[..6]", "[7..]"))
    ('bands', 'pass')
    """
    known = {range_of(text) for text in ranges}
    if known.issuperset(map(range_of, STANDARD_RANGES)):
        return "bands"
    passes, fails = ScoreRange(MIXED, None), ScoreRange(None, MIXED - 1)
    others = {one for one in known - {passes, fails} if not one.critical}
    return "pass" if passes in known and not others else "ranges"


def ranges_in_effect(
    ranges: tuple[str, ...], score: Score, *, critical_only: bool = False
) -> tuple[str, ...]:
    """Every range that holds the Score; by the house, a critical one shuts the others out."""
    held = tuple(text for text in ranges if range_of(text).holds(score))
    if critical_only:
        return tuple(text for text in held if range_of(text).critical) or held
    return held


class Shorthand(NamedTuple):
    """Dice to be summed, with a Modifier where the shorthand has one."""

    pool: Pool
    modifier: int | None


_DICE = re.compile(r"\s*(\d*)\s*[dD]\s*(\d+)\s*(?:([+-])\s*(\d+))?\s*")


@lru_cache(maxsize=1024)
def shorthand_of(text: str) -> Shorthand:
    """The dice behind their shorthand.

    >>> shorthand_of("2d12 +3")
    Shorthand(pool=2D12, modifier=3)
    """
    found = _DICE.fullmatch(text)
    count, sides = (int(found[1] or 1), int(found[2])) if found else (0, 0)
    if found is None or not 1 <= count <= 100 or not 2 <= sides <= 1000:
        problem = msg("refusal.dice", came=repr(text))
        raise BadField("dice", problem, rule="KLEP R5", would_do=msg("do.dice"))
    modifier = int(f"{found[3]}{found[4]}") if found[4] else None
    return Shorthand(count * Die(sides), modifier)


class TestOutcome(NamedTuple):
    """The result of a Test."""

    score: int
    """The Score; 0! counts -99 and 10! counts 99, beyond every number."""
    critical: Side
    """`0!`, `10!`, or empty: which side effect is due."""
    band: Band | None
    """low, mixed or high; None for plain dice, which are no Test."""
    passed: bool | None
    ranges: tuple[str, ...]
    """Every range of the Test that takes effect, as it was written."""


class ContestOutcome(NamedTuple):
    """The result of a Contest."""

    winner: Literal["first", "second"]
    """first or second: who takes [Win]; the other takes [Lose]."""
    tied: bool
    """Whether a coin toss had to decide."""
    first_score: int
    second_score: int
    first_critical: Side
    second_critical: Side


class GroupOutcome(NamedTuple):
    """The result of a Group Test; None for what the request did not ask for."""

    reached: bool
    """Whether the lowest Score is at least the goal."""
    band: Band
    """As far as it is known: `mixed or high` where no more than a goal of 7 was read."""
    critical: Side | None = None
    score: int | None = None
    helped: tuple[int, ...] | None = None
    """How many Advantages each player was given, in the order of the list."""
    ranges: tuple[str, ...] | None = None

    def counted_with(self) -> dict[str, str]:
        """Return the fields that a field's counting needs."""
        return dict.fromkeys(("critical", "score", "helped", "ranges"), "read")
