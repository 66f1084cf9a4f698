"""`rollwright games`: what there is to play, and everything a game offers."""

from __future__ import annotations

import click

from rollwright.cli.options import What, json_option
from rollwright.cli.paper import Paper, paper, show, show_json, wrapped


@click.command("games")
@click.argument("what", nargs=-1, type=What(), metavar="[GAME [ROLL]]")
@json_option
def command(what: tuple[str, ...], as_json: bool) -> None:
    """List the games, or explain one: its rolls, options, policies, goals and house rules.

    With --json the schema of every request comes along.
    """
    if len(what) > 2:
        raise click.UsageError(f"{what[2]!r} is one word too many: games [GAME [ROLL]]")
    page = paper()
    if not what:
        _list(as_json, page)
    elif len(what) == 1:
        _explain(what[0], as_json, page)
    else:
        _explain_roll(what[0], what[1].replace("-", "_"), as_json, page)


def _explain(name: str, as_json: bool, page: Paper) -> None:
    from rollwright.cli.explaining import game_plain, game_said
    from rollwright.kit.games import find_game

    game = find_game(name)
    if as_json:
        show_json(game_plain(game))
    else:
        show(game_said(game, page), page)


def _explain_roll(name: str, roll: str, as_json: bool, page: Paper) -> None:
    from rollwright.cli.explaining import game_plain, roll_said
    from rollwright.errors import UnknownName
    from rollwright.kit.games import find_game

    game = find_game(name)
    if roll not in game.requests:
        raise UnknownName("roll", roll, game.requests)
    if as_json:
        show_json(game_plain(game)["rolls"][roll])
    else:
        show(roll_said(game.requests[roll], page), page)


def _list(as_json: bool, page: Paper) -> None:
    from rollwright.kit.games import find_game, list_games

    games = [find_game(name) for name in list_games()]
    if as_json:
        show_json(
            [{"name": game.name, "title": game.title, "summary": game.summary} for game in games]
        )
        return
    for game in games:
        heading = wrapped(f"{game.name}: {game.title}", page.width, "  ")
        show(page.bold(heading), page)
        show("  " + _hung(game.summary, page), page)
        show("  " + _hung(f"Rolls: {', '.join(game.requests)}", page), page)
    show("\n" + wrapped("rollwright games NAME explains one of them.", page.width), page)


def _hung(text: str, page: Paper) -> str:
    return wrapped(text, page.width - 2, "  ")
