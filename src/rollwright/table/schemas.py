"""The fields of events and of a seat's view of a table.

Documents and the page's types are made from this; the tests hold every stored log against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from rollwright.hooks import Text
from rollwright.jsonable import Json, JsonObject
from rollwright.kit.card.shapes import ChoiceView, EndingView, ThrowView
from rollwright.kit.fields import Choices
from rollwright.table.events import (
    COLOURS,
    DICE_SETS,
    HERE,
    KNOCKING,
    REMOVED,
    ROLES,
    SYMBOLS,
    VISIBILITIES,
    OptionsData,
    PublicPart,
    SeatStyle,
)

Role = Annotated[str, Choices(ROLES)]
Status = Annotated[str, Choices((HERE, KNOCKING, REMOVED))]
Visibility = Annotated[str, Choices(VISIBILITIES)]
Colour = Annotated[str, Choices(COLOURS)]
Symbol = Annotated[str, Choices(SYMBOLS)]
DiceSet = Annotated[str, Choices(DICE_SETS)]


class SealedText(TypedDict):
    """A text in an event by reference: the text is stored beside it, and can be erased."""

    text: Annotated[str, "Where it lies in `texts`."]
    seal: Annotated[str, "Its salted hash."]


class TextData(TypedDict):
    """A text of an event."""

    salt: Annotated[str, "What its seal was made with."]
    text: Annotated[str, "The text."]


class KnownEvent(TypedDict):
    """An event as somebody may know it."""

    seq: Annotated[int, "Its number in the log, from 1."]
    at: Annotated[int, "Milliseconds since 1970."]
    kind: Annotated[str, "What has happened; `sealed` where nobody else may know."]
    open: Annotated[PublicPart, "What everybody may see."]
    body: NotRequired[Annotated[Mapping[str, Any], "What it holds, by its kind."]]
    texts: NotRequired[Annotated[dict[str, TextData], "The texts of its body."]]


class EventView(KnownEvent):
    """An event as a seat sees it: without `body`, `salt` and `texts` where it may not."""

    salt: NotRequired[Annotated[str, "What its digest was made with."]]
    digest: Annotated[str, "The salted hash of its body."]
    hash: Annotated[str, "The hash that chains it to the one before."]
    offers: NotRequired[
        Annotated[OptionsData, "What may be chosen now, beside the event that says so; in no log."]
    ]


class TableView(TypedDict):
    """The table itself; somebody at the door gets less."""

    table: Annotated[str, "Its id."]
    game: Annotated[str, "The name of its game; empty for dice alone."]
    title: Annotated[str | None, "What it is called."]
    knock: Annotated[bool, "Whether a referee lets each newcomer in."]
    head: Annotated[int, "The number of the last event."]
    hash: Annotated[str, "The hash of the last event."]
    house: NotRequired[Annotated[JsonObject, "Its house rules."]]
    lists: NotRequired[Annotated[Json, "Lists of its own."]]
    dialect: NotRequired[Annotated[str, "The tool whose spelling dice have; empty for ours."]]
    epoch: NotRequired[Annotated[str, "The hash of the event that its slots began with."]]
    slots: NotRequired[Annotated[dict[str, str], "The slot of each lane."]]
    devices: NotRequired[Annotated[list[DeviceView], "The devices that sign calls."]]
    witnesses: NotRequired[Annotated[bool, "Whether dice wait for somebody else's number."]]
    offers: NotRequired[Annotated[list[str], "Your own numbers that wait to be asked for."]]
    links: NotRequired[Annotated[dict[str, int], "When the link of a role was made."]]


class SeatStyleData(TypedDict):
    """The look of a seat and its dice."""

    colour: Annotated[Colour, "Its colour; empty for that of its place."]
    symbol: Annotated[Symbol, "What stands for it; empty for its letters."]
    dice: Annotated[DiceSet, "What it throws with; empty for the dice of the game."]


def style_data(look: SeatStyle) -> SeatStyleData:
    """A look as it is written and shown."""
    return {"colour": look.colour, "symbol": look.symbol, "dice": look.dice}


class SeatView(TypedDict):
    """A seat at the table."""

    seat: Annotated[str, "s1, s2, …"]
    role: Annotated[Role, "What it may do."]
    status: Annotated[Status, "Whether it is let in."]
    name: Annotated[str | None, "Whose it is; null where that was erased."]
    look: NotRequired[Annotated[SeatStyleData, "What it looks like, where somebody chose that."]]


class SheetData(TypedDict):
    """A sheet."""

    sheet: Annotated[str, "The seat whose it is, or n1, n2, … of the referees'."]
    owner: Annotated[str, "The seat that owns it; `referee` for those of the referees."]
    shown: Annotated[bool, "Whether everybody sees it."]
    values: Annotated[JsonObject, "What stands on it."]


class ResolvedRoll(TypedDict):
    """A roll's subject: an expression, or a request of the game."""

    expression: NotRequired[Annotated[str, "Dice as they are written."]]
    request: NotRequired[Annotated[JsonObject, "A roll of the game, whole."]]


