"""`rollwright roll`: dice, a game's roll, or one that was saved, taken up again."""

from __future__ import annotations

import sys
from typing import Any

import click

from rollwright.cli.asking import KIND, PLAIN, Asked, is_word
from rollwright.cli.files import looks_like_file
from rollwright.cli.options import (
    FileName,
    Text,
    goal_option,
    json_option,
    policy_option,
    save_option,
    set_option,
    subject_options,
)
from rollwright.cli.paper import show

SPECIAL = ("resume", "save", "as_json", "physical", "choose", "policy", "goal", "house")
"""Options that a roll without the engine knows nothing of."""


@click.command("roll", cls=Asked)
@subject_options
@set_option
@policy_option()
@goal_option
@click.option("--faces", metavar="F,F,…", help="The faces of real dice, in the order asked for.")
@click.option(
    "--seed", type=Text(), metavar="TEXT", help="Roll by a seed: the same faces every time."
)
@click.option("--choose", multiple=True, metavar="OPTION", help="What to choose, in order.")
@click.option(
    "--interactive/--no-interactive",
    "-i/-I",
    "interactive",
    default=None,
    help="Stop and ask at each choice; the default in a terminal.",
)
@click.option("--physical", is_flag=True, help="Throw real dice and type their faces.")
@click.option("--resume", type=FileName(), metavar="FILE", help="Take up a saved roll.")
@click.option("--tree", is_flag=True, help="Show every part of an expression on its own line.")
@save_option
@json_option
@click.pass_context
def command(ctx: click.Context, /, **params: Any) -> int:
    """Roll dice, a game's roll, or a saved roll that is still open.

    WHAT is dice such as 4d6kh3+2, a game and its roll with their options, or a saved roll.
    `rollwright roll GAME ROLL --help` shows the options of that roll. A roll stops where
    somebody must choose: answer there, or give --choose or --policy.
    """
    if _is_plain(ctx):
        _roll_quickly(ctx)
        return 0
    from rollwright.cli.rolling import roll_fully

    return roll_fully(ctx)


def _is_plain(ctx: click.Context) -> bool:
    """Whether this is nothing but an expression, which is rolled without the engine."""
    params = ctx.params
    if ctx.meta.get(KIND) is not None or PLAIN in ctx.meta or not params["what"]:
        return False
    if params["interactive"] is not None or any(params[name] for name in SPECIAL):
        return False
    first = params["what"][0]
    return not looks_like_file(first) and not is_word(first)


def _roll_quickly(ctx: click.Context) -> None:
    from rollwright.notation import roll

    params = ctx.params
    text = " ".join(params["what"])
    source = None
    if params["faces"] is not None or params["seed"] is not None:
        from rollwright.cli.throwing import source_of

        source = source_of(params["faces"], params["seed"])
    variables = None
    if params["variables"]:
        from rollwright.cli.varying import set_variables

        variables = set_variables(text, params["variables"])
    result = roll(text, variables, source=source)
    show(result.tree() if params["tree"] else str(result))


def is_terminal() -> bool:
    """Whether a person sits in front of it."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
