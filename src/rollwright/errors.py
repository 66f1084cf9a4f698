"""Every error of Rollwright, under one root: what was given, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterable

from rollwright.i18n.messages import Message, any_of, msg, row_of

LONGEST_WHY = 500
"""How much of what went wrong in a game is repeated."""


class RollwrightError(Exception):
    """The root of all our own errors; its text is fit to be shown to a user as it is."""

    @property
    def wording(self) -> Message | str:
        """The error: a message if other languages can say it too, else English text."""
        return str(self)


class BadDie(RollwrightError):
    """A die or a pool that cannot exist, such as one without faces."""


class BadDist(RollwrightError):
    """A distribution that cannot exist, or a question it cannot answer."""


class Misuse(RollwrightError):
    """A rule that breaks the rules of writing rules, such as a forgotten await."""


class BadAnswer(RollwrightError):
    """An answer a position does not accept: an impossible face, an option not offered.

    `face` is the number of the face that is wrong, counted from 1, where it is one of several.
    """

    def __init__(self, problem: Message | str, *, face: int | None = None) -> None:
        super().__init__(problem)
        self.face = face
        self.problem = problem

    @property
    def wording(self) -> Message | str:
        """The error in the answer."""
        return self.problem


class BadTranscript(RollwrightError):
    """A stored roll that does not replay; `place` names the part that is wrong.

    `no_game` says that it is of a game that is not here, which makes it neither true nor false.
    """

    def __init__(self, place: str, problem: Message | str, *, no_game: bool = False) -> None:
        super().__init__(place, problem)
        self.place = place
        self.reason = problem
        self.no_game = no_game

    @property
    def wording(self) -> Message:
        """The part, and what is wrong with it."""
        return msg("refusal", field=self.place, problem=self.reason)

    @property
    def problem(self) -> str:
        """The error, in English; `reason` is the message."""
        return str(self.reason)

    def __str__(self) -> str:
        return str(self.wording)


class NeedsPolicy(RollwrightError):
    """The odds of a rule with choices were asked for without saying how to choose."""

    def __init__(self, by: str, options: Iterable[str]) -> None:
        self.by = by
        self.options = list(options)
        super().__init__(by, self.options)

    @property
    def wording(self) -> Message:
        """Who may choose what, and what to give."""
        return msg("odds.policy", by=self.by, options=any_of(self.options))

    def __str__(self) -> str:
        return str(self.wording)


class NeverEnds(RollwrightError):
    """A rule that goes round for ever, so that a question about its end has no answer."""


class HiddenChoices(RollwrightError):
    """Best play is not defined: people choose without seeing what the others saw."""


STEPS_A_SECOND = 5_000_000
"""About so much work of a rule is done in a second; work on dice alone is done faster."""


def time_of(steps: int) -> str:
    """About how long so much work takes on an ordinary machine, in units of every language.

    >>> time_of(1000), time_of(50_000_000), time_of(10_000_000_000), time_of(10**40)
    ('< 1 s', '10 s', '33 min', '> 1000 h')
    """
    seconds = steps // STEPS_A_SECOND
    if seconds < 1:
        return "< 1 s"
    if seconds < 100:
        return f"{seconds} s"
    if seconds < 6000:
        return f"{seconds // 60} min"
    return f"{seconds // 3600} h" if seconds <= 3_600_000 else "> 1000 h"


class TooMuchWork(RollwrightError):
    """A count that would exceed the work budget, refused before it was started."""

    USUAL_HINT = msg("work.hint")
    WORDS = "work"
    """Prefix of the sentences of its needs in the catalogs."""

    def __init__(
        self,
        what: Message | str,
        estimate: int,
        budget: int,
        hint: Message | str = "",
        whole: int = 0,
        keeps: bool = False,
    ) -> None:
        super().__init__(what, estimate, budget, hint, whole, keeps)
        self.what = what
        self.estimate = estimate
        self.budget = budget
        self.hint: Message | str = hint or self.USUAL_HINT
        self.whole = whole
        self.keeps = keeps
        """Whether it is not the steps that are too many, but what would be kept meanwhile."""

    @property
    def needs(self) -> Message:
        """How much work it would be, and how much there is left for it."""
        if self.keeps:
            return msg(f"{self.WORDS}.keeps", what=self._subject(), whole=self.whole)
        left, named = self.budget, self._subject()
        if self.is_used_up:
            time = time_of(self.whole)
            return msg(f"{self.WORDS}.used", what=named, whole=self.whole, time=time)
        time = time_of(self.estimate)
        return msg(
            f"{self.WORDS}.needs", what=named, estimate=self.estimate, time=time, budget=left
        )

    @property
    def is_used_up(self) -> bool:
        """Whether it was counted until nothing was left: nobody knows how much it would be."""
        return self.estimate * 100 < self.whole

    def _subject(self) -> Message | str:
        """Return what is too much to count, in a sentence."""
        return self.what

    @property
    def wording(self) -> Message | str:
        """How much it would be, and what would be less."""
        by_author = isinstance(self.hint, str)  # messages to a rule's author are English
        id = "work.refused.author" if by_author else "work.refused"
        return msg(id, needs=self.needs, hint=self.hint)

    def __str__(self) -> str:
        return str(self.wording)


class Cancelled(RollwrightError):
    """A long count was stopped by its caller."""


class CodedError(RollwrightError):
    """Something that was not done: a code for programs, a sentence for people."""

    def __init__(self, code: str, message: Message | str, field: str = "") -> None:
        super().__init__(code, message, field)
        self.code = code
        self.field = field
        self._wording = message

    @property
    def wording(self) -> Message | str:
        """The sentence for people."""
        return self._wording

    @property
    def message(self) -> str:
        """The sentence in English."""
        return str(self._wording)

    def __str__(self) -> str:
        return self.message


class BadField(RollwrightError):
    """A wrong field of a request, a sheet, a house rule or a command.

    It names the field, the given value, the rule behind it, and what fits.
    """

    def __init__(
        self,
        field: str,
        problem: Message | str,
        *,
        rule: str = "",
        would_do: Message | str = "",
        code: str = "bad_field",
    ) -> None:
        super().__init__(field, problem)
        self.field = field
        self.reason = problem
        self.rule = rule
        self.remedy = would_do
        self.code = code
        """For programs; where there is simply too much of something, `too_large` or `too_many`."""

    @property
    def wording(self) -> Message:
        """The field, what is wrong with it, the rule behind it, and what fits."""
        whole = msg("refusal", field=self.field, problem=self.reason)
        if self.rule:
            whole = msg("refusal.rule", said=whole, rule=self.rule)
        return msg("refusal.do", said=whole, would_do=self.remedy) if self.remedy else whole

    @property
    def problem(self) -> str:
        """The error, in English; `reason` is the message."""
        return str(self.reason)

    @property
    def would_do(self) -> str:
        """A value that fits, in English; `remedy` is the message."""
        return str(self.remedy)

    def __str__(self) -> str:
        return str(self.wording)

    def inside(self, outer: str) -> BadField:
        """Return the same error, seen from the value that holds this one."""
        return self.at(f"{outer}.{self.field}")

    def at(self, place: str) -> BadField:
        """The same refusal of a field that is called so from further out."""
        return BadField(place, self.reason, rule=self.rule, would_do=self.remedy, code=self.code)


class BrokenGame(RollwrightError):
    """A game that is there and cannot be loaded: its name, and what its own code says."""

    def __init__(self, name: str, problem: BaseException) -> None:
        self.name = name
        self.problem = problem
        own = isinstance(problem, RollwrightError)
        why = str(problem) if own else f"{type(problem).__name__}: {problem}"
        super().__init__(f"the game {name!r} cannot be loaded: {why[:LONGEST_WHY]}")


class BadRules(RollwrightError):
    """A file or module of rules that cannot be used: which, why, and where in its own lines."""

    def __init__(self, where: str, why: str, problem: BaseException | None = None) -> None:
        self.where = where
        self.why = why
        self.problem = problem
        told = "" if problem is None else f": {type(problem).__name__}: {problem}"
        super().__init__(f"{where}: {why}{told[:LONGEST_WHY]}")


class BadGame(RollwrightError):
    """A game that cannot be made: its part that is wrong, what is wrong, and what to write."""

    def __init__(self, name: object, part: str, problem: str, would_do: str = "") -> None:
        self.name = name
        self.part = part
        self.problem = problem
        self.would_do = would_do
        remedy = f": {would_do} would do" if would_do else ""
        super().__init__(f"{name}: {part}: {problem}{remedy}")


class UnknownName(RollwrightError):
    """A name nobody knows here: a game, a roll, a policy, a goal.

    `field` is where it stood, by default called as its kind is.
    """

    def __init__(self, kind: str, name: object, known: Iterable[str], *, field: str = "") -> None:
        self.kind = kind
        self.name = name
        self.known = sorted(known)
        self.field = field or kind
        super().__init__(kind, name, self.known)

    @property
    def guess(self) -> str:
        """The known name that was probably meant, or nothing."""
        return likeliest(str(self.name), self.known)

    @property
    def wording(self) -> Message:
        """That there is none of this name, and which there are."""
        unknown = msg("unknown", kind=self.kind, name=repr(self.name))
        return with_likeliest(unknown, str(self.name), self.known)

    def __str__(self) -> str:
        return str(self.wording)


class BadCatalog(RollwrightError):
    """A text that cannot be read: its file, its message, the place, and what to write instead."""

    def __init__(
        self,
        problem: str,
        *,
        file: str = "",
        id: str = "",
        text: str = "",
        place: int | None = None,
        would_do: str = "",
    ) -> None:
        self.problem = problem
        self.file = file
        self.id = id
        self.text = text
        self.place = place
        self.would_do = would_do
        super().__init__(problem)

    def inside(self, file: str, id: str) -> BadCatalog:
        """Return the same error, seen from the file that holds the text."""
        return BadCatalog(
            self.problem,
            file=file,
            id=id,
            text=self.text,
            place=self.place,
            would_do=self.would_do,
        )

    def __str__(self) -> str:
        where = "".join(f"{part}: " for part in (self.file, self.id) if part)
        remedy = f"; {self.would_do} would do" if self.would_do else ""
        if self.place is None:
            return f"{where}{self.problem}{remedy}"
        before, after = self.text[: self.place][-20:], self.text[self.place :][:20]
        return f"{where}{self.problem}, after {before!r} and before {after!r}{remedy}"


class BadMessage(RollwrightError):
    """Something that was to be said and is no message."""


def format_number(number: int) -> str:
    """A whole number for a sentence: a very large one by its size alone.

    >>> format_number(1234567), format_number(10**40)
    ('1,234,567', '10^40')
    """
    if abs(number) < 10**15:
        return f"{number:,}"
    from math import log10

    return f"{'-' if number < 0 else ''}10^{int(log10(abs(number)) + 1e-9)}"


def a_or_an(word: str) -> str:
    """A word with its article.

    >>> a_or_an("Attack"), a_or_an("skill")
    ('an Attack', 'a skill')
    """
    return f"{article(word)} {word}"


def article(word: str) -> str:
    """The article of a word: messages choose by it, where their language has none like it."""
    return "an" if word[:1].lower() in set("aeiou") else "a"


def did_you_mean(name: str, known: list[str]) -> str:
    """The end of a refusal: the likeliest name, or all of them."""
    if close := likeliest(name, known):
        return f"; did you mean {close!r}?"
    if len(known) == 1:
        return f"; there is only {known[0]}"
    return f"; there are {', '.join(known)}" if known else ""


def with_likeliest(refusal: Message, name: str, known: list[str]) -> Message:
    """The same end as a message around a refusal."""
    if close := likeliest(name, known):
        return msg("unknown.close", said=refusal, name=repr(close))
    if len(known) == 1:
        return msg("unknown.only", said=refusal, name=known[0])
    return msg("unknown.known", said=refusal, names=row_of(known)) if known else refusal


def likeliest(name: str, known: list[str]) -> str:
    """The known name that was probably meant, or nothing."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, known, n=1)), "")
