"""The requests: one roll, or the rolls of a session that share the Luck."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, NamedTuple

from rollwright.errors import BadField
from rollwright.i18n.catalogs import words_of
from rollwright.kit import Request, Value, field, preset, refuse_if
from rollwright.rules import Call

from .house import LINES, House
from .outcomes import NAMES, Check, Score, canonical_dl, dl_step, levels_said
from .rules import Stage, Task, make_roll, play_session

msg = words_of(__package__ or __name__).msg
LOW, HIGH, MOST = -20, 20, 12
MOST_LUCK = 12
MOST_ROLLS = 6


class Entry(Value):
    """The effect of one outcome of a trick."""

    text: str = preset("", "what happens, in your own words", rule="GHOST R21", most=300)
    condition: str = preset("", "a condition that somebody gains", rule="GHOST R21", most=40)
    who: Literal["target", "self"] = preset("target", "who gains the condition", rule="GHOST R21")


class Chart(Value):
    """A trick with its four outcomes, in the words of the chart's author."""

    trick: str = field(help="the name of the trick", most=60, rule="GHOST R2")
    skill: str = preset("", "the skill the trick belongs to", rule="GHOST R2", most=60)
    dl_from: str = preset(
        "", "where the Difficulty Level comes from, such as a trait", rule="GHOST R3", most=80
    )
    cool_success: Entry = preset(Entry(), "success with an extra benefit", rule="GHOST R9")
    success: Entry = preset(Entry(), "success", rule="GHOST R10")
    fade: Entry = preset(Entry(), "success with a complication", rule="GHOST R11")
    glitch: Entry = preset(Entry(), "failure with a complication", rule="GHOST R12")
    note: str = preset("", "what the table should know about it", most=300)

    def entry(self, outcome: str) -> Entry:
        entry: Entry = getattr(self, outcome.lower().replace(" ", "_"))
        return entry


CONVINCE = Chart(
    trick="Convince",
    skill="Persuade",
    dl_from="the target's Wits",
    cool_success=Entry(text="they agree gladly and do a little more than was asked"),
    success=Entry(text="they agree"),
    fade=Entry(text="they agree, but not happily", condition="Confident"),
    glitch=Entry(text="they refuse and will not hear of it again", condition="Confident"),
    note="Confident makes further Persuade on them harder; the GM says by how much",
)
"""An example chart in our own words; only the Fade is the book's, the rest is made up."""

STRONGARM = Chart(
    trick="Strongarm",
    skill="Intimidate",
    dl_from="the target's Wits",
    cool_success=Entry(text="they give way and warn the others off", condition="Shaken"),
    success=Entry(text="they give way"),
    fade=Entry(text="they give way and remember your face"),
    glitch=Entry(text="they hit back first", condition="Rattled", who="self"),
)
"""An example chart of a trick that is wholly made up."""


class Bonus(NamedTuple):
    """One kind of bonus: the one that counts, and those that do not."""

    kind: str
    used: int
    ignored: tuple[int, ...] = ()


def _bonuses(help: str, rule: str = "GHOST R6") -> Any:
    return preset((), help, LOW, HIGH, rule, most=MOST)


class Attempt(Value):
    """A character's attempt, with everything that is added to the dice."""

    ability: int = field(
        help="the ability score that is always added", low=LOW, high=HIGH, rule="GHOST R5"
    )
    skill: tuple[int, ...] = _bonuses("skill bonuses; the highest counts")
    gear: tuple[int, ...] = _bonuses("gear bonuses; the highest counts")
    aug: tuple[int, ...] = _bonuses("aug bonuses; the highest counts")
    luck: tuple[int, ...] = _bonuses(
        "standing luck bonuses; a Luck Bonus counts only where it is higher", "GHOST R18"
    )
    dl: int | str = field(
        help="the Difficulty Level by name or number, as the trick says; the GM should tell it",
        rule="GHOST R8",
        title="Difficulty Level",
        in_order=NAMES[1:],
        would_do=levels_said(),
    )
    favored: bool = preset(
        False, "whether the skill is a favored one: its Luck Bonus is 3", rule="GHOST R14"
    )
    chart: Chart | None = preset(None, "what the four outcomes of the trick do", rule="GHOST R21")
    trick: str = preset("", LINES["R2"].text, rule="GHOST R2", most=60)
    ability_name: str = preset(
        "", "the ability's name; the GM may call for another one", rule="GHOST R20", most=60
    )
    skill_name: str = preset("", "the skill's name", rule="GHOST R2", most=60)
    target: str = preset(
        "",
        "whom it is tried on; conditions go to them",
        rule="GHOST R21",
        most=60,
        person=True,
    )

    def check(self) -> None:
        """Keep the Difficulty Level in one form, so that 20 and Hard are the same request."""
        self.settle(dl=canonical_dl(self.dl))

    @property
    def bonuses(self) -> tuple[Bonus, ...]:
        """The ability always, and of every other kind that there is the highest.

        >>> Attempt(ability=3, gear=(1, 3, 2), dl="Easy").bonuses[1]
        Bonus(kind='gear', used=3, ignored=(2, 1))
        """
        found = [Bonus(self.ability_name or "ability", self.ability)]
        for kind in ("skill", "gear", "aug", "luck"):
            if listed := sorted(getattr(self, kind), reverse=True):
                found.append(Bonus(kind, listed[0], tuple(listed[1:])))
        return tuple(found)

    @property
    def total_bonus(self) -> int:
        return sum(bonus.used for bonus in self.bonuses)

    @property
    def luck_bonus(self) -> int:
        """The value of a Luck Bonus: +2, and +3 with a favored skill."""
        return 3 if self.favored else 2

    @property
    def luck_adds(self) -> int:
        """The increase by a Luck Bonus: of it and a standing luck bonus the higher one counts."""
        return max(self.luck_bonus - max(self.luck), 0) if self.luck else self.luck_bonus


