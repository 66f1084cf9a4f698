"""`rollwright verify`: whether a saved roll, or the log of a table, is true."""

from __future__ import annotations

from typing import Any

import click

from rollwright.cli.options import FileName, json_option
from rollwright.cli.paper import paper, shortened, show, show_json, wrapped

NOT_TRUE = 1
UNCHECKED = "Cannot be checked here:"
RULES = {"format": int, "version": str, "rule": str}
"""What says by which rules a roll is replayed."""
NO_GAME = "request: there is no game"
BEYOND = ("unknown format", "too large")
"""Problems of a log that say nothing about whether it is true."""
LONGEST_LOG = 200_000_000


@click.command("verify")
@click.argument("file", metavar="FILE", type=FileName())
@click.option(
    "--head",
    metavar="HASH",
    help="The hash of an event that you noted: the log must still have it.",
)
@json_option
def command(file: str, head: str | None, as_json: bool) -> int:
    """Check a saved roll or the log of a table, completely and offline.

    Of a roll, every face, every choice and the outcome is replayed by the rules. Of a log, also
    its chain of hashes, and that every fair throw follows from a key that was committed to.

    FILE is what --save or a table wrote, or - for the pipe. Exit code 1 says that it is not true,
    or that it cannot be checked here.
    """
    from rollwright.cli.files import read_text

    if head is not None and not head.strip():
        raise click.UsageError("--head was given nothing; a hash that the table showed would do")
    text = read_text(file, LONGEST_LOG)
    log = _log_in(text)
    if log is not None:
        return _verify_log(log, head or "", as_json)
    if head is not None:
        raise click.UsageError("--head is for the log of a table, and this is none")
    return _verify_roll(text, as_json)


def _log_in(text: str) -> Any:
    """The log that a text holds; None if it is something else."""
    from json import loads

    try:
        plain = loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(plain, dict) or "events" not in plain:
        return None  # so that nothing of the table is loaded for a roll
    from rollwright.table.events import is_log

    return plain if is_log(plain) else None


def _verify_log(log: Any, head: str, as_json: bool) -> int:
    from rollwright.table.verify.log import verify_log

    report = verify_log(log, head=head)
    numbered = type(log.get("format")) is int
    unchecked = [one for one in report.problems if one.what in BEYOND and numbered]
    if as_json:
        show_json({**report.to_plain(), **({"true": None} if unchecked else {})})
    else:
        page = paper()
        lines = [f"{UNCHECKED} {unchecked[0].message}"] if unchecked else report.said()
        for line in lines:
            show(wrapped(line, page.width, "  "), page)
    return 0 if report.ok else NOT_TRUE


def _verify_roll(text: str, as_json: bool) -> int:
    from rollwright.api import verify
    from rollwright.errors import RollwrightError

    try:
        transcript = verify(text)
    except RollwrightError as problem:
        return _refused(problem, _is_beyond(problem, text), as_json)
    state = "done" if transcript.is_done else "open"
    if as_json:
        show_json({"true": True, "state": state, "roll": transcript.to_plain()})
        return 0
    from rollwright.kit.words import told

    page = paper()
    show(wrapped(f"True. {told(transcript)}", page.width), page)
    return 0


def _is_beyond(problem: Exception, text: str) -> bool:
    """Whether a roll goes by other rules than those here, so that nothing can be said about it."""
    place = getattr(problem, "place", "")
    if place not in RULES:
        return str(problem).startswith(NO_GAME)
    from json import loads

    return type(loads(text).get(place)) is RULES[place]


def _refused(problem: Exception, unchecked: bool, as_json: bool) -> int:
    """What is not true of a roll; one that cannot be checked is neither true nor not."""
    place = getattr(problem, "place", "")
    if as_json:
        found = None if unchecked else False
        show_json({"true": found, "place": place, "problem": str(problem)})
    else:
        page = paper()
        said = f"{UNCHECKED if unchecked else 'Not true.'} {shortened(str(problem))}"
        show(wrapped(said, page.width, "  "), page)
    return NOT_TRUE
