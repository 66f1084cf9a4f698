"""The options at a choice: counted in the log, and listed beside it while it is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from rollwright.engine.steps import Choice
from rollwright.engine.transcript import Transcript
from rollwright.engine.values import to_plain
from rollwright.guard import words_plain
from rollwright.kit.card.choices import choice_shown, offer_shown
from rollwright.kit.card.shapes import ChoiceSaid, OptionSaid
from rollwright.kit.words import option_said
from rollwright.plain import Json, canonical
from rollwright.table.events import Offers
from rollwright.table.fairness import framed_hash
from rollwright.table.limits import weighed
from rollwright.table.refusals import refusing
from rollwright.table.rolls import Roll
from rollwright.table.schemas import OptionsCounted
from rollwright.table.state import TableState
from rollwright.table.transcripts import changed_since, live, remember
from rollwright.words.messages import said

LISTED_BYTES = 8_000
"""The options that are listed; of more than this takes, the first ones."""


def counted(options: Sequence[object]) -> OptionsCounted:
    """Return an event's record of the options: their number, and a digest of each in its place.

    So its size is bounded, nobody can offer others afterwards, and anyone with the rules can check
    them.
    """
    plain = [to_plain(option) for option in options]
    return {"count": len(plain), "digest": _digest(plain)}


def _digest(options: list[Json]) -> str:
    return framed_hash(b"rollwright/options/1", canonical(options)).hex()


def options_differ(told: Mapping[str, object], options: Sequence[object]) -> bool:
    """Whether an event offers other options than these."""
    truth = counted(options)
    return (told.get("count"), told.get("digest")) != (truth["count"], truth["digest"])


def bare_option(option: object) -> OptionSaid:
    """Return an option as it is typed, for those who may not know what it leads to."""
    return {"option": to_plain(option), "said": option_said(option)}


def listed(transcript: Transcript, said: ChoiceSaid | None) -> Offers:
    """Return the options for the seers of the event that offers them; of many, the first.

    Those who saw every throw get the options in the game's words, as `said` describes the choice;
    others get them bare. If tokens are dealt, the places say all, and none of too many is listed.
    """
    shown_as = bare_option if said is None else partial(offer_shown, transcript)
    found: list[OptionSaid] = []
    room = LISTED_BYTES
    for option in transcript.step.options:
        shown = shown_as(option)
        room -= weighed(shown)
        if room < 0:
            return {"options": [] if said is not None and "assign" in said else found}
        found.append(shown)
    return {"options": found}


def offered(table: str, roll: Roll, seq: int) -> Offers:
    """The same from the rules alone, for an event of the choice that a roll waits for now.

    Refused where the rules have changed since, or are gone.
    """
    with refusing("roll"):
        transcript = live(table, roll)
        step = transcript.step
        if not isinstance(step, Choice) or options_differ(roll.after or {}, step.options):
            raise changed_since(roll)
        remember(table, roll, transcript)
        # A throw that the rule hides is shown to those who saw it, and to nobody else.
        says_all = not transcript.position.holds_a_secret or seq in roll.veiled
        return listed(transcript, choice_shown(transcript) if says_all else None)


def unlisted(state: TableState) -> list[tuple[int, Roll]]:
    """The events that say of open rolls that something may be chosen, and not yet what."""
    if None not in state.options.values():
        return []
    at_hand = [(seq, roll) for roll in state.going.values() for seq in roll.asked_at]
    return [(seq, roll) for seq, roll in at_hand if state.options.get(seq, ...) is None]


def not_offered() -> Offers:
    """Return the answer if the rules cannot give the options."""
    return {"options": [], "why": words_plain(said("choice.unlisted"))}
