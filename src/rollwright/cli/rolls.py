"""A roll between people and the engine: faces and options as they are typed, and its narration."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from rollwright.cli.console import Console, note, show
from rollwright.cli.texts import msg, text, usage
from rollwright.dice import Die, Face, Pool
from rollwright.engine.sources import SeededSource, Source, SystemSource, TypedSource
from rollwright.engine.steps import Choice
from rollwright.engine.transcript import ChoiceEntry, Transcript
from rollwright.errors import BadAnswer, with_likeliest
from rollwright.i18n.locale import reader_language
from rollwright.i18n.messages import Value, any_of, clauses
from rollwright.i18n.messages import msg as message
from rollwright.kit.card.endings import effect_text, effects_of, narrate
from rollwright.kit.card.marks import dice_names
from rollwright.kit.card.texts import say
from rollwright.kit.games import find_game
from rollwright.kit.titles import game_of, seat_title
from rollwright.kit.words import find_face, format_option
from rollwright.pictures.terminal import wrap_text

if TYPE_CHECKING:
    from rollwright.cli.options import GivenOptions
    from rollwright.engine.best.advice import best
    from rollwright.engine.odds.count import Policy

LONGEST_NUMBER = 40
LONGEST_ANSWER = 10_000
MOST_FACES = 12
MOST_OPTIONS = 6
PRINTED = {10: ("0",), 100: ("0", "00")}
"""Numbers printed on the highest face of some dice."""


class TypedWords(TypedSource):
    """Faces as words, understood once it is known which dice they belong to."""

    def throw(self, pool: Pool) -> tuple[Face, ...]:
        """The next faces, if there are enough and the dice can show them."""
        dice = pool.dice
        for number, die in enumerate(dice[: len(self.left)]):
            self.left[number] = parse_face(die, self.left[number])
        return super().throw(pool)

    @property
    def is_empty(self) -> bool:
        """Whether no faces are left."""
        return not self.left


def parse_face(die: Die, word: Face) -> Face:
    """The face that somebody read off a die: a printed 0 is a 10, and 00 is a 100."""
    if die.is_numbered and word in PRINTED.get(len(die.faces), ()):
        return len(die.faces)
    return find_face(die, word)


def words_in(typed: str) -> list[str]:
    """Faces set apart by commas or spaces: `7,4` or `7 4`."""
    return typed.replace(",", " ").split()


def source_of(faces: str | None, seed: str | None, after: Transcript | None = None) -> Source:
    """Return the source of the faces; a seed continues after what was thrown before."""
    if faces is not None and seed is not None:
        raise usage("refusal.faces_or_seed")
    if faces is not None:
        return TypedWords(words_in(faces))
    if seed is not None:
        source = SeededSource(int(seed) if is_number(seed) else seed)
        for pool in _pools_so_far(after):
            source.throw(pool)
        return source
    return SystemSource()


def _pools_so_far(transcript: Transcript | None) -> list[Pool]:
    """The pools that were thrown here so far, not by hand."""
    if transcript is None:
        return []
    thrown = [entry for entry in transcript.entries if not isinstance(entry, ChoiceEntry)]
    pools = [step.pool for step, _ in transcript.throws]
    return [pool for pool, entry in zip(pools, thrown, strict=True) if entry.how == "rolled"]


def is_number(typed: str) -> bool:
    """Whether a text is a whole number in digits that everybody has, and not too long."""
    return typed.isascii() and typed.isdigit() and len(typed) < LONGEST_NUMBER


def play_on(
    transcript: Transcript,
    source: Source,
    choices: Iterable[str] = (),
    policy: Policy | best | None = None,
) -> Transcript:
    """The roll as far as faces, choices and policy carry it."""
    from rollwright.engine.transcript import play

    words = list(choices)
    while (after := _step(transcript, source, words)) is not None:
        transcript = after
    if policy is not None and isinstance(transcript.step, Choice):
        transcript = play(transcript, source=source, policy=policy)
    if words:
        raise BadAnswer(msg("refusal.unchosen", word=repr(words[0])))
    if isinstance(source, TypedSource):
        source.finish()
    return transcript


def _step(transcript: Transcript, source: Source, words: list[str]) -> Transcript | None:
    """One throw or one choice further; None where nothing is left to go on with."""
    step = transcript.step
    if isinstance(step, Choice):
        return transcript.choose(find_option(step, words.pop(0))) if words else None
    if transcript.is_done or (isinstance(source, TypedWords) and source.is_empty):
        return None
    how = "typed" if isinstance(source, TypedSource) else "rolled"
    return transcript.throw(source.throw(step.pool), how)


def find_option(choice: Choice[object], word: str) -> object:
    """Return the option for a word, the beginning of one or its number."""
    names = {format_option(option).lower(): option for option in choice.options}
    wanted = word.strip().lower()
    if wanted in names:
        return names[wanted]
    begin = [option for name, option in names.items() if name.startswith(wanted) and wanted]
    if len(begin) == 1:
        return begin[0]
    if is_number(wanted) and 1 <= int(wanted) <= len(choice.options):
        return choice.options[int(wanted) - 1]
    if not wanted:
        raise BadAnswer(msg("refusal.choose_one", by=choice.by, answers=format_answers(choice)))
    problem = msg("refusal.unoffered", word=repr(word), by=choice.by)
    raise BadAnswer(with_likeliest(problem, wanted, list(names)))


def format_answers(choice: Choice[object]) -> str:
    """Return what may be typed for a choice: a number of the list, or one of the options."""
    names = [format_option(option) for option in choice.options]
    if any(name.isdigit() for name in names):
        return text("play.answers", names=any_of(names))
    return f"1-{len(names)}"


def answer_to(question: str, page: Console) -> str:
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


def in_columns(lines: str, width: int) -> str:
    """Lines of a word and what it does, which goes on below where it began.

    >>> print(in_columns("  back   take back a choice", 20))
      back   take back a
             choice
    """
    parts = [(line, len(line) - len(_told_of(line))) for line in lines.splitlines()]
    return "\n".join(wrap_text(line, width, " " * at) for line, at in parts)


def _told_of(line: str) -> str:
    return re.split(r"(?<=\S) {2,}", line, maxsplit=1)[-1]


def faces_prompt(transcript: Transcript, whose: str = "") -> str:
    """Return the question for the faces of real dice, with the thrower's name."""
    dice, n = dice_prompt(transcript), transcript.step.pool.size
    return text("play.throw", who="some" if whose else "", name=whose, dice=dice, n=n)


