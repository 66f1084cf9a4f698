"""The reader: in which language texts are put into words while an answer is made for somebody.

It is what a command line, the environment or a browser asks for. A surface says once who reads,
`with reading("de"): …`, and whatever is put into words meanwhile is in that language; nobody hands
a language on from function to function. Without it English is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from rollwright.words.messages import HOUSE, Message, Value

ENGLISH = "en"
OPTION = "--language"
VARIABLES = ("ROLLWRIGHT_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")

_LANGUAGE: ContextVar[str] = ContextVar("rollwright.reader", default=ENGLISH)
_CODE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}")


def reader_language() -> str:
    """The language of whoever reads."""
    return _LANGUAGE.get()


@contextmanager
def reading(language: str) -> Iterator[None]:
    """What is put into words inside is in this language; in English where the code is empty.

    >>> with reading("de"):
    ...     print(in_words("field.high", came=1234), decimals("12.5"))
    1.234 ist zu hoch 12,5
    """
    before = _LANGUAGE.set(language or ENGLISH)
    try:
        yield
    finally:
        _LANGUAGE.reset(before)


def in_words(id: str, /, **values: Value) -> str:
    """A message of Rollwright's own words, as whoever reads understands it."""
    return spoken(Message(id, values, HOUSE))


def spoken(wording: Message | str) -> str:
    """A message, or a text as it is, as whoever reads understands it."""
    if isinstance(wording, str):
        return wording
    from rollwright.words.catalogs import say  # files are read when somebody reads, not before

    return say(wording, reader_language())


def decimals(number: str) -> str:
    """A number that is written as in English, 1,234.5, with the signs of the reader's language."""
    language = reader_language()
    if language == ENGLISH:
        return number
    from rollwright.words.languages import language_of

    spoken = language_of(language)
    return number.translate({ord("."): spoken.decimal, ord(","): spoken.group})


def language_from(variables: Mapping[str, str]) -> str:
    """The language that the environment asks for, the most particular variable first.

    >>> language_from({"LANG": "de_AT.UTF-8"}), language_from({"LC_ALL": "C", "LANG": "de"})
    ('de-AT', 'en')
    """
    wanted = next((found for name in VARIABLES if (found := variables.get(name, ""))), "")
    return language_code(wanted) or ENGLISH


def language_asked(words: Sequence[str], variables: Mapping[str, str]) -> str:
    """The language that a command line asks for by `--language`, before its command; or else
    the environment. It is known before any option is read, since help is said in it too.

    >>> language_asked(["--language", "de", "roll", "2d6"], {"LANG": "fr_FR"})
    'de'
    >>> language_asked(["roll", "2d6", "--language=de"], {"LANG": "fr_FR"})
    'fr-FR'
    """
    for place, option in enumerate(words):
        name, equal, value = option.partition("=")
        if name == OPTION:
            given = value if equal else "".join(words[place + 1 : place + 2])
            return language_code(given) or ENGLISH
        if not option.startswith("-"):
            break
    return language_from(variables)


def language_code(written: str) -> str:
    """A code as people and systems write it, in the one form there is here; empty for none.

    >>> language_code("pt_br"), language_code("de_DE.UTF-8@euro"), language_code("POSIX")
    ('pt-BR', 'de-DE', '')
    """
    plain = written.partition(".")[0].partition("@")[0].strip().replace("_", "-")
    if not _CODE.fullmatch(plain):
        return ""
    first, *rest = plain.split("-")
    return "-".join([first.lower(), *(part.upper() if len(part) == 2 else part for part in rest)])


def language_accepted(header: str) -> str:
    """The language that a browser's `Accept-Language` likes best; empty for none.

    >>> language_accepted("fr;q=0.5, de-AT, de;q=0.9, *;q=0.1"), language_accepted("*")
    ('de-AT', '')
    """
    liked: dict[str, float] = {}
    for part in header.split(",")[:20]:
        code, _, weight = part.partition(";q=")
        try:
            liked.setdefault(language_code(code.strip()), float(weight or 1))
        except ValueError:
            continue
    liked.pop("", None)
    return max(liked, key=liked.__getitem__, default="")
