"""What is secret never reaches another browser: everything one receives is written down."""

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests.page.playing import about_roll, card, enter, options, panel, part, roll


class Secret(NamedTuple):
    """Dice that nobody else throws, so that any word of them is found wherever it stands."""

    way: str
    seers: tuple[str, ...]
    expression: str
    faces: tuple[int, ...]
    total: str
    note: str


SECRETS = (
    Secret("Private", ("rosa", "ann"), "3d97+4321", (83, 84, 91), "4579", "an arras"),
    Secret("Blind", ("rosa",), "3d89+5432", (71, 72, 86), "5661", "a bridge"),
    Secret("Hidden", ("ann",), "3d79+6543", (65, 66, 74), "6748", "an attic"),
)


UNSEEN = Secret("Private", ("rosa", "ann"), "3d69+7654", (55, 56, 63), "7828", "a cellar")

LISTEN = """
    globalThis.heard = [];
    const real = globalThis.fetch;
    globalThis.fetch = async (...asked) => {
        const answer = await real(...asked);
        answer.clone().text().then((text) => heard.push(text), () => {});
        return answer;
    };
"""


class Ear:
    """Everything that came to one page: frames of the socket, answers, and what is drawn."""

    def __init__(self, person):
        self.page = person.page
        self.heard = []
        self.page.on("websocket", self._listen)
        self.page.add_init_script(LISTEN)

    def _listen(self, socket):
        socket.on("framereceived", lambda frame: self.heard.append(str(frame)))

    def write_down(self):
        """Note what the answers said, which the page forgets when it is loaded anew."""
        self.heard += self.page.evaluate("heard.splice(0)")
        return self.heard

    def everything(self):
        """All of it as one text, with what stands in the page and in its stores."""
        drawn = self.page.evaluate("document.documentElement.outerHTML")
        kept = self.page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
        return "\n".join([*self.write_down(), drawn, kept])


def found(text, secret):
    """What of a secret stands in a text, as a number or a word of its own."""
    faces = ",".join(map(str, secret.faces))
    dice, _, _ = secret.expression.partition("+")
    listed = [faces, faces.replace(",", ", "), secret.expression, dice, secret.total, secret.note]
    return {one for one in listed if re.search(rf"(?<![\w.-]){re.escape(one)}(?![\w.-])", text)}


@pytest.fixture
def table(somebody):
    """Rosa is the referee, Ann rolls, Bo and a spectator listen."""
    rosa, ann, bo, eve = (somebody() for _ in range(4))
    ears = {person: Ear(person) for person in (rosa, ann, bo, eve)}
    rosa.open_table("Free dice", "Rosa")
    for person, name in ((ann, "Ann"), (bo, "Bo")):
        person.join(rosa.link(), name)
        expect(person.feed(f"{name} sits down")).to_be_visible()
    eve.page.goto(rosa.link("spectator"))
    eve.page.get_by_role("button", name="Just watch").click()
    expect(eve.feed("Bo sits down")).to_be_visible()
    return rosa, ann, bo, eve, ears


def throw_in_secret(person, secret, enters):
    """Roll the dice with a note, seen as said; real dice, so that the faces are known."""
    place = part(person, "Roll")
    place.get_by_label("Dice", exact=True).fill(secret.expression)
    options(place, way=secret.way, own_dice=True)
    place.get_by_label("Why", exact=True).fill(secret.note)
    roll(place)
    type_in(card(enters, secret.expression), secret.faces)


def type_in(place, faces):
    """Dice with so many faces have a field instead of buttons."""
    group = place.get_by_role("group", name="Faces of real dice")
    for face in faces:
        group.get_by_role("textbox").fill(str(face))
        group.get_by_role("textbox").press("Enter")
    enter(place)


def veiled(person):
    """The card of a roll that one sees only from outside."""
    return person.page.locator(".roll-card.veiled", has_text="Ann rolls in secret")


