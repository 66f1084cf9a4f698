"""Measures of a roll: numbers, chances, goals and costs."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypeAlias, TypedDict

from rollwright.jsonable import Json

Object: TypeAlias = dict[str, Json]
Rolled: TypeAlias = Annotated[str, "What is rolled."]
Policy: TypeAlias = Annotated[str, "How choices are made."]
Lost: TypeAlias = Annotated[str, "Weight cut off by a stated bound."]
Total: TypeAlias = Annotated[str, "The weight of all outcomes: a whole number, written out."]
Said: TypeAlias = Annotated[str, "The same in words."]
Title: TypeAlias = Annotated[str, "What people call it."]


class ExactNumber(TypedDict):
    """A number exactly, and as near as a float can be."""

    exact: Annotated[str, "A whole number or a fraction, written out."]
    number: Annotated[float, "The same as a number."]


class WorthData(ExactNumber):
    """The worth of something: a chance, or a number."""

    said: Said
    chance: Annotated[bool, "Whether it is a chance, which is said in percent."]


class GoalData(TypedDict):
    """A goal."""

    name: Annotated[str, "Its name, or prices."]
    title: Title


class GoalOption(GoalData):
    """A goal that goes with a roll."""

    default: Annotated[bool, "Whether it is the usual one."]


class MeasureSpec(TypedDict):
    """By what a roll is measured: one of these, or its mean."""

    where: NotRequired[Annotated[str, "The event whose chance counts."]]
    of: NotRequired[Annotated[str, "The field of the outcome that counts."]]
    goal: NotRequired[Annotated[GoalData, "The goal that counts."]]


class MeasureData(MeasureSpec):
    """The title and the measure of what is shown or searched."""

    title: Title


class WithTruncation(TypedDict):
    """The share that a stated bound has cut off, if there is one."""

    lost: NotRequired[
        Annotated[
            WorthData, "The largest share that a stated bound cut off: numbers are at least so."
        ]
    ]


class MeasureWorth(WorthData, MeasureSpec, WithTruncation):
    """The worth of a roll, with its measure."""


class CostData(WorthData):
    """A price of a roll."""

    name: Annotated[str, "The field of the outcome."]
    title: Title
    words: Annotated[str, "So much of it, as a person says it: `1 in 10 jams`."]
