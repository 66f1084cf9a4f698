"""The best policy as a table: what each decision turns on, and what to do then."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

from rollwright.ask.outcomes import fraction, percent
from rollwright.kit.words import option_said, situation_said
from rollwright.pictures.charts import Table
from rollwright.pictures.outcomes import value_said

if TYPE_CHECKING:
    from rollwright.engine.best.advice import Line

MOST_FIELDS, FEW_ROWS = 3, 12
HEAD = ("chance", "best call", "who", "situation")
Row = tuple[Fraction, str, str, str]
"""How likely a decision is, the best call, who makes it, and what it turns on."""


def policy_table(lines: Sequence[Line], *, in_short: bool = False) -> Table:
    """The decisions, the likeliest first; in short, only by what the best call turns on."""
    rows = [(percent(chance), *words) for chance, *words in _found(lines, in_short)]
    if len({by for _, _, by, _ in rows}) > 1:
        return Table(HEAD, tuple(rows), left=4)
    return Table((*HEAD[:2], HEAD[3]), tuple((a, b, d) for a, b, _, d in rows), left=3)


def policy_rows(lines: Sequence[Line]) -> Table:
    """The decisions for a spreadsheet: the chance as a decimal number and as the exact fraction."""
    rows = [
        (f"{float(chance):.10g}", fraction(chance), *words)
        for chance, *words in _found(lines, in_short=False)
    ]
    return Table(("chance", "exactly", *HEAD[1:]), tuple(rows))


def unasked(lines: Sequence[Line]) -> str:
    """That some throws leave no choice, where the chances of the lines do not make up all."""
    total = sum(line.chance for line in lines)
    if total >= 1:
        return ""
    return f"The chances add up to {percent(total)}: the other throws leave nothing to choose."


def _kinds(lines: Sequence[Line]) -> dict[tuple[str, type], list[Line]]:
    """The decisions by who makes them and by what they turn on."""
    kinds: dict[tuple[str, type], list[Line]] = {}
    for line in lines:
        kinds.setdefault((line.by, type(line.situation)), []).append(line)
    return kinds


def _found(lines: Sequence[Line], in_short: bool) -> list[Row]:
    found = [row for alike in _kinds(lines).values() for row in _decisions(alike, in_short)]
    return sorted(found, key=lambda row: -row[0])


def _decisions(lines: list[Line], in_short: bool) -> list[Row]:
    """Decisions of one kind by one person; those that read alike are one."""
    names = _telling_fields(lines)
    if in_short and names is not None:
        names = _fields_enough(lines, names)
    grouped: dict[str, tuple[Line, Fraction]] = {}
    for line in lines:
        words = _said(line.situation, names)
        first, chance = grouped.get(words, (line, Fraction(0)))
        grouped[words] = (line if line.matters else first, chance + line.chance)
    return [(chance, _call(line), line.by, words) for words, (line, chance) in grouped.items()]


def _call(line: Line) -> str:
    return option_said(line.choose) + ("" if line.matters else " (or not)")


def _telling_fields(lines: list[Line]) -> list[str] | None:
    """The fields in which the situations differ; None where they have no fields."""
    names = getattr(lines[0].situation, "_fields", None)
    if names is None:
        return None
    return [n for n in names if len({getattr(line.situation, n) for line in lines}) > 1]


def _fields_enough(lines: list[Line], names: list[str]) -> list[str]:
    """As few of the fields as still say what to do, in few rows if that can be."""
    fewest: list[str] | None = None
    for count in range(min(len(names), MOST_FIELDS) + 1):
        for some in map(list, combinations(names, count)):
            if _decide(lines, some):
                if _rows(lines, some) <= FEW_ROWS:
                    return some
                fewest = fewest or some
    return fewest or names


def _rows(lines: list[Line], names: Sequence[str]) -> int:
    return len({tuple(getattr(line.situation, name) for name in names) for line in lines})


def _decide(lines: list[Line], names: Sequence[str]) -> bool:
    """Whether these fields alone tell the best call of every line."""
    calls: dict[tuple[Any, ...], str] = {}
    for line in lines:
        key = tuple(getattr(line.situation, name) for name in names)
        call = option_said(line.choose)
        if calls.setdefault(key, call) != call:
            return False
    return True


def _said(situation: Any, names: list[str] | None) -> str:
    if names is None:
        return situation_said(situation)
    pairs = [f"{n.replace('_', ' ')} {value_said(getattr(situation, n))}" for n in names]
    return ", ".join(pairs) if pairs else "always"
