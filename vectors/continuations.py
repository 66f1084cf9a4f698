"""Attacks by which a host goes on otherwise than an honest one could: more or less in secret, past
an end, by asking witnesses where no dice are due, and with people whom nobody named.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any
from unittest.mock import patch as replaced

from rollwright.table import Decision
from rollwright.table.commands.roll_specs import start_of
from rollwright.table.events import EventDraft
from vectors.attacks import (
    ACT,
    ATTACKS,
    EVENT,
    FIND,
    RECON,
    SKILL,
    SOLDIER,
    Attack,
    Drafts,
    Forger,
    attack,
    begun,
    changed,
    edges,
    marked,
    offered,
    soldiers,
    soldiers_watched,
    watched,
)

__all__ = ["ATTACKS"]

PASSED, WITHHELD = ("witness passed over",), ("withheld event",)
PRIVATE: dict[str, Any] = {"expression": "1d20", "visibility": "private"}
SILENT: dict[str, Any] = {**PRIVATE, "announce": False}


def seen_by(name: str, seat: str, what: tuple[str, ...], run: Callable[[Forger], int]) -> None:
    """List an attack of which the copy of a seat tells."""
    ATTACKS.append(Attack(name, run.__doc__ or "", begun, run, what, seat=seat))


# How secret a roll is


def sealed(drafts: Drafts) -> Drafts:
    """Events of which others do not even learn what they are."""
    bare = without("by", "roll", "visibility", "after")(drafts)
    return [one._replace(kind="sealed", body={"kind": one.kind, **one.body}) for one in bare]


def unsealed(drafts: Drafts) -> Drafts:
    """Sealed events, told to everybody."""
    found = []
    for one in drafts:
        body = {name: held for name, held in one.body.items() if name != "kind"}
        told = {"by": body["by"], "roll": body["roll"], "visibility": "private"}
        shown: Any = {**one.open, **told}
        found.append(one._replace(kind=str(one.body["kind"]), body=body, open=shown))
    return found


def without(*names: str) -> Callable[[Drafts], Drafts]:
    """Events that do not say something to everybody."""

    def forge(drafts: Drafts) -> Drafts:
        found = []
        for one in drafts:
            shown: Any = {name: held for name, held in one.open.items() if name not in names}
            found.append(one._replace(open=shown))
        return found

    return forge


def begins(name: str, about: str, fields: dict[str, Any], forge: Any) -> None:
    """List a roll that begins more or less in secret than was signed."""

    def run(host: Forger) -> int:
        host.forge("s2", forge, "roll.start", **fields)
        return host.state.head - 1

    ATTACKS.append(Attack(name, about, begun, run, EVENT, seat="s2"))


begins("announced_roll_that_is_sealed", "Nobody else learns that somebody rolls.", PRIVATE, sealed)
begins("silent_roll_that_is_told", "Everybody learns that somebody rolls.", SILENT, unsealed)
begins("secret_roll_of_nobody", "Others do not learn who rolls.", PRIVATE, without("by"))
begins("secret_roll_for_nobody", "Nor for whom it is.", PRIVATE, without("visibility"))
MARKS = ("by", "roll", "visibility")
begins("secret_roll_that_looks_open", "Nothing says it is a secret.", PRIVATE, without(*MARKS))


def goes_on(name: str, about: str, fields: dict[str, Any], forge: Any, do: str) -> None:
    """List an event of a secret roll that is more or less secret than the roll."""

    def run(host: Forger) -> int:
        host.do("s2", "roll.start", **fields, physical=True)
        more = {"faces": [3]} if do == "roll.enter" else {}
        host.forge("s2", forge, do, roll=max(host.state.rolls), **more)
        return host.state.head

    ATTACKS.append(Attack(name, about, begun, run, EVENT, seat="s2"))


goes_on("faces_in_silence", "Faces of an announced roll.", PRIVATE, sealed, "roll.enter")
goes_on("faces_aloud", "Faces of a roll nobody knows of.", SILENT, unsealed, "roll.enter")
goes_on("given_up_in_silence", "The end of an announced roll.", PRIVATE, sealed, "roll.cancel")
goes_on("given_up_aloud", "That of one nobody knows of.", SILENT, unsealed, "roll.cancel")
goes_on("revealed_in_silence", "Its roller alone learns of it.", PRIVATE, sealed, "roll.reveal")
goes_on("revealed_and_marked", "It could be kept back later.", PRIVATE, marked, "roll.reveal")


def still(name: str, forge: Any, fields: dict[str, Any]) -> None:
    """A roll goes on in secret after it was revealed."""

    def run(host: Forger) -> int:
        host.do("s2", "roll.start", **fields, physical=True)
        roll = max(host.state.rolls)
        host.do("s2", "roll.reveal", roll=roll)
        host.forge("s2", forge, "roll.enter", roll=roll, faces=[20])
        return host.state.head

    ATTACKS.append(Attack(name, still.__doc__ or "", begun, run, EVENT))


still("secret_after_it_was_revealed", sealed, PRIVATE)
still("hideable_after_it_was_revealed", sealed, SILENT)


def _nothing(host: Forger) -> int:
    """A roll of nothing for which nobody is said to be: who may see it tells all the same."""
    host.devices["s2"].command(host.state, "s2", {"do": "roll.start", "expression": "1d20"})
    shown: Any = {"by": "s2", "roll": "r1"}
    host._commit(Decision((EventDraft("roll.started", {}, ("s9",), shown),)))
    host.kept = {host.state.head}
    host.roll("s2", "1d20")
    return host.state.head - 2


seen_by("roll_of_nothing_for_nobody", "s2", WITHHELD, _nothing)
seen_by("roll_of_nothing_of_which_all_know", "", WITHHELD, _nothing)


def refuses(name: str, about: str, forge: Any, fields: dict[str, Any]) -> None:
    """List a refusal that is more or less secret than its call."""

    def run(host: Forger) -> int:
        command = {"do": "roll.start", **fields, "policy": "never"}
        sent = host.devices["s2"].command(host.state, "s2", command)
        host.act("s2", sent, forge)
        return host.state.head

    ATTACKS.append(Attack(name, about, begun, run, EVENT, seat="s2"))


def _unsealed_refusal(drafts: Drafts) -> Drafts:
    [one] = drafts
    body = {name: held for name, held in one.body.items() if name != "kind"}
    return [one._replace(kind="roll.refused", body=body, open={**one.open, "by": "s2"})]


refuses("refused_in_silence", "A refusal that no other copy can count.", sealed, PRIVATE)
refuses("refused_aloud", "A refusal of a call that nobody knows of.", _unsealed_refusal, SILENT)


def asked_in(name: str, how: dict[str, Any], seat: str, **other: Any) -> None:
    """An ask is answered more or less in secret than was asked for."""

    def run(host: Forger) -> int:
        host.do("s1", "roll_request.create", who=["s2"], expression="1d20", **how)
        [ask] = host.state.asks.values()
        sent = host.devices["s2"].command(host.state, "s2", {"do": "roll.start", "ask": ask.id})
        for field, held in other.items():
            setattr(ask, field, held)
        with replaced("rollwright.table.commands.dispatch.check_lane", _spend):
            host.act("s2", sent)
        return next(one.seq for one in reversed(host.events) if "slots" in one.open)

    about = asked_in.__doc__ or ""
    ATTACKS.append(Attack(name, about, begun, run, (*ACT, *EVENT, "forbidden act"), seat=seat))


def _spend(state: Any, call: Any, **_: Any) -> None:
    call.lane = call.command["lane"]
    call.number = state.lanes[call.lane].number


asked_in("asked_openly_answered_blind", {}, "s1", visibility="blind")
asked_in("asked_openly_answered_in_private", {}, "s2", visibility="private")
asked_in("asked_in_private_answered_openly", {"visibility": "private"}, "s2", visibility="open")
asked_in("asked_in_private_answered_blind", {"visibility": "private"}, "s1", visibility="blind")
asked_in("asked_aloud_answered_in_silence", {"visibility": "private"}, "s2", announce=False)
quiet = {"visibility": "private", "announce": False}
asked_in("asked_in_silence_answered_aloud", quiet, "s2", announce=True)


# Requests that were said whole


def requests(name: str, **other: Any) -> None:
    """A roll that was asked for field by field begins with another field."""

    def run(host: Forger) -> int:
        other_request = {**SKILL, **other}

        def start(state: Any, asked: Any, sheet: Any = None, **held: Any) -> Any:
            return start_of(state, {**asked, "request": other_request}, sheet, **held)

        with replaced("rollwright.table.commands.rolls.start_of", start):
            host.do("s2", "roll.start", request=SKILL)
        return host.last("roll.started")

    about, is_kind = requests.__doc__ or "", "roll" in other
    ATTACKS.append(Attack(name, about, soldiers, run, ACT, rules=not is_kind))


requests("request_with_a_better_attribute", attribute="A")
requests("request_with_a_better_skill", skill="A")
requests("request_with_a_modifier", modifier=2)
requests("request_of_another_kind", roll="attack")


@attack(soldiers, ACT)
def request_for_a_draft(host: Forger) -> int:
    """A form is filled in by the host, and nothing says that it was one."""
    host.do("s2", "sheet.create", values=SOLDIER)

    def forge(drafts: Drafts) -> None:
        drafts[0].body.pop("draft")  # type: ignore[attr-defined]

    host.forge("s2", forge, "roll.start", draft=RECON)
    return host.last("roll.started")


@attack(soldiers, ACT)
def expression_for_a_request(host: Forger) -> int:
    """Dice of the host's in the place of a roll of the game."""
    other = changed("roll.started", what={"expression": "1d20"}, version="", sheet="")
    host.forge("s2", other, "roll.start", request=SKILL)
    return host.last("roll.started")


