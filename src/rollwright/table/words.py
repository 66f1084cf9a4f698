"""What a roll waits for and what it came to, in words and plain fields that people can read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rollwright.dice import Die, Pool
from rollwright.engine.transcript import Thrown, Transcript
from rollwright.engine.values import EXACT_IN_EVERY_PARSER, to_plain
from rollwright.exact.fields import field_names
from rollwright.kit.fields import fields_of
from rollwright.kit.games import find_game
from rollwright.kit.requests import Request
from rollwright.kit.words import option_said, outcome_said, told, waits_for
from rollwright.table.frames import canonical, framed_hash
from rollwright.table.memory import Memory, transcript_weight, weighed

FATE = (-1, 0, 1)
LONGEST_TOLD = 3000
LONGEST_TITLE = 100
LISTED_BYTES = 8_000
"""The options that an event lists; of more than this takes, the first ones and a digest."""
MOST_DICE_REMEMBERED = 12
"""Of more dice the same faces hardly ever come again."""
MOST_ASKED = 4
"""A question names its options one by one if there are no more than these."""


def die_said(die: Die) -> str:
    """A die by its name: d8, ammo d6, coin, dF."""
    if die.is_numbered:
        shape = f"d{len(die.faces)}"
        return f"{die.name} {shape}" if die.name else shape
    if die.name:
        return die.name
    return "dF" if die.faces == FATE else f"d{len(die.faces)}"


def dice_said(pool: Pool) -> list[str]:
    """The dice of a pool by their names, in the order of their faces."""
    return [said for die, count in pool.groups for said in [die_said(die)] * count]


def readable(value: Any) -> Any:
    """A value as JSON that a person can read: names and numbers, lists and fields."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return int(value) if abs(value) < EXACT_IN_EVERY_PARSER else str(int(value))
    if isinstance(value, Fraction):
        return str(value)
    if hasattr(value, "_fields"):
        return {name: readable(getattr(value, name)) for name in field_names(value)}
    if isinstance(value, (tuple, list, frozenset)):
        return [readable(part) for part in value]
    return str(value)


def outcome_fields(outcome: Any) -> dict[str, Any]:
    """The fields of an outcome by name; a bare value is called `value`."""
    found = readable(outcome)
    return found if isinstance(found, dict) else {"value": found}


def about_said(about: Any) -> dict[str, Any] | None:
    """What a choice turns on, field by field."""
    return None if about is None else outcome_fields(about)


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


def question(options: Sequence[Any]) -> str:
    """A choice as a question: "Keep or push?"."""
    names = [option_said(option) for option in options[: MOST_ASKED + 1]]
    if len(names) > MOST_ASKED:
        names = [*names[: MOST_ASKED - 1], f"one of {len(options) - MOST_ASKED + 1} more"]
    text = " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
    return f"{text[:1].upper()}{text[1:]}?"


def story(transcript: Transcript) -> str:
    """What happened so far in one sentence, for everybody who may see all of it."""
    try:
        said = _story(transcript)
    except Exception:  # a game that cannot tell it does not stop the roll
        said = outcome_said(transcript.outcome) if transcript.is_done else waits_for(transcript)
    return said if len(said) <= LONGEST_TOLD else f"{said[: LONGEST_TOLD - 1]}…"


def _story(transcript: Transcript) -> str:
    if transcript.request is not None or not transcript.is_done:
        return told(transcript)
    from rollwright.notation import result

    return str(result(transcript))


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


def is_good(transcript: Transcript) -> bool | None:
    """Whether it went well, by the usual goal of the game; None where nobody can say."""
    outcome, request = transcript.outcome, transcript.request
    if request is None:
        return outcome.level >= 2 if hasattr(outcome, "level") else None
    game = find_game(request.game)
    goal = game.goals.get(game.default_goal)
    if goal is None or (goal.rolls and request.roll not in goal.rolls):
        return None
    try:
        return bool(goal.worth(outcome) > 0)
    except Exception:  # a goal that does not fit the outcome says nothing about it
        return None


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
