"""Odds and pictures in the terminal: bars of eighths of a sign, maps, dice, fields in lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from rollwright.i18n.locale import in_words
from rollwright.pictures.charts import (
    CHANCE,
    Bars,
    HeatMap,
    Lines,
    Number,
    Picture,
    TextTable,
    finite_values,
    format_number,
    format_short,
    format_value,
    longest,
    values_of,
)
from rollwright.pictures.distributions import distribution, summary
from rollwright.pictures.outcomes import (
    MOST_ROWS,
    View,
    all_numbers,
    apply_view,
    describe_field,
    explain_missing,
    fields_in,
    format_field,
    has_order,
    has_values,
    is_compound,
    rows_of,
)

if TYPE_CHECKING:
    from rollwright.dice import Die, Face, Outcome
    from rollwright.exact import Dist
    from rollwright.jsonable import Json

EIGHTHS = " ▏▎▍▌▋▊▉█"
SHADES = " ░▒▓█"
PLAIN_SHADES = " .:*#"
TINTS = (32, 214, 36, 166, 175, 74)
"""The terminal's nearest to Okabe and Ito's colours."""
SIGNS = "●▲■◆○△"
PLAIN_SIGNS = "*^#@o+"
SHORTEST_BAR = 6


Title = Callable[[str], str]
"""Function from the name of a field to its title."""


class TerminalPage(Protocol):
    """A terminal's page: its width, and whether it has colours."""

    @property
    def width(self) -> int:
        """How many signs fit in a line."""
        ...

    @property
    def unicode(self) -> bool:
        """Whether there are more signs than ASCII has."""
        ...

    def bold(self, text: str) -> str:
        """The text with weight, where that can be."""
        ...

    def colorize(self, text: str, colour: int) -> str:
        """The text in a colour, where that can be."""
        ...


def wrap_text(text: str, width: int, indent: str = "") -> str:
    """The text in lines of at most that width; names of files and options are not broken."""
    from textwrap import fill

    room = max(width, len(indent) + 12)
    return fill(
        text, room, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )


def format_odds(
    dist: Dist[Outcome],
    heading: str,
    page: TerminalPage,
    names: tuple[str, ...] = (),
    *,
    show_all: bool = False,
    exact: bool = False,
    view: View = "each",
    title: Title = str,
) -> str:
    """All outcomes under a heading: field by field, or as bars, or with their fractions."""
    lines = [page.bold(wrap_text(heading, page.width))]
    if is_compound(dist):
        if show_all or exact:
            lines += _each_field(dist, page, show_all=show_all, exact=exact, view=view, title=title)
        else:
            lines += format_fields(dist, page.width, view, title)
        lines.append(wrap_text(in_words("odds.more"), page.width))
    else:
        shown = [*map(title, names), *([in_words(f"column.{view}")] if view != "each" else [])]
        lines += [summary(dist), ", ".join(shown) + ":" if shown else ""]
        bars = distribution(dist, most=len(dist) if show_all else MOST_ROWS, view=view)
        lines.append(_fractions(dist, page, view) if exact else draw(bars, page))
    return "\n".join(line for line in [*lines, format_truncation(dist)] if line)


def _each_field(
    dist: Dist[Outcome],
    page: TerminalPage,
    *,
    show_all: bool,
    exact: bool,
    view: View,
    title: Title,
) -> list[str]:
    """Every field that can differ with all its values or their fractions; the others in a line."""
    lines: list[str] = []
    fixed: dict[str, bool] = {}
    for name in fields_in(dist):
        part = dist.of(name)
        fixed[name] = len(part) == 1 or not has_values(part)
        if not fixed[name]:
            here: View = view if has_order(part.outcomes) else "each"
            bars = distribution(part, most=len(part) if show_all else MOST_ROWS, view=here)
            shown = _fractions(part, page, here) if exact else draw(bars, page)
            lines += [f"{title(name)}:", shown]
    rest = [name for name, alone in fixed.items() if alone]
    return lines + (_format_constants(dist, rest, page.width, title) if rest else [])


