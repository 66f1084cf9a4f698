"""Events in a player's words: `hit and not jammed`, `successes >= 2 or outcome = "Cool Success"`.

A language of its own, read by a small parser: nothing that is typed is ever run as code.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import (
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeGuard,
    get_args,
    get_origin,
    get_type_hints,
)

from rollwright.dice import Outcome
from rollwright.errors import likeliest, with_likeliest
from rollwright.i18n.messages import Message, msg
from rollwright.pictures.outcomes import explain_missing, format_field, has_words, is_number
from rollwright.queries.condition_lexer import (
    UNSPOKEN,
    ConditionError,
    ConditionToken,
    Spoken,
    tokens,
)
from rollwright.ranks import words_beside

DEEPEST, LONGEST = 40, 2000
MOST_WORDS = 12
ITSELF = ("total", "sum", "result", "value", "it")
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
    "≠": operator.ne,
    "≤": operator.le,
    "≥": operator.ge,
    "=<": operator.le,
    "=>": operator.ge,
}
KNOWN_WORDS = {"true": True, "yes": True, "false": False, "no": False, "none": None}

NAMED = re.compile(r"@([^\W\d]\w*)")
"""A number that a sweep gives, such as @tn."""


class ConditionWord(NamedTuple):
    """A word as it is typed: a field, or else only what a field can be compared with."""

    word: str
    place: int
    field: Reading | None = None

    def read(self, outcome: Outcome) -> object:
        """The field of an outcome, or the word itself."""
        return self.word if self.field is None else self.field(outcome)


class ConditionValue(NamedTuple):
    """A value as it is typed."""

    value: object
    place: int = 0

    def read(self, outcome: Outcome) -> object:
        """The same for every outcome."""
        return self.value


class NumberRange:
    """Numbers from one to another, both included: `19-20`, `7..9`; equal to every number inside."""

    def __init__(self, low: int | Fraction, high: int | Fraction) -> None:
        self.low = low
        self.high = high

    def __eq__(self, other: object) -> bool:
        return is_number(other) and self.low <= other <= self.high  # type: ignore[operator]

    def __hash__(self) -> int:
        return hash((self.low, self.high))


Side: TypeAlias = ConditionWord | ConditionValue | Reading
"""One side of a comparison."""


class Comparison(NamedTuple):
    """One comparison of a chain."""

    left: Side
    sign: Sign
    right: Side


def parse_condition(
    text: str,
    fields: tuple[str, ...],
    spoken: Spoken = UNSPOKEN,
    outcomes: Sequence[Outcome] = (),
) -> Condition:
    """Return the test of outcomes that the text describes.

    With known `outcomes`, a value may be written as it is printed, and errors are clearer.

    >>> test = parse_condition("total >= 4", ())
    >>> test(5), test(3)
    (True, False)
    """
    if len(text) > LONGEST:
        raise ConditionError(text[:20] + "…", LONGEST, msg("refused.event.long"))
    return _ConditionParser(text, fields, spoken, outcomes).whole()


class TypedOperand(NamedTuple):
    """A word or a text that is compared with a field, or with the outcome itself."""

    word: str
    field: str
    """Empty for the outcome itself."""
    place: int


class Condition:
    """A test of outcomes, the words in which it was asked for, and the fields it is about."""

    def __init__(
        self, text: str, test: Reading, typed: list[TypedOperand], about: list[ConditionWord]
    ) -> None:
        self.text = text
        self._test = test
        self.typed = typed
        self.about = about

    def __call__(self, outcome: Outcome) -> bool:
        return bool(self._test(outcome))

    def unmet(self, outcomes: Sequence[Outcome]) -> ConditionError | None:
        """The refusal of what can be neither so nor otherwise among all outcomes.

        A word that nothing is called is a slip, most likely; a field that is None throughout was
        not counted.
        """
        for word in self.about:
            if all(word.read(outcome) is None for outcome in outcomes):
                return missing_field(self.text, word, outcomes[0])
        for typed in self.typed:
            words = _words_in(typed.field, outcomes)
            if typed.word.casefold() not in {word.casefold() for word in words}:
                return self._unknown(typed, words, outcomes)
        return None

    def _unknown(
        self, typed: TypedOperand, words: list[str], outcomes: Sequence[Outcome]
    ) -> ConditionError:
        if not typed.field and (examples := _compared_with(typed.word, outcomes)):
            return ConditionError(self.text, typed.place, _whose(examples))
        none = msg("refused.event.never", came=repr(typed.word))
        if not typed.field and hasattr(outcomes[0], "_fields"):
            return ConditionError(self.text, typed.place, none)
        known = words if len(words) <= MOST_WORDS else []
        close = likeliest(typed.word, words)
        return ConditionError(
            self.text, typed.place, with_likeliest(none, typed.word, [close] if close else known)
        )


def missing_field(text: str, field: ConditionWord, outcome: Outcome) -> ConditionError:
    """The refusal of a field that was not counted, with what to give so that it is."""
    words = explain_missing(outcome, [field.word])
    return ConditionError(text, field.place, msg("odds.uncounted.here", names=words))


def _compared_with(word: str, outcomes: Sequence[Outcome]) -> list[str]:
    """Return comparisons that a single word may mean: `outcome = Fade`; none if none fits."""
    if not outcomes:
        return []
    fields: tuple[str, ...] = getattr(outcomes[0], "_fields", ()) or ("",)
    found = [
        (field, known)
        for field in fields
        for known in _words_in(field, outcomes)
        if known.casefold() == word.casefold()
    ]
    return [f"{field} = {_quote(known)}".strip() for field, known in found]


def _quote(word: str) -> str:
    return f'"{word}"' if " " in word else word


def _whose(examples: list[str]) -> Message:
    return msg("refused.event.value", example=examples[0])


def _words_in(field: str, outcomes: Sequence[Outcome]) -> list[str]:
    """Return the names of a field's values in these outcomes, first of all by its type."""
    values = [getattr(outcome, field) if field else outcome for outcome in outcomes]
    known = dict.fromkeys(word for value in values[:1] for word in words_beside(value) if word)
    kind: type = type(outcomes[0])
    known |= dict.fromkeys(word for word in (_literals(kind, field) if field else ()) if word)
    known |= dict.fromkeys(map(format_field, dict.fromkeys(values)))
    return list(known)


