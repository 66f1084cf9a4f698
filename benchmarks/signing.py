"""What signatures cost a roll: `python -m benchmarks.signing`.

Told is the processor time of one process in microseconds, the least of several runs: of a device
that signs, of a server that decides a roll of one die with and without a signature, and of a
check of such rolls, with PyNaCl and without.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import process_time
from unittest.mock import patch

from vectors.logs import Host

from rollwright.table import Secrets, decide
from rollwright.table import signatures as signing
from rollwright.table.fairness import call_hash
from rollwright.table.verify.log import verify_log

ROLLS, RUNS = 100, 7
ROLL = {"do": "roll.start", "expression": "1d20"}


def least(work: Callable[[], object], rolls: int = ROLLS) -> float:
    """Microseconds a roll, the least of several runs."""
    found = []
    for _ in range(RUNS):
        begun = process_time()
        work()
        found.append(process_time() - begun)
    return min(found) / rolls * 1e6


def times(work: Callable[[], object]) -> Callable[[], object]:
    """The same as often as there are rolls."""
    return lambda: [work() for _ in range(ROLLS)]


def evening(*, signs: bool) -> Host:
    """A table with so many rolls of somebody who signs, or does not."""
    host = Host()
    seat = "s2"
    if not signs:
        host.join("Di", signs=False)
        seat = "s4"
    for _ in range(ROLLS):
        host.roll(seat, "1d20")
    return host


def measured() -> dict[str, float]:
    """Every figure by its name."""
    host = Host()
    host.join("Di", signs=False)
    device = host.devices["s2"]
    sent = device.command(host.state, "s2", ROLL)
    call, secrets = sent["call"], Secrets(host.secret)
    made = call_hash(host.state.table, host.state.epoch, "s2", call)
    key, signature = bytes.fromhex(device.key), bytes.fromhex(call["signature"])

    def decided(seat: str, command: Mapping[str, object]) -> Callable[[], object]:
        return times(lambda: decide(host.state, seat, command, secrets, 0, host._entropy))

    signed, unsigned = evening(signs=True).log(), evening(signs=False).log()
    found = {
        "a device signs a call": least(times(lambda: device.sign(host.state, "s2", call))),
        "the server looks at a signature": least(
            times(lambda: signing.has_valid_signature(key, made, signature))
        ),
        "the server decides a roll that nobody signed": least(decided("s4", ROLL)),
        "the server decides a signed roll": least(decided("s2", sent)),
        "a check of a throw that nobody signed": least(lambda: verify_log(unsigned)),
        "a check of a signed throw": least(lambda: verify_log(signed)),
    }
    slow = signing._difference_in_python
    with patch.object(signing, "_difference", slow):
        found["the same without PyNaCl"] = least(lambda: verify_log(signed))
    return found


if __name__ == "__main__":
    for name, micros in measured().items():
        print(f"| {name} | {micros:,.0f} |")
