"""Witnesses whom secret rolls ask: what everybody may see of it is checked, whoever called."""

import copy
import json
from pathlib import Path

import pytest
from vectors.logs import fitted

from rollwright.dice import D6
from rollwright.engine.steps import Call
from rollwright.kit import Game, Policy, Request, Value, add_game, field
from rollwright.kit.games import remove_game
from rollwright.rules import choose, roll, rule
from rollwright.table.verify.log import verify_log
from tests.table.tables import Host, hashed

LOGS = Path(__file__).parents[1] / "archive" / "3" / "logs"
EVENING = json.loads((LOGS / "twilight2000-everybody.json").read_text("utf-8"))
"""An evening with live witnesses, in the copy that everybody may see; two secret rolls ask one."""
ASKS = [
    place
    for place, event in enumerate(EVENING["events"])
    if "body" not in event and "witness" in event["open"]
]


def found(log):
    """What is wrong, by events, once all hashes were made to fit."""
    return {(problem.seq, problem.what) for problem in verify_log(fitted(log)).problems}


def offers_before(place):
    """The offers that stood there before an event and were never asked for, the oldest first."""
    events = EVENING["events"]
    asked = {event["open"]["witness"]["offer"] for event in events if "witness" in event["open"]}
    offered = [
        {"seat": event["body"]["by"], "offer": offer}
        for event in events[:place]
        if event["kind"] == "witness.committed"
        for offer in event["body"]["commitments"]
    ]
    return [offer for offer in offered if offer["offer"] not in asked]


@pytest.mark.parametrize("place", ASKS)
def test_a_secret_roll_asks_whose_turn_it_is(place):
    """By secret rolls that it only claims, a host could use up the offers of honest witnesses in
    any order, and leave those of an accomplice for the roll that matters.
    """
    log = copy.deepcopy(EVENING)
    event = log["events"][place]
    event["open"]["witness"] = offers_before(place)[-1]
    assert (event["seq"], "witness passed over") in found(log)


def test_nobody_is_silent_who_was_not_asked():
    """A secret in the log is no excuse: who is asked stands where everybody may see it."""
    log = copy.deepcopy(EVENING)
    last = log["events"][-1]
    body = {"by": "", "asked": last["seq"], "seat": "s3"}
    told = {
        "seq": last["seq"] + 1,
        "kind": "witness.timed_out",
        "open": {},
        "body": body,
        "texts": {},
    }
    log["events"].append({**last, "salt": "0" * 64, **told})
    assert (last["seq"] + 1, "forged event") in found(log)


def test_throws_with_and_without_a_witness_are_told_apart() -> None:
    """Where some had one, the report does not say that there was none."""
    report = verify_log(EVENING)
    alone = report.counts["throws"] - report.counts["witnessed throws"]
    assert 1 == alone < report.counts["throws"]
    told = "1 throw without a live witness: it rests on host and roller not acting together."
    assert told in report.sentences()
    assert not any(line.startswith("No live witness") for line in report.sentences())


@pytest.mark.parametrize("change", ["seat.change_role", "seat.remove"])
def test_whoever_leaves_while_dice_wait_has_called_for_them(change):
    """They might roll when they called; that a witness took a moment is no fault of theirs."""
    host = Host("", signed=True, witnesses=True)
    host.offer("s3", "w1")
    host.do("s2", "roll.start", expression="1d6; 1d8")
    role = {"role": "spectator"} if change == "seat.change_role" else {}
    host.do("s1", change, seat="s2", **role)
    host.answer()
    report = verify_log(host.log("s3"))
    assert ((), 2) == (report.problems, report.counts["witnessed throws"])


class Plain(Value):
    """No house rules."""


@rule
async def aim_then_throw(sides: int) -> int:
    """Somebody chooses before anything is thrown."""
    bonus = int(await choose("steady", "quick") == "steady")
    (face,) = (await roll(D6)).readings
    return face + bonus + sides


class Aim(Request, roll="aim", title="Aim", outcome=int):
    """A choice that may be agreed, and then a die."""

    sides: int = field(default=0, help="what is added", low=0, high=5)

    def call(self) -> Call[int]:
        """The rule."""
        return aim_then_throw(self.sides)


