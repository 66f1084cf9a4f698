"""`rollwright check` and `rollwright new-game`: for those who write games."""

from __future__ import annotations

from pathlib import Path

import click

from rollwright.cli.console import Console, paper, show, show_json
from rollwright.cli.files import lines_outside
from rollwright.cli.options import RollParameter, json_option
from rollwright.cli.texts import HelpCommand, Option, usage
from rollwright.errors import BrokenGame, UnknownName
from rollwright.file_games import is_game_path, load_game
from rollwright.game.games import Game as WrittenGame
from rollwright.game.words import complete_file
from rollwright.gamecheck import GameReport
from rollwright.gamecheck import check as checked
from rollwright.gamecheck.report import MOST_FAULTS, CheckPart, GameFault
from rollwright.i18n.codes import language_code
from rollwright.i18n.languages import ENGLISH
from rollwright.kit.games import Game, find_game
from rollwright.kit.words import many
from rollwright.pictures.terminal import wrap_text
from rollwright.scaffold import write_game

GOOD, BAD, OPEN = 2, 1, 3
FAULTY, UNCHECKED = 1, 3
"""Exit codes: something is wrong; nothing was found, but not all could be checked."""
COLUMN = 14


@click.command(cls=HelpCommand)
@click.argument("game", type=RollParameter(), metavar="GAME")
@json_option
@click.pass_context
def check(ctx: click.Context, game: str, as_json: bool) -> None:
    """Check a game, for its author; what it finds is in English, as the author's errors are."""
    try:
        found = _find_game(game)
    except BrokenGame as broken:
        for line in lines_outside(broken.problem.__traceback__):
            click.echo(f"  {line}", err=True)
        raise
    report = checked(found)
    if as_json:
        show_json(report.to_json())
    else:
        page = paper()
        show("\n".join(format_report(report, page)), page)
    if not report.is_clean:
        ctx.exit(FAULTY if report.faults else UNCHECKED)


def _find_game(name: str) -> Game:
    """The game of that name, of a file or of a folder that is a package, or once installed."""
    if is_game_path(name):
        return load_game(name)
    try:
        return find_game(name)
    except UnknownName:
        folder = Path(name)
        if not folder.is_dir():
            raise
    try:
        return find_game(folder.resolve().name)
    except UnknownName:
        raise usage("refusal.not_installed", folder=name, game=folder.resolve().name) from None


def format_report(report: GameReport, page: Console) -> list[str]:
    """A report as people read and paste it."""
    game = report.game
    lines = [page.bold(wrap_text(f"{game.title} ({game.name}, game API {game.api})", page.width))]
    for part in report.parts:
        body = wrap_text(part.looked_at, page.width - COLUMN - 4, " " * (COLUMN + 4))
        lines.append(f"  {_mark(part, page)} {part.name.ljust(COLUMN)}{body}".rstrip())
        for fault in part.faults[:MOST_FAULTS]:
            lines += _format_fault(fault, page)
        if len(part.faults) > MOST_FAULTS:
            lines.append(f"      and {len(part.faults) - MOST_FAULTS} more; --json has all of them")
        for text in (
            *(f"not checked: {one}" for one in part.unchecked),
            *(f"note: {one}" for one in part.notes),
        ):
            lines.append(f"      {wrap_text(text, page.width - 6, ' ' * 6)}")
    return [*lines, page.bold(_result(report))]


def _mark(part: CheckPart, page: Console) -> str:
    """Whether a part is wrong, not wholly checked, or right."""
    if part.faults:
        return page.colorize("✗", BAD)
    return page.colorize("?", OPEN) if part.unchecked else page.colorize("✓", GOOD)


def _result(report: GameReport) -> str:
    """Return the result, in a sentence."""
    faults, open = many(len(report.faults), "fault"), many(len(report.omissions), "thing")
    if report.is_clean:
        return "Nothing is wrong."
    if not report.omissions:
        return f"{faults}."
    before = f"{faults}, and" if report.faults else "No fault, but"
    return f"{before} {open} could not be checked."


def _format_fault(fault: GameFault, page: Console) -> list[str]:
    said = f"{fault.where}: {fault.problem}"
    lines = [f"      {wrap_text(said, page.width - 6, ' ' * 8)}"]
    return [*lines, *(f"        {line}"[: page.width] for line in fault.lines)]


@click.command("new-game", cls=HelpCommand)
@click.argument("name", metavar="NAME")
@click.option(
    "--into",
    cls=Option,
    about="into",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    default=Path(),
)
def new_game(name: str, into: Path) -> None:
    """Begin a game: a folder that works as it is."""
    folder = write_game(name, into)
    page = paper()
    show(f"{folder} is a game that works. Go on with:", page)
    for line in (
        f"pip install -e {folder}[test]",
        f"rollwright check {folder.name}",
        f"rollwright odds {folder.name} --dice 4",
    ):
        show(f"  {line}", page)


@click.command("words", cls=HelpCommand)
@click.argument("game", type=RollParameter(), metavar="GAME")
@click.option("--add", cls=Option, about="add", metavar="LANGUAGE", required=True)
def words(game: str, add: str) -> None:
    """Write or complete the file in which a game is translated."""
    found = _find_game(game)
    if not isinstance(found, WrittenGame):
        raise usage("refusal.words", game=game)
    code = language_code(add)
    if code in ("", ENGLISH):
        raise usage("refusal.code", came=repr(add))
    path, missing, texts = complete_file(found, code)
    show(f"{path}: {texts - missing} of {many(texts, 'text')} translated", paper())
