"""What is made to be shown tells no secret: an evening with one and without gives the same bytes.

The evening is the same to the millisecond, at a table of the same id and the same keys. Whoever
asks for something that is made to be shown gets what everybody may see, byte by byte, whatever
happened in secret in between.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from starlette.routing import Mount

import rollwright
from rollwright.client import AsyncServer, Link, Server
from rollwright.client.events import RollEnded, parse_event
from rollwright.client.narration import TableFormatter, event_line
from rollwright.client.relays import Relay
from rollwright.client.storage import Storage
from rollwright.client.webhooks import Delivery
from rollwright.discord.interactions import ChannelTable, InteractionHandler
from rollwright.queries.shares import roll_links
from rollwright.server.app import create_app
from rollwright.server.live import creation, live_table
from rollwright.server.settings import Settings
from tests.gates import but, first
from tests.server.guests import Founded, Serving
from tests.server.harness_evening import OPPOSED

TABLE = "abcdefgh2345"
NOON = 1_789_041_600_000
"""2026-09-10, 12:00 UTC."""
MINUTE, DAY = 60_000, 86_400_000
SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
HARD = {**SKILL, "modifier": -3}
KARL = {"name": "Karl Brandt", "STR": "B", "recon": "B"}

SHOWN = {
    "/tables/{table}/recap": ("/recap", "/recap?session=1", "/recap?session=2"),
    "/tables/{table}/history.md": ("/history.md",),
    "/tables/{table}/history.csv": ("/history.csv",),
    "/tables/{table}/statistics": ("/statistics",),
    "/tables/{table}/rolls/{roll}/picture.svg": ("/rolls/{roll}/picture.svg",),
    "/tables/{table}/rolls/{roll}/picture.png": ("/rolls/{roll}/picture.png",),
    "/tables/{table}/rolls/{roll}/text": ("/rolls/{roll}/text",),
}
"""What a table makes to be shown, with the paths at which it is asked for: always everybody's."""

OWN = {
    "/tables": "makes a table",
    "/tables/import": "makes a table",
    "/tables/{table}": "the table on one's own screen",
    "/tables/{table}/join": "sits down",
    "/tables/{table}/claim": "takes one's own seat again",
    "/tables/{table}/events": "the log on one's own screen",
    "/tables/{table}/commands": "what one has done oneself",
    "/tables/{table}/socket": "the log on one's own screen",
    "/tables/{table}/log.json": "a copy of the log that says whose it is",
    "/tables/{table}/preview": "a roll that one thinks about",
    "/tables/{table}/form": "a roll that one thinks about",
    "/tables/{table}/sheets/{sheet}/chances": "a sheet on one's own screen",
    "/tables/{table}/sheets/{sheet}/card": "a sheet on one's own screen",
    "/tables/{table}/rolls/{roll}/advice": "a choice of one's own",
    "/admin/tables": "the host's",
    "/admin/tables/{table}": "the host's",
    "/admin/tables/{table}/log.json": "the host's",
}
"""What else a table answers, and why that is not made to be shown."""


class Clock:
    """A time that stands still until somebody moves it."""

    def __init__(self):
        self.now = NOON

    def time_ns(self):
        """The time, in nanoseconds."""
        return self.now * 1_000_000

    def __getattr__(self, name):
        return getattr(time, name)


@pytest.fixture(scope="module")
def clock():
    """The clock of the server's tables."""
    return Clock()


