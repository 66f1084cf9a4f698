"""The rolls of a table as transcripts: rebuilt from the log, remembered, and put into words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from rollwright import __version__
from rollwright.dice import Pool
from rollwright.engine.transcript import (
    FORMAT,
    ChoiceEntry,
    ThrowEntry,
    Transcript,
    expression_to_json,
)
from rollwright.engine.values import value_from_json, value_to_json
from rollwright.errors import RollwrightError
from rollwright.hooks import Text
from rollwright.jsonable import canonical_json
from rollwright.kit.card.endings import ending_to_json, title_text
from rollwright.kit.card.marks import throw_to_json
from rollwright.kit.card.shapes import ThrowView
from rollwright.kit.games import find_game
from rollwright.kit.requests import Request
from rollwright.kit.words import format_die, outcome_fields
from rollwright.table.errors import WITHIN, CodedError, command_error, cut
from rollwright.table.events import REFEREE, is_in_audience
from rollwright.table.limits import BoundedCache
from rollwright.table.rolls import TableRoll
from rollwright.table.schemas import OutcomeData, ResolvedRoll
from rollwright.table.state import TableState

T = TypeVar("T")
LONGEST_TITLE = 100
MOST_DICE_REMEMBERED = 12
"""Dice of an ending worth remembering: of more, the same faces hardly ever come again."""
MOST_REMEMBERED = 512
REMEMBERED_BYTES = 32 * 2**20
MOST_ENDINGS = 4096
ENDINGS_BYTES = 16 * 2**20
MOST_DICE_AT_HAND = 500
"""Dice of a roll that is kept ready: one with more takes much memory, and is played again."""

going: BoundedCache[tuple[str, bytes, bytes], Transcript] = BoundedCache(
    MOST_REMEMBERED, REMEMBERED_BYTES
)
"""Open rolls, ready to go on."""
endings: BoundedCache[tuple[Request | None, Transcript, ThrowEntry], Transcript] = BoundedCache(
    MOST_ENDINGS, ENDINGS_BYTES
)
ending_texts: BoundedCache[tuple[Request | None, Transcript], OutcomeData] = BoundedCache(
    MOST_ENDINGS, ENDINGS_BYTES
)
"""Endings in words, by their transcripts."""
ending_views: BoundedCache[tuple[Request | None, Transcript], ThrowView] = BoundedCache(
    MOST_ENDINGS, ENDINGS_BYTES
)
"""How the dice lie after them."""


def pool_dice_names(pool: Pool) -> list[str]:
    """The dice of a pool by their names, in the order of their faces."""
    return [said for die, count in pool.groups for said in [format_die(die)] * count]


def ending_data(transcript: Transcript, *, openly: bool) -> OutcomeData:
    """Return the result of a roll, for programs and for people.

    What was rolled `openly` is known when it comes again, at any table.
    """
    return _describe_end(ending_texts, _make_ending, transcript, openly=openly)


def throw_data(transcript: Transcript, *, whole: bool, openly: bool) -> ThrowView:
    """Whose the last throw is, and how the dice lie after it for somebody who saw the `whole`.

    That of a roll which has ended is known when it comes again, as what it came to is.
    """
    if not transcript.is_done:
        return throw_to_json(transcript, whole=whole)
    return _describe_end(ending_views, throw_to_json, transcript, openly=openly)


def _describe_end(
    memory: BoundedCache[tuple[Request | None, Transcript], T],
    say: Callable[[Transcript], T],
    transcript: Transcript,
    *,
    openly: bool,
) -> T:
    """Return the description of a roll's end, remembered if it was rolled `openly`."""
    if not openly or _dice_in(transcript) > MOST_DICE_REMEMBERED:
        return say(transcript)
    key = (transcript.request, transcript)
    found = memory.get(key)
    if found is None:
        found = say(transcript)
        memory.put(key, found, transcript_weight(transcript))
    return found


def _dice_in(transcript: Transcript) -> int:
    return sum(len(entry.faces) for entry in transcript.entries if isinstance(entry, ThrowEntry))


def _make_ending(transcript: Transcript) -> OutcomeData:
    outcome = transcript.outcome
    return {
        "outcome": value_to_json(outcome),
        "fields": outcome_fields(outcome),
        **ending_to_json(transcript),
    }


def title_of(what: Request | str) -> Text:
    """Return the title of a roll: "Skill roll: recon"."""
    return _short(what) if isinstance(what, str) else title_text(what)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_TITLE else f"{text[: LONGEST_TITLE - 1]}…"


def transcript_weight(transcript: Transcript) -> int:
    """About how many bytes a transcript holds while it can be gone on with, as measured."""
    dice = sum([len(entry.faces) for entry in transcript.entries if isinstance(entry, ThrowEntry)])
    return 2_000 + 1_000 * len(transcript.entries) + 300 * dice


