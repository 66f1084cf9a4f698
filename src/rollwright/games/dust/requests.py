"""The rolls somebody can ask for, with everything that is decided before the dice fall."""

from __future__ import annotations

from functools import cached_property
from typing import Literal, NamedTuple

from rollwright.errors import BadField
from rollwright.i18n.catalogs import words_of
from rollwright.kit import Request, field, preset, refuse_if
from rollwright.kit.fields import refuse_above

from .dice import FULL, STANDARD, PoolUsed, Stats, Terms, pool_used, terms_of
from .house import ELSEWHERE, House
from .outcomes import Extended, Opposed, Planned, Rolled

msg = words_of(__package__ or __name__).msg
MOST_WANTED = 40
MOST_TURNS = 20
MOST_WITH_ADRENALINE = 10
"""Turns of a task where Adrenaline is counted as well, since it is one more thing in each."""
MOST_COUNTED = 8
"""Turns with Adrenaline over which every single botch is counted."""
MOST_ROLLS = 7

_DIFFICULTY = "what a die must reach: 2 trivial, 6 standard, 10 practically impossible"
_ADRENALINE = f"Adrenaline before the roll ({ELSEWHERE})"
_HOUSE = "how this table reads the rules"


def check_spend(spend: int, adrenaline: int | None, house: House) -> None:
    """Refuse to spend more than there is or than one roll allows."""
    most = house.max_adrenaline_per_roll
    refuse_above("spend", spend, most, msg("refusal.most", spend=spend), "DUST R19")
    unpaid = msg("refusal.unpaid", spend=spend, adrenaline=adrenaline or 0)
    refuse_above("spend", spend, adrenaline, unpaid, "DUST R19")


class Stake(NamedTuple):
    """The Adrenaline a roller has, spends on the roll, and what becomes of doubles."""

    spend: int
    adrenaline: int
    doubles: str = "take"

    @classmethod
    def of(cls, terms: Terms, spend: int, adrenaline: int | None, doubles: str = "take") -> Stake:
        """The stake on a throw; where the action fails by itself, nothing can be spent."""
        spent = 0 if terms.fails else spend
        return cls(spent, spent if adrenaline is None else adrenaline, doubles)


class Roll(Stats, Request, roll="roll", title="Pool roll", outcome=Rolled):
    """One throw of a dice pool: the everyday roll, and damage."""

    difficulty: int = preset(STANDARD, _DIFFICULTY, 2, 10, "DUST R5")
    kind: Literal["standard", "damage", "extended", "opposing"] = preset(
        "standard",
        "what the throw is for; damage is always rolled at 6, whatever is asked",
        rule="DUST R14",
    )
    spend: int = preset(0, "Adrenaline spent on it, declared before the throw", 0, FULL, "DUST R20")
    adrenaline: int | None = preset(None, f"{_ADRENALINE}; left out: enough", 0, FULL, "DUST R18")
    doubles: Literal["take", "leave", "ask"] = preset(
        "take", "whether the point for doubles is taken, left, or asked for", rule="DUST R17"
    )
    house: House = preset(House(), _HOUSE)

    def check(self) -> None:
        super().check()
        check_spend(self.spend, self.adrenaline, self.house)

    @property
    def difficulty_used(self) -> int:
        """The difficulty the dice really meet."""
        return STANDARD if self.kind == "damage" else self.difficulty

    @property
    def pool_used(self) -> PoolUsed:
        """The dice that are thrown, and how that came about."""
        return pool_used(self, self.house)

    @cached_property
    def terms(self) -> Terms:
        return terms_of(self, self.difficulty_used, self.house)

    @cached_property
    def stake(self) -> Stake:
        """The points really spent, and out of what."""
        return Stake.of(self.terms, self.spend, self.adrenaline, self.doubles)


class Side(Stats):
    """One side of an opposing roll."""

    name: str = preset("", "who it is", most=40, person=True)
    difficulty: int | None = preset(
        None,
        "a number of its own; counts only where the house allows each side its own",
        2,
        10,
        "DUST R16",
    )
    spend: int = preset(0, "Adrenaline spent, declared blind", 0, FULL, "DUST R20")
    adrenaline: int | None = preset(None, f"{_ADRENALINE}; left out: enough", 0, FULL, "DUST R18")


