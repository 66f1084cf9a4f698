"""The history of a table to be read: a session as Markdown, rolls as a table for a spreadsheet."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from io import StringIO
from typing import Any

from rollwright.hooks import Text
from rollwright.i18n.locale import in_words, reader_language
from rollwright.i18n.messages import row_of
from rollwright.jsonable import Json, canonical_json
from rollwright.table import schemas
from rollwright.table.events import SEALED
from rollwright.table.history.lost_commands import lost_commands
from rollwright.table.history.rolls import (
    ChoiceRecord,
    RollRecord,
    TableNames,
    ThrowRecord,
    face_label,
    kind_of,
    rolls_of,
    text_of,
    unfinished_by_seat,
)

__all__ = ["history_csv", "history_markdown"]

MARKS = re.compile(r"([\\`*_{}\[\]<>#|~])")


def history_markdown(events: Iterable[schemas.KnownEvent], whose: str = "") -> str:
    """Return the story of a table, session by session, as the seers of these events may know it.

    It is in the reader's language. Somebody's own copy says so: `whose` is the seat. Everybody's
    copy holds nothing that is not for everybody.
    """
    return _MarkdownHistory(list(events), whose).text()


class _MarkdownHistory:
    """A history while it is being written."""

    def __init__(self, events: list[schemas.KnownEvent], whose: str) -> None:
        self._events = events
        self._whose = whose
        self._names = TableNames.of(events, reader_language())
        self._rolls = rolls_of(events)
        self._calls = lost_commands(events)
        self._lines: list[str] = []
        self._secrets = 0
        self._session = 1
        self._day = ""

    def text(self) -> str:
        self._head()
        for event in self._events:
            self._add_event(event)
        self._end_session()
        return "\n".join(self._lines).rstrip("\n") + "\n"

    def _head(self) -> None:
        title = self._names.title or in_words("history.title")
        self._lines += [f"# {_escape(title)}", ""]
        people = [
            _as(self._name(event["body"]["seat"]), event["body"]["role"])
            for event in self._events
            if event["kind"] == "seat.joined" and event.get("body")
        ]
        if people:
            self._lines += [in_words("history.people", names=row_of(people)), ""]
        if self._whose:
            self._lines += [f"*{in_words('history.own', who=self._name(self._whose))}*", ""]

    def _add_event(self, event: schemas.KnownEvent) -> None:
        if not event.get("body") and event["seq"] not in self._rolls:
            self._secrets += event["kind"] == SEALED
            return
        when, kind = _when(event["at"]), kind_of(event)
        if event["seq"] in self._rolls:
            lines = self._roll(self._rolls[event["seq"]], f"{when:%H:%M}")
        else:
            line = self._line(kind, event)
            lines = [] if line is None else [f"- {when:%H:%M} {line}"]
        if lines or kind == "session.ended":  # what follows from its end begins no session
            self._add_heads(f"{when:%Y-%m-%d}")
        self._lines += lines
        if kind == "session.ended":
            self._end_session()
            self._session, self._day = event["body"]["number"] + 1, ""

    def _add_heads(self, day: str) -> None:
        """Write a head over the first that is told of a session, and over each day."""
        if not self._day:
            self._lines += ["## " + in_words("history.session", n=self._session, day=day), ""]
        elif day != self._day:
            self._lines += ["", f"*{day}*", ""]
        self._day = day

    def _end_session(self) -> None:
        rolls = [roll for roll in self._rolls.values() if roll.session == self._session]
        calls = [call for call in self._calls if call.session == self._session]
        for seat, sums in unfinished_by_seat(rolls, calls).items():
            said = in_words("history.given_up", who=self._name(seat), said=sums.text)
            self._lines += ["", f"*{said}*"]
        if self._secrets and self._whose:
            self._lines += ["", f"*{in_words('history.secrets', n=self._secrets)}*"]
        self._secrets = 0
        self._lines.append("")

    def _name(self, seat: str) -> str:
        return _escape(self._names.name(seat))

    def _markdown_text(self, text: Text) -> str:
        """A text of the game, as Markdown."""
        return _escape(self._names.format(text))

    def _with_names(self, text: str) -> str:
        return _escape(self._names.fill_in(text))

    def _roll(self, roll: RollRecord, time: str) -> list[str]:
        if roll.what is None:
            who = self._name(roll.by) if roll.by else in_words("history.somebody")
            line = f"- {time} " + in_words("history.secret", who=who, how=roll.visibility)
            over = [] if roll.status == "secret" else [in_words(f"history.{roll.status}")]
            return [line, *(f"  - {said}" for said in over)]
        hidden = in_words("visibility", how=roll.visibility)
        secret = f" ({hidden})" if roll.visibility != "open" else ""
        note = f": {in_words('quoted', text=self._with_names(roll.note))}" if roll.note else ""
        who = _escape(self._names.roller(roll))
        lines = [f"- {time} **{who}**, {self._markdown_text(roll.title)}{secret}{note}"]
        if roll.steps:
            lines.append("  - " + "; ".join(self._step(step) for step in roll.steps))
        return lines + [f"  - {line}" for line in self._outcome_lines(roll)]

    def _step(self, step: ThrowRecord | ChoiceRecord) -> str:
        if isinstance(step, ChoiceRecord):
            return f"*{self._markdown_text(step.said)}*"
        dice = [
            f"{_escape(self._names.die(die))} **{_escape(face_label(face))}**"
            for die, face in zip(step.dice, step.faces, strict=True)
        ]
        return ", ".join(dice) + (f" ({in_words('history.real')})" if step.how == "typed" else "")

    def _outcome_lines(self, roll: RollRecord) -> list[str]:
        if roll.stopped:
            return [self._markdown_text(roll.stopped)]
        if roll.end is None:
            return [in_words(f"history.{roll.status}")]
        told = [self._markdown_text(roll.end["told"])]
        told += self._effects(roll)
        if roll.status != "done":
            told.append(in_words(f"history.{roll.status}"))
        return told

    def _effects(self, roll: RollRecord) -> list[str]:
        """Return the lines about its effects on sheets, and about who had to approve them."""
        found: dict[str, list[str]] = {}
        for effect in _effects(roll):
            if "why" in effect:
                said = in_words(
                    "history.why",
                    said=self._markdown_text(effect["said"]),
                    why=self._markdown_text(effect["why"]),
                )
                found.setdefault(in_words("history.not_done"), []).append(said)
                continue
            decided, by = roll.decided.get(effect["sheet"], ("", ""))
            done = decided == "roll.revealed" or not effect.get("waits")
            id = "history.changes" if done else _LET.get(decided, "history.waits")
            way = in_words(id, who=self._name(by) if by else "")
            found.setdefault(way, []).append(self._markdown_text(effect["said"]))
        return [f"{way}: {', '.join(effects)}." for way, effects in found.items()]

    def _line(self, kind: str, event: schemas.KnownEvent) -> str | None:
        tell = _LINES.get(kind)
        return None if tell is None else tell(self, event, event["body"])

    def _chat_line(self, event: schemas.KnownEvent, body: schemas.ChatSentEvent) -> str:
        text = text_of(event, body["text"])
        to = body.get("to")
        whom = f" ({in_words('history.to', who=self._all(to))})" if isinstance(to, list) else ""
        said = in_words("quoted", text=self._with_names(text))
        words = said if text else f"*{in_words('history.erased')}*"
        return f"**{self._name(body['by'])}**{whom}: {words}"

    def _all(self, seats: list[str]) -> str:
        return in_words("history.all", names=[self._name(seat) for seat in seats])

    def _request_line(self, event: schemas.KnownEvent, body: schemas.RequestCreatedEvent) -> str:
        every = in_words("history.everybody")
        whom = every if isinstance(body["who"], str) else self._all(body["who"])
        note = text_of(event, body.get("note"))
        asked = in_words("history.asks", who=self._name(body["by"]), whom=whom)
        return (
            f"{asked}: {in_words('quoted', text=self._with_names(note))}" if note else f"{asked}."
        )

    def _change_line(
        self, event: schemas.KnownEvent, body: schemas.SheetChangedEvent
    ) -> str | None:
        """Return the line about a change of a sheet; changes by a roll are listed with the roll."""
        cause = body["cause"]
        if "roll" in cause or "session" in cause:
            return None
        parts = [
            f"{_escape(field)} {_short(both['before'])} → {_short(both['after'])}"
            for field, both in body["changes"].items()
        ]
        why = text_of(event, cause.get("why"))
        undone = f" ({in_words('history.taken_back')})" if "undo" in cause else ""
        reason = f" ({in_words('quoted', text=self._with_names(why))})" if why else undone
        whose = _escape(self._names.character(body["sheet"]))
        return f"*{whose}: {', '.join(parts)}{reason}*"

    def _import_line(self, event: schemas.KnownEvent, body: schemas.TableImportedEvent) -> str:
        return f"*{in_words('history.copied' if body.get('copy') else 'history.moved')}*"

    def _act_line(self, seat: str, id: str) -> str:
        """Return the line about something that somebody did, beside the rolls."""
        return f"*{in_words(id, who=self._name(seat))}*"


_LINES: dict[str, Callable[[_MarkdownHistory, schemas.KnownEvent, Any], str | None]] = {
    "chat.sent": _MarkdownHistory._chat_line,
    "roll_request.created": _MarkdownHistory._request_line,
    "sheet.changed": _MarkdownHistory._change_line,
    "seat.joined": lambda story, event, body: story._act_line(body["seat"], "history.sits"),
    "seat.removed": lambda story, event, body: story._act_line(body["seat"], "history.leaves"),
    "roll.revealed": lambda story, event, body: story._act_line(body["by"], "history.reveals"),
    "table.imported": _MarkdownHistory._import_line,
}
_ROLES = ("referee", "spectator")
_LET = {"roll.applied": "history.let", "roll.declined": "history.not_let"}


def _as(name: str, role: str) -> str:
    """A name, and what somebody is at the table beside a player."""
    return in_words(f"history.{role}", name=name) if role in _ROLES else name


def _when(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)


def _escape(text: str) -> str:
    """A text in which nothing is a mark of Markdown or of HTML, on one line."""
    return MARKS.sub(r"\\\1", " ".join(text.split()).replace("&", "&amp;"))


def _short(value: Json) -> str:
    text = value if isinstance(value, str) else _as_text(value)
    return _escape(text if len(text) <= 40 else f"{text[:39]}…")


def _as_text(value: Json) -> str:
    if value is None or isinstance(value, bool):
        return in_words({None: "history.none", True: "yes", False: "no"}[value])
    if isinstance(value, list):
        return ", ".join(map(_as_text, value)) or in_words("history.none")
    if isinstance(value, dict):
        parts = (f"{name} {_as_text(part)}" for name, part in value.items())
        return ", ".join(parts) or in_words("history.none")
    return str(value)


FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""First characters that make a spreadsheet take a cell for more than a text."""


