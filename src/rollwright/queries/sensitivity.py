"""The sensitivity of a roll: every field one down and one up, every house rule switched, ranked.

The same for the form of a roll: what one more of each number would be worth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from rollwright.budget import Budget
from rollwright.errors import BadField, Cancelled, RollwrightError, TooMuchWork, with_likeliest
from rollwright.i18n.locale import format_text, in_words
from rollwright.i18n.messages import msg as message
from rollwright.i18n.messages import row_of
from rollwright.kit.games import find_game
from rollwright.pictures.charts import format_number, format_points
from rollwright.pictures.outcomes import format_field
from rollwright.queries.curves import Axis, axes, changed_request, is_in, stays, with_settings
from rollwright.queries.measures import Measure, format_worth, number, query_measure, worth
from rollwright.queries.odds import format_policy, known_odds
from rollwright.queries.roll_specs import ExpressionSpec, RollSpec, of_request, spec_of
from rollwright.queries.translations import written_so

if TYPE_CHECKING:
    from rollwright.jsonable import Json
    from rollwright.kit.requests import Request
    from rollwright.queries.kinds import SensitivityQuery
    from rollwright.queries.schemas import (
        FieldMoves,
        MeasureWorth,
        MoveData,
        OneMore,
        SensitivityAnswer,
    )

MOST_AXES = 80
"""Things that are moved; of more it is said how many were left out."""
MOST_MORE = 16


class Move(NamedTuple):
    """One thing set otherwise, and what the roll is worth then; or why it cannot be."""

    axis: Axis
    to: Json
    worth: Fraction | None
    problem: str = ""


def sensitivity(question: SensitivityQuery, budget: Budget) -> SensitivityAnswer:
    """Everything that can be moved, ranked by what it does to the roll."""
    subject, policy = spec_of(question), question.policy or ""
    if subject.what is not subject.request and not isinstance(subject.what, ExpressionSpec):
        raise stays()
    measure = query_measure(subject, question)
    dist = subject.odds(policy, budget)
    base, chance = measure.of(dist), measure.is_chance(dist)
    found = list(_axes(subject))
    moved = [
        (axis, [_measure_move(subject, axis, to, policy, measure, budget) for to in _others(axis)])
        for axis in found[:MOST_AXES]
    ]
    measure.check()
    rows = [
        _row(axis, moves, base, chance=chance)
        for axis, moves in moved
        if moves and not _is_redundant(axis, moves, moved)
    ]
    return {
        "title": subject.title,
        "policy": format_policy(subject, policy),
        "measure": {"title": measure.title, **measure.plain},
        "now": worth(base, chance=chance),
        "unit": in_words("unit.percentage") if chance else "",
        "rows": sorted(rows, key=lambda row: -row["most"]["number"]),
        "left_out": max(len(found) - MOST_AXES, 0),
        **measure.truncation,
        **written_so(subject),
    }


def _is_redundant(axis: Axis, moves: list[Move], moved: list[tuple[Axis, list[Move]]]) -> bool:
    """Whether a list of numbers only does what the number of its name does: `modifiers`."""
    ends = [(move.to, move.worth) for move in moves]
    return any(
        axis.name == f"{other.name}s" and ends == [(move.to, move.worth) for move in same]
        for other, same in moved
    )


def _axes(subject: RollSpec) -> Iterator[Axis]:
    """Yield what can be moved: the fields and house rules of a request, the numbers in dice."""
    if subject.request is not None:
        yield from axes(subject.request)
    elif isinstance(subject.what, ExpressionSpec):
        for name, value in subject.what.variables.items():
            if isinstance(value, int):
                yield Axis(name, (value - 1, value, value + 1), f"@{name}", value)


def _others(axis: Axis) -> tuple[Json, ...]:
    """Return the values to try: the neighbours, or all other ones of a house rule."""
    if axis.is_house_rule and not isinstance(axis.now, int):
        return tuple(value for value in axis.values if value != axis.now)
    return axis.neighbours


def _measure_move(
    subject: RollSpec, axis: Axis, to: Json, policy: str, measure: Measure, budget: Budget
) -> Move:
    try:
        dist = with_settings(subject, {axis.name: to}).odds(policy, budget)
        return Move(axis, to, measure.of(dist))
    except Cancelled:
        raise
    except RollwrightError as problem:
        return Move(axis, to, None, format_text(problem.wording))


def _row(axis: Axis, moves: list[Move], base: Fraction, *, chance: bool) -> FieldMoves:
    changes = [abs(move.worth - base) for move in moves if move.worth is not None]
    return {
        "field": axis.name,
        "title": axis.title,
        "house": axis.is_house_rule,
        "now": axis.now,
        "said": format_field(axis.now),
        "most": number(max(changes, default=Fraction(0))),
        "moves": [_move(move, base, chance=chance) for move in moves],
    }


def _move(move: Move, base: Fraction, *, chance: bool) -> MoveData:
    plain: MoveData = {"to": move.to, "said": format_field(move.to)}
    if move.worth is None:
        plain["problem"] = move.problem
        return plain
    change = move.worth - base
    plain["worth"] = worth(move.worth, chance=chance)
    plain["change"] = {**number(change), "said": format_change(change, chance=chance)}
    return plain


def format_change(change: Fraction, *, chance: bool) -> str:
    """A difference with its sign; of chances in percentage points.

    >>> format_change(Fraction(-1, 8), chance=True), format_change(Fraction(0), chance=False)
    ('−12.5', '±0')
    """
    return format_points(change) if chance else f"{_sign(change)}{format_number(abs(change))}"


def _sign(change: Fraction) -> str:
    return "+" if change > 0 else "−" if change < 0 else "±"


def one_more(
    subject: RollSpec,
    measure: Measure,
    policy: str,
    budget: Budget | None,
    names: Collection[str] | None = None,
) -> list[OneMore]:
    """Return the worth of one more of each number: those named, else the card's, else all."""
    request = subject.request
    if request is None:
        if names is not None:
            raise BadField("more", message("more.dice"), would_do=message("would_do.none"))
        return []
    _check_names(request, names or ())
    dist = known_odds(subject, policy, budget).dist
    base, chance = measure.of(dist), measure.is_chance(dist)
    found = []
    for axis, now, more in raise_by_one(request, names):
        try:
            then = known_odds(of_request(more), policy, budget).dist
            if measure.is_chance(then) == chance:
                found.append(_more(axis, now, measure.worth_of(then), measure.of(then) - base))
        except TooMuchWork:
            raise
        except RollwrightError:
            continue
    return found


