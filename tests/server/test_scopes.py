"""What comes of a question stays with those who may know of it: answers, numbers, memory, time."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import psutil
import pytest
from benchmarks.suites.secrets import Attack

from rollwright.budget import Budget
from rollwright.queries import answer
from rollwright.server.routes.queries import advice_question, own_scope, roll_scope
from rollwright.workers.cache import MOST_SCOPES, PUBLIC, PrivacyScope, ScopedCaches
from rollwright.workers.fork_server import MOST_WORKERS, START
from rollwright.workers.pipes import LENGTH_BYTES, WorkerBounds
from rollwright.workers.pool import WorkerPool, one_piece
from rollwright.workers.worker import Worker
from tests.server.harness import one_app
from tests.server.harness_evening import OPPOSED
from tests.server.test_counting import NO_END, endless, limits, quick, refused, running, until
from tests.table.tables import Host

pytestmark = pytest.mark.storm

HERS, HIS = PrivacyScope("t1", "s1"), PrivacyScope("t1", "s2")
BURST = {"game": "twilight2000", "roll": "attack", "attribute": "B", "skill": "C", "ammo_dice": 5}
COSTLY = {"ask": "preview", "request": BURST}
"""What is remembered of this saves most of its steps."""


@running
async def test_nothing_is_shared_between_scopes() -> None:
    """The same question of somebody else is counted anew, and the asker's own answer is kept."""
    async with WorkerPool(limits()) as counting:
        for scope in (HERS, HIS, PrivacyScope("t2", "s1")):
            await counting.answer(quick(), "x", scope=scope)
        assert (3, 0) == (counting.unpublished.answered, counting.unpublished.from_cache)
        await counting.answer(quick(), "x", scope=HERS)
        assert 1 == counting.unpublished.from_cache
        await counting.answer(quick(), "x")
        assert (1, 0) == (counting.numbers.answered, counting.numbers.from_cache)


@running
async def test_nobody_joins_a_count_of_another_scope() -> None:
    """While a question is counted for one seat, an equal one of anybody else waits by itself."""
    async with WorkerPool(limits()) as counting:
        scopes = (HERS, HERS, HIS, PUBLIC)
        asked = [
            asyncio.create_task(counting.answer(endless(), f"{n}", scope=scope))
            for n, scope in enumerate(scopes)
        ]
        await until(lambda: counting.running + counting.waiting == 3)
        assert (1, 0) == (counting.unpublished.joined, counting.numbers.joined)
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)


@running
async def test_published_numbers_do_not_tell_what_is_asked_at_tables() -> None:
    """Of questions with a scope only their number is published, whatever becomes of them."""
    async with WorkerPool(limits(seconds=1.0)) as counting:
        await counting.warm()
        before = counting.metrics()
        await counting.answer(COSTLY, "x", scope=HERS, seconds=600)
        await counting.answer(COSTLY, "x", scope=HERS)
        await refused(counting.answer(endless(), "x", scope=HERS))
        under_way = asyncio.create_task(counting.answer(endless(1), "x", scope=HIS))
        await until(lambda: counting.running == 1)
        assert before | {"private": 4} == counting.metrics()
        under_way.cancel()
        await asyncio.gather(under_way, return_exceptions=True)
        assert before | {"private": 4} == counting.metrics()


@pytest.mark.parametrize("forks", [True, False])
def test_a_process_remembers_nothing_of_a_question_of_somebodys_own(forks: bool) -> None:
    """Somebody else's equal question takes as many steps as if nobody had asked before."""

    @running
    async def asked_in_turn() -> None:
        worker = await Worker.start(WorkerBounds(NO_END, 0, forks=forks, idle_memory=2**40))
        try:
            scopes = ["hers", "", "his", "hers", ""]
            spent = [
                (await worker.answer(number, COSTLY, scope=scope))["spent"]
                for number, scope in enumerate(scopes)
            ]
        finally:
            await worker.end()
        hers, public, his, hers_again, public_again = spent
        assert hers == public == his
        assert hers_again == public_again < hers  # so the steps do show what is remembered

    asked_in_turn()


