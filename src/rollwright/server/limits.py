"""How often somebody may do something, what it costs, and how large a log may grow."""

from __future__ import annotations

import asyncio
import ipaddress
import sys
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sized
from contextlib import contextmanager
from fractions import Fraction
from itertools import islice
from math import inf
from typing import TypeVar

from rollwright.i18n.messages import Message, msg
from rollwright.server.settings import Settings
from rollwright.server.storage.rows import PIECE_BYTES
from rollwright.table.errors import CodedError, command_error
from rollwright.table.events import Event
from rollwright.workers.costs import CostMeter

Piece = TypeVar("Piece", bound=Sized)
MOST_BUCKETS = 50_000
LONGEST_WAIT = 60.0
"""Nobody waits longer than so many seconds for what they have spent."""
UNIT_READ = 131_072
"""The same for bytes that are read from a log to be sent piece by piece."""
LONGEST_PAUSE = 1.0
"""Seconds after which a client that waits for a bucket to fill looks at it again."""
LONG_BODIES, LONG_BODIES_EACH = 3, 2
"""Long bodies that are read, or wait to be worked on, in all and from one address."""
CROWD = 50
"""As many addresses together may guess a passphrase as often as each may."""
UNKNOWN = "unknown"
EXPORTS, EXPORTS_EACH = 200, 8
"""Whole logs that are sent or narrated at a time, in all and to one address."""


class RateLimitError(CodedError):
    """Something was done too often; `wait` says for how many milliseconds to wait."""

    def __init__(self, what: Message | str, seconds: float) -> None:
        self.wait = max(1, round(seconds * 1000))
        tenths = Fraction(round(seconds * 10), 10)
        super().__init__("too_many", msg("server.wait", what=what, seconds=tenths))


def seat_name(table: str, seat: str) -> str:
    """The name of a seat's bucket."""
    return f"{table} {seat}"


def rate_limit_key(address: str) -> str:
    """Whose limits an address shares: of IPv6 one household has a whole network of addresses.

    What a proxy calls an address and is none is nobody's: they all share one.

    >>> [rate_limit_key(one) for one in ("203.0.113.9", "2001:db8::1:2:3", "unknown-7")]
    ['203.0.113.9', '2001:db8::/64', 'unknown']
    """
    try:
        read = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(read, ipaddress.IPv4Address):
        return str(read)
    return str(read.ipv4_mapped or ipaddress.ip_network((read, 64), strict=False))


class Buckets:
    """A bucket for each name; each takes `burst` at once and fills with `rate` a second."""

    def __init__(
        self,
        what: Message | str,
        *,
        rate: float,
        burst: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.what = what
        self.rate = rate
        self.burst = burst
        self.taken_at = clock()
        """When somebody last took something."""
        self._clock = clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, name: str, cost: float = 1) -> None:
        """Take from the bucket, or refuse and say how long to wait."""
        level, now = self._level(name)
        self.taken_at = now
        cost = min(cost, self.burst)
        if level < cost:
            raise RateLimitError(self.what, (cost - level) / self.rate)
        self._keep(name, level - cost, now)

    def charge(self, name: str, cost: float) -> None:
        """Take what something has cost out of the bucket, though it may not hold so much."""
        level, now = self._level(name)
        self._keep(name, max(level - cost, -LONGEST_WAIT * self.rate), now)

    def debt(self, name: str) -> float:
        """In how many seconds the bucket is overdrawn no more; 0 where it is not."""
        level, _ = self._level(name)
        return max(0.0, -level / self.rate)

    def check(self, name: str) -> None:
        """Refuse where the bucket is empty, and take nothing."""
        level, _ = self._level(name)
        if level < 1:
            raise RateLimitError(self.what, (1 - level) / self.rate)

    def __len__(self) -> int:
        return len(self._levels)

    def _level(self, name: str) -> tuple[float, float]:
        now = self._clock()
        level, then = self._levels.get(name, (self.burst, now))
        return min(self.burst, level + (now - then) * self.rate), now

    def _keep(self, name: str, level: float, now: float) -> None:
        self._levels[name] = level, now
        self._levels.move_to_end(name)
        if len(self._levels) > MOST_BUCKETS:  # the one that rested longest is full again, or near
            self._levels.popitem(last=False)


