"""Results as people read them: one line, a tree, and plain data."""

from __future__ import annotations

from typing import Any

from rollwright.notation.told import Shown, Told, groups

MOST_DICE = 100
"""So many dice are listed; how many more there are is said."""


def amount(value: Any) -> str:
    """A value as it is said: a number, a fraction, a degree of success."""
    return str(value)


def die(shown: Shown) -> str:
    """One die: `~2~` dropped, `1→4` re-rolled, `6!` exploded, `8✓` success, `1✗` failure.

    >>> die(Shown((1, 4), 4, kept=False))
    '~1→4~'
    """
    said = "→".join(map(amount, shown.faces))
    if shown.value != shown.faces[-1]:
        said += f"⇒{amount(shown.value)}"
    said = ("+" if shown.extra else "") + said
    said += "!" if shown.exploded else ""
    said += "‖" if shown.cut else ""
    said += {1: "✓", -1: "✗"}.get(shown.score or 0, "")
    said += "↑" if shown.critical else ""
    said += "↓" if shown.fumble else ""
    return said if shown.kept else f"~{said}~"


def dice(shown: tuple[Shown, ...]) -> str:
    """Several dice in brackets."""
    listed = [die(one) for one in shown[:MOST_DICE]]
    if len(shown) > MOST_DICE:
        listed.append(f"… {len(shown) - MOST_DICE:,} more")
    return f"[{' '.join(listed)}]"


def line(text: str, told: Told) -> str:
    """The expression with its dice behind each term, and what it came to."""
    start, end = told.span
    said = []
    for at, shown in _thrown(told):
        said.append(f"{text[start:at].rstrip()} {dice(shown)}")
        start = at
    said.append(text[start:end].rstrip())
    return f"{''.join(said).strip()} = {amount(told.value)}"


def _thrown(told: Told) -> list[tuple[int, tuple[Shown, ...]]]:
    """Every term with dice, by where it ends in the text."""
    found = []
    waiting = [told]
    while waiting:
        one = waiting.pop()
        waiting += one.parts
        if one.shown:
            found.append((one.span[1], one.shown))
    return sorted(found, key=lambda pair: pair[0])


def grouped(told: Told) -> str:
    """The totals by label, `8 fire, 3 cold`; nothing where there is no label."""
    totals = groups(told)
    if not any(totals):
        return ""
    return ", ".join([f"{amount(total)} {label}".rstrip() for label, total in totals.items()])


def tree(text: str, told: Told) -> list[str]:
    """One line for each part, indented below what it belongs to."""
    start, end = told.span
    label = f" [{told.label}]" if told.label else ""
    thrown = f"  {dice(told.shown)}" if told.shown else ""
    lines = [f"{amount(told.value)}  {' '.join(text[start:end].split())}{label}{thrown}"]
    for place, part in enumerate(told.parts):
        last = place == len(told.parts) - 1
        first, *others = tree(text, part)
        lines.append(("└ " if last else "├ ") + first)
        lines += [("  " if last else "│ ") + other for other in others]
    return lines


def plain(text: str, told: Told) -> dict[str, Any]:
    """A part as what JSON can hold; numbers too long for other parsers are text."""
    made: dict[str, Any] = {
        "text": text[told.span[0] : told.span[1]],
        "span": list(told.span),
        "value": plain_value(told.value),
    }
    if told.label:
        made["label"] = told.label
    if told.shown:
        made["dice"] = [_plain_die(one) for one in told.shown]
    if told.parts:
        made["parts"] = [plain(text, part) for part in told.parts]
    return made


def _plain_die(shown: Shown) -> dict[str, Any]:
    made: dict[str, Any] = {
        "faces": [plain_value(face) for face in shown.faces],
        "value": plain_value(shown.value),
        "kept": shown.kept,
    }
    if shown.score is not None:
        made["success"] = shown.score > 0
        made["failure"] = shown.score < 0
    for name in ("exploded", "extra", "critical", "fumble", "cut"):
        if getattr(shown, name):
            made[name] = True
    return made


def plain_value(value: Any) -> Any:
    """A value as what JSON can hold, exactly."""
    if isinstance(value, tuple) and hasattr(value, "name"):
        return value.name
    if type(value) is tuple:
        return [plain_value(one) for one in value]
    if type(value) is int and abs(value) < 2**53:
        return value
    return str(value)
