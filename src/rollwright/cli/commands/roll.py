"""`rollwright roll`: dice, a game's roll, or one that was saved, taken up again."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from rollwright.cli.files import (
    check_can_be_written,
    looks_like_file,
    read_json,
    saved_roll,
    write_text,
)
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
from rollwright.cli.paper import paper, show, show_json
from rollwright.cli.subjects import KIND, PLAIN, Asked, is_word, policy_name

if TYPE_CHECKING:
    from rollwright.ask.subjects import Subject
    from rollwright.engine.transcript import Transcript

SPECIAL = ("resume", "save", "as_json", "physical", "choose", "policy", "goal", "house")
"""Options that a roll without the engine knows nothing of."""
BEFOREHAND = {
    "choose": ("--choose", "it answers beforehand what you would be asked"),
    "policy": ("--policy", "it answers beforehand what you would be asked"),
    "as_json": ("--json", "programs are not asked"),
}
"""What makes no sense where a person is asked, and why."""


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
    return _roll_fully(ctx)


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
    from rollwright.cli.subjects import set_variables
    from rollwright.notation import roll

    params = ctx.params
    text = " ".join(params["what"])
    source = None
    if params["faces"] is not None or params["seed"] is not None:
        from rollwright.cli.rolls import source_of

        source = source_of(params["faces"], params["seed"])
    result = roll(text, set_variables(text, params["variables"]) or None, source=source)
    show(result.tree() if params["tree"] else str(result))


def _roll_fully(ctx: click.Context) -> int:
    """Roll what is asked for, as far as it goes, and say what happened."""
    from rollwright.cli.rolls import played, source_of

    params = ctx.params
    subject = _subject(ctx)
    asks = _asks(params)
    _check_options(subject, params, asks=asks)
    if params["save"]:
        check_can_be_written(params["save"])
    transcript = subject.started()
    source = source_of(params["faces"], params["seed"], transcript)
    if asks:
        from rollwright.cli.commands.play import Game

        return Game(subject, source, params).play(transcript)
    transcript = played(transcript, source, params["choose"], _policy(subject, params))
    if params["save"]:
        _save(transcript, params)
    _report(transcript, params)
    return 0


def _subject(ctx: click.Context) -> Subject:
    from rollwright.ask.subjects import of_transcript
    from rollwright.cli.subjects import subject_of
    from rollwright.engine.transcript import Transcript

    if not ctx.params["resume"]:
        return subject_of(ctx)
    if ctx.params["what"] or ctx.params["house"] or PLAIN in ctx.meta:
        raise click.UsageError("--resume takes up a saved roll; nothing else is rolled beside it")
    if ctx.params["variables"]:
        raise click.UsageError("--set is for the names of dice, such as 1d20+@str")
    plain = saved_roll(read_json(ctx.params["resume"], "a saved roll"))
    return of_transcript(Transcript.from_plain(plain))


def _asks(params: Mapping[str, Any]) -> bool:
    """Whether a person is asked: when told so, or in a terminal where nothing else decides."""
    if params["interactive"] is not None:
        return bool(params["interactive"])
    if params["physical"]:
        return True
    decided = params["policy"] or params["choose"] or params["as_json"]
    return not decided and _is_terminal()


def _is_terminal() -> bool:
    """Whether a person sits in front of it."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _policy(subject: Subject, params: Mapping[str, Any]) -> Any:
    name = policy_name({**params, "goal": params["goal"] if params["policy"] else None})
    if name is None:
        return None
    if subject.game is None or subject.request is None:
        raise click.UsageError(f"{name!r} names a policy, but only games have policies")
    return subject.game.policy(name, subject.request)


def _save(transcript: Transcript, params: Mapping[str, Any]) -> None:
    """Write the roll down; where that fails, what was thrown is shown before the refusal."""
    try:
        write_text(params["save"], transcript.to_json() + "\n")
    except click.UsageError:
        _report(transcript, {**params, "save": None})
        raise


def _report(transcript: Transcript, params: Mapping[str, Any]) -> None:
    """What happened, for people or for programs."""
    if params["as_json"]:
        from rollwright.ask.rolls import told_roll

        show_json(told_roll(transcript))
        return
    from rollwright.cli.rolls import tell

    tell(transcript, params["save"], paper(), tree=params["tree"])


def _check_options(subject: Subject, params: Mapping[str, Any], *, asks: bool) -> None:
    """Refuse what would be ignored in this roll."""
    _check_asking(params)
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
    if subject.game is None or subject.request is None:
        raise click.UsageError(f"--goal {params['goal']}: only games have goals")
    subject.game.goal(params["goal"], subject.request)
    if not asks and params["policy"] != "best":
        raise click.UsageError(
            f"--goal {params['goal']} goes with --policy best, or with -i, which asks you"
        )
