"""The commonest command, `rollwright roll 2d6`, without what only the others need."""

from __future__ import annotations

import os
from collections.abc import Sequence


def is_plain_roll(words: Sequence[str]) -> bool:
    """Whether a command line is nothing but dice to roll: no option, no game, no file."""
    if len(words) < 2 or words[0] != "roll" or "_ROLLWRIGHT_COMPLETE" in os.environ:
        return False
    if any(word.startswith("-") for word in words) or words[1].endswith(".json"):
        return False
    if len(words) == 2 and _is_there(words[1]):
        return False  # it may be a saved roll
    first = words[1].lstrip("dD")
    return len(words[1]) - len(first) <= 1 and first[:1].isdigit()


def _is_there(name: str) -> bool:
    try:
        return os.path.exists(name)
    except ValueError:
        return False


def roll_plainly(words: Sequence[str]) -> None:
    """Roll the dice and print the line."""
    from rollwright.cli.paper import show
    from rollwright.notation import roll

    show(str(roll(" ".join(words[1:]))))