class RollSpecData(ResolvedRoll):
    """A request to roll, and how; the roller decides what it leaves out."""

    draft: NotRequired[
        Annotated[JsonObject, "`roll`, `pick` and `set`; a sheet fills in the rest."]
    ]
    roles: NotRequired[Annotated[dict[str, str], "Seats of the rule with seats of the table."]]
    physical: NotRequired[Annotated[bool, "Whether the dice are real ones."]]
    goal: NotRequired[Annotated[str, "What advice goes by."]]
    policy: NotRequired[Annotated[str, "The way to decide that is agreed; `ask`, or by name."]]


class RollRequestView(TypedDict):
    """An ask that is open."""

    ask: Annotated[str, "a1, a2, …"]
    by: Annotated[str, "The seat that asks."]
    who: Annotated[str | list[str], "The seats that are asked, or `all`."]
    roll: Annotated[RollSpecData, "What is to be rolled."]
    note: Annotated[str | None, "A word about it."]
    visibility: Annotated[Visibility, "Who will see it."]
    announce: Annotated[bool, "Whether the others learn that something is rolled."]
    answered: Annotated[dict[str, str], "Seats with the rolls by which they answered."]


class SheetEffectData(TypedDict):
    """An effect of a roll beside its outcome."""

    kind: Annotated[str, "The kind of effect."]
    amount: Annotated[Json, "How much of it."]
    target: Annotated[str, "What on a sheet it is for."]
    said: Annotated[Text, "The effect in words."]
    sheet: Annotated[str, "The sheet that it is for; empty where there is none."]
    applied: Annotated[bool, "Whether it has changed the sheet."]
    quiet: NotRequired[Annotated[Literal[True], "Nobody wants to hear of it."]]
    waits: NotRequired[Annotated[Literal[True], "Somebody has to let it happen."]]
    why: NotRequired[Annotated[Text, "Why it was not done to the sheet."]]


class ThrowStepData(TypedDict):
    """The roll waits for dice."""

    step: Literal["throw"]
    dice: Annotated[list[str], "The dice by name, in the order of their faces."]
    pool: Annotated[Json, "The dice as data."]
    by: Annotated[str, "Who throws."]
    index: Annotated[int, "How many throws and choices came before."]
    said: NotRequired[Annotated[Text, "What they throw, where somebody throws for themselves."]]
    named: NotRequired[Annotated[dict[str, Text], "What dice are called, by their names."]]
    witness: NotRequired[Annotated[str, "The seat whose number the dice wait for."]]


class OptionCountData(TypedDict):
    """The number of options and a digest of them; no event holds the options themselves."""

    count: Annotated[int, "How many."]
    digest: Annotated[str, "The hash of all of them."]


