"""Roll20's questions before a roll: `?{Bonus|2}` is a variable with a number to begin with."""

from __future__ import annotations

import re
from fractions import Fraction

from rollwright.notation.dialects.translation import VariablePrompt, untranslatable
from rollwright.notation.errors import Span
from rollwright.notation.tree import Amount

NO_NAME = re.compile(r"[^\w.]+")
NUMBER = re.compile(r"\s*([-+]?)\s*([0-9]{1,15}(?:\.[0-9]{1,15})?)\s*")
LONGEST_NAME = 60
MOST_OFFERED = 3


class VariableNames:
    """Names of variables for what other tools call as they like, each its own."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def of(self, called: str) -> str:
        """The name, the same for the same; what a name cannot have in it is an underscore."""
        if called not in self._known:
            bare = NO_NAME.sub("_", called[:LONGEST_NAME]).strip("_.") or "asked"
            name, number = bare, 1
            while name in self._known.values():
                number += 1
                name = f"{bare}_{number}"
            self._known[called] = name
        return self._known[called]


def prompt_of(text: str, span: Span, held: str, names: VariableNames) -> VariablePrompt:
    """Return the question in this place: a prompt, and a number or a list to choose from."""
    prompt, *given = [part.strip() for part in held.split("|")]
    name = names.of(prompt)
    if not given:
        return VariablePrompt(name, prompt)
    options = [_option(one) for one in given]
    numbers = [(label, number_of(answer)) for label, answer in options]
    if any(number is None for _, number in numbers):
        before, after = text[: span[0]], text[span[1] :]
        raise untranslatable(
            text, span,
            "the answers to this question are more than numbers: write the one that you want",
            *[f"{before}{answer}{after}" for _, answer in options[:MOST_OFFERED]],
        )  # fmt: skip
    known = [(label, number) for label, number in numbers if number is not None]
    return VariablePrompt(name, prompt, known[0][1], tuple(known) if len(known) > 1 else ())


def _option(written: str) -> tuple[str, str]:
    """`Heavy,3` is an option with a label of its own."""
    label, comma, answer = written.rpartition(",")
    return (label.strip(), answer.strip()) if comma else (written, written)


def number_of(written: str) -> Amount | None:
    """A number as somebody typed it; None for anything else."""
    found = NUMBER.fullmatch(written)
    if found is None:
        return None
    number = Fraction(found.group(2)) * (-1 if found.group(1) == "-" else 1)
    return number.numerator if number.denominator == 1 else number
