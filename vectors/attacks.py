"""Logs that a host forges while people play: it alters events before anybody has seen them.

Every later call is signed over the forged log, so that nothing but the checks of what was signed
can tell. The host has the secret of the table, and no key of anybody's device.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple
from unittest.mock import patch as replaced

from rollwright.engine.values import value_from_json, value_to_json
from rollwright.table import Decision, Secrets, decide
from rollwright.table.commands.roll_execution import RollExecution
from rollwright.table.commands.roll_specs import start_of
from rollwright.table.events import Audience, Event, EventDraft
from rollwright.table.fairness import FairDice, call_hash, key_of, slot_at
from rollwright.table.imports import rebase
from vectors.devices import Device, offers
from vectors.logs import TABLE, Host, Log, known, patch

Drafts = list[EventDraft]
UNCHANGED = "rollwright.table.commands.rolls._check_fresh"
SAID = "rollwright.table.commands.rolls.StartRollCommand._check_dialect"
FIND = "rollwright.table.commands.writer.EventWriter.find_witness"
STARTED = "rollwright.table.commands.rolls.start_of"
FITTED = "rollwright.table.commands.rolls.fit_draft"
SKILL = {"roll": "skill", "attribute": "B", "skill": "C"}
SIDES = {"roll": "opposed", "active": {"attribute": "A"}, "passive": {"attribute": "B"}}
SOLDIER = {"name": "Bo", "STR": "B", "recon": "B"}
RECON = {"roll": "skill", "pick": {"skill_name": "recon"}, "set": {}}
PLAIN: dict[str, Any] = {"roll": "skill", "pick": {}, "set": {"attribute": "D", "skill": "D"}}
CHECK = {"roll": "check", "pick": {}, "set": {"dc": 10}}


class Forger(Host):
    """A host that means ill."""

    def __init__(self, game: str = "", *, witnesses: bool = False) -> None:
        super().__init__(game, witnesses=witnesses)
        self.kept: set[int] = set()

    def act(
        self, seat: str, command: dict[str, Any], forge: Callable[[Drafts], Drafts | None] = list
    ) -> list[Event]:
        """A command as it was sent, with its events as the host likes them."""
        made = decide(self.state, seat, command, Secrets(self.secret), 0, self._entropy)
        drafts = [
            one._replace(body=copy.deepcopy(dict(one.body)), open=copy.deepcopy(one.open))
            for one in made.drafts
        ]
        return self._commit(Decision(tuple(forge(drafts) or drafts), made.side))

    def forge(
        self, seat: str, forge: Callable[[Drafts], Drafts | None], do: str, /, **fields: Any
    ) -> None:
        """Have a command signed, and write something else."""
        command = {"do": do, **fields}
        if seat in self.devices:
            command = self.devices[seat].command(self.state, seat, command)
        self.act(seat, command, forge)

    def put(
        self, kind: str, body: dict[str, Any], slots: Any = None, audience: Audience = None
    ) -> None:
        """Write an event that nobody has asked for."""
        shown: Any = {"slots": slots} if slots else {}
        self._commit(Decision((EventDraft(kind, body, audience, shown),)))

    def late(self, seat: str, command: dict[str, Any], change: dict[str, Any], by: str) -> None:
        """Have a call signed, change something in somebody's name, then do what was called for."""
        sent = self.devices[seat].command(self.state, seat, command)
        super().act(by, change)
        with replaced(UNCHANGED), replaced(SAID):
            self.act(seat, sent)

    def keep_back(self, *kinds: str) -> None:
        """Leave the contents of all events of some kinds so far out of every copy."""
        self.kept = {event.seq for event in self.events if event.kind in kinds}

    def log(self, seat: str = "") -> Log:
        """The log as a seat gets it, without what the host keeps back."""
        log = super().log(seat)
        for event in log["events"]:
            for name in ("body", "salt", "texts") if event["seq"] in self.kept else ():
                event.pop(name, None)
        return log

    def last(self, kind: str) -> int:
        """The last event of a kind."""
        return next(event.seq for event in reversed(self.events) if event.kind == kind)

    def slot(self, lane: str, number: int = 1) -> dict[str, str]:
        """A slot that the host publishes."""
        return {lane: slot_at(self.secret, lane, number)}

    def open_roll(self) -> str:
        """A roll of s2 that waits for a choice."""
        while not self.state.going:
            self.do("s2", "roll.start", request=SKILL)
        return f"r{self.state.rolled}"


class Attack(NamedTuple):
    """What a host does, and where what is told of it."""

    name: str
    about: str
    make: Callable[[], Forger]
    run: Callable[[Forger], int]
    what: tuple[str, ...]
    rules: bool = False
    """Whether only the rules of the game tell."""
    seat: str = ""
    """Whose copy tells; everybody's where it is nobody's."""


def begun() -> Forger:
    """Three people at a table, before anything is rolled."""
    return Forger()


def soldiers() -> Forger:
    """The same with a game."""
    return Forger("twilight2000")


def trouble() -> Forger:
    """The same with another game."""
    return Forger("dust")


def edges() -> Forger:
    """The same with a game of targets."""
    return Forger("edge20")


def watched() -> Forger:
    """The same with live witnesses."""
    return Forger(witnesses=True)


def soldiers_watched() -> Forger:
    """The same with a game."""
    return Forger("twilight2000", witnesses=True)


MADE = (soldiers, trouble, edges, watched, soldiers_watched)
BASES = {make.__name__: (make, ("", "s2")) for make in MADE}
BASES["begun"] = (begun, ("", "s2", "s1"))
ATTACKS: list[Attack] = []
ACT, EVENT, CUT = ("forged act",), ("forged event",), ("dropped event",)


def attack(
    make: Callable[[], Forger], what: tuple[str, ...], *, rules: bool = False
) -> Callable[[Callable[[Forger], int]], Callable[[Forger], int]]:
    """List an attack."""

    def listed(run: Callable[[Forger], int]) -> Callable[[Forger], int]:
        ATTACKS.append(Attack(run.__name__, run.__doc__ or "", make, run, what, rules))
        return run

    return listed


def listed(name: str, about: str, make: Any, run: Callable[[Forger], int], what: Any) -> None:
    """List an attack of a family."""
    ATTACKS.append(Attack(name, about, make, run, what))


def changed(kind: str, **fields: Any) -> Callable[[Drafts], None]:
    """Other fields in the events of a kind."""

    def forge(drafts: Drafts) -> None:
        for draft in drafts:
            if draft.kind == kind:
                draft.body.update(fields)  # type: ignore[attr-defined]

    return forge


# What is rolled, and what it reads


@attack(soldiers, ACT)
def sheet_changed_late(host: Forger) -> int:
    """A sheet is changed once the number is known: of several, the one with the best dice."""
    host.do("s2", "sheet.create", values=SOLDIER)
    change = {"do": "sheet.change", "sheet": "s2", "values": {"recon": "A"}}
    host.late("s2", {"do": "roll.start", "draft": RECON}, change, "s2")
    return host.last("roll.started")


