"""Programs as people write them for AnyDice, each with its answer counted here by going through
all throws, without anything of Rollwright's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any

D4, D6, D8, D10, D20 = (range(1, n + 1) for n in (4, 6, 8, 10, 20))
Odds = dict[int, Fraction]


def of(read: Callable[..., int], *dice: Iterable[int]) -> Odds:
    """What a reading of separate dice comes to, over all their throws."""
    found = Counter(read(*throw) for throw in product(*dice))
    whole = sum(found.values())
    return {outcome: Fraction(ways, whole) for outcome, ways in found.items()}


def mixed(*parts: tuple[Fraction, Odds]) -> Odds:
    """One of several odds, each with its chance."""
    found: Odds = {}
    for chance, odds in parts:
        for outcome, each in odds.items():
            found[outcome] = found.get(outcome, Fraction(0)) + chance * each
    return found


def exact(odds: Any) -> Odds:
    """The chances of what Rollwright calls odds, by outcome."""
    return {outcome: Fraction(weight, odds.total) for outcome, weight in odds.items()}


def total(*faces: int) -> int:
    """The sum of all dice."""
    return sum(faces)


def sure(number: int) -> Odds:
    """Always this number."""
    return {number: Fraction(1)}


def high(count: int) -> Callable[..., int]:
    """The sum of the highest few."""
    return lambda *faces: sum(sorted(faces)[len(faces) - count :])


def low(count: int) -> Callable[..., int]:
    """The sum of the lowest few."""
    return lambda *faces: sum(sorted(faces)[:count])


def exploded(sides: int, times: int) -> Odds:
    """A die thrown again on its highest face, so many times at most."""
    if not times:
        return of(total, range(1, sides + 1))
    again = {outcome + sides: chance for outcome, chance in exploded(sides, times - 1).items()}
    plain = {face: Fraction(1, sides) for face in range(1, sides)}
    return mixed((Fraction(1), plain), (Fraction(1, sides), again))


def duel(attack: tuple[int, ...], defence: tuple[int, ...]) -> int:
    """How many the defender loses in a battle of sorted pairs where ties are the defender's."""
    pairs = zip(sorted(attack, reverse=True), sorted(defence, reverse=True))
    return sum(one > other for one, other in pairs)


def most_alike(*faces: int) -> int:
    """How many dice show the same face at most."""
    return max(Counter(faces).values())


def pushed(throw: tuple[int, ...]) -> Odds:
    """The sixes of a throw of which all but sixes and ones are thrown again."""
    loose = sum(face not in (1, 6) for face in throw)
    return of(lambda *again: throw.count(6) + again.count(6), *[D6] * loose)


