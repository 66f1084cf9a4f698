"""What a newcomer may write is right, or refused with what to write; never silently wrong."""

# ruff: noqa: D103 - a rule here says all that it does in its own lines

from __future__ import annotations

import random
import re
import time
import traceback
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction as F
from functools import cache
from random import randint
from typing import Any, NamedTuple

import pytest

import rollwright as rw
from rollwright.budget import MOST_ROOM, Budget
from rollwright.dice import D4, D6, D8, D10, Die
from rollwright.errors import BadDist, HiddenChoices, Misuse, NeverEnds, TooMuchWork
from rollwright.rules import choose, roll, rule, spend, tally
from tests.engine.plain.counting import compiled_odds

D2 = Die(2)
HOPE, FEAR = Die(12, name="hope"), Die(12, name="fear")


class Hit(NamedTuple):
    n: int


class Miss(NamedTuple):
    n: int


# --- hands ---


@rule
async def is_a_six():
    return "six" if await roll(D6) == 6 else "none"


@rule
async def is_none_of(faces):
    return await roll(D6) not in faces


@rule
async def is_high():
    return await roll(D6) >= 5


@rule
async def with_a_bonus():
    return await roll(D6) + 2


@rule
async def is_a_word():
    return await roll(Die(["hit", "miss"])) == "hit"


@rule
async def is_in_a_set():
    return await roll(D6) in {1, 2, 3, 4, 5, 6}


@rule
async def come_out():
    return await roll(2 * D6) in {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}


@rule
async def looked_up():
    return dict.fromkeys(range(1, 7), "low").get(await roll(D6), "high")


@rule
async def a_bonus_and():
    return 2 + await roll(D6)


@rule
async def added_up():
    total = 0
    for _ in range(2):
        total += await roll(D6)
    return total


@rule
async def hands_added_up():
    return sum([await roll(D6) for _ in range(2)])


@rule
async def halved():
    return await roll(D6) // 2


@rule
async def doubled():
    return 2 * await roll(D6)


@rule
async def less():
    return -(await roll(D6))


@rule
async def so_often():
    return len(range(await roll(D6)))


@rule
async def as_a_number():
    return int(await roll(D6))


@rule
async def matched():
    match await roll(D6):
        case 6:
            return "six"
        case _:
            return "none"


@pytest.mark.parametrize(
    "call",
    [
        *(is_a_six(), is_none_of((5, 6)), is_high(), with_a_bonus(), is_a_word(), is_in_a_set()),
        *(come_out(), looked_up(), a_bonus_and(), added_up(), hands_added_up(), halved()),
        *(doubled(), less(), so_often(), as_a_number(), matched()),
    ],
    ids=repr,
)
def test_a_hand_is_no_face(call: Any) -> None:
    """A hand that is compared or added as if it were a face is refused with what to write."""
    for ask in (rw.odds, compiled_odds, lambda rolled: rw.roll(rolled, seed=1)):
        with pytest.raises(Misuse, match=r"hand\.sum|hand\.count"):
            ask(call)


@rule
async def two_kinds():
    a, b = await roll(D8 + D6)
    return a - b


@rule
async def two_names():
    hope, fear = await roll(HOPE + FEAR)
    return hope - fear


@rule
async def by_die():
    hand = await roll(HOPE + FEAR)
    return hand[HOPE] - hand[FEAR]


@rule
async def doubles():
    a, b = await roll(2 * D6)
    return a == b


@rule
async def kinds_kept():
    hand = await roll(D8 + D6)
    await roll(D6)
    first, *more = hand
    return first, *more


@pytest.mark.parametrize("call", [two_kinds(), two_names(), kinds_kept()], ids=repr)
def test_dice_of_different_kinds_are_not_unpacked(call: Any) -> None:
    """They lie by kind, not as written, so they would be exchanged."""
    for ask in (rw.odds, compiled_odds):
        with pytest.raises(Misuse, match=r"take each by its die, hand\["):
            ask(call)


@rule
async def one_is_mine():
    mine, yours = await roll(2 * D6)
    return mine > yours


@rule
async def tens_and_ones():
    tens, ones = await roll(2 * D10)
    return 10 * tens + ones


@rule
async def hands_compared():
    return (await roll(3 * D6)) > (await roll(2 * D6))


@rule
async def low_and_high():
    low, high = sorted(await roll(2 * D6))
    return 10 * high + low if low < high else 0


