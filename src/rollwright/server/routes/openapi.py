"""The OpenAPI document of the server, made from the table of its routes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rollwright import __version__
from rollwright.kit import schema_of
from rollwright.kit.fields import Schema
from rollwright.kit.games import games_there
from rollwright.kit.schemas import REFS, components_of
from rollwright.queries.kinds import WAYS
from rollwright.server import answers
from rollwright.server.access import admit
from rollwright.server.json_codec import encode
from rollwright.server.responses import JSON
from rollwright.server.routes.endpoints import OPERATIONS, OUTSIDE, Operation
from rollwright.table.commands.context import OWN_ID, OWN_ID_HELP
from rollwright.table.commands.dispatch import COMMANDS

API = "/api/v1"
STATUS_TEXTS = {
    400: "The request cannot be read.",
    401: "The token is missing, or not good for this.",
    403: "You may not do this, or the page of another site asks for it.",
    404: "There is no such thing, or none that you may see.",
    409: "It does not fit what has happened meanwhile; a newer question took this one's place.",
    410: "The seat was removed.",
    413: "There is more of it than is allowed.",
    422: "A field, an answer or an expression is wrong, or it would take too much work.",
    429: "You ask too often, or too many questions wait already.",
    503: "The server cannot do it now; try again in a moment.",
    507: "The disk of the server is full.",
}
ABOUT = (
    *("OddsQuery", "ConditionQuery", "CurveQuery", "HeatMapQuery", "FindQuery"),
    *("SensitivityQuery", "RollQuery", "AdviceQuery", "PreviewQuery"),
    "ComparedRollQuery",
    "TablePreview",
)
"""The bodies that say what a roll is of, each in exactly one way."""
ALWAYS = (400, 403, 429, 503)
WITH_BODY = (409, 413, 422)
WITH_SEAT = (401, 404, 409, 410, 422)


@lru_cache(2)
def document(root_path: str = "") -> Schema:
    """The whole document, for a server that lies below that path."""
    shapes = [op.answer for op in (*OPERATIONS, *OUTSIDE) if op.answer is not None]
    bodies = [op.body for op in OPERATIONS if op.body is not None]
    wanted = list(dict.fromkeys([*shapes, *bodies, answers.ErrorAnswer]))
    components = components_of(wanted)
    known = {shape: {"$ref": REFS.format(name=shape.__name__)} for shape in wanted}
    _fill_requests(components)
    _fill_commands(components)
    paths: Schema = {}
    for prefix, operations in ((API, OPERATIONS), ("", OUTSIDE)):
        for operation in operations:
            path = paths.setdefault(prefix + operation.path, {})
            path[operation.method.lower()] = _describe(operation, known)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Rollwright",
            "version": __version__,
            "description": "Dice rules rolled, counted exactly, advised on and verified; and "
            "tables where people roll together. The socket of a table has a page of its own.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": root_path or "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "32 random bytes as base64url: a seat's own, or a link's.",
                },
                "host": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The host's token, as `rollwright admin token` makes it.",
                },
            },
        },
    }


def _fill_requests(components: Schema) -> None:
    """Put the schemas of all requests in the place where a body holds one."""
    kinds = {
        f"{kind.game}.{kind.roll}": schema_of(kind)
        for game in games_there()[0]
        for kind in game.requests.values()
    }
    components |= kinds | {
        "Request": {
            "title": "Request",
            "description": "A roll of a game, as data.",
            "anyOf": [{"$ref": REFS.format(name=name)} for name in kinds],
        }
    }
    for name in ABOUT:
        fields = components[name]["properties"]
        fields["request"] = {"$ref": REFS.format(name="Request")}
        ways = [way for way in WAYS if way in fields]
        for way in ways:
            fields[way] = _not_null(fields[way])
        components[name]["oneOf"] = [{"required": [way]} for way in ways]


def _not_null(schema: Schema) -> Schema:
    """Return the schema without the null for a field that was left out."""
    parts = [part for part in schema.get("anyOf", [schema]) if part != {"type": "null"}]
    told = {name: text for name, text in schema.items() if name == "description"}
    return {**parts[0], **told}


def _fill_commands(components: Schema) -> None:
    """Every command with its fields, in the place where a body holds one."""
    kinds = {f"command.{do}": _command(do, schema_of(kind)) for do, kind in COMMANDS.items()}
    components |= kinds
    components["Command"] = {
        "title": "Command",
        "description": "Something to be done at the table.",
        "anyOf": [{"$ref": REFS.format(name=name)} for name in kinds],
        "discriminator": {
            "propertyName": "do",
            "mapping": {do: REFS.format(name=f"command.{do}") for do in COMMANDS},
        },
    }


def _command(do: str, schema: Schema) -> Schema:
    own = {"type": "string", "pattern": f"^{OWN_ID}$", "description": OWN_ID_HELP}
    properties = {"id": own, "do": {"const": do}, **schema["properties"]}
    return {**schema, "properties": properties, "required": ["id", "do", *schema["required"]]}


def _describe(operation: Operation, known: Mapping[type, Schema]) -> Schema:
    described: Schema = {
        "operationId": operation.name,
        "summary": operation.summary.partition(". ")[0].rstrip("."),
        "description": operation.summary,
        "tags": [_tag(operation)],
        "parameters": [
            {
                "name": parameter.name,
                "in": parameter.place,
                "description": parameter.told,
                "required": parameter.place == "path",
                "schema": parameter.schema,
            }
            for parameter in operation.parameters
        ],
        "responses": _responses(operation, known),
    }
    if operation.method == "POST":
        shape = known[operation.body] if operation.body is not None else {"type": "object"}
        content = {"schema": shape, "example": operation.example}
        described["requestBody"] = {"required": True, "content": {JSON: content}}
    if operation.seat or operation.host:
        described["security"] = [{"token" if operation.seat else "host": []}]
    return described


def _tag(operation: Operation) -> str:
    if operation.host:
        return "administration"
    return "tables" if operation.path.startswith("/tables") else "dice"


def _responses(operation: Operation, known: Mapping[type, Schema]) -> Schema:
    shape = known[operation.answer] if operation.answer is not None else {}
    content = {operation.kind: {"schema": shape}} if shape else {operation.kind: {}}
    responses: Schema = {
        str(status): {"description": "Done.", "content": content} for status in operation.status
    }
    refused = {JSON: {"schema": known[answers.ErrorAnswer]}}
    for status in sorted(failures_of(operation)):
        responses[str(status)] = {"description": STATUS_TEXTS[status], "content": refused}
    if operation.name in ("game", "games", "openapi"):
        responses["304"] = {"description": "You have it already."}
    return responses


def failures_of(operation: Operation) -> set[int]:
    """The statuses of the refusals of an operation."""
    found = {*ALWAYS, *operation.failures}
    if operation.method == "POST":
        found |= set(WITH_BODY)
    if operation.seat:
        found |= set(WITH_SEAT)
    if operation.host:
        found.add(401)
    if operation.name == "metrics":
        found |= {401, 404}
    if operation.name == "ready":
        found.discard(503)
    return found


@lru_cache(2)
def _document_bytes(root_path: str) -> tuple[bytes, str]:
    body = encode(document(root_path))
    return body, f'"{sha256(body).hexdigest()[:32]}"'


async def serve(request: Request) -> Response:
    """The document as JSON."""
    services = admit(request)
    body, tag = _document_bytes(services.settings.root_path)
    headers = {"etag": tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=JSON)


routes = [Route("/openapi.json", serve, methods=["GET"])]
