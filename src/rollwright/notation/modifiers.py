"""The modifiers of dice: their spelling, their order, and the known traps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollwright.notation.errors import NotationError
from rollwright.notation.tree import (
    ChainNode,
    DiceNode,
    GroupNode,
    LabelNode,
    Modifier,
    NumberNode,
    is_single,
    is_twenty,
    new,
    terms_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rollwright.notation.errors import Span
    from rollwright.notation.parser import Parser
    from rollwright.notation.tree import Node

COMPARISONS = frozenset(["=", "<>", "<", "<=", ">", ">="])
PURELY_COUNTED = COMPARISONS - {"="}
"""Comparisons that may be meant of a sum: a plain = is hardly ever."""
OPPOSITES = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MOST_MODIFIERS = 16

NAMES = {
    "k": "kh", "kh": "kh", "kl": "kl", "dh": "dh", "dl": "dl", "ph": "dh", "pl": "dl",
    "ro": "ro", "rr": "rr", "!": "!", "!!": "!!", "x": "!", "xo": "xo", "e": "!", "ra": "ra",
    "min": "min", "mi": "min", "max": "max", "ma": "max", "t": "success", "f": "f", "sf": "sf",
    "cs": "cs", "cf": "cf", "sa": "sa", "sd": "sd", "adv": "adv", "dis": "dis", "u": "u",
    "even": "success", "odd": "success",
}  # fmt: skip
"""Every spelling with the one it is kept by."""

STAGES = {
    "ro": 1, "rr": 1, "u": 1, "!": 2, "!!": 2, "!p": 2, "!!p": 2, "xo": 2, "ra": 2, "min": 3,
    "max": 3, "kh": 4, "kl": 4, "dh": 4, "dl": 4, "k": 4, "success": 5, "f": 5, "sf": 5,
}  # fmt: skip
"""The order in which things happen to dice; marks and sorting have no place in it."""

PICKS = frozenset(["kh", "kl", "dh", "dl"])
EXPLOSIONS = frozenset(["!", "!!", "!p", "!!p", "xo", "ra"])
PENALTIES = {"!": "!p", "!!": "!!p"}
SEVERAL = frozenset(["ro", "rr", "!", "!!", "!p", "!!p", "xo", "ra", "cs", "cf", "f", "sf"])
"""Modifiers that may name several faces, one after the other: any of them is meant."""
ENOUGH = frozenset(["!", "!!", "x", "xo", "cs", "cf"])
"""Words that say enough without a number: the highest face, or the lowest."""
MORE = COMPARISONS | {"number", "variable", "(", "[[", "p"}
"""Tokens that may follow a word and belong to it."""
OPENERS = frozenset(NAMES) | COMPARISONS | {"r", "d", "df", "dc", "dd", "p", "keep", "drop", "&"}
"""The tokens that may begin a modifier, or a trap that looks like one."""
THROWN = frozenset(["d", "df", "dc", "dd", "dice"])
"""The tokens of dice that follow a number, or come alone."""


HIGH = {"highest": True, "best": True, "lowest": False, "worst": False}
"""Words for one end of the dice, with whether it is the upper one."""


def modifier(parser: Parser, before: int) -> Modifier:
    """Return the modifier at this place; `before` is where the dice begin."""
    kind, _, start, end = parser.token
    name = NAMES.get(kind)
    if name is None:
        return _nameless(parser, before)
    parser.advance()
    if kind in ENOUGH and parser.token[0] not in MORE:
        return new(Modifier, ((start, end), name, "", None, False))
    if kind == "k" and parser.token[0] in COMPARISONS:
        return _filter(parser, "keep", start)
    if kind in PENALTIES and parser.token[0] == "p" and parser.token[2] == end:
        parser.advance()
        name = PENALTIES[kind]
    compare, said = _argument(parser, kind, name, start)
    return new(Modifier, ((start, parser.last_end), name, compare, said, False))


def _nameless(parser: Parser, before: int) -> Modifier:
    """A comparison, what is joined to another, or what is said in words."""
    kind, _, start, end = parser.token
    if kind in COMPARISONS:
        compare, amount = _comparison(parser, "success")
        return Modifier((start, parser.last_end), "success", compare, amount)
    if kind == "&":
        return _join(parser, start, end)
    if kind in ("keep", "drop"):
        return _in_words(parser, kind, start, end)
    if kind == "p" and parser.following() in COMPARISONS:
        parser.advance()
        return _filter(parser, "drop", start)
    raise _trap(parser, kind, before, start, end)


def _join(parser: Parser, start: int, end: int) -> Modifier:
    """`&kl1` behind `kh1`: what is kept by either."""
    parser.advance()
    if NAMES.get(parser.token[0]) not in ("kh", "kl"):
        raise _empty_join_error(parser.text, (start, end))
    name = NAMES[parser.advance()[0]]
    amount = parser.amount()
    return Modifier((start, parser.last_end), name, "", amount, joined=True)


def _empty_join_error(text: str, span: Span) -> NotationError:
    start, end = span
    return NotationError(
        "unexpected", text, span, "& joins what is kept: kh1&kl1",
        text[:start] + "kh1" + text[start:], text[:start] + text[start + 1 :],
        text[:start] + text[end:],
    )  # fmt: skip


def _in_words(parser: Parser, kind: str, start: int, end: int) -> Modifier:
    """`keep highest 3`, `drop the lowest`, `keep >3`."""
    parser.advance()
    if parser.token[0] in COMPARISONS:
        return _filter(parser, kind, start)
    found = _keep_in_words(parser, kind)
    if found is None:
        text, last = parser.text, parser.last_end
        sentence = f"{kind} the highest or the lowest?"
        ends = ("lowest", "highest") if kind == "drop" else ("highest", "lowest")
        repairs = [f"{text[:end]} {which}{text[end:]}" for which in ends]
        raise NotationError("ambiguous-drop", text, (start, last), sentence, *repairs)
    name, number = found
    return Modifier((start, parser.last_end), name, "", number)


def _keep_in_words(parser: Parser, kind: str) -> tuple[str, Node | None] | None:
    """Return the name and the number of `keep` or `drop` in words.

    None if it says neither the highest nor the lowest.
    """
    if parser.token[0] == "the":
        parser.advance()
    number = _find_amount(parser)
    end = parser.token[0]
    if end not in HIGH:
        return ("kh", number) if kind == "keep" and number is not None else None
    parser.advance()
    if number is None:
        number = parser.amount()
    return ("k" if kind == "keep" else "d") + ("h" if HIGH[end] else "l"), number


def _find_amount(parser: Parser) -> Node | None:
    """Return a number or a variable, if the next token is one."""
    return parser.amount() if parser.token[0] in ("number", "variable") else None


def _filter(parser: Parser, kind: str, start: int) -> Modifier:
    """`k>3` keeps dice by their faces, `p<3` drops them."""
    compare, amount = _comparison(parser, "k")
    compare = compare if kind == "keep" else OPPOSITES[compare]
    return Modifier((start, parser.last_end), "k", compare, amount)


def _argument(parser: Parser, kind: str, name: str, start: int) -> tuple[str, Node | None]:
    if name in PICKS:
        return "", parser.amount()
    if kind in ("even", "odd"):
        return kind, NumberNode((start, parser.last_end), 0)
    if name in ("sa", "sd", "adv", "dis", "u"):
        return "", None
    if name in ("min", "max"):
        return "", parser.amount() or missing(parser, start, "2")
    if parser.token[0] in COMPARISONS:
        return _comparison(parser, name)
    amount = parser.amount()
    if amount is None and kind in ENOUGH:
        return "", None
    if kind == "t":
        return ">=", amount or missing(parser, start, "8")
    if amount is not None and name in EXPLOSIONS and kind not in ("e", "ra"):
        raise _ambiguous_explosion(parser, start, amount)
    return "=", amount or missing(parser, start, "=1")


def _comparison(parser: Parser, name: str) -> tuple[str, Node]:
    _, compare, start, end = parser.token
    parser.advance()
    negative = parser.token[0] == "-"
    if negative:
        parser.advance()
    amount = parser.amount()
    if name == "success" and parser.token[0] in THROWN:
        raise _thrown_mark(parser, (start, end))
    if amount is None:
        text = parser.text
        raise NotationError(
            "missing-number", text, (start, end), "a number must follow this comparison",
            text[:end] + "1" + text[end:], text[:start] + text[end:],
        )  # fmt: skip
    if negative and isinstance(amount, NumberNode):
        amount = NumberNode(amount.span, -amount.value)
    elif negative:
        amount = parser.negate(amount, start)
    return compare, amount


def missing(parser: Parser, start: int, usual: str) -> Node:
    """Refuse what needs a number and has none."""
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
    before = text[:start].rstrip()
    if text[start : start + 1] in ("x", "X") and before != text[:start] and not text[last:].strip():
        repairs.append(f"{text[first:last]}x {before}")  # 4d6 x3: so many times
    return NotationError("ambiguous-explosion", text, (start, last), sentence, *repairs)


def _thrown_mark(parser: Parser, compare: Span) -> NotationError:
    """`3d6 > 2d8`: two sums compared, or each of the dice with a sum, or degrees."""
    text, (start, end) = parser.text, compare
    _, last = _around(parser, start)
    right = text[end:last].strip()
    repairs = [as_condition(parser, compare), f"{text[: last - len(right)]}({right}){text[last:]}"]
    if text[start] == ">":
        repairs.append(f"{text[:start].rstrip()} vs {right}{text[last:]}")
    sentence = (
        "dice are compared one by one with a number, and this is thrown: sums are compared by if, "
        "and a thrown number stands in brackets"
    )
    return NotationError("ambiguous-comparison", text, compare, sentence, *repairs)


def as_condition(parser: Parser, compare: Span) -> str:
    """The text with two sums compared: 1 where that holds, or else 0."""
    text, (start, end) = parser.text, compare
    first, last = _around(parser, start)
    left, sign, right = text[first:start].rstrip(), text[start:end], text[end:last].strip()
    return f"{text[:first]}if({left} {sign} {right}, 1, 0){text[last:]}"


def _around(parser: Parser, place: int) -> Span:
    """Return the start and the end of the roll around a place, or of the innermost bracket."""
    open_, begins, first, last = 0, [True], [0], 0
    for kind, _, start, end in parser.tokens:
        if start > place and not open_ and (kind in _CLOSING or kind in ("end", ";")):
            break
        if begins[-1]:
            first[-1], begins[-1] = start, False
        if start > place:
            open_ += (kind in _OPENING) - (kind in _CLOSING)
        elif kind in _OPENING:
            first.append(start)
            begins.append(True)
        elif kind in _CLOSING and len(first) > 1:
            first.pop()
            begins.pop()
        elif kind == ";" or (kind == "x" and len(first) == 1):
            begins[-1] = True
        last = end
    return first[-1], last


_OPENING, _CLOSING = ("(", "{", "[["), (")", "}", "]]")


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
    repairs = [_respell(parser, kind, reading) for reading in readings]
    return NotationError(code, text, (start, end), sentence, *repairs)


def _respell(parser: Parser, kind: str, reading: str) -> str:
    """The text with every such word in another spelling, and a number where there is none."""
    pieces, last = [], 0
    for (one, _, start, end), (following, _, _, _) in zip(parser.tokens, parser.tokens[1:]):
        if one == kind:
            said = following in COMPARISONS or following in ("number", "variable", "(", "[[")
            pieces += [parser.text[last:start], reading, "" if said else "1"]
            last = end
    return "".join([*pieces, parser.text[last:]])


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
    return _add_modifier(part, meant[0], said)._replace(span=(start, end))


def _add_modifier(part: Node, dice: DiceNode, said: Modifier) -> Node:
    """The part with something more said of one of its dice."""
    if part is dice:
        return dice._replace(modifiers=(*dice.modifiers, said))
    if isinstance(part, LabelNode):
        return part._replace(part=_add_modifier(part.part, dice, said))
    if isinstance(part, ChainNode):
        rest = tuple([(sign, _add_modifier(term, dice, said)) for sign, term in part.rest])
        return part._replace(first=_add_modifier(part.first, dice, said), rest=rest)
    return part


def best_of(parser: Parser) -> Modifier | None:
    """`best of`, `best 3 of` or `lowest of` before dice, as what it keeps of them."""
    kind, _, start, _ = parser.token
    if kind not in HIGH:
        return None
    parser.advance()
    number = _find_amount(parser)
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


def insert_best(
    parser: Parser, part: Node, best: Modifier, found: list[Modifier]
) -> list[Modifier]:
    """Return the modifiers of dice, with the one of `best of` at its place in the order."""
    if not isinstance(part, (DiceNode, GroupNode)):
        raise NotationError(
            "not-dice", parser.text, best.span, "the best of several dice or results is kept",
            parser.text[best.span[1] :].lstrip(), parser.text[: best.span[1]] + " 4d6",
        )  # fmt: skip
    place = 0
    for after, one in enumerate(found, start=1):
        if STAGES.get(one.name, 0) < STAGES["kh"] or one.name in PICKS:
            place = after
    return [*found[:place], best, *found[place:]]


def check_order(text: str, modifiers: Sequence[Modifier], sides: Node | None) -> None:
    """Refuse modifiers written twice, or in another order than that in which they happen."""
    if len(modifiers) == 1 and not modifiers[0].joined:
        return
    reached = 0
    seen: dict[str, Modifier] = {}
    for place, one in enumerate(modifiers):
        if one.joined and (not place or modifiers[place - 1].name not in PICKS):
            raise _empty_join_error(text, one.span)
        kind = SAID_ONCE.get(one.name, one.name)
        before = seen.get(kind)
        if before is not None and not _adds_to(one, before):
            start, end = one.span
            first = before.span[0]
            between = [f"{text[:first]}k{text[first:]}"] if one.name == "success" else []
            raise NotationError(
                "twice", text, one.span, "this is said twice of the same dice",
                *between, text[:start] + text[end:],
            )  # fmt: skip
        seen[kind] = one
        stage = STAGES.get(one.name, reached)
        if stage < reached:
            raise _out_of_order(text, modifiers, one, sides)
        reached = stage


SAID_ONCE = {**dict.fromkeys(EXPLOSIONS, "explosion"), "rr": "ro", "u": "ro", "dis": "adv"}
UPWARD, DOWNWARD = frozenset([">", ">="]), frozenset(["<", "<="])


def _adds_to(one: Modifier, before: Modifier) -> bool:
    """Whether something may be said of dice after another thing of its kind.

    Faces are named one by one: `ro1ro3`. Successes add up, `t7t10`, but for what may be meant as
    from here to there: `>=3<=5`.
    """
    if one.name in PICKS:
        return True
    if one.name == "success":
        ways = {one.compare, before.compare}
        return not (ways & UPWARD and ways & DOWNWARD)
    return (
        one.name == before.name and one.name in SEVERAL and None not in (one.amount, before.amount)
    )


def too_many(text: str, last: Modifier) -> NotationError:
    """The refusal of dice to which too much is done."""
    return NotationError(
        "too-many-modifiers", text, last.span, f"dice have at most {MOST_MODIFIERS} modifiers",
        text[: last.span[0]],
    )  # fmt: skip


def _out_of_order(
    text: str, modifiers: Sequence[Modifier], wrong: Modifier, sides: Node | None
) -> NotationError:
    start, end = modifiers[0].span[0], modifiers[-1].span[1]
    pieces = []
    for one in sorted(modifiers, key=lambda one: STAGES.get(one.name, 9)):
        piece = text[one.span[0] : one.span[1]]
        if one.name in EXPLOSIONS and one.amount is None and isinstance(sides, NumberNode):
            piece += f"={sides.value}"
        pieces.append(piece)
    known = all(one.amount or one.name not in EXPLOSIONS for one in modifiers)
    fits = known or isinstance(sides, NumberNode)
    return NotationError(
        "order",
        text,
        wrong.span,
        "dice are first re-rolled, then explode, are raised or lowered, kept or dropped, and then "
        "counted: write it in this order",
        *([text[:start] + "".join(pieces) + text[end:]] if fits else []),
    )


FOR_DICE_ONLY = EXPLOSIONS | {"ro", "rr", "adv", "dis", "u"}