@attack(soldiers, ACT)
def house_changed_late(host: Forger) -> int:
    """House rules are changed once the number is known."""
    name = next(name for name, held in host.state.house.items() if type(held) is bool)
    change = {"do": "table.change", "house": {name: not host.state.house[name]}}
    host.late("s2", {"do": "roll.start", "request": SKILL}, change, "s1")
    return host.last("roll.started")


@attack(begun, ACT)
def dialect_changed_late(host: Forger) -> int:
    """How dice are spelled is changed once the number is known."""
    change = {"do": "table.change", "dialect": "wod"}
    host.late("s2", {"do": "roll.start", "expression": "5d10"}, change, "s1")
    return host.last("roll.started")


@attack(begun, ACT)
def asked_late(host: Forger) -> int:
    """What is asked for is written once the call that answers it is there."""
    host.do("s1", "roll_request.create", who=["s2"], expression="1d20")
    host.do("s1", "roll_request.close", ask="a1")
    change = {"do": "roll_request.create", "who": ["s2"], "expression": "1d6+14"}
    host.late("s2", {"do": "roll.start", "ask": "a2"}, change, "s1")
    return host.last("roll.started")


def answers(name: str, held: Any) -> None:
    """An ask is answered with something else than was asked for."""

    def run(host: Forger) -> int:
        host.do("s1", "roll_request.create", who=["s2"], request=SIDES, roles={"opponent": "s3"})
        ask = host.state.asks["a1"]
        ask.roll = {**ask.roll, name: held}  # type: ignore[misc,assignment]
        host.do("s2", "roll.start", ask="a1")
        return host.last("roll.started")

    listed(f"ask_answered_with_another_{name}", answers.__doc__ or "", soldiers, run, ACT)


for _name, _held in (("physical", True), ("roles", {"opponent": "s1"}), ("policy", "ask")):
    answers(_name, _held)


@attack(soldiers, ACT, rules=True)
def ask_answered_with_another_request(host: Forger) -> int:
    """Better abilities than were asked for, chosen once the number is known."""
    host.do("s1", "roll_request.create", who=["s2"], request=SKILL)
    host.state.asks["a1"].roll = {"request": {**SKILL, "attribute": "A", "modifier": 3}}  # type: ignore[assignment,typeddict-item]
    host.do("s2", "roll.start", ask="a1")
    return host.last("roll.started")


@attack(begun, ACT)
def ask_answered_with_other_dice(host: Forger) -> int:
    """An ask is answered with other dice."""
    host.do("s1", "roll_request.create", who=["s2"], expression="1d20")
    host.state.asks["a1"].roll = {"expression": "1d6+14"}
    host.do("s2", "roll.start", ask="a1")
    return host.last("roll.started")


def starts(name: str, held: Any) -> None:
    """A roll begins with something that was not signed."""

    def run(host: Forger) -> int:
        host.do("s2", "sheet.create", values=SOLDIER)
        host.forge("s2", changed("roll.started", **{name: held}), "roll.start", request=SKILL)
        return host.last("roll.started")

    listed(f"start_with_another_{name}", starts.__doc__ or "", soldiers, run, ACT)


STARTS: dict[str, Any] = {
    **{"sheet": "", "bound": True, "each": True, "away": ["s3"], "roles": {"helper": "s1"}},
    **{"policy": "never", "goal": "two-successes", "physical": True, "again": "r1", "draft": RECON},
}
for _name, _held in STARTS.items():
    starts(_name, _held)


@attack(trouble, ACT)
def others_said_to_be_away(host: Forger) -> int:
    """Somebody else is said to be away: their dice are thrown with the others."""
    fields = {"request": {"roll": "roll", "pool": 5}, "each": True, "away": ["s3"]}
    host.forge("s2", changed("roll.started", away=["s1"]), "roll.start", **fields)
    return host.last("roll.started")


@attack(begun, ACT)
def ask_kept_back(host: Forger) -> int:
    """An ask is answered with other dice, and no copy shows what was asked for."""
    host.do("s1", "roll_request.create", who=["s2"], expression="1d20")
    host.keep_back("roll_request.created")
    host.state.asks["a1"].roll = {"expression": "1d6+14"}
    host.do("s2", "roll.start", ask="a1")
    return host.last("roll.started")


@attack(soldiers, (*ACT, "withheld event"))
def sheet_kept_back(host: Forger) -> int:
    """A roll is made from other values than a sheet has, and no copy shows that sheet."""
    host.do("s2", "sheet.create", values=SOLDIER)
    host.keep_back("sheet.created")
    sheet = host.state.sheets["s2"]
    sheet.values = {**sheet.values, "recon": "A"}
    host.do("s2", "roll.start", draft=RECON)
    return host.last("roll.started")


@attack(soldiers, ("withheld event",), rules=True)
def named_sheet_kept_back(host: Forger) -> int:
    """The same where the command names the sheet."""
    host.do("s2", "sheet.create", values=SOLDIER)
    host.keep_back("sheet.created")
    sheet = host.state.sheets["s2"]
    sheet.values = {**sheet.values, "recon": "A"}
    host.do("s2", "roll.start", draft=RECON, sheet="s2")
    return host.last("roll.started")


def better(state: Any, asked: Any, sheet: Any = None, **held: Any) -> Any:
    """A roll as it begins, with something better in the place of what follows from a draft."""
    best = {"attribute": "A", "skill": "A"} if state.game == "twilight2000" else {"dc": 2}
    draft = {**asked["draft"], "set": best}
    made = start_of(state, {**asked, "draft": draft}, sheet, **held)
    return made._replace(draft=asked["draft"])


@attack(soldiers, ("altered request",), rules=True)
def draft_filled_in_otherwise(host: Forger) -> int:
    """Whoever has no sheet says by a form what to roll, and another request is made of it."""
    with replaced(STARTED, better):
        host.do("s2", "roll.start", draft=PLAIN)
    return host.last("roll.started")


@attack(edges, ("altered request",), rules=True)
def draft_filled_in_otherwise_again(host: Forger) -> int:
    """The same of a roll that is made again, once its sheet is gone."""
    host.do("s2", "sheet.create", values={"name": "Bo"})
    host.do("s2", "roll.start", draft=CHECK)
    host.do("s1", "sheet.remove", sheet="s2")
    with replaced(STARTED, better):
        host.do("s2", "roll.repeat", roll="r1")
    return host.last("roll.started")


@attack(soldiers, ACT)
def sheet_removed_late(host: Forger) -> int:
    """A sheet is removed once the number is known: without it, the form leads to other dice."""
    host.do("s2", "sheet.create", values=SOLDIER)
    change = {"do": "sheet.remove", "sheet": "s2"}
    host.late("s2", {"do": "roll.start", "draft": PLAIN}, change, "s1")
    return host.last("roll.started")


@attack(edges, ACT)
def sheet_removed_late_again(host: Forger) -> int:
    """The same before a roll is made again."""
    host.do("s2", "sheet.create", values={"name": "Bo"})
    host.do("s2", "roll.start", draft=CHECK)
    change = {"do": "sheet.remove", "sheet": "s2"}
    host.late("s2", {"do": "roll.repeat", "roll": "r1"}, change, "s1")
    return host.last("roll.started")


