"""Codes of languages: as people write them, and which one a command line or a browser asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

ENGLISH = "en"
OPTION = "--language"
VARIABLES = ("ROLLWRIGHT_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")

_CODE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}")


def language_from(variables: Mapping[str, str]) -> str:
    """The language that the environment asks for, the most particular variable first.

    >>> language_from({"LANG": "de_AT.UTF-8"}), language_from({"LC_ALL": "C", "LANG": "de"})
    ('de-AT', 'en')
    """
    wanted = next((found for name in VARIABLES if (found := variables.get(name, ""))), "")
    return language_code(wanted) or ENGLISH


def language_option(words: Sequence[str], variables: Mapping[str, str]) -> str:
    """The language that a command line asks for by `--language`, before its command; or else
    the environment. It is known before any option is read, since help is said in it too.

    >>> language_option(["--language", "de", "roll", "2d6"], {"LANG": "fr_FR"})
    'de'
    >>> language_option(["roll", "2d6", "--language=de"], {"LANG": "fr_FR"})
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


def best_language(header: str) -> str:
    """The language that a browser's `Accept-Language` likes best; empty for none.

    >>> best_language("fr;q=0.5, de-AT, de;q=0.9, *;q=0.1"), best_language("*")
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