class ChoiceStepData(OptionCountData, ChoiceView):
    """The roll waits for somebody to choose."""

    step: Literal["choice"]
    by: Annotated[list[str], "Who chooses."]
    role: Annotated[str, "What the rule calls them."]
    index: Annotated[int, "How many throws and choices came before."]
    about: Annotated[JsonObject | None, "What the choice turns on."]
    told: NotRequired[Annotated[Text, "What happened so far."]]


class OutcomeData(EndingView):
    """The result of a roll."""

    outcome: Annotated[Json, "What it came to, as data."]
    fields: Annotated[JsonObject, "What it came to, by name."]


class EndStepData(OutcomeData):
    """The roll is done."""

    step: Literal["done"]
    effects: Annotated[list[SheetEffectData], "What it does beside its outcome."]
    opened: Annotated[list[int], "Events that are open from now on."]
    waits: NotRequired[Annotated[list[str], "Sheets on which something waits."]]


class SignedCommand(TypedDict):
    """A call for dice; signed as a whole if the seat has a device."""

    slot: Annotated[str, "The slot that it spends; empty where nothing can be thrown."]
    number: Annotated[str, "The caller's part in the dice; empty where there is none."]
    seat: NotRequired[Annotated[str, "Whose call it is, where nobody signed it."]]
    device: NotRequired[Annotated[str, "The device that signed it: d1, d2, …"]]
    lane: NotRequired[Annotated[str, "The device's own, or `table` where nobody is to know."]]
    counter: NotRequired[Annotated[int, "Which call of the device in that lane it is."]]
    seen: NotRequired[Annotated[int, "The last event that the device had seen."]]
    head: NotRequired[Annotated[str, "The first 32 digits of the hash of that event."]]
    command: NotRequired[Annotated[JsonObject, "The command, with seals in the place of texts."]]
    signature: NotRequired[Annotated[str, "By the device, over the hash of all this."]]


class FairThrow(TypedDict):
    """The proof of a throw of the table."""

    call: Annotated[int, "The event with the call that it follows from."]
    throw: Annotated[int, "Its place among the throws of that call, from 0."]
    key: NotRequired[Annotated[str, "The host's part; at the roll's end where dice are hidden."]]


class DeviceData(TypedDict):
    """A device of a seat, which signs calls."""

    id: Annotated[str, "d1, d2, …"]
    key: Annotated[str, "Its public key (Ed25519)."]
    held: NotRequired[Annotated[str, "The bot that holds the key for the person."]]


class DeviceView(DeviceData):
    """A device as everybody at the table sees it."""

    seat: Annotated[str, "Whose it is."]
    counter: Annotated[int, "Which call in its own lane was its last."]
    quiet: NotRequired[Annotated[int, "The same in the lane of the table; for its owner alone."]]
    gone: NotRequired[Annotated[Literal[True], "Whether it signs no more."]]


class FailureStepData(TypedDict):
    """The rule of the game fails at what was thrown: the roll is over, without an outcome."""

    step: Literal["stopped"]
    why: Annotated[Text, "What failed, and whose."]


NextStep: TypeAlias = ThrowStepData | ChoiceStepData | EndStepData | FailureStepData
"""The step at which a roll waits."""


class EventBody(TypedDict):
    """Fields of every event."""

    by: Annotated[str, "The seat that did it."]


class TableCreatedEvent(EventBody):
    """A table was made."""

    table: Annotated[str, "Its id."]
    format: Annotated[int, "How its log is written."]
    rollwright: Annotated[str, "The version that made it."]
    game: Annotated[str, "The name of its game; empty for dice alone."]
    house: Annotated[JsonObject, "All its house rules."]
    knock: Annotated[bool, "Whether a referee lets each newcomer in."]
    lists: Annotated[Json, "Lists of its own."]
    title: Annotated[SealedText | None, "What it is called."]
    handover: Annotated[str, "The commitment by which it can go on elsewhere."]
    witnesses: NotRequired[Annotated[bool, "Whether dice wait for somebody else's number."]]