def _check_names(request: Request, names: Collection[str]) -> None:
    """Refuse a name that nothing in the request has; a number that is as high as can be is fine."""
    for name in names:
        if not is_in(request, name):
            known = [axis.name for axis in axes(request) if _number_of(axis) is not None]
            problem = with_likeliest(message("unknown.name", name=repr(name[:40])), name, known)
            raise BadField("more", problem, would_do=message("names", names=row_of(known)))


def _more(axis: Axis, now: int, value: MeasureWorth, change: Fraction) -> OneMore:
    return {
        "field": axis.name,
        "title": axis.title,
        "from": now,
        "to": now + 1,
        "value": value,
        "change": number(change),
        "said": f"{_sign(change)}{format_worth(abs(change), value['chance'])}",
    }


def raise_by_one(
    request: Request, names: Collection[str] | None = None
) -> Iterator[tuple[Axis, int, Request]]:
    """Every legal request with one number one up, which number it is, and what it was."""
    made, wanted = 0, find_game(request.game).card.roll(request.roll).more
    if names is not None:
        wanted = tuple(names)
    for axis in axes(request):
        now = _number_of(axis)
        if now is None or (wanted is not None and axis.name not in wanted):
            continue
        try:
            more = changed_request(request, {axis.name: now + 1})
        except BadField:
            continue
        if made == MOST_MORE:
            return
        made += 1
        yield axis, now, more


def _number_of(axis: Axis) -> int | None:
    """The number of the roll itself that can go up; None for others, and of one of several."""
    now = axis.now
    if type(now) is not int or now + 1 not in axis.values:
        return None
    return None if axis.is_house_rule or "[" in axis.name else now
