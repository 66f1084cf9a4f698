"""What a roll waits for and what it came to, in words and plain fields that people can read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rollwright.dice import Pool
from rollwright.engine.transcript import Thrown, Transcript
from rollwright.engine.values import to_plain
from rollwright.kit.fields import fields_of
from rollwright.kit.requests import Request
from rollwright.kit.words import (
    die_said,
    is_good,
    option_said,
    outcome_fields,
    story,
)
from rollwright.table.frames import canonical, framed_hash
from rollwright.table.memory import Memory, transcript_weight, weighed

LONGEST_TITLE = 100
LISTED_BYTES = 8_000
"""The options that an event lists; of more than this takes, the first ones and a digest."""
MOST_DICE_REMEMBERED = 12
"""Of more dice the same faces hardly ever come again."""


def dice_said(pool: Pool) -> list[str]:
    """The dice of a pool by their names, in the order of their faces."""
    return [said for die, count in pool.groups for said in [die_said(die)] * count]


def options_plain(options: Sequence[Any]) -> dict[str, Any]:
    """What may be chosen, as an event has it: all of it, or where that is much, the first of it.

    Of many options the event has those that take no more than `LISTED_BYTES`, and the number and
    the digest of all, so that its size is bounded and nobody can offer others afterwards.
    """
    plain = [to_plain(option) for option in options]
    listed: list[dict[str, Any]] = []
    room = LISTED_BYTES
    for option, form in zip(options, plain, strict=True):
        shown = {"option": form, "said": option_said(option)}
        room -= weighed(shown)
        if room < 0:
            return {"options": listed, "count": len(plain), "digest": _digest(plain)}
        listed.append(shown)
    return {"options": listed}


def _digest(options: list[Any]) -> str:
    return framed_hash(b"rollwright/options/1", canonical(options)).hex()


def options_differ(told: Mapping[str, Any], options: Sequence[Any]) -> bool:
    """Whether an event offers other options than these."""
    plain, listed = [to_plain(option) for option in options], told.get("options")
    if not isinstance(listed, list):
        return True
    shown = [part.get("option") if isinstance(part, dict) else ... for part in listed]
    if "digest" in told:
        counted = told.get("count") == len(plain) and told["digest"] == _digest(plain)
        return not counted or canonical(shown) != canonical(plain[: len(shown)])
    return canonical(shown) != canonical(plain)


def ending_said(transcript: Transcript, *, openly: bool) -> dict[str, Any]:
    """What a roll came to, for programs and for people.

    What was rolled `openly` is known when it comes again, at whichever table.
    """
    if not openly or _dice_in(transcript) > MOST_DICE_REMEMBERED:
        return _ending_said(transcript)
    key = (transcript.request, transcript)
    found = _endings.get(key)
    if found is None:
        found = _ending_said(transcript)
        _endings.put(key, found, transcript_weight(transcript))
    return found


def _dice_in(transcript: Transcript) -> int:
    return sum(len(entry.faces) for entry in transcript.entries if isinstance(entry, Thrown))


def _ending_said(transcript: Transcript) -> dict[str, Any]:
    return {
        "outcome": to_plain(transcript.outcome),
        "fields": outcome_fields(transcript.outcome),
        "told": story(transcript),
        "good": is_good(transcript),
    }


_endings: Memory[tuple[Any, ...], dict[str, Any]] = Memory(4096, 16 * 2**20)


def title_of(what: Request | str) -> str:
    """What is rolled, in a few words: "Skill roll: recon"."""
    if isinstance(what, str):
        return _short(what)
    named = [
        str(getattr(what, name))
        for name, about in fields_of(type(what)).items()
        if (about.kind == "text" or name.endswith("_name")) and getattr(what, name)
    ]
    return _short(f"{what.title}: {', '.join(named[:3])}" if named else what.title)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_TITLE else f"{text[: LONGEST_TITLE - 1]}…"
