"""A roll in the terminal: dice drawn as dice, options with their odds, and people who answer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from rollwright.cli import INTERRUPTED, USAGE
from rollwright.cli.commands.advise import AdvicePrinter
from rollwright.cli.console import Console, paper, shorten, show
from rollwright.cli.files import write_text
from rollwright.cli.rolls import (
    TypedWords,
    answer_to,
    dice_titles,
    faces_prompt,
    find_option,
    format_answers,
    in_columns,
    parse_face,
    resume_options,
    show_elsewhere,
    tell,
    words_in,
)
from rollwright.cli.texts import text
from rollwright.engine.sources import Source
from rollwright.engine.steps import Choice
from rollwright.engine.transcript import ChoiceEntry, Entry, Transcript
from rollwright.errors import BadAnswer
from rollwright.i18n.locale import format_text
from rollwright.kit.card.endings import narrate
from rollwright.kit.card.marks import thrower_of
from rollwright.kit.titles import game_of, seat_title
from rollwright.kit.words import dice_of, format_option
from rollwright.pictures.terminal import draw_dice, kind_of, wrap_text

if TYPE_CHECKING:
    from rollwright.cli.options import GivenOptions
    from rollwright.dice import Die, Face
    from rollwright.queries.roll_specs import RollSpec

MOST_ALIKE = 3
"""More dice of one kind in a row have its name once."""
MOST_SLIPS = 100
"""Nobody goes wrong so often in a row: what answers is no person, and the roll is left open."""


class PlayerLeft(Exception):
    """The player has left the roll open."""


class TerminalRoll:
    """One roll with one person at the keyboard."""

    def __init__(self, subject: RollSpec, source: Source, given: GivenOptions) -> None:
        self.page: Console = paper()
        self.subject = subject
        self.source = source
        self.given = given
        self.save = given.save
        self.physical = given.physical
        self.tree = given.tree
        self.counsel = AdvicePrinter.for_roll(subject, given.goal)
        self._shown: tuple[Transcript, str] | None = None
        self._slips = 0
        self._lines = 0
        """How many lines were shown since the dice were drawn, these included."""
        self._only_dice = False
        """Whether nothing was shown since then but more dice."""
        self._warned = False
        self._kept: tuple[str, tuple[Entry, ...]] = ("", ())
        """The file that the roll was saved to, and how far it had come then."""

    def play(self, transcript: Transcript) -> int:
        """Play until the roll ends or is left; answers with the exit code."""
        code = 0
        if transcript.throws:
            self._show_dice(transcript)
        try:
            while not transcript.is_done:
                transcript = self._step(transcript)
        except (PlayerLeft, EOFError, UnicodeDecodeError):
            show("", self.page)
        except KeyboardInterrupt:
            show("", self.page)
            code = INTERRUPTED
        return self._close(transcript, code)

    def _close(self, transcript: Transcript, code: int) -> int:
        """Save the roll if that was asked for, and print it."""
        if self.save and not self._save(self.save, transcript):
            code = code or USAGE
        name, entries = self._kept
        saved = name if entries == transcript.entries else None
        tell(transcript, saved, self.page, tree=self.tree)
        if transcript.is_done and isinstance(self.source, TypedWords):
            self._tell_leftovers(self.source)
        show_elsewhere(transcript, self.given)
        return code

    def _tell_leftovers(self, source: TypedWords) -> None:
        try:
            source.finish()
        except BadAnswer as problem:
            show(wrap_text(f"  {format_text(problem.wording)}", self.page.width, "  "), self.page)

    def _step(self, transcript: Transcript) -> Transcript:
        whose = [] if isinstance(transcript.step, Choice) else [self._whose(transcript)]
        after = self._throw(transcript) if whose else self._choice(transcript)
        while whose and self._is_thrown_at_once(after):
            whose.append(self._whose(after))
            after = self._throw(after)
        if len(after.entries) <= len(transcript.entries):
            return after
        self._slips = 0
        is_choice = isinstance(after.entries[-1], ChoiceEntry)
        if not is_choice:
            self._show_dice(after, whose)
        if after.is_done and (is_choice or self.physical):
            return self._confirm(after, "play.end.choice" if is_choice else "play.end.faces")
        return after

    def _is_thrown_at_once(self, transcript: Transcript) -> bool:
        """Whether another throw follows for which nobody is asked anything."""
        if transcript.is_done or isinstance(transcript.step, Choice) or self.physical:
            return False
        return not isinstance(self.source, TypedWords) or not self.source.is_empty

    def _throw(self, transcript: Transcript) -> Transcript:
        """Faces that were given beforehand, then those that are typed or rolled."""
        words = self.source if isinstance(self.source, TypedWords) else None
        if words is not None and not words.is_empty:
            return transcript.throw(words.throw(transcript.step.pool), "typed")
        if words is not None or self.physical:
            self.physical = True
            return self._type_faces(transcript)
        return transcript.throw(self.source.throw(transcript.step.pool))

    def _type_faces(self, transcript: Transcript) -> Transcript:
        """Faces read off real dice; what cannot be is said, and asked again."""
        pool = transcript.step.pool
        line = self._ask(faces_prompt(transcript, self._whose(transcript)), transcript)
        if line == "back":
            return self._back(transcript)
        words = words_in(line)
        faces = [parse_face(die, word) for die, word in zip(pool.dice, words)]
        try:
            return transcript.throw([*faces, *words[len(faces) :]], "typed")
        except BadAnswer as problem:
            return self._print_mistake(problem, transcript)

    def _whose(self, transcript: Transcript) -> str:
        """Who throws now, where the game knows."""
        return thrower_of(transcript)

    def _confirm(self, transcript: Transcript, question: str) -> Transcript:
        """The last moment to take back a mistyped face or a choice; no answer is a yes."""
        try:
            line = self._ask(text(question), transcript.back())
        except EOFError:
            return transcript
        return self._back(transcript) if line == "back" else transcript

    def _choice(self, transcript: Transcript) -> Transcript:
        step = transcript.step
        if self._shown != (transcript, self.counsel.name):
            self._shown = (transcript, self.counsel.name)
            self._show_choice(transcript)
        answers = format_answers(step)
        by = seat_title(game_of(transcript), step.by)
        line = self._ask(text("play.choose", by=by, answers=answers), transcript)
        word, _, rest = line.partition(" ")
        if word == "back":
            return self._back(transcript)
        if word == "goal":
            show(self.counsel.change(rest.strip(), self.page), self.page)
            return transcript
        try:
            return transcript.choose(find_option(step, line))
        except BadAnswer as problem:
            return self._print_mistake(problem, transcript)

    def _show_choice(self, transcript: Transcript) -> None:
        """Show the current roll and the options, so that the dice stay in sight on one screen."""
        said = wrap_text(narrate(transcript), self.page.width)
        least = len(transcript.step.options) + 2
        screen = self.page.height - said.count("\n") - 3
        room, dice = screen - self._lines, ""
        if transcript.throws and room < least:
            dice = "\n" + wrap_text(dice_line(transcript), self.page.width, "  ")
            room = screen - dice.count("\n")
        options = self.counsel.format_options(transcript, self.page, lines=max(room, 1))
        show(f"{said}\n\n{options}{dice}", self.page)
        self._lines += said.count("\n") + options.count("\n") + dice.count("\n") + 4
        self._only_dice = False

    def _print_mistake(self, problem: BadAnswer, transcript: Transcript) -> Transcript:
        """Print what was wrong with an answer; after many mistakes stop asking."""
        said = shorten(format_text(problem.wording))
        show(wrap_text(f"  {said}", self.page.width, "  "), self.page)
        self._slips += 1
        if self._slips >= MOST_SLIPS:
            raise PlayerLeft
        return transcript

    def _ask(self, question: str, transcript: Transcript) -> str:
        """One answer; whatever can be asked for at any time is done on the way."""
        while True:
            line = answer_to(question, self.page)
            word, _, rest = line.partition(" ")
            if word in ("quit", "exit"):
                self._leave(transcript)
            elif word == "save":
                self._save(rest.strip() or self.save or "roll.json", transcript)
            elif word == "options" and isinstance(transcript.step, Choice):
                show(self.counsel.format_options(transcript, self.page), self.page)
            elif word in ("?", "help"):
                how = resume_options(transcript, "FILE")
                show(in_columns(text("play.help", how=how), self.page.width), self.page)
            else:
                return line

    def _leave(self, transcript: Transcript) -> None:
        """Leave the roll open; thrown dice that nobody saved are not lost at the first word."""
        safe = self.save or not transcript.entries or self._kept[1] == transcript.entries
        if safe or self._warned:
            raise PlayerLeft
        self._warned = True
        show(f"  {text('play.unsaved')}", self.page)

    def _back(self, transcript: Transcript) -> Transcript:
        """Without the last entry, unless dice that nobody typed have been thrown since."""
        last = transcript.entries[-1] if transcript.entries else None
        if last is None:
            show(f"  {text('play.nothing')}", self.page)
            return transcript
        if not isinstance(last, ChoiceEntry) and last.how != "typed":
            show(f"  {text('play.thrown')}", self.page)
            return transcript
        said = (
            format_option(last.option)
            if isinstance(last, ChoiceEntry)
            else ", ".join(map(str, last.faces))
        )
        show(f"  {text('play.back', what=said)}", self.page)
        self.physical = self.physical or not isinstance(last, ChoiceEntry)
        before = transcript.back()
        self._shown = None
        if before.throws:
            self._show_dice(before)
        return before

    def _save(self, name: str, transcript: Transcript) -> bool:
        """Write the roll down, or say why not."""
        try:
            write_text(name, transcript.to_json() + "\n")
        except Exception as problem:
            show(f"  {getattr(problem, 'message', problem)}", self.page)
            return False
        self._kept = (name, transcript.entries)
        show(f"  {text('play.saved', name=name)}", self.page)
        return True

    def _show_dice(self, transcript: Transcript, whose: Sequence[str] = ("",)) -> None:
        """Draw the last throws, one for each of those whose they are, side by side."""
        several = len(set(whose)) > 1
        dice: list[tuple[Die, Face]] = []
        names: list[str] = []
        called: dict[str, str] = {}
        for name, (step, faces) in zip(whose, transcript.throws[-len(whose) :]):
            dice += dice_of(step, faces)
            names += [name if several else ""] * len(faces)
            called |= dice_titles(transcript, step.pool)
        if dice:
            drawn = "\n" + draw_dice(dice, self.page, names, called)
            before = self._lines if self._only_dice else 0
            self._lines, self._only_dice = before + drawn.count("\n") + 1, True
            show(drawn, self.page)


def dice_line(transcript: Transcript) -> str:
    """All dice that were thrown, in one line, for when they have left the screen."""
    dice = []
    for kind, alike in groupby(dice_and_faces(transcript), key=itemgetter(0)):
        faces = [face for _, face in alike]
        each = [f"{kind} {face}" for face in faces]
        dice += each if len(faces) <= MOST_ALIKE else [f"{kind} {' '.join(faces)}"]
    return text("play.dice_line", dice=", ".join(dice))


def dice_and_faces(transcript: Transcript) -> list[tuple[str, str]]:
    """Each die that was thrown, by its kind, with its face."""
    thrown = [pair for step, faces in transcript.throws for pair in dice_of(step, faces)]
    return [(kind_of(die), str(face)) for die, face in thrown]
