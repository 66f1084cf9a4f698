"""Likely meanings of a line that cannot be read: known mistakes, mended."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING

from rollwright.notation.errors import NotationError
from rollwright.notation.modifiers import COMPARISONS, THROWN, as_condition, modifier
from rollwright.notation.tokens import CLOSINGS, LONGEST_WORD, SPELLED

if TYPE_CHECKING:
    from rollwright.notation.parser import Parser
    from rollwright.notation.tree import Node

LONGEST = 200
"""Longer lines are not mended."""
MOST = 3
MOST_WORDS = 12
ALIKE = 0.75

FILLERS = frozenset(
    ["a", "an", "any", "by", "dice", "die", "do", "flip", "for", "from", "give", "i", "in", "is",
     "it", "its", "let", "make", "me", "mit", "my", "on", "please", "roll", "rolls", "s", "so",
     "some", "that", "then", "throw", "to", "von", "with", "würfle", "you"]
)  # fmt: skip
"""Words that say nothing about dice."""
MEANT = {
    "plus": "+", "and": "+", "und": "+", "minus": "-", "less": "-", "times": "*", "mal": "*",
    "or": ";", "oder": ";", "against": "vs", "versus": "vs", "gegen": "vs", "v": "vs",
    "reroll": "ro", "rerolls": "ro", "rerolling": "ro", "explode": "!", "explodes": "!",
    "exploding": "!", "success": ">=", "successes": ">=", "hits": ">=", "vorteil": "adv",
    "nachteil": "dis", "h": "kh", "l": "kl", "fate": "F", "fudge": "F", "heads": "coin",
    "würfel": "d", "tails": "coin", "lose": "drop", "discard": "drop", "take": "keep",
    "high": "highest", "low": "lowest", "top": "highest", "bottom": "lowest", "higher": "highest",
    "lower": "lowest", "beste": "best", "one": "1", "two": "2", "three": "3", "four": "4",
    "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
}  # fmt: skip
"""Words that people put between dice, and what they mean."""

ARITHMETIC = frozenset(
    ["half", "halve", "halved", "halves", "double", "doubled", "twice", "triple", "thrice",
     "percent", "squared", "cubed", "hälfte", "halb", "doppelt"]
)  # fmt: skip
JOINING = frozenset(["and", "und", "et", "or", "oder", "ou"])
"""Words that may come between the words of a text, though not before them."""
LITTLE = frozenset(
    [*FILLERS, *JOINING, "am", "at", "au", "aux", "avec", "das", "de", "dem", "den", "der", "des",
     "du", "el", "im", "la", "le", "les", "pour", "sur", "zum", "zur"]
)  # fmt: skip
"""Words that say nothing by themselves, and are no slips."""

WORD = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿ]+")
PIECE = re.compile(r"\S+")
WORD_BEHIND = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
LONGEST_BEHIND = 500
"""Characters of a line beyond which the purpose of a roll must come after a #."""
ALMOST = 0.9
Mend = Callable[[str], str]


def _by(pattern: str, instead: str) -> Mend:
    compiled = re.compile(pattern, re.IGNORECASE)
    return lambda text: compiled.sub(instead, text)


MENDS: tuple[Mend, ...] = (
    _by(r"@\{([^{}]{1,60})\}", r"@\1"),
    _by(r"^\s*(?:[/!=$.]+[a-z]*)\s*(?=\S)", ""),
    _by(r"\b(?:vs|v)\.(?=\s|\d)", "vs"),
    _by(r"\b(?:vs\s+)?dc\s*(?=\d)", "vs "),
    _by(r"=>", ">="),
    _by(r"=<", "<="),
    _by(r"><", "<>"),
    _by(r"(?<=\d),(?=\d{3}(?!\d))", ""),
    _by(r"\s*\|\s*", "; "),
    _by(r"±", "+"),
    _by(r"(?<=\d)\s*-\s*l\b", "dl1"),
    _by(r"(?<=\d)\s*-\s*h\b", "dh1"),
    _by(r"\bdrop (highest|lowest) and (highest|lowest)", r"drop \1 drop \2"),
    _by(r"\bkeep (?:highest and lowest|lowest and highest)", "kh1&kl1"),
    _by(r"\s+and\s+(?=(?:drop|keep)\b)", " "),
    _by(r"(?<=\dd)\s*(?:fate|fudge)\b", "F"),
    _by(r"(\dd\d{1,4})\s+(?=(?:the\s+)?(?:highest|lowest|best|worst)\b)", r"\1 keep "),
    _by(r"\b(highest|lowest|best|worst)\s+(?=\d*d\d)", r"\1 of "),
    _by(r"^\s*((?:dis)?adv(?:antage)?|dis)\b\s*(\d*d\d.*)$", r"\2 \1"),
    _by(r"^(.*\S)\s+(\d+)\s*x\s*$", r"\2x \1"),
    _by(r"\b(floor|ceil|round|abs|sqrt|max|min)\s+([^()]+)$", r"\1(\2)"),
    _by(r"(?<![a-z])f\s*-\s*(?=\d)", "f=-"),
    _by(r"\bexplod\w*\s+on\s+(?:a\s+)?(?=\d)", "!="),
    _by(r"^\s*(\d+)\s*(?=(?:kh|kl|k|dl|dh)\d)", r"\1d6"),
)
"""Each mends one kind of slip; what cannot be rolled in the end is not suggested."""


