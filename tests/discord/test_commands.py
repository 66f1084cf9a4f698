"""Slash commands are made from the games' fields, and Discord takes all of them."""

from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from rollwright.cli.commands import rollwright
from rollwright.discord import commands
from rollwright.discord.api import RegistrationError, register
from rollwright.kit.fields import fields_of
from rollwright.kit.games import find_game, own_games
from tests.discord.limits import Broken, check_commands
from tests.discord.pictures import FOLDER, PICTURES
from tests.discord.simulated import APPLICATION, BOT_TOKEN, Discord


def described(fields, **more):
    """A game with one roll of these fields, as games describe themselves."""
    kind = {"roll": "Big Roll", "title": "", "help": "All of it. " * 40, "fields": fields}
    return {"name": "big", "title": "Big", "summary": "", "rolls": {"Big Roll": kind}, **more}


def number(name, **more):
    """A field that holds a number."""
    return {"name": name, "title": name, "help": "so much of it " * 20, "kind": "int", **more}


def test_every_roll_of_every_game_has_its_options():
    """Each field is an option of its own or is offered in `more`; nothing is lost."""
    made = {command["name"]: command for command in commands.commands()}
    check_commands([*made.values()])
    for name in own_games():
        rolls = {one["name"]: one for one in made[name]["options"]}
        for roll, kind in find_game(name).requests.items():
            _, about = commands.kind_of(name, roll)
            own = {option["name"] for option in rolls[roll]["options"]}
            more = {value.rstrip("=") for value, _ in commands.more_fields(about)}
            assert set(fields_of(kind)) - {"house"} == (own - set(commands.OWN)) | more


def test_a_game_with_more_fields_than_discord_has_room_for(monkeypatch):
    """25 options, the rest in `more`; descriptions are cut until all of it fits."""
    fields = [number(f"Field {n}", low=-(10**20), high=n) for n in range(60)]
    words = {"name": "odd", "title": "", "kind": "choice", "choices": [str(n) for n in range(40)]}
    big = described([words, *fields])
    big["rolls"] |= {f"r{n}": {**big["rolls"]["Big Roll"], "roll": f"r{n}"} for n in range(24)}
    monkeypatch.setattr(commands, "games", lambda: {"big": big})
    made = commands.commands()
    check_commands(made)
    roll = made[-1]["options"][0]
    assert "big-roll" == roll["name"]
    _, kind = commands.kind_of("big", "big-roll")
    assert 61 - 21 == len(commands.more_fields(kind))
    asked = commands.roll_spec_of("big", "big-roll", {"field-3": 2, "more": "Field 50=7; a.b=[1]"})
    assert {"Field 3": 2, "Field 50": 7, "a": {"b": [1]}} == asked.set


def test_a_game_that_is_called_as_a_command_of_ours(monkeypatch):
    """It has a name of its own, and so does one whose name no command may have."""
    names = ["roll", "Night Ferry"]
    answers = {name: described([], name=name) for name in names}
    listed = {"games": [{"name": name} for name in names]}
    monkeypatch.setattr(
        commands.queries, "answer", lambda kind, q: answers.get(q.get("game"), listed)
    )
    commands.games.cache_clear()
    try:
        assert ["game-roll", "night-ferry"] == list(commands.games())
    finally:
        commands.games.cache_clear()


def test_what_discord_refuses_is_said():
    """Without the bot's token, or where a limit is broken, the sentence says so."""
    discord = Discord()
    with httpx.Client(transport=discord.transport) as http:
        with pytest.raises(RegistrationError, match="401"):
            register(http, APPLICATION, "wrong")
        assert register(http, APPLICATION, BOT_TOKEN) == len(discord.commands) > 9


def test_the_simulated_discord_holds_the_limits():
    """It refuses what the real one refuses; else the other tests would show nothing."""
    good = {"type": 1, "name": "roll", "description": "x"}
    option = {"type": 4, "name": "n", "description": "x"}
    bad = [
        {**good, "name": "Roll"},
        {**good, "description": ""},
        {**good, "description": "x" * 101},
        {**good, "options": [option] * 2},
        {**good, "options": [{**option, "name": f"n{n}"} for n in range(26)]},
        {**good, "options": [{**option, "type": 3, "choices": [{"name": "", "value": ""}]}]},
        {**good, "options": [option, {**option, "name": "m", "required": True}]},
        {**good, "options": [{**option, "type": 3, "min_value": 1}]},
    ]
    check_commands([good])
    for command in bad:
        with pytest.raises(Broken):
            check_commands([command])


def test_the_command_line_says_what_is_missing():
    """One line for an operator, and no traceback."""
    for words, said in {
        ("discord",): "--public-key",
        ("discord", "--public-key", "3b6a"): "64 hexadecimal digits",
        ("discord", "register", "--application", "1"): "DISCORD_BOT_TOKEN",
        ("discord", "registr"): "did you mean 'register'",
    }.items():
        result = CliRunner(env={"DISCORD_BOT_TOKEN": ""}).invoke(rollwright, words)
        assert result.exit_code != 0
        assert said in f"{result.output}{result.exception}"


def test_the_skin_is_thin():
    """Under 1,200 lines for all of it; `tests/test_privileges.py` holds it to know no game."""
    folder = Path(commands.__file__).parent
    lines = [len(path.read_text("utf-8").splitlines()) for path in folder.glob("*.py")]
    assert sum(lines) < 1200


def test_the_documentation_shows_messages_and_names_every_command():
    """Both pictures are there and small; a command that the page does not name fails."""
    page = (FOLDER.parents[1] / "howto" / "discord.md").read_text("utf-8")
    assert all(f"pictures/discord/{name}" in page for name in PICTURES)
    assert all((FOLDER / name).stat().st_size < 60_000 for name in PICTURES)
    assert all(f"`/{name}" in page for name in commands.BASE)
    assert all(f"- `{name}`:" in page for name in commands.OWN)
