"""The functions that every AnyDice program has, as Python with our words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rollwright.anydice import tree
from rollwright.anydice.codes import (
    ADDED,
    LOOSE,
    TIGHT,
    Code,
    NeedsRule,
    Scope,
    Untranslated,
    held,
    number,
)

if TYPE_CHECKING:
    from rollwright.anydice.expressions import Writer


def extreme(writer: Writer, node: tree.Call, scope: Scope, rolled: bool) -> Code:
    """[highest N of D], [lowest N of D], and of several kinds."""
    end = node.pattern[0]
    few = writer.value(node.values[0], scope, rolled)
    pools = [writer.value(one, scope, rolled) for one in node.values[1:]]
    dice = [writer.die(one, scope) if one.kind == "odds" else one for one in pools]
    if any(one.kind != "dice" for one in dice):
        raise Untranslated("dice-wanted", node.span)
    text = " + ".join(held(one, ADDED) for one in dice)
    counts = [one.size for one in dice]
    if few.value is None or None in counts or (rolled and scope.is_rule):
        return _few(writer, end, writer.as_number(few, scope), text, scope)
    size = sum([count for count in counts if count is not None])
    if few.value < 1:
        return number(0)
    if few.value >= size:
        return Code("odds", text, ADDED if len(dice) > 1 else dice[0].rank, is_thrown=True)
    if few.value == 1:
        return Code("odds", f"{end}({text})")
    return Code("odds", f"keep({text}, {end}={few.value})")


def _few(writer: Writer, end: str | None, few: Code, pool: str, scope: Scope) -> Code:
    if not scope.is_rule:
        raise NeedsRule
    back = "[::-1]" if end == "lowest" else ""
    if few.value == 1:
        return Code("number", f"{'min' if back else 'max'}(await roll({pool}))")
    row = f"{writer.helper('in_order')}(await roll({pool})){back}"
    return Code("number", f"sum({row}[:{few.text}])")


def middle(writer: Writer, node: tree.Call, scope: Scope, rolled: bool) -> Code:
    """[middle N of D]."""
    few, dice = writer.value(node.values[0], scope), writer.value(node.values[1], scope)
    if few.value is None or dice.kind != "dice" or dice.size is None:
        raise Untranslated("middle", node.span)
    wanted = max(min(few.value, dice.size), 0)
    first = (dice.size - wanted) // 2 + 1
    if not wanted:
        return number(0)
    ranks = list(range(first, first + wanted))
    found = Code("odds", f"keep({dice.text}, ranks={ranks})")
    return writer.as_number(found, scope) if rolled and scope.is_rule else found


def one_of_two(writer: Writer, node: tree.Call, scope: Scope, rolled: bool) -> Code:
    """[highest of A and B], [lowest of A and B]."""
    one, other = [writer.number(value, scope) for value in node.values]
    word = "max" if node.pattern[0] == "highest" else "min"
    return Code("number", f"{word}({one.text}, {other.text})")


def absolute(writer: Writer, node: tree.Call, scope: Scope, rolled: bool) -> Code:
    """[absolute N]."""
    found = writer.value(node.values[0], scope, rolled)
    if found.kind == "odds" and not found.is_thrown:
        return Code("odds", f"abs({found.text})")
    return Code("number", f"abs({writer.as_number(found, scope).text})")


def contains(writer: Writer, node: tree.Call, scope: Scope, rolled: bool) -> Code:
    """[S contains N]."""
    row = writer.rolled_row(writer.value(node.values[0], scope), scope)
    wanted = writer.number(node.values[1], scope)
    return Code("number", f"{held(wanted, ADDED)} in {row.text}", LOOSE)


def counted(writer: Writer, node: tree.Call, scope: Scope, rolled: bool) -> Code:
    """[count V in S]."""
    wanted = writer.rolled_row(writer.value(node.values[0], scope), scope)
    row = writer.rolled_row(writer.value(node.values[1], scope), scope)
    if wanted.text.startswith("(") and wanted.text.endswith(",)"):
        return Code("number", f"{row.text}.count({wanted.text[1:-2]})")
    if "await" in row.text or "await" in wanted.text:
        name = "faces"
        inner = f"sum(map({name}.count, {wanted.text}))"
        return Code("number", f"(lambda {name}: {inner})({row.text})")
    return Code("number", f"sum(map({row.text}.count, {wanted.text}))")


def exploded(writer: Writer, node: tree.Call, scope: Scope, rolled: bool) -> Code:
    """[explode D]: dice count as one."""
    found = writer.value(node.values[0], scope)
    if found.kind not in ("dice", "odds"):
        raise Untranslated("dice-wanted", node.span)
    if found.kind == "dice" and found.size != 1:
        found = found._replace(kind="odds", is_thrown=True)
    text = f"explode({writer.die(found, scope).text}, times={writer.settings().explode_depth})"
    code = Code("odds", text, is_thrown=True)
    return writer.as_number(code, scope) if rolled and scope.is_rule else code


def maximum(writer: Writer, node: tree.Call, scope: Scope, rolled: bool) -> Code:
    """[maximum of D]."""
    found = writer.value(node.values[0], scope)
    if found.kind not in ("dice", "odds"):
        return writer.as_number(found, scope)
    return Code("number", f"max({writer.odds(found, scope)}.outcomes)")


def turned(writer: Writer, node: tree.Call, scope: Scope, rolled: bool) -> Code:
    """[reverse S] and [sort S]."""
    row = writer.rolled_row(writer.value(node.values[0], scope), scope)
    if node.pattern[0] == "reverse":
        return Code("row", f"{held(row, TIGHT)}[::-1]")
    back = "[::-1]" if writer.settings().lowest_first else ""
    return Code("row", f"{writer.helper('in_order')}({row.text}){back}")


BUILT_IN: dict[str, Callable[[Writer, tree.Call, Scope, bool], Code]] = {
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
    "count … in …": counted,
    "explode …": exploded,
    "maximum of …": maximum,
    "reverse …": turned,
    "sort …": turned,
}
