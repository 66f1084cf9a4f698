"""What events hold and what a seat sees of a table, field by field.

Documents and the page's types are made from this; the tests hold every stored log against it.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from rollwright.kit.bodies import Answer
from rollwright.kit.fields import Choices, field
from rollwright.table.events import HERE, KNOCKING, REMOVED, ROLES
from rollwright.table.rolls import VISIBILITIES

Role = Annotated[str, Choices(ROLES)]
Status = Annotated[str, Choices((HERE, KNOCKING, REMOVED))]
Visibility = Annotated[str, Choices(VISIBILITIES)]


class SealedText(Answer):
    """What stands in an event for a text: the text lies beside it, and can be erased."""

    text: str = field(help="Where it lies in `texts`.")
    seal: str = field(help="Its salted hash.")


class TextSeen(Answer):
    """A text of an event."""

    salt: str = field(help="What its seal was made with.")
    text: str = field(help="The text.")


class Seen(Answer):
    """An event as a seat sees it: without `body`, `salt` and `texts` where it may not."""

    seq: int = field(help="Its number in the log, from 1.")
    at: int = field(help="Milliseconds since 1970.")
    kind: str = field(help="What has happened; `sealed` where nobody else may know.")
    open: dict[str, Any] = field(help="What everybody may see.")
    body: dict[str, Any] | None = field(default=None, help="What it holds, by its kind.")
    salt: str | None = field(default=None, help="What its digest was made with.")
    digest: str = field(help="The salted hash of its body.")
    hash: str = field(help="The hash that chains it to the one before.")
    texts: dict[str, TextSeen] | None = field(default=None, help="The texts of its body.")


class TableSeen(Answer):
    """The table itself; somebody at the door is told less."""

    table: str = field(help="Its id.")
    game: str = field(help="The name of its game; empty for dice alone.")
    title: str | None = field(help="What it is called.")
    knock: bool = field(help="Whether a referee lets each newcomer in.")
    head: int = field(help="The number of the last event.")
    hash: str = field(help="The hash of the last event.")
    house: dict[str, Any] | None = field(default=None, help="Its house rules.")
    lists: Any = field(default=None, help="Lists of its own.")
    number: int | None = field(default=None, help="The number of the next fair throw.")
    links: dict[str, int] | None = field(default=None, help="When the link of a role was made.")


class SeatSeen(Answer):
    """A seat at the table."""

    seat: str = field(help="s1, s2, …")
    role: Role = field(help="What it may do.")
    status: Status = field(help="Whether it is let in.")
    name: str | None = field(help="Whose it is; null where that was erased.")


class SheetSeen(Answer):
    """A sheet."""

    sheet: str = field(help="The seat whose it is, or n1, n2, … of the referees'.")
    owner: str = field(help="The seat that owns it; `referee` for those of the referees.")
    shown: bool = field(help="Whether everybody sees it.")
    values: dict[str, Any] = field(help="What stands on it.")


class AskSeen(Answer):
    """An ask that is open."""

    ask: str = field(help="a1, a2, …")
    by: str = field(help="The seat that asks.")
    who: str | tuple[str, ...] = field(help="The seats that are asked, or `all`.")
    roll: dict[str, Any] = field(help="What is to be rolled.")
    note: str | None = field(help="A word about it.")
    visibility: Visibility = field(help="Who will see it.")
    announce: bool = field(help="Whether the others learn that something is rolled.")
    answered: dict[str, str] = field(help="Seats with the rolls by which they answered.")


class OptionSaid(Answer):
    """Something that may be chosen."""

    option: Any = field(help="The option as data.")
    said: str = field(help="The option in words.")


class EffectSaid(Answer):
    """What a roll does beside its outcome."""

    kind: str = field(help="The kind of effect.")
    amount: Any = field(help="How much of it.")
    target: str = field(help="What on a sheet it is for.")
    said: str = field(help="The effect in words.")
    sheet: str = field(help="The sheet that it is for; empty where there is none.")
    applied: bool = field(help="Whether it has changed the sheet.")
    quiet: Literal[True] | None = field(default=None, help="Nobody wants to hear of it.")
    waits: Literal[True] | None = field(default=None, help="Somebody has to let it happen.")
    why: str | None = field(default=None, help="Why it did not go with the sheet.")


class WaitsForThrow(Answer):
    """The roll waits for dice."""

    step: Literal["throw"] = field(help="")
    dice: tuple[str, ...] = field(help="The dice by name, in the order of their faces.")
    pool: Any = field(help="The dice as data.")
    by: str = field(help="Who throws.")
    index: int = field(help="How many throws and choices came before.")


class WaitsForChoice(Answer):
    """The roll waits for somebody to choose."""

    step: Literal["choice"] = field(help="")
    by: tuple[str, ...] = field(help="Who chooses.")
    role: str = field(help="What the rule calls them.")
    index: int = field(help="How many throws and choices came before.")
    options: tuple[OptionSaid, ...] = field(help="What may be chosen; of many, the first.")
    count: int | None = field(default=None, help="How many there are where not all are listed.")
    digest: str | None = field(default=None, help="The hash of all where not all are listed.")
    about: dict[str, Any] | None = field(help="What the choice turns on.")
    question: str = field(help="The choice as a question.")
    told: str | None = field(default=None, help="What happened so far.")


class Ended(Answer):
    """The roll is done."""

    step: Literal["done"] = field(help="")
    outcome: Any = field(help="What it came to, as data.")
    fields: dict[str, Any] = field(help="What it came to, by name.")
    told: str = field(help="What happened, in one sentence.")
    good: bool | None = field(help="Whether it went well; null where nobody can say.")
    effects: tuple[EffectSaid, ...] = field(help="What it does beside its outcome.")
    opened: tuple[int, ...] = field(help="Events that are open from now on.")
    waits: tuple[str, ...] | None = field(default=None, help="Sheets on which something waits.")


class Witness(Answer):
    """Somebody else's part in a throw."""

    seat: str = field(help="Who offered it.")
    nonce: str = field(help="The number.")


