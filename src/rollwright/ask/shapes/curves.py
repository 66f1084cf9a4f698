"""Moved values: curves and maps, the value that gives a chance, and what moves it most."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from rollwright.ask.shapes.expressions import Heading, Written
from rollwright.ask.shapes.measures import (
    BoundSaid,
    Cost,
    Exact,
    Measure,
    MeasuredWorth,
    Policy,
    Said,
    Title,
    Worth,
)
from rollwright.plain import Json

Direction: TypeAlias = Literal["rises", "falls", "level", "mixed"]


class AxisShown(TypedDict):
    """An axis that is varied."""

    field: Annotated[str, "Its path in the request, `policy`, or a name in dice."]
    values: Annotated[list[Json], "What it takes one by one."]


class Cell(TypedDict):
    """The worth of a roll at one place, or why the rules refuse it."""

    values: Annotated[list[Json], "One of each axis."]
    chance: NotRequired[Annotated[MeasuredWorth, "What it is worth there."]]
    costs: NotRequired[Annotated[list[Cost], "What it costs there."]]
    problem: NotRequired[Annotated[str, "Why it cannot be."]]


class CurveShown(BoundSaid):
    """A curve or a heat map."""

    axes: Annotated[list[AxisShown], "What is varied."]
    cells: Annotated[list[Cell], "The last axis runs fastest."]


class CurveAnswer(CurveShown, Written):
    """A number of a roll for every value of one field, or for every pair of values of two."""

    title: Annotated[str, "What stays the same."]
    policy: Policy
    measure: Annotated[Measure, "What is shown: its title, and by what."]


class Searched(TypedDict):
    """The field that is searched."""

    field: Annotated[str, "Its path in the request, or a name in dice."]
    title: Title


class ValueTried(TypedDict):
    """A value that was tried."""

    value: Annotated[Json, "The value."]
    said: Said
    worth: Annotated[Worth, "What the roll is worth with it."]
    off: Annotated[Exact, "How far that is from the target."]
    reaches: Annotated[bool, "Whether it is at least the target."]


class ValueRefused(TypedDict):
    """A value that cannot be."""

    value: Annotated[Json, "The value."]
    problem: Annotated[str, "Why."]


class FindAnswer(BoundSaid, Written):
    """The values of a field that give a chance, and every value that was tried."""

    title: Annotated[str, "What stays the same."]
    policy: Policy
    measure: Annotated[Measure, "What counts: its title, and by what."]
    over: Annotated[Searched, "What is searched."]
    target: Annotated[Worth, "What is wanted."]
    found: Annotated[list[Json], "What reaches the target while a neighbour does not."]
    nearest: Annotated[list[Json], "What comes closest, from above or below."]
    ranges: Annotated[list[list[Json]], "All that reaches it: first and last of each range."]
    direction: Annotated[Direction, "Which way it goes."]
    rows: Annotated[list[ValueTried], "Each value with what it gives."]
    refused: Annotated[list[ValueRefused], "Values that cannot be."]
    said: Annotated[str, "The answer in a sentence."]


class Change(Exact):
    """How much less or more it is."""

    said: Said


class MoveShown(TypedDict):
    """Something set otherwise, and what that does; or why it cannot be."""

    to: Annotated[Json, "What it is set to."]
    said: Said
    worth: NotRequired[Annotated[Worth, "What the roll is worth then."]]
    change: NotRequired[Annotated[Change, "What that changes."]]
    problem: NotRequired[Annotated[str, "Why it cannot be."]]


class Moved(TypedDict):
    """A field or a house rule, and what it does to the roll."""

    field: Annotated[str, "Its path in the request, or a name in dice."]
    title: Title
    house: Annotated[bool, "Whether it is a house rule."]
    now: Annotated[Json, "What it is now."]
    said: Said
    most: Annotated[Exact, "The most that it changes."]
    moves: Annotated[list[MoveShown], "What else it may be."]


class SensitivityAnswer(Heading, BoundSaid):
    """The fields that move a roll, the strongest first."""

    measure: Annotated[Measure, "What counts: its title, and by what."]
    now: Annotated[Worth, "What it is now."]
    unit: Annotated[str, "Of changes: percentage points, or the goal's own."]
    rows: Annotated[list[Moved], "What moves it."]
    left_out: Annotated[int, "How many are not listed."]


OneMoreFrom = TypedDict("OneMoreFrom", {"from": Annotated[int, "What it is now."]})


class OneMore(OneMoreFrom):
    """The worth of one more of a number."""

    field: Annotated[str, "Its path in the request."]
    title: Title
    to: Annotated[int, "One more."]
    value: Annotated[MeasuredWorth, "What the roll is worth then."]
    change: Annotated[Exact, "What that changes."]
    said: Said
