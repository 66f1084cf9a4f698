"""The three rolls of the game as requests: all that is decided before the dice are thrown."""

from __future__ import annotations

from functools import cached_property
from math import comb, prod
from typing import Literal

from rollwright.budget import Budget
from rollwright.errors import BadField
from rollwright.kit import Request, Value, field, preset, refuse_if

from .house import LINES, House
from .outcomes import (
    BEST,
    HIGH,
    MIXED,
    STANDARD_RANGES,
    ContestOutcome,
    GroupOutcome,
    Judging,
    TestOutcome,
    judged_by,
    msg,
    range_of,
    score_of,
    shorthand_of,
)

Method = Literal["coin", "odd_even", "d10ish"]
_METHOD = (
    "how a 10 becomes 0! or 10!: flip a coin, roll again (odd fails, even succeeds), "
    "or use the twenty-sided d10ish, whose 0 and 10 say it at once"
)
_MODIFIER = f"what is added to the kept die. {LINES['R2'].text}"
_RANGES = "the Score Ranges of the Test, such as [..6] [7..9] [10..] [0!] [10!]"
_HOUSE = "how the table reads the unclear places"
KEEP, HELPERS = "keep", "helpers"
UNHELPED = (100, 1.0)
"""Steps of counting that each way the first rolls can fall takes, and how much more with each
member."""
HELPED = {"goal": (2300, 1.16), "bands": (800, 2.1), "scores": (250, 3.0)}
"""Steps of a roll with help, and their growth with each member: measured, rounded down."""
HELPED_BEST = {"goal": (1750, 1.3), "bands": (500, 2.7), "scores": (250, 3.0)}
"""The same where help is given as well as can be."""
PLUS_ONE = (30, 1.0)
"""The same if help adds one: every Score is distinguished, and each way takes little."""
AT_ONCE = 0.75
"""How much of that it takes where all look at once."""


def capped(net: int) -> int:
    """At most three Advantages or Disadvantages count."""
    return max(-3, min(3, net))


class Test(Request, roll="test", title="Test", version="2", outcome=TestOutcome):
    """Make a Test: roll a d10 or other dice, add a Modifier, read the Score."""

    __test__ = False

    score_name: str = preset(
        "", f"what is tested, such as Sneaking. {LINES['R7'].text}", rule="KLEP R2", most=60
    )
    modifier: int = preset(0, _MODIFIER, -30, 30, "KLEP R4")
    advantages: int = preset(0, "how many Advantages apply", 0, 20, "KLEP R14")
    disadvantages: int = preset(0, "how many Disadvantages apply", 0, 20, "KLEP R15")
    ranges: tuple[str, ...] = preset(STANDARD_RANGES, _RANGES, rule="KLEP R22", most=20)
    dice: str = preset(
        "",
        "dice in shorthand that are rolled in place of the d10, such as 2d12 +3; they are summed, "
        "never critical, and judged only by ranges of their own",
        rule="KLEP R5",
        most=30,
    )
    method: Method = preset("coin", _METHOD, rule="KLEP R9")
    house: House = preset(House(), _HOUSE)

    @property
    def net(self) -> int:
        """Advantages less Disadvantages, capped."""
        return capped(self.advantages - self.disadvantages)

    @property
    def is_plain(self) -> bool:
        """Whether it is dice to be summed and no Test: no range is said for them."""
        return bool(self.dice) and self.ranges == STANDARD_RANGES

    @property
    def judging(self) -> Judging:
        """How its Score is judged."""
        return "ranges" if self.is_plain else judged_by(self.ranges)

    @property
    def usual_goal(self) -> str:
        """The usual goal: for plain dice the total."""
        return "score=1" if self.is_plain else ""

    def check(self) -> None:
        """Ranges must be readable; other dice go without Advantages and a second Modifier."""
        for text in self.ranges:
            range_of(text)
        if not self.dice:
            return
        own = shorthand_of(self.dice).modifier
        if own is not None:
            both = {"came": f"{self.modifier:+}", "own": f"{own:+}", "dice": repr(self.dice)}
            problem, would_do = msg("refusal.modifier_twice", **both), msg("do.one_modifier")
            refuse_if(self.modifier, "modifier", problem, "KLEP R5", would_do)
        problem = msg("refusal.adds_d10", dice=repr(self.dice))
        refuse_if(self.advantages, "advantages", problem, "KLEP R14", "0")
        refuse_if(self.disadvantages, "disadvantages", problem, "KLEP R14", "0")


class Player(Value):
    """Somebody who makes a Test beside others: a side of a Contest, a member of a group."""

    name: str = preset("", "what the player is called", most=40, person=True)
    modifier: int = preset(0, _MODIFIER, -30, 30, "KLEP R4")
    advantages: int = preset(0, "how many Advantages apply", 0, 20, "KLEP R14")
    disadvantages: int = preset(0, "how many Disadvantages apply", 0, 20, "KLEP R15")

    @property
    def net(self) -> int:
        """Advantages less Disadvantages, not yet capped."""
        return self.advantages - self.disadvantages


