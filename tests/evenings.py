"""Random evenings at tables, and whether both verifiers call every copy true: `./dev evenings`.

People with devices and without do all sorts of things, rightly and wrongly, over every game and
one from outside. Whatever they do, no honest log may be called false, by the command line or by
the page.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import hatch_build

from rollwright.client import ServerError, Table
from rollwright.client.devices import SigningDevice
from rollwright.dice import D6
from rollwright.engine.steps import Call
from rollwright.errors import RollwrightError
from rollwright.kit import Game, Request, Value, add_game, field
from rollwright.kit.games import own_games
from rollwright.rules import choose, roll, rule
from rollwright.table import CodedError, Decision
from rollwright.table.imports import rebase
from rollwright.table.verify.log import verify_log
from tests.client.hosted import device_of, say_silent, sit_down
from tests.page_verifier import PageVerifier
from tests.table.tables import Host, hashed

TRANSCRIPTS = Path(__file__).parent / "games"
STEPS = 40


class House(Value):
    """No house rules."""


@rule
async def dare(rounds: int) -> int:
    """A helper says whether to go on, a rival whether to double; then dice are thrown again."""
    total = 0
    for _ in range(rounds):
        (face,) = (await roll(D6)).readings
        total += face
        if await choose("on", "stop", by="helper") == "stop":
            return total
        if await choose("double", "leave", by="rival") == "double":
            total += sum((await roll(2 * D6)).readings)
    return total


class Dare(Request, roll="dare", title="Dare", outcome=int):
    """Go on as long as somebody else dares."""

    rounds: int = field(default=3, help="how often", low=1, high=5)

    def call(self) -> Call[Any]:
        """The rule."""
        return dare(self.rounds)


OUTSIDE = Game(
    name="daring",
    title="Daring",
    summary="A helper and a rival have their say.",
    requests=(Dare,),
    house=House,
    prefix="DAR",
    rulebook={},
)


def requests_of(game: str) -> list[dict[str, Any]]:
    """What can be rolled in a game: the requests of its stored rolls."""
    if game == OUTSIDE.name:
        return [{"roll": "dare", "rounds": rounds} for rounds in (1, 2, 4)]
    found = []
    for path in sorted(TRANSCRIPTS.glob("*/transcripts/*.json")):
        request = json.loads(path.read_text("utf-8")).get("request", {})
        request.pop("house", None)
        if request.get("game") == game:
            found.append(request)
    return found


class Evening:
    """Two players and a referee who sign, and two who do not, at a table of one game."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.beside = Random(f"beside {seed}")
        self.game = self.chance.choice(["", *own_games(), OUTSIDE.name])
        self.requests = requests_of(self.game)
        witnesses = self.often(0.4)
        self.host = Host(self.game, players=1, seed=str(seed), witnesses=witnesses)
        self.people = [sit_down(self.host) for _ in range(3)]
        self.host.do("s1", "seat.change_role", seat="s5", role="referee")
        self.refused: Counter[str] = Counter()
        self.moves = 0

    def often(self, chance: float) -> bool:
        """Whether something happens that often."""
        return self.chance.random() < chance

    @property
    def roll(self) -> str:
        """A roll there is, or the one that comes next."""
        going = [*self.host.state.going]
        if going and self.often(0.7):
            return self.chance.choice(going)
        return f"r{self.chance.randrange(self.host.state.rolled + 1) + 1}"

    @property
    def seat(self) -> str:
        """Somebody at the table."""
        return self.chance.choice([*self.host.state.seats])

    def start(self) -> dict[str, Any]:
        """What somebody rolls, which may be nothing that can be rolled."""
        wanted: dict[str, Any] = {}
        if self.often(0.3):
            wanted["visibility"] = self.chance.choice(["open", "private", "blind", "hidden"])
        odd = {
            **{"announce": False, "physical": True, "note": " Hm. ", "each": True, "ask": "a1"},
            **{"away": ["s2"], "goal": "", "policy": self.chance.choice(["ask", "never", " "])},
            **{
                "roles": {self.chance.choice(["opponent", "passive", "helper", "rival"]): self.seat}
            },
            **{"dialect": "roll20", "physical": False, "what": 1},
        }
        wanted |= {name: value for name, value in odd.items() if self.often(0.12)}
        if self.requests and self.often(0.75):
            return {**wanted, "request": self.chance.choice(self.requests)}
        dice = ["1d20", "4d6kh3", "1d6; 1d8", "2x", " 3d6 ", "5d10!", "110d6; 1d6"]
        return {**wanted, "expression": self.chance.choice(dice)}

    def step(self, who: Table) -> None:
        """Somebody does something."""
        match self.chance.randrange(16):
            case 0 | 1 | 2 | 3:
                who.do("roll.start", **self.start())
            case 4 | 5 | 6:
                who.do("roll.choose", roll=self.roll, number=self.chance.randrange(3))
            case 7:
                who.do(self.chance.choice(["roll.throw", "roll.repeat"]), roll=self.roll)
            case 8:
                faces = [self.chance.randrange(1, 7) for _ in range(self.chance.randrange(1, 4))]
                who.do("roll.enter", roll=self.roll, faces=faces)
            case 9:
                ends = ["roll.take_back", "roll.cancel", "roll.reveal", "roll.undo"]
                who.do(self.chance.choice(ends), roll=self.roll)
            case 10:
                seen = self.chance.choice(["open", "hidden"])
                self.host.do("s2", "roll.start", expression="1d20", visibility=seen)
            case 11:
                ask: dict[str, Any] = {"expression": "1d20"}
                if self.requests and self.often(0.6):
                    ask = {"request": self.chance.choice(self.requests)}
                if self.often(0.3):
                    ask |= {"physical": True} if self.often(0.5) else {"policy": "never"}
                seen = self.chance.choice(["open", "private"])
                whom = self.chance.choice([[who.seat], "all"])
                self.host.do("s1", "roll_request.create", **ask, who=whom, visibility=seen)
            case 12:
                asks = [*self.host.state.asks] or ["a1"]
                own = {"goal": ""} if self.often(0.3) else {}
                who.do("roll.start", ask=self.chance.choice(asks), **own)
            case 13:
                change = {"dialect": self.chance.choice(["roll20", ""])}
                self.host.do("s1", "table.change", **change)
            case 14:
                self.move(who)
            case 15:
                self.host.do(self.chance.choice(["s1", "s2"]), "roll.repeat", roll=self.roll)

    def move(self, who: Table) -> None:
        """The table goes to another host, or somebody to another device."""
        self.moves += 1
        host = self.host
        if self.often(0.4):
            host.secret = bytes.fromhex(hashed(f"host {self.moves}"))
            devices = [one.id for one in host.state.devices.values() if not one.is_gone]
            host.commit(Decision((rebase(host.state.head, host.secret, devices),)))
            return
        device = SigningDevice(hashed(f"device {self.moves}"))
        mover = self.chance.choice(self.people)
        about = {"seat": who.seat, "token_hash": hashed(f"token {self.moves}"), "key": device.key}
        mover.do("seat.move", **about, keep_old=self.often(0.5))
        who.device = device

    def act_beside(self) -> None:
        """What is not signed happens: people, sheets and the table itself change."""
        chance, host, state = self.beside, self.host, self.host.state
        seat, sheet = chance.choice([*state.seats]), chance.choice([*state.sheets] or ["s1"])
        roles = ["player", "referee", "spectator"]
        match chance.randrange(11):
            case 0:
                host.do(seat, "sheet.create", values={})
            case 1:
                numbers = state.sheets[sheet].values if sheet in state.sheets else {}
                changed = {name: held + 1 for name, held in numbers.items() if type(held) is int}
                host.do("s1", "sheet.change", sheet=sheet, values=dict([*changed.items()][:1]))
            case 2:
                moved = chance.choice(["s3", "s4", "s5"])
                host.do("s1", "seat.change_role", seat=moved, role=chance.choice(roles))
            case 3:
                host.do(seat, "chat.send", text="Hm.")
            case 4 if chance.random() < 0.25:
                host.do("s1", "session.end", keep_open=chance.random() < 0.5)
            case 5 if chance.random() < 0.15:
                host.do("s1", "seat.remove", seat=chance.choice(["s2", "s4"]))
            case 6:
                host.do("s1", chance.choice(["roll.apply", "roll.decline"]), roll=self.roll)
            case 7:
                host.do("s1", "table.change", witnesses=chance.random() < 0.5)
            case 8:
                host.join("player", f"late {len(state.seats)}")
            case 9 if chance.random() < 0.2:
                host.do("s1", "person.erase", seat="s2")
            case 10:
                said = [name for name, held in state.house.items() if type(held) is bool]
                changed = {name: not state.house[name] for name in said[:1]}
                host.do("s1", "table.change", house=changed)

    def witness(self) -> None:
        """Those who are asked answer, or are silent."""
        for who in self.people:
            if self.host.state.witnesses and self.often(0.6) and device_of(who).id:
                who._attend(1 if self.often(0.2) else 0)
        for one in [*self.host.state.going.values()]:
            if one.witness is not None and self.often(0.5):
                say_silent(self.host, one.witness.asked)

    def run(self) -> None:
        """All of it."""
        for _ in range(STEPS):
            try:
                self.step(self.chance.choice(self.people))
                if self.beside.random() < 0.3:
                    self.act_beside()
            except (ServerError, CodedError) as problem:
                self.refused[problem.code] += 1
            with suppress(ServerError):  # whoever was removed
                self.witness()

    def copies(self) -> list[dict[str, Any]]:
        """The log as everybody has it."""
        return [self.host.log(seat) for seat in (*self.host.state.seats, "")]


