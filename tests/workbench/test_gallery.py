"""Every program of the gallery runs, is told in each language, and is counted a second time."""

from fractions import Fraction
from itertools import product
from math import comb

import icepool
import pytest
from icepool import d6, d8, d10, d20

from rollwright import workbench
from rollwright.budget import Budget
from rollwright.workbench.gallery import FOLDER, GROUPS, programs
from rollwright.workbench.programs import load
from tests.docs.test_cookbook import RECIPES, counted, sure, theirs
from tests.engine.oracles import fractions

PROGRAMS = {one.name: one for one in programs()}
LANGUAGES = ("en", "de", "fr")


def advantage(made):
    """The best of two d20 with +5 against 15, by icepool."""
    call = made["attack"](5, 15, 2)
    yield fractions(made["rw"].odds(call)), theirs(d20.highest(2) + 5 >= 15)


def bell_or_flat(made):
    """Three d6 against 11, by icepool: one half."""
    yield fractions(made["rw"].odds(made["check"](0, 11))), theirs(d6 + d6 + d6 >= 11)
    yield sure(Fraction(1, 2)), sure((3 @ d6 >= 11).probability(True))


def exploding_dice(made):
    """In closed form: a die of n that explodes averages n (n + 1) / 2 (n - 1) exactly;
    six and more come in 3/16, 1/6 and 3/8 of all throws of d4, d6 and d8, with what is cut off."""
    for sides, closed in ((4, Fraction(3, 16)), (6, Fraction(1, 6)), (8, Fraction(3, 8))):
        die = made["exploding"](sides)
        lost = Fraction(die.lost, die.total)
        yield sure(made["six_or_more"][f"d{sides}"] + lost), sure(closed)
    for sides in (4, 6, 8):
        closed = Fraction(sides * (sides + 1), 2 * (sides - 1))
        yield sure(made["exploding"](sides).mean), sure(closed)


def how_many_dice(made):
    """The binomial in closed form."""
    yield sure(made["two_of_four"]), sure(at_least(2, 4, Fraction(1, 3)))
    for dice, needs in product(range(1, 7), range(2, 7)):
        found = made["rw"].odds(made["successes_of"](dice, needs)).at_most(0)
        yield sure(found), sure(Fraction(needs - 1, 6) ** dice)


def at_least(least, dice, chance):
    """The upper tail of a binomial."""
    return sum(
        comb(dice, n) * chance**n * (1 - chance) ** (dice - n) for n in range(least, dice + 1)
    )


def shadowrun(made):
    """All 6^8 throws as icepool counts vectors of hits and ones."""
    face = icepool.Die([icepool.Vector(one) for one in [(1, 0)] * 2 + [(0, 1)] + [(0, 0)] * 3])
    expected = (8 @ face).map(lambda hits, ones: (hits, ones > 4))
    yield fractions(made["tested"]), theirs(expected)


def storyteller(made):
    """All 10^5 throws of five dice."""

    def read(throw):
        wins, ones = sum(face >= 6 for face in throw), throw.count(1)
        return "success" if wins > ones else "botch" if ones and not wins else "failure"

    yield fractions(made["five_dice"]), counted(map(read, product(range(1, 11), repeat=5)))


def pbta(made):
    """The 36 throws: as the games print it, 6, 15 and 15 of them without a bonus."""
    yield (
        fractions(made["moves"]["+0"]),
        {
            "hit": Fraction(6, 36),
            "price": Fraction(15, 36),
            "miss": Fraction(15, 36),
        },
    )
    for stat in (-1, 1, 2, 3):
        grade = (2 @ d6 + stat).map(
            lambda total: "hit" if total >= 10 else "price" if total >= 7 else "miss"
        )
        yield fractions(made["moves"][f"{stat:+}"]), theirs(grade)


