"""A game that a stranger wrote, in a package outside of Rollwright.

Here it is known by name; `installed` makes what an installer would make of its package.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from rollwright.kit import Game, add_game

PACKAGE = Path(__file__).parent / "games" / "outside_game"
BUILD = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"


def known() -> Game:
    """The game, known by its name in this process."""
    if str(PACKAGE) not in sys.path:
        sys.path.append(str(PACKAGE))
    from harbour_lights import game

    found: Game = game
    return add_game(found)


def installed(work: Path, package: Path = PACKAGE) -> Path:
    """A folder into which the package's wheel was built and unpacked, without any network."""
    source = work / "source"
    shutil.copytree(package, source, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-c", BUILD, str(work)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (wheel,) = work.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(work / "site")
    return work / "site"
