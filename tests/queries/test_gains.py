"""Advice marks an option only where it gains something, and says prices as a person does."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rollwright.api import new_transcript
from rollwright.i18n.locale import use_locale
from rollwright.kit.games import find_game
from rollwright.queries import answer
from rollwright.queries.advice import OptionValues, why
from rollwright.queries.measures import one_in, prices_in

SKILL = {"attribute": "B", "skill": "C"}


def advised(game: str, roll: str, fields: dict[str, Any], *throws: list[int], **how: Any) -> Any:
    """Advice on the choice after these throws."""
    transcript = new_transcript(find_game(game).request(roll, **fields))
    for faces in throws:
        transcript = transcript.throw(faces)
    return answer("advise", {"transcript": transcript.to_plain(), **how})


def test_the_option_that_gains_is_marked_alone() -> None:
    """A failed check is pushed: that alone can succeed (T2K R31)."""
    found = advised("twilight2000", "skill", SKILL, [3, 4])
    assert {"keep": False, "push": True} == {o["option"]: o["gains"] for o in found["options"]}


def test_equal_options_gain_nothing() -> None:
    """With a success, both ways succeed: nothing is marked, and it does not matter."""
    found = advised("twilight2000", "skill", SKILL, [6, 4])
    assert not any(option["gains"] for option in found["options"])
    assert not found["matters"]
    assert "does not matter" in found["why"]


def test_options_that_tie_at_the_top_are_not_best_both() -> None:
    """Of a lower and a higher die at the same face, re-rolling either is worth the same."""
    check = {"modifier": 5, "dc": 15, "rerolls": 1, "advantages": 1}
    found = advised("edge20", "check", check, [3, 4], goal="no-disaster")
    tops = [option for option in found["options"] if option["best"]]
    assert len(tops) > 1
    assert not any(option["gains"] for option in found["options"])


def test_what_reads_alike_is_not_best() -> None:
    """A gain of less than a tenth of a percent is said to hardly matter."""

    def option(said: str, number: float, best: bool) -> Any:
        value = {"said": "99.9 %", "number": number, "exact": "", "chance": True}
        less = {"number": 0.0 if best else 0.00001, "exact": ""}
        return {"said": said, "value": value, "best": best, "less": less}

    told = why([option("keep", 0.99901, False), option("push", 0.99902, True)], True, "win")
    assert "advice.hardly" == told.id
    assert "It hardly matters: push and keep both read 99.9 % for the goal “win”." == str(told)


def test_prices_have_one_unit_and_a_persons_words() -> None:
    """A push of a rifle's d10 and d8 with three ammo dice: jams as odds, reliability as points."""
    burst = {**SKILL, "rate_of_fire": 6, "ammo_dice": 3, "reliability": 5, "rounds": 30}
    found = advised("twilight2000", "attack", burst, [3, 4, 2, 3, 4])
    (push,) = [option for option in found["options"] if option["option"] == "push"]
    words = {cost["name"]: cost["words"] for cost in push["costs"]}
    assert words["jammed"].endswith(" jams")
    assert words["jammed"].split(" ")[1] == "in"
    assert words["reliability_loss"].startswith("about ")
    assert "%" not in words["reliability_loss"]
    assert words["jammed"] in found["why"] or not found["matters"]


def test_about_one_point_is_one_point() -> None:
    """With six ammo dice a push costs hardly more than one point of reliability."""
    sure = {"attribute": "B", "skill": "B"}
    burst = {**sure, "rate_of_fire": 6, "ammo_dice": 6, "reliability": 5, "rounds": 30}
    found = advised("twilight2000", "attack", burst, [3, 5, 6, 4, 2, 2, 3, 4])
    (push,) = [option for option in found["options"] if option["option"] == "push"]
    words = [cost["words"] for cost in push["costs"] if cost["name"] == "reliability_loss"]
    assert ["about 1 point of reliability lost"] == words


def test_one_price_has_the_same_unit_everywhere() -> None:
    """Luck that is surely spent is one Luck Point, not a hundred percent."""
    roll = {"ability": 3, "skill": [2], "dl": "Hard", "luck_points": 1}
    found = advised("ghostburn", "roll", roll, [2, 3])
    spent = [cost for o in found["options"] for cost in o["costs"] if cost["name"] == "luck_used"]
    assert spent
    assert {"1 Luck Point spent"} == {cost["words"] for cost in spent}
    assert not any(cost["chance"] for cost in spent)


@pytest.mark.parametrize(
    ("chance", "said"),
    [((1, 10), "1 in 10"), ((1, 2), "1 in 2"), ((1, 36), "1 in 36"), ((1, 1234), "1 in 1,200")],
)
def test_chances_in_small_whole_numbers(chance: tuple[int, int], said: str) -> None:
    """Seldom things are one in so many, of at most two digits that count."""
    assert said == str(one_in(Fraction(*chance)))


def test_prices_in_german() -> None:
    """The words of a price are the reader's."""
    burst = {**SKILL, "rate_of_fire": 6, "ammo_dice": 3, "reliability": 5, "rounds": 30}
    found = advised("twilight2000", "attack", burst, [3, 4, 2, 3, 4], language="de")
    (push,) = [option for option in found["options"] if option["option"] == "push"]
    words = {cost["name"]: cost["words"] for cost in push["costs"]}
    assert words["jammed"].endswith(" klemmt")
    assert words["reliability_loss"].startswith("etwa ")


@pytest.mark.parametrize(
    ("worths", "gains"),
    [
        (("9996/10000", "9989/10000"), None),  # "> 99.9 %" and "99.9 %": a hair
        (("692/1000", "6919/10000"), None),
        (("693/1000", "692/1000"), 1),
        (("9/10", "8996/10000", "1/10"), None),
    ],
)
def test_a_hair_gains_nothing(worths: tuple[str, ...], gains: int | None) -> None:
    """Chances that differ by less than a tenth of a percent are equal, however they are written."""
    ranked = [(1 - n, Fraction(one)) for n, one in enumerate(worths)]
    found = OptionValues(step=None, advice=None, ranked=ranked, futures={}, chance=True)  # type: ignore[arg-type]
    assert gains == found.best_place


@pytest.mark.parametrize(
    ("chance", "english", "german"),
    [((1, 3), "1 in 3 jams", "1 von 3 klemmt"), ((2, 3), "2 in 3 jam", "2 von 3 klemmen")],
)
def test_the_verb_of_a_risk_goes_by_its_number(
    chance: tuple[int, int], english: str, german: str
) -> None:
    """One of three jams, and two of them jam, in each language."""
    paid = prices_in(find_game("twilight2000"))["jammed"]
    assert english == paid.words(Fraction(*chance))
    with use_locale("de"):
        assert german == prices_in(find_game("twilight2000"))["jammed"].words(Fraction(*chance))


def test_what_is_certain_is_no_chance() -> None:
    """Ten in ten is said as what it is, in each language."""
    said = []
    for language in ("en", "de", "fr"):
        with use_locale(language):
            said.append(prices_in(find_game("ghostburn"))["glitches"].words(Fraction(1)))
    assert ["certain: a Glitch", "sicher: Glitch", "certain : un Glitch"] == said
