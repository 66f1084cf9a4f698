"""What lines mean, said a second time in plain Python over every face there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import isqrt
from typing import Any

import pytest

from rollwright import notation
from rollwright.engine.sources import TypedSource
from rollwright.exact import Dist
from rollwright.notation import pool_modifiers

Meaning = Callable[..., Any]
D4, D6, D8, D20 = range(1, 5), range(1, 7), range(1, 9), range(1, 21)
COIN = range(2)
DEGREES = ("critical failure", "failure", "success", "critical success")


def every(dice: Sequence[Sequence[int]], meaning: Meaning) -> Dist[Any]:
    """The odds of what a function makes of every throw of these dice."""
    return Dist(Counter(meaning(*faces) for faces in product(*dice)))


def degree(margin: int) -> int:
    """The place of a degree of success: 10 above or below the target is critical."""
    return (margin > -10) + (margin >= 0) + (margin >= 10)


def stepped(face: int, margin: int) -> str:
    """A natural 20 is one degree better, a natural 1 one degree worse."""
    return DEGREES[min(max(degree(margin) + (face == 20) - (face == 1), 0), 3)]


def automatic(face: int, margin: int) -> str:
    """A natural 20 always succeeds critically, a natural 1 always fails critically."""
    return DEGREES[3 if face == 20 else 0 if face == 1 else 1 + (margin >= 0)]


def best(*faces: int, of: int = 1) -> int:
    """The sum of the highest few."""
    return sum(sorted(faces)[len(faces) - of :])


def worst(*faces: int, of: int = 1) -> int:
    """The sum of the lowest few."""
    return sum(sorted(faces)[:of])


MEANINGS: list[tuple[list[str], Sequence[Sequence[int]], Meaning]] = [
    (["1d20+5 adv", "1d20+5 advantage", "1d20adv+5", "1d20 advantage + 5", "5+1d20 adv"],
     [D20, D20], lambda a, b: max(a, b) + 5),
    (["1d20+1d4+1 dis", "1d4+1d20+1 disadvantage"],
     [D20, D20, D4], lambda a, b, bless: min(a, b) + bless + 1),
    (["1d6+2 adv", "d6 [fire] + 2 advantage"], [D6, D6], lambda a, b: max(a, b) + 2),
    (["1d20+5 adv vs 15", "1d20+5 vs 15 adv", "1d20+5 vs 15 advantage"],
     [D20, D20], lambda a, b: DEGREES[degree(max(a, b) + 5 - 15)]),
    (["4d6 drop lowest", "4d6 drop the lowest", "4d6 drop lowest 1", "4d6 drop 1 lowest",
      "4d6 keep highest 3", "4d6 keep 3 highest", "4d6 keep the best 3", "4d6 keep 3",
      "best 3 of 4d6", "highest 3 of 4d6", "best 3 of the 4d6", "{4d6}kh3"],
     [D6] * 4, lambda *faces: best(*faces, of=3)),
    (["4d6 drop highest", "4d6 keep lowest 3", "worst 3 of 4d6"],
     [D6] * 4, lambda *faces: worst(*faces, of=3)),
    (["best of 4d6", "4d6 keep best", "4d6 keep highest"], [D6] * 4, max),
    (["best of (1d4, 1d8)", "(1d4,1d8)kh1", "best of {1d4, 1d8}", "{1d4+1d8}kh1"], [D4, D8], max),
    (["/r 2d6+1", "/roll 2d6+1", "!r 2d6+1", "!roll 2d6+1", "/R 2D6 + 1", "[[2d6+1]]", "2W6+1",
      "2w6+1", "[[2d6]]+1", "/r [[2d6+1]]"],
     [D6, D6], lambda a, b: a + b + 1),
    (["1d20+9 vs 15 nat", "1d20+9 vs 15 natural"], [D20], lambda a: stepped(a, a + 9 - 15)),
    (["1d20+40 vs 15 nat"], [D20], lambda a: stepped(a, a + 40 - 15)),
    (["1d20-30 vs 15 nat"], [D20], lambda a: stepped(a, a - 30 - 15)),
    (["1d20+1d4 vs 15 auto"], [D20, D4], lambda a, b: automatic(a, a + b - 15)),
    (["1d20+2 vs 12 nat adv", "1d20adv+2 vs 12 nat"],
     [D20, D20], lambda a, b: stepped(max(a, b), max(a, b) + 2 - 12)),
    (["1d20 vs 1d20 auto"], [D20, D20], lambda a, b: automatic(a, a - b)),
    (["{2d6+2d8}kh3"], [D6, D6, D8, D8], lambda *faces: best(*faces, of=3)),
    (["{2d6+1d8}dl1>=5"], [D6, D6, D8], lambda *f: sum(x >= 5 for x in sorted(f)[1:])),
    (["2d6kh1&kl1+1d8", "2d6+1d8"], [D6, D6, D8], lambda a, b, c: a + b + c),
    (["4d4kh1&kl1"], [D4] * 4, lambda *faces: max(faces) + min(faces)),
    (["2d4ro1ro3"], [D4] * 4, lambda a, b, c, d: (c if a in (1, 3) else a)
     + (d if b in (1, 3) else b)),
    (["1d20cs20cs1", "1d20cs1cf20"], [D20], lambda a: a),
    (["dd66"], [D6, D6], lambda a, b: 10 * a + b),
    (["2dd24kh1"], [COIN, D4, COIN, D4], lambda a, b, c, d: max(10 * a + b, 10 * c + d) + 10),
    (["dd666"], [D6] * 3, lambda a, b, c: 100 * a + 10 * b + c),
    (["3d8t5t8", "3d8>=5>=8"], [D8] * 3, lambda *f: sum((x >= 5) + (x == 8) for x in f)),
    (["3d8t5t8f1"], [D8] * 3, lambda *f: sum((x >= 5) + (x == 8) - (x == 1) for x in f)),
    (["3d6=1=6"], [D6] * 3, lambda *faces: sum(x in (1, 6) for x in faces)),
    (["2d6ra6"], [D6] * 3, lambda a, b, c: a + b + (c if 6 in (a, b) else 0)),
    (["2d6ra>=5kh1"], [D6] * 3, lambda a, b, c: max(a, b, c if max(a, b) >= 5 else 0)),
    (["3d6k>3", "3d6 keep >3", "3d6p<=3", "3d6 drop <=3"],
     [D6] * 3, lambda *faces: sum(x for x in faces if x > 3)),
    (["4d6k>3kl1", "4d6 keep >3 keep lowest"],
     [D6] * 4, lambda *faces: min([x for x in faces if x > 3], default=0)),
    (["3d6k>3kh2"], [D6] * 3, lambda *f: best(*[x for x in f if x > 3], of=2)),
    (["3d6kl2k>3"], [D6] * 3, lambda *f: sum(x for x in sorted(f)[:2] if x > 3)),
    (["4d6 even", "4d6even"], [D6] * 4, lambda *faces: sum(x % 2 == 0 for x in faces)),
    (["4d6 odd"], [D6] * 4, lambda *faces: sum(x % 2 for x in faces)),
    (["1d20ms15", "1d20ms>=15", "1d20ms>15"], [D20], lambda a: a - 15),
    (["2d6ms<8"], [D6, D6], lambda a, b: 8 - a - b),
    (["3d6sf<3"], [D6] * 3, lambda *faces: sum(-x if x < 3 else x for x in faces)),
    (["3d6>=5sf=1"], [D6] * 3, lambda *f: sum(-1 if x == 1 else x >= 5 for x in f)),
    (["3dc", "3 coins", "3coins", "1dc+2dc"], [COIN] * 3, lambda *faces: sum(faces)),
    (["coin"], [COIN], lambda face: face),
    (["1d6^2", "1d6**2", "pow(1d6, 2)"], [D6], lambda a: a**2),
    (["2^1d6", "pow(2, 1d6)"], [D6], lambda a: 2**a),
    (["sqrt(1d20)"], [D20], isqrt),
    (["sqrt(1d20/3)"], [D20], lambda a: isqrt(a // 3)),
    (["if(1d20>=11, 1d6, 1d4)"],
     [D20, D6, range(12)], lambda a, b, c: b if a >= 11 else c % 4 + 1),
    (["if(2d6>7, 10, 1)"], [D6, D6], lambda a, b: 10 if a + b > 7 else 1),
    (["if((3d6>=5)>=2, 10)"], [D6] * 3, lambda *f: 10 * (sum(x >= 5 for x in f) >= 2)),
    (["if(1d4-1, 1d6)"], [D4, D6], lambda a, b: b if a > 1 else 0),
    (["4d4kh(1d3)"], [D4] * 4 + [range(1, 4)], lambda *f: best(*f[:4], of=f[4])),
    (["3d6>=(1d4+1)"], [D6] * 3 + [D4], lambda *f: sum(x >= f[3] + 1 for x in f[:3])),
    (["3d6<>3", "3d6≠3"], [D6] * 3, lambda *faces: sum(x != 3 for x in faces)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "dice", "meaning"),
    [(text, dice, meaning) for texts, dice, meaning in MEANINGS for text in texts],
    ids=[text for texts, _, _ in MEANINGS for text in texts],
)
def test_a_line_means_what_players_mean_by_it(
    text: str, dice: Sequence[Sequence[int]], meaning: Meaning
) -> None:
    """Its odds are those of a second description of the same roll, counted face by face."""
    assert every(dice, meaning) == notation.odds(text)


@pytest.mark.parametrize(("count", "sides"), [(1, 6), (3, 6), (6, 6), (4, 10)])
def test_dice_that_all_differ_are_drawn_without_putting_back(count: int, sides: int) -> None:
    """Re-rolling what was there leaves every order of different faces as likely as the others."""
    drawn = list(permutations(range(1, sides + 1), count))
    assert Dist(Counter(map(sum, drawn))) == notation.odds(f"{count}d{sides}u")
    assert Dist(Counter(map(max, drawn))) == notation.odds(f"{count}d{sides}ukh1")
    hits = Counter(sum(face >= 4 for face in faces) for faces in drawn)
    assert Dist(hits) == notation.odds(f"{count}d{sides}u>=4")


def test_dice_that_all_differ_are_thrown_again_one_by_one() -> None:
    """A die that shows what one before it shows is thrown until it shows something else."""
    result = notation.roll("3d6u", source=TypedSource([2, 2, 5, 5, 5, 2, 4]))
    assert "3d6u [2 2→5 5→5→2→4] = 11" == str(result)


def test_extra_dice_that_count_less_grow_one_die(monkeypatch: pytest.MonkeyPatch) -> None:
    """`!!p` adds every extra throw, less one, to the die that exploded: 6, then 3 is 6 + 2."""
    assert "2d6!!p [2 6→3⇒8!] = 10" == str(notation.roll("2d6!!p", source=TypedSource([2, 6, 3])))
    monkeypatch.setattr(pool_modifiers, "MOST_EXPLOSIONS", 1)
    grown = {a if a < 4 else a + b - 1: 0 for a in D4 for b in D4 if a < 4 or b < 4}
    for a, b in product(D4, D4):
        if a < 4 or b < 4:
            grown[a if a < 4 else a + b - 1] += 1
    assert Dist(grown, lost=1) == notation.odds("1d4!!p")


def test_only_what_is_taken_is_thrown() -> None:
    """`if` asks for the dice of one part, after those that decide."""
    assert 9 == notation.roll("if(1d20>=11, 2d6, 1d4)", source=TypedSource([11, 4, 5])).value
    assert 3 == notation.roll("if(1d20>=11, 2d6, 1d4)", source=TypedSource([10, 3])).value


def test_a_number_of_what_is_done_to_dice_may_be_thrown() -> None:
    """It is thrown before the dice, so that it can be read off first."""
    result = notation.roll("4d6kh(1d2)", source=TypedSource([2, 1, 6, 5, 3]))
    assert 11 == result.value
    assert Fraction(1, 2) == notation.odds("1d6kh(1d2-1)").p(0)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1d20+1d20+1 adv", "not-one-die"), ("1d6+1d8+1 adv", "not-one-die"),
        ("5 adv", "not-one-die"), ("4d6 drop 1", "ambiguous-drop"),
        ("4d6 keep", "ambiguous-drop"), ("best 4d6", "unexpected"),
        ("best of 5", "not-dice"), ("4d6kh3k>3kl1", "kept-both"), ("7d6u", "never-ends"),
        ("4d6uk>3kh1", "kept-both"),
        ("60d60u", "never-ends"), ("2d{1,1,2}u", "bad-unique"), ("2d6u!", "bad-unique"),
        ("dd61", "bad-digits"), ("dd6", "bad-digits"), ("dd66666", "bad-digits"),
        ("sqrt(1d4-2)", "bad-root"), ("2d20 vs 15 nat", "no-natural"),
        ("2*1d20 vs 9 nat", "no-natural"),
        ("1d20+1d20 vs 15 auto", "no-natural"), ("4d6ro1rr2", "twice"), ("1d20advdis", "twice"),
        ("4d6>=3<=5", "twice"), ("4d6ro(1d2)", "not-constant"), ("4d6kh(1d2/2)", "not-whole"),
        ("pow(2)", "arguments"), ("sqrt(1, 2)", "arguments"), ("if(1d6)", "unexpected"),
        ("{4d6+2}kh3", "group-of-one"), ("{4d6!}kh3", "group-of-one"), ("3d6&kl1", "unexpected"),
        ("3d6kh1&2", "unexpected"), ("[[1d6", "unclosed"), ("1d6ra", "missing-number"),
        ("{1d6,1d8}u", "not-dice"),
    ],
)  # fmt: skip
def test_what_is_not_clear_is_refused_with_its_place(text: str, code: str) -> None:
    """Nothing is guessed: there is a code, a place, and something that can be rolled instead."""
    with pytest.raises(notation.NotationError) as caught:
        notation.odds(text)
    problem = caught.value
    assert code == problem.code
    start, end = problem.span
    assert 0 <= start <= end <= len(text)
    for suggestion in problem.repairs:
        notation.roll(suggestion)
