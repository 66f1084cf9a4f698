"""`rollwright check` finds what is wrong with a game, and our own five games pass it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from rollwright.cli.commands.check import check as command
from rollwright.conformance import Report, check
from rollwright.conformance.report import Part
from rollwright.conformance.rolls import ROLLS, SURELY, EveryWay, _distance
from rollwright.conformance.words import Spoken, check_words, names_of
from rollwright.dice import D4, D6
from rollwright.kit import add_game, find_game
from rollwright.kit.games import Game, own_games

SOUND = """
from typing import NamedTuple
from rollwright.dice import D6
from rollwright.kit import Effect, Game, Goal, Request, Value, field, preset
from rollwright.kit.card import Card, Mark, Offer, Starter, Verdict
from rollwright.kit.sheets import adds, applying, mine
from rollwright.rules import choose, roll, rule

class Fall(NamedTuple):
    height: int
    harm: int = 0

class Sheet(Value):
    name: str = preset("", "who it is", most=20)
    harm: int = preset(0, "harm", 0, 2)

class Drop(Request, roll="drop", title="Drop", outcome=Fall):
    "A die falls."
    dice: int = preset(1, "how many", 1, {most})

@rule
async def drop(asked: Drop) -> Fall:
    hand = await roll(asked.dice * D6)
    if await choose("keep", "again") == "again":
        hand = await roll(asked.dice * D6)
    {rule}
    return Fall(sum(hand), sum(hand) == 6)

class Shown(Card):
    {card}

def effects(request, outcome):
    return (Effect("harm", outcome.harm),) if outcome.harm else ()

game = Game(
    name={name!r}, title="Falling", summary="A die.", requests={{Drop: drop}}, sheet=Sheet,
    goals={{"high": Goal("high", lambda end: end.height > 3, {rolls})}}, default_goal="high",
    effects=effects, apply=applying({{"harm": mine({apply})}}), card=Shown(), package={name!r},
    from_sheet=lambda sheet, roll="drop", **fields: Drop(**fields),
)
"""
USUAL = {
    "rule": "pass",
    "card": "pass",
    "rolls": "()",
    "most": "3",
    "apply": 'adds("harm", low=0, high=2)',
}


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Game]:
    """A small game in a folder of its own, with something else in it."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(name: str, words: dict[str, dict[str, str]] | None = None, **changed: str) -> Game:
        folder = tmp_path / name
        folder.mkdir()
        text = SOUND.format(name=name, **{**USUAL, **changed})
        (folder / "__init__.py").write_text(text, "utf-8")
        for code, texts in (words or {}).items():
            (folder / "words").mkdir(exist_ok=True)
            (folder / "words" / f"{code}.json").write_text(json.dumps(texts), "utf-8")
        module: ModuleType = __import__(name)
        monkeypatch.delitem(sys.modules, name, raising=False)
        monkeypatch.setitem(sys.modules, name, module)
        return add_game(module.game)

    return write


def said(report: Report) -> str:
    """Every fault in a line."""
    return "\n".join(f"{one.where}: {one.problem} {one.lines}" for one in report.faults)


@pytest.mark.long
@pytest.mark.parametrize("name", own_games())
def test_our_own_games_are_sound(name):
    """Odds, transcripts, advice, effects, forms, sheets and words of each, all of it."""
    assert "" == said(check(find_game(name)))


@pytest.mark.parametrize("name", own_games())
def test_everything_that_a_game_names_has_a_word_in_each_language(name):
    """Goals, policies, rolls, outcomes, fields, choices, prices, questions and house rules."""
    game = find_game(name)
    part = Part("words", None)
    check_words(game, Spoken(), part)
    assert [] == [f"{one.where}: {one.problem}" for one in part.faults]
    assert {"en", "de"} <= set(game.words.sources[0])
    assert len(list(names_of(game))) > 40


def test_a_sound_game_passes(written):
    """Nothing is wrong, and the figures say what was looked at."""
    report = check(written("falling_well"))
    assert "" == said(report)
    looked = {part.name: part.looked_at for part in report.parts}
    assert "no folder `words`" in looked["words"]
    assert re.search(r"a form [\d.]+ ms, odds [\d.]+ ms, a roll [\d.]+ ms", looked["speed"])
    assert int(re.search(r"(\d+) choices", looked["advice"])[1]) > 0


