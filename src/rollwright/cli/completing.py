"""What a shell can offer for a word that is not finished: names of a game, and files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rollwright.errors import UnknownName
from rollwright.kit.fields import fields_of
from rollwright.kit.games import find_game, list_games

YES_OR_NO = ("yes", "no")


def offered(kind: Any, what: str, begun: str) -> list[str]:
    """The names of a kind of thing that begin like this, for the roll that is asked about."""
    if what in ("house", "vary") and "=" in begun:
        return _values(kind, begun)
    if what in ("outcome", "vary") and "," in begun:
        return _after_comma(kind, what, begun)
    return [name for name in _names(kind, what) if name.startswith(begun)]


def _names(kind: Any, what: str) -> list[str]:
    from rollwright.cli.explaining import names_of
    from rollwright.exact.fields import field_names

    if what == "outcome":
        return list(field_names(kind.outcome))
    if what == "vary":
        fields = [f"{name}=" for name in fields_of(kind) if name != "house"]
        return [*fields, *names_of(kind, "house"), "policy="]
    return names_of(kind, what)


def _after_comma(kind: Any, what: str, begun: str) -> list[str]:
    """The next of several names: `hit,ja` goes on as `hit,jammed`."""
    before, _, last = begun.rpartition(",")
    return [f"{before},{name}" for name in _names(kind, what) if name.startswith(last)]


def _values(kind: Any, begun: str) -> list[str]:
    """What may follow `jam_rule=`, or the next of the values in `skill=B,`."""
    name, _, text = begun.partition("=")
    before, comma, last = text.rpartition(",")
    choices = _choices(kind, name.replace("-", "_"))
    return [f"{name}={before}{comma}{c}" for c in choices if c.lower().startswith(last.lower())]


def _choices(kind: Any, name: str) -> list[str]:
    game = find_game(kind.game)
    if name == "policy":
        return [*game.policies, "best"]
    about = {**fields_of(game.house), **fields_of(kind)}.get(name)
    if about is None:
        return []
    return list(YES_OR_NO) if about.kind == "bool" else [str(c) for c in about.choices if c != ""]


def words_offered(words: Sequence[str], begun: str) -> list[str]:
    """Games and saved files for the first word, the rolls of a game for the second."""
    if not words:
        return [name for name in list_games() if name.startswith(begun)] + _files(begun)
    try:
        game = find_game(words[0])
    except UnknownName:
        return _files(begun)
    return [roll for roll in game.requests if roll.startswith(begun)] if len(words) == 1 else []


def _files(begun: str) -> list[str]:
    """Saved rolls and requests whose names begin like this."""
    from glob import escape, glob

    return sorted(glob(escape(begun) + "*.json"))
