"""The Verify screen checks all by itself, and never says more than was checked."""

import json
import re

import pytest
from playwright.sync_api import expect
from vectors.fairness import PATH as VECTORS
from vectors.logs import Host

from rollwright.client import Server
from rollwright.table import Decision
from rollwright.table.events import EventDraft
from rollwright.table.verify.log import verify_log
from tests.page.conftest import a_server
from tests.page.people import KEEPING, PHONE, Person, resize, speak
from tests.table.written_logs import rechained

DICE_ALONE = "Chain and dice are true, checked here; nobody replayed the rules"
TRUE = "True: chain, signatures, dice and rules, all checked here in your browser"
SOME = "Partly checked: nothing is wrong, but not everything could be checked here"
PYTHON = 60_000
"""Milliseconds that Python may take to come, on a machine that does much else."""
BESIDE = {
    "rolls given up": "given up",
    "calls refused": "refused",
    "calls never answered": "never answered",
    "unsigned throws": "unsigned",
    "held throws": "by a bot",
    "keys replaced": "replaced",
    "silent witnesses": "was silent",
}
"""What is told beside, by its count."""
SKILL = {"roll": "skill", "attribute": "B", "skill": "C", "pushable": False}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that these tests may end and begin again."""
    with a_server(tmp_path_factory.mktemp("tables")) as serving:
        yield serving


@pytest.fixture
def log(server):
    """The log of a table as a player has it: a secret roll, typed dice, and at last a roll."""
    with Server(server.address) as api:
        rosa = api.create_table("twilight2000", name="Rosa")
        bo = api.join(rosa.links["player"], name="Bo")
        rosa.roll("1d20", visibility="hidden")
        bo.enter(bo.roll("2d6", physical=True), [3, 4])
        bo.roll(SKILL)
        return bo.log()


def written(folder, log):
    """A log as a file."""
    file = folder / "log.json"
    file.write_text(json.dumps(log), "utf-8")
    return file


@pytest.fixture(scope="module")
def reader(browser, server):
    """Somebody at the Verify screen, whose Python comes once for all that is checked there."""
    person = Person(browser, server.address)
    person.page.goto(f"{server.address}verify")
    yield person
    assert person.complaints == []
    person.context.close()


def verify(person, file):
    """Give the Verify screen a file."""
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
    forged = json.loads(json.dumps(log))
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


def test_true_and_false_without_a_server(somebody, server, log, tmp_path):
    """With the server killed and the page opened anew: a true log is true, forged ones are not."""
    rosa = somebody(**KEEPING)
    asked = []
    rosa.page.on("request", lambda request: asked.append(request.url))
    rosa.page.goto(f"{rosa.address}verify")
    verify(rosa, written(tmp_path, log))
    says(rosa, TRUE)
    rosa.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    server.end(kill=True)
    try:
        rosa.page.reload()
        verify(rosa, written(tmp_path, broken(log)))
        says(rosa, "Not true: chain and dice hold, but rules were broken")
        verify(rosa, written(tmp_path, log))
        says(rosa, TRUE)
        expect(line(rosa, "followed in all 2 rolls")).to_have_attribute("data-good", "true")
        expect(line(rosa, "2 events are hidden from you")).to_be_visible()
        expect(line(rosa, "1 throw was typed in")).to_be_visible()
        thrown(log, "typed")["body"]["faces"] = [6, 6]
        verify(rosa, written(tmp_path, log))
        says(rosa, "Not true: something does not add up")
    finally:
        server.begin()
    assert [] == [url for url in asked if url.endswith("/verify") and "/api/" in url]
    assert [] == rosa.barriers()


def test_python_can_be_declined(somebody, log, tmp_path):
    """Then nobody replayed the rules, and the headline says so; asked again, they are."""
    rosa, file = somebody(), written(tmp_path, log)
    held = []
    rosa.page.route("**/python/wasm-*", lambda route: held.append(route))
    rosa.page.goto(f"{rosa.address}verify")
    with rosa.page.expect_request("**/python/wasm-*"):
        verify(rosa, file)
    rosa.page.get_by_role("button", name="Do without the rules").click()
    says(rosa, DICE_ALONE)
    expect(line(rosa, "You did without")).to_have_attribute("data-good", "unknown")
    held.pop().continue_()
    rosa.page.get_by_role("button", name="Replay the rules here").click()
    says(rosa, TRUE)


def test_rules_that_this_page_does_not_have(somebody, tmp_path):
    """Of another version or game nothing is replayed: its rules are named as not checked."""
    rosa, host = somebody(), Elsewhere("twilight2000")
    host.roll("s2", "2d6")
    host.do("s2", "roll.start", request={"game": "twilight2000", **SKILL})
    log = host.log()
    rosa.page.goto(f"{rosa.address}verify")
    verify(rosa, written(tmp_path, log))
    says(rosa, re.compile("the rules of some rolls"))
    expect(line(rosa, "followed in 1 of 2 rolls")).to_have_attribute("data-good", "unknown")
    expect(line(rosa, "Not checked here: the rules of twilight2000")).to_be_visible()
    assert "partly" == verify_log(log).verdict
    verify(rosa, written(tmp_path, log | {"format": 9}))
    says(rosa, SOME)
    expect(line(rosa, "format 9 is not known here")).to_have_attribute("data-good", "unknown")


def test_what_nobody_here_knows_is_not_called_true(somebody, tmp_path):
    """Events of a kind from later, and whatever is left because somebody did not want to wait."""
    rosa, host = somebody(), Host()
    host.roll("s2", "2d6")
    draft = EventDraft("weather.changed", {"by": "s1", "to": "rain"})
    host._commit(Decision((draft,)))
    rosa.page.goto(f"{rosa.address}verify")
    verify(rosa, written(tmp_path, host.log()))
    says(rosa, SOME)
    expect(line(rosa, "1 event is of a kind that this page does not know")).to_be_visible()
    expect(rosa.page.locator(".verdict")).to_have_class(re.compile("part"))


def few():
    """Logs with their counts, each with something to tell that none before it has, and one with
    nothing; web/tests/verify.test.tsx looks at all of them.
    """
    told, silent = set(), False
    for case in json.loads(VECTORS.read_text("utf-8"))["logs"]:
        counts = verify_log(case["log"]).counts
        beside = {name for name in BESIDE if counts[name]}
        if beside - told or not (beside or silent):
            yield case["log"], counts
        told, silent = told | beside, silent or not beside
    assert set(BESIDE) == told


def test_the_headline_tells_what_stands_beside(somebody, tmp_path):
    """Rolls given up, calls refused and never answered, throws without a witness or a name."""
    rosa, file = somebody(), tmp_path / "log.json"
    rosa.page.goto(f"{rosa.address}verify")
    for log, counts in few():
        file.write_text(json.dumps(log), "utf-8")
        verify(rosa, file)
        rosa.page.locator(".verdict").wait_for()
        beside = rosa.page.get_by_role("list", name="Known beside")
        for name, words in sorted(BESIDE.items(), key=lambda one: not counts[one[0]]):
            expect(beside.filter(has_text=words)).to_have_count(int(counts[name] > 0))
        rosa.page.reload()  # and with that do without the rules


def test_rules_that_were_broken(reader, log, tmp_path):
    """What only the rules tell is told in the reader's language."""
    speak(reader.page, "de-DE")
    verify(reader, written(tmp_path, broken(log)))
    says(reader, re.compile("aber Regeln wurden gebrochen"))
    told = "nach den Regeln kommt bei dem Wurf etwas"
    expect(reader.page.locator(".notice.bad", has_text=told)).to_be_visible()


