"""The dice of a roll as they lie, made of what a roll's answer says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.engine.transcript import ThrowEntry, Transcript
from rollwright.i18n.locale import in_words, reader_language
from rollwright.kit.card.texts import say
from rollwright.kit.games import Game
from rollwright.pictures.dice import DROPPED, DieDrawing, shape_of
from rollwright.pictures.rolls import MOST_DICE, ThrowDrawing

if TYPE_CHECKING:
    from rollwright.jsonable import Json
    from rollwright.queries.schemas import RollAnswer

RANGE = re.compile(r"(-?\d*)\.\.(-?\d*)")
PLAIN_MARK: Mapping[str, Any] = {}


class _DieKind(NamedTuple):
    """A die of a pool as an answer writes it."""

    name: str
    sides: int | None

    @property
    def full(self) -> str:
        """Its name with its sides, as marks call it."""
        return " ".join(filter(None, (self.name, f"d{self.sides}" if self.sides else "")))


def throw_pictures(
    answer: RollAnswer, transcript: Transcript, game: Game | None
) -> Iterator[ThrowDrawing]:
    """Each throw with its dice as they lie at the end."""
    entries = [n for n, entry in enumerate(transcript.entries) if isinstance(entry, ThrowEntry)]
    lies = {**_dropped_dice(transcript), **answer.get("lies", {})}
    for entry, throw in zip(entries, answer["throws"], strict=True):
        thrown: Mapping[str, Any] = throw
        kinds = list(_kinds(thrown["pool"]))
        dice = [
            _die(kind, face, answer["marks"], thrown.get("named", {}), game)
            for kind, face in zip(kinds, thrown["faces"])
        ]
        lying = [d._replace(lies=lies.get(f"{entry}.{n}", "")) for n, d in enumerate(dice)]
        yield ThrowDrawing(tuple(lying), str(thrown.get("label") or ""))


def limit_dice(throws: tuple[ThrowDrawing, ...]) -> tuple[ThrowDrawing, ...]:
    """As many dice as anybody wants to see."""
    room, found = MOST_DICE, []
    for throw in throws:
        if room > 0:
            found.append(throw._replace(dice=throw.dice[:room]))
        room -= len(throw.dice)
    return tuple(found)


def format_more(throws: tuple[ThrowDrawing, ...]) -> str:
    """How many dice are not drawn, in words."""
    count = sum(len(throw.dice) for throw in throws) - MOST_DICE
    return in_words("share.more", n=count) if count > 0 else ""


def _kinds(pool: Any) -> Iterator[_DieKind]:
    for die, count in pool["pool"]:
        sides = die["die"] if isinstance(die["die"], int) else None
        yield from [_DieKind(str(die.get("name", "")), sides)] * count


def _die(
    kind: _DieKind,
    face: Json,
    marks: Mapping[str, Any],
    named: Mapping[str, Any],
    game: Game | None,
) -> DieDrawing:
    look = game.card.dice.get(kind.name) if game is not None and kind.name else None
    plain = game.card.dice.get(f"d{kind.sides}") if game is not None else None
    mark = _mark(marks, kind, face)
    sides = kind.sides or (look.sides if look and look.sides else None)
    label = say(look.label, game.name, reader_language()) if game and look and look.label else ""
    words = mark.get("said", "") if mark.get("written") else ""
    return DieDrawing(
        shape_of(sides, face, kind.name),
        "" if face is None else str(face),
        tone=str(mark.get("tone", "even")),
        symbols=tuple(mark.get("symbols", ())),
        alone=bool(mark.get("alone")),
        other=bool(look and look.set),
        pips=sides == 6 and not kind.name and not (plain and plain.numerals),
        name=str(words or named.get(kind.name) or label or kind.name),
    )


def _mark(marks: Mapping[str, Any], kind: _DieKind, face: Json) -> Mapping[str, Any]:
    """How a face is read: by the die's full name, its name, how that begins, its sides, or all."""
    begun = next((k for k in marks if k.endswith(" *") and kind.name.startswith(k[:-1])), "")
    for name in (kind.full, kind.name, begun, f"d{kind.sides}", "*"):
        found = _label_in_ranges(marks[name], face) if name and name in marks else None
        if found is not None:
            return found
    return PLAIN_MARK


def _label_in_ranges(faces: Mapping[str, Any], face: Json) -> Mapping[str, Any] | None:
    if str(face) in faces:
        found: Mapping[str, Any] = faces[str(face)]
        return found
    for name, mark in faces.items():
        ends = RANGE.fullmatch(name)
        if ends and type(face) is int and _within(ends[1], ends[2], face):
            return mark  # type: ignore[no-any-return]
    return None


def _within(low: str, high: str, face: int) -> bool:
    return (not low or face >= int(low)) and (not high or face <= int(high))


def _dropped_dice(transcript: Transcript) -> dict[str, str]:
    """The dice of an expression that do not count, where each lies as it was thrown."""
    from rollwright.notation import result
    from rollwright.notation.counter import expression

    if transcript.call.rule is not expression or not transcript.is_done:
        return {}

    shown = result(transcript).dice
    places = [
        (entry, place, face)
        for entry, (_, faces) in enumerate(transcript.throws)
        for place, face in enumerate(faces)
    ]
    if [one.faces for one in shown] != [(face,) for _, _, face in places]:
        return {}
    pairs = zip(shown, places, strict=True)
    return {f"{entry}.{place}": DROPPED for one, (entry, place, _) in pairs if not one.kept}
