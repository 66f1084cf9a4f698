"""An AnyDice program into tokens: numbers, variables, words, texts and signs, with their places."""

from __future__ import annotations

import re
from typing import NamedTuple

from rollwright.anydice.errors import AnyDiceError, Span

LONGEST_PROGRAM = 65_536
LONGEST_NUMBER = 300

TOKEN = re.compile(
    r"""
    (?P<space>   [ \t\r\n\f\v\u00a0]+ )
  | (?P<comment> \\ [^\\]* \\ )
  | (?P<text>    " [^"]* " )
  | (?P<number>  [0-9]+ )
  | (?P<variable>[A-Z_]+ )
  | (?P<word>    [a-z]+ )
  | (?P<sign>    \.\. | != | <= | >= | [-+*/^@\#!=<>&|:(){}\[\],?] )
    """,
    re.VERBOSE,
)
OPEN_ENDED = {"\\": "comment", '"': "text"}


class ProgramToken(NamedTuple):
    """A part of a program; signs and the operator `d` are their own kind."""

    kind: str
    text: str
    span: Span


def tokens_of(text: str) -> list[ProgramToken]:
    """The tokens of a program, with one for its end.

    >>> [token.text for token in tokens_of('output XdY named "a" \\\\ done \\\\')]
    ['output', 'X', 'd', 'Y', 'named', 'a', '']
    """
    if len(text) > LONGEST_PROGRAM:
        raise AnyDiceError("long", text, (LONGEST_PROGRAM, len(text)), most=LONGEST_PROGRAM)
    found = []
    place = 0
    while place < len(text):
        match = TOKEN.match(text, place)
        if match is None:
            raise _unreadable(text, place)
        kind, came, span = str(match.lastgroup), match.group(), match.span()
        place = match.end()
        if kind == "number" and len(came) > LONGEST_NUMBER:
            raise AnyDiceError("number", text, span, most=LONGEST_NUMBER)
        if kind == "text":
            found.append(ProgramToken("text", came[1:-1], span))
        elif kind == "sign" or came == "d":
            found.append(ProgramToken(came, came, span))
        elif kind not in ("space", "comment"):
            found.append(ProgramToken(kind, came, span))
    found.append(ProgramToken("end", "", (len(text), len(text))))
    return found


def _unreadable(text: str, place: int) -> AnyDiceError:
    opened = OPEN_ENDED.get(text[place])
    if opened:
        return AnyDiceError("unclosed", text, (place, place + 1), what=opened)
    return AnyDiceError("character", text, (place, place + 1))