FAULTS: dict[str, tuple[dict[str, str], str]] = {
    "moody": (
        {"rule": "import itertools, sys; c = sys.__dict__.setdefault('_c', itertools.count());"
         " hand = hand if next(c) % 7 else [1] * asked.dice"},
        r"odds|is counted|was rolled|read again",
    ),
    "raising": (
        {"card": "def told(self, request, transcript): return [][1]"},
        r"told of drop.*IndexError.*raising/__init__.py:\d+ in told: ",
    ),
    "same_labels": (
        {"card": "def offer(self, request, transcript, option): return Offer('Go')"},
        "'keep' and 'again' have one label, Go",
    ),
    "lying": (
        {"card": "def lies(self, request, transcript): return {(9, 9): 'kept'}"},
        r"there is no die at \(9, 9\)",
    ),
    "unbounded": ({"apply": 'adds("harm")', "card": "starters = (Starter('Hurt', {'harm': 2}),)"},
                  "the sheet that rolled refuses .*: harm: 3 is too high"),
    "no_sheet": ({"apply": "lambda sheet, effect: 7"}, "apply gave 7, which is no Sheet"),
    "odd_form": (
        {"card": "def form(self, asked): return [{'control': 'knob', 'at': 'set.dice'}]"},
        "there is no control 'knob'",
    ),
    "losing": (
        {"card": "def form(self, asked): return [] if asked.wrong else [asked.field('dice')]"},
        "the form has lost set.dice",
    ),
    "odd_sheet": (
        {"card": "def sheet(self, sheet): return [{'widget': 'track', 'value': 1}]"},
        "a track needs most",
    ),
    "odd_starter": ({"card": "starters = (Starter('X', {'harm': 9}),)"}, "it is no sheet: harm: 9"),
    "odd_goal": ({"rolls": "('drop', 'drp')"}, "goal high: there is no roll 'drp'"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_wrong_is_found(written, name):
    """Each fault alone is told with its place; the author's own lines come along."""
    changed, problem = FAULTS[name]
    assert re.search(problem, said(check(written(name, **changed))))


ENGLISH = {
    "about": "A die.", "about.drop": "A die falls.", "help.name": "who", "help.harm": "harm",
    "roll.drop": "Drop", "label.dice": "Dice", "help.dice": "how many", "label.name": "Name",
    "label.harm": "Harm", "outcome.height": "Height", "outcome.harm": "Harm", "goal.high": "high",
    "effect.harm": "{n} harm", "option.keep": "Keep", "option.again": "Again",
}  # fmt: skip


def test_words_that_are_missing_are_found(written):
    """In each language: what is named, what is shown, a value that does not come."""
    german = {**ENGLISH, "effect.harm": "{m} Schaden"}
    del german["outcome.height"]
    card = "def standing(self, r, t): return self.game.words.said('stand')"
    found = said(check(written("speechless", {"en": ENGLISH, "de": german}, card=card)))
    assert "speechless/words/de.json has no 'outcome.height'" in found
    assert "speechless/words/en.json has no 'stand', which is shown" in found
    assert "speechless/words/de.json: 'effect.harm' uses {m}, which does not always come" in found


def test_words_that_are_whole(written):
    """With all of them nothing is wrong."""
    assert "" == said(check(written("well_spoken", {"en": ENGLISH, "de": ENGLISH})))


def test_the_command_prints_something_to_paste(written):
    """A line a part, faults with the author's lines below, and the exit code of a failed check."""
    written("torn_card", card="def told(self, request, transcript): return [][1]")
    done = CliRunner().invoke(command, ["torn_card"])
    assert 1 == done.exit_code
    assert "Falling (torn_card, game API 1)" in done.output
    assert "✗ shown" in done.output
    assert "✓ transcripts" in done.output
    assert "torn_card/__init__.py" in done.output
    assert "kit/" not in done.output
    assert done.output.rstrip().endswith("fault.")


def test_the_command_as_data(written):
    """The same for programs; a game that is sound ends with 0."""
    written("falling_data")
    done = CliRunner().invoke(command, ["falling_data", "--json"])
    assert 0 == done.exit_code
    found: dict[str, Any] = json.loads(done.output)
    assert (True, "falling_data", 1) == (found["ok"], found["game"], found["api"])
    names = ["names", "odds", "transcripts", "advice", "shown", "effects", "forms", "sheets"]
    assert [*names, "words", "speed"] == [part["part"] for part in found["parts"]]


def test_every_way_is_every_way():
    """Dice that fall in every way there is, each as likely as it is."""
    source, found = EveryWay(), []
    while True:
        found.append((source.throw(D4 + D6), source.chance))
        if not source.turn():
            break
    assert 24 == len({faces for faces, _ in found}) == len(found)
    assert 1 == sum(chance for _, chance in found)
    assert {Fraction(1, 24)} == {chance for _, chance in found}


def test_the_bound_is_beyond_chance():
    """Half of the rolls where a third is counted is a fault, a little more than a third is none."""
    assert ROLLS * _distance(0.55, 1 / 3) > SURELY
    assert ROLLS * _distance(0.36, 1 / 3) < SURELY