PROGRAMS: dict[str, tuple[str, Odds | list[Odds]]] = {
    # Dice and numbers
    "one die": ("output d6", of(total, D6)),
    "three dice": ("output 3d6", of(total, D6, D6, D6)),
    "different dice": ("output 1d4 + 2d8 - 1", of(lambda a, b, c: a + b + c - 1, D4, D8, D8)),
    "doubled is not two dice": ("output 2 * d6", of(lambda a: 2 * a, D6)),
    "a variable holds the die": ("X: d6 output X + X", of(total, D6, D6)),
    "taken from each other": ("X: d6 output X - X", of(lambda a, b: a - b, D6, D6)),
    "own faces": ("output 2d{0, 0, 1}", of(total, (0, 0, 1), (0, 0, 1))),
    "faces by range and repetition": (
        "output d{1..3:2, 10}",
        of(total, (1, 2, 3, 1, 2, 3, 10)),
    ),
    "fate dice": ("output 4d{-1..1}", of(total, *[(-1, 0, 1)] * 4)),
    "no dice": ("output 0d6", sure(0)),
    "fewer than none": ("output -2d6", of(lambda a, b: -a - b, D6, D6)),
    "negative sides": ("output d(-4)", of(lambda a: -a, D4)),
    "no sides": ("output d0", sure(0)),
    "dice of dice": ("output 2d(2d2)", of(total, *[(1, 2)] * 4)),
    "sums side by side": (
        "output 1@3d(2d6)",
        of(lambda a, b, c, d, e, f: max(a + b, c + d, e + f), *[D6] * 6),
    ),
    "as many sums as were asked for": ("output #(3d(2d6))", sure(3)),
    "the best two of three sums": (
        "output [highest 2 of 3d(2d2)]",
        of(lambda a, b, c, d, e, f: high(2)(a + b, c + d, e + f), *[(1, 2)] * 6),
    ),
    "the lower of two sums, negated": (
        "output 1@-2d(2d2)",
        of(lambda a, b, c, d: max(-a - b, -c - d), *[(1, 2)] * 4),
    ),
    "none of the dice is one that shows 0": ("output #(0d6)", sure(1)),
    "as many dice as a die says": (
        "output d3d6",
        mixed(*[(Fraction(1, 3), of(total, *[D6] * n)) for n in (1, 2, 3)]),
    ),
    "a percentage": ("output 10 * (d10 - 1) + d10", of(lambda a, b: 10 * a - 10 + b, D10, D10)),
    "cut toward zero": ("output (d6 - 4) / 2", of(lambda a: int((a - 4) / 2), D6)),
    "divided by nothing": ("output d6 / 0", sure(0)),
    "a sign binds first": ("output -2^2", sure(4)),
    "powers from the left": ("output 2^3^2", sure(64)),
    "a power of a die": ("output d4^2", of(lambda a: a * a, D4)),
    # Comparisons
    "at least": ("output 2d6 >= 8", of(lambda a, b: int(a + b >= 8), D6, D6)),
    "two dice compared": ("output d8 > d6", of(lambda a, b: int(a > b), D8, D6)),
    "not equal": ("output d6 != 3", of(lambda a: int(a != 3), D6)),
    "both": ("output (d6 > 2) & (d6 > 4)", of(lambda a, b: int(a > 2 and b > 4), D6, D6)),
    "either": ("output d6 = 1 | d6 = 6", of(lambda a, b: int(a == 1 or b == 6), D6, D6)),
    "not": ("output !(d6 - 1)", of(lambda a: int(a == 1), D6)),
    "successes by the die": (
        "output 5d(d6 >= 5)",
        of(lambda *t: sum(f >= 5 for f in t), *[D6] * 5),
    ),
    "hits, then wounds": (
        "output (3d(d6 >= 4))d(d6 >= 5)",
        of(
            lambda *t: sum(a >= 4 and b >= 5 for a, b in zip(t[:3], t[3:])),
            *[D6] * 6,
        ),
    ),
    # Sequences
    "a sequence shown": ("output {1, 1, 4}", of(total, (1, 1, 4))),
    "elements that hold": ("output {1, 3, 3, 5} = 3", sure(2)),
    "a number among elements": ("output 3 <= {1, 3, 5}", sure(2)),
    "sequences from the left": ("output {1, 2, 3} < {1, 3}", sure(1)),
    "the longer is greater": ("output {1, 2} < {1, 2, 0}", sure(1)),
    "a sequence with a die": ("output {1, 2} + d4", of(lambda a: 3 + a, D4)),
    "length": ("output #{1..4, 7:3}", sure(7)),
    "how many dice": ("output #(3d6)", sure(3)),
    "digits": ("output #1234", sure(4)),
    "an element": ("output 2@{5, 6, 7}", sure(6)),
    "several elements": ("output {1, 3}@{5, 6, 7}", sure(12)),
    "an element that is not there": ("output 4@{5, 6, 7}", sure(0)),
    "a digit": ("output 1@273", sure(2)),
    "digits of a negative number": ("output 1@-456", sure(-4)),
    "several of its digits": ("output {2, 3}@-456", sure(-11)),
    "how many digits it has": ("output #-456", sure(3)),
    "a falling range is empty": ("output #{3..1}", sure(0)),
    "a die in braces": ("output #{2d6, 2d6}", sure(22)),
    # Ranks
    "advantage": ("output [highest 1 of 2d20]", of(max, D20, D20)),
    "disadvantage": ("output [lowest 1 of 2d20]", of(min, D20, D20)),
    "drop the lowest": ("output [highest 3 of 4d6]", of(high(3), *[D6] * 4)),
    "keep the lowest": ("output [lowest 2 of 3d8]", of(low(2), *[D8] * 3)),
    "the middle die": ("output [middle 1 of 3d20]", of(lambda *t: sorted(t)[1], *[D20] * 3)),
    "an uneven middle": (
        "output [middle 2 of 3d6]",
        of(lambda *t: sum(sorted(t)[1:]), *[D6] * 3),
    ),
    "ranks by position": ("output {1, 2}@3d6", of(high(2), *[D6] * 3)),
    "a position twice": (
        "output {1, 1, 3}@3d4",
        of(lambda *t: 2 * max(t) + min(t), *[D4] * 3),
    ),
    "the lowest first": (
        'set "position order" to "lowest first" output 1@3d6',
        of(min, *[D6] * 3),
    ),
    "digits from the right": ('set "position order" to "lowest first" output 1@273', sure(3)),
    "two rolls, not one": (
        "X: 2d6 output 1@X - 2@X",
        of(lambda a, b, c, d: max(a, b) - min(c, d), *[D6] * 4),
    ),
    "the best of mixed dice": (
        "output [highest 2 of 2d6 and 1d8]",
        of(high(2), D6, D6, D8),
    ),
    "the worst of mixed dice": (
        "output [lowest 1 of d4 and d8 and d6]",
        of(min, D4, D8, D6),
    ),
    "a sum is one die": ("output [highest 3 of 4d6 + 1]", of(lambda *t: sum(t) + 1, *[D6] * 4)),
    # Functions that there are
    "the better of two": ("output [highest of d6 and d8]", of(max, D6, D8)),
    "the worse of two": (
        "output [lowest of 2d4 and d8]",
        of(lambda a, b, c: min(a + b, c), D4, D4, D8),
    ),
    "absolute": ("output [absolute d6 - d6]", of(lambda a, b: abs(a - b), D6, D6)),
    "contains": ("output [3d6 contains 6]", of(lambda *t: int(6 in t), *[D6] * 3)),
    "count": ("output [count {1, 6} in 3d6]", of(lambda *t: t.count(1) + t.count(6), *[D6] * 3)),
    "counted twice": (
        "output [count {6, 6, 1} in 2d6]",
        of(lambda *t: 2 * t.count(6) + t.count(1), D6, D6),
    ),
    "maximum": ("output [maximum of 3d{1, 7}]", sure(21)),
    "sorted": ("output 1@[sort {2, 9, 4}]", sure(9)),
    "reversed": ("output 1@[reverse {2, 9, 4}]", sure(4)),
    "exploding": ("output [explode d6]", exploded(6, 2)),
    "exploding further": ('set "explode depth" to 4 output [explode d4]', exploded(4, 4)),
    "exploding dice, added": (
        "output 2d[explode d4]",
        of(
            total,
            *[[o for o, c in exploded(4, 2).items() for _ in range(int(c * 64))]] * 2,
        ),
    ),
    # Functions of one's own
    "successes less ones": (
        """function: net ROLL:s { result: (ROLL >= 5) - (ROLL = 1) }
        output [net 4d6]""",
        of(lambda *t: sum((f >= 5) - (f == 1) for f in t), *[D6] * 4),
    ),
    "one roll used twice": (
        "function: twice N:n { if N > 3 { result: N } result: N * 10 } output [twice d6]",
        of(lambda a: a if a > 3 else a * 10, D6),
    ),
    "critical hits": (
        """function: attack ROLL:n against AC:n {
          if ROLL = 20 { result: 2d8 + 3 }
          if ROLL = 1 { result: 0 }
          if ROLL + 5 >= AC { result: d8 + 3 } else { result: 0 }
        }
        output [attack d20 against 15]""",
        mixed(
            (Fraction(1, 20), of(lambda a, b: a + b + 3, D8, D8)),
            (Fraction(10, 20), of(lambda a: a + 3, D8)),
            (Fraction(9, 20), sure(0)),
        ),
    ),
    "re-rolled once": (
        "function: again N:n { if N < 3 { result: d6 } result: N } output [again d6]",
        of(lambda a, b: b if a < 3 else a, D6, D6),
    ),
    "re-rolled until": (
        "function: above N:n { if N > 2 { result: N } } output [above d6]",
        of(total, (3, 4, 5, 6)),
    ),
    "the largest set": (
        """function: set of ROLL:s {
          BEST: 0
          loop FACE over {1..6} { if (ROLL = FACE) > BEST { BEST: ROLL = FACE } }
          result: BEST
        }
        output [set of 4d6]""",
        of(most_alike, *[D6] * 4),
    ),
    "a battle of sorted pairs": (
        """function: battle A:s against B:s {
          result: (1@A > 1@B) + (2@A > 2@B)
        }
        output [battle 3d6 against 2d6]""",
        of(lambda *t: duel(t[:3], t[3:]), *[D6] * 5),
    ),
    "roll and keep": (
        'loop K over {1..2} { output {1..K}@3d10 named "keep [K]" }',
        [of(high(1), *[D10] * 3), of(high(2), *[D10] * 3)],
    ),
    "a pool of degrees": (
        """function: degree ROLL:n {
          if ROLL <= 6 { result: 0 } if ROLL <= 9 { result: 1 } result: 2
        }
        output [degree 2d6 + 1]""",
        of(lambda a, b: 0 if a + b + 1 <= 6 else 1 if a + b + 1 <= 9 else 2, D6, D6),
    ),
    "a function of no values": (
        "function: six { result: d6 } output [six] + [six]",
        of(total, D6, D6),
    ),
    "dice as they are": (
        "function: best of D:d { result: 1@D } output [best of 3d6]",
        of(max, *[D6] * 3),
    ),
    "what comes is not expanded": (
        "function: size of A { result: #A } output [size of 4d6]",
        sure(4),
    ),
    "a function without words": ("function: { result: d4 } output []", of(total, D4)),
    "a function of nothing but a value": (
        "function: N:n { result: N + 1 } output [d4]",
        of(lambda a: a + 1, D4),
    ),
    "two values of one name": (
        "function: f A:n with A:d { result: 1dA } output [f 4 with d6]",
        of(total, D4),
    ),
    "a function in a loop": (
        "loop N over {1..3} { function: times K:n { result: N * K } output [times d4] }",
        [of(lambda a, n=n: n * a, D4) for n in (1, 2, 3)],
    ),
    "a function in a condition": (
        "if 1 { function: f { result: 1 } } else { function: f { result: 2 } } output [f]",
        sure(1),
    ),
    "a number as a sequence": ("function: f S:s { result: #S } output [f 12]", sure(1)),
    "a sequence as a number": ("function: f N:n { result: N + 1 } output [f {1..3}]", sure(7)),
    "combinations are independent": (
        "function: f A:n B:n { result: 10 * A + B } output [f (d4) (d4)]",
        of(lambda a, b: 10 * a + b, D4, D4),
    ),
    "a function called by a function": (
        """function: double N:n { result: 2 * N }
        function: both N:n { result: [double N] + [double N + 1] }
        output [both d4]""",
        of(lambda a: 4 * a + 2, D4),
    ),
    "recursion": (
        """function: sum to N:n { if N < 1 { result: 0 } result: N + [sum to N - 1] }
        output [sum to 5]""",
        sure(15),
    ),
    "recursion that is cut off": ("function: f { result: 1 + [f] } output [f]", sure(10)),
    "cut off later": (
        'set "maximum function depth" to 30 function: f { result: 1 + [f] } output [f]',
        sure(30),
    ),
    "exploding by hand": (
        """function: wild N:n { if N = 6 { result: 6 + [wild d6] } result: N }
        set "maximum function depth" to 2
        output [wild d6]""",
        # the third call gives nothing, which counts as 0
        mixed(
            (Fraction(1), {face: Fraction(1, 6) for face in range(1, 6)}),
            (Fraction(1, 6), {face + 6: Fraction(1, 6) for face in range(1, 6)}),
            (Fraction(1, 36), sure(12)),
        ),
    ),
    "a later definition counts": (
        """function: f { result: 1 } function: g { result: [f] }
        function: f { result: 2 } output [g]""",
        sure(2),
    ),
    "one that there is, defined anew": (
        "function: highest N:n of D:d { result: 7 } output [highest 1 of 2d6]",
        sure(7),
    ),
    "variables inside vanish": (
        "X: 1 function: f { X: 2 result: X } output 10 * [f] + X",
        sure(21),
    ),
    "variables of the caller": ("function: f { result: X } X: 5 output [f]", sure(5)),
    "a caller's variable changes": (
        "function: f { result: X } function: g X:n { result: [f] } output [g 3] * 10 + [g 4]",
        sure(34),
    ),
    # Statements
    "loops count": ("X: 0 loop N over {1..4} { X: X + N } output X", sure(10)),
    "a loop's variable stays": ("loop N over {3, 9} { } output N", sure(9)),
    "conditions in order": (
        "X: 5 if X > 9 { Y: 1 } else if X > 3 { Y: 2 } else { Y: 3 } output Y",
        sure(2),
    ),
    "comments anywhere": ("output \\ two \\ 2 \\ of \nthese \\ d6", of(total, D6, D6)),
    "several outputs": ("output d4 output d6", [of(total, D4), of(total, D6)]),
    # Dice without faces
    "nothing counts as nothing": ("output d{} + 3", sure(3)),
    "nothing taken away": ("output 3 - d{}", sure(3)),
    "or nothing": ("output 1 | d{}", sure(1)),
    "no faces are no dice": ("output #d{}", sure(0)),
    "nor are several without faces": ("output #(3d{})", sure(0)),
    "as many as nothing says are one die": ("output #(d{}d2)", sure(1)),
    "beside that die is nothing": ("output 2@(d{}d2)", sure(0)),
    # Where a translation to another language goes wrong easily
    "twice a die, compared": ("output 2 * d6 = 4", of(lambda a: int(2 * a == 4), D6)),
    "faces of twice a die": ("output {2 * d3} = 4", sure(1)),
    "a repetition beside a number": ("output {5:3} = 5", sure(3)),
    "a repetition beside a sequence": ("output {5:3} = {5, 5, 5}", sure(1)),
    "one value for each face": (
        """function: f ROLL:s {
          N: 0 loop FACE over {1..3} { N: N + (ROLL > FACE) } result: N
        }
        output [f 2d4]""",
        of(lambda a, b: a + b - 2, D4, D4),
    ),
    "how many dice were given": ("function: f D:d { result: #D } output [f d6]", sure(1)),
    "a sequence that a function gives": (
        "function: f N:n { result: {1, N, 4} } output [f {1, 1}]",
        of(total, (1, 2, 4)),
    ),
    "a sequence for each outcome": (
        "function: f N:n { result: {1..N} } output [f d4] ",
        of(lambda a: a * (a + 1) // 2, D4),
    ),
    "a sequence or a number": (
        "function: f N:n { if N > 2 { result: {1, N} } result: N } output [f d4]",
        of(lambda a: a + 1 if a > 2 else a, D4),
    ),
    "dice of what a function gives": (
        "function: hits N:n { result: N > 4 } output 3d[hits d6]",
        of(lambda *t: sum(face > 4 for face in t), *[D6] * 3),
    ),
    "dice that a loop gathers": (
        "X: 0 + d1 loop N over {1..2} { X: X + N * [explode d2] } output X",
        of(lambda a, b: 1 + a + 2 * b, *[(1, 1, 1, 1, 3, 3, 5, 6)] * 2),
    ),
    "a die that a function gives": (
        """function: double N:n { result: 2 * N } function: of D:d { result: [double D] }
        X: [of d4] output X + X""",
        of(lambda a, b: 2 * a + 2 * b, D4, D4),
    ),
    "sorted dice are a sum": ("output 1@[sort 2d6]", of(total, D6, D6)),
    "reversed dice are a sum": (
        "output [reverse 2d6] = 6",
        of(lambda a, b: int(a + b == 6), D6, D6),
    ),
    "dice counted in dice": (
        "output [count 2d2 in 3d2]",
        of(lambda a, b, *t: t.count(a) + t.count(b), *[(1, 2)] * 5),
    ),
    "a sequence beside what comes of dice": (
        "function: f N:n { result: N } output {1, 2, 3} < [f d8]",
        of(lambda a: int(6 < a), D8),
    ),
    "as many sides as come": (
        "function: f N:n { result: d(N - 2) } output [f d4]",
        mixed(
            *[(Fraction(1, 4), sure(number)) for number in (-1, 0, 1)],
            (Fraction(1, 4), of(total, (1, 2))),
        ),
    ),
    "as many dice as come": (
        "function: f N:n { result: 2@((N - 2)d2) + (N - 2)d2 } output [f d4]",
        mixed(
            (Fraction(1, 4), of(lambda a: -a, (1, 2))),
            (Fraction(1, 4), sure(0)),
            (Fraction(1, 4), of(total, (1, 2))),
            (Fraction(1, 4), of(lambda a, b, c, d: min(a, b) + c + d, *[(1, 2)] * 4)),
        ),
    ),
    "the highest of negated dice": ("output 1@-2d6", of(lambda a, b: max(-a, -b), D6, D6)),
    "as many as a die says are a sum": (
        "output 1@(d2d4)",
        mixed((Fraction(1, 2), of(total, D4)), (Fraction(1, 2), of(total, D4, D4))),
    ),
    "fewer than none of the dice": (
        "function: f N:n { result: [highest N - 3 of 2d2] } output [f d4]",
        mixed((Fraction(3, 4), sure(0)), (Fraction(1, 4), of(max, (1, 2), (1, 2)))),
    ),
    "a place that is not there is a number": ("output {2, 3} > (0@2d6)", sure(2)),
    "successes explode": (
        "output [explode d6 > 3]",
        {0: Fraction(1, 2), 1: Fraction(1, 4), 2: Fraction(1, 8), 3: Fraction(1, 8)},
    ),
    "exploding dice in a function": (
        "function: f N:n { result: N + [highest 1 of 2d[explode d2]] } output [f 1]",
        of(lambda a, b: 1 + max(a, b), *[(1, 1, 1, 1, 3, 3, 5, 6)] * 2),
    ),
    "a variable that may change": (
        """function: f N:n { D: 2d2 loop I over {1..N} { D: 3d2 } result: #D }
        output [f d2 - 1]""",
        of(total, (2, 3)),
    ),
    # Known systems
    "forged in the dark": (
        """function: read N:n { if N = 6 { result: 2 } if N > 3 { result: 1 } result: 0 }
        output [read 1@3d6]""",
        of(lambda *t: 2 if max(t) == 6 else int(max(t) > 3), *[D6] * 3),
    ),
    "action against challenge": (
        """function: hits SCORE:n A:n B:n { result: (SCORE > A) + (SCORE > B) }
        output [hits (d6 + 2) (d10) (d10)]""",
        of(lambda s, a, b: (s + 2 > a) + (s + 2 > b), D6, D10, D10),
    ),
    "year zero, pushed": (
        """function: push ROLL:s {
          result: (ROLL = 6) + (#ROLL - (ROLL = 6) - (ROLL = 1))d(d6 = 6)
        }
        output [push 3d6]""",
        mixed(*[(Fraction(1, 216), pushed(throw)) for throw in product(D6, repeat=3)]),
    ),
    "bounded accuracy": (
        "AC: 16 output (d20 + 6 >= AC) * (d8 + 3)",
        of(lambda a, b: (b + 3) * (a + 6 >= 16), D20, D8),
    ),
    "an opposed pool": (
        "output (3d(d10 >= 7)) > (2d(d10 >= 7))",
        of(
            lambda *t: int(sum(t[:3]) > sum(t[3:])),
            *[[0] * 6 + [1] * 4] * 5,
        ),
    ),
}
"""By what each shows: the program, and the odds of its output, or of each."""