@running
async def test_a_question_of_somebodys_own_can_be_given_up() -> None:
    """A newer one takes its place, and the process that counted it is gone."""
    async with WorkerPool(limits()) as counting:
        await counting.warm()
        for number in range(4):
            await counting.answer(quick(number), "x", scope=HERS)
        before = _family()
        first = asyncio.create_task(counting.answer(endless(), "x", scope=HERS, slot="slider"))
        await until(lambda: counting.running == 1)
        assert "36" == (await counting.answer(quick(), "x", scope=HERS, slot="slider"))["total"]
        assert "superseded" == (await refused(first)).code
        await until(lambda: _family() <= before)


@running
async def test_a_process_that_counts_alone_and_dies_is_noticed() -> None:
    """Whoever waits for it is told at once, and nothing of its kind is left behind."""
    others = _family()
    async with WorkerPool(limits()) as counting:
        await counting.warm()
        before = _family()
        asked = asyncio.create_task(counting.answer(endless(), "x", scope=HERS))
        await until(lambda: _family() > before)  # the scope has a process of its own
        for pid in _family() - before:
            psutil.Process(pid).kill()
        assert "unavailable" == (await refused(asked)).code
        assert "36" == (await counting.answer(quick(), "x", scope=HERS))["total"]
    assert _family() <= others


@running
async def test_processes_of_scopes_do_not_grow_in_number() -> None:
    """However many people ask, only a few have a process that remembers; the others are gone."""
    async with WorkerPool(limits(workers=1)) as counting:
        await counting.warm()
        before = len(_family())
        for number in range(3 * MOST_WORKERS):
            await counting.answer(quick(), "x", scope=PrivacyScope("t1", f"s{number}"))
        await refused(counting.answer({"ask": "verify"}, "x", scope=HERS, pieces=one_piece(b"{}")))
        await until(lambda: len(_family()) <= before + MOST_WORKERS)


def _family() -> set[int]:
    """Every process that this one has started, and those that they have."""
    return {one.pid for one in psutil.Process().children(recursive=True) if _lives(one)}


def _lives(process: psutil.Process) -> bool:
    """Whether a process goes on; one that has ended since it was listed does not."""
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def test_what_one_scope_keeps_throws_nothing_out_of_another() -> None:
    """Each scope has bounds of its own, and only a whole scope gives way."""
    answers = ScopedCaches(most=10 * MOST_SCOPES, most_bytes=2**20)
    answers.public.put(b"q", {"answer": 1})
    answers.for_scope(HIS).put(b"q", {"answer": 2})
    for number in range(1000):
        answers.for_scope(HERS).put(b"%d" % number, {"answer": "long" * 20})
    assert {"answer": 1} == answers.public.find(b"q")
    assert {"answer": 2} == answers.for_scope(HIS).find(b"q")
    for number in range(MOST_SCOPES):
        answers.for_scope(PrivacyScope("t2", f"s{number}"))
    assert answers.for_scope(HIS).find(b"q") is None


def test_what_a_seat_asks_for_itself_is_its_own() -> None:
    """Nobody shares with another seat what they think about; those who watch share."""
    state = Host(players=1).state
    scopes = [own_scope(state, seat) for seat in (*state.seats.values(), None)]
    assert 3 == len(set(scopes))
    assert {state.table} == {scope.table for scope in scopes}
    assert not any(scope.is_public for scope in scopes)


def test_advice_is_shared_by_those_who_see_all_of_the_roll() -> None:
    """On an open roll by everybody at the table, on a secret one by nobody."""
    host = Host(players=1)
    request = {"roll": "skill", "attribute": "D", "skill": "D"}
    open_roll = host.do("s1", "roll.start", request=request, physical=True)[0].body["roll"]
    secret = host.do("s1", "roll.start", request=request, physical=True, visibility="private")
    ada, ben = host.state.seats["s1"], host.state.seats["s2"]

    def scope(seat: Any, roll: str) -> PrivacyScope:
        return roll_scope(host.state, seat, roll)

    hidden = secret[0].body["roll"]
    assert scope(ada, open_roll) == scope(ben, open_roll) == scope(None, open_roll)
    assert 3 == len({scope(ada, hidden), scope(ben, hidden), scope(ada, open_roll)})


