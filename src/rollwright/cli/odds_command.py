"""`rollwright odds`: the exact odds of a roll, of its fields, of an event, over a sweep."""

from __future__ import annotations

from typing import Any

import click

from rollwright.cli.asking import Asked
from rollwright.cli.options import (
    NameOf,
    check_outputs,
    csv_option,
    goal_option,
    json_option,
    of_option,
    plot_option,
    policy_option,
    set_option,
    subject_options,
    where_option,
    work_option,
)


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
    if params["vary"]:
        from rollwright.cli.sweeping import sweep

        sweep(ctx)
        return
    from rollwright.cli.counting import count

    count(ctx)