@attack(soldiers, ACT, rules=True)
def ask_answered_in_part(host: Forger) -> int:
    """What somebody was asked for is left out in part, as if their sheet lacked it."""
    asked = {**PLAIN, "set": {**PLAIN["set"], "modifier": -1}}
    host.do("s1", "roll_request.create", who=["s2"], draft=asked)
    with replaced(FITTED, lambda *_: PLAIN):
        host.do("s2", "roll.start", ask="a1")
    return host.last("roll.started")


@attack(edges, ACT, rules=True)
def somebody_else_than_was_named(host: Forger) -> int:
    """A roll is turned against somebody else than whoever was typed by name."""
    draft = {"roll": "check", "pick": {}, "set": {"dc": 10, "target": "Cy"}}
    for seat in ("s1", "s2", "s3"):
        host.do(seat, "sheet.create", values={"name": f"The one of {seat}"})
    with replaced("rollwright.table.mentions._NameResolver._resolve_name", lambda *_: "@s1"):
        host.do("s2", "roll.start", draft=draft)
    return host.last("roll.started")


def named_late(name: str, *changes: tuple[str, dict[str, Any]]) -> None:
    """Whoever was typed by name is called otherwise once the number is known, and another so."""

    def run(host: Forger) -> int:
        for seat in ("s1", "s2", "s3"):
            host.do(seat, "sheet.create", values={"name": f"The one of {seat}"})
        command = {
            "do": "roll.start",
            "draft": {"roll": "check", "set": {"dc": 10, "target": "Vex"}},
        }
        sent = host.devices["s2"].command(host.state, "s2", command)
        for seat, change in changes:
            host.act(seat, change)
        with replaced("rollwright.table.commands.rolls._check_names"):
            host.act("s2", sent)
        return host.last("roll.started")

    ATTACKS.append(Attack(name, named_late.__doc__ or "", edges, run, ACT, rules=True))


VEX = {"do": "sheet.change", "values": {"name": "Vex"}}
named_late("named_late_by_a_sheet", ("s3", {**VEX, "sheet": "s3"}))
named_late("named_late_by_a_seat", ("s3", {"do": "seat.rename", "seat": "s3", "name": "Vex"}))


# Rolls that are made again


def marked(drafts: Drafts) -> Drafts:
    """Events that look as if they were not for everybody."""
    mark = {"by": drafts[0].body["by"], "roll": drafts[0].body["roll"]}
    return [one._replace(open={**one.open, **mark}) for one in drafts]  # type: ignore[typeddict-item]


@attack(begun, ACT)
def again_of_one_kept_back(host: Forger) -> int:
    """Other dice in the place of those rolled before, which no copy shows any more."""
    host.forge("s2", marked, "roll.start", expression="1d20")
    host.keep_back("roll.started", "roll.thrown")
    host.state.rolls["r1"].what = {"expression": "1d6+14"}
    host.do("s2", "roll.repeat", roll="r1")
    return host.last("roll.started")


def own(name: str, about: str, run: Callable[[Forger], int]) -> None:
    """List an attack that the copy of whoever rolled in secret tells."""
    ATTACKS.append(Attack(name, about, begun, run, ACT, seat="s2"))


def _secret_again(host: Forger) -> int:
    host.do("s2", "roll.start", expression="1d20", visibility="private")
    host.keep_back("roll.started", "roll.thrown")
    host.state.rolls["r1"].what = {"expression": "1d6+14"}
    host.do("s2", "roll.repeat", roll="r1")
    return host.last("roll.started")


def _secret_ask(host: Forger) -> int:
    host.do("s1", "roll_request.create", who=["s2"], expression="1d20", visibility="private")
    host.keep_back("roll_request.created")
    [ask] = host.state.asks.values()
    ask.roll = {"expression": "1d6+14"}
    host.do("s2", "roll.start", ask=ask.id)
    return host.last("roll.started")


own("secret_again_of_one_kept_back", "Other dice than before, in a secret roll.", _secret_again)
own("secret_ask_kept_back", "Other dice than were asked for in secret.", _secret_ask)


@attack(begun, ACT)
def again_with_an_expression_of_another_version(host: Forger) -> int:
    """Other dice than before, said to be of another version: an expression has none."""
    host.roll("s2", "1d20")
    host.state.rolls["r1"].what = {"expression": "1d6+14"}
    host.forge("s2", changed("roll.started", version="1"), "roll.repeat", roll="r1")
    return host.last("roll.started")


@attack(edges, ACT)
def again_with_an_expression_for_a_form(host: Forger) -> int:
    """A form that was filled in is made again as an expression of the host's."""
    host.do("s2", "sheet.create", values={"name": "Bo"})
    host.do("s2", "roll.start", draft=CHECK)
    roll = host.state.rolls["r1"]
    kept = {"draft": roll.draft, "sheet": roll.sheet, "roles": roll.roles, "goal": roll.goal}
    roll.what, roll.draft = {"expression": "1d6+14"}, None
    host.forge("s2", changed("roll.started", **kept), "roll.repeat", roll="r1")
    return host.last("roll.started")


@attack(begun, EVENT)
def open_roll_that_looks_secret(host: Forger) -> int:
    """An open roll whose events the host could keep back later."""
    host.forge("s2", marked, "roll.start", expression="1d20")
    return host.last("roll.started")


@attack(begun, EVENT)
def open_roll_that_is_sealed(host: Forger) -> int:
    """An open roll that only its roller ever sees."""

    def forge(drafts: Drafts) -> Drafts:
        return [one._replace(kind="sealed", body={**one.body, "kind": one.kind}) for one in drafts]

    host.forge("s2", forge, "roll.start", expression="1d20")
    return host.last("sealed")


def repeats(name: str, held: Any) -> None:
    """A roll that is made again is not as the one before."""

    def run(host: Forger) -> int:
        host.do("s2", "roll.start", request=SIDES, roles={"opponent": "s3"})
        host.forge("s2", changed("roll.started", **{name: held}), "roll.repeat", roll="r1")
        return host.last("roll.started")

    listed(f"again_with_another_{name}", repeats.__doc__ or "", soldiers, run, ACT)


REPEATS: dict[str, Any] = {
    **{"again": "r2", "visibility": "blind", "physical": True, "goal": "two-successes"},
    **{"policy": "never", "bound": True, "each": True, "away": ["s3"], "roles": {}},
    **{"ask": "a1", "draft": RECON, "by": "s3", "sheet": "s2"},
}
for _name, _held in REPEATS.items():
    repeats(_name, _held)


@attack(begun, ACT)
def again_with_other_dice(host: Forger) -> int:
    """Other dice in the place of those that were rolled before."""
    host.roll("s2", "1d20")
    host.state.rolls["r1"].what = {"expression": "1d6+14"}
    host.do("s2", "roll.repeat", roll="r1")
    return host.last("roll.started")


