"""The answers of the routes, field by field; answers to questions are in `queries.schemas`."""

from __future__ import annotations

from typing import Literal

from rollwright.hooks import Text
from rollwright.jsonable import Json
from rollwright.kit.bodies import Answer
from rollwright.kit.card.shapes import MarksView, VerdictView
from rollwright.kit.fields import field
from rollwright.queries.schemas import ErrorData
from rollwright.table.schemas import (
    EventView,
    Role,
    RollRequestView,
    SeatView,
    SheetData,
    Status,
    TableView,
)


class DoneAnswer(Answer):
    """It is done."""

    ok: Literal[True] = field(default=True, help="")


class ErrorAnswer(Answer):
    """The answer to whatever was not done."""

    ok: Literal[False] = field(help="")
    id: str | None = field(default=None, help="The command's.", null=True)
    error: ErrorData = field(help="Why.")
    first: int | None = field(default=None, help="Its event, where the log holds the refusal.")
    last: int | None = field(default=None, help="The same.")


class TableAnswer(Answer):
    """A table that was made, now or when its id was first sent."""

    ok: Literal[True] = field(default=True, help="")
    table: str = field(help="Its id.")
    seat: str = field(help="Your seat.")


class JoinAnswer(Answer):
    """A seat that was taken."""

    ok: Literal[True] = field(default=True, help="")
    seat: str = field(help="Your seat: s1, s2, …")
    role: Role = field(help="What you are at the table.")
    status: Status = field(help="Whether a referee has to let you in first.")


class ClaimAnswer(Answer):
    """The names that a claim to a seat must be signed over."""

    ok: Literal[True] = field(default=True, help="")
    table: str = field(help="The table.")
    epoch: str = field(help="The hash of the event that its slots began with.")


class YouData(Answer):
    """Who somebody is at a table."""

    seat: str = field(help="The seat: s1, s2, …")
    role: Role = field(help="What it is at the table.")
    status: Status = field(help="Whether it is let in.")


class InviteView(Answer):
    """A table as a link to join by shows it."""

    table: str = field(help="Its id.")
    role: Role = field(help="What one joins as.")
    game: str = field(help="The name of its game; empty for dice alone.")
    title: str | None = field(help="What it is called.")
    host: str | None = field(help="Who invites: the first referee; null where that was erased.")
    knock: bool = field(help="Whether a referee lets each newcomer in.")


class AckAnswer(Answer):
    """A command that is committed, with the events it made as its seat sees them."""

    ok: Literal[True] = field(default=True, help="")
    id: str = field(help="The command's.")
    first: int | None = field(help="Its first event; null where nothing had to be written.")
    last: int | None = field(help="Its last event.")
    events: tuple[EventView, ...] = field(help="Its events, and those that it opened.")


class SnapshotAnswer(Answer):
    """The table as a seat sees it; with a link to join by, its door."""

    you: YouData | None = field(default=None, help="Null for somebody who watches.", null=True)
    head: int | None = field(default=None, help="The number of the last event.")
    hash: str | None = field(default=None, help="The hash of the last event.")
    connected: tuple[str, ...] | None = field(default=None, help="The seats that are connected.")
    table: TableView | None = field(default=None, help="The table itself.")
    seats: tuple[SeatView, ...] | None = field(default=None, help="Everybody who ever sat down.")
    session: int | None = field(default=None, help="Which session it is, from 1.")
    sheets: tuple[SheetData, ...] | None = field(default=None, help="The sheets that you may see.")
    asks: tuple[RollRequestView, ...] | None = field(default=None, help="The asks that are open.")
    rolls: dict[str, tuple[EventView, ...]] | None = field(
        default=None, help="Events of open rolls."
    )
    recent: tuple[EventView, ...] | None = field(default=None, help="The latest events.")
    door: InviteView | None = field(default=None, help="With a link to join by, only this.")


class EventsAnswer(Answer):
    """A part of the log as a seat sees it."""

    head: int = field(help="The number of the last event of the table.")
    events: tuple[EventView, ...] = field(help="The part, and what it opened.")


class LogAnswer(Answer):
    """A whole log as a seat sees it, to be kept, verified or imported."""

    format: Literal[2] = field(help="How it is written.")
    rollwright: str = field(help="The version that wrote it.")
    table: str = field(help="The id of the table.")
    for_: str = field(help="Whose copy it is: a seat, or everybody.")
    handover: str | None = field(default=None, help="By it a table can move.", secret=True)
    events: tuple[EventView, ...] = field(help="All events.")


