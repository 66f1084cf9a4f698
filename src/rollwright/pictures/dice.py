"""Dice drawn as dice: a box with its face for each, in as many rows as the page needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rollwright.pictures.terminal import Page

ROUND = ("╭", "─", "╮", "│", "╰", "╯")
PLAIN = ("+", "-", "+", "|", "+", "+")


def drawn_dice(dice: Sequence[tuple[Any, Any]], page: Page) -> str:
    """Each die with its face inside and its kind below: `[(D8, 3), (D12, 11)]`."""
    boxes = [_box(str(face), _kind(die), page) for die, face in dice]
    lines: list[str] = []
    row: list[list[str]] = []
    for box in boxes:
        if row and sum(len(b[0]) + 1 for b in row) + len(box[0]) > page.width:
            lines += _joined(row)
            row = []
        row.append(box)
    return "\n".join(lines + _joined(row))


def _kind(die: Any) -> str:
    shape = f"D{len(die.faces)}"
    return f"{die.name} {shape}" if die.name else shape


def _box(face: str, kind: str, page: Page) -> list[str]:
    corner, flat, right, side, low, low_right = ROUND if page.unicode else PLAIN
    inside = max(len(face) + 2, 5)
    wide = max(inside + 2, len(kind))
    box = [
        corner + flat * inside + right,
        side + face.center(inside) + side,
        low + flat * inside + low_right,
        kind,
    ]
    return [line.center(wide) for line in box]


def _joined(row: list[list[str]]) -> list[str]:
    return [" ".join(parts).rstrip() for parts in zip(*row)]
