"""Exact odds, several of them, and those of AnyDice programs."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from rollwright.queries.schemas.distributions import Duel, FieldData, WeightedOutcome
from rollwright.queries.schemas.expressions import Heading
from rollwright.queries.schemas.measures import Lost, MeasureWorth, Total


class WholeOddsAnswer(Heading):
    """Every outcome with its weight."""

    total: Total
    lost: Lost
    fields: Annotated[list[str], "The fields of the outcomes."]
    outcomes: Annotated[list[WeightedOutcome], "Each outcome with its weight."]


class ConditionAnswer(Heading):
    """The chance of an event, exactly."""

    where: Annotated[str, "The event."]
    chance: Annotated[str, "A fraction, written out."]
    number: Annotated[float, "The same as a number."]
    weight: Annotated[str, "The weight of the event: a whole number, written out."]
    total: Total
    lost: Lost


class OddsAnswer(Heading):
    """Exact odds: every outcome with its weight, or the chance of an event."""

    total: Total
    lost: Lost
    fields: NotRequired[Annotated[list[str], "The fields of the outcomes."]]
    outcomes: NotRequired[Annotated[list[WeightedOutcome], "Each outcome with its weight."]]
    where: NotRequired[Annotated[str, "The event."]]
    chance: NotRequired[Annotated[str, "A fraction, written out."]]
    number: NotRequired[Annotated[float, "The same as a number."]]
    weight: NotRequired[Annotated[str, "The weight of the event."]]


class ComparedRollData(Heading):
    """One of several rolls."""

    name: Annotated[str, "What it is called beside the others."]
    chance: Annotated[MeasureWorth | None, "Of the event or of success; null for dice alone."]
    fields: Annotated[list[FieldData], "The odds of fields of the outcome."]


class CompareAnswer(TypedDict):
    """Several rolls side by side."""

    rolls: Annotated[list[ComparedRollData], "Each with its chance and its fields."]
    duels: Annotated[list[Duel], "How often one is less, equal or greater than another."]


class AnyDiceOutput(TypedDict):
    """An output of a program: its name, and every outcome with its weight; none for no outcomes."""

    name: Annotated[str, "What it is called."]
    total: Total
    lost: Lost
    outcomes: Annotated[list[WeightedOutcome], "Each outcome with its weight."]
    fields: Annotated[list[FieldData], "The same, for bars and columns."]


class AnyDiceProblem(TypedDict):
    """A place of a program that has no natural form in Python."""

    code: Annotated[str, "A short name for why."]
    line: Annotated[int, "The line, from 1."]
    column: Annotated[int, "The place in it, from 1."]
    start: Annotated[int, "Where it begins in the program."]
    end: Annotated[int, "Where it ends."]
    said: Annotated[str, "Why, and what to write instead."]


class AnyDiceAnswer(TypedDict):
    """The outputs of a program of AnyDice, and the same program in Python with our words."""

    outputs: Annotated[list[AnyDiceOutput], "In their order."]
    duels: Annotated[
        list[Duel], "How often one is less, equal or greater than another; up to 60 outputs."
    ]
    warnings: Annotated[list[str], "What is to be said about them."]
    python: Annotated[str, "The same as a program of the workbench."]
    refused: Annotated[
        list[AnyDiceProblem], "What could not be put into Python; a comment is there."
    ]