def names_in_event(where: str) -> frozenset[str]:
    """The names in an event that a sweep gives numbers to.

    >>> sorted(names_in_event(">= @tn and <= @most"))
    ['most', 'tn']
    """
    return frozenset(NAMED.findall(where))


def with_numbers(where: str, numbers: Mapping[str, object]) -> str:
    """The event with numbers in place of its names.

    >>> with_numbers("total >= @tn", {"tn": 15})
    'total >= 15'
    """
    return NAMED.sub(lambda found: str(numbers.get(found[1], found[0])), where)


@lru_cache(maxsize=256)
def _literals(kind: type, field: str) -> tuple[str, ...]:
    """The words that a field may be, where its type lists them."""
    hint = get_type_hints(kind).get(field)
    return tuple([str(word) for word in get_args(hint)]) if get_origin(hint) is Literal else ()


class _ConditionParser:
    """One text, read from left to right."""

    def __init__(
        self, text: str, fields: tuple[str, ...], spoken: Spoken, outcomes: Sequence[Outcome]
    ) -> None:
        self.text = text
        self.fields = fields
        self.outcomes = outcomes
        self.tokens = tokens(text, fields, spoken)
        self.at = 0
        self.depth = 0
        self.typed: list[TypedOperand] = []
        self.about: list[ConditionWord] = []
        self._printed: dict[str, object] | None = None
        self._texts: dict[str, str] | None = None

    def whole(self) -> Condition:
        test = self.either()
        if self.now.kind != "end":
            raise self.wrong("refused.event.joint")
        return Condition(self.text, test, self.typed, self.about)

    @property
    def now(self) -> ConditionToken:
        return self.tokens[self.at]

    def wrong(self, id: str) -> ConditionError:
        """The refusal of the next token, by what was expected instead."""
        came = repr(self.now.text) if self.now.text else msg("refused.event.end")
        return ConditionError(self.text, self.now.place, msg(id, came=came))

    def accept(self, *texts: str) -> bool:
        """Whether the next token is one of these; then it is passed."""
        hit = self.now.kind in ("word", "sign") and self.now.text.lower() in texts
        self.at += hit
        return hit

    def either(self) -> Reading:
        parts = [self.both()]
        while self.accept("or"):
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else lambda o: any(part(o) for part in parts)

    def both(self) -> Reading:
        parts = [self.negation()]
        while self.accept("and"):
            parts.append(self.negation())
        return parts[0] if len(parts) == 1 else lambda o: all(part(o) for part in parts)

    def negation(self) -> Reading:
        turns = 0
        while self.accept("not"):
            turns += 1
        part = self.comparison()
        return part if turns % 2 == 0 else lambda o: not part(o)

    def comparison(self) -> Reading:
        """One side, or a chain such as `1 <= successes <= 3`; a missing first side is `it`.

        After an equals sign, `or` goes on with values: `successes = 1 or 2`.
        """
        start = self.at
        sides: list[Side] = [_itself if self.now.text in SIGNS else self.side()]
        signs: list[Sign] = []
        while self.now.text in SIGNS:
            signs.append(SIGNS[self.now.text])
            self.at += 1
            sides.append(self.side())
        if not signs:
            return self.sure(sides[0], self.tokens[start])
        others = self.other_values(signs)
        bare = [side for side in (*sides, *others) if _is_bare(side)]
        if not any(_is_of_outcome(side) for side in sides):
            raise self.no_field(bare[0]) if bare else self.of_values(start)
        links = _links(sides, signs)
        *before, (left, sign, right) = links
        same = left if _is_of_outcome(left) else right
        chains = [links, *([*before, Comparison(same, sign, other)] for other in others)]
        for link in (link for chain in chains for link in chain):
            self.note(link.left, link.right)
            self.note(link.right, link.left)
        tests = [
            self.chain(chain, self.as_event(chain[-1]) if number else None)
            for number, chain in enumerate(chains)
        ]
        return tests[0] if len(tests) == 1 else lambda o: any(test(o) for test in tests)

    def note(self, side: Side, other: Side) -> None:
        """Remember a word that is compared with something of the outcome."""
        if isinstance(side, ConditionWord) and side.field is None:
            word, place = side.word, side.place
        elif isinstance(side, ConditionValue) and isinstance(side.value, str):
            word, place = side.value, side.place
        else:
            return
        if other is _itself:
            self.typed.append(TypedOperand(word, "", place))
        elif isinstance(other, ConditionWord) and other.field is not None:
            self.typed.append(TypedOperand(word, other.word, place))

    def other_values(self, signs: list[Sign]) -> list[Side]:
        """The values that follow one by `or`; after other signs than `=` there can be none."""
        found: list[Side] = []
        while self.now.text.lower() == "or" and self._is_value(self.at + 1):
            is_field = self.tokens[self.at + 1].text in self.fields
            if is_field and signs[-1] is not operator.eq:
                break
            self.at += 1
            if signs[-1] is not operator.eq:
                raise self.wrong("refused.event.either")
            found.append(self.side())
        return found

    def _is_value(self, at: int) -> bool:
        """Check whether this token is a number, a text or a word that nothing compares."""
        token = self.tokens[at]
        if token.text == "-":
            at, token = at + 1, self.tokens[at + 1]
        is_word = token.kind == "word" and token.text.lower() not in ("and", "or", "not", *ITSELF)
        return (token.kind in ("number", "text") or is_word) and (
            self.tokens[at + 1].text not in SIGNS
        )

    def as_event(self, link: Comparison) -> Reading | None:
        """Return the meaning of `or success` with such a field: a word beside a tier, or itself."""
        word = link.right
        if not isinstance(word, ConditionWord) or word.field is None:
            return None
        left, read = link.left, word.read
        listed = word.word.lower()

        def holds(outcome: Outcome) -> object:
            words = {one.lower() for one in words_beside(_value(left, outcome))}
            return None if listed in words else bool(read(outcome))

        return holds

    def chain(self, links: list[Comparison], event: Reading | None = None) -> Reading:
        """Whether every comparison holds, or instead an event that is one by itself."""

        def holds(outcome: Outcome) -> object:
            if event is not None and (found := event(outcome)) is not None:
                return found
            try:
                return all(sign(*self.pair(left, right, outcome)) for left, sign, right in links)
            except TypeError:
                raise ConditionError(self.text, 0, msg("refused.event.order")) from None

        return holds

    def several(self, outcome: tuple[object, ...]) -> Message:
        """That an outcome is no single value, with what to ask instead."""
        if not self.fields:
            return msg("refused.event.several", example=format_field(outcome))
        numbers = [name for name in self.fields if is_number(getattr(outcome, name))]
        return msg("refused.event.which", field=[*numbers, *self.fields][0])

    def pair(self, left: Side, right: Side, outcome: Outcome) -> tuple[object, object]:
        """The values of two sides; beside a word with a rank, the other is one of its words."""
        one, two = _value(left, outcome), _value(right, outcome)
        if words := words_beside(one):
            return one, self.value_by_rank(right, two, words)
        if words := words_beside(two):
            return self.value_by_rank(left, one, words), two
        for side, value, other in ((left, one, two), (right, two, one)):
            if side is _itself and isinstance(value, tuple) and not isinstance(other, tuple):
                raise ConditionError(self.text, 0, self.several(value))
            if value is None and other is not None and self.was_left_out(side, outcome):
                raise missing_field(self.text, side, outcome)
            if isinstance(side, ConditionValue) and isinstance(value, bool) and is_number(other):
                raise ConditionError(self.text, side.place, msg("refused.event.yes"))
        return _ignore_case(self.value_by_text(one, two), self.value_by_text(two, one))

    def was_left_out(self, side: Side, outcome: Outcome) -> TypeGuard[ConditionWord]:
        """Whether a field without a value is one that has to be asked for."""
        needs = outcome.counted_with() if hasattr(outcome, "counted_with") else {}
        return isinstance(side, ConditionWord) and side.word in needs

    def value_by_text(self, value: object, other: object) -> object:
        """A text beside a number or the like: the value of an outcome that is printed so."""
        if not isinstance(value, str) or isinstance(other, str):
            return value
        if self._printed is None:
            parts = dict.fromkeys(part for one in self.outcomes for part in _parts(one))
            self._printed = {
                format_field(part).casefold(): part for part in parts if has_words(part)
            }
        return self._printed.get(value.casefold(), value)

    def value_by_rank(self, side: Side, value: object, words: tuple[str, ...]) -> object:
        """Return a side's meaning beside a word with a rank: one of the words, or such a value."""
        if words_beside(value) == words:
            return value
        typed = side.word if isinstance(side, ConditionWord) else value
        for word in words:
            if word.lower() == str(typed).lower():
                return word
        place = side.place if isinstance(side, ConditionWord) else 0
        listed = ", ".join(words[:MOST_WORDS]) + (", …" if len(words) > MOST_WORDS else "")
        none = msg("refused.event.none_of", came=repr(format_field(typed)), words=listed)
        raise ConditionError(self.text, place, none)

    def side(self) -> Side:
        token = self.now
        if self.accept("("):
            return self.inside(token)
        if self.accept("-"):
            return self.less_than_nothing()
        self.at += token.kind != "end"
        if token.kind == "number":
            return self.number_or_range(_number(token.text), token)
        if token.kind == "text":
            return ConditionValue(token.text.strip("\"'"), token.place)
        if token.kind == "word":
            return self.variable(token)
        self.at -= token.kind != "end"
        raise self.wrong("refused.event.side")

    def number_or_range(self, low: int | Fraction, token: ConditionToken) -> ConditionValue:
        """A number, or the numbers from it to another: `19-20`."""
        if self.now.text not in ("-", "–", "..") or self.tokens[self.at + 1].kind != "number":
            return ConditionValue(low, token.place)
        high = _number(self.tokens[self.at + 1].text)
        before = self.tokens[self.at - 2].text if self.at > 1 else ""
        self.at += 2
        if low > high or before not in ("=", "==", "!=", "<>", "≠", "", "or"):
            span = self.text[token.place : self.tokens[self.at - 1].place] + str(high)
            raise ConditionError(self.text, token.place, msg("refused.event.span", span=span))
        return ConditionValue(NumberRange(low, high), token.place)

    def inside(self, opened: ConditionToken) -> Reading:
        self.depth += 1
        if self.depth > DEEPEST:
            raise ConditionError(self.text[:20] + "…", opened.place, msg("refused.event.nested"))
        part = self.either()
        if not self.accept(")"):
            raise self.wrong("refused.event.closing")
        self.depth -= 1
        return part

    def less_than_nothing(self) -> ConditionValue:
        if self.now.kind != "number":
            raise self.wrong("refused.event.minus")
        self.at += 1
        return ConditionValue(-_number(self.tokens[self.at - 1].text))

    def variable(self, token: ConditionToken) -> Side:
        word = token.text
        if word in self.fields:
            self.about.append(ConditionWord(word, token.place, operator.attrgetter(word)))
            return self.about[-1]
        if word.lower() in KNOWN_WORDS:
            return ConditionValue(KNOWN_WORDS[word.lower()], token.place)
        if word in ITSELF and not self.fields:
            return _itself
        if word.lower() in ("and", "or", "not"):
            self.at -= 1
            raise self.wrong("refused.event.side")
        return self.text_of_words(token) or ConditionWord(word, token.place)

    def text_of_words(self, token: ConditionToken) -> ConditionValue | None:
        """A text of several words that an outcome is called, without quotes: `= Cool Success`."""
        end = self.at
        while self.tokens[end].kind == "word":
            end += 1
        while end > self.at:
            words = " ".join(one.text for one in self.tokens[self.at - 1 : end])
            if (found := self.texts.get(words.casefold())) is not None:
                self.at = end
                return ConditionValue(found, token.place)
            end -= 1
        return None

    @property
    def texts(self) -> dict[str, str]:
        """The texts of several words that outcomes are called."""
        if self._texts is None:
            fields = self.fields or ("",)
            kinds = zip(fields, _parts(self.outcomes[0])) if self.outcomes else ()
            known = [
                word
                for field, value in kinds
                if isinstance(value, str)
                for word in _words_in(field, self.outcomes)
                if " " in word
            ]
            self._texts = {word.casefold(): word for word in known}
        return self._texts

    def sure(self, side: Side, token: ConditionToken) -> Reading:
        """Return the reading of a side that is alone: a field, not a value or an unknown word."""
        if isinstance(side, ConditionWord):
            if side.field is None:
                raise self.no_field(side)
            return side.read
        if isinstance(side, ConditionValue):
            raise self.of_nothing(side.value, token)
        return side

    def of_nothing(self, value: object, token: ConditionToken) -> ConditionError:
        """The refusal of what would hold always or never, whatever is rolled."""
        field = self.fields[0] if self.fields else ""
        example = f"{field} = {self.text[token.place :].strip()}".strip()
        if isinstance(value, str):
            example = [*_compared_with(value, self.outcomes), example][0]
        return ConditionError(self.text, token.place, msg("refused.event.value", example=example))

    def of_values(self, start: int) -> ConditionError:
        """The refusal of values that are compared with each other alone: `7 <= 9`."""
        first, last = self.tokens[start], self.tokens[self.at]
        typed = self.text[first.place : last.place].strip()
        sign = self.tokens[start + 1].text
        left, _, right = typed.partition(sign)
        field = self.fields[0] if self.fields else ITSELF[0]
        example = f"{left.strip()} {sign} {field} {sign} {right.strip()}"
        return ConditionError(self.text, first.place, msg("refused.event.value", example=example))

    def no_field(self, bare: ConditionWord) -> ConditionError:
        if examples := _compared_with(bare.word, self.outcomes):
            return ConditionError(self.text, bare.place, _whose(examples))
        known = sorted(self.fields) or ["total"]
        none = msg("table.field.none", name=repr(bare.word))
        return ConditionError(self.text, bare.place, with_likeliest(none, bare.word, known))


