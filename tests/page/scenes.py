"""Tables in the middle of an evening, to be pictured: everybody is there, some rolls are past."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any, NamedTuple

from rollwright.client import Server, Table
from rollwright.errors import RollwrightError
from tests.archive.make import SHEETS
from tests.page.evening import NOVAK, PETERS, WOJCIK, played


class Scene(NamedTuple):
    """What a table is called, who else plays there, and what they rolled and said before."""

    title: str
    sheets: tuple[dict[str, Any], dict[str, Any], dict[str, Any]]
    """Of Bo, whose moment is pictured, and of Mina and Jonas."""
    rolls: tuple[dict[str, Any], ...]
    notes: tuple[str, ...]
    said: str


def _like(game: str, *names: str) -> Any:
    """The sheet that the archive has of a game, and others like it."""
    own, _ = SHEETS[game]
    return own, *[{**own, "name": name} for name in names]


def _skill(name: str) -> dict[str, Any]:
    return {"roll": "skill", "skill_name": name}


SCENES = {
    "twilight2000": Scene(
        "The road to Kalisz",
        (NOVAK, WOJCIK, PETERS),
        (_skill("driving"), _skill("medical aid"), _skill("recon"), _skill("stamina")),
        ("through the ford", "a cut hand", "what moves behind the barn?", "hold the door"),
        "They have seen us. Doors shut!",
    ),
    "dust": Scene(
        "Nine miles of glass",
        _like("dust", "Ilka", "Tomas"),
        (SHEETS["dust"][1],) * 3,
        ("the old pump", "tracks in the wash", "is that smoke?"),
        "Water for two days, if nobody spills any.",
    ),
    "kleptonomicon": Scene(
        "The abbot's spare key",
        _like("kleptonomicon", "Bodkin", "Cray"),
        (SHEETS["kleptonomicon"][1],) * 3,
        ("over the wall", "past the kennels", "down the cellar stairs"),
        "The bell ringer sleeps. I think.",
    ),
    "edge20": Scene(
        "Cold harbour",
        _like("edge20", "Sable", "Finn"),
        (SHEETS["edge20"][1],) * 3,
        ("the lamp on the pier", "the rope", "the man at the winch"),
        "Two more boats coming in.",
    ),
    "ghostburn": Scene(
        "Static on line nine",
        _like("ghostburn", "Lux", "Rook"),
        (SHEETS["ghostburn"][1],) * 3,
        ("the door camera", "the second guard", "the fuse box"),
        "He heard that. Lights out in ten.",
    ),
}


@contextmanager
def scene(server: Server, game: str) -> Iterator[Table]:
    """Bo's seat at a table where everybody is connected."""
    shown = SCENES[game]
    rosa = server.create_table(game, name="Rosa", title=shown.title)
    players = [server.join(rosa.links["player"], name=name) for name in ("Bo", "Mina", "Jonas")]
    for seat, values in zip(players, shown.sheets, strict=True):
        seat.do("sheet.create", values=values)
    for seat in (rosa, *players[1:]):
        Thread(target=_watch, args=(server.table(seat.link),), daemon=True).start()
    for number, (roll, note) in enumerate(zip(shown.rolls, shown.notes, strict=True)):
        played(players[1 + number % 2], roll, note=note)
    players[2].do("chat.send", text=shown.said)
    yield players[0]
    rosa.do("session.end")


def _watch(seat: Table) -> None:
    """Be there, as long as the server is."""
    with suppress(RollwrightError):
        for _ in seat.watch():
            pass