def test_a_secret_reaches_only_whom_it_is_for_until_it_is_revealed(table):
    """Not in a frame, an answer, the page or its store; and after the reveal, in all of them."""
    rosa, ann, bo, eve, ears = table
    people = {"rosa": rosa, "ann": ann, "bo": bo, "eve": eve}
    without_a_trace(table)
    for secret in SECRETS:
        throw_in_secret(ann, secret, rosa if secret.way == "Blind" else ann)
        seers = [people[name] for name in secret.seers]
        outside = [person for person in people.values() if person not in seers]
        for person in seers:
            expect(card(person, secret.expression).locator(".told")).to_contain_text(secret.total)
        for person in outside:
            expect(veiled(person)).to_be_visible()
            # Ann has said herself what she rolls blindly; how it fell she must not learn.
            known = (
                {secret.expression, secret.expression[:4], secret.note} if person is ann else set()
            )
            assert known == found(ears[person].everything(), secret) | known
        look_everywhere(bo, ears[bo], secret)
        reveal(secret, rosa if secret.way == "Blind" else ann, people.values())
        for person in outside:
            person.hears(secret.total)
            told = found(ears[person].everything(), secret)
            assert {secret.total, secret.expression, secret.note} <= told


def without_a_trace(table):
    """Of an unannounced roll others get sealed events: nothing in the feed, no name, no kind."""
    rosa, ann, bo, eve, ears = table
    place = part(ann, "Roll")
    options(place, way="Private")
    place.get_by_role("checkbox", name=re.compile("Others see that")).uncheck()
    throw_in_secret(ann, UNSEEN, ann)
    told = card(rosa, UNSEEN.expression).locator(".told")
    expect(told).to_contain_text(UNSEEN.total)
    rosa.page.get_by_label("Say something").fill("And now to the next street.")
    rosa.page.get_by_role("button", name="Send").click()
    for person in (bo, eve):
        expect(person.feed("And now to the next street.")).to_be_visible()
        expect(person.page.locator(".roll-card")).to_have_count(0)
        heard = ears[person].everything()
        assert set() == found(heard, UNSEEN)
        assert '"kind":"sealed"' in heard
        assert "roll.thrown" not in heard
    place.get_by_role("checkbox", name=re.compile("Others see that")).check()


def reveal(secret, shower, everybody):
    """Show a secret; from then on all see all of it."""
    about_roll(card(shower, secret.expression), "Reveal to all")
    for person in everybody:
        mine = card(person, secret.expression)
        expect(mine.locator(".told")).to_contain_text(secret.total)
        expect(mine).to_contain_text(secret.note)


def look_everywhere(bo, ear, secret):
    """Load the page anew and fetch all that a seat can fetch: nothing of the secret is there."""
    ear.write_down()
    bo.page.reload()
    expect(veiled(bo)).to_be_visible()
    bo.page.evaluate(
        """async () => {
            const [[table, { token }]] = Object.entries(
                JSON.parse(localStorage.getItem("rollwright.tables")));
            const headers = { authorization: `Bearer ${token}` };
            const paths = ["", "/events?after=0", "/history.md", "/history.csv", "/statistics",
                "/log.json"];
            for (const path of paths) {
                const answer = await fetch(`/api/v1/tables/${table}${path}`, { headers });
                if (!answer.ok) throw new Error(await answer.text());
            }
        }"""
    )
    assert set() == found(ear.everything(), secret)


def test_a_secret_choice_is_offered_to_nobody_else(somebody):
    """The options of a private roll and what is chosen reach the roller and the referee alone."""
    rosa, ann, bo = (somebody() for _ in range(3))
    ear = Ear(bo)
    rosa.open_table("GHOST/BURN", "Rosa")
    for person, name in ((ann, "Ann"), (bo, "Bo")):
        person.join(rosa.link(), name)
        expect(person.feed(f"{name} sits down")).to_be_visible()
    place = panel(ann, "Skill roll")
    options(place, way="Private", own_dice=True)
    roll(place)
    mine = card(ann, "Roll")
    enter(mine, 3, 5)  # a Fade, and with Luck a Success: there is something to choose
    mine.get_by_role("button", name=re.compile("^Spend Luck: .2")).click()
    expect(card(rosa, "Roll").locator(".told")).to_contain_text("Luck")
    expect(veiled(bo)).to_be_visible()
    heard = "".join(one for one in ear.heard if "GHOST R" not in one)
    assert [] == [one for one in ('"options"', '"faces"', '"outcome"', "avoid") if one in heard]