def known_game() -> None:
    """Let the game from outside be known."""
    with suppress(RollwrightError):  # it is already
        add_game(OUTSIDE)


def played(seed: int) -> Evening:
    """The evening of a seed."""
    known_game()
    with patch("rollwright.client.request_steps.LONGEST_WAIT", -1):
        evening = Evening(seed)
        evening.run()
    return evening


def main(count: str = "500", first: str = "0") -> int:
    """Play so many evenings, from a seed on; tell how many were clean in each verifier."""
    clean: Counter[str] = Counter()
    events = copies = 0
    with ExitStack() as held:
        node = hatch_build.node_on_path()
        page = held.enter_context(PageVerifier(node)) if node else None
        for seed in range(int(first), int(first) + int(count)):
            evening = played(seed)
            logs = evening.copies()
            wrong = {
                "command line": [str(p) for log in logs for p in verify_log(log).problems],
                "page": [
                    p for log in logs if page for p in page.check(json.dumps(log))["problems"]
                ],
            }
            events, copies = events + len(evening.host.events), copies + len(logs)
            for name, problems in wrong.items():
                clean[name] += not problems
                if problems:
                    print(f"evening {seed} ({evening.game}), {name}: {problems[:3]}", flush=True)
    print(f"{count} evenings, {events} events, {copies} copies.")
    print(f"Clean on the command line: {clean['command line']}.")
    print(f"Clean in the page: {clean['page'] if page else 'not checked, node is missing'}.")
    return 0 if all(clean[name] == int(count) for name in ("command line", "page")) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
