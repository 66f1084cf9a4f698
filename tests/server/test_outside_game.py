"""A game from outside on a real server: its card, its forms, and a throw that some have missed."""

import json

import pytest

from tests import outside
from tests.server.guests import Serving
from tests.server.harness import Listener, found, nonce

outside.known()
TOLD_OF_IT = ('"standing"', '"told"', '"lies"', '"faces"')


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    """A server for all tests of this module."""
    with Serving(tmp_path_factory.mktemp("outside") / "table.sqlite") as server:
        yield server


@pytest.fixture
def table(serving):
    """A table with three players, each with a sheet: s2, s3 and s4."""
    table = found([serving.address.rstrip("/")], game="harbour_lights")
    for name in ("Ann", "Bo", "Cy"):
        table.join(name).do("sheet.create", values={"name": name})
    yield table
    table.close()


def look_everywhere(person, roll):
    """All that somebody can ask for at the table, by a new socket too."""
    for after in (None, 0):
        Listener(person, after=after).close()
    for path in ("", "/events", "/log.json", "/log.md", "/log.csv", f"/rolls/{roll}"):
        person.get(path)
    person.post(f"/rolls/{roll}/advice", {})
    person.post("/form", {"n": 1, "draft": {"roll": "duel"}})
    person.post("/preview", {"draft": {"roll": "duel", "set": {"skill": 1}}})


def known_to(person):
    """Which of what is told of a throw stands anywhere in the bytes that somebody got."""
    heard = "".join(said for _, said in person.heard).replace('\\"', '"')
    return {word for word in TOLD_OF_IT if word in heard}


@pytest.mark.long
def test_who_missed_a_throw_gets_no_byte_of_what_follows_from_it(table):
    """HARBOUR R6: faces, where it stands, what happened and how dice lie are for one seat alone.

    The roller, another player, the referee and a watcher look at everything before the end; then
    all of them get all of it.
    """
    ann, bo, cy = table.people
    everybody = [table.referee, ann, bo, cy, table.watcher()]
    lines = [Listener(person, after=None) for person in everybody]
    draft = {"roll": "duel", "set": {"theirs": 4}, "roles": {"opponent": bo.seat}}
    ann.do("roll.start", draft=draft, nonce=nonce())
    for person, line in zip(everybody, lines, strict=True):
        line.until(lambda line=line: any("roll.thrown" in json.dumps(f) for f in line.frames))
        look_everywhere(person, "r1")
    assert {*TOLD_OF_IT} == known_to(bo)
    assert [set()] * 4 == [known_to(person) for person in everybody if person is not bo]
    (thrown,) = [e for e in cy.log()["events"] if e["kind"] == "roll.thrown"]
    assert {"step": "choice", "by": [bo.seat]} == thrown["open"]["after"]
    bo.do("roll.choose", roll="r1", option="stand", nonce=nonce())
    for person, line in zip(everybody, lines, strict=True):
        line.until(lambda line=line: '"done"' in json.dumps(line.frames))
        look_everywhere(person, "r1")
        assert {"faces", "lies", "told"} <= {word.strip('"') for word in known_to(person)}
        line.close()


def test_a_form_at_the_table_goes_by_what_is_shared(table):
    """Limits and reasons are those of the moment; people are those with sheets, not the table."""
    ann = table.people[0]
    ann.do("sheet.change", sheet="table", values={"light": 1})
    answer = ann.post("/form", {"n": 1, "draft": {"roll": "run", "set": {"light": 2}}}).json
    form = {one["at"]: one for one in answer["form"]}
    assert (1, ["light.left", {"n": 1}]) == tuple(form["set.light"][key] for key in ("high", "why"))
    assert (False, ["light.short", {"n": 1}]) == (answer["can"], form["set.light"]["wrong"])
    assert [None, "s3", "s4"] == [one["value"] for one in form["roles.helper"]["options"]]
    for path in ("/form", "/preview"):
        assert 422 == ann.post(path, {"n": 1, "draft": {"roll": "run"}, "sheet": "table"}).status


def test_its_card_is_for_everybody_and_some_of_it_for_referees(table):
    """What players may not set they see without a way to set it."""
    ann, watcher = table.people[0], table.watcher()
    cards = [one.get("/sheets/table/card").json for one in (table.referee, ann, watcher)]
    light, alarm = cards[0]["widgets"]
    assert ("light", 3, 6, ["label.light"]) == tuple(
        light[key] for key in ("at", "value", "most", "label")
    )
    assert ("alarm", False) == (alarm["at"], "set" in alarm)
    for card in cards[1:]:
        assert ([light, alarm | {"set": False}], True) == (
            card["widgets"],
            card["hash"] != cards[0]["hash"],
        )
