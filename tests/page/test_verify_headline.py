"""The Verify screen checks all by itself, and never says more than was checked.

What it says of what Python has found or not found is looked at in web/tests/verify.test.tsx.
"""

import copy
import json
import re

import pytest
from playwright.sync_api import expect
from vectors.logs import Host

from rollwright.table import Decision
from rollwright.table.events import EventDraft
from rollwright.table.verify.log import verify_log
from tests.page.people import KEEPING, PHONE, Person, resize, speak
from tests.table.written_logs import rechained

TRUE = "True: chain, signatures, dice and rules, all checked here in your browser"
SOME = "Partly checked: nothing is wrong, but not everything could be checked here"
PYTHON = 60_000
"""Milliseconds that Python may take to come, on a machine that does much else."""
SKILL = {"roll": "skill", "attribute": "B", "skill": "C", "pushable": False}


def a_player(host):
    """The seat of a player: a secret roll, typed dice, and at last a roll."""
    rosa = host.create_table("twilight2000", name="Rosa")
    bo = host.join(rosa.links["player"], name="Bo")
    rosa.roll("1d20", visibility="hidden")
    bo.enter(bo.roll("2d6", physical=True), [3, 4])
    bo.roll(SKILL)
    return bo


@pytest.fixture(scope="module")
def kept(host):
    """The log of a table at which the reader's browser never was, as a player has it."""
    return a_player(host).log()


@pytest.fixture
def log(kept):
    """The same, to be forged."""
    return copy.deepcopy(kept)


def written(folder, log):
    """A log as a file."""
    file = folder / "log.json"
    file.write_text(json.dumps(log), "utf-8")
    return file


FETCHED = """async () => {
  const [name] = (await caches.keys()).filter((one) => one.startsWith("rollwright-python"));
  return name && (await (await caches.open(name)).keys()).length === 5;
}"""
"""Whether the list of Python's four files is kept, and all of them."""


@pytest.fixture(scope="module")
def reader(browser, server, host):
    """Bo at a table, who has asked for Python once; it starts once for all that is checked."""
    person = Person(browser, server.address, **KEEPING)
    person.context.add_init_script(
        "navigator.clipboard.writeText = async (text) => void (window.pasted = text);"
        "Object.defineProperty(navigator, 'share', { value: undefined });"
    )
    asked = []
    person.page.on("request", lambda request: asked.append(request.url))
    person.page.goto(str(a_player(host).move()))
    person.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    opened(person).get_by_role("button", name="Replay the rules here").click()
    person.page.wait_for_function(FETCHED)
    yield person
    assert [] == [url for url in asked if url.endswith("/verify") and "/api/" in url]
    assert person.complaints == []
    person.context.close()


def opened(person):
    """Why the roll at the table can be trusted."""
    person.page.locator(".roll-card").get_by_role("button", name="Dice verified").click()
    return person.page.get_by_role("dialog", name="Can I trust this roll?")


def verify(person, file):
    """Give the Verify screen a file, wherever the reader was before."""
    screen = f"{person.address}verify"
    if person.page.url.partition("#")[0] != screen:
        person.page.goto(screen)
    person.page.locator("input[type=file]").set_input_files(file)


def says(person, text):
    """The headline says this of it all, once Python has come."""
    heading = person.page.get_by_role("heading", name=text)
    expect(heading).to_be_visible(timeout=PYTHON)


def line(person, text):
    """One of the lines on who checked what."""
    return person.page.locator(".checked-by li", has_text=text)


def thrown(log, how):
    """The throw of a log that was made in some way."""
    return next(e for e in log["events"] if (e.get("body") or {}).get("how") == how)


def broken(log):
    """The log with an outcome that the rules do not lead to, and every hash made to fit.

    Nobody has signed anything after it: what was signed names an event before.
    """
    forged = copy.deepcopy(log)
    thrown(forged, "fair")["body"]["after"]["outcome"] = 99
    return rechained(forged)


class Elsewhere(Host):
    """A host whose rules have a version of their own."""

    def _commit(self, decision):
        drafts = [
            draft._replace(body={**draft.body, "version": "none that is installed"})
            if draft.kind == "roll.started" and "request" in draft.body["what"]
            else draft
            for draft in decision.drafts
        ]
        return super()._commit(decision._replace(drafts=tuple(drafts)))


