"""Counting outside the event loop: fair, bounded, cancelled, and replaced when it dies."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any

import psutil
import pytest

from rollwright.queries.errors import QueryError
from rollwright.workers import worker
from rollwright.workers.cache import AnswerCache
from rollwright.workers.pool import WorkerLimits, WorkerPool
from rollwright.workers.queue import FairQueue, Job

pytestmark = pytest.mark.storm

NO_END = 10**15
LONG = 600.0
"""Seconds that no test takes."""
SIX = {"game": "twilight2000", "roll": "attack", "attribute": "B", "skill": "C", "ammo_dice": 6}


def running(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Run a test in an event loop of its own."""

    @wraps(test)
    def run() -> None:
        asyncio.run(asyncio.wait_for(test(), 300))

    return run


def quick(number: int = 0) -> dict[str, Any]:
    """A question that takes less than a millisecond; each number is another one."""
    return {"ask": "odds", "expression": f"2d6+{number}"}


def endless(number: int = 0, members: int = 12) -> dict[str, Any]:
    """A question that takes far longer than any test; each number is another one.

    Of ten members it takes seconds, and nobody can tell beforehand that it is too much.
    """
    rolling = [{"modifier": n, "advantages": n % 3} for n in range(-5, members - 5)]
    group = {"game": "kleptonomicon", "roll": "group", "members": rolling, "goal": 7 + number}
    return {"ask": "odds", "request": group, "policy": "best"}


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that will come about."""
    while not condition():
        await asyncio.sleep(0.005)


class Idle:
    """For how long nobody has played: somebody plays. It knows how often it was asked."""

    asked = 0

    def __call__(self) -> float:
        """No time at all."""
        self.asked += 1
        return 0.0


async def refused(asked: Awaitable[Any]) -> QueryError:
    """The refusal of a question."""
    with pytest.raises(QueryError) as caught:
        await asked
    return caught.value


def limits(**changed: Any) -> WorkerLimits:
    """Limits for tests: two processes, and no bound on steps or on time."""
    usual = WorkerLimits(workers=2, work=NO_END, seconds=LONG, wait=LONG)
    return usual._replace(**changed)


@running
async def test_a_question_is_answered_by_a_process() -> None:
    """An answer comes back as plain data, counted outside this process."""
    async with WorkerPool(limits()) as counting:
        answer = await counting.answer({"ask": "odds", "expression": "2d6", "where": "it = 7"}, "x")
        assert "1/6" == answer["chance"]
        assert os.getpid() not in counting.pids


@running
async def test_processes_start_one_after_the_other() -> None:
    """Right after a start nothing is loaded; then one comes, and another one later."""
    async with WorkerPool(limits(quiet=0.5)) as counting:
        assert () == counting.pids
        await until(lambda: len(counting.pids) == 1)
        await until(lambda: len(counting.pids) == 2)


@running
async def test_whoever_asks_waits_for_no_start() -> None:
    """The first question starts a process at once."""
    async with WorkerPool(limits(quiet=LONG)) as counting:
        counting.idle = idle = Idle()
        await until(lambda: idle.asked >= 2)  # once for each process that does not start
        assert () == counting.pids
        assert "36" == (await counting.answer(quick(), "x"))["total"]


@running
async def test_no_process_starts_in_the_midst_of_a_game() -> None:
    """While somebody plays, one question starts one process, and no other comes before quiet."""
    async with WorkerPool(limits(quiet=0.05)) as counting:
        counting.idle = idle = Idle()
        await until(lambda: idle.asked >= 10)
        assert () == counting.pids
        assert "36" == (await counting.answer(quick(), "x"))["total"]
        asked = idle.asked
        await until(lambda: idle.asked >= asked + 10)
        assert 1 == len(counting.pids)
        counting.idle = lambda: LONG
        await until(lambda: len(counting.pids) == 2)


@running
async def test_a_refusal_carries_its_place() -> None:
    """A bad expression is refused with its code, its span and what would do."""
    async with WorkerPool(limits()) as counting:
        problem = await refused(counting.answer({"ask": "odds", "expression": "2d6 + kq"}, "x"))
        assert "bad_expression" == problem.code
        assert (6, 8) == (problem.details["start"], problem.details["end"])
        assert "2d6 + @kq" == problem.details["suggestions"][0]


@running
async def test_work_is_bounded_by_steps() -> None:
    """A question beyond the budget of steps is refused as too much work."""
    async with WorkerPool(limits(work=1000)) as counting:
        problem = await refused(counting.answer({"ask": "odds", "request": SIX}, "x"))
        assert "too_much_work" == problem.code


@running
async def test_work_is_bounded_by_the_clock() -> None:
    """A process that counts too long is killed and replaced, and the asker is told."""
    async with WorkerPool(limits(seconds=0.3)) as counting:
        await counting.warm()
        before = set(counting.pids)
        problem = await refused(counting.answer(endless(), "x"))
        assert "too_much_work" == problem.code
        await until(lambda: len(counting.pids) == 2 and set(counting.pids) != before)
        assert "36" == (await counting.answer(quick(), "x", seconds=LONG))["total"]
        killed = before - set(counting.pids)
        assert not any(map(psutil.pid_exists, killed))


@running
async def test_what_took_too_long_is_not_tried_again_at_once() -> None:
    """The same question asked again is refused from memory and kills no second process."""
    async with WorkerPool(limits(seconds=0.2)) as counting:
        await refused(counting.answer(endless(), "x"))
        await refused(counting.answer(endless(), "another"))
        assert 1 == counting.numbers.killed


@running
async def test_a_process_that_dies_is_replaced() -> None:
    """Whoever waited for it is told, and the next question is answered by a new process."""
    async with WorkerPool(limits()) as counting:
        await counting.warm()
        asked = asyncio.create_task(counting.answer(endless(), "x"))
        await until(lambda: counting.running == 1)
        for pid in counting.pids:
            os.kill(pid, signal.SIGKILL)
        assert "unavailable" == (await refused(asked)).code
        await until(lambda: counting.numbers.crashed == 2)
        assert "36" == (await counting.answer(quick(), "x"))["total"]
        assert 2 == counting.numbers.crashed


def test_a_process_that_freezes_while_it_starts_is_replaced(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is ended and told to the host, and the question is answered by the next process."""

    async def test() -> None:
        async with WorkerPool(limits(workers=1, start=0.05)) as counting:
            asked = asyncio.create_task(counting.answer(quick(), "x"))
            await until(lambda: "did not start: it was not ready in 0.05 s" in caplog.text)
            counting.limits = counting.limits._replace(start=LONG)
            monkeypatch.undo()
            assert "36" == (await asked)["total"]

    monkeypatch.setattr(worker, "START", "import time; time.sleep(3600)  # {0}")
    asyncio.run(asyncio.wait_for(test(), 300))