class PacedSender:
    """Turns for long answers: one piece at a time, each paid for as it is made.

    An address that has spent all it had waits for its next piece, however many of its clients
    ask; everybody else has a turn between any two pieces.
    """

    def __init__(self, addresses: Buckets, seats: Buckets) -> None:
        self._addresses = addresses
        self._seats = seats
        self._turn = asyncio.Lock()

    async def make(self, make: Callable[[], Piece], address: str, seat: str = "") -> Piece:
        """A piece for somebody, made when its turn comes; nothing is awaited after that."""
        while debt := self._addresses.debt(address):
            await asyncio.sleep(min(debt, LONGEST_PAUSE))
        async with self._turn:
            await asyncio.sleep(0)
            spent, length = CostMeter(), 0
            try:
                with spent:
                    piece = make()
                length = len(piece)
                return piece
            finally:
                spent.sent += length
                self._charge(address, seat, spent.units + length / UNIT_READ)

    def _charge(self, address: str, seat: str, cost: float) -> None:
        self._addresses.charge(address, cost)
        if seat:
            self._seats.charge(seat, cost)


CONNECTIONS = msg("server.connections")


class SlotLimiter:
    """How many places are taken, in all and from each address; "" is nobody's address."""

    def __init__(self, most: int, most_per_address: int, what: Message = CONNECTIONS) -> None:
        self.what = what
        self.most = most
        self.most_per_address = most_per_address
        self.taken = 0
        self._by_address: dict[str, int] = {}

    def take(self, address: str) -> None:
        """Take a place, or refuse."""
        if self.taken >= self.most:
            raise RateLimitError(msg("server.places.all", what=self.what), 10)
        if address and self._by_address.get(address, 0) >= self.most_per_address:
            raise RateLimitError(msg("server.places.yours", what=self.what), 10)
        self.taken += 1
        self._by_address[address] = self._by_address.get(address, 0) + 1

    def release(self, address: str) -> None:
        """Give a place back."""
        self.taken -= 1
        left = self._by_address[address] - 1
        if left:
            self._by_address[address] = left
        else:
            del self._by_address[address]

    @contextmanager
    def slot(self, address: str) -> Iterator[None]:
        """A place for as long as something takes, or a refusal at once."""
        self.take(address)
        try:
            yield
        finally:
            self.release(address)


class RateLimits:
    """All limits of a running server."""

    def __init__(self, settings: Settings) -> None:
        self.address = Buckets(
            msg("server.often.address"),
            rate=settings.address_rate,
            burst=settings.address_burst,
        )
        self.seat = Buckets(
            msg("server.often.seat"), rate=settings.seat_rate, burst=settings.seat_burst
        )
        self.pace = PacedSender(self.address, self.seat)
        self.tables = Buckets(
            msg("server.often.tables"),
            rate=settings.tables_per_hour / 3600,
            burst=settings.tables_per_hour,
        )
        self.failures = Buckets(
            msg("server.often.tokens"),
            rate=settings.wrong_tokens / 600,
            burst=settings.wrong_tokens,
        )
        self.passphrases = Buckets(
            msg("server.often.passphrases"),
            rate=CROWD * settings.wrong_tokens / 600,
            burst=CROWD * settings.wrong_tokens,
        )
        self.joins_here = Buckets(
            msg("server.often.joins.yours"),
            rate=settings.joins_per_minute / 60,
            burst=settings.joins_per_minute,
        )
        self.joins = Buckets(
            msg("server.often.joins"),
            rate=2 * settings.joins_per_minute / 60,
            burst=2 * settings.joins_per_minute,
        )
        self.sockets = SlotLimiter(settings.connections, settings.connections_per_address)
        self.bodies = SlotLimiter(LONG_BODIES, LONG_BODIES_EACH, msg("server.bodies"))
        self.exports = SlotLimiter(EXPORTS, EXPORTS_EACH, msg("server.exports"))

    def idle(self) -> float:
        """For how many seconds nobody has asked for anything or done anything."""
        return time.monotonic() - self.address.taken_at

    def charge(self, spent: CostMeter, address: str, seat: str = "", *, paid: float = 1) -> None:
        """Charge what something has cost beyond what was paid for it before: one command."""
        cost = spent.units - paid
        if cost > 0:
            self.address.charge(address, cost)
            if seat:
                self.seat.charge(seat, cost)


