"""The tasks of a counting process: questions as plain data, and long things in pieces."""

from __future__ import annotations

import gc
import pickle
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from secrets import token_bytes

from rollwright.budget import Budget
from rollwright.errors import BrokenGame, CodedError, RollwrightError
from rollwright.file_games import load_named_games
from rollwright.i18n.codes import language_code
from rollwright.i18n.locale import use_locale
from rollwright.i18n.messages import msg
from rollwright.jsonable import Json
from rollwright.kit.fields import fields_of
from rollwright.kit.games import find_game, list_games
from rollwright.queries import kinds
from rollwright.queries.answers import answer
from rollwright.queries.errors import error_of
from rollwright.queries.shares.proofs import throws_from_key
from rollwright.server.json_codec import decode, encode
from rollwright.table.commands.dispatch import decide
from rollwright.table.events import place_events
from rollwright.table.history.documents import history_csv, history_markdown
from rollwright.table.history.recap import recap
from rollwright.table.history.statistics import statistics
from rollwright.table.imports import check_handover, import_log
from rollwright.table.options import options_at
from rollwright.table.schemas import KnownEvent
from rollwright.timeouts import TooSlow, call_with_timeout
from rollwright.workers.cache import QueryResult
from rollwright.workers.memory import use_spare
from rollwright.workers.payloads import Task, TaskResult, parse_body, parse_object

WARMING = 5.0
"""Seconds that counting a little of a game may take before anybody asks."""
LATEST = 253_402_300_799_000
"""The last second of the year 9999: a calendar has no later one."""


def run_query(
    question: Mapping[str, Json], budget: Budget, pieces: list[bytes] | None = None
) -> QueryResult:
    """Return the result of a question: its answer, or why there is none; nothing is raised.

    The kind of question is in `ask`, its fields beside it. The `pieces` are what is worked on, or
    the fields of a long question, as received.
    """
    with use_locale(language_code(str(question.get("language") or ""))):
        return _run_query(question, budget, pieces)


def _run_query(
    question: Mapping[str, Json], budget: Budget, pieces: list[bytes] | None
) -> QueryResult:
    kind = str(question.get("ask", ""))
    fields = {name: value for name, value in question.items() if name != "ask"}
    try:
        if pieces is not None and kind in TASKS:
            return {"raw": TASKS[kind](question, pieces)}
        if pieces is not None:
            fields |= parse_body(_join_pieces(pieces), kinds.VerifyQuery)
        return {"answer": answer(kind, fields, budget, **_dice_source(fields))}
    except MemoryError:
        pass  # what fills the memory is let go of with this, and only then there is room for words
    except (RollwrightError, RecursionError) as problem:
        return {"error": error_of(problem)}
    except (Exception, SystemExit) as problem:  # a game that leaves would take others with it
        traceback.print_exc(file=sys.stderr)
        told = f"this should not have happened, please report it: {type(problem).__name__}"
        return {"error": {"code": "internal", "message": told}}
    use_spare()
    return {"error": error_of(_log_too_large() if kind in LOG_TASKS else MemoryError())}


def _dice_source(fields: dict[str, Json]) -> dict[str, object]:
    """Take the source of the dice from a bot's roll: the key that it promised, and a word.

    A body that somebody sends has no such field: it is checked before it comes here.
    """
    match fields.pop("promised", None):
        case [str(key), str(word)]:
            return {"source": throws_from_key(key, word)}
    return {}


LOG_TASKS = ("import", "tell", "verify")


def _log_too_large() -> CodedError:
    """The refusal of a log that takes more memory than there is for it."""
    return CodedError("too_much_work", msg("server.log.memory"))


def _join_pieces(pieces: list[bytes]) -> bytes:
    """All pieces as one, which are kept no longer than that."""
    whole = b"".join(pieces)
    pieces.clear()
    return whole


def warm_up() -> None:
    """Load every game and count a little of each, so that the first question is answered soon."""
    error_of(MemoryError())  # when that is wanted, nothing can be loaded any more
    load_named_games()
    for name in list_games():
        try:
            game = find_game(name)
        except BrokenGame as problem:  # one of somebody else's must not stop the others
            print(problem, file=sys.stderr)
            continue
        shows = [about.more.get("shows") for about in fields_of(game.house).values()]
        for show in [one for one in shows if one is not None][:2]:
            plain = {"game": name, "roll": show.roll, **show.fields}
            asked = {"ask": "preview", "request": plain, "parts": ["odds"]}
            with suppress(TooSlow):
                call_with_timeout(
                    run_query, asked, Budget(300_000), working=WARMING, waiting=2 * WARMING
                )
    run_query({"ask": "odds", "expression": "4d6kh3+2"}, Budget(300_000))


