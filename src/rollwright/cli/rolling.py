"""A roll with everything: choices, policies, real dice, files, and people in a terminal."""

from __future__ import annotations

from typing import Any

import click

from rollwright.cli.asking import PLAIN
from rollwright.cli.conflicts import check_options
from rollwright.cli.files import check_can_be_written, read_text, write_text
from rollwright.cli.paper import Paper, paper, show, show_json, wrapped
from rollwright.cli.subjects import (
    Subject,
    of_transcript,
    policy_name,
    subject_of,
    variables_for,
)
from rollwright.cli.throwing import played, source_of
from rollwright.engine.steps import Choice
from rollwright.engine.transcript import Transcript
from rollwright.kit.words import effects_of, option_said, told


def roll_fully(ctx: click.Context) -> int:
    """Roll what is asked for, as far as it goes, and say what happened."""
    params = ctx.params
    subject = _subject(ctx)
    asks = _asks(params)
    check_options(subject, params, asks=asks)
    if params["save"]:
        check_can_be_written(params["save"])
    transcript = started(subject, params)
    source = source_of(params["faces"], params["seed"], transcript)
    if asks:
        from rollwright.cli.playing import Game

        return Game(subject, source, params).play(transcript)
    transcript = played(transcript, source, params["choose"], _policy(subject, params))
    if params["save"]:
        _save(transcript, params)
    report(transcript, params)
    return 0


def _save(transcript: Transcript, params: Any) -> None:
    """Write the roll down; where that fails, what was thrown is shown before the refusal."""
    try:
        write_text(params["save"], transcript.to_json() + "\n")
    except click.UsageError:
        report(transcript, {**params, "save": None})
        raise


def _subject(ctx: click.Context) -> Subject:
    if not ctx.params["resume"]:
        return subject_of(ctx)
    if ctx.params["what"] or ctx.params["house"] or PLAIN in ctx.meta:
        raise click.UsageError("--resume takes up a saved roll; nothing else is rolled beside it")
    from json import loads

    text = read_text(ctx.params["resume"])
    try:
        plain = loads(text)
    except (ValueError, RecursionError):
        raise click.UsageError(f"{ctx.params['resume']!r} is not a saved roll") from None
    return of_transcript(plain)


def started(subject: Subject, params: Any) -> Transcript:
    """The roll with nothing thrown yet, or where it was saved."""
    from rollwright.api import started as start

    if isinstance(subject.what, Transcript):
        return subject.what
    if isinstance(subject.what, str):
        from rollwright.notation import compiled

        return start(compiled(subject.what, variables_for(subject, params)))
    return start(subject.what)


def _asks(params: Any) -> bool:
    """Whether a person is asked: when told so, or in a terminal where nothing else decides."""
    from rollwright.cli.roll_command import is_terminal

    if params["interactive"] is not None:
        return bool(params["interactive"])
    if params["physical"]:
        return True
    decided = params["policy"] or params["choose"] or params["as_json"]
    return not decided and is_terminal()


def _policy(subject: Subject, params: Any) -> Any:
    name = policy_name({**params, "goal": params["goal"] if params["policy"] else None})
    if name is None:
        return None
    if subject.game is None:
        raise click.UsageError(f"{name!r} names a policy, but only games have policies")
    return subject.game.policy(name, subject.request)


def report(transcript: Transcript, params: Any) -> None:
    """What happened, for people or for programs."""
    if params["as_json"]:
        show_json(plain_roll(transcript))
        return
    tell(transcript, params["save"], paper(), tree=params["tree"])


def tell(transcript: Transcript, saved: str | None, page: Paper, *, tree: bool = False) -> None:
    """What happened and what comes of it, in words; `saved` is the file that has all of it."""
    if _is_expression(transcript) and transcript.is_done:
        show(_result_said(transcript, tree=tree), page)
    else:
        show(wrapped(told(transcript), page.width), page)
    for line in ending_said(transcript, saved):
        show(wrapped(line, page.width, "  "), page)


def _is_expression(transcript: Transcript) -> bool:
    if transcript.request is not None:
        return False
    from rollwright.notation.rules import expression

    return transcript.call.rule is expression


def _result_said(transcript: Transcript, *, tree: bool) -> str:
    from rollwright.notation import result

    found = result(transcript)
    return found.tree() if tree else str(found)


def plain_roll(transcript: Transcript) -> dict[str, Any]:
    """The transcript as JSON data, and what it waits for where it is open."""
    plain = transcript.to_plain()
    step = transcript.step
    if isinstance(step, Choice):
        plain["waits_for"] = {"choice": list(map(option_said, step.options)), "by": step.by}
    elif not transcript.is_done:
        plain["waits_for"] = {"throw": repr(step.pool)}
    return plain


def ending_said(transcript: Transcript, saved: str | None) -> list[str]:
    """What the outcome changes, or how an open roll goes on."""
    if transcript.is_done:
        effects = effects_of(transcript)
        return [f"Changes: {'; '.join(effects)}."] if effects else []
    step = transcript.step
    if isinstance(step, Choice):
        waits = f"{step.by} must choose"
        answer = " or ".join(f"--choose {option_said(option)!r}" for option in step.options[:6])
    else:
        waits, answer = f"waits for {step.pool!r}", "--faces"
    if saved:
        return [f"Open: {waits}. Go on with --resume {saved} and {answer}."]
    later = f"Roll with --save FILE to go on later, or answer beforehand with {answer}."
    return [f"Open: {waits}, and the roll is not saved. {later}"]
