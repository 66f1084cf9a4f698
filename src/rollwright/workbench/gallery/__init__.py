"""Worked mechanics: each a question, its rule, and a program that answers it.

A program is a file in this folder, or in the folder `gallery` of a game; its title, its question
and its explanation are messages.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rollwright.errors import UnknownName
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.locale import format_text
from rollwright.kit.games import Game, games_there
from rollwright.workbench.problems import HOME, msg

if TYPE_CHECKING:
    from rollwright.budget import Budget
    from rollwright.workbench.kinds import Gallery
    from rollwright.workbench.shapes import GalleryAnswer, GalleryGroup, GalleryItem

FOLDER = Path(__file__).parent
GROUPS: dict[str, tuple[str, ...]] = {
    "dice": ("ability_scores", "advantage", "bell_or_flat", "exploding_dice", "roll_and_keep"),
    "pools": (
        *("how_many_dice", "opposed_pools", "year_zero", "forged_in_the_dark", "shadowrun"),
        *("storyteller", "cortex", "one_roll_engine", "genesys"),
    ),
    "tables": ("pbta", "ironsworn", "fate", "savage_worlds", "wfrp", "dogs_in_the_vineyard"),
    "fights": ("criticals", "attacks_to_kill", "death_saves", "risk"),
    "luck": ("yahtzee", "pig", "craps", "until_all_faces"),
    "games": (),
}
"""The names of the programs by group, in the order in which they are shown; those of games are
found in their folders."""
OF_GAMES = "games"


class GalleryProgram(NamedTuple):
    """A worked mechanic: the file it lies in, and the package that has its words."""

    name: str
    group: str
    file: Path
    home: str

    @property
    def text(self) -> str:
        """The program."""
        return self.file.read_text("utf-8")

    @property
    def plain(self) -> GalleryItem:
        """As an answer has it."""
        id = f"gallery.{self.file.stem}"
        words = words_of(self.home)
        return {
            "name": self.name,
            "title": format_text(words.msg(id)),
            "question": format_text(words.msg(f"{id}.question")),
            "told": format_text(words.msg(f"{id}.told")),
            "group": self.group,
            "text": self.text,
        }


def programs() -> Iterator[GalleryProgram]:
    """All there are, those of games last."""
    for group, names in GROUPS.items():
        for name in names:
            yield GalleryProgram(name, group, FOLDER / f"{name}.txt", HOME)
    for game in games_there()[0]:
        for file in _files_of(game):
            yield GalleryProgram(f"{game.name}.{file.stem}", OF_GAMES, file, game.package)


def _files_of(game: Game) -> list[Path]:
    """The programs in the folder of a game."""
    folder = getattr(import_module(game.package), "__file__", None)
    return sorted(Path(folder).parent.glob("gallery/*.txt")) if folder else []


def gallery(question: Gallery, budget: Budget) -> GalleryAnswer:
    """All of them, or the one that is asked for."""
    known = {one.name: one for one in programs()}
    if question.name is not None and question.name not in known:
        raise UnknownName("program", question.name, known, field="name")
    wanted = known.values() if question.name is None else [known[question.name]]
    groups: list[GalleryGroup] = [
        {"name": group, "title": msg(f"group.{group}")} for group in GROUPS
    ]
    return {"groups": groups, "items": [one.plain for one in wanted]}
