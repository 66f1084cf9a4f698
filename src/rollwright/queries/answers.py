"""Every kind of question with the function that answers it.

And the preview of a roll not made yet, which puts several answers together: its chance, its costs,
the best call, and what one more would be worth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rollwright.budget import Budget
from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField
from rollwright.i18n.codes import language_code
from rollwright.i18n.locale import reader_language, use_locale
from rollwright.kit.agreements import ASK
from rollwright.pictures.outcomes import all_numbers
from rollwright.queries.advice import advise, from_start
from rollwright.queries.curves import axes_of, curve, curve_answer, sweep_odds
from rollwright.queries.find import find
from rollwright.queries.form import form, marks
from rollwright.queries.games import ask, describe
from rollwright.queries.kinds import KINDS, PARTS, PreviewQuery
from rollwright.queries.measures import (
    GoalMeasure,
    costs_in,
    goals_of,
    measure_of,
    names_in,
    prices_of,
    visible_fields,
)
from rollwright.queries.odds import (
    anydice,
    compare,
    event,
    format_policy,
    known_odds,
    odds,
    plays,
    policy_data,
)
from rollwright.queries.roll_specs import spec_of
from rollwright.queries.rolls import roll
from rollwright.queries.sensitivity import one_more, sensitivity
from rollwright.queries.shares.roll_links import verify
from rollwright.queries.shares.rolls import share_answer
from rollwright.queries.translations import translate, written_so

if TYPE_CHECKING:
    from rollwright.queries.schemas import (
        BestPlayForGoal,
        CostData,
        CurveData,
        FieldData,
        MeasureWorth,
        OneMore,
        PreviewAnswer,
    )

Answer = dict[str, Any]
"""An answer of any kind: `shapes` has the type of each."""


def preview(question: PreviewQuery, budget: Budget) -> PreviewAnswer:
    """Return what can be said about a roll before it is made; `parts` limits it."""
    asked = _RollQuery(question, budget)
    answer: PreviewAnswer = {
        "title": asked.subject.title,
        "request": asked.subject.plain,
        "policy": format_policy(asked.subject, asked.policy),
        "goals": goals_of(asked.subject),
    }
    written = written_so(asked.subject)
    if "translation" in written:
        answer["translation"] = written["translation"]
    if "readings" in written:
        answer["readings"] = written["readings"]
    if "remarks" in written:
        answer["remarks"] = written["remarks"]
    if question.vary is not None:
        answer["vary"] = asked.curve()
        return answer
    parts = PARTS if question.parts is None else question.parts
    if "odds" in parts:
        answer["chance"], answer["fields"], answer["costs"] = asked.odds()
        if asked.chooses and asked.subject.request is not None:
            answer["play"] = policy_data(asked.subject.request, asked.policy)
    if "plays" in parts and asked.aim is not None:
        answer["plays"] = plays(asked.subject, asked.policy, asked.measure, budget)
    if "best" in parts:
        answer["best"] = asked.best()
    if "more" in parts:
        answer["more"] = asked.more()
    return answer


class _RollQuery:
    """A question about a roll not made yet, with what all parts of its answer have in common."""

    def __init__(self, question: PreviewQuery, budget: Budget) -> None:
        self.question = question
        self.budget = budget
        self.subject = spec_of(question)
        if isinstance(self.subject.what, Transcript):
            problem = "a preview is of a roll not made yet"
            raise BadField("transcript", problem, would_do="a request")
        self.policy = "" if question.policy in (None, ASK) else question.policy
        goal = question.goal or ""
        self.aim = (
            GoalMeasure(self.subject, goal) if goal or self.subject.request is not None else None
        )
        where = question.where or ""
        self.measure = (
            self.aim.measure if self.aim and not where else measure_of(self.subject, where=where)
        )

    def odds(self) -> tuple[MeasureWorth | None, list[FieldData], list[CostData]]:
        """The chance of the event, else of success, where there is either; fields and costs."""
        dist, _ = known_odds(self.subject, self.policy, self.budget)
        names = names_in(tuple(self.question.of or ()), dist, self.subject.game)
        measured = self.question.where or self.aim is not None or all_numbers(dist.outcomes)
        chance = self.measure.worth_of(dist) if measured else None
        self.measure.check()
        return chance, visible_fields(dist, names), costs_in(dist, prices_of(self.subject))

    @property
    def chooses(self) -> bool:
        """Whether somebody chooses in the roll."""
        return known_odds(self.subject, self.policy, self.budget).chooses

    def best(self) -> BestPlayForGoal | None:
        """Best play, where the roll has a goal."""
        if self.aim is None:
            return None
        return {"goal": self.aim.plain, **from_start(self.subject, self.aim, self.budget)}

    def more(self) -> list[OneMore]:
        """Return what one more of each number would be worth."""
        names = self.question.more
        return one_more(self.subject, self.measure, self.policy, self.budget, names)

    def curve(self) -> CurveData:
        """A curve or a map."""
        axes = axes_of(self.subject, self.question.axes)
        cells = sweep_odds(self.subject, axes, self.policy, self.budget)
        return curve_answer(axes, cells, self.measure, prices_of(self.subject))


ANSWERS: dict[str, Callable[[Any, Budget], Any]] = {
    "describe": describe,
    "odds": odds,
    "event": event,
    "compare": compare,
    "curve": curve,
    "map": curve,
    "advise": advise,
    "preview": preview,
    "roll": roll,
    "form": form,
    "marks": marks,
    "find": find,
    "sensitivity": sensitivity,
    "question": ask,
    "translate": translate,
    "anydice": anydice,
    "share": share_answer,
    "verify": verify,
}
"""Each takes the question as `kinds` reads it, and a budget."""


def answer(
    kind: str, plain: Mapping[str, Any], budget: Budget | None = None, **more: object
) -> Answer:
    """The answer to a question; refusals are raised.

    >>> answer("odds", {"expression": "2d6", "where": "it >= 10"})["chance"]
    '1/6'
    """
    if kind not in ANSWERS:
        raise BadField("ask", "this is no question", would_do=", ".join(ANSWERS))
    question = KINDS[kind].from_plain(plain)
    with use_locale(language_code(question.language or "") or reader_language()):
        found: Answer = ANSWERS[kind](question, budget or Budget(), **more)
    return found
