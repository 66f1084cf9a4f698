"""Expressions as rules of the engine: so they have transcripts, odds and physical dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rollwright.notation.programs import Variables, program
from rollwright.rules import roll, rule

if TYPE_CHECKING:
    from rollwright.budget import Budget
    from rollwright.engine.steps import Call
    from rollwright.exact import Dist


@rule
async def expression(text: str, variables: Variables = ()) -> Any:
    """Throw the dice of an expression, from left to right, and work out its value."""
    line = program(text, dict(variables))
    values = []
    for part in line.each():
        telling = part.tell()
        faces: Any = None
        try:
            while True:
                kind, count = telling.send(faces)
                faces = (await roll(kind.pool(count))).readings
        except StopIteration as stop:
            values.append(stop.value.value)
    return values[0] if line.is_single else tuple(values)


@expression.counted_by
def counted(text: str, variables: Variables, budget: Budget | None) -> Dist[Any]:
    """The odds of an expression, counted term by term instead of played out."""
    from rollwright.notation.counter import odds_of

    return odds_of(program(text, dict(variables)), budget)


def compiled(text: str, variables: Mapping[str, Any] | None = None) -> Call[Any]:
    """The rule call behind an expression, to roll, count, store or use in a rule of one's own.

    >>> compiled("1d20 + @str", {"str": 3})
    expression('1d20 + @str', (('str', 3),))
    """
    program(text, variables or {})
    return expression(text, tuple(sorted((variables or {}).items())))
