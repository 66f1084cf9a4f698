"""Text into tokens: numbers, words, signs, labels and variables, each with its place."""

from __future__ import annotations

import re

from rollwright.notation.errors import NotationError

Token = tuple[str, str, int, int]
"""Its kind, its spelling in small letters, and its place; words and signs are their own kind."""

LONGEST_TEXT = 65_536
LONGEST_NUMBER = 300
MOST_TOKENS = 36_000
LONGEST_LABEL = 100

WORDS = frozenset(
    ["d", "df", "dc", "dd", "k", "kh", "kl", "dh", "dl", "ph", "pl", "p", "ro", "rr", "ra", "r",
     "x", "xo", "e", "t", "f", "u", "sf", "ms", "min", "max", "mi", "ma", "cs", "cf", "sa", "sd",
     "adv", "dis", "vs", "nat", "auto", "even", "odd", "floor", "ceil", "trunc", "round", "abs",
     "pow", "sqrt", "if", "keep", "drop", "the", "highest", "lowest", "best", "worst", "of"]
)  # fmt: skip
ALIASES = {
    "w": "d", "advantage": "adv", "disadvantage": "dis", "coin": "dc", "coins": "dc",
    "natural": "nat",
}  # fmt: skip
"""Other spellings of words; dice are written with a W in German."""
SPELLED = {**{word: word for word in WORDS}, **ALIASES}
LONGEST_WORD = max(map(len, SPELLED))
BY_LETTER = {
    letter: sorted([word for word in SPELLED if word[0] == letter], key=len, reverse=True)
    for letter in {word[0] for word in SPELLED}
}
"""The words that begin with a letter, the longest first."""
SIGNS = (
    "+", "-", "*", "/", "//", "%", "**", "(", ")", "{", "}", "[[", "]]", ",", ";", "!", "!!", "&",
    "=", "<", "<=", ">", ">=", "<>",
)  # fmt: skip
SPELLINGS = {
    "==": "=", "^": "**", "−": "-", "–": "-", "×": "*", "÷": "/", "≥": ">=", "≤": "<=", "·": "*",
    "≠": "<>",
}  # fmt: skip
KINDS = {**SPELLED, **{sign: sign for sign in SIGNS}, **SPELLINGS}
"""Words that are their own kind, by each of their spellings."""
CLOSINGS = {"(": ")", "[[": "]]", "{": "}"}
COMMANDS = ("/roll", "/r", "!roll", "!r")
"""Commands that start a roll in a chat: skipped at the beginning of a line."""
BEFORE_COMMANDS = frozenset("/! ")
DIGITS = frozenset("0123456789")
SPACES = " \t\r\n\u00a0"
PIECES = re.compile(
    r"[0-9]{1,5}d[0-9]{1,5}(?![0-9.])|[0-9]+(?:\.[0-9]+)?|[A-Za-z]+|[ \t\r\n\u00a0]+"
    r"|@[\w.]*|\[(?!\[)[^]]*]?|#.*|\[\[|]]|//|\*\*|!!|<[=>]|[>=]=|.",
    re.DOTALL,
).findall
"""A text in pieces: dice, numbers, letters, spaces, variables, labels, a comment and signs."""
AHEAD = frozenset(["", "+", "*", "/", "//", "**", "(", "{", "[[", ",", ";"])
"""Behind these a part begins, so that `4d6` is one token; elsewhere the 4 belongs to what is before
it, as in `kh4d6`, and these are three."""


def tokens_of(text: str) -> tuple[list[Token], str]:
    """The tokens of a text, with an end token, and its comment."""
    size = len(text)
    if size > LONGEST_TEXT:
        raise NotationError(
            "too-long",
            text,
            (LONGEST_TEXT, size),
            f"an expression has at most {LONGEST_TEXT:,} characters, not {size:,}",
        )
    tokens: list[Token] = []
    add = tokens.append
    comment = kind = ""
    place = command_end(text) if text[:1] in BEFORE_COMMANDS else 0
    for piece in PIECES(text, place):
        end = place + len(piece)
        if piece in KINDS:
            kind = KINDS[piece]
            add((kind, kind, place, end))
        elif (first := piece[0]) in DIGITS:
            if "d" not in piece:
                kind = "number"
                add((kind, piece, place, end))
            elif kind in AHEAD:
                kind = "dice"
                add((kind, piece, place, end))
            else:
                tokens += _apart(piece, place, end)
                kind = "number"
        elif first == "#":
            comment = piece[1:].strip()
            break
        elif first not in SPACES:
            tokens += _others(text, piece, place, end)
            kind = tokens[-1][0]
        place = end
    if size > LONGEST_NUMBER:
        _check_long(text, tokens)
    add(("end", "", place, place))
    return tokens, comment


