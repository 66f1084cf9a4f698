"""Games are found without a list, and one that is broken leaves the others alone."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from click.testing import CliRunner

import rollwright as rw
from rollwright.cli.commands import sentence
from rollwright.cli.commands.check import check as check_command
from rollwright.errors import BrokenGame, UnknownName
from rollwright.kit import games
from rollwright.kit.forms import form_of
from rollwright.kit.games import find_game, games_there, list_games, own_games
from rollwright.queries import answer

SLIP = """
from typing import NamedTuple
from rollwright.kit import Game, Request
from rollwright.rules import rule

class Out(NamedTuple):
    n: int

class Go(Request, roll="go", outcome=Out):
    "Go."

@rule
async def go(asked: Go) -> Out:
    return Out(asked.dcie)

game = Game(name="slip", title="Slip", summary="It fails.", requests={Go: go})
"""
FOLDERS = Path(rw.__file__).parent / "games"


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """Packages that add games, as they would be after an install."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(games, "_loaded", {})

    def install(**packages):
        points = {}
        for name, text in packages.items():
            (tmp_path / f"outside_{name}.py").write_text(text, "utf-8")
            sys.modules.pop(f"outside_{name}", None)
            points[name] = EntryPoint(name, f"outside_{name}:game", games.ENTRY_POINTS)
        monkeypatch.setattr(games, "_entry_points", lambda: points)

    return install


def test_a_game_that_cannot_be_loaded_is_checked_with_its_lines(installed):
    """Where it went wrong in the author's file, and not in Rollwright's or Python's."""
    installed(torn="from rollwright.kit.sheets import adds\n\ngame = adds('x', times=2)")
    done = CliRunner().invoke(check_command, ["torn"])
    assert isinstance(done.exception, BrokenGame)
    [line] = done.stderr.splitlines()
    assert line.endswith("outside_torn.py:3 in <module>: game = adds('x', times=2)")


def test_a_rule_that_fails_is_told_as_the_games_own(installed):
    """Nobody is asked to report somebody else's slip; the line is named."""
    installed(slip=SLIP)
    with pytest.raises(AttributeError) as failed:
        rw.odds({"game": "slip", "roll": "go"})
    said = sentence(failed.value)
    assert "the game’s own code fails with AttributeError" in said
    assert "outside_slip.py:14 in go: return Out(asked.dcie)" in said
    form = form_of(find_game("slip"), {"roll": "go"}, None, None)
    why = find_game("slip").words.say(form["why"])
    assert (False, True) == (form["can"], why.startswith("its rules cannot be played: Attribute"))


def test_a_folder_is_a_game():
    """Our own games are the folders that lie there; nothing lists them."""
    folders = {path.name for path in FOLDERS.iterdir() if (path / "__init__.py").is_file()}
    assert folders == set(own_games()) <= set(list_games())


def test_a_broken_game_is_named_and_the_others_go_on(installed):
    """Whatever its code does: what went wrong is said, everything else is there."""
    installed(
        torn="import nothing_of_that_name\ngame = 1",
        odd="game = 'a text'",
        other="from rollwright.games.dust import game",
    )
    found, broken = games_there()
    assert set(own_games()) == {game.name for game in found}
    said = {problem.name: str(problem) for problem in broken}
    assert "No module named 'nothing_of_that_name'" in said["torn"]
    assert "str is no Game" in said["odd"]
    assert "it calls itself 'dust'" in said["other"]
    with pytest.raises(BrokenGame, match="the game 'torn' cannot be loaded: ModuleNotFoundError"):
        find_game("torn")
    listed = answer("describe", {})
    assert {"torn", "odd", "other"} == {one["name"] for one in listed["broken"]}
    assert set(own_games()) == {one["name"] for one in listed["games"]}


def test_the_command_line_lists_what_there_is(installed):
    """`rollwright games` goes on, and says what is not there and why."""
    from rollwright.cli.commands.games import games as command

    installed(torn="raise RuntimeError('half written')")
    told = CliRunner().invoke(command, []).output
    assert "Twilight: 2000" in told
    assert "Not here: the game 'torn' cannot be loaded: RuntimeError: half written" in told


def test_a_name_that_is_taken_is_said(installed):
    """A package cannot take the place of one of our own games, and is told so."""
    installed(dust="raise RuntimeError('never loaded')")
    found, broken = games_there()
    assert "dust" in {game.name for game in found}
    assert [
        "the game 'dust' cannot be loaded: ValueError: there is a game of that name already"
    ] == [str(problem) for problem in broken]


