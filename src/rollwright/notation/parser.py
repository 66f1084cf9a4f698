"""Tokens into a tree: a small Pratt parser that never goes deeper than it says."""

from __future__ import annotations

from collections.abc import Sequence
from operator import length_hint
from types import ModuleType

from rollwright.notation import modifiers
from rollwright.notation.errors import NotationError, Span
from rollwright.notation.tokens import CLOSINGS, Token, tokens_of
from rollwright.notation.tree import (
    Amount,
    ChainNode,
    ChoiceNode,
    DiceNode,
    Expression,
    FunctionNode,
    GroupNode,
    LabelNode,
    Modifier,
    Node,
    NumberNode,
    PowerNode,
    RollNode,
    VariableNode,
    VersusNode,
    new,
)

DEEPEST = 40
MOST_TERMS = 6_000
OF_A_MODIFIER = 2
"""Parts that a modifier counts for in the time it takes."""
MOST_LISTED = 500
MOST_ROLLS = 1_000

SUM, PRODUCT, RAISED = 1, 2, 3
RANKS = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "//": PRODUCT, "%": PRODUCT, "**": RAISED}
FUNCTIONS = {
    "floor": 1, "ceil": 1, "trunc": 1, "round": 1, "abs": 1, "sqrt": 1, "pow": 2, "min": 0,
    "max": 0,
}  # fmt: skip
"""How many values a function takes; 0 is one or more."""
FIXED_FACES = {"df": (-1, 0, 1), "dc": (0, 1)}
"""Fate dice, and coins that show a head or none."""
MOST_DIGITS = 4
DICE = frozenset(["d", "dd", *FIXED_FACES])
SIGNED = frozenset(["-", "+", "label"])
BEFORE = SIGNED.union(modifiers.HIGH)
"""Tokens before a part that modify it."""
BEHIND = modifiers.OPENERS | {"label", "ms"}


def parse(text: str) -> Expression:
    """The tree of a text, or a refusal that says where and why.

    >>> parse("2d6").rolls[0].times
    1
    """
    try:
        return Parser(text).line
    except NotationError as problem:
        return _with_comment(text, problem).line


def names_in(text: str) -> set[str]:
    """The names in an expression that can be given a number.

    >>> sorted(names_in("(@n)d6 + @str  # not @me"))
    ['n', 'str']
    """
    try:
        read = Parser(text)
    except NotationError as problem:
        read = _with_comment(text, problem)
    return {name.lstrip("@") for kind, name, _, _ in read.tokens if kind == "variable"}


def _with_comment(text: str, problem: NotationError) -> Parser:
    """A parser of a text that cannot be read whole: words behind the last roll are its comment."""
    end = _refusals().words_begin(text)
    if not end:
        raise problem
    try:
        parser = Parser(text[:end])
    except NotationError:
        parser = None
    if parser is None or parser.line.comment:
        raise problem
    parser.line = Expression(text, parser.line.rolls, text[end:].strip())
    return parser


