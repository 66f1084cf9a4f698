"""Remarks on lines that can be meant otherwise: what was read, and the other reading to type."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rollwright import notation, queries
from rollwright.cli import main
from rollwright.i18n.locale import use_locale

OTHERS = {
    "6#4d6kh3": ("comment", "6x 4d6kh3", "6"),
    "6 # 2W6+1": ("comment", "6x 2W6+1", "6"),
    "3d6>10": ("successes", "{3d6}>10", "0"),
    "1d4+3d6>10": ("successes", "1d4+{3d6}>10", "1d4"),
    "2d6<=7": ("successes", "{2d6}<=7", "2"),
    "d66": ("digits", "dd66", "d{" + ",".join(map(str, range(1, 67))) + "}"),
    "2W66+1": ("digits", "2dd66+1", "2d66+1"),
    "1d20 != 1": ("unequal", "1d20<>1", "1d20e1"),
    "4d6kh3dl1": ("picks", "4d6kh3", "4d6kh2"),
    "4d6kh3kl1": ("picks", "4d6", "4d6dl1dh2"),
    "4d6dl1dl1": ("picks", "4d6dl1", "4d6dl2"),
    "6d6kh2kl1+1": ("picks", "6d6kh2&kl1+1", "6d6dl4dh1+1"),
    "5d6kh3dl1dh1": ("picks", "5d6dl2dh1", "5d6dl3dh1"),
    "1d20+1d4 adv": ("advantage", "1d20adv+1d4", "1d20+2d4kh1"),
    "1d20+1d4 dis vs 10": ("advantage", "1d20dis+1d4 vs 10", "1d20+2d4kl1 vs 10"),
    "2d6+1d8 drop lowest": ("dropped", "{2d6+1d8}drop lowest", "2d6"),
    "3d6 vs 2d8": ("sides", "if(3d6 >= 2d8, 1, 0)", "(3d6 - 2d8) vs 0"),
    "2d6+3 vs 1d6+4 # arms": ("sides", "if(2d6+3 >= 1d6+4, 1, 0) # arms", "(2d6 - 1d6) vs 1"),
}
"""Each line with its remark, the other reading, and what is read in a spelling without doubt."""
CLEAR = [
    "3d6>=5", "10d10>7", "1d20>=15", "4d6!=6", "4d6!>=5", "4d6kh3", "4d6dl1dh1", "1d20adv+1d4",
    "1d20+5 adv", "6x 4d6kh3", "6 # for the orc", "1d6 # 2d6", "d6", "d100", "dd66", "d(66)",
    "4d6kh1&kl1", "if(3d6>10, 1, 2)", "{3d6}>10", "2d6min2>=2", "3d6ro1>10f=1",
    "1d20+5 vs 1d20+3", "1d20+5 vs 15", "3d6 vs 10", "5d10>=6 vs 3d10>=6",
]  # fmt: skip


@pytest.mark.parametrize("text", OTHERS)
def test_what_may_be_meant_otherwise_gets_a_word(text: str) -> None:
    """The remark names the place, and the other reading is a line that comes to something else."""
    code, other, _ = OTHERS[text]
    (remark,) = notation.roll(text).hints
    assert (code, other) == (remark.code, remark.other)
    start, end = remark.span
    assert 0 <= start < end <= len(text)
    assert other in str(remark)
    assert notation.odds_of_each(other) != notation.odds_of_each(text)


@pytest.mark.parametrize("text", OTHERS)
def test_a_remark_changes_nothing(text: str) -> None:
    """The line still means what it did, in a spelling that leaves no doubt."""
    assert notation.odds(OTHERS[text][2]) == notation.odds(text)


@pytest.mark.parametrize("text", CLEAR)
def test_nothing_is_said_where_nothing_is_in_doubt(text: str) -> None:
    """Remarks are rare, so that they are read."""
    assert () == notation.roll(text).hints


@pytest.mark.parametrize("text", [other for _, other, _ in OTHERS.values()])
def test_the_other_reading_is_in_no_doubt(text: str) -> None:
    """Nobody is sent round in a circle."""
    assert () == notation.roll(text).hints


def test_long_lines_have_few_remarks_or_none() -> None:
    """What programs write is not commented on, and a line has at most five remarks."""
    assert () == notation.roll("+".join(["d66"] * 500)).hints
    assert 5 == len(notation.hints_for(notation.parse("+".join(["d66"] * 20))))


def test_a_remark_is_data() -> None:
    """Programs get the code, the place and the other reading beside the sentence."""
    plain = json.loads(notation.roll("4d6kh3dl1").to_json())["remarks"]
    sentence = (
        "kh3dl1 is done one after the other, each with the dice that are left; "
        "each with all dice it is 4d6kh3"
    )
    assert [{"code": "picks", "span": [3, 9], "said": sentence, "other": "4d6kh3"}] == plain


def test_answers_carry_remarks_in_the_readers_language() -> None:
    """Rolls, odds, chances and previews of dice have them; where there are none there is no key."""
    dice = {"expression": "d66"}
    asked = {"odds": dice, "roll": dice, "preview": dice, "event": {**dice, "where": ">60"}}
    for kind, question in asked.items():
        (remark,) = queries.answer(kind, question)["remarks"]
        assert ("digits", 0, 3, "dd66") == tuple(
            remark[key] for key in ("code", "start", "end", "other")
        )
        assert "remarks" not in queries.answer(kind, {**question, "expression": "d6+60"})
    with use_locale("de"):
        (remark,) = queries.answer("odds", dice)["remarks"]
    assert "für einen Würfel je Ziffer schreib dd66" in remark["said"]


@pytest.mark.parametrize(
    "words",
    [
        ["roll", "3d6>10"],
        ["roll", "3d6>10", "--seed", "1"],
        ["roll", "3d6>10", "--seed", "1", "--save", "roll.json"],
        ["odds", "3d6>10"],
        ["odds", "3d6>10", "--exact"],
        ["odds", "3d6>10", "--where", "= 0"],
    ],
)
def test_the_command_line_says_it_beside_the_output(
    words: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """On standard error, so that what programs read stays as it was."""
    monkeypatch.chdir(tmp_path)
    assert 0 == main(words)
    out, err = capsys.readouterr()
    assert "to compare the sum, write {3d6}>10" in err
    assert "write" not in out