KEPT_EVENTS = 300
"""Events of a log that are kept in memory."""
KEPT_BYTES = 262_144
"""Bytes of ended rolls and changes that are kept for a table; older ones are read from the log."""
LOADED_EVENTS, LOADED_BYTES = 1000, 8 * PIECE_BYTES
"""Events and bytes of a log that are read at once to be folded: many small reads take longer than
the reading itself.
"""
FOLDED_EVENTS = 100
"""Events that are folded before others have a turn: a millisecond or two."""

SPARED = frozenset(
    {
        "roll_request.close",
        "link.rotate",
        "person.erase",
        "roll.cancel",
        "roll.apply",
        "roll.choose",
        "roll.decline",
        "roll.enter",
        "roll.reveal",
        "roll.throw",
        "roll.undo",
        "seat.admit",
        "seat.move",
        "seat.refuse",
        "seat.remove",
        "seat.change_role",
        "session.end",
        "sheet.remove",
        "sheet.undo",
        "witness.commit",
        "witness.reveal",
    }
)
"""Commands allowed on a full log: everything that ends something or takes it back or away."""


ENDINGS = frozenset(
    {"roll_request.close", "roll.cancel", "seat.refuse", "seat.remove", "sheet.remove"}
)
"""Commands that end something nobody can begin again on a full log: they need no bound."""
FORGETTING = "person.erase"


THROWING = frozenset({"roll.repeat", "roll.choose", "roll.start", "roll.throw", "witness.reveal"})
"""Commands that dice may follow from: their room is looked for before anything is thrown."""
RESERVED = 65_536
"""Bytes that such a command must have room for; what it makes then is written, whatever it is."""


def most_bytes(do: str, most: int) -> float:
    """How large a log may be for a command: a quarter more for what is spared, then the half.

    >>> [most_bytes(do, 100) for do in ("chat.send", "roll.throw", "person.erase", "roll.cancel")]
    [100, 125.0, 150.0, inf]
    """
    if do in ENDINGS:
        return inf
    if do == FORGETTING:
        return most * 1.5
    return most * 1.25 if do in SPARED else most


def check_log_size(held: int, more: int, most: float) -> None:
    """Refuse what would make a log larger than it may be."""
    if held + more > most:
        raise command_error("too_large", "server.log.full")


class DiskQuota:
    """How many bytes the logs of all tables may have; 0 is no limit.

    What other processes write is learned of every few seconds, so that they may go over it by
    what they write meanwhile.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.used = 0

    def learn(self, used: int) -> None:
        """So much the database holds by now."""
        self.used = used

    def add(self, more: int) -> None:
        """So much was written here."""
        self.used += more

    def check(self, more: int) -> None:
        """Refuse what would make them larger than they may be; the host alone reads by how much."""
        if self.most and self.used + more > self.most:
            raise command_error("disk_full", "server.full")


class RecentEvents:
    """The latest events of a log; one at least, however large it is."""

    def __init__(self, most: int = KEPT_EVENTS, most_bytes: int = PIECE_BYTES) -> None:
        self.bytes = 0
        self._most = most
        self._most_bytes = most_bytes
        self._events: deque[Event] = deque()
        self._sizes: deque[int] = deque()

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    @property
    def before(self) -> int:
        """The place before its first event; beyond any place where it has none."""
        return self._events[0].seq - 1 if self._events else sys.maxsize

    def add(self, event: Event, size: int) -> None:
        """Put the next event behind the others; the first of them may have to go."""
        self._events.append(event)
        self._sizes.append(size)
        self.bytes += size
        while len(self._events) > self._most or (
            self.bytes > self._most_bytes and len(self._events) > 1
        ):
            self._events.popleft()
            self.bytes -= self._sizes.popleft()

    def clear(self) -> None:
        """Forget all of it."""
        self._events.clear()
        self._sizes.clear()
        self.bytes = 0

    def after(
        self, place: int, limit: int, most_bytes: int = PIECE_BYTES
    ) -> tuple[Event, ...] | None:
        """Some events behind a place, so many bytes but one at least; None where they are gone."""
        if not self._events or place < self._events[0].seq - 1:
            return None
        start = place + 1 - self._events[0].seq
        total, count = 0, 0
        for size in islice(self._sizes, start, start + limit):
            total += size
            if count and total > most_bytes:
                break
            count += 1
        return tuple(islice(self._events, start, start + count))
