"""Rules of any file or module on the command line: no package, no registration."""

import json
import sys

import pytest

from rollwright import file_games
from rollwright.dice import D8, Die, Pool
from tests.cli.running import Terminal, rollwright

HOUSE = '''"""Rules of our house."""
from typing import NamedTuple

from rollwright.dice import D6, D8, Die, Pool
from rollwright.engine.endings import tally
from rollwright.rules import Repeats, choose, explode, repeat, roll, rule


class Check(NamedTuple):
    successes: int
    ones: int = 0


def mark(face):
    return "one" if face == 1 else "hit" if face >= 6 else "blank"


@rule
async def push_roll(pool: Pool) -> Check:
    """Roll the pool; you may push once, but then every 1 costs you."""
    hand = await roll(pool, read=mark)
    loose = hand.where("blank")
    if not loose or await choose("keep", "push", about=hand.count("hit")) == "keep":
        return Check(hand.count("hit"))
    hand = hand.where(lambda m: m != "blank") + await roll(loose.pool, read=mark)
    return Check(hand.count("hit"), hand.count("one"))


def never(now):
    """never push"""
    return "keep"


def cheap(check):
    return (check.successes > 0) - 0.3 * check.ones


@rule
async def dig(bag: int = 0) -> int:
    """Go home with your bag, or dig on."""
    if bag >= 40 or await choose("go home", "dig on", about=bag) == "go home":
        return bag
    face = sum(await roll(D6))
    return 0 if face == 1 else dig(bag + face)


@rule
async def wild(die: Die = D8, bound: int = 20) -> int:
    return tally(explode(die, bound=bound))


@rule
async def wilder(bound: int) -> int:
    first = await tally(explode(D6, bound=bound))
    return first if await choose("keep", "again") == "keep" else tally(explode(D6, bound=bound))


@rule
async def blows(hp: int) -> Repeats[int]:
    return repeat(tally(D6), start=hp, step=lambda left, blow: left - blow,
                  until=lambda left: left <= 0)


@rule
async def untyped(n, title="x"):
    return tally(n * D6, finish=_broken)


def _broken(total):
    return 1 // (total - total)


@rule
async def pig(goal: int = 3, mine: int = 0, your: int = 0, turn: int = 0, me: bool = True) -> bool:
    """Throw on, or hold what there is; a 1 loses it."""
    if mine + turn >= goal:
        return me
    if turn and await choose("hold", "roll", by="me" if me else "you") == "hold":
        return pig(goal, your, mine + turn, 0, not me)
    face = sum(await roll(D6))
    if face == 1:
        return pig(goal, your, mine, 0, not me)
    return pig(goal, mine, your, turn + face, me)


async def forgotten():
    return 3
'''


