"""Calls of a card are bounded where others wait for them, and nowhere else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import Any

import pytest

from rollwright import hooks, timeouts
from rollwright.errors import BrokenGame
from rollwright.kit import games
from rollwright.kit.games import find_game
from rollwright.timeouts import TooSlow, call_with_timeout, interrupt_slow_calls

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")


@pytest.fixture
def watched(monkeypatch) -> Any:
    """Slow calls are interrupted for their work, not for that of a busy machine.

    Afterwards everything is as before.
    """
    monkeypatch.setattr(timeouts, "WAITING", 600.0)
    before = signal.getsignal(signal.SIGALRM)
    interrupt_slow_calls()
    yield
    timeouts._Watch.on, timeouts._Watch.thread = False, 0
    timeouts._stop()
    signal.signal(signal.SIGALRM, before)


def endless() -> None:
    """Never ends, and takes every error for its own."""
    while True:
        try:
            while True:
                pass
        except Exception:
            continue


def test_what_never_ends_is_interrupted(watched):
    """Also where the call swallows what it is not to swallow."""
    with pytest.raises(TooSlow):
        call_with_timeout(endless)
    assert timeouts._Watch.call is None


def test_what_is_quick_is_left_alone(watched):
    """It gives what it gives, and its errors are its own."""
    assert 6 == call_with_timeout(lambda a, b: a * b, 2, 3)
    with pytest.raises(KeyError):
        call_with_timeout(lambda: {}["x"])
    assert timeouts._Watch.call is None


def test_the_timer_stops_when_there_are_no_calls(watched):
    """The first look that finds none ends it; the next call begins it again."""
    for _ in range(2):
        call_with_timeout(int)
        assert signal.getitimer(signal.ITIMER_REAL)[1] > 0
        timeouts._look(signal.SIGALRM, None)
        assert (0.0, 0.0) == signal.getitimer(signal.ITIMER_REAL)


@pytest.mark.long
def test_a_call_within_a_call_leaves_the_outer_one_watched(watched):
    """The inner one is cut, the outer goes on, and is cut in its turn."""
    inner = []

    def outer() -> None:
        try:
            call_with_timeout(endless)
        except TooSlow:
            inner.append("cut")
        endless()

    with pytest.raises(TooSlow):
        call_with_timeout(outer)
    assert ["cut"] == inner


def test_what_waits_for_nothing_is_interrupted(watched, monkeypatch):
    """It works for no time at all, and others would wait for it all the same."""
    monkeypatch.setattr(timeouts, "WAITING", 0.2)
    with pytest.raises(TooSlow):
        call_with_timeout(lambda: time.sleep(3600))


def test_a_call_is_not_slow_because_others_have_the_processors(monkeypatch):
    """What passes while a thread waits for its turn is not counted; what it sleeps is."""
    passed, queued = iter([10.0, 14.0, 17.5]), iter([1.0, 4.5, 4.5])
    monkeypatch.setattr(timeouts, "monotonic", lambda: next(passed))
    monkeypatch.setattr(timeouts, "_queue_seconds", lambda: next(queued))
    call = timeouts._Call(working=600.0, waiting=3.0)
    assert [False, False, True] == [call.look(), call.look(), call.look()]


@pytest.mark.skipif(not os.path.exists(timeouts.QUEUE), reason="nobody says how long it waited")
def test_how_long_a_thread_waited_is_read(monkeypatch):
    """It only grows; where nobody says it, it is nothing."""
    before = timeouts._queue_seconds()
    time.sleep(0)
    assert 0 <= before <= timeouts._queue_seconds()
    monkeypatch.setattr(timeouts, "QUEUE", "/there/is/no/such/file")
    assert 0.0 == timeouts._queue_seconds()


def test_nothing_is_raised_outside_of_a_call(watched, monkeypatch):
    """A signal that comes late, or while a call is begun or ended, does nothing."""
    monkeypatch.setattr(timeouts, "WORKING", -1.0)
    monkeypatch.setattr(timeouts._Watch, "call", timeouts._Call())
    signal.raise_signal(signal.SIGALRM)
    frame = next(iter(frames_of(call_with_timeout)))
    timeouts._look(signal.SIGALRM, frame)


def frames_of(function: Any) -> list[Any]:
    """The frame of a function, while it calls something."""
    found: list[Any] = []
    function(lambda: found.append(sys._getframe(1)))
    return found


def test_whoever_ends_is_not_ended_by_the_timer():
    """A process that leaves while the timer runs leaves as it wanted to."""
    code = "from rollwright.timeouts import *; interrupt_slow_calls(); call_with_timeout(int)"
    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode


def test_in_another_thread_it_is_measured(watched, monkeypatch):
    """Nothing can be interrupted there; what took too long is known afterwards."""
    monkeypatch.setattr(timeouts, "WORKING", -1.0)
    caught = []

    def try_it() -> None:
        try:
            call_with_timeout(int)
        except TooSlow:
            caught.append("slow")

    thread = threading.Thread(target=try_it)
    thread.start()
    thread.join()
    assert ["slow"] == caught


def test_elsewhere_nothing_is_bounded(monkeypatch):
    """What a library shows does not depend on how busy the machine is."""
    monkeypatch.setattr(timeouts, "WORKING", -1.0)
    assert 0 == call_with_timeout(int)


@pytest.mark.long
def test_a_card_of_which_a_part_rests_has_less_time_for_the_others(watched, monkeypatch):
    """So one whose every part never ends holds up nobody for long; other cards have all of it."""
    monkeypatch.setattr(hooks, "_resting", timeouts.Backoff())
    worked: dict[str, float] = {}

    def works(part: str) -> None:
        begun = timeouts.thread_time()
        try:
            endless()
        finally:
            worked[part] = timeouts.thread_time() - begun

    def shown(name: str, part: str) -> str:
        game = SimpleNamespace(name=name, title=name, card=None)
        return hooks.call_hook(game, part, lambda _: "the default", part, by=works)

    parts = [("bog", "form"), ("bog", "told"), ("fen", "marks")]
    assert ["the default"] * 3 == [shown(*part) for part in parts]
    assert worked["told"] < timeouts.WORKING < worked["form"]
    assert worked["marks"] > timeouts.WORKING


def test_a_game_that_never_ends_loading_is_broken(watched, monkeypatch, tmp_path):
    """Nobody could be answered who asks for any game, and nothing would be counted."""
    name = "never_there"
    (tmp_path / f"{name}.py").write_text("while True:\n    pass\n", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint(name, f"{name}:game", games.ENTRY_POINTS)
    monkeypatch.setattr(games, "_entry_points", lambda: {name: point})
    monkeypatch.setattr(games, "_loaded", {})
    monkeypatch.setattr(games, "LOADING", 0.2)
    games.load_outside_games()
    with pytest.raises(BrokenGame, match="it takes longer than 0 seconds to load"):
        find_game(name)


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs to split off a process")
def test_a_process_that_is_split_off_has_a_timer_of_its_own():
    """Timers are not handed down: what the parent knew of its own would leave calls unwatched."""
    program = (
        "import os\n"
        "from rollwright.timeouts import TooSlow, call_with_timeout, interrupt_slow_calls\n"
        "interrupt_slow_calls()\n"
        "call_with_timeout(int)\n"
        "def endless():\n"
        "    while True: pass\n"
        "if os.fork() == 0:\n"
        "    try: call_with_timeout(endless)\n"
        "    except TooSlow: os._exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.wait()[1]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert "7" == done.stdout.strip()


def test_looking_at_a_call_imports_nothing():
    """It happens inside of a signal's handler, perhaps in the middle of the same import."""
    code = (
        "import sys; from rollwright import timeouts; before = set(sys.modules);"
        "timeouts._Call().look(); print(*(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "" == done.stdout.strip()
