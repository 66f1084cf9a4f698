"""The options at a choice: counted in the log, and listed beside it while it is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from rollwright.engine.steps import Choice
from rollwright.engine.transcript import Transcript
from rollwright.engine.values import value_to_json
from rollwright.hooks import text_to_json
from rollwright.i18n.messages import msg
from rollwright.jsonable import Json, canonical_json
from rollwright.kit.card.choices import choice_to_json, option_to_json
from rollwright.kit.card.shapes import ChoiceView, OptionView
from rollwright.kit.words import format_option
from rollwright.table.errors import as_command_errors
from rollwright.table.events import OptionsData
from rollwright.table.fairness import framed_hash
from rollwright.table.limits import weight_of
from rollwright.table.rolls import TableRoll
from rollwright.table.schemas import OptionCountData
from rollwright.table.state import TableState
from rollwright.table.transcripts import live_transcript, remember, version_error

LISTED_BYTES = 8_000
"""The options that are listed; of more than this takes, the first ones."""


def count_options(options: Sequence[object]) -> OptionCountData:
    """Return an event's record of the options: their number, and a digest of each in its place.

    So its size is bounded, nobody can offer others afterwards, and anyone with the rules can check
    them.
    """
    plain = [value_to_json(option) for option in options]
    return {"count": len(plain), "digest": _digest(plain)}


def _digest(options: list[Json]) -> str:
    return framed_hash(b"rollwright/options/1", canonical_json(options)).hex()


def options_differ(told: Mapping[str, object], options: Sequence[object]) -> bool:
    """Whether an event offers other options than these."""
    truth = count_options(options)
    return (told.get("count"), told.get("digest")) != (truth["count"], truth["digest"])


def bare_option(option: object) -> OptionView:
    """Return an option as it is typed, for those who may not know what it leads to."""
    return {"option": value_to_json(option), "said": format_option(option)}


def list_options(transcript: Transcript, said: ChoiceView | None) -> OptionsData:
    """Return the options for the seers of the event that offers them; of many, the first.

    Those who saw every throw get the options in the game's words, as `said` describes the choice;
    others get them bare. If tokens are dealt, the places say all, and none of too many is listed.
    """
    shown_as = bare_option if said is None else partial(option_to_json, transcript)
    found: list[OptionView] = []
    room = LISTED_BYTES
    for option in transcript.step.options:
        shown = shown_as(option)
        room -= weight_of(shown)
        if room < 0:
            return {"options": [] if said is not None and "assign" in said else found}
        found.append(shown)
    return {"options": found}


def options_at(table: str, roll: TableRoll, seq: int) -> OptionsData:
    """The same from the rules alone, for an event of the choice that a roll waits for now.

    Refused where the rules have changed since, or are gone.
    """
    with as_command_errors("roll"):
        transcript = live_transcript(table, roll)
        step = transcript.step
        if not isinstance(step, Choice) or options_differ(roll.after or {}, step.options):
            raise version_error(roll)
        remember(table, roll, transcript)
        # A throw that the rule hides is shown to those who saw it, and to nobody else.
        says_all = not transcript.position.holds_a_secret or seq in roll.veiled
        return list_options(transcript, choice_to_json(transcript) if says_all else None)


def missing_options(state: TableState) -> list[tuple[int, TableRoll]]:
    """The events that say of open rolls that something may be chosen, and not yet what."""
    if None not in state.options.values():
        return []
    at_hand = [(seq, roll) for roll in state.going.values() for seq in roll.asked_at]
    return [(seq, roll) for seq, roll in at_hand if state.options.get(seq, ...) is None]


def no_options() -> OptionsData:
    """Return the answer if the rules cannot give the options."""
    return {"options": [], "why": text_to_json(msg("choice.unlisted"))}
