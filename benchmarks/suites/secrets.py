"""What a stranger without a token finds out about secret rolls, by published numbers and by time.

A referee makes secret rolls that wait at a choice, and their page asks for advice on each. The
stranger knows what was rolled, guesses the faces out of a line-up, and asks the public door about
every guess. The bar: by numbers nothing, by time no more than chance.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from math import comb
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import httpx

from benchmarks.load.servers import table
from benchmarks.measuring import Settings
from benchmarks.records import refresh_page, save_json, when_and_where
from benchmarks.soak.doors import new_token
from benchmarks.tables import markdown_table, text_table

ROLLS, FEW = 40, 10
LINE_UP = 6
"""Among so many guesses one is right: chance opens a sixth."""
UNLIKELY = 0.01
"""What chance does less often than this is more than chance."""
SIDES = range(1, 7)
HEAD = ("how", "opened", "of", "chance alone", "ok?")
NUMBERS = "published numbers"
Faces = tuple[int, int]


class Found(NamedTuple):
    """How many rolls one way of guessing opened."""

    name: str
    opened: int
    rolls: int

    @property
    def likely(self) -> float:
        """How often chance opens as many or more."""
        ways = range(self.opened, self.rolls + 1)
        return sum(comb(self.rolls, k) * (LINE_UP - 1) ** (self.rolls - k) for k in ways) / float(
            LINE_UP**self.rolls
        )

    @property
    def ok(self) -> bool:
        """Whether it is no more than chance."""
        return self.opened == 0 if self.name == NUMBERS else self.likely > UNLIKELY

    @property
    def row(self) -> tuple[str, ...]:
        """A line of the table."""
        chance = f"{self.rolls / LINE_UP:.1f} (as many: {self.likely:.2g})"
        return (self.name, str(self.opened), str(self.rolls), chance, "ok" if self.ok else "OPEN")


def run(settings: Settings) -> bool:
    """Attack, and say whether it brought no more than chance."""
    rolls = ROLLS if settings.most > 3 else FEW
    with attacked() as attack:
        opened = {name: 0 for name in GUESSERS}
        for number in range(rolls):
            for name, right in _judged(attack, number).items():
                opened[name] += right
    found = [Found(name, count, rolls) for name, count in opened.items()]
    rows = [one.row for one in found]
    print(text_table(HEAD, rows))
    refresh_page("secrets", f"{markdown_table(HEAD, rows)}\n\n{when_and_where()}")
    save_json("secrets", {"line_up": LINE_UP, "rolls": rolls, "opened": opened})
    return all(one.ok for one in found)


class Asked(NamedTuple):
    """What one question showed: the numbers that it moved, and how long it took."""

    moved: dict[str, float]
    seconds: float


class Probe(NamedTuple):
    """A guess that was asked about, beside the same faces in a roll that nobody made."""

    faces: Faces
    guess: Asked
    usual: Asked

    @property
    def told(self) -> tuple[tuple[str, float], ...]:
        """Which numbers moved otherwise than they usually do."""
        moved, usual = self.guess.moved, self.usual.moved
        return tuple(
            sorted((name, moved[name] - usual[name]) for name in moved if name not in TIMES)
        )


TIMES = ("seconds",)
"""Published times; they are guessed by like times that the stranger takes."""


def _by_numbers(probes: list[Probe]) -> Faces | None:
    """The guess that some number sets apart from all others; None where none is."""
    told = [one.told for one in probes]
    apart = [one.faces for one in probes if told.count(one.told) == 1]
    return apart[0] if len(apart) == 1 else None


def _by_time(probes: list[Probe]) -> Faces | None:
    return max(probes, key=lambda one: one.usual.seconds - one.guess.seconds).faces


def _by_ratio(probes: list[Probe]) -> Faces | None:
    return max(probes, key=lambda one: one.usual.seconds / one.guess.seconds).faces


def _by_published_time(probes: list[Probe]) -> Faces | None:
    times = {
        one.faces: [one.usual.moved[name] - one.guess.moved[name] for name in TIMES]
        for one in probes
    }
    return max(times, key=lambda faces: times[faces])


GUESSERS: dict[str, Callable[[list[Probe]], Faces | None]] = {
    NUMBERS: _by_numbers,
    "time, difference": _by_time,
    "time, ratio": _by_ratio,
    "published time": _by_published_time,
}


def _judged(attack: Attack, number: int) -> dict[str, bool]:
    """Which ways of guessing opened one more secret roll."""
    secret, told = f"{secrets.token_hex(8)}", f"{secrets.token_hex(8)}"
    truth = attack.secret_roll(secret)
    others = [faces for faces in attack.waiting if faces != truth]
    line_up = [truth, *random.sample(others, LINE_UP - 1)]
    random.shuffle(line_up)
    probes = [attack.probe(faces, secret, told, first=number % 2 == 0) for faces in line_up]
    attack.let_go()
    return {name: guess(probes) == truth for name, guess in GUESSERS.items()}


class Attack:
    """A referee who rolls in secret, and a stranger who only has the server's address."""

    def __init__(self, address: str) -> None:
        self.referee = httpx.Client(base_url=f"{address}/api/v1", timeout=60)
        self.stranger = httpx.Client(base_url=address, timeout=60)
        self._found_table()
        self._sampled = self._sample()
        self.waiting = [faces for faces in product(SIDES, SIDES) if self._waits(faces)]

    def _found_table(self) -> None:
        token, hashed = new_token()
        hashes = {"seat": hashed, **{role: new_token()[1] for role in ("player", "spectator")}}
        asked = {"game": "twilight2000", "name": "R", "tokens": hashes}
        made = self.referee.post("/tables", json={"id": secrets.token_hex(8), **asked})
        made.raise_for_status()
        self.referee.headers["authorization"] = f"Bearer {token}"
        self._table = f"/tables/{made.json()['table']}"

    def close(self) -> None:
        """Both go home."""
        self.referee.close()
        self.stranger.close()

    def secret_roll(self, gear: str) -> Faces:
        """Roll in secret until the roll waits at a choice, and have the page ask for advice."""
        while True:
            asked = {"request": _request(gear), "visibility": "hidden", "announce": False}
            done = self._commanded("roll.start", **asked)
            thrown = [one["body"] for one in done["events"] if "faces" in one["body"]]
            if thrown[-1]["after"]["step"] == "choice":
                break
        self._roll = thrown[0]["roll"]
        advice = self.referee.post(f"{self._table}/rolls/{self._roll}/advice", json={})
        advice.raise_for_status()
        first, second = thrown[0]["faces"]
        return first, second

    def let_go(self) -> None:
        """The secret roll is not needed any more."""
        self._commanded("roll.cancel", roll=self._roll)

    def _commanded(self, do: str, **fields: Any) -> dict[str, Any]:
        command = {"id": secrets.token_hex(8), "do": do, **fields}
        done: dict[str, Any] = self.referee.post(f"{self._table}/commands", json=command).json()
        if not done["ok"]:
            raise SystemExit(f"the referee was refused: {done['error']['message']}")
        return done

    def probe(self, faces: Faces, secret: str, told: str, *, first: bool = True) -> Probe:
        """Ask about a guess, and about the same faces in a roll that nobody made."""
        found = {
            name: self.ask(faces, name) for name in ((secret, told) if first else (told, secret))
        }
        return Probe(faces, found[secret], found[told])

    def ask(self, faces: Faces, gear: str) -> Asked:
        """Ask the public door about a roll with these faces."""
        body = {"transcript": self._transcript(faces, gear), "seat": "roller", "goal": ""}
        before = self._numbers()
        begun = perf_counter()
        answer = self.stranger.post("/api/v1/advise", json=body)
        seconds = perf_counter() - begun
        answer.raise_for_status()
        after = self._numbers()
        return Asked({name: after[name] - before.get(name, 0) for name in after}, seconds)

    def _numbers(self) -> dict[str, float]:
        """Everything that the server publishes about its counting."""
        told = self.stranger.get("/metrics")
        if told.status_code != httpx.codes.OK:
            raise SystemExit("the attack reads /metrics: let everybody read it for a while")
        lines = told.text.splitlines()
        mark = 'rollwright_counting{what="'
        found = [line[len(mark) :].split('"} ') for line in lines if line.startswith(mark)]
        return {name: float(number) for name, number in found}

    def _sample(self) -> dict[str, Any]:
        """A transcript as the server writes it; others differ in gear and faces only."""
        asked = {"request": {"game": "twilight2000", **_request("any")}, "faces": [2, 3]}
        rolled = self.stranger.post("/api/v1/roll", json=asked)
        rolled.raise_for_status()
        found: dict[str, Any] = rolled.json()["transcript"]
        return found

    def _transcript(self, faces: Faces, gear: str) -> dict[str, Any]:
        request = {**self._sampled["request"], "gear": gear}
        answers = [{"faces": list(faces), "how": "fair"}]
        return {**self._sampled, "request": request, "answers": answers}

    def _waits(self, faces: Faces) -> bool:
        body = {"transcript": self._transcript(faces, "any")}
        return bool(self.stranger.post("/api/v1/advise", json=body).json().get("options"))


def _request(gear: str) -> dict[str, Any]:
    return {"roll": "skill", "attribute": "D", "skill": "D", "gear": gear}


@contextmanager
def attacked() -> Iterator[Attack]:
    """A server, a referee and a stranger."""
    with (
        TemporaryDirectory() as folder,
        table(f"sqlite:///{folder}/a.sqlite", "--metrics=open") as server,
    ):
        attack = Attack(f"http://127.0.0.1:{server.port}")
        yield attack
        attack.close()
