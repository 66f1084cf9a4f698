"""`rollwright odds`: the exact odds of a roll, of its fields, of an event, over a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rollwright.ask.events import words_compared
from rollwright.ask.measures import event_of, fraction, names_in, percent
from rollwright.ask.odds import chance, where_known, written
from rollwright.cli.options import (
    NameOf,
    Text,
    budget_of,
    check_outputs,
    csv_option,
    goal_option,
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
from rollwright.cli.outcomes import print_odds, show_lost
from rollwright.cli.paper import paper, show, wrapped
from rollwright.cli.subjects import Asked, names_given, policy_name, subject_of
from rollwright.pictures.distributions import pictured, table_of
from rollwright.pictures.outcomes import fields_in, is_compound
from rollwright.pictures.rows import value_said

if TYPE_CHECKING:
    from rollwright.ask.subjects import Subject
    from rollwright.exact import Dist

EXACT_TOTAL = 10**9
MOST_WORDS = 12


@click.command("odds", cls=Asked)
@subject_options
@set_option
@policy_option()
@goal_option
@of_option
@where_option
@click.option(
    "--vary",
    multiple=True,
    type=NameOf("vary"),
    metavar="NAME=A..B",
    help="Sweep a field or @NAME: ammo_dice=0..6, skill=B,C,D, policy=never,best.",
)
@click.option(
    "--target", type=Text(), metavar="N%", help="Find the value of --over that gives this chance."
)
@click.option(
    "--over",
    type=NameOf("over"),
    metavar="NAME[=A..B]",
    help="The field or @NAME that is searched for --target.",
)
@click.option(
    "--sensitivity",
    is_flag=True,
    help="Rank every field, one up and one down, and every house rule by what it changes.",
)
@click.option("--exact", is_flag=True, help="Show fractions beside the percents.")
@click.option("--all", "show_all", is_flag=True, help="Show every outcome, however many.")
@plot_option
@csv_option
@work_option
@json_option
@click.pass_context
def command(ctx: click.Context, /, **params: Any) -> None:
    """Count the exact odds: never sampled, never rounded inside.

    WHAT is dice such as 4d6kh3+2, a game and its roll with their options, or a saved roll,
    counted from where it stands. `rollwright odds GAME ROLL --help` shows the options of a roll.
    """
    check_outputs(params)
    _check_ways(params)
    if params["vary"]:
        from rollwright.cli.commands.curves import sweep

        sweep(ctx)
    elif params["over"]:
        from rollwright.cli.commands.find import find

        find(ctx)
    elif params["sensitivity"]:
        from rollwright.cli.commands.find import sensitivity

        sensitivity(ctx)
    else:
        _count(ctx)


def _check_ways(params: Mapping[str, Any]) -> None:
    """Refuse two questions at once, and half of one."""
    if bool(params["target"]) != bool(params["over"]):
        missing = "--over" if params["target"] else "--target"
        raise click.UsageError(f"{missing} is missing: --target 65% --over modifier would do")
    ways = [way for way in ("vary", "over", "sensitivity") if params[way]]
    if len(ways) > 1:
        raise click.UsageError(f"--{ways[0]} and --{ways[1]} are two questions; ask one by one")
    if not ways and params["goal"] and params["policy"] not in (None, "best"):
        raise click.UsageError(
            f"--goal {params['goal']} goes with --policy best, not with {params['policy']!r}; "
            "--vary shows what a policy does for a goal"
        )


class _Shown(NamedTuple):
    """What is shown: whose odds, under which policy, which of their fields."""

    subject: Subject
    policy: str
    names: tuple[str, ...]
    params: Mapping[str, Any]

    @property
    def heading(self) -> str:
        """What is shown, under which policy."""
        parts = [self.subject.title]
        if self.subject.game is not None and (self.policy or self.subject.game.default_policy):
            parts.append(f"policy {self.policy or self.subject.game.default_policy}")
        if self.names and self.params["where"]:
            parts.append(f"given {self.params['where']}")
        return ", ".join(parts)


def _count(ctx: click.Context) -> None:
    """Count what is asked for and show it."""
    params = ctx.params
    subject = subject_of(ctx)
    policy = policy_name(params) or ""
    dist = subject.odds(policy, budget_of(params))
    names = names_in(names_given(params["of"]), dist)
    shown = _Shown(subject, policy, names, params)
    if params["where"] and not names:
        _show_event(dist, shown)
        return
    if params["where"]:
        dist = where_known(dist, params["where"])
    _show(dist.of(*names) if names else dist, shown)


def _show_event(dist: Dist[Any], shown: _Shown) -> None:
    """The chance of an event; its table and its picture are how often it does and does not."""
    where = shown.params["where"]
    test = event_of(where, dist)
    happens = dist.map(lambda outcome: bool(test(outcome)))
    put_out(
        shown.params,
        table=lambda: table_of(happens, (where,)),
        picture=lambda: pictured(happens, shown.heading, x_name=where),
        plain=lambda: chance(shown.subject, shown.policy, dist, where),
        words=lambda: _print_event(dist, dist.weight(test), shown),
    )


def _print_event(dist: Dist[Any], weight: int, shown: _Shown) -> None:
    page = paper()
    show(page.bold(wrapped(shown.heading, page.width)), page)
    where = shown.params["where"]
    in_full = weight and (shown.params["exact"] or dist.total <= EXACT_TOTAL)
    exact = f"  ({fraction(Fraction(weight, dist.total))})" if in_full else ""
    show(f"  {where}: {percent(weight / dist.total)}{exact}", page)
    if not weight:
        for name in sorted(words_compared(where, fields_in(dist))):
            words = ", ".join(map(value_said, dist.of(name).outcomes[:MOST_WORDS]))
            show(wrapped(f"  {name} can be: {words}", page.width, "    "), page)
    show_lost(dist, page)


def _show(dist: Dist[Any], shown: _Shown) -> None:
    put_out(
        shown.params,
        table=lambda: table_of(dist, shown.names or fields_in(dist)),
        picture=lambda: _picture(dist, shown),
        plain=lambda: written(shown.subject, shown.policy, dist, shown.names, whole=True),
        words=lambda: print_odds(
            dist,
            shown.heading,
            shown.names,
            show_all=shown.params["show_all"],
            exact=shown.params["exact"],
        ),
    )


def _picture(dist: Dist[Any], shown: _Shown) -> Any:
    if is_compound(dist):
        raise click.UsageError("say what to draw: --of FIELD, such as --of successes")
    return pictured(dist, shown.heading, x_name=", ".join(shown.names))
