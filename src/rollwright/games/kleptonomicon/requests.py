"""The three rolls of the game as requests: all that is decided before the dice are thrown."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

from rollwright.engine.steps import Call
from rollwright.errors import BadField
from rollwright.games.kleptonomicon.house import House
from rollwright.games.kleptonomicon.outcomes import ContestOutcome, GroupOutcome, TestOutcome
from rollwright.games.kleptonomicon.rulebook import LINES
from rollwright.games.kleptonomicon.scores import (
    BEST,
    HIGH,
    MIXED,
    STANDARD_RANGES,
    range_of,
    shorthand_of,
)
from rollwright.kit import Request, Value, field

Method = Literal["coin", "odd_even", "d10ish"]
METHOD_HELP = (
    "how a 10 becomes 0! or 10!: flip a coin, roll again (odd fails, even succeeds), "
    "or use the twenty-sided d10ish, whose 0 and 10 say it at once"
)
MODIFIER_HELP = f"what is added to the kept die. {LINES['R2'].text}"
RANGES_HELP = "the Score Ranges of the Test, such as [..6] [7..9] [10..] [0!] [10!]"
KEEP, HELPERS = "keep", "helpers"


def capped(net: int) -> int:
    """At most three Advantages or Disadvantages count."""
    return max(-3, min(3, net))


class Test(Request, roll="test", title="Test", outcome=TestOutcome):
    """Make a Test: roll a d10 or other dice, add a Modifier, read the Score."""

    __test__ = False

    score_name: str = field(
        default="",
        help=f"what is tested, such as Sneaking. {LINES['R7'].text}",
        most=60,
        rule="KLEP R2",
    )
    modifier: int = field(default=0, help=MODIFIER_HELP, low=-30, high=30, rule="KLEP R4")
    advantages: int = field(
        default=0, help="how many Advantages apply", low=0, high=20, rule="KLEP R14"
    )
    disadvantages: int = field(
        default=0, help="how many Disadvantages apply", low=0, high=20, rule="KLEP R15"
    )
    ranges: tuple[str, ...] = field(
        default=STANDARD_RANGES, help=RANGES_HELP, most=20, rule="KLEP R22"
    )
    dice: str = field(
        default="",
        help="dice in shorthand that are rolled in place of the d10, such as 2d12 +3; "
        "they are summed, and never critical",
        most=30,
        rule="KLEP R5",
    )
    method: Method = field(default="coin", help=METHOD_HELP, rule="KLEP R9")
    house: House = field(default=House(), help="how the table reads the unclear places")

    @property
    def net(self) -> int:
        """Advantages less Disadvantages, capped."""
        return capped(self.advantages - self.disadvantages)

    def check(self) -> None:
        """Ranges must be readable; other dice go without Advantages and a second Modifier."""
        for text in self.ranges:
            range_of(text)
        if not self.dice:
            return
        own = shorthand_of(self.dice).modifier
        if own is not None and self.modifier:
            raise BadField(
                "modifier",
                f"{self.modifier:+} comes on top of the {own:+} of {self.dice!r}",
                rule="KLEP R5",
                would_do="one Modifier, in either place,",
            )
        if self.advantages or self.disadvantages:
            name = "advantages" if self.advantages else "disadvantages"
            raise BadField(
                name,
                f"they add a d10 to a d10, and {self.dice!r} is rolled instead",
                rule="KLEP R14",
                would_do="0",
            )

    def call(self) -> Call[Any]:
        """The rule of a Test."""
        from rollwright.games.kleptonomicon.rules import make_test

        return make_test(self)


class Player(Value):
    """Somebody who makes a Test beside others: a side of a Contest, a member of a group."""

    name: str = field(default="", help="what the player is called", most=40)
    modifier: int = field(default=0, help=MODIFIER_HELP, low=-30, high=30, rule="KLEP R4")
    advantages: int = field(
        default=0, help="how many Advantages apply", low=0, high=20, rule="KLEP R14"
    )
    disadvantages: int = field(
        default=0, help="how many Disadvantages apply", low=0, high=20, rule="KLEP R15"
    )

    @property
    def net(self) -> int:
        """Advantages less Disadvantages, not yet capped."""
        return self.advantages - self.disadvantages


class Contest(Request, roll="contest", title="Contest", outcome=ContestOutcome):
    """Set two sides against each other: the higher Score wins, a coin breaks a tie."""

    first: Player = field(default=Player(), help="one side", rule="KLEP R33")
    second: Player = field(default=Player(), help="the other side", rule="KLEP R33")
    method: Method = field(default="coin", help=METHOD_HELP, rule="KLEP R9")
    house: House = field(default=House(), help="how the table reads the unclear places")

    def check(self) -> None:
        """[Win] and [Lose] go by names."""
        first, second = self.names
        if first == second:
            raise BadField(
                "second.name",
                f"{second!r} is the first side's name too",
                rule="KLEP R35",
                would_do="another name",
            )

    @property
    def names(self) -> tuple[str, str]:
        """What the two sides are called."""
        return self.first.name or "the first side", self.second.name or "the second side"

    def call(self) -> Call[Any]:
        """The rule of a Contest."""
        from rollwright.games.kleptonomicon.rules import hold_contest

        return hold_contest(self)


class Group(Request, roll="group", title="Group Test", outcome=GroupOutcome):
    """Make a Group Test: all roll, those who did well help, and the lowest Score counts for all."""

    members: tuple[Player, ...] = field(
        help="the players who roll together, in the order in which they give help",
        most=12,
        rule="KLEP R24",
    )
    goal: int | None = field(
        default=None,
        help="the Score the group wants its lowest to reach; given, no more of the dice is read "
        "than whether Scores reach it, which is fast for any group; not given, it is a pass",
        low=-30,
        high=42,
        rule="KLEP R25",
    )
    read: Literal["goal", "bands", "scores"] | None = field(
        default=None,
        help="how finely the dice are read: for the goal alone, for bands and 0! too, or every "
        "Score, with each helper choosing for themselves; if not given, the goal where there is "
        "one, else every Score (to be rolled by any group, to be counted for two or three)",
        rule="KLEP R31",
    )
    ranges: tuple[str, ...] = field(
        default=STANDARD_RANGES, help=RANGES_HELP, most=20, rule="KLEP R31"
    )
    method: Method = field(default="coin", help=METHOD_HELP, rule="KLEP R9")
    house: House = field(default=House(), help="how the table reads the unclear places")

    @cached_property
    def aim(self) -> int:
        """The Score that counts as success: the goal, or else a pass."""
        return MIXED if self.goal is None else self.goal

    @cached_property
    def reading(self) -> str:
        """How finely the dice are read."""
        return self.read or ("scores" if self.goal is None else "goal")

    @cached_property
    def earns_beyond_goal(self) -> bool:
        """Whether raising somebody who has reached the goal may earn Advantages worth having."""
        if self.reading != "goal" or not self.house.group_chain:
            return False
        counted = self.house.critical_value == "with_modifier"
        if counted and any(member.modifier >= self.aim for member in self.members):
            return True  # a 0! may reach the goal, and gives nothing away
        return self.aim < HIGH and self.aim != MIXED

    @cached_property
    def reads_every_score(self) -> bool:
        """Whether no two Scores are read alike.

        Where 0! and 10! count as numbers, bands alone would not tell whether the lowest is one.
        """
        if self.reading == "bands":
            return self.house.critical_value == "with_modifier"
        return self.reading == "scores"

    @cached_property
    def top(self) -> int:
        """The Score beyond which nothing more is read."""
        if self.reads_every_score:
            return BEST
        return self.aim if self.reading == "goal" else max(HIGH, self.aim)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the players are called; whoever has no name gets a number."""
        return tuple(m.name or f"player {n}" for n, m in enumerate(self.members, start=1))

    def check(self) -> None:
        """A group is at least two, told apart by their names."""
        for text in self.ranges:
            range_of(text)
        if len(self.members) < 2:
            raise BadField(
                "members",
                f"{len(self.members)} cannot make a Group Test",
                rule="KLEP R24",
                would_do="2 or more players",
            )
        seen = {KEEP, HELPERS}
        for number, name in enumerate(self.names):
            if name in seen:
                raise BadField(
                    f"members[{number}].name",
                    f"{name!r} is taken, and help goes by names",
                    rule="KLEP R26",
                    would_do="another name",
                )
            seen.add(name)

    def call(self) -> Call[Any]:
        """The rule of a Group Test."""
        from rollwright.games.kleptonomicon.groups import make_group_test

        return make_group_test(self)
