"""A game of a few lines, without card and words, is called and decided as people expect."""

from types import SimpleNamespace
from typing import NamedTuple

import pytest
from tests.cli.running import rollwright

import rollwright as rw
from rollwright.cli.rolls import find_option
from rollwright.dice import D6, Die
from rollwright.errors import BadAnswer, UnknownName
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.locale import format_text, use_locale
from rollwright.kit import (
    SHARED,
    Effect,
    Game,
    Goal,
    Policy,
    Request,
    Value,
    add_game,
    field,
    preset,
    word,
)
from rollwright.kit.card import Card, RollCard, Verdict
from rollwright.kit.card.choices import choice_to_json, option_to_json
from rollwright.kit.card.endings import effect_text, ending_to_json, narration_to_json
from rollwright.kit.card.pages import card_to_json
from rollwright.kit.card.texts import say
from rollwright.pictures.terminal import draw_dice
from rollwright.queries import answer
from rollwright.rules import choose, roll, rule

SIGN = Die({"spark": 1, "spark+spark": 1, "blank": 4}, name="sign")


class Climbed(NamedTuple):
    """How far it went."""

    at_the_top: bool
    holds: int


class LongClimb(Request, roll="long_climb", outcome=Climbed):
    """Climb a wall."""

    grip: int = field(help="dice", low=1, high=5)


class Signs(Request, roll="signs", outcome=Climbed):
    """Read signs."""

    grip: int = field(help="dice", low=1, high=5)


@rule
async def climb(asked: LongClimb) -> Climbed:
    """Every 5 or 6 is a hold; what is none may be thrown again."""
    holds = sum(face >= 5 for face in await roll(asked.grip * D6))
    if holds < asked.grip and await choose("hang", "reach") == "reach":
        holds += sum(face >= 5 for face in await roll((asked.grip - holds) * D6))
    return Climbed(holds > 1, holds)


@rule
async def signs(asked: Signs) -> Climbed:
    """Each spark is a hold."""
    holds = sum(face.count("spark") for face in await roll(asked.grip * SIGN))
    return Climbed(holds > 1, holds)


def small(name, **more):
    """The game with nothing but what is said here."""
    return add_game(
        Game(
            name=name,
            title="Climb",
            summary="Up.",
            requests={LongClimb: climb, Signs: signs},
            **{"goals": {"top": Goal("reach the top", lambda end: end.at_the_top)}, **more},
        )
    )


NEVER = {"never": Policy.of("never reach", lambda now: "hang")}
TRIP = {"roll": "long_climb", "grip": 2}


def test_a_roll_without_a_title_is_called_by_its_name():
    """On a tab, in a history and on the command line there is something to read."""
    game = small("small_titles")
    assert "Long climb" == game.requests["long_climb"].title
    assert "Climb, Long climb: grip 2" in answer("odds", {"request": {**TRIP, "game": game.name}})[
        "title"
    ].replace("\n", " ")


def test_a_title_given_above_is_kept_and_one_made_of_a_name_is_not():
    """What a subclass leaves out it has; its name is its own."""

    class Jump(LongClimb, roll="jump"):
        """Jump."""

    class Leap(LongClimb, roll="leap", title="A leap"):
        """Leap."""

    class Bound(Leap, roll="bound"):
        """Bound."""

    assert ["Jump", "A leap", "A leap"] == [Jump.title, Leap.title, Bound.title]


@pytest.mark.parametrize(
    ("more", "usual"),
    [
        ({}, "best"),
        ({"policies": NEVER, "default_policy": "never"}, "never"),
        ({"goals": {}}, ""),
    ],
)
def test_how_it_is_decided_as_a_rule(more, usual):
    """The game's way; without one best play, since a goal says what is best."""
    game = small("small_policies", **more)
    assert usual == game.usual_policy("long_climb")
    assert usual == card_to_json(game)["rolls"]["long_climb"].get("policy", "")


def test_odds_without_a_policy_are_those_of_best_play():
    """The smallest game is counted without a word about policies."""
    game = small("small_odds", policies=NEVER)
    trip = {**TRIP, "game": game.name}
    found = answer("odds", {"request": trip})
    assert "best" == found["policy"]
    assert rw.odds(trip, "best") == rw.odds(trip) != rw.odds(trip, "never")


def test_a_kind_of_roll_has_its_own_way_in_the_library_too():
    """What the card says of one roll is not only for the page."""

    class Stubborn(Card):
        rolls = {"long_climb": RollCard(policy="never")}

    game = small("small_stubborn", policies=NEVER, card=Stubborn())
    trip = {**TRIP, "game": game.name}
    assert rw.odds(trip, "never") == rw.odds(trip)
    assert "never" == answer("event", {"request": trip, "where": "holds > 1"})["policy"]


def test_ways_to_decide_are_offered_by_their_titles():
    """Beside the button stands what a policy does and not how it is typed; best play too."""

    class Named(Card):
        rolls = {"long_climb": RollCard(policies=("never", "best"))}

    for game in (
        small("small_ways", policies=NEVER),
        small("small_ways", policies=NEVER, card=Named()),
    ):
        offered = card_to_json(game)["rolls"]["long_climb"]["policies"]
        assert [("never", "never reach"), ("best", ["policy.best"])] == [
            (one["value"], one["label"]) for one in offered
        ]
    assert [] == card_to_json(small("small_ways"))["rolls"]["long_climb"]["policies"]
    assert [] == card_to_json(game)["rolls"]["signs"]["policies"]


