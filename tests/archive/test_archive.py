"""What was ever stored is read and true for ever: rolls, logs and a database."""

import asyncio
import json
import shutil
from hashlib import sha256

import pytest

import rollwright as rw
from rollwright.kit.games import find_game, own_games
from rollwright.server.storage.store import Store
from rollwright.table import TableState, place_event, view_event
from rollwright.table.events import EventDraft, export
from rollwright.table.imports import import_log
from rollwright.table.verify.log import verify_log
from tests.archive.make import DIGESTS, HERE
from tests.table.tables import TABLE

KNOWN = json.loads(DIGESTS.read_text("utf-8"))
TRANSCRIPTS = sorted(name for name in KNOWN if "/transcripts/" in name)
LOGS = sorted(name for name in KNOWN if "/logs/" in name)
DATABASES = sorted(name for name in KNOWN if name.endswith(".sqlite"))


def read(name):
    """A file of the archive as data."""
    return json.loads((HERE / name).read_text("utf-8"))


def is_of_another_version(request, version):
    """Whether rules here are newer than what was rolled: then it is read, and not played again."""
    return find_game(request["game"]).version_of(request["roll"]) != version


def test_nothing_in_the_archive_was_changed():
    """Its files are the very bytes of the list, and none lies beside it."""
    found = {
        path.relative_to(HERE).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in HERE.rglob("*")
        if path.is_file() and path.suffix in (".json", ".sqlite") and path != DIGESTS
    }
    assert KNOWN == found


def test_the_archive_has_everything():
    """Every kind of roll of every game, secrets, sheets, undo, imports, effects that wait."""
    kinds, rolls, visibilities = set(), set(), set()
    for name in LOGS:
        for event in read(name)["events"]:
            body = event.get("body", {})
            kinds.add(body.get("kind", event["kind"]))
            if "visibility" in body:
                visibilities.add((body["visibility"], body.get("announce")))
            request = body.get("what", {}).get("request")
            if request:
                rolls.add((request["game"], request["roll"]))
    assert {"open", "private", "blind", "hidden"} == {shown for shown, _ in visibilities}
    assert {True, False} == {announce for _, announce in visibilities} - {None}
    wanted = {(game, roll) for game in own_games() for roll in find_game(game).requests}
    assert wanted <= rolls
    assert {
        *("table.created", "table.changed", "table.imported", "seat.joined", "person.erased"),
        *(
            "witness.committed",
            "witness.revealed",
            "sheet.created",
            "sheet.changed",
            "chat.sent",
            "roll_request.created",
            "session.ended",
        ),
        *("roll.started", "roll.thrown", "roll.chosen", "roll.undone", "roll.revealed"),
        *("roll.taken_back", "roll.cancelled", "roll.applied", "roll.declined"),
    } <= kinds


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_a_stored_roll_is_true(name):
    """Every face, choice and outcome is replayed, and written again in the same words."""
    plain = read(name)
    if is_of_another_version(plain["request"], plain["version"]):
        with pytest.raises(rw.RollwrightError, match="version"):
            rw.verify(plain)
        return
    again = rw.verify(plain).to_plain()
    assert plain["answers"] == again["answers"]
    assert plain.get("outcome") == again.get("outcome")
    assert plain["request"].items() <= again["request"].items()


@pytest.mark.parametrize("name", LOGS)
def test_a_stored_log_is_true(name):
    """Chain, dice, rules and sheets hold; only rolls of older versions are not played again."""
    log = read(name)
    report = verify_log(log)
    assert () == report.problems
    old = [
        event
        for event in log["events"]
        if "request" in event.get("body", {}).get("what", {})
        and is_of_another_version(event["body"]["what"]["request"], event["body"]["version"])
    ]
    assert len(old) == report.counts["rolls not replayable here"]
    assert report.counts["rolls replayed"] or old


