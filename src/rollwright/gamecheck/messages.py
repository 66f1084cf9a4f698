"""Words of a game: whatever it names or says has a text in each of its languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from json import dumps
from typing import Any, Literal, get_args, get_origin

from rollwright.engine.values import field_names
from rollwright.errors import BadCatalog
from rollwright.gamecheck.report import CheckPart
from rollwright.gamecheck.rolls import MOST_OPTIONS, TriedRoll, choices_in
from rollwright.i18n.catalogs import Catalog, words_of
from rollwright.i18n.check import problems_in, values_in
from rollwright.i18n.languages import ENGLISH
from rollwright.i18n.messages import HOUSE, Message
from rollwright.kit.fields import Field, Value, fields_of, types_in
from rollwright.kit.games import Game
from rollwright.kit.words import format_option
from rollwright.pictures.charts import CHANCE, POINTS
from rollwright.ranks import Ranked

MOST_EXAMPLES = 3
SEAT = re.compile("[a-z][a-z _-]*")
"""Whom a rule calls so; a name of somebody has a capital letter."""


class TextLog:
    """Every text that was shown while a game was tried, by the part of the card that gave it."""

    def __init__(self) -> None:
        self.messages: dict[str, tuple[str, set[str]]] = {}
        """By id: where it was first shown, and the values that always came with it."""
        self.terms: dict[str, str] = {}
        """Ids of words and dice that messages speak of, with the message's id."""
        self.bare: dict[str, str] = {}
        """Texts that are said as they are, with the part that gave them."""

    def __call__(self, part: str, text: Any) -> None:
        """Take note of a text."""
        if isinstance(text, Message):
            self._message(part, text.plain)
        elif isinstance(text, list) and text and isinstance(text[0], str):
            self._message(part, text)
        elif isinstance(text, str) and any(map(str.isalpha, text)):
            self.bare.setdefault(text, part)

    def _message(self, part: str, plain: list[Any]) -> None:
        id, values = str(plain[0]), plain[1] if len(plain) > 1 else {}
        where, known = self.messages.get(id, (part, set(values)))
        self.messages[id] = where, known & set(values)
        for held in values.values():
            self._value(id, held)

    def _value(self, id: str, held: Any) -> None:
        if isinstance(held, list) and held and isinstance(held[0], str) and _is_message(held):
            self._message(id, held)
        elif isinstance(held, Mapping):
            for way, inner in held.items():
                if way in ("word", "die") and isinstance(inner, str):
                    self.terms.setdefault(f"{way}.{inner}", id)
                for one in inner if isinstance(inner, list) else ():
                    self._value(id, one)


def _is_message(held: list[Any]) -> bool:
    return len(held) == 1 or (len(held) == 2 and isinstance(held[1], Mapping))


def check_messages(
    game: Game, spoken: TextLog, part: CheckPart, tried: Sequence[TriedRoll] = ()
) -> None:
    """All that the game names and all that it said, in each language that it has a file for."""
    own = game.words.sources[0] if game.words.home != HOUSE else {}
    if not own:
        part.looked_at = "no folder `words`: everything is said as it is written, in one language"
        return
    try:
        for problem in problems_in(own):
            part.fault("words", problem)
        catalogs = {code: own[code] for code in own}
    except BadCatalog as problem:
        part.fault("words", str(problem))
        return
    house = words_of(HOUSE).sources[0]
    wanted = [*names_of(game), *chosen_in(game, tried)] if len(catalogs) > 1 else []
    for code, catalog in catalogs.items():
        there = {*catalog, *house.get(code, ())}
        for where, ids in wanted:
            if not there.intersection(ids):
                part.fault(where, f"{catalog.file} has no {ids[-1]!r}")
        for id, (where, values) in spoken.messages.items():
            if id not in there:
                part.fault(where, f"{catalog.file} has no {id!r}, which is shown")
            elif id in catalog and (missing := _values(catalog, id) - values):
                said = f"{id!r} uses {{{min(missing)}}}, which does not always come"
                part.fault(where, f"{catalog.file}: {said}")
        if len(catalogs) > 1:
            for id, where in spoken.terms.items():
                if id not in there:
                    part.fault(where, f"{catalog.file} has no {id!r}, which is said in it")
    if len(catalogs) > 1:
        _note_bare(spoken, part)
        _note_names(game, part)
    part.looked_at = (
        f"{len(catalogs[ENGLISH].texts) if ENGLISH in catalogs else 0} messages in "
        f"{', '.join(sorted(catalogs))}; {len(spoken.messages)} of them and of ours were shown"
    )


def _values(catalog: Catalog, id: str) -> set[str]:
    try:
        return values_in(catalog.find(id) or "")
    except BadCatalog:  # already reported
        return set()


def _note_bare(spoken: TextLog, part: CheckPart) -> None:
    """Texts that are no messages; names that people gave are among them, so it is no fault."""
    told = {where: text for text, where in spoken.bare.items() if where.startswith("effect ")}
    for where, text in told.items():
        id = where.replace(" ", ".", 1)
        part.fault(where, f"{text!r} is told so in every language; {id!r} would do")
    if spoken.bare:
        some = [f"{text!r} ({where})" for text, where in list(spoken.bare.items())[:MOST_EXAMPLES]]
        many = len(spoken.bare)
        part.note(f"{many} texts are said as they are in every language: {', '.join(some)}")


