"""The rolls somebody can ask for, with everything that is decided before the dice fall."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.engine.steps import Call
from rollwright.errors import BadField
from rollwright.games.dust.house import House
from rollwright.games.dust.outcomes import Extended, Opposed, Planned, Rolled
from rollwright.games.dust.pools import STANDARD, PoolUsed, Stats, pool_used
from rollwright.games.dust.rulebook import ELSEWHERE
from rollwright.games.dust.rules import Match, Stake, opposing_roll, standard_roll
from rollwright.games.dust.tasks import (
    Account,
    Errand,
    Progress,
    Task,
    extended_roll,
    planned_rolls,
)
from rollwright.games.dust.throws import FULL, Terms, terms_of
from rollwright.kit import Request, field
from rollwright.kit.fields import refuse_above

Kind = Literal["standard", "damage", "extended", "opposing"]

MOST_WANTED = 40
MOST_TURNS = 20
MOST_WITH_ADRENALINE = 10
"""Turns of a task where Adrenaline is counted as well, since it is one more thing in each."""
MOST_COUNTED = 8
"""Turns with Adrenaline over which every single botch is counted."""
MOST_ROLLS = 7

_DIFFICULTY = "what a die must reach: 2 trivial, 6 standard, 10 practically impossible"
_ADRENALINE = f"Adrenaline before the roll ({ELSEWHERE})"


class Named(Stats):
    """Stats with the names they have on the sheet."""

    attribute_name: str = field(default="", help="what the attribute is called", most=40)
    ability_name: str = field(default="", help="what the ability is called", most=40)


def check_spend(spend: int, adrenaline: int | None, house: House) -> None:
    """Refuse to spend more than there is or than one roll allows."""
    most = house.max_adrenaline_per_roll
    refuse_above("spend", spend, most, f"{spend} points are more than one roll allows", "DUST R19")
    problem = f"{spend} cannot be paid out of {adrenaline} Adrenaline"
    refuse_above("spend", spend, adrenaline, problem, "DUST R19")


class Roll(Named, Request, roll="roll", title="Pool roll", outcome=Rolled):
    """One throw of a dice pool: the everyday roll, and damage."""

    difficulty: int = field(default=STANDARD, help=_DIFFICULTY, low=2, high=10, rule="DUST R5")
    kind: Kind = field(
        default="standard",
        help="what the throw is for; damage is always rolled at 6, whatever is asked",
        rule="DUST R14",
    )
    spend: int = field(
        default=0,
        help="Adrenaline spent on it, declared before the throw",
        low=0,
        high=FULL,
        rule="DUST R20",
    )
    adrenaline: int | None = field(
        default=None, help=f"{_ADRENALINE}; left out: enough", low=0, high=FULL, rule="DUST R18"
    )
    doubles: Literal["take", "leave", "ask"] = field(
        default="take",
        help="whether the point for doubles is taken, left, or asked for",
        rule="DUST R17",
    )
    house: House = field(default=House(), help="how this table reads the rules")

    def check(self) -> None:
        """Stats, and what may be spent."""
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

    @property
    def terms(self) -> Terms:
        """How the throw is read."""
        return terms_of(self.pool_used, self.difficulty_used, self.house)

    @property
    def stake(self) -> Stake:
        """What is really spent, and out of what."""
        return Stake.of(self.terms, self.spend, self.adrenaline, self.doubles)

    def call(self) -> Call[Any]:
        """A standard roll."""
        return standard_roll(self.terms, self.stake)


class Side(Named):
    """One side of an opposing roll."""

    name: str = field(default="", help="who it is", most=40)
    difficulty: int | None = field(
        default=None,
        help="a number of its own; counts only where the house allows each side its own",
        low=2,
        high=10,
        rule="DUST R16",
    )
    spend: int = field(
        default=0, help="Adrenaline spent, declared blind", low=0, high=FULL, rule="DUST R20"
    )
    adrenaline: int | None = field(
        default=None, help=f"{_ADRENALINE}; left out: enough", low=0, high=FULL, rule="DUST R18"
    )


class Opposing(Request, roll="opposing", title="Opposing roll", outcome=Opposed):
    """Two characters against each other: a grapple, a race, a haggle."""

    actor: Side = field(help="who acts")
    defender: Side = field(help="who stands against it")
    difficulty: int = field(
        default=STANDARD, help="the number both sides roll against", low=2, high=10, rule="DUST R16"
    )
    house: House = field(default=House(), help="how this table reads the rules")

    def check(self) -> None:
        """What either side may spend."""
        for name, side in (("actor", self.actor), ("defender", self.defender)):
            try:
                check_spend(side.spend, side.adrenaline, self.house)
            except BadField as problem:
                raise problem.inside(name) from None

    def number_of(self, side: Side) -> int:
        """The number a side rolls against."""
        own = side.difficulty if self.house.opposing_numbers == "own" else None
        return self.difficulty if own is None else own

    def terms_of(self, side: Side) -> Terms:
        """How a side's throw is read."""
        return terms_of(pool_used(side, self.house), self.number_of(side), self.house)

    def match(self) -> Match:
        """The two sides as the rule takes them."""
        actor, defender = self.terms_of(self.actor), self.terms_of(self.defender)
        return Match(
            actor,
            Stake.of(actor, self.actor.spend, self.actor.adrenaline),
            defender,
            Stake.of(defender, self.defender.spend, self.defender.adrenaline),
            self.house.opposing_tie,
            self.house.opposing_floor,
        )

    def call(self) -> Call[Any]:
        """An opposing roll."""
        return opposing_roll(self.match())


