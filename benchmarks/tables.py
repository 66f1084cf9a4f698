"""Tables for the terminal and the same rows for the docs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.measuring import Ratio, Timing

WIDTH = 80


def milliseconds(seconds: float) -> str:
    """A time with three digits that matter.

    >>> milliseconds(0.0000314), milliseconds(0.0124), milliseconds(17.8)
    ('0.031', '12.4', '17,800')
    """
    value = seconds * 1000
    if value >= 100:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def time_of(timing: Timing, seconds: float | None = None) -> str:
    """What a table says about one library."""
    if timing.status == "over":
        return f"> {timing.computed:g} s"
    if timing.status != "ok":
        return timing.status
    return milliseconds(timing.computed if seconds is None else seconds)


def times(ratio: Ratio) -> str:
    """A ratio in words.

    >>> times(Ratio(7.71)), times(Ratio(2500.0, at_least=True)), times(Ratio(None))
    ('7.7×', '> 2,500×', 'alone')
    """
    if ratio.times is None:
        return "alone"
    value = ratio.times
    said = f"{value:,.0f}" if value >= 100 else f"{value:.0f}" if value >= 20 else f"{value:.1f}"
    return f"> {said}×" if ratio.at_least else f"{said}×"


def text_table(head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 2) -> str:
    """Columns as wide as they must be; the first `left` of them begin at the left."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    made = []
    for line in lines:
        cells = [
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        made.append(" ".join(cells).rstrip())
    return "\n".join([made[0], "-" * max(map(len, made)), *made[1:]])


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 2) -> str:
    """The same rows for a page of the docs."""
    rule = [":--" if i < left else "--:" for i in range(len(head))]
    lines = [head, rule, *rows]
    return "\n".join("| " + " | ".join(_escaped(cell) for cell in line) + " |" for line in lines)


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|").replace("*", "\\*")