def find_repairs(text: str) -> tuple[str, ...]:
    """Return the likely meanings, by known mistakes; the smallest change first.

    >>> find_repairs("1d20+5 with advantage")
    ('1d20+5 advantage',)
    >>> find_repairs("d20+@{str}")
    ('d20+@str',)
    """
    if len(text) > LONGEST or "#" in text:
        return ()
    found = {tried for tried in _tries(text) if tried != text}
    ordered = sorted(found, key=lambda tried: (_distance(text, tried), tried))
    return tuple([tried for tried in ordered if NotationError._problem(tried) is None][:MOST])


def words_begin(text: str) -> int:
    """Return the start of the words after a roll that say its purpose; 0 if there are none.

    They are words and nothing else; none of them is read here or may be a misspelled one that is.

    >>> words_begin("1d20+5 to hit"), words_begin("1d20+5 with advantage")
    (7, 0)
    """
    if len(text) > LONGEST_BEHIND:
        return 0
    begin, first, is_said = 0, "", False
    for piece in reversed([*PIECE.finditer(text)][1:]):
        word = piece.group().rstrip(",.:").lower()
        if not WORD_BEHIND.fullmatch(word) or _may_be_dice(word):
            break
        begin, first = piece.start(), word
        is_said = is_said or word not in LITTLE
    return begin if is_said and first not in JOINING else 0


def _may_be_dice(word: str) -> bool:
    """Whether a word is one of ours, or may be meant as one."""
    if word in SPELLED or word in ARITHMETIC:
        return True
    if word in LITTLE:
        return False
    if word in MEANT or (len(word) < 3 and _is_read(word)):
        return True
    if len(word) < 3:
        return False
    alike = get_close_matches(word, SPELLED, n=1, cutoff=ALIKE)
    return bool(alike or get_close_matches(word, MEANT, n=1, cutoff=ALMOST))


def _tries(text: str) -> Iterator[str]:
    """The text with each slip mended, with all of them, and with its words understood."""
    every = text
    for mend in MENDS:
        mended = mend(text)
        if mended != text:
            yield mended.strip()
            every = mend(every)
    yield every.strip()
    for begun in dict.fromkeys((text, every)):
        for labels in (False, True):
            spelled = _tidy(_replace_words(begun, labels=labels))
            yield spelled
            for mend in MENDS:
                spelled = mend(spelled)
            yield spelled.strip()


def _replace_words(text: str, *, labels: bool) -> str:
    """The text with words that people use in the place of ours; others become labels."""
    count = 0

    def spell(found: re.Match[str]) -> str:
        nonlocal count
        count += 1
        word, before = found[0].lower(), text[: found.start()]
        if count > MOST_WORDS or before.endswith(("@", "[")):
            return found[0]
        added = before.rstrip().endswith(("+", "-"))
        if added and len(word) > 2 and word not in SPELLED and word not in MEANT:
            return "@" + found[0]
        if word in MEANT:
            return MEANT[word]
        if word in FILLERS:
            return ""
        if _is_read(word):
            return found[0]
        near = get_close_matches(word, SPELLED, n=1, cutoff=ALIKE) if len(word) > 2 else []
        if near:
            return near[0]
        if not before[-1:].isspace() and (begun := _read_of(word)):
            return begun
        return f"[{found[0]}]" if labels and before[-1:].isspace() else found[0]

    return WORD.sub(spell, text)


def _tidy(text: str) -> str:
    """The text with single spaces, and none where words were taken out or before a semicolon."""
    return " ".join(text.split()).replace(" ;", ";")


