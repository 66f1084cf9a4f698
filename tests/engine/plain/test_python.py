"""What Python's own words mean in a rule: the same in the compiled form as when it is played."""

# ruff: noqa: B007, B008, D103, F841, SIM105 - the rules here say what may be said in Python

from __future__ import annotations

import contextlib
import copy
import itertools
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from decimal import Decimal
from enum import IntEnum
from functools import partial
from typing import Any, NamedTuple

import pytest

import rollwright as rw
from rollwright.dice import Die
from rollwright.engine.steps import Call
from rollwright.rules import roll, rule
from tests.engine.plain.counting import compiled_odds
from tests.engine.plain.naive import brute_odds

D2, D3 = Die(2), Die(3)


class Hit(NamedTuple):
    n: int


class Miss(NamedTuple):
    n: int


@dataclass
class Fighter:
    hp: int
    tags: list[int] = field(default_factory=list)

    def hit(self, n):
        self.hp -= n
        self.tags.append(n)

    async def strike(self, other):
        other.hit(await d())


class Deck(list[int]):
    mark = "a"


class Table(dict[str, int]):
    pass


class Level(int):
    pass


class Weight(float):
    pass


class Name(str):
    pass


class Slots:
    __slots__ = ("x", "y")

    def __init__(self):
        self.x = 0


class Bounded:
    def __init__(self):
        self._x = 0

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, value):
        self._x = max(0, value)


class Opened:
    def __init__(self, row):
        self.row = row

    def __enter__(self):
        return self.row

    def __exit__(self, *problem: object):
        self.row.append(9)


async def d(n=2):
    return sum(await roll(Die(n)))


async def push(row):
    row.append(await d())
    return row


async def swap(a, b):
    if await d() == 1:
        a[:], b[:] = b[:], a[:]


# --- what can change, and is shared ---


@rule
async def helpers_change_two():
    a, b = [1], [2]
    await swap(a, b)
    await swap(a, a)
    return tuple(a), tuple(b)


@rule
async def a_helper_gives_back_what_it_was_given():
    a: list[int] = []
    b = await push(a)
    await push(b)
    return tuple(a), a is b


@rule
async def one_list_in_a_dict_twice():
    held: dict[str, list[int]] = {"x": [], "y": []}
    held["z"] = held["x"]
    for name in ("x", "y", "z"):
        await push(held[name])
    return tuple(map(tuple, held.values())), held["z"] is held["x"]


@rule
async def a_list_with_itself_in_it():
    row: list[Any] = []
    row.append(row)
    row.append(await d())
    row.append(await d())
    return row[0] is row, row[1], row[2]


@rule
async def a_method_of_a_list():
    row = [1]
    put = row.append
    put(await d())
    put(await d())
    return tuple(row)


@rule
async def objects_fight():
    a, b = Fighter(3), Fighter(3)
    while a.hp > 0 and b.hp > 0:
        await a.strike(b)
        if b.hp > 0:
            await b.strike(a)
    return a.hp, tuple(b.tags)


@rule
async def deep_copies():
    one = [[1]]
    other = copy.deepcopy(one)
    other[0][0] += await d()
    return one[0][0], other[0][0]


@rule
async def slots_and_properties():
    one, other = Slots(), Bounded()
    one.x += await d()
    other.x += await d()
    other.x -= 2
    one.x += await d()
    return one.x, other.x, hasattr(one, "y")


# --- kinds made of Python's own ---


@rule
async def a_list_of_ones_own():
    deck = Deck([1])
    deck.append(await d())
    if await d() == 1:
        deck.mark = "b"
    await d()
    return tuple(deck), deck.mark


@rule
async def a_dict_of_ones_own():
    table = Table(a=1)
    table["b"] = await d()
    if await d() == 1:
        table.note = "x"
    await d()
    return tuple(table.items()), hasattr(table, "note")


@rule
async def numbers_and_words_of_ones_own():
    level = Level(await d())
    weight = Weight(await d())
    name = Name(await d())
    await d()
    return int(level), float(weight) > 1.5, str(name)


@rule
async def other_kinds():
    rows: defaultdict[int, list[int]] = defaultdict(list)
    order = OrderedDict(a=1, b=2)
    chain: ChainMap[str, int] = ChainMap({}, {"a": 1})
    count: Counter[int] = Counter()
    rows[await d()].append(await d())
    if await d() == 1:
        order.move_to_end("a")
    chain["a"] = count[await d()] = 3
    await d()
    return repr(rows), tuple(order), chain.parents["a"], tuple(count)


