"""The dice of a Test, the Test itself and the Contest, in the book's order."""

from __future__ import annotations

from rollwright.dice import D10, Die
from rollwright.rules import Call, Ending, fold, rule, tally, together

from .outcomes import (
    MIXED,
    ContestOutcome,
    Score,
    TestOutcome,
    ranges_in_effect,
    score_of,
    shorthand_of,
)
from .requests import Contest, Player, Test, capped

COIN = Die(["lost", "won"], name="coin")
AGAIN = Die(10, name="again")
D10ISH = Die([0, *range(1, 10), *range(1, 10), 10], name="d10ish")
TOSS = Die(["first", "second"], name="toss")
NONE_YET = -1


@rule
async def kept_die(net: int, method: str, coins: str) -> Ending[int]:
    """Roll a d10 and one more for each Advantage or Disadvantage; 0 is a 0! and 10 is a 10!."""
    count = abs(net) + 1
    if method == "d10ish":
        return fold(count * D10ISH, NONE_YET, _highest if net >= 0 else _lowest)
    keep = _high_and_tens if net >= 0 else _low_and_tens
    plain, tens = await fold(count * D10, (NONE_YET, 0), keep)
    if not tens:
        return plain
    decider = AGAIN if method == "odd_even" else COIN
    flips = tens if coins == "each" else 1
    return tally(flips * decider, is_won, finish=_resolved, given=(plain, flips, net >= 0))


def is_won(face: object) -> int:
    """Whether a coin is won, or a die rolled again is even."""
    return int(face == "won" or (isinstance(face, int) and face % 2 == 0))


def _highest(kept: int, face: int, count: int) -> int:
    return face if count else kept


def _lowest(kept: int, face: int, count: int) -> int:
    return face if count and kept == NONE_YET else kept


def _high_and_tens(state: tuple[int, int], face: int, count: int) -> tuple[int, int]:
    plain, _ = state
    return (plain, count) if face == 10 else (_highest(plain, face, count), 0)


def _low_and_tens(state: tuple[int, int], face: int, count: int) -> tuple[int, int]:
    plain, _ = state
    return (plain, count) if face == 10 else (_lowest(plain, face, count), 0)


def _resolved(won: int, plain: int, flips: int, highest: bool) -> int:
    """The die that counts once every 10 has become a 0! or a 10!."""
    decisive, end = (won, 10) if highest else (flips - won, 0)
    if decisive:
        return end
    return 10 - end if plain == NONE_YET else plain


@rule
async def make_test(request: Test) -> Ending[TestOutcome]:
    """Roll, keep one die, add the Modifier; the Score is read against every range."""
    if request.dice:
        pool, own = shorthand_of(request.dice)
        start = request.modifier if own is None else own
        return tally(pool, start=start, finish=_summed, given=(request,))
    kept = await kept_die(request.net, request.method, request.house.coins)
    return _read(request, score_of(kept, request.modifier))


def _summed(total: int, request: Test) -> TestOutcome:
    return _read(request, Score(total))


def _read(request: Test, score: Score) -> TestOutcome:
    only = request.house.critical_ranges == "critical_only"
    return TestOutcome(
        score=score.value,
        critical=score.side,
        band=score.band,
        passed=score.value >= MIXED,
        ranges=ranges_in_effect(request.ranges, score, critical_only=only),
    )


@rule
async def hold_contest(request: Contest) -> Ending[ContestOutcome]:
    """Both sides make a Test; the higher Score wins, and a toss decides between equal ones."""
    first_die, second_die = await together(
        _side(request, request.first), _side(request, request.second)
    )
    beyond = request.house.critical_value == "beyond"
    first = score_of(first_die, request.first.modifier, beyond=beyond)
    second = score_of(second_die, request.second.modifier, beyond=beyond)
    if first.value == second.value:
        return tally(TOSS, _tossed, finish=_decided, given=(first, second))
    return _decided(int(first.value > second.value), first, second)


def _side(request: Contest, side: Player) -> Call[int]:
    return kept_die(capped(side.net), request.method, request.house.coins)


def _tossed(face: str) -> int:
    return int(face == "first")


def _decided(first_wins: int, first: Score, second: Score) -> ContestOutcome:
    return ContestOutcome(
        winner="first" if first_wins else "second",
        tied=first.value == second.value,
        first_score=first.value,
        second_score=second.value,
        first_critical=first.side,
        second_critical=second.side,
    )
