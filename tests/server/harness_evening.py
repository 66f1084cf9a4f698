"""An evening full of secrets, with everybody there who should not hear them."""

import contextlib
import secrets

from tests.drafts import drafted
from tests.server.harness import Listener, Person, found, nonce, waits_for
from tests.server.harness_bus import Bus
from tests.server.harness_secrets import Secret

SKILL = {
    "game": "twilight2000",
    "roll": "skill",
    "attribute": "D",
    "skill": "D",
    "attribute_name": "STR",
}
OPPOSED = {
    "game": "twilight2000",
    "roll": "opposed",
    "active": {"attribute": "B", "skill": "D"},
    "passive": {"attribute": "C"},
    "secret": True,
}
TRIES = 80
PATHS = (
    "",
    "?recent=100",
    "/events?after=0",
    "/events?after=3&before=1000&limit=1000",
    "/log.json",
    "/history.md",
    "/history.csv",
    "/statistics",
    "/recap",
    "/recap?session=1",
    "/log.json?for=everybody",
    "/history.md?for=me",
    "/history.csv?for=me",
    "/statistics?for=me",
)


def aimed(sheet):
    """An attack on somebody whom nobody may know of, and on whoever is called so."""
    return {"roll": "attack", "set": {"targets": [{"name": f"@{sheet}"}, {"name": "Baba"}]}}


HOUSE = (
    "/",
    "/health",
    "/ready",
    "/metrics",
    "/api/v1",
    "/api/v1/openapi.json",
    "/api/v1/games",
    "/api/v1/games/twilight2000",
    "/api/v1/games/twilight2000?language=en",  # what messages are called is no secret
)


def marked(word):
    """A text that stands nowhere by chance."""
    return f"{word} {secrets.token_hex(6)}"


def expression():
    """Dice whose faces cannot be mistaken for any other number, with a label of its own."""
    faces = ",".join(str(10**8 + secrets.randbelow(10**8)) for _ in range(6))
    return f"3d{{{faces}}} [{secrets.token_hex(6)}]"


def meddle(person, roll, sheet="n1"):
    """Commands about somebody else's roll, all wrong: the refusals must not tell of it."""
    for do, fields in (
        ("roll.choose", {"option": "push", "nonce": nonce()}),
        ("roll.choose", {"number": 99, "nonce": nonce()}),
        ("roll.enter", {"faces": [1, 2, 3]}),
        ("roll.throw", {"nonce": nonce()}),
        ("roll.take_back", {}),
        ("roll.reveal", {}),
        ("roll.undo", {}),
        ("roll.cancel", {}),
        ("roll.repeat", {"nonce": nonce()}),
        ("roll.apply", {}),
        ("roll.decline", {"sheet": sheet}),
    ):
        answer = person.tries(do, roll=roll, **fields)
        assert not answer["ok"], (person.seat, do, fields, answer)


