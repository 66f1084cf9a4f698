"""`rollwright compare`: several rolls, or several policies for one, side by side."""

from __future__ import annotations

from typing import Any

import click

from rollwright.cli.asking import KIND, Asked
from rollwright.cli.options import (
    check_outputs,
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
    check_outputs(params)
    _check_policies(ctx)
    from rollwright.cli.comparing import compare

    compare(ctx)


def _check_policies(ctx: click.Context) -> None:
    """Refuse a policy that the game does not have, before they are counted."""
    kind = ctx.meta.get(KIND)
    if kind is None:
        return
    from rollwright.errors import UnknownName
    from rollwright.kit.games import find_game

    known = [*find_game(kind.game).policies, "best"]
    for name in ctx.params["policy"]:
        if name.partition(":")[0] not in known:
            raise UnknownName("policy", name, known)