class TableChangedEvent(EventBody):
    """A change of the table's properties; those that stay are left out."""

    house: NotRequired[Annotated[JsonObject, "All its house rules."]]
    knock: NotRequired[Annotated[bool, "Whether a referee lets each newcomer in."]]
    lists: NotRequired[Annotated[Json, "Lists of its own."]]
    dialect: NotRequired[Annotated[str, "The tool whose spelling dice have; empty for ours."]]
    title: NotRequired[Annotated[SealedText | None, "What it is called."]]
    witnesses: NotRequired[Annotated[bool, "Whether dice wait for somebody else's number."]]


class TableImportedEvent(EventBody):
    """The table goes on at another host, or as a copy."""

    from_seq: Annotated[int, "The last event that came from elsewhere."]
    rollwright: Annotated[str, "The version that goes on with it."]
    handover: Annotated[str, "The commitment by which it can go on elsewhere."]
    copy: NotRequired[Annotated[Literal[True], "Whether the host made a copy."]]


class LinkChangedEvent(EventBody):
    """A role has a new link."""

    role: Annotated[Role, "The role."]


class SeatEvent(EventBody):
    """A seat was let in or removed, or its person forgotten."""

    seat: Annotated[str, "The seat."]


class SeatMovedEvent(SeatEvent):
    """A seat goes on from another device."""

    keep_old: Annotated[bool, "Whether its other devices stay good."]
    device: NotRequired[Annotated[DeviceData, "The device, if it signs."]]
    call: NotRequired[Annotated[SignedCommand, "By which device, if one signed it."]]


class SeatRenamedEvent(SeatEvent):
    """A seat has another name."""

    name: Annotated[SealedText | None, "Whose it is."]


class SeatRoleChangedEvent(SeatEvent):
    """A seat has another role."""

    role: Annotated[Role, "What it may do."]


class SeatStyledEvent(SeatEvent):
    """A seat looks otherwise, and so do its dice."""

    look: Annotated[SeatStyleData, "What it looks like."]


class SeatJoinedEvent(SeatRenamedEvent):
    """Somebody sat down, or knocks."""

    role: Annotated[Role, "What it may do."]
    status: Annotated[Status, "Whether it is let in."]
    device: NotRequired[Annotated[DeviceData, "Their device, if it signs."]]


class RollEvent(EventBody):
    """Something happened to a roll."""

    roll: Annotated[str, "The roll: r1, r2, …"]
    call: NotRequired[
        Annotated[SignedCommand, "What was sent for it, where this is what was asked for."]
    ]
    keys: NotRequired[
        Annotated[dict[str, str], "At its end, keys that were kept closed: by their calls."]
    ]


class RollRefusedEvent(EventBody):
    """A call was refused after its number was known: nothing was thrown."""

    call: Annotated[SignedCommand, "The call."]
    key: NotRequired[Annotated[str, "The host's part, which so cannot be used again."]]
    code: Annotated[str, "Why, for programs."]
    why: Annotated[Text, "Why."]
    roll: NotRequired[Annotated[str, "The roll that it was for, if it had begun."]]


class RollWaitingEvent(RollEvent):
    """Notice of what is waited for, after a throw that was hidden from the seat that goes on.

    Or a throw was called for, and waits for a witness.
    """

    after: Annotated[NextStep, "What it waits for then."]


