"""Text into tokens: numbers, words, signs, labels and variables, each with its place."""

from __future__ import annotations

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
SIGNS = frozenset(
    ["+", "-", "*", "/", "//", "%", "**", "(", ")", "{", "}", "[[", "]]", ",", ";", "!", "!!", "&",
     "=", "<", "<=", ">", ">=", "<>"]
)  # fmt: skip
SPELLINGS = {
    "==": "=", "^": "**", "−": "-", "–": "-", "×": "*", "÷": "/", "≥": ">=", "≤": "<=", "·": "*",
    "≠": "<>",
}  # fmt: skip
SIGNS_SPELLED = {**{sign: sign for sign in SIGNS}, **SPELLINGS}
COMMANDS = ("/roll", "/r", "!roll", "!r")
"""What a chat is told to roll with: read over at the beginning of a line."""
DIGITS = frozenset("0123456789")
SPACES = " \t\r\n\u00a0"


def names_in(text: str) -> set[str]:
    """The names in an expression that can be given a number.

    >>> sorted(names_in("(@n)d6 + @str  # not @me"))
    ['n', 'str']
    """
    tokens, _ = tokens_of(text)
    return {text.lstrip("@") for kind, text, _, _ in tokens if kind == "variable"}


def tokens_of(text: str) -> tuple[list[Token], str]:
    """The tokens of a text, with an end token, and its comment."""
    if len(text) > LONGEST_TEXT:
        raise NotationError(
            "too-long",
            text,
            (LONGEST_TEXT, len(text)),
            f"an expression has at most {LONGEST_TEXT:,} characters, not {len(text):,}",
        )
    tokens: list[Token] = []
    add = tokens.append
    place, size = command_end(text), len(text)
    while place < size:
        char = text[place]
        if char in DIGITS:
            end = _number_end(text, place + 1, size)
            add(("number", text[place:end], place, end))
        elif char in SPACES:
            place += 1
            continue
        elif "a" <= char <= "z" or "A" <= char <= "Z":
            if char == "d" and text[place + 1 : place + 2] in DIGITS:
                word, end = char, place + 1
            else:
                word, end = _word(text, place)
            add((word, word, place, end))
        elif char == "#":
            add(("end", "", place, place))
            return tokens, text[place + 1 :].strip()
        else:
            token = _other(text, place, char)
            end = token[3]
            add(token)
        place = end
        if len(tokens) > MOST_TOKENS:
            raise NotationError(
                "too-many-terms", text, (place, size), f"a line has at most {MOST_TOKENS:,} words"
            )
    add(("end", "", size, size))
    return tokens, ""


def _number_end(text: str, place: int, size: int) -> int:
    start = place - 1
    while place < size and text[place] in DIGITS:
        place += 1
    if place + 1 < size and text[place] == "." and text[place + 1] in DIGITS:
        place += 1
        while place < size and text[place] in DIGITS:
            place += 1
    if place - start > LONGEST_NUMBER:
        raise NotationError(
            "too-large",
            text,
            (start, place),
            f"a number has at most {LONGEST_NUMBER} digits, not {place - start}",
            text[:start] + text[start : start + 3] + text[place:],
        )
    return place


def command_end(text: str) -> int:
    """Where a line begins behind the command of a chat.

    >>> command_end("/roll 2d6"), command_end("2d6")
    (5, 0)
    """
    if text[:1] not in ("/", "!", " "):
        return 0
    start = len(text) - len(text.lstrip())
    for command in COMMANDS:
        end = start + len(command)
        if text[start:end].lower() == command and not text[end : end + 1].isalpha():
            return end
    return 0


def _word(text: str, place: int) -> tuple[str, int]:
    """The longest word of the language that stands here, and where it ends."""
    ahead = text[place : place + LONGEST_WORD].lower()
    for size in range(min(len(ahead), LONGEST_WORD), 0, -1):
        word = SPELLED.get(ahead[:size])
        if word is not None:
            return word, place + size
    raise _unknown_word(text, place)


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


def _other(text: str, place: int, char: str) -> Token:
    if char == "[" and text[place + 1 : place + 2] != "[":
        return _label(text, place)
    if char == "@":
        return _variable(text, place)
    for size in (2, 1):
        sign = SIGNS_SPELLED.get(text[place : place + size], "")
        if sign:
            return (sign, sign, place, min(place + size, len(text)))
    raise NotationError(
        "unknown-character",
        text,
        (place, place + 1),
        "this character means nothing here",
        text[:place] + " " + text[place + 1 :],
        text[:place] + "#" + text[place:],
    )


def _label(text: str, place: int) -> Token:
    end = text.find("]", place)
    if end < 0:
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


def _variable(text: str, place: int) -> Token:
    end = place + 1
    while end < len(text) and (text[end].isalnum() or text[end] in "_."):
        end += 1
    if end == place + 1:
        raise NotationError(
            "unknown-variable",
            text,
            (place, end),
            "a name follows the @ of a variable",
            text[:place] + "@name" + text[end:],
            text[:place] + text[end:],
        )
    return ("variable", text[place + 1 : end], place, end)
