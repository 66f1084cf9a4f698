"""Messages: an id and values, shown in the reader's language.

The value itself says how it is written: a number is a number, `signed(-2)` one with its sign,
`percent(Fraction(11, 16))` a chance; a list is written as one, and a message may hold others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn, TypeAlias, Union

if TYPE_CHECKING:
    from fractions import Fraction

Plain: TypeAlias = Union[str, int, "list[Plain]", "dict[str, Plain]"]
"""A value as JSON holds it; a list is a message `[id, values]`, an object has one name."""
Value: TypeAlias = Union[str, int, "Fraction", "Message", "Sequence[Value]", "Mapping[str, Plain]"]
"""A value as given in Python."""

HOUSE = "rollwright"
MOST_BITS = 10_000


class Message:
    """Something to be said: an id of a catalog and the values that belong into its text.

    `home` is the package whose words have the text; it says nothing about what is meant, so it is
    neither compared nor written down.

    >>> Message("hit", {"n": 3}).plain
    ['hit', {'n': 3}]
    >>> Message("hit", {"n": 3}) == Message("hit", {"n": 3}, home="somewhere.else")
    True
    """

    __slots__ = ("home", "id", "values")

    id: str
    values: Mapping[str, Plain]
    home: str

    def __init__(
        self, id: str, values: Mapping[str, Value] | None = None, home: str = HOUSE
    ) -> None:
        given = values or {}
        if home == HOUSE:  # a game's message inside is found where the game's words are
            home = next((found for value in given.values() for found in _homes(value)), HOUSE)
        object.__setattr__(self, "id", id)
        object.__setattr__(self, "values", {name: plain(value) for name, value in given.items()})
        object.__setattr__(self, "home", home)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a message does not change; make another one ({name})")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a message does not change; make another one ({name})")

    @property
    def plain(self) -> list[Plain]:
        """As JSON holds it: `["id"]` or `["id", {values}]`."""
        return [self.id, dict(self.values)] if self.values else [self.id]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return self.id == other.id and self.values == other.values

    def __hash__(self) -> int:
        return hash((self.id, *self.values))

    def __repr__(self) -> str:
        return (
            f"said({', '.join([repr(self.id), *(f'{n}={v!r}' for n, v in self.values.items())])})"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return (_as_it_was, (self.id, dict(self.values), self.home))

    def __str__(self) -> str:
        """In English; catalogs are read when the first message is shown, not when it is made."""
        from rollwright.i18n.catalogs import say

        return say(self)


def _as_it_was(id: str, values: Mapping[str, Plain], home: str) -> Message:
    """A message that was copied or sent: its values are plain, and a message inside is a list."""
    message = Message(id, home=home)
    object.__setattr__(message, "values", values)
    return message


def message_from(plain: Plain, home: str = HOUSE) -> Message | str:
    """A message that was written down, as it was; a text stays one.

    >>> print(message_from(["field.low", {"came": -3}]))
    -3 is too low
    """
    if not isinstance(plain, list) or not plain:
        return str(plain)
    values = plain[1] if len(plain) > 1 and isinstance(plain[1], dict) else {}
    return _as_it_was(str(plain[0]), values, home)


def msg(id: str, /, **values: Value) -> Message:
    """A message of Rollwright's own words; a game has one of its own, `words_of(…).said`.

    >>> print(msg("field.low", came=-3))
    -3 is too low
    """
    return Message(id, values)


def with_sign(number: int) -> dict[str, Plain]:
    """A number with its sign: +3, −2."""
    return {"signed": number}


def percent(chance: Fraction | int | str) -> dict[str, Plain]:
    """A chance, kept exactly and shown in percent."""
    return {"percent": _format_number(chance)}


def word(term: str) -> dict[str, Plain]:
    """A word of the game's vocabulary: the text of `word.Hard`, or "Hard" where there is none."""
    return {"word": term}


def who(ref: str) -> dict[str, Plain]:
    """Somebody by reference, such as `@s3`; a surface knows the name."""
    return {"who": ref}


def somebody(name: str) -> Value:
    """Return somebody as a roll names them: a person at the table by reference, else as written.

    >>> somebody("@s3"), somebody("the ferryman")
    ({'who': '@s3'}, 'the ferryman')
    """
    return who(name) if name.startswith("@") else name


def die(name: str | int) -> dict[str, Plain]:
    """A die by its number of sides, or by a name with a text `die.ammo` (else as written)."""
    return {"die": name}


def any_of(parts: Iterable[Value]) -> dict[str, Plain]:
    """Several things of which one is meant: "a, b or c"; a list alone is "a, b and c"."""
    return {"or": [plain(part) for part in parts]}


def row_of(parts: Iterable[Value]) -> dict[str, Plain]:
    """Several things in a row: "a, b, c"."""
    return {"row": [plain(part) for part in parts]}


def clauses(parts: Iterable[Value]) -> dict[str, Plain]:
    """Parts of a sentence one after the other: "a; b"."""
    return {"clauses": [plain(part) for part in parts]}


def sentences(*parts: Value) -> Message:
    """Sentences one after the other, as one message."""
    home = next((found for part in parts for found in _homes(part)), HOUSE)
    return Message("sentences", {"parts": {"sentences": [plain(part) for part in parts]}}, home)


def plain(value: Value) -> Plain:
    """A value as JSON holds it.

    >>> from fractions import Fraction
    >>> plain(["a", msg("hit")]), plain(Fraction(7, 2))
    ({'and': ['a', ['hit']]}, {'number': '7/2'})
    """
    if isinstance(value, (str, int)):
        return value
    if isinstance(value, Message):
        return value.plain
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return {"and": [plain(part) for part in value]}
    return {"number": _format_number(value)}


def _format_number(number: Fraction | int | str) -> str:
    """A number as text; beyond thousands of digits the first of them say enough."""
    if isinstance(number, str):
        return number
    above, below = number.numerator, number.denominator
    spare = max(min(above.bit_length(), below.bit_length()) - MOST_BITS, 0)
    return str(above) if below == 1 else f"{above >> spare}/{below >> spare}"


def _homes(value: Value) -> Iterable[str]:
    """Yield the homes of messages inside a value, except Rollwright's own."""
    if isinstance(value, Message):
        return () if value.home == HOUSE else (value.home,)
    if isinstance(value, (str, Mapping)) or not isinstance(value, Sequence):
        return ()
    return (home for part in value for home in _homes(part))
