"""What counts in a roll: a goal of its game, an event, a field, or simply the mean."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.ask.events import event
from rollwright.ask.outcomes import worth
from rollwright.errors import BadField, UnknownName
from rollwright.pictures.outcomes import all_measured, all_numbers, fields_in

if TYPE_CHECKING:
    from rollwright.ask.kinds import Measured
    from rollwright.ask.subjects import Subject
    from rollwright.exact import Dist


class Measure(NamedTuple):
    """One number for every distribution, with a title for people."""

    title: str
    of: Callable[[Dist[Any]], Fraction]
    is_chance: Callable[[Dist[Any]], bool]
    """Whether the number is a chance, which is said in percent."""
    plain: dict[str, Any]
    """What is measured, as JSON data."""

    def worth_of(self, dist: Dist[Any]) -> dict[str, Any]:
        """What the odds are worth, with what it is measured by."""
        return worth(self.of(dist), chance=self.is_chance(dist)) | self.plain


class Aim:
    """What somebody wants of a roll: a goal by name, its words, and what outcomes are worth."""

    def __init__(self, subject: Subject, name: str = "") -> None:
        game, request = subject.game, subject.request
        if game is None or request is None:
            raise BadField("goal", "only the rolls of a game have goals", would_do="none")
        self.name = name or game.default_goal
        self.goal = game.goal(name, request)
        known = game.goals.get(self.name)
        self.title = known.title if known is not None else self.name

    @property
    def plain(self) -> dict[str, str]:
        """The goal as JSON data."""
        return {"name": self.name, "title": self.title}

    def is_chance(self, dist: Dist[Any]) -> bool:
        """Whether the goal only says yes or no, so that its worth is a chance."""
        return all(self.goal(outcome) in (0, 1) for outcome in dist)

    def mean(self, dist: Dist[Any]) -> Fraction:
        """What the odds are worth on average."""
        from rollwright.engine.best.solver import exact_number

        return dist.map(lambda outcome: exact_number(self.goal(outcome))).mean

    @property
    def measure(self) -> Measure:
        """What the goal makes of odds."""
        return Measure(self.title, self.mean, self.is_chance, {"goal": self.plain})


def goals_of(subject: Subject) -> list[dict[str, Any]]:
    """The goals that go with a roll, in plain words."""
    game, request = subject.game, subject.request
    if game is None or request is None:
        return []
    return [
        {"name": name, "title": goal.title, "default": name == game.default_goal}
        for name, goal in game.goals.items()
        if not goal.rolls or request.roll in goal.rolls
    ]


def measure_of(subject: Subject, *, where: str = "", of: str = "", goal: str = "") -> Measure:
    """What is to be known: an event, a field, a goal (the usual one of a game), or the mean."""
    if where:
        return Measure(
            f"chance of {where}",
            lambda dist: dist.p(event_of(where, dist)),
            lambda dist: True,
            {"where": where},
        )
    if of:
        return Measure(of.replace("_", " "), Field(of).mean, Field(of).is_chance, {"of": of})
    if subject.request is not None:
        return Aim(subject, goal).measure
    return Measure("mean", _mean, lambda dist: False, {})


def measure_asked(subject: Subject, question: Measured) -> Measure:
    """What a question wants to know of a roll."""
    return measure_of(
        subject, where=question.where or "", of=question.of or "", goal=question.goal or ""
    )


class Field(NamedTuple):
    """A field of the outcome: how likely it is, or what it comes to on average."""

    name: str

    def part(self, dist: Dist[Any]) -> Dist[Any]:
        """What the field comes to."""
        return dist.of(*names_in([self.name], dist))

    def is_chance(self, dist: Dist[Any]) -> bool:
        """Whether it is yes or no."""
        return all(isinstance(outcome, bool) for outcome in self.part(dist).outcomes)

    def mean(self, dist: Dist[Any]) -> Fraction:
        """How likely it is, or what it comes to on average."""
        part = self.part(dist)
        if self.is_chance(dist):
            return part.p(True)
        if not all_measured(part.outcomes):
            problem = f"{self.name} has no mean"
            raise BadField("of", problem, would_do="an event for its chance")
        return part.mean


def _mean(dist: Dist[Any]) -> Fraction:
    if not all_numbers(dist.outcomes):
        raise BadField("where", "this has no mean", would_do="an event such as it = Success")
    return dist.mean


def event_of(where: str, dist: Dist[Any]) -> Callable[[Any], Any]:
    """The test of outcomes that a text asks for."""
    return event(where, fields_in(dist))


def names_in(of: tuple[str, ...] | list[str], dist: Dist[Any]) -> tuple[str, ...]:
    """Fields of the outcome by name; those that it does not have are refused."""
    known = fields_in(dist)
    if of and not known:
        raise BadField("of", "this outcome is one value and has no fields", would_do="none")
    for name in of:
        if name not in known:
            raise UnknownName("outcome field of", name, known)
    return tuple(of)
