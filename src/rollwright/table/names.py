"""What people call themselves: names that can be seen, and told from those of others."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from rollwright.kit.checks import said
from rollwright.table.events import REMOVED, Seat
from rollwright.table.refusals import bad_field
from rollwright.words.messages import Message

BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0")
"""Letters and marks that are drawn as nothing."""
SELECTORS = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF))
"""First and last signs of ranges that only say how the sign before them is drawn."""
NOTHING = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp", "Zs"))
"""Categories of signs that are drawn as nothing."""
CYRILLIC = (
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442"
    "\u0443\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u051d"
)
GREEK = "\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7"
TWINS = str.maketrans(CYRILLIC + GREEK, "abekmhopctyxsijhdqw" + "abeikvoptux")
"""Letters of other alphabets, with those that they are drawn like, large or small."""


def skeleton(name: str) -> str:
    """What a name looks like: names with the same one cannot be told apart.

    >>> [skeleton(name) for name in ("  Ann\\u200b ", "\\uff21NN", "\\u0410nn", "\\u200b")]
    ['ann', 'ann', 'ann', '']
    """
    seen = [sign for sign in unicodedata.normalize("NFKC", name) if sign == " " or _is_seen(sign)]
    folded = unicodedata.normalize("NFKC", "".join(seen).casefold())
    return " ".join(folded.translate(TWINS).split())


def _is_seen(sign: str) -> bool:
    if sign in BLANKS or unicodedata.category(sign) in NOTHING:
        return False
    return not any(first <= ord(sign) <= last for first, last in SELECTORS)


def check_name(name: str, seat: str, seats: Iterable[Seat]) -> None:
    """Refuse a name in which nothing is to be seen, or that looks like somebody else's here."""
    looks = skeleton(name)
    if not any(unicodedata.category(sign)[0] != "M" for sign in looks):
        raise bad_field("name", Message("table.name.unseen"), Message("field.letters"))
    others = [one for one in seats if one.id != seat and one.status != REMOVED]
    if any(one.name is not None and skeleton(one.name.text) == looks for one in others):
        taken = Message("table.name.taken", {"name": said(name)})
        raise bad_field("name", taken, Message("table.name.another"))
