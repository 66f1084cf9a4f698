"""A game is checked when it is made: each slip is named with what to write instead."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal, NamedTuple

import pytest

import rollwright as rw
from rollwright.dice import D6
from rollwright.engine.endings import Ending, tally
from rollwright.errors import BadGame, Misuse
from rollwright.kit import (
    Game,
    Goal,
    Policy,
    Request,
    Value,
    add_game,
    field,
    measured_house,
    preset,
    rulebook_of,
)
from rollwright.kit.card import Card, Exploring, Look, Price, RollCard
from rollwright.kit.registration import check_rulebook
from rollwright.rules import rule


class Fall(NamedTuple):
    """What it came to."""

    height: int


class Drop(Request, roll="drop", title="Drop", outcome=Fall):
    """A die falls."""

    sides: int = preset(6, "how many sides", 2, 6)


@rule
async def drop(asked: Drop) -> Ending[Fall]:
    """Let it fall."""
    return tally(1 * D6, finish=Fall)


class Nameless(Value):
    """A sheet that is nobody's."""

    luck: int = preset(0, "luck", 0, 3)


class Needy(Value):
    """A sheet that cannot be empty."""

    name: str = field(help="who it is", most=20)


class Shaped(Request, roll="shaped", title="Shaped", outcome=Fall):
    """The shape of a die."""

    die: Literal[4, 6] = preset(6, "which die")


class Dated(Request, roll="dated", title="Dated", outcome=Fall):
    """On a day."""

    day: date = preset(date(2026, 1, 1), "which day")


class Loose(Request, roll="loose", title="Loose", outcome=Fall):
    """Whatever it is."""

    what: tuple[Any, ...] = preset((), "anything")


class Inner(Value):
    """What lies within."""

    sizes: tuple[Literal[1, 2], ...] = preset((), "sizes")


class Outer(Request, roll="outer", title="Outer", outcome=Fall):
    """What holds something."""

    inner: Inner = preset(Inner(), "what is within")


class Unruled(Request, roll="unruled", title="Unruled", outcome=Fall):
    """Nobody says how."""


class Second(Request, roll="drop", title="Second", outcome=Fall):
    """The same name again."""


class Endless(Request, roll="endless"):
    """It comes to nothing."""


def made(**changed: Any) -> Game:
    """A small game with something else in it."""
    usual = {
        "name": "falling",
        "title": "Falling",
        "summary": "A die falls.",
        "requests": {Drop: drop},
        "goals": {"high": Goal("high", lambda end: end.height > 3)},
        "policies": {"never": Policy.of("never", lambda now: "keep")},
        "package": __name__,
    }
    return Game(**{**usual, **changed})


def carded(**parts: Any) -> Card:
    """A card with these parts."""
    return type("Odd", (Card,), parts)()


