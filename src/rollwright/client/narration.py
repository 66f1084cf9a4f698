"""A roll in words, for programs that show it elsewhere: what happened, the options, and who
chooses.

Events of a table hold messages, so that everybody reads them in their own language. A
`TableFormatter` says them, with the names of people in the place of their seats; `narrate_step`
makes of a step what is shown, and `add_worths` adds the worth of each option.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from rollwright.client.events import ChatSent, HiddenEvent, RollEnded, SeatJoined, parse_event
from rollwright.client.rolls import MENTIONED, EventData
from rollwright.kit.card.texts import format_texts, say


class OptionLine(NamedTuple):
    """Something that may be chosen, by its number, with what it is worth."""

    number: int
    said: str
    worth: str = ""
    gains: bool = False


@dataclass(frozen=True)
class RollNarration:
    """A roll's current state in words."""

    told: str
    verdict: str = ""
    tone: str = "even"
    asked: str = ""
    """The current step and the choice."""
    offers: tuple[OptionLine, ...] = ()
    options: int = 0
    """How many options there are: an event names only the first of very many."""
    why: str = ""
    dice: tuple[str, ...] = ()
    """The dice that it waits for."""


class TableFormatter:
    """Says what a table's events hold."""

    def __init__(
        self, looked: Mapping[str, Any], language: str = "en", *, own: bool = False
    ) -> None:
        """Take what `Table.look` gives; hidden characters are named for one's `own` eyes."""
        self.game = str(looked["table"].get("game") or "")
        seats = {one["seat"]: one.get("name") for one in looked["seats"]}
        shown = [one for one in looked["sheets"] if own or one["shown"]]
        sheets = {one["sheet"]: one["values"].get("name") for one in shown}
        held = {**seats, **{sheet: name for sheet, name in sheets.items() if name}}
        self.names = {ref: str(name) for ref, name in held.items() if name}
        """The names of people: their characters', if these have names."""
        self._say = partial(say, game=self.game, language=language, who=self._name)

    def _name(self, ref: str) -> str:
        return self.names.get(ref.removeprefix("@"), ref)

    def format_text(self, text: Any) -> str:
        """A text in words."""
        return MENTIONED.sub(lambda found: self._name(found[0]), self._say(text))

    def narrate(self, after: Mapping[str, Any]) -> RollNarration:
        """Describe a roll's current state from an event."""
        return narrate_step(format_texts(after, self.format_text))

    def picks(self, form: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
        """List the things on a sheet that a roll may use: `skill=recon`, and its name."""
        for control in form:
            yield from self.picks(control.get("form") or ())
            at = str(control.get("at", ""))
            if control.get("control") != "pick" or not at.startswith("pick."):
                continue
            for option in control["options"]:
                if isinstance(option["value"], str) and option["value"]:
                    note = f" ({self.format_text(option['note'])})" if option.get("note") else ""
                    label = self.format_text(control["label"])
                    said = f"{label}: {self.format_text(option['label'])}{note}"
                    yield f"{at.removeprefix('pick.')}={option['value']}", said


def event_line(voice: TableFormatter, event: EventData) -> str:
    """Describe an event in one line, whatever people type; return nothing if it is not shown."""
    match parse_event(event):
        case ChatSent(by, text):
            line = f"{voice.names.get(by, by)} says: {text}"
        case SeatJoined(_, name, role, _):
            line = f"{name} sits down ({role})"
        case RollEnded(roll, by):
            told = voice.narrate(roll.after)
            line = f"{voice.names.get(by, by)} rolled {roll.id}: {told.told} {told.verdict}"
        case HiddenEvent():
            line = "something secret"
        case _:
            line = ""
    return " ".join(line.split())


def narrate_step(step: Mapping[str, Any], so_far: str = "") -> RollNarration:
    """Describe a roll's current state from a step whose texts are made already.

    >>> narrate_step({"step": "done", "told": "2d6 [3 4] = 7", "fields": {"value": 7}}).verdict
    '7'
    """
    held = RollNarration(step.get("told") or so_far)
    if step["step"] == "choice":
        stands, question = _sentence(step.get("standing", "")), step.get("question", "")
        asked = " ".join(filter(None, (stands, question, step.get("why"))))
        offers = tuple(OptionLine(n, one["said"]) for n, one in enumerate(step.get("options", ())))
        return replace(held, asked=asked, offers=offers, options=step.get("count", len(offers)))
    if step["step"] == "throw":
        called = step.get("named", {})
        return replace(held, dice=tuple(_die(str(die), called) for die in step.get("dice", ())))
    verdict = step.get("verdict") or {}
    parts = (verdict.get("word", ""), *verdict.get("detail", ()), *verdict.get("paid", ()))
    value = None if verdict else step.get("fields", {}).get("value")
    came = " · ".join(filter(None, parts)) or ("" if value is None else str(value))
    return replace(held, verdict=came, tone=verdict.get("tone", "even"))


def _die(die: str, called: Mapping[str, str]) -> str:
    """A die as its game calls it.

    >>> _die("d8", {}), _die("Guard 3 d6", {"Guard 3": "where it hits Guard for 3"})
    ('d8', 'd6 (where it hits Guard for 3)')
    """
    name, _, shape = die.rpartition(" ")
    return f"{shape} ({called[name]})" if name in called else die


def add_worths(held: RollNarration, advice: Mapping[str, Any], most: int) -> RollNarration:
    """The options with what each is worth: all of them, or the best of more than `most`."""
    known = {one.number: one for one in held.offers}
    for one in advice["options"]:
        plain = known.get(one["number"], OptionLine(one["number"], one["said"]))
        known[one["number"]] = plain._replace(worth=one["value"]["said"], gains=one["gains"])
    ranked = [one["number"] for one in sorted(advice["options"], key=_loss)]
    order = ranked if max(held.options, len(known)) > most else [*known]
    offers = tuple(known[number] for number in order[:most])
    return replace(held, offers=offers, why=str(advice["why"]))


def _loss(option: Mapping[str, Any]) -> float:
    return float(option["less"]["number"])


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""
