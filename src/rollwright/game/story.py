"""The story of a roll, made from what happened: throws, questions, sums, changes, the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.dice import Die, Pool
from rollwright.engine.play import ChoiceEntry, Entry
from rollwright.engine.transcript import Transcript
from rollwright.game.records import Addition, Change, Record, Remark, noting
from rollwright.i18n.messages import (
    HOUSE,
    Message,
    Value,
    msg,
    row_of,
    sentences,
    somebody,
    with_sign,
)
from rollwright.kit.fields import fields_of
from rollwright.kit.words import capital, format_option

if TYPE_CHECKING:
    from rollwright.game.games import Game
    from rollwright.game.rolls import RollRequest

ROLLER = "player"
"""Whoever chooses without a name is the roller."""


class Happening(NamedTuple):
    """Something that was thrown or chosen, and what was noted between it and the next step."""

    step: Any
    entry: Entry | None
    """None for what was noted before the first step."""
    records: tuple[Record, ...]


def happenings(transcript: Transcript) -> list[Happening]:
    """Everything that has happened in a roll, in order."""
    with noting() as noted:
        so_far = Transcript(transcript.call, request=transcript.request)
        found, known = [Happening(None, None, tuple(noted))], len(noted)
        for entry in transcript.entries:
            step = so_far.step
            so_far = so_far.then(entry)
            found.append(Happening(step, entry, tuple(noted[known:])))
            known = len(noted)
    return found


def last_sum(transcript: Transcript) -> Addition | None:
    """What was added up last."""
    records = [one for happened in happenings(transcript) for one in happened.records]
    return next((one for one in reversed(records) if isinstance(one, Addition)), None)


class Storyteller:
    """Puts one roll of a game into words."""

    def __init__(self, game: Game, request: RollRequest, transcript: Transcript) -> None:
        self.game, self.request, self.transcript = game, request, transcript

    def story(self) -> Message:
        """What happened so far."""
        return sentences(*self._parts())

    def _parts(self) -> Iterator[Value]:
        yield self._opening()
        happened = happenings(self.transcript)
        for number, one in enumerate(happened):
            is_last = number == len(happened) - 1 and self.transcript.is_done
            changes = changes_of(one.records)
            if isinstance(one.entry, ChoiceEntry):
                yield self._choice(one, () if is_last else changes)
            elif one.entry is not None:
                yield self._throw(one)
            for place, record in enumerate(one.records):
                if record in one.records[:place]:
                    continue  # a loop has added up the same again
                if isinstance(record, Addition):
                    yield self.game.words.msg(
                        "story.sum", terms=self.terms(record), total=record.total
                    )
                elif isinstance(record, Remark):
                    yield self.game.remark(record.text, self._values(record))
            if is_last:
                yield self._ending(changes)
            elif changes and not isinstance(one.entry, ChoiceEntry):
                yield sentence(self._changes(changes))

    def _opening(self) -> Value:
        """Who rolls what, with which traits."""
        names = self.game.view.traits(self.request)
        title = self.game.view.word(f"roll.{self.request.roll}", self.request.title)
        what = (
            self.game.words.msg("story.with", roll=title, names=row_of(names)) if names else title
        )
        name = str(getattr(self.request, "name", ""))
        return sentence(what, who=somebody(name) if name else "")

    def who(self, role: str) -> Value:
        """Somebody who takes part, by name if it is known."""
        name = str(getattr(getattr(self.request, role, None), "name", ""))
        return somebody(name) if name else self.game.label(role)

    def _throw(self, one: Happening) -> Value:
        faces: list[Value] = []
        for die, face in zip(one.step.pool.dice, one.entry.faces, strict=True):  # type: ignore[union-attr]
            shown: Value = face if isinstance(face, int) else self.game.word(str(face))
            faces.append(
                msg("retold.field", name=self.game.word(die.name), value=shown)
                if die.name
                else shown
            )
        return sentence(row_of(faces), who=self._seat(getattr(one.step, "by", "")))

    def _choice(self, one: Happening, changes: Sequence[Change]) -> Value:
        option = self.game.option(one.entry.option)  # type: ignore[union-attr]
        told = self._changes(changes, but=one.step.by) if changes else None
        return sentence(option, who=self._seat(one.step.by), changes=told, home=self.game.package)

    def _seat(self, by: str) -> Value:
        """Whoever threw or chose; empty for the roller."""
        return "" if by in ("", ROLLER) else self.who(by)

    def _ending(self, changes: Sequence[Change]) -> Value:
        verdict = self.game.view.verdict(self.request, self.transcript.outcome)
        what: Value = verdict.word
        for detail in verdict.detail:
            what = msg("retold.field", name=what, value=detail)
        told = self._changes(changes) if changes else None
        return sentence(what, changes=told, home=self.game.package)

    def terms(self, added: Addition) -> dict[str, Any]:
        """The parts of a sum, each with its name."""
        return row_of(self.term(name, part) for name, part in added.parts if name == "" or part)

    def term(self, name: str, part: Any) -> Value:
        """A part of a sum: what dice show, or a number with its name."""
        if hasattr(part, "pairs"):
            return _add_text([face for _, face in part.pairs] or [0])
        return msg("retold.field", name=self.game.label(name), value=with_sign(int(part)))

    def _changes(self, changes: Iterable[Change], but: str = "") -> dict[str, Any]:
        return row_of(self._change(one, but) for one in changes)

    def _change(self, change: Change, but: str) -> Value:
        told = self.game.request_class(self.request.roll).signature
        text = change_text(self.game, change.field, change.before, change.after)
        if change.role != but and any(role.name == change.role for role in told.others):
            return msg("title", roll=self.who(change.role), names=text)
        return text

    def _values(self, record: Remark) -> dict[str, Value]:
        return {name: self._value(held) for name, held in record.values.items()}

    def _value(self, held: Any) -> Value:
        role = getattr(held, "role", "")
        if role:
            return self.who(role)
        return held if isinstance(held, int) else self.game.word(format_option(held))


def sentence(
    what: Value, *, who: Value = "", changes: Value | None = None, home: str = HOUSE
) -> Message:
    """A sentence: what somebody did, and what came of it at once."""
    if changes is not None:
        what = Message("story.and", {"what": what, "changes": changes}, home)
    what = msg("retold.thrown", throws=what)
    return msg("title", roll=who, names=what) if who else what


def _add_text(numbers: Sequence[Any]) -> Value:
    """Faces as a sum: 9 + 5."""
    found: Value = numbers[0]
    for number in numbers[1:]:
        found = msg("retold.plus", a=found, b=number)
    return found


def change_text(game: Game, field: str, before: Any, after: Any) -> Message:
    """A change in a few words: "Hope +1", "Vow: broken"."""
    label = game.label(field)
    if type(before) is int and type(after) is int:
        return msg("retold.field", name=label, value=with_sign(after - before))
    return msg("title", roll=label, names=game.word(_format_value(after)))


def _format_value(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def changes_of(records: Iterable[Record]) -> list[Change]:
    """What has changed in all, each field of each sheet once."""
    found: dict[tuple[str, str], Change] = {}
    for one in records:
        if isinstance(one, Change):
            first = found.get((one.role, one.field), one)
            found[one.role, one.field] = one._replace(before=first.before)
    return [one for one in found.values() if one.before != one.after]


def known_label(game: Game, name: str) -> str:
    """What a field or a part is called in English."""
    kinds = [game.sheet, game.shared, game.house, *game.requests.values()]
    for kind in kinds:
        if kind is not None and name in fields_of(kind):
            return capital(fields_of(kind)[name].title)
    return capital(name.replace("_", " "))


def option_name(option: Any) -> str:
    """An option as it is known: a die by its name."""
    if isinstance(option, Die):
        return option.name or repr(option).lower()
    if isinstance(option, Pool):
        return " + ".join(dict.fromkeys(option_name(die) for die in option.dice))
    return format_option(option)