@pytest.fixture
def house(tmp_path, monkeypatch):
    """The file, as the place where somebody works."""
    (tmp_path / "house_of_dice.py").write_text(HOUSE, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(file_games, "_loaded", {})
    monkeypatch.setattr(file_games, "_games", {})
    before = set(sys.modules)
    yield "house_of_dice.py"
    for name in set(sys.modules) - before:
        if name.startswith("house_of_dice"):
            del sys.modules[name]


def ask(*arguments, **more):
    """What a command prints."""
    done = rollwright(*arguments, **more)
    assert not done.code, done.err
    return done.out


def refused(*arguments):
    """The one line of a refusal."""
    done = rollwright(*arguments)
    assert (2, "") == (done.code, done.out)
    (line,) = done.err.splitlines()
    return line


def test_odds_of_a_rule_in_a_file(house):
    """71 of 96 throws of a D8 and a D12 hold a 6 or more, as the first page of the docs counts."""
    for way in (["--arg", "pool=d8+d12"], ["--pool", "d8+d12"]):
        told = ask("odds", f"{house}:push_roll", *way, "--policy", "never", "--where", "successes")
        assert "74.0 %" in told
        assert "71/96" in told


def test_odds_of_a_rule_in_a_module(house):
    """The same by the name of the module."""
    told = ask("odds", "house_of_dice:push_roll", "--pool", "d8+d12", "--policy", "best:cheap")
    assert "successes" in told


def test_json_is_that_of_any_roll(house):
    """Programs get the same shape."""
    found = json.loads(
        ask("odds", f"{house}:wild", "--arg", "die=d6", "--arg", "bound=1", "--json")
    )
    assert ("1", "36") == (found["lost"], found["total"])


def test_sweeps_and_pictures(house):
    """An argument is swept over like a field of a game, also dice."""
    told = ask("odds", f"{house}:dig", "--policy", "best", "--vary", "bag=0..2")
    assert ["8.142", "8.517", "8.91"] == [line.split()[1] for line in told.splitlines()[2:5]]
    told = ask("odds", f"{house}:push_roll", "--vary", "pool=d6,2d6", "--policy", "never",
               "--where", "successes > 0")  # fmt: skip
    assert "16.7 %" in told
    assert "30.6 %" in told
    ask("odds", f"{house}:dig", "--policy", "best", "--plot", "dig.svg")


def test_a_sweep_tells_what_a_bound_cut_off(house):
    """One in thirty-six is lost where a D6 explodes once and is counted no further."""
    told = ask("odds", f"{house}:wild", "--die", "d6", "--vary", "bound=1..2", "--where", ">= 6")
    assert "2.8 %" in told


def test_advice(house):
    """Worths of the options, by a function of the file, by prices, or by the outcome itself."""
    assert "Best: dig on" in ask("advise", f"{house}:dig", "--bag", "19")
    assert "Best: go home" in ask("advise", f"{house}:dig", "--bag", "21")
    assert "push" in ask("advise", f"{house}:push_roll", "--pool", "2d8", "--goal", "cheap")
    assert "push" in ask(
        "advise", f"{house}:push_roll", "--pool", "2d8", "--goal", "successes=1,ones=-0.3"
    )


def test_advice_tells_what_a_bound_cut_off(house):
    """In words and for programs: 1/36 for the first die, and as much where it is thrown again."""
    told = ask("advise", f"{house}:wilder", "--arg", "bound=1")
    assert "Cut off by a stated bound: 4.2 %" in told
    found = json.loads(ask("advise", f"{house}:wilder", "--arg", "bound=1", "--json"))
    assert "1/24" == found["lost"]["exact"]
    sure = json.loads(ask("advise", f"{house}:dig", "--json"))
    assert "lost" not in sure


def test_it_is_rolled_and_played(house):
    """With faces, with options, and in a conversation."""
    told = ask("roll", f"{house}:dig", "--faces", "3", "--choose", "dig on", "--choose", "go home")
    assert "That makes 3." in told
    told = ask("roll", f"{house}:dig", "--physical", pipe="dig on\n4\ngo home\n\n")
    assert "That makes 4." in told


def test_how_often(house):
    """What is repeated comes as how many times, and can be asked for alone."""
    assert "mean" in ask("odds", f"{house}:blows", "--hp", "9", "--of", "times")


def test_rules_are_compared_with_dice(house):
    """Each takes the arguments that it has."""
    told = ask("compare", f"{house}:wild", "2d6", "--arg", "bound=3")
    assert "2d6" in told
    assert "house_of_dice.py, wild: bound 3" in told


def test_help_lists_the_arguments(house):
    """Every argument is an option, with what may be typed."""
    told = ask("odds", f"{house}:push_roll", "--help")
    assert "--pool TEXT" in told
    assert "dice such as 2d6" in told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.py:dig"], "no such file"),
        (["no_such_module:dig"], "no module of that name"),
        (["house_of_dice.py:dgi"], "did you mean 'dig'?"),
        (["house_of_dice.py:forgotten"], "write @rule above it"),
        (["house_of_dice.py:dig", "--arg", "bog=3"], "did you mean 'bag'?"),
        (["house_of_dice.py:dig", "--arg", "bag=much"], "whole number"),
        (["house_of_dice.py:dig", "--arg", "bag"], "name=value would do"),
        (["house_of_dice.py:dig", "--arg", "bag=1", "--arg", "bag=2"], "twice"),
        (["house_of_dice.py:push_roll"], "pool: is missing"),
        (["house_of_dice.py:push_roll", "--arg", "pool=banana"], "2d6 or d8+d12"),
        (["house_of_dice.py:push_roll", "--arg", "pool=d6"], "give a policy"),
        (["2d6", "--arg", "n=3"], "--set"),
    ],
)
def test_slips_are_told(house, arguments, said):
    """Each is one line that says what was wrong and what would do."""
    assert said in refused("odds", *arguments)


