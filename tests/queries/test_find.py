"""Find: which value gives a chance, with neighbours, honestly where several or none do."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollwright as rw
from rollwright.budget import Budget
from rollwright.errors import BadField, RollwrightError, TooMuchWork
from rollwright.queries import answer
from rollwright.queries.find import Point, Search, target_of

CHECK = {"game": "edge20", "roll": "check", "modifier": 7}
DICE = {"expression": "(@n)d6"}


def found(**question):
    """The answer of a search."""
    return answer("find", question)


def test_which_difficulty_gives_a_chance():
    """d20+7 succeeds against 15 with 8 or more: 13 of 20 faces, which is 65 %."""
    plain = found(request={**CHECK, "dc": 10}, over="dc", target="65%", policy="never")
    assert (plain["found"], plain["nearest"]) == ([15], [15])
    assert plain["target"]["exact"] == "13/20"
    worths = {row["value"]: row["worth"]["exact"] for row in plain["rows"]}
    assert (worths[14], worths[15], worths[16]) == ("7/10", "13/20", "3/5")
    assert plain["direction"] == "falls"
    assert plain["said"] == (
        "At least 65.0 % with DC -99 to 15: 15 gives 65.0 %. Tried: -99 to 199."
    )


def test_a_field_that_must_be_given_may_be_left_to_the_search():
    """The answer is the same as with any value in its place."""
    assert found(request=CHECK, over="dc", target="65%")["found"] == [15]
    with pytest.raises(BadField, match="dc: is missing"):
        found(request=CHECK, over="modifier", target="65%")


def test_how_many_dice_for_a_chance():
    """The first number of dice that is worth it, against a count of our own."""
    plain = found(**DICE, over="n", target="0.9", where=">= 20")
    chances = {n: rw.odds(f"{n}d6").p(lambda total: total >= 20) for n in (7, 8)}
    assert chances[7] < Fraction(9, 10) <= chances[8]
    assert plain["found"] == [8]
    assert plain["direction"] == "rises"
    assert plain["rows"][8]["worth"]["exact"] == str(chances[8])


def test_words_without_an_order_are_no_range():
    """Of house rules each is tried for itself; levels of a skill have an order (T2K R4)."""
    skill = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
    rule = found(request=skill, over="jam_rule", target="65%")
    assert rule["said"].startswith("Every jam rule gives at least 65.0 %")
    none = found(request=skill, over="jam_rule", target="90%")
    assert none["said"].startswith("No jam rule gives 90.0 %")
    levels = found(request=skill, over="skill", target="65%")
    assert levels["said"].startswith("At least 65.0 % with skill A to C: C gives 68.8 %.")
    assert levels["ranges"] == [["A", "C"]]
    unskilled = {"game": "twilight2000", "roll": "skill", "attribute": "D"}
    steps = found(request={**unskilled, "modifier": -1}, over="unskilled_steps", target="20%")
    words = [row["value"] for row in steps["rows"] if row["reaches"]]
    assert steps["ranges"] == [[word, word] for word in words]


@pytest.mark.parametrize(
    ("target", "hint"),
    [("65", "65% would do"), ("650%", "0% to 100% would do"), ("often", "65%, 0.65 or 13/20")],
)
def test_a_target_that_is_no_chance_is_refused_with_what_was_meant(target, hint):
    """65 without its sign is 65 %; what lies beyond is told how far chances go."""
    with pytest.raises(BadField, match=f"is no chance; {hint}"):
        found(request={**CHECK, "dc": 10}, over="dc", target=target)


def test_a_mean_is_found_as_a_number():
    """Without an event dice are searched by their mean: 6 dice make 21."""
    plain = found(**DICE, over="@n", target=21)
    assert (plain["found"], plain["target"]["chance"]) == ([6], False)
    with pytest.raises(BadField, match="'65%' is no number"):
        found(**DICE, over="n", target="65%")


def test_several_ranges_are_all_told():
    """6 or 40 in all is likely with few dice, and again with about eleven."""
    plain = found(**DICE, over="n", target="5%", where="it = 6 or it = 40")
    assert plain["direction"] == "mixed"
    (first, last), (again, end) = plain["ranges"]
    assert (first, last) == (1, 2)
    assert again <= 11 <= end
    assert plain["found"] == [1, 2, again, end]
    reaching = [row["value"] for row in plain["rows"] if row["reaches"]]
    assert reaching == [1, 2, *range(again, end + 1)]
    assert f"1 to 2 or {again} to {end}" in plain["said"]


def test_none_reaches_it():
    """Then what comes closest is named, and what was tried."""
    plain = found(
        request={"game": "ghostburn", "roll": "roll", "ability": -5}, over="dl", target="99%"
    )
    assert (plain["found"], plain["ranges"], plain["nearest"]) == ([], [], ["Easy"])
    assert plain["said"].startswith("No Difficulty Level of Easy to Severe gives 99.0 %; Easy")


def test_all_reach_it():
    """Then the one that comes closest is the answer."""
    plain = found(
        request={"game": "ghostburn", "roll": "roll", "ability": 9}, over="dl", target="1/1000"
    )
    assert (plain["found"], plain["nearest"]) == (["Severe"], ["Severe"])
    assert plain["said"].startswith("Every Difficulty Level of Easy to Severe gives at least")


def test_words_in_an_order_are_searched():
    """Attributes from A to D, in the order of the book."""
    skill = {"game": "twilight2000", "roll": "skill", "attribute": "D", "skill": "C"}
    plain = found(request=skill, over="attribute", target="65%", goal="just-succeed")
    assert [row["value"] for row in plain["rows"]] == ["A", "B", "C", "D"]
    for row in plain["rows"]:
        worth = rw.odds({**skill, "attribute": row["value"]}).p(lambda o: o.successes > 0)
        assert row["worth"]["exact"] == str(worth)


@pytest.mark.long
def test_house_rules_and_fields_within_fields_are_searched():
    """By their own name, or by their path."""
    opposed = {
        "game": "twilight2000",
        "roll": "opposed",
        "active": {"attribute": "B"},
        "passive": {"attribute": "C"},
    }
    plain = found(request=opposed, over="active.modifier", values=[-1, 0, 1], target="50%")
    assert plain["over"] == {"field": "active.modifier", "title": "active: modifier"}
    assert len({row["worth"]["exact"] for row in plain["rows"]}) == 3
    attack = {"game": "twilight2000", "roll": "attack", "attribute": "B", "ammo_dice": 3}
    question = {"request": attack, "policy": "always", "where": "jammed", "target": "1/4"}
    rows = found(**question, over="jam_rule")["rows"]
    assert rows == found(**question, over="house.jam_rule")["rows"]
    assert [row["value"] for row in rows] == ["together", "one-kind", "ammo"]


def test_what_the_rules_refuse_is_told():
    """More ammo dice than the rate of fire are not tried; why is said."""
    attack = {"game": "twilight2000", "roll": "attack", "attribute": "B", "rate_of_fire": 2}
    plain = found(request=attack, over="ammo_dice", target="10%", where="jammed", policy="always")
    assert [row["value"] for row in plain["rows"]] == [0, 1, 2]
    assert [one["value"] for one in plain["refused"]] == list(range(3, 13))
    assert "rate of fire is 2" in plain["refused"][0]["problem"]


@pytest.mark.long
def test_the_work_is_bounded():
    """What the budget does not allow is left out and said so; where nothing fits, it is refused."""
    attack = {"game": "twilight2000", "roll": "attack", "attribute": "B", "skill": "C"}
    question = {"request": attack, "over": "ammo_dice", "target": "1/7", "where": "jammed"}
    question |= {"policy": "always", "request": {**attack, "reliability": 3}}
    few = answer("find", question, Budget(135_000))
    assert [row["value"] for row in few["rows"]][:2] == [0, 1]
    assert "this rule needs about" in str(few["refused"])
    assert "steps of work (< 1 s), the budget has" in str(few["refused"])
    with pytest.raises(TooMuchWork):
        answer("find", {**question, "values": [6]}, Budget(100))


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ({"over": "nmae"}, "nmae: there is no such field; did you mean 'name'"),
        ({"over": "name"}, "name: this is neither a number nor words in an order; .*modifier"),
        ({"over": "dc.low"}, r"dc\.low: there is no such field"),
        ({"over": "dc["}, r"dc\[: there is no such field"),
        ({"over": "bonuses[3]"}, r"bonuses\[3\]: there is nothing at this place"),
        ({"over": "dc", "target": "often"}, "target: 'often' is no chance; 65%, 0.65 or 13/20"),
        ({"over": "dc", "target": "165%"}, "target: '165%' is no chance"),
        ({"over": "dc", "target": 65}, "target: '65' is no chance"),
        ({"over": "dc", "values": []}, "values: there are none; 1 to 500"),
        ({"over": "dc", "values": ["x"]}, "dc: 'x' is not a whole number"),
        ({"over": "dc", "target": None}, "target: null came; a whole number"),
    ],
)
def test_what_cannot_be_searched_is_refused(question, problem):
    """Each refusal names the field, and what would do."""
    with pytest.raises(RollwrightError, match=problem):
        found(request={**CHECK, "dc": 10}, **{"target": "65%", **question})


def test_names_that_are_not_in_the_dice_are_refused():
    """And a roll in progress has nothing left to set."""
    with pytest.raises(BadField, match="there is no @m in the dice; there is only n"):
        found(**DICE, over="m", target=7)
    rolled = rw.roll("2d6", faces=[1, 2]).to_plain()
    with pytest.raises(BadField, match="a roll in progress stays as it is"):
        found(transcript=rolled, over="n", target=7)


def test_targets_as_people_write_them():
    """Percents, decimals and fractions mean the same."""
    assert {target_of(text, chance=True) for text in ("65%", "65 %", "0.65", 0.65, "13/20")} == {
        Fraction(13, 20)
    }


WORTHS = st.lists(st.fractions(0, 1, max_denominator=6), min_size=1, max_size=12)


@pytest.mark.long
@given(WORTHS, st.fractions(0, 1, max_denominator=6))
def test_answers_lie_where_the_target_is_crossed(worths, target):
    """Each answer reaches the target beside one that does not; the ranges are all that reaches."""
    search = Search(target, tuple(Point(n, worth) for n, worth in enumerate(worths)))
    reaches = [worth >= target for worth in worths]
    inside = [n for first, last in search.runs for n in range(first.value, last.value + 1)]
    assert inside == [n for n, one in enumerate(reaches) if one]
    if all(reaches):
        assert search.answers == search.nearest
        return
    for n, one in enumerate(reaches):
        beside = [reaches[m] for m in (n - 1, n + 1) if 0 <= m < len(reaches)]
        assert (one and not all(beside)) == (n in [point.value for point in search.answers])
