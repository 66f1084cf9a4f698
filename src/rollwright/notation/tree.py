"""The tree behind an expression: frozen values, each with its place in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias, Union

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.notation.errors import Span

new = tuple.__new__
"""Makes a node of its fields, all of them in a row, in half the time that its class takes."""
Amount: TypeAlias = "int | Fraction"
"""A number of an expression, always exact."""
Node: TypeAlias = Union[
    "NumberNode",
    "VariableNode",
    "DiceNode",
    "GroupNode",
    "ChainNode",
    "PowerNode",
    "FunctionNode",
    "ChoiceNode",
    "LabelNode",
]


class NumberNode(NamedTuple):
    """A number as written: whole, or exact to its last decimal."""

    span: Span
    value: Amount


class VariableNode(NamedTuple):
    """`@name`, a number from the sheet."""

    span: Span
    name: str


class Modifier(NamedTuple):
    """A modifier of dice: `kh3`, `!>4`, `ro<2`, by its first spelling."""

    span: Span
    name: str
    compare: str
    """How faces are compared: "" or one of = <> < <= > >= even odd."""
    amount: Node | None
    joined: bool = False
    """Whether `&` joins it to the one before: kept is what either of them keeps."""


class DiceNode(NamedTuple):
    """`4d6kh3`: how many, of what, and what is done to them."""

    span: Span
    number: Node | None
    sides: Node | None
    """None for Fate dice, coins and dice with faces of their own."""
    faces: tuple[Node, ...]
    modifiers: tuple[Modifier, ...]
    digits: str = ""
    """The sides of dice that are read as the digits of one number: "66"."""


class GroupNode(NamedTuple):
    """`{2d6, 1d10}kh1`: several results, treated like dice."""

    span: Span
    parts: tuple[Node, ...]
    modifiers: tuple[Modifier, ...]


class ChainNode(NamedTuple):
    """Operations of one rank from left to right: `a + b - c`, or `a * b // c`."""

    span: Span
    first: Node
    rest: tuple[tuple[str, Node], ...]


class PowerNode(NamedTuple):
    """`a ** b`."""

    span: Span
    base: Node
    exponent: Node


class FunctionNode(NamedTuple):
    """`floor(a)`, `max(a, b)`."""

    span: Span
    name: str
    arguments: tuple[Node, ...]


class ChoiceNode(NamedTuple):
    """`if(a >= b, c, d)`: one part or the other, by how two others compare."""

    span: Span
    left: Node
    compare: str
    right: Node
    then: Node
    otherwise: Node


class LabelNode(NamedTuple):
    """A part with a word for it: `2d6[fire]`."""

    span: Span
    part: Node
    label: str


class VersusNode(NamedTuple):
    """`1d20+5 vs 15`: how well it goes against a target."""

    span: Span
    part: Node
    target: Node
    natural: str = ""
    """Effect of a natural 20 and a natural 1: "" nothing, "nat" a step, "auto" all."""


class RollNode(NamedTuple):
    """One of the rolls of a line, made `times` times."""

    span: Span
    times: int
    part: Node | VersusNode


class Expression(NamedTuple):
    """Everything written: one roll or several, and a comment."""

    text: str
    rolls: tuple[RollNode, ...]
    comment: str


TWENTY = 20


def terms_of(part: Node) -> list[DiceNode]:
    """The dice that are added or taken away in a part."""
    if isinstance(part, DiceNode):
        return [part]
    if isinstance(part, LabelNode):
        return terms_of(part.part)
    if isinstance(part, ChainNode) and part.rest[0][0] in "+-":
        return [one for term in (part.first, *[t for _, t in part.rest]) for one in terms_of(term)]
    return []


def is_twenty(dice: DiceNode) -> bool:
    """Whether these are dice with twenty sides."""
    return isinstance(dice.sides, NumberNode) and dice.sides.value == TWENTY


def is_single(dice: DiceNode) -> bool:
    """Whether this is one die that is not thrown twice already."""
    number = dice.number
    one = number is None or (isinstance(number, NumberNode) and number.value == 1)
    return one and not any(m.name in ("adv", "dis") for m in dice.modifiers)
