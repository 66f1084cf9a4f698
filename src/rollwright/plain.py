"""Plain data: what JSON holds alike in every parser, and the one text it is written as."""

from __future__ import annotations

from collections.abc import Mapping
from json import JSONDecoder, JSONEncoder
from types import MappingProxyType
from typing import Any, TypeAlias

from rollwright.errors import RollwrightError

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
"""What JSON holds."""
Record: TypeAlias = dict[str, "Json"]
"""An object of JSON: values by their names."""
EMPTY: Mapping[str, Any] = MappingProxyType({})
"""An object with nothing in it, that nobody can change."""

EXACT_IN_EVERY_PARSER = 2**53


class BadValue(RollwrightError):
    """What is no plain data, or cannot be written into a log: a float, half a character."""


def canonical(value: Any) -> bytes:
    """JSON as a browser writes it too: sorted keys, no spaces, UTF-8.

    >>> canonical({"b": [1, None], "a": "é"}).decode()
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


def text_of(value: object) -> str:
    """JSON for scripts and people: fields in their own order, signs as they are.

    >>> text_of({"b": [1, None], "a": "é"})
    '{"b": [1, null], "a": "é"}'
    """
    return _readable(value)


_readable = JSONEncoder(ensure_ascii=False).encode


def parsed(text: str | bytes) -> Json:
    """What a text of JSON holds.

    >>> parsed('{"a": [1, null]}')
    {'a': [1, None]}
    >>> parsed("{a}")
    Traceback (most recent call last):
        ...
    rollwright.plain.BadValue: this is not JSON: Expecting property name enclosed in ...
    """
    try:
        found: Json = _parsed(text.decode() if isinstance(text, bytes) else text)
    except (ValueError, RecursionError) as problem:
        raise BadValue(f"this is not JSON: {problem}") from None
    return found


_parsed = JSONDecoder().decode


def check_plain(value: Any, depth: int = 40) -> None:
    """Refuse what would not be written alike everywhere: floats, huge numbers, half characters."""
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, str):
        _check_text(value)
    elif type(value) is int:
        if not _is_exact(value):
            raise BadValue("a number is too large to be written alike everywhere")
    elif isinstance(value, (list, dict)) and not depth:
        raise BadValue("values are nested too deeply to be written into a log")
    elif isinstance(value, list):
        if {*map(type, value)} == {int} and _is_exact(min(value)) and _is_exact(max(value)):
            return  # a list of numbers may be long
        for part in value:
            check_plain(part, depth - 1)
    elif isinstance(value, dict):
        for name, part in value.items():
            _check_text(name)
            check_plain(part, depth - 1)
    else:
        raise BadValue(f"{type(value).__name__} cannot be written into a log")


def _is_exact(number: int) -> bool:
    return -EXACT_IN_EVERY_PARSER < number < EXACT_IN_EVERY_PARSER


def _check_text(text: Any) -> None:
    if not isinstance(text, str):
        raise BadValue("names of fields are texts")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadValue("a text holds half a character") from None