# Ends


Before = Callable[[Forger], object]
"""What comes before."""


def ends(name: str, about: str, kind: str, *before: Before) -> None:
    """List an event that is written behind something, though it cannot stand there."""

    def run(host: Forger) -> int:
        for one in before:
            one(host)
        roll = f"r{host.state.rolled}"
        held: dict[str, Any] = {"by": "s2", "roll": roll, **BODIES[kind]}
        if kind == "roll.cancelled":
            command = {"do": "roll.cancel", "roll": roll}
            held |= host.devices["s2"].command(host.state, "s2", command)
        host.put(kind, held)
        return host.state.head

    ATTACKS.append(Attack(name, about, soldiers, run, EVENT))


BODIES: dict[str, dict[str, Any]] = {
    "roll.cancelled": {"opened": []},
    "roll.undone": {"by": "s1", "why": None},
    "roll.revealed": {},
    "roll.applied": {"by": "s1", "sheets": ["s2"]},
    "roll.declined": {"by": "s1", "sheets": ["s2"]},
}


def _done(host: Forger) -> None:
    host.roll("s2", "1d20")


def _waits(host: Forger) -> None:
    host.roll("s2", "1d20; 1d6", physical=True)


def _secret(host: Forger) -> None:
    host.do("s2", "roll.start", **PRIVATE)