def add_throw(transcript: Transcript, faces: ThrowEntry, *, openly: bool) -> Transcript:
    """The transcript after a fair throw; a roll that ends with it is known when it comes again.

    Only what was thrown `openly` is kept for all tables: a secret leaves nothing behind that
    somebody else's roll would be quicker by.
    """
    if not openly or len(faces.faces) > MOST_DICE_REMEMBERED:
        return transcript.then(faces)
    key = (transcript.request, transcript, faces)
    found = endings.get(key)
    if found is None:
        found = transcript.then(faces)
        if found.is_done:
            endings.put(key, found, transcript_weight(found))
    return found


def remember(table: str, roll: TableRoll, transcript: Transcript) -> None:
    """Keep a transcript ready for the next step of this very roll."""
    if not transcript.is_done and roll.dice <= MOST_DICE_AT_HAND:
        key = _key(table, roll)
        going.put(key, transcript, len(key[1]) + len(key[2]) + transcript_weight(transcript))


def _key(table: str, roll: TableRoll) -> tuple[str, bytes, bytes]:
    roll.written = roll.written or canonical_json(roll.what)
    return table, roll.written, canonical_json([roll.id, roll.entries])


def version_of(what: ResolvedRoll) -> str:
    """The version that such rolls have now; empty for expressions."""
    if "request" not in what:
        return ""
    request = what["request"]
    return find_game(str(request["game"])).version_of(str(request["roll"]))


def live_transcript(table: str, roll: TableRoll) -> Transcript:
    """The transcript of a roll: at hand, or rebuilt; refused where the rules have changed."""
    _check_version(roll)
    small = roll.dice <= MOST_DICE_AT_HAND
    found = going.get(_key(table, roll)) if small else None
    if found is not None:
        return found
    try:
        return Transcript.from_plain(_to_json(roll))
    except RollwrightError as problem:
        raise version_error(roll, problem) from None


def full_transcript(table: str, roll: TableRoll) -> Transcript:
    """The transcript of a roll that has ended, played again from its entries."""
    *before, last = roll.entries
    transcript = live_transcript(table, replace(roll, entries=before))
    if "faces" in last:
        faces = [value_from_json(face, "faces") for face in last["faces"]]
        return transcript.then(ThrowEntry(tuple(faces), last["how"]))
    return transcript.then(ChoiceEntry(value_from_json(last["option"], "option"), last["by"]))


def _check_version(roll: TableRoll) -> None:
    """Refuse to go on under other rules than those that a roll was started under."""
    try:
        now = version_of(roll.what)
    except RollwrightError as problem:
        raise version_error(roll, problem) from None
    if now != roll.version:
        raise version_error(roll)


def version_error(roll: TableRoll, problem: RollwrightError | None = None) -> CodedError:
    """That a roll cannot go on under the rules that are here."""
    if problem is None:
        return command_error("conflict", "table.rules.since", "roll", roll=roll.id)
    why = cut(problem, WITHIN)
    return command_error("conflict", "table.rules.since.why", "roll", roll=roll.id, why=why)


def _to_json(roll: TableRoll) -> dict[str, object]:
    plain: dict[str, object] = {"format": FORMAT, "rollwright": __version__}
    if "request" in roll.what:
        plain |= {"request": roll.what["request"], "version": roll.version}
    else:
        plain |= expression_to_json(roll.what["expression"])
    return plain | {"answers": list(roll.entries)}


def transcript_of(state: TableState, roll_id: str) -> dict[str, object]:
    """Return an open roll as a plain transcript, for counting."""
    roll = state.roll(roll_id)
    if roll is None:
        raise command_error("not_found", "table.roll.none", "roll", name=repr(roll_id))
    if not roll.is_open:
        raise command_error("conflict", "table.roll.decided", "roll", roll=roll_id)
    _check_version(roll)
    return _to_json(roll)


def rule_seat_of(state: TableState, roll_id: str, seat_id: str) -> str:
    """The seat of the rule by whose knowledge somebody is advised: never by more than they saw.

    Refused for somebody who may not see the roll at all.
    """
    roll, seat = state.roll(roll_id), state.seats.get(seat_id)
    if roll is None or (seat is None and roll.is_secret):
        raise command_error("not_found", "table.roll.none", "roll", name=repr(roll_id))
    if not is_in_audience(seat, roll.seers):
        if not roll.announce:
            raise command_error("not_found", "table.roll.none", "roll", name=repr(roll_id))
        raise command_error("forbidden", "table.roll.secret", roll=roll_id)
    after = roll.after
    # If the rule hides nothing, all who see the roll ask the same, and it is counted once.
    all_seen = not roll.veiled
    if after is not None and after["step"] == "choice" and (all_seen or seat_id in after["by"]):
        return after["role"]
    return REFEREE if seat is not None and seat.is_referee else f"@{seat_id}"
