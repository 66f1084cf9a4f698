"""Logs written by hand, event by event, as a host following the rules of the table would."""

from __future__ import annotations

import copy
from hashlib import sha256
from typing import Any

from vectors.logs import fitted as rechained

from rollwright import __version__
from rollwright.api import new_transcript
from rollwright.engine.play import ChoiceEntry, ThrowEntry
from rollwright.engine.steps import Choice
from rollwright.engine.values import value_from_json, value_to_json
from rollwright.kit.card.endings import is_good
from rollwright.kit.games import find_game
from rollwright.kit.games import from_plain as request_of
from rollwright.kit.requests import to_plain as request_plain
from rollwright.kit.words import outcome_fields
from rollwright.table.commands.seats import house_rules_of
from rollwright.table.events import (
    FORMAT,
    ErasableText,
    Event,
    EventDraft,
    audience_of,
    first_hash,
    next_id,
    place_event,
)
from rollwright.table.events import seal_of as seal
from rollwright.table.fairness import FairDice, call_hash, key_of, slot_at
from rollwright.table.options import count_options
from rollwright.table.rolls import TableRoll, player_of

TABLE = "abcdefgh2345"
BEGAN = 1_789_000_000_000
SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
SECRET = sha256(b"the secret of the table").digest()
__all__ = ["SECRET", "SKILL", "WrittenLog", "rechained", "whole", "wire", "withheld"]


