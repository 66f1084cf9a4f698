"""What is secret never reaches another browser: everything one receives is written down."""

import re
from typing import NamedTuple

from playwright.sync_api import expect

from tests.page.playing import card


class Secret(NamedTuple):
    """Dice that nobody else throws, so that any word of them is found wherever it stands."""

    way: str
    seers: tuple[str, ...]
    expression: str
    faces: tuple[int, ...]
    total: str
    note: str


SECRETS = (
    Secret("private", ("rosa", "ann"), "3d97+4321", (83, 84, 91), "4579", "an arras"),
    Secret("blind", ("rosa",), "3d89+5432", (71, 72, 86), "5661", "a bridge"),
    Secret("hidden", ("ann",), "3d79+6543", (65, 66, 74), "6748", "an attic"),
)


UNSEEN = Secret("private", ("rosa", "ann"), "3d69+7654", (55, 56, 63), "7828", "a cellar")

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


def sits(somebody, link):
    """Somebody at the table by a link, with all that ever comes to their page."""
    person = somebody()
    ear = Ear(person)
    person.page.goto(str(link))
    expect(person.page.get_by_role("region", name="Stage", exact=True)).to_be_visible()
    return person, ear


def throw_in_secret(roller, secret, enters, **how):
    """Roll the dice with a note, seen as said; real dice, so that the faces are known."""
    way = {"visibility": secret.way, "note": secret.note, "physical": True}
    roll = roller.roll(secret.expression, **way, **how)
    enters.enter(roll, list(secret.faces))
    return roll


def veiled(person):
    """The card of a roll that one sees only from outside."""
    return person.page.locator(".roll-card.veiled", has_text="Ann rolls in secret")


def test_a_secret_reaches_only_whom_it_is_for_until_it_is_revealed(somebody, host):
    """Not in a frame, an answer, the page or its store; and after the reveal, in all of them.

    Rosa is the referee and Bo a player; what Ann rolls is rolled by a program. Nor does anything
    come to a spectator: see tests/server/test_no_leak.py, where every path is searched for all.
    """
    rosa = host.create_table("", name="Rosa")
    ann, bo = (host.join(rosa.links["player"], name=name) for name in ("Ann", "Bo"))
    people = {"rosa": sits(somebody, rosa.move()), "bo": sits(somebody, bo.move())}
    without_a_trace(people, rosa, ann)
    for secret in SECRETS:
        keeper = rosa if secret.way == "blind" else ann
        roll = throw_in_secret(ann, secret, keeper)
        for name, (person, ear) in people.items():
            if name in secret.seers:
                told = card(person, secret.expression).locator(".told")
                expect(told).to_contain_text(secret.total)
            else:
                expect(veiled(person)).to_be_visible()
                assert set() == found(ear.everything(), secret)
        look_everywhere(*people["bo"], secret)
        keeper.do("roll.reveal", roll=roll.id)
        for name, (person, ear) in people.items():
            mine = card(person, secret.expression)
            expect(mine.locator(".told")).to_contain_text(secret.total)
            expect(mine).to_contain_text(secret.note)
            if name not in secret.seers:
                person.hears(secret.total)
                told = found(ear.everything(), secret)
                assert {secret.total, secret.expression, secret.note} <= told


def without_a_trace(people, rosa, ann):
    """Of an unannounced roll others get sealed events: nothing in the feed, no name, no kind."""
    throw_in_secret(ann, UNSEEN, ann, announce=False)
    (referee, _), (bo, ear) = people.values()
    expect(card(referee, UNSEEN.expression).locator(".told")).to_contain_text(UNSEEN.total)
    rosa.do("chat.send", text="And now to the next street.")
    expect(bo.feed("And now to the next street.")).to_be_visible()
    expect(bo.page.locator(".roll-card")).to_have_count(0)
    heard = ear.everything()
    assert set() == found(heard, UNSEEN)
    assert '"kind":"sealed"' in heard
    assert "roll.thrown" not in heard


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
