"""`rollwright compare`: several rolls, or several policies for one, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from rollwright.ask.measures import event_of, names_in, percent
from rollwright.ask.odds import Counted, compared, duels
from rollwright.ask.subjects import of_expression
from rollwright.cli.files import looks_like_file, read_json
from rollwright.cli.options import (
    budget_of,
    check_outputs,
    csv_option,
    json_option,
    of_option,
    plot_option,
    policy_option,
    put_out,
    set_option,
    subject_options,
    where_option,
    work_option,
)
from rollwright.cli.paper import Paper, paper, show, wrapped
from rollwright.cli.subjects import (
    KIND,
    PLAIN,
    Asked,
    made,
    names_given,
    plain_about,
    set_variables,
    subject_of,
)
from rollwright.errors import UnknownName
from rollwright.pictures import distributions
from rollwright.pictures.charts import Bars, Series
from rollwright.pictures.distributions import number_said, together
from rollwright.pictures.outcomes import fields_in, is_compound
from rollwright.pictures.rows import all_numbers
from rollwright.pictures.tables import Table

if TYPE_CHECKING:
    from rollwright.ask.subjects import Subject
    from rollwright.exact import Dist

MOST_SUBJECTS = 6
ROWS_HERE = 10


@click.command("compare", cls=Asked)
@subject_options
@set_option
@policy_option(multiple=True)
@of_option
@where_option
@plot_option
@csv_option
@work_option
@json_option
@click.pass_context
def command(ctx: click.Context, /, **params: Any) -> None:
    """Set rolls side by side: their means, their odds, and which comes out higher.

    WHAT is several expressions, such as 2d20kh1 1d20+1d4 1d20+2; or several files with
    requests; or one roll of a game with --policy given several times.
    """
    check_outputs(params)
    title, rolls = _counted(ctx)
    names, where = names_given(params["of"]), params["where"]
    dists = {roll.name: _part(roll.dist, names, where) for roll in rolls}
    _refuse_mixtures(dists)
    put_out(
        params,
        table=lambda: _rows(dists),
        picture=lambda: _picture(dists, title, params),
        plain=lambda: compared(rolls, names, where or ""),
        words=lambda: _print(dists, title, params),
    )


def _part(dist: Dist[Any], names: tuple[str, ...], where: str | None) -> Dist[Any]:
    """What is compared of a roll: whether an event comes about, some fields, or all of it."""
    if where:
        test = event_of(where, dist)
        return dist.map(lambda outcome: bool(test(outcome)))
    return dist.of(*names_in(names, dist)) if names else dist


def _counted(ctx: click.Context) -> tuple[str, list[Counted]]:
    """A title, and the rolls by what tells them apart."""
    words, policies = ctx.params["what"], ctx.params["policy"]
    if ctx.meta.get(KIND) is not None or PLAIN in ctx.meta:
        _check_policies(ctx)
        subject = subject_of(ctx)
        names = policies or _all_policies(subject)
        _check_count(names)
        found = [(f"policy {name}", subject, name) for name in names]
        return subject.title, [_count(*one, ctx) for one in found]
    if policies:
        raise click.UsageError("--policy is for the rolls of a game; dice have no policies")
    _check_count(words)
    subjects = [_subject(word, ctx) for word in words]
    return "", [_count(one.title, one, "", ctx) for one in subjects]


def _count(name: str, subject: Subject, policy: str, ctx: click.Context) -> Counted:
    return Counted(name, subject, policy, subject.odds(policy, budget_of(ctx.params)))


def _check_policies(ctx: click.Context) -> None:
    """Refuse a policy that the game does not have, before they are counted."""
    kind = ctx.meta.get(KIND)
    if kind is None:
        return
    from rollwright.kit.games import find_game

    known = [*find_game(kind.game).policies, "best"]
    for name in ctx.params["policy"]:
        if name.partition(":")[0] not in known:
            raise UnknownName("policy", name, known)


def _all_policies(subject: Subject) -> tuple[str, ...]:
    """The policies that need nothing more than their name, and best play."""
    game = subject.game
    if game is None:
        raise click.UsageError("a saved expression has no policies to compare")
    plain = [name for name, policy in game.policies.items() if not policy.argument]
    return tuple([*plain, "best"][-MOST_SUBJECTS:])


def _check_count(names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        raise click.UsageError("the same is named twice")
    if not 2 <= len(names) <= MOST_SUBJECTS:
        raise click.UsageError(
            f"name two to {MOST_SUBJECTS} to compare, {len(names)} came: "
            "rollwright compare 2d20kh1 1d20+2"
        )


def _subject(word: str, ctx: click.Context) -> Subject:
    if looks_like_file(word):
        return made(plain_about(read_json(word), ctx))
    if not any(sign.isdigit() for sign in word) and word.isidentifier():
        from rollwright.kit.games import list_games

        raise UnknownName("game", word, list_games())
    return of_expression(word, set_variables(word, ctx.params["variables"]))


def _refuse_mixtures(dists: Mapping[str, Dist[Any]]) -> None:
    for dist in dists.values():
        if is_compound(dist):
            names = ", ".join(fields_in(dist)[:8])
            raise click.UsageError(f"say what to compare: --of FIELD or --where; fields: {names}")


def _rows(dists: Mapping[str, Dist[Any]]) -> Table:
    """Every outcome with its chance in each of them."""
    labels, columns = together(dists, 10**6)
    rows = [
        (label, *(f"{columns[name][n] / dists[name].total:.10g}" for name in dists))
        for n, label in enumerate(labels)
    ]
    return Table(("outcome", *dists), tuple(rows))


def _picture(
    dists: Mapping[str, Dist[Any]], title: str, params: Mapping[str, Any], **more: Any
) -> Any:
    name = params["where"] or (params["of"] or "")
    if _all_bools(dists):
        values = tuple(float(dist.p(True)) for dist in dists.values())
        return Bars(name, tuple(dists), (Series(name, values),), title)
    heading = title or " v ".join(dists)
    return distributions.compared(dists, heading, x_name=name, **more)


def _all_bools(dists: Mapping[str, Dist[Any]]) -> bool:
    return all(isinstance(outcome, bool) for dist in dists.values() for outcome in dist)


def _print(dists: Mapping[str, Dist[Any]], title: str, params: Mapping[str, Any]) -> None:
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


def _size(dists: Mapping[str, Dist[Any]]) -> dict[str, int]:
    return {"most": max(24 // len(dists), ROWS_HERE)}


def _summary(dists: Mapping[str, Dist[Any]]) -> Table:
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


def _duels_said(dists: Mapping[str, Dist[Any]], page: Paper) -> list[str]:
    if _all_bools(dists):
        return []
    lines = []
    for one, other, duel in duels(dists):
        chances = [percent(share) for share in (duel.greater, duel.equal, duel.less)]
        text = f"{one} against {other}: higher {chances[0]}, level {chances[1]}, lower {chances[2]}"
        lines.append(wrapped(text, page.width, "  "))
    return ["", *lines] if lines else []
