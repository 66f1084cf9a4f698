"""A client signs what it calls for, once, and notices what a host does with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rollwright.client import ServerError, Table, UnfairHostError, Unreachable
from rollwright.client.devices import MOST_CALLS, SIGNED, THROWS, SigningDevice
from rollwright.client.seat_stores import FileSeatStore
from rollwright.table import Decision
from rollwright.table.commands.dispatch import COMMANDS
from rollwright.table.events import EventDraft
from rollwright.table.verify.log import verify_log
from tests.client.hosted import asking_of, device_of, rolled_back, say_silent, sit_down
from tests.table.tables import Host, hashed


def seated(game: str = "", **fields: Any) -> Table:
    """A seat with a device at a table of its own."""
    return sit_down(Host(game, players=0, **fields))


def host_of(table: Table) -> Host:
    """The host of a table."""
    return asking_of(table).host


def test_what_is_signed_is_what_the_table_wants_signed() -> None:
    """Neither more nor less, so that no command of a client is refused for it."""
    known = {do: command.signs for do, command in COMMANDS.items() if command.signs}
    assert {do for do, signs in known.items() if signs == "throws"} == THROWS
    assert set(known) == SIGNED


def test_a_log_of_what_a_client_does_is_true_and_signed() -> None:
    """Throws, choices, typed faces, what is taken back and let go, and secret rolls."""
    table = seated("twilight2000")
    for _ in range(3):
        roll = table.roll({"roll": "skill", "attribute": "C", "skill": "C"}, note="Quietly!")
        if roll.waits_for == "choice":
            roll = table.choose(roll, "push")
        assert roll.has_outcome
    skill = {"roll": "skill", "attribute": "B", "skill": "C"}
    roll = table.enter(table.roll(skill, physical=True), [3, 2])
    roll = table.take_back(roll)
    table.do("roll.cancel", roll=roll.id)
    table.throw(table.roll("1d20", physical=True))
    table.roll("1d20", visibility="hidden", announce=False)
    table.roll("1d20", visibility="private")
    for seat in ("s1", "s2"):
        report = verify_log(host_of(table).log(seat))
        assert () == report.problems
        assert 0 == report.counts["unsigned throws"] == report.counts["calls never answered"]
    assert 0 < verify_log(table.log()).counts["signatures"]
    assert [] == table.protests


def test_the_lane_of_a_roll_that_others_do_not_learn_of() -> None:
    """It is the table's, from its start to its end, and after a reveal the device's again."""
    table = seated("twilight2000")
    skill = {"roll": "skill", "attribute": "C", "skill": "C"}
    roll = table.roll(skill, physical=True, visibility="private", announce=False)
    assert "table" == asking_of(table).last["lane"]
    roll = table.enter(roll, [3, 2])
    assert "table" == asking_of(table).last["lane"]
    table.reveal(roll)
    roll = table.choose(roll, "keep")
    assert (True, "d1") == (roll.has_outcome, asking_of(table).last["lane"])
    assert [1, 2] == [one["call"]["counter"] for one in asking_of(table).asked if "call" in one][:2]


def test_a_silent_ask_is_answered_silently() -> None:
    """Whoever is asked in secret rolls in the lane of the table."""
    table = seated()
    table.roll("1d6")
    host_of(table).do(
        "s1",
        "roll_request.create",
        who=["s2"],
        expression="1d6",
        visibility="private",
        announce=False,
    )
    table.do("roll.start", ask=host_of(table).last["ask"])
    assert "table" == asking_of(table).last["lane"]
    fresh = Table(asking_of(table), table.id, "token", seat="s2", device=device_of(table))
    assert fresh.roll("1d20").has_outcome


def test_what_was_not_answered_is_sent_again_as_the_same_bytes(tmp_path: Path) -> None:
    """Also by a program that was started anew; it is kept before it is sent."""
    file = FileSeatStore(tmp_path / "seat.json")
    table = sit_down(Host("", players=0), file)
    asking = asking_of(table)

    def lose(command: dict[str, Any]) -> dict[str, Any]:
        raise Unreachable("lost")

    asking.before = lose
    with pytest.raises(Unreachable):
        table.do("roll.start", expression="1d20", id="line-0001")
    again = SigningDevice.load(file)
    assert again is not None
    assert ["line-0001"] == again.pending_commands
    asking.before = lambda command: command
    table = Table(asking, table.id, "token", seat="s2", device=again)
    table.do("roll.start", expression="1d20", id="line-0001")
    table.do("roll.start", expression="1d20", id="line-0001")
    assert asking.asked[0] == asking.asked[1] == asking.asked[2]
    assert [] == again.pending_commands
    assert 0o600 == (tmp_path / "seat.json").stat().st_mode & 0o777


def test_a_call_that_was_never_answered_is_a_gap_in_the_log() -> None:
    """What is called for next has a number of its own, and the log tells of the gap."""
    table = seated()
    asking = asking_of(table)

    def lose(command: dict[str, Any]) -> dict[str, Any]:
        raise Unreachable("lost")

    asking.before = lose
    with pytest.raises(Unreachable):
        table.roll("1d20")
    asking.before = lambda command: command
    table.roll("1d20")
    first, second = asking.asked
    assert first["call"]["number"] != second["call"]["number"]
    assert 1 == verify_log(table.log()).counts["calls never answered"]


def test_a_refusal_is_an_answer() -> None:
    """It stands in the log, and the next call spends the next slot."""
    table = seated()
    with pytest.raises(ServerError):
        table.do("roll.choose", roll="r7", number=0)
    assert [] == device_of(table).pending_commands
    assert table.roll("1d20").has_outcome
    assert (1, ()) == (
        verify_log(table.log()).counts["calls refused"],
        verify_log(table.log()).problems,
    )


def test_others_may_act_in_between() -> None:
    """A client reads the log on before it signs: its head, its slots and the table's."""
    host = Host("", players=1)
    one, other = sit_down(host), sit_down(host)
    for table in (one, other, one, one, other):
        host.do("s2", "roll.start", expression="1d6", visibility="hidden", announce=False)
        assert table.roll("1d20").has_outcome
        table.roll("1d20", visibility="hidden", announce=False)
    assert () == verify_log(one.log()).problems


