"""Requests of GHOST/BURN: what they accept, what they refuse, and how they travel."""

import json

import pytest

import rollwright as rw
from rollwright.games.ghostburn import Attempt, House, Roll, Session, game
from rollwright.games.ghostburn.outcomes import canonical_dl, dl_step
from rollwright.games.ghostburn.requests import CONVINCE
from rollwright.kit import from_plain, schema_of, to_plain

ATTEMPT = {"ability": 3, "skill": [2], "dl": "Hard"}


def refused(roll, **fields):
    """The refusal that a request with these fields meets."""
    with pytest.raises(rw.RollwrightError) as caught:
        game.request(roll, **fields)
    return caught.value


@pytest.mark.parametrize("dl", [20, "20", "Hard", "hard", " HARD "])
def test_a_level_is_given_by_name_or_number(dl):
    """GHOST R8: 20 and Hard are one and the same request."""
    assert Roll(ability=3, dl="Hard") == Roll(ability=3, dl=dl)
    assert "Hard" == Roll(ability=3, dl=dl).dl


@pytest.mark.parametrize("dl", [11, 17, 7, 2, 0, -4, 200, "Trivial", "Extreme", "hardd", ""])
def test_a_level_off_the_ladder_is_refused(dl):
    """GHOST R8, D12: the refusal names the field, the rule and the levels that would do."""
    problem = refused("roll", ability=3, dl=dl)
    assert ("dl", "GHOST R8") == (problem.field, problem.rule)
    assert "Easy (8), Moderate (14), Hard (20), Severe (26)" in problem.would_do


@pytest.mark.parametrize("dl", [True, None, 8.5, ["Hard"]])
def test_a_level_is_a_name_or_a_whole_number(dl):
    """GHOST R8: nothing else is a Difficulty Level."""
    assert "dl" == refused("roll", ability=3, dl=dl).field


@pytest.mark.parametrize(
    ("setting", "dl", "accepted"),
    [
        ("ladder", "below Easy", False),
        ("ladder", 32, True),
        ("ladder", "Severe +1", True),
        ("ladder", "Extreme", False),
        ("ladder", 122, True),
        ("ladder", "Severe +16", True),
        ("ladder", 128, False),
        ("ladder", "Severe +17", False),
        ("open", 26, True),
        ("open", 32, False),
        ("open", "Severe +1", False),
        ("site", "extreme", True),
        ("site", 32, True),
        ("site", 38, False),
        ("site", "Impossible", False),
    ],
)
def test_which_levels_there_are_above_severe(setting, dl, accepted):
    """GHOST R8, D2: the ladder goes on, ends at Severe, or has the site's Extreme on top."""
    fields = {"ability": 3, "dl": dl, "house": {"above_severe": setting}}
    if accepted:
        assert game.request("roll", **fields)
    else:
        assert "dl" == refused("roll", **fields).field


@pytest.mark.parametrize(
    ("setting", "above"), [("ladder", ", Severe +1 (32)"), ("open", ""), ("site", ", Extreme (32)")]
)
def test_a_refusal_lists_the_levels_that_the_table_has(setting, above):
    """GHOST R8, D2: the book's four, and the first one above them where there is one."""
    problem = refused("roll", ability=3, dl="none", house={"above_severe": setting})
    assert f"Easy (8), Moderate (14), Hard (20), Severe (26){above}" == problem.would_do


@pytest.mark.parametrize(
    ("number", "kept"),
    [(2, 2), (8, "Easy"), (14, "Moderate"), (26, "Severe"), (27, 27), (32, 32), (9999, 9999)],
)
def test_the_number_of_one_of_the_four_levels_is_kept_as_its_name(number, kept):
    """GHOST R8: 8, 14, 20 and 26 have names in the book; nothing else has."""
    assert kept == canonical_dl(number)


@pytest.mark.parametrize(
    ("dl", "step"), [(8, 1), (13, 1), (17, 2), (31, 4), (122, 20), (127, 20), (128, 20), (9999, 20)]
)
def test_a_number_between_levels_is_of_the_level_it_lies_in(dl, step):
    """GHOST R8, D12: as a result is, where a table reads it so; below Easy there is none."""
    between = House(dl_between="level")
    assert step == dl_step(dl, between)
    with pytest.raises(rw.RollwrightError, match="7 is not on the ladder"):
        dl_step(7, between)


def test_no_number_is_too_long_to_be_refused():
    """GHOST R8: beyond four figures and 40 letters nothing is looked up."""
    assert "10,000 is not on the ladder" in str(refused("roll", ability=3, dl=10_000))
    assert f"no level '{'x' * 40}'" in str(refused("roll", ability=3, dl="x" * 40))
    assert "a text of 41 characters" in str(refused("roll", ability=3, dl="x" * 41))
    with pytest.raises(rw.RollwrightError) as caught:
        canonical_dl(["x" * 100])
    assert 38 == str(caught.value).count("x")  # after a bracket and a quotation mark


