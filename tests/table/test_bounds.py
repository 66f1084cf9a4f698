"""A table in memory is bounded, however much has happened at it."""

import sys
from collections.abc import Mapping
from typing import Any

import pytest
from vectors.devices import Device

from rollwright.table import LIMITS, RevokeTokens, TableState
from rollwright.table.errors import NeedsEvents
from rollwright.table.events import Event
from rollwright.table.limits import BoundedCache
from rollwright.table.rolls import TableRoll
from rollwright.table.state import OLD_BYTES
from rollwright.table.transcripts import (
    REMEMBERED_BYTES,
    going,
    transcript_weight,
)
from tests.drafts import drafted
from tests.table.tables import SOLDIER, TABLE, Host, forget_transcripts, hashed

KEEP = 20_000
MANY = 300
PUSHED = {"request": {"roll": "skill", "attribute": "A", "skill": "A"}}


def bounded(**fields: Any) -> Host:
    """A table that keeps little of what has ended."""
    host = Host(**fields)
    host.state = TableState.new(TABLE, keep=KEEP)
    for event in host.events:
        host.state.apply(event)
    return host


def held(value: Any, seen: set[int]) -> int:
    """The bytes of everything that a value holds, counted by walking through it."""
    if id(value) in seen or isinstance(value, type):
        return 0
    seen.add(id(value))
    inner: list[Any] = []
    if isinstance(value, Mapping):
        inner = [*value.keys(), *value.values()]
    elif isinstance(value, (list, tuple, set, frozenset)) or hasattr(value, "popleft"):
        inner = list(value)
    elif hasattr(value, "__slots__"):
        inner = [getattr(value, name) for name in value.__slots__]
    return sys.getsizeof(value) + sum(held(part, seen) for part in inner)


def recalled(host: Host, seat: str, do: str, /, **fields: Any) -> list[Event]:
    """A command that needs what only the log has, as a room does it."""
    with pytest.raises(NeedsEvents) as caught:
        host.decide(seat, do, **fields)
    wanted = set(caught.value.seqs)
    host.state.restore([event for event in host.events if event.seq in wanted])
    return host.do(seat, do, **fields)


def test_a_roll_that_has_ended_takes_little() -> None:
    """After so many rolls and twice as many, each old one adds no more than what is stated."""
    host = bounded(game="")
    sizes = []
    for _ in range(3):
        for _ in range(MANY):
            host.do("s2", "roll.start", expression="2d6")
        sizes.append(held(host.state, set()))
    assert sizes[2] - sizes[1] <= MANY * OLD_BYTES
    assert len(host.state.rolls) < MANY / 5


def test_changes_of_sheets_take_little() -> None:
    """However large they were: the log has them."""
    host = bounded(game="")
    host.do("s2", "sheet.create", values={"n": ""})
    sizes = []
    for round in range(3):
        for number in range(50):
            host.do(
                "s2", "sheet.change", sheet="s2", values={"n": f"{round} {number} " + "x" * 9000}
            )
        sizes.append(held(host.state, set()))
    assert sizes[2] - sizes[1] <= 50 * OLD_BYTES
    assert 2 >= len(host.state.changes)


def test_what_is_old_is_gone_on_with_from_the_log() -> None:
    """Rolled again, applied, undone: an old roll is read again and does what a new one would."""
    host, whole = bounded(), Host()
    for one in (host, whole):
        one.do("s2", "sheet.create", values=SOLDIER)
        one.do("s2", "roll.start", draft=drafted({"skill_name": "recon"}), physical=True)
        one.do("s2", "roll.enter", roll="r1", faces=[1, 1])
        if one.state.going:
            one.do("s2", "roll.choose", roll="r1", number=0)
        for _ in range(60):
            one.do("s3", "roll.start", expression="2d6")
    assert not host.state.roll("r1").is_whole  # type: ignore[union-attr]
    fresh = whole.do("s2", "roll.repeat", roll="r1")
    assert [e.body["what"] for e in fresh[:1]] == [
        event.body["what"] for event in recalled(host, "s2", "roll.repeat", roll="r1")[:1]
    ]
    host.do("s1", "roll.undo", roll="r1")
    assert "undone" == host.state.roll("r1").status  # type: ignore[union-attr]


def test_an_old_change_is_undone_from_the_log() -> None:
    """And what the sheet was before comes back."""
    host = bounded(game="")
    host.do("s2", "sheet.create", values={"n": "a", "m": 0})
    (first,) = host.do("s2", "sheet.change", sheet="s2", values={"n": "b"})
    for number in range(1, 100):
        host.do("s2", "sheet.change", sheet="s2", values={"m": number})
    assert first.seq not in host.state.changes
    recalled(host, "s1", "sheet.undo", seq=first.seq)
    assert ("a", 99) == (host.state.sheets["s2"].values["n"], host.state.sheets["s2"].values["m"])


