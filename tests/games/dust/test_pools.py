"""How many dice are thrown, against what, and which requests are refused."""

import pytest
from tests.games.dust import oracle
from tests.games.dust.oracle import as_chances

import rollwright as rw
from rollwright.errors import BadField, UnknownName
from rollwright.games.dust import ExtendedRoll, House, Opposing, Plan, Roll, game
from rollwright.games.dust.dice import DIFFICULTIES
from rollwright.kit import schema_of, to_plain


def test_a_pool_is_attribute_plus_ability():
    """DUST R2: Strength 3 and Athletics 2 are five dice."""
    assert 5 == Roll(attribute=3, ability=2).pool_used.dice


@pytest.mark.parametrize("stat", ["attribute", "ability", "pool"])
def test_a_pool_can_be_a_single_stat(stat):
    """DUST R2: sometimes one stat is rolled alone."""
    assert 4 == Roll(**{stat: 4}).pool_used.dice


@pytest.mark.parametrize(("modifier", "dice"), [(-2, 3), (0, 5), (3, 8)])
def test_modifiers_change_the_pool(modifier, dice):
    """DUST R3: wounds and circumstances take dice away or add some."""
    assert dice == Roll(pool=5, modifier=modifier).pool_used.dice


@pytest.mark.parametrize(
    ("before", "modifier", "dice", "cut"),
    [(False, -3, 9, 0), (True, -3, 7, 2), (False, 0, 10, 2), (True, 0, 10, 2), (True, 2, 10, 4)],
)
def test_the_cap_comes_after_the_modifiers_or_before(before, modifier, dice, cut):
    """DUST R4: twelve dice less three are 9 or 7; in no reading are there more than ten."""
    house = House(cap_before_modifiers=before)
    used = Roll(attribute=6, ability=6, modifier=modifier, house=house).pool_used
    assert (dice, cut) == (used.dice, used.cut)


@pytest.mark.parametrize(("cap", "dice"), [(10, 10), (8, 8), (None, 14)])
def test_the_cap_itself_is_a_house_rule(cap, dice):
    """DUST R4: ten is the rule in general; another cap or none is an option."""
    roll = Roll(attribute=7, ability=7, house=House(pool_cap=cap))
    assert dice == roll.pool_used.dice
    assert 10**dice == rw.odds(roll).total


def test_the_difficulty_is_six_unless_said():
    """DUST R5: a 6 is a success where nothing is stated, a 5 is none."""
    assert 1 == rw.roll(Roll(pool=2), faces=(6, 5)).outcome.successes


def test_every_difficulty_has_its_name():
    """DUST R5: nine names from 2 to 10, and no other number."""
    assert list(range(2, 11)) == list(DIFFICULTIES)
    assert ("Trivial", "Standard", "Practically Impossible") == (
        DIFFICULTIES[2],
        DIFFICULTIES[6],
        DIFFICULTIES[10],
    )


@pytest.mark.parametrize("difficulty", [1, 11, 0, -6])
def test_a_difficulty_outside_two_to_ten_is_refused(difficulty):
    """DUST R5: the error names the field, the rule and what would do."""
    with pytest.raises(BadField) as caught:
        Roll(pool=5, difficulty=difficulty)
    error = caught.value
    assert ("difficulty", "DUST R5", "2 to 10") == (error.field, error.rule, error.would_do)


@pytest.mark.parametrize(
    ("fields", "field", "rule"),
    [
        ({}, "pool", "DUST R2"),
        ({"pool": 5, "attribute": 2}, "pool", "DUST R2"),
        ({"pool": -1}, "pool", "DUST R2"),
        ({"pool": 21}, "pool", "DUST R2"),
        ({"attribute": 11}, "attribute", "DUST R2"),
        ({"pool": 5, "modifier": 99}, "modifier", "DUST R3"),
        ({"pool": 5, "spend": 2}, "spend", "DUST R19"),
        ({"pool": 5, "spend": 1, "adrenaline": 0}, "spend", "DUST R19"),
        ({"pool": 5, "spend": -1}, "spend", "DUST R20"),
        ({"pool": 5, "adrenaline": 11}, "adrenaline", "DUST R18"),
        ({"pool": 5, "kind": "dice"}, "kind", "DUST R14"),
        ({"pool": 5, "doubles": "both"}, "doubles", "DUST R17"),
    ],
)
def test_a_wrong_roll_is_refused_with_field_rule_and_remedy(fields, field, rule):
    """DUST R2, DUST R18, DUST R19: nothing that the rules do not allow can be asked for."""
    with pytest.raises(BadField) as caught:
        game.request("roll", **fields)
    assert (field, rule) == (caught.value.field, caught.value.rule)
    assert caught.value.would_do


