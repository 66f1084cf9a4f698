"""Moved values: curves and maps, the value that gives a chance, and what moves it most."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from rollwright.jsonable import Json
from rollwright.queries.schemas.expressions import Heading, WithTranslations
from rollwright.queries.schemas.measures import (
    CostData,
    ExactNumber,
    MeasureData,
    MeasureWorth,
    Policy,
    Said,
    Title,
    WithTruncation,
    WorthData,
)

Direction: TypeAlias = Literal["rises", "falls", "level", "mixed"]


class AxisData(TypedDict):
    """An axis that is varied."""

    field: Annotated[str, "Its path in the request, `policy`, or a name in dice."]
    values: Annotated[list[Json], "What it takes one by one."]


class CellData(TypedDict):
    """The worth of a roll at one place, or why the rules refuse it."""

    values: Annotated[list[Json], "One of each axis."]
    chance: NotRequired[Annotated[MeasureWorth, "What it is worth there."]]
    costs: NotRequired[Annotated[list[CostData], "What it costs there."]]
    problem: NotRequired[Annotated[str, "Why it cannot be."]]


class CurveData(WithTruncation):
    """A curve or a heat map."""

    axes: Annotated[list[AxisData], "What is varied."]
    cells: Annotated[list[CellData], "The last axis runs fastest."]


class CurveAnswer(CurveData, WithTranslations):
    """A number of a roll for every value of one field, or for every pair of values of two."""

    title: Annotated[str, "What stays the same."]
    policy: Policy
    measure: Annotated[MeasureData, "What is shown: its title, and by what."]


class SearchData(TypedDict):
    """The field that is searched."""

    field: Annotated[str, "Its path in the request, or a name in dice."]
    title: Title


class ValueWorthData(TypedDict):
    """A value that was tried."""

    value: Annotated[Json, "The value."]
    said: Said
    worth: Annotated[WorthData, "What the roll is worth with it."]
    off: Annotated[ExactNumber, "How far that is from the target."]
    reaches: Annotated[bool, "Whether it is at least the target."]


class ValueErrorData(TypedDict):
    """A value that cannot be."""

    value: Annotated[Json, "The value."]
    problem: Annotated[str, "Why."]


class FindAnswer(WithTruncation, WithTranslations):
    """The values of a field that give a chance, and every value that was tried."""

    title: Annotated[str, "What stays the same."]
    policy: Policy
    measure: Annotated[MeasureData, "What counts: its title, and by what."]
    over: Annotated[SearchData, "What is searched."]
    target: Annotated[WorthData, "What is wanted."]
    found: Annotated[list[Json], "What reaches the target while a neighbour does not."]
    nearest: Annotated[list[Json], "What comes closest, from above or below."]
    ranges: Annotated[list[list[Json]], "All that reaches it: first and last of each range."]
    direction: Annotated[Direction, "Which way it goes."]
    rows: Annotated[list[ValueWorthData], "Each value with what it gives."]
    refused: Annotated[list[ValueErrorData], "Values that cannot be."]
    said: Annotated[str, "The answer in a sentence."]


class ChangeData(ExactNumber):
    """How much less or more it is."""

    said: Said


class MoveData(TypedDict):
    """Something set otherwise, and what that does; or why it cannot be."""

    to: Annotated[Json, "What it is set to."]
    said: Said
    worth: NotRequired[Annotated[WorthData, "What the roll is worth then."]]
    change: NotRequired[Annotated[ChangeData, "What that changes."]]
    problem: NotRequired[Annotated[str, "Why it cannot be."]]


class FieldMoves(TypedDict):
    """A field or a house rule, and what it does to the roll."""

    field: Annotated[str, "Its path in the request, or a name in dice."]
    title: Title
    house: Annotated[bool, "Whether it is a house rule."]
    now: Annotated[Json, "What it is now."]
    said: Said
    most: Annotated[ExactNumber, "The most that it changes."]
    moves: Annotated[list[MoveData], "What else it may be."]


class SensitivityAnswer(Heading, WithTruncation):
    """The fields that move a roll, the strongest first."""

    measure: Annotated[MeasureData, "What counts: its title, and by what."]
    now: Annotated[WorthData, "What it is now."]
    unit: Annotated[str, "Of changes: percentage points, or the goal's own."]
    rows: Annotated[list[FieldMoves], "What moves it."]
    left_out: Annotated[int, "How many are not listed."]


OneMoreFrom = TypedDict("OneMoreFrom", {"from": Annotated[int, "What it is now."]})


class OneMore(OneMoreFrom):
    """The worth of one more of a number."""

    field: Annotated[str, "Its path in the request."]
    title: Title
    to: Annotated[int, "One more."]
    value: Annotated[MeasureWorth, "What the roll is worth then."]
    change: Annotated[ExactNumber, "What that changes."]
    said: Said
