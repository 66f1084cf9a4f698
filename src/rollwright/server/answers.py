"""What the routes answer, field by field."""

from __future__ import annotations

from typing import Any, Literal

from rollwright.kit.bodies import Answer
from rollwright.kit.fields import field
from rollwright.table.schemas import AskSeen, Role, SeatSeen, Seen, SheetSeen, Status, TableSeen

Rows = tuple[dict[str, Any], ...]


class Done(Answer):
    """It is done."""

    ok: Literal[True] = field(default=True, help="")


class Error(Answer):
    """Why something was not done."""

    code: str = field(help="One of the codes of the documentation.")
    message: str = field(help="One sentence: what came, what would do.")
    field_: str | None = field(default=None, help="The field that it is about.")
    start: int | None = field(default=None, help="Where in an expression it went wrong.")
    end: int | None = field(default=None, help="Where that ends.")
    slip: str | None = field(default=None, help="What kind of mistake an expression holds.")
    suggestions: tuple[str, ...] | None = field(default=None, help="Expressions that would do.")
    known: tuple[str, ...] | None = field(default=None, help="The names that there are.")
    face: int | None = field(default=None, help="Which of the faces it is about.")
    wait: int | None = field(default=None, help="Milliseconds to wait.")


class Refused(Answer):
    """The answer to whatever was not done."""

    ok: Literal[False] = field(help="")
    id: str | None = field(default=None, help="The command's.", null=True)
    error: Error = field(help="Why.")


class MadeTable(Answer):
    """A table that was made, now or when its id was first sent."""

    ok: Literal[True] = field(default=True, help="")
    table: str = field(help="Its id.")
    seat: str = field(help="Your seat.")


class Joined(Answer):
    """A seat that was taken."""

    ok: Literal[True] = field(default=True, help="")
    seat: str = field(help="Your seat: s1, s2, …")
    role: Role = field(help="What you are at the table.")
    status: Status = field(help="Whether a referee has to let you in first.")


class You(Answer):
    """Who somebody is at a table."""

    seat: str = field(help="The seat: s1, s2, …")
    role: Role = field(help="What it is at the table.")
    status: Status = field(help="Whether it is let in.")


class Door(Answer):
    """A table as a link to join by shows it."""

    table: str = field(help="Its id.")
    role: Role = field(help="What one joins as.")
    game: str = field(help="The name of its game; empty for dice alone.")
    title: str | None = field(help="What it is called.")
    knock: bool = field(help="Whether a referee lets each newcomer in.")


class Ack(Answer):
    """A command that is committed, with the events it made as its seat sees them."""

    ok: Literal[True] = field(default=True, help="")
    id: str = field(help="The command's.")
    first: int | None = field(help="Its first event; null where nothing had to be written.")
    last: int | None = field(help="Its last event.")
    events: tuple[Seen, ...] = field(help="Its events, and those that it opened.")


class Looked(Answer):
    """The table as a seat sees it; with a link to join by, its door."""

    you: You | None = field(default=None, help="Null for somebody who watches.", null=True)
    head: int | None = field(default=None, help="The number of the last event.")
    hash: str | None = field(default=None, help="The hash of the last event.")
    connected: tuple[str, ...] | None = field(default=None, help="The seats that are connected.")
    table: TableSeen | None = field(default=None, help="The table itself.")
    seats: tuple[SeatSeen, ...] | None = field(default=None, help="Everybody who ever sat down.")
    session: int | None = field(default=None, help="Which session it is, from 1.")
    sheets: tuple[SheetSeen, ...] | None = field(default=None, help="The sheets that you may see.")
    asks: tuple[AskSeen, ...] | None = field(default=None, help="The asks that are open.")
    rolls: dict[str, tuple[Seen, ...]] | None = field(default=None, help="Events of open rolls.")
    recent: tuple[Seen, ...] | None = field(default=None, help="The latest events.")
    door: Door | None = field(default=None, help="With a link to join by, only this.")


class Events(Answer):
    """A part of the log as a seat sees it."""

    head: int = field(help="The number of the last event of the table.")
    events: tuple[Seen, ...] = field(help="The part, and what it opened.")