def dice_prompt(transcript: Transcript) -> str:
    """The dice that a roll waits for."""
    pool: Pool = transcript.step.pool
    called = dice_titles(transcript, pool)
    return " + ".join(_format_dice(die, count, called) for die, count in pool.groups)


def dice_titles(transcript: Transcript, pool: Pool) -> dict[str, str]:
    """Return the game's names of dice, by ours."""
    request = transcript.request
    game = "" if request is None else request.game
    named = dice_names(transcript, pool)
    return {name: say(what, game, reader_language()) for name, what in named.items()}


def _format_dice(die: Die, count: int, called: Mapping[str, str]) -> str:
    """Dice as they are called; those that show words with the words."""
    if die.name in called:
        return f"{count if count > 1 else ''}D{len(die.faces)} ({called[die.name]})"
    if die.is_numbered or not die.name:
        return repr(count * die) if count > 1 else repr(die)
    faces = [str(face) for face in die.faces]
    few = len(faces) <= MOST_FACES
    listed = any_of(faces) if few else message("fits.range", low=faces[0], high=faces[-1])
    return text("play.dice", name=die.name, faces=listed, n=count)


def tell(transcript: Transcript, saved: str | None, page: Console, *, tree: bool = False) -> None:
    """Print what happened and its results, in words; `saved` is the file that has all of it."""
    if _is_expression(transcript) and transcript.is_done:
        from rollwright.notation import result

        found = result(transcript)
        show(found.tree() if tree else str(found), page)
        for remark in found.hints:
            note(str(remark))
    else:
        show(wrap_text(narrate(transcript), page.width), page)
    for line in _format_ending(transcript, saved):
        show(wrap_text(line, page.width, "  "), page)


def show_elsewhere(transcript: Transcript, given: GivenOptions) -> None:
    """The roll as a picture, and as lines to paste, where somebody wants them."""
    if not given.picture and not given.share:
        return
    from rollwright.cli.files import write_bytes
    from rollwright.queries.shares.rolls import share

    made = share(transcript, policy=given.policy_name if given.policy else "")
    if given.picture:
        write_bytes(given.picture, made.render(given.picture))
        note(text("drawn", name=given.picture))
    if given.share:
        show(made.text)


def _is_expression(transcript: Transcript) -> bool:
    if transcript.request is not None:
        return False
    from rollwright.notation.counter import expression

    return transcript.call.rule is expression


def _format_ending(transcript: Transcript, saved: str | None) -> list[str]:
    """Return lines about what the outcome changes, or how an open roll goes on."""
    if transcript.is_done:
        effects = effects_of(transcript)
        return [text("roll.changes", effects=clauses(_effects(transcript)))] if effects else []
    step = transcript.step
    if isinstance(step, Choice):
        waits = msg("roll.must_choose", by=seat_title(game_of(transcript), step.by))
        options = step.options[:MOST_OPTIONS]
        answer: Value = any_of(f"--choose {format_option(option)!r}" for option in options)
    else:
        waits, answer = msg("roll.waiting", dice=dice_prompt(transcript)), "--faces"
    if saved:
        how = resume_options(transcript, saved)
        return [text("roll.open.saved", waits=waits, how=how, answer=answer)]
    return [text("roll.open", waits=waits, answer=answer)]


def resume_options(transcript: Transcript, saved: str) -> str:
    """Return the options that resume a saved roll, with a rule's file, so that it is loaded."""
    rules = sys.modules.get("rollwright.file_games")
    request = transcript.request
    rule = "" if rules is None or request is None else rules.rule_path(request)
    return f"{rule} --resume {saved}".strip()


def _effects(transcript: Transcript) -> list[str]:
    """Return the outcome's changes, in words."""
    if transcript.request is None:
        return []
    game = find_game(transcript.request.game)
    shown = [effect_text(game, effect) for effect in effects_of(transcript)]
    return [say(one, game.name, reader_language()) for one in shown]
