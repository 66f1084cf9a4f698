"""A tree into compiled parts: variables filled in, constants worked out, the work estimated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rollwright.notation import parts, tree
from rollwright.notation.dice import Kind
from rollwright.notation.errors import NotationError, Span
from rollwright.notation.limits import Limits, in_bounds
from rollwright.notation.modifiers import EXPLOSIONS, PICKS
from rollwright.notation.parts import Constant, Part
from rollwright.notation.pools import Group, Pool, Treatment
from rollwright.notation.text import whole

if TYPE_CHECKING:
    from rollwright.notation.dice import Kind, Test
    from rollwright.notation.parts import Part
    from rollwright.notation.tree import Dice, Modifier


NO_VARIABLES: Mapping[str, Any] = {}


class Compiler:
    """Compiles the rolls of one line."""

    __slots__ = ("text", "variables", "limits")

    def __init__(self, text: str, variables: Mapping[str, Any]) -> None:
        self.text = text
        self.variables = variables
        self.limits = Limits(text)

    def part(self, node: tree.Node) -> Part:
        """The compiled part for a node of the tree."""
        part: Part = BUILDERS[type(node)](self, node)
        return part

    def number(self, node: tree.Number) -> Part:
        """A number is itself."""
        return Constant(node.span, node.value)

    def variable(self, node: tree.Variable) -> Part:
        """A variable is the number it stands for."""
        try:
            value = self.variables[node.name]
        except KeyError:
            raise self._unknown(node) from None
        if type(value) is not int and type(value).__name__ != "Fraction":
            raise self.error(
                "bad-variable", node.span,
                f"a variable is a whole number or a fraction, not {value!r:.40}", "0",
            )  # fmt: skip
        return Constant(node.span, in_bounds(self.text, node.span, value))

    def _unknown(self, node: tree.Variable) -> NotationError:
        from difflib import get_close_matches

        near = get_close_matches(node.name, list(self.variables), n=2)
        sentence = "nothing is known under this name"
        return self.error("unknown-variable", node.span, sentence, *["@" + n for n in near], "0")

    def labelled(self, node: tree.Labelled) -> Part:
        """A part that carries its label."""
        part = self.part(node.part)
        part.label = node.label
        return part

    def versus(self, node: tree.Versus) -> Part:
        """A roll against a target."""
        return parts.Versus(node.span, self.part(node.part), self.part(node.target))

    def chain(self, node: tree.Chain) -> Part:
        """Sums keep their terms; products are worked out from left to right."""
        if node.rest[0][0] in "+-":
            terms = [(1, self.part(node.first))]
            terms += [(1 if sign == "+" else -1, self.part(part)) for sign, part in node.rest]
            made: Part = parts.Sum(node.span, tuple(terms))
            in_bounds(self.text, node.span, made.low, made.high)
            if all([type(part) is Constant and not part.label for _, part in terms]):
                return Constant(node.span, whole(made.low))
            return made
        return self._product(node)

    def _product(self, node: tree.Chain) -> Part:
        first = self.part(node.first)
        rest = tuple([(sign, self.part(part)) for sign, part in node.rest])
        low, high = first.low, first.high
        for sign, part in rest:
            if sign != "*" and part.low <= 0 <= part.high:
                raise self._by_zero(part)
            low, high = in_bounds(self.text, node.span, *_multiplied(sign, low, high, part))
        if all([type(part) is Constant for part in (first, *[part for _, part in rest])]):
            return self._worked_out(node.span, first, rest)
        return parts.Product(node.span, first, rest, (low, high))

    def _worked_out(self, span: Span, first: Any, rest: tuple[tuple[str, Any], ...]) -> Part:
        value = first.value
        for sign, part in rest:
            value = parts.OPERATIONS[sign](value, part.value)
        return Constant(span, value)

    def _by_zero(self, part: Part) -> NotationError:
        written = self.text[part.span[0] : part.span[1]]
        if type(part) is Constant:
            return self.error("zero-division", part.span, "nothing can be divided by 0", "1")
        sentence = "this may come to 0, and nothing can be divided by 0"
        return self.error("zero-division", part.span, sentence, f"max(1, {written})", "2")

    def power(self, node: tree.Power) -> Part:
        """A power whose size is known to be moderate."""
        base, exponent = self.part(node.base), self.part(node.exponent)
        constant = type(base) is Constant and type(exponent) is Constant
        if not exponent.is_whole or (exponent.low < 0 and not constant):
            sentence = "the exponent must be a whole number, and with dice at least 0"
            raise self.error("bad-exponent", exponent.span, sentence, "2")
        if constant and exponent.low < 0 and base.low == 0:
            raise self.error("zero-division", base.span, "nothing can be divided by 0", "1")
        most = max(abs(base.low), abs(base.high), 1)
        size = max(abs(exponent.low), abs(exponent.high))
        self.limits.check_power(node.span, base, most, size)
        if type(base) is Constant and type(exponent) is Constant:
            return Constant(node.span, parts.raised(base.value, exponent.value))
        top = most ** int(size)
        bounds = (0 if base.low >= 0 else -top, top)
        return parts.Power(node.span, base, exponent, bounds)

    def function(self, node: tree.Function) -> Part:
        """A function, worked out at once where its values are constants."""
        arguments = tuple([self.part(part) for part in node.arguments])
        made = parts.Function(node.span, node.name, arguments)
        if all([type(part) is Constant for part in arguments]):
            return Constant(node.span, made.low)
        return made

    def group(self, node: tree.Group) -> Part:
        """Several results, treated like dice."""
        treatment = treatment_of(self, node.modifiers, None)
        self._check_group(node, treatment)
        made = Group(node.span, tuple([self.part(part) for part in node.parts]), treatment)
        in_bounds(self.text, node.span, made.low, made.high)
        return made

    def _check_group(self, node: tree.Group, how: Treatment) -> None:
        for one in node.modifiers:
            if one.name in FOR_DICE_ONLY:
                sentence = "a group is not thrown again as a whole; say it of the dice inside"
                raise self.error("not-dice", one.span, sentence, "")
        if len(node.parts) == 1 and how.picks:
            start, end = node.parts[0].span
            inside = self.text[start:end]
            said = self.text[node.modifiers[0].span[0] : node.span[1]]
            raise self.error(
                "group-of-one", node.span,
                "this group has one result, so there is nothing to keep or drop: "
                "is it meant of the dice inside?",
                inside + said, "{" + inside + ", " + inside + "}" + said, inside,
            )  # fmt: skip

    def dice(self, node: tree.Dice) -> Part:
        """Dice, with an estimate of what throwing them takes."""
        count = Constant(node.span, 1) if node.number is None else self.part(node.number)
        sides, kind = self._kind(node)
        self._check_count(count)
        modifiers = node.modifiers
        if modifiers and any([one.name in ("adv", "dis") for one in modifiers]):
            count = self._doubled(node, count)
        treatment = treatment_of(self, modifiers, kind) if modifiers else PLAIN
        self.limits.dice(node.span, count, kind)
        if not treatment.is_plain:
            check_ends(self, node, sides, kind, treatment)
            self.limits.extra(node.span, count, kind, treatment)
        return Pool(node.span, count, sides, kind, treatment)

    def _doubled(self, node: tree.Dice, count: Part) -> Part:
        if type(count) is Constant and count.value == 1:
            return Constant(node.span, 2)
        said = next(one for one in node.modifiers if one.name in ("adv", "dis"))
        sentence = "advantage and disadvantage are for a single die"
        raise self.error("not-one-die", said.span, sentence, "kh1" if said.name == "adv" else "kl1")

    def _kind(self, node: tree.Dice) -> tuple[Part | None, Kind]:
        """The kind of dice; with the part that says how many sides, where that is thrown."""
        if node.sides is None:
            return None, Kind(0, self._faces(node))
        sides = self.part(node.sides)
        if type(sides) is Constant and type(sides.value) is int and sides.value > 0:
            self.limits.faces(sides.span, sides.value)
            return None, Kind(sides.value)
        if not sides.is_whole or sides.low < 1:
            written = self.text[sides.span[0] : sides.span[1]]
            sentence = "dice have a whole number of sides, at least 1"
            raise self.error("bad-sides", sides.span, sentence, f"(max(1, floor({written})))", "6")
        self.limits.faces(sides.span, sides.high)
        return sides, Kind(sides.high)

    def _faces(self, node: tree.Dice) -> tuple[Any, ...]:
        faces = []
        for one in node.faces:
            part = self.part(one)
            if type(part) is not Constant:
                sentence = "the faces of a die are fixed numbers"
                raise self.error("not-constant", part.span, sentence, "1")
            faces.append(part.value)
        return tuple(faces)

    def _check_count(self, count: Part) -> None:
        written = self.text[count.span[0] : count.span[1]]
        if not count.is_whole:
            sentence = "dice come in whole numbers"
            raise self.error("not-whole", count.span, sentence, f"(floor({written}))", "1")
        if count.low < 0:
            sentence = "this may be less than no dice at all"
            raise self.error("negative-count", count.span, sentence, f"(max(0, {written}))", "1")

    def constant(self, node: tree.Node) -> Any:
        """The number a node stands for, which must not be thrown."""
        part = self.part(node)
        if type(part) is not Constant:
            raise self.error("not-constant", node.span, "a fixed number is needed here", "2")
        return part.value

    def error(self, code: str, span: Span, sentence: str, *instead: str) -> NotationError:
        """A refusal, with what could stand in this place instead."""
        start, end = span
        repairs = [self.text[:start] + one + self.text[end:] for one in instead]
        return NotationError(code, self.text, span, sentence, *repairs)


PLAIN = Treatment()
BUILDERS: dict[type, Any] = {
    tree.Number: Compiler.number,
    tree.Variable: Compiler.variable,
    tree.Labelled: Compiler.labelled,
    tree.Versus: Compiler.versus,
    tree.Chain: Compiler.chain,
    tree.Power: Compiler.power,
    tree.Function: Compiler.function,
    tree.Group: Compiler.group,
    tree.Dice: Compiler.dice,
}


def _multiplied(sign: str, low: Any, high: Any, part: Part) -> tuple[Any, Any]:
    """Bounds of an operation; a divisor is never 0."""
    if sign == "%":
        return min(part.low, 0), max(part.high, 0)
    operation = parts.OPERATIONS[sign]
    ends = [operation(a, b) for a in (low, high) for b in (part.low, part.high)]
    return min(ends), max(ends)


FOR_DICE_ONLY = EXPLOSIONS | {"ro", "rr", "adv", "dis"}
RAREST_REST = 20
"""Re-rolling until it passes needs at least one good face in so many."""


def treatment_of(compiler: Compiler, said: tuple[Modifier, ...], kind: Kind | None) -> Treatment:
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
