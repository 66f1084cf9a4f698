"""The app against its own OpenAPI document: many requests, no server error, no other status."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, seed, settings
from schemathesis import checks
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from rollwright.client import Server
from rollwright.server.routes.openapi import document
from tests.server.harness import one_app

CHECKS = [
    checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
QUICK = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
schema = schemathesis.openapi.from_dict(document())
schema.config.phases.coverage.enabled = False  # twenty thousand requests more


class Place:
    """A server with a table on it, and a seat at that table."""

    address = ""
    table = ""
    token = ""


@pytest.fixture(scope="module", autouse=True)
def place() -> Iterator[None]:
    """A real server with a table at which something has happened."""
    with one_app(wrong_tokens=10**6) as app, Server(app.address) as server:
        table = server.create_table("twilight2000", name="Ana")
        table.roll({"roll": "skill", "attribute": "B"}, physical=True)
        Place.address, Place.table, Place.token = app.address, table.id, table.token
        yield


@schema.parametrize()
@QUICK
@seed(20261115)
def test_the_app_keeps_to_its_document(case: Any) -> None:
    """Whatever comes, right or wrong, is answered as the document says."""
    if "table" in case.path_parameters:
        case.path_parameters["table"] = Place.table
        if case.method == "DELETE":
            case.path_parameters["table"] = "a" * 12
    headers = {"authorization": f"Bearer {Place.token}"}
    case.call_and_validate(base_url=Place.address, headers=headers, checks=CHECKS)
