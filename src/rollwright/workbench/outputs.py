"""The output of a line: odds, several compared, sweeps, best play, rolls, numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from types import BuiltinFunctionType, CoroutineType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, cast

from rollwright import api
from rollwright.dice import Die, Pool
from rollwright.engine.best.policies import Advice
from rollwright.engine.position import Position
from rollwright.engine.rerolls import Rerolls
from rollwright.engine.steps import Call, Rule, Step
from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField, Misuse
from rollwright.errors import format_number as size_said
from rollwright.exact import Comparison, Dist
from rollwright.i18n.locale import format_text
from rollwright.i18n.messages import Message
from rollwright.kit.games import Game
from rollwright.kit.requests import Request
from rollwright.kit.words import format_option
from rollwright.pictures.charts import CHANCE, HeatMap, TextTable
from rollwright.pictures.files import format_exact, numbers
from rollwright.pictures.outcomes import format_field
from rollwright.pictures.svg import svg
from rollwright.pictures.terminal import format_bound_note
from rollwright.queries.measures import percent, worth
from rollwright.queries.plans import calls_of, format_plan, policy_rows
from rollwright.queries.rolls import roll_answer
from rollwright.rules import rule
from rollwright.sweeps import Sweep
from rollwright.workbench.distributions import (
    amount,
    joint_of,
    parts_of,
    plain,
    side_by_side,
    with_picture,
)
from rollwright.workbench.problems import msg

if TYPE_CHECKING:
    from rollwright.budget import Budget
    from rollwright.dice import Outcome
    from rollwright.pictures.outcomes import View
    from rollwright.workbench.kinds import GridQuery as GridAsked
    from rollwright.workbench.shapes import (
        AdviceOutput,
        CompareOutput,
        GridAnswer,
        NumberOutput,
        OddsOutput,
        Output,
        OutputPlace,
        RollOutput,
        SweepOutput,
        TableOutput,
        TextOutput,
    )

LONGEST_TEXT, MOST_ITEMS, MOST_COMPARED, LONGEST_NAME = 20_000, 500, 12, 80
MOST_BITS = 20_000
"""Bits of a number that is worked with before it is shown; a larger one shows only its size."""
UNSHOWN = (FunctionType, BuiltinFunctionType, ModuleType, type, Game, type(None))
"""Types of values that a line may name without showing anything."""
DICE = (Die, Pool, Rerolls, Request, Position, Call)


@rule
async def alone(step: Step[Any]) -> Any:
    """A single throw, tally or loop as a whole roll."""
    return await step


def output_of(held: object, at: OutputPlace, view: View = "each") -> Output | None:
    """Return the output for a value; None if there is nothing to see."""
    if isinstance(held, UNSHOWN) and not isinstance(held, Rule):
        return None
    if isinstance(held, CoroutineType):
        held.close()
        raise Misuse(msg("problem.no_rule"))
    if (dist := odds_of(held)) is not None:
        return odds_output(dist, at, view)
    for kind, show in SHOWS:
        if isinstance(held, kind):
            return cast("Output | None", show(held, at))
    if isinstance(held, (Mapping, list, tuple)) and held:
        return _several(held, at, view)
    return text_output(held, at)


def odds_of(held: object) -> Dist[Outcome] | None:
    """The odds of something that has some; None for anything else."""
    if isinstance(held, Dist):
        return held
    if isinstance(held, DICE):
        return api.odds(held)
    if isinstance(held, Rule):
        return api.odds(held())
    return api.odds(alone(held)) if isinstance(held, Step) else None


def odds_output(dist: Dist[Outcome], at: OutputPlace, view: View = "each") -> OddsOutput:
    """Odds, field by field."""
    parts = parts_of(dist)
    title = at["name"] if len(parts) == 1 else ""
    return {
        **at,
        "kind": "odds",
        "fields": [with_picture(name, part, view, title) for name, part in parts.items()],
        "joint": joint_of(dist),
        "remarks": [],
    }


def _several(
    held: Mapping[Any, Any] | list[Any] | tuple[Any, ...], at: OutputPlace, view: View
) -> Output:
    """Several odds side by side, or values in a table; anything else as it says itself."""
    named = _shorten_names(_with_names(held))
    dists = {name: dist for name, one in named.items() if (dist := odds_of(one)) is not None}
    if dists and len(dists) == len(named) <= MOST_COMPARED:
        compared: CompareOutput = {**at, "kind": "compare", "fields": side_by_side(dists, view)}
        return compared
    if all(isinstance(one, (int, float, Fraction, str, bool)) for one in named.values()):
        return _table(named, at)
    return text_output(held, at)


def _with_names(held: Mapping[Any, Any] | list[Any] | tuple[Any, ...]) -> dict[str, Any]:
    """Several things by name: their own, else what they are, else their number."""
    if isinstance(held, Mapping):
        return {str(name): one for name, one in held.items()}
    fields = getattr(held, "_fields", None)
    if fields is not None:
        return dict(zip(fields, held, strict=True))
    names = [repr(one) if isinstance(one, DICE) else str(n) for n, one in enumerate(held, 1)]
    if len(set(names)) < len(names):
        names = [f"{n}" for n in range(1, len(names) + 1)]
    return dict(zip(names, held, strict=True))


def _shorten_names(named: dict[str, Any]) -> dict[str, Any]:
    """The same by names that fit a page; those that begin alike are numbered."""
    if all(len(name) <= LONGEST_NAME for name in named):
        return named
    short = [name[:LONGEST_NAME] for name in named]
    if len(set(short)) < len(short):
        short = [f"{n}: {name[: LONGEST_NAME - 8]}" for n, name in enumerate(short, 1)]
    return dict(zip(short, named.values(), strict=True))


def _table(named: Mapping[str, Any], at: OutputPlace) -> TableOutput:
    rows = [(name, _value(one)) for name, one in list(named.items())[:MOST_ITEMS]]
    table = TextTable((msg("column.name"), msg("column.value")), tuple(rows))
    return {
        **at,
        "kind": "table",
        "head": list(table.head),
        "rows": [list(row) for row in table.rows],
        "csv": table.csv(),
    }


def _value(one: object) -> str:
    if isinstance(one, bool) or not isinstance(one, (int, float, Fraction)):
        return format_field(one)[:200]
    try:
        return amount(_exact(one))["said"] if _is_short(one) else size_said(int(one))
    except (ValueError, OverflowError):
        return str(one) if isinstance(one, float) else size_said(int(one))


def _is_short(held: int | float | Fraction) -> bool:
    """Whether a number can be worked with in no time."""
    if isinstance(held, float):
        return True
    return max(held.numerator.bit_length(), held.denominator.bit_length()) <= MOST_BITS


def _exact(held: int | float | Fraction) -> Fraction:
    """A number exactly; a float as the decimal that it is written as."""
    return Fraction(str(held)) if isinstance(held, float) else Fraction(held)


def _sweep(held: Sweep, at: OutputPlace) -> SweepOutput:
    chance = held.unit == CHANCE
    picture = held.picture if held.title else held._replace(title=at["name"]).picture
    return {
        **at,
        "kind": "sweep",
        "title": held.title or at["name"],
        "axes": [
            {"field": name, "values": [plain(one) for one in values]}
            for name, values in zip(held.names, held.values, strict=True)
        ],
        "cells": [
            {"values": [plain(one) for one in place], "worth": worth(cell, chance=chance)}
            for place, cell in held.cells.items()
        ],
        "svg": svg(picture),
        "csv": numbers(picture, format_exact).csv(),
        "cut": format_bound_note(held.lost, mean=not chance) if held.lost else "",
    }


def grid(question: GridAsked, budget: Budget) -> GridAnswer:
    """Numbers that came one after the other, as the map that they are together."""
    wide = len(question.columns)
    cells = [_number_in(cell) for cell in question.cells]
    picture = HeatMap(
        question.title,
        question.across,
        question.down,
        question.columns,
        question.rows,
        tuple(tuple(cells[n : n + wide]) for n in range(0, len(cells), wide or 1)),
        unit=CHANCE if question.chance else "",
    )
    return {"svg": svg(picture), "csv": numbers(picture, format_exact).csv()}


def _number_in(cell: str) -> Fraction | None:
    try:
        return Fraction(cell) if cell else None
    except (ValueError, ZeroDivisionError):
        came = Message("field.came", {"came": cell[:40]})
        raise BadField("cells", came, would_do="3/8") from None


def advice_output(held: Advice, at: OutputPlace, *, chance: bool = False) -> AdviceOutput:
    """Best play: its worth, its options, and the policy as a table."""
    return {
        **at,
        "kind": "advice",
        "value": worth(held.value, chance=chance),
        "best": None if held.here is None else format_option(held.best),
        "matters": any(line.matters for line in held.lines),
        "options": [
            {
                "said": format_option(one.option),
                "value": worth(one.value, chance=chance),
                "best": one.value == held.options[0].value,
            }
            for one in held.options[:MOST_ITEMS]
        ],
        "calls": calls_of(held),
        "plan": format_text(format_plan(held, None)),
        "csv": policy_rows(held.lines[:MOST_ITEMS]).csv(),
        "cut": format_bound_note(held.lost, mean=True) if held.lost else "",
    }


def _roll(held: Transcript, at: OutputPlace) -> RollOutput:
    return {**at, "kind": "roll", "roll": roll_answer(held)}


def _number(held: int | float | Fraction, at: OutputPlace) -> NumberOutput | TextOutput:
    if isinstance(held, bool):
        return text_output(format_field(held), at)
    if not _is_short(held):
        return text_output(_value(held), at)
    try:
        likely = percent(held) if isinstance(held, Fraction) and 0 <= held <= 1 else ""
        return {**at, "kind": "number", **amount(_exact(held)), "chance": likely}
    except (ValueError, OverflowError):  # no number, endless, or of more digits than are written
        return text_output(_value(held), at)


def _comparison(held: Comparison, at: OutputPlace) -> Output:
    named = zip(("less", "equal", "greater"), held, strict=True)
    return _table({msg(f"compared.{name}"): percent(one) for name, one in named}, at)


def text_output(held: object, at: OutputPlace) -> TextOutput:
    """Anything else, as it says itself."""
    text = held if isinstance(held, str) else repr(held)
    cut = text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
    return {**at, "kind": "text", "text": cut}


SHOWS: tuple[tuple[Any, Callable[[Any, OutputPlace], Any]], ...] = (
    (Sweep, _sweep),
    (Advice, advice_output),
    (Transcript, _roll),
    (Comparison, _comparison),
    ((int, float, Fraction), _number),
)
"""Functions for values that are not shown as text; odds are handled before."""