@pytest.mark.parametrize(
    ("fields", "field", "rule"),
    [
        ({"ability": 21, "dl": 8}, "ability", "GHOST R5"),
        ({"ability": "3", "dl": 8}, "ability", "GHOST R5"),
        ({"dl": 8}, "ability", "GHOST R5"),
        ({"ability": 3}, "dl", "GHOST R8"),
        ({"ability": 3, "dl": 8, "gear": [1, 99]}, "gear[1]", "GHOST R6"),
        ({"ability": 3, "dl": 8, "skill": 2}, "skill", "GHOST R6"),
        ({"ability": 3, "dl": 8, "luck_points": -1}, "luck_points", "GHOST R13"),
        ({"ability": 3, "dl": 8, "luck_points": 2}, "luck_points", "GHOST R13"),
        ({"ability": 3, "dl": 8, "favored": 1}, "favored", "GHOST R14"),
        ({"ability": 3, "dl": 8, "chart": {"trick": "x", "fade": {"who": "me"}}}, "chart", ""),
        ({"ability": 3, "dl": 8, "abilty": 3}, "abilty", ""),
        ({"ability": 3, "dl": 8, "house": {"below_easy": "no"}}, "house.below_easy", ""),
    ],
)
def test_bad_fields_are_named(fields, field, rule):
    """GHOST R5 to R21: a refusal says which field, which rule and what would do."""
    problem = refused("roll", **fields)
    assert problem.field.startswith(field)
    assert not rule or rule == problem.rule


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"rolls": []}, "rolls"),
        ({"rolls": [ATTEMPT] * 13}, "rolls"),
        ({"rolls": [ATTEMPT, {**ATTEMPT, "dl": 17}]}, "rolls[1].dl"),
        ({"rolls": [{**ATTEMPT, "ability": 99}]}, "rolls[0]"),
        ({"rolls": [Roll(ability=3, dl="Hard")]}, "rolls[0]"),
        ({"rolls": [ATTEMPT], "stakes": [1, 2]}, "stakes"),
        ({"rolls": [ATTEMPT], "luck_points": 2}, "luck_points"),
        ({"rolls": [ATTEMPT], "worths": {"fade": "much"}}, "worths.fade"),
    ],
)
def test_bad_sessions_are_refused(fields, field):
    """GHOST R13: a session names the roll and the field that is wrong."""
    assert refused("session", **fields).field.startswith(field)


def test_an_unknown_roll_policy_or_goal_is_refused():
    """Names that nobody knows are met with the likely one."""
    assert "did you mean 'session'" in str(refused("sesion", rolls=[ATTEMPT]))
    roll = Roll(ability=3, dl="Hard")
    with pytest.raises(rw.RollwrightError, match="did you mean 'always'"):
        rw.odds(roll, "alway")
    with pytest.raises(rw.RollwrightError, match="below:success"):
        rw.odds(roll, "below:glitch")
    with pytest.raises(rw.RollwrightError, match="just-succeed"):
        rw.advise(roll, "just-suceed")


REQUESTS = [
    Roll(ability=3, dl="Hard"),
    Roll(ability=3, gear=(1, 2), dl=32, chart=CONVINCE, favored=True, luck_points=0),
    Session(rolls=(Attempt(ability=3, dl="Hard"), Attempt(ability=1, dl=8)), stakes=(1, 2)),
    Session(
        rolls=(Attempt(ability=3, dl=17),), worths={"glitch": "-1/2"}, house={"dl_between": "level"}
    ),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.roll)
def test_requests_travel_as_json(request_):
    """A request is the same after a trip through JSON."""
    assert request_ == from_plain(json.loads(json.dumps(to_plain(request_))))


def test_the_schema_has_every_field():
    """The JSON Schema of a request names its fields, its choices and its ranges."""
    schema = schema_of(Roll)
    assert ["game", "roll", "ability", "dl"] == schema["required"]
    assert 20 == schema["properties"]["ability"]["maximum"]
    assert {"trick", "chart", "favored", "house"} <= set(schema["properties"])
    assert ["level", "failure"] == schema["properties"]["house"]["properties"]["below_easy"]["enum"]


def test_the_odds_travel_as_json():
    """Outcomes and levels are plain words in JSON, and come back equal."""
    odds = rw.odds(Roll(ability=3, dl="Hard"), "always")
    text = json.dumps(odds.to_plain())
    assert '"outcome": "Fade"' in text
    assert odds == rw.Dist.from_json(text, shape=type(odds.outcomes[0]))
