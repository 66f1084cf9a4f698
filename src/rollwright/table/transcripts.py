"""The rolls of a table as transcripts: rebuilt from the log, and remembered while they go on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rollwright import __version__
from rollwright.engine.transcript import FORMAT, Chosen, Thrown, Transcript, expression_to_plain
from rollwright.engine.values import from_plain
from rollwright.errors import RollwrightError
from rollwright.table.frames import canonical
from rollwright.table.memory import Memory, transcript_weight
from rollwright.table.refusals import Refusal
from rollwright.table.rolls import Roll
from rollwright.table.seats import REFEREE, belongs
from rollwright.table.state import TableState
from rollwright.table.words import MOST_DICE_REMEMBERED

MOST_REMEMBERED = 512
REMEMBERED_BYTES = 32 * 2**20
MOST_ENDINGS = 4096
ENDINGS_BYTES = 16 * 2**20
MOST_DICE_AT_HAND = 500
"""A roll with more dice is played again by whoever goes on with it: it takes much memory."""

_remembered: Memory[tuple[str, bytes, bytes], Transcript] = Memory(
    MOST_REMEMBERED, REMEMBERED_BYTES
)
_endings: Memory[tuple[Any, ...], Transcript] = Memory(MOST_ENDINGS, ENDINGS_BYTES)


def forget_transcripts() -> None:
    """Let go of every remembered transcript, as a restart does."""
    _remembered.clear()
    _endings.clear()


def thrown(transcript: Transcript, faces: Thrown, *, openly: bool) -> Transcript:
    """The transcript after a fair throw; a roll that ends with it is known when it comes again.

    Only what was thrown `openly` is kept for all tables: a secret leaves nothing behind that
    somebody else's roll would be quicker by.
    """
    if not openly or len(faces.faces) > MOST_DICE_REMEMBERED:
        return transcript.then(faces)
    key = (transcript.request, transcript, faces)
    found = _endings.get(key)
    if found is None:
        found = transcript.then(faces)
        if found.is_done:
            _endings.put(key, found, transcript_weight(found))
    return found


def remember(table: str, roll: Roll, transcript: Transcript) -> None:
    """Keep a transcript at hand for whoever goes on with this very roll."""
    if not transcript.is_done and roll.dice <= MOST_DICE_AT_HAND:
        key = _key(table, roll)
        _remembered.put(key, transcript, len(key[1]) + len(key[2]) + transcript_weight(transcript))


def _key(table: str, roll: Roll) -> tuple[str, bytes, bytes]:
    roll.written = roll.written or canonical(roll.what)
    return table, roll.written, canonical([roll.id, roll.entries])


def version_of(what: dict[str, Any]) -> str:
    """The version that such rolls have now; empty for expressions."""
    if "request" not in what:
        return ""
    from rollwright.kit.games import find_game

    return find_game(what["request"]["game"]).version_of(what["request"]["roll"])


def live(table: str, roll: Roll) -> Transcript:
    """The transcript of a roll: at hand, or rebuilt; refused where the rules have changed."""
    _check_version(roll)
    small = roll.dice <= MOST_DICE_AT_HAND
    found = _remembered.get(_key(table, roll)) if small else None
    if found is not None:
        return found
    try:
        return Transcript.from_plain(_plain(roll))
    except RollwrightError as problem:
        raise _changed_since(roll, str(problem)) from None


def ended(table: str, roll: Roll) -> Transcript:
    """The transcript of a roll that has ended, played again from its entries."""
    *before, last = roll.entries
    transcript = live(table, replace(roll, entries=before))
    if "faces" in last:
        faces = [from_plain(face, "faces") for face in last["faces"]]
        return transcript.then(Thrown(tuple(faces), last["how"]))
    return transcript.then(Chosen(from_plain(last["option"], "option"), last["by"]))


def _check_version(roll: Roll) -> None:
    """Refuse to go on under other rules than those that a roll was started under."""
    try:
        now = version_of(roll.what)
    except RollwrightError as problem:
        raise _changed_since(roll, str(problem)) from None
    if now != roll.version:
        raise _changed_since(roll)


def _changed_since(roll: Roll, problem: str = "") -> Refusal:
    why = f" ({problem[:200]})" if problem else ""
    return Refusal(
        "conflict",
        f"the rules have changed since {roll.id} was started, so it cannot go on{why}; "
        "roll.again throws it anew, roll.abandon lets it go",
        "roll",
    )


def _plain(roll: Roll) -> dict[str, Any]:
    plain: dict[str, Any] = {"format": FORMAT, "rollwright": __version__}
    if "request" in roll.what:
        plain |= {"request": roll.what["request"], "version": roll.version}
    else:
        plain |= expression_to_plain(roll.what["expression"])
    return plain | {"answers": list(roll.entries)}


def transcript_of(state: TableState, roll_id: str) -> dict[str, Any]:
    """An open roll as a plain transcript, for whoever counts with it."""
    roll = state.roll(roll_id)
    if roll is None:
        raise Refusal("not_found", f"there is no roll {roll_id!r}", "roll")
    if not roll.is_open:
        raise Refusal("conflict", f"{roll_id} has ended: there is nothing left to decide", "roll")
    _check_version(roll)
    return _plain(roll)


def rule_seat_of(state: TableState, roll_id: str, seat_id: str) -> str:
    """The seat of the rule by whose knowledge somebody is advised: never by more than they saw.

    Refused for somebody who may not see the roll at all.
    """
    roll, seat = state.roll(roll_id), state.seats.get(seat_id)
    if roll is None or (seat is None and roll.is_secret):
        raise Refusal("not_found", f"there is no roll {roll_id!r}", "roll")
    if not belongs(seat, roll.seers):
        if not roll.announce:
            raise Refusal("not_found", f"there is no roll {roll_id!r}", "roll")
        raise Refusal("forbidden", f"{roll_id} is a secret roll that you may not see")
    after = roll.after or {}
    if seat is not None and after.get("step") == "choice" and seat.id in after["by"]:
        return str(after["role"])
    return REFEREE if seat is not None and seat.is_referee else f"@{seat_id}"