class RollStartedEvent(RollWaitingEvent):
    """A roll began."""

    what: Annotated[ResolvedRoll, "What is rolled."]
    title: Annotated[Text, "What is rolled, in a few words."]
    marks: NotRequired[Annotated[str, "The hash of how faces are read."]]
    sheet: Annotated[str, "The sheet that it is rolled with; empty without one."]
    visibility: Annotated[Visibility, "Who sees it."]
    announce: Annotated[bool, "Whether the others learn that something is rolled."]
    note: Annotated[SealedText | None, "A word about it."]
    roles: Annotated[dict[str, str], "Seats of the rule with seats of the table."]
    ask: Annotated[str, "The ask that it answers; empty without one."]
    physical: Annotated[bool, "Whether the dice are real ones."]
    goal: Annotated[str, "What advice goes by."]
    policy: NotRequired[Annotated[str, "The way to decide that was agreed; `ask`, or by name."]]
    bound: NotRequired[Annotated[Literal[True], "Whether whoever asked for the roll said so."]]
    each: NotRequired[Annotated[Literal[True], "Whether people throw the dice that are theirs."]]
    away: NotRequired[Annotated[list[str], "Those of them whose dice are thrown for them."]]
    again: NotRequired[Annotated[str, "The roll that is rolled again by it."]]
    version: Annotated[str, "Of the rule."]
    draft: NotRequired[Annotated[JsonObject, "What was said: `roll`, `pick` and `set`."]]


class RollThrownEvent(RollWaitingEvent, ThrowView):
    """Dice were thrown, or typed."""

    index: Annotated[int, "How many throws and choices came before."]
    faces: Annotated[list[Json], "A face for each die."]
    dice: Annotated[list[str], "The dice by name, in the same order."]
    pool: Annotated[Json, "The dice as data."]
    how: Annotated[Literal["fair", "typed"], "Whether the table threw."]
    fair: Annotated[FairThrow | None, "What proves it."]
    whose: NotRequired[Annotated[str, "Whose dice, where several people throw."]]


class RollChosenEvent(RollWaitingEvent):
    """Somebody chose."""

    index: Annotated[int, "How many throws and choices came before."]
    option: Annotated[Json, "What was chosen, as data."]
    role: Annotated[str, "What the rule calls whoever chose."]
    said: Annotated[Text, "What was chosen, in words."]
    agreed: NotRequired[Annotated[Literal[True], "Made for the roller, as was agreed."]]


class RollTakenBackEvent(RollWaitingEvent):
    """The last entry was taken back."""

    index: Annotated[int, "Its place."]
    taken: Annotated[Literal["faces", "choice"], "What it was."]


class RollDecidedEvent(RollEvent):
    """A roll was revealed, or what waited of it was let happen, or not."""

    sheets: NotRequired[Annotated[list[str], "The sheets it was decided for."]]
    unshown: NotRequired[Annotated[int, "How many more rolls nobody heard of."]]


class RollUndoneEvent(RollEvent):
    """A roll counts no more."""

    why: Annotated[SealedText | None, "Why."]


class RollCancelledEvent(RollEvent):
    """An open roll was let go."""

    opened: Annotated[list[int], "Events that are open from now on."]


class SheetRemovedEvent(EventBody):
    """A sheet was taken away."""

    sheet: Annotated[str, "The sheet."]


class SheetCreatedEvent(SheetRemovedEvent):
    """A sheet was made."""

    owner: Annotated[str, "The seat that owns it, or `referee`."]
    values: Annotated[JsonObject, "What stands on it."]
    shown: Annotated[bool, "Whether everybody sees it."]
    version: Annotated[str, "Of the game's sheets."]


class FieldChange(TypedDict):
    """A field of a sheet as it was and as it is."""

    before: Annotated[Json, "As it was."]
    after: Annotated[Json, "As it is."]


Changes: TypeAlias = dict[str, FieldChange]
"""The fields of a sheet that changed."""


class ChangeCause(TypedDict):
    """The cause of a sheet's change: a roll, somebody's hand, an undo, or a new session."""

    roll: NotRequired[Annotated[str, "The roll."]]
    hand: NotRequired[Annotated[Literal[True], "Somebody did it by hand."]]
    undo: NotRequired[Annotated[int, "The change that was taken back."]]
    session: NotRequired[Annotated[int, "The session that ended."]]
    effects: NotRequired[Annotated[list[SheetEffectData], "By which effects."]]
    why: NotRequired[Annotated[SealedText | None, "Why."]]
    left: NotRequired[Annotated[list[str], "Fields that could not be taken back."]]


