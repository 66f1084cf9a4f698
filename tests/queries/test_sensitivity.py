"""Sensitivity: every field one down and one up, every house rule switched, ranked."""

from fractions import Fraction

import pytest

import rollwright as rw
from rollwright.budget import Budget
from rollwright.errors import BadField
from rollwright.kit import fields_of, find_game
from rollwright.queries import answer

CHECK = {"game": "edge20", "roll": "check", "modifier": 7, "dc": 15}
ATTACK = {
    "game": "twilight2000",
    "roll": "attack",
    "attribute": "B",
    "skill": "C",
    "ammo_dice": 3,
}


def ranked(**question):
    """What moves a roll, by the field."""
    return answer("sensitivity", question)


def changes(row):
    """The changes of a field by what it is set to."""
    return {move["to"]: move["change"]["exact"] for move in row["moves"] if "change" in move}


def test_one_up_and_one_down_in_percentage_points():
    """On a d20 one point is a face: 5 percentage points, up or down."""
    plain = ranked(request=CHECK, policy="never")
    rows = {row["field"]: row for row in plain["rows"]}
    assert (plain["now"]["exact"], plain["unit"]) == ("13/20", "percentage points")
    assert changes(rows["dc"]) == {14: "1/20", 16: "-1/20"}
    assert changes(rows["modifier"]) == {6: "-1/20", 8: "1/20"}
    assert [move["change"]["said"] for move in rows["dc"]["moves"]] == ["+5.0", "−5.0"]
    assert changes(rows["advantages"]) == {1: str(1 - Fraction(7, 20) ** 2 - Fraction(13, 20))}
    assert changes(rows["house.tie"]) == {"failure": "-1/20"}


@pytest.mark.long
def test_ranked_by_the_largest_change():
    """What moves it most comes first; what does nothing comes last."""
    rows = ranked(request=ATTACK, policy="if-failed", where="hit and not jammed")["rows"]
    most = [row["most"]["number"] for row in rows]
    assert most == sorted(most, reverse=True)
    assert most[0] > 0 == most[-1]
    for row in rows:
        sizes = [abs(Fraction(change)) for change in changes(row).values()]
        assert Fraction(row["most"]["exact"]) == max(sizes, default=0)


@pytest.mark.long
def test_every_change_is_a_difference_of_exact_odds():
    """Each is what two counts of our own differ by."""

    def chance(**more):
        return rw.odds({**ATTACK, **more}, "always").p(lambda outcome: outcome.jammed)

    rows = {
        row["field"]: row for row in ranked(request=ATTACK, policy="always", where="jammed")["rows"]
    }
    assert changes(rows["ammo_dice"]) == {n: str(chance(ammo_dice=n) - chance()) for n in (2, 4)}
    assert changes(rows["attribute"]) == {
        level: str(chance(attribute=level) - chance()) for level in ("A", "C")
    }
    assert changes(rows["house.jam_rule"]) == {
        rule: str(chance(house={"jam_rule": rule}) - chance()) for rule in ("one-kind", "ammo")
    }


@pytest.mark.long
def test_every_house_rule_is_switched():
    """All of them, each to everything else that it can be."""
    rows = {row["field"]: row for row in ranked(request=ATTACK)["rows"]}
    for name, about in fields_of(find_game("twilight2000").house).items():
        others = {False, True} if about.kind == "bool" else set(about.choices)
        row = rows[f"house.{name}"]
        assert row["house"]
        assert {move["to"] for move in row["moves"]} == others - {about.default}


def test_lists_and_fields_within_fields():
    """Of a list of numbers the largest moves; values in a request are gone into."""
    rows = {row["field"]: row for row in ranked(request={**CHECK, "bonuses": [1, 2]})["rows"]}
    assert set(changes(rows["bonuses"])) == {1, 3}
    contest = {"game": "kleptonomicon", "roll": "contest", "first": {"modifier": 2}}
    fields = {row["field"] for row in ranked(request=contest)["rows"]}
    assert {"first.modifier", "second.advantages"} <= fields
    group = {"game": "kleptonomicon", "roll": "group", "members": [{"modifier": 1}, {}], "goal": 7}
    fields = {row["field"]: row for row in ranked(request=group)["rows"]}
    assert set(changes(fields["members[1].modifier"])) == {-1, 1}


@pytest.mark.long
def test_a_goal_with_a_mean_has_its_own_unit():
    """Prices are no chance: changes are in their unit."""
    plain = ranked(request=ATTACK, policy="never", goal="hit=1,rounds_spent=-1/10")
    assert (plain["unit"], plain["now"]["chance"]) == ("", False)
    rows = {row["field"]: row for row in plain["rows"]}
    assert set(changes(rows["ammo_dice"])) == {2, 4}


def test_the_names_in_dice_are_moved():
    """Whatever stands for a number is one down and one up; without any there is nothing."""
    plain = ranked(expression="(@n)d6+@bonus", variables={"n": 2, "bonus": 3})
    rows = {row["field"]: changes(row) for row in plain["rows"]}
    assert rows == {"n": {1: "-7/2", 3: "7/2"}, "bonus": {2: "-1", 4: "1"}}
    assert ranked(expression="2d6")["rows"] == []


def test_what_cannot_be_is_told():
    """A move that the rules or the budget refuse says why, and the others stand."""
    full = {**ATTACK, "ammo_dice": 2, "rate_of_fire": 2}
    rows = {row["field"]: row for row in ranked(request=full, policy="never")["rows"]}
    down, up = rows["ammo_dice"]["moves"]
    assert (down["to"], up["to"]) == (1, 3)
    assert "rate of fire" in up["problem"]
    rolled = rw.roll("2d6", faces=[1, 2]).to_plain()
    with pytest.raises(BadField, match="a roll in progress stays as it is"):
        ranked(transcript=rolled)


def test_the_work_is_bounded():
    """A budget that is used up leaves moves out, by name."""
    request = {**ATTACK, "reliability": 4, "rounds": 77}
    once = Budget()
    answer("odds", {"request": request}, once)
    plain = answer("sensitivity", {"request": request}, Budget(3 * once.spent // 2))
    problems = [move for row in plain["rows"] for move in row["moves"] if "problem" in move]
    assert any("work" in move["problem"] for move in problems)


def test_a_list_that_does_what_its_number_does_is_said_once():
    """Modifiers in a list are added to the modifier (T2K R40): one more of either is the same."""
    skill = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
    fields = [row["field"] for row in answer("sensitivity", {"request": skill})["rows"]]
    assert "modifier" in fields
    assert "modifiers" not in fields
