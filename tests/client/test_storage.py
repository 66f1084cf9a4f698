"""What is kept in memory is bounded for each who keeps it, and for all of them together."""

import pytest

from rollwright.client.storage import HolderCache
from rollwright.errors import BadField

HERE, THERE = ("here", "one"), ("there", "two")


def held(kept, *names):
    """Which of these are still there."""
    found = []
    for name in names:
        try:
            found.append(kept.find(name))
        except BadField:
            found.append(None)
    return found


def test_a_holder_keeps_the_latest_of_its_own():
    """Who keeps too much loses the oldest of that, and nobody else loses anything."""
    gone = []
    kept = HolderCache("roll", 2, 100, release=gone.append)
    first = kept.put("a", THERE)
    mine = [kept.put(thing, HERE) for thing in "bcd"]
    assert ["a", None, "c", "d"] == held(kept, first, *mine)
    assert ["b"] == gone


def test_beyond_the_room_of_all_whoever_keeps_most_loses():
    """However many sessions an address opens, what others keep stays."""
    kept = HolderCache("roll", 10, 6)
    mine = [kept.put(thing, THERE) for thing in "ab"]
    flood = [kept.put(f"x{n}", ("here", f"session {n}")) for n in range(50)]
    assert ["a", "b"] == held(kept, *mine)
    assert 4 == sum(one is not None for one in held(kept, *flood))
    most = [kept.put(f"y{n}", ("here", "greedy")) for n in range(5)]
    assert [None] * 4 + ["y4"] == held(kept, *most)
    assert ["a", "b"] == held(kept, *mine)


def test_what_goes_on_keeps_its_name_and_its_holder():
    """Whoever goes on with a thing of somebody's does not take its place from them."""
    kept = HolderCache("roll", 1, 10)
    name = kept.put("a", HERE)
    other = kept.put("b", THERE)
    assert name == kept.put("c", THERE, name)
    assert ["c", "b"] == held(kept, name, other)
    assert "c" == kept.pop(name)
    with pytest.raises(BadField, match="no such roll, or no longer"):
        kept.pop(name)
