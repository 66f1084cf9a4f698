"""Values of an AnyDice program as Python with our words.

Dice stay dice for as long as they can, since a variable holds them and not a roll. Where a number
is wanted inside a rule, they are thrown: `await tally(2 * D6)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rollwright.anydice import tree
from rollwright.anydice.calls import BUILT_IN
from rollwright.anydice.codes import (
    ADDED,
    LOOSE,
    TIGHT,
    TIMES,
    NameScope,
    NeedsRule,
    NoTranslation,
    PythonCode,
    any_die,
    number,
    numbers_in,
    parenthesize,
)

if TYPE_CHECKING:
    from rollwright.anydice.errors import Span

NOTHING_ADDED = ("+", "-", "|")
"""Operators beside which a die without faces counts as 0."""
USUAL_SIDES = (4, 6, 8, 10, 12, 20, 100)
COMPARED = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


class ExpressionWriter:
    """Writes values; `call` writes those of functions that a program defines."""

    def __init__(self, setting: Callable[[str], Any], empty: frozenset[Span]) -> None:
        self.setting = setting
        self.empty = empty
        """Places of dice without faces."""
        self.helpers: set[str] = set()
        self.name: Callable[[str], str] = str
        self.call: Callable[[tree.FunctionCall, NameScope, bool], PythonCode | None] = lambda *_: (
            None
        )
        self.apart: Callable[[tree.Value], PythonCode] = _not_apart

    def helper(self, name: str) -> str:
        """One of the helpers, which is then defined."""
        self.helpers.add(name)
        return name

    def value(self, node: tree.Value, scope: NameScope, rolled: bool = False) -> PythonCode:
        """A value as it is; where it may be `rolled`, what is thrown for it is thrown now."""
        if isinstance(node, tree.NumberLiteral):
            return number(node.value)
        if isinstance(node, tree.Variable):
            found = scope.kinds.get(node.name)
            if found is None:
                raise NoTranslation("variable", node.span, name=node.name)
            if found.is_inline:
                return found
            return found._replace(text=self.name(node.name), rank=TIGHT, value=None)
        if isinstance(node, tree.Braces):
            return self.row(node, scope)
        if isinstance(node, tree.Unary):
            return self.unary(node, scope, rolled)
        if isinstance(node, tree.FunctionCall):
            found = self.call(node, scope, rolled)
            return self.built_in(node, scope, rolled) if found is None else found
        return self.binary(node, scope, rolled)

    def still(self, node: tree.Value, scope: NameScope) -> PythonCode:
        """A value that AnyDice takes as it is, dice too: nothing may have been thrown for it."""
        found = self.value(node, scope)
        is_fixed = found.kind in ("number", "row") and found.is_die is False
        if "await" in found.text and not is_fixed:
            raise NoTranslation("held", node.span)
        return found

    def for_variable(self, code: PythonCode) -> PythonCode:
        """Return what a variable can hold: dice that explode are counted before, as no rule can."""
        if code.is_thrown and "explode(" in code.text:
            return PythonCode("odds", f"rw.odds({code.text})")
        return code

    def number(self, node: tree.Value, scope: NameScope) -> PythonCode:
        """A number: dice are thrown, a sequence is added up."""
        return self.as_number(self.value(node, scope, rolled=True), scope)

    def as_number(self, code: PythonCode, scope: NameScope) -> PythonCode:
        """A piece of Python as a number."""
        if code.kind == "number":
            return code
        if code.kind == "row":
            return PythonCode("number", f"sum({code.text})", is_die=code.is_die)
        if not scope.is_rule:
            raise NeedsRule
        return PythonCode("number", f"await tally({self.throwable(code)})", TIMES, is_die=True)

    def throwable(self, code: PythonCode) -> str:
        """Dice, or a die that shows what odds say."""
        if code.kind == "dice" or code.is_thrown:
            return code.text
        return f"Die({code.text})"

    def die(self, code: PythonCode, scope: NameScope) -> PythonCode:
        """Dice as they are, and odds as one die."""
        return code if code.kind == "dice" else self.one_die(code, scope)

    def one_die(self, code: PythonCode, scope: NameScope) -> PythonCode:
        """Dice or odds as one die, which shows what they add up to."""
        if code.kind == "dice" and code.size == 1:
            return code
        return PythonCode("dice", f"Die({self.odds(code, scope, LOOSE)})", size=1)

    def sequence(self, node: tree.Value, scope: NameScope) -> PythonCode:
        """Return a function's argument as a sequence: dice are thrown."""
        found = self.rolled_row(self.value(node, scope, rolled=True), scope)
        if found.is_die is None:
            raise NoTranslation("held", node.span)
        return found

    def rolled_row(self, code: PythonCode, scope: NameScope) -> PythonCode:
        """A sequence: of a number it is that number, of dice a throw of them."""
        if code.kind == "row":
            return code
        if code.kind == "number":
            return PythonCode("row", f"({code.text},)", is_die=code.is_die)
        if not scope.is_rule:
            raise NeedsRule
        if code.kind == "odds":
            return self.rolled_row(self.as_number(code, scope), scope)
        order = self.helper("in_order")
        back = "[::-1]" if self.setting("lowest_first") else ""
        return PythonCode("row", f"{order}(await roll({code.text})){back}", is_die=True)

    def row(self, node: tree.Braces, scope: NameScope) -> PythonCode:
        """A sequence as it is written."""
        pieces = [self._items(item, scope) for item in node.items]
        if len(pieces) != 1:
            return PythonCode("row", f"({', '.join(pieces)})")
        [piece] = pieces
        if piece.startswith("*range("):
            return PythonCode("row", f"tuple({piece[1:]})")
        if piece.startswith("*") and isinstance(node.items[0], tree.Variable):
            return PythonCode("row", piece[1:])
        return PythonCode("row", f"({piece},)")

    def _items(self, item: tree.Value | tree.Range | tree.Repetition, scope: NameScope) -> str:
        if isinstance(item, tree.Range):
            first, last = self._plain(item.first, scope), self._plain(item.last, scope)
            end = (
                str(last.value + 1)
                if last.value is not None
                else f"{parenthesize(last, ADDED)} + 1"
            )
            return f"*range({first.text}, {end})"
        if isinstance(item, tree.Repetition):
            inner = self._items(item.value, scope)
            return f"*[{inner}] * {parenthesize(self._plain(item.times, scope), TIGHT)}"
        found = self.still(item, scope)
        if found.kind == "row":
            return f"*{found.text}"
        if found.kind != "number":
            return f"*{self.odds(found, scope, TIGHT)}.outcomes"
        return found.text

    def _plain(self, node: tree.Value, scope: NameScope) -> PythonCode:
        found = self.still(node, scope)
        if found.kind not in ("number", "row"):
            raise NoTranslation("dice-in-braces", node.span)
        return self.as_number(found, scope)

    def unary(self, node: tree.Unary, scope: NameScope, rolled: bool) -> PythonCode:
        """One of `- + ! # d` before a value."""
        if node.sign == "d":
            return self.dice(number(1), node.value, scope, rolled, node.span)
        if node.sign == "#":
            return self._length(self.still(node.value, scope))
        found = self.value(node.value, scope, rolled)
        if node.sign == "+":
            return found
        if node.sign == "!":
            inner = self.as_number(found, scope)
            return PythonCode(
                "number", f"not {parenthesize(inner, ADDED)}", LOOSE, is_die=inner.is_die
            )
        if found.value is not None:
            return number(-found.value)
        if found.kind in ("number", "row") or (rolled and scope.is_rule):
            inner = self.as_number(found, scope)
            return PythonCode(
                "number", f"-{parenthesize(inner, TIMES)}", TIMES, is_die=inner.is_die
            )
        return PythonCode("odds", f"-{self.odds(found, scope)}", TIMES)

    def _length(self, found: PythonCode) -> PythonCode:
        """How many digits, elements or dice there are."""
        if found.kind == "number":
            return PythonCode("number", f"len(str(abs({found.text})))")
        if found.kind == "row":
            return PythonCode("number", f"len({found.text})")
        if found.kind == "odds":
            return number(1)
        if found.size is not None:
            return number(found.size)
        return PythonCode("number", f"{self.helper('dice_in')}({found.text})")

    def odds(self, code: PythonCode, scope: NameScope, rank: int = TIMES) -> str:
        """The odds of dice, to calculate with; nothing is counted while a rule runs."""
        if code.kind == "odds" and not code.is_thrown:
            return parenthesize(code, rank)
        if not scope.is_rule:
            return f"rw.odds({code.text})"
        return f"Dist.from_die({code.text})" if code.size == 1 else f"({code.text} + 0)"

    def binary(self, node: tree.Binary, scope: NameScope, rolled: bool) -> PythonCode:
        """Two values with an operator between them."""
        if node.sign == "d":
            count = self.value(node.left, scope, rolled)
            return self.dice(count, node.right, scope, rolled, node.span)
        if node.sign == "@":
            return self.pick(node, scope, rolled)
        left = self._side(node.left, node, scope, rolled)
        right = self._side(node.right, node, scope, rolled)
        if node.sign in COMPARED and "row" in (left.kind, right.kind):
            found = self._compare_rows(node, left, right)
            if found is not None:
                return found
        if not {"dice", "odds"}.intersection((left.kind, right.kind)):
            return self._join(node, *[self.as_number(one, scope) for one in (left, right)])
        if rolled and scope.is_rule:
            return self._join(node, *[self.as_number(one, scope) for one in (left, right)])
        return self._of_odds(node, left, right, scope)

    def _side(
        self, side: tree.Value, node: tree.Binary, scope: NameScope, rolled: bool
    ) -> PythonCode:
        """One side of an operator; a die without faces adds nothing."""
        if node.sign in NOTHING_ADDED and _is_no_die(side):
            return number(0)
        return self.value(side, scope, rolled)

    def _compare_rows(
        self, node: tree.Binary, left: PythonCode, right: PythonCode
    ) -> PythonCode | None:
        """How many elements hold, or how two sequences compare; None beside dice."""
        sign = COMPARED[node.sign]
        if left.kind == right.kind == "row":
            return PythonCode("number", f"{left.text} {sign} {right.text}", LOOSE)
        row, other = (left, right) if left.kind == "row" else (right, left)
        if other.kind != "number" or other.is_die:
            return None
        if "await" in other.text:
            raise NoTranslation("held", node.span)
        if sign == "==":
            return PythonCode("number", f"{row.text}.count({other.text})")
        known = parenthesize(other, ADDED)
        test = f"face {sign} {known}" if row is left else f"{known} {sign} face"
        return PythonCode("number", f"sum({test} for face in {row.text})")

    def _join(self, node: tree.Binary, left: PythonCode, right: PythonCode) -> PythonCode:
        """Two numbers with an operator between them."""
        found = self._calculate(node, left, right)
        positive = node.sign in ("+", "*") and left.is_positive and right.is_positive
        return found._replace(is_die=any_die(left, right), is_positive=positive)

    def _calculate(self, node: tree.Binary, left: PythonCode, right: PythonCode) -> PythonCode:
        sign = node.sign
        if sign in ("+", "-"):
            return PythonCode(
                "number", f"{parenthesize(left, ADDED)} {sign} {parenthesize(right, TIMES)}", ADDED
            )
        if sign == "*":
            return PythonCode(
                "number", f"{parenthesize(left, TIMES)} * {parenthesize(right, TIGHT)}", TIMES
            )
        if sign == "/":
            return PythonCode("number", f"{self.helper('cut')}({left.text}, {right.text})")
        if sign == "^":
            if right.value is None or right.value < 0:
                raise NoTranslation("power", node.span)
            return PythonCode("number", f"{parenthesize(left, TIGHT)} ** {right.text}", TIMES)
        if sign in ("&", "|"):
            word = "and" if sign == "&" else "or"
            return PythonCode(
                "number", f"bool({parenthesize(left, LOOSE)} {word} {parenthesize(right, LOOSE)})"
            )
        return PythonCode(
            "number",
            f"{parenthesize(left, ADDED)} {COMPARED[sign]} {parenthesize(right, ADDED)}",
            LOOSE,
        )

    def _of_odds(
        self, node: tree.Binary, left: PythonCode, right: PythonCode, scope: NameScope
    ) -> PythonCode:
        """Dice and odds with an operator that our own dice have; others are left to a rule."""
        sign = node.sign
        if "row" in (left.kind, right.kind):
            raise NeedsRule
        thrown = all([one.kind == "dice" or one.is_thrown for one in (left, right)])
        if sign == "+" and thrown:
            text = f"{parenthesize(left, ADDED)} + {parenthesize(right, ADDED)}"
            return PythonCode("odds", text, ADDED, is_thrown=True)
        if sign in ("+", "-"):
            return PythonCode(
                "odds", f"{parenthesize(left, ADDED)} {sign} {parenthesize(right, TIMES)}", ADDED
            )
        if sign == "*" and "number" in (left.kind, right.kind):
            known, dice = (left, right) if left.kind == "number" else (right, left)
            return PythonCode(
                "odds", f"{parenthesize(known, TIMES)} * {self.odds(dice, scope)}", TIMES
            )
        if sign in ("<", "<=", ">", ">="):
            return PythonCode(
                "odds", f"{parenthesize(left, ADDED)} {sign} {parenthesize(right, ADDED)}", LOOSE
            )
        if sign in ("=", "!=") and "number" in (left.kind, right.kind):
            known, dice = (left, right) if left.kind == "number" else (right, left)
            if "await" in known.text:
                raise NoTranslation("held", node.span)
            test = f"face {COMPARED[sign]} {parenthesize(known, ADDED)}"
            return PythonCode("odds", f"{self.odds(dice, scope, TIGHT)}.map(lambda face: {test})")
        raise NeedsRule

    def dice(
        self, count: PythonCode, sides: tree.Value, scope: NameScope, rolled: bool, span: Span
    ) -> PythonCode:
        """`count d sides`."""
        if span in self.empty:
            raise NoTranslation("no-faces", span)
        each = self._each(self._sides(sides, scope), scope)
        if count.kind == "row" or (rolled and scope.is_rule):
            count = self.as_number(count, scope)
        if count.kind != "number":
            raise NeedsRule
        if count.is_die is None:
            raise NoTranslation("held", span)
        several = self._several(count, each, scope)
        return self.as_number(several, scope) if count.is_die else several

    def _sides(self, node: tree.Value, scope: NameScope) -> PythonCode:
        """Return the sides of dice; what is thrown for them is counted apart."""
        try:
            return self.still(node, scope)
        except (NeedsRule, NoTranslation) as problem:
            if not scope.is_top or (isinstance(problem, NoTranslation) and problem.code != "held"):
                raise
            return self.apart(node)

    def _several(self, count: PythonCode, each: PythonCode, scope: NameScope) -> PythonCode:
        """So many dice; none are one that shows 0, and fewer than none are negated."""
        if count.value is None:
            if count.is_positive:
                return PythonCode("dice", f"{parenthesize(count, TIGHT)} * {each.text}", TIMES)
            return PythonCode("dice", f"{self.helper('several')}({count.text}, {each.text})")
        if count.value == 0:
            return PythonCode("dice", "Die([0])", size=1)
        if count.value < 0:
            each = PythonCode("dice", f"Die(-{self.odds(each, scope)})", size=1)
        many = abs(count.value)
        return each if many == 1 else PythonCode("dice", f"{many} * {each.text}", TIMES, many)

    def _each(self, sides: PythonCode, scope: NameScope) -> PythonCode:
        """One of the dice; dice for its sides are added up."""
        if sides.kind in ("dice", "odds"):
            return self.one_die(sides, scope)
        if sides.kind == "row":
            return PythonCode("dice", f"Die({sides.text})", size=1)
        if sides.value is None:
            word = "Die" if sides.is_positive else self.helper("sided")
            return PythonCode("dice", f"{word}({sides.text})", size=1)
        if sides.value == 0:
            return PythonCode("dice", "Die([0])", size=1)
        if sides.value < 0:
            return PythonCode("dice", f"Die(range({sides.value}, 0))", size=1)
        usual = sides.value in USUAL_SIDES
        return PythonCode("dice", f"D{sides.value}" if usual else f"Die({sides.value})", size=1)

    def pick(self, node: tree.Binary, scope: NameScope, rolled: bool) -> PythonCode:
        """`places @ value`."""
        places, found = self.still(node.left, scope), self.value(node.right, scope, rolled)
        if places.kind not in ("number", "row"):
            raise NoTranslation("places", node.left.span)
        if found.is_die is None:
            raise NoTranslation("held", node.right.span)
        if found.kind == "number" and not found.is_die:
            back = "[::-1]" if self.setting("lowest_first") else ""
            found = PythonCode("row", f"{self.helper('digits')}({found.text}){back}")
        if found.kind == "dice" and not rolled:
            return self._keep(node, found)
        row = self.rolled_row(found, scope)
        wanted = f"({places.text},)" if places.kind == "number" else places.text
        is_die = row.is_die and self._is_there(node.left)
        return PythonCode("number", f"{self.helper('at')}({wanted}, {row.text})", is_die=is_die)

    def _is_there(self, places: tree.Value) -> bool | None:
        """Whether one of the places is there for sure, as the first is; without any it is 0."""
        return True if 1 in (numbers_in(places) or ()) else None

    def _keep(self, node: tree.Binary, found: PythonCode) -> PythonCode:
        """Dice by rank, where everything about it is known."""
        wanted = numbers_in(node.left)
        if found.size is None or wanted is None or len(set(wanted)) < len(wanted):
            raise NeedsRule
        count = found.size
        known = [place for place in wanted if 0 < place <= count]
        if self.setting("lowest_first"):
            known = [count + 1 - place for place in known]
        if not known:
            return number(0)
        if count == 1:
            return PythonCode("odds", found.text, found.rank, is_thrown=True)
        return PythonCode("odds", f"keep({found.text}, ranks={known})")

    def built_in(self, node: tree.FunctionCall, scope: NameScope, rolled: bool) -> PythonCode:
        """A function that every program has."""
        words = " ".join("…" if word is None else word for word in node.pattern)
        write = BUILT_IN.get(words)
        if write is None:
            raise NoTranslation("function", node.span, name=f"[{words}]")
        return write(self, node, scope, rolled)


def _not_apart(node: tree.Value) -> PythonCode:
    raise NeedsRule


def _is_no_die(node: tree.Value) -> bool:
    """Whether this is `d{}`."""
    if not isinstance(node, tree.Unary) or node.sign != "d":
        return False
    return isinstance(node.value, tree.Braces) and not node.value.items
