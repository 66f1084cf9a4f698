"""What can be asked for: one roll, or the rolls of a session that share the Luck."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rollwright.errors import BadField
from rollwright.games.ghostburn.bonuses import luck_adds, total_bonus
from rollwright.games.ghostburn.charts import Chart
from rollwright.games.ghostburn.house import House
from rollwright.games.ghostburn.ladder import NAMES, canonical_dl, dl_step, ladder_of
from rollwright.games.ghostburn.outcomes import Check, Score
from rollwright.games.ghostburn.rulebook import LINES
from rollwright.games.ghostburn.rules import Stage, Task, make_roll, play_session
from rollwright.kit import Request, Value, field
from rollwright.rules import Call

LOW, HIGH, MOST = -20, 20, 12
MOST_LUCK = 12
MOST_ROLLS = 6


class Attempt(Value):
    """What a character tries, with everything that is added to the dice."""

    ability: int = field(
        help="the ability score that is always added", low=LOW, high=HIGH, rule="GHOST R5"
    )
    skill: tuple[int, ...] = field(
        default=(),
        help="skill bonuses; the highest counts",
        low=LOW,
        high=HIGH,
        most=MOST,
        rule="GHOST R6",
    )
    gear: tuple[int, ...] = field(
        default=(),
        help="gear bonuses; the highest counts",
        low=LOW,
        high=HIGH,
        most=MOST,
        rule="GHOST R6",
    )
    aug: tuple[int, ...] = field(
        default=(),
        help="aug bonuses; the highest counts",
        low=LOW,
        high=HIGH,
        most=MOST,
        rule="GHOST R6",
    )
    luck: tuple[int, ...] = field(
        default=(),
        help="standing luck bonuses; a Luck Bonus counts only where it is higher",
        low=LOW,
        high=HIGH,
        most=MOST,
        rule="GHOST R18",
    )
    dl: int | str = field(
        help="the Difficulty Level by name or number, as the trick says; the GM should tell it",
        rule="GHOST R8",
        title="Difficulty Level",
        in_order=NAMES[1:],
    )
    favored: bool = field(
        default=False,
        help="whether the skill is a favored one: its Luck Bonus is 3",
        rule="GHOST R14",
    )
    chart: Chart | None = field(
        default=None, help="what the four outcomes of the trick do", rule="GHOST R21"
    )
    trick: str = field(default="", help=LINES["R2"].text, most=60, rule="GHOST R2")
    ability_name: str = field(
        default="",
        help="the ability's name; the GM may call for another one",
        most=60,
        rule="GHOST R20",
    )
    skill_name: str = field(default="", help="the skill's name", most=60, rule="GHOST R2")
    target: str = field(
        default="", help="whom it is tried on; conditions go to them", most=60, rule="GHOST R21"
    )

    def check(self) -> None:
        """Keep the Difficulty Level in one form, so that 20 and Hard are the same request."""
        self.settle(dl=canonical_dl(self.dl))


class Worths(Value):
    """What each outcome is worth to the player."""

    glitch: Fraction = field(default=Fraction(0), help="the worth of a Glitch")
    fade: Fraction = field(default=Fraction(1), help="the worth of a Fade")
    success: Fraction = field(default=Fraction(2), help="the worth of a Success")
    cool_success: Fraction = field(default=Fraction(3), help="the worth of a Cool Success")

    def listed(self, stake: int = 1) -> tuple[Fraction | int, ...]:
        """The worths from Glitch to Cool Success, so many times over; whole where all are."""
        worths = [
            worth * stake for worth in (self.glitch, self.fade, self.success, self.cool_success)
        ]
        if all(worth.denominator == 1 for worth in worths):
            return tuple(worth.numerator for worth in worths)
        return tuple(worths)


def task_of(attempt: Attempt, house: House) -> Task:
    """An attempt as the dice see it."""
    return Task(
        bonus=total_bonus(attempt),
        dl=dl_step(attempt.dl, house),
        luck_adds=luck_adds(attempt),
        ladder=ladder_of(house),
    )


def _check_luck(luck_points: int, house: House) -> None:
    if luck_points > 1 and not house.luck_carries:
        raise BadField(
            "luck_points",
            f"{luck_points} are more than one for a session",
            rule="GHOST R13",
            would_do="0 or 1, or the house rule luck_carries",
        )


class Roll(Attempt, Request, roll="roll", title="Skill roll", outcome=Check):
    """One roll of 2d10 against a Difficulty Level, when the GM says that one is needed."""

    luck_points: int = field(
        default=1,
        help="Luck Points left; one may be spent",
        low=0,
        high=MOST_LUCK,
        rule="GHOST R13",
    )
    house: House = field(default=House(), help="house rules")

    def check(self) -> None:
        """Refuse a level that is not on the ladder and Luck that nobody has."""
        super().check()
        dl_step(self.dl, self.house)
        _check_luck(self.luck_points, self.house)

    @property
    def task(self) -> Task:
        """The roll as the dice see it."""
        return task_of(self, self.house)

    def call(self) -> Call[Any]:
        """The rule of a roll."""
        return make_roll(self.task, self.luck_points)


class Session(Request, roll="session", title="Session", outcome=Score):
    """The rolls still expected this session, in order, with the Luck they share."""

    rolls: tuple[Attempt, ...] = field(
        help="the rolls in order; every sum of their worths is told apart, so at most 6",
        most=MOST_ROLLS,
        rule="GHOST R13",
    )
    luck_points: int = field(
        default=1, help="Luck Points before the first roll", low=0, high=MOST_LUCK, rule="GHOST R13"
    )
    left_over: int = field(
        default=0,
        help="Luck Points left from earlier sessions; they count only where Luck carries over",
        low=0,
        high=MOST_LUCK,
        rule="GHOST R13",
    )
    worths: Worths = field(default=Worths(), help="what each outcome is worth to you")
    stakes: tuple[int, ...] = field(
        default=(),
        help="how many times each roll counts, in order; rolls without a stake count once",
        low=0,
        high=20,
        most=MOST_ROLLS,
    )
    house: House = field(default=House(), help="house rules")

    def check(self) -> None:
        """Refuse rolls that cannot be made and stakes of rolls that are not there."""
        if not self.rolls:
            raise BadField(
                "rolls", "a session needs a roll", rule="GHOST R13", would_do="1 or more rolls"
            )
        for number, attempt in enumerate(self.rolls):
            self._check_attempt(number, attempt)
        if len(self.stakes) > len(self.rolls):
            raise BadField(
                "stakes",
                f"{len(self.stakes)} stakes for {len(self.rolls)} rolls",
                rule="GHOST R13",
                would_do=f"at most {len(self.rolls)}",
            )
        _check_luck(self.luck_points, self.house)

    def _check_attempt(self, number: int, attempt: Attempt) -> None:
        if isinstance(attempt, Request):
            raise BadField(
                f"rolls[{number}]",
                "the Luck and the house rules are the session's, not the roll's",
                rule="GHOST R13",
                would_do="an Attempt",
            )
        try:
            dl_step(attempt.dl, self.house)
        except BadField as problem:
            raise problem.inside(f"rolls[{number}]") from None

    @property
    def luck_to_spend(self) -> int:
        """The Luck Points there are, with those carried over where they are."""
        return self.luck_points + (self.left_over if self.house.luck_carries else 0)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The rolls as the dice see them, with their worths."""
        stakes = self.stakes + (1,) * (len(self.rolls) - len(self.stakes))
        return tuple(
            Stage(task_of(attempt, self.house), self.worths.listed(stake))
            for attempt, stake in zip(self.rolls, stakes, strict=True)
        )

    def call(self) -> Call[Any]:
        """The rule of a session."""
        return play_session(self.stages, self.luck_to_spend, Score())
