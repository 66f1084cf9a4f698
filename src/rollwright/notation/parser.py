"""Tokens into a tree: a small Pratt parser that never goes deeper than it says."""

from __future__ import annotations

from rollwright.notation import modifiers, suggestions
from rollwright.notation.errors import NotationError, Span
from rollwright.notation.tokens import Token, tokens_of
from rollwright.notation.tree import (
    Amount,
    Chain,
    Choice,
    Dice,
    Function,
    Group,
    Labelled,
    Line,
    Modifier,
    Node,
    Number,
    Power,
    Throws,
    Variable,
    Versus,
)

DEEPEST = 40
MOST_TERMS = 6_000
OF_A_MODIFIER = 2
"""What is done to dice takes as long as so many parts."""
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


def parse(text: str) -> Line:
    """The tree of a text, or a refusal that says where and why.

    >>> parse("2d6").rolls[0].times
    1
    """
    return Parser(text).line()


class Parser:
    """Reads one text from left to right."""

    __slots__ = (
        "text", "tokens", "token", "last_end", "comment", "_next", "_depth", "_terms", "_comparing",
        "dice_end",
    )  # fmt: skip

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens, self.comment = tokens_of(text)
        self.token: Token = self.tokens[0]
        self.last_end = 0
        self._next = 1
        self._depth = 0
        self._terms = 0
        self.dice_end = 0
        """Where the dice end that were read last."""
        self._comparing = False
        """Whether a comparison compares what stands before it as a whole, and not its dice."""

    def advance(self) -> Token:
        """Take the token that stands here; the end stays where it is."""
        token = self.token
        self.last_end = token[3]
        if self._next < len(self.tokens):
            self.token = self.tokens[self._next]
            self._next += 1
        return token

    def following(self) -> str:
        """The kind of the token behind the one that stands here."""
        return self.tokens[self._next][0] if self._next < len(self.tokens) else "end"

    def line(self) -> Line:
        """Everything, up to the end."""
        if self.token[0] == "end":
            raise self.error("empty", "there is nothing to roll here")
        rolls = [self._throws()]
        while self.token[0] == ";":
            self.advance()
            if self.token[0] == "end":
                break
            rolls.append(self._throws())
        if self.token[0] != "end":
            raise suggestions.leftover(self)
        if len(rolls) > MOST_ROLLS:
            raise self.error("too-many-rolls", f"a line has at most {MOST_ROLLS:,} rolls")
        return Line(self.text, tuple(rolls), self.comment)

    def _throws(self) -> Throws:
        start = self.token[2]
        times = 1
        if self.token[0] == "number" and self.following() == "x":
            times = self._times()
        part = modifiers.with_advantage(self, self.expression(SUM), start)
        if self.token[0] != "vs":
            return Throws((start, self.last_end), times, part)
        self.advance()
        target = self.expression(SUM)
        natural = self.advance()[0] if self.token[0] in ("nat", "auto") else ""
        part = modifiers.with_advantage(self, part, start)
        span = (start, self.last_end)
        return Throws(span, times, Versus(span, part, target, natural))

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
        """The part that stands here, with every operation of at least this rank."""
        left = self._operand()
        rank = RANKS.get(self.token[0], 0)
        while rank >= floor:
            if rank == RAISED:
                self.advance()
                self._deeper()
                exponent = self.expression(RAISED)
                self._depth -= 1
                left = Power((left.span[0], self.last_end), left, exponent)
            else:
                left = self._chain(left, rank)
            rank = RANKS.get(self.token[0], 0)
        return left

    def _chain(self, left: Node, rank: int) -> Node:
        rest: list[tuple[str, Node]] = []
        while RANKS.get(self.token[0]) == rank:
            sign = self.advance()[0]
            rest.append((sign, self.expression(rank + 1)))
        return Chain((left.span[0], self.last_end), left, tuple(rest))

    def _count(self, parts: int) -> None:
        self._terms += parts
        if self._terms > MOST_TERMS:
            raise self.error("too-many-terms", f"an expression has at most {MOST_TERMS:,} parts")

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self.error(
                "too-deep", f"parts can stand inside each other at most {DEEPEST} deep"
            )

    def _operand(self) -> Node:
        """A part with its sign and labels."""
        start = self.token[2]
        negative = False
        labels = []
        while self.token[0] in ("-", "+", "label"):
            kind, word, _, _ = self.advance()
            if kind == "label":
                labels.append(word)
            elif kind == "-":
                negative = not negative
        self._deeper()
        part = self._labelled(labels)
        if negative and self.token[0] == "**":
            self.advance()
            exponent = self.expression(RAISED)
            part = Power((part.span[0], self.last_end), part, exponent)
        self._depth -= 1
        return self.negated(part, start) if negative else part

    def negated(self, part: Node, start: int) -> Node:
        """The part with its sign turned."""
        if isinstance(part, Number):
            return Number((start, part.span[1]), -part.value)
        return Chain((start, part.span[1]), Number((start, start), 0), (("-", part),))

    def _labelled(self, labels: list[str]) -> Node:
        best = modifiers.best_of(self)
        start = self.token[2]
        part = self._dice(self._primary(), start)
        found: list[Modifier] = []
        while True:
            kind = self.token[0]
            if kind == "label":
                labels.append(self.advance()[1])
            elif kind in modifiers.OPENERS and not self._ends_here(kind, part):
                if not isinstance(part, (Dice, Group)):
                    raise suggestions.not_dice(self, part, start)
                self._count(OF_A_MODIFIER)
                found.append(modifiers.modifier(self, start))
                modifiers.check_number(self.text, found)
            else:
                break
        if best is not None:
            found = modifiers.ranked(self, part, best, found)
            start = best.span[0]
        if isinstance(part, Dice):
            self.dice_end = self.last_end
        if found and isinstance(part, (Dice, Group)):
            sides = part.sides if isinstance(part, Dice) else None
            found = [*part.modifiers, *found]
            modifiers.check_order(self.text, found, sides)
            end = max(part.span[1], *[one.span[1] for one in found])
            part = part._replace(span=(start, end), modifiers=tuple(found))
        label = " ".join(filter(None, labels))
        made: Node = Labelled(part.span, part, label) if label else part
        return self._margin(made) if self.token[0] == "ms" else made

    def _ends_here(self, kind: str, part: Node) -> bool:
        """Whether what stands here is said of the whole roll, or compares it."""
        if kind in ("adv", "dis"):
            return not isinstance(part, (Dice, Group))
        return self._comparing and kind in modifiers.COMPARISONS

    def _margin(self, part: Node) -> Node:
        """`ms15`: by how much dice are above a number; `ms<15`: by how much below it."""
        here = self.advance()[2]
        below = self.token[0] in ("<", "<=")
        if self.token[0] in modifiers.COMPARISONS:
            self.advance()
        amount = self.amount() or modifiers.missing(self, here, "15")
        span = (part.span[0], self.last_end)
        return Chain(span, amount, (("-", part),)) if below else Chain(span, part, (("-", amount),))

    def _primary(self) -> Node | None:
        """A number, a variable, a function, a bracket or a group; None where dice begin."""
        kind, word, start, end = self.token
        self._count(1)
        if kind == "number":
            self.advance()
            return Number((start, end), _amount(word))
        if kind in DICE:
            return None
        if kind == "variable":
            self.advance()
            return Variable((start, end), word)
        if kind in suggestions.CLOSINGS:
            parts = self._listed(suggestions.CLOSINGS[kind])
            span = (start, self.last_end)
            if kind == "{" or len(parts) > 1:
                return Group(span, parts, ())
            return parts[0]._replace(span=span)
        if kind in FUNCTIONS:
            return self._function(kind, start)
        if kind == "if":
            return self._choice(start)
        if kind in ("adv", "dis"):
            self.advance()
            twenty, said = Number((start, end), 20), Modifier((start, end), kind, "", None)
            return Dice((start, end), None, twenty, (), (said,))
        raise suggestions.unexpected(self)

    def _dice(self, count: Node | None, start: int) -> Node:
        """Dice, if a `d` follows; otherwise the part itself."""
        kind, _, here, end = self.token
        fixed = kind in FIXED_FACES
        if (
            count
            and not fixed
            and ((kind != "d" and kind != "dd") or _ready_made(count, self.text[start]))
        ):
            return count
        self.advance()
        if kind in FIXED_FACES:
            faces = tuple([Number((here, end), face) for face in FIXED_FACES[kind]])
            return Dice((start, end), count, None, faces, ())
        if kind == "dd":
            return Dice((start, self.token[3]), count, None, (), (), self._digits(here, end))
        if self.token[0] == "%":
            self.advance()
            return Dice((start, self.last_end), count, Number((end, self.last_end), 100), (), ())
        if self.token[0] == "{":
            return Dice((start, 0), count, None, self._listed("}"), ())._replace(
                span=(start, self.last_end)
            )
        sides = self.amount()
        if sides is None:
            raise NotationError(
                "missing-number", self.text, (here, end), "how many sides have these dice?",
                self.text[:end] + "6" + self.text[end:], self.text[:here] + self.text[end:],
            )  # fmt: skip
        return Dice((start, self.last_end), count, sides, (), ())

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
        """A number, a variable or something in brackets, if one stands here."""
        kind, word, start, end = self.token
        if kind == "number":
            self.advance()
            return Number((start, end), _amount(word))
        if kind == "variable":
            self.advance()
            return Variable((start, end), word)
        if kind not in ("(", "[["):
            return None
        self.advance()
        self._deeper()
        comparing, self._comparing = self._comparing, False
        inside = self.expression(SUM)
        self._comparing = comparing
        self._depth -= 1
        self._close(suggestions.CLOSINGS[kind], start)
        return inside._replace(span=(start, self.last_end))

    def _listed(self, closing: str) -> tuple[Node, ...]:
        """Parts between the bracket that stands here and its end, with commas between them."""
        comparing, self._comparing = self._comparing, False
        start = self.advance()[2]
        parts = [self.expression(SUM)]
        while self.token[0] == ",":
            self.advance()
            parts.append(self.expression(SUM))
            if len(parts) > MOST_LISTED:
                sentence = f"at most {MOST_LISTED} parts are listed in one place"
                raise self.error("too-many-terms", sentence)
        self._close(closing, start)
        self._comparing = comparing
        return tuple(parts)

    def _function(self, name: str, start: int) -> Node:
        self._opened(name, start)
        arguments = self._listed(")")
        span = (start, self.last_end)
        wanted = FUNCTIONS[name]
        if wanted and len(arguments) != wanted:
            raise self._arguments(name, wanted, arguments, span)
        return Power(span, *arguments) if name == "pow" else Function(span, name, arguments)

    def _opened(self, name: str, start: int) -> None:
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
        self._opened("if", start)
        bracket = self.advance()[2]
        comparing, self._comparing = self._comparing, True
        left = self.expression(SUM)
        compare, here = "<>", (self.last_end, self.last_end)
        right: Node = Number(here, 0)
        if self.token[0] in modifiers.COMPARISONS:
            compare = self.advance()[0]
            right = self.expression(SUM)
        self._comparing = False
        if self.token[0] != ",":
            raise suggestions.unexpected(self, ", 1d6")
        self.advance()
        then = self.expression(SUM)
        otherwise: Node = Number(here, 0)
        if self.token[0] == ",":
            self.advance()
            otherwise = self.expression(SUM)
        self._comparing = comparing
        self._close(")", bracket)
        return Choice((start, self.last_end), left, compare, right, then, otherwise)

    def _close(self, closing: str, start: int) -> None:
        if self.token[0] == closing:
            self.advance()
            return
        if self.token[0] == "end":
            raise NotationError(
                "unclosed", self.text, (start, start + 1), "this bracket is never closed",
                self.text[: self.token[2]].rstrip() + suggestions.closings(self),
            )  # fmt: skip
        raise suggestions.unexpected(self, closing)

    def error(self, code: str, sentence: str, *repairs: str) -> NotationError:
        """A refusal of what stands here."""
        return NotationError(code, self.text, self.token[2:], sentence, *repairs)


def _ready_made(part: Node, opening: str) -> bool:
    """Whether a part is dice already, and not in brackets, so that no more dice can follow it."""
    return isinstance(part, (Dice, Group)) and opening not in "(["


def _amount(digits: str) -> Amount:
    if "." not in digits:
        return int(digits)
    from fractions import Fraction

    exact = Fraction(digits)
    return exact.numerator if exact.denominator == 1 else exact
