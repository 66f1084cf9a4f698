"""One way in: requests and plain data alike, and words that mean one thing."""

import inspect
import json

import pytest
from tests.queries.asked import arguments

import rollwright as rw
from rollwright import exact, rules
from rollwright.errors import BadField, Misuse
from rollwright.exact import reduce, sum_of
from rollwright.games.edge20.outcomes import CheckOutcome, RepairOutcome, TurnOutcome
from rollwright.games.ghostburn.questions import nearness_odds
from rollwright.kit.games import find_game, from_plain
from rollwright.rules import fold, tally

SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
QUESTIONS = arguments()
GAMES = ("dust", "edge20", "ghostburn", "kleptonomicon", "twilight2000")


@pytest.mark.parametrize("name", GAMES)
def test_questions_of_a_game_are_in_one_place(name):
    """Every question that a game answers can be imported from its module `questions`."""
    module = __import__(f"rollwright.games.{name}.questions", fromlist=["*"])
    for question in find_game(name).questions:
        assert callable(getattr(module, question)), question


@pytest.mark.parametrize(
    ("game", "question"), [(game, name) for game in QUESTIONS for name in QUESTIONS[game]]
)
def test_a_question_takes_requests_and_plain_data_alike(game, question):
    """Called with dicts it says what it says when it is asked with plain data."""
    plain = QUESTIONS[game][question]
    asked = find_game(game).questions[question]
    if any("transcript" in name for name in asked.arguments):
        plain = asked.read(plain)
    assert repr(asked.ask(QUESTIONS[game][question])) == repr(asked(**plain))


def test_plain_data_that_does_not_fit_is_refused_by_its_place():
    """The argument and the field are named."""
    with pytest.raises(BadField, match=r"check\.dc"):
        find_game("edge20").questions["tier_odds"]({"modifier": 5, "dc": "high"})


def test_a_transcript_and_a_position_start_from_a_request():
    """They are the same as those of the request's rule, and the transcript knows the request."""
    request = from_plain(SKILL)
    assert rw.Transcript(request.call(), request=request) == rw.Transcript(request)
    assert request is rw.Transcript(request).request
    assert rw.Position(request.call()) == rw.Position(request)


@pytest.mark.parametrize("start", [rw.Transcript, rw.Position])
@pytest.mark.parametrize("what", [SKILL, "2d6", 7, None])
def test_what_nothing_starts_from_is_refused_with_what_to_write(start, what):
    """Plain data and expressions are begun by `roll`, and the refusal says so."""
    with pytest.raises(Misuse, match=r"rollwright\.roll"):
        start(what)
    if isinstance(what, dict | str):
        assert rw.roll(what, faces=[]).entries == ()


def test_a_roll_waits_for_the_throws_that_are_still_to_come():
    """Faces for the first throw alone: after the push the roll waits, and goes on from there."""
    waits = rw.roll(SKILL, faces=[3, 4], policy="always")
    assert not waits.is_done
    assert 2 == waits.step.pool.size
    assert rw.roll(waits, faces=[6, 1]).outcome.pushed
    assert not rw.roll(SKILL, faces=[3, 4], policy="best").is_done


def test_to_json_is_text_and_to_plain_is_data():
    """In a distribution as in a transcript; each reads back."""
    for value in (rw.odds("2d6"), rw.roll(SKILL, faces=[3, 4])):
        assert json.loads(value.to_json()) == value.to_plain()
        assert value == type(value).from_json(value.to_json())


@pytest.mark.parametrize(
    ("here", "there"),
    [
        (tally, "rollwright.exact.sum_of"),
        (sum_of, "rollwright.rules.tally"),
        (fold, "rollwright.exact.reduce"),
        (reduce, "rollwright.rules.fold"),
    ],
)
def test_tally_and_fold_say_which_is_which(here, there):
    """What is meant in a rule, and what gives odds at once, name each other."""
    assert there in " ".join(inspect.getdoc(here).split())


def test_no_name_stands_in_rules_and_in_exact():
    """A word means one thing, wherever it was imported from."""
    assert not set(rules.__all__) & set(exact.__all__)


@pytest.mark.parametrize("word", ["Ending", "counted_by", "finish", "gather", "given", "offer"])
def test_words_of_the_engine_are_no_words_of_rules(word):
    """Neither the module, nor a rule, nor an argument of its words is called so."""
    takes = [inspect.signature(getattr(rules, name)).parameters for name in ("tally", "fold")]
    assert word not in rules.__all__
    assert not hasattr(rules.Rule, word)
    assert not any(word in parameters for parameters in takes)


@pytest.mark.parametrize("kind", [CheckOutcome, TurnOutcome, RepairOutcome])
def test_every_field_of_these_outcomes_is_described(kind):
    """A sentence stands below each field."""
    source = inspect.getsource(kind)
    for name in kind._fields:
        after = source.split(f"    {name}:")[1].split("\n")[1]
        assert after.strip().startswith('"""'), name


def test_nearness_odds_say_how_near():
    """A Fade one point short of the next level is 7 of 100 throws (GHOST R8, by hand)."""
    near = nearness_odds({"ability": 3, "skill": [2], "dl": "Hard"})
    assert ("outcome", "level", "short_of_next", "above_previous") == near.outcomes[0]._fields


ATTACK = {
    "game": "twilight2000",
    "roll": "attack",
    "attribute": "A",
    "skill": "A",
    "ammo_dice": 3,
    "targets": [{"name": "A"}, {"name": "B"}],
}


def test_all_sixes_on_the_first_target():
    """With two ammo sixes the first target takes both, whatever another plan would do."""
    waits = rw.roll(ATTACK, faces=[6, 7, 6, 6, 1])
    while waits.step.by != "shooter":
        waits = rw.roll(waits.choose("keep"), faces=[])
    assert "+2 damage" == find_game("twilight2000").policy("first-target", waits.request)(
        waits.situation
    )


def test_always_take_the_luck_bonus():
    """The bonus is taken wherever it is offered, also where it changes nothing."""
    roll = {"game": "ghostburn", "roll": "roll", "ability": 3, "dl": "Hard"}
    rolled = rw.roll(roll, faces=[2, 3], policy="bonus")
    assert 1 == rolled.outcome.luck_used
