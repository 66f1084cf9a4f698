"""What a result keeps and how it is shown: each die, each label, each bound."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

import rollwright as rw
from rollwright import notation
from rollwright.engine.sources import TypedSource
from rollwright.notation import Degree, Result


def played(text: str, *faces: Any, **variables: Any) -> Result:
    """A line rolled with these faces."""
    return notation.roll(text, variables, source=TypedSource(faces))


@pytest.mark.parametrize(
    ("text", "faces", "line"),
    [
        ("4d6kh3+2", [6, 1, 3, 5], "4d6kh3 [6 ~1~ 3 5]+2 = 16"),
        ("2d6!", [6, 2, 6, 3], "2d6! [6! +6! +3 2] = 17"),
        ("2d6!!", [2, 6, 4], "2d6!! [2 6→4⇒10!] = 12"),
        ("2d6!p", [2, 6, 4], "2d6!p [2 6! +4⇒3] = 11"),
        ("3d6ro1", [1, 4, 5, 1], "3d6ro1 [1→1 4 5] = 10"),
        ("2d6rr<3", [1, 4, 2, 6], "2d6rr<3 [1→2→6 4] = 10"),
        ("3d6min2", [1, 4, 6], "3d6min2 [1⇒2 4 6] = 12"),
        ("3d10>=8f=1", [1, 8, 5], "3d10>=8f=1 [1✗ 8✓ 5] = 0"),
        ("1d20cs20cf1", [20], "1d20cs20cf1 [20↑] = 20"),
        ("1d20cs20cf1", [1], "1d20cs20cf1 [1↓] = 1"),
        ("3d6sd", [1, 6, 4], "3d6sd [6 4 1] = 11"),
        ("{2d6, 1d10}kh1", [3, 4, 9], "{2d6 [3 4], 1d10 [9]}kh1 [~7~ 9] = 9"),
        ("1d20+5 vs 15", [10], "1d20 [10]+5 vs 15 = success"),
        ("(1d4)d6", [2, 3, 5], "(1d4) [2]d6 [3 5] = 8"),
        ("1d6/4", [3], "1d6 [3]/4 = 3/4"),
        ("1d6; 2x 1d4", [1, 2, 3], "1d6 [1] = 1; 1d4 [2] = 2; 1d4 [3] = 3"),
        ("1d6 # for luck", [1], "1d6 [1] = 1  # for luck"),
        ("1d6 for good luck", [1], "1d6 [1] = 1  # for good luck"),
        ("/roll 1d20+5 to hit", [8], "1d20 [8]+5 = 13  # to hit"),
        ("1d20+5 adv sneak attack", [3, 17], "1d20 [~3~ 17]+5 adv = 22  # sneak attack"),
        ("4d6k>3kl1", [1, 6, 4, 5], "4d6k>3kl1 [~1~ ~6~ 4 ~5~] = 4"),
        ("-2**2", [], "-2**2 = -4"),
        ("-1d4**2", [3], "-1d4 [3]**2 = -9"),
        ("1d20+5 adv", [3, 17], "1d20 [~3~ 17]+5 adv = 22"),
        ("best 3 of 4d6", [1, 2, 3, 4], "best 3 of 4d6 [~1~ 2 3 4] = 9"),
        ("/r [[2d6+1]]", [3, 4], "[[2d6 [3 4]+1]] = 8"),
        ("{2d4+1d6}kh2", [1, 4, 6], "{2d4+1d6}kh2 [~1~ 4 6] = 10"),
        ("4d6kh(1d2)", [2, 1, 6, 5, 3], "4d6kh(1d2) [2] [~1~ 6 5 ~3~] = 11"),
        ("if(1d20>=11, 2d6, 1)", [12, 1, 2], "if(1d20 [12]>=11, 2d6 [1 2], 1) = 3"),
        ("1d20+5 vs 15 nat", [20], "1d20 [20]+5 vs 15 nat = critical success"),
        ("3d10t7t10", [10, 7, 1], "3d10t7t10 [10✓✓ 7✓ 1] = 3"),
        ("3d6sf<3", [1, 2, 6], "3d6sf<3 [1✗ 2✗ 6] = 3"),
        ("3d6k>3", [1, 4, 5], "3d6k>3 [~1~ 4 5] = 9"),
        ("2d6ra6", [6, 6, 3], "2d6ra6 [6! +3 6] = 15"),
    ],
)
def test_a_result_in_one_line(text: str, faces: list[int], line: str) -> None:
    """The line is the expression itself with its dice behind each term."""
    assert line == str(played(text, *faces))


def test_labels_are_grouped_in_the_result() -> None:
    """Damage of several kinds is added up by kind."""
    result = played("1d8[fire] + 1d6[cold] + 2[fire] + 1", 6, 3)
    assert {"fire": 8, "cold": 3, "": 1} == result.groups
    assert str(result).endswith("= 12 (8 fire, 3 cold, 1)")


@pytest.mark.parametrize(
    ("text", "faces", "groups"),
    [
        ("(1d8[fire]+1d6[cold])*2", [6, 3], {"fire": 12, "cold": 6}),
        ("(1d8[fire]+1d6[cold])/2", [5, 3], {"fire": Fraction(5, 2), "cold": Fraction(3, 2)}),
        ("2*(1d8[fire]-1[cold])", [6], {"fire": 12, "cold": -2}),
        ("floor(1d8[fire]/2)", [5], {"fire": 2}),
        ("max(1d8[fire], 1d6[cold])", [5, 3], {"": 5}),
        ("[fire] 1d8 + (1d4+1)[cold]", [5, 3], {"fire": 5, "cold": 4}),
        ("4d6[fire]kh3", [1, 2, 3, 4], {"fire": 9}),
        ("{1d8[fire], 1d6[cold]}kh1", [5, 3], {"fire": 5}),
        ("1d4; 1d6[acid]", [1, 2], {"": 1, "acid": 2}),
    ],
)
def test_labels_stay_with_their_part(text: str, faces: list[int], groups: dict[str, Any]) -> None:
    """Sums are taken apart by label; anything else counts under the only label inside it."""
    assert groups == played(text, *faces).groups


def test_every_die_tells_what_happened_to_it() -> None:
    """Kept, dropped, exploded, extra, re-rolled: each die knows."""
    first, extra, second = played("2d6ro1!kh2", 1, 6, 3, 2).dice
    assert ((1, 3), 3, True) == (first.faces, first.value, first.kept)
    assert (True, False) == (extra.exploded, extra.extra)
    assert (False, True, False) == (second.exploded, second.extra, second.kept)


def test_the_bound_on_explosions_holds_live_and_is_said() -> None:
    """A die explodes at most ten times; when it would go on, the result says so."""
    result = played("1d6!", *[6] * 11)
    assert 66 == result.value
    assert "the bound is 10 explosions" in str(result)
    assert ("1 die would have exploded again: the bound is 10 explosions",) == result.notes


def test_a_result_as_a_tree() -> None:
    """Every part has a line of its own with its value."""
    assert played("4d6kh3 + 2*3", 6, 1, 3, 5).tree().splitlines() == [
        "20  4d6kh3 + 2*3",
        "├ 14  4d6kh3  [6 ~1~ 3 5]",
        "└ 6  2*3",
    ]


def test_a_result_as_json() -> None:
    """JSON holds the same facts; fractions are text, so that nobody rounds them."""
    plain = json.loads(played("1d6[fire]/4 # ow", 3).to_json())
    assert ("3/4", {"fire": "3/4"}, "ow") == (plain["value"], plain["groups"], plain["comment"])
    die = plain["rolls"][0]["parts"][0]["dice"][0]
    assert {"faces": [3], "value": 3, "kept": True} == die


def test_a_die_that_counts_twice_says_so_in_json() -> None:
    """How many successes a die is worth is there where it is more than one."""
    dice = json.loads(played("2d10t7t10", 10, 8).to_json())["rolls"][0]["dice"]
    assert [2, None] == [die.get("successes") for die in dice]
    assert all(die["success"] and not die["failure"] for die in dice)


def test_many_dice_are_not_listed_in_full_but_counted() -> None:
    """A line shows a hundred dice and says how many more there are."""
    assert "… 50 more] =" in str(notation.roll("150d6"))


@pytest.mark.parametrize(
    ("margin", "name"),
    [(-11, "critical failure"), (-10, "critical failure"), (-9, "failure"), (-1, "failure"),
     (0, "success"), (9, "success"), (10, "critical success")],
)  # fmt: skip
def test_degrees_of_success(margin: int, name: str) -> None:
    """Reaching the target is a success; ten above or below it is critical."""
    degree = played(f"1d20+{20 + margin} vs 21", 1).value
    assert (name, name) == (degree, str(degree))


def test_degrees_rise() -> None:
    """Degrees compare by how good they are, so odds of `at least a success` can be asked."""
    odds = rw.odds("1d20+5 vs 15")
    assert Fraction(11, 20) == odds.at_least(Degree("success"))


def test_variables_come_from_a_mapping() -> None:
    """`@name` is a number from the sheet, whole or a fraction."""
    assert 13 == played("1d20+@str", 10, str=3).value
    assert Fraction(21, 2) == notation.roll("10+@half", {"half": Fraction(1, 2)}).value


def test_a_result_can_be_had_from_a_transcript() -> None:
    """Physical dice, stored and read again: the whole story is still there."""
    transcript = rw.roll("2d6!+1", faces=[6, 2, 3])
    again = rw.Transcript.from_json(transcript.to_json())
    assert "2d6! [6! +3 2]+1 = 12" == str(notation.result(again))


def test_variables_are_part_of_a_transcript() -> None:
    """A stored roll replays with the variables it was made with."""
    call = notation.as_rule("1d6+@str", {"str": 2, "dex": 1})
    assert (("dex", 1), ("str", 2)) == call.args[1]
    transcript = rw.roll(call, faces=[4])
    assert 6 == rw.verify(transcript.to_json()).outcome == notation.result(transcript).value


def test_degrees_and_fractions_survive_json() -> None:
    """Outcomes that are no whole numbers are stored exactly."""
    for text in ("1d20 vs 10", "1d6/4; 1d4"):
        transcript = rw.roll(text, seed=1)
        assert transcript.outcome == rw.verify(transcript.to_json()).outcome


def test_only_transcripts_of_expressions_have_results() -> None:
    """A transcript of another rule is refused."""
    from rollwright.dice import D6
    from rollwright.rules import rule, tally

    @rule
    async def one_die() -> int:
        return await tally(D6)

    with pytest.raises(rw.RollwrightError, match="not the roll of an expression"):
        notation.result(rw.roll(one_die(), seed=1))