@attack(begun, ACT)
def again_of_none(host: Forger) -> int:
    """A roll is made again without a word of which."""

    def forge(drafts: Drafts) -> None:
        drafts[0].body.pop("again")  # type: ignore[attr-defined]

    host.roll("s2", "1d20")
    host.forge("s2", forge, "roll.repeat", roll="r1")
    return host.last("roll.started")


@attack(begun, ACT)
def again_by_a_referee_without_a_key(host: Forger) -> int:
    """A referee who does not sign has another roll made again than there was."""
    host.join("Di", signs=False)
    host.do("s1", "seat.change_role", seat="s4", role="referee")
    host.roll("s2", "1d20")
    host.state.rolls["r1"].what = {"expression": "1d6+14"}
    host.do("s4", "roll.repeat", roll="r1")
    return host.last("roll.started")


@attack(begun, ACT)
def begun_by_a_referee_without_a_key(host: Forger) -> int:
    """A referee who does not sign begins a roll of somebody who does."""
    host.join("Di", signs=False)
    host.do("s1", "seat.change_role", seat="s4", role="referee")
    host.forge("s4", changed("roll.started", by="s2"), "roll.start", expression="1d20")
    return host.last("roll.started")


# Events that are kept back, and people who are not there


@attack(soldiers, ("withheld event",))
def given_up_and_kept_back(host: Forger) -> int:
    """That an open roll was given up is shown to nobody."""
    roll = host.open_roll()
    host.forge("s2", marked, "roll.cancel", roll=roll)
    host.keep_back("roll.cancelled")
    return host.last("roll.cancelled")


@attack(begun, ("withheld event",))
def undone_and_kept_back(host: Forger) -> int:
    """That an open roll was undone is shown to nobody."""
    host.roll("s2", "1d20")
    host.forge("s1", marked, "roll.undo", roll="r1")
    host.keep_back("roll.undone")
    return host.last("roll.undone")


def nothing(visibility: str, seat: str) -> None:
    """A secret roll of nothing fills the gap of a call that was dropped; who may see it tells."""

    def run(host: Forger) -> int:
        host.devices["s2"].command(host.state, "s2", {"do": "roll.start", "expression": "1d20"})
        shown: Any = {"by": "s2", "roll": "r1", "visibility": visibility}
        host._commit(Decision((EventDraft("roll.started", {}, ("s9",), shown),)))
        seq = host.state.head
        host.kept = {seq}
        host.roll("s2", "1d20")
        return seq

    about, what = nothing.__doc__ or "", ("withheld event",)
    ATTACKS.append(Attack(f"{visibility}_roll_of_nothing", about, begun, run, what, seat=seat))


nothing("private", "s2")
nothing("hidden", "s2")
nothing("blind", "s1")


def stranger(name: str, change: dict[str, Any]) -> None:
    """Somebody rolls who may not."""

    def run(host: Forger) -> int:
        seat = host.state.seats["s3"]
        super(Forger, host).act("s1", change)
        away, host.state.seats["s3"] = host.state.seats["s3"], seat
        host.roll("s3", "1d20")
        host.state.seats["s3"] = away
        return host.last("roll.started")

    about, what = stranger.__doc__ or "", ("forbidden act",)
    ATTACKS.append(Attack(name, about, begun, run, what, rules=True))


stranger("rolled_by_a_spectator", {"do": "seat.change_role", "seat": "s3", "role": "spectator"})
stranger("rolled_by_somebody_removed", {"do": "seat.remove", "seat": "s3"})


@attack(soldiers, ("malformed event",), rules=True)
def sheet_changed_by_hand_and_by_no_roll(host: Forger) -> int:
    """A player whom the host invented changes the sheet of another."""
    host.do("s2", "sheet.create", values=SOLDIER)
    changes = {"recon": {"before": "B", "after": "A"}}
    cause = {"roll": "r9", "hand": True, "why": None}
    body = {"by": "s3", "sheet": "s2", "changes": changes, "cause": cause, "version": ""}
    host.put("sheet.changed", body)
    return host.last("sheet.changed")


@attack(begun, EVENT)
def end_that_is_told_again(host: Forger) -> int:
    """The end of a roll is told once more: what it does to a sheet could happen again."""
    host.roll("s2", "1d20")
    after = copy.deepcopy(host.events[-1].body["after"])
    host.put("roll.waiting", {"by": "s2", "roll": "r1", "after": after})
    return host.last("roll.waiting")


@attack(begun, EVENT)
def given_up_after_its_end(host: Forger) -> int:
    """A roll that has ended is said to have been given up; its roller signs that."""
    host.roll("s2", "1d20")
    roll, command = host.state.rolls["r1"], {"do": "roll.cancel", "roll": "r1"}
    command = host.devices["s2"].command(host.state, "s2", command)
    body = {"by": "s2", "roll": roll.id, "opened": [], "call": command["call"]}
    host.put("roll.cancelled", body)
    return host.last("roll.cancelled")


@attack(trouble, ("forbidden act",), rules=True)
def thrown_by_whom_the_log_names(host: Forger) -> int:
    """Where people throw what is theirs, somebody invented throws what is nobody's."""
    fields: dict[str, Any] = {"request": {"roll": "roll", "pool": 3}, "physical": True}

    def forge(drafts: Drafts) -> None:
        drafts[0].body["after"]["by"] = "s3"

    host.forge("s2", forge, "roll.start", **fields, each=True)
    host.state.rolls["r1"].by = "s3"
    host.do("s3", "roll.throw", roll="r1")
    return host.last("roll.thrown")


@attack(begun, ("malformed event",))
def call_without_a_number(host: Forger) -> int:
    """A call that dice follow from, into which nobody but the host has put a number."""
    device, command = host.devices["s2"], {"do": "roll.start", "expression": "1d20"}
    call, _ = device.call(host.state, command, throws=True)

    def check_lane(state: Any, call: Any, **_: Any) -> None:
        call.lane, call.number = "d2", state.lanes["d2"].number

    with replaced("rollwright.table.commands.dispatch.check_lane", check_lane):
        host.act("s2", {"call": device.sign(host.state, "s2", call | {"number": ""})})
    return host.last("roll.started")


# Choices and faces


@attack(soldiers, ACT, rules=True)
def other_option_by_its_number(host: Forger) -> int:
    """The other option, where the one that was signed is named by its place."""
    roll = host.open_roll()
    with replaced(
        "rollwright.table.commands.entries.ChooseCommand._option",
        lambda self, transcript: transcript.step.options[1 - self.number],
    ):
        host.do("s2", "roll.choose", roll=roll, number=0)
    return host.last("roll.chosen")