@rule
async def bytes_and_queues():
    told, queue = bytearray(b"ab"), deque([1, 2, 3])
    told.append(96 + await d())
    queue.rotate(await d())
    await d()
    return bytes(told), tuple(queue)


@rule
async def tuples_of_ones_own():
    Pair = namedtuple("Pair", "a b")
    pair = Pair(await d(), Decimal(1))
    pair = pair._replace(b=await d())
    return pair.a + pair.b, type(pair).__name__


# --- equal, and not the same ---


@rule
async def true_or_one():
    flag = [True] if await d() == 1 else [1]
    whole = frozenset([True]) if await d() == 1 else frozenset([1])
    await d()
    return repr(flag), repr(sorted(whole))


@rule
async def hit_or_miss():
    found = [(Hit(1),)] if await d() == 1 else [(Miss(1),)]
    await d()
    return type(found[0][0]).__name__


@rule
async def zeros_and_names():
    class Size(IntEnum):
        ONE = 1

    zero = 0.0 if await d() == 1 else -0.0
    one = Size.ONE if await d() == 1 else 1
    await d()
    return repr(zero), type(one).__name__


@rule
async def order_of_a_dict():
    seen: dict[str, int] = {}
    for name in ("a", "b"):
        if await d() == 1:
            seen[name] = 0
    for name in ("b", "a"):
        seen.setdefault(name, 1)
    await d()
    return tuple(seen)


# --- going over things ---


@rule
async def a_dict_whose_values_change():
    held, told = {"a": 1, "b": 1}, 0
    for name, value in held.items():
        told = 10 * told + value * await d()
        held["b"] = 5
    for value in held.values():
        told = 10 * told + value
        held["b"] = await d()
    return told


@rule
async def an_ordered_dict_whose_values_change():
    held, told = OrderedDict(a=1, b=1), 0
    for name, value in held.items():
        told = 10 * told + value * await d()
        held["b"] = 5
    return told


@rule
async def a_count_that_goes_on():
    count, told = Counter("aab"), 0
    for name, n in count.items():
        told += n * await d()
        count["b"] += 1
    return told, tuple(count.items())


@rule
async def rows_that_change():
    xs, told = [1, 1, 1], 0
    for place, x in enumerate(xs):
        told = 10 * told + x + place
        xs[2] = await d()
    for x, y in zip(xs, reversed(xs), strict=True):
        told += x * y * await d()
    return told


@rule
async def a_row_that_shrinks():
    xs = [1, 2, 3, 4]
    for x in xs:
        if await d() == 1:
            xs.remove(x)
    return tuple(xs)


@rule
async def a_row_that_grows():
    queue: list[Any] = [1]
    for n in queue:
        if len(queue) < 4 and await d() == 1:
            queue += [n + 1]
    else:
        queue.append("end")
    return tuple(queue)


@rule
async def iterators():
    numbers, told = iter([1, 2, 3, 4]), []
    for x in numbers:
        told.append((x, next(numbers), await d()))
    return tuple(told), next(numbers, 0)


@rule
async def more_iterators():
    out, row = 0, [3, 2, 1]
    for x in map(lambda v: v + 1, (1, 2)):
        out += x * await d()
    for x in iter(row.pop, 3):
        out += x * await d()
    for a, (b, *c) in [(1, (2, 3)), (4, (5, 6, 7))]:
        out += a * await d() + b + sum(c)
    return out


@rule
async def else_break_and_continue():
    n = 0
    for i in range(3):
        x = await d(3)
        if x == 1:
            continue
        if x == 2:
            break
        n += 1
    else:
        n += 100
    return n, i


@rule
async def breaks_inside():
    out = 0
    for _ in range(2):
        for _ in range(2):
            if await d() == 1:
                break
            out += 1
        else:
            out += 10
            continue
        out += 100
    return out


@rule
async def comprehensions():
    x = 5
    some = [(i, j) for i in range(2) if await d() == 1 for j in range(await d())]
    last = None
    both = [last := v for v in [await d(), await d()]]
    names = {str(v): v for x in (1, 2) if (v := await d()) == x}
    return tuple(some), x, last, tuple(both), tuple(names.items())


