"""Options of a roll that do not go together: refused, so that none is ignored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from rollwright.cli.subjects import Subject, variables_for

BEFOREHAND = {
    "choose": ("--choose", "it answers beforehand what you would be asked"),
    "policy": ("--policy", "it answers beforehand what you would be asked"),
    "as_json": ("--json", "programs are not asked"),
}
"""What makes no sense where a person is asked, and why."""


def check_options(subject: Subject, params: Mapping[str, Any], *, asks: bool) -> None:
    """Refuse what would be ignored in this roll."""
    _check_asking(params)
    variables_for(subject, params)
    if params["goal"]:
        _check_goal(subject, params, asks=asks)
    if params["tree"] and (params["as_json"] or subject.request is not None):
        what = "--json" if params["as_json"] else "the roll of a game"
        raise click.UsageError(f"--tree is for dice in words; it does not go with {what}")
    if params["save"] == "-":
        raise click.UsageError("--save - would mix the saved roll with the words; --json prints it")


def _check_asking(params: Mapping[str, Any]) -> None:
    asked = "--physical" if params["physical"] else "-i" if params["interactive"] else ""
    if not asked:
        return
    for name, (option, reason) in BEFOREHAND.items():
        if params[name]:
            raise click.UsageError(f"{option} does not go with {asked}: {reason}")
    if params["physical"] and params["seed"]:
        raise click.UsageError("--seed does not go with --physical: your own dice have no seed")
    if params["physical"] and params["interactive"] is False:
        raise click.UsageError("--no-interactive does not go with --physical, which asks for faces")


def _check_goal(subject: Subject, params: Mapping[str, Any], *, asks: bool) -> None:
    if subject.game is None:
        raise click.UsageError(f"--goal {params['goal']}: only games have goals")
    subject.game.goal(params["goal"], subject.request)
    if not asks and params["policy"] != "best":
        raise click.UsageError(
            f"--goal {params['goal']} goes with --policy best, or with -i, which asks you"
        )
