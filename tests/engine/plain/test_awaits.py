"""What is not awaited, not compared or not ended in a rule is refused with what to write."""

# ruff: noqa: D103 - a rule here says all that it does in its own lines

from __future__ import annotations

import json
import random
import signal
from fractions import Fraction as F
from typing import Any

import pytest

import rollwright as rw
from rollwright import rules
from rollwright.dice import D6
from rollwright.engine import endless
from rollwright.errors import Misuse, NeverEnds
from rollwright.rules import choose, roll, rule
from tests.engine.plain.counting import compiled_odds

YES, ON = "yes", ("again", "stop")


def first(now: rw.Situation) -> Any:
    return now.options[0]


ASKS = (
    lambda call: rw.odds(call, first),
    lambda call: compiled_odds(call, first),
    lambda call: rw.roll(call, seed=1, policy=first),
)


# --- options are no truth ---


@rule
async def if_yes():
    if await choose("yes", "no"):
        return sum(await roll(D6))
    return 0


@rule
async def while_again():
    total = 0
    while await choose(*ON):
        total += sum(await roll(D6))
        if total > 6:
            break
    return total


@rule
async def if_not_yes():
    return 1 if not await choose(YES, "no") else 0


@rule
async def kept_in_a_name():
    answer = await choose("push", "keep")
    hand = await roll(D6)
    return hand.sum if answer else 0


@rule
async def both_have_to_hold():
    face = sum(await roll(D6))
    if face > 3 and await choose("yes", "no"):
        return face
    return 0


@rule
async def by_walrus():
    if answer := await choose("yes", "no"):
        return answer
    return ""


@rule
async def one_by_one():
    return len([n for n in range(2) if await rules.choose("keep", "drop")])


@rule
async def mistyped():
    return 1 if await choose("push", "keep") == "psuh" else 0


@rule
async def mistyped_later():
    answer = await choose("push", "keep")
    await roll(D6)
    return answer != "hold"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (if_yes(), r"always true, .* write `await choose\('yes', 'no'\) == 'yes'`"),
        (while_again(), r"write `await choose\(\*ON\) == 'again'`"),
        (if_not_yes(), r"write `await choose\(YES, 'no'\) == 'yes'`"),
        (kept_in_a_name(), "write `answer == 'push'`"),
        (both_have_to_hold(), r"write `await choose\('yes', 'no'\) == 'yes'`"),
        (by_walrus(), "write `answer == 'yes'`"),
        (one_by_one(), r"write `await rules\.choose\('keep', 'drop'\) == 'keep'`"),
        (mistyped(), "is never 'psuh': the options are 'push', 'keep'"),
        (mistyped_later(), "answer is never 'hold': the options are 'push', 'keep'"),
    ],
    ids=repr,
)
def test_options_that_are_texts_are_compared(call: Any, said: str) -> None:
    """Every text is true, so a test of one means nothing; and one that is no option is a slip."""
    for ask in ASKS:
        for _ in range(2):
            with pytest.raises(Misuse, match=said):
                ask(call)


@rule
async def truth_of_numbers():
    if await choose(False, True):
        return 1
    bought = await choose(0, 1, 2)
    return 2 if bought else 3


@rule
async def may_be_none():
    answer = None
    if sum(await roll(D6)) > 3:
        answer = await choose("a", "b")
    return 1 if answer else 0


@rule
async def may_be_empty():
    name = await choose("", "Bo")
    return 1 if name else 0


@rule
async def falls_back(name):
    chosen = name or await choose("a", "b")
    return chosen


def test_what_can_be_false_may_be_tested() -> None:
    """Numbers, an empty text, and a name that holds an answer only sometimes."""
    assert rw.odds(truth_of_numbers(), first).p(3) == 1
    assert rw.odds(may_be_none(), first).p(1) == F(1, 2)
    assert rw.odds(may_be_empty(), first).p(0) == 1
    assert rw.odds(falls_back(""), first).p("a") == 1


# --- helpers that are not awaited ---


async def hit():
    return sum(await roll(D6)) > 3


@rule
async def if_hit():
    return 1 if hit() else 0


@rule
async def kept_and_tested():
    landed = hit()
    if landed:
        return 1
    return 0


@rule
async def on_one_way():
    face = sum(await roll(D6))
    if face == 3:
        hit()
    return face


