"""Whatever people with devices do at a table, rightly or wrongly: every copy of the log is true."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from rollwright.client import ServerError, Table
from rollwright.table import CodedError
from rollwright.table.verify.log import verify_log
from tests.client.hosted import say_silent, sit_down
from tests.table.tables import Host

SKILL = {"roll": "skill", "attribute": "C"}
TASK = {"roll": "extended", "pool": 6, "target": 9, "limit": 6, "adrenaline": 1}
STEPS = 30


class Evening:
    """Two players and a referee who sign, and two who do not, at a table of one game."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.game = self.chance.choice(["", "twilight2000", "dust"])
        witnesses = self.chance.random() < 0.4
        self.host = Host(self.game, players=1, seed=str(seed), witnesses=witnesses)
        self.people = [sit_down(self.host) for _ in range(3)]
        self.host.do("s1", "seat.change_role", seat="s5", role="referee")
        self.refused: Counter[str] = Counter()

    def often(self, chance: float) -> bool:
        """Whether something happens that often."""
        return self.chance.random() < chance

    @property
    def roll(self) -> str:
        """A roll there is, or the one that comes next."""
        return f"r{self.chance.randrange(self.host.state.rolled + 1) + 1}"

    def start(self) -> dict[str, Any]:
        """What somebody rolls, which may be nothing that can be rolled."""
        wanted: dict[str, Any] = {}
        if self.often(0.3):
            wanted["visibility"] = self.chance.choice(["open", "private", "blind", "hidden"])
        odd = {"announce": False, "physical": True, "note": "Hm.", "each": True, "ask": "a1"}
        wanted |= {name: value for name, value in odd.items() if self.often(0.2)}
        if self.game and self.often(0.7):
            skill = {**SKILL, "skill": self.chance.choice("ABCDZ")}
            return {**wanted, "request": skill if self.game == "twilight2000" else TASK}
        return {**wanted, "expression": self.chance.choice(["1d20", "4d6kh3", "1d6; 1d8", "2x"])}

    def step(self, who: Table) -> None:
        """Somebody does something."""
        match self.chance.randrange(11):
            case 0 | 1 | 2 | 3:
                who.do("roll.start", **self.start())
            case 4 | 5:
                who.do("roll.choose", roll=self.roll, number=self.chance.randrange(3))
            case 6:
                who.do(self.chance.choice(["roll.throw", "roll.repeat"]), roll=self.roll)
            case 7:
                faces = [self.chance.randrange(1, 7) for _ in range(self.chance.randrange(1, 4))]
                who.do("roll.enter", roll=self.roll, faces=faces)
            case 8:
                ends = ["roll.take_back", "roll.cancel", "roll.reveal", "roll.undo"]
                who.do(self.chance.choice(ends), roll=self.roll)
            case 9:
                seen = self.chance.choice(["open", "hidden"])
                self.host.do("s2", "roll.start", expression="1d20", visibility=seen)
            case 10:
                ask = {"who": [who.seat], "expression": "1d20"}
                seen = self.chance.choice(["open", "private"])
                self.host.do("s1", "roll_request.create", **ask, visibility=seen)

    def witness(self) -> None:
        """Those who are asked answer, or are silent."""
        for who in self.people:
            if self.host.state.witnesses and self.often(0.6):
                who._attend(1 if self.often(0.2) else 0)
        for roll in [*self.host.state.going.values()]:
            if roll.witness is not None and self.often(0.5):
                say_silent(self.host, roll.witness.asked)

    def run(self) -> None:
        """All of it."""
        for _ in range(STEPS):
            try:
                self.step(self.chance.choice(self.people))
            except (ServerError, CodedError) as problem:
                self.refused[problem.code] += 1
            self.witness()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(24))
def test_every_copy_of_a_log_is_true(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is accused who was only refused, nor of what they could not see."""
    monkeypatch.setattr("rollwright.client.request_steps.LONGEST_WAIT", -1)
    evening = Evening(seed)
    evening.run()
    for seat in (*evening.host.state.seats, ""):
        assert [] == [str(one) for one in verify_log(evening.host.log(seat)).problems]
    for who in evening.people:
        who.log()
        assert [] == who.protests
    assert evening.refused


def problems(host: Host) -> list[str]:
    """Everything that is wrong with anybody's copy."""
    copies = [host.log(seat) for seat in (*host.state.seats, "")]
    return [str(one) for copy in copies for one in verify_log(copy).problems]


def test_who_has_no_part_in_a_roll_may_be_refused() -> None:
    """A refusal is nothing that somebody did to a roll of somebody else."""
    host = Host("dust", players=0)
    one, other = sit_down(host), sit_down(host)
    roll = one.roll(TASK)
    with pytest.raises(ServerError):
        other.do("roll.choose", roll=roll.id, number=0)
    assert ("roll.refused", []) == (host.events[-1].kind, problems(host))


def test_a_call_in_the_wrong_lane_is_refused_without_a_trace() -> None:
    """It spends no slot, so there is no key to be opened."""
    host = Host("", players=0)
    table = sit_down(host)
    table.snapshot()
    table.roll("1d20")
    host.do("s1", "roll_request.create", who=["s2"], expression="1d20")
    assert table.device is not None
    head = host.state.head
    table.device.log.announces = lambda command: False  # type: ignore[method-assign]
    with pytest.raises(ServerError) as caught:
        table.do("roll.start", ask="a1")
    assert ("bad_signature", head, []) == (caught.value.code, host.state.head, problems(host))


def test_a_witness_who_is_asked_next_in_a_secret_roll_is_no_longer_ready() -> None:
    """Others see that somebody was silent and who is asked then, though not the roll."""
    host = Host("", players=1, witnesses=True)
    silent, asked = sit_down(host), sit_down(host)
    silent.commit_witness(2)
    asked.commit_witness(2)
    host.do("s2", "roll.start", expression="1d6", visibility="hidden")
    say_silent(host, host.state.head)
    assert asked.seat == host.events[-1].open["witness"]["seat"]
    asked._attend(0)
    host.do("s2", "roll.start", expression="1d20")
    asked._attend(0)
    assert ("roll.thrown", []) == (host.events[-1].kind, problems(host))


def test_a_roll_that_is_given_up_for_one_that_stays_secret() -> None:
    """Who sees the one and not the other cannot tell why it was given up."""
    host = Host("", players=0)
    roller, referee = sit_down(host), sit_down(host)
    host.do("s1", "seat.change_role", seat=referee.seat, role="referee")
    roller.roll("1d20", physical=True, visibility="hidden")
    referee.do("roll.repeat", roll="r1")
    roller.reveal("r1")
    assert [] == problems(host)