class FaceCountData(Answer):
    """A face of a die."""

    face: str = field(help="As it is written.")
    seen: int = field(help="How often it came.")
    expected: float = field(help="How often it was to be expected.")


class DieCountData(Answer):
    """One kind of die, as often as it showed each face."""

    die: str = field(help="Its name.")
    how: str = field(help="fair, or typed in from real dice.")
    throws: int = field(help="How often it was thrown.")
    faces: tuple[FaceCountData, ...] = field(help="Of dice with very many sides, those that came.")
    p: float | None = field(help="How often fair dice are at least as uneven; null for too few.")
    verdict: str = field(help="What that means.")


class LuckData(Answer):
    """How high the faces were, each measured by what its die does on average."""

    throws: int = field(help="How many.")
    higher_than: float | None = field(help="The share who roll lower; null for too few.")
    verdict: str = field(help="What that means.")


class UnfinishedData(Answer):
    """How many rolls and calls of somebody came to nothing, or were chosen from."""

    rolls: int = field(help="Given up before their end.")
    after_dice: int = field(help="How many of them after dice had been seen.")
    again: int = field(help="Begun as another roll once more.")
    undone: int = field(help="Taken back by a referee.")
    refused: int = field(help="Calls that the table refused.")
    unanswered: int = field(help="Calls that the table never answered.")
    open: int = field(help="Left open: nobody has ended them.")
    open_after_dice: int = field(help="How many of them with dice that had been seen.")
    secret: int = field(help="Secret rolls that were not shown, where others of theirs were.")


class UnfinishedTextData(UnfinishedData):
    """The same in words."""

    said: str = field(help="In a sentence; empty where there was none.")


class SeatUnfinishedData(UnfinishedData):
    """The same of one seat."""

    seat: str = field(help="Whose.")


class ThrowerData(Answer):
    """The dice that one seat threw, or the whole table."""

    seat: str = field(help="The seat; empty for the table.")
    name: str = field(help="Whose it is.")
    dice: tuple[DieCountData, ...] = field(help="Each kind of die.")
    luck: LuckData = field(help="How high the faces were.")
    given_up: UnfinishedTextData = field(
        help="Rolls and calls that came to nothing, or were chosen from."
    )


class StatisticsAnswer(Answer):
    """Faces and luck, observed against expected, with a verdict."""

    seats: tuple[ThrowerData, ...] = field(help="Of each seat.")
    table: ThrowerData = field(help="Of all together.")
    compared: int = field(help="How many comparisons were made.")
    unseen: int = field(help="Throws of secret rolls that were announced: they do not count.")
    caution: str = field(help="How to read it.")


class MomentData(Answer):
    """A memorable roll."""

    kind: Literal["great", "awful", "mixed", "odds", "failed"] = field(
        help="Why: by its tone, or because it went well or `failed` against the odds."
    )
    roll: str = field(help="The roll: r1, r2, …")
    at: int = field(help="When it began, in milliseconds since 1970.")
    by: str = field(help="The seat that rolled.")
    sheet: str = field(
        help="The sheet that it was rolled with; empty without one, or a hidden one."
    )
    title: Text = field(help="What was rolled.")
    verdict: VerdictView | None = field(help="What it came to.")
    choices: tuple[Text, ...] = field(help="What was chosen in between.")
    dice: tuple[str, ...] = field(help="The dice that lie there in the end, the first of many.")
    faces: tuple[Json, ...] = field(help="What each of them shows.")
    marks: MarksView = field(help="How faces are read.")
    chance: str | None = field(
        help="How often it comes to that, exactly, or goes well against which it was; "
        "null where not counted."
    )


class SeatLuckData(Answer):
    """How often somebody's rolls went well, and how often that was expected of the counted ones.

    Exact numbers that would fill pages are rounded to fifteen places.
    """

    seat: str = field(help="Whose.")
    rolls: int = field(help="How many went well or did not.")
    good: int = field(help="How many of them went well.")
    counted: int = field(help="How many of them could be counted: the rest is about those.")
    counted_good: int = field(help="How many of the counted went well.")
    expected: str = field(help="How many of the counted were to be expected to, exactly.")
    at_least: str = field(help="The share of evenings that go at least as well, exactly.")
    at_most: str = field(help="The share of evenings that go at most as well, exactly.")