@rule
async def and_then():
    face = sum(await roll(D6))
    return 1 if face == 3 and hit() else 0


@rule
async def awaited_later():
    one, other = hit(), hit()
    face = sum(await roll(D6))
    landed = await one, await other
    return face if all(landed) else 0


@rule
async def awaited_in_turn():
    return sum([await each for each in [hit(), hit()]])


class Hero:
    async def strike(self):
        return sum(await roll(D6))

    async def turn(self):
        self.strike()
        return 1


@rule
async def takes_a_turn():
    return await Hero().turn()


@pytest.mark.filterwarnings("ignore:coroutine")
@pytest.mark.parametrize(
    ("call", "name"),
    [
        (if_hit(), "hit"),
        (kept_and_tested(), "hit"),
        (on_one_way(), "hit"),
        (and_then(), "hit"),
        (takes_a_turn(), "strike"),
    ],
    ids=repr,
)
def test_async_functions_are_awaited(call: Any, name: str) -> None:
    """One that is not does nothing, and is true: also on a way that is seldom gone."""
    for ask in (ASKS[0], ASKS[2]):
        with pytest.raises(Misuse, match=rf"write `await {name}\(…\)`"):
            ask(call)


def test_async_functions_may_be_awaited_later() -> None:
    """A name or a list may hold them until then."""
    assert rw.odds(awaited_later()).p(0) == F(3, 4)
    assert rw.odds(awaited_in_turn()).p(2) == F(1, 4)


# --- rules that are not the same each time ---

COUNTED: list[int] = []
STEADY = [True]


@rule
async def counts_itself():
    COUNTED.append(1)
    return len(COUNTED) + sum(await roll(D6))


@rule
async def draws():
    return random.randint(1, 6) + sum(await roll(D6))


@rule
async def came_to_change():
    face = sum(await roll(D6))
    if not STEADY[0]:
        COUNTED.append(1)
    return face + len(COUNTED)


def test_a_roll_is_the_same_each_time() -> None:
    """What changes outside a rule is refused when it is rolled, as it is when it is counted."""
    for _ in range(3):
        with pytest.raises(Misuse, match="changes COUNTED, which lies outside it"):
            rw.roll(counts_itself(), seed=1)
        with pytest.raises(Misuse, match=r"uses random, .* await a roll"):
            rw.roll(draws(), seed=1)


def test_a_verdict_does_not_blame_the_roll() -> None:
    """Where the rule has come to be another each time, that is what is said."""
    told = rw.roll(came_to_change(), faces=[3]).to_json()
    assert rw.verify(told).is_done
    STEADY[0] = False
    with pytest.raises(Misuse, match="something else each time it is told the same"):
        rw.verify(told)
    STEADY[0] = True
    false = json.loads(rw.roll(came_to_change(), faces=[3]).to_json())
    false["outcome"] += 1
    with pytest.raises(rw.RollwrightError, match="outcome"):
        rw.verify(false)


# --- rules without an end ---


@rule
async def throws_for_ever():
    while True:
        await roll(D6)


@rule
async def asks_for_ever():
    while await choose("again", "stop") == "again":
        pass
    return 0


@rule
async def computes_for_ever():
    n = sum(await roll(D6))
    while n > 0:
        n += 1
    return n


def test_a_roll_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often it throws dice or asks, and whether it asks for anything or not."""
    monkeypatch.setattr(endless, "MOST_ANSWERS", 100)
    for call in (throws_for_ever(), asks_for_ever()):
        with pytest.raises(NeverEnds, match=r"100 times in one roll .* write what ends it"):
            rw.roll(call, seed=1, policy=first)
    monkeypatch.setattr(endless, "SECONDS", 0.05)
    for ask in (ASKS[0], ASKS[2]):
        with pytest.raises(NeverEnds, match="asked for nothing and did not end"):
            ask(computes_for_ever())
    assert signal.getsignal(signal.SIGVTALRM) == signal.SIG_DFL


def test_a_policy_may_think(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time that it takes is not the rule's."""
    monkeypatch.setattr(endless, "SECONDS", 0.01)

    def slow(now: rw.Situation) -> Any:
        return max(range(600_000)) and now.options[-1]

    assert rw.roll(asks_for_ever(), policy=slow).outcome == 0