@rule
async def targets():
    fighter, told, held = Fighter(0), [], {}
    for fighter.hp in (1, 2):
        told.append(fighter.hp + await d())
    for held["k"] in (1, 2):
        await d()
    return tuple(told), held["k"]


# --- try and with ---


@rule
async def break_in_a_finally():
    out = 0
    for _ in range(3):
        x = await d()
        try:
            if x == 1:
                break
            out += 1
        finally:
            out += 10
    return out + await d()


@rule
async def continue_in_a_with():
    row: list[int] = []
    for _ in range(2):
        x = await d()
        with Opened(row):
            if x == 1:
                continue
            row.append(x)
        row.append(5)
    return tuple(row)


@rule
async def break_in_a_with():
    row: list[int] = []
    while len(row) < 6:
        x = await d()
        with Opened(row):
            if x == 1:
                break
    return tuple(row)


@rule
async def tries_between_awaits():
    out = 0
    for _ in range(2):
        v = await d()
        try:
            out += [1][v - 1]
        except IndexError as problem:
            out += 10
        else:
            out += 100
        finally:
            out += 1000
        with contextlib.suppress(ZeroDivisionError):
            out += 1 // (v - 1)
    return out


@rule
async def deleted_names():
    x = await d()
    for _ in range(2):
        y = await d()
        if y == 1:
            del x
            break
        if await d() == 1:
            break
    z = await d()
    try:
        return x, z
    except UnboundLocalError:
        return "gone", z


@rule
async def names_of_problems():
    e: Any = "kept"
    if await d() == 1:
        try:
            [][1]
        except IndexError as e:
            pass
    z = await d()
    try:
        return e, z
    except UnboundLocalError:
        return "gone", z


# --- expressions ---


@rule
async def walruses():
    x = 10
    x += (x := await d()) + await d()
    row: list[int] = []
    first = row
    row.append((row := [await d()])[0] + await d())
    if (n := await d()) > 1 and (m := await d(3)) != n:
        return x, tuple(first), tuple(row), n, m
    return x, tuple(first), tuple(row), n


@rule
async def chains_and_conditions():
    r = 1 <= await d(3) < await d(3) <= 3, await d() < 2 < 3
    x = (await d() if await d() == 1 else 10) if await d() == 2 else await d(3) * 100
    return r, x, not (await d() == 1 and 5)


@rule
async def texts_and_stars():
    a, *b = [await d(), await d()]
    told = f"{await d()}-{(await d()):>3}{1!r}"
    return (a, *b), told, {**{"x": a}}["x"]


@rule
async def order_of_arguments():
    def listed(a, b, *c, **k):
        return a, b, c, tuple(k.items())

    xs = [0]
    return listed(len(xs), xs.append(await d()), *[len(xs), await d()], k=len(xs), j=await d())


@rule
async def places_on_the_left():
    xs, i, rows = [0, 0, 0], 0, [[0], [0]]
    i, xs[i] = 1, await d()
    i = xs[i] = await d()
    xs[await d()] = await d()
    rows[await d() - 1][0] += await d()
    xs[: await d()] = [7]
    return tuple(xs), i, tuple(map(tuple, rows))


@rule
async def matches():
    match [await d(), await d(3)]:
        case [1, x] if x > 1:
            r: Any = ("a", x)
        case [2, (1 | 2) as y]:
            r = ("b", y, await d())
        case [_, *rest]:
            r = tuple(rest)
    match Fighter(await d(), [3]):
        case Fighter(hp=1, tags=[n]):
            return r, n * await d()
        case Fighter(hp=hp):
            return r, hp


# --- functions inside ---


@rule
async def functions_inside():
    made = []
    for _ in range(2):
        x = await d()
        made.append(lambda x=x: x)
    most = partial(max, 2)
    return tuple(f() for f in made), most(await d(3))


@rule
async def rules_and_classes_inside():
    @rule
    async def inner(n):
        return n + await d()

    class Held(NamedTuple):
        value: int

    held = Held(await inner(1))
    return held.value + await inner(2)


@rule
async def helpers_call_themselves():
    async def tree(n):
        return 0 if n == 0 else await d() + max(await tree(n - 1), await tree(n - 1))

    return await tree(2), await defined_later()


async def defined_later():
    return await d(3)


COUNTED: list[Call[Any]] = [
    one() for one in list(globals().values()) if type(one).__name__ == "Rule"
]


