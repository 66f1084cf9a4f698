"""A device that signs calls, for logs that are made to be checked; its key follows from a name."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from nacl.signing import SigningKey

from rollwright.table.commands.context import THROWS
from rollwright.table.commands.dispatch import COMMANDS
from rollwright.table.events import seal_of
from rollwright.table.fairness import call_hash, commitment_of
from rollwright.table.state import TableState


def digits(name: str) -> str:
    """32 bytes that a name settles, as hexadecimal digits."""
    return sha256(f"device {name}".encode()).hexdigest()


class Device:
    """A device of somebody at a table."""

    def __init__(self, id: str, name: str) -> None:
        self.id = id
        self.name = name
        self.counters: dict[str, int] = {}
        self._numbers = 0
        self._signing = SigningKey(bytes.fromhex(digits(f"key of {name}")))

    @property
    def key(self) -> str:
        """Its public key."""
        return bytes(self._signing.verify_key).hex()

    def command(self, state: TableState, seat: str, fields: dict[str, Any]) -> dict[str, Any]:
        """A command as it is sent: signed if it is one that devices sign."""
        kind = COMMANDS.get(fields["do"])
        if kind is None or not kind.signs:
            return fields
        call, texts = self.call(state, fields, throws=kind.signs == THROWS)
        sent: dict[str, Any] = {"call": self.sign(state, seat, call)}
        return sent | ({"texts": texts} if texts else {})

    def call(
        self, state: TableState, fields: dict[str, Any], *, throws: bool
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The next call of the device for the table as it is, not signed yet; and its texts."""
        lane = self.id if _is_announced(state, fields) else "table"
        command, texts = self._sealed(fields)
        number = command.pop("nonce", "") or self.number()
        self.counters[lane] = self.counters.get(lane, 0) + 1
        call = {
            "device": self.id,
            "lane": lane,
            "counter": self.counters[lane],
            "seen": state.head,
            "head": state.hash[:32],
            "slot": state.lanes[lane].slot if throws else "",
            "number": number if throws else "",
            "command": command,
        }
        return call, texts

    def sign(self, state: TableState, seat: str, call: dict[str, Any]) -> dict[str, Any]:
        """A call with its signature."""
        made = call_hash(state.table, state.epoch, seat, call)
        return {**call, "signature": self._signing.sign(made).signature.hex()}

    def number(self) -> str:
        """A number that nobody else knows."""
        self._numbers += 1
        return digits(f"number {self._numbers} of {self.name}")

    def _sealed(self, fields: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        note = fields.get("note")
        if not isinstance(note, str) or not note:
            return dict(fields), {}
        salt = digits(f"salt of {note}")
        seal = seal_of(salt, note)
        return {**fields, "note": {"seal": seal}}, {seal: {"salt": salt, "text": note}}


def _is_announced(state: TableState, fields: dict[str, Any]) -> bool:
    """Whether others may know of the roll that a command is about."""
    if fields["do"] == "roll.start":
        ask = state.asks.get(fields.get("ask", ""))
        return bool(fields.get("announce", True) if ask is None else ask.announce)
    roll = state.roll(str(fields.get("roll", "")))
    if fields["do"] == "roll.repeat" and roll is not None:
        return roll.announce or roll.visibility == "open"
    return roll is None or roll.announce or not roll.is_secret


def offers(*numbers: str) -> list[str]:
    """The commitments to numbers of a witness."""
    return [commitment_of(bytes.fromhex(number)) for number in numbers]
