"""Curves and maps: a number of a roll for every value of one field, or of several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.ask.goals import Measure, measure_of
from rollwright.ask.odds import known_odds, policy_said
from rollwright.ask.outcomes import costs_in
from rollwright.ask.subjects import (
    Expression,
    Subject,
    of_expression,
    of_request,
    subject_of,
    titled,
    variable,
)
from rollwright.errors import BadField, TooMuchWork, did_you_mean

if TYPE_CHECKING:
    from rollwright.ask.kinds import Curve, Map, Varied
    from rollwright.budget import Budget
    from rollwright.exact import Dist
    from rollwright.kit.requests import Request

POLICY = "policy"
"""What is varied under this name is how choices are made."""


class Axis(NamedTuple):
    """What is varied: a field of a request or of a value in it, a house rule, the policy, or a
    name in dice; and the values it takes.
    """

    name: str
    values: tuple[Any, ...]


class Cell(NamedTuple):
    """The odds at one place; where the rules refuse that combination, why."""

    values: tuple[Any, ...]
    dist: Dist[Any] | None
    problem: BadField | None = None


def curve(question: Curve | Map, budget: Budget) -> dict[str, Any]:
    """A number for every value of one field, or for every pair of values of two."""
    subject, axes = subject_of(question), axes_of(question.axes)
    policy = question.policy or ""
    measure = measure_of(
        subject,
        where=question.where or "",
        of=question.of or "",
        goal=question.goal or "",
    )
    return {
        "title": title_of(subject, axes),
        "policy": policy_said(subject, policy),
        "measure": {"title": measure.title, **measure.plain},
        **written(axes, swept(subject, axes, policy, budget), measure),
    }


def axes_of(varied: Sequence[Varied]) -> tuple[Axis, ...]:
    """What a question varies."""
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


def changed(subject: Subject, settings: Mapping[str, Any]) -> Subject:
    """The subject with some fields set: of a request, or the names in dice."""
    if isinstance(subject.what, Expression):
        return _renamed(subject.what, settings)
    if subject.request is None or subject.what is not subject.request:
        raise BadField("vary", "a roll in progress stays as it is", would_do="a request or dice")
    return of_request(changed_request(subject.request, settings))


def _renamed(dice: Expression, settings: Mapping[str, Any]) -> Subject:
    known = sorted(dice.names())
    found = dict(dice.variables)
    for name, value in settings.items():
        if name not in known:
            hint = did_you_mean(name, known) if known else f"; write @{name} where it belongs"
            raise BadField("vary", f"there is no @{name} in the dice{hint}")
        found[name] = variable(name, value)
    return of_expression(dice.text, found)


def changed_request(request: Request, settings: Mapping[str, Any]) -> Request:
    """The request with some fields changed, also house rules and what is in a value of it:
    `modifier`, `push_with_nothing`, `active.modifier`.
    """
    from rollwright.kit.fields import fields_of, made, unknown_field

    known = fields_of(type(request))
    house = fields_of(known["house"].inner) if "house" in known else {}
    changes: dict[str, Any] = {}
    for path, value in settings.items():
        name, _, inner = path.partition(".")
        if name not in known and path in house:
            name, inner = "house", path
        if name not in known:
            raise unknown_field(type(request), name)
        if inner and known[name].kind == "value":
            held = changes.get(name, getattr(request, name))
            part = {inner: value}
            changes[name] = (
                made(known[name].inner, part, name) if held is None else held.but(**part)
            )
        else:
            changes[name] = value
    return request.but(**changes)
