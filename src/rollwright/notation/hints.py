"""Ambiguous lines: how they were read, and the other reading to type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from rollwright.i18n.messages import msg
from rollwright.notation.dice import meets
from rollwright.notation.modifiers import PICKS, PURELY_COUNTED
from rollwright.notation.pool_modifiers import PoolModifiers
from rollwright.notation.programs import problem_in
from rollwright.notation.tree import (
    ChainNode,
    ChoiceNode,
    DiceNode,
    FunctionNode,
    GroupNode,
    LabelNode,
    NumberNode,
    PowerNode,
    VersusNode,
    is_single,
    is_twenty,
    terms_of,
)

if TYPE_CHECKING:
    from rollwright.i18n.messages import Message
    from rollwright.jsonable import Json
    from rollwright.notation.errors import Span
    from rollwright.notation.tree import Expression, Modifier, Node, RollNode

LONGEST = 500
"""Longer lines are written by programs, which mean what they write."""
MOST = 5
MOST_TIMES = 1_000
DIGIT_DICE = frozenset(digit * size for digit in "468" for size in (2, 3))


class Hint(NamedTuple):
    """Something that may have been meant otherwise.

    >>> from rollwright.notation import roll
    >>> print(roll("6#4d6kh3").hints[0])
    everything behind # is a comment, so this is just 6; to roll it 6 times, write 6x 4d6kh3
    """

    code: str
    """A short name that stays the same from version to version."""
    span: Span
    read: str
    """The part of the line that can be read in two ways."""
    other: str
    """The whole line as the other reading is written."""
    detail: str = ""
    """The extra detail for its sentence."""

    @property
    def wording(self) -> Message:
        """The reading, and how to write the other one."""
        return msg(
            f"notation.remark.{self.code}", read=self.read, other=self.other, detail=self.detail
        )

    def to_json(self) -> dict[str, Json]:
        """The remark as what JSON can hold."""
        return {
            "code": self.code,
            "span": list(self.span),
            "said": str(self.wording),
            "other": self.other,
        }

    def __str__(self) -> str:
        return str(self.wording)


def hints_for(line: Expression) -> tuple[Hint, ...]:
    """Return other likely meanings of a line; every one of them can be rolled."""
    if len(line.text) > LONGEST:
        return ()
    found = [*_of_comment(line)]
    for throws in line.rolls:
        found += _of_roll(line.text, throws)
    sound = [one for one in found[: 2 * MOST] if problem_in(one.other) is None]
    return tuple(dict.fromkeys(sound))[:MOST]


def _of_comment(line: Expression) -> Iterator[Hint]:
    """`6#4d6kh3`: a number, and dice in the comment."""
    throws = line.rolls[0]
    part = throws.part
    if len(line.rolls) > 1 or not line.comment or not isinstance(part, NumberNode):
        return
    if type(part.value) is not int or not 1 <= part.value <= MOST_TIMES or throws.times > 1:
        return
    if "d" in line.comment.lower() or "w" in line.comment.lower():
        other = f"{part.value}x {line.comment}"
        yield Hint("comment", throws.span, str(part.value), other)


def _of_roll(text: str, throws: RollNode) -> Iterator[Hint]:
    whole = throws.part
    if isinstance(whole, VersusNode):
        yield from _of_two_sides(text, whole)
        whole = whole.part
    for dice in _dice(throws.part):
        yield from _of_digits(text, dice)
        yield from _of_successes(text, dice)
        yield from _of_unequal(text, dice)
        yield from _of_picks(text, dice)
        yield from _of_advantage(text, dice, whole)


def _dice(node: Node | VersusNode) -> Iterator[DiceNode]:
    """All dice of a roll, from left to right."""
    waiting: list[Node | VersusNode] = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, DiceNode):
            yield one
        waiting += reversed(_inside(one))


def _inside(node: Node | VersusNode) -> list[Node]:
    """The parts that a part is made of."""
    match node:
        case ChainNode():
            return [node.first, *[part for _, part in node.rest]]
        case GroupNode():
            return list(node.parts)
        case FunctionNode():
            return list(node.arguments)
        case PowerNode():
            return [node.base, node.exponent]
        case LabelNode():
            return [node.part]
        case ChoiceNode():
            return [node.left, node.right, node.then, node.otherwise]
        case VersusNode():
            return [node.part, node.target]
        case DiceNode():
            return [one for one in (node.number, node.sides) if one is not None]
        case _:
            return []


def _of_two_sides(text: str, versus: VersusNode) -> Iterator[Hint]:
    """`3d6 vs 2d8`: degrees, which games with a d20 have, or just who is higher."""
    mine, theirs = [*_dice(versus.part)], [*_dice(versus.target)]
    counted = [m for dice in mine + theirs for m in dice.modifiers if m.name == "success"]
    if not theirs or counted or any(map(is_twenty, mine)):
        return
    (first, end), (start, last) = versus.part.span, versus.target.span
    other = f"{text[:first]}if({text[first:end]} >= {text[start:last]}, 1, 0){text[last:]}"
    yield Hint("sides", (first, last), text[first:last], other)


def _of_digits(text: str, dice: DiceNode) -> Iterator[Hint]:
    """`d66`: a die with 66 sides, or one for each digit."""
    if not isinstance(dice.sides, NumberNode) or str(dice.sides.value) not in DIGIT_DICE:
        return
    start, end = dice.sides.span
    letter = len(text[:start].rstrip()) - 1
    if text[letter : letter + 1] in tuple("dDwW"):
        other = f"{text[:letter]}dd{text[start:]}"
        yield Hint("digits", (letter, end), text[letter:end], other, str(dice.sides.value))


def _of_successes(text: str, dice: DiceNode) -> Iterator[Hint]:
    """`3d6>10`: dice are counted one by one, and none of them can pass."""
    counted = [one for one in dice.modifiers if one.name == "success"]
    number, faces = _number(dice), _faces(dice)
    if number < 2 or not faces or len(counted) != 1 or dice.modifiers[-1] is not counted[0]:
        return
    one = counted[0]
    if one.compare not in PURELY_COUNTED or not isinstance(one.amount, NumberNode):
        return
    passing = {meets(((one.compare, one.amount.value),), face) for face in faces}
    if len(passing) > 1 or any(m.name in ("min", "max") for m in dice.modifiers):
        return
    start, end = dice.span
    if True in passing and len(dice.modifiers) > 1:
        return
    here = one.span[0]
    other = f"{text[:start]}{{{text[start:here].rstrip()}}}{text[here:]}"
    always = str(number) if True in passing else "0"
    yield Hint("successes", dice.span, text[start:end], other, always)


def _of_unequal(text: str, dice: DiceNode) -> Iterator[Hint]:
    """`1d20 != 1`: an explosion on 1, or what is not 1."""
    faces = _faces(dice)
    for one in dice.modifiers:
        start, end = one.span
        amount = one.amount
        if (
            text[start : start + 1] != "!"
            or one.compare != "="
            or not isinstance(amount, NumberNode)
        ):
            continue
        if one.name == "!" and faces and amount.value != max(faces):
            other = f"{text[:start].rstrip()}<>{text[amount.span[0] :]}"
            read = " ".join(text[dice.span[0] : end].split())
            yield Hint("unequal", (start, end), read, other, str(amount.value))


def _of_picks(text: str, dice: DiceNode) -> Iterator[Hint]:
    """`4d6kh3dl1`: one after the other, or each of all dice."""
    said = [one for one in dice.modifiers if one.name in PICKS]
    number = _number(dice)
    if not said or not number or any(not isinstance(m.amount, NumberNode | None) for m in said):
        return
    picks = [(one.name, 1 if one.amount is None else int(one.amount.value)) for one in said]  # type: ignore[union-attr]
    start, end = said[0].span[0], said[-1].span[1]
    if len(said) > 1 and not any(one.joined for one in said):
        kept = PoolModifiers(picks=tuple([(pick,) for pick in picks])).keep(range(number))
        other = _each_of_all(picks, number)
        if other != set(kept):
            line = text[:start].rstrip() + _modifiers_for(picks, other, number) + text[end:]
            yield Hint("picks", (start, end), text[start:end], line)


def _each_of_all(picks: list[tuple[str, int]], number: int) -> set[int]:
    """Which dice are kept, from the lowest up, where each looks at all of them."""
    every = range(number)
    ends = {pick: set(PoolModifiers(picks=((pick,),)).keep(every)) for pick in picks}
    keeping = [kept for (name, _), kept in ends.items() if name[0] == "k"]
    kept = set().union(*keeping) if keeping else set(every)
    for (name, _), left in ends.items():
        if name[0] == "d":
            kept &= left
    return kept


def _modifiers_for(picks: list[tuple[str, int]], kept: set[int], number: int) -> str:
    """Return the modifiers that keep just these of so many dice."""
    if len(kept) == number:
        return ""
    if not kept:
        return "kh0"
    low, high = min(kept), number - 1 - max(kept)
    if len(kept) < number - low - high:  # both ends of the dice, and not what is between them
        above = next(n for n in range(number) if number - 1 - n not in kept)
        return f"kh{above}&kl{len(kept) - above}"
    if all(name[0] == "d" for name, _ in picks):
        return (f"dl{low}" if low else "") + (f"dh{high}" if high else "")
    if not high:
        return f"kh{len(kept)}"
    return f"kl{len(kept)}" if not low else f"dl{low}dh{high}"


def _of_advantage(text: str, dice: DiceNode, whole: Node) -> Iterator[Hint]:
    """`1d20+1d4 adv`: of the die before it, or of the d20; `2d6+1d8 drop lowest` likewise."""
    terms = terms_of(whole)
    if len(terms) < 2 or dice not in terms:
        return
    for one in dice.modifiers:
        start, end = one.span
        if start < dice.span[0] or end > dice.span[1]:
            continue
        if one.name in ("adv", "dis") and not is_twenty(dice):
            for d20 in terms:
                if is_twenty(d20) and is_single(d20) and d20.span[1] < start:
                    line = text[: d20.span[1]] + one.name + text[d20.span[1] : start].rstrip()
                    yield Hint("advantage", one.span, text[start:end], line + text[end:])
        elif one.name in PICKS and _leaves_none(dice, one):
            first, last = whole.span
            line = f"{text[:first]}{{{text[first:start].rstrip()}}}{text[start:end]}"
            if end == last:
                yield Hint("dropped", one.span, text[start:end], line + text[last:])


def _leaves_none(dice: DiceNode, one: Modifier) -> bool:
    """Whether all dice are dropped by something that does not say how many."""
    return one.amount is None and one.name[0] == "d" and _number(dice) == 1


def _number(dice: DiceNode) -> int:
    """How many dice these are; 0 where that is not fixed."""
    if dice.number is None:
        return 1
    fixed = isinstance(dice.number, NumberNode) and type(dice.number.value) is int
    return int(dice.number.value) if fixed and 0 < dice.number.value <= 1_000 else 0  # type: ignore[union-attr]


def _faces(dice: DiceNode) -> range | None:
    """The faces of dice from 1 up to a fixed number; None for others."""
    sides = dice.sides
    if not isinstance(sides, NumberNode) or type(sides.value) is not int:
        return None
    return range(1, sides.value + 1) if 0 < sides.value <= 1_000 else None
