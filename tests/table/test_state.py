"""Tests of the fold: a state is its log and nothing else, quickly and without any game."""

from __future__ import annotations

from rollwright.table import Draft, Event, TableState, first_hash, opened, placed
from tests.drafts import drafted
from tests.steps import calls_of
from tests.table.tables import TABLE, Host, hashed, soldiers


def test_a_new_table() -> None:
    """Before anything has happened, the first event is chained to the table's id."""
    state = TableState.new(TABLE)
    assert (0, first_hash(TABLE), {}, 1) == (state.head, state.hash, state.lanes, state.session)


def long_log(count: int) -> list[Event]:
    """A log of so many events: one roll with a change of a sheet, again and again."""
    host = soldiers()
    first = len(host.events)
    ask = {"skill_name": "recon"}
    host.do("s2", "roll.start", draft=drafted(ask), physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[2, 3])
    host.do("s2", "roll.choose", roll="r1", option="push")
    host.do("s2", "roll.enter", roll="r1", faces=[1, 6])
    pattern, events = host.events[first:], host.events[:first]
    before = events[-1].hash
    for number in range(count - first):
        model = pattern[number % len(pattern)]
        body = dict(model.body)
        if "roll" in body:
            body["roll"] = f"r{number // len(pattern) + 1}"
        else:
            body["cause"] = {**body["cause"], "roll": f"r{number // len(pattern) + 1}"}
        draft = Draft(model.kind, body, model.audience, model.open)
        seq = first + number + 1
        event = placed(draft, before=before, seq=seq, at=seq, salt=model.salt)
        before = event.hash
        events.append(event)
    return events


def test_ten_thousand_events() -> None:
    """Each is folded in some dozen steps, however many came before: all in a tenth of a second."""
    events = long_log(10_000)
    state = TableState.of(events)
    assert (10_000, events[-1].hash) == (state.head, state.hash)
    assert 1_990 < len(state.rolls)
    assert calls_of(lambda: TableState.of(events)) < 100 * len(events)


def test_no_game_is_needed() -> None:
    """Folding a log asks no game anything: it works where the game is not installed."""
    host = soldiers()
    host.do("s2", "roll.start", draft=drafted({"skill_name": "recon"}), nonce=hashed("n"))
    created = host.events[0]
    moved = created._replace(body={**created.body, "game": "nowhere"})
    state = TableState.of([moved, *host.events[1:]])
    assert ("nowhere", host.state.head) == (state.game, state.head)
    assert host.state.sheets == state.sheets


def test_a_game_that_is_gone() -> None:
    """At a table whose game is not installed, expressions still roll and the rest is refused."""
    host = soldiers()
    host.do("s2", "roll.start", draft=drafted({"skill_name": "recon"}), physical=True)
    host.state.game = "nowhere"
    host.state.rolls["r1"].what["request"]["game"] = "nowhere"
    host.do("s2", "roll.start", expression="1d6")
    for do, fields in (
        ("roll.start", {"request": {"roll": "skill"}}),
        ("roll.enter", {"roll": "r1", "faces": [1, 2]}),
        ("sheet.change", {"sheet": "s2", "values": {"stress": 1}}),
        ("session.end", {}),
    ):
        assert "nowhere" in host.refused("s1", do, **fields).message
    host.do("s2", "roll.abandon", roll="r1")


def test_finished_rolls_hold_little() -> None:
    """Of a finished roll only what is needed to reveal, undo and repeat it is kept."""
    host = Host()
    host.do("s2", "roll.start", request={"roll": "skill", "attribute": "B"}, physical=True)
    assert host.state.rolls["r1"].weight > 0
    host.do("s2", "roll.enter", roll="r1", faces=[7])
    roll = host.state.rolls["r1"]
    assert ([], None, []) == (roll.entries, roll.after, roll.authors)


def test_events_without_a_body() -> None:
    """A throw that somebody may not look into still counts."""
    host = Host()
    host.do("s2", "roll.start", expression="1d6", visibility="hidden", announce=False)
    closed = [event._replace(body={}) if event.audience else event for event in host.events]
    state = TableState.of(closed)
    assert (host.state.lanes, host.state.hash, {}) == (state.lanes, state.hash, state.rolls)
    assert 2 == state.lanes["table"].number


def test_an_imported_table_has_no_witnesses() -> None:
    """Another host has other slots, and asks nobody who was ready at the one before."""
    host = Host()
    host.offer("s2", "a")
    slots = {"slots": {"table": hashed("k")}}
    draft = Draft("table.imported", {"from_seq": host.state.head}, None, slots)
    event = placed(draft, before=host.state.hash, seq=host.state.head + 1, at=0, salt=hashed("s"))
    host.state.apply(event)
    assert ({}, 1) == (host.state.offers, len(host.state.offered))
    assert {"table": (hashed("k"), 1, event.seq)} == host.state.lanes
    assert event.hash == host.state.epoch


def test_a_store_may_give_lists() -> None:
    """An audience read back as a list means the same as it did as a tuple."""
    host = Host()
    host.do("s2", "roll.start", expression="2d6", visibility="private")
    read = [
        event._replace(audience=None if event.audience is None else list(event.audience))
        for event in host.events
    ]
    assert TableState.of(read) == host.state


def test_frames_without_anything_to_open() -> None:
    """Nothing is sent again where nothing was opened."""
    host = Host()
    assert () == opened([], host.state)
    assert () == opened(host.do("s2", "say", text="hello"), host.state)
