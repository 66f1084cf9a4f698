"""Avrae's own syntax: whole rolls compared, picks by face, results listed in brackets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rollwright.i18n.messages import msg
from rollwright.notation.dialects.translation import SpellingChange, untranslatable
from rollwright.notation.errors import NotationError
from rollwright.notation.parser import DEEPEST

if TYPE_CHECKING:
    from rollwright.notation.dialects.reader import DialectReader, Level

COMPARISON = re.compile(r"!=|[<>=]=?")
NUMBER = re.compile(r"\s*\d+\s*")
WHOLE_COMPARED = msg("dialect.whole_compared")
SIGNS = {"==": "=", "!=": "<>"}


def read_comparison(reader: DialectReader) -> bool:
    """Read a comparison, which is of all before it with all after it."""
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


def compare(reader: DialectReader, level: Level) -> None:
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
    reader.changes.append(SpellingChange(written, text, WHOLE_COMPARED))
    reader.made[level.start :] = [text]


def read_list(reader: DialectReader, level: Level) -> None:
    """Spell `(1d6, 1d8)`, a list of results there, with braces."""
    inside = "".join(reader.made[level.start : -1])
    reader.made[level.start - 1 :] = [f"{{{inside}}}"]
    written = reader.text[level.place : reader.place]
    reader.changes.append(SpellingChange(written, f"{{{inside}}}", msg("dialect.listed")))
    reader.behind = "dice"


class Pick(NamedTuple):
    """The last keep or drop: its letter, its spelling here, and its place."""

    letter: str
    ours: str
    place: int

    @property
    def is_by_rank(self) -> bool:
        """Whether it goes by the rank of dice, and not by their faces."""
        return self.ours[1] in "hl"


def pick(reader: DialectReader, ahead: str) -> bool:
    """`kh3`, `pl1`, and `k3`, which there keeps the dice that show 3."""
    letter = ahead[:1]
    if letter not in ("k", "p"):
        return False
    ranked = ahead[1:2] in ("h", "l")
    compare, number, end = reader.faces(reader.place + 1 + ranked)
    if ranked:
        ours = {"kh": "kh", "kl": "kl", "ph": "dh", "pl": "dl"}[ahead[:2]] + number
    elif number:
        ours = f"{letter}{compare or '='}{number}"
    else:
        return False
    before = reader.picked
    new = Pick(letter, ours, len(reader.made))
    if before is not None and before.letter == letter:
        new = _both(reader, before, new, end)
    elif ours == reader.text[reader.place : end].lower():
        reader.take(end - reader.place)
    else:
        reader.change(end, ours, msg("dialect.p" if ranked else "dialect.by_face"))
    reader.picked = new
    return True


def _both(reader: DialectReader, first: Pick, second: Pick, end: int) -> Pick:
    """`kh3kl1` keeps what either means there, and `pl1ph1` drops it; of equal dice one for both."""
    if first.is_by_rank and first.ours[:2] == second.ours[:2]:
        larger = max(first.ours, second.ours, key=lambda ours: int(ours[2:] or 1))
        reader.made[first.place] = larger
        reader.change(end, "", msg("dialect.either", picks=first.ours + second.ours))
        return first._replace(ours=larger)
    joined = f"&{second.ours}" if first.letter == "k" else second.ours
    raise untranslatable(
        reader.text, (reader.place, end),
        f"{first.ours}{second.ours} is one pick there, in which of equal dice one may stand for "
        "both; here there are two",
        reader.so_far(joined, end), reader.so_far("", end),
    )  # fmt: skip