def test_what_fails_is_told_with_the_files_own_lines(house, tmp_path):
    """A traceback shortened to the author's code, when it is loaded and when it is counted."""
    told = rollwright("odds", f"{house}:untyped", "--arg", "n=2")
    assert 0 != told.code
    assert "ZeroDivisionError" in told.err
    assert "in _broken: return 1 // (total - total)" in told.err
    assert "rollwright check" not in told.err
    (tmp_path / "ill.py").write_text("def helper():\n    return 1 / 0\n\n\nhelper()\n", "utf-8")
    told = refused("odds", "ill.py:dig")
    assert "in <module>: helper()" in told
    assert "in helper: return 1 / 0" in told
    (tmp_path / "odd.py").write_text("raise SystemExit(3)\n", "utf-8")
    assert "SystemExit" in refused("odds", "odd.py:dig")
    (tmp_path / "bare.py").write_text("x = 1\n", "utf-8")
    assert "no rule in it" in refused("odds", "bare.py:dig")


def test_a_file_called_like_a_game_hides_no_game(house, tmp_path):
    """A file dust.py has its own rules, and the game keeps its own."""
    (tmp_path / "dust.py").write_text(HOUSE, "utf-8")
    assert "dust.py" in ask("odds", "dust.py:dig", "--policy", "best")
    assert "Dust" in ask("odds", "dust", "roll", "--pool", "3")


def test_arguments_are_what_the_rule_wants(house):
    """A die for a die, a pool for a pool, a number for what is not annotated."""
    game, _ = file_games.find_rule(f"{house}:wild")
    assert (D8, 20) == game.request("wild").call().args
    assert (Die(6), 20) == game.request("wild", die="d6").call().args
    assert (Pool([D8]),) == game.request("push_roll", pool="d8").call().args
    assert (2, "x") == game.request("untyped", n="2").call().args


def test_a_rule_without_a_goal_is_played_without_advice():
    """What is wanted is said by nobody; to be advised, one says it."""
    table = Terminal("roll", "rollwright.demo:push_roll", "--pool", "2d6", "--seed", "3")
    shown = table.answer("help: ", "1")
    assert ["1  keep", "2  push"] == [line.strip() for line in shown.splitlines()][-3:-1]
    table.answer("anew: ", "")
    assert 0 == table.end().code
    asked = Terminal("advise", "rollwright.demo:push_roll", "--pool", "2d6").end()
    assert "nothing says what is wanted of this roll" in " ".join(asked.out.split())


def test_an_opponent_is_named(house):
    """Somebody else who chooses plays for the goal, as is said, unless they are against it."""
    together = rollwright("advise", "house_of_dice.py:pig")
    assert "me, you are taken to play for this goal together" in " ".join(together.out.split())
    opposed = rollwright("advise", "house_of_dice.py:pig", "--against", "you", "--json")
    helped = rollwright("advise", "house_of_dice.py:pig", "--json")
    assert json.loads(opposed.out)["value"]["number"] < json.loads(helped.out)["value"]["number"]
    assert (
        "nobody called 'bob'"
        in rollwright("advise", "house_of_dice.py:pig", "--against", "bob").err
    )
