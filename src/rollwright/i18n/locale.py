"""The reader: in which language texts are put into words while an answer is made for somebody.

It is what a command line, the environment or a browser asks for. A surface says once who reads,
`with reading("de"): …`, and whatever is put into words meanwhile is in that language; nobody hands
a language on from function to function. Without it English is read.
"""

from __future__ import annotations

from contextvars import ContextVar, Token

from rollwright.i18n.codes import ENGLISH as ENGLISH
from rollwright.i18n.messages import HOUSE, Message, Value

_LANGUAGE: ContextVar[str] = ContextVar("rollwright.reader", default=ENGLISH)


def reader_language() -> str:
    """Return the language of the reader."""
    return _LANGUAGE.get()


class use_locale:
    """Use this language for every text made inside; English if the code is empty.

    >>> with use_locale("de"):
    ...     print(in_words("field.high", came=1234), decimals("12.5"))
    1.234 ist zu hoch 12,5
    """

    __slots__ = ("_before", "_language")
    _before: Token[str]

    def __init__(self, language: str) -> None:
        self._language = language or ENGLISH

    def __enter__(self) -> None:
        self._before = _LANGUAGE.set(self._language)

    def __exit__(self, *problem: object) -> None:
        _LANGUAGE.reset(self._before)


def in_words(id: str, /, **values: Value) -> str:
    """Return a message of Rollwright's own in the reader's language."""
    return format_text(Message(id, values, HOUSE))


def format_text(wording: Message | str) -> str:
    """Return a message in the reader's language, or a text as it is."""
    if isinstance(wording, str):
        return wording
    from rollwright.i18n.catalogs import say  # files are read when somebody reads, not before

    return say(wording, reader_language())


def decimals(number: str) -> str:
    """A number that is written as in English, 1,234.5, with the signs of the reader's language."""
    language = reader_language()
    if language == ENGLISH:
        return number
    from rollwright.i18n.languages import language_of

    spoken = language_of(language)
    return number.translate({ord("."): spoken.decimal, ord(","): spoken.group})
