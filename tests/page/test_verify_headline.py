"""The Verify screen says who checked what, and never more than was checked."""

import json
import re

import pytest
from playwright.sync_api import expect

from rollwright.client import Server
from tests.page.conftest import a_server
from tests.page.people import PHONE
from tests.table.written_logs import rechained

HERE = "Chain and dice are true, checked here; "
SKILL = {"roll": "skill", "attribute": "B", "skill": "C", "pushable": False}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that these tests may end and begin again."""
    with a_server(tmp_path_factory.mktemp("tables")) as serving:
        yield serving


@pytest.fixture
def log(server):
    """The log of a table as a spectator has it: a roll, a secret one, and typed dice."""
    with Server(server.address) as api:
        rosa = api.create_table("twilight2000", name="Rosa")
        bo = api.join(rosa.links["player"], name="Bo")
        bo.roll(SKILL)
        rosa.roll("1d20", visibility="hidden")
        bo.enter(bo.roll("2d6", physical=True), [3, 4])
        return bo.log()


def written(folder, log):
    """A log as a file."""
    file = folder / "log.json"
    file.write_text(json.dumps(log), "utf-8")
    return file


def verify(person, file):
    """Give the Verify screen a file."""
    person.page.locator("input[type=file]").set_input_files(file)


def headline(person, text):
    """What the screen says of it all."""
    return person.page.get_by_role("heading", name=text)


def line(person, text):
    """One of the lines on who checked what."""
    return person.page.locator(".checked-by li", has_text=text)


def test_a_host_that_is_gone_replays_nothing(somebody, server, log, tmp_path):
    """Dice and chain are checked in the browser; the rules are not, and the headline says so."""
    rosa, dora = somebody(), somebody(locale="de-DE")
    file = written(tmp_path, log)
    host = f"127.0.0.1:{server.port}"
    for person in (rosa, dora):
        person.page.goto(f"{person.address}verify")
        person.page.locator("input[type=file]").wait_for(state="attached")
    server.end(kill=True)
    try:
        verify(rosa, file)
        expect(headline(rosa, f"{HERE}nobody replayed the rules")).to_be_visible()
        expect(line(rosa, "checked by this browser, and true")).to_have_attribute(
            "data-good", "true"
        )
        expect(line(rosa, f"{host} does not answer")).to_have_attribute("data-good", "unknown")
        expect(line(rosa, "2 events are hidden from you")).to_be_visible()
        expect(line(rosa, "1 throw was typed in")).to_be_visible()
        verify(dora, file)
        expect(headline(dora, "die Regeln hat niemand nachgespielt")).to_be_visible()
        expect(line(dora, f"{host} antwortet nicht")).to_be_visible()
    finally:
        server.begin()
    verify(rosa, file)
    expect(headline(rosa, f"{HERE}rules replayed by {host}")).to_be_visible()
    expect(line(rosa, "It may be the very host you are checking")).to_be_visible()
    assert [] == rosa.barriers()


def test_rules_that_the_host_does_not_have(somebody, log, tmp_path):
    """Of another version, nothing is replayed: the headline does not speak of rules kept."""
    rosa = somebody()
    for event in log["events"]:
        body = event.get("body") or {}
        if body.get("version"):
            body["version"] = "none that is installed"
    rosa.page.goto(f"{rosa.address}verify")
    verify(rosa, written(tmp_path, rechained(log)))
    expect(headline(rosa, re.compile("replayed the rules of some rolls only"))).to_be_visible()
    expect(line(rosa, "followed in 1 of 2 rolls")).to_have_attribute("data-good", "unknown")


def test_rules_that_were_broken(somebody, log, tmp_path):
    """What only the rules tell is told as the host's word, in the reader's language."""
    dora = somebody(locale="de-DE")
    thrown = next(e for e in log["events"] if (e.get("body") or {}).get("how") == "fair")
    thrown["body"]["after"]["outcome"] = 99
    dora.page.goto(f"{dora.address}verify")
    verify(dora, written(tmp_path, rechained(log)))
    expect(headline(dora, re.compile("laut .* wurden Regeln gebrochen"))).to_be_visible()
    problem = dora.page.locator(".notice.bad", has_text="nach den Regeln kommt bei dem Wurf etwas")
    expect(problem).to_be_visible()


def test_a_log_that_the_host_cannot_check(somebody, log, tmp_path):
    """A host that does not know the format accuses nobody: it replayed nothing, and says why."""
    rosa = somebody()
    said = ["Cannot be checked here: format 9 is not known here, only 2"]
    rosa.page.route(
        "**/api/v1/verify", lambda route: route.fulfill(json={"true": None, "said": said})
    )
    rosa.page.goto(f"{rosa.address}verify")
    verify(rosa, written(tmp_path, log))
    expect(headline(rosa, f"{HERE}nobody replayed the rules")).to_be_visible()
    expect(line(rosa, "format 9 is not known here")).to_have_attribute("data-good", "unknown")


def test_a_roll_says_that_its_rules_were_not_checked(somebody):
    """The seal is about dice; the dialog says what it did not look at."""
    rosa = somebody()
    rosa.open_table("Twilight: 2000", "Rosa")
    rosa.page.locator(".roll-button").click()
    rosa.page.locator(".roll-card").get_by_role("button", name="Dice verified").click()
    dialog = rosa.page.get_by_role("dialog", name="Can I trust this roll?")
    expect(dialog).to_contain_text("Not checked here: whether the rules were followed")


def test_one_roll_is_not_called_all_rolls(somebody, server, tmp_path):
    """In both languages; and on a phone the sign of the field is as large as elsewhere."""
    with Server(server.address) as api:
        rosa = api.create_table("twilight2000", name="Rosa")
        rosa.roll(SKILL)
        file = written(tmp_path, rosa.log())
    for locale, words in (("en-GB", "followed in the only roll"), ("de-DE", "im einzigen Wurf")):
        person = somebody(locale=locale, size=PHONE)
        person.page.goto(f"{person.address}verify")
        verify(person, file)
        expect(line(person, words)).to_be_visible()
        sign = person.page.locator(".drop > svg").bounding_box()
        assert sign["width"] == sign["height"] >= 24
