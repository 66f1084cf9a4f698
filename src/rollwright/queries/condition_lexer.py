"""An event as people type it, cut into tokens.

A field goes by its name or by the words players have for it, and a comparison may be said:
`at least 15`, `between 7 and 9`, `2 or more`, `15+`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from rollwright.errors import RollwrightError
from rollwright.i18n.messages import Message, msg

Spoken = Mapping[str, str]
"""Fields by what players call them, as `as_name` writes it."""
UNSPOKEN: Spoken = MappingProxyType({})

SAID = {
    ("at", "least"): ">=",
    ("at", "most"): "<=",
    ("more", "than"): ">",
    ("greater", "than"): ">",
    ("less", "than"): "<",
    ("fewer", "than"): "<",
}
AND_UP = ("more", "better", "higher")
AND_DOWN = ("less", "fewer", "lower", "worse")

TOKENS = re.compile(
    r"""\s*(?:
    (?P<text>"[^"]*"|'[^']*'|\d+!(?!=))
  | (?P<number>\d+(?:\.\d+|/\d+)?)
  | (?P<word>[^\W\d]\w*)
  | (?P<sign><=|>=|=<|=>|==|!=|<>|\.\.|[<>=≠≤≥()\-–+])
)""",
    re.VERBOSE,
)


class ConditionError(RollwrightError):
    """An event that cannot be read, with the place where it goes wrong."""

    def __init__(self, text: str, place: int, problem: Message) -> None:
        super().__init__(text, place, problem)
        self.text = text
        self.place = place
        self.problem = problem

    @property
    def wording(self) -> Message:
        """The typed text, the place where it goes wrong, and why."""
        place = str(self.place + 1)
        return msg("refused.event.at", event=repr(self.text), place=place, problem=self.problem)

    def __str__(self) -> str:
        return str(self.wording)


class ConditionToken(NamedTuple):
    """A word, number, text or sign, and its place."""

    kind: str
    text: str
    place: int


def tokens(
    text: str, fields: tuple[str, ...] = (), spoken: Spoken = UNSPOKEN
) -> list[ConditionToken]:
    """The tokens of an event, in order, with one for its end.

    A field of several words may be written as people write it: `rounds spent`, `rounds-spent`.
    """
    found: list[ConditionToken] = []
    place = 0
    meant = {**{name.lower(): name for name in fields if "_" in name}, **spoken}
    names = _names_of(tuple(meant))
    while text[place:].strip():
        if names and (name := names.match(text, place)):
            found.append(ConditionToken("word", meant[as_name(name[1])], name.start(1)))
            place = name.end()
            continue
        match = TOKENS.match(text, place)
        if match is None:
            wrong = len(text) - len(text[place:].lstrip())
            raise ConditionError(text, wrong, msg("refused.event.sign", sign=repr(text[wrong])))
        kind = match.lastgroup or ""
        found.append(ConditionToken(kind, match[kind], match.start(kind)))
        place = match.end()
    return _in_signs([*found, ConditionToken("end", "", len(text))], fields)


@lru_cache(maxsize=64)
def _names_of(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Names, the longest first, with spaces or hyphens between their words."""
    longest = sorted(names, key=len, reverse=True)
    written = ["[\\s_-]+".join(map(re.escape, name.split("_"))) for name in longest]
    return re.compile(rf"\s*({'|'.join(written)})(?!\w)", re.IGNORECASE) if written else None


def _in_signs(typed: list[ConditionToken], fields: tuple[str, ...]) -> list[ConditionToken]:
    """Comparisons in words as signs: `at least 15` is `>= 15`, `between 7 and 9` is `= 7..9`."""
    found: list[ConditionToken] = []
    at = 0
    while at < len(typed):
        one, *more = (token.text.lower() for token in typed[at : at + 4])
        token, next_kind = typed[at], typed[at + 1].kind if more else ""
        is_word = token.kind == "word" and token.text not in fields
        if is_word and more and (sign := SAID.get((one, more[0]))):
            found.append(token._replace(kind="sign", text=sign))
            at += 2
        elif is_word and one == "between" and next_kind == "number" and more[1:2] == ["and"]:
            found.append(token._replace(kind="sign", text="="))
            found += [typed[at + 1], typed[at + 2]._replace(kind="sign", text="..")]
            at += 3
        elif token.kind == "number" and (sign := _comparison_sign(more)):
            if found and found[-1].text in ("=", "=="):
                found.pop()
            found += [token._replace(kind="sign", text=sign), token]
            at += 2 if more[0] == "+" else 3
        else:
            found.append(token)
            at += 1
    return found


def _comparison_sign(after: list[str]) -> str:
    """Return the sign for what follows a number: `2+`, `2 or more`, `2 or less`."""
    if after[:1] == ["+"]:
        return ">="
    if after[:1] != ["or"] or len(after) < 2:
        return ""
    return ">=" if after[1] in AND_UP else "<=" if after[1] in AND_DOWN else ""


def as_name(said: str) -> str:
    """A field as it is called inside, however people write it.

    >>> as_name("Rounds left"), as_name("rounds-left")
    ('rounds_left', 'rounds_left')
    """
    return re.sub(r"[\s-]+", "_", said.strip()).lower()
