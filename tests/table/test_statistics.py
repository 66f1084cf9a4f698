"""Are my dice bad? Honest counts, honest chances, honest words."""

from collections import Counter
from functools import cache
from math import comb, exp, factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwright.dice import Die
from rollwright.engine.sources import SeededSource
from rollwright.i18n.locale import use_locale
from rollwright.table.history.rolls import die_label
from rollwright.table.history.statistics import (
    chi_square,
    chi_square_tail,
    die_verdict,
    least_throws,
    luck_verdict,
    normal_below,
    one_in,
    statistics,
    upper_gamma,
)
from tests.table.tables import Host, hashed
from tests.table.test_history import a_cheat
from tests.table.test_verifying_tables import finish
from tests.table.written_logs import WrittenLog


def rolled(faces, expression="1d6", by="s2", log=None):
    """A log in which these faces were typed, one after the other."""
    log = log or WrittenLog("")
    for face in faces:
        log.type(log.start(expression, by=by), [face])
    return log


def of_seat(log, seat="s2"):
    """What one seat threw."""
    return next(seen for seen in statistics(log.log()["events"]).seats if seen.seat == seat)


@pytest.mark.parametrize(
    ("value", "freedom", "p"),
    [
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (11.070, 5, 0.05),
        (16.919, 9, 0.05),
        (30.144, 19, 0.05),
        (36.191, 19, 0.01),
        (123.225, 99, 0.05),
        (0.0, 5, 1.0),
    ],
)
def test_chi_square_tails_are_those_of_the_tables(value, freedom, p):
    """The critical values that stand in every book of statistics."""
    assert round(chi_square_tail(value, freedom), 4) == pytest.approx(p, abs=2e-4)


@given(st.integers(1, 40), st.floats(0.01, 100))
def test_the_gamma_function_agrees_with_a_sum(shape, value):
    """For whole shapes the tail is a finite sum of a Poisson distribution."""
    exact = exp(-value) * sum(value**n / factorial(n) for n in range(shape))
    assert exact == pytest.approx(upper_gamma(shape, value), abs=1e-9)


@pytest.mark.parametrize(("value", "below"), [(0, 0.5), (1.6449, 0.95), (-1.96, 0.025), (9, 1)])
def test_normal_shares_are_those_of_the_tables(value, below):
    """The usual ones."""
    assert below == pytest.approx(normal_below(value), abs=1e-4)


@cache
def exact_tail(throws, faces, least):
    """The chance of a sum of squares of counts of at least `least`, by counting all ways."""
    ways = {(0, 0): 1}
    for _ in range(faces):
        after = {}
        for (used, squares), many in ways.items():
            for count in range(throws - used + 1):
                key = (used + count, squares + count * count)
                after[key] = after.get(key, 0) + many * comb(throws - used, count)
        ways = after
    total = faces**throws
    return sum(many for (used, sq), many in ways.items() if used == throws and sq >= least) / total


@pytest.mark.parametrize("counts", [(5, 5, 5, 5, 5, 5), (9, 8, 4, 4, 3, 2), (12, 6, 4, 4, 2, 2)])
def test_thirty_throws_are_enough_for_the_test(counts):
    """At the fewest throws that are judged, the approximation is close to the exact chance."""
    assert least_throws(6) == sum(counts)
    exact = exact_tail(30, 6, sum(count * count for count in counts))
    found = chi_square_tail(chi_square(counts, [1] * 6), 5)
    assert exact == pytest.approx(found, abs=0.02)


def test_a_test_at_small_numbers_is_not_too_strict():
    """Of many fair players with 30 throws of a d20 each, about one in twenty seems odd."""
    source, die = SeededSource("players"), Die(20)
    odd = 0
    for _ in range(2000):
        counts = Counter(source.throw(30 * die))
        value = chi_square([counts[face] for face in die.faces], die.weights)
        odd += chi_square_tail(value, 19) < 0.05
    assert 60 <= odd <= 140


def test_observed_stands_beside_expected():
    """Each face, how often it came, how often it was to be expected."""
    seen = of_seat(rolled([1, 1, 2, 6, 6, 6])).dice[0]
    assert ("d6", "typed", 6, 6) == (seen.die, seen.how, seen.sides, seen.throws)
    assert [("1", 2, 1.0), ("2", 1, 1.0), ("3", 0, 1.0)] == list(seen.faces[:3])
    assert seen.p is None
    assert "6 d6: too few to say anything; from about 30 throws on" == seen.verdict