def _undone(host: Forger) -> None:
    host.do("s1", "roll.undo", roll=f"r{host.state.rolled}")


def _given_up(host: Forger) -> None:
    host.do("s2", "roll.cancel", roll=f"r{host.state.rolled}")


def _revealed(host: Forger) -> None:
    host.do("s2", "roll.reveal", roll=f"r{host.state.rolled}")


ends("undone_while_it_waits", "It has no outcome.", "roll.undone", _waits)
ends("undone_twice", "A roll is undone twice.", "roll.undone", _done, _undone)
ends("undone_after_it_was_given_up", "It was given up.", "roll.undone", _waits, _given_up)
ends("given_up_twice", "A roll is given up twice.", "roll.cancelled", _waits, _given_up)
ends("given_up_after_it_was_undone", "It was undone.", "roll.cancelled", _done, _undone)
ends("revealed_though_open", "All could see it.", "roll.revealed", _done)
ends("revealed_twice", "A roll is revealed twice.", "roll.revealed", _secret, _revealed)
ends("let_happen_where_nothing_waits", "It does nothing to sheets.", "roll.applied", _done)
ends("let_happen_before_the_end", "A roll that goes on.", "roll.applied", _waits)
ends("declined_where_nothing_waits", "It does nothing to sheets.", "roll.declined", _done)
ends("declined_after_it_was_undone", "It was undone.", "roll.declined", _done, _undone)


def tells(name: str, about: str, kind: str, before: Before) -> None:
    """List an event that tells what a roll waits for, where nobody needs to be told."""

    def run(host: Forger) -> int:
        before(host)
        roll = f"r{host.state.rolled}"
        after = copy.deepcopy(host.state.rolls[roll].after)
        held, slots = {"by": "s2", "roll": roll, "after": after}, None
        if kind == "roll.called":
            command = {"do": "roll.throw", "roll": roll}
            held |= host.devices["s2"].command(host.state, "s2", command)
            slots = host.slot("d2", 70)
        host.put(kind, held, slots)
        return host.state.head

    ATTACKS.append(Attack(name, about, soldiers, run, EVENT))


def _choice(host: Forger) -> None:
    host.open_roll()


