"""`rollwright check` finds what is wrong with a game, and our own five games pass it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, NamedTuple

import pytest
from click.testing import CliRunner

from rollwright.cli.commands.check import check as command
from rollwright.dice import D4, D6
from rollwright.engine.transcript import play
from rollwright.gamecheck import GameReport, check
from rollwright.gamecheck.messages import TextLog, check_messages, names_of, names_on
from rollwright.gamecheck.report import CheckPart
from rollwright.gamecheck.rolls import ROLLS, SURELY, EveryWay, _distance, ways_at_least
from rollwright.kit import Ranked, Request, Value, add_game, find_game, games, preset
from rollwright.kit.card import Card, RollCard, Starter
from rollwright.kit.games import Game, own_games
from rollwright.rules import roll, rule
from tests.gates import but

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
    from_sheet=lambda sheet, roll="drop", **fields: {sheet},
)
"""
USUAL = {
    "rule": "pass",
    "card": "pass",
    "rolls": "()",
    "most": "3",
    "sheet": "Drop(**fields)",
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


def said(report: GameReport) -> str:
    """Every fault in a line."""
    return "\n".join(f"{one.where}: {one.problem} {one.lines}" for one in report.faults)


@pytest.mark.long
@pytest.mark.parametrize("name", but(own_games(), "dust", "edge20", "ghostburn", "kleptonomicon"))
def test_our_own_games_are_sound(name):
    """Odds, transcripts, advice, effects, forms, sheets and words of each, all of it."""
    report = check(find_game(name))
    assert "" == said(report)
    assert [] == report.omissions


@pytest.mark.parametrize("name", own_games())
def test_everything_that_a_game_names_has_a_word_in_each_language(name):
    """Goals, policies, rolls, outcomes, fields, choices, prices, questions and house rules."""
    game = find_game(name)
    part = CheckPart("words", None)
    check_messages(game, TextLog(), part)
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
        {"card": "def offered(self, request, transcript, option): return Offer('Go')"},
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
    "slipped": (
        {"card": "def verdct(self, request, outcome): return Verdict('Up', 'good')"},
        "card.verdct: a card has no such part; did you mean 'verdict'?",
    ),
    "failing": (
        {"rule": "hand = asked.dcie"},
        r"policy .*AttributeError.*'dcie'.*failing/__init__.py:\d+ in drop: hand = asked.dcie",
    ),
    "at_once": (
        {"card": "pass\n\n@rule\nasync def drop(asked):\n    return Fall(asked.dcie)"},
        r"AttributeError: 'Drop' object has no attribute 'dcie'.*at_once/__init__.py:\d+ in drop",
    ),
    "unfilled": (
        {"sheet": "None"},
        "form of drop with an empty sheet: sheet: from_sheet gave NoneType; Drop would do",
    ),
    "ill_filled": (
        {"sheet": "Drop(dice=sheet.dcie)"},
        r"sheet: its rules cannot be played: AttributeError.*ill_filled/__init__.py:\d+ in <lambda",
    ),
    "odd_word": (
        {"card": "outcomes = {'grade': {'hihg': 'good'}}\n\nfrom typing import Literal\n"
         "Fall = NamedTuple('Fall', [('height', int), ('harm', int), ('grade', Literal['high'])])\n"
         "Drop.outcome = Fall"},
        r"card.outcomes\['grade'\]: no outcome has the word 'hihg'; did you mean 'high'",
    ),
    "unseated": (
        {"card": "def form(self, asked): return [asked.field('dice'),"
         " asked.role('rival', sets=lambda one: {'set.dice': 9})]"},
        "form of drop among others, rival being Ann: it sets dice to what is refused: 9 is too",
    ),
    "alone": (
        {"card": "def form(self, asked): return [asked.field('dice'),"
         " asked.role('rival', sets=lambda one: {'set.dice': one.sheet.harm + 1})]"},
        "form: this part of the card fails",
    ),
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
    card = "def standing(self, r, t): return self.game.words.msg('stand')"
    found = said(check(written("speechless", {"en": ENGLISH, "de": german}, card=card)))
    assert "speechless/words/de.json has no 'outcome.height'" in found
    assert "speechless/words/en.json has no 'stand', which is shown" in found
    assert "speechless/words/de.json: 'effect.harm' uses {m}, which does not always come" in found


def test_who_chooses_and_what_is_named_in_words(written):
    """A seat and an option of the rule, and the kind of an effect, each by the id to write."""
    english = {id: text for id, text in ENGLISH.items() if id != "effect.harm"}
    card = "def offered(self, r, t, option): return Offer(self.game.words.msg(f'my.{option}'))"
    changed = {"card": card, "rule": "await choose('stay', 'go', by='pilot')"}
    words = {**english, "my.keep": "K", "my.again": "A", "my.stay": "S", "my.go": "G"}
    found = said(check(written("seated", {"en": words, "de": words}, **changed)))
    assert "who chooses in drop" in found
    assert "seated/words/de.json has no 'word.pilot'" in found
    assert "seated/words/de.json has no 'option.go'" in found
    assert "has no 'option.keep'" not in found
    assert "effect harm: 'harm yes' is told so in every language; 'effect.harm' would do" in found


class Weather(Ranked):
    """From worst to best."""

    ranks = {"foul": 0, "fair": 1}


class Sailed(NamedTuple):
    """What a trip came to."""

    weather: Weather
    mood: Literal["glad", "sad"]


class Sail(Request, roll="sail", outcome=Sailed):
    """A trip."""


class Sea(Value):
    """What everybody shares."""

    wind: int = preset(0, "how it blows", 0, 9)


class Kit(Value):
    """Something aboard."""

    name: str = preset("", "what it is", most=20, known=True)


class Boat(Value):
    """A sheet."""

    name: str = preset("", "who it is", most=20)
    kit: tuple[Kit, ...] = preset((), "what is aboard", most=3)
    skills: tuple[str, ...] = preset((), "what they can do", most=3, known=True)


class Sailing(Card):
    """Somebody helps, and something to begin with."""

    rolls = {"sail": RollCard(roles=("mate",))}
    starters = (Starter("A sloop", {"kit": [{"name": "oar"}], "skills": ["knots"]}),)


@rule
async def sail(trip: Sail) -> Sailed:
    """Nothing is thrown."""
    return Sailed(Weather("fair"), "glad")


def test_words_of_outcomes_roles_and_what_is_shared_are_wanted():
    """Ranks and choices an outcome may hold, who plays a part, and fields of the whole table."""
    game = Game(
        name="sailing", title="Sailing", summary="At sea.", requests={Sail: sail}, shared=Sea,
        sheet=Boat, card=Sailing(), package=__name__,
    )  # fmt: skip
    wanted = {ids[-1] for _, ids in names_of(game)}
    words = {"word.foul", "word.fair", "word.glad", "word.sad"}
    assert words | {"label.mate", "role.mate", "label.wind", "help.wind"} <= wanted
    assert ["oar", "knots"] == list(names_on(Boat, Sailing.starters[0].values))


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


HUGE = "from rollwright.dice import D100; len(set(await roll(90 * D100)))"
"""So many hands, all told apart, that nobody counts them: that is known before it begins."""


def test_what_could_not_be_counted_is_not_checked(written):
    """It is no fault and is named; rolls of it are stored, advised on where that can be, shown."""
    report = check(written("too_large", rule=HUGE))
    assert "" == said(report)
    found = {part.name: part.unchecked for part in report.parts}
    assert any(line.startswith("drop, policy first option: ") for line in found["odds"])
    assert any(line.startswith("a choice of drop") for line in found["advice"])
    assert found["odds"] + found["advice"] + found["speed"] == report.omissions
    assert (False, False) == (report.is_clean, report.to_json()["ok"])
    looked = {part.name: part.looked_at for part in report.parts}
    assert looked["odds"].startswith("0 requests")
    assert int(re.match(r"(\d+) rolls", looked["transcripts"])[1]) > 0
    assert int(re.match(r"(\d+) steps of (\d+) rolls", looked["shown"])[1]) > 0


def test_the_command_does_not_call_clean_what_it_could_not_check(written):
    """Lines say what was not checked, and the exit code is neither that of clean nor of faults."""
    written("too_large_too", rule=HUGE)
    done = CliRunner().invoke(command, ["too_large_too"])
    assert 3 == done.exit_code
    assert "? odds" in done.output
    assert "not checked: drop, policy first option: " in done.output
    assert "Nothing is wrong" not in done.output
    assert re.search(r"No fault, but \d+ things could not be checked\.$", done.output.rstrip())
    plain = json.loads(CliRunner().invoke(command, ["too_large_too", "--json"]).output)
    assert (False, []) == (plain["ok"], [one for part in plain["parts"] for one in part["faults"]])
    assert [part for part in plain["parts"] if part["unchecked"]]


def test_faults_weigh_more_than_what_could_not_be_checked(written):
    """With both, it ends as with faults alone, and says both."""
    card = "def told(self, request, transcript): return [][1]"
    written("large_and_torn", rule=HUGE, card=card)
    done = CliRunner().invoke(command, ["large_and_torn"])
    assert 1 == done.exit_code
    assert re.search(r"1 fault, and \d+ things could not be checked\.$", done.output.rstrip())


@pytest.mark.long
def test_what_can_be_counted_at_a_table_can_be_checked(written):
    """A check has the allowance that playing has: such a roll is too much for a smaller one."""
    rule = "from rollwright.dice import D20; len(set(await roll(3 * D20)))"  # 1,540 hands
    assert [] == check(written("quite_large", rule=rule, most="1")).omissions


THINGS = """
from typing import NamedTuple
from rollwright.dice import D6
from rollwright.kit import Effect, Game, Request, Value, field, preset
from rollwright.kit.card import Card, Starter
from rollwright.kit.controls import Choice, group
from rollwright.kit.sheets import applying, on_thing
from rollwright.rules import choose, roll, rule

class Out(NamedTuple):
    total: int

class Arm(Value):
    "A weapon."
    name: str = field(help="what it is", most=20)
    edge: int = preset(3, "how sharp", 0, 3)

class Sheet(Value):
    "Somebody."
    name: str = preset("", "who", most=20)
    arms: tuple[Arm, ...] = preset((), "arms", most=3, once="name")

class Hit(Request, roll="hit", outcome=Out):
    "Hit."
    arm: str = preset("", "with what", most=20)

@rule
async def hit(asked: Hit) -> Out:
    return await more(asked.arm, 0, 0)

@rule
async def more(arm: str, total: int, times: int) -> Out:
    hand = await roll({dice} * D6)
    if await choose("stop", "on", about=tuple(hand)) == "stop":
        return Out(total + sum(hand))
    return more(arm, total, times)

class Shown(Card):
    starters = (Starter("A fighter", {{"arms": [{{"name": "axe"}}]}}),)

    def form(self, asked):
        arms = [Choice(one.name, one.name) for one in getattr(asked.sheet, "arms", ())]
        return [group(asked.choose("arm", [Choice(None, "none"), *arms])), asked.field("arm")]

game = Game(
    name={name!r}, title="Arms", summary="Hit.", requests={{Hit: hit}}, sheet=Sheet, card=Shown(),
    effects=lambda asked, end: (Effect("blunt", 1, asked.arm),) if asked.arm else (),
    apply=applying({{"blunt": on_thing("arms", lambda arm, n: arm.but(edge=arm.edge - n))}}),
    from_sheet=lambda sheet, roll="hit", **said: Hit(**said), package={name!r},
)
"""


@pytest.mark.long
@pytest.mark.parametrize("dice", [1, 9], ids=["counted", "too large to count"])
def test_things_of_a_sheet_are_picked_and_what_comes_of_them_is_tried(monkeypatch, tmp_path, dice):
    """An effect on a weapon that only a picked one meets; the author took `n` for a number.

    In a large roll, of which no odds are known, it is met too; one that goes on for ever is left.
    """
    monkeypatch.syspath_prepend(str(tmp_path))
    name = f"arms_of_{dice}"
    (tmp_path / f"{name}.py").write_text(THINGS.format(dice=dice, name=name), "utf-8")
    found = said(check(add_game(__import__(name).game)))
    assert "unsupported operand type(s) for -: 'int' and 'Effect'" in found
    assert f"{name}.py" in found


def test_all_faults_are_there_as_data(written):
    """A translator needs the whole list of what is missing; people see its beginning."""
    written("unworded", {"en": ENGLISH, "de": {}})
    done = CliRunner().invoke(command, ["unworded"])
    assert "more; --json has all of them" in done.output
    words = json.loads(CliRunner().invoke(command, ["unworded", "--json"]).output)["parts"][-2]
    told = "\n".join(one["problem"] for one in words["faults"])
    assert [] == [id for id in ENGLISH if f"de.json has no {id!r}" not in told]
    assert 0 == words["more_faults"]


def test_a_game_that_nobody_knows_is_made_known(written, monkeypatch):
    """A test of a game need not say so first."""
    game = written("unheard_of")
    monkeypatch.delitem(games._loaded, "unheard_of")
    assert "" == said(check(game))


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


def test_some_rolls_tell_of_how_many_ways_there_are_at_least():
    """Never more than there are; of a roll in every way exactly so many: 36 - 6 + 6 * 4 here."""

    @rule
    async def sevens() -> int:
        first = sum(await roll(2 * D6))
        return first if first != 7 else first + sum(await roll(D4))

    source, found = EveryWay(), []
    while True:
        found.append(play(sevens(), source=source).throws)
        assert 36 <= ways_at_least(found) <= 54
        if not source.turn():
            break
    assert 54 == len(found) == ways_at_least(found)


def test_the_bound_is_beyond_chance():
    """Half of the rolls where a third is counted is a fault, a little more than a third is none."""
    assert ROLLS * _distance(0.55, 1 / 3) > SURELY
    assert ROLLS * _distance(0.36, 1 / 3) < SURELY
