"""A server that answers questions over HTTP, for tests that compare it with other surfaces."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.server.harness import one_app


@pytest.fixture(scope="module")
def api() -> Iterator[httpx.Client]:
    """A client of a real server."""
    with (
        one_app() as app,
        httpx.Client(base_url=f"{app.address}/api/v1", timeout=60) as client,
    ):
        yield client