@pytest.mark.parametrize(
    ("roll", "fields", "field"),
    [
        ("opposing", {"actor": {"pool": 3}}, "defender"),
        ("opposing", {"actor": {"pool": 3}, "defender": {}}, "defender.pool"),
        ("opposing", {"actor": {"pool": 3, "spend": 2}, "defender": {"pool": 1}}, "actor.spend"),
        (
            "opposing",
            {"actor": {"pool": 3}, "defender": {"pool": 1, "spend": 1, "adrenaline": 0}},
            "defender.spend",
        ),
        ("extended", {"pool": 3}, "target"),
        ("extended", {"pool": 3, "target": 0}, "target"),
        ("extended", {"pool": 3, "target": 4, "progress": 4}, "progress"),
        ("extended", {"pool": 3, "target": 4, "limit": 0}, "limit"),
        ("plan", {"rolls": [{"pool": 3, "need": 0}]}, "rolls[0].need"),
        ("plan", {"rolls": [{"pool": 3}] * 13}, "rolls"),
        ("roll", {"pool": 3, "house": {"minimum_pool": "two"}}, "house.minimum_pool"),
        ("roll", {"pool": 3, "house": {"pool_cap": 0}}, "house.pool_cap"),
        ("roll", {"pol": 3}, "pol"),
    ],
)
def test_other_wrong_requests_name_the_place(roll, fields, field):
    """DUST R15, DUST R16: the error says where in the request it is."""
    with pytest.raises(BadField) as caught:
        game.request(roll, **fields)
    assert field == caught.value.field


def test_unknown_names_are_refused_with_a_guess():
    """A roll, a policy or a goal that does not exist is answered by the likeliest one."""
    with pytest.raises(UnknownName, match="did you mean 'opposing'"):
        game.request("oposing")
    with pytest.raises(UnknownName, match="did you mean 'always'"):
        rw.odds(Plan(rolls=({"pool": 2},), adrenaline=1), "allways")
    with pytest.raises(UnknownName, match="did you mean 'complete'"):
        rw.advise(Roll(pool=2), "compleet")
    with pytest.raises(BadField, match="not a goal of a roll roll"):
        rw.advise(Roll(pool=2), "margin")


@pytest.mark.parametrize("name", ["reserve", "reserve:", "reserve:x", "reserve:11"])
def test_a_reserve_needs_a_number(name):
    """DUST R18: a reserve is 0 to 10 points."""
    with pytest.raises(BadField, match="reserve:0 to reserve:10"):
        rw.odds(Plan(rolls=({"pool": 2},), adrenaline=1), name)


def test_requests_travel_as_plain_data():
    """The same request comes back from its plain form, house rules included."""
    for request in (
        Roll(attribute=2, ability=3, spend=1, adrenaline=4, house=House(doubles_count="pair")),
        Opposing(actor={"pool": 3, "name": "Ana"}, defender={"pool": 2}),
        ExtendedRoll(pool=4, target=6, limit=3, house=House(pool_cap=None)),
        Plan(rolls=({"pool": 3, "need": 2},), adrenaline=2),
    ):
        plain = to_plain(request)
        assert request == game.request(
            plain["roll"],
            **{name: value for name, value in plain.items() if name not in ("game", "roll")},
        )
        assert rw.odds(request) == rw.odds(plain)


def test_every_field_explains_itself():
    """Each field of each request and house rule has a help text in the schema."""
    for kind in (*game.requests.values(), game.house, game.sheet):
        schema = schema_of(kind)
        assert schema["description"]
        for name, about in schema["properties"].items():
            assert name in ("game", "roll") or about["description"]


def test_the_help_text_says_that_more_adrenaline_rules_exist():
    """DUST R21: guidance, shown where Adrenaline is asked for."""
    assert game.rulebook["R21"].guidance
    help_text = schema_of(Roll)["properties"]["adrenaline"]["description"]
    assert "chapter on Adrenaline" in help_text


@pytest.mark.parametrize(
    ("house", "pool", "modifier", "dice"),
    [
        ({}, 2, -4, 0),
        ({"minimum_pool": "one"}, 2, -4, 1),
        ({"minimum_pool": "fail"}, 2, -4, 0),
        ({"pool_cap": 3}, 5, -1, 3),
        ({"pool_cap": 3, "cap_before_modifiers": True}, 5, -1, 2),
        ({"pool_cap": None}, 3, 1, 4),
    ],
)
def test_every_kind_of_roll_counts_its_dice_alike(house, pool, modifier, dice):
    """DUST R3, DUST R4: opposing, extended and planned rolls too, held against enumeration."""
    stats = {"pool": pool, "modifier": modifier}
    throw = oracle.turn(dice)
    match = Opposing(actor=stats, defender={"pool": 2}, house=house)
    fails = "actor" if house.get("minimum_pool") == "fail" else ""
    expected = oracle.match(throw, oracle.turn(2), fails=fails)
    assert expected == as_chances(rw.odds(match))
    task = ExtendedRoll(**stats, target=3, limit=2, house=house)
    expected = oracle.task(dice, 6, 3, 2, adrenaline=None, spend=lambda *_: 0)
    assert expected == as_chances(rw.odds(task))
    plan = Plan(rolls=(stats, stats), house=house)
    rolls = [(dice, 6, 1, 1)] * 2
    assert oracle.plan(rolls, 0, lambda points: 0) == as_chances(rw.odds(plan))