@pytest.fixture(scope="module")
def serving(tmp_path_factory, clock):
    """A server whose tables all have one id, one secret, and that clock."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live_table, "time", clock)
        patch.setattr(creation, "time", clock)
        patch.setattr(creation, "new_table_id", lambda: TABLE)
        patch.setattr(creation, "token_bytes", lambda size: sha256(b"fixed").digest()[:size])
        with Serving(tmp_path_factory.mktemp("shown") / "table.sqlite") as server:
            yield server


@contextmanager
def founded(serving, clock):
    """A table, deleted with everything of it in the end: so the next one is the same."""
    clock.now = NOON
    table = Founded(serving.address, "twilight2000", title="The ferry")
    try:
        yield table
    finally:
        assert 200 == table.referee.ask("DELETE").status_code


@contextmanager
def evening_with(serving, clock, secret=None):
    """An evening, and what happens in it in secret."""
    with founded(serving, clock) as table:
        yield Evening(table, clock, secret)


class Evening:
    """An evening at a table, with everybody there who may look: its secret is done five times."""

    def __init__(self, table, clock, secret):
        self.table, self.clock, self.secret = table, clock, secret
        self.referee = table.referee
        self.bo, self.cy = self.table.join("Bo"), self.table.join("Cy")
        self.watcher = self.table.link("spectator")
        self.rolls = []
        self.play()

    @property
    def people(self):
        """Whoever may ask."""
        return (self.referee, self.bo, self.cy, self.watcher)

    def play(self):
        """Two sessions on three days; dice of the table fall before the first secret alone."""
        self.bo.does("sheet.create", values=KARL)
        self.throw(self.bo, SKILL, policy="never")
        self.throw(self.cy, expression="3d6")
        self.in_secret()
        guard = {"name": "Guard", "STR": "C"}
        self.referee.does("sheet.create", sheet="npc", values=guard, shown=True)
        self.type(self.bo, HARD, [6, 1])
        self.type(self.referee, SKILL, [1, 2], option="keep", sheet="n1")
        self.in_secret()
        self.referee.does("chat.send", text="Where is Cy?")
        self.referee.does("roll_request.create", who=["s3"], expression="2d6", note="Quick!")
        self.type(self.cy, None, [1, 1], expression="2d6", ask="a1")
        self.give_up()
        self.referee.does("session.end")
        self.in_secret(DAY)
        self.clock.now += DAY
        self.type(self.bo, SKILL, [8, 10])
        self.in_secret(DAY)
        self.clock.now += DAY
        self.referee.does("chat.send", text="Until next week.")
        self.in_secret(DAY)

    def give_up(self):
        """One roll before its dice, one after them, one rolled again, and one undone."""
        for faces in ([], [2, 3]):
            roll = self.type(self.bo, SKILL, faces, counts=False)
            self.bo.does("roll.cancel", roll=roll)
        roll = self.type(self.cy, SKILL, [2, 2], counts=False)
        again = self.cy.does("roll.repeat", roll=roll)
        self.rolls.append(name_of(again))
        self.cy.does("roll.enter", roll=self.rolls[-1], faces=[7, 1])
        roll = self.type(self.cy, SKILL, [8, 9], counts=False)
        self.referee.does("roll.undo", roll=roll, why="wrong skill")

    def in_secret(self, later=0):
        """What happens in secret, if anything does, after a while that is nobody's business."""
        before = self.clock.now
        if self.secret is not None:
            self.clock.now += later + MINUTE
            self.secret(self)
        self.clock.now = before + 2 * (later + MINUTE)

    def throw(self, who, request=None, **fields):
        """A roll with the dice of the table."""
        about = {} if request is None else {"request": request}
        nonce = sha256(who.seat.encode()).hexdigest()
        self.rolls.append(name_of(who.does("roll.start", nonce=nonce, **about, **fields)))

    def type(self, who, request, faces, *, option="", counts=True, **fields):
        """A roll with real dice; none where no faces are said."""
        about = {} if request is None else {"request": request}
        roll = name_of(who.does("roll.start", physical=True, **about, **fields))
        if faces:
            who.does("roll.enter", roll=roll, faces=faces)
        if option:
            who.does("roll.choose", roll=roll, option=option)
        self.rolls += [roll] if counts else []
        return roll


def name_of(ack):
    """The roll that a command has begun."""
    [begun] = [one["body"] for one in ack["events"] if "what" in one.get("body", {})]
    return begun["roll"]


def paths(evening):
    """Every path at which something is to be had that is made to be shown.

    Of the pictures one is drawn in pixels, which takes long and is made of the other.
    """
    for some in SHOWN.values():
        for path in some:
            rolls = evening.rolls[-1:] if path.endswith(".png") else evening.rolls
            yield from sorted({path.format(roll=roll) for roll in rolls})