class Opposing(Request, roll="opposing", title="Opposing roll", outcome=Opposed):
    """Two characters against each other: a grapple, a race, a haggle."""

    actor: Side = field(help="who acts")
    defender: Side = field(help="who stands against it")
    difficulty: int = preset(STANDARD, "the number both sides roll against", 2, 10, "DUST R16")
    house: House = preset(House(), _HOUSE)

    def check(self) -> None:
        for name, side in (("actor", self.actor), ("defender", self.defender)):
            try:
                check_spend(side.spend, side.adrenaline, self.house)
            except BadField as problem:
                raise problem.inside(name) from None

    @cached_property
    def sides(self) -> tuple[tuple[Terms, Stake], ...]:
        """How the throws of actor and defender are read, and what they spend."""
        return tuple(self._side(side) for side in (self.actor, self.defender))

    def _side(self, side: Side) -> tuple[Terms, Stake]:
        own = side.difficulty if self.house.opposing_numbers == "own" else None
        terms = terms_of(side, self.difficulty if own is None else own, self.house)
        return terms, Stake.of(terms, side.spend, side.adrenaline)


def turns_with_adrenaline(stats: Stats, house: House) -> int:
    """How many turns can be counted along with Adrenaline: fewer with many dice or much to say."""
    ways = (1 + house.max_adrenaline_per_roll) * max(pool_used(stats, house).dice, 10)
    return max(1, min(MOST_WITH_ADRENALINE, 300 // ways))


class ExtendedRoll(Stats, Request, roll="extended", title="Extended roll", outcome=Extended):
    """A task over several turns: a hard lock, a heap of rubble, research."""

    target: int = field(
        help="successes wanted in all; the referee says how many",
        low=1,
        high=MOST_WANTED,
        rule="DUST R15",
    )
    limit: int | None = preset(
        None,
        f"the most turns it may take; left out: no limit. Turns are counted one by one, so at most "
        f"{MOST_TURNS}; a longer task goes on with its progress",
        1,
        MOST_TURNS,
        "DUST R15",
    )
    progress: int = preset(0, "successes gathered before", 0, MOST_WANTED - 1, "DUST R15")
    task: str = preset("", "what the task is called", most=60)
    difficulty: int = preset(STANDARD, _DIFFICULTY, 2, 10, "DUST R5")
    adrenaline: int | None = preset(
        None, f"{_ADRENALINE}; left out: it is neither spent nor counted here", 0, FULL, "DUST R18"
    )
    house: House = preset(House(), _HOUSE)

    def check(self) -> None:
        super().check()
        done = msg("refusal.done", progress=self.progress, target=self.target)
        refuse_above("progress", self.progress, self.target - 1, done, "DUST R15")
        most = turns_with_adrenaline(self, self.house)
        refuse_if(
            self.adrenaline is not None and (self.limit or 0) > most,
            "limit",
            msg("refusal.turns", limit=self.limit or 0),
            "DUST R15",
            msg("refusal.turns.do", most=most),
        )
        endless = self.limit is None and not pool_used(self, self.house).dice
        would_do = msg("refusal.endless.do")
        refuse_if(endless, "limit", msg("refusal.endless"), "DUST R15", would_do)

    @cached_property
    def terms(self) -> Terms:
        return terms_of(self, self.difficulty, self.house)

    @cached_property
    def counts_botches(self) -> bool:
        """Whether every botch is counted, or only whether there was one."""
        few = MOST_COUNTED if self.adrenaline is not None else MOST_TURNS
        return self.limit is not None and self.limit <= few


class PlannedRoll(Stats):
    """One roll of a plan."""

    difficulty: int = preset(STANDARD, _DIFFICULTY, 2, 10, "DUST R5")
    need: int = preset(1, "successes it needs", 1, 20, "DUST R11")
    worth: int = preset(
        1,
        "what reaching them is worth to you; in a plan every sum is told apart, so small numbers "
        "do",
        0,
        20,
    )


class Plan(Request, roll="plan", title="Plan of rolls", outcome=Planned):
    """Rolls you see coming, in order, that share one pool of Adrenaline."""

    rolls: tuple[PlannedRoll, ...] = field(
        help="the rolls, first one first; so few can be foreseen", most=MOST_ROLLS
    )
    adrenaline: int = preset(0, _ADRENALINE, 0, FULL, "DUST R18")
    house: House = preset(House(), _HOUSE)

    def check(self) -> None:
        would_do = msg("refusal.empty.do")
        refuse_if(not self.rolls, "rolls", msg("refusal.empty"), "DUST R14", would_do)

    @cached_property
    def terms(self) -> tuple[Terms, ...]:
        return tuple(terms_of(roll, roll.difficulty, self.house) for roll in self.rolls)
