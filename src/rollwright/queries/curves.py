"""The movable parts of a roll, and a number of it for every value of one of them, or of several.

An axis is a field of a request, a house rule, a name in dice or the policy, with its values.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rollwright.errors import BadField, TooMuchWork, with_likeliest
from rollwright.i18n.messages import msg as message
from rollwright.i18n.messages import row_of
from rollwright.jsonable import Json
from rollwright.kit.fields import Field, Value, fields_of, made, unknown_field
from rollwright.kit.games import find_game
from rollwright.kit.requests import Request
from rollwright.kit.titles import field_title, house_rule_title
from rollwright.queries.measures import (
    NO_NUMBERS,
    Measure,
    Prices,
    check_event_names,
    costs_in,
    prices_of,
    query_measure,
)
from rollwright.queries.odds import format_policy, known_odds
from rollwright.queries.roll_specs import (
    ExpressionSpec,
    RollSpec,
    check_names,
    of_expression,
    of_request,
    spec_of,
    title_request,
    variable,
)
from rollwright.queries.translations import written_so

if TYPE_CHECKING:
    from rollwright.budget import Budget
    from rollwright.dice import Outcome
    from rollwright.exact import Dist
    from rollwright.queries import schemas
    from rollwright.queries.kinds import AxisSpec, CurveQuery, HeatMapQuery

MOST_VALUES = 300
"""Values of one axis at most; of a longer one those nearest to its present value."""
OPEN_END = 30
"""How far an axis goes where its field has no limit."""
DEEPEST = 2
"""Values within values whose fields are axes too."""
STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d{1,4})\]")
HOUSE = "house"
YES_OR_NO = (False, True)
Path: TypeAlias = tuple[str | int, ...]
"""The steps to something in a request: names of fields, and places in lists."""
Held: TypeAlias = "Value | tuple[Held, ...] | Json"
"""Anything that a request holds."""


class Axis(NamedTuple):
    """One thing that can be moved, and all it may be, in order."""

    name: str
    """Its path in the request: `modifier`, `active.skill`, `checks[0].dc`, `house.jam_rule`; or
    `policy`, or a name in dice."""
    values: tuple[Json, ...]
    title: str = ""
    now: Json = None
    """The present value; of a list of numbers the largest, which is the one that moves."""
    ordered: bool = True
    """Whether the values come one after the other; words do only where their field says so."""

    @property
    def is_house_rule(self) -> bool:
        """Whether the table decides on it rather than the roll."""
        return self.name.startswith(f"{HOUSE}.")

    @property
    def neighbours(self) -> tuple[Json, ...]:
        """The values one down and one up, as far as there are any."""
        if self.now not in self.values:
            return ()
        place = self.values.index(self.now)
        return (*self.values[max(place - 1, 0) : place], *self.values[place + 1 : place + 2])


def axis(request: Request, name: str) -> Axis:
    """The axis of that name; a house rule needs no more than its own name."""
    steps = _steps(request, name)
    holder, about, title = _value_at(request, steps)
    now = None if holder is None else _moved_part(getattr(holder, about.name))
    values = _values(about, now)
    if not values:
        known = row_of(one.name for one in axes(request) if not one.is_house_rule)
        would_do = message("names", names=known)
        raise BadField(name, message("axis.unordered"), would_do=would_do)
    return Axis(_format_path(steps), values, title, now, _has_order(about))


def axis_of(kind: type[Request], name: str) -> Axis | None:
    """The axis of a field of a request that is not made yet; None where that is no such field."""
    about = fields_of(kind).get(name)
    values = () if about is None else _values(about, None)
    return None if about is None or not values else Axis(name, values, _title(kind, about))


def _title(kind: type[Request], about: Field, *, house: bool = False) -> str:
    """Return the title of a field of a roll, or of a house rule."""
    game = find_game(kind.game)
    return house_rule_title(game, about) if house else field_title(game, kind.roll, about)


def axes(request: Request) -> Iterator[Axis]:
    """Everything in a request that can be moved, its fields before its house rules."""
    yield from _axes_in(type(request), request, (), "", DEEPEST)
    if (house := getattr(request, HOUSE, None)) is not None:
        yield from _axes_in(type(request), house, (HOUSE,), "", 1)


def _axes_in(
    kind: type[Request], value: Value, path: Path, title: str, deep: int
) -> Iterator[Axis]:
    for name, about in fields_of(type(value)).items():
        held = getattr(value, name)
        if name == HOUSE or held is None:
            continue
        steps = (*path, name)
        named = title + _title(kind, about, house=path[:1] == (HOUSE,))
        if about.kind == "value" and deep > 1:
            yield from _axes_in(kind, held, steps, f"{named}: ", deep - 1)
        elif about.kind == "list" and about.inner.kind == "value" and deep > 1:
            for place, part in enumerate(held):
                inner = f"{named} {place + 1}: "
                yield from _axes_in(kind, part, (*steps, place), inner, deep - 1)
        elif values := _values(about, now := _moved_part(held)):
            yield Axis(_format_path(steps), values, named, now)


def stays(field: str = "transcript") -> BadField:
    """The refusal to change a roll that has begun."""
    return BadField(field, message("stays"), would_do=message("stays.do"))


def with_settings(subject: RollSpec, settings: Mapping[str, Json]) -> RollSpec:
    """The subject with some fields set: of a request, or the names in dice."""
    if isinstance(subject.what, ExpressionSpec):
        return _with_variables(subject.what, settings)
    if subject.request is None or subject.what is not subject.request:
        raise stays("vary")
    return of_request(changed_request(subject.request, settings))


def _with_variables(dice: ExpressionSpec, settings: Mapping[str, Json]) -> RollSpec:
    check_names(dice.text, settings, "vary")
    found = {name: variable(name, value) for name, value in settings.items()}
    return of_expression(dice.text, {**dice.variables, **found})


def changed_request(request: Request, settings: Mapping[str, Json]) -> Request:
    """The request with some things moved, each by its path, all of them at once."""
    changes: dict[str, Held] = {}
    for path, value in settings.items():
        name, *rest = _steps(request, path)
        held = changes.get(str(name), getattr(request, str(name)))
        try:
            inner = fields_of(type(request))[str(name)].inner
            changes[str(name)] = _with_value(held, tuple(rest), value, inner)
        except BadField as problem:
            raise (problem.inside(str(name)) if rest else problem) from None
    return request.but(**changes)


def check_apart(request: Request, names: Iterable[str]) -> None:
    """Refuse axes of which one is the other, or within it: both would move the same."""
    seen: list[Path] = []
    for name in names:
        try:
            steps = _steps(request, name)
        except BadField:  # reported for each value, like anything else the rules refuse
            continue
        for other in seen:
            short, long = sorted((steps, other), key=len)
            if long[: len(short)] == short:
                names = {"name": _format_path(long), "outer": _format_path(short)}
                problem = message("field.twice" if long == short else "axis.within", **names)
                raise BadField("vary", problem, would_do=message("axis.apart"))
        seen.append(steps)


def _with_value(held: Held, steps: Path, value: Json, kind: type[Value] | None = None) -> Held:
    """Set the part at the end of a path; `kind` is made if nothing is held."""
    if not steps:
        return _with_moved_part(held, value)
    first, rest = steps[0], steps[1:]
    if isinstance(first, int) and isinstance(held, tuple):
        return (*held[:first], _with_value(held[first], rest, value), *held[first + 1 :])
    if isinstance(held, Value):
        return held.but(**{str(first): _with_value(getattr(held, str(first)), rest, value)})
    assert kind is not None
    return made(kind, {str(first): value})


def check_first(kind: type[Request], name: str) -> None:
    """Refuse a name whose first word is neither a field of the request nor a house rule."""
    first = STEP.match(name)
    fields = fields_of(kind)
    word = "" if first is None else str(first[1]).replace("-", "_")
    house = fields_of(fields[HOUSE].inner) if HOUSE in fields else {}
    if word not in fields and word not in house:
        raise unknown_field(kind, name)


def is_in(request: Request, name: str) -> bool:
    """Whether the request has something of that name."""
    try:
        _steps(request, name)
    except BadField:
        return False
    return True


def _steps(request: Request, name: str) -> Path:
    """The path that a name is; refused where the request has nothing there."""
    if not STEP.sub("", name) == "" or not name:
        raise unknown_field(type(request), name)
    parts = [(word, number) for word, number in STEP.findall(name)]
    steps = tuple(int(number) if number else word.replace("-", "_") for word, number in parts)
    fields = fields_of(type(request))
    if steps[0] not in fields and HOUSE in fields and steps[0] in fields_of(fields[HOUSE].inner):
        steps = (HOUSE, *steps)
    _value_at(request, steps)
    return steps


def _value_at(request: Request, steps: Path) -> tuple[Held, Field, str]:
    """Return the value and the field at the end of a path, and its title."""
    held: Held = request
    titles: list[str] = []
    holder: Held = None
    about: Field | None = None
    for step in steps:
        if isinstance(step, int):
            if not isinstance(held, tuple) or step >= len(held):
                raise BadField(_format_path(steps), message("axis.nothing"))
            titles[-1] += f" {step + 1}"
            held = held[step]
            continue
        kind = about.inner if held is None and about is not None else type(held)
        known = fields_of(kind) if hasattr(kind, "__dataclass_fields__") else {}
        if step not in known:
            problem = with_likeliest(message("field.unknown"), step, sorted(known))
            raise BadField(_format_path(steps), problem)
        holder, about = held, known[step]
        titles.append(_title(type(request), about, house=steps[0] == HOUSE))
        held = getattr(held, step, None)
    assert about is not None
    shown = titles[1:] if steps[0] == HOUSE else titles
    return holder, about, ": ".join(shown)


def _format_path(steps: Path) -> str:
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return text.lstrip(".")


def _has_order(about: Field) -> bool:
    return about.kind != "choice" or bool(about.more.get("in_order"))


def _values(about: Field, now: Json) -> tuple[Json, ...]:
    """Return a field's possible values, in order if it has one; none if anything is possible."""
    words = about.more.get("in_order")
    if words and (now is None or isinstance(now, str)):
        return tuple(words)
    if about.kind == "bool":
        return YES_OR_NO
    if about.kind == "choice":
        return about.choices
    part = about.inner if about.kind == "list" else about
    if part.kind == "int" or (part.kind == "any" and type(now) is int):
        return _numbers(part, now)
    return ()


