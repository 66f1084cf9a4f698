"""The full breakdown: each part with its value and dice, as a line, a tree or plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

if TYPE_CHECKING:
    from rollwright.dice import Outcome
    from rollwright.jsonable import Json
    from rollwright.notation.errors import Span
    from rollwright.notation.parts import Degree
    from rollwright.notation.tree import Amount

Value: TypeAlias = "Amount | Degree"
"""The result of one roll: a number, or a degree of success."""
V = TypeVar("V", covariant=True)
Entry: TypeAlias = "tuple[tuple[Amount, ...], Amount, bool, bool, bool]"
"""A die that has come to rest: its faces, its value, and whether it exploded, is extra, was cut."""


class DieResult(NamedTuple):
    """One die, or one result of a group, with what happened to it."""

    faces: tuple[Amount, ...]
    """The faces it showed, one throw after the other; the last one counts."""
    value: Amount
    """Its value after minimum, maximum and penetration."""
    kept: bool = True
    exploded: bool = False
    extra: bool = False
    """Thrown because the die before it exploded."""
    score: int | None = None
    """1 for a success, -1 for a failure, 0 for neither; None where nothing is counted."""
    critical: bool = False
    fumble: bool = False
    cut: bool = False
    """It would have exploded once more, but the stated bound was reached."""


class Breakdown(NamedTuple, Generic[V]):
    """A part of an expression as it came out."""

    span: Span
    value: V
    parts: tuple[Breakdown[Amount], ...] = ()
    shown: tuple[DieResult, ...] = ()
    shares: tuple[Amount, ...] | None = None
    """The factors of the parts before they were added; None if it was no such sum."""
    label: str = ""


def totals_by_label(told: Breakdown[Value]) -> dict[str, Amount]:
    """The total under each label, in the order in which they are written.

    Only sums are taken apart. Anything else counts under its own label, or under the only label
    used inside it; the rest has no label and counts under "".
    """
    made: dict[str, Amount] = {}
    for label, amount in _labels_with_amounts(told):
        made[label] = whole(made.get(label, 0) + amount)
    return made


def _labels_with_amounts(told: Breakdown[Value]) -> list[tuple[str, Amount]]:
    if told.shares is not None and not told.label:
        return [
            (label, amount * share)
            for part, share in zip(told.parts, told.shares, strict=True)
            if share
            for label, amount in _labels_with_amounts(part)
        ]
    if isinstance(told.value, str):
        return []  # a degree is no amount
    inside = {told.label} if told.label else labels(told)
    return [(inside.pop() if len(inside) == 1 else "", told.value)]


def labels(told: Breakdown[Value]) -> set[str]:
    """Every label used in a part."""
    found = {told.label} if told.label else set()
    for part in told.parts:
        found |= labels(part)
    return found


def whole(value: Amount) -> Amount:
    """A fraction that is whole, as a whole number."""
    return value.numerator if type(value) is not int and value.denominator == 1 else value


MOST_DICE = 100
"""So many dice are listed; how many more there are is said."""


def format_die(shown: DieResult) -> str:
    """One die: `~2~` dropped, `1→4` re-rolled, `6!` exploded, `8✓` success, `1✗` failure.

    >>> format_die(DieResult((1, 4), 4, kept=False))
    '~1→4~'
    """
    faces, value, kept, exploded, extra, score, critical, fumble, cut = shown
    said = format_rest((faces, value, exploded, extra, cut))
    if score or critical or fumble:
        said += "✗" if score == -1 else "✓" * (score or 0)
        said += "↑" if critical else ""
        said += "↓" if fumble else ""
    return said if kept else f"~{said}~"


def format_rest(entry: Entry) -> str:
    """One die that has come to rest, before it is kept and counted."""
    faces, value, exploded, extra, cut = entry
    said = str(faces[0]) if len(faces) == 1 else "→".join(map(str, faces))
    if value != faces[-1]:
        said += f"⇒{value}"
    if extra:
        said = "+" + said
    if exploded:
        said += "!"
    return said + "‖" if cut else said


def format_dice(shown: Sequence[DieResult], count: int = 0) -> str:
    """Several dice in brackets; where only the first are there, of so many."""
    said = [format_die(one) for one in shown[:MOST_DICE]]
    more = max(count, len(shown)) - len(said)
    if more:
        said.append(f"… {more:,} more")
    return f"[{' '.join(said)}]"


def format_totals(told: Breakdown[Value]) -> str:
    """The totals by label, `8 fire, 3 cold`; nothing where there is no label."""
    totals = totals_by_label(told)
    if not any(totals):
        return ""
    return ", ".join([f"{total} {label}".rstrip() for label, total in totals.items()])


def format_tree(text: str, told: Breakdown[Value]) -> list[str]:
    """One line for each part, indented below what it belongs to."""
    start, end = told.span
    label = f" [{told.label}]" if told.label else ""
    thrown = f"  {format_dice(told.shown)}" if told.shown else ""
    lines = [f"{told.value}  {' '.join(text[start:end].split())}{label}{thrown}"]
    for place, part in enumerate(told.parts):
        last = place == len(told.parts) - 1
        first, *others = format_tree(text, part)
        lines.append(("└ " if last else "├ ") + first)
        lines += [("  " if last else "│ ") + other for other in others]
    return lines


def breakdown_to_json(text: str, told: Breakdown[Value]) -> dict[str, Json]:
    """A part as what JSON can hold; numbers too long for other parsers are text."""
    made: dict[str, Json] = {
        "text": text[told.span[0] : told.span[1]],
        "span": list(told.span),
        "value": amount_to_json(told.value),
    }
    if told.label:
        made["label"] = told.label
    if told.shown:
        made["dice"] = [_die_to_json(one) for one in told.shown]
    if told.parts:
        made["parts"] = [breakdown_to_json(text, part) for part in told.parts]
    return made


def _die_to_json(shown: DieResult) -> dict[str, Json]:
    made: dict[str, Json] = {
        "faces": [amount_to_json(face) for face in shown.faces],
        "value": amount_to_json(shown.value),
        "kept": shown.kept,
    }
    if shown.score is not None:
        made["success"] = shown.score > 0
        made["failure"] = shown.score < 0
        if shown.score > 1:
            made["successes"] = shown.score
    for name in ("exploded", "extra", "critical", "fumble", "cut"):
        if getattr(shown, name):
            made[name] = True
    return made


def amount_to_json(value: Outcome) -> Json:
    """A value as what JSON can hold, exactly."""
    if type(value) is tuple:
        return [amount_to_json(one) for one in value]
    if type(value) is int and abs(value) < 2**53:
        return value
    return str(value)