@rule
async def once_more(sides: int) -> int:
    """Dice, and a choice whether to throw more of them."""
    (face,) = (await roll(D6)).readings
    if await choose("keep", "more") == "more":
        (face,) = (await roll(D6)).readings
    return face + sides


class More(Aim, roll="more", title="More"):
    """Dice that may be thrown again, as was agreed."""

    def call(self) -> Call[int]:
        """The rule."""
        return once_more(self.sides)


AIMING = Game(
    name="aiming",
    title="Aiming",
    summary="Choose, then throw.",
    requests=(Aim, More),
    house=Plain,
    prefix="AIM",
    rulebook={},
    policies={
        "quick": Policy.of("quick", lambda _: "quick"),
        "more": Policy.of("more", lambda _: "more"),
    },
    default_policy="quick",
)


@pytest.fixture
def aiming():
    """A game of which the first dice of a call may come behind a choice that was agreed."""
    add_game(AIMING)
    yield AIMING.name
    remove_game(AIMING.name)


@pytest.mark.parametrize("agreed", ["", "quick"])
def test_witnesses_asked_in_between_are_counted_where_the_first_dice_are_due(aiming, agreed):
    """By the event of the call, or by a choice behind it that was agreed: whom others asked between
    what the device had seen and its call may have been asked to choose who comes next.
    """
    host = Host(aiming, signed=True, witnesses=True)
    host.offer("s1", "w1", "w2", "w3")
    if not agreed:
        host.do("s2", "roll.start", request={"roll": "aim"})
        sent = host.command("s2", {"do": "roll.choose", "roll": "r1", "option": "quick"})
    else:
        command = {"do": "roll.start", "request": {"roll": "aim"}, "policy": agreed}
        sent = host.command("s2", command)
    host.do("s3", "roll.start", expression="1d20")
    host.answer()
    host.commit(host.decide_command("s2", sent))
    host.answer()
    for seat in host.state.seats:
        report = verify_log(host.log(seat))
        assert ((), 1) == (report.problems, report.counts["insertions"])


def test_a_witness_is_asked_for_no_dice_of_somebody_else() -> None:
    """The roller's call leads to none where the first dice are another's: whoever is asked all the
    same has one number less, and the next turn comes sooner.
    """
    host = Host("dust", signed=True, witnesses=True)
    host.offer("s1", "w1", "w2")
    actor, defender = {"pool": 3, "name": "@s3"}, {"pool": 3, "name": "@s2"}
    request = {"roll": "opposing", "actor": actor, "defender": defender}
    decision = host.decide("s2", "roll.start", request=request, each=True)
    [first, *_] = decision.drafts
    assert "witness" not in first.open
    offer = next(iter(host.state.offers))
    first = first._replace(open={**first.open, "witness": {"seat": "s1", "offer": offer}})
    [event] = host.commit(decision._replace(drafts=(first,)))
    problems = verify_log(host.log("s3")).problems
    assert (event.seq, "witness passed over") in {(one.seq, one.what) for one in problems}


@pytest.mark.parametrize("kept", [False, True])
def test_what_was_agreed_is_done_though_its_roller_has_left_by_then(aiming, kept):
    """They were here when they called. A host that knows what the number of a witness leads to
    could say that they left, and keep the next dice back for another call.
    """
    host = Host(aiming, signed=True, witnesses=True)
    host.offer("s1", "w1")
    host.do("s2", "roll.start", request={"roll": "more"}, policy="more")
    host.do("s1", "seat.remove", seat="s2")
    number = host.command("s1", {"do": "witness.reveal", "asked": 6, "number": hashed("w1")})
    told = host.decide_command("s1", number)
    kinds = [draft.kind for draft in told.drafts]
    assert ["witness.revealed", "roll.thrown", "roll.chosen", "roll.thrown"] == kinds
    host.commit(told._replace(drafts=told.drafts[:2]) if kept else told)
    problems = [one.what for one in verify_log(host.log("s3")).problems]
    assert (["dropped event"] if kept else []) == problems
