"""Names of an AnyDice program as Python has them: none hides a word of ours or of Python's."""

from __future__ import annotations

import builtins
import keyword
import re

from rollwright.anydice.tree import Pattern

TAKEN = frozenset(
    ["Annotated", "Call", "Choice", "Comparison", "Die", "Dist", "Effect", "Field", "Fraction",
     "Game", "Goal", "Hand", "Line", "Literal", "Message", "NamedTuple", "Policy", "Pool",
     "Question", "Ranked", "Repeats", "Request", "Rerolls", "Rule", "Shows", "Situation", "Step",
     "Value", "add_game", "any_of", "at", "best", "by_request", "cache", "choose", "combinations",
     "compare", "counted", "cut", "dice_in", "die", "digits", "end", "explode", "explode_endlessly",
     "exploding_die", "face", "field", "fields_of", "find_game", "fold", "from_plain", "highest",
     "in_order", "keep", "largest_set", "list_games", "longest_run", "look", "lowest",
     "measured_house", "nth_highest", "nth_lowest", "pair_off", "pairs", "partial", "percent",
     "preset", "product", "questions_in", "reduce", "refuse_if", "repeat", "reroll", "rerolled_die",
     "roll", "row_of", "rule", "rulebook_of", "rw", "schema_of", "sets_of", "several", "sided",
     "signed", "spend", "successes", "sum_of", "sweep", "switch", "tally", "to_plain", "together",
     "value_lost", "value_of", "who", "word", "words_of"]
)  # fmt: skip
"""The words that a program of the workbench has, and those that a translation makes."""
NO_NAME = re.compile(r"[^a-z0-9]+")
LONGEST = 40


class PythonNames:
    """Python's names for what a program calls its own, each its own."""

    def __init__(self) -> None:
        self._known: dict[object, str] = {}

    def variable(self, name: str) -> str:
        """`ROLL` is `roll_`: `roll` is a word of ours."""
        return self._of(("variable", name), name.lower())

    def function(self, pattern: Pattern) -> str:
        """The words of a function: `attack_against`."""
        words = [word for word in pattern if word is not None]
        return self._of(("function", pattern), "_".join(words).lower())

    def output(self, name: str | None, number: int) -> str:
        """Return the name of an output, by its name or by its number."""
        return self._of(("output", number), name or f"output {number}")

    def own(self, word: str) -> str:
        """A name for what only the translation has."""
        return self._of(("own", word), word)

    def _of(self, what: object, wanted: str) -> str:
        if what not in self._known:
            bare = NO_NAME.sub("_", wanted.lower()[:LONGEST]).strip("_") or "it"
            name = f"n{bare}" if bare[0].isdigit() else bare
            while _is_in_use(name) or name in self._known.values():
                name += "_"
            self._known[what] = name
        return self._known[what]


def _is_in_use(name: str) -> bool:
    return name in TAKEN or keyword.iskeyword(name) or hasattr(builtins, name)
