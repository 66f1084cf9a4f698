"""Whatever is tried on the engine is answered or refused, never believed."""

import copy
import json
import pickle
import sys
import threading
import types
from fractions import Fraction
from typing import NamedTuple

import pytest

import rollwright as rw
from rollwright.budget import Budget
from rollwright.dice import D4, D6, Die, Pool
from rollwright.engine.best.advice import advise, best
from rollwright.engine.endings import tally
from rollwright.engine.odds.count import odds
from rollwright.engine.position import Position
from rollwright.engine.sources import SeededSource, TypedSource
from rollwright.engine.transcript import Transcript, play, verify
from rollwright.engine.values import value_from_json, value_to_json
from rollwright.errors import (
    BadAnswer,
    BadTranscript,
    HiddenChoices,
    Misuse,
    NeverEnds,
    TooMuchWork,
)
from rollwright.hands import Hand
from rollwright.rules import choose, fold, look, roll, rule, together
from tests.engine.examples import push_roll, secret_number
from tests.engine.oracles import fractions, slow_odds


@rule
async def until_it_shows(face: int):
    """A loop inside one rule."""
    while True:
        if (await roll(D6)).count(face):
            return face


@rule
async def counts_for_ever():
    """A loop that never comes back to where it was, nor to an end."""
    n = 0
    while True:
        n += sum(await roll(D6))


@rule
async def asks_for_ever():
    """A choice that is put again and again."""
    while await choose("again") == "again":
        pass


@rule
async def waits_for_itself():
    """Awaits itself."""
    return 1 + await waits_for_itself()


@rule
async def ends_in_itself():
    """Ends in itself without ever asking for anything."""
    return ends_in_itself()


def test_a_loop_inside_a_rule_is_counted():
    """It comes back to where it was and is closed as a chain is; without a way out it is told."""
    assert odds(until_it_shows(6), budget=Budget(200_000)).p(6) == 1
    assert advise(until_it_shows(6), lambda outcome: outcome, budget=Budget(200_000)).value == 6
    with pytest.raises(NeverEnds, match="for ever"):
        odds(asks_for_ever(), lambda situation: situation.options[0], budget=Budget(200_000))
    with pytest.raises(NeverEnds, match="for ever"):
        advise(asks_for_ever(), lambda outcome: 1, budget=Budget(200_000))
    assert play(until_it_shows(6), source=SeededSource("loop")).outcome == 6


@rule
async def counts_far():
    """A loop that ends, but not soon: whoever counts it has a million places to come to."""
    n = 0
    while n < 1_000_000:
        n += sum(await roll(D6))
    return n


def test_a_loop_inside_a_rule_can_be_cancelled():
    """The budget of a count in another thread is cancelled while it counts, and it stops."""
    counts, cancelled, failed = threading.Event(), threading.Event(), []

    def wait(_):
        counts.set()
        cancelled.wait()

    budget = Budget(10**9, progress=wait)

    def count():
        with pytest.raises(rw.RollwrightError, match="cancelled"):
            odds(counts_far(), budget=budget)
        failed.append("stopped")

    counting = threading.Thread(target=count, daemon=True)
    counting.start()
    counts.wait()
    budget.cancel()
    cancelled.set()
    counting.join()
    assert failed == ["stopped"]


@pytest.mark.long
@pytest.mark.parametrize("call", [waits_for_itself(), ends_in_itself()], ids=str)
def test_a_rule_that_goes_nowhere_is_refused_live(call):
    """Rolling it says that it never asks for anything."""
    with pytest.raises(Misuse, match="never asks for anything"):
        play(call)
    with pytest.raises(Misuse, match="never asks for anything"):
        Position(call).step


def test_advice_from_an_open_roll_does_not_peek():
    """Whatever the hidden die shows, the advice to the player is the same."""
    said = {repr(rw.advise(rw.roll(secret_number(), faces=[face]), int)) for face in range(1, 7)}
    assert len(said) == 1
    opened = rw.roll(secret_number(), faces=[1])
    assert rw.odds(opened, best(int)).p(True) == Fraction(4, 6)
    assert rw.odds(opened, lambda s: "high", seat="player").p(True) == Fraction(4, 6)
    assert rw.odds(opened, lambda s: "high", seat="referee").p(True) == 0