def forged(table: Table, **changes: Any) -> None:
    """The host writes a call of the seat otherwise than it was signed, and shows that."""

    def change(answer: dict[str, Any]) -> dict[str, Any]:
        for event in answer.get("events", ()):
            if "call" in event.get("body", {}):
                event["body"]["call"] = {**event["body"]["call"], **changes}
        return answer

    asking_of(table).after = change


def test_another_number_is_noticed() -> None:
    """A host that writes a number of its own choice could have chosen the face."""
    table = seated()
    forged(table, number=hashed("the host's own"))
    with pytest.raises(UnfairHostError, match=r"Event 4: .* not as we signed it") as caught:
        table.roll("1d20")
    assert (4, "r1") == (caught.value.seq, caught.value.roll)


def test_a_call_that_we_never_signed_is_noticed() -> None:
    """Somebody else has our key, or our file was put back."""
    table = seated()
    forged(table, counter=7)
    with pytest.raises(UnfairHostError, match="this device did not sign"):
        table.roll("1d20")


def test_no_signature_at_all_is_noticed() -> None:
    """A host that lets nobody sign rests on its own word."""
    table = seated()
    table.roll("1d20")
    host = host_of(table)
    host.state.devices.clear()
    host.do("s2", "roll.start", expression="1d20")
    with pytest.raises(UnfairHostError, match="without our signature"):
        list(table.events())
    with pytest.raises(UnfairHostError, match="without our signature"):
        table.roll("1d20")


def test_a_call_that_is_left_out_is_noticed() -> None:
    """The host says that it was done, and does something else."""
    table = seated()
    asking_of(table).before = lambda command: {
        "id": command["id"],
        "do": "chat.send",
        "text": "Hm.",
    }
    with pytest.raises(UnfairHostError, match="does not hold the call"):
        table.roll("1d20")