class SheetChangedEvent(SheetRemovedEvent):
    """A sheet has changed."""

    changes: Annotated[Changes, "The fields that changed."]
    cause: Annotated[ChangeCause, "What changed it."]


class RequestClosedEvent(EventBody):
    """An ask is over."""

    ask: Annotated[str, "The ask: a1, a2, …"]


class RequestCreatedEvent(RequestClosedEvent):
    """Somebody is asked to roll."""

    who: Annotated[str | list[str], "The seats that are asked, or `all`."]
    roll: Annotated[RollSpecData, "What is to be rolled."]
    note: Annotated[SealedText | None, "A word about it."]
    visibility: Annotated[Visibility, "Who will see it."]
    announce: Annotated[bool, "Whether the others learn that something is rolled."]


class RequestAnsweredEvent(RequestClosedEvent):
    """Somebody has rolled what was asked for."""

    seat: Annotated[str, "Who answered."]
    roll: Annotated[str, "The roll."]


class ChatSentEvent(EventBody):
    """Something was said."""

    text: Annotated[SealedText | None, "What."]
    to: Annotated[str | list[str], "The seats that hear it, or `all`."]


class WitnessCommittedEvent(EventBody):
    """Somebody has numbers ready that later throws may wait for."""

    commitments: Annotated[list[str], "The commitments to them; the numbers stay on the device."]
    call: NotRequired[Annotated[SignedCommand, "By which device, if one signed it."]]


class WitnessRevealedEvent(EventBody):
    """A witness opens the number that was asked for."""

    asked: Annotated[int, "The event that asked for it."]
    number: Annotated[str, "The number."]
    call: NotRequired[Annotated[SignedCommand, "By which device, if one signed it."]]


class WitnessTimedOutEvent(EventBody):
    """A witness did not answer in time, as the host says."""

    asked: Annotated[int, "The event that asked."]
    seat: Annotated[str, "The witness."]


class SessionEndedEvent(EventBody):
    """A session is over."""

    number: Annotated[int, "Which, from 1."]
    version: Annotated[str, "Of the game's sheets."]


EVENTS: dict[str, type] = {
    "table.created": TableCreatedEvent,
    "table.changed": TableChangedEvent,
    "table.imported": TableImportedEvent,
    "link.changed": LinkChangedEvent,
    "seat.joined": SeatJoinedEvent,
    "seat.admitted": SeatEvent,
    "seat.removed": SeatEvent,
    "seat.moved": SeatMovedEvent,
    "person.erased": SeatEvent,
    "seat.renamed": SeatRenamedEvent,
    "seat.role_changed": SeatRoleChangedEvent,
    "seat.styled": SeatStyledEvent,
    "roll.started": RollStartedEvent,
    "roll.thrown": RollThrownEvent,
    "roll.chosen": RollChosenEvent,
    "roll.waiting": RollWaitingEvent,
    "roll.called": RollWaitingEvent,
    "roll.refused": RollRefusedEvent,
    "roll.taken_back": RollTakenBackEvent,
    "roll.revealed": RollDecidedEvent,
    "roll.applied": RollDecidedEvent,
    "roll.declined": RollDecidedEvent,
    "roll.undone": RollUndoneEvent,
    "roll.cancelled": RollCancelledEvent,
    "sheet.created": SheetCreatedEvent,
    "sheet.changed": SheetChangedEvent,
    "sheet.removed": SheetRemovedEvent,
    "roll_request.created": RequestCreatedEvent,
    "roll_request.answered": RequestAnsweredEvent,
    "roll_request.closed": RequestClosedEvent,
    "chat.sent": ChatSentEvent,
    "witness.committed": WitnessCommittedEvent,
    "witness.revealed": WitnessRevealedEvent,
    "witness.timed_out": WitnessTimedOutEvent,
    "session.ended": SessionEndedEvent,
}
"""The body of each kind of event."""
