"""Every HTTP route of the server in one table: what it takes, what it answers, who may."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rollwright.jsonable import Json
from rollwright.kit.bodies import Body
from rollwright.kit.fields import Schema
from rollwright.queries import kinds, schemas
from rollwright.server import answers
from rollwright.server.bans import NewBan
from rollwright.server.keys import NewKey
from rollwright.server.live.creation import JoinBody, TableBody
from rollwright.server.routes.bodies import TableAdvice, TableForm, TablePreview
from rollwright.table.commands.context import Command
from rollwright.table.commands.seats import ClaimBody

TEXT, CSV, NUMBERS = "text/markdown", "text/csv", "text/plain"


SKILL: dict[str, Json] = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
EXAMPLE_ROLL: dict[str, Json] = {
    "format": 2,
    "expression": "2d6",
    "answers": [{"faces": [3, 4]}],
    "outcome": 7,
}
TOKENS: dict[str, Json] = {
    role: str(number) * 64
    for number, role in enumerate(("seat", "referee", "player", "spectator"), start=1)
}


class ApiParameter(NamedTuple):
    """A part of the path or of the query."""

    name: str
    told: str
    schema: Schema
    place: str = "query"


TABLE = ApiParameter(
    "table",
    "The id of the table.",
    {"type": "string", "pattern": "^[a-z2-7]{12}$", "examples": ["abcdefgh2345"]},
    "path",
)
SHEET = ApiParameter("sheet", "The sheet.", {"type": "string", "examples": ["s2"]}, "path")
ROLL = ApiParameter(
    "roll", "An open roll: r1, r2, …", {"type": "string", "examples": ["r1"]}, "path"
)
SHARED = ApiParameter("roll", "A roll: r1, r2, …", {"type": "string", "examples": ["r1"]}, "path")
LIGHT = ApiParameter("light", "By day or by night.", {"type": "string", "enum": ["light", "dark"]})
FOR = ApiParameter(
    "for",
    "What everybody may see, or for `me` all that you may see: a copy of your own.",
    {"type": "string", "enum": ["everybody", "me"], "default": "everybody"},
)
LOG_FOR = FOR._replace(schema={**FOR.schema, "default": "me"})
NAME = ApiParameter(
    "name", "The name of a game.", {"type": "string", "examples": ["twilight2000", "dust"]}, "path"
)
QUESTION = ApiParameter(
    "question", "A question of the game.", {"type": "string", "examples": ["chances"]}, "path"
)
AFTER = ApiParameter("after", "Events behind this seq.", {"type": "integer", "minimum": 0})
BEFORE = ApiParameter(
    "before", "The last events before this seq.", {"type": "integer", "minimum": 0}
)
LIMIT = ApiParameter(
    "limit",
    "How many; fewer come where they are large.",
    {"type": "integer", "minimum": 1, "maximum": 1000},
)
SESSION = ApiParameter(
    "session",
    "Which session; 0 for the last that ended.",
    {"type": "integer", "minimum": 0, "maximum": 1_000_000},
)
RECENT = ApiParameter(
    "recent", "How many of the latest events.", {"type": "integer", "minimum": 0, "maximum": 1000}
)


ORDER = ApiParameter(
    "order", "What comes first.", {"type": "string", "enum": ["touched", "created", "size"]}
)
SKIP = ApiParameter("skip", "How many to leave out.", {"type": "integer", "minimum": 0})
NETWORK = ApiParameter(
    "network",
    "The address or network of a ban.",
    {"type": "string", "examples": ["203.0.113.0/24"]},
)


class Operation(NamedTuple):
    """One method of one route."""

    method: str
    path: str
    name: str
    summary: str
    answer: type | None = None
    """The shape of its answer; None where it is not JSON."""
    body: type[Body] | None = None
    seat: bool = False
    """Whether it needs a token of the table."""
    parameters: tuple[ApiParameter, ...] = ()
    status: tuple[int, ...] = (200,)
    kind: str = "application/json"
    example: Mapping[str, Json] | None = None
    """A body that will do."""
    host: bool = False
    """Whether it needs the host's token."""
    failures: tuple[int, ...] = ()
    """Statuses of refusals beside those that every operation of its kind has."""