class WrittenLog:
    """A table whose log is written by hand; `log()` is what everybody sees of it."""

    def __init__(
        self, game: str = "twilight2000", table: str = TABLE, founded: bool = True
    ) -> None:
        self.table = table
        self.game = game
        self.events: list[dict[str, Any]] = []
        self.secret: set[int] = set()
        """Events that not everybody may see."""
        self.now = BEGAN
        self.host = SECRET
        self.number = 1
        """Of the slot that is to be spent next."""
        self.epoch = ""
        """Of the slots, where it is not that of the first event."""
        self.rolls: dict[str, Any] = {}
        self.called: tuple[int, bytes, int, int] | None = None
        """The call that dice follow from: its event, its hash, its slot, and how many did."""
        self.caller = ""
        self._drawn = 0
        if founded:
            self.found()

    def entropy(self) -> bytes:
        """32 bytes that look random and are the same in every run."""
        self._drawn += 1
        return sha256(f"entropy {self._drawn}".encode()).digest()

    def write(self, kind, body, *, open=None, texts=None, secret=False) -> dict[str, Any]:
        """The next event; a second has passed."""
        self.now += 1000
        before = self.events[-1]["hash"] if self.events else first_hash(self.table)
        draft = EventDraft(kind, body, open=open or {}, texts=texts or {})
        seq = len(self.events) + 1
        event = place_event(draft, before=before, seq=seq, at=self.now, salt=self.entropy().hex())
        plain = wire(event)
        self.events.append(plain)
        if secret:
            self.secret.add(seq)
        return plain

    def sealed(self, text: str, by: str = "s1") -> tuple[dict[str, str], dict[str, ErasableText]]:
        """A text for the next event: what stands in the body, and the text itself."""
        ref, salt = f"t{len(self.events) + 1}.0", self.entropy().hex()
        return {"text": ref, "seal": seal(salt, text)}, {ref: ErasableText(by, salt, text)}

    def found(self) -> None:
        """Found the table: Rhea is the referee, Ann and Bob play."""
        title, texts = self.sealed("The long road")
        body = {"table": self.table, "format": FORMAT, "rollwright": __version__, "game": self.game}
        house = house_rules_of(self.game, {})
        body |= {"house": house, "knock": False, "lists": {}}
        body |= {"title": title, "by": "s1"}
        self.write(
            "table.created",
            body,
            open={"slots": {"table": slot_at(self.host, "table", 1)}},
            texts=texts,
        )
        for name, role in (("Rhea", "referee"), ("Ann", "player"), ("Bob", "player")):
            self.join(name, role)

    def join(self, name: str, role: str = "player") -> str:
        """A new seat."""
        seat = f"s{1 + sum(event['kind'] == 'seat.joined' for event in self.events)}"
        sealed, texts = self.sealed(name, seat)
        body = {"seat": seat, "role": role, "name": sealed, "status": "here", "by": seat}
        self.write("seat.joined", body, texts=texts)
        return seat

    def call(self, by: str, nonce: bytes | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """What dice will follow from: a call that nobody signed, and the next slot."""
        number, self.number = self.number, self.number + 1
        nonce = self.entropy() if nonce is None else nonce
        slot = slot_at(self.host, "table", number)
        call = {"slot": slot, "number": nonce.hex(), "seat": by}
        made = call_hash(self.table, self.epoch or self.events[0]["hash"], "", call)
        self.called, self.caller = (len(self.events) + 1, made, number, 0), by
        return {"call": call}, {"slots": {"table": slot_at(self.host, "table", number + 1)}}

    def start(
        self, what=SKILL, by="s2", *, visibility="open", announce=True, note="", nonce=None, **more
    ):
        """Begin a roll."""
        counted = sum(roll["announce"] for roll, _ in self.rolls.values())
        name = next_id("r", counted, len(self.events) + 1, secret=not announce)
        plain = {"expression": what} if isinstance(what, str) else {"request": whole(what)}
        transcript = new_transcript(what)
        sealed, texts = self.sealed(note, by) if note else (None, {})
        version = "" if isinstance(what, str) else find_game(what["game"]).version_of(what["roll"])
        body = {"roll": name, "by": by, "what": plain, "title": "Skill roll", "sheet": by}
        body |= {"visibility": visibility, "announce": announce, "note": sealed, "roles": {}}
        body |= {"ask": "", "physical": False, "goal": "", "version": version, **more}
        body["after"] = after(transcript, body)
        self.rolls[name] = [body, transcript]
        call, open = self.call(by, nonce)
        self._write("roll.started", body | call, body, open, texts=texts)
        return name

    def _write(self, kind, body, roll, open=None, texts=None):
        """An event of a roll, as secret as the roll."""
        secret = roll["visibility"] != "open"
        told = {"by": body["by"], "roll": roll["roll"], "visibility": roll["visibility"]}
        if secret and not roll["announce"]:
            return self.write("sealed", {"kind": kind, **body}, open=open, texts=texts, secret=True)
        open = {**(told if secret else {}), **(open or {})}
        return self.write(kind, body, open=open, texts=texts, secret=secret)

    def throw(self, name: str, by: str = "", nonce: bytes | None = None) -> dict[str, Any]:
        """Throw the dice that a roll waits for."""
        roll, transcript = self.rolls[name]
        seq, call, open = len(self.events) + 1, {}, {}
        goes_on = self.called is not None and self.called[0] + self.called[3] + 1 == seq
        if not goes_on or nonce is not None or roll["physical"]:  # of real dice, by hand
            call, open = self.call(by or roll["by"], nonce)
        by = self.caller
        assert self.called is not None
        called, made, number, thrown = self.called
        self.called = (called, made, number, thrown + 1)
        key = key_of(self.host, "table", number)
        faces = FairDice(key, made, thrown).throw(transcript.step.pool)
        fair = {"call": called, "throw": thrown, "key": key.hex()}
        return self._thrown(name, by, faces, "fair", fair, open, call)

    def type(self, name: str, faces: list[Any], by: str = "") -> dict[str, Any]:
        """Type the faces of real dice in."""
        return self._thrown(name, by or self.rolls[name][0]["by"], tuple(faces), "typed", None, {})

    def _thrown(self, name, by, faces, how, fair, open, call=None):
        roll, transcript = self.rolls[name]
        pool = transcript.step.pool
        self.rolls[name][1] = done = transcript.then(ThrowEntry(faces, how))
        body = {"roll": name, "by": by, "index": len(transcript.entries)}
        body |= {
            "faces": [value_to_json(face) for face in faces],
            "dice": [f"{d!r}" for d in pool.dice],
        }
        body |= {"pool": value_to_json(pool), "how": how, "fair": fair, "after": after(done, roll)}
        return self._write("roll.thrown", body | (call or {}), roll, open)

    def choose(
        self, name: str, option: Any, by: str = "", nonce: bytes | None = None
    ) -> dict[str, Any]:
        """Choose."""
        roll, transcript = self.rolls[name]
        role = transcript.step.by
        self.rolls[name][1] = done = transcript.then(ChoiceEntry(value_from_json(option), role))
        body = {"roll": name, "by": by or roll["by"], "index": len(transcript.entries)}
        body |= {"option": option, "said": str(option), "role": role, "after": after(done, roll)}
        call, open = self.call(by or roll["by"], nonce)
        return self._write("roll.chosen", body | call, roll, open)

    def back(self, name: str) -> dict[str, Any]:
        """Take the last entry back."""
        roll, transcript = self.rolls[name]
        taken = "faces" if isinstance(transcript.entries[-1], ThrowEntry) else "choice"
        self.rolls[name][1] = done = transcript.back()
        body = {"roll": name, "by": roll["by"], "index": len(done.entries), "taken": taken}
        return self._write("roll.taken_back", {**body, "after": after(done, roll)}, roll)

    def play(self, what=SKILL, by="s2", choice: Any = "push", **more: Any) -> str:
        """A whole roll: every choice is made in the same way where it is offered."""
        name = self.start(what, by, **more)
        while not (transcript := self.rolls[name][1]).is_done:
            if isinstance(transcript.step, Choice):
                options = transcript.step.options
                wanted = choice if choice in options else options[0]
                self.choose(
                    name, value_to_json(wanted), "s1" if more.get("visibility") == "blind" else ""
                )
            else:
                self.throw(name)
        return name

    def reveal(self, name: str) -> None:
        """Show a secret roll to everybody."""
        roll = self.rolls[name][0]
        self.write("roll.revealed", {"roll": name, "by": roll["by"]})
        self.secret -= {e["seq"] for e in self.events if e["body"].get("roll") == name}

    def say(self, text: str, by: str = "s2") -> dict[str, Any]:
        """Say something."""
        sealed, texts = self.sealed(text, by)
        return self.write("chat.sent", {"by": by, "text": sealed, "to": "all"}, texts=texts)

    def sheet(self, sheet: str = "s2", **values: Any) -> None:
        """A sheet is made."""
        body = {"sheet": sheet, "owner": sheet, "values": values, "shown": True, "by": sheet}
        body["version"] = find_game(self.game).sheet_version if self.game else ""
        self.write("sheet.created", body)

    def change(self, sheet: str = "s2", cause=None, **changes: tuple[Any, Any]) -> None:
        """A sheet changes: each field from something to something."""
        both = {name: {"before": old, "after": new} for name, (old, new) in changes.items()}
        cause = cause or {"hand": True, "why": None}
        self.write("sheet.changed", {"sheet": sheet, "changes": both, "cause": cause, "by": "s1"})

    def log(self, seat: str = "everybody", everything: bool = False) -> dict[str, Any]:
        """The log as JSON: what everybody sees, or with `everything` what the host has."""
        hidden = set() if everything else self.secret
        events = [withheld(e) if e["seq"] in hidden else copy.deepcopy(e) for e in self.events]
        return {"format": FORMAT, "rollwright": __version__, "table": self.table, "for": seat,
                "events": events}  # fmt: skip


def whole(request: dict[str, Any]) -> dict[str, Any]:
    """A request as a log has it, with everything that it leaves at its default."""
    return request_plain(request_of(request), whole=True)


def wire(event: Event) -> dict[str, Any]:
    """An event as its audience gets it."""
    texts = {ref: {"salt": held.salt, "text": held.text} for ref, held in event.texts.items()}
    plain = {"seq": event.seq, "at": event.at, "kind": event.kind, "open": dict(event.open)}
    plain |= {"body": event.body, "salt": event.salt, "digest": event.digest, "hash": event.hash}
    return copy.deepcopy(plain | {"texts": texts})


def withheld(event: dict[str, Any]) -> dict[str, Any]:
    """The event as somebody outside its audience gets it."""
    kept = ("seq", "at", "kind", "open", "digest", "hash")
    return copy.deepcopy({name: event[name] for name in kept})


def after(transcript: Any, roll: dict[str, Any]) -> dict[str, Any]:
    """What a roll waits for, or what it came to."""
    if transcript.is_done:
        request = transcript.request
        told = f"@{roll['by']} came to {transcript.outcome!r}"
        effects = []
        if request is not None:
            game = find_game(request.game)
            told = f"@{roll['by']}: {game.tell(request, transcript)}"
            effects = [
                {"kind": e.kind, "amount": value_to_json(e.amount), "target": e.target,
                 "said": f"{e.kind} {e.amount}", "sheet": "", "applied": False}
                for e in game.effects(request, transcript.outcome) if not e.quiet
            ]  # fmt: skip
        return {"step": "done", "outcome": value_to_json(transcript.outcome),
                "fields": outcome_fields(transcript.outcome), "told": told,
                "good": is_good(transcript), "effects": effects, "opened": []}  # fmt: skip
    step = transcript.step
    if isinstance(step, Choice):
        by = [player(roll, step.by)]
        return {"step": "choice", "by": by, "role": step.by, **count_options(step.options),
                "about": None, "question": ""}  # fmt: skip
    dice = [repr(die) for die in step.pool.dice]
    thrower = player(roll, roll["by"])
    return {"step": "throw", "dice": dice, "pool": value_to_json(step.pool), "by": thrower}


def player(roll: dict[str, Any], role: str) -> str:
    """Who plays a role of the rule."""
    about = {name: roll[name] for name in ("by", "visibility", "roles")}
    audience = audience_of(roll["visibility"], roll["by"])
    return player_of(TableRoll(id="", what={}, version="", audience=audience, **about), role)