def test_a_position_with_a_secret_gives_no_advice():
    """A position does not know who saw what, so it says to ask with the transcript."""
    position = Position(secret_number()).then([4])
    with pytest.raises(HiddenChoices, match="seen_by"):
        advise(position, int)
    with pytest.raises(HiddenChoices, match="seen_by"):
        advise(rw.roll(secret_number(), faces=[4]).position, int)


@rule
async def secret_look():
    """A hidden throw, looked at more finely; then the rule ends in a guess."""
    high = await roll(D6, read=lambda face: face >= 4, sees=["referee"])
    face = sum(await look(high))
    return guess(face)


@rule
async def guess(face: int):
    """The player guesses the face."""
    return await choose(*range(1, 7)) == face


def test_a_look_at_a_hidden_throw_stays_hidden():
    """A look shows a secret only to those who saw the throw, also after a tail rule."""
    opened = rw.roll(secret_look(), faces=[5])
    assert len(opened.seen_by("player").members) == 6
    assert len(opened.seen_by("referee").members) == 1
    advice = rw.advise(opened, int)
    assert {worth.value for worth in advice.options} == {Fraction(1, 6)}
    assert advice.here.situation != 5
    assert advise(secret_look(), int).value == Fraction(1, 6)


def test_a_policy_does_not_see_what_its_chooser_did_not():
    """In a policy's situation a hidden throw is None."""
    seen = []

    def policy(situation):
        seen.append(situation.seen)
        return "high"

    odds(secret_number(), policy)
    assert set(seen) == {(None,)}


def test_readers_of_two_modules_are_two_readers():
    """The same words in two modules, or other keyword defaults, may read differently."""
    source = "def mark(face):\n    return face >= LIMIT\n"
    readers = []
    for limit in (2, 5):
        module = types.ModuleType(f"limits_{limit}")
        module.LIMIT = limit
        exec(compile(source, "same.py", "exec"), module.__dict__)
        readers.append(module.mark)

    def at_least(n):
        def mark(face, *, limit=n):
            return face >= limit

        return mark

    for two, five in (readers, [at_least(2), at_least(5)]):

        @rule
        async def count(five_too: bool):
            return sum(await roll(D6, five if five_too else two))  # noqa: B023

        assert odds(count(False)).mean == Fraction(5, 6)
        assert odds(count(True)).mean == Fraction(2, 6)


@rule
async def two_widths(which: int):
    """Ends in sums of tuples of two lengths, or in no dice at all."""
    if which == 0:
        side = sum(await roll(Die(2)))
        if side == 1:
            return tally(Die(2), lambda face: (face, 1))
        return tally(Die(2), lambda face: (face, 1, 7))
    side = sum(await roll(Die(3)))
    return tally(Pool(), start=((1, 2), (1, 2, 7), 5)[side - 1])


@pytest.mark.parametrize("which", [0, 1])
def test_sums_of_different_length_are_kept_apart(which):
    """Tuples of two and of three places are different outcomes, counted and advised."""
    call = two_widths(which)
    assert fractions(odds(call)) == slow_odds(call)
    lengths = advise(call, lambda outcome: len(outcome) if isinstance(outcome, tuple) else 0)
    expected = slow_odds(call).items()
    assert lengths.value == sum(p * (len(o) if isinstance(o, tuple) else 0) for o, p in expected)


class Vector(NamedTuple):
    """A reading with names."""

    hits: int
    ones: int


@rule
async def named_sums(awaited: bool):
    """Sums of named tuples keep their names, wherever they are made."""
    sums = tally(2 * D4, lambda face: Vector(face >= 3, face == 1), finish=hits)
    return await sums if awaited else sums


def hits(sums: Vector) -> int:
    """The hits of a sum."""
    return sums.hits


def test_named_readings_are_added_up_by_name():
    """Live, awaited, as an ending and under advice alike."""
    for awaited in (True, False):
        assert odds(named_sums(awaited)).mean == 1
        assert advise(named_sums(awaited), lambda n: n).value == 1
        assert play(named_sums(awaited), source=TypedSource([4, 1])).outcome == 1


@rule
async def mixed_faces():
    """Dice with faces of several kinds."""
    return tuple(await roll(2 * Die([2, 10, "a"])))


@rule
async def mixed_fold():
    """A fold over readings that have no common order."""
    die = Die([1, 2, 10])
    return fold(2 * die, (), lambda seen, face, n: (*seen, face) if n else seen, read=none_for_one)


def none_for_one(face: int) -> int | None:
    """None for a 1."""
    return None if face == 1 else face


