"""An evening looked back on: moments, luck, numbers and what waits, from the log alone."""

from fractions import Fraction
from itertools import product
from json import dumps, loads

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwright.table.history.chances import chance_of_at_least, format_fraction
from rollwright.table.history.recap import recap
from rollwright.table.history.rolls import rolls_of
from tests.table.hidden_games import GAME
from tests.table.tables import Host, hashed
from tests.table.test_history import a_cheat

SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
HARD = {**SKILL, "modifier": -3}


class Evening(Host):
    """A table whose dice are typed in."""

    def type(self, seat, request, *faces, choices=(), **how):
        """A roll with real dice, and what was chosen in between."""
        self.do(seat, "roll.start", request=request, physical=True, **how)
        roll = self.latest("roll")
        chosen = list(choices)
        for some in faces:
            self.do(seat, "roll.enter", roll=roll, faces=list(some))
            if chosen:
                self.do(seat, "roll.choose", roll=roll, option=chosen.pop(0))
        return roll

    def recap(self, seat="s2", session=0):
        """What a seat is told of an evening."""
        return recap(self.seen(seat), session)


def by_hand(chances, many):
    """How often at least so many come about, case by case."""
    total = Fraction()
    for case in product([True, False], repeat=len(chances)):
        weight = Fraction(1)
        for came, chance in zip(case, chances, strict=True):
            weight *= chance if came else 1 - chance
        total += weight if sum(case) >= many else 0
    return total


@given(st.lists(st.fractions(0, 1, max_denominator=12), max_size=6), st.integers(0, 7))
def test_how_rare_an_evening_is_is_counted_exactly(chances, many):
    """As adding up every case by hand does."""
    assert by_hand(chances, many) == chance_of_at_least(chances, many)


def test_the_luck_of_very_many_rolls_can_be_told():
    """Python writes no number of more than 4,300 digits, so that whoever looked back was refused.

    Of an odd number of chances that come in pairs about a half, more than half come about in just
    half of all cases.
    """
    step = Fraction(1, 10**12)
    chances = [Fraction(1, 2), *[Fraction(1, 2) - step] * 300, *[Fraction(1, 2) + step] * 300]
    share = chance_of_at_least(chances, 301)
    assert abs(share - Fraction(1, 2)) < Fraction(1, 10**20)
    assert len(format_fraction(share)) < 100
    assert 1 == chance_of_at_least(chances, 0)
    assert 0 == chance_of_at_least(chances, 602)


