"""Best play, and a roll that is not made yet."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from rollwright.jsonable import Json
from rollwright.queries.schemas.curves import CurveData, OneMore
from rollwright.queries.schemas.distributions import FieldData
from rollwright.queries.schemas.expressions import Heading
from rollwright.queries.schemas.measures import (
    CostData,
    ExactNumber,
    GoalData,
    GoalOption,
    MeasureWorth,
    Object,
    Policy,
    Rolled,
    Said,
    WithTruncation,
    WorthData,
)


class OptionAdviceData(TypedDict):
    """An option, what it is worth, and where it leads."""

    option: Annotated[Json, "The option as data."]
    number: Annotated[int, "Its place among all options, from 0."]
    said: Said
    value: Annotated[WorthData, "What it is worth with best play."]
    less: Annotated[ExactNumber, "How much less than the best."]
    best: Annotated[bool, "Whether nothing is better."]
    gains: Annotated[bool, "Whether it is better than every other, as far as can be shown."]
    odds: NotRequired[Annotated[list[FieldData], "Where it leads, in what differs."]]
    costs: NotRequired[Annotated[list[CostData], "What it costs."]]
    puts: NotRequired[Annotated[dict[str, list[int]], "What it puts where, of what is dealt out."]]


class PolicyLineText(TypedDict):
    """One line of the best policy in words."""

    chance: Annotated[str, "How often it comes to this."]
    best_call: Annotated[str, "What to do then."]
    situation: Annotated[str, "What the decision turns on."]
    who: NotRequired[Annotated[str, "Who chooses, where several do."]]


class OptionWorth(TypedDict):
    """An option and what it is worth."""

    option: Annotated[str, "The option in words."]
    value: Annotated[str, "A whole number or a fraction, written out."]


class PolicyLine(TypedDict):
    """One line of the best policy, exactly."""

    by: Annotated[str, "Who chooses."]
    situation: Annotated[Json, "What the decision turns on."]
    choose: Annotated[str, "What is best."]
    chance: Annotated[str, "How often it comes to this: a fraction, written out."]
    options: Annotated[list[OptionWorth], "What each option is worth."]


class BestPlay(WithTruncation):
    """The worth of a roll with best play, and the best call or the whole policy."""

    value: Annotated[WorthData, "What the roll is worth with best play."]
    best: Annotated[Json, "The best option; null where none is open."]
    matters: Annotated[bool, "Whether it matters what is chosen."]
    ties: Annotated[list[Json], "Options that are as good."]
    options: Annotated[list[OptionAdviceData], "What each option is worth."]
    calls: Annotated[list[PolicyLineText], "The best policy, before anything is thrown."]
    why: Annotated[str, "Why it is the best."]
    lines: NotRequired[Annotated[list[PolicyLine], "The best policy exactly, as far as it fits."]]
    by: NotRequired[Annotated[str, "Who chooses."]]
    best_said: NotRequired[Annotated[str, "The best option in words."]]
    left_out: NotRequired[Annotated[int, "How many options are not listed."]]
    costs: NotRequired[Annotated[list[CostData], "What it costs."]]


class BestPlayForGoal(BestPlay):
    """Best play for a goal."""

    goal: Annotated[GoalData, "What counts."]


class AdviceAnswer(BestPlayForGoal):
    """The best call, with what every option is worth, where it leads, and why."""

    title: Rolled
    goals: Annotated[list[GoalOption], "The goals that go with this roll."]


class PolicyData(TypedDict):
    """The way to decide under which a number holds."""

    policy: Policy
    label: Annotated[str, "What it is called."]


class PolicyWorth(PolicyData):
    """The worth of a roll under one way to decide."""

    chance: Annotated[MeasureWorth, "Of success."]
    costs: Annotated[list[CostData], "What it costs."]
    said: Annotated[str, "The chance and when it holds, in words."]


class PreviewAnswer(Heading):
    """A roll not made yet: its odds, its costs, the best calls, and what one more is worth."""

    request: Annotated[Object | None, "The request; null for an expression."]
    goals: Annotated[list[GoalOption], "The goals that go with this roll."]
    chance: NotRequired[Annotated[MeasureWorth | None, "Of success."]]
    play: NotRequired[Annotated[PolicyData, "Under what play all of it holds, where one chooses."]]
    plays: NotRequired[
        Annotated[list[PolicyWorth], "The same under other ways to decide, where one chooses."]
    ]
    fields: NotRequired[Annotated[list[FieldData], "The odds of fields of the outcome."]]
    costs: NotRequired[Annotated[list[CostData], "What it costs."]]
    best: NotRequired[Annotated[BestPlayForGoal | None, "The best calls."]]
    more: NotRequired[Annotated[list[OneMore], "What one more is worth."]]
    vary: NotRequired[Annotated[CurveData, "A curve or a heat map."]]
