"""`rollwright advise`: the best call now, or the best policy for a whole roll."""

from __future__ import annotations

from typing import Any

import click

from rollwright.cli.asking import Asked
from rollwright.cli.options import (
    check_outputs,
    csv_option,
    goal_option,
    json_option,
    subject_options,
    work_option,
)


@click.command("advise", cls=Asked)
@subject_options
@goal_option
@click.option("--faces", metavar="F,F,…", help="The faces that lie there, in the order asked for.")
@click.option("--choose", multiple=True, metavar="OPTION", help="What was chosen, in order.")
@click.option("--all", "show_all", is_flag=True, help="Show every line of the policy.")
@csv_option
@work_option
@json_option
@click.pass_context
def command(ctx: click.Context, /, **params: Any) -> None:
    """Say what to do: now, for a saved roll or given faces, or as a policy for the whole roll.

    WHAT is a game and its roll with their options, or a file that `roll --save` wrote.
    """
    check_outputs(params)
    from rollwright.cli.counselling import advise

    advise(ctx)
