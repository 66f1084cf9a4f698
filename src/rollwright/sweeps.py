"""One number of a roll for every value of one thing, or of two: as numbers, and as a picture."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from fractions import Fraction
from html import escape
from inspect import Parameter, signature
from itertools import product
from typing import Any, NamedTuple

from rollwright.api import What, odds
from rollwright.budget import Budget
from rollwright.dice import Outcome
from rollwright.engine.odds.count import Planner, Policy
from rollwright.errors import Misuse
from rollwright.exact import Dist
from rollwright.kit.fields import fields_of
from rollwright.kit.games import Game, find_game, from_plain
from rollwright.kit.requests import Request
from rollwright.notation import as_rule
from rollwright.notation.parser import names_in
from rollwright.pictures.charts import CHANCE, HeatMap, Lines, Picture, Series
from rollwright.pictures.files import numbers, save
from rollwright.pictures.svg import svg
from rollwright.pictures.terminal import format_bound_note
from rollwright.queries.conditions import names_in_event
from rollwright.queries.measures import ConditionMeasure

MOST_CELLS = 10_000


class Sweep(NamedTuple):
    """A number for every value, or every pair of values; a notebook shows it as a picture."""

    names: tuple[str, ...]
    """The moved arguments: one or two."""
    values: tuple[tuple[Any, ...], ...]
    """The values of each."""
    cells: dict[tuple[Any, ...], Fraction]
    """By the values in their order what was measured."""
    lost: Fraction
    """The largest share that a stated bound cut off anywhere; 0 where all was counted."""
    unit: str = ""
    title: str = ""

    def __getitem__(self, at: Any) -> Fraction:  # type: ignore[override]
        """Return the measure at a value, or at a pair of values."""
        key = at if isinstance(at, tuple) and len(self.names) > 1 else (at,)
        if key not in self.cells:
            raise Misuse(f"{at!r} is none of the values that were swept over")
        return self.cells[key]

    @property
    def picture(self) -> Picture:
        """A curve, or a map of two things, for `rollwright.pictures`."""
        note = format_bound_note(self.lost, mean=self.unit != CHANCE) if self.lost else ""
        labels = tuple(tuple(map(str, values)) for values in self.values)
        if len(self.names) == 1:
            row = tuple(self.cells[value,] for value in self.values[0])
            drawn = (Series(self.title, row),)
            return Lines(self.title, labels[0], drawn, note, self.unit, self.names[0])
        rows = tuple(tuple(self.cells[x, y] for x in self.values[0]) for y in self.values[1])
        (x, y), (xs, ys) = self.names, labels
        return HeatMap(self.title, x, y, xs, ys, rows, note, self.unit)

    def save(self, name: str) -> None:
        """Write the picture to a file: `.svg`, `.html` or `.png`."""
        save(self.picture, name)

    def _repr_html_(self) -> str:
        note = (
            f"<p>{escape(format_bound_note(self.lost, mean=self.unit != CHANCE))}</p>"
            if self.lost
            else ""
        )
        return f"<div>{svg(self.picture)}{numbers(self.picture).html()}{note}</div>"

    def __repr__(self) -> str:
        table = numbers(self.picture).text(100)
        return (
            f"{table}\n{format_bound_note(self.lost, mean=self.unit != CHANCE)}"
            if self.lost
            else table
        )


def sweep(
    what: Callable[..., What | Dist[Any]] | Request | Mapping[str, Any] | str,
    /,
    *,
    where: Callable[[Outcome], object] | Hashable = None,
    measure: Callable[[Dist[Outcome]], Any] | None = None,
    policy: Policy | Planner | str | None = None,
    title: str = "",
    budget: Budget | None = None,
    **axes: Iterable[Any],
) -> Sweep:
    """Return a rule's results for every value of one argument or two: `sweep(dig, bag=range(9))`.

    `what` is a rule, any function that gives what `odds` takes, a request of a game, whose fields
    are moved, or an expression with names in it, such as "(@dice)d6". The measure is the mean; with
    `where` the chance of an event, with `measure` any function of the odds. An event may be typed
    as on the command line, and may use what is moved: ">= @tn".

    >>> from rollwright.dice import D6, Pool
    >>> def thrown(dice: int) -> Pool:
    ...     return dice * D6
    >>> sweep(thrown, where=lambda total: total >= 10, dice=[1, 2, 3])
    dice  chance
    ────────────
    1        0 %
    2     16.7 %
    3     62.5 %
    >>> sweep("d20 + @bonus", where=lambda total: total >= 15, bonus=[2, 5])[5]
    Fraction(11, 20)
    >>> sweep("d20 + 5", where=">= @tn", tn=[10, 15])
    tn  chance
    ──────────
    10  80.0 %
    15  55.0 %
    """
    if not 1 <= len(axes) <= 2:
        raise Misuse("a sweep moves one argument or two: sweep(dig, bag=range(9))")
    if where is not None and measure is not None:
        raise Misuse("a sweep measures the chance of an event, or something else, not both")
    typed = ConditionMeasure(where, _game_of(what)) if isinstance(where, str) else None
    names: frozenset[str] = names_in_event(typed.where) if typed else frozenset()
    for name in sorted(names.difference(axes)):
        raise Misuse(f"nothing gives @{name} in {where!r} a value: add {name}=range(10, 21)")
    made = _maker(what, tuple(axes), names)
    values = tuple(_values(name, held) for name, held in axes.items())
    if not all(values) or len(values[0]) * len(values[-1]) > MOST_CELLS:
        raise Misuse(f"a sweep has 1 to {MOST_CELLS:,} values of each argument")
    cells: dict[tuple[Any, ...], Fraction] = {}
    lost = Fraction(0)
    for at in product(*values):
        moved = dict(zip(axes, at, strict=True))
        dist = odds(made(moved), policy, budget=budget)
        lost = max(lost, Fraction(dist.lost, dist.total))
        if typed is None:
            cells[at] = Fraction(_measure(dist, where, measure))
        else:
            cells[at] = _typed_chance(dist, typed, moved)
    if typed is not None:
        typed.check()
    return Sweep(tuple(axes), values, cells, lost, CHANCE if where is not None else "", title)


def _game_of(what: object) -> Game | None:
    """The game whose words an event may be typed in."""
    request = from_plain(what) if isinstance(what, Mapping) else what
    return find_game(request.game) if isinstance(request, Request) else None


def _typed_chance(
    dist: Dist[Outcome], typed: ConditionMeasure, moved: Mapping[str, Any]
) -> Fraction:
    """The chance of an event that was typed; a word by itself may be an outcome."""
    if typed.where in dist.outcomes:
        typed.met = True
        return dist.p(typed.where)
    return typed.chance(dist, moved)


def _maker(
    what: object, names: tuple[str, ...], in_event: Collection[str]
) -> Callable[[dict[str, Any]], What]:
    """Return a function that makes a roll of the values at one place; some are for the event."""
    if isinstance(what, str):
        text, known = what, names_in(what)
        _check_names(names, (*known, *in_event), f"{text!r} has")
        return lambda values: as_rule(text, _only(values, known))
    if callable(what):
        if in_event:
            takes = tuple(signature(what).parameters)
            names = tuple(name for name in names if name in takes or name not in in_event)
        _check_takes(what, names)
        function: Callable[..., What] = what
        return lambda values: function(**_only(values, names))
    request = from_plain(what) if isinstance(what, Mapping) else what
    if not isinstance(request, Request):
        raise Misuse(
            f"a sweep moves what a rule, a function, a request or an expression takes; {what!r} "
            "takes nothing: write sweep(lambda dice: dice * D6, dice=range(1, 5))"
        )
    held = fields_of(type(request))
    fields = [name for name in names if name in held or name not in in_event]
    return lambda values: request.but(**_only(values, fields))


def _only(values: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in names}


def _check_takes(what: Callable[..., What], names: tuple[str, ...]) -> None:
    """Refuse a name that nothing takes, with those that there are."""
    known = signature(what).parameters
    if any(one.kind is Parameter.VAR_KEYWORD for one in known.values()):
        return
    _check_names(names, known, f"{getattr(what, '__name__', what)} takes")


def _check_names(names: tuple[str, ...], known: Collection[str], has: str) -> None:
    for name in names:
        if name not in known:
            raise Misuse(f"{has} no {name!r} to sweep over, only {', '.join(known) or 'nothing'}")


def _values(name: str, held: Any) -> tuple[Any, ...]:
    if isinstance(held, str) or not isinstance(held, Iterable):
        raise Misuse(f"{name} is swept over several values, as {name}=range(9), not {held!r}")
    return tuple(held)


def _measure(
    dist: Dist[Outcome],
    where: Callable[[Outcome], object] | Hashable,
    measure: Callable[[Dist[Outcome]], Any] | None,
) -> Any:
    if where is not None:
        return dist.p(where)
    return dist.counted_mean if measure is None else measure(dist)