class FairThrow(Answer):
    """What proves a throw of the table."""

    number: int = field(help="Which of the table's fair throws it is.")
    key: str = field(help="The host's part.")
    nonce: str = field(help="The part of whoever threw.")
    witness: Witness | None = field(help="Somebody else's part.")


class Happened(Answer):
    """What an event holds; every subclass is one kind."""

    kinds: ClassVar[tuple[str, ...]] = ()
    """The kinds of event that hold this."""

    by: str = field(help="The seat that did it.")

    def __init_subclass__(cls, *, kinds: tuple[str, ...] = (), **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.kinds = kinds


class TableCreated(Happened, kinds=("table.created",)):
    """A table was made."""

    table: str = field(help="Its id.")
    format: int = field(help="How its log is written.")
    rollwright: str = field(help="The version that made it.")
    game: str = field(help="The name of its game; empty for dice alone.")
    house: dict[str, Any] = field(help="All its house rules.")
    knock: bool = field(help="Whether a referee lets each newcomer in.")
    lists: Any = field(help="Lists of its own.")
    title: SealedText | None = field(help="What it is called.")
    handover: str = field(help="The commitment by which it can go on elsewhere.")


class TableChanged(Happened, kinds=("table.changed",)):
    """What was said of the table has changed; what has not is left out."""

    house: dict[str, Any] | None = field(default=None, help="All its house rules.")
    knock: bool | None = field(default=None, help="Whether a referee lets each newcomer in.")
    lists: Any = field(default=None, help="Lists of its own.")
    title: SealedText | None = field(default=None, help="What it is called.", null=True)


class TableImported(Happened, kinds=("table.imported",)):
    """The table goes on at another host, or as a copy."""

    from_seq: int = field(help="The last event that came from elsewhere.")
    rollwright: str = field(help="The version that goes on with it.")
    handover: str = field(help="The commitment by which it can go on elsewhere.")
    copy: Literal[True] | None = field(default=None, help="Whether the host made a copy.")


class LinkChanged(Happened, kinds=("link.changed",)):
    """A role has a new link."""

    role: Role = field(help="The role.")


class SeatJoined(Happened, kinds=("seat.joined",)):
    """Somebody sat down, or knocks."""

    seat: str = field(help="The seat.")
    role: Role = field(help="What it may do.")
    name: SealedText | None = field(help="Whose it is.")
    status: Status = field(help="Whether it is let in.")


class SeatTouched(
    Happened, kinds=("seat.admitted", "seat.removed", "seat.moved", "person.forgotten")
):
    """A seat was let in, removed, moved to another device, or its person forgotten."""

    seat: str = field(help="The seat.")


class SeatRenamed(Happened, kinds=("seat.renamed",)):
    """A seat has another name."""

    seat: str = field(help="The seat.")
    name: SealedText | None = field(help="The new name.")


class SeatChanged(Happened, kinds=("seat.changed",)):
    """A seat has another role."""

    seat: str = field(help="The seat.")
    role: Role = field(help="What it may do now.")


class RollStarted(Happened, kinds=("roll.started",)):
    """A roll began."""

    roll: str = field(help="r1, r2, …")
    what: dict[str, Any] = field(help="What is rolled: `expression` or the whole `request`.")
    title: str = field(help="What is rolled, in a few words.")
    sheet: str = field(help="The sheet that it is rolled with; empty without one.")
    visibility: Visibility = field(help="Who sees it.")
    announce: bool = field(help="Whether the others learn that something is rolled.")
    note: SealedText | None = field(help="A word about it.")
    roles: dict[str, str] = field(help="Seats of the rule with seats of the table.")
    ask: str = field(help="The ask that it answers; empty without one.")
    physical: bool = field(help="Whether the dice are real ones.")
    goal: str = field(help="What advice goes by.")
    version: str = field(help="Of the rule.")
    from_sheet: dict[str, Any] | None = field(default=None, help="What was said beside the sheet.")
    after: WaitsForThrow | WaitsForChoice | Ended = field(help="What it waits for.")


class RollThrown(Happened, kinds=("roll.thrown",)):
    """Dice were thrown, or typed."""

    roll: str = field(help="The roll.")
    index: int = field(help="How many throws and choices came before.")
    faces: tuple[Any, ...] = field(help="A face for each die.")
    dice: tuple[str, ...] = field(help="The dice by name, in the same order.")
    pool: Any = field(help="The dice as data.")
    how: Literal["fair", "typed"] = field(help="Whether the table threw.")
    fair: FairThrow | None = field(help="What proves it.")
    whose: str | None = field(default=None, help="Whose dice, where several people throw.")
    kept: tuple[tuple[int, ...], ...] | None = field(
        default=None, help="Earlier faces that stay on the table: entry and place of each."
    )
    after: WaitsForThrow | WaitsForChoice | Ended = field(help="What it waits for then.")


class RollChosen(Happened, kinds=("roll.chosen",)):
    """Somebody chose."""

    roll: str = field(help="The roll.")
    index: int = field(help="How many throws and choices came before.")
    option: Any = field(help="What was chosen, as data.")
    role: str = field(help="What the rule calls whoever chose.")
    said: str = field(help="What was chosen, in words.")
    after: WaitsForThrow | WaitsForChoice | Ended = field(help="What it waits for then.")


class RollWaits(Happened, kinds=("roll.waits",)):
    """Whoever goes on is told so after a throw that was hidden from them."""

    roll: str = field(help="The roll.")
    after: WaitsForThrow | WaitsForChoice | Ended = field(help="What it waits for.")


class RollBack(Happened, kinds=("roll.back",)):
    """The last entry was taken back."""

    roll: str = field(help="The roll.")
    index: int = field(help="Its place.")
    taken: Literal["faces", "choice"] = field(help="What it was.")
    after: WaitsForThrow | WaitsForChoice | Ended = field(help="What it waits for then.")


class RollLet(Happened, kinds=("roll.revealed", "roll.applied", "roll.declined")):
    """A roll was revealed, or what waited of it was let happen, or not."""

    roll: str = field(help="The roll.")
    sheets: tuple[str, ...] | None = field(default=None, help="The sheets it was decided for.")
    unshown: int | None = field(default=None, help="How many more rolls nobody heard of.")


class RollUndone(Happened, kinds=("roll.undone",)):
    """A roll counts no more."""

    roll: str = field(help="The roll.")
    why: SealedText | None = field(help="Why.")


class RollAbandoned(Happened, kinds=("roll.abandoned",)):
    """An open roll was let go."""

    roll: str = field(help="The roll.")
    opened: tuple[int, ...] = field(help="Events that are open from now on.")


class SheetMade(Happened, kinds=("sheet.made",)):
    """A sheet was made."""

    sheet: str = field(help="The sheet.")
    owner: str = field(help="The seat that owns it, or `referee`.")
    values: dict[str, Any] = field(help="What stands on it.")
    shown: bool = field(help="Whether everybody sees it.")
    version: str = field(help="Of the game's sheets.")


class Difference(Answer):
    """A field of a sheet as it was and as it is."""

    before: Any = field(help="As it was.")
    after: Any = field(help="As it is.")


class Cause(Answer):
    """What changed a sheet: a roll, somebody's hand, an undo, or a new session."""

    roll: str | None = field(default=None, help="The roll.")
    hand: Literal[True] | None = field(default=None, help="Somebody did it by hand.")
    undo: int | None = field(default=None, help="The change that was taken back.")
    session: int | None = field(default=None, help="The session that ended.")
    effects: tuple[EffectSaid, ...] | None = field(default=None, help="By which effects.")
    why: SealedText | None = field(default=None, help="Why.", null=True)
    left: tuple[str, ...] | None = field(default=None, help="Fields that could not be taken back.")


class SheetChanged(Happened, kinds=("sheet.changed",)):
    """A sheet has changed."""

    sheet: str = field(help="The sheet.")
    changes: dict[str, Difference] = field(help="The fields that changed.")
    cause: Cause = field(help="What changed it.")


class SheetRemoved(Happened, kinds=("sheet.removed",)):
    """A sheet was taken away."""

    sheet: str = field(help="The sheet.")


class AskMade(Happened, kinds=("ask.made",)):
    """Somebody is asked to roll."""

    ask: str = field(help="a1, a2, …")
    who: str | tuple[str, ...] = field(help="The seats that are asked, or `all`.")
    roll: dict[str, Any] = field(help="What is to be rolled.")
    note: SealedText | None = field(help="A word about it.")
    visibility: Visibility = field(help="Who will see it.")
    announce: bool = field(help="Whether the others learn that something is rolled.")


class AskAnswered(Happened, kinds=("ask.answered",)):
    """Somebody has rolled what was asked for."""

    ask: str = field(help="The ask.")
    seat: str = field(help="Who answered.")
    roll: str = field(help="The roll.")


class AskClosed(Happened, kinds=("ask.closed",)):
    """An ask is over."""

    ask: str = field(help="The ask.")


class Said(Happened, kinds=("said",)):
    """Something was said."""

    text: SealedText | None = field(help="What.")
    to: str | tuple[str, ...] = field(help="The seats that hear it, or `all`.")


class WitnessOffered(Happened, kinds=("witness.offered",)):
    """Somebody offers numbers that later throws may use."""

    commitments: tuple[str, ...] = field(help="Their hashes.")


class SessionEnded(Happened, kinds=("session.ended",)):
    """A session is over."""

    number: int = field(help="Which, from 1.")
    version: str = field(help="Of the game's sheets.")


EVENTS: dict[str, type[Happened]] = {
    kind: shape for shape in Happened.__subclasses__() for kind in shape.kinds
}
"""What each kind of event holds."""