def shown(evening):
    """What everybody gets who asks for something that is made to be shown: all get the same."""
    found = {}
    for path in paths(evening):
        answers = [person.ask("GET", path) for person in evening.people]
        assert {200} == {answer.status_code for answer in answers}, (path, answers[0].text)
        assert 1 == len({answer.content for answer in answers}), path
        assert 1 == len({answer.headers.get("content-disposition") for answer in answers}), path
        found[path] = answers[0].content
    return found


@pytest.fixture(scope="module")
def plain(serving, clock):
    """The evening without a secret: what is shown of it, and what is told elsewhere."""
    with evening_with(serving, clock) as evening:
        return shown(evening), told(evening), evening.rolls


def silently(**fields):
    """How a roll is made that nobody else hears of."""
    return {"announce": False, **fields}


def rolled(visibility, *, waits=False, given_up=False):
    """An unannounced roll with dice of the table: done, waiting for a choice, or given up."""

    def secret(evening):
        how = silently(visibility=visibility)
        if waits or given_up:
            roll = name_of(evening.referee.does("roll.start", request=SKILL, physical=True, **how))
            evening.referee.does("roll.enter", roll=roll, faces=[2, 3])
        else:
            evening.throw(evening.referee, expression="9d6 [an ambush]", note="behind you", **how)
            evening.rolls.pop()
        if given_up:
            evening.referee.does("roll.cancel", roll=roll)

    return secret


def rolled_again(evening):
    """An unannounced roll that is rolled again, and then undone."""
    how = silently(visibility="private")
    roll = name_of(evening.referee.does("roll.start", request=HARD, physical=True, **how))
    evening.referee.does("roll.enter", roll=roll, faces=[6, 6])
    again = name_of(evening.referee.does("roll.repeat", roll=roll))
    evening.referee.does("roll.enter", roll=again, faces=[6, 6])
    evening.referee.does("roll.undo", roll=again)


def whispered(evening):
    """Words for one pair of ears."""
    evening.referee.does("chat.send", text="Cy is a traitor.", to=["s2"])


def hidden_sheet(evening):
    """A character of the referees' that nobody sees, changed by hand and rolled with."""
    values = {"name": "The Traitor", "STR": "A", "recon": "A"}
    made = evening.referee.does("sheet.create", sheet="npc", values=values)
    sheet = made["events"][0]["body"]["sheet"]
    evening.referee.does("sheet.change", sheet=sheet, values={"damage": 2})
    how = silently(visibility="private", sheet=sheet)
    evening.referee.does("roll.start", request=SKILL, **how)


def asked(announce):
    """Somebody alone is asked, answers, and another ask is closed."""

    def secret(evening):
        how = {"visibility": "blind", "announce": announce}
        for _ in range(2):
            made = evening.referee.does("roll_request.create", who=["s2"], expression="2d6", **how)
        ask = made["events"][-1]["body"]["ask"]
        if not announce:
            evening.bo.does("roll.start", ask=ask, announce=False)
        else:
            evening.referee.does("roll_request.close", ask=ask)

    return secret


def rolled_by_a_player(evening):
    """A player's own, pushed, of which what it does to their sheet waits, and one left open."""
    how = silently(visibility="private", sheet="s2")
    for choices in (["push", "keep"], []):
        roll = name_of(evening.bo.does("roll.start", request=HARD, physical=True, **how))
        evening.bo.does("roll.enter", roll=roll, faces=[2, 1])
        for choice in choices[:1]:
            evening.bo.does("roll.choose", roll=roll, option=choice)
            evening.bo.does("roll.enter", roll=roll, faces=[1])


def refused_in_secret(evening):
    """A roll that cannot be, and one whose dice are taken back and typed anew."""
    how = silently(visibility="hidden")
    assert not evening.referee.tries("roll.start", request={**SKILL, "skill": "Z"}, **how)["ok"]
    roll = name_of(evening.referee.does("roll.start", request=SKILL, physical=True, **how))
    evening.referee.does("roll.enter", roll=roll, faces=[2, 3])
    evening.referee.does("roll.take_back", roll=roll)
    evening.referee.does("roll.enter", roll=roll, faces=[6, 6])