def format_fields(
    dist: Dist[Outcome], width: int, view: View = "each", title: Title = str
) -> list[str]:
    """One line for each field that can differ; what is always the same is said at the end."""
    parts = {name: dist.of(name) for name in fields_in(dist)}
    open_ones = {name: title(name) for name, part in parts.items() if len(part) > 1}
    wide = max(map(len, open_ones.values()), default=0)
    lines = [
        f"  {said:<{wide}}  {describe_field(parts[name], width - wide - 4, view)}"
        for name, said in open_ones.items()
    ]
    lines += _format_constants(
        dist, [name for name in parts if name not in open_ones], width, title
    )
    return [wrap_text(line, width, "    ") for line in lines]


def _format_constants(
    dist: Dist[Outcome], names: Sequence[str], width: int, title: Title
) -> list[str]:
    """Name the fields that never differ, and those that were not counted."""
    parts = {name: dist.of(name) for name in names}
    sure = [
        f"{title(name)} {format_field(part.outcomes[0])}"
        for name, part in parts.items()
        if has_values(part)
    ]
    lines = ["  " + in_words("odds.sure", names=", ".join(sure))] if sure else []
    if uncounted := [name for name, part in parts.items() if not has_values(part)]:
        missing = explain_missing(next(iter(dist)), uncounted)
        lines.append("  " + in_words("odds.uncounted.here", names=missing))
    return [wrap_text(line, width, "    ") for line in lines]


def _fractions(dist: Dist[Outcome], page: TerminalPage, view: View = "each") -> str:
    """Every outcome with its fraction, and the chance to reach it where there is an order."""
    numbers = all_numbers(dist.outcomes)
    reach = _sums(dist, "at_least" if view == "each" else view) if numbers or view != "each" else []
    rows = [
        (format_field(outcome), format_value(weight / dist.total, CHANCE), f"{weight}/{dist.total}")
        + ((format_value(reach[place], CHANCE),) if reach else ())
        for place, (outcome, weight) in enumerate(dist.items())
    ]
    last = "at_most" if view == "at_most" else "at_least"
    ids = ("outcome", "chance", "exactly", *([last] if reach else []))
    head = tuple(in_words(f"column.{id}") for id in ids)
    return TextTable(head, tuple(rows), left=0 if numbers else 1).text(page.width)


def _sums(dist: Dist[Outcome], view: View) -> list[Fraction]:
    """The chance of each outcome or more, or of each or less."""
    rows = rows_of(dist, len(dist))
    weights = apply_view(rows, [row.weight for row in rows], view)[1]
    return [Fraction(weight, dist.total) for weight in weights]


def format_truncation(dist: Dist[Outcome]) -> str:
    """Return a line about the weight that a stated bound cut off, if any."""
    if not dist.lost:
        return ""
    return format_bound_note(Fraction(dist.lost, dist.total))


def format_bound_note(lost: Number, *, mean: bool = False) -> str:
    """That a stated bound cut off so much, and what that means for chances, or for a mean."""
    return in_words("odds.lost.mean" if mean else "odds.lost", share=format_value(lost, CHANCE))


def draw(picture: Picture, page: TerminalPage) -> str:
    """The picture as lines of text."""
    return _map(picture, page) if isinstance(picture, HeatMap) else _bars(picture, page)


def bar(length: float, page: TerminalPage) -> str:
    """A bar as long as so many signs."""
    if not page.unicode:
        return "#" * round(length) or ("." if length > 0 else "")
    whole, part = divmod(round(8 * length), 8)
    return "█" * whole + (EIGHTHS[part] if part else "") or ("▏" if length > 0 else "")


