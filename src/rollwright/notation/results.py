"""The result of a roll: its value at once, and everything that happened when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rollwright.notation.compiler import NO_VARIABLES
from rollwright.notation.dice import SYSTEM, SourceThrower, Thrower
from rollwright.notation.pool_modifiers import MOST_EXPLOSIONS
from rollwright.notation.pools import cut_in
from rollwright.notation.programs import CompiledExpression, compile_expression

if TYPE_CHECKING:
    from rollwright.engine.sources import Source
    from rollwright.engine.transcript import Transcript
    from rollwright.jsonable import Json
    from rollwright.notation.breakdowns import Breakdown, DieResult, Value
    from rollwright.notation.dice import DieKind
    from rollwright.notation.hints import Hint
    from rollwright.notation.parts import Faces
    from rollwright.notation.pools import Hand
    from rollwright.notation.tree import Amount


class Result:
    """The result of a line, and the faces it came from.

    >>> from rollwright.engine.sources import TypedSource
    >>> print(roll("4d6kh3 + 2", source=TypedSource([6, 1, 3, 5])))
    4d6kh3 [6 ~1~ 3 5] + 2 = 16
    """

    __slots__ = ("program", "hands", "value", "_told")

    def __init__(self, program: CompiledExpression, hands: list[Hand]) -> None:
        self.program = program
        self.hands = hands
        """The hands that each pool left on the table, in the order they were thrown."""
        self.value = program.read(hands)
        """A number or a degree of success; a tuple of them where the line has several rolls."""
        self._told: tuple[Breakdown[Value], ...] | None = None

    @property
    def throws(self) -> tuple[Faces, ...]:
        """The faces of each throw, in the order they were thrown."""
        return tuple(throws_of(self.hands))

    @property
    def text(self) -> str:
        """The line as it was written."""
        return self.program.text

    @property
    def comment(self) -> str:
        """The text after the #."""
        return self.program.comment

    @property
    def rolls(self) -> tuple[Breakdown[Value], ...]:
        """Each roll of the line, as a full breakdown."""
        if self._told is None:
            self._told = self.program.break_down(self.hands)
        return self._told

    @property
    def dice(self) -> tuple[DieResult, ...]:
        """Every die of every roll, with what happened to it."""
        return tuple([one for told in self.rolls for one in _dice(told)])

    @property
    def groups(self) -> dict[str, Amount]:
        """The total under each label, over all rolls; "" is what has none."""
        from rollwright.notation.breakdowns import totals_by_label, whole

        made: dict[str, Amount] = {}
        for told in self.rolls:
            for label, total in totals_by_label(told).items():
                made[label] = whole(made.get(label, 0) + total)
        return made

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on this roll, such as a bound that was reached."""
        cut = cut_in(self.hands)
        if not cut:
            return ()
        which = "1 die" if cut == 1 else f"{cut} dice"
        return (f"{which} would have exploded again: the bound is {MOST_EXPLOSIONS} explosions",)

    @property
    def hints(self) -> tuple[Hint, ...]:
        """Ambiguities of the line, with the other reading to type."""
        from rollwright.notation.hints import hints_for

        return hints_for(self.program.line)

    def __str__(self) -> str:
        program = self.program
        said = program.format(self.hands, self.value)
        if cut_in(self.hands):
            said = "; ".join([said, *self.notes])
        comment = program.comment
        return f"{said}  # {comment}" if comment else said

    def tree(self) -> str:
        """Every part on a line of its own, with its value and its dice."""
        from rollwright.notation import breakdowns

        return "\n".join(
            [one for told in self.rolls for one in breakdowns.format_tree(self.text, told)]
        )

    def to_plain(self) -> dict[str, Json]:
        """Everything as what JSON can hold."""
        from rollwright.notation import breakdowns

        return {
            "expression": self.text,
            "value": breakdowns.amount_to_json(self.value),
            "groups": {label: breakdowns.amount_to_json(n) for label, n in self.groups.items()},
            "rolls": [breakdowns.breakdown_to_json(self.text, told) for told in self.rolls],
            "comment": self.comment,
            "notes": list(self.notes),
            "remarks": [remark.to_json() for remark in self.hints],
        }

    def to_json(self) -> str:
        """Everything as JSON text."""
        from rollwright.jsonable import json_text

        return json_text(self.to_plain())

    def __repr__(self) -> str:
        return f"<{self.text!r:.60} came to {self.value}>"


class ReplayCup(Thrower):
    """The faces that were thrown before, in the same order."""

    __slots__ = ("_faces",)

    def __init__(self, thrown: Sequence[Faces]) -> None:
        self._faces = iter(thrown)

    def faces(self, kind: DieKind, count: int) -> Faces:
        """The faces of the next throw."""
        return next(self._faces)


def _dice(told: Breakdown[Value]) -> Iterator[DieResult]:
    for part in told.parts:
        yield from _dice(part)
    if told.shown and not (told.parts and len(told.parts) == len(told.shown)):
        yield from told.shown


def throws_of(hands: Sequence[Hand]) -> Iterator[Faces]:
    """The faces of each throw, in the order they were thrown."""
    for _, throws, _, before in hands:
        yield from throws_of(before)
        yield from throws


def roll(
    text: str, variables: Mapping[str, Amount] | None = None, *, source: Source | None = None
) -> Result:
    """Roll an expression the quick way: with the system's entropy, or faces from a source.

    >>> roll("2d6+3").value in range(5, 16)
    True
    """
    compiled = compile_expression(text, variables or NO_VARIABLES)
    if source is None:
        return Result(compiled, compiled.throw(SYSTEM))
    hands = compiled.throw(SourceThrower(source))
    finish = getattr(source, "finish", None)
    if finish is not None:
        finish()
    return Result(compiled, hands)


def result(transcript: Transcript) -> Result:
    """The result behind a finished transcript of an expression, with every die."""
    from rollwright.errors import Misuse
    from rollwright.notation.counter import expression

    if transcript.call.rule is not expression:
        raise Misuse(f"{transcript!r} is not the roll of an expression")
    text, variables = transcript.call.args
    if not transcript.is_done:
        raise Misuse(f"{transcript!r} has not come to its end")
    compiled = compile_expression(str(text), dict(variables))  # type: ignore[call-overload]
    return Result(compiled, compiled.throw(ReplayCup([faces for _, faces in transcript.throws])))