class Log(Answer):
    """A whole log as a seat sees it, to be kept, verified or imported."""

    format: Literal[2] = field(help="How it is written.")
    rollwright: str = field(help="The version that wrote it.")
    table: str = field(help="The id of the table.")
    for_: str = field(help="Whose copy it is: a seat, or everybody.")
    handover: str | None = field(default=None, help="By it a table can move.", secret=True)
    events: tuple[Seen, ...] = field(help="All events.")


class FaceSeen(Answer):
    """A face of a die."""

    face: str = field(help="As it is written.")
    seen: int = field(help="How often it came.")
    expected: float = field(help="How often it was to be expected.")


class DieSeen(Answer):
    """One kind of die, as often as it showed each face."""

    die: str = field(help="Its name.")
    how: str = field(help="fair, or typed in from real dice.")
    throws: int = field(help="How often it was thrown.")
    faces: tuple[FaceSeen, ...] = field(help="Of dice with very many sides, those that came.")
    p: float | None = field(help="How often fair dice are at least as uneven; null for too few.")
    verdict: str = field(help="What that means.")


class Luck(Answer):
    """How high the faces were, each measured by what its die does on average."""

    throws: int = field(help="How many.")
    higher_than: float | None = field(help="The share who roll lower; null for too few.")
    verdict: str = field(help="What that means.")


class Thrower(Answer):
    """What one seat threw, or the whole table."""

    seat: str = field(help="The seat; empty for the table.")
    name: str = field(help="Whose it is.")
    dice: tuple[DieSeen, ...] = field(help="Each kind of die.")
    luck: Luck = field(help="How high the faces were.")


class Statistics(Answer):
    """Faces and luck, observed against expected, with a verdict."""

    seats: tuple[Thrower, ...] = field(help="Of each seat.")
    table: Thrower = field(help="Of all together.")
    compared: int = field(help="How many comparisons were made.")
    unseen: int = field(help="Secret throws, which are not counted.")
    caution: str = field(help="How to read it.")


class Ready(Answer):
    """Whether clients should be sent here."""

    ok: bool = field(help="")
    database: str = field(help="How the storage is.")
    redis: str = field(help="How the bus between processes is.")
    closing: bool = field(help="Whether the server is about to end.")
    backup: str = field(help="How the last backup went.")


class ListedTable(Answer):
    """A table as the host sees it: how old, how long, how large, and how many are there."""

    table: str = field(help="Its id.")
    created_at: int = field(help="Milliseconds since 1970.")
    touched_at: int = field(help="Milliseconds since 1970.")
    events: int = field(help="How many.")
    bytes: int = field(help="Of its log.")
    connected: int = field(help="Seats, as far as the asked process knows.")


class ListedTables(Answer):
    """Some tables."""

    tables: tuple[ListedTable, ...] = field(help="")


class Quotas(Answer):
    """What everything takes up."""

    tables: int = field(help="How many.")
    events: int = field(help="How many in all.")
    log_bytes: int = field(help="Of all logs, as disk_bytes limits them.")
    database_bytes: int = field(help="Of the database on its disk.")
    rooms: int = field(help="Tables in memory.")
    connections: int = field(help="Sockets that are open.")
    limits: dict[str, int] = field(help="How much it may be.")


class KeptOut(Answer):
    """A network that is kept out."""

    network: str = field(help="The network.")
    made_at: int = field(help="Milliseconds since 1970.")
    ends_at: int | None = field(help="Milliseconds since 1970; null until it is lifted.")


class BanList(Answer):
    """Everybody who is kept out."""

    bans: tuple[KeptOut, ...] = field(help="")


class MadeKey(Answer):
    """A key, which is told this once."""

    ok: Literal[True] = field(default=True, help="")
    key: str = field(help="The key.", secret=True)
    days: int = field(help="How long it is good.")


class TakenBack(Answer):
    """How many keys are good no more."""

    ok: Literal[True] = field(default=True, help="")
    keys: int = field(help="How many.")


