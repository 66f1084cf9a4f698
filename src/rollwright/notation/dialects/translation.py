"""The translation of a line from another tool's spelling: ours, every change with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rollwright.i18n.locale import format_text
from rollwright.i18n.messages import Message, msg
from rollwright.notation.errors import NotationError
from rollwright.notation.tokens import tokens_of
from rollwright.notation.tree import Amount


class SpellingChange(NamedTuple):
    """One change of spelling."""

    before: str
    after: str
    why: Message


class VariablePrompt(NamedTuple):
    """Something that the tool asks before it rolls, which is a variable here."""

    name: str
    prompt: str
    default: Amount | None = None
    options: tuple[tuple[str, Amount], ...] = ()
    """The options, each with its number, if there is a list."""


class Translation(NamedTuple):
    """An expression in our spelling, and how it came about."""

    text: str
    changes: tuple[SpellingChange, ...] = ()
    queries: tuple[VariablePrompt, ...] = ()

    @property
    def defaults(self) -> dict[str, Amount]:
        """The numbers of the variables if nobody gives others."""
        return {one.name: one.default for one in self.queries if one.default is not None}

    def fill(self, numbers: Mapping[str, Amount]) -> str:
        """The text with numbers in the place of variables, as far as they are known.

        >>> from rollwright.notation import translate
        >>> translate("1d20+?{Bonus|2}", "roll20").fill({"Bonus": -1})
        '1d20+(-1)'
        """
        made, start = [], 0
        for kind, word, place, end in tokens_of(self.text)[0]:
            if kind == "variable" and word in numbers:
                made += [self.text[start:place], _format_number(numbers[word])]
                start = end
        return "".join([*made, self.text[start:]])

    def __str__(self) -> str:
        lines = [_line(one) for one in self.changes]
        return "\n".join([self.text, *lines])


def _format_number(number: Amount) -> str:
    if number.denominator != 1:
        return f"({number.numerator}/{number.denominator})"
    return str(number) if number >= 0 else f"({number})"


def _line(change: SpellingChange) -> str:
    id = "dialect.change" if change.after else "dialect.change.left_out"
    return format_text(msg(id, before=change.before, after=change.after, why=change.why))


def untranslatable(text: str, span: tuple[int, int], sentence: str, *instead: str) -> NotationError:
    """The refusal of what cannot be said here."""
    return NotationError("untranslatable", text, span, sentence, *instead)