def _decide(question: Mapping[str, Json], pieces: list[bytes]) -> bytes:
    """The command in a pickled `Task`, with its sheets one by one, decided: a pickled `Placed`."""
    first, *sheets = map(pickle.loads, pieces)
    task: Task = first
    empty = task.state.sheets
    state = replace(task.state, sheets=empty | {sheet.id: sheet for sheet in sheets})
    decision = decide(state, task.seat, task.command, task.secrets, task.at, token_bytes)
    events = place_events(
        decision.drafts, before=state.hash, seq=state.head, at=task.at, entropy=token_bytes
    )
    placed = TaskResult(events, decision.side, decision.refusal)
    return pickle.dumps(placed, pickle.HIGHEST_PROTOCOL)


def _list_options(question: Mapping[str, Json], pieces: list[bytes]) -> bytes:
    """Return the options at an event of a roll, pickled."""
    return pickle.dumps(options_at(*pickle.loads(b"".join(pieces))), pickle.HIGHEST_PROTOCOL)


def _import_log(question: Mapping[str, Json], pieces: list[bytes]) -> bytes:
    """Return the table of a valid log, and the request beside it, pickled."""
    gc.disable()  # it would look through all of it again and again
    try:
        plain = parse_object(_join_pieces(pieces))
        gc.freeze()
        asked = {name: plain.pop(name, None) for name in ("id", "tokens", "seat", "key")}
        imported = import_log(plain)
        check_handover(plain, imported)
    except (RollwrightError, MemoryError):
        raise
    except Exception:
        raise CodedError("bad_request", msg("server.log.unread")) from None
    asked["seat"] = asked["seat"] or plain.get("for")
    return pickle.dumps((asked, imported), pickle.HIGHEST_PROTOCOL)


def _write_history(question: Mapping[str, Json], pieces: list[bytes]) -> bytes:
    """Return a log's history, spreadsheet, statistics, or recap of an evening."""
    views = _event_views(pieces)
    if question["what"] == "statistics":
        return encode(statistics(views).to_json())
    if question["what"] == "recap":
        session = question["session"]
        return encode(recap(views, session if isinstance(session, int) else 0))
    if question["what"] == "history.csv":
        return history_csv(views).encode()
    return history_markdown(views, str(question["whose"])).encode()


def _event_views(pieces: list[bytes]) -> Iterator[KnownEvent]:
    """Yield the events in pieces that are freed one by one, without the parts nobody uses."""
    pieces.reverse()
    while pieces:
        for view in decode(pieces.pop()):
            yield _shorten(view)


STEP_FIELDS = ("step", "assign")
"""Fields kept of a roll that waits: its step, and the tokens that are handed out."""


def _shorten(view: KnownEvent) -> KnownEvent:
    at = view["at"] if 0 <= view["at"] <= LATEST else LATEST
    kept: KnownEvent = {"seq": view["seq"], "at": at, "kind": view["kind"], "open": view["open"]}
    if "body" in view:
        body = view["body"]
        waits = body.get("after") or {}
        if waits.get("step") not in (None, "done", "stopped"):  # nothing uses all its dice
            body = {**body, "after": {name: waits[name] for name in STEP_FIELDS if name in waits}}
        kept["body"], kept["texts"] = body, view["texts"]
    return kept


def _draw_pixels(question: Mapping[str, Json], pieces: list[bytes]) -> bytes:
    """A picture of ours in pixels."""
    from rollwright.pictures.files import pixels  # what draws is not in every installation

    return pixels(b"".join(pieces).decode())


TASKS: dict[str, Callable[[Mapping[str, Json], list[bytes]], bytes]] = {
    "decide": _decide,
    "offers": _list_options,
    "import": _import_log,
    "tell": _write_history,
    "draw": _draw_pixels,
}
"""Functions for long things that come in pieces, as bytes."""
