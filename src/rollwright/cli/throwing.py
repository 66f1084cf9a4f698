"""Faces as they are typed on the command line, and a roll played as far as it can go."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from rollwright.engine.sources import Seeded, Source, System, Typed
from rollwright.engine.steps import Choice
from rollwright.engine.transcript import Chosen, Transcript
from rollwright.errors import BadAnswer, did_you_mean
from rollwright.kit.words import face_meant, option_said

LONGEST_NUMBER = 40
PRINTED = {10: ("0",), 100: ("0", "00")}
"""What stands on the highest face of some dice."""


class TypedWords(Typed):
    """Faces as words, understood once it is known which dice they belong to."""

    def throw(self, pool: Any) -> tuple[Any, ...]:
        """The next faces, if there are enough and the dice can show them."""
        dice = pool.dice
        for number, die in enumerate(dice[: len(self.left)]):
            self.left[number] = face_typed(die, self.left[number])
        return super().throw(pool)

    @property
    def is_empty(self) -> bool:
        """Whether no faces are left."""
        return not self.left


def face_typed(die: Any, word: Any) -> Any:
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


def _rolled(transcript: Transcript | None) -> list[Any]:
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
    transcript: Transcript, source: Source, choices: Iterable[str] = (), policy: Any = None
) -> Transcript:
    """The roll as far as faces, choices and policy carry it."""
    from rollwright.engine.live import play

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


def option_meant(choice: Choice[Any], word: str) -> Any:
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