def test_two_packages_with_one_name(installed, monkeypatch):
    """One of them counts, always the same, and the other is told that the name is taken."""
    installed(torn="raise RuntimeError('half written')")
    (first,) = games._entry_points().values()
    second = EntryPoint("torn", "elsewhere:game", games.ENTRY_POINTS)
    monkeypatch.setattr(games, "_all_points", lambda: [first, second])
    said = [str(problem) for problem in games_there()[1]]
    assert 2 == len(said)
    assert "half written" in said[0]
    assert "there is a game of that name already" in said[1]


SMALL = """
from typing import NamedTuple
from rollwright.dice import D6
from rollwright.kit import Game, Request
from rollwright.rules import rule, tally

class Fall(NamedTuple):
    height: int

class Drop(Request, roll="drop", title="Drop", outcome=Fall):
    "A die falls."

@rule
async def drop(asked: Drop) -> Fall:
    return Fall(await tally(1 * D6))

game = Game(name={name!r}, title="Falling", summary="A die.", requests={{Drop: drop}}{more})
"""


def test_an_outside_game_needs_no_house(installed):
    """The smallest game there is: one kind of roll and its rule."""
    installed(falling=SMALL.format(name="falling", more=""))
    assert 6 == rw.odds({"game": "falling", "roll": "drop"}).total
    assert answer("describe", {"game": "falling"})["house"] == {"fields": []}


def test_a_game_for_another_rollwright_is_named(installed):
    """Also one that uses what is not there yet."""
    installed(falling=SMALL.format(name="falling", more=", weather='fair', api=2"))
    with pytest.raises(BrokenGame, match="for game API 2; this rollwright speaks 1: update roll"):
        find_game("falling")


def test_a_game_that_leaves_takes_nobody_with_it(installed):
    """Whoever calls exit while being loaded is broken, and no more."""
    installed(leaving="raise SystemExit(3)")
    assert ["the game 'leaving' cannot be loaded: SystemExit: 3"] == list(
        map(str, games_there()[1])
    )


def test_what_is_broken_is_not_tried_again(installed, tmp_path):
    """Loading may take long, and nothing changes until the next start."""
    count = tmp_path / "count"
    writes = f"with open({str(count)!r}, 'a') as file:\n    file.write('x')\n"
    installed(torn=f"{writes}raise RuntimeError('half written')")
    for _ in range(3):
        with pytest.raises(BrokenGame) as caught:
            find_game("torn")
    assert "x" == count.read_text()
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_a_refused_game_gives_back_the_name_it_took(installed):
    """Rolls of our own game are still written down and read by its name."""
    installed(thief=SMALL.format(name="dust", more=""))
    roll = rw.roll({"game": "dust", "roll": "roll", "pool": 2}, faces=[1, 2])
    with pytest.raises(BrokenGame, match="it calls itself 'dust'"):
        find_game("thief")
    assert rw.verify(roll.to_json()).outcome == roll.outcome


def test_a_name_that_nobody_has(installed):
    """It is refused with what there is, whatever it looks like."""
    installed()
    for name in ("nope", "..errors", "dust.house", "", "__init__"):
        with pytest.raises(UnknownName, match="game"):
            find_game(name)


def test_a_package_takes_no_name_in_passing(installed):
    """A second game that a package makes beside its own is nobody's, whatever it is called."""
    from rollwright.engine.values import package_of

    find_game("dust")
    installed(first=SMALL.format(name="first", more=""))
    find_game("first")
    thief = "".join(
        f"game = Game(name={name!r}, title='T', summary='', requests={{Drop: drop}})\n"
        for name in ("dust", "first", "thief")
    )
    installed(
        first=SMALL.format(name="first", more=""),
        thief=SMALL.format(name="thief", more="") + thief,
    )
    assert "thief" == find_game("thief").name
    assert "rollwright.games.dust" == package_of("dust")
    assert "outside_first" == package_of("first")


def test_a_game_that_cannot_be_described_is_broken_alone(installed):
    """What a card holds in place of data stops neither the list nor another game."""
    card = "class Odd(Card):\n    starters = 7\n"
    text = SMALL.format(name="odd", more=", card=Odd()").replace(
        "game = Game", f"from rollwright.kit.card import Card\n{card}game = Game"
    )
    installed(odd=text)
    assert "odd" in {one["name"] for one in answer("describe", {})["games"]}
    with pytest.raises(BrokenGame, match="the game 'odd' cannot be loaded: TypeError"):
        answer("describe", {"game": "odd"})
    assert "dust" == answer("describe", {"game": "dust"})["name"]