class Parser:
    """Reads one text from left to right."""

    __slots__ = (
        "text", "tokens", "token", "line", "last_end", "_ahead", "_depth", "_terms", "_is_long",
        "_comparing", "dice_end",
    )  # fmt: skip

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens, comment = tokens_of(text)
        self._ahead = iter(self.tokens)
        self.token: Token = next(self._ahead)
        self.last_end = self._depth = self._terms = 0
        self._is_long = len(self.tokens) > MOST_TERMS // OF_A_MODIFIER
        """Whether there may be more parts than are read."""
        self.dice_end = 0
        """End of the dice that were read last."""
        self._comparing = False
        """Whether a comparison compares everything before it as a whole, and not its dice."""
        self.line: Expression = new(Expression, (text, self._rolls(), comment))

    def advance(self) -> Token:
        """Take the next token; the end stays where it is."""
        token = self.token
        self.last_end = token[3]
        self.token = next(self._ahead, token)
        return token

    def following(self) -> str:
        """Return the kind of the token after the next one."""
        left = length_hint(self._ahead)
        return self.tokens[-left][0] if left else "end"

    def _rolls(self) -> tuple[RollNode, ...]:
        """Everything, up to the end."""
        if self.token[0] == "end":
            raise self.error("empty", "there is nothing to roll here")
        first = self._throws()
        if self.token[0] == "end":
            return (first,)
        rolls = [first]
        while self.token[0] == ";":
            self.advance()
            if self.token[0] == "end":
                break
            rolls.append(self._throws())
        if self.token[0] != "end":
            raise _refusals().leftover(self)
        if len(rolls) > MOST_ROLLS:
            raise self.error("too-many-rolls", f"a line has at most {MOST_ROLLS:,} rolls")
        return tuple(rolls)

    def _throws(self) -> RollNode:
        kind, _, start, _ = self.token
        times = self._times() if kind == "number" and self.following() == "x" else 1
        part = self.expression(SUM)
        if self.token[0] == "end":
            return new(RollNode, ((start, self.last_end), times, part))
        part = modifiers.with_advantage(self, part, start)
        if self.token[0] != "vs":
            return RollNode((start, self.last_end), times, part)
        self.advance()
        target = self.expression(SUM)
        natural = self.advance()[0] if self.token[0] in ("nat", "auto") else ""
        part = modifiers.with_advantage(self, part, start)
        span = (start, self.last_end)
        return RollNode(span, times, VersusNode(span, part, target, natural))

    def _times(self) -> int:
        _, digits, start, end = self.advance()
        self.advance()
        if "." in digits or not 1 <= int(digits) <= MOST_ROLLS:
            raise NotationError(
                "too-many-rolls", self.text, (start, end),
                f"a roll is repeated 1 to {MOST_ROLLS:,} times, not {digits[:20]}",
                f"{self.text[:start]}{MOST_ROLLS}{self.text[end:]}",
                self.text[:start] + "6" + self.text[end:],
            )  # fmt: skip
        return int(digits)

    def expression(self, floor: int) -> Node:
        """Read the next part, with every operation of at least this rank."""
        if self._is_long:
            self._count(1)
        kind, _, start, _ = self.token
        if kind in BEFORE:
            left = self._signs()
        else:
            left = self._simple_dice() if kind == "dice" else self._term()
            if self.token[0] in BEHIND:
                left = self._read_behind(left, start)
        while (rank := RANKS.get(self.token[0], 0)) >= floor:
            left = self._power(left) if rank == RAISED else self._chain(left, rank)
        return left

    def _chain(self, left: Node, rank: int) -> Node:
        rest: list[tuple[str, Node]] = []
        while RANKS.get(sign := self.token[0]) == rank:
            self.token = next(self._ahead)
            rest.append((sign, self.expression(rank + 1)))
        return new(ChainNode, ((left.span[0], self.last_end), left, tuple(rest)))

    def _power(self, base: Node) -> Node:
        self.advance()
        self._deeper()
        exponent = self.expression(RAISED)
        self._depth -= 1
        return PowerNode((base.span[0], self.last_end), base, exponent)

    def _count(self, parts: int) -> None:
        self._terms += parts
        if self._terms > MOST_TERMS:
            raise self.error("too-many-terms", f"an expression has at most {MOST_TERMS:,} parts")

    def _deeper(self, levels: int = 1) -> None:
        self._depth += levels
        if self._depth >= DEEPEST:
            raise self._too_deep()

    def _too_deep(self) -> NotationError:
        return self.error("too-deep", f"parts can stand inside each other at most {DEEPEST} deep")

    def _signs(self) -> Node:
        """A part with the signs and labels before it, and with what is the best of it."""
        start = self.token[2]
        negative = False
        labels = []
        while self.token[0] in SIGNED:
            kind, word, _, _ = self.advance()
            if kind == "label":
                labels.append(word)
            elif kind == "-":
                negative = not negative
        self._deeper()
        best = modifiers.best_of(self)
        here = self.token[2]
        part = self._read_behind(self._term(), here, labels, best)
        if negative and self.token[0] == "**":
            part = self._power(part)
        self._depth -= 1
        return self.negate(part, start) if negative else part

    def negate(self, part: Node, start: int) -> Node:
        """The part with its sign turned."""
        if isinstance(part, NumberNode):
            return NumberNode((start, part.span[1]), -part.value)
        return ChainNode((start, part.span[1]), NumberNode((start, start), 0), (("-", part),))

    def _read_behind(
        self, part: Node, start: int, before: Sequence[str] = (), best: Modifier | None = None
    ) -> Node:
        """A part with all that is said of it behind it, and with what was said before it."""
        labels = [*before]
        found = self._modifiers(part, start, labels)
        end = found[-1].span[1] if found else part.span[1]
        if best is not None:
            found = modifiers.insert_best(self, part, best, found)
            start = best.span[0]
        if type(part) is DiceNode:
            self.dice_end = self.last_end
        if found and isinstance(part, (DiceNode, GroupNode)):
            part = self._apply_modifiers(part, found, (start, end))
        if labels and (label := " ".join(filter(None, labels))):
            part = LabelNode(part.span, part, label)
        return self._margin(part) if self.token[0] == "ms" else part

    def _modifiers(self, part: Node, start: int, labels: list[str]) -> list[Modifier]:
        """Read the modifiers of dice or of a group; labels are added to those that are known."""
        found: list[Modifier] = []
        while (kind := self.token[0]) in BEHIND:
            if kind == "label":
                labels.append(self.advance()[1])
            elif kind == "ms" or self._ends_here(kind, part):
                break
            elif not isinstance(part, (DiceNode, GroupNode)):
                raise _refusals().not_dice(self, part, start)
            else:
                if self._is_long:
                    self._count(OF_A_MODIFIER)
                found.append(modifiers.modifier(self, start))
                if len(found) > modifiers.MOST_MODIFIERS:
                    raise modifiers.too_many(self.text, found[-1])
        return found

    def _apply_modifiers(
        self, part: DiceNode | GroupNode, found: list[Modifier], span: Span
    ) -> DiceNode | GroupNode:
        """Dice or a group with what is said of them."""
        every = (*part.modifiers, *found)
        if type(part) is DiceNode:
            _, number, sides, faces, _, digits = part
            modifiers.check_order(self.text, every, sides)
            return new(DiceNode, (span, number, sides, faces, every, digits))
        modifiers.check_order(self.text, every, None)
        return part._replace(span=span, modifiers=every)

    def _ends_here(self, kind: str, part: Node) -> bool:
        """Check whether the next token modifies the whole roll, or compares it."""
        if kind == "adv" or kind == "dis":
            return not isinstance(part, (DiceNode, GroupNode))
        return self._comparing and kind in modifiers.COMPARISONS

    def _margin(self, part: Node) -> Node:
        """`ms15`: by how much dice are above a number; `ms<15`: by how much below it."""
        here = self.advance()[2]
        below = self.token[0] in ("<", "<=")
        if self.token[0] in modifiers.COMPARISONS:
            self.advance()
        amount = self.amount() or modifiers.missing(self, here, "15")
        span = (part.span[0], self.last_end)
        return (
            ChainNode(span, amount, (("-", part),))
            if below
            else ChainNode(span, part, (("-", amount),))
        )

    def _term(self) -> Node:
        """Read a number, dice, or anything else that can be alone."""
        kind, _, start, _ = self.token
        number: Node | None = None
        if kind == "number":
            number = self._number()
        elif kind == "dice":
            return self._simple_dice()
        elif kind not in DICE:
            number = self._primary()
        if number is not None and self.token[0] not in DICE:
            return number
        return self._dice(number, start)

    def _number(self) -> NumberNode:
        """Read a number."""
        _, digits, start, end = self.token
        self.last_end = end
        self.token = next(self._ahead)
        return new(NumberNode, ((start, end), _exact(digits) if "." in digits else int(digits)))

    def _simple_dice(self) -> DiceNode:
        """Dice that are written in one word, `4d6`."""
        _, word, start, end = self.token
        self.last_end = self.dice_end = end
        self.token = next(self._ahead)
        return _known_dice.get((word, start)) or _dice_of(word, start)

    def _primary(self) -> Node:
        """A variable, a function, a bracket or a group."""
        kind, word, start, end = self.token
        if kind == "variable":
            self.advance()
            return VariableNode((start, end), word)
        if kind in CLOSINGS:
            parts = self._list(CLOSINGS[kind])
            span = (start, self.last_end)
            if kind == "{" or len(parts) > 1:
                return GroupNode(span, parts, ())
            return parts[0]._replace(span=span)
        if kind in FUNCTIONS:
            return self._function(kind, start)
        if kind == "if":
            return self._choice(start)
        if kind in ("adv", "dis"):
            self.advance()
            twenty, said = NumberNode((start, end), 20), Modifier((start, end), kind, "", None)
            return DiceNode((start, end), None, twenty, (), (said,))
        raise _refusals().unexpected_token(self)

    def _dice(self, count: Node | None, start: int) -> Node:
        """Read dice; more dice do not follow what is dice already."""
        kind, _, here, end = self.token
        if kind in FIXED_FACES:
            self.advance()
            faces: tuple[Node, ...]
            faces = tuple([NumberNode((here, end), face) for face in FIXED_FACES[kind]])
            self.dice_end = end
            return DiceNode((start, end), count, None, faces, ())
        if count and type(count) is not NumberNode and _is_dice(count, self.text[start]):
            return count
        self.advance()
        if kind == "dd":
            digits = self._digits(here, end)
            self.dice_end = self.last_end
            return DiceNode((start, self.last_end), count, None, (), (), digits)
        sides = self.amount()
        self.dice_end = end = self.last_end
        if sides is not None:
            return new(DiceNode, ((start, end), count, sides, (), (), ""))
        if self.token[0] == "%":
            self.advance()
            return DiceNode(
                (start, self.last_end), count, NumberNode((end, self.last_end), 100), (), ()
            )
        if self.token[0] == "{":
            faces = self._list("}")
            return DiceNode((start, self.last_end), count, None, faces, ())
        raise NotationError(
            "missing-number", self.text, (here, end), "how many sides have these dice?",
            self.text[:end] + "6" + self.text[end:], self.text[:here] + self.text[end:],
        )  # fmt: skip

    def _digits(self, start: int, end: int) -> str:
        """The sides of digit dice: `66` for two six-sided ones."""
        kind, digits, here, last = self.token
        if kind == "number" and 2 <= len(digits) <= MOST_DIGITS and not set(digits) & set("01."):
            return self.advance()[1]
        text = self.text
        raise NotationError(
            "bad-digits", text, (here, last) if kind == "number" else (start, end),
            f"digit dice have 2 to {MOST_DIGITS} digits from 2 to 9, a die for each: dd66",
            text[:start] + "d" + text[end:],
            text[:end] + "66" + text[last if kind == "number" else end:],
        )  # fmt: skip

    def amount(self) -> Node | None:
        """Read a number, a variable or something in brackets, if it is next."""
        kind, word, start, end = self.token
        if kind == "number":
            return self._number()
        if kind == "variable":
            self.advance()
            return VariableNode((start, end), word)
        if kind not in ("(", "[["):
            return None
        self.advance()
        self._deeper(2)
        comparing, self._comparing = self._comparing, False
        inside = self.expression(SUM)
        self._comparing = comparing
        self._depth -= 2
        self._close(CLOSINGS[kind], start)
        return inside._replace(span=(start, self.last_end))

    def _list(self, closing: str) -> tuple[Node, ...]:
        """Read parts from a bracket to its end, with commas between them."""
        comparing, self._comparing = self._comparing, False
        start = self.advance()[2]
        self._deeper()
        parts = [self.expression(SUM)]
        while self.token[0] == ",":
            self.advance()
            parts.append(self.expression(SUM))
            if len(parts) > MOST_LISTED:
                sentence = f"at most {MOST_LISTED} parts are listed in one place"
                raise self.error("too-many-terms", sentence)
        self._close(closing, start)
        self._depth -= 1
        self._comparing = comparing
        return tuple(parts)

    def _function(self, name: str, start: int) -> Node:
        self._open(name, start)
        arguments = self._list(")")
        span = (start, self.last_end)
        wanted = FUNCTIONS[name]
        if wanted and len(arguments) != wanted:
            raise self._arguments(name, wanted, arguments, span)
        return PowerNode(span, *arguments) if name == "pow" else FunctionNode(span, name, arguments)

    def _open(self, name: str, start: int) -> None:
        """Go on to the bracket that must follow a name."""
        self.advance()
        if self.token[0] == "(":
            return
        end = self.last_end
        values = {"pow": "(1d6, 2)", "if": "(1d20 >= 11, 1d6, 0)"}.get(name, "(1d6)")
        raise NotationError(
            "unexpected", self.text, (start, end), f"{name} is followed by its values in brackets",
            f"{self.text[:end]}{values}{self.text[end:]}", f"{self.text[:start]}{self.text[end:]}",
        )  # fmt: skip

    def _arguments(
        self, name: str, wanted: int, given: tuple[Node, ...], span: Span
    ) -> NotationError:
        written = [self.text[one.span[0] : one.span[1]] for one in given[:wanted]]
        if len(written) < wanted:
            written.append("2")
        takes = "one value" if wanted == 1 else f"{wanted} values"
        return NotationError(
            "arguments", self.text, span, f"{name} takes {takes}, not {len(given)}",
            f"{self.text[:span[0]]}{name}({', '.join(written)}){self.text[span[1]:]}",
        )  # fmt: skip

    def _choice(self, start: int) -> Node:
        """`if(a >= b, c, d)`; without a comparison, whether it is anything but 0."""
        self._open("if", start)
        bracket = self.advance()[2]
        self._deeper()
        comparing, self._comparing = self._comparing, True
        left = self.expression(SUM)
        compare, here = "<>", (self.last_end, self.last_end)
        right: Node = NumberNode(here, 0)
        if self.token[0] in modifiers.COMPARISONS:
            compare = self.advance()[0]
            right = self.expression(SUM)
        self._comparing = False
        if self.token[0] != ",":
            raise _refusals().unexpected_token(self, ", 1d6")
        self.advance()
        then = self.expression(SUM)
        otherwise: Node = NumberNode(here, 0)
        if self.token[0] == ",":
            self.advance()
            otherwise = self.expression(SUM)
        self._comparing = comparing
        self._depth -= 1
        self._close(")", bracket)
        return ChoiceNode((start, self.last_end), left, compare, right, then, otherwise)

    def _close(self, closing: str, start: int) -> None:
        if self.token[0] == closing:
            self.advance()
            return
        if self.token[0] == "end":
            raise NotationError(
                "unclosed", self.text, (start, start + 1), "this bracket is never closed",
                self.text[: self.token[2]].rstrip() + _refusals().closings(self),
            )  # fmt: skip
        raise _refusals().unexpected_token(self, closing)

    def error(self, code: str, sentence: str, *repairs: str) -> NotationError:
        """Return an error at the next token."""
        return NotationError(code, self.text, self.token[2:], sentence, *repairs)


def _refusals() -> ModuleType:
    """Return the module that explains mistakes; loaded when there is one."""
    from rollwright.notation import repairs as suggestions

    return suggestions


def _is_dice(part: Node, opening: str) -> bool:
    """Whether a part is dice already, and not in brackets, so that no more dice can follow it."""
    return isinstance(part, (DiceNode, GroupNode)) and opening not in "(["


def _dice_of(word: str, start: int) -> DiceNode:
    """Dice in one word that begins at this place."""
    number, _, sides = word.partition("d")
    here, end = start + len(number), start + len(word)
    count = new(NumberNode, ((start, here), int(number)))
    faces = new(NumberNode, ((here + 1, end), int(sides)))
    dice = new(DiceNode, ((start, end), count, faces, (), (), ""))
    if len(_known_dice) >= MOST_KNOWN:
        _known_dice.clear()
    _known_dice[word, start] = dice
    return dice


MOST_KNOWN = 1_000
_known_dice: dict[tuple[str, int], DiceNode] = {}
"""Most lines begin with dice that others began with."""


def _exact(digits: str) -> Amount:
    """A number with decimals."""
    from fractions import Fraction

    exact = Fraction(digits)
    return exact.numerator if exact.denominator == 1 else exact
