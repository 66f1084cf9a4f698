"""What is no rule, no policy and no goal is refused with what to write, and not by Python."""

# ruff: noqa: D103, B006 - a rule here says all that it does in its own lines

from __future__ import annotations

from functools import cache, partial, wraps
from typing import Any

import pytest

import rollwright as rw
from rollwright.dice import D6, Die
from rollwright.errors import Misuse
from rollwright.rules import choose, roll, rule

D2 = Die(2)


async def d(n):
    return sum(await roll(Die(n)))


def twice_over(function):
    @wraps(function)
    async def both(*values):
        return await function(*values) + await function(*values)

    return both


async def faces():
    yield await d(6)


class Thing:
    async def turn(self):
        return await d(6)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (staticmethod(d), "put @rule nearest to the function, below @staticmethod"),
        (classmethod(d), "put @rule nearest to the function, below @classmethod"),
        (cache(d), "put @rule nearest to the function"),
        (partial(d, 6), "put @rule nearest to the function"),
        (Thing, "a rule is an `async def` function, not <class"),
        (twice_over(d), r"put @rule nearest to the function, or name its values in what stands"),
        (faces, "yields: a rule returns one outcome"),
        (lambda n: n, "must be an `async def` function"),
        (d(6), "a rule is an `async def` function, not <coroutine"),
    ],
    ids=[
        "static",
        "class method",
        "cache",
        "partial",
        "class",
        "decorated",
        "yields",
        "lambda",
        "coroutine",
    ],
)
@pytest.mark.filterwarnings("ignore:coroutine")
def test_what_is_no_function_makes_no_rule(function: Any, said: str) -> None:
    """Where other decorators stand is said, and what to write."""
    with pytest.raises(Misuse, match=said):
        rule(function)


def test_an_async_function_without_rule_is_told_what_it_lacks() -> None:
    """Called or not, it is the first thing that a newcomer counts."""
    asked = d(6)
    for ask in (rw.odds, rw.roll, lambda what: rw.advise(what, int)):
        with pytest.raises(Misuse, match=r"write @rule above `async def d`, and give d\(…\)"):
            ask(d)
        with pytest.raises(Misuse, match="write @rule above `async def d`"):
            ask(asked)
    asked.close()


@rule
async def press():
    points = 0
    while points < 10 and await choose("roll", "stop", about=points) == "roll":
        points += await d(6)
    return points


async def never():
    return "stop"


async def points_later(points):
    return points


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: rw.odds(press(), {"player": "stop"}), "a policy is a function of the situation"),
        (lambda: rw.odds(press(), "stop"), "write lambda now: 'stop'"),
        (lambda: rw.odds(press(), lambda: "stop"), "a policy takes one thing, the situation"),
        (lambda: rw.odds(press(), lambda now, _: "stop"), "a policy takes one thing"),
        (lambda: rw.odds(press(), lambda now: never()), "the policy is an async function"),
        (lambda: rw.cost(press(), 3), "a policy is a function of the situation"),
        (lambda: rw.odds(press(), rw.best(3)), "a goal is a function of the outcome"),
        (lambda: rw.advise(press(), 3), "a goal is a function of the outcome"),
        (lambda: rw.advise(press(), lambda: 3), "a goal takes one thing, the outcome"),
        (lambda: rw.advise(press(), points_later), "the goal is an async function"),
        (lambda: rw.advise(press(), int, others={"player": "stop"}), "a function of the decision"),
    ],
)
@pytest.mark.filterwarnings("ignore:coroutine")
def test_what_is_no_policy_and_no_goal_is_refused(ask: Any, said: str) -> None:
    """Python's own errors would name a line of ours, or nothing that helps."""
    with pytest.raises(Misuse, match=said):
        ask()


def test_names_that_see_a_throw_are_a_list() -> None:
    """A text would be taken letter by letter, and nobody is called by one letter."""
    with pytest.raises(Misuse, match=r"sees=\['player'\]"):
        roll(D6, sees="player")


@rule
async def added_one_by_one(n):
    return sum(await d(6) for _ in range(n))


@rule
async def the_best_of(n):
    return max([0]) + max(await d(6) for _ in range(n))


@pytest.mark.parametrize("call", [added_one_by_one(2), the_best_of(2)], ids=repr)
def test_an_await_in_a_generator_is_refused(call: Any) -> None:
    """Python says that an async generator is not iterable, and not what to write."""
    for ask in (rw.odds, lambda call: rw.roll(call, seed=1)):
        with pytest.raises(Misuse, match=r"line \d+: .*write a list, `(sum|max)\(\[…\]\)`"):
            ask(call)


@rule
async def misspelt():
    match await choose("keep", "push"):
        case "keep":
            return 0
        case "pusch":
            return 1


@rule
async def spelt():
    match await choose("keep", "push"):
        case "keep" | "push" as done:
            return len(done)


def test_a_case_that_is_no_option_is_refused() -> None:
    """It would never be come to, and nothing said so."""
    with pytest.raises(Misuse, match="is never 'pusch': the options are 'keep', 'push'"):
        rw.odds(misspelt(), lambda now: now.options[0])
    assert rw.advise(spelt(), lambda n: n).value == 4


async def remembers(face, seen=[]):
    seen.append(face)
    return len(seen)


async def looks_up(face, known={}):
    if face not in known:
        known[face] = await d(6)
    return known[face]


@rule
async def counts_with_a_default():
    return await remembers(await d(2))


@rule
async def throws_but_once():
    return await looks_up(await d(2)) + await looks_up(1)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (counts_with_a_default(), "changes the default seen of remembers"),
        (throws_but_once(), "changes the default known of looks_up"),
    ],
    ids=repr,
)
def test_a_default_that_is_changed_is_named(call: Any, said: str) -> None:
    """It lives on from one way to the next, as every newcomer to Python finds out."""
    with pytest.raises(Misuse, match=said):
        rw.odds(call)


@rule
async def lists():
    return [await d(2)]


@rule
async def dicts():
    return {"a": await d(2)}


def test_an_outcome_that_can_change_is_told_what_to_write() -> None:
    """A list is the most natural thing to return."""
    for ask in (rw.odds, lambda call: rw.advise(call, len)):
        with pytest.raises(Misuse, match=r"not \[1\]: return tuple\(…\)"):
            ask(lists())
        with pytest.raises(Misuse, match=r"not \{'a': 1\}: return tuple\(….items\(\)\)"):
            ask(dicts())
