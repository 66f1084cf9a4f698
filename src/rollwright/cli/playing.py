"""A roll in the terminal: dice drawn as dice, options with their odds, and people who answer."""

from __future__ import annotations

from typing import Any

from rollwright.cli.counsel import Counsel, answers_said
from rollwright.cli.files import write_text
from rollwright.cli.paper import Paper, paper, show, wrapped
from rollwright.cli.rolling import ending_said
from rollwright.cli.subjects import Subject
from rollwright.cli.throwing import TypedWords, option_meant, words_in
from rollwright.errors import BadAnswer
from rollwright.pictures.dice import drawn_dice
from rollwright.sources import Source
from rollwright.steps import Choice
from rollwright.telling import dice_of, face_meant, option_said, told
from rollwright.transcript import Chosen, Transcript

HELP = """\
  an option       its number, its name, or how the name begins
  goal NAME       see the options with another goal in mind; goal alone lists them
  back            take back a typed face or a choice
  save FILE       save the roll; go on with: rollwright roll --resume FILE
  quit            leave the roll open"""


class Left(Exception):
    """The player has left the roll open."""


class Game:
    """One roll with one person at the keyboard."""

    def __init__(
        self,
        subject: Subject,
        source: Source,
        goal: str | None,
        save: str | None,
        *,
        physical: bool,
    ) -> None:
        self.page: Paper = paper()
        self.source = source
        self.save = save
        self.physical = physical
        self._shown: Any = None
        self.counsel = Counsel(subject.game, subject.request, goal)

    def play(self, transcript: Transcript) -> Transcript:
        """Play until the roll ends or is left."""
        if transcript.throws:
            self._show_dice(transcript)
        try:
            while not transcript.is_done:
                transcript = self._step(transcript)
        except (Left, EOFError):
            show("", self.page)
        if self.save:
            self._save(self.save, transcript)
        self._close(transcript)
        return transcript

    def _close(self, transcript: Transcript) -> None:
        show(wrapped(told(transcript), self.page.width), self.page)
        for line in ending_said(transcript, self.save):
            show(wrapped(line, self.page.width, "  "), self.page)

    def _step(self, transcript: Transcript) -> Transcript:
        if isinstance(transcript.step, Choice):
            return self._choice(transcript)
        after = self._typed(transcript) if self.physical else self._thrown(transcript)
        if after.throws and len(after.entries) > len(transcript.entries):
            self._show_dice(after)
            return self._confirmed(after) if self.physical and after.is_done else after
        return after

    def _thrown(self, transcript: Transcript) -> Transcript:
        typed = isinstance(self.source, TypedWords)
        if isinstance(self.source, TypedWords) and self.source.is_empty:
            self.physical = True
            return transcript
        faces = self.source.throw(transcript.step.pool)
        return transcript.throw(faces, "typed" if typed else "rolled")

    def _typed(self, transcript: Transcript) -> Transcript:
        """Faces read off real dice; what cannot be is said, and asked again."""
        pool = transcript.step.pool
        line = self._ask(f"Throw {pool!r} and type the faces: ", transcript)
        if line == "back":
            return self._back(transcript)
        words = words_in(line)
        faces = [face_meant(die, word) for die, word in zip(pool.dice, words)]
        try:
            return transcript.throw([*faces, *words[len(faces) :]], "typed")
        except BadAnswer as problem:
            show(wrapped(f"  {problem}", self.page.width, "  "), self.page)
            return transcript

    def _confirmed(self, transcript: Transcript) -> Transcript:
        """The last moment to take back a mistyped face."""
        line = self._ask("Enter to end the roll, back to type the faces anew: ", transcript)
        return self._back(transcript) if line == "back" else transcript

    def _choice(self, transcript: Transcript) -> Transcript:
        step = transcript.step
        if self._shown != (transcript, self.counsel.name):
            self._shown = (transcript, self.counsel.name)
            show(wrapped(told(transcript), self.page.width), self.page)
            show("\n" + self.counsel.options_said(transcript, self.page), self.page)
        line = self._ask(f"{step.by}: {answers_said(step)}, or ? for help: ", transcript)
        word, _, rest = line.partition(" ")
        if word == "back":
            return self._back(transcript)
        if word == "goal":
            show(self.counsel.change(rest.strip(), self.page), self.page)
            return transcript
        try:
            return transcript.choose(option_meant(step, line))
        except BadAnswer as problem:
            show(wrapped(f"  {problem}", self.page.width, "  "), self.page)
            return transcript

    def _ask(self, question: str, transcript: Transcript) -> str:
        """One answer; whatever can be asked for at any time is done on the way."""
        while True:
            line = input(self.page.plain(question)).strip()
            word, _, rest = line.partition(" ")
            if word in ("quit", "exit"):
                raise Left
            if word == "save":
                self._save(rest.strip() or self.save or "roll.json", transcript)
            elif word in ("?", "help"):
                show(HELP, self.page)
            else:
                return line

    def _back(self, transcript: Transcript) -> Transcript:
        """Without the last entry, unless dice that nobody typed have been thrown since."""
        last = transcript.entries[-1] if transcript.entries else None
        if last is None:
            show("  Nothing has happened yet that could be taken back.", self.page)
            return transcript
        if not isinstance(last, Chosen) and last.how != "typed":
            show("  The dice have been thrown: only typed faces and choices go back.", self.page)
            return transcript
        said = option_said(last.option) if isinstance(last, Chosen) else _faces_said(last)
        show(f"  Taken back: {said}", self.page)
        self.physical = self.physical or not isinstance(last, Chosen)
        return transcript.back()

    def _save(self, name: str, transcript: Transcript) -> None:
        try:
            write_text(name, transcript.to_json() + "\n")
            show(f"  Saved to {name}", self.page)
        except Exception as problem:
            show(f"  {getattr(problem, 'message', problem)}", self.page)

    def _show_dice(self, transcript: Transcript) -> None:
        step, faces = transcript.throws[-1]
        if faces:
            show("\n" + drawn_dice(dice_of(step, faces), self.page), self.page)


def _faces_said(thrown: Any) -> str:
    return ", ".join(map(str, thrown.faces))
