"""What can be done to dice: how each is spelled, in which order it happens, and the known traps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollwright.notation.errors import NotationError
from rollwright.notation.tree import Modifier, Number

if TYPE_CHECKING:
    from rollwright.notation.parser import Parser
    from rollwright.notation.tree import Node

COMPARISONS = frozenset(["=", "<", "<=", ">", ">="])
MOST_MODIFIERS = 16

NAMES = {
    "k": "kh", "kh": "kh", "kl": "kl", "dh": "dh", "dl": "dl", "ph": "dh", "pl": "dl",
    "ro": "ro", "rr": "rr", "!": "!", "!!": "!!", "x": "!", "xo": "xo", "e": "!",
    "min": "min", "mi": "min", "max": "max", "ma": "max", "t": "success", "f": "f",
    "cs": "cs", "cf": "cf", "sa": "sa", "sd": "sd", "adv": "adv", "dis": "dis",
}  # fmt: skip
"""Every spelling with the one it is kept by."""

STAGES = {
    "ro": 1, "rr": 1, "!": 2, "!!": 2, "!p": 2, "xo": 2, "min": 3, "max": 3,
    "kh": 4, "kl": 4, "dh": 4, "dl": 4, "success": 5, "f": 5,
}  # fmt: skip
"""The order in which things happen to dice; marks and sorting have no place in it."""

PICKS = frozenset(["kh", "kl", "dh", "dl"])
EXPLOSIONS = frozenset(["!", "!!", "!p", "xo"])
OPENERS = frozenset(NAMES) | COMPARISONS | {"r", "d", "df", "p"}
"""The tokens that may begin a modifier, or a trap that looks like one."""


def modifier(parser: Parser, before: int) -> Modifier:
    """The modifier that stands here; `before` is where the dice begin."""
    kind, _, start, end = parser.token
    if kind in COMPARISONS:
        compare, amount = _comparison(parser, "success")
        return Modifier((start, parser.last_end), "success", compare, amount)
    name = NAMES.get(kind)
    if name is None:
        raise _trap(parser, kind, before, start, end)
    parser.advance()
    if name == "!" and kind == "!" and parser.token[0] == "p" and parser.token[2] == end:
        parser.advance()
        name = "!p"
    compare, said = _argument(parser, kind, name, start)
    return Modifier((start, parser.last_end), name, compare, said)


def _argument(parser: Parser, kind: str, name: str, start: int) -> tuple[str, Node | None]:
    if name in PICKS:
        return "", parser.amount()
    if name in ("sa", "sd", "adv", "dis"):
        return "", None
    if name in ("min", "max"):
        return "", parser.amount() or _missing(parser, start, "2")
    if parser.token[0] in COMPARISONS:
        return _comparison(parser, name)
    amount = parser.amount()
    if kind == "t":
        return ">=", amount or _missing(parser, start, "8")
    if amount is not None and name in EXPLOSIONS and kind != "e":
        raise _ambiguous_explosion(parser, start, amount)
    if amount is None and (kind in ("e", "f") or name in ("ro", "rr")):
        _missing(parser, start, "=1")
    return ("" if amount is None else "="), amount


def _comparison(parser: Parser, name: str) -> tuple[str, Node]:
    _, compare, start, end = parser.token
    parser.advance()
    negative = parser.token[0] == "-"
    if negative:
        parser.advance()
    amount = parser.amount()
    if amount is None:
        text = parser.text
        raise NotationError(
            "missing-number", text, (start, end), "a number must follow this comparison",
            text[:end] + "1" + text[end:], text[:start] + text[end:],
        )  # fmt: skip
    if negative and isinstance(amount, Number):
        amount = Number(amount.span, -amount.value)
    elif negative:
        amount = parser.negated(amount, start)
    return compare, amount


def _missing(parser: Parser, start: int, usual: str) -> Node:
    text, end = parser.text, parser.last_end
    raise NotationError(
        "missing-number",
        text,
        (start, end),
        "this needs to know which faces, or how much",
        text[:end] + usual + text[end:],
    )


def _ambiguous_explosion(parser: Parser, start: int, amount: Node) -> NotationError:
    text, (first, last) = parser.text, amount.span
    sentence = "some tools explode on exactly this face here, others on this face or higher"
    repairs = [text[:first] + compare + text[first:] for compare in ("=", ">=")]
    return NotationError("ambiguous-explosion", text, (start, last), sentence, *repairs)


def _trap(parser: Parser, kind: str, before: int, start: int, end: int) -> NotationError:
    text = parser.text
    if kind == "r":
        sentence = "some tools re-roll once here (ro), others until it passes (rr)"
        code, readings = "ambiguous-reroll", ("ro", "rr")
    elif kind == "p":
        sentence = "what is dropped, the lowest (dl) or the highest (dh)?"
        code, readings = "ambiguous-drop", ("dl", "dh")
    else:
        sentence = "some tools drop the lowest here (dl), others throw that many dice again"
        dice = text[before:start].strip()
        again = f"{text[:before]}({dice}){text[start:]}"
        return NotationError(
            "ambiguous-drop", text, (start, end), sentence,
            text[:start] + "dl" + text[end:], again,
        )  # fmt: skip
    parser.advance()
    said = parser.token[0] in COMPARISONS or parser.token[0] in ("number", "variable", "(")
    usual = "" if said else "1"
    repairs = [text[:start] + reading + usual + text[end:] for reading in readings]
    return NotationError(code, text, (start, end), sentence, *repairs)


def check_order(text: str, modifiers: list[Modifier], sides: Node | None) -> None:
    """Refuse modifiers written twice, or in another order than that in which they happen."""
    reached = 0
    seen: set[str] = set()
    for one in modifiers:
        kind = "explosion" if one.name in EXPLOSIONS else one.name
        if kind in seen and kind not in PICKS:
            start, end = one.span
            raise NotationError(
                "twice", text, one.span, "this is said twice of the same dice",
                text[:start] + text[end:],
            )  # fmt: skip
        seen.add(kind)
        stage = STAGES.get(one.name, reached)
        if stage < reached:
            raise _out_of_order(text, modifiers, one, sides)
        reached = stage


def check_number(text: str, modifiers: list[Modifier]) -> None:
    """Refuse dice to which too much is done."""
    if len(modifiers) > MOST_MODIFIERS:
        raise NotationError(
            "too-many-modifiers", text, modifiers[-1].span,
            f"dice have at most {MOST_MODIFIERS} modifiers",
            text[: modifiers[-1].span[0]],
        )  # fmt: skip


def _out_of_order(
    text: str, modifiers: list[Modifier], wrong: Modifier, sides: Node | None
) -> NotationError:
    start, end = modifiers[0].span[0], modifiers[-1].span[1]
    pieces = []
    for one in sorted(modifiers, key=lambda one: STAGES.get(one.name, 9)):
        piece = text[one.span[0] : one.span[1]]
        if one.name in EXPLOSIONS and one.amount is None and isinstance(sides, Number):
            piece += f"={sides.value}"
        pieces.append(piece)
    known = all(one.amount or one.name not in EXPLOSIONS for one in modifiers)
    fits = known or isinstance(sides, Number)
    return NotationError(
        "order",
        text,
        wrong.span,
        "dice are first re-rolled, then explode, are raised or lowered, kept or dropped, and then "
        "counted: write it in this order",
        *([text[:start] + "".join(pieces) + text[end:]] if fits else []),
    )
