"""A tree into compiled parts: variables filled in, constants worked out, the work estimated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rollwright.notation import parts, tree
from rollwright.notation.breakdowns import whole
from rollwright.notation.dice import USUAL, DieKind, passes
from rollwright.notation.errors import NotationError, Span
from rollwright.notation.modifiers import FOR_DICE_ONLY, PICKS
from rollwright.notation.parts import Constant, Part, magnitude
from rollwright.notation.plans import check_ends, check_unique, compile_modifiers, exploding_faces
from rollwright.notation.pool_modifiers import PLAIN, PoolModifiers
from rollwright.notation.pools import ChoicePart, GroupPart, MixedPart, PoolPart
from rollwright.notation.tree import DiceNode, NumberNode

if TYPE_CHECKING:
    from collections.abc import Callable

    from rollwright.notation.parts import Bounds
    from rollwright.notation.tree import Amount

NO_VARIABLES: Mapping[str, Amount] = {}
DOUBLED = frozenset(["adv", "dis"])
COUNTS: dict[Amount, Constant] = {number: Constant((0, 0), number) for number in range(1, 13)}
"""How many dice people throw; nobody asks where that is written."""


MOST_REPEATED = 24_000
"""Parts of rolls that are made several times, each as often as it is made."""
MOST_DICE = 20_000
MOST_EXTRA = 2_000
MOST_SIDES = 20_000
MOST_FACES = 60_000
MOST_BITS = 4_000
SMALL = 1 << 64


class ExpressionLimits:
    """Counts what the rolls of one line ask for."""

    text: str
    times = 1
    """How often the roll is made that is looked at."""
    _all_dice = 0
    _all_parts = 0
    _extra = 0.0
    _all_faces = 0
    _kinds: frozenset[Amount] = frozenset(USUAL)
    """Those that are counted; the few that people have cost nothing."""

    def count_parts(self, span: Span, parts: int = 1) -> None:
        """Take note of parts of a roll that is made several times."""
        self._all_parts += parts * self.times
        if self._all_parts > MOST_REPEATED:
            fewer = max(MOST_REPEATED * self.times // self._all_parts // 2, 2)
            start = self.text.lower().find("x", 0, span[0])
            raise NotationError(
                "too-many-terms", self.text, span,
                f"repeated {self.times:,} times, this line has more than {MOST_REPEATED:,} parts",
                f"{fewer}{self.text[start:]}" if start >= 0 else "6x 4d6kh3", "6x 4d6kh3",
            )  # fmt: skip

    def _too_many_dice(self, span: Span) -> NotationError:
        start, end = span
        written = self.text[start:end].lower()
        sides = written[written.find("d") :]
        return NotationError(
            "too-many-dice", self.text, span,
            f"at most {MOST_DICE:,} dice are thrown in one line, and this makes "
            f"{_format_number(self._all_dice)}",
            f"{self.text[:start]}{100 // self.times or 1}{sides}{self.text[end:]}",
            f"100{sides}", "100d6",
        )  # fmt: skip

    def count_faces(self, span: Span, sides: int) -> None:
        """Take note of the faces of dice with so many sides."""
        if sides not in self._kinds:
            self._kinds |= {sides}
            self._all_faces += sides
        if sides > MOST_SIDES or self._all_faces > MOST_FACES:
            start, end = span
            most = f"a die has at most {MOST_SIDES:,} sides, not {_format_number(sides)}"
            if sides <= MOST_SIDES:
                most = f"all kinds of dice in a line have at most {MOST_FACES:,} sides together"
            repair = f"{self.text[:start]}100{self.text[end:]}"
            raise NotationError("too-many-sides", self.text, span, most, repair, "1d100")

    def count_extra(self, span: Span, count: Part, again: float) -> None:
        """Take note of how many dice will be thrown again, each so often on average."""
        self._extra += min(int(count.high), MOST_DICE) * self.times * again
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


class Compiler(ExpressionLimits):
    """Compiles the rolls of one line."""

    is_bare = True
    """Whether there is neither a label nor a group in what was compiled last."""

    def __init__(self, text: str, variables: Mapping[str, Amount]) -> None:
        self.text = text
        self.variables = variables

    def roll(self, throws: tree.RollNode) -> Part | parts.VersusPart:
        """A whole roll, which may be against a target."""
        self.is_bare = True
        self.times = throws.times
        node = throws.part
        return self._versus(node) if isinstance(node, tree.VersusNode) else self.part(node)

    def _versus(self, node: tree.VersusNode) -> parts.VersusPart:
        part, target = self.part(node.part), self.part(node.target)
        if not node.natural:
            return parts.VersusPart(node.span, part, target)
        terms = part.terms if isinstance(part, parts.SumPart) else ((1, part),)
        naturals = [n for n, (sign, term) in enumerate(terms) if sign > 0 and _is_natural(term)]
        if len(naturals) != 1:
            start, end = node.target.span[1], node.span[1]
            sentence = "a natural 20 or 1 needs exactly one d20 in the sum before vs"
            raise self.error("no-natural", (start, end), sentence, "")
        return parts.VersusPart(node.span, part, target, node.natural, naturals[0])

    def part(self, node: tree.Node) -> Part:
        """The compiled part for a node of the tree."""
        if self.times > 1:
            self.count_parts(node.span)
        if type(node) is NumberNode:
            return Constant(*node)
        return self.dice(node) if type(node) is DiceNode else BUILDERS[type(node)](self, node)

    def variable(self, node: tree.VariableNode) -> Part:
        """Compile a variable to its number."""
        try:
            value = self.variables[node.name]
        except KeyError:
            raise self._unknown(node) from None
        if type(value) is not int and type(value).__name__ != "Fraction":
            raise self.error(
                "bad-variable", node.span,
                f"a variable is a whole number or a fraction, not {value!r:.40}", "0",
            )  # fmt: skip
        check_size(self.text, node.span, value, value)
        return Constant(node.span, whole(value))

    def _unknown(self, node: tree.VariableNode) -> NotationError:
        from difflib import get_close_matches

        near = get_close_matches(node.name, list(self.variables), n=2)
        sentence = "nothing is known under this name"
        return self.error("unknown-variable", node.span, sentence, *["@" + n for n in near], "0")

    def label(self, node: tree.LabelNode) -> Part:
        """A part that carries its label."""
        self.is_bare = False
        part = self.part(node.part)
        part.label = node.label
        return part

    def chain(self, node: tree.ChainNode) -> Part:
        """Sums keep their terms; products are worked out from left to right."""
        span, first, rest = node
        if rest[0][0] not in "+-":
            return self._product(node)
        terms = [(1, self.part(first))]
        for sign, part in rest:
            terms.append((1 if sign == "+" else -1, self.part(part)))
        made = parts.SumPart(span, terms)
        if not made.is_whole or made.low <= -SMALL or made.high >= SMALL:
            check_size(self.text, span, made.low, made.high)
        if made.thrown or any([part.label for part in made.parts]):
            return made
        return Constant(span, whole(made.low))

    def _product(self, node: tree.ChainNode) -> Part:
        first = self.part(node.first)
        rest = tuple([(sign, self.part(part)) for sign, part in node.rest])
        low, high = first.low, first.high
        for sign, part in rest:
            if sign != "*" and part.low <= 0 <= part.high:
                raise self._by_zero(part)
            low, high = _product_bounds(sign, low, high, part)
            check_size(self.text, node.span, low, high)
        made = parts.ProductPart(node.span, first, rest, (low, high))
        if all([type(part) is Constant for part in (first, *[part for _, part in rest])]):
            return Constant(node.span, made.read(iter(())))
        return made

    def _by_zero(self, part: Part) -> NotationError:
        written = self.text[part.span[0] : part.span[1]]
        if type(part) is Constant:
            return self.error("zero-division", part.span, "nothing can be divided by 0", "1")
        sentence = "this may come to 0, and nothing can be divided by 0"
        return self.error("zero-division", part.span, sentence, f"max(1, {written})", "2")

    def power(self, node: tree.PowerNode) -> Part:
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
        self.check_power(node.span, base, most, size)
        if type(base) is Constant and type(exponent) is Constant:
            return Constant(node.span, parts.raise_to(base.value, exponent.value))
        top = most**size
        bounds = (0 if base.low >= 0 else -top, top)
        return parts.PowerPart(node.span, base, exponent, bounds)

    def function(self, node: tree.FunctionNode) -> Part:
        """A function, worked out at once where its values are constants."""
        arguments = tuple([self.part(part) for part in node.arguments])
        if node.name == "sqrt" and arguments[0].low < 0:
            start, end = arguments[0].span
            sentence = "this may be less than 0, and that has no root"
            raise self.error(
                "bad-root", arguments[0].span, sentence, f"max(0, {self.text[start:end]})", "4"
            )
        made = parts.FunctionPart(node.span, node.name, arguments)
        if all([type(part) is Constant for part in arguments]):
            return Constant(node.span, made.low)
        return made

    def choice(self, node: tree.ChoiceNode) -> Part:
        """One part or the other, by how two compare."""
        left, right = self.part(node.left), self.part(node.right)
        then, otherwise = self.part(node.then), self.part(node.otherwise)
        if isinstance(left, Constant) and isinstance(right, Constant):
            chosen = then if passes((node.compare, right.value), left.value) else otherwise
            chosen.span = node.span
            return chosen
        return ChoicePart(node.span, left, node.compare, right, then, otherwise)

    def group(self, node: tree.GroupNode) -> Part:
        """Several results, treated like dice."""
        self.is_bare = False
        self._check_group(node)
        how, plan = compile_modifiers(self, node.modifiers, None)
        inside = tuple([self.part(part) for part in node.parts])
        made: Part
        if len(inside) == 1 and any([one.name in PICKS for one in node.modifiers]):
            made = MixedPart(node.span, self._mixed_pools(node, inside[0]), how, plan)
        else:
            made = GroupPart(node.span, inside, how, plan)
        check_size(self.text, node.span, made.low, made.high)
        return made

    def _check_group(self, node: tree.GroupNode) -> None:
        for one in node.modifiers:
            if one.name in FOR_DICE_ONLY:
                sentence = "a group is not thrown again as a whole; say it of the dice inside"
                raise self.error("not-dice", one.span, sentence, "")

    def _mixed_pools(self, node: tree.GroupNode, part: Part) -> tuple[PoolPart, ...]:
        """The dice of a group with a single sum of them: they are kept or dropped together."""
        terms = part.terms if isinstance(part, parts.SumPart) else ((1, part),)
        pools = [t for sign, t in terms if sign > 0 and isinstance(t, PoolPart) and _is_simple(t)]
        if len(pools) < len(terms):
            raise self._group_of_one(node, pools)
        return tuple(pools)

    def _group_of_one(self, node: tree.GroupNode, pools: list[PoolPart]) -> NotationError:
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

    def dice(self, node: DiceNode) -> Part:
        """Dice, with an estimate of what throwing them takes."""
        span, number, said, _, modifiers, _ = node
        count: Part | None = COUNTS.get(number.value) if type(number) is NumberNode else None
        if count is None:
            count = self._count(number)
        kind = USUAL.get(said.value) if type(said) is NumberNode else None
        sides = None
        if kind is None:
            sides, kind = self._kind(node)
        for one in modifiers:
            if one.name in DOUBLED:
                count = self._double(node, count)
                break
        self._all_dice += int(count.high) * self.times
        if self._all_dice > MOST_DICE:
            raise self._too_many_dice(span)
        if not modifiers:
            return PoolPart(span, count, sides, kind, PLAIN)
        if self.times > 1:
            self.count_parts(span, len(modifiers))
        treatment, plan = compile_modifiers(self, modifiers, kind)
        if not treatment.is_plain:
            each = treatment.each.get(kind)
            if each is None:
                each = self._each(node, sides, count, kind, treatment)
            self.count_extra(span, count, each - 1)
        return PoolPart(span, count, sides, kind, treatment, plan)

    def _each(
        self, node: DiceNode, sides: Part | None, count: Part, kind: DieKind, how: PoolModifiers
    ) -> float:
        """How often each of these dice is thrown on average; that of usual dice is kept."""
        loud = exploding_faces(kind, how) if how.explosion else 0.0
        check_ends(self, node, sides, kind, how, loud)
        if how.unique:
            check_unique(self, node, count, kind, how)
            return len(kind.faces) / (len(kind.faces) - int(count.high) + 1)
        each = 1.0
        if how.reroll:
            bad = kind.count_matches(how.reroll) / len(kind.faces)
            each = 1 / (1 - bad) if how.until else 1 + bad
        if how.explosion:
            most = how.times + 1
            each *= most if loud == 1 else (1 - loud**most) / (1 - loud)
        if kind is USUAL.get(kind.sides):
            how.each[kind] = each
        return each

    def _count(self, number: tree.Node | None) -> Part:
        """How many dice are thrown."""
        count = COUNTS[1] if number is None else self.part(number)
        if not count.is_whole or count.low < 0:
            raise self._no_count(count)
        return count

    def _double(self, node: DiceNode, count: Part) -> Part:
        if type(count) is Constant and count.value == 1:
            return Constant(node.span, 2)
        said = next(one for one in node.modifiers if one.name in ("adv", "dis"))
        sentence = "advantage and disadvantage are for a single die"
        raise self.error("not-one-die", said.span, sentence, "kh1" if said.name == "adv" else "kl1")

    def _kind(self, node: DiceNode) -> tuple[Part | None, DieKind]:
        """The kind of dice; with the part that says how many sides, where that is thrown."""
        said = node.sides
        if said is None:
            return None, self._own_kind(node)
        sides = self.part(said)
        if type(sides) is Constant and type(sides.value) is int and sides.value > 0:
            self.count_faces(sides.span, sides.value)
            return None, USUAL.get(sides.value) or DieKind(sides.value)
        if not sides.is_whole or sides.low < 1:
            written = self.text[sides.span[0] : sides.span[1]]
            sentence = "dice have a whole number of sides, at least 1"
            raise self.error("bad-sides", sides.span, sentence, f"(max(1, floor({written})))", "6")
        most = int(sides.high)
        self.count_faces(sides.span, most)
        return sides, DieKind(most)

    def _own_kind(self, node: DiceNode) -> DieKind:
        """Dice that are read as digits, or have faces of their own."""
        if not node.digits:
            return DieKind(0, self._faces(node))
        faces = digit_faces(node.digits)
        self.count_faces(node.span, len(faces))
        return DieKind(0, faces)

    def _faces(self, node: DiceNode) -> tuple[Amount, ...]:
        faces = []
        for one in node.faces:
            part = self.part(one)
            if type(part) is not Constant:
                sentence = "the faces of a die are fixed numbers"
                raise self.error("not-constant", part.span, sentence, "1")
            faces.append(part.value)
        return tuple(faces)

    def _no_count(self, count: Part) -> NotationError:
        written = self.text[count.span[0] : count.span[1]]
        if not count.is_whole:
            sentence = "dice come in whole numbers"
            return self.error("not-whole", count.span, sentence, f"(floor({written}))", "1")
        sentence = "this may be less than no dice at all"
        return self.error("negative-count", count.span, sentence, f"(max(0, {written}))", "1")

    def constant(self, node: tree.Node) -> Amount:
        """Return the number of a node, which must not be thrown."""
        part = self.part(node)
        if type(part) is not Constant:
            raise self.error("not-constant", node.span, "a fixed number is needed here", "2")
        return part.value

    def error(self, code: str, span: Span, sentence: str, *instead: str) -> NotationError:
        """Return an error, with replacements for this place."""
        start, end = span
        repairs = [self.text[:start] + one + self.text[end:] for one in instead]
        return NotationError(code, self.text, span, sentence, *repairs)


BUILDERS: dict[type, Callable[..., Part]] = {
    tree.VariableNode: Compiler.variable,
    tree.LabelNode: Compiler.label,
    tree.ChainNode: Compiler.chain,
    tree.PowerNode: Compiler.power,
    tree.FunctionNode: Compiler.function,
    tree.ChoiceNode: Compiler.choice,
    tree.GroupNode: Compiler.group,
}


def _is_natural(part: Part) -> bool:
    """Whether a part is a single d20 with its natural face."""
    if not isinstance(part, PoolPart) or part.kind.sides != 20 or part.sides is not None:
        return False
    how, count = part.treatment, part.count
    plain = not how.is_scored and not how.explosion and part.plan is None
    return plain and type(count) is Constant and how.keep_count(int(count.value)) == 1


def _is_simple(part: PoolPart) -> bool:
    """Whether dice can be kept or dropped together with others."""
    if part.sides is not None or part.plan is not None:
        return False
    how = part.treatment
    plain = not (how.picks or how.is_scored or how.explosion or how.unique or how.marks)
    return plain and type(part.count) is Constant


def digit_faces(digits: str) -> tuple[int, ...]:
    """Return the numbers that digit dice can show together, rising.

    >>> digit_faces("23")
    (11, 12, 13, 21, 22, 23)
    """
    faces = [0]
    for sides in digits:
        faces = [10 * face + digit for face in faces for digit in range(1, int(sides) + 1)]
    return tuple(faces)


def _product_bounds(sign: str, low: Amount, high: Amount, part: Part) -> Bounds:
    """Bounds of an operation; a divisor is never 0."""
    if sign == "%":
        return min(part.low, 0), max(part.high, 0)
    operation = parts.OPERATIONS[sign]
    ends = [operation(a, b) for a in (low, high) for b in (part.low, part.high)]
    return min(ends), max(ends)


def check_size(text: str, span: Span, low: Amount, high: Amount) -> None:
    """Refuse bounds of too many digits."""
    if low > -SMALL and high < SMALL and type(low) is int and type(high) is int:
        return
    if _bits(low) > MOST_BITS or _bits(high) > MOST_BITS:
        raise _too_large(text, span)


def _bits(value: Amount) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _too_large(text: str, span: Span) -> NotationError:
    start, end = span
    return NotationError(
        "too-large", text, span, "this would be a number of more than a thousand digits",
        f"{text[:start]}10**6{text[end:]}",
    )  # fmt: skip


def _format_number(number: int) -> str:
    return f"{number:,}" if number < 10**15 else "far more"
