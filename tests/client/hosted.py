"""A server in memory, honest or not, and clients that sit at its table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rollwright.client import Table
from rollwright.client.devices import SigningDevice
from rollwright.client.http import HttpClient, ServerError
from rollwright.client.seat_stores import MemorySeatStore, SeatStore
from rollwright.table import CodedError, join
from rollwright.table.commands.sessions import time_out_witness
from rollwright.table.commands.writer import Secrets
from tests.table.tables import Host, hashed

Data = dict[str, Any]


class Hosted(HttpClient):
    """What a seat asks of a host; a dishonest one changes commands, or what it answers."""

    def __init__(self, host: Host, seat: str) -> None:
        self.host, self.seat, self.address = host, seat, "http://host.example"
        self.language = "en"
        self.asked: list[Data] = []
        self.before: Callable[[Data], Data] = lambda command: command
        self.after: Callable[[Data], Data] = lambda answer: answer
        self.acks: dict[str, Data] = {}

    def fetch(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str = "",
        query: Any = None,
    ) -> Any:
        """Do a command, or show the table."""
        return self.after(self._answer(path.split("/", 3)[3:], body, query or {}))

    def _answer(self, path: list[str], body: Any, query: Data) -> Data:
        if not path:
            state = self.host.state
            about = {"you": {"seat": self.seat}, "head": state.head, "hash": state.hash}
            return {**about, **self.host.snapshot(self.seat)}
        if path == ["log.json"]:
            return self.host.log(self.seat)
        if path == ["events"]:
            events = [one for one in self.host.seen(self.seat) if one["seq"] > query["after"]]
            return {"head": self.host.state.head, "events": events[: query["limit"]]}
        self.asked.append(body)
        return self._done(self.before(dict(body)))

    def _done(self, command: Data) -> Data:
        if command["id"] in self.acks:
            return self.acks[command["id"]]
        try:
            decision = self.host.decide_command(self.seat, command)
        except CodedError as problem:
            raise ServerError(409, {"code": problem.code, "message": str(problem)}) from None
        made = self.host.commit(decision)
        if decision.refusal is not None:
            code = decision.refusal.code
            raise ServerError(409, {"code": code, "message": str(decision.refusal)})
        found = {"id": command["id"], "first": made[0].seq, "last": made[-1].seq}
        self.acks[command["id"]] = {**found, "events": self.host.seen(self.seat, made)}
        return self.acks[command["id"]]

    @property
    def last(self) -> Data:
        """The call that was sent last."""
        found: Data = self.asked[-1]["call"]
        return found


def sit_down(host: Host, keep: SeatStore | None = None, name: str = "Bo") -> Table:
    """A player with a device, at a host."""
    seat, keep = f"s{len(host.state.seats) + 1}", keep or MemorySeatStore()
    device = SigningDevice(hashed(f"seed of {seat}"), keep)
    device.save()
    taken = any(one.name is not None and one.name.text == name for one in host.state.seats.values())
    called = f"{name} {seat}" if taken else name
    about = {"role": "player", "name": called, "token_hash": hashed(f"token of {seat}")}
    key = {"key": device.key, "secret": host.secret}
    host.commit(join(host.state, **about, **key, entropy=host.entropy))
    return Table(Hosted(host, seat), host.state.table, "token", seat=seat, device=device)


def asking_of(table: Table) -> Hosted:
    """The host of a table."""
    assert isinstance(table.asking, Hosted)
    return table.asking


def device_of(table: Table) -> SigningDevice:
    """What signs there."""
    assert table.device is not None
    return table.device


def say_silent(host: Host, asked: int) -> None:
    """The host says that a witness was silent."""
    host.commit(time_out_witness(host.state, asked, Secrets(host.secret), host.entropy))


def rolled_back(table: Table, events: int) -> None:
    """The host takes the last events away, as if they had never been."""
    host = asking_of(table).host
    host.events = host.events[:-events]
    host.state = type(host.state).of(host.events)
