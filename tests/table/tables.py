"""A host in memory: it keeps a log, and gives seats what they may see and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import pytest
from vectors.devices import Device, offers

from rollwright.table import (
    LIMITS,
    CodedError,
    Decision,
    EraseTexts,
    Event,
    Secrets,
    TableLimits,
    TableState,
    create_table,
    decide,
    join,
    place_event,
    snapshot,
    transcripts,
    view_event,
)
from rollwright.table.commands.sessions import time_out_witness
from rollwright.table.events import export, kind_of
from rollwright.table.fairness import handover_of
from rollwright.table.verify.log import verify_log

TABLE = "abcdefgh2345"


def hashed(text: str) -> str:
    """64 hexadecimal digits that a text settles: a token's hash, or a nonce."""
    return sha256(text.encode()).hexdigest()


def forget_transcripts() -> None:
    """Let go of every remembered transcript, as a restart does."""
    for memory in (transcripts.going, transcripts.endings, transcripts.ending_texts):
        memory.clear()


class Host:
    """A table with s1 as its referee, and as many players and spectators as wanted."""

    def __init__(
        self,
        game: str = "twilight2000",
        players: int = 2,
        spectators: int = 0,
        limits: TableLimits = LIMITS,
        seed: str = "table",
        signed: bool = False,
        **fields: Any,
    ) -> None:
        self.limits = limits
        self.is_signed = signed
        self.devices: dict[str, Device] = {}
        self.ready: dict[str, str] = {}
        """The numbers of witnesses by their commitments."""
        self.secret = sha256(f"secret {seed}".encode()).digest()
        self.sides: list[Any] = []
        self.events: list[Event] = []
        self.state = TableState.new(TABLE)
        self._drawn = 0
        tokens = {name: hashed(name) for name in ("seat", "referee", "player", "spectator")}
        command = {"game": game, "name": "Ada", "tokens": tokens, **self._key("s1"), **fields}
        self.commit(create_table(command, table=TABLE, secret=self.secret, entropy=self.entropy))
        for number in range(players):
            self.join("player", f"player {number}")
        for number in range(spectators):
            self.join("spectator", f"spectator {number}")

    def entropy(self, count: int) -> bytes:
        """Bytes that come out alike in every run."""
        self._drawn += 1
        return sha256(f"entropy {self._drawn}".encode()).digest()[:count]

    def join(self, role: str, name: str) -> list[Event]:
        """Somebody joins by a link of that role."""
        token = hashed(f"token {len(self.state.seats)}")
        return self.commit(
            join(
                self.state,
                role=role,
                name=name,
                token_hash=token,
                entropy=self.entropy,
                limits=self.limits,
                secret=self.secret,
                **self._key(f"s{len(self.state.seats) + 1}"),
            )
        )

    def _key(self, seat: str) -> dict[str, str]:
        """The key of a device for somebody who sits down, where people sign."""
        if not self.is_signed:
            return {}
        name = f"d{len(self.state.devices) + 1}"
        self.devices[seat] = device = Device(name, f"{seat} {name}")
        return {"key": device.key}

    def decide(self, seat: str, do: str, /, **fields: Any) -> Decision:
        """What a command would come to."""
        command = self.command(seat, {"do": do, **fields})
        return self.decide_command(seat, command)

    def decide_command(self, seat: str, command: dict[str, Any]) -> Decision:
        """What a command would come to, as it was sent."""
        secrets = Secrets(self.secret)
        return decide(self.state, seat, command, secrets, 0, self.entropy, self.limits)

    def command(self, seat: str, fields: dict[str, Any]) -> dict[str, Any]:
        """A command as a client sends it: signed where the seat has a device."""
        device = self.devices.get(seat)
        return fields if device is None else device.command(self.state, seat, fields)

    def offer(self, seat: str, *names: str) -> list[Event]:
        """A seat has numbers ready as a witness."""
        commitments = offers(*map(hashed, names))
        self.ready |= dict(zip(commitments, names, strict=True))
        return self.do(seat, "witness.commit", commitments=commitments)

    def answer(self) -> list[Event]:
        """Every witness that is asked tells their number at once."""
        told: list[Event] = []
        while asked := [roll.witness for roll in self.state.going.values() if roll.witness]:
            told += self.open(asked[-1].seat, self.ready[asked[-1].offer])
        return told

    def open(self, seat: str, name: str) -> list[Event]:
        """A witness tells the number that was asked for last."""
        asked = max(roll.witness.asked for roll in self.state.going.values() if roll.witness)
        return self.do(seat, "witness.reveal", asked=asked, number=hashed(name))

    def pass_over(self) -> list[Event]:
        """The witness that was asked last is silent for too long."""
        asked = max(roll.witness.asked for roll in self.state.going.values() if roll.witness)
        return self.commit(time_out_witness(self.state, asked, Secrets(self.secret), self.entropy))

    def do(self, seat: str, do: str, /, **fields: Any) -> list[Event]:
        """A command, done: its events."""
        return self.commit(self.decide(seat, do, **fields))

    def refused(self, seat: str, do: str, /, **fields: Any) -> CodedError:
        """A command that must be refused, without any trace."""
        before = self.state.head
        with pytest.raises(CodedError) as caught:
            decision = self.decide(seat, do, **fields)
            if decision.refusal is not None:  # signed calls leave a trace, which others look at
                raise decision.refusal
        assert before == self.state.head
        return caught.value

    def commit(self, decision: Decision) -> list[Event]:
        """Events in their places, and what is to be done beside them."""
        new = []
        for draft in decision.drafts:
            event = place_event(
                draft,
                before=self.state.hash,
                seq=self.state.head + 1,
                at=1_789_000_000_000 + self.state.head,
                salt=self.entropy(32).hex(),
            )
            self.state.apply(event)
            new.append(event)
        self.events += new
        self.sides += decision.side
        for side in decision.side:
            self._beside(side)
        return new

    def _beside(self, side: Any) -> None:
        if isinstance(side, EraseTexts):
            self.events = [
                event._replace(
                    texts={ref: t for ref, t in event.texts.items() if t.seat != side.seat}
                )
                for event in self.events
            ]

    def seen(self, seat: str, events: Iterable[Event] | None = None) -> list[dict[str, Any]]:
        """Events as a seat sees them; "" is somebody who only watches."""
        viewer = self.state.seats[seat] if seat else None
        listed = self.events if events is None else events
        return [view_event(event, viewer, self.state) for event in listed]

    def snapshot(self, seat: str, recent: int = 0) -> dict[str, Any]:
        """The table as a seat sees it."""
        viewer = self.state.seats[seat] if seat else None
        return snapshot(self.state, viewer, self.events[-recent:] if recent else (), self.events)

    def log(self, seat: str) -> dict[str, Any]:
        """The log as a seat may take it home."""
        is_referee = bool(seat) and self.state.seats[seat].is_referee
        handover = handover_of(self.secret).hex() if is_referee else ""
        return export(self.state.table, self.seen(seat), seat, handover)

    @property
    def last(self) -> dict[str, Any]:
        """The body of the last event."""
        return self.events[-1].body

    def latest(self, kind: str) -> str:
        """The id of the roll, the ask or the sheet that was made last, secret ones too."""
        made = {"roll": "roll.started", "ask": "roll_request.created", "sheet": "sheet.created"}[
            kind
        ]
        return next(str(e.body[kind]) for e in reversed(self.events) if kind_of(e) == made)

    @property
    def offered(self) -> list[dict[str, Any]]:
        """The options that were told beside the last event."""
        offers = self.events[-1].offers
        assert offers is not None
        return offers["options"]

    def kinds(self, events: Iterable[Event]) -> list[str]:
        """What events are, as everybody sees it."""
        return [event.kind for event in events]


SOLDIER = {
    "name": "Bo",
    "STR": "B",
    "recon": "B",
    "ranged_combat": "C",
    "weapons": [{"name": "M4", "rate_of_fire": 6, "rounds": 30, "magazine_size": 30}],
}


def soldiers(**fields: Any) -> Host:
    """A table of soldiers: s2 has a sheet."""
    host = Host(**fields)
    host.do("s2", "sheet.create", values=SOLDIER)
    return host


def check(host: Host) -> None:
    """The log folds to the state, and is true for everybody who sees some of it."""
    assert TableState.of(host.events) == host.state
    for seat in host.state.seats:
        report = verify_log(host.log(seat))
        assert report.ok, report.problems