@attack(begun, ACT)
def other_faces_than_were_typed(host: Forger) -> int:
    """Other faces of real dice, with the outcome that follows from them."""
    host.roll("s2", "2d6", physical=True)
    sent = host.devices["s2"].command(
        host.state, "s2", {"do": "roll.enter", "roll": "r1", "faces": [1, 2]}
    )
    others = {**sent["call"]["command"], "faces": [6, 6]}
    with replaced(
        "rollwright.table.commands.signed_commands.has_valid_signature", return_value=True
    ):
        made = decide(
            host.state,
            "s2",
            {"call": {**sent["call"], "command": others}},
            Secrets(host.secret),
            0,
            host._entropy,
        )
    body = {**made.drafts[0].body, "call": sent["call"]}
    host._commit(Decision((made.drafts[0]._replace(body=body),)))
    return host.last("roll.thrown")


@attack(soldiers, EVENT)
def agreed_by_nobody(host: Forger) -> int:
    """A choice that is said to have been agreed, in a roll where nothing was."""

    def forge(drafts: Drafts) -> Drafts:
        body = {**drafts[0].body, "agreed": True}
        del body["call"]
        return [drafts[0]._replace(body=body, open={})]

    host.forge("s2", forge, "roll.choose", roll=host.open_roll(), option="keep")
    return host.last("roll.chosen")


@attack(soldiers, ("unsigned call",))
def given_up_before_a_secret(host: Forger) -> int:
    """A roll that the host gives up in somebody's name, with a secret right behind it."""
    host.put("roll.cancelled", {"by": "s2", "roll": host.open_roll(), "opened": []})
    host.roll("s3", "1d6", visibility="private", announce=False)
    return host.last("roll.cancelled")


@attack(begun, (*EVENT, "forbidden act"), rules=True)
def thrown_by_another_player(host: Forger) -> int:
    """Somebody whom the host invented throws in a roll, as if the rule hid the dice."""
    host.roll("s2", "1d20", physical=True)
    host.state.rolls["r1"].by = "s3"
    host.forge("s3", marked, "roll.throw", roll="r1")
    return host.last("roll.thrown")


@attack(begun, (*EVENT, "forbidden act"))
def taken_back_by_another_player(host: Forger) -> int:
    """Somebody whom the host invented takes faces back that others have typed."""
    host.roll("s2", "1d20; 1d6", physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[20])
    host.state.rolls["r1"].by = "s3"
    host.forge("s3", marked, "roll.take_back", roll="r1")
    return host.last("roll.taken_back")


@attack(soldiers, ("unsigned call",))
def given_up_and_revealed(host: Forger) -> int:
    """The same with a roll that was secret, and that the host reveals."""
    while not host.state.going:
        host.do("s2", "roll.start", request=SKILL, visibility="private")
    roll = f"r{host.state.rolled}"
    host.put("roll.cancelled", {"by": "s2", "roll": roll, "opened": []})
    host.roll("s3", "1d6", visibility="private", announce=False)
    host.put("roll.revealed", {"by": "s2", "roll": roll, "sheets": []})
    return host.last("roll.cancelled")


@attack(soldiers, ("unsigned call",))
def given_up_with_somebody_else(host: Forger) -> int:
    """A roll that the host gives up as somebody leaves, who is not its roller."""
    roll = host.open_roll()
    host.do("s1", "seat.remove", seat="s3")
    host.put("roll.cancelled", {"by": "s1", "roll": roll, "opened": []})
    return host.last("roll.cancelled")


@attack(soldiers, ("unsigned call",))
def given_up_after_the_session(host: Forger) -> int:
    """A roll that the host gives up when the session has been over for a while."""
    host.do("s1", "session.end")
    roll = host.open_roll()
    host.put("roll.cancelled", {"by": "s1", "roll": roll, "opened": []})
    return host.last("roll.cancelled")


def one_of_many(host: Forger) -> int:
    """Somebody shows one of their secret rolls, and the host says that there are no others."""
    for _ in range(3):
        host.do("s2", "roll.start", expression="1d20", visibility="hidden", announce=False)
    roll = next(reversed(host.state.rolls))
    host.forge("s2", changed("roll.revealed", unshown=0), "roll.reveal", roll=roll)
    return host.last("roll.revealed")


ATTACKS.append(
    Attack(one_of_many.__name__, one_of_many.__doc__ or "", begun, one_of_many, EVENT, seat="s2")
)


# Dice that are kept back


def heavy(count: int) -> Callable[[Drafts], Drafts]:
    """The first events of a run, made so large that a roll could seem to have become long."""

    def forge(drafts: Drafts) -> Drafts:
        drafts[0].body["title"] = "x" * 20_000  # type: ignore[index]
        return drafts[:count]

    return forge


@attack(begun, CUT)
def first_throw_kept_back(host: Forger) -> int:
    """A roll that is told at such length that it seems to be too long to be thrown."""
    host.forge("s2", heavy(1), "roll.start", expression="1d20")
    host.do("s2", "roll.throw", roll="r1")
    return host.last("roll.started")


@attack(begun, CUT)
def second_throw_kept_back(host: Forger) -> int:
    """The same after the first dice."""
    host.forge("s2", heavy(2), "roll.start", expression="1d20; 1d6")
    seq = host.last("roll.thrown")
    host.do("s2", "roll.throw", roll="r1")
    return seq


def waiting(name: str, about: str, *what: str, **after: Any) -> None:
    """A roll that is said to wait for somebody, and dice that are not thrown."""

    def run(host: Forger) -> int:
        def forge(drafts: Drafts) -> Drafts:
            drafts[1].body["after"].update(after)  # type: ignore[attr-defined]
            return drafts[:2]

        host.forge("s2", forge, "roll.start", expression="1d20; 1d6")
        seq = host.last("roll.thrown")
        host.do("s2", "roll.throw", roll="r1")
        return seq

    listed(name, about, begun, run, (*CUT, *what))


SECOND = "The second dice are said to be for somebody else."
waiting("kept_back_for_another", SECOND, "altered outcome", by="s3")
waiting("kept_back_for_a_witness", "They are said to wait for a witness.", witness="s3")


@attack(begun, ("altered outcome",), rules=True)
def stopped_by_the_host(host: Forger) -> int:
    """A roll is said to have stopped over its rule, after dice that the host dislikes."""

    def forge(drafts: Drafts) -> Drafts:
        drafts[1].body["after"] = {"step": "stopped", "why": "It stopped."}  # type: ignore[index]
        return drafts[:2]

    host.forge("s2", forge, "roll.start", expression="1d20; 1d6")
    return host.last("roll.thrown")


@attack(soldiers, EVENT, rules=True)
def sheet_changed_by_no_roll(host: Forger) -> int:
    """A sheet is said to have been changed by a roll that there never was."""
    host.do("s2", "sheet.create", values=SOLDIER)
    changes = {"recon": {"before": "B", "after": "F"}}
    cause = {"roll": "r9", "effects": []}
    host.put("sheet.changed", {"by": "s2", "sheet": "s2", "changes": changes, "cause": cause})
    return host.last("sheet.changed")