def _is_read(word: str) -> bool:
    """Whether letters are words of the language, one after the other."""
    while word:
        size = next((n for n in range(LONGEST_WORD, 0, -1) if word[:n] in SPELLED), 0)
        if not size:
            return False
        word = word[size:]
    return True


def _read_of(word: str) -> str:
    """As much of a word's beginning as is read, where something else follows: k of kq."""
    return next((word[:n] for n in range(len(word) - 1, 0, -1) if _is_read(word[:n])), "")


def _distance(one: str, other: str) -> int:
    """How much of a text was changed: what is not the same beginning or end."""
    most = min(len(one), len(other))
    front = next((n for n in range(most) if one[n] != other[n]), most)
    back = next((n for n in range(most - front) if one[-1 - n] != other[-1 - n]), most - front)
    return max(len(one), len(other)) - front - back


def closings(parser: Parser) -> str:
    """Return the brackets that close all that are still open at the end."""
    open_ones = []
    for kind, _, _, _ in parser.tokens:
        if kind in CLOSINGS:
            open_ones.append(CLOSINGS[kind])
        elif kind in CLOSINGS.values() and open_ones:
            open_ones.pop()
    return "".join(reversed(open_ones))


def unexpected_token(parser: Parser, wanted: str = "") -> NotationError:
    """Return the error for a token in the place of another."""
    _, _, start, end = parser.token
    text = parser.text
    if parser.token[0] == "end":
        written = text[:start].rstrip()
        repairs = [written + "1d6", written.rstrip(" +-*/%(")]
        if written.endswith("%"):  # a share of a hundred rather than a division
            repairs.reverse()
        return NotationError(
            "unexpected-end", text, (start, end), "something is missing at the end", *repairs
        )
    sentence = f"{wanted or 'a number or dice'} expected here"
    return parser.error(
        "unexpected", sentence,
        *([text[:start] + wanted + text[start:]] if wanted else []),
        text[:start] + "1d6" + text[start:], text[:start] + text[end:],
    )  # fmt: skip


def leftover(parser: Parser) -> NotationError:
    """Return the error for text after the end."""
    kind, _, start, _ = parser.token
    text = parser.text
    sentence = "vs compares a whole roll" if kind == "vs" else "nothing was expected here"
    if text[start] == ",":
        parts = [text[:start].rstrip(), *(part.strip() for part in text[start + 1 :].split(","))]
        repairs = ["; ".join(parts), " + ".join(parts)]
    elif kind in CLOSINGS.values():
        opening = next(one for one, closing in CLOSINGS.items() if closing == kind)
        repairs = [opening + text, text[:start] + text[parser.token[3] :]]
    else:
        repairs = [text[:start] + sign + text[start:] for sign in ("+", "; ")]
        repairs.append(f"{text[:start]}# {text[start:]}")
    return NotationError(
        "trailing-text", text, (start, len(text)), f"{sentence}, and nothing is ignored",
        *repairs,
    )  # fmt: skip


def _move_modifier(parser: Parser) -> list[str]:
    """Return the line with a modifier of a sum moved to the last dice in it."""
    dice, (_, _, start, _) = parser.dice_end, parser.token
    if not dice or parser.token[0] in COMPARISONS:
        return []
    try:
        end = modifier(parser, start).span[1]
    except NotationError:
        return []
    text = parser.text
    said = text[start:end]
    space = " " if said[0].isalpha() and text[start - 1 : start].isspace() else ""
    return [text[:dice] + space + said + text[dice:start].rstrip() + text[end:]]


def not_dice(parser: Parser, part: Node, start: int) -> NotationError:
    """Return the error for a modifier of something that is not dice."""
    text, (_, end) = parser.text, part.span
    _, _, here, last = parser.token
    grouped = [
        text[:start] + text[start:end].strip("() ") + text[here:],
        f"{{{text[:here].strip()}}}{text[here:]}",
    ]
    later = [kind for kind, _, place, _ in parser.tokens if place > here]
    compares = parser.token[0] in COMPARISONS and not THROWN.isdisjoint(later)
    return NotationError(
        "not-dice", text, (here, last),
        "only dice and groups in braces can be treated like that",
        *_move_modifier(parser), *(grouped if "d" in text[:here].lower() else []),
        *([as_condition(parser, (here, last))] if compares else []),
        f"{text[:here].rstrip()} vs {text[here:].lstrip('=<> ')}",
    )  # fmt: skip
