"""Events in a player's words: `hit and not jammed`, `successes >= 2 or outcome = "Cool Success"`.

A language of its own, read by a small parser: nothing that is typed is ever run as code.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from rollwright.dice import Outcome
from rollwright.errors import RollwrightError, or_meant
from rollwright.pictures.outcomes import uncounted_said, value_said
from rollwright.ranks import words_beside
from rollwright.words.messages import Message, said

DEEPEST, LONGEST = 40, 2000
MOST_WORDS = 12
ITSELF = ("total", "result", "value", "it")
"""Words for the outcome itself, where it has no fields of its own."""

Reading = Callable[[Outcome], object]

Sign = Callable[[Any, Any], bool]

SIGNS: dict[str, Sign] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
KNOWN_WORDS = {"true": True, "yes": True, "false": False, "no": False, "none": None}

TOKENS = re.compile(
    r"""\s*(?:
    (?P<number>\d+(?:\.\d+|/\d+)?)
  | (?P<word>[^\W\d]\w*)
  | (?P<text>"[^"]*"|'[^']*')
  | (?P<sign><=|>=|==|!=|<>|[<>=()\-])
)""",
    re.VERBOSE,
)


class BadEvent(RollwrightError):
    """An event that cannot be read, with the place where it goes wrong."""

    def __init__(self, text: str, place: int, problem: Message) -> None:
        super().__init__(text, place, problem)
        self.text = text
        self.place = place
        self.problem = problem

    @property
    def wording(self) -> Message:
        """What was typed, where it goes wrong, and why."""
        place = str(self.place + 1)
        return said("event.at", event=repr(self.text), place=place, problem=self.problem)

    def __str__(self) -> str:
        return str(self.wording)


class Token(NamedTuple):
    """A word, number, text or sign, and where it stands."""

    kind: str
    text: str
    place: int


def tokens(text: str) -> list[Token]:
    """The tokens of an event, in order, with one for its end."""
    found: list[Token] = []
    place = 0
    while text[place:].strip():
        match = TOKENS.match(text, place)
        if match is None:
            wrong = len(text) - len(text[place:].lstrip())
            raise BadEvent(text, wrong, said("event.sign", sign=repr(text[wrong])))
        kind = match.lastgroup or ""
        found.append(Token(kind, match[kind], match.start(kind)))
        place = match.end()
    return [*found, Token("end", "", len(text))]


class Word(NamedTuple):
    """A word as it is typed: a field, or else only what a field can be compared with."""

    word: str
    place: int
    field: Reading | None = None

    def read(self, outcome: Outcome) -> object:
        """The field of an outcome, or the word itself."""
        return self.word if self.field is None else self.field(outcome)


Side: TypeAlias = Word | Reading
"""One side of a comparison."""


def words_compared(text: str, fields: tuple[str, ...]) -> set[str]:
    """The fields that an event compares with words, where a slip would go unnoticed.

    >>> words_compared("outcome = Sucess", ("outcome",))
    {'outcome'}
    """
    parser = _Parser(text, fields)
    parser.whole()
    return parser.compared_with_words


def event(text: str, fields: tuple[str, ...]) -> Callable[[Outcome], bool]:
    """The test of outcomes that the text asks for.

    >>> test = event("total >= 4", ())
    >>> test(5), test(3)
    (True, False)
    """
    if len(text) > LONGEST:
        raise BadEvent(text[:20] + "…", LONGEST, said("event.long"))
    return _Parser(text, fields).whole()


class _Parser:
    """One text, read from left to right."""

    def __init__(self, text: str, fields: tuple[str, ...]) -> None:
        self.text = text
        self.fields = fields
        self.tokens = tokens(text)
        self.at = 0
        self.depth = 0
        self.compared_with_words: set[str] = set()

    def whole(self) -> Callable[[Outcome], bool]:
        test = self.either()
        if self.now.kind != "end":
            raise self.wrong("event.joint")
        return lambda outcome: bool(test(outcome))

    @property
    def now(self) -> Token:
        return self.tokens[self.at]

    def wrong(self, id: str) -> BadEvent:
        """The refusal of the next token, by what was expected instead."""
        came = repr(self.now.text) if self.now.text else said("event.end")
        return BadEvent(self.text, self.now.place, said(id, came=came))

    def taken(self, *texts: str) -> bool:
        """Whether the next token is one of these; then it is passed."""
        hit = self.now.kind in ("word", "sign") and self.now.text.lower() in texts
        self.at += hit
        return hit

    def either(self) -> Reading:
        parts = [self.both()]
        while self.taken("or"):
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else lambda o: any(part(o) for part in parts)

    def both(self) -> Reading:
        parts = [self.negated()]
        while self.taken("and"):
            parts.append(self.negated())
        return parts[0] if len(parts) == 1 else lambda o: all(part(o) for part in parts)

    def negated(self) -> Reading:
        turns = 0
        while self.taken("not"):
            turns += 1
        part = self.compared()
        return part if turns % 2 == 0 else lambda o: not part(o)

    def compared(self) -> Reading:
        """One side, or a chain such as `1 <= successes <= 3`; a missing first side is `it`."""
        start = self.at
        sides: list[Side] = [_itself if self.now.text in SIGNS else self.side()]
        signs: list[Sign] = []
        while self.now.text in SIGNS:
            signs.append(SIGNS[self.now.text])
            self.at += 1
            sides.append(self.side())
        if not signs:
            return self.sure(sides[0])
        bare = [side for side in sides if isinstance(side, Word) and side.field is None]
        if bare and not any(_is_of_outcome(side) for side in sides):
            raise self.no_field(bare[0])
        between = self.tokens[start : self.at]
        if bare or any(token.kind == "text" for token in between):
            self.compared_with_words |= {t.text for t in between} & set(self.fields)
        return self.chained(sides, signs)

    def chained(self, sides: list[Side], signs: list[Sign]) -> Reading:
        links = list(zip(sides, signs, sides[1:]))

        def holds(outcome: Outcome) -> bool:
            try:
                return all(sign(*self.pair(left, right, outcome)) for left, sign, right in links)
            except TypeError:
                raise BadEvent(self.text, 0, said("event.order")) from None

        return holds

    def pair(self, left: Side, right: Side, outcome: Outcome) -> tuple[object, object]:
        """The values of two sides; beside a word with a rank, the other is one of its words."""
        one, two = _value(left, outcome), _value(right, outcome)
        if words := words_beside(one):
            return one, self.ranked(right, two, words)
        if words := words_beside(two):
            return self.ranked(left, one, words), two
        for side, value, other in ((left, one, two), (right, two, one)):
            if value is None and other is not None and isinstance(side, Word):
                raise self.uncounted(side, outcome)
        return one, two

    def ranked(self, side: Side, value: object, words: tuple[str, ...]) -> object:
        """What a side means beside a word with a rank: one of these words, or such a value."""
        if words_beside(value) == words:
            return value
        typed = side.word if isinstance(side, Word) else value
        for word in words:
            if word.lower() == str(typed).lower():
                return word
        place = side.place if isinstance(side, Word) else 0
        listed = ", ".join(words[:MOST_WORDS]) + (", …" if len(words) > MOST_WORDS else "")
        none = said("event.none_of", came=repr(value_said(typed)), words=listed)
        raise BadEvent(self.text, place, none)

    def uncounted(self, side: Word, outcome: Outcome) -> BadEvent:
        words = uncounted_said(outcome, [side.word])
        return BadEvent(self.text, side.place, said("odds.uncounted.here", names=words))

    def side(self) -> Side:
        token = self.now
        if self.taken("("):
            return self.inside(token)
        if self.taken("-"):
            return self.less_than_nothing()
        self.at += token.kind != "end"
        if token.kind == "number":
            return _always(_number(token.text))
        if token.kind == "text":
            return _always(token.text[1:-1])
        if token.kind == "word":
            return self.named(token)
        self.at -= token.kind != "end"
        raise self.wrong("event.side")

    def inside(self, opened: Token) -> Reading:
        self.depth += 1
        if self.depth > DEEPEST:
            raise BadEvent(self.text[:20] + "…", opened.place, said("event.nested"))
        part = self.either()
        if not self.taken(")"):
            raise self.wrong("event.closing")
        self.depth -= 1
        return part

    def less_than_nothing(self) -> Reading:
        if self.now.kind != "number":
            raise self.wrong("event.minus")
        self.at += 1
        return _always(-_number(self.tokens[self.at - 1].text))

    def named(self, token: Token) -> Side:
        word = token.text
        if word in self.fields:
            return Word(word, token.place, operator.attrgetter(word))
        if word.lower() in KNOWN_WORDS:
            return _always(KNOWN_WORDS[word.lower()])
        if word in ITSELF and not self.fields:
            return _itself
        if word.lower() in ("and", "or", "not"):
            self.at -= 1
            raise self.wrong("event.side")
        return Word(word, token.place)

    def sure(self, side: Side) -> Reading:
        """A side that stands alone: it must be a field, not a word nobody knows."""
        if isinstance(side, Word) and side.field is None:
            raise self.no_field(side)
        return side.read if isinstance(side, Word) else side

    def no_field(self, bare: Word) -> BadEvent:
        known = sorted(self.fields) or ["total"]
        none = said("table.field.none", name=repr(bare.word))
        return BadEvent(self.text, bare.place, or_meant(none, bare.word, known))


def _is_of_outcome(side: Side) -> bool:
    return side is _itself or (isinstance(side, Word) and side.field is not None)


def _value(side: Side, outcome: Outcome) -> object:
    return side.read(outcome) if isinstance(side, Word) else side(outcome)


def _itself(outcome: Outcome) -> object:
    return outcome


def _always(value: object) -> Reading:
    return lambda outcome: value


def _number(text: str) -> int | Fraction:
    try:
        return int(text) if text.isdigit() else Fraction(text)
    except ZeroDivisionError:
        raise BadEvent(text, 0, said("event.zero")) from None