class Worths(Value):
    """The worth of each outcome to the player."""

    glitch: Fraction = preset(Fraction(0), "the worth of a Glitch")
    fade: Fraction = preset(Fraction(1), "the worth of a Fade")
    success: Fraction = preset(Fraction(2), "the worth of a Success")
    cool_success: Fraction = preset(Fraction(3), "the worth of a Cool Success")

    def listed(self, stake: int = 1) -> tuple[Fraction | int, ...]:
        """The worths from Glitch to Cool Success, so many times over; whole where all are."""
        each = (self.glitch, self.fade, self.success, self.cool_success)
        worths = [worth * stake for worth in each]
        if all(worth.denominator == 1 for worth in worths):
            return tuple(worth.numerator for worth in worths)
        return tuple(worths)


def task_of(attempt: Attempt, house: House) -> Task:
    """An attempt as the dice see it."""
    return Task(attempt.total_bonus, dl_step(attempt.dl, house), attempt.luck_adds, house)


def _check_luck(points: int, house: House) -> None:
    problem, would_do = msg("refusal.luck", n=points), msg("fits.luck")
    refuse_if(points > 1 and not house.luck_carries, "luck_points", problem, "GHOST R13", would_do)


class Roll(Attempt, Request, roll="roll", title="Skill roll", outcome=Check):
    """One roll of 2d10 against a Difficulty Level, when the GM says that one is needed."""

    luck_points: int = preset(1, "Luck Points left; one may be spent", 0, MOST_LUCK, "GHOST R13")
    house: House = preset(House(), "house rules")

    def check(self) -> None:
        super().check()
        dl_step(self.dl, self.house)
        _check_luck(self.luck_points, self.house)

    @property
    def task(self) -> Task:
        return task_of(self, self.house)

    def call(self) -> Call[object]:
        return make_roll(self.task, self.luck_points)


class Session(Request, roll="session", title="Session", outcome=Score):
    """The rolls still expected this session, in order, with the Luck they share."""

    rolls: tuple[Attempt, ...] = field(
        help="the rolls in order, so few that each sum can be told",
        most=MOST_ROLLS,
        rule="GHOST R13",
    )
    luck_points: int = preset(1, "Luck Points before the first roll", 0, MOST_LUCK, "GHOST R13")
    left_over: int = preset(
        0, "Luck Points from earlier sessions, where Luck carries over", 0, MOST_LUCK, "GHOST R13"
    )
    worths: Worths = preset(Worths(), "what each outcome is worth to you")
    stakes: tuple[int, ...] = preset(
        (), "how many times each roll counts, in order; once without one", 0, 20, most=MOST_ROLLS
    )
    house: House = preset(House(), "house rules")

    def check(self) -> None:
        rolls, stakes, rule = len(self.rolls), len(self.stakes), "GHOST R13"
        refuse_if(not rolls, "rolls", msg("refusal.no_rolls"), rule, msg("fits.rolls"))
        for number, attempt in enumerate(self.rolls):
            self._check_attempt(f"rolls[{number}]", attempt)
        problem = msg("refusal.stakes", stakes=stakes, rolls=rolls)
        refuse_if(stakes > rolls, "stakes", problem, rule, msg("fits.stakes", most=rolls))
        _check_luck(self.luck_points, self.house)

    def _check_attempt(self, place: str, attempt: Attempt) -> None:
        whole = isinstance(attempt, Request)
        refuse_if(whole, place, msg("refusal.attempt"), "GHOST R13", msg("fits.attempt"))
        try:
            dl_step(attempt.dl, self.house)
        except BadField as refusal:
            raise refusal.inside(place) from None

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

    def call(self) -> Call[object]:
        return play_session(self.stages, self.luck_to_spend, Score())