@pytest.mark.parametrize("call", [mixed_faces(), mixed_fold()], ids=str)
def test_one_order_for_all_values(call):
    """Hands and folds come in the same order live and counted, whatever the faces are."""
    assert fractions(odds(call)) == slow_odds(call)


@rule
async def joined(n: int):
    """A step that is made early and used late."""
    first = tally(D6)
    x = sum(await roll(D4))
    a, b = await together(first, tally(D6))
    return a + b + x + n


def test_counting_in_several_threads():
    """Counts side by side neither disturb nor refuse each other."""
    found = []
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def count():
        for _ in range(10):
            joined.runs = 0
            found.append(odds(joined(1)).mean)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(before)
    assert found == [Fraction(21, 2)] * 40


def test_a_position_is_shared_between_threads():
    """Several threads may go on from the same position and the same transcript."""
    position = Position(push_roll(Pool([D6, D6]))).then([2, 3])
    transcript = rw.roll(push_roll(Pool([D6, D6])), faces=[2, 3])
    found = []

    def go_on():
        for _ in range(50):
            found.append(position.then("push").then([6, 1]).outcome)
            found.append(transcript.choose("push").throw([6, 1]).outcome)

    threads = [threading.Thread(target=go_on) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 400
    assert len(set(found)) == 1


@rule
async def breaks_on_six():
    """A rule with a mistake in it."""
    return 1 // (6 - sum(await roll(D6)))


def test_a_transcript_survives_a_rule_that_breaks():
    """After the rule's own error the roll can be gone on with other faces."""
    transcript = Transcript(breaks_on_six())
    with pytest.raises(ZeroDivisionError):
        transcript.throw([6])
    assert transcript.throw([5]).outcome == 1


@pytest.mark.parametrize("wrong", [lambda s: roll(D6), lambda s: choose("a", "b")])
def test_a_finish_that_asks_again_is_refused_everywhere(wrong):
    """Live, counted and advised alike: a finish gives an outcome, a rule or an offer."""

    @rule
    async def again():
        return tally(D6, finish=wrong)

    with pytest.raises(Misuse, match="a finish gives"):
        odds(again())
    with pytest.raises(Misuse, match="a finish gives"):
        advise(again(), lambda outcome: 1)
    with pytest.raises(Misuse, match="a finish gives"):
        play(again())


def test_a_part_may_be_finished_by_a_rule():
    """A throw inside together whose finish goes on to a rule is counted as it is played."""

    @rule
    async def parts():
        return await together(tally(D4, finish=on), tally(D4))

    def on(total):
        return plus_one(total) if total > 2 else total

    assert fractions(odds(parts())) == slow_odds(parts())


@rule
async def plus_one(total: int):
    """One more die."""
    return total + sum(await roll(D4))


def forgotten(function):
    """The sentence with which a rule is refused."""
    with pytest.raises(Misuse) as refusal:
        odds(rule(function)(), lambda situation: situation.options[0])
    return str(refusal.value)


def test_forgotten_awaits_of_rules():
    """A rule that is called and dropped, put into an outcome or offered as an option is refused."""

    async def dropped():
        plus_one(1)
        return 1

    async def held():
        return (plus_one(1), 2)

    async def chosen():
        return await choose(plus_one(1), "no")

    assert "never used" in forgotten(dropped)
    assert "await" in forgotten(held)
    assert "plain data" in forgotten(chosen)


def test_changing_starts_are_refused():
    """Lists as starts and as given values are refused when the step is made."""

    async def listed():
        return fold(D6, [], lambda state, face, n: state)

    async def given():
        return tally(D6, finish=lambda total, more: total, given=([1],))

    assert "unchanging" in forgotten(listed)
    assert "can change" in forgotten(given)


def test_a_goal_that_is_no_number_is_refused():
    """Neither infinity nor nothing is a worth."""
    for worth in (float("nan"), float("inf")):
        with pytest.raises(Misuse, match="gives a number"):
            advise(push_roll(Pool([D6])), lambda check, worth=worth: worth)


def test_a_look_is_answered_by_faces_that_can_lie_there():
    """A hand that the looked-at dice cannot show is refused."""
    from tests.engine.examples import look_later

    position = Position(look_later(Pool([D6]))).then([5])
    with pytest.raises(BadAnswer, match="cannot show"):
        position.then(Hand([(D6, 1)]))
    assert position.then(Hand([(D6, 4)])).outcome == 4


def reads(face: int) -> bool:
    """A reader that stands by a rule."""
    return face > 3


@rule
async def read_by(reader):
    """A rule that is given its reader."""
    return sum(await roll(D6, reader))


@pytest.mark.parametrize("name", ["sys.exit", "sys", "pytest", "copy", "__builtins__", "nothing"])
def test_a_transcript_names_no_strangers_function(name):
    """Only functions that a package of rules defines itself can be named."""
    plain = play(read_by(reads), source=TypedSource([5])).to_plain()
    assert verify(plain).outcome == 1
    plain["args"]["reader"] = {"function": f"{__name__}:{name}"}
    with pytest.raises(BadTranscript):
        verify(plain)


@pytest.mark.parametrize(
    "value",
    [
        {"fraction": "1e99999999"},
        {"fraction": "1/0"},
        {"int": "9" * 5000},
        {"tuple": "x"},
        {"pool": [[{"die": 6}, 10**9]]},
        {"die": 10**9},
        {"type": f"{__name__}:Vector", "fields": {"hits": 1}},
        {"type": f"{__name__}:Vector", "fields": 3},
    ],
)
def test_strange_values_are_refused_at_once(value):
    """Bombs and half values in a transcript are refused by their place."""
    plain = play(read_by(reads), source=TypedSource([5])).to_plain()
    plain["args"]["reader"] = value
    with pytest.raises(BadTranscript):
        verify(plain)


def test_deep_nesting_is_refused():
    """Tuples in tuples in tuples, hundreds deep."""
    value: object = 1
    for _ in range(3000):
        value = {"tuple": [value]}
    with pytest.raises(BadTranscript):
        value_from_json(value)


def test_a_rule_that_cannot_be_played_with_its_arguments_is_refused():
    """An argument of the wrong kind in a stored roll is the transcript's fault, not ours."""
    plain = play(push_roll(Pool([D6])), source=TypedSource([6])).to_plain()
    for wrong in (3, "D6", None, {"tuple": [1]}):
        plain["args"]["pool"] = wrong
        with pytest.raises(BadTranscript):
            verify(plain)


@pytest.mark.parametrize(("key", "value"), [("outcome", 1.0), ("format", True), ("outcome", True)])
def test_almost_the_same_is_not_the_same(key, value):
    """A float or a truth value for a whole number is refused."""
    plain = play(read_by(reads), source=TypedSource([5])).to_plain()
    plain[key] = value
    with pytest.raises(BadTranscript):
        verify(plain)


def test_a_rule_made_inside_a_function_is_not_written_down():
    """It could not be found again, or another one would be found."""

    @rule
    async def local():
        return 1

    with pytest.raises(rw.RollwrightError, match="cannot be written down"):
        play(local()).to_json()


def test_numbers_of_any_size_are_told_and_kept():
    """Estimates beyond all digits are told by their size; huge outcomes are kept exactly."""
    with pytest.raises(TooMuchWork, match=r"10\^"):
        odds(many(10_000))
    assert value_from_json(json.loads(json.dumps(value_to_json(10**5000)))) == 10**5000
    assert "10^" in repr(Die({1: 10**4400, 2: 1}))


@rule
async def many(dice: int):
    """More hands than there are atoms."""
    return tuple(await roll(dice * Die(1000)))


def test_everything_is_copied_and_pickled():
    """Dice, hands, calls, positions, transcripts and odds are values for copy and pickle too."""
    position = Position(push_roll(Pool([D6, D6]))).then([2, 3])
    transcript = rw.roll(push_roll(Pool([D6, D6])), faces=[2, 3])
    hand = Hand([(D6, 1), (D4, 2)])
    hash(hand)
    for value in (D6, 2 * D6, hand, push_roll(Pool([D6])), position, transcript, odds(many(1))):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value
        assert copy.copy(value) == value


@rule
async def many_steps(left: int):
    """A long evening."""
    await roll(D6)
    return many_steps(left - 1) if left > 1 else 0


@pytest.mark.long
def test_a_very_long_roll_is_played_in_one_go():
    """Fifty thousand throws in one roll do not slow each other down."""
    done = play(many_steps(50_000), source=SeededSource("evening"))
    assert len(done.entries) == 50_000


def test_true_is_not_one():
    """A die with True on it is not a numbered die."""
    die = Die([True, 2])
    assert not die.is_numbered
    assert value_from_json(value_to_json(die)) is die