def test_those_who_see_all_of_a_roll_ask_the_same_about_it() -> None:
    """Where the rule has hidden nothing, advice is by what whoever decides knows: counted once."""
    host = Host(players=2)
    request = {"roll": "skill", "attribute": "D", "skill": "D"}
    roll = host.do("s2", "roll.start", request=request, physical=True)[0].body["roll"]
    host.do("s2", "roll.enter", roll=roll, faces=[2, 3], index=0)
    asking = (*host.state.seats.values(), None)
    first, *others = [advice_question(host.state, seat, roll) for seat in asking]
    assert all(other == first for other in others)
    hidden = host.do("s2", "roll.start", request=OPPOSED, physical=True)[0].body["roll"]
    host.do("s2", "roll.enter", roll=hidden, faces=[2, 3], index=0)
    host.do("s1", "roll.enter", roll=hidden, faces=[4], index=1)
    apart = [advice_question(host.state, seat, hidden)["seat"] for seat in asking]
    assert 4 == len(set(apart))


def test_hidden_faces_show_neither_in_the_work_nor_among_kept_answers() -> None:
    """For who may not see a die, advice takes the same steps whatever it shows, and shares none."""
    host = Host(players=1)
    scopes, spent, answers = set(), set(), []
    for face in range(1, 9):
        events = host.do("s2", "roll.start", request=OPPOSED, physical=True)
        roll = events[0].body["roll"]
        host.do("s2", "roll.enter", roll=roll, faces=[2, 3], index=0)
        host.do("s1", "roll.enter", roll=roll, faces=[face], index=1)
        player = host.state.seats["s2"]
        scopes.add(roll_scope(host.state, player, roll))
        budget = Budget()
        question = advice_question(host.state, player, roll)
        answers.append(answer(question.pop("ask"), question, budget))
        spent.add(budget.spent)
        host.do("s2", "roll.cancel", roll=roll)
    assert (8, 1) == (len(scopes), len(spent))
    assert all(found == answers[0] for found in answers)
    assert "sees more than you do" in answers[0]["why"]


@pytest.fixture(scope="module")
def attack() -> Iterator[Attack]:
    """A real server with a referee who rolls in secret, and a stranger."""
    with one_app(metrics="open") as app:
        attack = Attack(app.address)
        yield attack
        attack.close()


def test_published_numbers_open_no_secret_roll(attack: Attack) -> None:
    """Asked at the public door, the right faces move every number just as any other faces do."""
    for number in range(3):
        secret, told = f"secret {number}", f"nobody {number}"
        truth = attack.secret_roll(secret)
        guesses = [truth, *(faces for faces in attack.waiting if faces != truth)][:5]
        for faces in guesses:
            probe = attack.probe(faces, secret, told)
            assert {0} == {moved for _, moved in probe.told}, (faces, truth)
            assert 1 == probe.guess.moved["answered"]
        attack.let_go()


@pytest.mark.parametrize("scope", ["", "hers"])
def test_a_counting_process_ends_without_a_word_when_its_parent_is_gone(scope: str) -> None:
    """Killed between question and answer, a server leaves no traceback of a broken pipe."""
    command = [sys.executable, "-c", START.format("main"), json.dumps(sys.path)]
    pipes: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, process_group=0, **pipes) as process:
        sent, heard, said = process.stdin, process.stdout, process.stderr
        assert sent is not None
        assert heard is not None
        assert said is not None
        sent.write(_framed({"work": NO_END, "memory": 0, "forks": True}))
        sent.flush()
        assert heard.read(LENGTH_BYTES)
        heard.close()
        sent.write(
            _framed({"number": 1, "asks": True, "scope": scope, "payload": False})
            + _framed(quick())
        )
        sent.flush()
        if scope:
            sent.close()
        assert b"" == said.read()


def _framed(message: Any) -> bytes:
    body = json.dumps(message).encode()
    return len(body).to_bytes(LENGTH_BYTES, "big") + body
