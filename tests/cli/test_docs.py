"""The docs and the command line agree: everything is mentioned, and every example works."""

import click
import pytest

from rollwright.cli.commands import COMMANDS, rollwright
from rollwright.cli.fields import TAKEN, field_options, option_name
from rollwright.cli.query_commands import QueryCommand
from rollwright.kit.fields import fields_of
from rollwright.kit.games import find_game, own_games
from tests.cli.pages import PAGES, examples, run
from tests.cli.running import ROOT
from tests.cli.running import rollwright as run_words

TEXT = (ROOT / "docs" / "command-line.md").read_text("utf-8")
OF_SERVERS = (ROOT / "docs" / "table" / "server-commands.md").read_text("utf-8")
SERVERS = {"serve", "db", "admin", "discord", "webhooks"}
"""What is for whoever serves tables or a bot, and stands on a page of its own."""
WITH_EXAMPLES = [page for page in PAGES if examples(page)]


def tree():
    """Every command by name, loaded."""
    context = click.Context(rollwright)
    return {name: rollwright.get_command(context, name) for name in COMMANDS}


def own_options(command):
    """The long options of a command itself."""
    context = click.Context(command)
    parameters = click.Command.get_params(command, context)
    return {
        name
        for parameter in parameters
        if isinstance(parameter, click.Option)
        for name in (*parameter.opts, *parameter.secondary_opts)
        if name.startswith("--")
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_in_the_docs(name):
    """A command or an option that the page does not mention fails the suite."""
    text = OF_SERVERS if name in SERVERS else TEXT
    assert f"rollwright {name}" in text
    missing = {option for option in own_options(tree()[name]) if option not in text}
    assert set() == missing


def test_players_are_not_told_how_to_run_a_server():
    """The page of the command line names the commands of a server once, to say where they are."""
    for name in SERVERS:
        assert 1 == TEXT.count(f"rollwright {name}")
    assert "](table/server-commands.md)" in TEXT


def test_the_options_of_the_group_are_in_the_docs():
    """`--version` and `--help` too."""
    assert "rollwright --version" in TEXT
    assert "rollwright --help" in TEXT


def test_fields_never_hide_an_option_of_a_command():
    """The names that fields must not take are exactly the options of the commands."""
    asked = [command for command in tree().values() if isinstance(command, QueryCommand)]
    assert set(TAKEN) == set().union(*map(own_options, asked))


@pytest.mark.parametrize("name", own_games())
def test_a_game_is_explained_with_every_option(name):
    """`rollwright games NAME ROLL` names each option, policy, goal and house rule there is."""
    game = find_game(name)
    explained = run_words("games", name).out
    for word in (*game.requests, *game.policies, *game.goals, *fields_of(game.house)):
        assert word in explained
    for roll, kind in game.requests.items():
        shown = run_words("games", name, roll).out
        flags = {option_name(field, roll) for field in fields_of(kind)} - {"--roll-house"}
        missing = {flag for flag in flags if flag not in shown and "house" not in flag}
        assert set() == missing


def test_the_docs_point_to_the_options_of_the_games():
    """The page says where the options of a game's roll are listed, for every game."""
    assert "rollwright games twilight2000 attack" in TEXT
    assert "`rollwright roll twilight2000 attack --help`" in TEXT


@pytest.mark.parametrize("name", own_games())
def test_every_field_has_an_option(name):
    """Each field of each request but the house rules is an option, and no two share a name."""
    for kind in find_game(name).requests.values():
        flags = [flag for option in field_options(kind) for flag in option.opts]
        assert len(set(flags)) == len(flags) == len(fields_of(kind)) - 1
        assert not TAKEN & set(flags)


def test_help_of_a_roll_shows_its_options():
    """The help of a command beside a game's roll has the roll's own section first."""
    shown = run_words("odds", "twilight2000", "attack", "--help").out
    assert "\ntwilight2000 attack:\n" in shown
    assert "--ammo-dice N" in shown
    assert "0 to 12; default 0; T2K R20" in " ".join(shown.split())


@pytest.mark.long
@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_console_examples_of_a_page_work(page, tmp_path, monkeypatch):
    """Every `rollwright` line of a console block runs, in order, and prints what it shows."""
    monkeypatch.chdir(tmp_path)
    for example in examples(page):
        done = run(example.line)
        assert (example.line, example.code) == (example.line, done.code), done.err
        if example.shown is not None:
            assert example.shown == done.out + done.err
