"""The parts of advice: the worth of every option, and the best policy as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.dice import Outcome
from rollwright.engine.steps import Option

if TYPE_CHECKING:
    from fractions import Fraction

Goal = Callable[[Outcome], Any]
"""Function for the worth of an outcome: a whole number, a Fraction, or True and False."""


class Worth(NamedTuple):
    """The worth of one option when everything after it is played as well as can be."""

    option: Option
    value: Fraction


class PolicyEntry(NamedTuple):
    """One line of a policy: in this situation, choose this."""

    by: str
    situation: object
    """The basis of the decision: the rule's own `about`, or the answers seen so far."""
    choose: Option
    worths: tuple[Worth, ...]
    chance: Fraction
    """How likely it is to come to this decision."""
    against: bool = False
    """Whether the chooser wants as little of the goal as can be."""

    @property
    def matters(self) -> bool:
        """Whether another option would be worse."""
        return len({worth.value for worth in self.worths}) > 1


class Advice:
    """The best option, and the worth of all others."""

    def __init__(
        self,
        value: Fraction,
        here: PolicyEntry | None,
        lines: Callable[[], list[PolicyEntry]],
        lost: Callable[[], Fraction] | None = None,
    ) -> None:
        self.value = value
        """The worth of the position with best play; what a bound cut off counts as the worst."""
        self.here = here
        """The line for the choice that is open now, if one is."""
        self._make_lines = lines
        self._find_lost = lost
        self._lines: tuple[PolicyEntry, ...] | None = None

    @property
    def lines(self) -> tuple[PolicyEntry, ...]:
        """The whole best policy, the likeliest decisions first."""
        if self._lines is None:
            self._lines = tuple(sorted(self._make_lines(), key=_chance, reverse=True))
        return self._lines

    @property
    def lost(self) -> Fraction:
        """The chance, under best play, of what a stated bound cut off; 0 where all was counted."""
        from fractions import Fraction

        return Fraction(0) if self._find_lost is None else self._find_lost()

    @property
    def options(self) -> tuple[Worth, ...]:
        """The options open now with their worth, best first."""
        if self.here is None:
            return ()
        return tuple(sorted(self.here.worths, key=lambda w: w.value, reverse=not self.here.against))

    @property
    def best(self) -> Option:
        """The best option now; among equals the one listed first, which changes least."""
        return None if self.here is None else self.here.choose

    @property
    def ties(self) -> tuple[Option, ...]:
        """The options that are as good as the best."""
        top = self.options[:1]
        return tuple(w.option for w in self.options if w.value == top[0].value)

    @property
    def matters(self) -> bool:
        """False where every option open now is worth the same."""
        return self.here is not None and self.here.matters

    def table(self) -> str:
        """The policy as a table a person can read."""
        return "\n".join(_table_rows(self.lines))

    def __repr__(self) -> str:
        cut = "; a bound cut off a part" if self.lost else ""
        if self.here is None:
            return f"<advice: worth {_shortly(self.value)} with best play{cut}>"
        said = ", ".join(f"{w.option}: {_shortly(w.value)}" for w in self.options)
        hint = "" if self.matters else "; it does not matter"
        return f"<advice: {self.best} ({said}{hint}{cut})>"


def _shortly(value: Fraction) -> str:
    """A value as people read it: one of very many digits is rounded."""
    return str(value) if value.denominator < LONG else f"about {float(value):.6g}"


LONG = 10**40
"""A denominator that nobody reads."""


def _chance(line: PolicyEntry) -> Fraction:
    return line.chance


def _table_rows(lines: tuple[PolicyEntry, ...]) -> Iterator[str]:
    grouped: dict[tuple[str, str], tuple[PolicyEntry, Fraction | int]] = {}
    for line in lines:
        name = (line.by, _format_situation(line.situation))
        first, chance = grouped.get(name, (line, 0))
        grouped[name] = (first, chance + line.chance)
    width = max([len(said) for _, said in grouped] + [9])
    yield f"{'situation':<{width}}  {'chance':>8}  best call"
    for (_by, said), (line, chance) in sorted(grouped.items(), key=lambda item: -item[1][1]):
        call = f"{line.choose}" if line.matters else f"{line.choose} (it does not matter)"
        yield f"{said:<{width}}  {float(chance):>8.2%}  {call}"


def _format_situation(situation: object) -> str:
    if isinstance(situation, tuple) and not hasattr(situation, "_fields"):
        return " ".join(_format_situation(part) for part in situation)
    if hasattr(situation, "readings"):
        return ", ".join(map(str, situation.readings))
    return str(situation)