async def wound(foe):
    foe.append(sum(await roll(D6)))


@rule
async def wounds_nobody():
    foe: list[int] = []
    wound(foe)
    return len(foe)


@rule
async def seldom_wounds_nobody(dice):
    foe: list[int] = []
    if (await roll(dice * D6)).sum == 2 * dice:
        wound(foe)
    return len(foe)


class Luck:
    async def holds(self):
        return sum(await roll(D6)) > 3


@rule
async def asks_no_luck():
    await roll(D6)
    return 1 if Luck().holds() else 0


@pytest.mark.filterwarnings("ignore:coroutine")
@pytest.mark.parametrize(
    ("call", "said"),
    [
        (one_is_mine(), "mine and yours are dice of one throw, .* sorted, lowest first"),
        (tens_and_ones(), "tens and ones are dice of one throw, .*tens = sum"),
        (hands_compared(), r"write hand\.sum > other\.sum"),
        (wounds_nobody(), r"not awaited, so nothing happens: write `await wound\(…\)`"),
        (seldom_wounds_nobody(60), r"line \d+: .* write `await wound\(…\)`"),
        (asks_no_luck(), r"write `await holds\(…\)`"),
    ],
)
def test_what_would_be_counted_without_a_word_is_refused(call: Any, said: str) -> None:
    """Equal dice have no order, and an async function does nothing before it is awaited."""
    with pytest.raises(Misuse, match=said):
        rw.odds(call)
    assert rw.odds(low_and_high()).p(0) == F(1, 6)


def test_dice_are_taken_by_their_die() -> None:
    """Equal dice may be unpacked; named ones are asked for by name."""
    assert rw.odds(doubles()).p(True) == F(1, 6)
    assert rw.odds(by_die()).p(11) == F(1, 144)


# --- outcomes that are equal but not the same ---


@rule
async def name_of(value):
    await roll(D2)
    return str(value)


@rule
async def called_with_both():
    return await name_of(True) + await name_of(1)


def test_arguments_that_are_equal_are_not_the_same() -> None:
    """A part that is given `True` is not the part that is given `1`."""
    assert rw.odds(called_with_both()).p("True1") == 1


@rule
async def half_or_whole():
    return F(2) if sum(await roll(D2)) == 1 else 2


@dataclass(frozen=True)
class Weapon:
    name: str
    bonus: int = field(default=0, compare=False)


class Foe:
    def __init__(self, name: str, armour: int) -> None:
        self.name, self.armour = name, armour

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Foe) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


@rule
async def told(thing):
    await roll(D4)
    return repr(getattr(thing, "bonus", None) or getattr(thing, "armour", None) or thing)


@rule
async def both_told(one, other):
    return await told(one), await told(other)


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (Weapon("axe", 1), Weapon("axe", 100), ("1", "100")),
        (Foe("orc", 1), Foe("orc", 5), ("1", "5")),
        ((Foe("orc", 1),), (Foe("orc", 1),), None),
        (Decimal("1.0"), Decimal("1.00"), ("Decimal('1.0')", "Decimal('1.00')")),
        (0.0, -0.0, ("0.0", "-0.0")),
        (frozenset([1]), frozenset([True]), ("frozenset({1})", "frozenset({True})")),
    ],
    ids=["named tuples", "objects", "objects in a tuple", "decimals", "zeros", "sets"],
)
def test_arguments_of_parts_may_be_equal_and_differ(one: Any, other: Any, said: Any) -> None:
    """A part is counted once for arguments that differ in nothing, also in what is not compared."""
    found = rw.odds(both_told(one, other))
    assert said is None or found.outcomes == (said,)
    assert (told(one) == told(other)) is (said is None)


def test_one_number_is_one_outcome() -> None:
    """A fraction that is whole is the number."""
    assert rw.odds(half_or_whole()).p(2) == 1


def test_odds_do_not_take_one_outcome_for_another() -> None:
    """Made, mapped or mixed, what is equal but not the same is refused."""
    coin = rw.Dist({1: 1, 2: 1})
    for make in (
        lambda: rw.Dist([(Hit(1), 1), (Miss(1), 1)]),
        lambda: coin.map(lambda n: n == 1 or 1),
        lambda: coin.map(lambda n: Hit(1) if n == 1 else Miss(1)),
        lambda: coin.map(lambda n: (n == 1 or 1, 0)),
        lambda: coin.then(lambda n: rw.Dist.sure(Hit(1) if n == 1 else Miss(1))),
    ):
        with pytest.raises(BadDist, match="equal to Python"):
            make()
    assert coin.map(lambda n: F(2) if n == 1 else 2).p(2) == 1