class Contest(Request, roll="contest", title="Contest", outcome=ContestOutcome):
    """Set two sides against each other: the higher Score wins, a coin breaks a tie."""

    first: Player = preset(Player(), "one side", rule="KLEP R33")
    second: Player = preset(Player(), "the other side", rule="KLEP R33")
    method: Method = preset("coin", _METHOD, rule="KLEP R9")
    house: House = preset(House(), _HOUSE)

    def check(self) -> None:
        """[Win] and [Lose] go by names."""
        first, second = self.names
        if first == second:
            problem, would_do = (
                msg("refusal.same_side", name=repr(second)),
                msg("do.another_name"),
            )
            raise BadField("second.name", problem, rule="KLEP R35", would_do=would_do)

    @property
    def names(self) -> tuple[str, str]:
        return self.first.name or "the first side", self.second.name or "the second side"


class Group(Request, roll="group", title="Group Test", outcome=GroupOutcome):
    """Make a Group Test: all roll, those who did well help, and the lowest Score counts for all."""

    members: tuple[Player, ...] = field(
        help="the players who roll together, in the order in which they give help",
        most=12,
        rule="KLEP R24",
    )
    goal: int | None = preset(
        None,
        "the Score the group wants its lowest to reach; given, no more of the dice is read than "
        "whether Scores reach it, which is fast for any group; not given, it is a pass",
        -30,
        42,
        "KLEP R25",
    )
    read: Literal["goal", "bands", "scores"] | None = preset(
        None,
        "how finely the dice are read: for the goal alone, for bands and 0! too, or every "
        "Score, with each helper choosing for themselves; if not given, the goal where there is "
        "one, else every Score (to be rolled by any group, to be counted for two or three)",
        rule="KLEP R31",
    )
    ranges: tuple[str, ...] = preset(STANDARD_RANGES, _RANGES, rule="KLEP R31", most=20)
    method: Method = preset("coin", _METHOD, rule="KLEP R9")
    house: House = preset(House(), _HOUSE)

    @cached_property
    def aim(self) -> int:
        """The Score that counts as success: the goal, or else a pass."""
        return MIXED if self.goal is None else self.goal

    @cached_property
    def reading(self) -> str:
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

        If 0! and 10! count as numbers, bands alone would not show whether the lowest is one.
        """
        if self.reading == "bands":
            return self.house.critical_value == "with_modifier"
        return self.reading == "scores"

    @cached_property
    def takes_dice_away(self) -> bool:
        """Whether a late Advantage cancels a Disadvantage that has been rolled."""
        return self.house.group_help == "extra_die" and self.house.late_advantage == "cancel"

    @cached_property
    def top(self) -> int:
        """The Score beyond which nothing more is read."""
        if self.reads_every_score:
            return BEST
        return self.aim if self.reading == "goal" else max(HIGH, self.aim)

    @cached_property
    def rooms(self) -> tuple[int, ...]:
        """How many Advantages each player can be given."""
        return tuple(max(0, 3 - member.net) for member in self.members)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the players; one without a name gets a number."""
        return tuple(m.name or f"player {n}" for n, m in enumerate(self.members, start=1))

    def check_count(self, budget: Budget, policy: str = "") -> None:
        """Every way the first rolls can fall is gone through, with all the help that follows."""
        each, growth = self._work(policy)
        n = len(self.members)
        work = int(prod(self._situations(member) for member in self.members) * each * growth**n)
        coarser = {"goal": "less.members", "bands": "less.goal", "scores": "less.bands"}
        budget.expect(work, f"a Group Test of {n}", msg(coarser[self.reading], aim=self.aim))

    def _work(self, policy: str) -> tuple[float, float]:
        """Return the least work for each way the first rolls can fall, and its growth by member."""
        if self.house.group_help == "plus_one":
            return PLUS_ONE
        if policy in ("", "never"):
            return UNHELPED
        best = policy.partition(":")[0] == "best"
        each, growth = (HELPED_BEST if best else HELPED)[self.reading]
        return each * (AT_ONCE if self.house.group_looking == "at_once" else 1), growth

    def _situations(self, member: Player) -> int:
        """Return the number of different readings of one member's first roll."""
        beyond = self.house.critical_value == "beyond"
        scores = [score_of(kept, member.modifier, beyond=beyond) for kept in range(11)]
        if self.reads_every_score or self.house.group_help == "plus_one":
            told = len({min(score.value, self.top) for score in scores})
        else:
            marks = (MIXED, HIGH, self.aim) if self.reading == "bands" else (self.aim,)
            told = len({sum(score.value >= mark for mark in marks) for score in scores})
        dice = 1 + max(0, -capped(member.net)) if self.takes_dice_away else 1
        return comb(told + dice - 1, dice)

    def check(self) -> None:
        """Refuse a group of one, and members with the same name."""
        for text in self.ranges:
            range_of(text)
        if len(self.members) < 2:
            problem = msg("refusal.too_few", n=len(self.members))
            raise BadField("members", problem, rule="KLEP R24", would_do=msg("do.two"))
        for number, name in enumerate(self.names):
            if name in (KEEP, HELPERS, *self.names[:number]):
                field, problem = (
                    f"members[{number}].name",
                    msg("refusal.name_taken", name=repr(name)),
                )
                raise BadField(field, problem, rule="KLEP R26", would_do=msg("do.another_name"))
