"""The OpenAPI document: complete, sound, and true about every route of the app."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute, Mount, Route

from rollwright.server.app import create_app
from rollwright.server.responses import STATUS
from rollwright.server.routes.endpoints import OPERATIONS, OUTSIDE
from rollwright.server.routes.openapi import document, failures_of
from rollwright.server.settings import Settings


def routes_of(routes: list[BaseRoute], prefix: str = "") -> set[tuple[str, str]]:
    """Every method and path of some routes; the page is no part of the API."""
    found: set[tuple[str, str]] = set()
    for route in routes:
        if isinstance(route, Mount):
            found |= routes_of(list(route.routes), prefix + route.path)
        elif isinstance(route, Route) and ":path}" not in route.path:
            methods = (route.methods or set()) - {"HEAD"}
            path = prefix + route.path.replace(":str}", "}")
            found |= {(method, path) for method in methods}
    return found


def documented() -> set[tuple[str, str]]:
    """Every method and path of the document."""
    paths = document()["paths"].items()
    return {(method.upper(), path) for path, item in paths for method in item}


def test_every_route_is_documented_and_every_document_a_route() -> None:
    """A route that the document misses, or names without there being one, fails."""
    app = create_app(Settings())
    assert routes_of(list(app.routes)) == documented()


def test_every_reference_leads_somewhere() -> None:
    """Schemas that are referred to are there."""
    made = document()
    known = made["components"]["schemas"]
    for ref in _refs(made):
        assert ref.removeprefix("#/components/schemas/") in known


def _refs(part: Any) -> list[str]:
    if isinstance(part, dict):
        own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
        return own + [ref for value in part.values() for ref in _refs(value)]
    return [ref for value in part for ref in _refs(value)] if isinstance(part, list) else []


def test_operations_have_names_of_their_own() -> None:
    """Programs that are generated from the document get one function for each operation."""
    names = [operation.name for operation in (*OPERATIONS, *OUTSIDE)]
    assert len(names) == len(set(names))


def test_path_parameters_are_described() -> None:
    """Every part of a path that varies is told about."""
    for operation in OPERATIONS:
        named = {parameter.name for parameter in operation.parameters if parameter.place == "path"}
        assert named == set(_braced(operation.path)), operation.path


def _braced(path: str) -> list[str]:
    return [part.partition("}")[0] for part in path.split("{")[1:]]


def test_every_code_has_a_status_that_is_documented() -> None:
    """No refusal comes with a status that the document does not know."""
    known = {status for operation in OPERATIONS for status in failures_of(operation)}
    assert set(STATUS.values()) - {500} <= known


def test_the_page_tells_of_every_route_and_code() -> None:
    """A reader of the documentation misses no operation and no code of a refusal."""
    page = (Path(__file__).parents[2] / "docs" / "table" / "api.md").read_text("utf-8")
    for operation in OPERATIONS:
        assert f"`{operation.method} {operation.path}`" in page
    for code in STATUS:
        assert f"`{code}`" in page
