"""Texts of a game as somebody reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rollwright.errors import RollwrightError
from rollwright.hooks import Text
from rollwright.i18n.catalogs import words_of
from rollwright.kit.games import find_game

Who = Callable[[str], str]
TEXTS = frozenset(
    ("title", "told", "question", "standing", "label", "leads", "said", "word", "why")
)
LISTS_OF_TEXTS = frozenset(("detail", "paid"))
TEXTS_BY_NAME = frozenset(("named",))
"""The keys of texts in the data of a roll."""


def format_texts(held: Any, speak: Callable[[Text], str]) -> Any:
    """Return the data of a roll with every text in it spoken.

    >>> format_texts({"question": ["x"], "options": [{"option": ["a"], "said": ["y"]}]}, "".join)
    {'question': 'x', 'options': [{'option': ['a'], 'said': 'y'}]}
    """
    if isinstance(held, list):
        return [format_texts(part, speak) for part in held]
    if not isinstance(held, dict):
        return held
    return {name: _format_part(name, part, speak) for name, part in held.items()}


def _format_part(name: str, held: Any, speak: Callable[[Text], str]) -> Any:
    if name in TEXTS:
        return speak(held)
    if name in LISTS_OF_TEXTS:
        return [speak(text) for text in held]
    if name in TEXTS_BY_NAME:
        return {key: speak(text) for key, text in held.items()}
    return held if name in ("option", "outcome", "fields") else format_texts(held, speak)


def say(text: Any, game: str = "", language: str = "en", who: Who | None = None) -> str:
    """A text of a game as somebody reads it: a message in their language, else as it is."""
    if isinstance(text, str):
        return text
    try:
        words = find_game(game).words if game else words_of("rollwright")
        return words.say(text, language, who=who)
    except RollwrightError:  # a game that is not here, or a message that nobody can say
        return str(text[0]) if isinstance(text, list) and text else str(text)