def test_true_and_false_without_a_server(reader, log, tmp_path):
    """Without a network, the page opened anew: a true log is true, forged ones are not."""
    reader.context.set_offline(True)
    verify(reader, written(tmp_path, broken(log)))
    says(reader, "Not true: chain and dice hold, but rules were broken")
    verify(reader, written(tmp_path, log))
    says(reader, TRUE)
    expect(line(reader, "followed in all 2 rolls")).to_have_attribute("data-good", "true")
    expect(line(reader, "2 events are hidden from you")).to_be_visible()
    expect(line(reader, "1 throw was typed in")).to_be_visible()
    assert [] == reader.barriers()
    thrown(log, "typed")["body"]["faces"] = [6, 6]
    verify(reader, written(tmp_path, log))
    says(reader, "Not true: something does not add up")
    reader.context.set_offline(False)


def test_rules_that_were_broken(reader, log, tmp_path):
    """What only the rules tell is told in the reader's language."""
    file = written(tmp_path, broken(log))
    verify(reader, file)
    says(reader, "Not true: chain and dice hold, but rules were broken")
    speak(reader.page, "de-DE")
    verify(reader, file)
    says(reader, re.compile("aber Regeln wurden gebrochen"))
    told = "nach den Regeln kommt bei dem Wurf etwas"
    expect(reader.page.locator(".notice.bad", has_text=told)).to_be_visible()
    speak(reader.page, "en-GB")


def test_rules_that_this_page_does_not_have(reader, tmp_path):
    """Of another version or game nothing is replayed: its rules are named as not checked."""
    host = Elsewhere("twilight2000")
    host.roll("s2", "2d6")
    host.do("s2", "roll.start", request={"game": "twilight2000", **SKILL})
    log = host.log()
    verify(reader, written(tmp_path, log))
    says(reader, re.compile("the rules of some rolls"))
    expect(line(reader, "followed in 1 of 2 rolls")).to_have_attribute("data-good", "unknown")
    expect(line(reader, "Not checked here: the rules of twilight2000")).to_be_visible()
    assert "partly" == verify_log(log).verdict
    verify(reader, written(tmp_path, log | {"format": 9}))
    says(reader, SOME)
    expect(line(reader, "format 9 is not known here")).to_have_attribute("data-good", "unknown")


def test_what_nobody_here_knows_is_not_called_true(reader, tmp_path):
    """Events of a kind from later, and whatever is left because somebody did not want to wait."""
    host = Host()
    host.roll("s2", "2d6")
    draft = EventDraft("weather.changed", {"by": "s1", "to": "rain"})
    host._commit(Decision((draft,)))
    verify(reader, written(tmp_path, host.log()))
    says(reader, SOME)
    expect(line(reader, "1 event is of a kind that this page does not know")).to_be_visible()
    expect(reader.page.locator(".verdict")).to_have_class(re.compile("part"))


def test_on_a_phone_the_sign_of_the_field_is_as_large_as_elsewhere(reader):
    """As wide as high, and large enough to be seen."""
    if not reader.page.locator(".drop").count():
        reader.page.goto(f"{reader.address}verify")
    resize(reader.page, PHONE)
    sign = reader.page.locator(".drop > svg").bounding_box()
    assert sign["width"] == sign["height"] >= 24


def test_from_a_roll_to_all_that_can_be_checked_of_it(reader):
    """At the table its rules are replayed if asked, its link says that it is true, the log too.

    The seal is about dice: the dialog says what it did not look at. What the menu copies ends in a
    link, which anybody may open.
    """
    page = reader.page
    if "/t/" in page.url:
        page.reload()
    else:  # and Python goes along
        page.get_by_role("link", name="Rollwright").click()
        page.locator(".yours a").click()
    page.get_by_role("button", name="More about this roll").first.click()
    page.get_by_role("menuitem", name="Share, with odds and a link").click()
    expect(reader.seen("Copied.").first).to_be_visible()
    pasted = page.evaluate("window.pasted")
    assert pasted.startswith("Bo: Skill roll")

    dialog = opened(reader)
    expect(dialog).to_contain_text("Not checked here: whether the rules were followed")
    dialog.get_by_role("button", name="Replay the rules here").click()
    followed = dialog.get_by_text("replayed here, in your browser, and followed")
    expect(followed).to_be_visible(timeout=PYTHON)

    dialog.get_by_role("link", name="Check the whole log").click()
    says(reader, TRUE)
    page.goto(pasted.split()[-1])
    expect(page.locator(".notice")).to_contain_text("drawn again", timeout=PYTHON)