@pytest.mark.parametrize("announce", [True, False])
def test_a_call_in_whose_place_stands_a_secret_of_nothing_is_counted(announce: bool) -> None:
    """The gap in the counter could be that secret; whoever made the call knows better."""
    table = seated()
    asking, host = asking_of(table), host_of(table)

    def lose(command: dict[str, Any]) -> dict[str, Any]:
        raise Unreachable("lost")

    table.roll("1d20")
    began = dict(next(one.body for one in host.events if one.kind == "roll.started"))
    asking.before = lose
    with pytest.raises(Unreachable):
        table.roll("1d20", visibility="private", announce=announce)
    asking.before = lambda command: command
    del began["call"]
    name = "r2" if announce else f"r0{host.state.head + 1}"
    nothing = {**began, "roll": name, "visibility": "blind", "announce": announce}
    told = {"by": "s2", "roll": name, "visibility": "blind", "after": {"step": "done"}}
    if announce:
        made = EventDraft("roll.started", nothing, ("referee",), told)
    else:
        made = EventDraft("sealed", {"kind": "roll.started", **nothing}, ("referee",))
    host.commit(Decision((made,)))
    table.roll("1d20", visibility="private", announce=announce)
    table.roll("1d20", visibility="blind", announce=announce)
    table.roll("1d20", visibility="private", announce=announce)
    log = host.log("s2")
    report = verify_log(log)
    assert ((), 0) == (report.problems, report.counts["calls never answered"])
    assert 1 == device_of(table).unanswered_in(log["events"])
    assert 0 == device_of(table).unanswered_in(log["events"][:6])


def test_faces_that_nobody_typed_are_noticed() -> None:
    """A throw that claims to be of real dice has no key; but we typed nothing."""
    table = seated()

    def typed(answer: dict[str, Any]) -> dict[str, Any]:
        for event in answer.get("events", ()):
            if event["kind"] == "roll.thrown":
                event["body"] |= {"how": "typed"}
        return answer

    asking_of(table).after = typed
    with pytest.raises(UnfairHostError, match="we typed none"):
        table.roll("1d20")
    table = seated()
    assert ((1,),) == table.enter(table.roll("1d20", physical=True), [1]).faces


def test_a_roll_that_is_taken_back_is_noticed_once(tmp_path: Path) -> None:
    """A host that restores what was before must say so; then one may go on. Files remember too."""
    file = FileSeatStore(tmp_path / "seat.json")
    table = sit_down(Host("", players=0), file)
    table.roll("1d20")
    rolled_back(table, 2)
    (tmp_path / "copy.json").write_bytes((tmp_path / "seat.json").read_bytes())
    kept = SigningDevice.load(FileSeatStore(tmp_path / "copy.json"))
    for device in (device_of(table), kept):
        assert device is not None
        table.device = device
        with pytest.raises(UnfairHostError, match=r"Event 5: .* no longer has this event"):
            table.roll("1d20")
    assert table.roll("1d20").has_outcome


def test_another_log_is_noticed_where_a_whole_one_is_shown() -> None:
    """It must have the last event that we saw, and our calls where they stood."""
    table = seated()
    table.roll("1d20")
    rolled_back(table, 2)
    with pytest.raises(UnfairHostError, match="does not have event 5"):
        table.log()
    for _ in range(2):
        host_of(table).do("s1", "roll.start", expression="1d20")
    with pytest.raises(UnfairHostError, match="is gone"):
        table.log()


def test_a_slot_that_is_replaced_is_noticed() -> None:
    """A host that publishes another one after it saw what we would throw with could choose."""
    table = seated()
    table.roll("1d20")
    host = host_of(table)
    host.do("s1", "chat.send", text="Hm.")
    said = host.events[-1]
    host.events[-1] = said._replace(open={"slots": {"d1": hashed("another")}})

    with pytest.raises(UnfairHostError, match=r"Event 6: it does not follow|Event 6: the slot"):
        table.roll("1d20")


