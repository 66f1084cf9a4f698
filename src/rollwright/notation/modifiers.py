"""What can be done to dice: its spelling, its order, the known traps, and what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollwright.notation.errors import NotationError
from rollwright.notation.pools import Treatment
from rollwright.notation.tree import Modifier, Number

if TYPE_CHECKING:
    from rollwright.notation.compiler import Compiler
    from rollwright.notation.dice import Kind, Test
    from rollwright.notation.parser import Parser
    from rollwright.notation.parts import Part
    from rollwright.notation.tree import Dice, Node

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


FOR_DICE_ONLY = EXPLOSIONS | {"ro", "rr", "adv", "dis"}
RAREST_REST = 20
"""Re-rolling until it passes needs at least one good face in so many."""


def treatment_of(compiler: Compiler, said: tuple[Modifier, ...], kind: Kind | None) -> Treatment:
    """What the modifiers say, in one value; `kind` is None for a group."""
    made = Treatment()
    for one in said:
        name = one.name
        if name in PICKS:
            made = made._replace(picks=(*made.picks, (name, _few(compiler, one))))
        elif name in ("adv", "dis"):
            made = made._replace(picks=(("kh" if name == "adv" else "kl", 1),))
        elif name in ("ro", "rr"):
            made = made._replace(reroll=_test(compiler, one), until=name == "rr")
        elif name in EXPLOSIONS:
            made = made._replace(explosion=name, explode=_test(compiler, one))
        elif name in ("min", "max"):
            assert one.amount is not None
            amount = compiler.constant(one.amount)
            made = made._replace(least=amount) if name == "min" else made._replace(most=amount)
        elif name in ("sa", "sd"):
            made = made._replace(order=name)
        elif name in ("cs", "cf"):
            made = made._replace(marks=(*made.marks, (name, _mark(compiler, one, kind))))
        elif name == "success":
            made = made._replace(success=_test(compiler, one))
        else:
            made = made._replace(failure=_test(compiler, one))
    _check_whole_story(compiler, said, made, kind)
    return made


def _few(compiler: Compiler, one: Modifier) -> int:
    number = 1 if one.amount is None else compiler.constant(one.amount)
    if type(number) is not int or number < 0:
        assert one.amount is not None
        raise compiler.error(
            "not-whole", one.amount.span, "a whole number of dice is kept or dropped", "1"
        )
    return number


def _test(compiler: Compiler, one: Modifier) -> Test | None:
    if one.amount is None:
        return None
    return one.compare, compiler.constant(one.amount)


def _mark(compiler: Compiler, one: Modifier, kind: Kind | None) -> Test | None:
    test = _test(compiler, one)
    if test is None and kind is None:
        written = compiler.text[one.span[0] : one.span[1]]
        sentence = "which results of a group are marked?"
        raise compiler.error("missing-number", one.span, sentence, written + ">=1")
    return test


def _check_whole_story(
    compiler: Compiler, said: tuple[Modifier, ...], made: Treatment, kind: Kind | None
) -> None:
    if made.failure is not None and made.success is None:
        failed = next(one for one in said if one.name == "f")
        written = compiler.text[failed.span[0] : failed.span[1]]
        most = 6 if kind is None else kind.high
        sentence = "failures are taken from successes: say what counts as a success too"
        raise compiler.error("no-successes", failed.span, sentence, f">={most}{written}")
    if made.least is not None and made.most is not None and made.least > made.most:
        first = next(one for one in said if one.name == "min")
        raise compiler.error("bad-bounds", first.span, "the minimum is above the maximum", "")


def exploding_faces(kind: Kind, how: Treatment) -> tuple[int, int]:
    """How many faces explode, of how many that stand when nothing is re-rolled any more."""
    test = how.explode or ("=", kind.high)
    loud, standing = kind.meant(test), len(kind.faces)
    if how.until and how.reroll is not None:
        loud, standing = loud - kind.meant(test, how.reroll), standing - kind.meant(how.reroll)
    return loud, standing


def check_ends(
    compiler: Compiler, node: Dice, sides: Part | None, kind: Kind, how: Treatment
) -> None:
    """Refuse dice that would never come to rest, or hardly ever."""
    again = next(one for one in node.modifiers if one.name in FOR_DICE_ONLY - {"adv", "dis"})
    if sides is not None:
        sentence = "dice that are thrown again need a fixed number of sides"
        raise compiler.error("not-constant", sides.span, sentence, str(kind.sides))
    count = len(kind.faces)
    if how.until and how.reroll is not None:
        good = count - kind.meant(how.reroll)
        if good * RAREST_REST < count:
            written = compiler.text[again.span[0] : again.span[1]]
            sentence = (
                f"at least one face in {RAREST_REST} must stand when dice are re-rolled until "
                f"they pass, not {good} of {count:,}"
            )
            once = "ro" + written[2:]
            raise compiler.error("never-ends", again.span, sentence, once, f"rr={kind.low}", "")
    if how.explosion and how.explosion != "xo":
        loud, standing = exploding_faces(kind, how)
        if loud == standing:
            exploding = next(one for one in node.modifiers if one.name in EXPLOSIONS)
            sentence = "these dice explode on every face, so they never come to rest"
            if standing < count:
                sentence = "every face that is not re-rolled explodes, so these dice never rest"
            once = "xo" + compiler.text[exploding.span[0] : exploding.span[1]].lstrip("!pPxXeE")
            raise compiler.error("never-ends", exploding.span, sentence, f"!={kind.high}", once, "")