def test_an_old_secret_is_still_one_and_can_be_revealed() -> None:
    """What is packed says who may see a roll; after the reveal all of its events are open."""
    host = bounded(game="")
    host.do("s2", "roll.start", expression="1d6", visibility="private")
    for _ in range(60):
        host.do("s3", "roll.start", expression="2d6")
    assert "r1" in host.state.old_rolls
    assert not any("body" in view for view in host.seen("s3") if view["open"].get("roll") == "r1")
    host.do("s2", "roll.reveal", roll="r1")
    assert all("body" in view for view in host.seen("s3") if view["open"].get("roll") == "r1")


def test_rolls_that_nobody_heard_of_are_counted_without_looking_at_all() -> None:
    """The reveal of one tells how many more there are, old ones too."""
    host = bounded(game="")
    rolls = []
    for _ in range(60):
        host.do("s2", "roll.start", expression="1d6", visibility="hidden", announce=False)
        rolls.append(host.latest("roll"))
    (first, *_) = host.do("s2", "roll.reveal", roll=rolls[0])
    assert 59 == first.body["unshown"]
    (second, *_) = host.do("s2", "roll.reveal", roll=rolls[-1])
    assert 58 == second.body["unshown"]


A_COMMAND = 500_000
"""Bytes that one command adds to an open roll at most, about."""


def open_rolls(host: Host, seat: str, times: int) -> None:
    """Rolls with more throws than one command makes, so that they stay open."""
    for _ in range(times):
        host.do(seat, "roll.start", expression="+".join(["190d6"] * 105))


def test_an_open_roll_is_bounded_in_bytes() -> None:
    """Beyond its bound nothing more is thrown; nothing that was is lost, and it can be let go.

    By how much a command goes beyond is settled by its throws alone, which are proven.
    """
    host = Host(game="", limits=LIMITS._replace(open_roll_bytes=50_000, open_bytes=10**9))
    open_rolls(host, "s2", 1)
    roll = host.state.rolls["r1"]
    assert 50_000 < roll.weight < 50_000 + A_COMMAND
    assert "too_much_work" == host.refused("s2", "roll.throw", roll="r1").code
    host.do("s2", "roll.cancel", roll="r1")


def test_the_open_rolls_of_a_seat_are_bounded_in_bytes() -> None:
    """One more is refused; a small roll of somebody else goes on all the same."""
    limits = LIMITS._replace(open_bytes_each=300_000, open_bytes=600_000)
    host = Host(game="", limits=limits)
    open_rolls(host, "s2", 1)
    assert "too_many" == host.refused("s2", "roll.start", expression="1d6").code
    host.do("s3", "roll.start", expression="; ".join(["1d6"] * 10))
    assert "done" == host.state.rolls["r2"].status


def test_the_open_rolls_of_a_table_are_bounded_in_bytes() -> None:
    """Together they are about what is stated, whoever rolls."""
    host = Host(game="", players=5, limits=LIMITS._replace(open_bytes=500_000))
    for seat in ("s2", "s3"):
        open_rolls(host, seat, 1)
    assert sum(roll.weight for roll in host.state.going.values()) < 500_000 + A_COMMAND
    assert "too_many" == host.refused("s2", "roll.start", expression="1d6").code


