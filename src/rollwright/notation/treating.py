"""The modifiers of a tree into a treatment, refused where dice would never come to rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rollwright.notation.modifiers import EXPLOSIONS, PICKS
from rollwright.notation.treatments import Treatment

if TYPE_CHECKING:
    from rollwright.notation.compiler import Compiler
    from rollwright.notation.kinds import Kind, Test
    from rollwright.notation.parts import Part
    from rollwright.notation.tree import Dice, Modifier

FOR_DICE_ONLY = EXPLOSIONS | {"ro", "rr", "adv", "dis"}
RAREST_REST = 20
"""Re-rolling until it passes needs at least one good face in so many."""


def treatment(compiler: Compiler, said: tuple[Modifier, ...], kind: Kind | None) -> Treatment:
    """What the modifiers say, in one value; `kind` is None for a group."""
    made: dict[str, Any] = {}
    for one in said:
        name = one.name
        if name in PICKS:
            made["picks"] = (*made.get("picks", ()), (name, _few(compiler, one)))
        elif name in ("adv", "dis"):
            made["picks"] = (("kh" if name == "adv" else "kl", 1),)
        elif name in ("ro", "rr"):
            made |= {"reroll": _test(compiler, one), "until": name == "rr"}
        elif name in EXPLOSIONS:
            made |= {"explosion": name, "explode": _test(compiler, one)}
        elif name in ("min", "max"):
            assert one.amount is not None
            made["least" if name == "min" else "most"] = compiler.constant(one.amount)
        elif name in ("sa", "sd"):
            made["order"] = name
        elif name in ("cs", "cf"):
            made["marks"] = (*made.get("marks", ()), (name, _mark(compiler, one, kind)))
        else:
            made["success" if name == "success" else "failure"] = _test(compiler, one)
    _check_whole_story(compiler, said, made, kind)
    return Treatment(**made)


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
    compiler: Compiler, said: tuple[Modifier, ...], made: dict[str, Any], kind: Kind | None
) -> None:
    if "failure" in made and "success" not in made:
        failed = next(one for one in said if one.name == "f")
        written = compiler.text[failed.span[0] : failed.span[1]]
        most = 6 if kind is None else kind.high
        sentence = "failures are taken from successes: say what counts as a success too"
        raise compiler.error("no-successes", failed.span, sentence, f">={most}{written}")
    least, most = made.get("least"), made.get("most")
    if least is not None and most is not None and least > most:
        first = next(one for one in said if one.name == "min")
        raise compiler.error("bad-bounds", first.span, "the minimum is above the maximum", "")


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
        test = how.explode or ("=", kind.high)
        if kind.meant(test) == count:
            exploding = next(one for one in node.modifiers if one.name in EXPLOSIONS)
            sentence = "these dice explode on every face, so they never come to rest"
            once = "xo" + compiler.text[exploding.span[0] : exploding.span[1]].lstrip("!pPxXeE")
            raise compiler.error("never-ends", exploding.span, sentence, f"!={kind.high}", once, "")
