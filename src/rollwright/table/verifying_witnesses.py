"""Checks of witnesses: nonces that were offered before, used once, the oldest first."""

from __future__ import annotations

from typing import Any

from rollwright.table.fairness import witness_commitment
from rollwright.table.verifying_chain import Row, is_hash
from rollwright.table.verifying_report import Findings

MOST_SEATS = 1000


class Witnesses:
    """The nonces that seats have offered and that no throw has used yet, oldest first."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._waiting: dict[str, dict[str, int]] = {}
        """By seat the commitments of nonces that wait, each with its age: a running number."""
        self._owners: dict[str, str] = {}
        self._used: set[str] = set()
        self._unseen = 0
        """Withheld throws, each of which may have used an offer that still seems to wait."""
        self._blamed: set[str] = set()
        """Offers that were not taken in their turn, which was told."""
        self.removed: set[str] = set()

    def offer(self, row: Row, seat: str, commitments: Any) -> None:
        """Take note of nonces that a seat offers."""
        if not isinstance(commitments, list) or not all(map(is_hash, commitments)):
            say = "the commitments of nonces are 64 hexadecimal digits each"
            self._findings.problem(row.seq, "malformed event", say)
            return
        if seat not in self._waiting and len(self._waiting) >= MOST_SEATS:
            say = f"more than {MOST_SEATS} seats offer nonces"
            self._findings.problem(row.seq, "too large", say)
            return
        for offered in commitments:
            if offered in self._owners:
                say = "this nonce was offered before"
                self._findings.problem(row.seq, "reused witness nonce", say)
            else:
                self._waiting.setdefault(seat, {})[offered] = len(self._owners)
                self._owners[offered] = seat

    def withhold(self, throws: int = 1) -> None:
        """Take note of throws that cannot be looked into."""
        self._unseen += throws

    def forget(self) -> None:
        """Let go of all offers: another host does not have their nonces."""
        for offers in self._waiting.values():
            self._used |= offers.keys()
        self._waiting.clear()

    def check(self, row: Row, roller: str, witness: Any) -> None:
        """Check the witness of a throw that is not the roller, or that there was none."""
        if witness is None:
            self._pass_over(row, roller, len(self._owners))
            return
        made = witness_commitment(bytes.fromhex(witness["nonce"]))
        wrong = self._wrong(made, witness["seat"], roller)
        if wrong is not None:
            self._findings.problem(row.seq, *wrong)
            self._pass(self._older(roller, len(self._owners))[:1])  # most likely it was meant
            return
        self._findings.count("witnessed throws")
        age = self._waiting[self._owners[made]][made]
        self._pass([made])
        self._pass_over(row, roller, age)

    def _wrong(self, made: str, seat: str, roller: str) -> tuple[str, str] | None:
        owner = self._owners.get(made)
        if owner is None:
            say = f"the nonce of the witness opens no offer that {seat} made before"
            return "altered witness nonce", say
        if made in self._used:
            return "reused witness nonce", "the nonce of the witness was used before"
        if owner != seat:
            return "altered witness", f"the nonce is one of {owner}, not of {seat}"
        if seat == roller:
            return "altered witness", f"{seat} is the witness of their own throw"
        if seat in self.removed:  # a host could pick among all that such seats left behind
            return "altered witness", f"{seat} was not at the table any more"
        return None

    def _pass_over(self, row: Row, roller: str, age: int) -> None:
        """Check that every older offer that was not taken may have been used in a secret throw."""
        passed = self._older(roller, age)
        if len(passed) <= self._unseen:
            self._unseen -= len(passed)
            self._pass(passed)
            return
        self._blamed.add(passed[0])
        say = f"{self._owners[passed[0]]} had offered a nonce that was not taken in its turn"
        self._findings.problem(row.seq, "witness passed over", say)

    def _older(self, roller: str, age: int) -> list[str]:
        """The offers of others that should have been taken before one of that age."""
        found = []
        for seat, offers in self._waiting.items():
            if seat == roller or seat in self.removed:
                continue
            for offered, since in offers.items():
                if since >= age:
                    break
                if offered not in self._blamed:
                    found.append(offered)
        return sorted(found, key=lambda offered: self._waiting[self._owners[offered]][offered])

    def _pass(self, offered: list[str]) -> None:
        for one in offered:
            del self._waiting[self._owners[one]][one]
            self._used.add(one)