SECRETS = {
    **{how: rolled(how) for how in ("private", "blind", "hidden")},
    **{f"{how}, waiting": rolled(how, waits=True) for how in ("private", "hidden")},
    **{f"{how}, given up": rolled(how, given_up=True) for how in ("private", "blind", "hidden")},
    "rolled again": rolled_again,
    "a player's own": rolled_by_a_player,
    "taken back": refused_in_secret,
    "whispered": whispered,
    "a hidden sheet": hidden_sheet,
    "a silent ask": asked(False),
    "a secret ask": asked(True),
}
"""What may happen in secret, without anybody else hearing that something is rolled."""

OTHER_PEOPLE = ("a player's own", "whispered", "a hidden sheet", "a silent ask", "a secret ask")
TOGETHER = {
    "rolls of a referee": [name for name in SECRETS if name not in OTHER_PEOPLE],
    "what others take part in": [*OTHER_PEOPLE],
}
"""Secrets that happen one after the other in one evening: a byte that any of them changed would
differ from the evening without."""


def one_after_the_other(secrets):
    """Some secrets as one."""

    def secret(evening):
        for one in secrets:
            one(evening)

    return secret


@pytest.fixture(scope="module", params=but([*TOGETHER, *SECRETS], *TOGETHER))
def secret(request, serving, clock):
    """The same evening with some secrets; with each alone, which tells them apart, in --all."""
    names = TOGETHER.get(request.param, [request.param])
    happens = one_after_the_other([SECRETS[name] for name in names])
    with evening_with(serving, clock, happens) as evening:
        return shown(evening), told(evening), evening.rolls


def test_every_secret_is_in_an_evening():
    """None is in the second gate alone."""
    assert sorted(SECRETS) == sorted(name for names in TOGETHER.values() for name in names)


@pytest.mark.long
def test_a_secret_changes_no_byte_of_what_is_shown(plain, secret):
    """Recap, histories, statistics, pictures, texts and links, whoever asks for them."""
    assert plain[2] == secret[2]
    assert plain[0].keys() == secret[0].keys()
    assert [] == [path for path, came in plain[0].items() if came != secret[0][path]]


@pytest.mark.long
def test_a_secret_changes_nothing_of_what_is_told_elsewhere(plain, secret):
    """Messages and pictures in a channel, lines of a bridge; and of what is delivered and of the
    log for everybody nothing but the places in the chain.
    """
    for name, came in plain[1].items():
        assert came == secret[1][name], name


def told(evening):
    """What programs tell elsewhere that follow the table by the spectators' link."""
    events = asyncio.run(relayed(evening))
    link = Link(evening.table.address, TABLE, evening.table.links["spectator"])
    with Server(evening.table.address) as server:
        looked = server.table(link).snapshot(recent=0)
    ended = [event for event in events if isinstance(parse_event(event), RollEnded)]
    return {
        "deliveries": [
            masked(Delivery(TABLE, number, event).body.decode())
            for number, event in enumerate(events, 1)
        ],
        "lines": [event_line(TableFormatter(looked), event) for event in events],
        "messages": [*messages(link, ended)],
        "log": [masked(json.dumps(event)) for event in everybodys_log(evening)],
    }


async def relayed(evening):
    """Every event that a relay passes on, in order."""
    events = []
    last = len(everybodys_log(evening))

    async def tell(number, event):
        assert number == len(events) + 1
        events.append(event)
        if number == last:
            raise Complete

    link = Link(evening.table.address, TABLE, evening.table.links["spectator"])
    async with AsyncServer(evening.table.address) as server:
        with pytest.raises(Complete), kept() as storage:
            await Relay(server.table(link), storage, "shown", 0).run(tell)
    return events


@contextmanager
def kept():
    """What a bot keeps while it runs."""
    with TemporaryDirectory() as folder:
        storage = Storage(Path(folder, "kept.sqlite"))
        try:
            yield storage
        finally:
            storage.close()


class Complete(Exception):
    """All that there is was told."""


def everybodys_log(evening):
    """The events of the log that everybody may see."""
    answers = [person.ask("GET", "/log.json?for=everybody") for person in evening.people]
    assert 1 == len({answer.content for answer in answers})
    log = answers[0].json()
    assert ("everybody", False) == (log["for"], "handover" in log)
    return [event for event in log["events"] if "body" in event]


