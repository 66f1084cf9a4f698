"""What only Avrae reads so: whole rolls compared, picks by face, results listed in brackets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rollwright.notation.dialects.translation import Change, untranslatable
from rollwright.notation.errors import NotationError
from rollwright.notation.parser import DEEPEST
from rollwright.words.messages import said

if TYPE_CHECKING:
    from rollwright.notation.dialects.reader import Level, Reader

COMPARISON = re.compile(r"!=|[<>=]=?")
NUMBER = re.compile(r"\s*\d+\s*")
WHOLE_COMPARED = said("dialect.whole_compared")
SIGNS = {"==": "=", "!=": "<>"}


def compared(reader: Reader) -> bool:
    """A comparison, which is of all that stands before it with all behind it."""
    found = COMPARISON.match(reader.text, reader.place) if reader.behind else None
    if found is None:
        return False
    level = reader.levels[-1]
    if len(level.compared) == DEEPEST:
        sentence = f"at most {DEEPEST} comparisons stand in a row"
        raise NotationError("too-deep", reader.text, found.span(), sentence)
    level.compared.append((len(reader.made), found.group()))
    reader.place = found.end()
    reader.behind = ""
    return True


def compare(reader: Reader, level: Level) -> None:
    """There a comparison is of the whole sum, which comes to 1 or 0."""
    if not level.compared:
        return
    ends = [at for at, _ in level.compared[1:]] + [len(reader.made)]
    text = "".join(reader.made[level.start : level.compared[0][0]]).strip()
    for (start, sign), end in zip(level.compared, ends, strict=True):
        other = "".join(reader.made[start:end])
        ours = SIGNS.get(sign, sign)
        if NUMBER.fullmatch(other):
            text = f"{{{text}}}{ours}{other}"
        else:
            text = f"{{{text}-({other.strip()})}}{ours}0"
    written = reader.text[level.place + len(level.opening) : reader.place].strip()
    reader.changes.append(Change(written, text, WHOLE_COMPARED))
    reader.made[level.start :] = [text]


def listed(reader: Reader, level: Level) -> None:
    """`(1d6, 1d8)` is a list of results there, which stands in braces here."""
    inside = "".join(reader.made[level.start : -1])
    reader.made[level.start - 1 :] = [f"{{{inside}}}"]
    written = reader.text[level.place : reader.place]
    reader.changes.append(Change(written, f"{{{inside}}}", said("dialect.listed")))
    reader.behind = "dice"


def pick(reader: Reader, ahead: str) -> bool:
    """`kh3`, `pl1`, and `k3`, which there keeps the dice that show 3."""
    if ahead[:1] not in ("k", "p"):
        return False
    if ahead[1:2] not in ("h", "l"):
        return _by_faces(reader, ahead[0])
    _, number, end = reader.faces(reader.place + 2)
    ours = {"kh": "kh", "kl": "kl", "ph": "dh", "pl": "dl"}[ahead[:2]] + number
    if ahead[0] == "k" and reader.picked:
        _both(reader, ours, end)
    elif ours == reader.text[reader.place : end].lower():
        reader.take(end - reader.place)
    else:
        reader.change(end, ours, said("dialect.p"))
    reader.picked = [ours] if ahead[0] == "k" else []
    return True


def _by_faces(reader: Reader, word: str) -> bool:
    """`k3` keeps the dice that show 3 there, `p<3` drops those that show less."""
    compare, number, end = reader.faces(reader.place + 1)
    if not number:
        return False
    if word == "k" and reader.picked:
        _both(reader, f"k{compare or '='}{number}", end)
    elif compare:
        reader.take(end - reader.place)
    else:
        reader.change(end, f"{word}={number}", said("dialect.by_face"))
    reader.picked = [f"k{compare or '='}{number}"] if word == "k" else []
    return True


def _both(reader: Reader, ours: str, end: int) -> None:
    """`kh3kl1` keeps both there, of equal dice sometimes one for both."""
    first, second = reader.picked[0], ours
    if first[:2] == second[:2] and first[1] in "hl":
        reader.made[-1] = max(first, second, key=lambda pick: int(pick[2:] or 1))
        reader.change(end, "", said("dialect.either", picks=first + second))
        return
    raise untranslatable(
        reader.text, (reader.place, end),
        f"{first}{second} keeps what either of them means there, and of equal dice sometimes one "
        "for both; here & keeps both",
        reader.so_far(f"&{second}", end), reader.so_far("", end),
    )  # fmt: skip
