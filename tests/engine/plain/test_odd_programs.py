"""Programs that set a trap for the compiler: what they come to is what Python makes of them."""

# ruff: noqa: D103, E722, E731, F811, F841 - odd on purpose

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import Any

import pytest

import rollwright as rw
from rollwright.dice import D4, D6, Die
from rollwright.engine.steps import Call
from rollwright.errors import Misuse
from rollwright.rules import Rule, choose, roll, rule
from tests.engine.plain.counting import compiled_odds, compiled_value
from tests.engine.plain.naive import brute_odds, brute_value

D2, D3 = Die(2), Die(3)
row = "a global of the same name as a local variable"


async def d(n=2):
    return sum(await roll(Die(n)))


# --- what is asked of each face of a hand may change something ---


@rule
async def faces_seen_once():
    hand = await roll(3 * D6)
    seen: set[int] = set()
    return len([f for f in hand if not (f in seen or seen.add(f))])


@rule
async def a_log_of_faces():
    hand = await roll(3 * D3)
    log: list[int] = []
    total = sum(log.append(f) or 1 for f in hand)
    return total, tuple(log)


@rule
async def a_test_that_remembers():
    hand = await roll(3 * D3)
    seen: set[int] = set()
    return len(hand.where(lambda f: not (f in seen or seen.add(f))))


@rule
async def a_dict_that_fills_up():
    count: dict[int, int] = defaultdict(int)
    hand = await roll(2 * D6)
    total = sum(count[f] for f in hand)
    return len(count)


@rule
async def an_iterator_that_is_used_up():
    left = iter([1, 2, 3, 4, 5, 6])
    hand = await roll(2 * D6)
    return sum(1 for f in hand if f in left)