class Evening:
    """A table with players, spectators, somebody removed, somebody knocking, and strangers."""

    def __init__(self, servers):
        self.apps = servers.apps
        self.addresses = [app.address for app in servers.apps]
        self.bus = Bus(servers.redis)
        self.table = table = found(self.addresses, title="An evening")
        self.referee, self.roller, self.other = table.referee, table.join("A"), table.join("B")
        self.guest, self.removed = table.join("C", "spectator"), table.join("D")
        self.watcher = table.watcher()
        self.referee.do("table.change", knock=True)
        self.knocking = table.join("E")
        self.elsewhere = found(self.addresses)
        self.stranger = self.elsewhere.referee
        self.stranger.table = table.id
        self.nobody = Person(self.addresses[1], table.id)
        self.listeners = []
        self.listen([self.referee, *table.people])
        self.referee.do("seat.remove", seat=self.removed.seat)
        for person in (self.other, self.guest):
            person.do("witness.commit", commitments=[nonce() for _ in range(8)])
        for person in (self.roller, self.other):
            person.do("sheet.create", sheet=person.seat, values={"hit_capacity": 6})
        self.kept = []
        """Each secret with those who may hear it."""
        self.lasting = []
        """Those of them that are never revealed."""
        self.hidden = ["n9"]
        """Characters that nobody may know of; before there is one, one that there never is."""
        self.asks = ["a1", "a2"]

    @property
    def everybody(self):
        """All people, invited or not."""
        strangers = [self.removed, self.knocking, self.stranger, self.nobody]
        return [self.referee, self.roller, self.other, self.guest, self.watcher, *strangers]

    def listen(self, people, after=0):
        """Everybody opens a socket at each of the apps."""
        self.listeners += [
            Listener(person, after, address) for person in people for address in self.addresses
        ]

    def keep(self, answer, *hearers, lasting=False):
        """Note the events of a command that only some may hear, as the first of them does."""
        assert answer["ok"], answer
        events = self.stretch(hearers[0], answer)
        assert all("body" in event for event in events), events
        kept = [(Secret(event), hearers) for event in events]
        self.kept += kept
        self.lasting += kept if lasting else []
        return events

    def stretch(self, person, answer):
        """The events of a command as somebody sees them."""
        news = person.get(f"/events?after={answer['first'] - 1}").json["events"]
        return [event for event in news if event["seq"] <= answer["last"]]

    def roll_in_secret(self, visibility, announce):
        """A roll with big faces, a label and a note; its id."""
        hearers = {
            "private": (self.roller, self.referee),
            "blind": (self.referee,),
            "hidden": (self.roller,),
        }[visibility]
        how = {"visibility": visibility, "announce": announce, "note": marked("note")}
        answer = self.roller.tries("roll.start", expression=expression(), nonce=nonce(), **how)
        events = self.keep(answer, *hearers)
        assert self.kept[-1][0].numbers >= set(events[-1]["body"]["faces"])
        return waits_for(events)[0]

    def hurt_in_secret(self):
        """Pushed rolls until one hurts the roller: a change waits for the reveal; their ids."""
        rolls = []
        for _ in range(TRIES):
            how = {"visibility": "private", "sheet": self.roller.seat}
            answer = self.roller.tries("roll.start", request=SKILL, nonce=nonce(), **how)
            roll, after = waits_for(self.keep(answer, self.roller, self.referee))
            rolls.append(roll)
            while after["step"] == "choice":
                push = after["count"] - 1
                given = {"roll": roll, "number": push, "nonce": nonce()}
                answer = self.roller.tries("roll.choose", **given)
                events = self.keep(answer, self.roller, self.referee)
                _, after = waits_for(events)
                if after.get("waits"):
                    return rolls
        raise AssertionError("no roll hurt the roller")

    def play_openly(self):
        """One of everything that everybody may see: its words are no secrets afterwards."""
        how = {"nonce": nonce(), "note": "an open note"}
        self.roller.do("roll.start", expression="3d{7,8,9} + 1d9973", **how)
        for person, request in ((self.roller, SKILL), (self.referee, {**OPPOSED, "secret": False})):
            roll, after = waits_for(person.do("roll.start", request=request, nonce=nonce()))
            while after["step"] == "choice":
                given = {"number": after["count"] - 1, "nonce": nonce()}
                _, after = waits_for(person.do("roll.choose", roll=roll, **given))
        sheet = {"values": {"name": "Koschei the open", "STR": "A"}, "shown": True}
        (made,) = self.referee.do("sheet.create", sheet="npc", **sheet)
        name = made["body"]["sheet"]
        self.referee.do("sheet.change", sheet=name, values={"STR": "B"}, why="an open reason")
        fields = {"roll": "skill", "skill_name": "stamina"}
        self.referee.do("roll.start", sheet=name, draft=drafted(fields), nonce=nonce())
        self.referee.do("chat.send", text="an open word", to="all")
        self.referee.do("roll_request.create", who="all", expression="1d6", note="an open ask")

    def whisper(self):
        """Words for one person alone."""
        for teller, to in ((self.referee, self.roller), (self.roller, self.referee)):
            answer = teller.tries("chat.send", text=marked("a whisper"), to=[to.seat])
            self.keep(answer, teller, to, lasting=True)

    def ask_in_secret(self):
        """The referee asks one player for a roll in private; the roll's id."""
        wanted = {"who": [self.roller.seat], "visibility": "private", "expression": expression()}
        answer = self.referee.tries("roll_request.create", note=marked("quietly"), **wanted)
        (made,) = self.keep(answer, self.referee, self.roller, lasting=True)
        ask = made["body"]["ask"]
        self.asks.append(ask)
        answer = self.roller.tries("roll.start", ask=ask, nonce=nonce())
        events = self.stretch(self.roller, answer)
        secret = [event for event in events if event["kind"].startswith("roll.")]
        for first, last in ((secret[0], secret[-1]), (events[-1], events[-1])):
            only = {**answer, "first": first["seq"], "last": last["seq"]}
            self.keep(only, self.roller, self.referee, lasting=True)
        return waits_for(secret)[0]

    def hide_somebody(self):
        """A character of the referee that nobody knows of, changed and rolled for."""
        values = {"name": marked("Baba Jaga"), "STR": "A", "hit_capacity": 9}
        answer = self.referee.tries("sheet.create", sheet="npc", values=values)
        (event,) = self.keep(answer, self.referee, lasting=True)
        sheet = event["body"]["sheet"]
        self.hidden.append(sheet)
        changed = {"values": {"name": marked("Baba")}, "why": marked("an iron fence")}
        answer = self.referee.tries("sheet.change", sheet=sheet, **changed)
        self.keep(answer, self.referee, lasting=True)
        how = {"visibility": "blind", "announce": False, "note": marked("behind the screen")}
        fields = {
            "sheet": sheet,
            "draft": drafted({"roll": "skill", "skill_name": "stamina"}),
            **how,
        }
        answer = self.referee.tries("roll.start", nonce=nonce(), **fields)
        return waits_for(self.keep(answer, self.referee, lasting=True))[0]

    def oppose(self):
        """An open roll with a throw that the rule hides; its id."""
        for _ in range(TRIES):
            answer = self.roller.tries("roll.start", request=OPPOSED, nonce=nonce())
            roll, after = waits_for(self.stretch(self.referee, answer))
            if after["step"] == "choice":
                self.keep({**answer, "first": answer["last"]}, self.referee)
                return roll
        raise AssertionError("no roll came to a choice")

    def look_everywhere(self, person, rolls=()):
        """Ask for everything there is, and try what is not allowed."""
        hidden = self.hidden[-1]
        for path in HOUSE:
            person.ask("GET", path)
        for path in PATHS:
            person.get(path)
        for roll in rolls:
            person.post(f"/rolls/{roll}/advice", {})
            if person not in (self.referee, self.roller):
                meddle(person, roll, hidden)
        for sheet in ("n1", hidden, self.roller.seat):
            asked = {"draft": drafted({"roll": "skill", "skill_name": "stamina"}), "sheet": sheet}
            person.post("/preview", asked)
            for path in ("/card", "/chances"):
                person.get(f"/sheets/{sheet}{path}")
            for purpose in ("roll", "ask", "explore"):
                person.post("/form", {**asked, "purpose": purpose})
            person.post("/form", {"draft": aimed(hidden), "sheet": sheet})
            person.tries("roll.start", draft=aimed(hidden), sheet=sheet, roles={"helper": hidden})
            if person not in (self.referee, self.roller):
                person.tries("sheet.change", sheet=sheet, values={"STR": "nonsense"})
                person.tries(
                    "sheet.apply_effect", sheet=sheet, kind="nonsense", amount=1, target=""
                )
                person.tries("roll.start", nonce=nonce(), **asked)
        person.post("/preview", {"expression": "1d6+@STR", "sheet": hidden})
        for ask in self.asks:
            if person is not self.referee:
                assert not person.tries("roll_request.close", ask=ask)["ok"]

    def settle(self):
        """Wait until everybody at the table has heard everything so far."""
        last = self.referee.log()["events"][-1]["seq"]
        here = {self.removed, self.knocking}
        for listener in self.listeners:
            if listener.person not in here:
                listener.until(lambda heard=listener: last in heard.seqs)

    def told_by_servers(self):
        """What the processes wrote into their logs."""
        return [("log", app.log.read_text("utf-8", errors="replace")) for app in self.apps]

    def close(self):
        """Everybody goes home."""
        for listener in self.listeners:
            with contextlib.suppress(OSError):
                listener.close()
        self.stranger.close()
        self.nobody.close()
        self.table.close()
        self.bus.close()
