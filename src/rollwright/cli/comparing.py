"""Several distributions shown side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from rollwright.ask.events import event
from rollwright.cli.asking import KIND, PLAIN
from rollwright.cli.counting import check_plot, draw, names_in, odds_of
from rollwright.cli.files import looks_like_file, read_json, write_text
from rollwright.cli.paper import Paper, paper, show, show_json, wrapped
from rollwright.cli.saying import fields_in, fraction, is_compound, percent
from rollwright.cli.subjects import Subject, from_plain, of_expression, subject_of
from rollwright.errors import UnknownName
from rollwright.pictures.charts import Bars, Series
from rollwright.pictures.distributions import compared, number_said, together
from rollwright.pictures.rows import all_numbers
from rollwright.pictures.tables import Table

MOST_SUBJECTS = 6
ROWS_HERE = 10


def compare(ctx: click.Context) -> None:
    """Count all that is named and show it together."""
    params = ctx.params
    check_plot(params["plot"])
    title, dists = _named(ctx)
    if params["where"]:
        dists = {name: _chance(dist, params["where"]) for name, dist in dists.items()}
    elif params["of"]:
        dists = {name: dist.of(*names_in(params["of"], dist)) for name, dist in dists.items()}
    _refuse_mixtures(dists)
    if params["csv_file"]:
        write_text(params["csv_file"], _rows(dists).csv())
    if params["plot"]:
        draw(_picture(dists, title, params), params["plot"])
    if params["as_json"]:
        show_json(_plain(dists))
    elif not params["plot"] and params["csv_file"] != "-":
        _print(dists, title, params)


def _chance(dist: Any, where: str) -> Any:
    test = event(where, fields_in(dist))
    return dist.map(lambda outcome: bool(test(outcome)))


def _named(ctx: click.Context) -> tuple[str, dict[str, Any]]:
    """A title, and the distributions by what tells them apart."""
    words, policies = ctx.params["what"], ctx.params["policy"]
    if ctx.meta.get(KIND) is not None or PLAIN in ctx.meta:
        subject = subject_of(ctx)
        names = policies or _all_policies(subject)
        _check_count(names)
        return subject.title, {f"policy {n}": odds_of(subject, n, ctx.params) for n in names}
    if policies:
        raise click.UsageError("--policy is for the rolls of a game; dice have no policies")
    _check_count(words)
    subjects = [_subject(word, ctx) for word in words]
    return "", {one.title: odds_of(one, None, ctx.params) for one in subjects}


def _all_policies(subject: Subject) -> tuple[str, ...]:
    """The policies that need nothing more than their name, and best play."""
    game = subject.game
    if game is None:
        raise click.UsageError("a saved expression has no policies to compare")
    plain = [name for name, policy in game.policies.items() if not policy.argument]
    return tuple([*plain, "best"][-MOST_SUBJECTS:])


def _check_count(names: tuple[str, ...]) -> None:
    if len(set(names)) < len(names):
        raise click.UsageError("the same is named twice")
    if not 2 <= len(names) <= MOST_SUBJECTS:
        raise click.UsageError(
            f"name two to {MOST_SUBJECTS} to compare, {len(names)} came: "
            "rollwright compare 2d20kh1 1d20+2"
        )


def _subject(word: str, ctx: click.Context) -> Subject:
    if looks_like_file(word):
        return from_plain(read_json(word), ctx)
    if not any(sign.isdigit() for sign in word) and word.isidentifier():
        from rollwright.kit.games import list_games

        raise UnknownName("game", word, list_games())
    return of_expression(word)


def _refuse_mixtures(dists: Mapping[str, Any]) -> None:
    for dist in dists.values():
        if is_compound(dist):
            names = ", ".join(fields_in(dist)[:8])
            raise click.UsageError(f"say what to compare: --of FIELD or --where; fields: {names}")


def _rows(dists: Mapping[str, Any]) -> Table:
    """Every outcome with its chance in each of them."""
    labels, columns = together(dists, 10**6)
    rows = [
        (label, *(f"{columns[name][n] / dists[name].total:.10g}" for name in dists))
        for n, label in enumerate(labels)
    ]
    return Table(("outcome", *dists), tuple(rows))


def _picture(dists: Mapping[str, Any], title: str, params: Mapping[str, Any], **more: Any) -> Any:
    name = params["where"] or (params["of"] or "")
    if _all_bools(dists):
        values = tuple(float(dist.p(True)) for dist in dists.values())
        return Bars(name, tuple(dists), (Series(name, values),), title)
    heading = title or " v ".join(dists)
    return compared(dists, heading, x_name=name, **more)


def _all_bools(dists: Mapping[str, Any]) -> bool:
    return all(isinstance(outcome, bool) for dist in dists.values() for outcome in dist)


def _plain(dists: Mapping[str, Any]) -> dict[str, Any]:
    duels = [
        {"first": one, "second": other, **{k: fraction(v) for k, v in duel._asdict().items()}}
        for one, other, duel in _duels(dists)
    ]
    return {"rolls": {name: dist.to_json() for name, dist in dists.items()}, "duels": duels}


def _duels(dists: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    """How each does against each that comes after it."""
    if not all(all_numbers(dist.outcomes) for dist in dists.values()):
        return []
    names = list(dists)
    return [
        (one, other, dists[one].compare(dists[other]))
        for number, one in enumerate(names)
        for other in names[number + 1 :]
    ]


def _print(dists: Mapping[str, Any], title: str, params: Mapping[str, Any]) -> None:
    from rollwright.pictures.terminal import drawn

    page = paper()
    if title:
        show(page.bold(wrapped(title, page.width)), page)
    name = params["where"] or params["of"]
    if name:
        show(f"{name}:", page)
    if all(all_numbers(dist.outcomes) for dist in dists.values()):
        show(_summary(dists).text(page.width), page)
        show("", page)
    show(drawn(_picture(dists, title, params, **_size(dists)), page), page)
    for line in _duels_said(dists, page):
        show(line, page)


def _size(dists: Mapping[str, Any]) -> dict[str, int]:
    return {"most": max(24 // len(dists), ROWS_HERE)}


def _summary(dists: Mapping[str, Any]) -> Table:
    rows = [
        (
            name,
            number_said(dist.mean),
            number_said(dist.standard_deviation),
            str(dist.quantile("1/10")),
            str(dist.median),
            str(dist.quantile("9/10")),
        )
        for name, dist in dists.items()
    ]
    return Table(("", "mean", "deviation", "10 %", "median", "90 %"), tuple(rows))


def _duels_said(dists: Mapping[str, Any], page: Paper) -> list[str]:
    if _all_bools(dists):
        return []
    lines = []
    for one, other, duel in _duels(dists):
        chances = [percent(share) for share in (duel.greater, duel.equal, duel.less)]
        text = f"{one} against {other}: higher {chances[0]}, level {chances[1]}, lower {chances[2]}"
        lines.append(wrapped(text, page.width, "  "))
    return ["", *lines] if lines else []
