"""The odds of one roll, shown as lines, bars, tables, pictures or JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from rollwright.ask.events import event, words_compared
from rollwright.cli.files import write_bytes, write_text
from rollwright.cli.options import budget_of
from rollwright.cli.paper import Paper, note, paper, show, show_json, wrapped
from rollwright.cli.saying import fields_in, fields_said, fraction, is_compound, percent
from rollwright.cli.subjects import Subject, policy_name, subject_of, variables_for
from rollwright.exact.text import digits
from rollwright.pictures.distributions import distribution, pictured, summary, table_of
from rollwright.pictures.rows import MOST_ROWS, all_numbers, value_said

EXACT_TOTAL = 10**9
MORE = 'More: --of FIELD for one of them, --where "EVENT" for a chance.'
PICTURES = (".svg", ".png", ".html")


def count(ctx: click.Context) -> None:
    """Count what is asked for and show it."""
    params = ctx.params
    check_plot(params["plot"])
    subject = subject_of(ctx)
    variables_for(subject, params)
    check_goal(params)
    dist = odds_of(subject, policy_name(params), params)
    names = names_in(params["of"], dist)
    test = event(params["where"], fields_in(dist)) if params["where"] else None
    if test is not None and not names:
        _show_event(dist, test, subject, params)
        return
    if test is not None:
        dist = dist.where(test)
    if names:
        dist = dist.of(*names)
    _show(dist, names, subject, params)


def check_goal(params: Mapping[str, Any]) -> None:
    """Refuse a goal that nothing is asked of: only best play has one."""
    if params["goal"] and params["policy"] not in (None, "best"):
        raise click.UsageError(
            f"--goal {params['goal']} goes with --policy best, not with {params['policy']!r}; "
            "--vary shows what a policy does for a goal"
        )


def odds_of(subject: Subject, policy: str | None, params: Mapping[str, Any]) -> Any:
    """The odds of a subject under a policy by name."""
    from rollwright.api import odds

    budget = budget_of(params.get("work"))
    if isinstance(subject.what, str):
        if policy is not None:
            raise click.UsageError(f"{policy!r} names a policy, but only games have policies")
        from rollwright.cli.varying import variables_of
        from rollwright.notation import compiled

        variables = variables_of(params.get("variables") or ())
        return odds(compiled(subject.what, variables), budget=budget)
    return odds(subject.what, policy, budget=budget)


def names_in(of: str | None, dist: Any) -> tuple[str, ...]:
    """The fields that `--of` names."""
    names = tuple(name.strip().replace("-", "_") for name in (of or "").split(",") if name.strip())
    if names and not fields_in(dist):
        raise click.UsageError("--of picks fields of a game's outcome; this outcome is one value")
    return names


def check_plot(plot: str | None) -> None:
    """Refuse a picture of a kind that cannot be made, before the work is done."""
    if plot and not plot.lower().endswith(PICTURES):
        raise click.UsageError(
            f"--plot {plot!r}: a name that ends in .svg, .png or .html would do; "
            "--plot alone draws here and comes last"
        )


def _show_event(dist: Any, test: Any, subject: Subject, params: Mapping[str, Any]) -> None:
    """The chance of an event; its table and its picture are how often it does and does not."""
    happens = dist.map(lambda outcome: bool(test(outcome)))
    if params["csv_file"]:
        write_text(params["csv_file"], table_of(happens, (params["where"],)).csv())
    if params["plot"]:
        title = heading(subject, (), params)
        draw(pictured(happens, title, x_name=params["where"]), params["plot"])
    if params["as_json"]:
        weights = {"weight": dist.weight(test), "total": dist.total, "lost": dist.lost}
        counted = {name: digits(weight) for name, weight in weights.items()}
        show_json({"where": params["where"], "chance": fraction(dist.p(test)), **counted})
    elif not params["plot"] and params["csv_file"] != "-":
        _print_event(dist, test, subject, params)


def _print_event(dist: Any, test: Any, subject: Subject, params: Mapping[str, Any]) -> None:
    weight = dist.weight(test)
    page = paper()
    show(page.bold(wrapped(heading(subject, (), params), page.width)), page)
    in_full = weight and (params["exact"] or dist.total <= EXACT_TOTAL)
    exact = f"  ({fraction(dist.p(test))})" if in_full else ""
    show(f"  {params['where']}: {percent(weight / dist.total)}{exact}", page)
    if not weight:
        for name in sorted(words_compared(params["where"], fields_in(dist))):
            words = ", ".join(map(value_said, dist.of(name).outcomes[:12]))
            show(wrapped(f"  {name} can be: {words}", page.width, "    "), page)
    _show_lost(dist, page)


def _show(dist: Any, names: tuple[str, ...], subject: Subject, params: Mapping[str, Any]) -> None:
    if params["csv_file"]:
        write_text(params["csv_file"], table_of(dist, names or fields_in(dist)).csv())
    if params["plot"]:
        draw(_picture(dist, names, subject, params), params["plot"])
    if params["as_json"]:
        show_json(dist.to_json())
    elif not params["plot"] and params["csv_file"] != "-":
        _print(dist, names, subject, params)


def draw(picture: Any, name: str) -> None:
    """Write a picture and say so."""
    from rollwright.pictures.files import rendered

    write_bytes(name, rendered(picture, name))
    note(f"Drawn to {name}")


def _picture(dist: Any, names: tuple[str, ...], subject: Subject, params: Mapping[str, Any]) -> Any:
    if is_compound(dist):
        raise click.UsageError("say what to draw: --of FIELD, such as --of successes")
    return pictured(dist, heading(subject, names, params), x_name=", ".join(names))


def heading(subject: Subject, names: tuple[str, ...], params: Mapping[str, Any]) -> str:
    """What is shown, under which policy."""
    parts = [subject.title]
    policy = policy_name(params)
    if subject.game is not None and (policy or subject.game.default_policy):
        parts.append(f"policy {policy or subject.game.default_policy}")
    if names and params.get("where"):
        parts.append(f"given {params['where']}")
    return ", ".join(parts)


def _print(dist: Any, names: tuple[str, ...], subject: Subject, params: Mapping[str, Any]) -> None:
    page = paper()
    show(page.bold(wrapped(heading(subject, names, params), page.width)), page)
    if is_compound(dist):
        show("\n".join(fields_said(dist, page.width)), page)
        show(wrapped(MORE, page.width), page)
    else:
        _print_outcomes(dist, names, params, page)
    _show_lost(dist, page)


def _print_outcomes(
    dist: Any, names: tuple[str, ...], params: Mapping[str, Any], page: Paper
) -> None:
    from rollwright.pictures.terminal import drawn

    if spread := summary(dist):
        show(spread, page)
    if names:
        show(", ".join(names) + ":", page)
    most = len(dist) if params["show_all"] else MOST_ROWS
    picture = distribution(dist, most=most)
    show(_exact(dist, page) if params["exact"] else drawn(picture, page), page)


def _exact(dist: Any, page: Paper) -> str:
    """Every outcome with its fraction, and the chance to reach it where there is an order."""
    from rollwright.pictures.tables import Table

    rows = []
    numbers = all_numbers(dist.outcomes)
    reach = dist.at_least_table() if numbers else {}
    for outcome, weight in dist.items():
        row = (value_said(outcome), percent(weight / dist.total), f"{weight}/{dist.total}")
        rows.append((*row, percent(reach[outcome])) if numbers else row)
    head = ("outcome", "chance", "exactly", "at least")[: 4 if numbers else 3]
    return Table(head, tuple(rows), left=0 if numbers else 1).text(page.width)


def _show_lost(dist: Any, page: Paper) -> None:
    if dist.lost:
        share = percent(dist.lost / dist.total)
        show(f"Cut off by a stated bound: {share}; chances are at least what is shown.", page)
