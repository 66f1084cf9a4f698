"""The folders of our games, copied byte for byte into packages of somebody else.

A twin has another name of the same length, since lines break by length; what it answers is
compared after its name is put back.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any

import rollwright as rw
from rollwright.jsonable import canonical_json
from rollwright.kit.games import own_games

FOLDERS = Path(rw.__file__).parent / "games"
TWINS = {name: f"{name[:-1]}x" for name in own_games()}
GAMES = tuple(TWINS)


def install(site: Path) -> Path:
    """A folder to import from that has the twins of all games, with their entry points."""
    about = site / "twins-1.0.dist-info"
    about.mkdir(parents=True)
    points = "".join(f"{twin} = {twin}:game\n" for twin in TWINS.values())
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: twins\nVersion: 1.0\n", "utf-8")
    (about / "entry_points.txt").write_text(f"[rollwright.games]\n{points}", "utf-8")
    for name, twin in TWINS.items():
        shutil.copytree(FOLDERS / name, site / twin, ignore=shutil.ignore_patterns("__pycache__"))
    return site


def renamed(text: str) -> str:
    """A text with the names of twins put back."""
    for name, twin in TWINS.items():
        text = text.replace(twin, name)
    return text


def alike(name: str, asked: Callable[[str], Any]) -> None:
    """Both answer the same, data or text, but for their names."""
    ours, theirs = (asked(called) for called in (name, TWINS[name]))
    if not isinstance(ours, str):
        ours, theirs = canonical_json(ours).decode(), canonical_json(theirs).decode()
    theirs = renamed(theirs)
    if ours != theirs:
        pairs = enumerate(zip_longest(ours, theirs))
        place = next(number for number, (one, other) in pairs if one != other)
        near = slice(max(place - 200, 0), place + 100)
        raise AssertionError(f"{ours[near]!r}\nis of its twin\n{theirs[near]!r}")