def test_others_cannot_use_up_the_share_of_a_table() -> None:
    """However many rolls they keep open: whoever has less than an equal share may roll."""
    host = Host(game="", players=11, limits=LIMITS._replace(open_rolls=100))
    for seat in range(2, 11):
        for _ in range(12):
            if len(host.state.going) < 100:
                host.do(f"s{seat}", "roll.start", expression="1d6", physical=True)
    assert "too_many" == host.refused("s2", "roll.start", expression="1d6", physical=True).code
    for seat in ("s1", "s11", "s12"):
        for _ in range(100 // 12):
            host.do(seat, "roll.start", expression="1d6", physical=True)
        assert "too_many" == host.refused(seat, "roll.start", expression="1d6").code
    host.do("s1", "seat.remove", seat="s3")
    assert not [roll for roll in host.state.going.values() if roll.by == "s3"]


def test_sheets_are_bounded_together() -> None:
    """Two megabytes for a table, so that the first picture of it is bounded."""
    host = Host(game="", limits=LIMITS._replace(sheets_bytes=10_000))
    host.do("s2", "sheet.create", values={"n": "x" * 6000})
    assert "too_large" == host.refused("s3", "sheet.create", values={"n": "x" * 6000}).code
    host.do("s3", "sheet.create", values={"n": "x"})
    assert (
        "too_large" == host.refused("s3", "sheet.change", sheet="s3", values={"n": "y" * 6000}).code
    )


def test_asks_are_bounded_together() -> None:
    """By the bytes of what they ask for."""
    host = Host(game="", limits=LIMITS._replace(asks_bytes=1000))
    host.do("s1", "roll_request.create", who="all", expression="+".join(["1d6"] * 150))
    refusal = host.refused(
        "s1", "roll_request.create", who="all", expression="+".join(["1d6"] * 150)
    )
    assert "too_many" == refusal.code


def test_people_who_have_left_are_bounded() -> None:
    """They are shown in every picture of the table."""
    host = Host(game="", players=1, limits=LIMITS._replace(seats_ever=3))
    host.do("s1", "seat.remove", seat="s2")
    from rollwright.table import join

    def one_more() -> Any:
        return join(
            host.state,
            role="player",
            name="Cy",
            token_hash=hashed("cy"),
            entropy=host.entropy,
            limits=host.limits,
        )

    host.commit(one_more())
    host.do("s1", "seat.remove", seat="s3")
    with pytest.raises(Exception, match="sat at this table"):
        one_more()


def test_a_seat_has_so_many_devices() -> None:
    """One more takes the oldest token back."""
    host = Host()
    host.do("s2", "seat.move", token_hash=hashed("phone"), keep_old=True)
    assert RevokeTokens("seat", seat="s2", but=LIMITS.tokens - 1) in host.sides


def test_a_seat_with_too_many_devices_goes_on_from_another_alone() -> None:
    """As it is told: then the others are good no more."""
    host = Host()
    about = {"token_hash": hashed("phone"), "keep_old": True}
    keys = [Device(f"d{number}", f"one of many {number}").key for number in range(9)]
    for key in keys[:-1]:
        host.do("s1", "seat.move", seat="s2", key=key, **about)
    told = host.refused("s1", "seat.move", seat="s2", key=keys[-1], **about).message
    assert "move it without keeping the old ones" in told
    host.do("s1", "seat.move", seat="s2", key=keys[-1], token_hash=hashed("phone"))
    assert [keys[-1]] == [device.key for device in host.state.devices_of("s2")]


def test_nobody_uses_up_the_devices_of_a_table() -> None:
    """However often they move: others may still lose their phone."""
    host = Host(limits=LIMITS._replace(seats_ever=20, tokens=4))
    for number in range(30):
        about = {"token_hash": hashed("phone"), "key": Device("", f"one of {number}").key}
        seat = "s2" if len(host.state.devices) < 20 else "s3"
        if len(host.state.devices) < 26:
            host.do("s1", "seat.move", seat=seat, **about)
        else:
            assert "too_many" == host.refused("s1", "seat.move", seat=seat, **about).code
    assert "too_many" == host.refused("s1", "seat.move", seat="s2", **about).code
    host.do("s1", "seat.move", **about)


def test_what_is_remembered_is_bounded_in_bytes() -> None:
    """The longest unused gives way by weight too, and what is very heavy is not kept at all."""
    memory: BoundedCache[str, int] = BoundedCache(100, 1000)
    for number in range(20):
        memory.put(str(number), number, 200)
    assert (5, 1000, None, 19) == (len(memory), memory.weight, memory.get("14"), memory.get("19"))
    memory.put("19", 19, 100)
    memory.put("heavy", 1, 251)
    assert (900, None) == (memory.weight, memory.get("heavy"))


@pytest.mark.long
def test_remembered_transcripts_are_bounded_in_bytes() -> None:
    """Open rolls of very many dice are played again instead of being remembered."""
    forget_transcripts()
    host = Host(game="", players=4)
    for seat in ("s2", "s3", "s4", "s5"):
        open_rolls(host, seat, 3)
    assert 0 == len(going)
    host.do("s2", "roll.start", expression="2d6", physical=True)
    assert 1 == len(going)
    assert going.weight <= REMEMBERED_BYTES
    forget_transcripts()


def test_the_weight_of_a_transcript_is_honest() -> None:
    """It grows with throws and with dice."""
    from rollwright.api import new_transcript
    from rollwright.engine.transcript import ThrowEntry

    few = new_transcript("2d6+1d8").then(ThrowEntry((1, 2), "fair"))
    many = new_transcript("900d6+1d8").then(ThrowEntry((1,) * 900, "fair"))
    assert transcript_weight(few) < 5_000 < 250_000 < transcript_weight(many)


def test_a_packed_roll_is_the_same_roll() -> None:
    """For all that views and undoing ask of it."""
    from rollwright.table.rolls import pack, unpack

    roll = TableRoll("r7", "s2", {}, "", visibility="blind", audience=("referee",), announce=False)
    roll.status, roll.seqs, roll.veiled, roll.changes = "done", [3, 4], [4], [5]
    again = unpack("r7", pack(roll))
    roll.is_whole = False
    assert roll == again
