"""Phrases that sentences are made of, whatever the game: numbers with nouns, lists, what is open.

>>> sentence(f"{listed(['a', 'b', 'c'])} show {many(2, 'success')}, {plus(-3)}")
'A, b and c show 2 successes, - 3.'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rollwright.engine.steps import Choice

if TYPE_CHECKING:
    from rollwright.engine.transcript import Transcript


def many(number: int, word: str, plural: str = "", *, none: str = "0") -> str:
    """A number with its noun.

    >>> many(1, "die", "dice"), many(3, "success"), many(0, "die", "dice", none="no")
    ('1 die', '3 successes', 'no dice')
    """
    if number == 1:
        return f"1 {word}"
    return f"{number or none} {plural or word + ('es' if word.endswith('s') else 's')}"


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Parts in a row.

    >>> listed(["a", "b", "c"]), listed(["a", "b"], "or"), listed(["a"])
    ('a, b and c', 'a or b', 'a')
    """
    *most, end = parts or ("",)
    return f"{', '.join(most)} {last} {end}" if most else end


def plus(number: int) -> str:
    """A number as one more term of a sum: `+ 3`, `- 2`."""
    return f"{'-' if number < 0 else '+'} {abs(number)}"


def sentence(text: str) -> str:
    """A text with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."


def waits_for(
    transcript: Transcript, choice: str, throw: str, *, between: str = " or ", most: int = 0
) -> str:
    """What an open roll waits for, in the words of the game; empty for one that has ended.

    `choice` may use {by} and {options}, the first `most` of them if there are more; `throw` may
    use {dice}, {are} and {count}.
    """
    step = transcript.step
    if transcript.is_done:
        return ""
    if not isinstance(step, Choice):
        size = step.pool.size
        are, count = "is" if size == 1 else "are", many(size, "die", "dice", none="no")
        return throw.format(dice=repr(step.pool), are=are, count=count)
    options = [str(option) for option in step.options]
    if most and len(options) > most:
        options = [*options[:most], f"… ({len(options)} in all)"]
    return choice.format(by=step.by, options=between.join(options))