def messages(link, ended):
    """What a channel is told of rolls that have ended, with their pictures."""
    bound = ChannelTable(link, "twilight2000", "The ferry", str(link))
    with kept() as storage:
        desk = InteractionHandler(storage, [link.server])
        for event in ended:
            reply = desk.end_message("channel", bound, None, event)
            yield reply.data, sha256(reply.picture).hexdigest()
        desk.close()


CHAIN = re.compile(
    r'"[0-9a-f]{64}"|"seq": ?[0-9]+|"t[0-9]+\.[0-9]+"|"number": ?[0-9]+|"(token|player)": ?[0-9]+'
)


def masked(text):
    """An event without its place in the chain."""
    return CHAIN.sub("", text)


HIDDEN = ("private", "blind", "hidden")


@pytest.mark.long
@pytest.mark.parametrize("ways", first([HIDDEN, *zip(HIDDEN)]), ids="-".join)
def test_of_an_announced_roll_only_that_it_was_made_is_shown(serving, clock, ways):
    """Two secret rolls look the same wherever they are shown, whatever was rolled and came of it;
    and an evening looked back on does not know of them."""

    def with_secret(faces, **about):
        def secret(evening):
            for visibility in ways:
                how = {"visibility": visibility, "physical": True}
                roll = name_of(evening.referee.does("roll.start", **about, **how))
                evening.referee.does("roll.enter", roll=roll, faces=faces)

        with evening_with(serving, clock, secret) as evening:
            return shown(evening)

    one = with_secret([6, 1], request=HARD, note="The bridge will fall.")
    other = with_secret([1], expression="1d6")
    assert one == other
    assert b"rolls" in one["/history.md"]


@pytest.mark.long
def test_an_evening_looked_back_on_does_not_know_of_announced_rolls(serving, clock, plain):
    """Not even by its numbers and times: what everybody knows of them is in the log."""

    def secret(evening):
        for how in HIDDEN:
            evening.referee.does("roll.start", expression="5d6", visibility=how)

    without = {path: loose(came) for path, came in plain[0].items() if "recap" in path}
    with evening_with(serving, clock, secret) as evening:
        asked = {path: evening.referee.ask("GET", path).content for path in without}
    assert without == {path: loose(came) for path, came in asked.items()}


def loose(came):
    """An evening without the names of its rolls, which announced ones take part in."""
    return re.sub(rb'"roll":"r[0-9]+"', b"", came)


@pytest.mark.parametrize("hidden", [1, 7])
def test_a_throw_that_the_rule_hides_is_not_shown_before_its_time(serving, clock, hidden):
    """While the roll waits, not even the referee, who sees the throw, has a picture of it."""
    with founded(serving, clock) as table:
        bo = table.join("Bo")
        roll = name_of(bo.does("roll.start", request=OPPOSED, physical=True))
        table.referee.does("roll.enter", roll=roll, faces=[6, 4])
        table.referee.does("roll.enter", roll=roll, faces=[hidden])
        for person in (table.referee, bo):
            for path in (f"/rolls/{roll}/text", f"/rolls/{roll}/text?for=me"):
                assert 403 == person.ask("GET", path).status_code
            came = person.ask("GET", "/history.csv").text
            assert '"6, 4"' in came
            assert f"; {hidden}" not in came


def test_a_secret_roll_has_no_picture_but_a_copy_of_ones_own_that_says_so(serving, clock):
    """Whoever sees it is told to reveal it first; their own copy stands beside its secrecy."""
    with founded(serving, clock) as table:
        bo = table.join("Bo")
        roll = name_of(table.referee.rolls("3d6", visibility="private"))
        refused = table.referee.ask("GET", f"/rolls/{roll}/text")
        assert (403, True) == (refused.status_code, "once it is revealed" in refused.text)
        own = table.referee.ask("GET", f"/rolls/{roll}/text?for=me").text
        assert own.startswith("Ada: 3d6 (private)\n")
        assert 403 == bo.ask("GET", f"/rolls/{roll}/text?for=me").status_code
        table.referee.does("roll.reveal", roll=roll)
        assert table.referee.ask("GET", f"/rolls/{roll}/text").text.startswith("Ada: 3d6\n")