def test_a_roll_has_its_rules_replayed(somebody):
    """The seal is about dice; the dialog says what it did not look at, and looks if asked."""
    rosa = somebody()
    rosa.open_table("Twilight: 2000", "Rosa")
    rosa.page.locator(".roll-button").click()
    rosa.page.locator(".roll-card").get_by_role("button", name="Dice verified").click()
    dialog = rosa.page.get_by_role("dialog", name="Can I trust this roll?")
    expect(dialog).to_contain_text("Not checked here: whether the rules were followed")
    dialog.get_by_role("button", name="Replay the rules here").click()
    followed = dialog.get_by_text("replayed here, in your browser, and followed")
    expect(followed).to_be_visible(timeout=PYTHON)


def test_one_roll_is_not_called_all_rolls(reader, server, tmp_path):
    """In both languages; and on a phone the sign of the field is as large as elsewhere."""
    with Server(server.address) as api:
        rosa = api.create_table("twilight2000", name="Rosa")
        rosa.roll(SKILL)
        file = written(tmp_path, rosa.log())
    resize(reader.page, PHONE)
    for locale, words in (("en-GB", "followed in the only roll"), ("de-DE", "im einzigen Wurf")):
        speak(reader.page, locale)
        verify(reader, file)
        expect(line(reader, words)).to_be_visible(timeout=PYTHON)
        sign = reader.page.locator(".drop > svg").bounding_box()
        assert sign["width"] == sign["height"] >= 24


def test_a_roll_is_shared_from_its_menu_and_its_link_is_checked(server, somebody):
    """What the menu copies ends in a link; opened by anybody, it says that the roll is true."""
    with Server(server.address) as api:
        table = api.create_table("twilight2000", name="Rosa")
        table.roll(SKILL)
        rosa = somebody()
        rosa.page.add_init_script(
            "navigator.clipboard.writeText = async (text) => void (window.pasted = text);"
            "Object.defineProperty(navigator, 'share', { value: undefined });"
        )
        rosa.page.goto(str(table.move()))
        rosa.page.get_by_role("button", name="More about this roll").first.click()
        rosa.page.get_by_role("menuitem", name="Share, with odds and a link").click()
        expect(rosa.seen("Copied.").first).to_be_visible()
        pasted = rosa.page.evaluate("window.pasted")
    assert pasted.startswith("Rosa: Skill roll")
    rosa.page.goto(pasted.split()[-1])
    expect(rosa.page.locator(".notice")).to_contain_text("drawn again", timeout=PYTHON)
