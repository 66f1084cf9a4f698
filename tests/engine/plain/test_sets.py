"""The order of a set, which is another in each process, never comes to light in odds."""

# ruff: noqa: D103, RUF015 - a rule here says all that it does in its own lines

from __future__ import annotations

from fractions import Fraction as F
from functools import reduce
from itertools import product
from typing import Any

import pytest

import rollwright as rw
from rollwright.dice import D6, D20
from rollwright.errors import Misuse
from rollwright.rules import roll, rule

WEAPONS = frozenset({"axe", "bow", "club"})


@rule
async def listed():
    names = {"a", "b", "c"}
    await roll(D6)
    return list(names)[0]


@rule
async def the_next():
    names = {"a", "b", "c"}
    await roll(D6)
    return next(iter(names))


@rule
async def joined():
    names = {"a", "b", "c"}
    await roll(D6)
    return " ".join(names)


@rule
async def popped():
    names = {"a", "b", "c"}
    await roll(D6)
    return names.pop()


@rule
async def unpacked():
    names = {"a", "b", "c"}
    await roll(D6)
    first, second, third = names
    return first + second + third


@rule
async def written():
    names = {"a", "b", "c"}
    await roll(D6)
    return f"{names}"


@rule
async def as_text():
    names = {"a", "b", "c"}
    await roll(D6)
    return str(names)


@rule
async def comprehended():
    names = {"a", "b", "c"}
    await roll(D6)
    return [name for name in names][0]


@rule
async def by_key():
    names = {"a", "b", "c"}
    await roll(D6)
    return max(names, key=len)


@rule
async def gone_over():
    told = ""
    await roll(D6)
    for weapon in WEAPONS:
        told += weapon
    return told


@rule
async def in_a_dict():
    names = {"a", "b", "c"}
    await roll(D6)
    return tuple(dict.fromkeys(names))


@rule
async def starred():
    names = {"a", "b", "c"}
    await roll(D6)
    return (*names,)


@rule
async def generated():
    names = {"a", "b", "c"}
    await roll(D6)
    return tuple(name for name in names)


@rule
async def numbered():
    names = {"a", "b", "c"}
    await roll(D6)
    return tuple(name for _, name in enumerate(names))


@rule
async def reduced():
    names = {"a", "b", "c"}
    await roll(D6)
    return reduce(lambda one, other: one + other, names)


@rule
async def seldom():
    hand = await roll(5 * D20)
    names = {"a", "b", "c"}
    return list(names)[0] if hand.sum > 99 else ""


async def named(names):
    await roll(D6)
    return next(iter({*names}))


@rule
async def by_a_sorted_of_its_own():
    sorted = frozenset
    names = {"a", "b", "c"}
    await roll(D6)
    return list(sorted(names))


@rule
async def in_a_helper():
    return await named("abc")


@pytest.mark.parametrize(
    "call",
    [
        *(listed(), the_next(), joined(), popped(), unpacked(), written(), as_text()),
        *(comprehended(), by_key(), gone_over(), in_a_dict(), starred(), generated()),
        *(numbered(), reduced(), seldom(), in_a_helper(), by_a_sorted_of_its_own()),
    ],
    ids=repr,
)
def test_a_set_is_put_in_order_first(call: Any) -> None:
    """However its order would come to light, it is refused with what to write."""
    for _ in range(2):
        with pytest.raises(Misuse, match=r"line \d+ goes over a set, .*: go over sorted\(…\)"):
            rw.odds(call)


@rule
async def asked_for_no_order():
    hand = await roll(3 * D6)
    names = {"a", "b", "c"}
    assert min(names) + max(names) + sorted(names)[1] == "acb"
    assert "a" in names
    assert all(name in names for name in sorted(names))
    assert any(name == "b" for name in names)
    longest = max({"a", "bcd", "ef"}, key=len), sorted({"a", "bcd"}, key=lambda name: -len(name))
    assert longest == ("bcd", ["bcd", "a"])
    assert tuple(sorted((*names, "d"))) == ("a", "b", "c", "d")
    assert len({*names, *"cd"}) == 4
    return len(set(hand)), sum(face for face in {*hand}), max({face % 2 for face in hand})


@rule
async def of_small_numbers():
    hand = await roll(3 * D6)
    faces = set(hand)
    return max(faces, key=hand.count), list(faces)[0]


@rule
async def until_three_are_met():
    met: set[int] = set()
    while len(met) < 3:
        met.add(sum(await roll(D20)))
    return tuple(sorted(met))


def test_what_needs_no_order_is_counted() -> None:
    """Tests, sums and sizes; keys of which no two are equal; and numbers, the same everywhere."""
    assert rw.odds(asked_for_no_order()).p((1, 6, 0)) == F(1, 216)
    thrown = [*product(range(1, 7), repeat=3)]
    ones = [faces for faces in thrown if 1 in faces and max({*faces}, key=faces.count) == 1]
    assert rw.odds(of_small_numbers()).p((1, 1)) == F(len(ones), 216)
    assert abs(float(rw.odds(until_three_are_met()).p((1, 2, 3))) - 1 / 1140) < 1e-9