def _much_later(host: Forger) -> None:
    host.open_roll()
    host.do("s3", "chat.send", text="Well?")


tells("dice_told_again", "A roll of real dice is told again.", "roll.waiting", _waits)
tells("choice_told_again", "So is a choice that all have seen.", "roll.waiting", _much_later)
tells("called_at_a_choice", "Dice are called for where somebody chooses.", "roll.called", _choice)


def stops(name: str, about: str, make: Any, run: Callable[[Forger, Any], None]) -> None:
    """List a roll that is said to have stopped where no rule could have failed."""

    def forge(drafts: Drafts) -> Drafts:
        drafts[0].body["after"] = {"step": "stopped", "why": "It stopped."}  # type: ignore[index]
        return drafts[:1]

    def whole(host: Forger) -> int:
        run(host, forge)
        return host.state.head

    ATTACKS.append(Attack(name, about, make, whole, EVENT))


def _begins(host: Forger, forge: Any) -> None:
    host.forge("s2", forge, "roll.start", expression="1d20")


def _chooses(host: Forger, forge: Any) -> None:
    host.forge("s2", forge, "roll.choose", roll=host.open_roll(), option="push")


def _typed(host: Forger, forge: Any) -> None:
    host.roll("s2", "1d20; 1d6", physical=True)
    host.forge("s2", forge, "roll.enter", roll="r1", faces=[3])


def _taken_back(host: Forger, forge: Any) -> None:
    host.roll("s2", "1d20; 1d6", physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[3])
    host.forge("s2", forge, "roll.take_back", roll="r1")


stops("stopped_before_it_began", "A roll stops at its beginning.", begun, _begins)
stops("stopped_by_a_choice", "A roll stops at a choice.", soldiers, _chooses)
stops("stopped_by_typed_faces", "A roll stops at faces that somebody typed.", begun, _typed)
stops("stopped_by_a_step_back", "A roll stops by a step back.", begun, _taken_back)


def leads_to(name: str, about: str, after: Any) -> None:
    """List a roll that waits for nothing that there is."""

    def run(host: Forger) -> int:
        def forge(drafts: Drafts) -> Drafts:
            drafts[1].body["after"] = after  # type: ignore[index]
            return drafts[:2]

        with replaced("rollwright.table.reducer._continue_roll"):
            host.forge("s2", forge, "roll.start", expression="1d20; 1d6")
        return host.state.head

    ATTACKS.append(Attack(name, about, begun, run, ("malformed event",)))


leads_to("waits_for_what_there_is_not", "A roll waits for another step.", {"step": "later"})
leads_to("waits_for_nothing", "A roll does not say what it waits for.", {})


# Witnesses who are asked where no dice are due


def idle(name: str, about: str, make: Any, run: Callable[[Forger, Any], None]) -> None:
    """List an attack that uses up a number of a witness where no dice of the call are due."""

    def whole(host: Forger) -> int:
        host.offer("s3", "w1", "w2")
        asked: Any = {"witness": offered("s3", "w1")}

        def asking(drafts: Drafts, place: int = 0) -> Drafts:
            one = drafts[place]
            drafts[place] = one._replace(open={**one.open, **asked})
            return drafts[: place + 1]

        run(host, asking)
        return next(one.seq for one in reversed(host.events) if "witness" in one.open)

    ATTACKS.append(Attack(name, about, make, whole, PASSED))


NEVER_ASKED = "rollwright.table.commands.roll_execution.RollExecution._witness"


def _at_a_start_by_hand(host: Forger, asking: Any) -> None:
    host.forge("s2", asking, "roll.start", expression="1d20", physical=True)


def _behind_the_start(host: Forger, asking: Any) -> None:
    with replaced(NEVER_ASKED, lambda self, **_: None):
        host.forge("s2", lambda drafts: _told(drafts, asking), "roll.start", expression="1d20")


def _told(drafts: Drafts, asking: Any) -> Any:
    body = {name: drafts[0].body[name] for name in ("by", "roll", "after")}
    return asking([drafts[0], EventDraft("roll.waiting", body)], 1)


def _at_an_answer(host: Forger, asking: Any) -> None:
    host.do("s1", "roll_request.create", who=["s2"], expression="1d20")
    with replaced(NEVER_ASKED, lambda self, **_: None):
        host.forge("s2", lambda drafts: asking([drafts[0], drafts[-2]], 1), "roll.start", ask="a1")


