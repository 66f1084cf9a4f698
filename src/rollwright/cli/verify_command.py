"""`rollwright verify`: whether a saved roll is true."""

from __future__ import annotations

import click

from rollwright.cli.options import FileName, json_option
from rollwright.cli.paper import paper, show, show_json, wrapped

NOT_TRUE = 1


@click.command("verify")
@click.argument("file", metavar="FILE", type=FileName())
@json_option
def command(file: str, as_json: bool) -> int:
    """Check a saved roll: every face, every choice and the outcome, replayed by the rules.

    FILE is what --save wrote, or - for the pipe. Exit code 1 says that the roll is not true.
    """
    from rollwright.api import verify
    from rollwright.cli.files import read_text
    from rollwright.errors import RollwrightError

    text = read_text(file)
    try:
        transcript = verify(text)
    except RollwrightError as problem:
        return _refused(problem, as_json)
    state = "done" if transcript.is_done else "open"
    if as_json:
        show_json({"true": True, "state": state, "roll": transcript.to_plain()})
        return 0
    from rollwright.cli.telling import told

    page = paper()
    show(wrapped(f"True. {told(transcript)}", page.width), page)
    return 0


def _refused(problem: Exception, as_json: bool) -> int:
    place = getattr(problem, "place", "")
    if as_json:
        show_json({"true": False, "place": place, "problem": str(problem)})
    else:
        show(f"Not true. {problem}")
    return NOT_TRUE