@attack(soldiers, CUT, rules=True)
def agreed_choice_kept_back(host: Forger) -> int:
    """A push that was agreed is not made, since the host dislikes the dice that would follow."""
    kept: list[int] = []

    def forge(drafts: Drafts) -> Drafts:
        due = [place for place, one in enumerate(drafts) if one.body.get("agreed")]
        kept[:] = due[:1]
        return drafts[: due[0]] if due else drafts

    while not kept:
        host.forge("s2", forge, "roll.start", request=SKILL, policy="if-failed")
    seq = host.state.head
    host.do("s2", "roll.choose", roll=f"r{host.state.rolled}", option="keep")
    return seq


@attack(begun, (*EVENT, *CUT))
def called_dice_kept_back(host: Forger) -> int:
    """Dice of the table that were called for in a roll of real dice, and not thrown."""
    host.roll("s2", "1d20", physical=True)

    def forge(drafts: Drafts) -> Drafts:
        after = copy.deepcopy(host.state.rolls["r1"].after)
        body = {"by": "s2", "roll": "r1", "after": after, "call": drafts[0].body["call"]}  # type: ignore[index]
        return [EventDraft("roll.called", body, None, drafts[0].open)]

    host.forge("s2", forge, "roll.throw", roll="r1")
    host.do("s2", "roll.throw", roll="r1")
    return host.last("roll.called")


def _skip_throws(host: Forger) -> int:
    """A secret roll takes its dice from the throw of its call that the host likes best."""

    def forge(drafts: Drafts) -> Drafts:
        begun, thrown = drafts
        nothing = EventDraft(
            "sealed", {"kind": "chat.sent", "by": "s1", "text": None, "to": ["s1"]}, ("s1",)
        )
        body: Any = thrown.body
        body["index"] = body["fair"]["throw"] = 3
        made = call_hash(TABLE, host.state.epoch, "s2", begun.body["call"])
        dice = FairDice(bytes.fromhex(body["fair"]["key"]), made, 3)
        body["faces"] = [value_to_json(face) for face in dice.throw(value_from_json(body["pool"]))]
        body["after"]["outcome"] = body["after"]["fields"]["value"] = sum(body["faces"])
        return [begun, nothing, nothing, nothing, thrown]

    fields = {"expression": "1d20", "visibility": "private", "announce": False}
    host.forge("s2", forge, "roll.start", **fields)
    return host.state.head


def _keep_back_quietly(host: Forger) -> int:
    """Dice of a secret roll are not thrown, as if the rule hid them from whoever rolls."""

    def forge(drafts: Drafts) -> Drafts:
        nothing = EventDraft(
            "sealed", {"kind": "chat.sent", "by": "s1", "text": None, "to": ["s1"]}, ("s1",)
        )
        return [drafts[0], nothing]

    fields = {"expression": "1d20", "visibility": "private", "announce": False}
    host.forge("s2", forge, "roll.start", **fields)
    return host.state.head


for _run in (_skip_throws, _keep_back_quietly):
    _name, _about = _run.__name__[1:], _run.__doc__ or ""
    ATTACKS.append(Attack(_name, _about, begun, _run, CUT, rules=True, seat="s2"))


# Devices and seats


def brings(name: str, about: str, what: tuple[str, ...], **body: Any) -> None:
    """An event that brings a device."""

    def run(host: Forger) -> int:
        device = {"id": "d4", "key": Device("d4", "the host").key, **body.get("device", {})}
        if device["key"] == "of s2":
            device["key"] = host.devices["s2"].key
        held = {"by": "s4", "seat": "s4", "role": "player", "name": None, "status": "here"}
        held |= {**body, "device": device}
        kind, slots = held.pop("kind", "seat.joined"), held.pop("slots", (device["id"],))
        if kind == "seat.moved":
            held = {key: held[key] for key in ("by", "seat", "keep_old", "device") if key in held}
            if held["device"]["id"] == "none":
                held.pop("device")
                slots = ()
        host.put(kind, held, {lane: slot_at(host.secret, lane, 70) for lane in slots})
        return host.last(kind)

    listed(name, about, begun, run, what)


UNSIGNED, NONE = ("unsigned call",), ("missing commitment",)
MOVED: dict[str, Any] = {"kind": "seat.moved", "seat": "s2", "keep_old": True}
brings("device_of_a_taken_name", "It takes the name of a device of another seat.", EVENT,
       device={"id": "d2"}, slots=())  # fmt: skip
brings("device_of_a_later_name", "A device whose name is not the next.", EVENT, device={"id": "d9"})
brings("device_with_a_taken_key", "The key of another device.", EVENT, device={"key": "of s2"})
brings("device_with_no_key", "A key that is none.", EVENT, device={"key": "01" + "00" * 31})
brings("device_without_a_slot", "A device without a slot.", NONE, slots=())
brings("device_with_two_slots", "A device that brings the slot of another.", NONE,
       slots=("d4", "d2"))  # fmt: skip
brings("seat_that_joins_again", "A second device by joining twice.", ("forbidden act",),
       by="s2", seat="s2")  # fmt: skip
brings("seat_that_is_not_next", "A seat that is not the next.", ("forbidden act",),
       by="s9", seat="s9")  # fmt: skip
brings("moved_by_a_referee_unsigned", "A device in somebody's name.", UNSIGNED, by="s1", **MOVED)
brings("moved_by_themselves_unsigned", "A second device, unsigned.", UNSIGNED, by="s2", **MOVED)
brings("moved_to_nothing", "All devices of a seat are said to be gone.", UNSIGNED,
       by="s1", device={"id": "none"}, **MOVED)  # fmt: skip


def moves(name: str, sent: dict[str, Any], forge: Callable[[dict[str, Any]], Any]) -> None:
    """A device comes otherwise than was signed."""

    def altered(drafts: Drafts) -> None:
        forge(drafts[0].body)  # type: ignore[arg-type]

    def run(host: Forger) -> int:
        about = {"token_hash": known("anew").hex(), "key": Device("d4", "s2 anew").key}
        host.forge("s1", altered, "seat.move", seat="s2", **about, **sent)
        return host.last("seat.moved")

    listed(f"moved_with_another_{name}", moves.__doc__ or "", begun, run, ACT)


moves("seat", {}, lambda body: body.update(seat="s3"))
moves("stay", {}, lambda body: body.update(keep_old=True))
moves("holder", {}, lambda body: body["device"].update(held="a bot"))
moves("holder_left_out", {"held": "a bot"}, lambda body: body["device"].pop("held"))


# Slots, epochs and witnesses


@attack(begun, ("replaced slot",))
def slot_of_nobody(host: Forger) -> int:
    """A slot for a device that there is not, to be had when it comes."""
    host.put("chat.sent", {"by": "s1", "text": None, "to": "all"}, host.slot("d4"))
    return host.last("chat.sent")


@attack(begun, ("replaced slot",))
def slot_replaced_in_secret(host: Forger) -> int:
    """A slot of somebody's device is replaced by an event that they cannot look into."""
    body = {"kind": "chat.sent", "by": "s1", "text": None, "to": ["s1"]}
    host.put("sealed", body, host.slot("d2", 50), ("s1",))
    return host.last("sealed")