TEXTS = (
    "title",
    "told",
    "chat.sent",
    "question",
    "standing",
    "label",
    "leads",
    "word",
    "detail",
    "paid",
)
"""What holds texts in an event: a text as it is, a message, or several of them."""


def is_message(held):
    """Whether it has the form of a message: an id, and values by name."""
    named = isinstance(held, list) and 1 <= len(held) <= 2 and isinstance(held[0], str)
    return named and isinstance(held[-1], str if len(held) == 1 else dict)


def messages_in(held, key=""):
    """Every message in an event: where texts are, and inside other messages."""
    if key in TEXTS and is_message(held):
        yield held[0]
        yield from (id for value in held[1:] for id in inner_messages(value))
    elif isinstance(held, dict):
        yield from (id for name, part in held.items() for id in messages_in(part, name))
    elif isinstance(held, list):
        yield from (id for part in held for id in messages_in(part, key))


def inner_messages(value):
    """The messages in the values of another one; a list of several has the name of its kind."""
    if is_message(value):
        yield value[0]
        yield from (id for given in value[1:] for id in inner_messages(given))
    elif isinstance(value, dict):
        for part in value.values():
            parts = part if isinstance(part, list) and len(value) == 1 else [part]
            yield from (id for one in parts for id in inner_messages(one))


def unknown_messages(log):
    """The ids in a log that its game has no text of any more, in any language it speaks."""
    game = log["events"][0]["body"]["game"]
    words = find_game(game).words
    own = {code: set(words.sources[0][code]) for code in words.sources[0]}
    house = set(words.sources[-1]["en"])
    ids = {id for event in log["events"] for id in messages_in(event.get("body") or {})}
    return ids, sorted(
        (code, id) for id in ids - house for code, known in own.items() if id not in known
    )


@pytest.mark.parametrize("name", [name for name in LOGS if "body" in read(name)["events"][0]])
def test_every_message_in_the_archive_is_still_said(name):
    """Ids are never taken back: what a log tells has a text in every language of its game."""
    _, unknown = unknown_messages(read(name))
    assert [] == unknown


def test_the_archive_has_messages_of_all_kinds():
    """So that the test above has something to look for, and sees what is gone."""
    log = read("3/logs/effect-dice-s1.json")
    ids, _ = unknown_messages(log)
    assert len(ids) > 20
    event = next(event for event in log["events"] if list(messages_in(event.get("body") or {})))
    event["body"]["title"] = ["no.such.title", {"inner": {"and": [["no.such.part"], "a text"]}}]
    _, unknown = unknown_messages(log)
    assert {"no.such.title", "no.such.part"} == {id for _, id in unknown}
    assert {"de", "en"} == {code for code, _ in unknown}


@pytest.mark.parametrize("name", [name for name in LOGS if name.endswith("-s1.json")])
def test_a_stored_log_can_be_gone_on_with(name):
    """A referee takes the table up again on another server."""
    imported = import_log(read(name))
    state = TableState.of(imported.events)
    event = place_event(
        EventDraft("chat.sent", {"by": "s1", "text": None, "to": "all"}),
        before=state.hash,
        seq=state.head + 1,
        at=imported.events[-1].at,
        salt="00" * 32,
    )
    state.apply(event)
    assert imported.events[-1].seq + 1 == state.head


@pytest.mark.parametrize("name", DATABASES)
def test_a_stored_database_is_read(name, tmp_path):
    """It is brought up to date where it must be, and every seat's log in it is true."""
    copy = shutil.copy(HERE / name, tmp_path / "table.sqlite")

    async def story():
        store = await Store.open(f"sqlite:///{copy}")
        try:
            return await store.table_contents(TABLE)
        finally:
            await store.close()

    whole = asyncio.run(story())
    state = TableState.of(whole.events)
    for seat in (None, *state.seats.values()):
        told = [view_event(event, seat, state) for event in whole.events]
        report = verify_log(export(TABLE, told, seat.id if seat else ""))
        assert () == report.problems
    assert state.hash == whole.events[-1].hash
