"""A roll between people and the engine: faces and options as typed, what is told and advised."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from rollwright.ask.advice import Weighed, weighed
from rollwright.ask.measures import COSTS, Aim, worth_said
from rollwright.cli.options import names_of
from rollwright.cli.paper import Paper, show
from rollwright.dice import Die, Face, Pool
from rollwright.engine.sources import Seeded, Source, System, Typed
from rollwright.engine.steps import Choice
from rollwright.engine.transcript import Chosen, Transcript
from rollwright.errors import BadAnswer, RollwrightError, did_you_mean
from rollwright.kit.words import effect_said, effects_of, face_meant, option_said, told
from rollwright.pictures.outcomes import all_measured, field_said, fields_in
from rollwright.pictures.terminal import wrapped

if TYPE_CHECKING:
    from rollwright.ask.subjects import Subject
    from rollwright.budget import Budget
    from rollwright.dice import Outcome
    from rollwright.engine.best.advice import best
    from rollwright.engine.odds.count import Policy
    from rollwright.exact import Dist

LONGEST_NUMBER = 40
LONGEST_ANSWER = 10_000
MOST_FACES = 12
MOST_OPTIONS = 6
PRINTED = {10: ("0",), 100: ("0", "00")}
"""What stands on the highest face of some dice."""


class TypedWords(Typed):
    """Faces as words, understood once it is known which dice they belong to."""

    def throw(self, pool: Pool) -> tuple[Face, ...]:
        """The next faces, if there are enough and the dice can show them."""
        dice = pool.dice
        for number, die in enumerate(dice[: len(self.left)]):
            self.left[number] = face_typed(die, self.left[number])
        return super().throw(pool)

    @property
    def is_empty(self) -> bool:
        """Whether no faces are left."""
        return not self.left


def face_typed(die: Die, word: Face) -> Face:
    """The face that somebody read off a die: a printed 0 is a 10, and 00 is a 100."""
    if die.is_numbered and word in PRINTED.get(len(die.faces), ()):
        return len(die.faces)
    return face_meant(die, word)


def words_in(text: str) -> list[str]:
    """Faces set apart by commas or spaces: `7,4` or `7 4`."""
    return text.replace(",", " ").split()


def source_of(faces: str | None, seed: str | None, after: Transcript | None = None) -> Source:
    """Where the faces come from; a seed goes on behind what was thrown before."""
    if faces is not None and seed is not None:
        raise click.UsageError("faces are either given or rolled: --faces or --seed, not both")
    if faces is not None:
        return TypedWords(words_in(faces))
    if seed is not None:
        source = Seeded(int(seed) if is_number(seed) else seed)
        for pool in _rolled(after):
            source.throw(pool)
        return source
    return System()


def _rolled(transcript: Transcript | None) -> list[Pool]:
    """The pools that were thrown here so far, not by hand."""
    if transcript is None:
        return []
    thrown = [entry for entry in transcript.entries if not isinstance(entry, Chosen)]
    pools = [step.pool for step, _ in transcript.throws]
    return [pool for pool, entry in zip(pools, thrown, strict=True) if entry.how == "rolled"]


def is_number(text: str) -> bool:
    """Whether a text is a whole number in digits that everybody has, and not too long."""
    return text.isascii() and text.isdigit() and len(text) < LONGEST_NUMBER


def played(
    transcript: Transcript,
    source: Source,
    choices: Iterable[str] = (),
    policy: Policy | best | None = None,
) -> Transcript:
    """The roll as far as faces, choices and policy carry it."""
    from rollwright.engine.transcript import play

    words = list(choices)
    while (after := _stepped(transcript, source, words)) is not None:
        transcript = after
    if policy is not None and isinstance(transcript.step, Choice):
        transcript = play(transcript, source=source, policy=policy)
    if words:
        raise BadAnswer(f"nobody had to choose {words[0]!r}: the choice never came up")
    if isinstance(source, Typed):
        source.finish()
    return transcript


def _stepped(transcript: Transcript, source: Source, words: list[str]) -> Transcript | None:
    """One throw or one choice further; None where nothing is left to go on with."""
    step = transcript.step
    if isinstance(step, Choice):
        return transcript.choose(option_meant(step, words.pop(0))) if words else None
    if transcript.is_done or (isinstance(source, TypedWords) and source.is_empty):
        return None
    how = "typed" if isinstance(source, Typed) else "rolled"
    return transcript.throw(source.throw(step.pool), how)


def option_meant(choice: Choice[object], word: str) -> object:
    """The option that a word, the beginning of one or its number stands for."""
    names = {option_said(option).lower(): option for option in choice.options}
    wanted = word.strip().lower()
    if wanted in names:
        return names[wanted]
    begin = [option for name, option in names.items() if name.startswith(wanted) and wanted]
    if len(begin) == 1:
        return begin[0]
    if is_number(wanted) and 1 <= int(wanted) <= len(choice.options):
        return choice.options[int(wanted) - 1]
    raise BadAnswer(f"{word!r} is not offered to {choice.by}{did_you_mean(wanted, list(names))}")


def answer_to(question: str, page: Paper) -> str:
    """The line that answers a question, as far as anybody would type; EOFError at the end."""
    show(question, page, end="")
    if sys.stdin is None:
        raise EOFError
    line = sys.stdin.readline(LONGEST_ANSWER)
    if not line:
        raise EOFError
    rest = line
    while rest and not rest.endswith("\n"):  # a person's line is no longer, and a file's is skipped
        rest = sys.stdin.readline(LONGEST_ANSWER)
    return line.strip()


def faces_asked(pool: Pool, whose: str = "") -> str:
    """The question for the faces of real dice, with the name of whoever throws."""
    what = "face" if pool.size == 1 else "faces"
    dice = " + ".join(_dice_said(die, count) for die, count in pool.groups)
    start = f"{whose}: throw" if whose else "Throw"
    return f"{start} {dice} and type the {what}: "


def _dice_said(die: Die, count: int) -> str:
    """Dice as they are called; those that show words with the words."""
    if die.is_numbered or not die.name:
        return repr(count * die) if count > 1 else repr(die)
    faces = [str(face) for face in die.faces]
    listed = " or ".join(faces) if len(faces) <= MOST_FACES else f"{faces[0]} to {faces[-1]}"
    return f"{die.name} ({listed})" if count == 1 else f"{count} {die.name}s ({listed} each)"


def tell(transcript: Transcript, saved: str | None, page: Paper, *, tree: bool = False) -> None:
    """What happened and what comes of it, in words; `saved` is the file that has all of it."""
    if _is_expression(transcript) and transcript.is_done:
        from rollwright.notation import result

        found = result(transcript)
        show(found.tree() if tree else str(found), page)
    else:
        show(wrapped(told(transcript), page.width), page)
    for line in _ending_said(transcript, saved):
        show(wrapped(line, page.width, "  "), page)


def _is_expression(transcript: Transcript) -> bool:
    if transcript.request is not None:
        return False
    from rollwright.notation.counter import expression

    return transcript.call.rule is expression


def _ending_said(transcript: Transcript, saved: str | None) -> list[str]:
    """What the outcome changes, or how an open roll goes on."""
    if transcript.is_done:
        effects = effects_of(transcript)
        return [f"Changes: {'; '.join(map(effect_said, effects))}."] if effects else []
    step = transcript.step
    if isinstance(step, Choice):
        waits = f"{step.by} must choose"
        options = step.options[:MOST_OPTIONS]
        answer = " or ".join(f"--choose {option_said(option)!r}" for option in options)
    else:
        waits, answer = f"waits for {step.pool!r}", "--faces"
    if saved:
        return [f"Open: {waits}. Go on with --resume {saved} and {answer}."]
    later = f"Roll with --save FILE to go on later, or answer beforehand with {answer}."
    return [f"Open: {waits}, and the roll is not saved. {later}"]


MOST_FIELDS = 4
ECHO = 4
"""The place of a field that tells nothing new."""


class Counsel:
    """Advice for one roll and one goal, which may change while the roll is open."""

    def __init__(self, subject: Subject, goal: str | None) -> None:
        self.subject = subject
        self.aim = Aim(subject, goal or "") if subject.request is not None else None

    @property
    def name(self) -> str:
        """The goal by name; empty for dice, which have none."""
        return self.aim.name if self.aim is not None else ""

    def change(self, name: str, page: Paper) -> str:
        """Take another goal, or list those there are."""
        if self.subject.request is None:
            return "  Only games have goals."
        try:
            self.aim = Aim(self.subject, name or "?")
            return f"  Goal: {self.aim.title}"
        except RollwrightError as problem:
            goals = ", ".join(names_of(type(self.subject.request), "goal"))
            said = "" if not name else f"{problem}. "
            text = f"  {said}Goals: {goals}; prices too: hit=1,ones=-0.3"
            return wrapped(text, page.width, "  ")

    def options_said(
        self, transcript: Transcript, page: Paper, budget: Budget | None = None
    ) -> str:
        """The options with what each is worth and what it leads to."""
        labels = _labels(transcript.step)
        if self.aim is None:
            return "\n".join(labels)
        try:
            found = weighed(transcript, self.aim, budget=budget)
        except RollwrightError as problem:
            note = wrapped(f"  (no advice: {problem})", page.width, "  ")
            return "\n".join([*labels, note])
        return "\n".join(_weighed_said(found, self.aim.title, labels, page))


def _weighed_said(found: Weighed, title: str, labels: list[str], page: Paper) -> list[str]:
    futures = [dist for dist in map(found.futures.get, range(len(labels))) if dist is not None]
    futures = futures if len(futures) == len(labels) else []
    worths = dict(found.ranked)
    lines = [wrapped(f"Goal: {title}", page.width, "  ")]
    for place, label in enumerate(labels):
        is_best = found.advice.matters and worths[place] == found.advice.value
        mark = "  ◀ best" if is_best else ""
        lines.append(f"{label}  {worth_said(worths[place], found.chance):>8}{mark}".rstrip())
        lines += _future_said(futures, place, page) if futures else []
    if found.advice.matters:
        return lines
    costs = costs_said([option_said(option) for option in found.step.options], futures)
    said = "It does not matter for this goal" + (f", but {costs}" if costs else "")
    return [*lines, wrapped(f"{said}.", page.width, "  ")]


def _labels(choice: Choice[object]) -> list[str]:
    """The options in a column, numbered unless they are numbers themselves."""
    names = [option_said(option) for option in choice.options]
    wide = max(map(len, names))
    numbered = not any(name.isdigit() for name in names)
    signs = [str(number) if numbered else " " for number in range(1, len(names) + 1)]
    return [f"  {sign}  {name:<{wide}}" for sign, name in zip(signs, names)]


def answers_said(choice: Choice[object]) -> str:
    """What may be typed for a choice: a number of the list, or one of the options."""
    names = [option_said(option) for option in choice.options]
    return " or ".join(names) if any(n.isdigit() for n in names) else f"1-{len(names)}"


def _future_said(futures: Sequence[Dist[Outcome]], number: int, page: Paper) -> list[str]:
    """The fields in which the options differ, for one of them."""
    names = telling_fields(futures)
    wide = max(map(len, names), default=0)
    lines = []
    for name in names:
        text = field_said(futures[number].of(name), page.width - wide - 9).strip()
        lines.append(wrapped(f"       {name:<{wide}}  {text}", page.width, " " * 9))
    return lines


def telling_fields(futures: Sequence[Dist[Outcome]]) -> list[str]:
    """The fields in which the options differ, those first that tell most."""
    found = [name for name in fields_in(futures[0]) if len({dist.of(name) for dist in futures}) > 1]
    places = {name: _place(name, futures) for name in found}
    news = [name for name in found if places[name] < ECHO] or found
    return sorted(news, key=lambda name: places[name])[:MOST_FIELDS]


def _place(name: str, futures: Sequence[Dist[Outcome]]) -> int:
    """What is paid for certain, what may be paid, then the rest.

    A yes or no that is certain and costs nothing only repeats what was chosen.
    """
    parts = [dist.of(name) for dist in futures]
    certain = all(len(part) == 1 for part in parts)
    if name in COSTS:
        return 0 if certain else 1
    if certain and all(isinstance(part.outcomes[0], bool) for part in parts):
        return ECHO
    return 2 if certain else 3


def costs_said(names: list[str], futures: Sequence[Dist[Outcome]]) -> str:
    """Which option costs less, or what each costs more than the cheapest in that; or nothing."""
    prices = [_prices(dist) for dist in futures]
    dearer = [
        [COSTS[cost] for cost in mine if mine[cost] > min(other[cost] for other in prices)]
        for mine in prices
    ]
    if not any(dearer):
        return ""
    if cheap := [name for name, more in zip(names, dearer) if not more]:
        return f"{' or '.join(cheap)} costs less"
    said = [f"{name} costs more in {', '.join(more)}" for name, more in zip(names, dearer)]
    return "; ".join(said)


def _prices(dist: Dist[Outcome]) -> dict[str, Fraction]:
    """What is paid on average, by the name of the field."""
    parts = {name: dist.of(name) for name in fields_in(dist) if name in COSTS}
    return {name: part.map(int).mean for name, part in parts.items() if _is_paid(part.outcomes)}


def _is_paid(values: Sequence[object]) -> bool:
    """Whether a cost was counted: yes or no, or a number."""
    return all(isinstance(value, bool) for value in values) or all_measured(values)