@attack(begun, NONE)
def import_without_a_lane(host: Forger) -> int:
    """Another host that commits to nothing for one of the devices, until later."""
    host.secret = known("another host")
    host._commit(Decision((rebase(host.state.head, host.secret, ["d1", "d3"]),)))
    return host.last("table.imported")


@attack(begun, ("forbidden act",))
def taken_up_by_a_player(host: Forger) -> int:
    """Another host that was brought the table by a player, who comes with a device of its own."""
    host.secret = known("another host")
    host._commit(Decision((rebase(host.state.head, host.secret, host.state.devices, by="s2"),)))
    seq, key = host.last("table.imported"), Device("d4", "the host").key
    body = {"by": "s2", "seat": "s2", "keep_old": False, "device": {"id": "d4", "key": key}}
    host.put("seat.moved", body, host.slot("d4"))
    return seq


@attack(watched, ACT)
def told_before_it_was_asked(host: Forger) -> int:
    """A witness who signed before the call was in the log: the host had the number by then."""
    host.offer("s3", "w1")
    device, seen = host.devices["s3"], {"seen": host.state.head, "head": host.state.hash[:32]}
    host.roll("s2", "1d20")
    command = {"do": "witness.reveal", "asked": host.asked, "number": known("w1").hex()}
    call, _ = device.call(host.state, command, throws=False)
    host.act("s3", {"call": device.sign(host.state, "s3", call | seen)})
    return host.last("witness.revealed")


@attack(watched, ("witness passed over",))
def second_witness_for_a_call(host: Forger) -> int:
    """Another number is asked for once the host has seen what the first one leads to."""
    host.offer("s3", "w1", "w2")
    host.roll("s2", "1d20")
    after = copy.deepcopy(host.state.rolls["r1"].after)

    def forge(drafts: Drafts) -> Drafts:
        asked: Any = {"witness": {"seat": "s3", "offer": offers(known("w2").hex())[0]}}
        return [
            drafts[0],
            EventDraft("roll.waiting", {"by": "s2", "roll": "r1", "after": after}, None, asked),
        ]

    command = {"asked": host.asked, "number": known("w1").hex()}
    host.forge("s3", forge, "witness.reveal", **command)
    host.open("s3", "w2")
    return host.last("roll.waiting")


def asks_for_nothing(name: str, ask: Callable[[Forger, Any], int]) -> None:
    """A witness is asked without dice, for a number that host and roller then choose dice with."""

    def run(host: Forger) -> int:
        host.offer("s3", "w1")
        return ask(host, {"witness": {"seat": "s3", "offer": offers(known("w1").hex())[0]}})

    listed(name, asks_for_nothing.__doc__ or "", watched, run, ("witness passed over",))


def _said(host: Forger, asked: Any) -> int:
    body = {"by": "s2", "text": None, "to": "all"}
    host._commit(Decision((EventDraft("chat.sent", body, None, asked),)))
    host.roll("s2", "1d20")
    return host.last("chat.sent")


def _offered(host: Forger, asked: Any) -> int:
    def forge(drafts: Drafts) -> Drafts:
        return [one._replace(open={**one.open, **asked}) for one in drafts]

    commitments = offers(known("w9").hex())
    host.forge("s2", forge, "witness.commit", commitments=commitments)
    return host.last("witness.committed")


asks_for_nothing("asked_by_words", _said)
asks_for_nothing("asked_by_an_offer", _offered)


@attack(watched, CUT)
def left_for_another_call(host: Forger) -> int:
    """Dice that wait for a witness of the host's are left for those of another call."""
    host.offer("s3", "w1", "w2")

    def forge(drafts: Drafts) -> None:
        drafts[0].body["after"].pop("witness")

    host.forge("s2", forge, "roll.start", expression="1d20")
    seq = host.last("roll.started")
    host.state.rolls["r1"].witness = None
    host.do("s2", "roll.throw", roll="r1")
    host.open("s3", "w2")
    return seq


@attack(watched, ("witness passed over",))
def offered_late(host: Forger) -> int:
    """A number is offered, and asked for, by somebody who may know that of the call by then."""
    command = {"do": "roll.start", "expression": "1d20"}
    sent = host.devices["s2"].command(host.state, "s2", command)
    host.offer("s3", "w1")
    with replaced(FIND, lambda _: offered("s3", "w1")):
        host.act("s2", sent)
    host.open("s3", "w1")
    return host.last("roll.started")


def offered(seat: str, name: str) -> dict[str, str]:
    """What an event says of the witness that it asks."""
    return {"seat": seat, "offer": offers(known(name).hex())[0]}


def called(host: Forger) -> dict[str, Any]:
    """A call of s2, whose number the host knows now."""
    return host.devices["s2"].command(host.state, "s2", {"do": "roll.start", "expression": "1d20"})


@attack(watched, ("witness passed over",))
def witness_who_leaves_late(host: Forger) -> int:
    """Whoever is due is said to have left, once the host knows what their number leads to."""
    host.offer("s3", "w1")
    host.offer("s1", "w2")
    sent = called(host)
    host.put("seat.removed", {"by": "s3", "seat": "s3"})
    with replaced(FIND, lambda _: offered("s1", "w2")):
        host.act("s2", sent)
    host.open("s1", "w2")
    return host.last("roll.started")


@attack(watched, ("witness passed over",))
def witness_who_is_let_in_late(host: Forger) -> int:
    """Somebody with an old offer is let in again, once the host knows what it leads to."""
    host.offer("s3", "w1")
    host.offer("s1", "w2")
    host.put("seat.removed", {"by": "s3", "seat": "s3"})
    sent = called(host)
    host.put("seat.admitted", {"by": "s1", "seat": "s3"})
    with replaced(FIND, lambda _: offered("s3", "w1")):
        host.act("s2", sent)
    host.open("s3", "w1")
    return host.last("roll.started")


@attack(watched, ("witness passed over",))
def witness_who_leaves_after_a_silence(host: Forger) -> int:
    """One is said to have been silent, and the next one to have left by then."""
    host.join("Di")
    for seat, name in (("s3", "w1"), ("s4", "w2"), ("s1", "w3")):
        host.offer(seat, name)
    host.act("s2", called(host))
    host.put("seat.removed", {"by": "s4", "seat": "s4"})
    with replaced(FIND, lambda _: offered("s1", "w3")):
        host.pass_over()
    host.open("s1", "w3")
    return host.last("witness.timed_out")


@attack(watched, ("witness passed over",))
def witnesses_turned_off_late(host: Forger) -> int:
    """The referee is said to want no witnesses any more, since the host likes the dice so."""
    host.offer("s3", "w1")
    sent = called(host)
    host.put("table.changed", {"by": "s1", "witnesses": False})
    with replaced(FIND, lambda _: None):
        host.act("s2", sent)
    return host.last("roll.thrown")


@attack(begun, ("witness passed over",))
def witnesses_turned_on_late(host: Forger) -> int:
    """The referee is said to want witnesses from now on, since the host has a number at hand."""
    host.offer("s3", "w1")
    sent = called(host)
    host.put("table.changed", {"by": "s1", "witnesses": True})
    with replaced(FIND, lambda _: offered("s3", "w1")):
        host.act("s2", sent)
    host.open("s3", "w1")
    return host.last("roll.started")


