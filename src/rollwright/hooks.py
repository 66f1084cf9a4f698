"""Calls of a game's card, guarded: whatever a card does or gives, the roll goes on.

A part that fails, takes too long or gives what nobody can show has its default in its place, and
the game is named in the log. What a part gives is made into plain data *inside* the guard: what
could not be written into a log, or would be read otherwise than it was meant, never leaves it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Protocol, TypeAlias, TypeVar, cast, overload

from rollwright.errors import (
    BadCatalog,
    BadGame,
    BadMessage,
    BrokenGame,
    Cancelled,
    RollwrightError,
)
from rollwright.i18n.messages import Message, msg, sentences
from rollwright.jsonable import BadValue, Json, check_jsonable
from rollwright.timeouts import HURRIED, Backoff, TooSlow, call_with_timeout

T = TypeVar("T")
S = TypeVar("S")
Text: TypeAlias = str | list[Json]
"""A text for people, as data: as it is, or a message `[id, {values}]` of the game's words."""
LONGEST_TEXT, LONGEST_NAME = 3000, 200
LARGEST_MESSAGE = 12_000
"""Bytes that a message with its values may take in an event."""
REFUSING = frozenset(("fill", "first", "form", "knows", "option_of", "start"))
"""Parts of a card that read what somebody said, and may refuse it."""
SLIPS = (BadCatalog, BadGame, BadMessage, BadValue, BrokenGame)
"""Errors of ours that are the game's own, and refuse nothing that anybody said."""
AS_THEY_ARE = frozenset((str, int, bool, type(None)))
_log = logging.getLogger("rollwright.card")
_failed: set[tuple[str, str]] = set()
_resting: Backoff[tuple[str, str]] = Backoff()


class GameWithHooks(Protocol):
    """A game of which the card is known."""

    name: str
    title: str
    card: Any


class HookError(Exception):
    """A part of a card that nobody can show."""


@overload
def call_hook(game: GameWithHooks, part: str, usual: Callable[..., T], *args: Any) -> T: ...
@overload
def call_hook(
    game: GameWithHooks,
    part: str,
    usual: Callable[..., Any],
    *args: Any,
    shown: Callable[[Any], S],
    by: Callable[..., Any] | None = None,
) -> S: ...
def call_hook(
    game: GameWithHooks,
    part: str,
    usual: Callable[..., Any],
    *args: Any,
    shown: Callable[[Any], Any] | None = None,
    by: Callable[..., Any] | None = None,
) -> Any:
    """Return a part of a game's card, as it is `shown`; one that fails has the default.

    So has one that takes too long where others wait for it; it is not called again for a while,
    and until then the other parts of that card have less time.
    Parts that read drafts may refuse what they read. What is made of a part is made `by` a call.
    """
    named = game.name, part
    if named not in _resting:
        try:
            call = by or getattr(game.card, part)
            if _resting and any(name == game.name for name, _ in _resting):
                return call_with_timeout(
                    _call, call, shown, args, working=HURRIED[0], waiting=HURRIED[1]
                )
            return call_with_timeout(_call, call, shown, args)
        except TooSlow:
            seconds = _resting.start(named)
            _log.error(
                "%s: %s of its card takes too long; the default is shown, for %d seconds now",
                *(*named, seconds),
            )
        except (Cancelled, KeyboardInterrupt):
            raise
        except BaseException as problem:  # whatever a card does, the roll goes on: also sys.exit
            refuses = isinstance(problem, RollwrightError) and not isinstance(problem, SLIPS)
            if refuses and part in REFUSING:
                raise
            if named not in _failed:
                _failed.add(named)
                _log.exception("%s: %s of its card fails; the default is shown", *named)
    return shown(usual(*args)) if shown else usual(*args)


def _call(
    call: Callable[..., Any], shown: Callable[[Any], Any] | None, args: tuple[Any, ...]
) -> Any:
    return shown(call(*args)) if shown else call(*args)


def failed_hooks(game: GameWithHooks) -> list[str]:
    """The parts of a game's card that have failed since the start, or rest for being too slow."""
    return sorted(part for name, part in {*_failed, *_resting} if name == game.name)


def warnings(game: GameWithHooks) -> list[Message]:
    """Return the warnings for people if parts of a game's card have failed or rest."""
    return [msg("card.failed", game=game.title)] if failed_hooks(game) else []


def text_to_json(text: str | Message | Mapping[str, Any] | int | Fraction) -> Text:
    """A text as data: a message, or what is too long for one cut as people read it.

    A number is said as it is; anything else is no text.
    """
    if isinstance(text, Mapping):  # a value such as `word("Hard")` alone
        text = sentences(text)
    if not isinstance(text, Message):
        if not isinstance(text, (str, int, Fraction)):
            raise HookError(f"{type(text).__name__} is no text")
        return shorten(check_text(str(text)))
    plain = cast("list[Json]", text.plain)
    if not isinstance(text.id, str):
        raise HookError(f"{type(text.id).__name__} is no id of a message")
    check_jsonable(plain)
    return plain if len(str(plain)) <= LARGEST_MESSAGE else shorten(check_text(str(text)))


def check_name(name: str) -> str:
    """A short name that a card gives: of a person, a place, a symbol."""
    if not isinstance(name, str):
        raise HookError(f"{type(name).__name__} is no name")
    return check_text(str(name))[:LONGEST_NAME]


def check_text(text: str) -> str:
    """A text that can be written down: none that holds half a character."""
    if not text.isascii():
        text.encode()
    return text


def shorten(text: str) -> str:
    """A text that is not longer than one of an event may be."""
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def messages_to_json(held: Any) -> Any:
    """Data with every message in it as JSON holds it."""
    kind = type(held)
    if kind in AS_THEY_ARE:
        return held
    if kind is Message:
        return held.plain
    if kind is dict or isinstance(held, Mapping):
        found = {}
        for name, part in held.items():  # a form has thousands: those that are most are known first
            kind = type(part)
            if kind is Message:
                part = part.plain
            elif kind not in AS_THEY_ARE:
                part = messages_to_json(part)
            found[name if type(name) is str else str(name)] = part
        return found
    if isinstance(held, (list, tuple)):
        return [messages_to_json(part) for part in held]
    return held.plain if isinstance(held, Message) else held
