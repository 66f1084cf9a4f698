"""Suggestions: each can be rolled, and mends what was meant."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from rollwright import notation
from rollwright.notation.parser import names_in
from tests.notation.test_errors import refusal
from tests.notation.test_meanings import MEANINGS
from tests.notation.test_odds import CONSTRUCTS
from tests.notation.test_remarks import CLEAR, OTHERS

SLIPS = {
    "4d6kh2r<3": "4d6ro<3kh2",
    "4d6r1r3": "4d6ro1ro3",
    "4d6r1r2kh3+1": "4d6ro1ro2kh3+1",
    "4k3": "4d6k3",
    "4kh3": "4d6kh3",
    "d20+@{str}": "d20+@str",
    "1d20+@{Strength}": "1d20+@Strength",
    "4dF>=1f-1": "4dF>=1f=-1",
    "adv 1d20+5": "1d20+5 adv",
    "disadvantage 1d20+5": "1d20+5 disadvantage",
    "1d20 with advantage": "1d20 advantage",
    "1d20+5 with advantage": "1d20+5 advantage",
    "1d20+5 mit Vorteil": "1d20+5 adv",
    "1d20 advantge": "1d20 advantage",
    "roll 2d6": "2d6",
    "roll 4d6 and drop lowest": "4d6 drop lowest",
    "/gmroll 2d6": "2d6",
    "=2d6": "2d6",
    "4d6+2 drop lowest": "4d6 drop lowest+2",
    "4d6+2kh3": "4d6kh3+2",
    "(4d6+2)kh3": "(4d6kh3+2)",
    "4d6 drop the lowest die": "4d6 drop the lowest",
    "4d6 drop highest and lowest": "4d6 drop highest drop lowest",
    "4d6 keep best three dice": "4d6 keep best 3",
    "best three of 4d6": "best 3 of 4d6",
    "best 4d6": "best of 4d6",
    "3d6 highest": "3d6 keep highest",
    "4d6hk3": "4d6kh3",
    "4d6-L": "4d6dl1",
    "2d6 plus 3": "2d6 + 3",
    "2d6 und 1d4": "2d6 + 1d4",
    "2d6 or 1d12": "2d6; 1d12",
    "4d6kq+2": "4d6k+2",
    "4d6 3x": "3x 4d6",
    "2d6+3)": "(2d6+3)",
    "1d20+5 vs. 15": "1d20+5 vs 15",
    "1d20+5 against 15": "1d20+5 vs 15",
    "1d20+5 dc15": "1d20+5 vs 15",
    "1d20+5>15": "{1d20+5}>15",
    "3d6=>4": "3d6>=4",
    "3d6><4": "3d6<>4",
    "1d6 half": "1d6 [half]",
    "2d6 fire + 1d4 cold": "2d6 [fire] + 1d4 [cold]",
    "1d20 + str": "1d20 + @str",
    "1d20+dex": "1d20+@dex",
    "4d6 reroll 1s": "4d6 ro 1",
    "4d6 exploding": "4d6 !",
    "4d6 explode on 5": "4d6 !=5",
    "10d10 successes 8": "10d10 >= 8",
    "floor 1d6/2": "floor(1d6/2)",
    "flor(1d6/2)": "floor(1d6/2)",
    "flip a coin": "coin",
    "4d Fate": "4dF",
    "1d20+5 | 1d8+3": "1d20+5; 1d8+3",
    "1d100<=50%": "1d100<=50",
    "1,000": "1000",
    "4d6>=3<=5": "4d6k>=3<=5",
    "4d6 drop 1": "4d6 drop lowest 1",
    "dd6": "d6",
    "{4d6+2}kh3": "{4d6}kh3+2",
}
"""What people write and cannot have, with the first of what is suggested."""
LINES = sorted(
    {
        *CONSTRUCTS, *CLEAR, *OTHERS, *[line for lines, _, _ in MEANINGS for line in lines],
        *SLIPS.values(), "1d20+5", "4d6", "4d6kh3", "2d6+3", "1d20", "d20", "d6", "4dF", "1d6",
    }
)  # fmt: skip
"""Lines that can be rolled, among which a suggestion must be the nearest to what was written."""


SAME = {
    "exploding": "!", "explode on": "!=", "against": "vs", "dc": "vs", "mit vorteil": "adv",
    "successes": ">=", "reroll": "ro", "three": "3", "und": "+", "plus": "+",
    "or": ";", "|": ";", "flip a": "", "fate": "f", "-l": "dl1", "and": "", "drop": "d",
    "lowest": "l", "highest": "h", "keep": "k", "best": "h", "/gmroll": "", "roll": "", "/r": "",
    "!r": "", "die": "", "dice": "", "the": "", "with": "", "of": "", "r": "ro",
}  # fmt: skip
"""Words and signs that say the same, for how near two lines are."""


def pieces(text: str) -> tuple[Counter[str], Counter[str]]:
    """The numbers of a line, and all its signs, however they are ordered."""
    text = re.sub(r"^(\d+)k", r"\1d6k", text.lower())  # dice without sides have six
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    for word, same in SAME.items():
        text = re.sub(rf"(?<![a-z]){re.escape(word)}(?![a-z])", same, text)
    return Counter(re.findall(r"\d+", text)), Counter(text.replace(" ", ""))


def distance(one: str, other: str) -> tuple[int, int]:
    """How many numbers, and then how many signs, one line has and the other has not."""
    pairs = zip(pieces(one), pieces(other), strict=True)
    numbers, signs = [((a - b) + (b - a)).total() for a, b in pairs]
    return numbers, signs


@pytest.mark.parametrize("slip", SLIPS)
def test_a_suggestion_mends_what_was_meant(slip: str) -> None:
    """The first suggestion is what was meant, and every one of them can be rolled and counted."""
    problem = refusal(slip)
    assert SLIPS[slip] == problem.repair
    for suggestion in problem.repairs:
        names = dict.fromkeys(names_in(suggestion), 1)
        assert notation.roll(suggestion, names).rolls
        assert notation.odds_of_each(suggestion, names)


@pytest.mark.parametrize("slip", SLIPS)
def test_no_other_line_is_nearer(slip: str) -> None:
    """Of all lines in the list, what is suggested shares most with what was written."""
    nearest = distance(slip, SLIPS[slip])
    others = {line: distance(slip, line) for line in LINES if line != SLIPS[slip]}
    assert not [line for line, far in others.items() if far < nearest]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1d20+5 to hit", "to hit"), ("2d6+3 fire damage", "fire damage"),
        ("/roll 1d20+3 dex save", "dex save"), ("2d6 fire and cold", "fire and cold"),
        ("8d6 boule de feu", "boule de feu"), ("1d20 Angriff mit Schwert", "Angriff mit Schwert"),
        ("1d20+5 vs 15 sneak attack", "sneak attack"),
        ("10d6 fireball, dex save", "fireball, dex save"),
    ],
)  # fmt: skip
def test_words_behind_a_roll_say_what_it_is_for(text: str, words: str) -> None:
    """As chats have them: they are kept beside the result, and change nothing of the roll."""
    result = notation.roll(text)
    assert words == result.comment
    assert str(result).endswith(f"  # {words}")
    assert words == result.to_plain()["comment"]
    assert notation.odds(text[: -len(words)]) == notation.odds(text)


@pytest.mark.parametrize(
    "text",
    ["4d6 drop lowset", "1d20+5 with advantage", "1d20 advatage", "10d6 half", "4d6 reroll ones",
     "4d6 rerolls ones", "1d20 please", "4d6 keep three", "2d6 fire + 1d4 cold", "1d20 + strength",
     "2d6 and fire", "2d6 kx", "1d20 vs", "2d6fire", "1d20 on 19", "fire damage", "to hit 1d20",
     "2d6 fire!", "1d20 twice"],
)  # fmt: skip
def test_what_may_be_meant_as_dice_is_no_text(text: str) -> None:
    """A slip is refused with what can be rolled, and not taken for words beside the roll."""
    with pytest.raises(notation.NotationError) as caught:
        notation.roll(text)
    for suggestion in caught.value.repairs:
        notation.roll(suggestion, {name: 1 for name in names_in(suggestion)})