@attack(begun, ("forged refusal",))
def refused_as_stale(host: Forger) -> int:
    """A call is refused for a slot that was not spent, and the key stays closed."""
    command = {"do": "roll.start", "expression": "1d20"}
    call = host.devices["s2"].command(host.state, "s2", command)["call"]
    host.put("roll.refused", {"by": "s2", "call": call, "code": "stale_slot", "why": ""})
    return host.last("roll.refused")


@attack(begun, ("altered key",))
def refused_with_another_key(host: Forger) -> int:
    """A refusal that opens the key of another slot."""
    command = {"do": "roll.start", "expression": "1d20"}
    call = host.devices["s2"].command(host.state, "s2", command)["call"]
    key = key_of(host.secret, "d3", 1).hex()
    body = {"by": "s2", "call": call, "code": "changed", "why": "", "key": key}
    host.put("roll.refused", body, host.slot("d2", 2))
    return host.last("roll.refused")


def seals(kind: str, **body: Any) -> None:
    """What everybody must see is shown to one person alone, whose copy it makes true."""

    def run(host: Forger) -> int:
        host.put("sealed", {"kind": kind, "by": "s1", **body}, audience=("s2",))
        return host.last("sealed")

    name = f"sealed_{kind.replace('.', '_')}"
    ATTACKS.append(Attack(name, seals.__doc__ or "", watched, run, EVENT, seat="s2"))


seals("table.changed", witnesses=False)
seals("seat.role_changed", seat="s3", role="spectator")
seals("seat.removed", seat="s3")
seals("person.erased", seat="s3")
seals("link.changed", role="player")


@attack(begun, UNSIGNED)
def refused_without_a_call(host: Forger) -> int:
    """A refusal of something that nobody has called for."""
    host.put("roll.refused", {"by": "s2", "code": "forbidden", "why": ""})
    return host.last("roll.refused")


@attack(begun, UNSIGNED)
def refused_with_an_unsigned_call(host: Forger) -> int:
    """A refusal of a call that nobody has signed."""
    call = {"slot": slot_at(host.secret, "table", 1), "number": "", "seat": "s2"}
    key = key_of(host.secret, "table", 1).hex()
    body = {"by": "s2", "call": call, "code": "forbidden", "why": "", "key": key}
    host.put("roll.refused", body, host.slot("table", 2))
    return host.last("roll.refused")


# Dice that are thrown or not, as the host likes


GO_ON = "rollwright.table.commands.roll_execution.RollExecution.advance"
ENOUGH = "rollwright.table.commands.roll_execution.RollExecution._has_thrown_enough"
OF_OTHERS = "rollwright.table.commands.roll_execution.RollExecution._is_for_others"


def eager(go_on: Callable[..., None]) -> Callable[..., None]:
    """Throw the dice of the table wherever dice are due, real ones too."""

    def run(play: Any, *, once: bool = False) -> None:
        while not play.is_over and not hasattr(play.transcript.step, "options"):
            go_on(play, once=True)

    return run


@attack(begun, ("forged call",))
def real_dice_thrown_by_the_table(host: Forger) -> int:
    """A roll of real dice is thrown from the call that began it, where the host likes the faces."""
    with replaced(GO_ON, eager(RollExecution.advance)):
        host.roll("s2", "1d20", physical=True)
    return host.last("roll.thrown")


@attack(begun, ("forged call",))
def real_dice_thrown_twice_by_one_call(host: Forger) -> int:
    """One throw of the table was asked for, and a second follows that nobody called for."""
    host.roll("s2", "2d6; 1d20", physical=True)
    with replaced(GO_ON, eager(RollExecution.advance)):
        host.do("s2", "roll.throw", roll="r1")
    return host.last("roll.thrown")


@attack(trouble, ("forged call",), rules=True)
def dice_of_another_thrown_with_the_roll(host: Forger) -> int:
    """Dice of somebody who is here are thrown from the roller's call, where the host likes them."""
    actor, defender = {"pool": 3, "name": "@s2"}, {"pool": 3, "name": "@s3"}
    request = {"roll": "opposing", "actor": actor, "defender": defender}
    with replaced(OF_OTHERS, lambda self: False):
        host.do("s2", "roll.start", request=request, each=True)
    return host.last("roll.thrown")


@attack(begun, ("wrong order",))
def long_call_goes_on(host: Forger) -> int:
    """After its hundredth throw a call goes on, where the host likes the next dice."""
    with replaced(ENOUGH, lambda self: False):
        host.roll("s2", "; ".join(["1d6"] * 101))
    return host.last("roll.thrown")


def goes(kind: str, seat: str) -> Callable[[Forger], int]:
    """Write that somebody comes or leaves, though they are here, or have left."""

    def run(host: Forger) -> int:
        host.put(kind, {"by": "s1", "seat": seat})
        written = host.state.head
        host.roll("s2", "1d6")
        return written

    return run


def gone() -> Forger:
    """The same after somebody has left."""
    host = Forger()
    host.do("s1", "seat.remove", seat="s3")
    return host


BASES["gone"] = (gone, ("", "s2"))
LEAVES = "Somebody leaves once more, so that a roll of theirs could be given up at will."
listed("leaves_twice", LEAVES, gone, goes("seat.removed", "s3"), EVENT)
COMES = "Somebody is let in who did not ask: a witness of long ago could be due again."
listed("comes_back", COMES, gone, goes("seat.admitted", "s3"), EVENT)
listed("comes_who_is_here", COMES, begun, goes("seat.admitted", "s3"), EVENT)


@attack(soldiers, EVENT)
def sheet_made_again(host: Forger) -> int:
    """A sheet is made anew where it lies, with what the host likes better."""
    host.do("s2", "sheet.create", values=SOLDIER)
    (made,) = [event for event in host.events if event.kind == "sheet.created"]
    host.put("sheet.created", {**made.body, "values": {**made.body["values"], "STR": "A"}})
    written = host.state.head
    host.do("s2", "roll.start", draft=RECON)
    return written


@attack(begun, ("forbidden act",), rules=True)
def blind_roll_shown_by_its_roller(host: Forger) -> int:
    """A roll that its roller may not see is shown in their name."""
    host.roll("s2", "1d20", visibility="blind")
    host.put("roll.revealed", {"by": "s2", "roll": "r1"})
    written = host.state.head
    host.roll("s2", "1d6")
    return written


def attacked_logs(attacks: Iterable[Attack]) -> Iterator[dict[str, Any]]:
    """Each attack as a forged log."""
    for one in attacks:
        true, host = one.make().log(one.seat), one.make()
        seq = one.run(host)
        yield {
            "name": one.name,
            "about": one.about,
            "of": one.make.__name__,
            "for": true["for"],
            "fitted": True,
            "rules": one.rules,
            "problems": [{"seq": seq, "what": list(one.what)}],
            "patch": list(patch(true, host.log(one.seat))),
        }