@pytest.mark.parametrize("call", COUNTED, ids=repr)
def test_a_rule_means_what_python_means(call: Call[Any]) -> None:
    """Source: each way through the coroutine, run from the start; merged, unmerged and replayed."""
    expected = {(type(outcome), repr(outcome)): weight for outcome, weight in brute_odds(call)}
    assert compiled_odds(call) == expected
    assert compiled_odds(call, merges=False) == expected
    assert compiled_odds(call, learns=False) == expected
    found = rw.odds(call)
    assert {(type(o), repr(o)): rw.Dist.p(found, o) for o in found} == expected


# --- what is replayed, with what to write instead ---


@rule
async def taking_turns():
    told = ""
    turns = itertools.cycle("ab")
    for who in turns:
        if await d() == 1 or len(told) > 3:
            break
        told += who
    return told, next(turns)


def test_iterators_that_cannot_be_copied_are_followed_way_by_way() -> None:
    """Python 3.14 copies no `itertools.cycle`; the odds are the same there."""
    call = taking_turns()
    found = rw.odds(call)
    assert dict(brute_odds(call)) == {outcome: found.p(outcome) for outcome in found}


@rule
async def a_closure_that_is_changed():
    total = 0

    async def add():
        nonlocal total
        total += await d()

    await add()
    await add()
    return total


@rule
async def a_generator_of_ones_own():
    def pairs():
        yield from (1, 2)

    out = 0
    for x in pairs():
        out += x * await d()
    return out


@rule
async def a_generator_that_lives():
    xs = [await d(), await d()]
    doubled = (x * 2 for x in xs)
    return await d() + sum(doubled)


@rule
async def an_await_in_with():
    with contextlib.nullcontext(3) as c:
        x = await d()
    return c + x


@rule
async def an_await_in_a_guard():
    match await d():
        case 1 if await d() == 1:
            return "a"
        case _:
            return "b"


@rule
async def an_await_in_a_default():
    f = lambda x=await d(): x  # noqa: E731
    return f() + await d()


@rule
async def an_await_in_a_format():
    return f"{await d():>{await d()}}"


@rule
async def all_local_variables():
    a = await d()
    b = await d()
    return tuple(dir()), tuple(locals()), eval("a + b")


@rule
async def a_row_of_generators():
    return sum([x async for x in dice_one_by_one()])


async def dice_one_by_one():
    for _ in range(2):
        yield await d()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (a_closure_that_is_changed(), "give it the value as an argument"),
        (a_generator_of_ones_own(), "make a list of it"),
        (a_generator_that_lives(), "keep a list or the answer instead"),
        (an_await_in_with(), "inside `with` .* keep the answer in a name"),
        (an_await_in_a_guard(), "in a guard .* keep the answer in a name"),
        (an_await_in_a_default(), "keep the answer in a name"),
        (an_await_in_a_format(), "keep the answer in a name"),
        (all_local_variables(), "looks at all local variables; name those it needs"),
    ],
    ids=repr,
)
def test_what_cannot_be_compiled_is_replayed_and_says_what_to_write(
    call: Call[Any], said: str
) -> None:
    """It has the odds of every way by itself; where that is too much, its line is named."""
    with pytest.raises(AssertionError, match=rf"line \d+: .*{said}|{said}"):
        compiled_odds(call)
    expected = {(type(outcome), repr(outcome)): weight for outcome, weight in brute_odds(call)}
    found = rw.odds(call)
    assert {(type(o), repr(o)): rw.Dist.p(found, o) for o in found} == expected


# --- what is wrong in Python, too ---


@rule
async def a_dict_that_grows():
    held = {"a": 1}
    for name in held:
        if await d() == 1:
            held["b"] = 2
    return tuple(held)


@rule
async def a_view_that_shrinks():
    held = {"a": 1, "b": 2}
    for name, n in held.items():
        await d()
        held.pop("b", None)
    return tuple(held)


@rule
async def a_set_that_shrinks():
    some = {1, 2, 3}
    for n in some:
        if await d() == 1:
            some.discard(3)
    return len(some)


@pytest.mark.parametrize(
    "call", [a_dict_that_grows(), a_view_that_shrinks(), a_set_that_shrinks()], ids=repr
)
def test_what_changes_its_size_in_a_loop_is_wrong_in_a_count_too(call: Call[Any]) -> None:
    """Python refuses it when the rule is played."""
    for ask in (brute_odds, compiled_odds, rw.odds):
        with pytest.raises(RuntimeError, match="changed size during iteration"):
            ask(call)
