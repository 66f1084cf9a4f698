"""An evening looked back on: moments, luck, numbers and what waits, from the log alone."""

from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from rollwright.table.history.recap import recap, share_from
from tests.table.tables import Host

SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
HARD = {**SKILL, "modifier": -3}


class Evening(Host):
    """A table whose dice are typed in."""

    def type(self, seat, request, *faces, choices=()):
        """A roll with real dice, and what was chosen in between."""
        started = self.do(seat, "roll.start", request=request, physical=True)
        roll = started[0].body["roll"]
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
    assert by_hand(chances, many) == share_from(chances, many)


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


def test_an_evening_is_one_session():
    """The last that ended, or the one that is asked for; what is open waits for the next time."""
    host = Evening()
    host.type("s2", SKILL, [8, 10])
    host.do("s2", "sheet.make", values={"name": "Ines", "damage": 2})
    host.type("s2", SKILL, [1, 2])
    host.do("s1", "session.end")
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


def test_an_empty_table_has_an_empty_evening():
    """Nothing was rolled, nothing waits, and free dice have no luck that could be measured."""
    host = Evening(game="")
    host.do("s2", "roll.start", expression="2d6", nonce="")
    told = host.recap()
    assert (1, 2, [], []) == tuple(told[name] for name in ("rolls", "dice", "luck", "waits"))