@running
async def test_one_costly_question_does_not_stop_the_others() -> None:
    """While one share fills its line with endless questions, another is answered meanwhile."""
    async with WorkerPool(limits()) as counting:
        await counting.warm()
        costly = [asyncio.create_task(counting.answer(endless(n), "greedy")) for n in range(5)]
        await until(lambda: counting.running == 1)
        for number in range(20):
            await counting.answer(quick(number), "modest")
        assert (1, 4) == (counting.running, counting.waiting)
        for task in costly:
            task.cancel()


@running
async def test_a_line_has_an_end() -> None:
    """More questions of one share than its line holds are refused as too many."""
    async with WorkerPool(limits(each=3)) as counting:
        await counting.warm()
        asked = [asyncio.create_task(counting.answer(endless(), "x"))]
        await until(lambda: counting.running == 1)
        asked += [asyncio.create_task(counting.answer(endless(n), "x")) for n in range(1, 4)]
        await until(lambda: counting.waiting == 3)
        assert "too_many" == (await refused(counting.answer(endless(9), "x"))).code
        for task in asked:
            task.cancel()


def test_shares_take_turns() -> None:
    """Two shares with questions are served in turn, whoever has more of them."""
    shares = FairQueue(each=10, in_all=100, at_once=100)
    for number, share in enumerate("aaaabb"):
        shares.add(Job(number, b"", {}, share))
    served = []
    while (job := shares.take()) is not None:
        served.append(job.share)
        shares.finish(job)
    assert list("ababaa") == served


def test_no_share_gets_every_process() -> None:
    """A share that has as many at work as it may waits, while another is served."""
    shares = FairQueue(each=10, in_all=100, at_once=1)
    for number, share in enumerate("aab"):
        shares.add(Job(number, b"", {}, share))
    first, second = shares.take(), shares.take()
    assert first is not None
    assert second is not None
    assert ["a", "b"] == [first.share, second.share]
    assert shares.take() is None
    shares.finish(first)
    third = shares.take()
    assert third is not None
    assert "a" == third.share


@running
async def test_a_newer_question_takes_the_place_of_an_older_one() -> None:
    """Of the questions of a slider that wait, only the newest is answered."""
    async with WorkerPool(limits(workers=1)) as counting:
        await counting.warm()
        busy = asyncio.create_task(counting.answer(endless(), "x"))
        await until(lambda: counting.running == 1)
        old = asyncio.create_task(counting.answer(quick(1), "x", slot="slider"))
        await until(lambda: counting.waiting == 1)
        new = asyncio.create_task(counting.answer(quick(2), "x", slot="slider"))
        assert "superseded" == (await refused(old)).code
        assert 1 == counting.waiting
        busy.cancel()
        assert 4 == (await new)["outcomes"][0]["value"]


@running
async def test_a_question_under_way_makes_room_for_a_newer_one() -> None:
    """A slow question is given up once a newer one of the same slider has come."""
    async with WorkerPool(limits(workers=1, patience=0.05)) as counting:
        await counting.warm()
        old = asyncio.create_task(counting.answer(endless(), "x", slot="slider"))
        await until(lambda: counting.running == 1)
        new = asyncio.create_task(counting.answer(quick(), "x", slot="slider"))
        assert "superseded" == (await refused(old)).code
        assert "36" == (await new)["total"]
        assert 0 == counting.numbers.killed