def _bars(picture: Bars | Lines, page: TerminalPage) -> str:
    many = len(picture.series) > 1
    texts = [[format_value(v, picture.unit) for v in series.values] for series in picture.series]
    wide = max((len(text) for column in texts for text in column), default=0)
    names = min(max(map(len, picture.labels), default=0), page.width // 3)
    room = max(page.width - names - wide - 6 - 2 * many, SHORTEST_BAR)
    most = longest(values_of(picture))
    lines = _legend(picture, page) if many else []
    for row, label in enumerate(picture.labels):
        for number, series in enumerate(picture.series):
            value = float(series.values[row] or 0)
            name = _cut(label, names) if number == 0 else ""
            sign = f" {_sign(number, page)}" if many else ""
            length = bar(room * max(value, 0) / most, page)
            tinted = page.colorize(length, TINTS[number % len(TINTS)])
            lines.append(f"{name:>{names}}{sign}  {texts[number][row]:>{wide}}  {tinted}".rstrip())
    return "\n".join(lines)


def _sign(number: int, page: TerminalPage) -> str:
    signs = SIGNS if page.unicode else PLAIN_SIGNS
    return signs[number % len(signs)]


def _legend(picture: Bars | Lines, page: TerminalPage) -> list[str]:
    return [
        page.colorize(
            f"{_sign(number, page)} {series.name}"[: page.width], TINTS[number % len(TINTS)]
        )
        for number, series in enumerate(picture.series)
    ]


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: max(width - 1, 1)] + "…"