def fate(made):
    """The trinomial: 19 of the 81 throws are 0, 1 is +4 (counted by hand in every Fate book)."""
    weights = {0: 19, 1: 16, 2: 10, 3: 4, 4: 1}
    expected = {sign * n: Fraction(w, 81) for n, w in weights.items() for sign in (1, -1)}
    yield fractions(made["four_dice"]), expected


def savage_worlds(made):
    """icepool's exploding dice, the better of two, in raises."""
    own, wild = d8.explode(depth=5), d6.explode(depth=5)
    expected = icepool.highest(own, wild).map(lambda total: max((total - 4) // 4 + 1, 0))
    yield fractions(made["raises"]), theirs(expected)


def death_saves(made):
    """The states counted backwards: nobody is told twice, so it ends within five throws."""

    def ends(wins, losses):
        if losses >= 3:
            return {"dead": Fraction(1)}
        if wins >= 3:
            return {"stable": Fraction(1)}
        found = {"up": Fraction(1, 20)}
        for chance, after in (
            (Fraction(10, 20), (wins + 1, losses)),
            (Fraction(8, 20), (wins, losses + 1)),
            (Fraction(1, 20), (wins, losses + 2)),
        ):
            for end, share in ends(*after).items():
                found[end] = found.get(end, 0) + chance * share
        return found

    yield fractions(made["saved"]), ends(0, 0)


def pig(made):
    """The turn backwards from 100. Neller and Presser ("Optimal Play of the Dice Game Pig", 2004)
    give 8.14 points for a turn that holds at 20, which is the most a turn can bring."""

    def worth(score):
        return best[score] if score < 100 else Fraction(score)

    best = {}
    for score in range(99, -1, -1):
        throw = sum(worth(score + face) for face in range(2, 7)) / Fraction(6)
        best[score] = max(Fraction(score), throw)
    yield sure(made["best_turn"].value), sure(best[0])
    yield sure(made["holding_at"](20).mean), sure(best[0])
    yield sure("8.14"), sure(f"{float(best[0]):.2f}")


def craps(made):
    """The pass line wins 244 of 495 times: printed wherever the game is explained."""
    yield sure(made["passed"].p(True)), sure(Fraction(244, 495))


def coupons(made):
    """As icepool counts it, and on average 6 (1 + 1/2 + … + 1/6) = 14.7 throws."""
    yield from RECIPES["Until all faces"](made)
    mean = sum(throws * chance for throws, chance in fractions(made["until_all"]).items())
    closed = 6 * sum(Fraction(1, n) for n in range(1, 7))
    yield sure(True), sure(abs(mean - closed) < Fraction(1, 10**20))


def level_push(made):
    """T2K: D10 and D8; 6 to 9 is a success, 10 two; every throw, and the throw after a push."""

    def hits(face):
        return 0 if face < 6 else 1 if face < 10 else 2

    sizes = (10, 8)
    first = [throw for throw in product(*[range(1, size + 1) for size in sizes])]
    yield (
        fractions(made["never"].of("successes")),
        counted(sum(map(hits, throw)) for throw in first),
    )
    chances = {}
    for throw in first:
        loose = [size for size, face in zip(sizes, throw) if face > 1 and not hits(face)]
        got = sum(map(hits, throw))
        again = [(0,)] if got or not loose else product(*[range(1, size + 1) for size in loose])
        ends = [got + sum(map(hits, more)) for more in again]
        for end in ends:
            chances[end] = chances.get(end, 0) + Fraction(1, 80 * len(ends))
    yield fractions(made["pushed"].of("successes")), chances


def net_successes(made):
    """Five d10: 6 and more counts for, a 1 against; all 10^5 throws, but for where it stops."""
    found = fractions(made["five_dice"].of("net"))
    throws = counted(
        sum(face >= 6 for face in throw) - throw.count(1)
        for throw in product(range(1, 11), repeat=5)
    )
    above = {net: chance for net, chance in throws.items() if net > 0}
    yield {net: chance for net, chance in found.items() if net > 0}, above


def needs_ten(made):
    """A d20 that must show 10: 11 of 20, and with advantage 1 - (9/20)^2."""
    yield sure(made["plain"].of("success").p(True)), sure(Fraction(11, 20))
    yield sure(made["advantage"].of("success").p(True)), sure(1 - Fraction(9, 20) ** 2)


def four_outcomes(made):
    """2d10 + 3 in the levels 8, 14 and 20, by icepool."""

    def read(total):
        return 3 if total >= 20 else 2 if total >= 14 else 1 if total >= 8 else 0

    found = {}
    for outcome, chance in fractions(made["three"].of("result")).items():
        found[read(outcome)] = found.get(read(outcome), 0) + chance
    yield found, theirs((2 @ d10 + 3).map(read))
    yield sure(4), sure(len(made["three"].of("outcome")))


def each_die_fails(made):
    """With +2 a die passes with 5 to 9 and half of the 10s, 11 of 20; one of two will do."""
    passed = made["helped"].of("passed").p(True)
    yield sure(passed), sure(1 - Fraction(9, 20) ** 2)


CHECKS = {
    "ability_scores": RECIPES["Arrays of 4d6 drop lowest"],
    "advantage": advantage,
    "bell_or_flat": bell_or_flat,
    "exploding_dice": exploding_dice,
    "roll_and_keep": RECIPES["L5R roll and keep"],
    "how_many_dice": how_many_dice,
    "opposed_pools": RECIPES["Opposed pools"],
    "year_zero": RECIPES["Year Zero"],
    "forged_in_the_dark": RECIPES["Blades in the Dark"],
    "shadowrun": shadowrun,
    "storyteller": storyteller,
    "cortex": RECIPES["Cortex"],
    "one_roll_engine": RECIPES["One-Roll Engine"],
    "genesys": RECIPES["Genesys: dice with symbols"],
    "pbta": pbta,
    "ironsworn": RECIPES["Ironsworn"],
    "fate": fate,
    "savage_worlds": savage_worlds,
    "wfrp": RECIPES["WFRP"],
    "dogs_in_the_vineyard": RECIPES["Dogs in the Vineyard"],
    "criticals": RECIPES["d20 with criticals"],
    "attacks_to_kill": RECIPES["Attacks to kill"],
    "death_saves": death_saves,
    "risk": RECIPES["RISK"],
    "yahtzee": RECIPES["Yahtzee"],
    "pig": pig,
    "craps": craps,
    "until_all_faces": coupons,
    "twilight2000.push": level_push,
    "dust.dice_or_difficulty": net_successes,
    "edge20.help": needs_ten,
    "ghostburn.levels": four_outcomes,
    "kleptonomicon.advantage": each_die_fails,
}
"""The programs of the cookbook's systems leave behind what its recipes do, under the same names,
so that one independent count serves both."""


@pytest.mark.long
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_answers_what_an_independent_count_does(name):
    """Exactly: against icepool, all throws, a closed form or a published figure."""
    made = vars(load(PROGRAMS[name].text, Budget()).module)
    pairs = list(CHECKS[name](made))
    assert pairs
    for found, expected in pairs:
        assert expected == found


def test_there_are_enough_of_them_and_all_are_listed():
    """At least 25, every file of the folder among them, and each with a count of its own."""
    assert len(PROGRAMS) >= 25
    assert {file.stem for file in FOLDER.glob("*.txt")} == {
        name for names in GROUPS.values() for name in names
    }
    assert set(CHECKS) == set(PROGRAMS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_program_is_told(language):
    """Its title, its question and what is told are texts, not ids."""
    found = workbench.answer("gallery", {}, language=language)
    for item in found["items"]:
        for part in ("title", "question", "told"):
            assert item[part]
            assert "gallery." not in item[part]
        assert item["question"].endswith("?")
    assert all("group." not in group["title"] for group in found["groups"])


def test_one_program_is_asked_for_by_name():
    """With its text, to be opened."""
    (item,) = workbench.answer("gallery", {"name": "craps"})["items"]
    assert PROGRAMS["craps"].text == item["text"]
