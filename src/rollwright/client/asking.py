"""Requests that are tried again: a lost connection or a server that is restarted is waited out."""

from __future__ import annotations

import random
import time
from typing import Any

import httpx

from rollwright.errors import RollwrightError

API = "/api/v1"
PATIENCE = 15.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0


class Refused(RollwrightError):
    """The server did not do it: a code for programs, a sentence for people."""

    def __init__(self, status: int, error: dict[str, Any]) -> None:
        self.status = status
        self.code = str(error.get("code", "internal"))
        self.message = str(error.get("message", "the server gave no reason"))
        self.field = str(error.get("field", ""))
        self.details = error
        """Everything the server said, such as `start`, `end` and `suggestions`."""
        super().__init__(self.message)


class Unreachable(RollwrightError):
    """The server could not be reached for as long as was waited."""


class Asking:
    """Sends requests to one server, and sends them again when they were lost."""

    def __init__(self, address: str, *, patience: float = PATIENCE, timeout: float = 30.0) -> None:
        self.address = address.rstrip("/")
        self.patience = patience
        self._http = httpx.Client(base_url=self.address + API, timeout=timeout)

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def ask(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        *,
        token: str = "",
        query: dict[str, Any] | None = None,
    ) -> Any:
        """The answer as data; tried again while the server cannot be reached or is not ready.

        Whatever changes something has an id of its own in its body, so that it is done once.
        """
        answer = self._answer(method, path, body, token=token, query=query)
        if "json" in answer.headers.get("content-type", ""):
            return answer.json()
        return answer.text

    def _answer(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None,
        *,
        token: str,
        query: dict[str, Any] | None,
    ) -> httpx.Response:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        until = time.monotonic() + self.patience
        pause = FIRST_PAUSE
        while True:
            try:
                answer = self._http.request(method, path, json=body, headers=headers, params=query)
            except httpx.TransportError as problem:
                lost: RollwrightError = Unreachable(f"{self.address}: {_said(problem)}")
                wait = pause
            else:
                if answer.is_success:
                    return answer
                lost = refused(answer)
                wait = _worth_waiting(lost, pause)
            if not wait or time.monotonic() + wait > until:
                raise lost
            time.sleep(wait)
            pause = min(2 * pause, LONGEST_PAUSE) * random.uniform(0.75, 1.25)


def refused(answer: httpx.Response) -> Refused:
    """The refusal in an answer."""
    try:
        error = answer.json()["error"]
    except (ValueError, KeyError, TypeError):
        error = {"code": "internal", "message": f"the server answered {answer.status_code}"}
    return Refused(answer.status_code, error)


def _worth_waiting(problem: Refused, pause: float) -> float:
    """How long to wait before it is tried again; 0 where that would not help."""
    if problem.code == "too_many":
        return float(problem.details.get("wait", 1000 * pause)) / 1000
    return pause if problem.code == "unavailable" or problem.status in (502, 503, 504) else 0.0


def _said(problem: Exception) -> str:
    return str(problem) or type(problem).__name__