def test_best_play_has_a_name_in_every_game():
    """Whatever number holds under it says so in words, and not by how it is typed."""
    game = small("small_best")
    trip = {**TRIP, "game": game.name}
    for language, label in (("en", "Best play"), ("de", "Bestes Spiel")):
        with use_locale(language):
            for more in ({}, {"policy": "best:top"}):
                found = answer("preview", {"request": trip, "parts": ["odds"], **more})
                assert label == found["play"]["label"]


def test_what_nobody_tells_is_told_in_the_readers_language():
    """Names have no underscores, dice with signs go by their names, and it can be translated."""
    game = small("small_told")
    thrown = rw.roll({**TRIP, "game": game.name}, faces=[5, 1])
    english = "2D6: 5, 1. player must choose: hang or reach."
    assert english == game.tell(thrown.request, thrown)
    done = rw.roll(thrown.choose("reach"), faces=[6])
    told = narration_to_json(done)
    said = [say(told, game.name, language) for language in ("en", "de")]
    assert [
        "2D6: 5, 1; D6: 6. That makes at the top yes, holds 2.",
        "2W6: 5, 1; W6: 6. Das ergibt at the top ja, holds 2.",
    ] == said
    signed = rw.roll(game.request("signs", grip=2), faces=["blank", "spark+spark"])
    assert game.tell(signed.request, signed).startswith("2 sign: blank, spark+spark. That makes")
    with use_locale("de"):
        assert "Spieler muss wählen" in say(narration_to_json(thrown), game.name, "de")


def test_dice_with_signs_are_called_by_their_names():
    """Equal sides are one face, so their number says nothing about the solid."""
    assert ("sign", "2 sign") == (repr(SIGN), repr(2 * SIGN))
    assert "sign D3" not in draw_dice([(SIGN, "blank")], SimpleNamespace(width=60, unicode=True))
    assert "D{a, b}" == repr(Die(["a", "b"]))


def test_a_word_alone_is_a_text():
    """`word("Hard")` is said wherever a text is, not only inside of messages."""

    class Worded(Card):
        def verdict(self, request, outcome):
            return Verdict(word("yes" if outcome.at_the_top else "no"), "good", (word("top"),))

    game = small("small_worded", card=Worded())
    done = rw.roll(game.request("signs", grip=1), faces=["spark+spark"])
    verdict = ending_to_json(done)["verdict"]
    assert "yes" == words_of("rollwright").say(verdict["word"])
    assert ["top"] == [say(one, game.name) for one in verdict["detail"]]


class Split(NamedTuple):
    """Dice put to two things: an option with fields."""

    dig: int
    props_held: int


class Dug(NamedTuple):
    """How deep it went."""

    depth: int


class Dig(Request, roll="dig", outcome=Dug):
    """Dig, and prop it up."""

    dice: int = field(help="dice", low=1, high=5)


class Mine(Value):
    """What everybody shares."""

    doom: int = preset(0, "the clock", 0, 8)


@rule
async def dig(asked: Dig) -> Dug:
    """Every 4 or more goes to the dig or to the props."""
    hits = sum(face >= 4 for face in await roll(asked.dice * D6))
    split = await choose(*(Split(hits - n, n) for n in range(hits + 1)))
    return Dug(split.dig)


def mine(name):
    """A game in which dice are divided and a clock is everybody's."""
    about = {"name": name, "title": "Mine", "summary": "Down.", "shared": Mine}
    return add_game(Game(requests={Dig: dig}, **about))


def test_an_option_with_fields_is_said_and_typed_by_their_names():
    """Wherever it is read it is the same words, and never how Python writes it."""
    mine("mine")
    now = rw.roll({"game": "mine", "roll": "dig", "dice": 2}, faces=[4, 5])
    words = ["dig 2 props held 0", "dig 1 props held 1", "dig 0 props held 2"]
    assert words == [option_to_json(now, option)["said"] for option in now.step.options]
    asked = "Dig 2 props held 0, dig 1 props held 1 or dig 0 props held 2?"
    assert asked == choice_to_json(now)["question"]
    assert f"must choose: {asked[:-1].lower()}." in say(narration_to_json(now), "mine", "en")
    assert Split(1, 1) == find_option(now.step, "dig 1")
    with pytest.raises(BadAnswer, match="there are dig 2 props held 0, dig 1 props held 1"):
        find_option(now.step, "both")


def test_what_an_effect_does_to_all_is_said_of_the_table():
    """In the language of the reader; the mark by which rules call it is nobody's word."""
    told = effect_text(mine("clock"), Effect("doom", 2, SHARED))
    said = [say(told, "clock", code) for code in ("en", "de", "fr")]
    assert ["doom 2 (the table)", "doom 2 (der Tisch)", "doom 2 (la table)"] == said


def test_what_is_the_only_one_is_named_alone():
    """A game without policies knows best play and nothing else."""
    mine("lonely_mine")
    with pytest.raises(UnknownName) as refused:
        rw.odds({"game": "lonely_mine", "roll": "dig", "dice": 1}, "never")
    assert "there is no policy 'never'; there is only best" == str(refused.value)
    with use_locale("de"):
        german = format_text(refused.value.wording)
    assert "die Strategie 'never' gibt es nicht; es gibt nur best" == german


def test_a_game_without_questions_says_so():
    """Asked on the command line for what it can be asked."""
    mine("quiet_mine")
    said = rollwright("ask", "quiet_mine")
    assert (0, "") == (said.code, said.err)
    assert "quiet_mine has no questions of its own" in said.out
