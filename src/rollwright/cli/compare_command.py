"""`rollwright compare`: several rolls, or several policies for one, side by side."""

from __future__ import annotations

from typing import Any

import click

from rollwright.cli.asking import Asked
from rollwright.cli.options import (
    csv_option,
    json_option,
    of_option,
    plot_option,
    policy_option,
    set_option,
    subject_options,
    where_option,
    work_option,
)


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
    from rollwright.cli.comparing import compare

    compare(ctx)