def _at_a_choice(host: Forger, asking: Any) -> None:
    while not host.state.going:
        with replaced(FIND, lambda _: None):
            host.do("s2", "roll.start", request=SKILL)
    host.forge("s2", asking, "roll.choose", roll=f"r{host.state.rolled}", option="keep")


def _at_words(host: Forger, asking: Any) -> None:
    whisper = EventDraft("chat.sent", {"by": "s1", "text": None, "to": ["s1"]}, ("s1",))
    host._commit(Decision(tuple(asking([whisper]))))


idle("asked_for_real_dice", "A roll of real dice asks.", watched, _at_a_start_by_hand)
idle("asked_behind_the_start", "The event behind asks.", watched, _behind_the_start)
idle("asked_by_an_answer", "The answer to an ask asks.", watched, _at_an_answer)
idle("asked_by_a_whisper", "Words that not everybody sees ask.", watched, _at_words)
idle("asked_by_an_end", "A choice that ends a roll asks.", soldiers_watched, _at_a_choice)


# People whom nobody named


def turns(name: str, about: str, to: str, before: Before, *, rules: bool = False) -> None:
    """List a roll that is turned to somebody whom nobody named."""
    for way in ("draft", "request"):

        def run(host: Forger, way: str = way) -> int:
            for seat in ("s1", "s2", "s3"):
                host.do(seat, "sheet.create", values={"name": f"The one of {seat}"})
            before(host)
            fields = {"dc": 10, "target": "Zed"}
            said: dict[str, Any] = {"request": {"roll": "check", **fields}}
            if way == "draft":
                said = {"draft": {"roll": "check", "pick": {}, "set": fields}}
            with replaced("rollwright.table.mentions._NameResolver._resolve_name", lambda *_: to):
                host.do("s2", "roll.start", **said)
            return host.last("roll.started")

        in_rules = rules or way == "request"
        ATTACKS.append(Attack(f"{name}_in_a_{way}", about, edges, run, ACT, rules=in_rules))


def _hides(host: Forger) -> None:
    host.do("s1", "sheet.create", sheet="npc", values={"name": "Goblin"})


def _puppet(host: Forger) -> None:
    host.join("Di")
    last = host.events[-1]
    host.events[-1] = last._replace(texts={})


def _nobody(host: Forger) -> None:
    """Nothing comes before."""


turns("turned_to_nobody", "To a seat that there is not.", "@s9", _nobody)
turns("turned_to_a_secret_of_none", "To a hidden sheet, where none is.", "@n9", _nobody)
turns("turned_to_what_is_hidden", "To a sheet that the roller cannot see.", "@n9", _hides)
turns("turned_to_no_name", "To what nobody is called.", "@nobody", _hides)
turns("turned_to_a_puppet", "To somebody whose name no copy has.", "@s4", _puppet, rules=True)


# Names of rolls


def named_otherwise(name: str, roll: str) -> None:
    """A secret roll of nothing is not the next one, or one verifier might take it for that."""

    def run(host: Forger) -> int:
        shown: Any = {"by": "s2", "roll": roll, "visibility": "hidden"}
        host._commit(Decision((EventDraft("roll.started", {}, ("s9",), shown),)))
        host.kept = {host.state.head}
        return host.state.head

    ATTACKS.append(Attack(name, named_otherwise.__doc__ or "", begun, run, EVENT))


named_otherwise("roll_of_another_kind_of_name", "x7")
named_otherwise("roll_of_other_digits", "r\u0667")
named_otherwise("roll_with_an_end_of_line", "r1\n")
named_otherwise("roll_of_a_later_number", "r9")
named_otherwise("roll_of_a_number_with_a_nought", "r01")


# Entries that a roll does not wait for


@attack(begun, EVENT)
def thrown_where_somebody_chooses(host: Forger) -> int:
    """Dice follow where somebody is said to choose."""
    after = {"step": "choice", "by": ["s2"], "role": "roller", "count": 2, "digest": "00" * 32}

    def forge(drafts: Drafts) -> None:
        drafts[0].body["after"].update(after)  # type: ignore[attr-defined]

    host.forge("s2", forge, "roll.start", expression="1d20; 1d6")
    return host.last("roll.started") + 1


def typed(name: str, about: str, what: tuple[str, ...], do: str, **other: Any) -> None:
    """List typed faces, or a step back over them, that are told otherwise."""

    def run(host: Forger) -> int:
        host.roll("s2", "2d6; 1d8", physical=True)
        host.do("s2", "roll.enter", roll="r1", faces=[3, 4])
        more = {"faces": [5]} if do == "roll.enter" else {}
        kind = "roll.thrown" if more else "roll.taken_back"
        host.forge("s2", changed(kind, **other), do, roll="r1", **more)
        return host.state.head

    ATTACKS.append(Attack(name, about, begun, run, what))