class OddsAnswer(Answer):
    """Exact odds: every outcome with its weight, or the chance of an event."""

    title: str = field(help="What is rolled.")
    policy: str = field(help="How choices are made.")
    total: str = field(help="The weight of all outcomes: a whole number, written out.")
    lost: str = field(help="Weight cut off by a stated bound.")
    fields: tuple[str, ...] | None = field(default=None, help="The fields of the outcomes.")
    outcomes: Rows | None = field(default=None, help="Each `value` with its `weight`.")
    where: str | None = field(default=None, help="The event.")
    chance: str | None = field(default=None, help="A fraction, written out.")
    number: float | None = field(default=None, help="The same as a number.")
    weight: str | None = field(default=None, help="The weight of the event.")


class EventAnswer(Answer):
    """The chance of an event, exactly."""

    title: str = field(help="What is rolled.")
    policy: str = field(help="How choices are made.")
    where: str = field(help="The event.")
    chance: str = field(help="A fraction, written out.")
    number: float = field(help="The same as a number.")
    weight: str = field(help="The weight of the event: a whole number, written out.")
    total: str = field(help="The weight of all outcomes.")
    lost: str = field(help="Weight cut off by a stated bound.")


class CurveAnswer(Answer):
    """A number of a roll for every value of one field, or for every pair of values of two."""

    title: str = field(help="What stays the same.")
    policy: str = field(help="How choices are made.")
    measure: dict[str, Any] = field(help="What is shown: its title, and by what.")
    axes: Rows = field(help="What is varied: `field` and `values`.")
    cells: Rows = field(help="`values`, with `chance` and `costs`, or with the `problem`.")


class FindAnswer(Answer):
    """The values of a field that give a chance, and every value that was tried."""

    title: str = field(help="What stays the same.")
    policy: str = field(help="How choices are made.")
    measure: dict[str, Any] = field(help="What counts: its title, and by what.")
    over: dict[str, str] = field(help="What is searched: `field` and `title`.")
    target: dict[str, Any] = field(help="What is wanted.")
    found: tuple[Any, ...] = field(help="What reaches the target while a neighbour does not.")
    nearest: tuple[Any, ...] = field(help="What comes closest, from above or below.")
    ranges: tuple[tuple[Any, ...], ...] = field(
        help="All that reaches it: first and last of each range."
    )
    direction: Literal["rises", "falls", "level", "mixed"] = field(help="Which way it goes.")
    rows: Rows = field(help="Each value with its `worth` and how far it is `off`.")
    refused: Rows = field(help="Values that cannot be, each with its `problem`.")
    said: str = field(help="The answer in a sentence.")


class SensitivityAnswer(Answer):
    """What moves a roll, what moves it most first."""

    title: str = field(help="What is rolled.")
    policy: str = field(help="How choices are made.")
    measure: dict[str, Any] = field(help="What counts: its title, and by what.")
    now: dict[str, Any] = field(help="What it is now.")
    unit: str = field(help="Of changes: percentage points, or the goal's own.")
    rows: Rows = field(help="A field or house rule with its `moves`, each with its `change`.")
    left_out: int = field(help="How many are not listed.")


class QuestionAnswer(Answer):
    """The answer of a game to one of its own questions."""

    game: str = field(help="Its name.")
    question: str = field(help="What was asked.")
    title: str = field(help="The question in words.")
    answer: Any = field(help="Data of the kind that the question says.")


class AdviceAnswer(Answer):
    """The best call, with what every option is worth, where it leads, and why."""

    title: str = field(help="What is rolled.")
    goal: dict[str, Any] = field(help="What counts: its name and its words.")
    goals: Rows = field(help="The goals that go with this roll.")
    value: dict[str, Any] = field(help="What the roll is worth with best play.")
    best: Any = field(help="The best option; null where none is open.")
    matters: bool = field(help="Whether it matters what is chosen.")
    ties: tuple[Any, ...] = field(help="Options that are as good.")
    options: Rows = field(help="What each option is worth, the best first.")
    calls: Rows = field(help="The best policy, before anything is thrown.")
    why: str = field(help="Why it is the best.")
    lines: Rows | None = field(default=None, help="The best policy exactly, as far as it fits.")
    by: str | None = field(default=None, help="Who chooses.")
    best_said: str | None = field(default=None, help="The best option in words.")
    left_out: int | None = field(default=None, help="How many options are not listed.")
    costs: Rows | None = field(default=None, help="What it costs.")


