"""What people say in words: advantage at the end of a roll, keep highest, best of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollwright.notation.errors import NotationError
from rollwright.notation.tree import Chain, Dice, Labelled, Modifier, Number

if TYPE_CHECKING:
    from rollwright.notation.parser import Parser
    from rollwright.notation.tree import Node

HIGH = {"highest": True, "best": True, "lowest": False, "worst": False}
"""Words for one end of the dice, with whether it is the upper one."""
TWENTY = 20


def with_advantage(parser: Parser, part: Node, start: int) -> Node:
    """A roll with the advantage that is said behind it: of its d20, or of its only die."""
    kind, _, here, end = parser.token
    if kind not in ("adv", "dis"):
        return part
    dice = [one for one in terms_of(part) if is_single(one)]
    meant = [one for one in dice if is_twenty(one)] or dice
    if len(meant) != 1:
        text = parser.text
        repairs = [
            text[: one.span[1]] + kind + text[one.span[1] : here].rstrip() + text[end:]
            for one in meant or terms_of(part)
        ]
        raise NotationError(
            "not-one-die", text, (here, end), "which single die is thrown twice?", *repairs
        )
    parser.advance()
    said = Modifier((here, end), kind, "", None)
    return _changed(part, meant[0], said)._replace(span=(start, end))


def terms_of(part: Node) -> list[Dice]:
    """The dice that are added or taken away in a part."""
    if isinstance(part, Dice):
        return [part]
    if isinstance(part, Labelled):
        return terms_of(part.part)
    if isinstance(part, Chain) and part.rest[0][0] in "+-":
        return [one for term in (part.first, *[t for _, t in part.rest]) for one in terms_of(term)]
    return []


def is_twenty(dice: Dice) -> bool:
    """Whether these are dice with twenty sides."""
    return isinstance(dice.sides, Number) and dice.sides.value == TWENTY


def is_single(dice: Dice) -> bool:
    """Whether this is one die that is not thrown twice already."""
    number = dice.number
    one = number is None or (isinstance(number, Number) and number.value == 1)
    return one and not any(m.name in ("adv", "dis") for m in dice.modifiers)


def _changed(part: Node, dice: Dice, said: Modifier) -> Node:
    """The part with something more said of one of its dice."""
    if part is dice:
        return dice._replace(modifiers=(*dice.modifiers, said))
    if isinstance(part, Labelled):
        return part._replace(part=_changed(part.part, dice, said))
    if isinstance(part, Chain):
        rest = tuple([(sign, _changed(term, dice, said)) for sign, term in part.rest])
        return part._replace(first=_changed(part.first, dice, said), rest=rest)
    return part


def best_of(parser: Parser) -> Modifier | None:
    """`best of`, `best 3 of` or `lowest of` before dice, as what it keeps of them."""
    kind, _, start, _ = parser.token
    if kind not in HIGH:
        return None
    parser.advance()
    number = _fixed(parser)
    if parser.token[0] != "of":
        text, end = parser.text, parser.last_end
        raise NotationError(
            "unexpected", text, (start, end), f"of which dice the {kind}?",
            text[:end] + " of" + text[end:], text[:end] + " of 4d6" + text[end:],
            text[:start] + text[end:],
        )  # fmt: skip
    end = parser.advance()[3]
    if parser.token[0] == "the":
        parser.advance()
    return Modifier((start, end), "kh" if HIGH[kind] else "kl", "", number)


def _fixed(parser: Parser) -> Node | None:
    """A number or a variable, if one stands here."""
    return parser.amount() if parser.token[0] in ("number", "variable") else None


def keeping(parser: Parser, kind: str) -> tuple[str, Node | None] | None:
    """What `keep` or `drop` is followed by in words: the name of it and how many.

    None where it says neither the highest nor the lowest.
    """
    if parser.token[0] == "the":
        parser.advance()
    number = _fixed(parser)
    end = parser.token[0]
    if end not in HIGH:
        return ("kh", number) if kind == "keep" and number is not None else None
    parser.advance()
    if number is None:
        number = parser.amount()
    return ("k" if kind == "keep" else "d") + ("h" if HIGH[end] else "l"), number
