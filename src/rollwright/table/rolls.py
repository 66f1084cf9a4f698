"""A roll at the table as data: what was asked for, what has happened, who may see it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from marshal import dumps, loads
from typing import Final, TypeAlias, TypedDict, final

from rollwright.hooks import Text
from rollwright.i18n.messages import Message
from rollwright.jsonable import Json, JsonObject
from rollwright.kit.agreements import ASK
from rollwright.table.devices import CommandPlace, WitnessWait
from rollwright.table.events import (
    BLIND,
    OPEN,
    REFEREE,
    SPECTATOR,
    Audience,
    ErasableText,
    Seat,
    is_in_audience,
)
from rollwright.table.limits import weight_of
from rollwright.table.schemas import NextStep, ResolvedRoll, RollSpecData

GOING, DONE, UNDONE, CANCELLED = "open", "done", "undone", "cancelled"
TYPED: Final = "typed"
FAIR: Final = "fair"
MOST_HELD = 8
"""Events of a waiting roll sent to newcomers at most; of more, only the first and the last."""
ROLL_BYTES = 1_000
"""Bytes of memory that a roll takes beside its request."""


@final
class FacesEntry(TypedDict):
    """Faces of a roll, as a stored transcript has them."""

    faces: list[Json]
    how: str


@final
class OptionEntry(TypedDict):
    """A choice of a roll, as a stored transcript has it."""

    option: Json
    by: str


RollEntry: TypeAlias = FacesEntry | OptionEntry


@dataclass(slots=True)
class TableRoll:
    """A roll with everything that is needed to go on with it, to reveal, undo or repeat it."""

    id: str
    by: str
    """The seat that rolls."""
    what: ResolvedRoll
    version: str
    """The version of its kind of roll that it was started under; empty for expressions."""
    title: Text = ""
    sheet: str = ""
    draft: JsonObject | None = None
    visibility: str = OPEN
    announce: bool = True
    audience: Audience = None
    """Who sees it while it is not revealed."""
    roles: dict[str, str] = field(default_factory=dict)
    ask: str = ""
    physical: bool = False
    goal: str = ""
    policy: str = ""
    """The policy for its choices; empty to be asked."""
    bound: bool = False
    """Whether the seat that asked for it set the policy: then the roller cannot take it back."""
    each: bool = False
    """Whether people at the table throw the dice that are theirs."""
    away: tuple[str, ...] = ()
    """Seats that were not there when it began: their dice are thrown with the others."""
    agreed: bool = False
    """Whether its last entry is a choice that was made as agreed."""
    status: str = GOING
    revealed: bool = False
    waits: tuple[str, ...] = ()
    """Once it has ended, the sheets on which what it does waits until somebody lets it happen."""
    entries: list[RollEntry] = field(default_factory=list)
    """Faces and options in order, as a stored transcript has them; while they are needed."""
    authors: list[str] = field(default_factory=list)
    """The seat that made each entry, while the roll is open."""
    threw: tuple[str, ...] = ()
    """Those beside the roller who threw dice of their own in it."""
    chose: tuple[str, ...] = ()
    """Those beside the roller who chose something in a part that they play in it."""
    after: NextStep | None = None
    """The step at which an open roll waits."""
    asked_at: tuple[int, ...] = ()
    """The events that say so of a choice without listing its options."""
    seqs: list[int] = field(default_factory=list)
    """Its events, those that changed sheets included."""
    went_at: int = 0
    """The last of them after which it waits for something else, or has ended."""
    veiled: list[int] = field(default_factory=list)
    """The throws among them that the rule hides while the roll is open."""
    changes: list[int] = field(default_factory=list)
    """The changes of sheets among them."""
    calls: dict[int, CommandPlace] = field(default_factory=dict)
    """The calls that it follows from while it is open, by their events."""
    closed: tuple[int, ...] = ()
    """Those of them whose keys are opened at its end, since dice of theirs are hidden."""
    witness: WitnessWait | None = None
    """The witness whose number its dice wait for."""
    weighed: int = field(default=0, compare=False)
    """The bytes of its events while it is open, about; then of what is kept of it."""
    unweighed: Mapping[str, object] | None = field(default=None, compare=False, repr=False)
    """The latest of those events: most rolls end before anybody wants to know."""
    written: bytes = field(default=b"", compare=False, repr=False)
    """`what` in its one form, once somebody needed it: it settles which roll this is."""
    is_whole: bool = True
    """Whether all that a command may need is here; of an old roll, the log has it."""

    @property
    def is_open(self) -> bool:
        """Whether it still waits for something."""
        return self.status == GOING

    @property
    def dice(self) -> int:
        """How many dice it has thrown so far."""
        return sum([len(entry["faces"]) for entry in self.entries if "faces" in entry])

    @property
    def is_secret(self) -> bool:
        """Whether not everybody may see it now."""
        return self.audience is not None and not self.revealed

    @property
    def seers(self) -> Audience:
        """Who may see it now."""
        return None if self.revealed else self.audience

    def copy(self) -> TableRoll:
        """Return a copy to go on with: if that is cancelled, this one stays as it was."""
        copied = TableRoll.__new__(TableRoll)
        for name in TableRoll.__slots__:
            setattr(copied, name, getattr(self, name))
        copied.entries, copied.veiled = [*self.entries], [*self.veiled]
        copied.calls = {**self.calls}
        return copied

    def close(self, status: str) -> None:
        """The roll is over; what only an open roll needs is let go."""
        after, self.status = self.after, status
        if status == DONE and after is not None and after["step"] == "done":
            self.waits = tuple(after.get("waits", ()))
        else:
            self.waits = ()
        self.after = self.witness = None
        self.calls, self.closed = {}, ()
        self.agreed = self.agreed and status == DONE
        self._drop_entries()
        self.unweighed = None
        self.weighed = ROLL_BYTES + weight_of(self.what) + weight_of(self.entries)

    def weigh(self, body: Mapping[str, object]) -> None:
        """The open roll has one event more."""
        self.weighed, self.unweighed = self.weight, body

    @property
    def weight(self) -> int:
        """About how many bytes it takes."""
        if self.unweighed is not None:
            self.weighed, self.unweighed = self.weighed + weight_of(self.unweighed), None
        return self.weighed

    def throw_by(self, seat: str, whose: str, seats: Mapping[str, Seat]) -> None:
        """Remember who threw dice of their own; throwing for others approves nothing."""
        known = (self.by, *self.threw)
        if self.each and seat not in known and seat == owner_of(self, whose, seats):
            self.threw = (*self.threw, seat)

    def choose_by(self, seat: str, rule_seat: str) -> None:
        """Remember who chose something in their own part."""
        if seat != self.by and seat not in self.chose and self.roles.get(rule_seat) == seat:
            self.chose = (*self.chose, seat)

    def settle_effects(self, sheets: Collection[str]) -> None:
        """Nothing waits on these sheets any more."""
        self.waits = tuple([sheet for sheet in self.waits if sheet not in sheets])
        self._drop_entries()

    def make_final(self) -> None:
        """It has ended for good: what was agreed in it is taken back no more."""
        self.agreed = False
        self._drop_entries()

    def _drop_entries(self) -> None:
        """Keep the entries of a roll only while somebody may need them."""
        if self.is_open or self.agreed:
            return
        self.authors = []
        if not self.waits:
            self.entries = []

    @property
    def place(self) -> str:
        """The place that the next roll takes: its sheet, or its roller without one."""
        return self.sheet or f"-{self.by}"

    @property
    def snapshot_seqs(self) -> list[int]:
        """The events of it that a newcomer gets: all while it is open."""
        if self.is_open or len(self.seqs) <= MOST_HELD:
            return self.seqs
        return [self.seqs[0], self.seqs[-1]]


STORED_FIELDS = ("by", "visibility", "announce", "audience", "status", "revealed", "waits")
STORED_LISTS = ("seqs", "veiled", "changes")


def pack(roll: TableRoll) -> bytes:
    """Return the memory of an old roll: all that views need, and what takes it back."""
    return dumps([getattr(roll, name) for name in (*STORED_FIELDS, *STORED_LISTS)])


def unpack(name: str, held: bytes) -> TableRoll:
    """An old roll, without what only the log has."""
    roll = TableRoll(id=name, by="", what={}, version="", is_whole=False)
    for field_, value in zip((*STORED_FIELDS, *STORED_LISTS), loads(held), strict=True):
        setattr(roll, field_, value)
    return roll


EVERYBODY = "all"


@dataclass(slots=True)
class RollRequest:
    """An ask that is open: who is asked for what, and who has answered with which roll."""

    id: str
    by: str
    who: tuple[str, ...] | str
    """Seats, or "all"."""
    roll: RollSpecData
    visibility: str
    announce: bool = True
    note: ErasableText | None = None
    seq: int = 0
    answered: dict[str, str] = field(default_factory=dict)

    @property
    def weight(self) -> int:
        """The bytes of what is asked for, about."""
        return weight_of(self.roll)

    def includes(self, seat: str) -> bool:
        """Whether a seat is asked."""
        return self.who == EVERYBODY or seat in self.who

    @property
    def open_seats(self) -> set[str]:
        """The seats that have yet to answer; none if everybody is asked."""
        asked = () if isinstance(self.who, str) else self.who
        return {seat for seat in asked if seat not in self.answered}

    @property
    def audience(self) -> Audience:
        """Who may see it: a secret one only those who are asked, and the referees."""
        if self.visibility == OPEN or isinstance(self.who, str):
            return None
        return (*self.who, self.by, REFEREE)

    @property
    def has_policy(self) -> bool:
        """Whether it says how choices are made."""
        return self.roll.get("policy", ASK) != ASK

    @property
    def is_silent(self) -> bool:
        """Whether others do not even learn that somebody is asked."""
        return self.audience is not None and not self.announce


def player_of(roll: TableRoll, rule_seat: str) -> str:
    """The seat, or "referee", that plays a seat of the rule; always somebody who sees the roll."""
    if roll.visibility == BLIND:
        return REFEREE
    if rule_seat in roll.roles:
        found = roll.roles[rule_seat]
        found = REFEREE if found.startswith("n") else found  # a character of the referees'
    elif rule_seat == REFEREE:
        found = REFEREE
    else:
        found = rule_seat[1:] if rule_seat.startswith("@s") else roll.by
    seers = roll.seers
    return found if seers is None or found in seers else roll.by


def policy_applies(roll: TableRoll, rule_seat: str, *, against: bool) -> bool:
    """Check whether a roll's policy applies to the choices of a seat of the rule.

    The policy is the roller's to set for themselves. `ask`, by which nobody is asked when nothing
    is to gain, applies to all who play for the roll, as long as everybody sees it: in secret rolls,
    a choice that nobody made would reveal what they must not know.
    """
    if player_of(roll, rule_seat) == roll.by:
        return True
    return roll.policy == ASK and roll.visibility == OPEN and not against


def owner_of(roll: TableRoll, whose: str, seats: Mapping[str, Seat]) -> str:
    """The seat that throws dice of somebody whom the rule names; empty where anybody may.

    Somebody who is not here, does not see the roll or is no player has them thrown by others.
    """
    if not roll.each or not whose:
        return ""
    name = whose[1:] if whose.startswith("@") else roll.roles.get(whose, "")
    seat = seats.get(name)
    if seat is None or not seat.is_here or seat.role == SPECTATOR or name in roll.away:
        return ""
    return name if is_in_audience(seat, roll.seers) else ""


def seers_of(roll: TableRoll, rule_seats: tuple[str, ...] | None) -> Audience:
    """Who sees a throw of the roll; `rule_seats` are those the rule shows it to, None for all."""
    if rule_seats is None:
        return roll.seers
    return tuple(dict.fromkeys(player_of(roll, name) for name in rule_seats))


def player_label(player: str) -> Message | str:
    """Who plays something, for a sentence."""
    return Message("people.referee") if player == REFEREE else player


def may_play(seat: Seat, player: str) -> bool:
    """Whether a seat is the one that plays something."""
    return seat.id == player or (player == REFEREE and seat.is_referee)