OPERATIONS = (
    Operation("GET", "/", "root", "What this is, and where to go on.", answers.RootAnswer),
    Operation("GET", "/games", "games", "All games, in short.", schemas.GamesAnswer),
    Operation(
        "GET",
        "/games/{name}",
        "game",
        "Everything about a game: its rolls with fields and schemas, policies, goals, house "
        "rules, sheet, icons, rulebook. It has an ETag.",
        schemas.GameAnswer,
        parameters=(NAME,),
        failures=(404,),
    ),
    Operation(
        "POST",
        "/roll",
        "roll",
        "Roll something, or go on with a roll by its transcript and an option or faces.",
        schemas.RollAnswer,
        kinds.RollQuery,
        example={"expression": "4d6kh3+2"},
    ),
    Operation(
        "POST",
        "/odds",
        "odds",
        "The exact odds.",
        schemas.OddsAnswer,
        kinds.OddsQuery,
        example={"request": SKILL, "policy": "if-failed", "of": ["successes"]},
    ),
    Operation(
        "POST",
        "/event",
        "event",
        "The chance of an event.",
        schemas.ConditionAnswer,
        kinds.ConditionQuery,
        example={"expression": "2d6", "where": "it >= 10"},
    ),
    Operation(
        "POST",
        "/advise",
        "advise",
        "The best call, and what every option is worth.",
        schemas.AdviceAnswer,
        kinds.AdviceQuery,
        example={"request": SKILL, "goal": "succeed-cheaply"},
    ),
    Operation(
        "POST",
        "/preview",
        "preview",
        "A roll not made yet: its chance, its costs, the best calls, what one more is worth.",
        schemas.PreviewAnswer,
        kinds.PreviewQuery,
        example={"request": SKILL, "slot": "modifier"},
    ),
    Operation(
        "POST",
        "/compare",
        "compare",
        "Several rolls side by side.",
        schemas.CompareAnswer,
        kinds.CompareQuery,
        example={"rolls": [{"expression": "2d20kh1"}, {"expression": "1d20+2"}]},
    ),
    Operation(
        "POST",
        "/games/{name}/ask/{question}",
        "ask",
        "One of the game's own questions. The body holds its arguments by name, as the game's "
        "description lists them; the answer has fields by name, numbers exactly and nearly.",
        schemas.QuestionAnswer,
        parameters=(NAME, QUESTION),
        failures=(404, 409, 413, 422),
        example={"roll": {"pool": 5}},
    ),
    Operation(
        "POST",
        "/find",
        "find",
        "Which value of a field gives a chance, with every value that was tried.",
        schemas.FindAnswer,
        kinds.FindQuery,
        example={"request": SKILL, "over": "modifier", "target": "65%"},
    ),
    Operation(
        "POST",
        "/sensitivity",
        "sensitivity",
        "What moves a roll most: every field one down and one up, every house rule switched.",
        schemas.SensitivityAnswer,
        kinds.SensitivityQuery,
        example={"request": SKILL},
    ),
    Operation(
        "POST",
        "/curve",
        "curve",
        "A chance, a mean or what a goal is worth, for every value of one field.",
        schemas.CurveAnswer,
        kinds.CurveQuery,
        example={"request": SKILL, "vary": {"field": "modifier", "values": [-1, 0, 1]}},
    ),
    Operation(
        "POST",
        "/map",
        "map",
        "The same for every pair of values of two fields.",
        schemas.CurveAnswer,
        kinds.HeatMapQuery,
        example={
            "request": SKILL,
            "vary": [
                {"field": "modifier", "values": [-1, 0, 1]},
                {"field": "policy", "values": ["never", "best"]},
            ],
        },
    ),
    Operation(
        "POST",
        "/form",
        "form",
        "The form of a roll that is being made up: controls, the request, the first dice.",
        schemas.FormAnswer,
        kinds.FormQuery,
        example={"game": "twilight2000", "draft": {"roll": "skill", "set": {"attribute": "B"}}},
    ),
    Operation(
        "POST",
        "/marks",
        "marks",
        "How the faces of dice are read in a roll; rolls at a table name it by its hash.",
        schemas.MarksAnswer,
        kinds.FaceLabelsQuery,
        example={"request": SKILL},
    ),
    Operation(
        "POST",
        "/share",
        "share",
        "A roll as a picture, a text to paste and a link that verifies.",
        schemas.ShareAnswer,
        kinds.ShareQuery,
        example={"transcript": EXAMPLE_ROLL},
    ),
    Operation(
        "POST",
        "/translate",
        "translate",
        "What dice in the spelling of another tool are in ours, with every change and its reason.",
        schemas.TranslateAnswer,
        kinds.TranslateQuery,
        example={"expression": "/r 4d6r<2", "dialect": "roll20"},
    ),
    Operation(
        "POST",
        "/anydice",
        "anydice",
        "The outputs of a program of AnyDice, exactly, and the same program in Python.",
        schemas.AnyDiceAnswer,
        kinds.AnyDiceQuery,
        example={"text": "output [highest 3 of 4d6]"},
    ),
    Operation(
        "POST",
        "/verify",
        "verify",
        "Whether a saved roll or a whole log is true.",
        schemas.VerifyAnswer,
        kinds.VerifyQuery,
        example={"log": {"format": 1, "table": "abcdefgh2345", "events": []}},
    ),
    Operation(
        "POST",
        "/tables",
        "create_table",
        "Make a table. The tokens are made by you; the server is told their hashes only. Where not "
        "everybody may (GET / tells), a key of the host is the token of this request.",
        answers.TableAnswer,
        TableBody,
        status=(200, 201),
        failures=(401, 409, 507),
        example={"id": "my-table-1", "game": "twilight2000", "name": "Ana", "tokens": TOKENS},
    ),
    Operation(
        "POST",
        "/tables/import",
        "import_table",
        "Make a table again from its exported log.",
        None,
        None,
        status=(200, 201),
        failures=(401, 409, 507),
        example={"format": 1, "table": "abcdefgh2345", "events": []},
    ),
    Operation(
        "GET",
        "/tables/{table}",
        "look",
        "The table as you see it.",
        answers.SnapshotAnswer,
        seat=True,
        parameters=(TABLE, RECENT),
    ),
    Operation(
        "DELETE",
        "/tables/{table}",
        "delete_table",
        "Delete the table with everything of it; for referees.",
        answers.DoneAnswer,
        seat=True,
        parameters=(TABLE,),
    ),
    Operation(
        "POST",
        "/tables/{table}/join",
        "join",
        "Take a seat with the token of a link.",
        answers.JoinAnswer,
        JoinBody,
        seat=True,
        parameters=(TABLE,),
        status=(201,),
        example={"id": "my-seat-1", "name": "Bo", "token_hash": "5" * 64},
    ),
    Operation(
        "GET",
        "/tables/{table}/claim",
        "claimable",
        "What a device signs to take its seat again: the epoch of the table.",
        answers.ClaimAnswer,
        parameters=(TABLE,),
        failures=(404,),
    ),
    Operation(
        "POST",
        "/tables/{table}/claim",
        "claim",
        "Take your seat again by the key of your device, where the table came to another host.",
        answers.JoinAnswer,
        ClaimBody,
        parameters=(TABLE,),
        status=(201,),
        failures=(403, 404, 410),
        example={"device": "d2", "token_hash": "5" * 64, "signature": "6" * 128},
    ),
    Operation(
        "GET",
        "/tables/{table}/events",
        "events",
        "A part of the log as you see it.",
        answers.EventsAnswer,
        seat=True,
        parameters=(TABLE, AFTER, BEFORE, LIMIT),
    ),
    Operation(
        "POST",
        "/tables/{table}/commands",
        "command",
        "Do something at the table.",
        answers.AckAnswer,
        Command,
        seat=True,
        parameters=(TABLE,),
        failures=(507,),
        example={"id": "command-1", "do": "roll.start", "expression": "2d6"},
    ),
    Operation(
        "POST",
        "/tables/{table}/preview",
        "table_preview",
        "A roll at this table that is not made yet, under its house rules and with its sheets.",
        schemas.PreviewAnswer,
        TablePreview,
        seat=True,
        parameters=(TABLE,),
        example={"request": {"roll": "skill", "attribute": "B"}, "parts": ["odds"]},
    ),
    Operation(
        "POST",
        "/tables/{table}/form",
        "table_form",
        "The form of a roll at this table, with your sheet, under the table's house rules.",
        schemas.FormAnswer,
        TableForm,
        seat=True,
        parameters=(TABLE,),
        example={"draft": {"roll": "skill", "pick": {"skill_name": "recon"}}, "n": 1},
    ),
    Operation(
        "GET",
        "/tables/{table}/sheets/{sheet}/card",
        "sheet_card",
        "A sheet as widgets, as it stands.",
        schemas.SheetAnswer,
        seat=True,
        parameters=(TABLE, SHEET),
    ),
    Operation(
        "GET",
        "/tables/{table}/sheets/{sheet}/chances",
        "sheet_chances",
        "The chance of every roll that a sheet begins.",
        schemas.ChancesAnswer,
        seat=True,
        parameters=(TABLE, SHEET),
    ),
    Operation(
        "POST",
        "/tables/{table}/rolls/{roll}/advice",
        "table_advice",
        "What each option of an open roll is worth, as far as you can know.",
        schemas.AdviceAnswer,
        TableAdvice,
        seat=True,
        parameters=(TABLE, ROLL),
        example={"goal": "just-succeed"},
    ),
    Operation(
        "GET",
        "/tables/{table}/rolls/{roll}/picture.svg",
        "roll_picture_svg",
        "A roll that everybody may see as a picture: dice, verdict, and the odds it had.",
        seat=True,
        parameters=(TABLE, SHARED, LIGHT, FOR),
        kind="image/svg+xml",
    ),
    Operation(
        "GET",
        "/tables/{table}/rolls/{roll}/picture.png",
        "roll_picture_png",
        "The same in pixels, where the host has what draws it.",
        seat=True,
        parameters=(TABLE, SHARED, LIGHT, FOR),
        kind="image/png",
    ),
    Operation(
        "GET",
        "/tables/{table}/rolls/{roll}/text",
        "roll_text",
        "A roll that you may see as lines to paste, with a link that verifies.",
        seat=True,
        parameters=(TABLE, SHARED, FOR),
        kind="text/plain",
    ),
    Operation(
        "GET",
        "/tables/{table}/log.json",
        "log",
        "The whole log as you see it, or as everybody does.",
        answers.LogAnswer,
        seat=True,
        parameters=(TABLE, LOG_FOR),
    ),
    Operation(
        "GET",
        "/tables/{table}/history.md",
        "history_markdown",
        "The history in words.",
        seat=True,
        parameters=(TABLE, FOR),
        kind=TEXT,
    ),
    Operation(
        "GET",
        "/tables/{table}/history.csv",
        "history_csv",
        "The history as a table.",
        seat=True,
        parameters=(TABLE, FOR),
        kind=CSV,
    ),
    Operation(
        "GET",
        "/tables/{table}/statistics",
        "statistics",
        "Faces and luck of each seat, observed against expected.",
        answers.StatisticsAnswer,
        seat=True,
        parameters=(TABLE, FOR),
    ),
    Operation(
        "GET",
        "/tables/{table}/recap",
        "recap",
        "A session looked back on, the same for everybody: its moments, its luck, its numbers, "
        "and what waits.",
        answers.RecapAnswer,
        seat=True,
        parameters=(TABLE, SESSION),
    ),
    Operation(
        "GET",
        "/admin/tables",
        "admin_tables",
        "Every table with its size and its times, and nothing of what is in it.",
        answers.TableListAnswer,
        host=True,
        parameters=(ORDER, SKIP, LIMIT),
        failures=(422,),
    ),
    Operation(
        "GET",
        "/admin/tables/{table}",
        "admin_table",
        "The size and the times of one table.",
        answers.TableUsageData,
        host=True,
        parameters=(TABLE,),
        failures=(404,),
    ),
    Operation(
        "DELETE",
        "/admin/tables/{table}",
        "admin_delete_table",
        "Delete a table with everything of it.",
        answers.DoneAnswer,
        host=True,
        parameters=(TABLE,),
        failures=(404,),
    ),
    Operation(
        "GET",
        "/admin/tables/{table}/log.json",
        "admin_log",
        "The whole log of a table, with every secret in it.",
        answers.LogAnswer,
        host=True,
        parameters=(TABLE,),
        failures=(404,),
    ),
    Operation(
        "GET",
        "/admin/quotas",
        "admin_quotas",
        "What all tables take up, and how much they may.",
        answers.QuotaAnswer,
        host=True,
    ),
    Operation(
        "GET",
        "/admin/bans",
        "admin_bans",
        "The addresses and networks that are kept out.",
        answers.BanListAnswer,
        host=True,
    ),
    Operation(
        "POST",
        "/admin/bans",
        "admin_ban",
        "Keep an address or a network out, for some hours or until it is lifted.",
        answers.BanData,
        NewBan,
        host=True,
        status=(201,),
        example={"network": "203.0.113.0/24", "hours": 24},
    ),
    Operation(
        "DELETE",
        "/admin/bans",
        "admin_lift",
        "Let a network in again.",
        answers.DoneAnswer,
        host=True,
        parameters=(NETWORK,),
        failures=(404, 422),
    ),
    Operation(
        "POST",
        "/admin/keys",
        "admin_key",
        "A key to make tables with, for somebody whom the host trusts; it is told this once.",
        answers.KeyAnswer,
        NewKey,
        host=True,
        status=(201,),
        example={"days": 30},
    ),
    Operation(
        "DELETE",
        "/admin/keys",
        "admin_take_back",
        "Make all keys to make tables with good for nothing.",
        answers.RevocationAnswer,
        host=True,
    ),
    Operation("GET", "/openapi.json", "openapi", "This document."),
)
"""The routes under /api/v1."""

OUTSIDE = (
    Operation("GET", "/health", "health", "Whether the process lives.", answers.DoneAnswer),
    Operation(
        "GET",
        "/ready",
        "ready",
        "Whether clients should be sent here.",
        answers.ReadyAnswer,
        status=(200, 503),
    ),
    Operation("GET", "/metrics", "metrics", "Numbers for Prometheus.", kind=NUMBERS),
)
"""The routes beside it."""
