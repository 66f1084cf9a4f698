"""Which workloads are run at which size, and what is asked of them."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import NamedTuple

LIBRARIES = ("ours", "icepool", "dyce")
PEERS = LIBRARIES[1:]


class Case(NamedTuple):
    """One workload at one size."""

    key: str
    title: str
    workload: str
    size: tuple[int, ...]
    small: tuple[int, ...]
    """A size at which it is quick to check that all libraries agree."""
    bar: int | None = 10
    """How many times faster than the better peer Rollwright must be; None where nothing is."""

    @property
    def module(self) -> str:
        """The module that holds the workload."""
        return f"benchmarks.workloads.{self.workload}"

    def load(self) -> ModuleType:
        """The workload itself."""
        return import_module(self.module)

    def refusal(self, library: str) -> str | None:
        """Why a library cannot do this at all, if it cannot."""
        found = getattr(self.load(), library)
        return found if isinstance(found, str) else None


TABLE = (-5, 15, 5, 30)
SMALL_TABLE = (-1, 1, 10, 14)

ENGINE = (
    Case("W1", "10d10 net successes+doubles", "net_successes", (10,), (4,)),
    Case("W2", "100d10 the same", "net_successes", (100,), (12,)),
    Case("W3", "pushed attack, 6 ammo dice", "attack", (6,), (2,), bar=3),
    Case("W4", "d20 tiers, table of 546", "tiers", (*TABLE, 0), (*SMALL_TABLE, 0)),
    Case("W5", "best of 4, lowest of six", "lowest_score", (4, 6, 0), (3, 2, 0), bar=5),
    Case("W6a", "sum of 100d6", "sums", (100,), (5,)),
    Case("W6b", "sum of 1000d6", "sums", (1000,), (17,)),
    Case("W6c", "sum of 10000d6", "sums", (10_000,), (30,)),
    Case("W7a", "4d6 keep 3", "keeping", (4, 3), (3, 2)),
    Case("W7b", "20d6 keep 10", "keeping", (20, 10), (7, 3)),
    Case("W7c", "100d6 keep 50", "keeping", (100, 50), (9, 6)),
    Case("W7d", "5 each of d4 to d20 keep 10", "mixed_keeping", (5, 10), (1, 2)),
    Case("W8", "10d10 exploding 5 deep", "explosions", (10, 5), (3, 2)),
    Case("W9", "push or keep, best play", "push", (8, 12, 0), (6, 6, 0)),
    Case("X1", "300th highest of 1000d100", "ranks", (1000, 300), (6, 2)),
    Case("X2", "20d6 v 20d6 sorted pairs", "pairing", (20,), (3,)),
    Case("W4*", "the table, hinted", "tiers", (*TABLE, 1), (*SMALL_TABLE, 1), bar=None),
    Case("W5*", "best of 4, hinted", "lowest_score", (4, 6, 1), (3, 2, 1), bar=None),
    Case("D1", "best push, hinted faces", "push", (8, 12, 1), (6, 6, 1), bar=1),
    Case("D2", "RISK battle of 10 v 8", "battle", (10, 8), (3, 2), bar=1),
    Case("D3", "five alike in three throws", "five_alike", (5, 3), (3, 2), bar=1),
    Case("D4", "Pig to 50 in ten turns", "pig", (50, 10), (12, 2), bar=1),
    Case("D8", "Farkle turn to 2,000", "farkle", (2000,), (300,), bar=None),
    Case("D9", "two at Pig to 50", "pig_duel", (50,), (5,), bar=None),
)

GROWTH = {
    "net_successes": (
        "net successes and doubles of many d10",
        tuple(
            Case(f"{n}d10", "net successes+doubles", "net_successes", (n,), (3,), None)
            for n in (10, 30, 100, 300)
        ),
    ),
    "sums": (
        "sum of many d6",
        tuple(Case(f"{n}d6", "sum", "sums", (n,), (3,), None) for n in (100, 1000, 10_000)),
    ),
}