# --- what lies outside ---

COUNTED = [0]
NUMBERS = iter(range(10**6))
DEALER = random.Random(1)


class Monster:
    def __init__(self) -> None:
        self.hp = 10


MONSTER = Monster()


def another():
    COUNTED.append(1)
    return len(COUNTED)


def from_the_system():
    return random.random()


@cache
def squared(n):
    return n * n


@rule
async def hurts_the_monster():
    MONSTER.hp -= sum(await roll(D6))
    return MONSTER.hp


@rule
async def counts_in_a_helper():
    await roll(D2)
    return another()


@rule
async def takes_the_next():
    await roll(D2)
    return next(NUMBERS)


@rule
async def draws_in_a_helper():
    await roll(D2)
    return from_the_system()


@rule
async def draws():
    await roll(D2)
    return randint(1, 6) + DEALER.randint(1, 6)


@rule
async def asks_the_clock():
    await roll(D2)
    return int(time.time())


@rule
async def ends_in_an_object():
    await roll(D2)
    return Monster()


@rule
async def goes_over_a_set():
    told = []
    for who in {"a", "b", "c"}:
        told.append(who + str(sum(await roll(D2))))
    return told[0]


@rule
async def goes_over_small_numbers():
    total = 0
    for n in {3, 1, 2}:
        total = 10 * total + n * sum(await roll(D2))
    return total


@rule
async def is_pure():
    return squared(sum(await roll(D6)))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (hurts_the_monster(), "changes MONSTER"),
        (counts_in_a_helper(), "changes COUNTED"),
        (takes_the_next(), "uses NUMBERS"),
        (draws_in_a_helper(), "uses random"),
        (draws(), "uses"),
        (asks_the_clock(), "uses time"),
        (goes_over_a_set(), r"goes over a set, .* sorted"),
        (ends_in_an_object(), "something else when it is told the same"),
    ],
    ids=repr,
)
def test_what_changes_outside_a_rule_is_refused(call: Any, said: str) -> None:
    """Its outcome would depend on how often it was tried, on the clock, or on other chance."""
    with pytest.raises(Misuse, match=said):
        rw.odds(call)


def test_a_helper_that_remembers_is_no_slip() -> None:
    """A cache changes nothing that is come to."""
    assert rw.odds(is_pure()).p(36) == F(1, 6)
    assert rw.odds(goes_over_small_numbers()).p(123) == F(1, 8)


# --- what is returned ---


@rule
async def basic():
    return sum(await roll(D6))


async def plain():
    return sum(await roll(D6))


@rule
async def ends_in(what):
    await roll(D2)
    return {"rule": basic, "pair": (basic, 1), "function": plain, "awaited": await plain()}[what]


@rule
async def ends_in_a_coroutine():
    await roll(D2)
    return plain()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (ends_in("rule"), r"write `await basic\(…\)`"),
        (ends_in("pair"), r"write `await basic\(…\)`"),
        (ends_in("function"), r"write `await plain\(…\)`"),
        (ends_in_a_coroutine(), "write `await` before it"),
    ],
)
def test_something_still_to_be_called_is_no_outcome(call: Any, said: str) -> None:
    """A rule that ends in a rule, a function or a coroutine is refused with what to write."""
    with pytest.raises(Misuse, match=said):
        rw.odds(call)


# --- policies and goals ---


@rule
async def push():
    points = 0
    while points < 10 and await choose("stop", "roll", about=points) == "roll":
        face = sum(await roll(D6))
        if face == 1:
            return 0
        points += face
    return points


ASKED = [0]


def every_other(situation):
    ASKED[0] += 1
    return situation.options[ASKED[0] % 2]


def more_each_time(points):
    ASKED[0] += 1
    return points + ASKED[0]


SEEN: list[Any] = []


def tires(situation):
    SEEN.append(situation.about)
    return situation.options[len(SEEN) < 24]


VISITS: dict[Any, int] = {}


def bored(situation):
    VISITS[situation.about] = VISITS.get(situation.about, 0) + 1
    return situation.options[VISITS[situation.about] < 4]


KNOWN: dict[Any, Any] = {}


