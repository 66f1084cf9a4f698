"""`rollwright verify`: whether a saved roll, or the log of a table, is true."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from rollwright.ask.rolls import verified_log, verified_roll
from rollwright.cli.files import read_text, saved_roll
from rollwright.cli.options import FileName, json_option
from rollwright.cli.paper import paper, shortened, show, show_json, wrapped
from rollwright.engine.transcript import Transcript

NOT_TRUE = 1
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
    if head is not None and not head.strip():
        raise click.UsageError("--head was given nothing; a hash that the table showed would do")
    plain = _parsed(read_text(file, LONGEST_LOG))
    if _is_log(plain):
        found = verified_log(plain, head or "")
    elif head is not None:
        raise click.UsageError("--head is for the log of a table, and this is none")
    else:
        found = verified_roll(saved_roll(plain), _replayed)
    if as_json:
        show_json(found)
    else:
        _print(found)
    return 0 if found["true"] else NOT_TRUE


def _parsed(text: str) -> Any:
    """What a text holds; the text itself where it is no JSON."""
    from json import loads

    try:
        return loads(text)
    except (ValueError, RecursionError):
        return text


def _is_log(plain: Any) -> bool:
    if not isinstance(plain, dict) or "events" not in plain:
        return False  # so that nothing of the table is loaded for a roll
    from rollwright.table.events import is_log

    return bool(is_log(plain))


def _replayed(plain: Any) -> Transcript:
    """A roll of any rule that is here; what is no roll at all is refused as such."""
    from rollwright.api import verify

    return verify(plain)


def _print(found: Mapping[str, Any]) -> None:
    page = paper()
    for line in _lines(found):
        show(wrapped(line, page.width, "" if found["true"] else "  "), page)


def _lines(found: Mapping[str, Any]) -> list[str]:
    if "said" in found:
        return list(found["said"])
    if found["true"]:
        return [f"True. {found['told']}"]
    start = "Not true." if found["true"] is False else "Cannot be checked here:"
    return [f"{start} {shortened(found['problem'])}"]