def _check_long(text: str, tokens: list[Token]) -> None:
    """Refuse numbers of too many digits, and too many words."""
    for kind, _, start, end in tokens:
        if end - start > LONGEST_NUMBER and kind == "number":
            raise _long_number(text, start, end)
    if len(tokens) > MOST_TOKENS:
        raise NotationError(
            "too-many-terms", text, (tokens[MOST_TOKENS][3], len(text)),
            f"a line has at most {MOST_TOKENS:,} words",
        )  # fmt: skip


def _long_number(text: str, start: int, end: int) -> NotationError:
    return NotationError(
        "too-large", text, (start, end),
        f"a number has at most {LONGEST_NUMBER} digits, not {end - start}",
        text[: start + 3] + text[end:],
    )  # fmt: skip


def command_end(text: str) -> int:
    """Return the start of a line after the command of a chat.

    >>> command_end("/roll 2d6"), command_end("2d6")
    (5, 0)
    """
    start = len(text) - len(text.lstrip())
    for command in COMMANDS:
        end = start + len(command)
        if text[start:end].lower() == command and not text[end : end + 1].isalpha():
            return end
    return 0


def _apart(piece: str, place: int, end: int) -> list[Token]:
    """Dice as a number, the letter and another number."""
    number, letter, sides = piece.partition("d")
    here = place + len(number)
    return [
        ("number", number, place, here), (letter, letter, here, here + 1),
        ("number", sides, here + 1, end),
    ]  # fmt: skip


def _others(text: str, piece: str, place: int, end: int) -> list[Token]:
    """A label, a variable, or letters that are not just one word."""
    first = piece[0]
    if first == "[":
        return [_label(text, piece, place)]
    if first == "@":
        return [_variable(text, piece, place)]
    if first.isascii() and first.isalpha():
        return _words(text, place, end)
    raise NotationError(
        "unknown-character",
        text,
        (place, place + 1),
        "this character means nothing here",
        text[:place] + " " + text[place + 1 :],
        text[:place] + "#" + text[place:],
    )


def _words(text: str, place: int, end: int) -> list[Token]:
    """Return letters without spaces as words: at each place, the longest that fits."""
    found: list[Token] = []
    while place < end:
        ahead = text[place : min(place + LONGEST_WORD, end)].lower()
        for word in BY_LETTER.get(ahead[0], ()):
            if ahead.startswith(word):
                kind = SPELLED[word]
                found.append((kind, kind, place, place + len(word)))
                place += len(word)
                break
        else:
            raise _unknown_word(text, place)
    return found


def _unknown_word(text: str, place: int) -> NotationError:
    end = place
    while place and text[place - 1].isalpha() and end - place < LONGEST_LABEL:
        place -= 1
    while end < len(text) and text[end].isalpha() and end - place < LONGEST_LABEL:
        end += 1
    word = text[place:end].lower()
    swapped = [word[: n - 1] + word[n] + word[n - 1] + word[n + 1 :] for n in range(1, len(word))]
    return NotationError(
        "unknown-word", text, (place, end), "this word means nothing here",
        *[text[:place] + meant + text[end:] for meant in swapped if meant in WORDS],
        text[:place] + "@" + text[place:], text[:place] + "#" + text[place:],
    )  # fmt: skip


def _label(text: str, piece: str, place: int) -> Token:
    end = place + len(piece) - 1
    if piece[-1] != "]":
        raise NotationError(
            "unclosed", text, (place, len(text)), "this label is never closed", text + "]"
        )
    if end - place > LONGEST_LABEL + 1:
        raise NotationError(
            "too-long",
            text,
            (place, end + 1),
            f"a label has at most {LONGEST_LABEL} characters, not {end - place - 1:,}",
            text[: place + LONGEST_LABEL] + text[end:],
        )
    return ("label", text[place + 1 : end].strip(), place, end + 1)


def _variable(text: str, piece: str, place: int) -> Token:
    end = place + len(piece)
    if piece == "@":
        raise NotationError(
            "unknown-variable",
            text,
            (place, end),
            "a name follows the @ of a variable",
            text[:place] + "@name" + text[end:],
            text[:place] + text[end:],
        )
    return ("variable", text[place + 1 : end], place, end)
