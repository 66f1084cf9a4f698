"""A million faces of the fair stream against what fair dice show."""

from collections import Counter
from hashlib import sha256

import pytest

from rollwright.dice import Die
from rollwright.table.fairness import FairDice, key_of
from rollwright.table.history.statistics import chi_square, chi_square_tail
from tests.table.written_logs import SECRET

KINDS = {
    "d6": (Die(6), 250_000),
    "d10": (Die(10), 200_000),
    "d20": (Die(20), 200_000),
    "d7": (Die(7), 150_000),
    "d13": (Die(13), 100_000),
    "d100": (Die(100), 60_000),
    "weighted": (Die({"hit": 1, "miss": 2, "blank": 4}), 40_000),
}


def faces_of(die, count, each=500):
    """So many faces, a new key and a new place in the log for every few hundred."""
    faces = []
    for number in range(1, count // each + 1):
        call = sha256(number.to_bytes(32, "big")).digest()
        stream = FairDice(key_of(SECRET, "d1", number), call, number % 3)
        faces += stream.throw(each * die)
    return faces


@pytest.fixture(scope="module")
def thrown():
    """A million faces, of several kinds of dice."""
    return {name: faces_of(die, count) for name, (die, count) in KINDS.items()}


def test_they_are_a_million(thrown):
    """As promised."""
    assert 1_000_000 == sum(map(len, thrown.values()))


@pytest.mark.parametrize("name", KINDS)
def test_faces_come_as_often_as_they_should(thrown, name):
    """Chi-square: neither too uneven nor too even to be chance (both tails of one in a thousand).

    Key and places are fixed, so that this never fails by bad luck.
    """
    die, _ = KINDS[name]
    counts = Counter(thrown[name])
    value = chi_square([counts[face] for face in die.faces], die.weights)
    assert 0.001 < chi_square_tail(value, len(die.faces) - 1) < 0.999


@pytest.mark.parametrize("name", ["d6", "d10", "d20", "d7"])
def test_a_face_tells_nothing_of_the_next(thrown, name):
    """Chi-square over pairs of neighbours, in throws and across them."""
    die, _ = KINDS[name]
    faces = thrown[name]
    counts = Counter(zip(faces[::2], faces[1::2], strict=True))
    pairs = [(one, other) for one in die.faces for other in die.faces]
    value = chi_square([counts[pair] for pair in pairs], [1] * len(pairs))
    assert 0.001 < chi_square_tail(value, len(pairs) - 1) < 0.999


@pytest.mark.parametrize("name", ["d6", "d20"])
def test_places_in_a_throw_are_alike(thrown, name):
    """The first face after each key is as fair as all others: no key begins in a special way."""
    die, _ = KINDS[name]
    counts = Counter(thrown[name][::500])
    value = chi_square([counts[face] for face in die.faces], die.weights)
    assert 0.001 < chi_square_tail(value, len(die.faces) - 1) < 0.999