def test_fair_and_typed_dice_are_kept_apart():
    """Real dice may be loaded; those of the table are proven. They are never added up."""
    log = rolled([1] * 40)
    for _ in range(35):
        log.play("1d6")
    dice = {die.how: die for die in of_seat(log).dice}
    assert (40, 35) == (dice["typed"].throws, dice["fair"].throws)
    assert dice["typed"].p < 1e-9
    assert dice["fair"].p > 0.001


def test_fair_dice_are_nothing_unusual():
    """A few hundred faces of a fair source, with the words for it."""
    faces = SeededSource("fair").throw(214 * Die(6))
    seen = of_seat(rolled(faces)).dice[0]
    assert seen.verdict.startswith("214 d6: nothing unusual; ")
    assert 0.05 < seen.p < 1


def test_loaded_dice_are_worth_a_closer_look():
    """Twice as many sixes as there should be, in three hundred throws."""
    die = Die({1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 2})
    seen = of_seat(rolled(SeededSource("loaded").throw(300 * die))).dice[0]
    assert "300 d6: unusual; 1 in " in seen.verdict
    assert seen.verdict.endswith(": worth a closer look")


def test_made_up_faces_are_too_even():
    """Somebody who types 1 to 6 in turn is more even than chance ever is."""
    seen = of_seat(rolled([1, 2, 3, 4, 5, 6] * 20)).dice[0]
    assert "120 d6: unusually even; hardly anybody looks as even as this" in seen.verdict


def test_high_faces_are_told_as_high():
    """Luck is how far faces lie above what their dice do on average."""
    log = rolled([6, 5, 6, 4, 6, 5, 6, 6, 5, 6] * 4)
    luck = of_seat(log).luck
    assert 40 == luck.throws
    assert luck.below > 0.9999
    assert luck.verdict.startswith("40 dice: higher than nearly every fair player; unusual")
    assert "too few" in of_seat(rolled([6] * 29)).luck.verdict


def test_luck_of_mixed_dice_is_measured_by_each_die():
    """Average faces of a d4 and a d20 are average together; by hand: one standard deviation."""
    log = rolled([1, 4] * 8, "1d4")
    rolled([1, 20] * 8, "1d20", log=log)
    assert 0.5 == pytest.approx(of_seat(log).luck.below)
    log = rolled([6] * 18 + [1] * 12)
    mean, strays = 3.5, (35 / 12) ** 0.5
    z = (18 * (6 - mean) + 12 * (1 - mean)) / strays / 30**0.5
    assert normal_below(z) == pytest.approx(of_seat(log).luck.below)


def test_what_was_taken_back_is_not_counted():
    """A mistyped face never lay on the table."""
    log = WrittenLog()
    name = log.start()
    log.type(name, [1, 2])
    log.back(name)
    log.type(name, [3, 2])
    counted = {face: many for die in of_seat(log).dice for face, many, _ in die.faces if many}
    assert {"3": 1, "2": 1} == counted


def test_each_seat_has_its_own_and_the_table_all():
    """By the seat whose roll it was."""
    log = rolled([1, 2], by="s2")
    rolled([3, 4, 5], by="s3", log=log)
    found = statistics(log.log()["events"])
    assert {"s2": 2, "s3": 3} == {seen.seat: seen.dice[0].throws for seen in found.seats}
    assert ["Ann", "Bob"] == [seen.name for seen in found.seats]
    assert 5 == found.table.dice[0].throws


def test_secret_throws_are_not_counted():
    """Nobody learns faces from the sum: what one may not see is not in it, and that is said."""
    log = WrittenLog("")
    log.play("1d6", visibility="blind")
    log.play("1d6")
    found = statistics(log.log()["events"])
    assert (1, 1) == (found.table.dice[0].throws, found.unseen)
    whole = statistics(log.log(everything=True)["events"])
    assert (2, 0) == (whole.table.dice[0].throws, whole.unseen)


def test_a_silent_throw_is_not_even_counted_as_secret():
    """Whoever was not told that something is rolled is not told here either."""
    log = WrittenLog("")
    log.play("1d6", visibility="blind", announce=False)
    assert 0 == statistics(log.log()["events"]).unseen


def test_rolls_that_were_given_up_stand_beside_the_dice():
    """For each seat and for the table, also where no dice of theirs are seen; in words too."""
    host = a_cheat()
    host.do("s3", "roll.start", expression="1d6", physical=True)
    host.do("s3", "roll.cancel", roll=host.latest("roll"))
    found = statistics(host.seen(""))
    assert {"s2": (5, 3, 1, 1, *[0] * 5), "s3": (1, *[0] * 8)} == {
        seen.seat: tuple(seen.given_up) for seen in found.seats
    }
    assert (6, 3, 1, 1, *[0] * 5) == tuple(found.table.given_up)
    told = found.to_json()["seats"][1]["given_up"]
    assert (1, "1 roll given up") == (told["rolls"], told["said"])
    assert (7, 4, 1, 1, *[0] * 5) == tuple(statistics(host.seen("s1")).seats[0].given_up)