def _links(sides: list[Side], signs: list[Sign]) -> list[Comparison]:
    """Each comparison of a chain: `>= 7 <= 9` goes on with what was compared, not with the 7."""
    found: list[Comparison] = []
    compared = sides[0]
    for left, sign, right in zip(sides, signs, sides[1:]):
        if _is_of_outcome(left):
            compared = left
        elif not _is_of_outcome(right):
            left = compared
        found.append(Comparison(left, sign, right))
    return found


def _is_bare(side: Side) -> TypeGuard[ConditionWord]:
    return isinstance(side, ConditionWord) and side.field is None


def _is_of_outcome(side: Side) -> bool:
    return not isinstance(side, ConditionValue) and not _is_bare(side)


def _parts(outcome: Outcome) -> tuple[object, ...]:
    """The outcome itself, or the values of its fields."""
    return tuple(outcome) if hasattr(outcome, "_fields") else (outcome,)


def _value(side: Side, outcome: Outcome) -> object:
    return (
        side.read(outcome) if isinstance(side, (ConditionWord, ConditionValue)) else side(outcome)
    )


def _ignore_case(one: object, two: object) -> tuple[object, object]:
    """Texts whatever the case of their letters; a value with words of its own as it is said."""
    if isinstance(one, str) and isinstance(two, str):
        return one.casefold(), two.casefold()
    if isinstance(two, str) and has_words(one):
        return format_field(one), two
    if isinstance(one, str) and has_words(two):
        return one, format_field(two)
    return one, two


def _itself(outcome: Outcome) -> object:
    return outcome


def _number(text: str) -> int | Fraction:
    try:
        return int(text) if text.isdigit() else Fraction(text)
    except ZeroDivisionError:
        raise ConditionError(text, 0, msg("refused.event.zero")) from None