def _map(picture: HeatMap, page: TerminalPage) -> str:
    """A table of numbers, shaded where there is room for it; columns that do not fit go below."""
    most = longest([cell for row in picture.cells for cell in finite_values(row)])
    texts = [[_short(cell, picture.unit) for cell in row] for row in picture.cells]
    names = max([len(picture.y_name), *map(len, picture.ys)])
    cell = max([len(text) + 2 for row in texts for text in row] + [len(x) + 1 for x in picture.xs])
    fit = max((page.width - names - 1) // cell, 1)
    blocks = []
    for start in range(0, len(picture.xs), fit):
        part = slice(start, start + fit)
        blocks.append(f"{picture.y_name:>{names}} │ {picture.x_name}")
        blocks.append(" " * names + " │" + "".join(f"{x:>{cell}}" for x in picture.xs[part]))
        for y, row, words in zip(picture.ys, picture.cells, texts):
            cells = zip(row[part], words[part])
            line = "".join(_shade(value, word, cell, most, page) for value, word in cells)
            blocks.append(f"{y:>{names}} │{line}")
    return "\n".join(blocks)


def _short(value: Number | None, unit: str) -> str:
    return "" if value is None else format_short(value, unit)


def _shade(value: Number | None, word: str, width: int, most: float, page: TerminalPage) -> str:
    shades = SHADES if page.unicode else PLAIN_SHADES
    share = 0.0 if value is None else max(float(value), 0.0) / most
    shade = shades[min(round(share * (len(shades) - 1)), len(shades) - 1)]
    return f"{shade}{word}".rjust(width)


ROUND = ("╭", "─", "╮", "│", "╰", "╯")
PLAIN = ("+", "-", "+", "|", "+", "+")


def draw_dice(
    dice: Sequence[tuple[Die, Face]],
    page: TerminalPage,
    whose: Sequence[str] = (),
    called: Mapping[str, str] | None = None,
) -> str:
    """Each die with its face inside and its kind below: `[(D8, 3), (D12, 11)]`.

    Where several people threw, `whose` names the one of each die; `called` says what dice of some
    names are called instead.
    """
    names, called = whose or [""] * len(dice), called or {}
    below = [called.get(die.name) or kind_of(die) for die, _ in dice]
    kinds = [f"{name} {kind}".strip() for name, kind in zip(names, below)]
    boxes = [_box(str(face), kind, page) for kind, (_, face) in zip(kinds, dice)]
    lines: list[str] = []
    row: list[list[str]] = []
    for box in boxes:
        if row and sum(len(b[0]) + 1 for b in row) + len(box[0]) > page.width:
            lines += _join_lines(row)
            row = []
        row.append(box)
    return "\n".join(lines + _join_lines(row))


def kind_of(die: Die) -> str:
    """Return a die's kind: its shape, with its name if it has one."""
    if die.name and not die.is_numbered:  # equal sides of such a die are one face
        return die.name
    shape = f"D{len(die.faces)}"
    return f"{die.name} {shape}" if die.name else shape


def _box(face: str, kind: str, page: TerminalPage) -> list[str]:
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


def _join_lines(row: list[list[str]]) -> list[str]:
    return [" ".join(parts).rstrip() for parts in zip(*row)]


def format_data(
    plain: Json, page: TerminalPage, *, exact: bool = False, indent: str = "  ", title: Title = str
) -> list[str]:
    """Plain data in words: rows as tables, fields in lines, numbers as they say themselves."""
    if isinstance(plain, dict) and "outcomes" in plain:
        plain = _chances(plain)
    if isinstance(plain, list) and plain and all(isinstance(row, dict) for row in plain):
        lines = _rows_table(plain, exact, title).text(page.width - len(indent) + 2).split("\n")
        return [f"{indent[2:]}{line}".rstrip() for line in lines]
    if isinstance(plain, dict) and not _is_single(plain):
        fields = [_field(name, part, page, exact, indent, title) for name, part in plain.items()]
        return [line for lines in fields for line in lines]
    return [wrap_text(f"{indent}{_single(plain, exact=exact)}", page.width, indent)]


def _field(
    name: str, part: Json, page: TerminalPage, exact: bool, indent: str, title: Title
) -> list[str]:
    named = title(name).replace("_", " ")
    if _is_single(part):
        text = _single(part, exact=exact, of=named)
        return [wrap_text(f"{indent}{named}: {text}", page.width, indent * 2)]
    inner = format_data(part, page, exact=exact, indent=f"{indent}  ", title=title)
    return [f"{indent}{named}:", *inner]


def _is_single(plain: Json) -> bool:
    """Whether something is said in a word or a line."""
    if isinstance(plain, dict):
        return not plain or "exact" in plain or set(plain) == {"int"}
    return not isinstance(plain, list) or all(map(_is_single, plain))


def _single(plain: Json, *, exact: bool, of: str = "") -> str:
    """A value in words; a unit that its name says already is left out."""
    if isinstance(plain, list):
        return ", ".join(_single(part, exact=exact) for part in plain) or "–"
    if isinstance(plain, dict) and "exact" in plain:
        near = plain.get("said") or format_number(Fraction(str(plain["exact"])))
        number, _, unit = str(plain["exact"] if exact else near).partition(" ")
        return (
            number if unit and unit in (of, of.removesuffix("s")) else f"{number} {unit}".rstrip()
        )
    if isinstance(plain, dict):
        return ", ".join(map(str, plain.values())) or "–"
    return format_field(plain)


def _chances(plain: dict[str, Json]) -> list[Json]:
    """A distribution as rows: every outcome, and its chance."""
    rows, total = plain["outcomes"], int(str(plain["total"]))
    return [
        {
            in_words("column.outcome"): _unwrap(row["value"]),
            in_words("column.chance"): format_value(
                Fraction(int(str(row["weight"])), total), CHANCE
            ),
        }
        for row in (rows if isinstance(rows, list) else [])
        if isinstance(row, dict)
    ]


def _unwrap(plain: Json) -> Json:
    """Return an outcome without its type tag for programs."""
    if isinstance(plain, dict) and len(plain) == 1 and set(plain) <= {"tuple", "fraction", "int"}:
        return next(iter(plain.values()))
    return plain


def _rows_table(rows: list[Json], exact: bool, title: Title) -> TextTable:
    flat = [dict(_cells("", row)) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    titles = tuple(_column(name, title) or in_words("column.value") for name in names)
    cells = [
        tuple(_single(row.get(name, ""), exact=exact, of=of) for name, of in zip(names, titles))
        for row in flat
    ]
    return TextTable(titles, tuple(cells), left=1)


def _column(name: str, title: Title) -> str:
    """Return the heading of a column, part by part: fields within fields share one."""
    return " ".join(title(part).replace("_", " ") for part in name.split())


def _cells(start: str, plain: Json) -> Iterator[tuple[str, Json]]:
    """The cells of a row: fields of what is in it beside its own."""
    if _is_single(plain):
        yield start, plain
    elif isinstance(plain, dict) and isinstance(outcomes := plain.get("outcomes"), list):
        yield start, in_words("rows.outcomes", n=len(outcomes))
    elif isinstance(plain, dict):
        for name, part in plain.items():
            yield from _cells(start if name == "value" else f"{start} {name}".strip(), part)
    elif isinstance(plain, list):
        yield start, in_words("rows.rows", n=len(plain))