def remembers(situation):
    """Looks up what it found before: that changes no answer."""
    return KNOWN.setdefault(situation.about, situation.options[situation.about < 8])


@rule
async def pays():
    points = 0
    while points < 12 and await choose("stop", "roll", about=points) == "roll":
        await spend(1)
        points += sum(await roll(D6))
    return points


def test_policies_and_goals_are_asked_again_after_the_count() -> None:
    """One that comes to answer differently is refused; one with a memory of its own is not."""
    for policy in (tires, bored):
        with pytest.raises(Misuse, match="policy answers differently"):
            rw.odds(push(), policy)
    assert rw.odds(push(), remembers).p(0) > 0
    with pytest.raises(Misuse, match="policy of player answers differently"):
        rw.advise(push(), lambda points: points, others={"player": bored})
    SEEN.clear()
    with pytest.raises(Misuse, match="goal answers differently"):
        rw.advise(push(), lambda points: SEEN.append(0) or points + (len(SEEN) > 24))
    with pytest.raises(Misuse, match="policy answers differently"):
        rw.cost(pays(), every_other)


def test_policies_and_goals_answer_alike() -> None:
    """One that rolls its own dice or remembers what it was asked is refused."""
    with pytest.raises(Misuse, match="policy uses random"):
        rw.odds(push(), lambda now: random.choice(now.options))
    with pytest.raises(Misuse, match="policy answers differently"):
        rw.odds(push(), every_other)
    with pytest.raises(Misuse, match="policy of player answers differently"):
        rw.advise(push(), lambda points: points, others={"player": every_other})
    with pytest.raises(Misuse, match="goal uses random"):
        rw.advise(push(), lambda points: points * random.random())
    with pytest.raises(Misuse, match="goal answers differently"):
        rw.advise(push(), more_each_time)


def test_best_needs_a_goal() -> None:
    """`rw.best` that was not called says how it is."""
    with pytest.raises(Misuse, match=r"rw\.best\(goal\)"):
        rw.odds(push(), rw.best)
    with pytest.raises(Misuse, match=r"rw\.best\(goal\)"):
        rw.advise(push(), lambda points: points, others={"player": rw.best})


# --- secrets ---


@rule
async def told_by_about():
    hidden = sum(await roll(D6, sees=["referee"]))
    return await choose(*range(1, 7), about=hidden) == hidden


def test_what_a_choice_is_about_tells_no_secret() -> None:
    """Neither advice nor a policy goes by a throw that whoever chooses has not seen."""
    with pytest.raises(Misuse, match="rests on a throw that player has not seen"):
        rw.advise(told_by_about(), int)
    with pytest.raises(Misuse, match="rests on a throw that player has not seen"):
        rw.odds(told_by_about(), lambda now: now.about)


@rule
async def hidden_again(announced):
    hidden = sum(await roll(D2, sees=["referee"]))
    again = hidden == 1
    if again:
        hidden = sum(await roll(D4, sees=["referee"]))
    if announced:
        await choose(again, by="referee")
    return await choose(1, 2, 3, 4) == hidden


def test_a_hidden_throw_does_not_tell_by_happening() -> None:
    """A two is 1/2 + 1/8 likely; who hears whether it was thrown again is right with 1/2 + 1/8."""
    assert rw.advise(hidden_again(False), int).value == F(5, 8)
    quiet = rw.advise(hidden_again(False), int).lines
    assert [line.choose for line in quiet] == [2]
    told = rw.advise(hidden_again(True), int).lines
    assert len([line for line in told if line.by == "player"]) == 2


@rule
async def higher(n, m):
    faces = {}
    for who, die in (("A", Die(n)), ("B", Die(m))):
        faces[who] = sum(await roll(die, sees=[who]))
        if await choose("keep", "again", by=who, about=faces[who]) == "again":
            faces[who] = sum(await roll(die, sees=[who]))
    return faces["A"] - faces["B"]


def again_up_to_half(situation):
    return "again" if situation.about <= 3 else "keep"


def won(difference):
    return F(1) if difference > 0 else F(1, 2) if difference == 0 else F(0)


def test_a_policy_is_told_what_its_player_has_seen() -> None:
    """Equal dice and policies win alike, in small rules and in those that are compiled."""
    for faces in (2, 6, 20):
        assert rw.odds(higher(faces, faces), again_up_to_half).map(won).mean == F(1, 2)


