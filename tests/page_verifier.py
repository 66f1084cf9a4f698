"""The page's own verifier of logs, in a process of Node beside the tests: no browser is needed."""

from __future__ import annotations

import json
import subprocess
from types import TracebackType
from typing import Any

import hatch_build
from hatch_build import WEB


class PageVerifier:
    """Runs `web/checking.mjs`, which answers one line with one line."""

    def __init__(self, node: hatch_build.Node) -> None:
        hatch_build.fetch_packages(node, checked=True, deadline=hatch_build.Deadline(None))
        command = [node.node, "checking.mjs"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._process = subprocess.Popen(command, cwd=WEB, text=True, **pipes)  # type: ignore[call-overload]

    def check(self, text: str) -> dict[str, Any]:
        """What it reports of the text of a log."""
        report: dict[str, Any] = self._ask("check", text)
        return report

    def reads(self, text: str) -> bool:
        """Whether a text is JSON to it."""
        return bool(self._ask("reads", text))

    def draw(self, key: bytes, call: bytes, pool: dict[str, Any]) -> list[Any]:
        """The faces of a pool that two numbers give."""
        faces: list[Any] = self._ask("draw", {"key": key.hex(), "call": call.hex(), "pool": pool})
        return faces

    def _ask(self, what: str, of: object) -> Any:
        self._process.stdin.write(json.dumps([what, of]) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, f"it ended with {self._process.wait()}"
        return json.loads(answer)

    def __enter__(self) -> PageVerifier:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