@running
async def test_nobody_counts_for_somebody_who_has_left() -> None:
    """When the asker goes away the count is stopped, and the process is free again."""
    async with WorkerPool(limits(workers=1)) as counting:
        await counting.warm()
        before = counting.pids
        asked = asyncio.create_task(counting.answer(endless(), "x"))
        await until(lambda: counting.running == 1)
        asked.cancel()
        assert "36" == (await counting.answer(quick(), "y"))["total"]
        assert before == counting.pids
        assert 1 == counting.numbers.cancelled


@running
async def test_equal_questions_are_counted_once() -> None:
    """Ten seats that ask the same at once, and one that asks later, cost one count."""
    async with WorkerPool(limits()) as counting:
        asked = [
            counting.answer({"ask": "odds", "request": SIX, "of": "hit"}, f"{n}") for n in range(10)
        ]
        answers = await asyncio.gather(*asked)
        answers.append(await counting.answer({"of": "hit", "request": SIX, "ask": "odds"}, "late"))
        assert [answers[0]] * 11 == answers
        assert (1, 9, 1) == (
            counting.numbers.answered,
            counting.numbers.joined,
            counting.numbers.from_cache,
        )


@running
async def test_one_of_several_askers_may_leave() -> None:
    """The count goes on for those who still wait for it."""
    async with WorkerPool(limits()) as counting:
        question = {"ask": "preview", "request": SIX, "policy": "best"}
        first = asyncio.create_task(counting.answer(question, "a"))
        second = asyncio.create_task(counting.answer(question, "b"))
        await until(lambda: counting.numbers.joined == 1)
        first.cancel()
        assert "139/160" == (await second)["chance"]["exact"]


@running
async def test_rolls_are_never_kept() -> None:
    """Two rolls of the same dice are two rolls; with a seed they are the same one."""
    async with WorkerPool(limits()) as counting:
        roll = {"ask": "roll", "expression": "20d100"}
        one, other = await asyncio.gather(counting.answer(roll, "x"), counting.answer(roll, "x"))
        third = await counting.answer(roll, "x")
        assert 3 == len({str(answer) for answer in (one, other, third)})
        seeded = roll | {"seed": 7}
        assert await counting.answer(seeded, "x") == await counting.answer(seeded, "y")


@running
async def test_who_waits_at_the_end_is_told() -> None:
    """When the server stops, questions under way and in line are refused as unavailable."""
    counting = WorkerPool(limits())
    await counting.start()
    await counting.warm()
    pids = counting.pids
    asked = [asyncio.create_task(counting.answer(endless(n), "x")) for n in range(3)]
    await until(lambda: counting.running == 1)
    await counting.stop()
    assert {"unavailable"} == {(await refused(task)).code for task in asked}
    assert not any(map(psutil.pid_exists, pids))
    assert "unavailable" == (await refused(counting.answer(quick(), "x"))).code


ORPHANS = """
import asyncio, psutil
from rollwright.workers.cache import PrivacyScope
from rollwright.workers import worker
from rollwright.workers.pool import WorkerPool, WorkerLimits
from tests.server.test_counting import endless, until

async def main():
    counting = WorkerPool(WorkerLimits(workers=2, work=10**15, seconds=60))
    await counting.start()
    await counting.warm()
    asyncio.create_task(counting.answer(endless(), "x", scope=PrivacyScope("t1", "s1")))
    family = lambda: psutil.Process().children(recursive=True)
    await until(lambda: counting.running == 1 and len(family()) == 5)
    print(*(one.pid for one in family()), flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


def test_processes_die_with_their_parent() -> None:
    """After kill -9 of the server neither an idle nor a busy counting process is left."""
    parent = subprocess.Popen([sys.executable, "-c", ORPHANS], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    children = [psutil.Process(int(pid)) for pid in parent.stdout.readline().split()]
    assert 5 == len(children)  # two fork servers, who count for them, and one who counts for a seat
    parent.kill()
    parent.wait()
    parent.stdout.close()
    _, alive = psutil.wait_procs(children, timeout=60)
    assert [] == alive


def test_answers_used_longest_ago_are_thrown_away() -> None:
    """The cache keeps what is asked for, within its number and its bytes."""
    cache = AnswerCache(most=3, most_bytes=10_000)
    for number in range(3):
        cache.put(b"%d" % number, {"answer": number})
    cache.find(b"0")
    cache.put(b"3", {"answer": 3})
    assert [0, None, 2, 3] == [(cache.find(b"%d" % n) or {}).get("answer") for n in range(4)]
    cache.put(b"big", {"answer": "x" * 5000})
    assert cache.find(b"big") is None
    for number in range(50):
        cache.put(b"%d" % number, {"answer": "x" * 2000})
    assert cache.bytes <= 10_000


def test_an_answer_may_be_kept_for_a_while_only() -> None:
    """What was kept until a time is forgotten after it."""
    cache = AnswerCache(most=3, most_bytes=10_000)
    cache.put(b"q", {"answer": 1}, until=10.0)
    assert {"answer": 1} == cache.find(b"q", now=9.0)
    assert cache.find(b"q", now=11.0) is None