def test_a_copy_of_ones_own_says_whose_it_is(serving, clock):
    """By its name, and a history in its head; it holds what only its owner may see."""
    with founded(serving, clock) as table:
        table.referee.rolls("3d6", **silently(visibility="private", note="an ambush"))
        own = table.referee.ask("GET", "/history.md?for=me")
        assert "*What Ada may see, secrets included: not for everybody.*" in own.text
        assert "an ambush" in own.text
        assert f"table-{TABLE}-s1-history.md" in own.headers["content-disposition"]
        everybodys = table.referee.ask("GET", "/history.md")
        assert f'"table-{TABLE}-history.md"' in everybodys.headers["content-disposition"]
        assert "Ada may see" not in everybodys.text
        assert "ambush" not in everybodys.text
        assert "an ambush" in table.referee.ask("GET", "/history.csv?for=me").text
        own = table.referee.ask("GET", "/statistics?for=me").json()
        assert 3 == own["table"]["luck"]["throws"]
        assert 422 == table.referee.ask("GET", "/statistics?for=s2").status_code


def test_a_roll_with_a_hidden_character_does_not_tell_who_that_is(serving, clock):
    """Rolled in the open by a character that nobody may see, it is shown as the referee's."""
    with founded(serving, clock) as table:
        watcher = table.link("spectator")
        values = {"name": "The Traitor", "STR": "B"}
        made = table.referee.does("sheet.create", sheet="npc", values=values)
        sheet = made["events"][0]["body"]["sheet"]
        started = table.referee.does("roll.start", request=HARD, sheet=sheet, physical=True)
        roll = name_of(started)
        table.referee.does("roll.enter", roll=roll, faces=[6, 1])
        for path in ("/recap", "/history.md", "/history.csv", f"/rolls/{roll}/text"):
            came = table.referee.ask("GET", path)
            assert came.content == watcher.ask("GET", path).content
            assert 200 == came.status_code
            assert "Traitor" not in came.text
            assert sheet not in came.text


def test_the_link_of_a_roll_after_a_secret_one_has_the_name_it_would_have(serving, clock):
    """Its dice come from other keys, and nothing beside them counts the rolls before."""

    def proof(*secrets):
        with founded(serving, clock) as table:
            for how in secrets:
                table.referee.rolls("3d6", visibility=how, announce=False)
            roll = name_of(table.referee.rolls("2d6"))
            text = table.referee.ask("GET", f"/rolls/{roll}/text").text
        return roll_links.read(text.split()[-1])["proof"]

    without, other = proof(), proof("private", "hidden")
    assert ("r1", "r1") == (without["roll"], other["roll"])
    for one in (without, other):
        for call in one["calls"]:
            assert [0] == call.pop("throws")
            assert {64} == {len(call.pop(name)) for name in ("key", "call")}
        del one["table"]
    assert without == other


def routes_of(found, before=""):
    """Every route by its path."""
    for one in found:
        if isinstance(one, Mount):
            yield from routes_of(one.routes, before + one.path)
        else:
            yield before + one.path


def test_every_route_of_a_table_is_made_to_be_shown_or_says_why_not():
    """A new one has to be put into one of the lists above, and with that into the tests."""
    all_of_them = set(routes_of(create_app(Settings()).routes))
    of_tables = {path.removeprefix("/api/v1") for path in all_of_them if "/tables" in path}
    assert of_tables == {*SHOWN, *OWN}


RELAYS = {
    "client/deliveries.py": "webhooks, by the spectators' link and no other",
    "discord/feeds.py": "channels, by the spectators' link",
}
"""What tells a table elsewhere; what each tells is compared above."""


def test_every_way_to_tell_a_table_elsewhere_is_known():
    """A new one has to be put into the list, and what it tells into the tests."""
    source = Path(rollwright.__file__).parent
    parts = {str(one.relative_to(source)): one.read_text("utf-8") for one in source.rglob("*.py")}
    assert set(RELAYS) == {name for name, text in parts.items() if re.search(r"\bRelay\(", text)}