DICE = ("altered dice", "forged event")
FOUR: dict[str, Any] = {"pool": [[{"die": 4, "name": ""}, 1]]}
typed("typed_for_another_die", "Faces of another die than is due.", DICE, "roll.enter", pool=FOUR)
typed("typed_for_no_die", "Faces of no die.", DICE, "roll.enter", pool={"pool": []})
typed("choice_taken_back", "Typed faces are taken back as a choice.", EVENT, "roll.take_back",
      taken="choice")  # fmt: skip


# Rolls that went on in between


PLACE = "rollwright.table.commands.entries.ContinueRollCommand.check_place"


def in_between(name: str, do: str, *steps: tuple[str, dict[str, Any]], **fields: Any) -> None:
    """A referee goes on with somebody's roll once the host knows the number of their call."""

    def run(host: Forger) -> int:
        host.do("s2", "roll.start", request=SKILL, physical=True)
        if do != "roll.throw":
            host.do("s2", "roll.enter", roll="r1", faces=[3, 4])
        command = {"do": do, "roll": "r1", **fields}
        sent = host.devices["s2"].command(host.state, "s2", command)
        for kind, said in steps:
            host.do("s1", kind, roll="r1", **said)
        with replaced(PLACE):
            host.act("s2", sent)
        kinds = ("roll.thrown", "roll.chosen", "roll.taken_back")
        calls = [one for one in host.events if one.kind in kinds and "call" in one.body]
        return next(one.seq for one in reversed(calls) if one.body["by"] == "s2")

    ATTACKS.append(Attack(name, in_between.__doc__ or "", soldiers, run, ACT))


BACK: tuple[str, dict[str, Any]] = ("roll.take_back", {})
PUSHED: tuple[str, dict[str, Any]] = ("roll.choose", {"option": "push"})
OTHERS: tuple[str, dict[str, Any]] = ("roll.enter", {"faces": [1, 2]})
in_between("thrown_for_the_next_dice", "roll.throw", OTHERS, PUSHED)
in_between("chosen_after_other_faces", "roll.choose", BACK, OTHERS, option="push")
in_between("chosen_by_number_after_other_faces", "roll.choose", BACK, OTHERS, number=1, index=1)
in_between("other_faces_taken_back", "roll.take_back", BACK, OTHERS, index=0)
in_between("choice_of_another_taken_back", "roll.take_back", PUSHED)


@attack(soldiers, (*ACT, "altered request"))
def request_of_another_game(host: Forger) -> int:
    """A roll is told as one of a game that nobody here has, so that nobody plays it again."""

    def forge(drafts: Drafts) -> None:
        drafts[0].body["what"]["request"]["game"] = "elsewhere"

    host.forge("s2", forge, "roll.start", request=SKILL)
    return host.last("roll.started")


def keeps_back(name: str, about: str, *kinds: str) -> None:
    """List ends of a secret roll that nobody can look into, one more than there can be."""

    def run(host: Forger) -> int:
        host.do("s2", "roll.start", **PRIVATE, physical=True)
        for kind in kinds:
            shown: Any = {"by": "s2", "roll": "r1", "visibility": "private"}
            if kind in ("roll.waiting", "roll.thrown"):
                shown["after"] = {"step": "done"}
            host._commit(Decision((EventDraft(kind, {}, ("s9",), shown),)))
            host.kept.add(host.state.head)
        return host.state.head

    ATTACKS.append(Attack(name, about, begun, run, EVENT))


keeps_back("given_up_twice_in_secret", "It ends twice.", "roll.cancelled", "roll.cancelled")
keeps_back("thrown_after_an_end_in_secret", "It goes on.", "roll.cancelled", "roll.thrown")
keeps_back("undone_in_secret_while_it_waits", "It has no outcome.", "roll.undone")
keeps_back("undone_twice_in_secret", "It is undone twice.", "roll.thrown", *["roll.undone"] * 2)


@attack(begun, EVENT)
def session_that_ends_twice(host: Forger) -> int:
    """A session ends a second time: what that does to sheets would happen again."""
    host.do("s1", "session.end")
    host.put("session.ended", {"by": "s1", "number": 1, "version": ""})
    return host.last("session.ended")