def turns_with_adrenaline(dice: int, house: House) -> int:
    """How many turns can be counted along with Adrenaline: fewer with many dice or much to say."""
    ways = (1 + house.max_adrenaline_per_roll) * max(dice, 10)
    return max(1, min(MOST_WITH_ADRENALINE, 300 // ways))


class ExtendedRoll(Named, Request, roll="extended", title="Extended roll", outcome=Extended):
    """A task over several turns: a hard lock, a heap of rubble, research."""

    target: int = field(
        help="successes wanted in all; the referee says how many",
        low=1,
        high=MOST_WANTED,
        rule="DUST R15",
    )
    limit: int | None = field(
        default=None,
        help=f"the most turns it may take; left out: no limit. Turns are counted one by one, so at "
        f"most {MOST_TURNS}; a longer task goes on with its progress",
        low=1,
        high=MOST_TURNS,
        rule="DUST R15",
    )
    progress: int = field(
        default=0, help="successes gathered before", low=0, high=MOST_WANTED - 1, rule="DUST R15"
    )
    task: str = field(default="", help="what the task is called", most=60)
    difficulty: int = field(default=STANDARD, help=_DIFFICULTY, low=2, high=10, rule="DUST R5")
    adrenaline: int | None = field(
        default=None,
        help=f"{_ADRENALINE}; left out: it is neither spent nor counted here",
        low=0,
        high=FULL,
        rule="DUST R18",
    )
    house: House = field(default=House(), help="how this table reads the rules")

    def check(self) -> None:
        """A task is not done yet, and can come to an end."""
        super().check()
        problem = f"{self.progress} of {self.target} successes mean that it is done"
        refuse_above("progress", self.progress, self.target - 1, problem, "DUST R15")
        most = turns_with_adrenaline(pool_used(self, self.house).dice, self.house)
        if self.adrenaline is not None and (self.limit or 0) > most:
            raise BadField(
                "limit",
                f"{self.limit} turns with their Adrenaline are too much to count at once",
                rule="DUST R15",
                would_do=f"1 to {most}, and the rest with the progress made",
            )
        if self.limit is None and not pool_used(self, self.house).dice:
            raise BadField(
                "limit",
                "without a die and without a limit this would go on for ever",
                rule="DUST R15",
                would_do="a number of turns",
            )

    def task_terms(self) -> Task:
        """The task as the rule takes it."""
        terms = terms_of(pool_used(self, self.house), self.difficulty, self.house)
        most = self.house.max_adrenaline_per_roll
        few = MOST_COUNTED if self.adrenaline is not None else MOST_TURNS
        counts = self.limit is not None and self.limit <= few
        return Task(terms, self.target, self.limit, self.house.extended_botch, most, counts)

    def call(self) -> Call[Any]:
        """An extended roll from its first turn on."""
        turns = None if self.limit is None else 0
        start = Progress(self.progress, turns, 0, self.adrenaline)
        return extended_roll(self.task_terms(), start)


class PlannedRoll(Named):
    """One roll of a plan."""

    difficulty: int = field(default=STANDARD, help=_DIFFICULTY, low=2, high=10, rule="DUST R5")
    need: int = field(default=1, help="successes it needs", low=1, high=20, rule="DUST R11")
    worth: int = field(
        default=1,
        help="what reaching them is worth to you; in a plan every sum is told apart, so small "
        "numbers do",
        low=0,
        high=20,
    )


class Plan(Request, roll="plan", title="Plan of rolls", outcome=Planned):
    """Rolls you see coming, in order, that share one pool of Adrenaline."""

    rolls: tuple[PlannedRoll, ...] = field(
        help="the rolls, first one first; so few can be foreseen", most=MOST_ROLLS
    )
    adrenaline: int = field(default=0, help=_ADRENALINE, low=0, high=FULL, rule="DUST R18")
    house: House = field(default=House(), help="how this table reads the rules")

    def check(self) -> None:
        """A plan has at least one roll."""
        if not self.rolls:
            raise BadField(
                "rolls", "the plan is empty", rule="DUST R14", would_do="at least one roll"
            )

    def errands(self) -> tuple[Errand, ...]:
        """The rolls as the rule takes them."""
        house = self.house
        return tuple(
            Errand(terms_of(pool_used(r, house), r.difficulty, house), r.need, r.worth)
            for r in self.rolls
        )

    def call(self) -> Call[Any]:
        """The rolls one after the other."""
        start = Account(0, 0, self.adrenaline)
        return planned_rolls(self.errands(), self.house.max_adrenaline_per_roll, start)
