"""`rollwright roll` and `rollwright verify`: rolls made, taken up again, and checked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from rollwright.cli.console import legible, note, paper, shorten, show, show_json
from rollwright.cli.files import (
    check_writable,
    looks_like_file,
    read_json,
    read_text,
    saved_roll,
    write_text,
)
from rollwright.cli.options import (
    KIND,
    FileName,
    GivenOptions,
    command,
    json_option,
    with_translation,
)
from rollwright.cli.query_commands import NOT_FOR_GAMES, PLAIN, QueryCommand, is_rule, is_word
from rollwright.cli.texts import HelpCommand, Option, text, usage
from rollwright.i18n.locale import format_text

if TYPE_CHECKING:
    from rollwright.engine.transcript import Transcript
    from rollwright.jsonable import Json
    from rollwright.queries.roll_specs import RollSpec
    from rollwright.queries.schemas import VerifyAnswer

EXITS = {"true": 0, "false": 1, "partly": 3}
NEED = "--seat needs {}: pip install 'rollwright[client]'"
DRAWN = (".svg", ".png")
LONGEST_LOG = 2**28
"""Bytes of a log; a server writes half as many by default."""
SPECIAL = (
    *("resume", "save", "as_json", "physical", "choose", "policy", "goal", "house"),
    *("picture", "share"),
)
"""Options that a roll without the engine knows nothing of."""
BEFOREHAND = {
    "choose": ("--choose", "refusal.beforehand"),
    "policy": ("--policy", "refusal.beforehand"),
    "as_json": ("--json", "refusal.programs"),
}
"""Options that make no sense when a person is asked, and the text that says why."""


@command(
    "what arg house from dialect set policy goal faces seed choose interactive physical resume "
    "tree save picture share json",
    cls=QueryCommand,
)
def roll(ctx: click.Context, given: GivenOptions) -> int:
    """Roll dice, a game's roll, or a saved roll that is still open."""
    if _is_plain(ctx, given):
        _roll_quickly(given)
        return 0
    return _roll_fully(ctx, given)


def _is_plain(ctx: click.Context, given: GivenOptions) -> bool:
    """Whether this is nothing but an expression, which is rolled without the engine."""
    if ctx.meta.get(KIND) is not None or PLAIN in ctx.meta or not given.what:
        return False
    if given.interactive is not None or any(getattr(given, name) for name in SPECIAL):
        return False
    first = given.what[0]
    return not looks_like_file(first) and not is_word(first)


def _roll_quickly(given: GivenOptions) -> None:
    from rollwright.cli.query_commands import set_variables
    from rollwright.notation import roll

    dice = " ".join(given.what)
    source = None
    if given.faces is not None or given.seed is not None:
        from rollwright.cli.rolls import source_of

        source = source_of(given.faces, given.seed)
    result = roll(dice, set_variables(dice, given.variables) or None, source=source)
    show(result.tree() if given.tree else str(result))
    for remark in result.hints:
        note(str(remark))


def _roll_fully(ctx: click.Context, given: GivenOptions) -> int:
    """Roll what is asked for, as far as it goes, and say what happened."""
    from rollwright.cli.rolls import play_on, show_elsewhere, source_of

    subject = _subject(ctx, given)
    asks = _asks(given)
    _check_options(subject, given, asks=asks)
    for name in filter(None, (given.save, given.picture)):
        check_writable(name)
    transcript = subject.start()
    source = source_of(given.faces, given.seed, transcript)
    if asks:
        from rollwright.cli.commands.play import TerminalRoll

        return TerminalRoll(subject, source, given).play(transcript)
    transcript = play_on(transcript, source, given.choose, _policy(subject, given))
    if given.save:
        _save(transcript, given.save, given)
    _report(transcript, given)
    show_elsewhere(transcript, given)
    return 0


def _subject(ctx: click.Context, given: GivenOptions) -> RollSpec:
    from rollwright.cli.query_commands import load_roll, subject_of
    from rollwright.queries.roll_specs import of_transcript

    if not given.resume:
        return subject_of(ctx)
    own_rule = len(given.what) == 1 and is_rule(given.what[0])
    if (given.what and not own_rule) or given.arguments or given.house or PLAIN in ctx.meta:
        raise usage("refusal.resume")
    if given.variables:
        raise usage(NOT_FOR_GAMES)
    plain = saved_roll(read_json(given.resume, roll=True))
    return of_transcript(load_roll(plain))


def _asks(given: GivenOptions) -> bool:
    """Check whether a person is asked: on request, or in a terminal where nothing else decides."""
    if given.interactive is not None or given.physical:
        return given.interactive is not False
    decided = given.policy or given.choose or given.as_json
    return not decided and _is_terminal()


