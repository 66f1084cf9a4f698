"""The functions that every AnyDice program has, as Python with our words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from rollwright.anydice import tree
from rollwright.anydice.codes import (
    ADDED,
    LOOSE,
    TIGHT,
    NameScope,
    NeedsRule,
    NoTranslation,
    PythonCode,
    any_die,
    number,
    parenthesize,
)

if TYPE_CHECKING:
    from rollwright.anydice.expressions import ExpressionWriter


PLAIN_DIE = re.compile(r"D\d+|Die\(\d+\)")


def extreme(
    writer: ExpressionWriter, node: tree.FunctionCall, scope: NameScope, rolled: bool
) -> PythonCode:
    """[highest N of D], [lowest N of D], and of several kinds."""
    end = node.pattern[0]
    few = writer.value(node.values[0], scope, rolled)
    pools = [writer.still(one, scope) for one in node.values[1:]]
    dice = [writer.die(one, scope) if one.kind == "odds" else one for one in pools]
    if any(one.kind != "dice" for one in dice):
        raise NoTranslation("dice-wanted", node.span)
    text = " + ".join(parenthesize(one, ADDED) for one in dice)
    counts = [one.size for one in dice]
    if few.value is not None and few.value < 1:
        return number(0)
    if few.value is None or None in counts or (rolled and scope.is_rule):
        return _few(writer, end, writer.as_number(few, scope), text, scope)
    size = sum([count for count in counts if count is not None])
    if few.value >= size:
        return PythonCode("odds", text, ADDED if len(dice) > 1 else dice[0].rank, is_thrown=True)
    if few.value == 1:
        return PythonCode("odds", f"{end}({text})")
    return PythonCode("odds", f"keep({text}, {end}={few.value})")


def _few(
    writer: ExpressionWriter, end: str | None, few: PythonCode, pool: str, scope: NameScope
) -> PythonCode:
    if not scope.is_rule:
        raise NeedsRule
    if few.value == 1:
        best = "min" if end == "lowest" else "max"
        return PythonCode("number", f"{best}(await roll({pool}))", is_die=True)
    back = "[::-1]" if end == "lowest" else ""
    row = f"{writer.helper('in_order')}(await roll({pool})){back}"
    first = few.text if few.is_positive else f"max({few.text}, 0)"
    is_die = True if few.is_positive or few.is_die else None
    return PythonCode("number", f"sum({row}[:{first}])", is_die=is_die)


def middle(
    writer: ExpressionWriter, node: tree.FunctionCall, scope: NameScope, rolled: bool
) -> PythonCode:
    """[middle N of D]."""
    few, dice = writer.value(node.values[0], scope), writer.still(node.values[1], scope)
    if few.value is None or dice.kind != "dice" or dice.size is None:
        raise NoTranslation("middle", node.span)
    wanted = max(min(few.value, dice.size), 0)
    first = (dice.size - wanted) // 2 + 1
    if not wanted:
        return number(0)
    ranks = list(range(first, first + wanted))
    found = PythonCode("odds", f"keep({dice.text}, ranks={ranks})")
    return writer.as_number(found, scope) if rolled and scope.is_rule else found


def one_of_two(
    writer: ExpressionWriter, node: tree.FunctionCall, scope: NameScope, rolled: bool
) -> PythonCode:
    """[highest of A and B], [lowest of A and B]."""
    one, other = [writer.number(value, scope) for value in node.values]
    word = "max" if node.pattern[0] == "highest" else "min"
    return PythonCode("number", f"{word}({one.text}, {other.text})", is_die=any_die(one, other))


def absolute(
    writer: ExpressionWriter, node: tree.FunctionCall, scope: NameScope, rolled: bool
) -> PythonCode:
    """[absolute N]."""
    found = writer.value(node.values[0], scope, rolled)
    if found.kind == "odds" and not found.is_thrown:
        return PythonCode("odds", f"abs({found.text})")
    inner = writer.as_number(found, scope)
    return PythonCode("number", f"abs({inner.text})", is_die=inner.is_die)


def contains(
    writer: ExpressionWriter, node: tree.FunctionCall, scope: NameScope, rolled: bool
) -> PythonCode:
    """[S contains N]."""
    row = writer.sequence(node.values[0], scope)
    wanted = writer.number(node.values[1], scope)
    text = f"{parenthesize(wanted, ADDED)} in {row.text}"
    return PythonCode("number", text, LOOSE, is_die=any_die(row, wanted))


def count(
    writer: ExpressionWriter, node: tree.FunctionCall, scope: NameScope, rolled: bool
) -> PythonCode:
    """[count V in S]."""
    wanted, row = [writer.sequence(value, scope) for value in node.values]
    if wanted.text.startswith("(") and wanted.text.endswith(",)") and "*" not in wanted.text:
        text = f"{row.text}.count({wanted.text[1:-2]})"
    else:
        text = f"{writer.helper('counted')}({wanted.text}, {row.text})"
    return PythonCode("number", text, is_die=any_die(wanted, row))


def explosion(
    writer: ExpressionWriter, node: tree.FunctionCall, scope: NameScope, rolled: bool
) -> PythonCode:
    """[explode D]: dice count as one."""
    found = writer.still(node.values[0], scope)
    if found.kind not in ("dice", "odds"):
        raise NoTranslation("dice-wanted", node.span)
    die = writer.one_die(found, scope).text
    if not PLAIN_DIE.fullmatch(die):  # comparisons have to become numbers before they explode
        die = f"Die({writer.odds(found, scope, ADDED)} + 0)"
    given = f"({die}, times={writer.setting('explode_depth')})"
    if scope.is_rule and not rolled:
        return PythonCode("dice", f"exploding_die{given}", size=1)
    code = PythonCode("odds", f"explode{given}", is_thrown=True)
    return writer.as_number(code, scope) if rolled and scope.is_rule else code


def maximum(
    writer: ExpressionWriter, node: tree.FunctionCall, scope: NameScope, rolled: bool
) -> PythonCode:
    """[maximum of D]."""
    found = writer.still(node.values[0], scope)
    if found.kind not in ("dice", "odds"):
        return writer.as_number(found, scope)
    return PythonCode("number", f"max({writer.odds(found, scope, TIGHT)}.outcomes)")


def reordering(
    writer: ExpressionWriter, node: tree.FunctionCall, scope: NameScope, rolled: bool
) -> PythonCode:
    """[reverse S] and [sort S]; what becomes of dice is added up."""
    row = writer.sequence(node.values[0], scope)
    if row.is_die:
        return writer.as_number(row, scope)
    if node.pattern[0] == "reverse":
        return PythonCode("row", f"{row.text}[::-1]")
    back = "[::-1]" if writer.setting("lowest_first") else ""
    return PythonCode("row", f"{writer.helper('in_order')}({row.text}){back}")


BUILT_IN: dict[
    str, Callable[[ExpressionWriter, tree.FunctionCall, NameScope, bool], PythonCode]
] = {
    "highest … of …": extreme,
    "lowest … of …": extreme,
    "highest … of … and …": extreme,
    "lowest … of … and …": extreme,
    "highest … of … and … and …": extreme,
    "lowest … of … and … and …": extreme,
    "middle … of …": middle,
    "highest of … and …": one_of_two,
    "lowest of … and …": one_of_two,
    "absolute …": absolute,
    "… contains …": contains,
    "count … in …": count,
    "explode …": explosion,
    "maximum of …": maximum,
    "reverse …": reordering,
    "sort …": reordering,
}
