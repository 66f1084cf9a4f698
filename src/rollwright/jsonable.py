"""Plain data: what JSON holds alike in every parser, and the one text it is written as."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from json import JSONDecoder, JSONEncoder
from types import MappingProxyType
from typing import Any, TypeAlias

from rollwright.errors import RollwrightError

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
"""A JSON value."""
JsonObject: TypeAlias = dict[str, "Json"]
"""An object of JSON: values by their names."""
JsonMapping: TypeAlias = Mapping[str, Any]
"""Plain data by its names, which nobody changes."""
EMPTY: JsonMapping = MappingProxyType({})
"""An object with nothing in it, that nobody can change."""

EXACT_IN_EVERY_PARSER = 2**53
_LOWEST = -EXACT_IN_EVERY_PARSER


class BadValue(RollwrightError):
    """A value that is no plain data, or cannot be written into a log: a float, half a character."""


def canonical_json(value: Any) -> bytes:
    """JSON as a browser writes it too: sorted keys, no spaces, UTF-8.

    >>> canonical_json({"b": [1, None], "a": "é"}).decode()
    '{"a":"é","b":[1,null]}'
    """
    try:
        return _written(value).encode()
    except (TypeError, ValueError, RecursionError) as problem:
        raise BadValue(f"this cannot be written into a log: {problem}") from None


_written = JSONEncoder(
    sort_keys=True,
    separators=(",", ":"),
    ensure_ascii=False,
    allow_nan=False,
    check_circular=False,  # what goes in circles is too deep: to look for it took half the time
).encode


def json_text(value: object) -> str:
    """JSON for scripts and people: fields in their own order, signs as they are.

    >>> json_text({"b": [1, None], "a": "é"})
    '{"b": [1, null], "a": "é"}'
    """
    return _readable(value)


_readable = JSONEncoder(ensure_ascii=False).encode


def parse_json(text: str | bytes) -> Json:
    """Return the value of a JSON text.

    >>> parse_json('{"a": [1, null]}')
    {'a': [1, None]}
    >>> parse_json("{a}")
    Traceback (most recent call last):
        ...
    rollwright.jsonable.BadValue: this is not JSON: Expecting property name enclosed in ...

    Half a character cannot be written anywhere again, so it is refused where it comes in:

    >>> parse_json('["\\\\ud83d"]')
    Traceback (most recent call last):
        ...
    rollwright.jsonable.BadValue: this is not JSON: a text holds half a character
    """
    try:
        whole = text.decode() if isinstance(text, bytes) else text
        found: Json = _parsed(whole)
        if whole is text:
            whole.encode()
        if "\\ud" in whole or "\\uD" in whole:
            _readable(found).encode()
    except UnicodeEncodeError:
        raise BadValue("this is not JSON: a text holds half a character") from None
    except (ValueError, RecursionError) as problem:
        raise BadValue(f"this is not JSON: {problem}") from None
    return found


_parsed = JSONDecoder().decode

NO_NUMBER = EXACT_IN_EVERY_PARSER
"""A placeholder for a number that no log may hold; it is too large for one itself."""


def parse_exact_json(text: str) -> Json:
    """Return the value of a log's text, in which only whole numbers are numbers.

    Parsers differ in what they make of 1.0, 1e0 or NaN, and a log that is true for one of them and
    false for another would accuse somebody. If a name is repeated, the last counts.

    >>> parse_exact_json('{"a": 1, "b": [1.0, 1e0, NaN], "a": 2}') == {"a": 2, "b": 3 * [NO_NUMBER]}
    True
    """
    try:
        found: Json = _parsed_exactly(text)
        return found
    except (ValueError, RecursionError) as problem:
        raise BadValue(f"this is not JSON: {problem}") from None


def _whole(digits: str) -> int:
    return int(digits) if len(digits) <= LONGEST_NUMBER else NO_NUMBER


def _no_number(_: str) -> int:
    return NO_NUMBER


LONGEST_NUMBER = 4000
_parsed_exactly = JSONDecoder(
    parse_int=_whole, parse_float=_no_number, parse_constant=_no_number
).decode


def check_jsonable(value: Any, depth: int = 40) -> None:
    """Refuse what would not be written alike everywhere: floats, huge numbers, half characters."""
    kind = type(value)
    if kind in _LEAVES:
        _check_leaf(value)
    elif isinstance(value, (list, dict)) and not depth:
        raise BadValue("values are nested too deeply to be written into a log")
    elif isinstance(value, list):
        if {*map(type, value)} == {int} and _is_exact(min(value)) and _is_exact(max(value)):
            return  # a list of numbers may be long
        _check_parts(value, depth)
    elif isinstance(value, dict):
        for name in value:
            if type(name) is not str or not name.isascii():
                _check_text(name)
        _check_parts(value.values(), depth)
    elif isinstance(value, str):
        _check_text(value)
    else:
        raise BadValue(f"{kind.__name__} cannot be written into a log")


_LEAVES = frozenset((str, int, bool, type(None)))


def _check_parts(parts: Iterable[Any], depth: int) -> None:
    """Check what a list or an object holds; most of that is held by nothing further."""
    for part in parts:
        kind = type(part)
        if kind is str:
            if not part.isascii():
                _check_text(part)
        elif kind is int:
            if not _LOWEST < part < EXACT_IN_EVERY_PARSER:
                _check_leaf(part)
        elif part is not None and kind is not bool:
            check_jsonable(part, depth - 1)


def _check_leaf(value: str | int | None) -> None:
    if type(value) is str:
        _check_text(value)
    elif type(value) is int and not _is_exact(value):
        raise BadValue("a number is too large or no whole one, and not written alike everywhere")


def _is_exact(number: int) -> bool:
    return -EXACT_IN_EVERY_PARSER < number < EXACT_IN_EVERY_PARSER


def _check_text(text: Any) -> None:
    if not isinstance(text, str):
        raise BadValue("names of fields are texts")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadValue("a text holds half a character") from None