def test_many_comparisons_take_away_from_one():
    """One die of twenty that stands out is what one expects; alone it would be odd."""
    assert die_verdict("d6", 100, 6, 0.02, 1).endswith(
        "a little unusual; 1 in 50 fair players looks at least like this, which happens"
    )
    assert "of 20 things compared here one often does" in die_verdict("d6", 100, 6, 0.02, 20)
    assert "worth a closer look" in die_verdict("d6", 100, 6, 1e-5, 20)
    assert "even among 20 things compared" in luck_verdict(100, 0.999, 20)


def test_few_throws_of_many_sides_say_little():
    """Nothing unusual in forty throws of a d20 does not mean much, and that is said."""
    said = die_verdict("d20", 40, 20, 0.5, 1)
    assert said.endswith("(so few would show only a badly loaded die; 100 would say more)")
    assert "would say more" not in die_verdict("d20", 400, 20, 0.5, 1)


@pytest.mark.parametrize(
    ("p", "words"),
    [
        (0.8, "nearly every fair player"),
        (0.34, "1 in 3 fair players"),
        (0.06, "1 in 17 fair players"),
        (0.001234, "1 in 800 fair players"),
        (1e-12, "hardly anybody"),
    ],
)
def test_a_chance_is_a_share_of_people(p, words):
    """In round numbers."""
    assert words == one_in(p)


def test_a_name_makes_no_other_die():
    """An ammo die is a d6 like any other; a die with faces of its own is not."""
    host = Host()
    attack = {"game": "twilight2000", "roll": "attack", "attribute": "B", "ammo_dice": 3,
              "rate_of_fire": 6, "rounds": 30}  # fmt: skip
    host.do("s2", "roll.start", request=attack, nonce=hashed("x"))
    finish(host, "s2")
    names = {die.die for die in statistics(host.seen("s1")).table.dice}
    assert "d6" in names
    assert not [name for name in names if "ammo" in name]


def test_statistics_are_plain_data():
    """Ready to be sent: numbers, texts and words of caution."""
    plain = statistics(rolled(SeededSource("plain").throw(60 * Die(6))).log()["events"]).to_json()
    seat = plain["seats"][0]
    assert ("s2", "Ann", 60) == (seat["seat"], seat["name"], seat["dice"][0]["throws"])
    assert 10.0 == seat["dice"][0]["faces"][0]["expected"]
    assert 2 == plain["compared"]
    assert "Of twenty comparisons one stands out" in plain["caution"]


def test_rare_faces_are_counted_together():
    """A die with one face in a hundred: thirty throws do not make that face a sensation."""
    log = WrittenLog("")
    faces = "d{" + ",".join(["1"] * 60 + ["2"] * 39 + ["3"]) + "}"
    for face in [1] * 24 + [2] * 15 + [3]:
        log.type(log.start(faces), [face])
    seen = of_seat(log).dice[0]
    assert [24, 15, 1] == [many for _, many, _ in seen.faces]
    assert seen.p > 0.5


def test_dice_with_very_many_sides_list_what_came():
    """A d1000 shows the faces that came, not a thousand lines."""
    seen = of_seat(rolled([7, 7, 999], "1d1000")).dice[0]
    assert [("7", 2), ("999", 1)] == [(face, many) for face, many, _ in seen.faces]
    assert 1000 == seen.sides


def test_an_empty_table_has_statistics():
    """Nothing thrown, nothing said."""
    found = statistics([])
    assert ((), (), 0) == (found.seats, found.table.dice, found.compared)


@pytest.mark.parametrize(
    ("throws", "p", "expected"),
    [
        (12, None, "12 W6: zu wenige, um etwas zu sagen; das geht ab etwa 30 Würfen"),
        (214, 1 / 3, "214 W6: nichts Ungewöhnliches; bei 1 von 3 fairen Leuten sieht es "),
        (900, 1e-12, "900 W6: ungewöhnlich; bei kaum jemandem sieht es mindestens so aus: "),
    ],
)
def test_verdicts_are_in_the_readers_language(throws, p, expected):
    """Sentences of our own, proof-read; the die is called as the reader calls it."""
    with use_locale("de"):
        assert die_verdict(die_label("d6"), throws, 6, p, 1).startswith(expected)
        assert "100 Würfel: höher als bei 84 von 100 fairen Leuten" in luck_verdict(100, 0.84, 1)