def test_two_who_act_on_secrets_are_told_what_to_write() -> None:
    """The best reply to a policy: keep a face or throw again, whichever wins more (by hand)."""
    with pytest.raises(HiddenChoices, match=r"give one of them a policy, others=\{'A': …\}"):
        rw.advise(higher(8, 6), won, against="B")
    ends = [F(1, 6) * (F(1, 2) + (face > 3)) for face in range(1, 7)]  # B's, thrown again to 3
    keep = [sum(p * won(face - b) for b, p in enumerate(ends, 1)) for face in range(1, 9)]
    worth = sum(max(kept, sum(keep) / 8) for kept in keep) / 8
    assert rw.advise(higher(8, 6), won, others={"B": again_up_to_half}).value == worth


@rule
async def levers(pulls, shown):
    """Two levers, of which a hidden die decides which is good: 5 or 2 in 6, and 1 or 3."""
    good = sum(await roll(D6, sees=["referee"])) <= 2
    chance = {"L": 5 if good else 2, "R": 1 if good else 3}
    won = 0
    for _ in range(pulls):
        lever = await choose("L", "R", about=won if shown else None)
        hit = sum(await roll(D6, sees=["referee"])) <= chance[lever]
        if shown:
            await choose("hit" if hit else "miss", by="referee")
        won += hit
    return won


@pytest.mark.parametrize(
    ("pulls", "worth"), [(1, F(1, 2)), (2, F(28, 27)), (3, F(85, 54)), (5, F(15733, 5832))]
)
def test_what_is_announced_may_be_gone_by(pulls: int, worth: F) -> None:
    """Best pulls by Bayes over all histories (counted by hand for two); blind ones win half."""
    assert rw.advise(levers(pulls, shown=True), lambda won: won).value == worth
    assert rw.advise(levers(pulls, shown=False), lambda won: won).value == F(pulls, 2)


# --- what is asked about ---


def test_a_throw_by_itself_has_odds() -> None:
    """What may be awaited may be counted, without a rule around it."""
    assert rw.odds(tally(3 * D6)).p(18) == F(1, 216)
    assert len(rw.odds(roll(2 * D6))) == 21
    assert rw.roll(tally(3 * D6), faces=[1, 2, 3]).outcome == 6


class Fighter(NamedTuple):
    bonus: int

    @rule
    async def attack(self, extra):
        return sum(await roll(D6)) + self.bonus + extra


class Changing:
    @rule
    async def attack(self):
        return sum(await roll(D6))


def test_a_rule_may_be_a_method() -> None:
    """It takes the value it belongs to; an object that can change is refused with what to use."""
    assert rw.odds(Fighter(2).attack(1)).p(9) == F(1, 6)
    assert rw.odds(Fighter.attack(Fighter(2), 1)).p(9) == F(1, 6)
    with pytest.raises(Misuse, match="NamedTuples or frozen dataclasses"):
        rw.odds(Changing().attack())


@rule
async def only_a_has_a_choice(b_may_choose):
    n = await choose(1, 2, by="A")
    return n - (await choose(0, 1, by="B") if b_may_choose else 0)


def test_somebody_may_happen_to_have_no_choice() -> None:
    """`against="B"` where B is not asked with these arguments gives the worth all the same."""
    assert rw.advise(only_a_has_a_choice(False), lambda n: n, against="B").value == 2
    assert rw.advise(only_a_has_a_choice(True), lambda n: n, against="B").value == 1
    with pytest.raises(Misuse, match="nobody called 'C' chooses here"):
        rw.advise(only_a_has_a_choice(False), lambda n: n, against="C")


def test_the_names_are_listed() -> None:
    """`dir` shows what there is to use, and nothing else."""
    assert {"roll", "odds", "advise", "best", "Die", "D20"} <= set(dir(rw))
    assert "TYPE_CHECKING" not in dir(rw)


# --- what goes wrong inside ---


@dataclass(frozen=True)
class Sheet:
    skill: int


@rule
async def divides(sheet):
    first = sum(await roll(D6))
    await choose("x", "y")
    second = sum(await roll(D6))
    return first * sheet.skill // (second - 3)