def _dice(throw: ThrowRecord, names: TableNames) -> str:
    return ", ".join(map(names.die, throw.dice))


GOOD = {None: "", True: "yes", False: "no"}
CELLS: dict[str, Callable[[RollRecord, TableNames], str | int]] = {
    "time": lambda roll, names: f"{_when(roll.at):%Y-%m-%dT%H:%M:%SZ}",
    "session": lambda roll, names: roll.session,
    "roll": lambda roll, names: roll.id,
    "seat": lambda roll, names: roll.by,
    "name": lambda roll, names: names.name(roll.by) if roll.by else "",
    "sheet": lambda roll, names: roll.sheet if names.has_sheet(roll.sheet) else "",
    "title": lambda roll, names: names.format(roll.title),
    "what": lambda roll, names: _what(roll.what, names),
    "note": lambda roll, names: names.fill_in(roll.note),
    "visibility": lambda roll, names: roll.visibility,
    "status": lambda roll, names: roll.status,
    "again": lambda roll, names: roll.again,
    "how": lambda roll, names: roll.how,
    "dice": lambda roll, names: "; ".join(_dice(throw, names) for throw in roll.throws),
    "faces": lambda roll, names: "; ".join(map(_faces, roll.throws)),
    "choices": lambda roll, names: "; ".join(names.format(choice) for choice in roll.choices),
    "outcome": lambda roll, names: _json(roll.end["fields"], names) if roll.end else "",
    "good": lambda roll, names: GOOD[roll.end["good"] if roll.end else None],
    "told": lambda roll, names: names.format(roll.end["told"]) if roll.end else "",
    "effects": lambda roll, names: "; ".join(_effect(roll, e, names) for e in _effects(roll)),
}
"""The columns, each with a function for its cells."""