ROLL = {"goal": "hihg", "policy": "nevr", "policies": ("nevr",), "drawn": ("heigth",)}
SLIPS = [
    ({"default_goal": "hihg"}, "falling: default_goal: there is no goal 'hihg'; did you mean"),
    ({"default_policy": "nver"}, "default_policy: there is no policy 'nver'; did you mean 'never'"),
    ({"default_policy": "best:hihg"}, "there is no goal 'hihg'"),
    ({"goals": {}, "default_goal": "high"}, "there is no goal 'high'; there are none"),
    ({"sheet": Nameless}, r"Nameless: a sheet has a name: name: str = preset\(\"\""),
    ({"sheet": Needy}, "Needy.name: it must be given: a default"),
    ({"house": int}, r"house: <class 'int'> is no Value: class House\(Value\) would do"),
    ({"apply": lambda sheet, effect: sheet}, "apply: there is no sheet to go with it: sheet="),
    (
        {"requests": {Shaped: drop}},
        "Shaped.die: choices are words, and 4 is none: int with low=4, ",
    ),
    ({"requests": {Dated: drop}}, "Dated.day: nothing can check a field of this type: int, bool"),
    ({"requests": {Loose: drop}}, "Loose.what: nothing can check"),
    ({"requests": {Outer: drop}}, "Inner.sizes: choices are words, and 1 is none"),
    ({"requests": (Unruled,)}, "Unruled: nothing says which rule it is: requests={Unruled: rule}"),
    ({"requests": {Drop: drop, Second: drop}}, "Second: Drop is called 'drop' too"),
    ({"requests": {Endless: drop}}, "Endless: it has no outcome"),
    ({"requests": {int: drop}}, "<class 'int'> is no kind of request"),
    ({"requests": {}}, "requests: there is no kind of roll"),
    ({"name": "a game"}, "name: 'a game' is no name: letters, digits and _"),
    ({"card": Card}, "card: .* is no card"),
    ({"card": carded(rolls={"drp": RollCard()})}, "card.rolls: there is no roll 'drp'"),
    *[
        ({"card": carded(rolls={"drop": RollCard(**{part: held})})}, r"card.rolls\['drop'\]")
        for part, held in ROLL.items()
    ],
    (
        {"card": carded(rolls={"drop": RollCard(explore=Exploring(along="side"))})},
        "there is no field 'side'; did you mean 'sides'",
    ),
    ({"card": carded(prices={"hight": Price("amount")})}, "there is no outcome field 'hight'"),
    ({"card": carded(outcomes={"height": {6: "grand"}})}, "there is no tone 'grand'"),
    ({"card": carded(prices={"height": Price("amonut")})}, "no unit 'amonut'; did you mean"),
    ({"card": carded(dice={"coin": Look(set="drak")})}, "there is no set of dice 'drak'; did you"),
    ({"card": carded(rolls={"drop": RollCard(asked=("side",))})}, "no field 'side'; did you mean"),
    ({"card": carded(rolls={"drop": RollCard(needed=(("side",),))})}, "there is no field 'side'"),
    (
        {"card": carded(rolls={"drop": RollCard(roles="helper")})},
        r"card.rolls\['drop'\].roles: 'helper' is no row of names: \('helper',\) would do",
    ),
    ({"goals": {"high": lambda end: 1}}, r"goals\['high'\]: function came: Goal\(\"get across"),
    ({"policies": {"never": max}}, r"policies\['never'\]: builtin_function_or_method came: Policy"),
    ({"card": carded(prices={"height": "leaks"})}, r"prices\['height'\]: str came: Price\("),
    ({"card": carded(starters=({"name": "x"},))}, r"card.starters\[0\]: dict came: Starter\("),
    ({"card": carded(rolls={"drop": {}})}, r"card.rolls\['drop'\]: dict came: RollCard\("),
    ({"card": carded(dice={"coin": "dark"})}, r"card.dice\['coin'\]: str came: Look\("),
    ({"rulebook": "R1 A die."}, r"rulebook: str came: rulebook_of\("),
    ({"rulebook": {"R1": "A die."}}, r"rulebook: str came: rulebook_of\("),
    ({"rulebook": ""}, r"rulebook: str came: rulebook_of\("),
    ({"goals": {"high": Goal("high", int, "drop")}}, r"'drop' is no row of names: \('drop',\)"),
]


@pytest.mark.parametrize(("changed", "problem"), SLIPS)
def test_a_slip_is_refused_where_the_game_is_made(changed, problem):
    """It says where it is, what is wrong, and what would do."""
    with pytest.raises(BadGame, match=problem):
        made(**changed)


@pytest.mark.parametrize(("changed", "problem"), SLIPS)
def test_a_game_that_is_named_by_its_folder_is_refused_by_that_name(changed, problem):
    """What it does not say itself, every refusal says for it."""
    with pytest.raises(BadGame) as refused:
        made(**{"name": "", "package": "games.falling", **changed})
    assert changed.get("name", "falling") == refused.value.name


def test_a_rulebook_is_of_a_game_that_has_a_name():
    """A refusal without one would say nobody's."""
    with pytest.raises(BadGame, match=r"rulebook: it is of a game without a name: name='night_f"):
        check_rulebook("", rulebook_of("R1 Throw a die."))


