"""Curves and heat maps: the chance of a roll for every value of one field, or of two."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from rollwright.errors import BadField, TooMuchWork
from rollwright.kit.fields import fields_of, unknown_field
from rollwright.server.asking_asked import Asked, known_odds
from rollwright.server.asking_subjects import of_request
from rollwright.server.asking_words import costs_in

MOST_VARIED = 2
MOST_VALUES = 60
MOST_CELLS = 900


def varied(asked: Asked, vary: Any) -> dict[str, Any]:
    """The chance for every value of one field, or of every pair of two: a curve or a heat map."""
    axes = _axes(vary if isinstance(vary, list) else [vary])
    if asked.subject.request is None:
        raise BadField("vary", "only the fields of a request can be varied", would_do="a request")
    cells = []
    for values in product(*(values for _, values in axes)):
        names = [name for name, _ in axes]
        cells.append(_cell(asked, dict(zip(names, values)), list(values)))
    return {
        "axes": [{"field": name, "values": values} for name, values in axes],
        "cells": cells,
    }


def _axes(vary: list[Any]) -> list[tuple[str, list[Any]]]:
    shape = '{"field": "ammo_dice", "values": [0, 1, 2]}'
    if not 1 <= len(vary) <= MOST_VARIED:
        raise BadField("vary", f"{len(vary)} fields came", would_do=f"1 to {MOST_VARIED}")
    axes = []
    for part in vary:
        if not isinstance(part, dict) or not isinstance(part.get("field"), str):
            raise BadField("vary", "this names no field", would_do=shape)
        values = part.get("values")
        if not isinstance(values, list) or not 1 <= len(values) <= MOST_VALUES:
            raise BadField("vary", "these are no values", would_do=f"1 to {MOST_VALUES} of them")
        axes.append((part["field"], values))
    cells = 1
    for _, values in axes:
        cells *= len(values)
    if cells > MOST_CELLS:
        raise BadField("vary", f"{cells:,} cells came", would_do=f"at most {MOST_CELLS}")
    if len({name for name, _ in axes}) < len(axes):
        raise BadField("vary", "one field came twice", would_do="two different ones")
    return axes


def _cell(asked: Asked, settings: dict[str, Any], values: list[Any]) -> dict[str, Any]:
    """One cell of a table; a combination that the rules refuse says why."""
    policy = settings.pop("policy", asked.policy)
    try:
        subject = of_request(_changed(asked.subject.request, settings))
        dist = known_odds(subject, str(policy or ""), asked.budget)
    except TooMuchWork:
        raise
    except BadField as problem:
        return {"values": values, "problem": str(problem)}
    cell: dict[str, Any] = {"values": values, "chance": asked.measure(dist)}
    if costs := costs_in(dist):
        cell["costs"] = costs
    return cell


def _changed(request: Any, settings: Mapping[str, Any]) -> Any:
    """The request with some fields changed, also those of a value in it: `active.modifier`."""
    changes: dict[str, Any] = {}
    for path, value in settings.items():
        name, _, inner = path.partition(".")
        known = fields_of(type(request))
        if name not in known:
            raise unknown_field(type(request), name)
        if inner and known[name].kind == "value":
            held = changes.get(name, getattr(request, name))
            changes[name] = held.but(**{inner: value})
        else:
            changes[name] = value
    return request.but(**changes)