def _numbers(about: Field, now: Json) -> tuple[int, ...]:
    """Return the numbers of a field; of very many those around the present value."""
    middle = now if type(now) is int else about.default if type(about.default) is int else None
    if middle is None:
        middle = 0 if about.low is None else about.low
    low = middle - OPEN_END if about.low is None else about.low
    high = middle + OPEN_END if about.high is None else about.high
    if high - low >= MOST_VALUES:
        low = max(low, min(middle - MOST_VALUES // 2, high - MOST_VALUES + 1))
        high = low + MOST_VALUES - 1
    return tuple(range(low, high + 1))


def _moved_part(held: Held) -> Json:
    """Return the number that moves: of a list the largest, which is 0 if it is empty."""
    if not isinstance(held, tuple):
        return held if isinstance(held, (bool, int, str)) else None
    numbers = [part for part in held if type(part) is int]
    return max(numbers, default=0) if len(numbers) == len(held) else None


def _with_moved_part(held: Held, value: Json) -> Held:
    now = _moved_part(held)
    if not isinstance(held, tuple) or type(value) is not int or now is None:
        return value
    if not held:
        return (value,)
    place = held.index(now)
    return (*held[:place], value, *held[place + 1 :])


POLICY = "policy"
"""The name of the axis that varies the policy."""


class SweepCell(NamedTuple):
    """The odds at one place; where the rules refuse that combination, why."""

    values: tuple[Json, ...]
    dist: Dist[Outcome] | None
    problem: BadField | None = None
    numbers: Mapping[str, Json] = NO_NUMBERS
    """The values of the names in an event here."""


def curve(question: CurveQuery | HeatMapQuery, budget: Budget) -> schemas.CurveAnswer:
    """A number for every value of one field, or for every pair of values of two."""
    subject = spec_of(question)
    axes = axes_of(subject, question.axes)
    policy = question.policy or ""
    measure = query_measure(subject, question)
    return {
        "title": title_of(subject, axes),
        "policy": format_policy(subject, policy),
        "measure": {"title": measure.title, **measure.plain},
        **curve_answer(
            axes,
            sweep_odds(subject, axes, policy, budget, measure.names),
            measure,
            prices_of(subject),
        ),
        **written_so(subject),
    }


def axes_of(subject: RollSpec, varied: Sequence[AxisSpec]) -> tuple[Axis, ...]:
    """Return the axes that a question varies."""
    if subject.request is not None:
        check_apart(subject.request, [one.field for one in varied if one.field != POLICY])
    return tuple(Axis(one.field, one.values) for one in varied)


def title_of(subject: RollSpec, axes: Sequence[Axis]) -> str:
    """Return the title of everything that stays the same."""
    if subject.request is None:
        return subject.title
    return title_request(subject.request, {axis.name for axis in axes})


def curve_answer(
    axes: Sequence[Axis], cells: Iterator[SweepCell], measure: Measure, prices: Prices
) -> schemas.CurveData:
    """A curve or a map as an answer."""
    shown = [_cell(cell, measure, prices) for cell in cells]
    measure.check()
    varied: list[schemas.AxisData] = [
        {"field": axis.name, "values": list(axis.values)} for axis in axes
    ]
    return {"axes": varied, "cells": shown, **measure.truncation}


def _cell(cell: SweepCell, measure: Measure, prices: Prices) -> schemas.CellData:
    plain: schemas.CellData = {"values": list(cell.values)}
    if cell.dist is None:
        return {**plain, "problem": str(cell.problem)}
    plain["chance"] = measure.worth_of(cell.dist, cell.numbers)
    if costs := costs_in(cell.dist, prices):
        plain["costs"] = costs
    return plain


def sweep_odds(
    subject: RollSpec,
    axes: Sequence[Axis],
    policy: str = "",
    budget: Budget | None = None,
    in_event: Collection[str] = (),
) -> Iterator[SweepCell]:
    """The odds for every combination of values, the last axis running fastest.

    What is `in_event` gives a number to a name in the event that is asked about.
    """
    names = [axis.name for axis in axes]
    check_event_names(in_event, names)
    elsewhere = [name for name in in_event if not is_about(subject, name)]
    for values in product(*(axis.values for axis in axes)):
        settings = dict(zip(names, values))
        numbers = {name: settings[name] for name in in_event}
        for name in elsewhere:
            del settings[name]
        chosen = str(settings.pop(POLICY, policy) or "")
        try:
            dist = known_odds(with_settings(subject, settings), chosen, budget).dist
            yield SweepCell(values, dist, None, numbers)
        except TooMuchWork:
            raise
        except BadField as problem:
            yield SweepCell(values, None, problem)


def is_about(subject: RollSpec, name: str) -> bool:
    """Whether a name moves the roll itself."""
    if isinstance(subject.what, ExpressionSpec):
        return name in subject.what.names()
    return subject.request is not None and is_in(subject.request, name)


def field_at(kind: type[Request], name: str) -> tuple[type[Value], str] | None:
    """The type that holds the field at the end of a path, and its name; None where none does."""
    holder: type[Value] = kind
    words = [word.replace("-", "_") for word, _ in STEP.findall(name) if word]
    if not words or STEP.sub("", name):
        return None
    fields = fields_of(kind)
    if words[0] not in fields and HOUSE in fields:
        words.insert(0, HOUSE)
    for place, word in enumerate(words):
        about = fields_of(holder).get(word)
        if about is None or place == len(words) - 1:
            return None if about is None else (holder, word)
        inner = about.inner.inner if about.kind == "list" else about.inner
        if not hasattr(inner, "__dataclass_fields__"):
            return None
        holder = inner
    return None
