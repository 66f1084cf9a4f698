"""Distributions as people read them in a few lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rollwright.exact.outcomes import Outcomes

MOST_LINES = 12
READABLE_TOTAL = 10**6
CHANCES_AT_ONCE = 6


def percent(weight: int, total: int) -> str:
    """A share in percent with two or three telling digits, never rounded to 0 or to all.

    >>> percent(1, 3), percent(1, 10**6), percent(999, 1000), percent(1, 1)
    ('33 %', '0.0001 %', '99.9 %', '100 %')
    """
    for places in range(CHANCES_AT_ONCE):
        scale = 10**places
        shown = (200 * weight * scale + total) // (2 * total)
        if weight == total or 10 <= shown < 100 * scale:
            break
        if 0 < shown < 100 * scale and shown * total == 100 * weight * scale:
            break
    else:
        if shown in (0, 100 * scale):
            return f"<{1 / scale} %" if shown == 0 else f">{100 - 1 / scale:.{places}f} %"
    if not places:
        return f"{shown} %"
    whole, part = divmod(shown, scale)
    return f"{whole}.{part:0{places}}".rstrip("0").rstrip(".") + " %"


def text(dist: Outcomes[Any]) -> str:
    """A heading and a line for each outcome, the least likely left out where there are many."""
    return "\n".join([heading(dist), *_lines(dist)])


def heading(dist: Outcomes[Any]) -> str:
    """How many outcomes there are, of what total."""
    count = len(dist)
    heading = f"Dist: {count} outcome{'s' if count > 1 else ''}"
    if dist.total <= READABLE_TOTAL:
        heading += f", total {dist.total}"
    if dist.lost:
        heading += f", lost {percent(dist.lost, dist.total)}"
    return heading


def _lines(dist: Outcomes[Any]) -> list[str]:
    """All outcomes, or where there are many those around the most likely one."""
    items = dist.items()
    spare = len(items) - MOST_LINES
    if spare <= 1:
        return _columns(items, dist.total)
    weights = [weight for _, weight in items]
    start = min(max(weights.index(max(weights)) - MOST_LINES // 2, 0), spare)
    lines = _columns(items[start : start + MOST_LINES], dist.total)
    before = [f"  … {start} more"] if start else []
    after = [f"  … {spare - start} more"] if spare > start else []
    return [*before, *lines, *after]


def _columns(items: list[tuple[Any, int]], total: int) -> list[str]:
    names = [str(outcome) for outcome, _ in items]
    wide = max(map(len, names))
    shares = [f"{weight}/{total}  " if total <= READABLE_TOTAL else "" for _, weight in items]
    broad = max(map(len, shares))
    return [
        f"  {name:>{wide}}  {share:>{broad}}{percent(weight, total)}"
        for name, share, (_, weight) in zip(names, shares, items, strict=True)
    ]
