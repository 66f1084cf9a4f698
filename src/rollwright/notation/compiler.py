"""A tree into compiled parts: variables filled in, constants worked out, the work estimated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rollwright.notation import parts, tree
from rollwright.notation.dice import Kind, passes
from rollwright.notation.errors import NotationError, Span
from rollwright.notation.modifiers import FOR_DICE_ONLY, PICKS
from rollwright.notation.parts import Constant, Part, magnitude
from rollwright.notation.plans import check_ends, check_unique, exploding_faces, plan_of
from rollwright.notation.pools import Choice, Group, Mixed, Pool
from rollwright.notation.text import whole
from rollwright.notation.treatments import Treatment

if TYPE_CHECKING:
    from collections.abc import Callable

    from rollwright.notation.parts import Bounds
    from rollwright.notation.tree import Amount

NO_VARIABLES: Mapping[str, Amount] = {}


class Compiler:
    """Compiles the rolls of one line."""

    __slots__ = ("text", "variables", "limits")

    def __init__(self, text: str, variables: Mapping[str, Amount]) -> None:
        self.text = text
        self.variables = variables
        self.limits = Limits(text)

    def roll(self, node: tree.Node | tree.Versus) -> Part | parts.Versus:
        """A whole roll, which may be against a target."""
        if isinstance(node, tree.Versus):
            return self._versus(node)
        return self.part(node)

    def _versus(self, node: tree.Versus) -> parts.Versus:
        part, target = self.part(node.part), self.part(node.target)
        if not node.natural:
            return parts.Versus(node.span, part, target)
        terms = part.terms if isinstance(part, parts.Sum) else ((1, part),)
        naturals = [n for n, (sign, term) in enumerate(terms) if sign > 0 and _is_natural(term)]
        if len(naturals) != 1:
            start, end = node.target.span[1], node.span[1]
            sentence = "a natural 20 or 1 needs exactly one d20 in the sum before vs"
            raise self.error("no-natural", (start, end), sentence, "")
        return parts.Versus(node.span, part, target, node.natural, naturals[0])

    def part(self, node: tree.Node) -> Part:
        """The compiled part for a node of the tree."""
        if self.limits.times > 1:
            self.limits.parts(node.span)
        return BUILDERS[type(node)](self, node)

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
        check_size(self.text, node.span, value)
        return Constant(node.span, value)

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

    def chain(self, node: tree.Chain) -> Part:
        """Sums keep their terms; products are worked out from left to right."""
        if node.rest[0][0] in "+-":
            terms = [(1, self.part(node.first))]
            terms += [(1 if sign == "+" else -1, self.part(part)) for sign, part in node.rest]
            made: Part = parts.Sum(node.span, tuple(terms))
            check_size(self.text, node.span, made.low, made.high)
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
            low, high = _multiplied(sign, low, high, part)
            check_size(self.text, node.span, low, high)
        made = parts.Product(node.span, first, rest, (low, high))
        if all([type(part) is Constant for part in (first, *[part for _, part in rest])]):
            return Constant(node.span, made.read(iter(())))
        return made

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
        most = max(magnitude(base.low), magnitude(base.high), 1)
        size = int(max(magnitude(exponent.low), magnitude(exponent.high)))
        self.limits.check_power(node.span, base, most, size)
        if type(base) is Constant and type(exponent) is Constant:
            return Constant(node.span, parts.raised(base.value, exponent.value))
        top = most**size
        bounds = (0 if base.low >= 0 else -top, top)
        return parts.Power(node.span, base, exponent, bounds)

    def function(self, node: tree.Function) -> Part:
        """A function, worked out at once where its values are constants."""
        arguments = tuple([self.part(part) for part in node.arguments])
        if node.name == "sqrt" and arguments[0].low < 0:
            start, end = arguments[0].span
            sentence = "this may be less than 0, and that has no root"
            raise self.error(
                "bad-root", arguments[0].span, sentence, f"max(0, {self.text[start:end]})", "4"
            )
        made = parts.Function(node.span, node.name, arguments)
        if all([type(part) is Constant for part in arguments]):
            return Constant(node.span, made.low)
        return made

    def choice(self, node: tree.Choice) -> Part:
        """One part or the other, by how two compare."""
        left, right = self.part(node.left), self.part(node.right)
        then, otherwise = self.part(node.then), self.part(node.otherwise)
        if isinstance(left, Constant) and isinstance(right, Constant):
            chosen = then if passes((node.compare, right.value), left.value) else otherwise
            chosen.span = node.span
            return chosen
        return Choice(node.span, left, node.compare, right, then, otherwise)

    def group(self, node: tree.Group) -> Part:
        """Several results, treated like dice."""
        self._check_group(node)
        plan = plan_of(self, node.modifiers, None)
        how = plan.treatment([part.low for part in plan.thrown])
        thrown = plan if plan.thrown else None
        inside = tuple([self.part(part) for part in node.parts])
        made: Part
        if len(inside) == 1 and any([one.name in PICKS for one in node.modifiers]):
            made = Mixed(node.span, self._mixed(node, inside[0]), how, thrown)
        else:
            made = Group(node.span, inside, how, thrown)
        check_size(self.text, node.span, made.low, made.high)
        return made

    def _check_group(self, node: tree.Group) -> None:
        for one in node.modifiers:
            if one.name in FOR_DICE_ONLY:
                sentence = "a group is not thrown again as a whole; say it of the dice inside"
                raise self.error("not-dice", one.span, sentence, "")

    def _mixed(self, node: tree.Group, part: Part) -> tuple[Pool, ...]:
        """The dice of a group with a single sum of them: they are kept or dropped together."""
        terms = part.terms if isinstance(part, parts.Sum) else ((1, part),)
        pools = [t for sign, t in terms if sign > 0 and isinstance(t, Pool) and _is_simple(t)]
        if len(pools) < len(terms):
            raise self._group_of_one(node, pools)
        return tuple(pools)

    def _group_of_one(self, node: tree.Group, pools: list[Pool]) -> NotationError:
        start, end = node.parts[0].span
        inside = self.text[start:end]
        said = self.text[node.modifiers[0].span[0] : node.span[1]]
        dice = pools[-1].span[1] if pools else start
        return self.error(
            "group-of-one", node.span,
            "this group has one result that is not just dice, so there is nothing to keep or "
            "drop: is it meant of the dice inside?",
            "{" + self.text[start:dice] + "}" + said + self.text[dice:end],
            "{" + inside + ", " + inside + "}" + said, inside,
        )  # fmt: skip

    def dice(self, node: tree.Dice) -> Part:
        """Dice, with an estimate of what throwing them takes."""
        count = Constant(node.span, 1) if node.number is None else self.part(node.number)
        sides, kind = self._kind(node)
        self._check_count(count)
        modifiers = node.modifiers
        if modifiers and any([one.name in ("adv", "dis") for one in modifiers]):
            count = self._doubled(node, count)
        self.limits.dice(node.span, count, kind)
        if not modifiers:
            return Pool(node.span, count, sides, kind, PLAIN)
        plan = plan_of(self, modifiers, kind)
        treatment = plan.treatment([part.low for part in plan.thrown])
        if not treatment.is_plain:
            check_ends(self, node, sides, kind, treatment)
            if treatment.unique:
                check_unique(self, node, count, kind, treatment)
            self.limits.extra(node.span, count, kind, treatment)
        return Pool(node.span, count, sides, kind, treatment, plan if plan.thrown else None)

    def _doubled(self, node: tree.Dice, count: Part) -> Part:
        if type(count) is Constant and count.value == 1:
            return Constant(node.span, 2)
        said = next(one for one in node.modifiers if one.name in ("adv", "dis"))
        sentence = "advantage and disadvantage are for a single die"
        raise self.error("not-one-die", said.span, sentence, "kh1" if said.name == "adv" else "kl1")

    def _kind(self, node: tree.Dice) -> tuple[Part | None, Kind]:
        """The kind of dice; with the part that says how many sides, where that is thrown."""
        if node.digits:
            faces = digit_faces(node.digits)
            self.limits.faces(node.span, len(faces))
            return None, Kind(0, faces)
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
        most = int(sides.high)
        self.limits.faces(sides.span, most)
        return sides, Kind(most)

    def _faces(self, node: tree.Dice) -> tuple[Amount, ...]:
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

    def constant(self, node: tree.Node) -> Amount:
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
BUILDERS: dict[type, Callable[..., Part]] = {
    tree.Number: Compiler.number,
    tree.Variable: Compiler.variable,
    tree.Labelled: Compiler.labelled,
    tree.Chain: Compiler.chain,
    tree.Power: Compiler.power,
    tree.Function: Compiler.function,
    tree.Choice: Compiler.choice,
    tree.Group: Compiler.group,
    tree.Dice: Compiler.dice,
}


def _is_natural(part: Part) -> bool:
    """Whether a part is a single d20 with its natural face."""
    if not isinstance(part, Pool) or part.kind.sides != 20 or part.sides is not None:
        return False
    how, count = part.treatment, part.count
    plain = not how.is_scored and not how.explosion and part.plan is None
    return plain and type(count) is Constant and how.kept_of(int(count.value)) == 1


def _is_simple(part: Pool) -> bool:
    """Whether dice can be kept or dropped together with others."""
    if part.sides is not None or part.plan is not None:
        return False
    how = part.treatment
    plain = not (how.picks or how.is_scored or how.explosion or how.unique or how.marks)
    return plain and type(part.count) is Constant


def digit_faces(digits: str) -> tuple[int, ...]:
    """What digit dice can show together, rising.

    >>> digit_faces("23")
    (11, 12, 13, 21, 22, 23)
    """
    faces = [0]
    for sides in digits:
        faces = [10 * face + digit for face in faces for digit in range(1, int(sides) + 1)]
    return tuple(faces)


def _multiplied(sign: str, low: Amount, high: Amount, part: Part) -> Bounds:
    """Bounds of an operation; a divisor is never 0."""
    if sign == "%":
        return min(part.low, 0), max(part.high, 0)
    operation = parts.OPERATIONS[sign]
    ends = [operation(a, b) for a in (low, high) for b in (part.low, part.high)]
    return min(ends), max(ends)


MOST_REPEATED = 24_000
"""Parts of rolls that are made several times, each as often as it is made."""
MOST_DICE = 20_000
MOST_EXTRA = 2_000
MOST_SIDES = 20_000
MOST_FACES = 60_000
MOST_BITS = 4_000
SMALL = 1 << 64


class Limits:
    """Counts what the rolls of one line ask for."""

    __slots__ = ("text", "times", "_parts", "_dice", "_extra", "_faces", "_kinds")

    def __init__(self, text: str) -> None:
        self.text = text
        self.times = 1
        self._parts = 0
        self._dice = 0
        self._extra = 0.0
        self._faces = 0
        self._kinds: set[int] = set()

    def parts(self, span: Span) -> None:
        """Take note of a part of a roll that is made several times."""
        self._parts += self.times
        if self._parts > MOST_REPEATED:
            fewer = max(MOST_REPEATED * self.times // self._parts // 2, 2)
            start = self.text.lower().find("x", 0, span[0])
            raise NotationError(
                "too-many-terms", self.text, span,
                f"repeated {self.times:,} times, this line has more than {MOST_REPEATED:,} parts",
                f"{fewer}{self.text[start:]}" if start >= 0 else "6x 4d6kh3", "6x 4d6kh3",
            )  # fmt: skip

    def dice(self, span: Span, count: Part, kind: Kind) -> None:
        """Take note of dice that are thrown at once."""
        self._dice += int(count.high) * self.times
        if self._dice > MOST_DICE:
            start, end = span
            written = self.text[start:end].lower()
            sides = written[written.find("d") :]
            raise NotationError(
                "too-many-dice", self.text, span,
                f"at most {MOST_DICE:,} dice are thrown in one line, and this makes "
                f"{_said(self._dice)}",
                f"{self.text[:start]}{100 // self.times or 1}{sides}{self.text[end:]}",
                f"100{sides}", "100d6",
            )  # fmt: skip

    def faces(self, span: Span, sides: int) -> None:
        """Take note of the faces of dice with so many sides."""
        if sides not in self._kinds:
            self._kinds.add(sides)
            self._faces += sides
        if sides > MOST_SIDES or self._faces > MOST_FACES:
            start, end = span
            most = f"a die has at most {MOST_SIDES:,} sides, not {_said(sides)}"
            if sides <= MOST_SIDES:
                most = f"all kinds of dice in a line have at most {MOST_FACES:,} sides together"
            repair = f"{self.text[:start]}100{self.text[end:]}"
            raise NotationError("too-many-sides", self.text, span, most, repair, "1d100")

    def extra(self, span: Span, count: Part, kind: Kind, how: Treatment) -> None:
        """Take note of how many dice will be thrown again on average."""
        faces = len(kind.faces)
        again = 1.0
        if how.unique:
            again = faces / (faces - int(count.high) + 1)
        if how.reroll:
            bad = kind.meant(how.reroll) / faces
            again = 1 / (1 - bad) if how.until else 1 + bad
        if how.explosion:
            loud, standing = exploding_faces(kind, how)
            share = loud / standing
            again *= sum([share**depth for depth in range(how.times + 1)])
        self._extra += min(int(count.high), MOST_DICE) * self.times * (again - 1)
        if self._extra > MOST_EXTRA:
            start, end = span
            written = self.text[start:end]
            raise NotationError(
                "too-many-dice", self.text, span,
                f"on average {self._extra:,.0f} dice would be thrown again, one by one; "
                f"at most {MOST_EXTRA:,} are",
                f"10{written[written.lower().find('d') :]}", "10d6!",
            )  # fmt: skip

    def check_power(self, span: Span, base: Part, most: Amount, size: int) -> None:
        """Refuse a power before it is worked out, if it would be too large."""
        bits = max(_bits(most), _bits(base.low), _bits(base.high))
        if bits > 1 and bits * size > MOST_BITS:
            raise _too_large(self.text, span)


def check_size(text: str, span: Span, *values: Amount) -> None:
    """Refuse numbers of too many digits."""
    for value in values:
        if (type(value) is not int or not -SMALL < value < SMALL) and _bits(value) > MOST_BITS:
            raise _too_large(text, span)


def _bits(value: Amount) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _too_large(text: str, span: Span) -> NotationError:
    start, end = span
    return NotationError(
        "too-large", text, span, "this would be a number of more than a thousand digits",
        f"{text[:start]}10**6{text[end:]}",
    )  # fmt: skip


def _said(number: int) -> str:
    return f"{number:,}" if number < 10**15 else "far more"