def _is_terminal() -> bool:
    """Whether a person sits in front of it."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _policy(subject: RollSpec, given: GivenOptions) -> Any:
    name = given.policy_name if given.policy else ""
    if not name:
        return None
    if subject.game is None or subject.request is None:
        raise usage("refusal.policy", name=repr(name))
    return subject.game.policy(name, subject.request)


def _save(transcript: Transcript, name: str, given: GivenOptions) -> None:
    """Write the roll down; where that fails, what was thrown is shown before the refusal."""
    try:
        write_text(name, transcript.to_json() + "\n")
    except click.UsageError:
        _report(transcript, given._replace(save=None))
        raise


def _report(transcript: Transcript, given: GivenOptions) -> None:
    """Print what happened, for people or for programs."""
    if given.as_json:
        from rollwright.queries.rolls import roll_answer

        show_json(with_translation(roll_answer(transcript)))
        return
    from rollwright.cli.rolls import tell

    tell(transcript, given.save, paper(), tree=given.tree)


def _check_options(subject: RollSpec, given: GivenOptions, *, asks: bool) -> None:
    """Refuse what would be ignored in this roll."""
    _check_asking(given)
    if given.goal:
        _check_goal(subject, given.goal, given.policy, asks=asks)
    if given.tree and (given.as_json or subject.request is not None):
        raise usage("refusal.tree", what="json" if given.as_json else "game")
    if given.save == "-":
        raise usage("refusal.save")
    if given.picture and not given.picture.lower().endswith(DRAWN):
        raise usage("refusal.roll_picture", name=given.picture)
    if given.share and given.as_json:
        raise usage("refusal.share")


def _check_asking(given: GivenOptions) -> None:
    asked = "--physical" if given.physical else "-i" if given.interactive else ""
    if not asked:
        return
    for name, (option, reason) in BEFOREHAND.items():
        if getattr(given, name):
            raise usage("refusal.asked", option=option, asked=asked, why=text(reason))
    if given.physical and given.seed:
        raise usage("refusal.seed")
    if given.physical and given.interactive is False:
        raise usage("refusal.unasked")


def _check_goal(subject: RollSpec, goal: str, policy: str | None, *, asks: bool) -> None:
    if subject.game is None or subject.request is None:
        raise usage("refusal.goal.dice", goal=goal)
    subject.game.goal(goal, subject.request)
    if not asks and policy != "best":
        raise usage("refusal.goal.best", goal=goal)


@click.command(cls=HelpCommand)
@click.argument("file", metavar="FILE", type=FileName())
@click.option("--head", cls=Option, about="head", metavar="HASH")
@click.option("--seat", cls=Option, about="seat", type=FileName(), metavar="FILE")
@json_option
def verify(file: str, head: str | None, seat: str | None, as_json: bool) -> int:
    """Check a saved roll or the log of a table, completely and offline."""
    if head is not None and not head.strip():
        raise usage("refusal.head.empty")
    from rollwright.queries.rolls import verified_log, verified_roll
    from rollwright.queries.shares.roll_links import is_link, verified_link

    plain = file if is_link(file) else _parse_json(read_text(file, LONGEST_LOG))
    if isinstance(plain, str) and is_link(plain) and head is None and seat is None:
        found = verified_link(plain)
    elif isinstance(plain, dict) and _is_log(plain):
        found = verified_log(plain, head or "")
        if seat is not None:
            found = _check_memory(found, plain, seat)
    elif head is not None or seat is not None:
        raise usage("refusal.seat" if head is None else "refusal.head")
    elif isinstance(plain, str):
        nothing = text("verified.nothing")
        found = {"true": False, "verdict": "false", "problem": nothing}
    else:
        found = verified_roll(saved_roll(plain), _replay)
    if as_json:
        show_json(found)
    else:
        _print_verdict(found)
    return EXITS[found["verdict"]]


def _check_memory(found: VerifyAnswer, log: dict[str, Any], seat: str) -> VerifyAnswer:
    """Return the findings on a log, checked against what a seat of ours saw and signed."""
    try:
        from rollwright.client.devices import SigningDevice
        from rollwright.client.rolls import UnfairHostError
        from rollwright.client.seat_stores import FileSeatStore
    except ModuleNotFoundError as problem:
        raise click.ClickException(NEED.format(problem.name)) from None
    keep = FileSeatStore(seat)
    held, device = keep.read(), SigningDevice.load(keep)
    if device is None or held.get("table") != log.get("table"):
        raise usage("refusal.seat.other", name=repr(seat))
    if found["verdict"] == "false":
        return found
    device.log.seat = str(held.get("seat", ""))
    try:
        device.check_log(log["events"])
    except UnfairHostError as problem:
        wrong = text("verified.false", problem=format_text(problem.wording))
        return {**found, "true": False, "verdict": "false", "said": [wrong]}
    said = [*found["said"], text("verified.seat"), *device.protests]
    lost = device.unanswered_in(log["events"]) if found["for"] == device.log.seat else 0
    if lost > found["checked"]["calls never answered"]:
        said.append(text("verified.unanswered", n=lost))
    return {**found, "said": said}


def _parse_json(held: str) -> Json:
    """Return the value in a text; the text itself if it is no JSON."""
    from rollwright.jsonable import BadValue, parse_exact_json

    try:
        return parse_exact_json(held)
    except BadValue:
        return held


def _is_log(plain: dict[str, Json]) -> bool:
    if "events" not in plain:
        return False  # so that nothing of the table is loaded for a roll
    from rollwright.table.events import is_log

    return bool(is_log(plain))


def _replay(plain: Any) -> Transcript:
    """A roll of any rule that is here; what is no roll at all is refused as such."""
    from rollwright import api

    return api.verify(plain)


def _print_verdict(found: VerifyAnswer) -> None:
    from rollwright.pictures.terminal import wrap_text

    page = paper()
    for line in _lines(found):
        show(wrap_text(legible(line), page.width, "" if found["true"] else "  "), page)


def _lines(found: VerifyAnswer) -> list[str]:
    if "said" in found and "told" not in found:
        return list(found["said"])
    if found["true"]:
        return [text("verified.true", told=found["told"]), *found.get("said", ())[1:]]
    id = "verified.false" if found["true"] is False else "verified.unchecked"
    return [text(id, problem=shorten(found["problem"]))]