def test_a_number_of_pages_is_rounded():
    """A third of a third of a third, three thousand times, is nothing; two thirds stay exact."""
    assert "0" == format_fraction(Fraction(1, 3**9000))
    assert "333333333333333/1000000000000000" == format_fraction(
        Fraction(3**9000 // 3, 3**9000 - 1)
    )
    assert "2/3" == format_fraction(Fraction(2, 3))


def test_luck_is_what_went_well_against_what_was_to_be_expected():
    """D8 and D10 without a push: 25 of 80 throws show no 6 or more (5 of 8 by 5 of 10)."""
    host = Evening()
    host.type("s2", SKILL, [6, 1])
    host.type("s2", SKILL, [1, 2], choices=["keep"])
    host.type("s2", SKILL, [8, 10])
    [luck] = host.recap()["luck"]
    chance = 1 - Fraction(5 * 5, 8 * 10)
    assert ("s2", 3, 2) == (luck["seat"], luck["rolls"], luck["good"])
    assert 3 * chance == Fraction(luck["expected"])
    assert chance**3 + 3 * chance**2 * (1 - chance) == Fraction(luck["at_least"])
    assert 1 - chance**3 == Fraction(luck["at_most"])


def test_a_success_that_was_hardly_to_be_hoped_for_is_a_moment():
    """Against the odds: below one half, the least likely first."""
    host = Evening()
    host.type("s2", SKILL, [8, 10])
    roll = host.type("s3", HARD, [6, 1])
    moments = {moment["kind"]: moment for moment in host.recap()["moments"]}
    assert (roll, "s3") == (moments["odds"]["roll"], moments["odds"]["by"])
    assert Fraction(moments["odds"]["chance"]) < Fraction(1, 2)


def test_a_moment_shows_the_dice_that_lie_there_in_the_end():
    """What was kept, then what was thrown again, each read as the game reads it; not the dice that
    were taken up for it (T2K R11)."""
    host = Evening()
    burst = {"game": "twilight2000", "roll": "attack", "attribute": "B", "skill": "B"}
    host.type("s2", {**burst, "ammo_dice": 2}, [1, 5, 4, 2], [7, 1, 1], choices=["push"])
    [moment] = [one for one in host.recap()["moments"] if one["kind"] == "mixed"]
    assert [("d10", 1), ("d10", 7), ("ammo d6", 1), ("ammo d6", 1)] == [
        *zip(moment["dice"], moment["faces"], strict=True)
    ]
    assert "good" == moment["marks"]["d10"]["6..9"]["tone"]


def test_what_tells_the_same_is_told_once():
    """A task counts its botches and says whether there was one: the evening has one price of it."""
    host = Evening("dust")
    host.type("s2", {"game": "dust", "roll": "extended", "pool": 1, "target": 2, "limit": 1}, [1])
    assert ["botched"] == [price["name"] for price in host.recap()["prices"]]


def test_an_evening_is_one_session():
    """The last that ended, or the one that is asked for; what is open waits for the next time."""
    host = Evening()
    host.type("s2", SKILL, [8, 10])
    host.do("s2", "sheet.create", values={"name": "Ines", "damage": 2})
    host.type("s2", SKILL, [1, 2])
    host.do("s1", "session.end", keep_open=True)
    host.type("s3", SKILL, [8, 10])
    told = host.recap()
    assert (1, True, 1, 2) == tuple(told[name] for name in ("session", "over", "rolls", "dice"))
    assert ["s2"] == told["people"]
    texts = [(one["sheet"], one.get("value")) for one in told["waits"]]
    assert ("s2", None) in texts
    assert ("s2", 2) in texts
    now = host.recap(session=2)
    assert (2, False, 1, ["s3"]) == tuple(
        now[name] for name in ("session", "over", "rolls", "people")
    )


def test_choices_and_prices_are_counted():
    """A push that shows a 1 costs a damage, beside what such rolls cost on average."""
    host = Evening()
    host.type("s2", SKILL, [2, 3], [1, 8], choices=["push"])
    told = host.recap()
    assert 1 == told["choices"][0]["n"]
    paid = {price["name"]: price for price in told["prices"]}
    assert paid
    assert all(Fraction(price["expected"]) >= 0 for price in paid.values())


def test_a_recap_tells_no_secrets():
    """What was rolled in secret is neither counted nor told to those who may not know."""
    host = Evening()
    host.do("s2", "roll.start", request=SKILL, visibility="blind", nonce="")
    told = host.recap("s3")
    assert (0, [], []) == (told["rolls"], told["moments"], told["luck"])


def test_an_evening_says_how_many_rolls_were_given_up():
    """Of 60 rolls 32 given up after their dice: 28 that went well are not the whole truth."""
    host = Evening()
    for number in range(60):
        roll = host.type("s2", SKILL, [6, 1] if number < 28 else [2, 3])
        if number >= 28:
            host.do("s2", "roll.cancel", roll=roll)
    told = host.recap("")
    assert (28, 28) == (told["rolls"], told["luck"][0]["good"])
    gone = {"seat": "s2", "rolls": 32, "after_dice": 32, "again": 0, "undone": 0}
    gone |= {"refused": 0, "unanswered": 0, "open": 0, "open_after_dice": 0, "secret": 0}
    assert [gone] == told["given_up"]


def test_rolls_given_up_in_secret_are_told_as_far_as_they_were_announced():
    """Everybody heard of an announced one; a silent one is for those who may see it."""
    host = a_cheat()
    [everybody], [referee] = (recap(host.seen(seat))["given_up"] for seat in ("", "s1"))
    assert (5, 3, 1, 1, 0, 0, 0, 0, 0) == tuple(everybody.values())[1:]
    assert (7, 4, 1, 1, 0, 0, 0, 0, 0) == tuple(referee.values())[1:]


def test_an_evening_says_how_many_rolls_were_left_open():
    """Dice that nobody likes and nobody decides about are not forgotten, nor those in secret."""
    host = Evening()
    for visibility in ("open", "private"):
        host.type("s2", SKILL, [2, 3], visibility=visibility)
    host.do("s2", "roll.start", request=SKILL, physical=True)
    host.type("s2", SKILL, [2, 3], visibility="private", announce=False)
    for viewer, left in (("", (3, 2)), ("s3", (3, 2)), ("s1", (4, 3))):
        [theirs] = recap(host.seen(viewer))["given_up"]
        assert ("s2", *left) == tuple(theirs[name] for name in ("seat", "open", "open_after_dice"))


def shown_of_many(visibility="hidden", **how):
    """s2 rolls in secret until one is good, and shows that one alone."""
    host = Evening()
    for _ in range(3):
        host.do("s2", "roll.start", expression="1d20", visibility=visibility, **how)
    host.do("s2", "roll.reveal", roll=host.latest("roll"))
    return host


@pytest.mark.parametrize("how", [{}, {"announce": False}], ids=["announced", "silent"])
def test_whoever_shows_one_of_many_secret_rolls_is_told_to_have_kept_the_others(how):
    """By everybody's copy as by their own; others who keep theirs secret are not named."""
    host = shown_of_many(**how)
    host.do("s3", "roll.start", expression="1d20", visibility="hidden", **how)
    for viewer in ("", "s1", "s2", "s3"):
        [theirs] = recap(host.seen(viewer))["given_up"]
        assert ("s2", 2) == (theirs["seat"], theirs["secret"])


def test_whoever_shows_no_secret_roll_keeps_them_to_themselves():
    """Then nothing changes what is shown."""
    host, quiet = Evening(), Evening()
    host.do("s2", "roll.start", expression="1d20", visibility="private")
    assert recap(quiet.seen(""))["given_up"] == recap(host.seen(""))["given_up"]


def test_a_rule_that_fails_is_given_up_by_nobody():
    """Dice at which the rule of a game stops are no second thoughts of whoever rolled."""
    host = Host(GAME.name)
    host.do("s2", "roll.start", request={"roll": "stumble", "at": 6}, physical=True)
    host.do("s2", "roll.cancel", roll="r1")
    for at in range(1, 7):
        request = {"roll": "stumble", "at": at}
        host.do("s2", "roll.start", request=request, nonce=hashed("n"))
    told = recap(host.seen(""))
    assert any(one.stopped for one in rolls_of(host.seen("")).values())
    assert [1] == [one["rolls"] for one in told["given_up"]]


def test_a_recap_names_people_as_everybody_knows_them():
    """By their characters, else by their own names; whoever is hidden has none."""
    host = Evening()
    host.do("s2", "sheet.create", values={"name": "Karl Brandt"})
    host.do("s1", "sheet.create", sheet="npc", values={"name": "Guard"}, shown=True)
    host.do("s1", "sheet.create", sheet="npc", values={"name": "Traitor"})
    named = {"s1": "Ada", "s2": "Karl Brandt", "s3": "player 1", "n1": "Guard"}
    assert named == host.recap("")["names"]


def test_an_empty_table_has_an_empty_evening():
    """Nothing was rolled, nothing waits, and free dice have no luck that could be measured."""
    host = Evening(game="")
    host.do("s2", "roll.start", expression="2d6", nonce="")
    told = host.recap()
    assert (1, 2, [], []) == tuple(told[name] for name in ("rolls", "dice", "luck", "waits"))


ATTACK = {"game": "twilight2000", "roll": "attack", "attribute": "B", "skill": "C", "rounds": 60}
SHORT = {**ATTACK, "ammo_dice": 1}
TWO_MORE = [{"name": name, "capacity": 5} for name in ("Olek", "Ursa")]
LONG = {**ATTACK, "ammo_dice": 12, "rate_of_fire": 12, "targets": TWO_MORE}
"""One burst that is counted at once, and one that is too large for that."""


@pytest.mark.long
def test_what_was_paid_is_summed_over_all_rolls():
    """Rounds of a burst that is too large to count are fired all the same.

    Only what was to be expected is about the other one: a round, and 3.5 on an ammo die.
    """
    host = Evening()
    host.type("s2", SHORT, [6, 1, 3], choices=["keep"])
    host.type("s2", LONG, [6, 2, *[2] * 10, 3, 4], [3], choices=["keep"])
    [rounds] = [one for one in host.recap()["prices"] if one["name"] == "rounds_spent"]
    assert (1 + 3 + 1 + 27, 2) == (rounds["n"], rounds["rolls"])
    assert (1, 1 + 3) == (rounds["counted"], rounds["counted_n"])
    assert 1 + Fraction(7, 2) == Fraction(rounds["expected"])


@pytest.mark.long
def test_what_was_paid_needs_no_odds():
    """Of an evening of rolls that are too large to count there is a sum, and no comparison."""
    host = Evening()
    host.type("s2", LONG, [6, 2, *[2] * 12], [3], choices=["keep"])
    told = host.recap()
    [rounds] = [one for one in told["prices"] if one["name"] == "rounds_spent"]
    assert (1 + 24, 1, 0, 0, "0") == tuple(
        rounds[name] for name in ("n", "rolls", "counted", "counted_n", "expected")
    )
    [luck] = told["luck"]
    assert (1, 1, 0, 0, "0") == tuple(
        luck[name] for name in ("rolls", "good", "counted", "counted_good", "expected")
    )


@pytest.mark.long
def test_what_went_well_is_of_all_rolls_and_luck_of_those_that_were_counted():
    """An expectation stands beside what came of the same rolls, never of others."""
    host = Evening()
    host.type("s2", SKILL, [1, 2], choices=["keep"])
    host.type("s2", LONG, [6, 2, *[2] * 12], [3], choices=["keep"])
    [luck] = host.recap()["luck"]
    chance = 1 - Fraction(5 * 5, 8 * 10)
    assert (2, 1) == (luck["rolls"], luck["good"])
    assert (1, 0, chance) == (luck["counted"], luck["counted_good"], Fraction(luck["expected"]))
    assert (1, 1 - chance) == (Fraction(luck["at_least"]), Fraction(luck["at_most"]))


def test_a_failure_that_was_hardly_to_be_feared_is_a_moment():
    """It is told with the chance that it had; one that was to be feared is none."""
    host = Evening(game="dust")
    task = {"game": "dust", "roll": "extended", "attribute": 4, "ability": 3, "limit": 2}
    host.type("s2", {**task, "target": 20}, [2] * 7, [2] * 7)
    roll = host.type("s2", {**task, "target": 2}, [1, *[2] * 6], [2] * 7)
    [failed] = [one for one in host.recap()["moments"] if one["kind"] == "failed"]
    assert roll == failed["roll"]
    assert Fraction(failed["chance"]) > Fraction(9, 10)


def test_tokens_that_were_handed_out_are_no_habit():
    """Whom a bullet hit says nothing of the next evening; that the roll was kept does."""
    host = Evening()
    request = {**ATTACK, "ammo_dice": 3, "targets": [{"name": "Olek", "capacity": 5}]}
    roll = host.type("s2", request, [6, 1, 6, 6, 2], choices=["keep"])
    host.do("s2", "roll.choose", roll=roll, puts={"Olek": [1, 1]})
    host.do("s2", "roll.enter", roll=roll, faces=[3, 3, 3])  # where the three of them hit
    told = host.recap()
    assert 1 == told["rolls"]
    assert [["option.keep"]] == [one["said"] for one in told["choices"]]


def test_what_is_broken_or_owed_waits_for_the_next_time():
    """As the sheet marks it, in the words of the game; what is in order is not named."""
    host = Evening()
    guns = [{"name": "AK", "jammed": True}, {"name": "Makarov"}, {"name": "PM", "reliability": 0}]
    host.do("s2", "sheet.create", values={"name": "Ines", "crits": 2, "weapons": guns})
    waits = [(one["text"], one.get("value"), one.get("of")) for one in host.recap()["waits"]]
    injuries = (["label.crits"], 2, None)
    assert [injuries, (["jammed"], None, "AK"), (["broken"], None, "PM")] == waits
    other = Evening(game="dust")
    other.do("s2", "sheet.create", values={"name": "Ines", "botches": 2})
    [owed] = other.recap()["waits"]
    assert (["label.botches"], 2) == (owed["text"], owed["value"])


def test_an_evening_of_a_game_that_is_gone_is_looked_back_on():
    """What was rolled is told; what its card would say is not."""
    host = Evening()
    host.type("s2", SKILL, [6, 1])
    seen = host.seen("s2")
    gone = loads(dumps(seen).replace('"twilight2000"', '"gone"'))
    told = recap(gone)
    assert (1, [], []) == (told["rolls"], told["prices"], told["waits"])
    assert (1, 1, 0) == tuple(told["luck"][0][name] for name in ("rolls", "good", "counted"))


def test_a_hit_that_jams_is_a_moment_and_a_usual_mixed_end_is_none():
    """A jam comes of a push, which odds without one never show; half of all Scores are Mixed."""
    host = Evening()
    burst = {"game": "twilight2000", "roll": "attack", "attribute": "B", "skill": "B"}
    roll = host.type("s2", {**burst, "ammo_dice": 2}, [3, 5, 4, 2], [7, 1, 1, 1], choices=["push"])
    [moment] = host.recap()["moments"]
    assert ("mixed", roll, None) == (moment["kind"], moment["roll"], moment["chance"])
    other = Evening("kleptonomicon")
    other.type("s2", {"game": "kleptonomicon", "roll": "test", "modifier": 2}, [6])
    assert "mixed" not in [moment["kind"] for moment in other.recap()["moments"]]
