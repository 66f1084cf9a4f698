"""What is written down calls rules and types by their game, wherever they lie."""

import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

import rollwright as rw
from rollwright.engine.values import find_by_name, find_rule, name_of, value_from_json
from rollwright.errors import BadField, BadTranscript, RollwrightError
from rollwright.kit.games import add_game, find_game
from rollwright.notation import as_rule
from rollwright.rules import rule

STORED = Path(__file__).parent.parent / "games" / "twilight2000" / "transcripts"

SOURCE = """
from typing import ClassVar, NamedTuple
from rollwright.dice import D6, Pool
from rollwright.kit import Game, Line, Request, Value
from rollwright.rules import roll, rule

class Fell(NamedTuple):
    pips: int

class House(Value):
    pass

@rule
async def let_fall() -> Fell:
    return Fell(sum((await roll(Pool([D6]))).readings))

class Drop(Request):
    game: ClassVar[str] = "dropping"
    roll: ClassVar[str] = "drop"
    title: ClassVar[str] = "Drop"
    outcome: ClassVar[type] = Fell

    def call(self):
        return let_fall()

game = Game(
    name="dropping", title="Dropping", summary="A die falls.", requests=(Drop,), house=House,
    prefix="DROP", rulebook={"R1": Line("A die falls.")}, tell=lambda request, t: "It fell.",
)
"""


@pytest.fixture
def lying(monkeypatch):
    """Puts the same game into a module of any name, as if its folder had been moved there."""

    def put(name, source=SOURCE):
        module = ModuleType(name)
        monkeypatch.setitem(sys.modules, name, module)
        exec(compile(source, name, "exec"), vars(module))
        return add_game(module.game)

    return put


class Loose(NamedTuple):
    """A type that belongs to no game."""

    number: int


def test_a_moved_game_writes_the_same_words(lying):
    """A roll of a game is written alike, and read, wherever the game's module lies."""
    asked = {"game": "dropping", "roll": "drop"}
    lying("here_it_was")
    first = rw.roll(asked, faces=[3]).to_json()
    lying("far_away_it_is_now")
    assert first == rw.roll(asked, faces=[3]).to_json()
    assert "here_it_was" not in first
    assert "dropping:Fell" == rw.verify(first).to_plain()["outcome"]["type"]


def test_every_type_of_our_games_is_called_by_its_game():
    """Neither types nor rules of the five games say in which module they lie."""
    for name in ("dust", "edge20", "ghostburn", "kleptonomicon", "twilight2000"):
        for kind in find_game(name).requests.values():
            assert f"{name}:{kind.outcome.__name__}" == name_of(kind.outcome)
            assert kind.outcome is find_by_name(name_of(kind.outcome), "type")


def test_what_belongs_to_no_game_is_called_by_its_module():
    """A rule or a type of somebody's own module is found where it lies."""
    assert f"{__name__}:Loose" == name_of(Loose)
    assert "rollwright.demo:push_roll" == name_of(find_rule("rollwright.demo:push_roll", "rule"))


def test_a_rule_of_a_game_is_found_by_the_game():
    """The game is loaded for it; a rule that it does not have is refused."""
    name = name_of(find_game("dust").request(pool=3).call().rule)
    assert name.startswith("dust:")
    assert name == name_of(find_rule(name, "rule"))
    with pytest.raises(BadTranscript, match="import its module first"):
        find_rule("dust:no_such_rule", "rule")


def test_two_of_one_name_are_refused(lying):
    """A game in which a log could mean either of two types is not registered."""
    add = "\nimport sys\nfrom types import ModuleType\npart = ModuleType(__name__ + '.part')\n"
    add += "exec('class Fell: pass', vars(part))\nsys.modules[part.__name__] = part\n"
    try:
        with pytest.raises(BadField, match="more than one 'Fell'"):
            lying("with_two", SOURCE + add)
    finally:
        sys.modules.pop("with_two.part", None)


def test_what_cannot_be_found_again_is_not_written():
    """A rule made inside a function has no name that a reader could look up."""

    @rule
    async def inside() -> int:
        return 3

    with pytest.raises(RollwrightError, match="at the top of a module"):
        rw.roll(inside()).to_plain()


@pytest.mark.parametrize("name", ["", "dust", "dust:", ":Rolled", "dust:Nothing", "os:system", 3])
def test_strange_names_are_refused(name):
    """Nothing but what games and packages with rules define is ever looked up."""
    find_game("dust")
    with pytest.raises(BadTranscript):
        value_from_json({"type": name, "fields": {}})


def test_a_version_is_of_a_kind_of_roll(monkeypatch):
    """Rules of one kind that were mended leave rolls of the others replayable."""
    attack, jam = (
        (STORED / f"{name}.json").read_text("utf-8") for name in ("attack-kept", "clear-jam-2")
    )
    monkeypatch.setattr(find_game("twilight2000").requests["clear_jam"], "version", "3")
    assert rw.verify(attack).is_done
    with pytest.raises(BadTranscript, match="version '2' of the clear_jam roll"):
        rw.verify(jam)


def test_requests_are_written_whole():
    """A field at its default is there too, so that another default changes nothing."""
    plain = rw.roll({"game": "dust", "pool": 3}, faces=[2, 5, 7]).to_plain()["request"]
    assert (6, "standard", 10) == (plain["difficulty"], plain["kind"], plain["house"]["pool_cap"])


def test_an_expression_is_written_as_one():
    """With what its variables stand for, and without any rule."""
    plain = rw.roll(as_rule("1d6 + @luck", {"luck": 2}), faces=[3]).to_plain()
    assert ("1d6 + @luck", {"luck": 2}) == (plain["expression"], plain["variables"])
    assert "rule" not in plain
    assert 5 == rw.verify(plain).outcome
