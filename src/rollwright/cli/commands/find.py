"""What `odds --target` and `odds --sensitivity` show: where a chance is reached, what moves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from rollwright.ask import answer
from rollwright.cli.commands.curves import name_typed, value_typed, varied
from rollwright.cli.options import budget_of, put_out
from rollwright.cli.paper import paper, show, wrapped
from rollwright.cli.subjects import KIND, about, policy_name
from rollwright.pictures.charts import CHANCE, Lines, Series, Table

BESIDE = 2
"""Values shown on each side of one that was found."""
MOST_ROWS = 24
NO_MOVES = (
    "There is nothing to move here: a roll of a game has fields, dice have the names of --set."
)


def find(ctx: click.Context) -> None:
    """Find the value of a field that gives a chance, and show its neighbours."""
    if ctx.params["plot"] == "":
        raise click.UsageError("--plot needs a file here: --plot curve.svg would do")
    found = answer("find", _question(ctx), budget_of(ctx.params))
    put_out(
        ctx.params,
        table=lambda: _rows(found),
        picture=lambda: _curve(found),
        plain=lambda: found,
        words=lambda: _print_found(found, show_all=ctx.params["show_all"]),
    )


def _question(ctx: click.Context) -> dict[str, Any]:
    params, over = ctx.params, ctx.params["over"]
    question = {**_measured(ctx), "target": params["target"], "over": name_typed(over)}
    if "=" in over:
        span = varied(over, "--over")
        kind = ctx.meta.get(KIND)
        question["over"] = span.name
        question["values"] = [value_typed(kind, span.name, text) for text in span.values]
    return question


def _measured(ctx: click.Context) -> dict[str, Any]:
    """What is asked about, and which number of it counts."""
    params = ctx.params
    return {
        **about(ctx),
        "policy": policy_name(params),
        **{name: params[name] for name in ("where", "of", "goal")},
    }


def _rows(found: Mapping[str, Any]) -> Table:
    """Every value that was tried, for a spreadsheet."""
    rows = [
        (row["said"], f"{row['worth']['number']:.10g}", row["worth"]["exact"])
        for row in found["rows"]
    ]
    return Table(
        (found["over"]["field"], found["measure"]["title"], "exactly"), tuple(rows), left=0
    )


def _curve(found: Mapping[str, Any]) -> Lines:
    title = found["measure"]["title"]
    series = Series(title, tuple(row["worth"]["number"] for row in found["rows"]))
    names = tuple(row["said"] for row in found["rows"])
    unit = CHANCE if found["target"]["chance"] else ""
    return Lines(
        title[:1].upper() + title[1:], names, (series,), found["title"], unit, _over(found)
    )


def _over(found: Mapping[str, Any]) -> str:
    return str(found["over"]["title"])


def _print_found(found: Mapping[str, Any], *, show_all: bool) -> None:
    page = paper()
    show(page.bold(wrapped(_heading(found), page.width)), page)
    show(wrapped(f"{found['measure']['title']}, by {_over(found)}:", page.width), page)
    shown = range(len(found["rows"])) if show_all else _near(found)
    head = (_over(found), "chance" if found["target"]["chance"] else "mean", "")
    show(Table(head, tuple(_shown(found, shown)), left=0).text(page.width), page)
    show(wrapped(found["said"], page.width), page)
    if found["refused"]:
        first = found["refused"][0]
        count = len(found["refused"])
        more = f" and {count - 1} more" if count > 1 else ""
        show(
            wrapped(f"Not possible: {first['value']}{more}; {first['problem']}.", page.width), page
        )


def _heading(found: Mapping[str, Any]) -> str:
    return f"{found['title']}, policy {found['policy']}" if found["policy"] else str(found["title"])


def _near(found: Mapping[str, Any]) -> list[int]:
    """The places of what was found, or comes closest, with those beside them."""
    marked = found["found"] or found["nearest"]
    places = [place for place, row in enumerate(found["rows"]) if row["value"] in marked]
    near = {at for place in places for at in range(place - BESIDE, place + BESIDE + 1)}
    return sorted(near & set(range(len(found["rows"]))))[:MOST_ROWS]


def _shown(found: Mapping[str, Any], places: Sequence[int]) -> list[tuple[str, str, str]]:
    rows = []
    last = places[0] if places else 0
    for place in places:
        if place > last + 1:
            rows.append(("…", "", ""))
        row = found["rows"][place]
        mark = "◀" if row["value"] in (found["found"] or found["nearest"]) else ""
        rows.append((row["said"], row["worth"]["said"], mark))
        last = place
    return rows


def sensitivity(ctx: click.Context) -> None:
    """Show what moves a roll most, ranked."""
    if ctx.params["plot"] is not None:
        raise click.UsageError("--plot does not go with --sensitivity, which is a table")
    found = answer("sensitivity", _measured(ctx), budget_of(ctx.params))
    put_out(
        ctx.params,
        table=lambda: _moves(found),
        plain=lambda: found,
        words=lambda: _print_moves(found),
    )


def _moves(found: Mapping[str, Any]) -> Table:
    """Every move, for a spreadsheet."""
    rows = [
        (row["field"], row["said"], move["said"], move["worth"]["exact"], move["change"]["exact"])
        for row in found["rows"]
        for move in row["moves"]
        if "worth" in move
    ]
    return Table(("field", "now", "to", found["measure"]["title"], "change"), tuple(rows), left=3)


def _print_moves(found: Mapping[str, Any]) -> None:
    page = paper()
    show(page.bold(wrapped(_heading(found), page.width)), page)
    unit = f"; changes in {found['unit']}" if found["unit"] else ""
    show(wrapped(f"{found['measure']['title']}: {found['now']['said']}{unit}:", page.width), page)
    if not found["rows"]:
        show(wrapped(NO_MOVES, page.width), page)
        return
    telling = [row for row in found["rows"] if row["most"]["number"]]
    rows = [
        (row["title"] if first else "", f"{row['said']} → {move['said']}", move["change"]["said"])
        for row in telling
        for first, move in _firsts(row["moves"])
    ]
    if rows:
        show(Table(("what", "moved", "change"), tuple(rows), left=2).text(page.width), page)
    if found["left_out"]:
        show(f"Left out, being more than are moved: {found['left_out']}.", page)
    if still := [
        row["title"] for row in found["rows"] if row not in telling and _firsts(row["moves"])
    ]:
        show(wrapped(f"No difference: {', '.join(still)}.", page.width, "  "), page)


def _firsts(moves: Sequence[Mapping[str, Any]]) -> list[tuple[bool, Mapping[str, Any]]]:
    """The moves that can be made, and whether each is the first of its field."""
    made = [move for move in moves if "change" in move]
    return [(place == 0, move) for place, move in enumerate(made)]
