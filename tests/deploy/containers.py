"""Runs the steps of a Containerfile without a container, in folders that stand for its stages.

Each stage has a fresh Python. What a network would bring is what this environment holds: pip may
ask no index, so that a step passes only if the pins of the image are what was tested here.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sysconfig
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PLACES = re.compile(r"(?<![\w/.-])/(build|wheels|data)\b")
"""What the steps make; everything else they name is the image's own."""


class Step(NamedTuple):
    """An instruction and what stands behind it."""

    name: str
    text: str


def read_steps(file: Path) -> list[Step]:
    """The instructions of a file, without comments and with broken lines joined."""
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    found = [line.partition(" ") for line in joined.splitlines() if line.strip()]
    return [Step(name, text.strip()) for name, _, text in found]


class Stage:
    """One stage: a folder for its files, its environment, and what it says about running."""

    def __init__(self, folder: Path, stages: dict[str, Stage]) -> None:
        self.folder = folder
        self.stages = stages
        self.told: dict[str, str] = {}
        self.environment: dict[str, str] = {}
        self._workdir = "/"
        python = folder / "python"
        venv.create(python, with_pip=True, symlinks=os.name != "nt")
        libraries = _libraries(folder)
        [packages] = python.glob("lib/python*/site-packages")
        (packages / "network.pth").write_text(f"{libraries}\n", "utf-8")
        self.packages = packages

    def here(self, text: str) -> str:
        """A text with the places of the image as they are in this folder."""
        return PLACES.sub(lambda found: f"{self.folder}{found[0]}", text)

    @property
    def workdir(self) -> Path:
        """Where the steps are done."""
        return Path(self.here(self._workdir))

    @property
    def variables(self) -> dict[str, str]:
        """The environment of a process: the image's, with the programs of this machine."""
        path = f"{self.folder / 'python' / 'bin'}:{os.environ.get('PATH', '')}"
        own = {name: self.here(text) for name, text in self.environment.items()}
        return {"PATH": path, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", **own}

    def do(self, step: Step) -> None:
        """Do one step."""
        doing = {"RUN": self._run, "COPY": self._copy, "ENV": self._set, "WORKDIR": self._go}
        if step.name in doing:
            doing[step.name](step.text)
        else:
            self.told[step.name] = step.text

    def _run(self, text: str) -> None:
        command = ["sh", "-e", "-c", self.here(text)]
        done = subprocess.run(
            command, cwd=self.workdir, env=self.variables, capture_output=True, text=True
        )
        assert not done.returncode, f"RUN {text}\n{done.stdout}\n{done.stderr}"

    def _copy(self, text: str) -> None:
        *sources, target = text.split()
        root = self._context()
        if sources[0].startswith("--from="):
            stage = self.stages[sources.pop(0).partition("=")[2]]
            root = Path(stage.here(sources[0]))
            sources = ["."]
        to = Path(self.here(target)) if target.startswith("/") else self.workdir / target
        for source in sources:
            if (root / source).is_dir():
                shutil.copytree(root / source, to, dirs_exist_ok=True)
            else:
                assert target.endswith("/"), target
                to.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / source, to)

    def _context(self) -> Path:
        """What is sent to the build: what git knows, and the packages that npm would fetch."""
        context = self.folder.parent / "context"
        if not context.exists():
            listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
            known = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True)
            for name in filter(_is_sent, known.stdout.splitlines()):
                if (ROOT / name).is_file():
                    (context / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(ROOT / name, context / name)
            modules = ROOT / "web" / "node_modules"
            shutil.copytree(modules, context / "web" / "node_modules", symlinks=True)
        return context

    def _set(self, text: str) -> None:
        self.environment |= dict(part.split("=", 1) for part in text.split())

    def _go(self, text: str) -> None:
        self._workdir = text
        self.workdir.mkdir(parents=True, exist_ok=True)

    def command(self, *words: str) -> list[str]:
        """What the image runs: its entry point with its own words or others."""
        chosen: Sequence[str] = words or json.loads(self.told["CMD"])
        return [*self._found(json.loads(self.told["ENTRYPOINT"])), *chosen]

    def health(self) -> list[str]:
        """What the image asks about its health."""
        return self._found(json.loads(self.told["HEALTHCHECK"].partition("CMD ")[2]))

    def _found(self, words: list[str]) -> list[str]:
        found = shutil.which(words[0], path=self.variables["PATH"])
        assert found is not None, words
        return [found, *words[1:]]


def built(file: Path, folder: Path) -> Stage:
    """Do all steps of a file; its last stage."""
    stages: dict[str, Stage] = {}
    stage = None
    for step in read_steps(file):
        if step.name == "FROM":
            _, _, name = step.text.partition(" AS ")
            place = folder / (name or "image")
            place.mkdir()
            stage = stages[name] = Stage(place, stages)
        else:
            assert stage is not None, step
            stage.do(step)
    assert stage is not None, file
    return stage


def _is_sent(name: str) -> bool:
    return not name.startswith(("tests/", "docs/", ".", "benchmarks/", "conformance/"))


def _libraries(folder: Path) -> Path:
    """Everything this environment holds but Rollwright, which the image brings itself."""
    libraries = folder / "libraries"
    libraries.mkdir()
    installed = Path(sysconfig.get_paths()["purelib"])
    for entry in installed.iterdir():
        if "rollwright" not in entry.name and entry.suffix != ".pth":
            (libraries / entry.name).symlink_to(entry, entry.is_dir())
    return libraries


def files_below(folder: Path) -> dict[str, int]:
    """All files below a folder and when they were changed."""
    return {str(path): path.lstat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def is_healthy(stage: Stage, variables: dict[str, str]) -> bool:
    """Whether the health check of the image passes."""
    return not subprocess.run(stage.health(), env=variables, capture_output=True).returncode