def test_a_line_of_a_rulebook_without_a_number_is_refused():
    """It would be lost without a word."""
    with pytest.raises(Misuse, match=r"'1 Throw a die.' has no number: .* begins with R1"):
        rulebook_of("1 Throw a die.\n2 Read it.")
    assert {"R1"} == set(rulebook_of("\n    R1 Throw a die.\n"))


@pytest.mark.parametrize("policy", ["never", "best", "best:high", "best:height=1"])
def test_what_is_there_may_be_the_default(policy):
    """A policy of the game, best play, and best play for a goal or for prices."""
    assert policy == made(default_policy=policy, default_goal="high").default_policy


def test_a_game_without_house_rules_and_rulebook():
    """Both may be left out: there are none then, and everything goes on."""
    game = add_game(made())
    assert {} == game.rulebook
    assert 6 == rw.odds({"game": "falling", "roll": "drop"}, None).total
    assert () == measured_house(game)


@pytest.mark.parametrize(
    ("api", "problem"),
    [
        (2, "it was written for game API 2; this rollwright speaks 1: update rollwright"),
        (0, "it was written for game API 0; this rollwright speaks 1: update the game"),
        ("1", "'1' is no version: api=1"),
    ],
)
def test_a_game_for_another_rollwright_says_so(api, problem):
    """Whatever else is new in it: that comes first, before a keyword that nobody knows yet."""
    with pytest.raises(BadGame, match=problem):
        made(api=api, weather="of another version")


def test_a_game_says_what_it_was_written_for():
    """Without a word it is the first version."""
    assert 1 == made().api == made(api=1).api


UNTEXTS = [7, b"x", "\ud800", "x" * 100_000, None, object()]


@pytest.mark.parametrize("part", ["title", "summary", "prefix", "sheet_version"])
@pytest.mark.parametrize("text", UNTEXTS, ids=range(len(UNTEXTS)))
def test_what_lists_say_of_a_game_are_texts(part, text):
    """One that cannot be written down would take the list of all games with it."""
    with pytest.raises(BadGame, match=f"falling: {part}: "):
        made(**{part: text})


@pytest.mark.parametrize("text", UNTEXTS, ids=range(len(UNTEXTS)))
def test_names_and_titles_within_a_game_are_texts(text):
    """Of goals, of ways to decide, of rolls and of their fields."""
    keep = Policy.of("never", lambda now: "keep")._replace(title=text)
    for changed in ({"goals": {"high": Goal(text, len)}}, {"policies": {"never": keep}}):
        with pytest.raises(BadGame, match="title: "):
            made(**changed)

    class Odd(Request, roll="odd", title="Odd", outcome=Fall):
        "A die falls."

        sides: int = field(help="how many", low=2, high=6)

    Odd.version = text
    with pytest.raises(BadGame, match=r"Odd\.version: "):
        made(requests={Odd: drop})


def test_a_game_takes_no_rolls_of_another():
    """Whoever imports the rolls of a game for one of their own would change that game's tables."""
    from rollwright.games.dust import game as dust

    kinds = dict.fromkeys(dust.requests.values(), drop)
    before = {kind: (kind.game, kind.rule) for kind in kinds}
    with pytest.raises(BadGame, match="it belongs to the game dust already: class Mine"):
        made(requests=kinds)
    with pytest.raises(BadGame, match="card: it belongs to the game dust already"):
        made(card=dust.card)
    assert before == {kind: (kind.game, kind.rule) for kind in kinds}
    assert dust is dust.card.game


def test_rolls_of_another_game_can_be_gone_by():
    """A kind of roll made of another's is a game's own."""
    from rollwright.games.dust import game as dust

    theirs = next(iter(dust.requests.values()))
    mine = type(theirs)("Mine", (theirs,), {"__doc__": "Mine."}, roll="mine", outcome=Fall)
    assert "falling" == made(requests={mine: drop}).requests["mine"].game
    assert "dust" == theirs.game
    assert "mine" not in {one.roll for one in theirs.kinds()}
