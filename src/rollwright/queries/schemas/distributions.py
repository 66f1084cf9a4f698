"""Distributions, for bars, columns and tables."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from rollwright.jsonable import Json
from rollwright.queries.schemas.measures import ExactNumber, Lost, Said, Title, Total


class Amount(ExactNumber):
    """A number exactly, nearly, and in words."""

    said: Said


class Spread(TypedDict):
    """How far numbers lie from their average: the standard deviation, which is seldom exact."""

    number: Annotated[float, "As a number."]
    said: Said
    variance: Annotated[str, "Its square, exactly."]


class ShareData(TypedDict):
    """A part of all that can come."""

    weight: Annotated[str, "A whole number, written out."]
    share: Annotated[float, "The part of the total."]
    said: Annotated[str, "The same in percent, in the reader's language."]


class RowData(TypedDict):
    """One thing that a field comes to, or several that are shown together."""

    label: Annotated[str, "What it comes to, in words."]
    weight: Annotated[str, "A whole number, written out."]
    share: Annotated[float, "The part of the total."]
    first: NotRequired[Annotated[Json, "The first value of the row."]]


class OddsRow(RowData):
    """The same with its chance in words, and with that of more and of less."""

    said: Annotated[str, "Its chance in percent, in the reader's language."]
    at_least: NotRequired[Annotated[ShareData, "It or more, where outcomes have an order."]]
    at_most: NotRequired[Annotated[ShareData, "It or less, where outcomes have an order."]]


class FieldHeading(TypedDict):
    """The title and the range of a field."""

    name: Annotated[str, "The field, or what it is called beside others; empty for one alone."]
    title: Title
    kind: Annotated[Literal["yes", "number", "word"], "What its values are."]
    total: Total
    lost: Lost
    low: NotRequired[Annotated[Json, "The least number."]]
    high: NotRequired[Annotated[Json, "The greatest number."]]


class FieldData(FieldHeading):
    """The distribution of a field of the outcome, for bars and columns."""

    rows: Annotated[list[RowData], "What it comes to, in order."]
    mean: NotRequired[Annotated[ExactNumber, "The average of numbers."]]
    chance: NotRequired[Annotated[ExactNumber, "How likely a yes is."]]


class Distribution(FieldHeading):
    """A distribution, for table, chart and spreadsheet."""

    rows: Annotated[list[OddsRow], "What it comes to, in order."]
    cut: Annotated[str, "What a stated bound has cut off, in a sentence; else empty."]
    mean: NotRequired[Annotated[Amount, "The average of numbers."]]
    spread: NotRequired[Annotated[Spread, "How far numbers lie from it."]]
    median: NotRequired[Annotated[Json, "Half of all lie at it or below."]]
    chance: NotRequired[Annotated[Amount, "How likely a yes is."]]
    summary: Annotated[str, "Mean and spread in words; empty for what has none."]


class WeightedOutcome(TypedDict):
    """An outcome with its weight."""

    value: Annotated[Json, "The outcome, by its fields where it has some."]
    weight: Annotated[str, "A whole number, written out."]


class Duel(TypedDict):
    """How one roll does against another."""

    first: Annotated[str, "The one by its name."]
    second: Annotated[str, "The other by its name."]
    less: Annotated[ExactNumber, "How often the first is less."]
    equal: Annotated[ExactNumber, "How often they are equal."]
    greater: Annotated[ExactNumber, "How often the first is greater."]
