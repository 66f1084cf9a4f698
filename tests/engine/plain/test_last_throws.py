"""Sums that are thrown last: what follows is asked once for each, however a rule came there."""

from __future__ import annotations

import pytest
from benchmarks.workloads import pig_duel

import rollwright as rw
from rollwright.dice import D6, D8
from rollwright.engine.compiled import machine
from rollwright.engine.compiled.following import Rest
from rollwright.engine.compiled.positions import Compiling
from rollwright.errors import RollwrightError
from rollwright.rules import choose, roll, rule, tally


async def pushed_or_not(hand):
    """Keep the dice, or throw those below 4 again and add them up with the others."""
    low = hand.where([1, 2, 3])
    if not low or await choose("keep", "push") == "keep":
        return hand.sum, False
    return await tally(low.pool, start=(hand - low).sum), True


@rule
async def pushing(count):
    """Throw many dice, and perhaps some of them again."""
    hand = await roll(count * D6 + count * D8)
    total, pushed = await pushed_or_not(hand)
    return total, pushed


@rule
async def twice_at_most(count):
    """A sum after which there may be one more throw."""
    hand = await roll(count * D6 + D8)
    low = hand.where([1, 2, 3])
    total = await tally(low.pool, start=(hand - low).sum)
    if total > 4 * count:
        return total
    return total - await tally(D6)


@rule
async def fails_late(count):
    """Fail at one sum of many."""
    hand = await roll(count * D6 + count * D8)
    total = await tally(hand.where(1).pool, start=hand.sum)
    return 1 // (total - 20)


def by_hand(what, policy=None, of=None):
    """The same with every way by itself."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Compiling, "last_throw", lambda *_: None)
        patched.setattr(Compiling, "sums_after", lambda *_: {})
        return rw.odds(what, policy, of=of)


def push(situation):
    """Push whenever it is allowed."""
    return "push" if "push" in situation.options else "keep"


@pytest.mark.long
@pytest.mark.parametrize("of", [None, lambda end: end[0] > 9])
def test_throws_that_go_on_alike_are_added_up_together(of, monkeypatch):
    """The odds are those of every way, and each sum is asked about once."""
    asked, call, of_all = [], Rest.__call__, Rest.of_all

    def ask_all(rest, sums, waiting):
        sums = [*sums]
        asked.extend(sums)
        return of_all(rest, sums, waiting)

    monkeypatch.setattr(Rest, "__call__", lambda *args: asked.append(args[1]) or call(*args))
    monkeypatch.setattr(Rest, "of_all", ask_all)
    expected = by_hand(pushing(3), push, of)
    assert not asked
    assert expected == rw.odds(pushing(3), push, of=of)
    assert 30 < len(asked) < 50


@pytest.mark.long
def test_best_play_is_that_of_every_way():
    """The worth of best play, its lines and its odds."""
    what = pushing(2)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Compiling, "last_throw", lambda *_: None)
        patched.setattr(Compiling, "sums_after", lambda *_: {})
        expected = rw.advise(what, lambda end: min(end[0], 12))
        flow = rw.odds(what, rw.best(lambda end: min(end[0], 12)))
    found = rw.advise(what, lambda end: min(end[0], 12))
    assert expected.value == found.value
    assert expected.lines == found.lines
    assert flow == rw.odds(what, rw.best(lambda end: min(end[0], 12)))


def test_a_sum_after_which_something_is_asked_is_not_the_last():
    """Small sums have another throw, large ones have not."""
    what = twice_at_most(4)
    assert by_hand(what) == rw.odds(what)
    goal = lambda total: total  # noqa: E731
    assert rw.odds(what).mean == rw.advise(what, goal).value


def test_what_goes_wrong_after_it_is_told_with_its_way():
    """The faces that led there are named."""
    with pytest.raises(ZeroDivisionError) as told:
        rw.odds(fails_late(3))
    assert "fails_late" in "".join(getattr(told.value, "__notes__", []))
    assert not isinstance(told.value, RollwrightError)


def test_words_that_a_rule_finds_around_it_change_nothing_either(monkeypatch):
    """A rule inside a function shares its dict on ways that do not change it."""
    shares, told = [], machine.Machine.shares
    monkeypatch.setattr(
        machine.Machine, "shares", lambda *args: shares.append(told(*args)) or shares[-1]
    )
    pig_duel.ours(10)()
    assert any(shares)