def history_csv(events: Iterable[schemas.KnownEvent]) -> str:
    """Return one line for each roll, as the seers of these events may know it."""
    listed = list(events)
    names = TableNames.of(listed, reader_language())
    page = StringIO()
    writer = csv.writer(page, lineterminator="\r\n")
    writer.writerow(CELLS)
    for roll in rolls_of(listed).values():
        writer.writerow([safe(cell(roll, names)) for cell in CELLS.values()])
    return page.getvalue()


def safe(cell: str | int) -> str:
    """A cell that no spreadsheet takes for a formula.

    >>> safe("=1+1"), safe(7), safe(-7), safe("a-b")
    ("'=1+1", '7', "'-7", 'a-b')
    """
    text = str(cell)
    return f"'{text}" if text.startswith(FORMULAS) else text


def _effects(roll: RollRecord) -> list[schemas.SheetEffectData]:
    return [] if roll.end is None else roll.end["effects"]


def _effect(roll: RollRecord, effect: schemas.SheetEffectData, names: TableNames) -> str:
    """An effect, and whether it has not happened."""
    decided, _ = roll.decided.get(effect["sheet"], ("", ""))
    let = not effect.get("waits") or decided in ("roll.revealed", "roll.applied")
    is_done = let and "why" not in effect
    said = names.format(effect["said"])
    return said if is_done else in_words("history.undone_effect", said=said)


def _what(what: schemas.ResolvedRoll | None, names: TableNames) -> str:
    if not what:
        return ""
    return what["expression"] if "expression" in what else _json(what["request"], names)


def _faces(throw: ThrowRecord) -> str:
    return ", ".join(map(face_label, throw.faces))


def _json(value: Json, names: TableNames) -> str:
    return canonical_json(_value_with_names(value, names)).decode()


def _value_with_names(value: Json, names: TableNames) -> Json:
    if isinstance(value, dict):
        return {names.fill_in(name): _value_with_names(part, names) for name, part in value.items()}
    if isinstance(value, list):
        return [_value_with_names(part, names) for part in value]
    return names.fill_in(value) if isinstance(value, str) else value