@rule
async def any_with_what_fails_for_some():
    hand = await roll(2 * D6)
    return any(12 // (f - 1) > 6 for f in hand if f > 1), all({1: 1}.get(f, f) for f in hand)


@rule
async def sets_that_were_filled_in_another_order():
    some = set()
    for _ in range(2):
        some.add(8 * await d() - 8)
    await d()
    return tuple(some), some.pop()


# --- numbers and hands that nobody has looked at go into plain functions ---


def kind_of(value):
    return type(value).__name__


def looked_up(n):
    try:
        return {5: 1}[n]
    except:
        return 0


class Sheet:
    def noted(self, n):
        return "number" if type(n) is int else "none"


@rule
async def a_helper_asks_for_the_type_of_a_number():
    hand = await roll(3 * D6)
    return kind_of(hand.count(6))


@rule
async def a_helper_asks_for_the_type_of_a_hand():
    return kind_of(await roll(3 * D6))


@rule
async def a_method_asks_for_the_type():
    hand = await roll(3 * D6)
    return Sheet().noted(hand.sum)


@rule
async def a_bare_except_now():
    first = await d(6)
    hand = await roll(3 * D6)
    return looked_up(hand.count(6) + hand.count(5)) if first == 6 else 0


@rule
async def a_bare_except_later():
    hand = await roll(3 * D6)
    n = hand.sum
    first = await d(6)
    return (looked_up(n - 10), looked_up(hand.count(6) + 3)) if first == 6 else (0, 0)


@rule
async def a_bare_except_about_one_kind():
    hand = await roll(3 * D6 + 2 * D4)
    return looked_up(hand.of(D6).sum - 10) if hand.of(D4).sum > 7 else 0


# --- functions inside share variables with the rule ---


@rule
async def a_function_inside_fills_a_list():
    row: list[int] = []

    async def put():
        row.append(await d())

    await put()
    await put()
    return tuple(row)


@rule
async def functions_inside_share_what_they_hold():
    row: list[int] = []
    table: dict[int, int] = {}

    async def put(k, other=row):
        row.append(await d())
        table[k] = len(other)
        await d()
        return other is row

    same = [await put(k) for k in range(2)]
    again = put
    await again(9)
    return tuple(row), tuple(table.items()), tuple(same)


@rule
async def a_function_inside_calls_itself():
    row: list[int] = []

    async def go(k):
        if k:
            row.append(await d())
            await go(k - 1)

    await go(3)
    return tuple(row)


@rule
async def a_function_inside_is_given_functions():
    async def told(f):
        return f(await d())

    row: list[int] = []
    await told(row.append)
    await told(lambda n: row.append(2 * n))
    return tuple(row)


def times(k):
    async def inner(x):
        return x * k + await d()

    return inner


@rule
async def functions_made_by_a_function():
    two, three = times(2), times(3)
    return await two(await d()), await three(await d())


COUNTED: list[Call[Any]] = [one() for one in list(globals().values()) if isinstance(one, Rule)]


@pytest.mark.parametrize("call", COUNTED, ids=repr)
def test_odd_programs_are_counted_as_they_are_played(call: Call[Any]) -> None:
    """Source: each way through the coroutine, run from the start; merged, unmerged and replayed."""
    expected = {(type(outcome), repr(outcome)): weight for outcome, weight in brute_odds(call)}
    for merges, learns in itertools.product((True, False), repeat=2):
        assert compiled_odds(call, merges=merges, learns=learns) == expected
    found = rw.odds(call)
    assert {(type(o), repr(o)): rw.Dist.p(found, o) for o in found} == expected


# --- ways that change nothing share what lives, those that do have copies ---


@rule
async def some_options_change_what_lives(how):
    score, row = {"a": 0, "b": 0}, [1]
    other, rows = row, [row]
    for who in "ab":
        x = await d(3)
        total = score[who] + x + len(row)
        if await choose("keep", "take", about=(x, total)) == "take":
            score[who] += x
            other.append(x)
        else:
            row += [0]
        y = await d()
        if how == "alias":
            left = row
            left += [y]
        elif how == "either":
            left = row or [5]
            left += [y]
        elif how == "loop":
            for left in rows:
                left += [y, y]
        elif how == "most":
            left = max(rows)
            left *= y
        elif how == "method":
            row.reverse()
        await d()
    return score["a"] * 10 + score["b"] - sum(row) * 3 + len(other) * row[0]


@pytest.mark.parametrize("how", ["no", "alias", "either", "loop", "most", "method"])
def test_what_ways_share_is_changed_for_nobody_else(how: str) -> None:
    """Source: each way through the coroutine by itself, the best of the options taken."""
    call = some_options_change_what_lives(how)
    for merges, learns in itertools.product((True, False), repeat=2):
        value = compiled_value(call, lambda n: n, merges=merges, learns=learns)
        assert value == brute_value(call, lambda n: n)


# --- what cannot be cut is replayed ---


@rule
async def a_variable_that_a_pattern_binds():
    x = 0
    f = lambda: x
    y = await d(3)
    match y:
        case x:
            pass
    return f()


@rule
async def a_variable_that_is_bound_on_the_same_line():
    x = 0
    f = lambda: x; y = await d(3); x = y; z = await d()  # noqa: E702  # fmt: skip
    return f()


@rule
async def a_variable_of_a_handler():
    x: Any = 5
    f = lambda: x
    y = await d(3)
    try:
        raise ValueError(y)
    except ValueError as x:
        pass
    try:
        return f()
    except NameError:
        return "gone"


@rule
async def a_variable_that_is_imported():
    x: Any = 5
    f = lambda: x
    await d()
    import math as x

    return getattr(f(), "__name__", f())


@rule
async def a_variable_that_is_bound_later():
    async def first():
        return row[0] + await d()

    row = [await d()]
    return await first()


@rule
async def a_number_that_a_function_inside_changes():
    n = 0

    async def step():
        nonlocal n
        n += await d()

    await step()
    return n


@rule
async def a_class_inside_uses_variables():
    x = 0

    class Held:
        def get(self):
            return x

    held = Held()
    x = await d(3)
    await d()
    return held.get()


@rule
async def a_class_inside_counts():
    class Held:
        n = 0

    await d()
    Held.n += await d()
    await d()
    return Held.n


CHANGES = "uses a variable that changes later"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (a_variable_that_a_pattern_binds(), CHANGES),
        (a_variable_that_is_bound_on_the_same_line(), CHANGES),
        (a_variable_of_a_handler(), CHANGES),
        (a_variable_that_is_imported(), CHANGES),
        (a_variable_that_is_bound_later(), CHANGES),
        (a_number_that_a_function_inside_changes(), CHANGES),
        (a_class_inside_uses_variables(), "write it outside of the rule"),
        (a_class_inside_counts(), "write it outside of the rule"),
    ],
    ids=repr,
)
def test_what_a_way_would_share_with_others_is_replayed(call: Call[Any], said: str) -> None:
    """It has the odds of every way by itself."""
    with pytest.raises(AssertionError, match=rf"line \d+: .*{said}"):
        compiled_odds(call)
    expected = {(type(outcome), repr(outcome)): weight for outcome, weight in brute_odds(call)}
    found = rw.odds(call)
    assert {(type(o), repr(o)): rw.Dist.p(found, o) for o in found} == expected