class PreviewAnswer(Answer):
    """A roll not made yet: its odds, its costs, the best calls, and what one more is worth."""

    title: str = field(help="What is rolled.")
    request: dict[str, Any] | None = field(help="The request; null for an expression.")
    policy: str = field(help="How choices are made.")
    goals: Rows = field(help="The goals that go with this roll.")
    chance: dict[str, Any] | None = field(default=None, help="Of success.", null=True)
    fields: Rows | None = field(default=None, help="The odds of fields of the outcome.")
    costs: Rows | None = field(default=None, help="What it costs.")
    best: dict[str, Any] | None = field(default=None, help="The best calls.", null=True)
    more: Rows | None = field(default=None, help="What one more is worth.")
    vary: dict[str, Any] | None = field(default=None, help="A curve or a heat map.")


class CompareAnswer(Answer):
    """Several rolls side by side."""

    rolls: Rows = field(help="Each with its chance and its fields.")
    duels: Rows = field(help="How often one is less, equal or greater than another.")


class RollAnswer(Answer):
    """A roll: as data to go on with, in words, and what it waits for."""

    transcript: dict[str, Any] = field(help="The roll, to go on with.")
    told: str = field(help="What happened.")
    step: dict[str, Any] = field(help="What it waits for, or what it came to.")
    throws: Rows = field(help="The dice that were thrown.")


class VerifyAnswer(Answer):
    """Whether it is true; where it is not, what is wrong."""

    true: bool | None = field(help="Null where it goes by rules that are not known here.")
    state: str | None = field(default=None, help="Of a roll: whether it is done.")
    told: str | None = field(default=None, help="What happened.")
    place: str | None = field(default=None, help="Where it is wrong.")
    problem: str | None = field(default=None, help="What is wrong.")
    table: str | None = field(default=None, help="The table of a log.")
    for_: str | None = field(default=None, help="Whose copy of the log it is.")
    head: str | None = field(default=None, help="The hash of the last event.")
    checked: dict[str, int] | None = field(default=None, help="What was checked.")
    unchecked: dict[str, int] | None = field(default=None, help="What could not be.")
    problems: Rows | None = field(default=None, help="What is wrong with a log.")
    more: int | None = field(default=None, help="How many problems are not listed.")
    said: tuple[str, ...] | None = field(default=None, help="The same in words.")


class RootAnswer(Answer):
    """What this is, and where to go on."""

    rollwright: str = field(help="Its version.")
    api: int = field(help="The version of the API.")
    tables: Literal["anybody", "passphrase", "host"] = field(help="Who may make tables here.")
    links: dict[str, str] = field(help="Where to go on.")


class GamesAnswer(Answer):
    """All games, in short."""

    games: Rows = field(help="Each with its rolls.")


class GameAnswer(Answer):
    """Everything about one game."""

    name: str = field(help="Its name.")
    title: str = field(help="What it is called.")
    summary: str = field(help="What it is, in a line.")
    default_roll: str = field(help="The usual kind of roll.")
    rolls: dict[str, Any] = field(help="Each kind of roll with its fields.")
    policies: dict[str, Any] = field(help="How choices may be made.")
    default_policy: str = field(help="The usual one.")
    goals: dict[str, Any] = field(help="What may count.")
    default_goal: str = field(help="The usual one.")
    house: dict[str, Any] = field(help="House rules.")
    sheet: dict[str, Any] | None = field(help="The sheet.")
    icons: dict[str, str] = field(help="Icons of faces.")
    rulebook: Rows = field(help="The lines of the rulebook.")
    questions: dict[str, Any] = field(help="Questions of its own, with what each takes.")
