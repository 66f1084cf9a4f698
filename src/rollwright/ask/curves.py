"""Curves and maps: a number of a roll for every value of one field, or of several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.ask.axes import Axis, changed, check_apart
from rollwright.ask.goals import Measure, measure_asked
from rollwright.ask.odds import known_odds, policy_said
from rollwright.ask.outcomes import costs_in
from rollwright.ask.subjects import (
    Subject,
    subject_of,
    titled,
)
from rollwright.errors import BadField, TooMuchWork

if TYPE_CHECKING:
    from rollwright.ask.kinds import Curve, Map, Varied
    from rollwright.budget import Budget
    from rollwright.exact import Dist

POLICY = "policy"
"""What is varied under this name is how choices are made."""


class Cell(NamedTuple):
    """The odds at one place; where the rules refuse that combination, why."""

    values: tuple[Any, ...]
    dist: Dist[Any] | None
    problem: BadField | None = None


def curve(question: Curve | Map, budget: Budget) -> dict[str, Any]:
    """A number for every value of one field, or for every pair of values of two."""
    subject = subject_of(question)
    axes = axes_of(subject, question.axes)
    policy = question.policy or ""
    measure = measure_asked(subject, question)
    return {
        "title": title_of(subject, axes),
        "policy": policy_said(subject, policy),
        "measure": {"title": measure.title, **measure.plain},
        **written(axes, swept(subject, axes, policy, budget), measure),
    }


def axes_of(subject: Subject, varied: Sequence[Varied]) -> tuple[Axis, ...]:
    """What a question varies."""
    if subject.request is not None:
        check_apart(subject.request, [one.field for one in varied if one.field != POLICY])
    return tuple(Axis(one.field, one.values) for one in varied)


def title_of(subject: Subject, axes: Sequence[Axis]) -> str:
    """What stays the same while something is varied."""
    if subject.request is None:
        return subject.title
    return titled(subject.request, {axis.name for axis in axes})


def written(axes: Sequence[Axis], cells: Iterator[Cell], measure: Measure) -> dict[str, Any]:
    """A curve or a map as an answer."""
    return {
        "axes": [{"field": axis.name, "values": list(axis.values)} for axis in axes],
        "cells": [_cell(cell, measure) for cell in cells],
    }


def _cell(cell: Cell, measure: Measure) -> dict[str, Any]:
    plain: dict[str, Any] = {"values": list(cell.values)}
    if cell.dist is None:
        return {**plain, "problem": str(cell.problem)}
    plain["chance"] = measure.worth_of(cell.dist)
    if costs := costs_in(cell.dist):
        plain["costs"] = costs
    return plain


def swept(
    subject: Subject, axes: Sequence[Axis], policy: str = "", budget: Budget | None = None
) -> Iterator[Cell]:
    """The odds for every combination of values, the last axis running fastest."""
    names = [axis.name for axis in axes]
    for values in product(*(axis.values for axis in axes)):
        settings = dict(zip(names, values))
        chosen = str(settings.pop(POLICY, policy) or "")
        try:
            yield Cell(values, known_odds(changed(subject, settings), chosen, budget))
        except TooMuchWork:
            raise
        except BadField as problem:
            yield Cell(values, None, problem)
