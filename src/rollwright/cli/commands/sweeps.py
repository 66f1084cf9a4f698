"""`odds` over the values of a field: sweeps, where a chance is reached, what moves it most."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rollwright.budget import Budget
from rollwright.cli.console import paper, show, show_progress
from rollwright.cli.fields import setting
from rollwright.cli.options import KIND, GivenOptions
from rollwright.cli.query_commands import about, check_names, number, spec_of
from rollwright.cli.texts import text, usage
from rollwright.engine.transcript import Transcript
from rollwright.i18n.locale import in_words
from rollwright.i18n.messages import row_of
from rollwright.kit.fields import fields_of
from rollwright.kit.games import find_game
from rollwright.pictures.charts import (
    CHANCE,
    HeatMap,
    Lines,
    Picture,
    Series,
    TextTable,
    format_value,
)
from rollwright.pictures.outcomes import format_field
from rollwright.pictures.terminal import draw, format_bound_note, wrap_text
from rollwright.queries.conditions import names_in_event
from rollwright.queries.curves import (
    POLICY,
    Axis,
    SweepCell,
    axis_of,
    curve_answer,
    field_at,
    sweep_odds,
    title_of,
)
from rollwright.queries.find import find as search
from rollwright.queries.kinds import FindQuery, SensitivityQuery
from rollwright.queries.measures import check_event_names, fraction, measure_of, prices_of
from rollwright.queries.odds import format_policy, heading
from rollwright.queries.roll_specs import ExpressionSpec
from rollwright.queries.sensitivity import sensitivity as rank

if TYPE_CHECKING:
    from rollwright.kit.requests import Request
    from rollwright.queries.measures import Measure
    from rollwright.queries.roll_specs import RollSpec
    from rollwright.queries.schemas import FindAnswer, MoveData, SensitivityAnswer

MOST_VALUES = 500
MOST_CELLS = 20_000
PUSH = "push"
SPAN = re.compile(r"(-?\d{1,40})\.\.(-?\d{1,40})(?:\.\.(-?\d{1,40}))?", re.ASCII)
BESIDE = 2
"""Values shown on each side of one that was found."""
MOST_ROWS = 24


class VaryOption(NamedTuple):
    """A field and the values it takes, as they are typed."""

    name: str
    values: tuple[str, ...]

    @property
    def title(self) -> str:
        """The field as people say it."""
        return self.name.replace("_", " ")


def parse_vary(typed: str, option: str = "--vary") -> VaryOption:
    """Return the axis that a `--vary` describes.

    >>> parse_vary("modifier=-1..1")
    VaryOption(name='modifier', values=('-1', '0', '1'))
    >>> parse_vary("skill=B,C").values
    ('B', 'C')
    """
    name, sign, values = typed.partition("=")
    if not sign or not name.strip() or not values.strip():
        raise usage("refusal.vary", given=f"{option} {typed!r}")
    if ".." in values:
        listed = _span(f"{option} {typed!r}", values)
    else:
        listed = [value.strip() for value in values.split(",") if value.strip()]
    if not 1 <= len(listed) <= MOST_VALUES:
        raise _too_many(f"{option} {typed!r}")
    return VaryOption(_name(name), tuple(listed))


def _find_axis(kind: type[Request] | None, typed: str) -> VaryOption:
    """Return the axis of a `--vary` for a roll: `push` is the policy, like the option `--push`."""
    name, sign, values = typed.partition("=")
    if kind is None:
        return parse_vary(typed)
    name = _name(name)
    if name == PUSH and field_at(kind, PUSH) is None:
        name = POLICY
    known = _known_values(kind, name) if not sign or ".." in values else ""
    if known and (not sign or ".." not in known):
        raise usage("refusal.vary.values", given=f"--vary {typed!r}", name=name, values=known)
    return parse_vary(f"{name}={values}" if sign else typed)


def _known_values(kind: type[Request], name: str) -> str:
    """All that a field may be, as it would be typed; nothing for what is not there."""
    if name == POLICY:
        policies = find_game(kind.game).policies
        plain = [name for name, policy in policies.items() if not policy.argument]
        return ",".join([*plain, "best"])
    axis = axis_of(kind, name)
    if axis is None:
        return ""
    first, last = axis.values[0], axis.values[-1]
    if type(first) is int:
        return f"{first}..{last}"
    return ",".join(map(format_field, axis.values))


def _name(typed: str) -> str:
    """The name of a field or of a variable, as it is known inside."""
    return "_".join(typed.strip().lstrip("@").replace("-", " ").split())


def _span(given: str, values: str) -> list[str]:
    found = SPAN.fullmatch(values.strip())
    if found is None:
        raise usage("refusal.span", given=given)
    low, high, step = int(found[1]), int(found[2]), int(found[3] or 1)
    if step < 1:
        raise usage("refusal.step", given=given)
    if abs(high - low) // step > MOST_VALUES:
        raise _too_many(given)
    way = step if high >= low else -step
    return [str(value) for value in range(low, high + (1 if way > 0 else -1), way)]


def _too_many(given: str) -> click.UsageError:
    return usage("refusal.values", given=given, most=MOST_VALUES)


def _axis(kind: type[Request] | None, one: VaryOption, in_event: Collection[str] = ()) -> Axis:
    """Return the axis, with its values as the field, house rule or name in dice holds them."""
    if one.name == POLICY:
        return Axis(POLICY, one.values)
    at = None if kind is None else field_at(kind, one.name)
    if kind is None or (at is None and one.name in in_event):
        numbers = [number(typed) for typed in one.values]
        return Axis(one.name, tuple(n if isinstance(n, int) else str(n) for n in numbers))
    holder, name = at or (kind, one.name)
    values: Any = tuple(setting(holder, name, typed)[1] for typed in one.values)
    return Axis(one.name, values)


@dataclass(frozen=True)
class SweepTable:
    """The axes of a sweep, and the odds of every cell."""

    subject: RollSpec
    policy: str
    varied: tuple[VaryOption, ...]
    axes: tuple[Axis, ...]
    measure: Measure
    cells: dict[tuple[str, ...], SweepCell]

    @cached_property
    def values(self) -> dict[tuple[str, ...], Fraction]:
        """The number of every cell; a combination that the rules refuse is refused."""
        for cell in self.cells.values():
            if cell.problem is not None:
                raise cell.problem
        dists = {at: cell.dist for at, cell in self.cells.items() if cell.dist is not None}
        found = {at: self.measure.of(dist, self.cells[at].numbers) for at, dist in dists.items()}
        self.measure.check()
        return found

    @cached_property
    def unit(self) -> str:
        """The unit of the numbers."""
        dists = [cell.dist for cell in self.cells.values() if cell.dist is not None]
        return CHANCE if all(map(self.measure.is_chance, dists)) else ""

    @property
    def title(self) -> str:
        """The title of everything that stays the same."""
        title, policy = title_of(self.subject, self.axes), format_policy(self.subject, self.policy)
        named = {axis.name for axis in self.axes}
        if not policy or POLICY in named:
            return title
        return text("sweep.title", title=title, policy=policy)

    @property
    def numbers_title(self) -> str:
        """The title of the numbers."""
        if "of" not in self.measure.plain:
            return self.measure.title
        id = "sweep.chance" if self.unit == CHANCE else "sweep.mean"
        return text(id, what=self.measure.title)

    @property
    def plain(self) -> dict[str, object]:
        """The sweep as an answer."""
        head = {**heading(self.subject, self.policy), "title": title_of(self.subject, self.axes)}
        measure = {"title": self.measure.title, **self.measure.plain}
        return {
            **head,
            "measure": measure,
            **curve_answer(
                self.axes, iter(self.cells.values()), self.measure, prices_of(self.subject)
            ),
        }

    def table(self, number_written: Callable[[Fraction], str]) -> TextTable:
        """A row for each cell, with its number and the exact fraction."""
        rows = [(*at, number_written(value), fraction(value)) for at, value in self.values.items()]
        head = (*(one.name for one in self.varied), self.numbers_title, in_words("column.exactly"))
        return TextTable(head, tuple(rows), 0)

    def picture(self) -> Picture:
        """A curve for one thing varied, a map for two, several curves where the first is words."""
        if len(self.varied) > 2:
            raise usage("refusal.picture")
        across = self.varied[-1]
        if len(self.varied) == 1:
            series = [
                Series(self.numbers_title, tuple(float(value) for value in self.values.values()))
            ]
            return _curve(
                self.numbers_title, across.values, series, self.title, self.unit, across.title
            )
        down = self.varied[0]
        cells = [tuple(float(self.values[y, x]) for x in across.values) for y in down.values]
        if not all(value.lstrip("-").isdigit() for value in down.values):
            series = [Series(f"{down.title} {y}", row) for y, row in zip(down.values, cells)]
            return _curve(
                self.numbers_title, across.values, series, self.title, self.unit, across.title
            )
        names = (across.title, down.title, across.values, down.values)
        return HeatMap(_capital(self.numbers_title), *names, tuple(cells), self.title, self.unit)


def _curve(
    title: str, labels: Sequence[str], series: Sequence[Series], note: str, unit: str, x_name: str
) -> Lines:
    return Lines(_capital(title), tuple(labels), tuple(series), note, unit, x_name)


def _capital(title: str) -> str:
    return title[:1].upper() + title[1:]


def sweep(ctx: click.Context, given: GivenOptions) -> None:
    """Count every cell and show them all."""
    found = _count_sweep(ctx, given)
    given.put_out(
        table=lambda: found.table(lambda value: f"{float(value):.10g}"),
        picture=found.picture,
        plain=lambda: found.plain,
        words=lambda: _print_sweep(found, exact=given.exact),
        bound=lambda: _lost_in_sweep(found),
    )


def _lost_in_sweep(found: SweepTable) -> str:
    """Return a line about what a bound cut off of any cell, if it did."""
    lost = found.measure.lost
    return format_bound_note(lost, mean=found.unit != CHANCE) if lost else ""


def _count_sweep(ctx: click.Context, given: GivenOptions) -> SweepTable:
    """The sweep that the options ask for."""
    what = tuple(_find_axis(ctx.meta.get(KIND), typed) for typed in given.vary)
    places = _places(what)
    in_event = names_in_event(given.where or "")
    axes = tuple(_axis(ctx.meta.get(KIND), one, in_event) for one in what)
    check_event_names(in_event, [axis.name for axis in axes])
    subject = _subject(ctx, axes, in_event)
    measure = measure_of(subject, where=given.where or "", of=given.of or "", goal=given.goal or "")
    cells: list[SweepCell] = []
    with show_progress(text("sweep.counting")) as progress:
        for values in product(*(axis.values for axis in axes)):
            here = [axis._replace(values=(value,)) for axis, value in zip(axes, values)]
            cells += sweep_odds(subject, here, given.policy_name, given.budget, measure.names)
            progress(len(cells), len(places))
    found = dict(zip(places, cells))
    return SweepTable(subject, given.policy_name, what, axes, measure, found)


def _places(what: tuple[VaryOption, ...]) -> list[tuple[str, ...]]:
    """Every combination of the values."""
    if prod(len(one.values) for one in what) > MOST_CELLS:
        raise usage("refusal.cells", most=MOST_CELLS)
    if len({one.name for one in what}) < len(what):
        raise usage("refusal.vary.twice")
    return list(product(*(one.values for one in what)))


def _subject(ctx: click.Context, axes: tuple[Axis, ...], in_event: Collection[str]) -> RollSpec:
    """Return the subject with the first values of the axes in place, since some must be given."""
    first = {axis.name: axis.values[0] for axis in axes if axis.name != POLICY}
    kind = ctx.meta.get(KIND)
    if kind is not None:
        fields = fields_of(kind)
        rules = fields_of(fields["house"].inner) if "house" in fields else {}
        plain = {name.removeprefix("house."): value for name, value in first.items()}
        house = {n: value for n, value in plain.items() if n in rules and n not in fields}
        rest = {name: value for name, value in first.items() if name in fields}
        return spec_of(about(ctx, {**rest, "house": house} if house else rest))
    subject = spec_of(about(ctx))
    if isinstance(subject.what, Transcript):
        raise usage("refusal.vary.saved")
    names = subject.what.names() if isinstance(subject.what, ExpressionSpec) else set()
    moved = [name for name in first if name in names or name not in in_event]
    check_names(subject.title, moved, "--vary")
    return subject


def _print_sweep(found: SweepTable, *, exact: bool) -> None:
    page = paper()
    many = exact or len(found.varied) > 2
    spoken = found.table(lambda value: format_value(float(value), found.unit)) if many else None
    shown = spoken.text(page.width) if spoken is not None else draw(found.picture(), page)
    show(page.bold(wrap_text(found.title, page.width)), page)
    id = "sweep.by.percent" if found.unit == CHANCE and len(found.varied) == 2 else "sweep.by"
    names = [one.title for one in found.varied]
    show(wrap_text(text(id, what=found.numbers_title, names=names), page.width), page)
    show(shown, page)
    if lost := _lost_in_sweep(found):
        show(wrap_text(lost, page.width), page)


def _measure_fields(ctx: click.Context, given: GivenOptions) -> dict[str, object]:
    """Return the fields of the question: its subject and its measure."""
    number = {"where": given.where, "of": given.of, "goal": given.goal}
    return {**about(ctx), "policy": given.policy_name or None, **number}


def find(ctx: click.Context, given: GivenOptions) -> None:
    """Find the value of a field that gives a chance, and show its neighbours."""
    over = given.over or ""
    if given.plot == "":
        raise usage("refusal.plot.file")
    question = {**_measure_fields(ctx, given), "target": given.target, "over": _name(over)}
    if "=" in over:
        axis = _axis(ctx.meta.get(KIND), parse_vary(over, "--over"))
        question |= {"over": axis.name, "values": list(axis.values)}
    found = search(FindQuery.from_plain(question), given.budget or Budget())
    given.put_out(
        table=lambda: _values_table(found),
        picture=lambda: _search_curve(found),
        plain=lambda: found,
        words=lambda: _print_search(found, show_all=given.show_all, exact=given.exact),
        bound=lambda: _bound_in(found, chance=found["target"]["chance"]),
    )


def _values_table(found: FindAnswer) -> TextTable:
    """Every value that was tried, for a spreadsheet."""
    rows = [
        (row["said"], f"{row['worth']['number']:.10g}", row["worth"]["exact"])
        for row in found["rows"]
    ]
    head = (found["over"]["field"], found["measure"]["title"], in_words("column.exactly"))
    return TextTable(head, tuple(rows), left=0)


def _search_curve(found: FindAnswer) -> Lines:
    title, unit = found["measure"]["title"], CHANCE if found["target"]["chance"] else ""
    series = [Series(title, tuple(row["worth"]["number"] for row in found["rows"]))]
    labels = [row["said"] for row in found["rows"]]
    return _curve(title, labels, series, found["title"], unit, found["over"]["title"])


def _print_search(found: FindAnswer, *, show_all: bool, exact: bool) -> None:
    page, over = paper(), found["over"]["title"]
    show(page.bold(wrap_text(_heading(found), page.width)), page)
    show(wrap_text(text("sweep.by", what=found["measure"]["title"], names=over), page.width), page)
    chance = found["target"]["chance"]
    shown = in_words("column.chance") if chance else in_words("measure.mean")
    head = (over, shown, *([in_words("column.exactly")] if exact else []), "")
    rows = _near(found, show_all=show_all, exact=exact)
    show(TextTable(head, tuple(rows), left=0).text(page.width), page)
    show(wrap_text(found["said"], page.width), page)
    _print_truncation(found, chance=chance)
    if found["refused"]:
        first, count = found["refused"][0], len(found["refused"])
        value, why = str(first["value"]), first["problem"]
        line = text("sweep.refused", value=value, more=count - 1, problem=why)
        show(wrap_text(line, page.width), page)


def _print_truncation(found: FindAnswer | SensitivityAnswer, *, chance: bool) -> None:
    """That a stated bound cut something off, if it did."""
    if lost := _bound_in(found, chance=chance):
        page = paper()
        show(wrap_text(lost, page.width), page)


def _bound_in(found: FindAnswer | SensitivityAnswer, *, chance: bool) -> str:
    if "lost" not in found:
        return ""
    return format_bound_note(Fraction(found["lost"]["exact"]), mean=not chance)


def _heading(found: FindAnswer | SensitivityAnswer) -> str:
    if not found["policy"]:
        return str(found["title"])
    return text("sweep.title", title=found["title"], policy=found["policy"])


def _near(found: FindAnswer, *, show_all: bool, exact: bool) -> list[tuple[str, ...]]:
    """Rows for what was found, or comes closest, with those beside them; or for all."""
    rows, marked = found["rows"], found["found"] or found["nearest"]
    places = [place for place, row in enumerate(rows) if row["value"] in marked]
    near = {at for place in places for at in range(place - BESIDE, place + BESIDE + 1)}
    shown = sorted(near & set(range(len(rows))))[:MOST_ROWS]
    lines: list[tuple[str, ...]] = []
    last = None
    for place in range(len(rows)) if show_all else shown:
        if last is not None and place > last + 1:
            lines.append(("…", *[""] * (3 if exact else 2)))
        row = rows[place]
        worth = [row["worth"]["said"], *([row["worth"]["exact"]] if exact else [])]
        lines.append((row["said"], *worth, "◀" if row["value"] in marked else ""))
        last = place
    return lines


def sensitivity(ctx: click.Context, given: GivenOptions) -> None:
    """Show what moves a roll most, ranked."""
    if given.plot is not None:
        raise usage("refusal.plot.table")
    question = SensitivityQuery.from_plain(_measure_fields(ctx, given))
    found = rank(question, given.budget or Budget())
    given.put_out(
        table=lambda: _moves(found),
        plain=lambda: found,
        words=lambda: _print_moves(found, show_all=given.show_all, exact=given.exact),
        bound=lambda: _bound_in(found, chance=found["now"]["chance"]),
    )


def _moves(found: SensitivityAnswer) -> TextTable:
    """Every move, for a spreadsheet."""
    rows = [
        (row["field"], row["said"], move["said"], move["worth"]["exact"], move["change"]["exact"])
        for row in found["rows"]
        for move in row["moves"]
        if "worth" in move
    ]
    first = (text("sweep.field"), text("sweep.now"), text("sweep.to"))
    head = (*first, found["measure"]["title"], text("sweep.change"))
    return TextTable(head, tuple(rows), left=3)


def _print_moves(found: SensitivityAnswer, *, show_all: bool, exact: bool) -> None:
    page = paper()
    show(page.bold(wrap_text(_heading(found), page.width)), page)
    id = "sweep.moves.unit" if found["unit"] else "sweep.moves"
    now = {"title": found["measure"]["title"], "now": found["now"]["said"]}
    show(wrap_text(text(id, **now, unit=found["unit"]), page.width), page)
    _print_truncation(found, chance=found["now"]["chance"])
    if not found["rows"]:
        show(wrap_text(text("sweep.no_moves"), page.width), page)
        return
    rows, still = [], []
    for row in found["rows"]:
        made = [move for move in row["moves"] if "change" in move]
        if made and not row["most"]["number"]:
            still.append(row["title"])
        elif made:
            titles = [row["title"], *[""] * len(made)]
            moved = [f"{row['said']} → {move['said']}" for move in made]
            rows += [(*cells, *_change(move, exact)) for *cells, move in zip(titles, moved, made)]
    if rows:
        exactly = [in_words("column.exactly")] if exact else []
        head = (text("sweep.what"), text("sweep.moved"), text("sweep.change"), *exactly)
        show(TextTable(head, tuple(rows), left=2).text(page.width), page)
    if found["left_out"]:
        show(text("sweep.left_out", n=found["left_out"]), page)
    if still:
        show(wrap_text(_format_rest(still, bool(rows), show_all), page.width, "  "), page)


def _change(move: MoveData, exact: bool) -> list[str]:
    """How much a move changes, exactly where that is asked for."""
    return [move["change"]["said"], *([move["change"]["exact"]] if exact else [])]


def _format_rest(names: Sequence[str], others: bool, show_all: bool) -> str:
    """How many make no difference; which, if that is asked for."""
    if show_all:
        return text("sweep.still.all", names=row_of(names))
    return text("sweep.still.more" if others else "sweep.still", n=len(names))