def _note_names(game: Game, part: CheckPart) -> None:
    """Names on starters that everybody reads alike: right for a make, but not for a skill."""
    sheets = [] if game.sheet is None else [(game.sheet, one.values) for one in game.card.starters]
    names = dict.fromkeys(name for kind, held in sheets for name in names_on(kind, held))
    if bare := [name for name in names if f"name.{name}" not in game.words.own]:
        some = ", ".join(f"'name.{name}'" for name in bare[:MOST_EXAMPLES])
        part.note(f"{len(bare)} names on starters are read alike in every language: no {some}")


Wanted = tuple[str, tuple[str, ...]]
"""A place, and the ids of which one has to be there."""


def names_of(game: Game) -> Iterator[Wanted]:
    """All that the game itself names."""
    yield "the summary", ("about",)
    for roll, kind in game.requests.items():
        yield f"roll {roll}", (f"roll.{roll}",)
        yield f"what roll {roll} is", (f"about.{roll}",)
        for name in field_names(kind.outcome) or ():
            yield f"outcome of {roll}", (f"outcome.{name}",)
        for _, words in enumerated_fields(kind.outcome):
            for text in words:
                if any(map(str.isalpha, text)):
                    yield f"outcome of {roll}", (f"word.{text}",)
        yield from _fields(f"field of {roll}", kind, roll)
    for goal in game.goals:
        yield f"goal {goal}", (f"goal.{goal}",)
    for policy in game.policies:
        yield f"policy {policy}", (f"policy.{policy}",)
    for name in game.card.prices:
        yield f"price {name}", (f"cost.{name}",)
    for name, question in game.questions.items():
        yield f"question {name}", (f"question.{name}",)
        for field, unit in _answer(question.answers_with):
            if field:
                ways = ("answer", "outcome", "label", "word")
                yield f"answer to {name}", tuple(f"{way}.{field}" for way in ways)
            elif unit not in (CHANCE, POINTS):
                yield f"unit of the answer to {name}", (f"unit.{unit}",)
    for role in dict.fromkeys(one for card in game.card.rolls.values() for one in card.roles):
        yield f"role {role}", (f"label.{role}",)
        yield f"role {role}", (f"role.{role}",)
    if game.sheet is not None:
        yield from _fields("field of the sheet", game.sheet, "sheet")
    if game.shared is not None:
        yield from _fields("field of what is shared", game.shared, "shared")
    for name, about in fields_of(game.house).items():
        yield f"house rule {name}", (f"house.{name}",)
        yield f"what house rule {name} is", (f"help.house.{name}",)
        for setting in about.more.get("readings") or {}:
            yield f"house rule {name}", (f"house.{name}.{_setting_text(setting)}",)


def enumerated_fields(outcome: Any) -> Iterator[tuple[str, list[str]]]:
    """The fields of an outcome that hold one of a few words, with these words."""
    for name, hint in (types_in(outcome) if field_names(outcome) else {"": outcome}).items():
        ranks = hint.ranks if isinstance(hint, type) and issubclass(hint, Ranked) else ()
        literal = get_args(hint) if get_origin(hint) is Literal else ()
        if words := [text for text in (*ranks, *literal) if isinstance(text, str)]:
            yield name, words


def names_on(kind: type[Value], held: Mapping[str, Any]) -> Iterator[str]:
    """Names on a sheet of what the game may have words for."""
    for name, about in fields_of(kind).items():
        inner, known = about, about.more.get("known")
        while inner.kind == "list":
            inner = inner.inner
        found = held.get(name, ())
        for one in found if isinstance(found, list | tuple) else (found,):
            if isinstance(one, Mapping) and inner.kind == "value":
                yield from names_on(inner.inner, one)
            elif isinstance(one, str) and one and known:
                yield one


def chosen_in(game: Game, tried: Sequence[TriedRoll]) -> Iterator[Wanted]:
    """Who chooses and between what, which a table of best play names without a roll at hand."""
    for where, so_far, _ in choices_in(tried):
        if SEAT.fullmatch(so_far.step.by):
            yield f"who chooses in {where}", (f"word.{so_far.step.by}",)
        for option in so_far.step.options[:MOST_OPTIONS]:
            label = game.card.offered(so_far.request, so_far, option).label
            if isinstance(label, Message) and not label.values:
                said = format_option(option)
                yield f"option of {where}", (f"word.{said}", f"option.{said}")


def _answer(hint: Any, deep: int = 6) -> Iterator[tuple[str, str]]:
    """The fields of an answer by name, and what its numbers count."""
    if deep == 0:
        return
    for note in getattr(hint, "__metadata__", ()):
        if hasattr(note, "name"):
            yield "", note.name
    for part in get_args(hint):
        yield from _answer(part, deep - 1)
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        hints = types_in(hint)
        for name in hint._fields:
            yield name, ""
            yield from _answer(hints[name], deep - 1)


def _setting_text(setting: object) -> str:
    """A setting of a house rule as JSON has it."""
    return setting if isinstance(setting, str) else dumps(setting)


def _fields(where: str, kind: type[Value], home: str) -> Iterator[Wanted]:
    """The fields of a value and of those within it: what they are called, what each is for."""
    for name, about in fields_of(kind).items():
        if name == "house":
            continue
        yield f"{where} {name}", (f"label.{home}.{name}", f"label.{name}")
        if about.help:
            yield f"help on {where} {name}", (f"help.{home}.{name}", f"help.{name}")
        yield from _within(where, about, home)


def _within(where: str, about: Field, home: str) -> Iterator[Wanted]:
    while about.kind == "list":
        about = about.inner
    for choice in about.choices:
        if len(choice) > 1:
            yield f"choice of {where} {about.name}", (f"word.{choice}",)
    if about.kind == "value":
        yield from _fields(where, about.inner, home)
