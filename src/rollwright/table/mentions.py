"""People by name: whom a roll may name, chosen or typed, and what somebody may call themselves."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Any

from rollwright.i18n.messages import Message, any_of
from rollwright.jsonable import JsonObject
from rollwright.kit.card import Person
from rollwright.kit.checks import format_value
from rollwright.kit.fields import Field, Value, fields_of
from rollwright.kit.shared import TABLE
from rollwright.table.errors import bad_field
from rollwright.table.events import REMOVED, SPECTATOR, Seat, is_in_audience
from rollwright.table.sheets import Sheet, need_game, sheet_value
from rollwright.table.state import TableState

MOST_PEOPLE = 60
BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0")
"""Letters and marks that are drawn as nothing."""
SELECTORS = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF))
"""First and last signs of ranges that only say how the sign before them is drawn."""
NOTHING = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp", "Zs"))
"""Categories of signs that are drawn as nothing."""
CYRILLIC = (
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442"
    "\u0443\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u051d"
)
GREEK = "\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7"
TWINS = str.maketrans(CYRILLIC + GREEK, "abekmhopctyxsijhdqw" + "abeikvoptux")
"""Letters of other alphabets, with those that they are drawn like, large or small."""


def visible_people(state: TableState, seat: Seat | None, but: str) -> tuple[Person, ...]:
    """Everybody whom a roll may name, with the sheets that this seat may see."""
    found = []
    if need_game(state, "form").sheet is None:
        there = [one for one in state.seats.values() if one.is_here and one.role != SPECTATOR]
        found = [person_at(state, one.id, None) for one in there if one.id != but]
    sheets = sheets_of_people(state, seat)
    found += [
        person_at(state, one.id, sheet_value_of(state, one)) for one in sheets if one.id != but
    ]
    return tuple(found[:MOST_PEOPLE])


def sheets_of_people(state: TableState, seat: Seat | None) -> list[Sheet]:
    """Return the sheets of those a roll may name, and of the roller; the first of very many."""
    lying = [one for one in state.sheets.values() if not one.removed and one.id != TABLE]
    return [one for one in lying if is_in_audience(seat, one.audience)][: MOST_PEOPLE + 1]


def person_at(state: TableState, id: str, sheet: Value | None) -> Person:
    """Somebody by seat or sheet: called as their character is, where it has a name."""
    seat = state.seats.get(id)
    player = seat.name.text if seat and seat.name else ""
    character = str(getattr(sheet, "name", ""))
    name = character or player or id
    return Person(f"@{id}", name, sheet, "" if player == name else player)


def sheet_value_of(state: TableState, sheet: Sheet) -> Value | None:
    """Return the value of a sheet, as the game knows it; None if it knows none.

    It is made once until the sheet changes: a form looks at the sheets of sixty people.
    """
    held = sheet.made_of
    if held is not None and held[0] is state.house:
        return held[1]
    value = sheet_value(state, sheet.id, sheet.values)
    if not isinstance(value, Value):
        return None
    sheet.made_of = state.house, value
    return value


def resolve_people(
    state: TableState, seat: Seat, draft: JsonObject, sheet: Sheet | None, parts: Iterable[str]
) -> JsonObject:
    """Return a roll in which a typed name is replaced by the person of that name.

    `parts` are those of a draft that hold fields; "" for a request, which is fields itself. A name
    may also mean somebody on the roller's own sheet: then it stays. The rollers themselves are
    named as their sheet names them, if it does.
    """
    game = need_game(state, "form")
    kind: type | None = game.requests.get(str(draft.get("roll", game.default_roll)))
    said = {part: draft.get(part) if part else draft for part in parts}
    held = {part: fields for part, fields in said.items() if isinstance(fields, dict)}
    naming = _naming(kind)
    if kind is None or all(naming.isdisjoint(fields) for fields in held.values()):
        return draft
    own = seat.id if sheet is None else sheet.id
    me = person_at(state, own, None if sheet is None else sheet_value_of(state, sheet))
    known = _NameResolver(visible_people(state, seat, own), me)
    found = {part: known.resolve(kind, fields, part) for part, fields in held.items()}
    return {**draft, **found.pop("", {}), **found}


def last_naming(state: TableState, seat: Seat) -> int:
    """Return the last event by which a name that this seat may type could mean another."""
    sheets = (one.named for one in state.sheets.values() if is_in_audience(seat, one.audience))
    return max(state.people_changed, *sheets, 0)


def holds_typed_names(
    state: TableState, draft: JsonObject, parts: Iterable[str] = ("pick", "set")
) -> bool:
    """Return whether a roll may mean somebody by a name that was typed, and not chosen."""
    game = need_game(state, "form")
    kind: type | None = game.requests.get(str(draft.get("roll", game.default_roll)))
    held = [draft.get(part) if part else draft for part in parts]
    return kind is not None and any(
        _types(kind, fields) for fields in held if isinstance(fields, dict)
    )


def _types(kind: type, said: JsonObject) -> bool:
    known = fields_of(kind)
    return any(_is_free_text(known[name], held) for name, held in said.items() if name in known)


def _is_free_text(about: Field, held: Any) -> bool:
    if isinstance(held, str):
        return bool(about.more.get("person")) and bool(held.strip()) and not held.startswith("@")
    inner = about.inner
    if isinstance(held, dict) and isinstance(inner, type) and issubclass(inner, Value):
        return _types(inner, held)
    return (
        isinstance(held, list)
        and isinstance(inner, Field)
        and any(_is_free_text(inner, part) for part in held)
    )


@cache
def _naming(kind: type | None) -> frozenset[str]:
    """The fields of a value that may name people."""
    known = {} if kind is None else fields_of(kind)
    return frozenset(name for name, about in known.items() if _holds_names(about))


def _holds_names(about: Field | None) -> bool:
    if not isinstance(about, Field):
        return False
    if isinstance(about.inner, type) and issubclass(about.inner, Value):
        return any(map(_holds_names, fields_of(about.inner).values()))
    return bool(about.more.get("person")) or _holds_names(about.inner)


class _NameResolver:
    """The people whom a name may mean."""

    def __init__(self, people: tuple[Person, ...], me: Person) -> None:
        self._own = frozenset(_item_names(me.sheet))
        self._called: dict[str, list[Person]] = {}
        for one in (*people, me._replace(ref=str(getattr(me.sheet, "name", "")))):
            for name in {_comparable(one.name), _comparable(one.player)}:
                self._called.setdefault(name, []).append(one)

    def resolve(self, kind: type[Value], said: JsonObject, where: str) -> JsonObject:
        """Fields of a value with references in the place of names."""
        known = fields_of(kind)
        return {
            name: self._resolve_field(known[name], held, f"{where}.{name}".lstrip("."))
            if name in known
            else held
            for name, held in said.items()
        }

    def _resolve_field(self, about: Field, held: Any, where: str) -> Any:
        if isinstance(held, str) and about.more.get("person"):
            return self._resolve_name(held, where)
        inner = about.inner
        if isinstance(held, dict) and isinstance(inner, type) and issubclass(inner, Value):
            return self.resolve(inner, held, where)
        if isinstance(held, list) and isinstance(inner, Field):
            return [self._resolve_field(inner, part, f"{where}.{n}") for n, part in enumerate(held)]
        return held

    def _resolve_name(self, typed: str, where: str) -> str:
        name = _comparable(typed)
        if not name or typed.startswith("@") or name in self._own:
            return typed
        found = self._called.get(name, [])
        if len(found) > 1:
            named = any_of(_describe(one) for one in found)
            raise bad_field(where, Message("table.name.two", {"name": typed, "people": named}))
        return (found[0].ref or typed) if found else typed


def _describe(person: Person) -> Message | str:
    if not person.player:
        return person.name
    return Message("table.name.of", {"name": person.name, "player": person.player})


def _item_names(sheet: Value | None) -> list[str]:
    """Return the names in the lists of a sheet: foes, weapons, tasks."""
    lists = [] if sheet is None else [getattr(sheet, name) for name in fields_of(type(sheet))]
    parts = [part for held in lists if isinstance(held, tuple) for part in held]
    return [
        _comparable(str(part.name)) for part in parts if isinstance(getattr(part, "name", 0), str)
    ]


def _comparable(name: str) -> str:
    """A name as it is compared.

    >>> _comparable("  Vex  the Red"), _comparable("vex THE red")
    ('vex the red', 'vex the red')
    """
    return " ".join(name.split()).casefold()


def skeleton(name: str) -> str:
    """Return how a name looks: names that look alike cannot be told apart.

    >>> [skeleton(name) for name in ("  Ann\\u200b ", "\\uff21NN", "\\u0410nn", "\\u200b")]
    ['ann', 'ann', 'ann', '']
    """
    seen = [
        sign for sign in unicodedata.normalize("NFKC", name) if sign == " " or _is_visible(sign)
    ]
    folded = unicodedata.normalize("NFKC", "".join(seen).casefold())
    return " ".join(folded.translate(TWINS).split())


def _is_visible(sign: str) -> bool:
    if sign in BLANKS or unicodedata.category(sign) in NOTHING:
        return False
    return not any(first <= ord(sign) <= last for first, last in SELECTORS)


def check_name(name: str, seat: str, seats: Iterable[Seat]) -> None:
    """Refuse a name in which nothing is to be seen, or that looks like somebody else's here."""
    looks = skeleton(name)
    if not any(unicodedata.category(sign)[0] != "M" for sign in looks):
        raise bad_field("name", Message("table.name.unseen"), Message("field.letters"))
    others = [one for one in seats if one.id != seat and one.status != REMOVED]
    if any(one.name is not None and skeleton(one.name.text) == looks for one in others):
        taken = Message("table.name.taken", {"name": format_value(name)})
        raise bad_field("name", taken, Message("table.name.another"))