@rule
async def divides_late(n):
    total = 0
    for _ in range(n):
        total += sum(await roll(D6))
    return 1 // (total - 20)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: rw.odds(divides(Sheet(1)), lambda now: "y"), r"after D6: \d, 'y', D6: 3"),
        (lambda: rw.advise(divides(Sheet(1)), lambda n: n), r"after D6: \d, '[xy]', D6: 3"),
        (lambda: rw.odds(divides_late(8)), r"after D6: \d(, D6: \d)+"),
    ],
)
def test_an_exception_in_a_rule_is_told_in_few_lines(ask: Any, said: str) -> None:
    """The author's line, and the faces and choices that led there."""
    with pytest.raises(ZeroDivisionError) as found:
        ask()
    text = "".join(traceback.format_exception(found.value))
    assert "return 1 // (total - 20)" in text or "return first * sheet.skill" in text
    assert re.search(said, text)
    assert len(text.splitlines()) < 20


# --- loops without an end, and room ---


@rule
async def counts_for_ever():
    n = 0
    while True:
        n += 1
        await roll(D6)


@rule
async def offers_for_ever():
    n = 0
    while True:
        n += await choose(1, 2)


def test_an_endless_loop_is_told_early() -> None:
    """Nothing leads out of it, so no work is spent on it."""
    for ask in (
        lambda: rw.odds(counts_for_ever(), budget=Budget(1_000_000)),
        lambda: rw.advise(offers_for_ever(), lambda n: n, budget=Budget(1_000_000)),
    ):
        with pytest.raises(NeverEnds, match="nothing leads out of the loop around line"):
            ask()


def test_a_count_keeps_no_more_than_a_gibibyte() -> None:
    """However much work is allowed."""
    assert MOST_ROOM == 2**30
    assert Budget(10**12).room == 2**30


@rule
async def keeps_every_face(n):
    faces = []
    for _ in range(n):
        faces.append(sum(await roll(D6)))
    return tuple(faces)


@rule
async def keeps_every_face_and_stops(n):
    faces = []
    for _ in range(n):
        faces.append(sum(await roll(D6)))
        if await choose("on", "stop") == "stop":
            break
    return tuple(faces)


class Pile:
    def __init__(self) -> None:
        self.lent, self.held = 0, [0]

    async def draw(self, die):
        self.held.append(sum(await roll(die)))


@rule
async def draws_for_long():
    mine, other = Pile(), Pile()
    while sum(mine.held) < 200:
        await mine.draw(D10)
        if sum(other.held) > 20:
            return len(mine.held)
        await other.draw(D2)
    return 0


@pytest.mark.long
def test_what_is_too_much_names_the_part_of_an_object() -> None:
    """In a rule that waits for a method of it, whose own variables are no more than that."""
    said = r"is used up by .*await in line \d+, and (self|mine)\.held is what differs"
    with pytest.raises(TooMuchWork, match=said):
        rw.odds(draws_for_long(), budget=Budget(4_000_000))


@rule
async def makes_a_list():
    dice = [sum(await roll(D6)) for _ in range(14)]
    return max(dice.count(face) for face in dice)


@rule
async def keeps_a_hand():
    one = await roll(8 * D10)
    other = await roll(8 * D10)
    return sorted(one) > sorted(other)


@rule
async def keeps_a_dict():
    left = dict.fromkeys("abcdef", 12)
    while any(points > 0 for points in left.values()):
        for name in left:
            left[name] -= sum(await roll(D6))
    return max(left.values())


@pytest.mark.long
@pytest.mark.parametrize(
    ("call", "said"),
    [
        (makes_a_list(), r"the list that is made there is what differs: keep a sum or a count"),
        (keeps_a_hand(), r"one is what differs: ask it before .* one\.sum or one\.count\(6\)$"),
        (keeps_a_dict(), r"left is what differs: .* how many are alike .* gone round$"),
    ],
    ids=repr,
)
def test_what_is_too_much_says_what_would_help(call: Any, said: str) -> None:
    """By what it is that differs; a bound is no help where nothing goes round."""
    with pytest.raises(TooMuchWork, match=said):
        rw.odds(call, budget=Budget(2_000_000))


@pytest.mark.long
def test_what_is_too_much_names_the_await_and_what_differs() -> None:
    """The hint says where the positions wait, and which variable makes them so many."""
    said = r"await in line \d+, and faces is what differs: keep less in it"
    with pytest.raises(TooMuchWork, match=said):
        rw.odds(keeps_every_face(20), budget=Budget(1_000_000))
    with pytest.raises(TooMuchWork, match=said):
        rw.advise(keeps_every_face_and_stops(20), sum, budget=Budget(1_000_000))