@rule
async def a_rule_inside_fills_a_list():
    row: list[int] = []

    @rule
    async def put():
        row.append(await d())

    await put()
    return tuple(row)


@rule
async def a_rule_inside_uses_variables():
    k = await d()

    @rule
    async def more():
        return k + await d()

    first = await more()
    k = 10 * await d()
    return first, await more()


@pytest.mark.parametrize(
    ("call", "name"),
    [(a_rule_inside_fills_a_list(), "row"), (a_rule_inside_uses_variables(), "k")],
    ids=repr,
)
def test_a_rule_inside_uses_no_variables(call: Call[Any], name: str) -> None:
    """A part is counted once for equal arguments, and not when it is called."""
    with pytest.raises(Misuse, match=f"uses its {name}, which may change: leave out @rule"):
        rw.odds(call)


# --- what lies outside changes between two counts, or in one ---

TARGET = 5


def hits(face):
    return face >= TARGET


def hits_too(face):
    return hits(face)


@rule
async def read_by_a_global():
    return (await roll(3 * D6, read=lambda f: f >= TARGET)).count(True)


@rule
async def read_by_a_function_of_a_function():
    return (await roll(3 * D6, read=hits_too)).count(True)


@pytest.mark.parametrize("asked", [read_by_a_global, read_by_a_function_of_a_function], ids=repr)
def test_a_number_that_a_reading_names_may_be_another_one(
    asked: Rule[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a notebook, where it is given another value and the cell is run again."""
    assert rw.odds(asked()).mean == 1
    monkeypatch.setattr(f"{__name__}.TARGET", 4)
    assert rw.odds(asked()).mean * 2 == 3


class Tally:
    hits = 0


def counts_in_a_class(x):
    Tally.hits += 1
    return x + (Tally.hits > 3)


def counts_by_itself(x):
    counts_by_itself.calls = getattr(counts_by_itself, "calls", 0) + 1
    return x + (counts_by_itself.calls > 3)


TOLD = [0]


def counts_in_a_list(x):
    TOLD.append(1)
    return x + (len(TOLD) > 9)


@rule
async def seldom_through_a_class():
    face = await d(6)
    return counts_in_a_class(face) if face == 3 else face


@rule
async def seldom_by_itself():
    face = await d(6)
    return counts_by_itself(face) if face == 3 else face


def made_with(function):
    @rule
    async def seldom():
        face = await d(6)
        return function(face) if face == 3 else face

    return seldom


def test_what_is_changed_seldom_is_seen() -> None:
    """On no way of all first or all last faces: the values themselves are compared."""
    rw.odds(made_with(abs)())
    rw.odds(made_with(lambda x: x)())
    for asked, said in (
        (seldom_through_a_class, "changes Tally"),
        (seldom_by_itself, "changes counts_by_itself"),
        (made_with(counts_in_a_list), "changes TOLD"),
    ):
        with pytest.raises(Misuse, match=said):
            rw.odds(asked())