def test_a_blind_roll_spends_our_slot_and_is_checked_when_it_is_shown() -> None:
    """Whoever cannot see the dice at first compares the call later."""
    for number in ("", hashed("the host's own")):
        table = seated()
        roll = table.roll("1d20", visibility="blind")
        assert () == roll.faces
        assert table.roll("1d20").has_outcome
        host_of(table).do("s1", "roll.reveal", roll="r1")
        if not number:
            assert () == verify_log(table.log()).problems
            continue
        forged(table, number=number)
        with pytest.raises(UnfairHostError):
            list(table.events())
        with pytest.raises(UnfairHostError):
            table.log()


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest go first, and are then no mistake of the host."""
    assert 1000 == MOST_CALLS
    monkeypatch.setattr("rollwright.client.devices.MOST_CALLS", 3)
    table = seated()
    for _ in range(5):
        table.roll("1d20")
    assert 3 == len(device_of(table)._calls)
    table.log()


def test_a_device_that_comes_by_a_link_goes_on_from_there() -> None:
    """It counts from what the table has counted, and what came before is not its own to know."""
    table = seated()
    table.roll("1d20")
    link = table.move()
    device = SigningDevice(link.seed)
    moved = Table(asking_of(table), table.id, link.token, device=device)
    assert moved.roll("1d20").has_outcome
    assert ("d2", "s2") == (device.id, device.log.seat)
    assert table.roll("1d20").has_outcome
    again = Table(asking_of(table), table.id, link.token, device=SigningDevice(link.seed))
    assert again.roll("1d20").has_outcome
    assert () == verify_log(again.log()).problems
    with pytest.raises(UnfairHostError, match="did not sign"):
        moved.roll("1d20")


def test_a_witness_keeps_its_number_until_dice_wait_for_it() -> None:
    """The host learns of it when the call stands in the log; then the dice follow."""
    host = Host("", players=0, witnesses=True)
    roller, witness = sit_down(host), sit_down(host, name="Cy")
    witness.commit_witness(2)
    offered = asking_of(witness).last["command"]["commitments"]
    assert [2, 64] == [len(offered), len(offered[0])]
    device_of(roller).turn.acquire()
    device_of(roller).turn.release()
    host.do("s1", "chat.send", text="Ready?")
    seen: list[Any] = []

    def attend(answer: dict[str, Any]) -> dict[str, Any]:
        if "last" in answer and not seen:
            seen.append(host.events[-1].open["witness"])
            witness._attend(0)
        return answer

    asking_of(roller).after = attend
    roll = roller.roll("1d20")
    assert ([{"seat": "s3", "offer": offered[0]}], True) == (seen, roll.has_outcome)
    report = verify_log(roller.log())
    assert ((), 1) == (report.problems, report.counts["witnessed throws"])
    assert [] == witness.protests


@pytest.mark.parametrize("audience", [None, ("s1",)])
def test_a_witness_tells_no_number_before_dice_wait_for_it(audience: Any) -> None:
    """Host and roller could choose a number for it, if words or anything else could ask."""
    host = Host("", players=0, witnesses=True)
    _, witness = sit_down(host), sit_down(host, name="Cy")
    witness.commit_witness(1)
    [offer] = asking_of(witness).last["command"]["commitments"]
    shown: Any = {"witness": {"seat": "s3", "offer": offer}}
    body = {"by": "s1", "text": None, "to": "all" if audience is None else ["s1"]}
    host.commit(Decision((EventDraft("chat.sent", body, audience, shown),)))
    witness._attend(0)
    assert "witness.commit" == asking_of(witness).last["command"]["do"]
    assert offer in device_of(witness)._offers


def test_a_witness_that_is_passed_over_protests() -> None:
    """It answered, and the host says that it was silent; a number is told once."""
    host = Host("", players=0, witnesses=True)
    roller, witness = sit_down(host), sit_down(host, name="Cy")
    witness.commit_witness(2)

    def lose(command: dict[str, Any]) -> dict[str, Any]:
        raise ServerError(409, {"code": "conflict", "message": "too late"})

    asking_of(witness).before = lose

    def attend(answer: dict[str, Any]) -> dict[str, Any]:
        if "last" in answer:
            witness._attend(0)
            say_silent(host, answer["last"])
        return answer

    asking_of(roller).after = attend
    assert roller.roll("1d20").has_outcome
    list(witness.events())
    assert 1 == len(witness.protests)
    assert "passed over" in witness.protests[0]
    list(witness.events())
    assert 1 == len(witness.protests)
    assert 1 == verify_log(roller.log()).counts["silent witnesses"]


@pytest.mark.parametrize("fields", [{}, {"nonce": None}, {"nonce": ""}])
def test_without_a_device_a_throw_rests_on_the_host(fields: dict[str, Any]) -> None:
    """Whoever signs nothing and gives no number leaves the throw to the table."""
    host = Host("", players=1)
    table = sit_down(host)
    table.device = None
    asking_of(table).seat = table.seat = "s2"
    table.do("roll.start", expression="2d6", **fields)
    started = next(one for one in host.events if one.kind == "roll.started")
    assert "" == started.body["call"]["number"]
    assert table.roll("2d6").has_outcome
    assert 2 == verify_log(host.log("s1")).counts["unsigned throws"]