class PriceData(Answer):
    """The price paid for rolls, and the average price of those that could be counted."""

    name: str = field(help="The field of the outcome.")
    unit: str = field(help="`chance` for what happens or not, `amount` for what is counted.")
    said: Text = field(help="What it is called.")
    n: int = field(help="How much, or how often.")
    rolls: int = field(help="In how many rolls that could cost it.")
    counted: int = field(help="How many of them could be counted: the rest is about those.")
    counted_n: int = field(help="How much of it was paid in the counted.")
    expected: str = field(help="How much was to be expected in the counted, exactly.")


class ChoiceCountData(Answer):
    """Something that was chosen, and how often."""

    said: Text = field(help="What.")
    n: int = field(help="How often.")


class ReminderData(Answer):
    """Something that waits for the next time."""

    sheet: str = field(help="The seat or the sheet that it is about.")
    text: Text = field(help="What.")
    of: Text = field(default="", help="The thing on the sheet that it is about, if it is one.")
    value: Json = field(default=None, help="Where it stands, if it is a number.", null=True)
    most: int | None = field(default=None, help="Of how much.", null=True)


class RecapAnswer(Answer):
    """A session looked back on, as everybody may know it."""

    session: int = field(help="Which one, from 1.")
    over: bool = field(help="Whether it has ended.")
    began: int = field(help="In milliseconds since 1970.")
    ended: int = field(help="In milliseconds since 1970.")
    people: tuple[str, ...] = field(help="The seats that rolled.")
    names: dict[str, str] = field(help="What everybody is called, by seat or sheet.")
    rolls: int = field(help="How many have ended.")
    dice: int = field(help="How many were thrown.")
    given_up: tuple[SeatUnfinishedData, ...] = field(
        help="Of everybody with rolls or calls that came to nothing, or were chosen from."
    )
    moments: tuple[MomentData, ...] = field(help="What people will tell of.")
    luck: tuple[SeatLuckData, ...] = field(help="For everybody whose rolls went well or did not.")
    prices: tuple[PriceData, ...] = field(help="What was paid.")
    choices: tuple[ChoiceCountData, ...] = field(
        help="The most frequent, without tokens that were handed out."
    )
    waits: tuple[ReminderData, ...] = field(help="What waits for the next time.")


class ReadyAnswer(Answer):
    """Whether clients should be sent here."""

    ok: bool = field(help="")
    database: str = field(help="How the storage is.")
    redis: str = field(help="How the bus between processes is.")
    closing: bool = field(help="Whether the server is about to end.")
    backup: str = field(help="How the last backup went.")


class TableUsageData(Answer):
    """A table as the host sees it: how old, how long, how large, and how many are there."""

    table: str = field(help="Its id.")
    created_at: int = field(help="Milliseconds since 1970.")
    touched_at: int = field(help="Milliseconds since 1970.")
    events: int = field(help="How many.")
    bytes: int = field(help="Of its log.")
    connected: int = field(help="Seats, as far as the asked process knows.")


class TableListAnswer(Answer):
    """Some tables."""

    tables: tuple[TableUsageData, ...] = field(help="")


class QuotaAnswer(Answer):
    """Everything that takes up space, and its limits."""

    tables: int = field(help="How many.")
    events: int = field(help="How many in all.")
    log_bytes: int = field(help="Of all logs, as disk_bytes limits them.")
    database_bytes: int = field(help="Of the database on its disk.")
    rooms: int = field(help="Tables in memory.")
    connections: int = field(help="Sockets that are open.")
    limits: dict[str, int] = field(help="How much it may be.")


class BanData(Answer):
    """A network that is kept out."""

    network: str = field(help="The network.")
    made_at: int = field(help="Milliseconds since 1970.")
    ends_at: int | None = field(help="Milliseconds since 1970; null until it is lifted.")


class BanListAnswer(Answer):
    """Everybody who is kept out."""

    bans: tuple[BanData, ...] = field(help="")


class KeyAnswer(Answer):
    """A new key, which is shown only once."""

    ok: Literal[True] = field(default=True, help="")
    key: str = field(help="The key.", secret=True)
    days: int = field(help="How long it is good.")


class RevocationAnswer(Answer):
    """The number of keys that were revoked."""

    ok: Literal[True] = field(default=True, help="")
    keys: int = field(help="How many.")


class RootAnswer(Answer):
    """The server, and links to the rest of its API."""

    rollwright: str = field(help="Its version.")
    api: int = field(help="The version of the API.")
    tables: Literal["anybody", "passphrase", "host"] = field(help="Who may make tables here.")
    links: dict[str, str] = field(help="Where to go on.")
