"""What a player's roll would do to a sheet of somebody else waits until that person lets it."""

from __future__ import annotations

from typing import Any

import pytest

from rollwright.table.history.documents import history_csv, history_markdown
from rollwright.table.verify.log import verify_log
from tests.drafts import drafted
from tests.table.tables import SOLDIER, Host, check
from tests.table.written_logs import rechained

SEATS = ("s1", "s2", "s3", "s4")


def wounds(host: Host, sheet: str = "s3") -> int:
    """How hurt a character is."""
    found: int = host.state.sheets[sheet].values.get("damage", 0)
    return found


def soldiers(**fields: Any) -> Host:
    """A table where s2, s3 and s4 have sheets."""
    host = Host(players=3, **fields)
    for seat in SEATS[1:]:
        values = {**SOLDIER, "name": f"soldier {seat}", "hit_capacity": 4}
        host.do(seat, "sheet.create", values=values)
    return host


def shoot(host: Host, *targets: str, by: str = "s2", sheet: str = "s2", **fields: Any) -> str:
    """Typed faces that hit every target: somebody who means ill chose them."""
    aims = [{"name": f"@{target}"} for target in targets or ("s3",)]
    burst = {"roll": "attack", "weapon": "M4", "ammo_dice": 0, "targets": aims}
    host.do(by, "roll.start", draft=drafted(burst), sheet=sheet, physical=True, **fields)
    roll = f"r{host.state.rolled}"
    host.do(by, "roll.enter", roll=roll, faces=[6, 7])
    while roll in host.state.going:
        after = host.state.rolls[roll].after or {}
        if after["step"] == "choice":
            host.do(by, "roll.choose", roll=roll, number=0)
        else:
            host.do(by, "roll.enter", roll=roll, faces=[1] * len(after["dice"]))
    return roll


def test_an_attack_on_somebody_elses_sheet_waits() -> None:
    """Typed faces on @s3 change nothing on s3's sheet; the roll says that they would."""
    host = soldiers()
    roll = shoot(host)
    assert 0 == wounds(host)
    assert ("s3",) == host.state.rolls[roll].waits
    after = next(e.body["after"] for e in reversed(host.events) if "after" in e.body)
    waiting = [effect["sheet"] for effect in after["effects"] if effect.get("waits")]
    assert (["s3"], {"s3"}) == (after["waits"], set(waiting))
    assert "sheet.changed" not in [e.kind for e in host.events if e.body.get("sheet") == "s3"]
    check(host)


def test_fair_dice_wait_as_well() -> None:
    """Whoever rolls chose the target, whatever the dice are."""
    host = soldiers()
    burst = {"roll": "attack", "weapon": "M4", "ammo_dice": 0, "targets": [{"name": "@s3"}]}
    for number in range(12):
        host.do("s2", "roll.start", draft=drafted(burst), nonce=f"{number:064x}")
        while host.state.going:
            host.do("s2", "roll.choose", roll=f"r{host.state.rolled}", number=0)
    assert any(roll.waits for roll in host.state.rolls.values())
    assert 0 == wounds(host)
    check(host)


@pytest.mark.parametrize("who", ["s3", "s1"])
def test_its_owner_or_a_referee_lets_it_happen(who: str) -> None:
    """One command; the event names who let it happen, and the sheet changes as it is then."""
    host = soldiers()
    roll = shoot(host)
    host.do("s3", "sheet.change", sheet="s3", values={"damage": 1})
    let, change = host.do(who, "roll.apply", roll=roll)
    assert ("roll.applied", who, ["s3"]) == (let.kind, let.body["by"], let.body["sheets"])
    assert ("sheet.changed", {"before": 1, "after": wounds(host)}) == (
        change.kind, change.body["changes"]["damage"],
    )  # fmt: skip
    assert wounds(host) > 1
    assert () == host.state.rolls[roll].waits
    assert "conflict" == host.refused(who, "roll.apply", roll=roll).code
    host.do("s1", "roll.undo", roll=roll)
    assert 1 == wounds(host)
    check(host)


def test_all_that_a_hit_does_waits_and_happens() -> None:
    """The critical injury with the damage, and both are undone together (T2K R71, R72)."""
    host = soldiers()
    roll = shoot(host)
    after = next(e.body["after"] for e in reversed(host.events) if "after" in e.body)
    waiting = {effect["kind"] for effect in after["effects"] if effect.get("waits")}
    assert {"wound", "crit"} == waiting
    host.do("s3", "roll.apply", roll=roll)
    assert 1 == host.state.sheets["s3"].values["crits"]
    assert wounds(host) > 0
    host.do("s1", "roll.undo", roll=roll)
    assert (0, 0) == (host.state.sheets["s3"].values.get("crits", 0), wounds(host))
    check(host)


@pytest.mark.parametrize("command", ["roll.apply", "roll.decline"])
def test_the_roller_and_others_cannot(command: str) -> None:
    """Neither who rolled nor a third player decides over the sheet of s3."""
    host = soldiers()
    roll = shoot(host)
    for who in ("s2", "s4"):
        assert "forbidden" == host.refused(who, command, roll=roll).code
        assert "forbidden" == host.refused(who, command, roll=roll, sheet="s3").code
    assert "conflict" == host.refused("s3", command, roll=roll, sheet="s2").code


@pytest.mark.parametrize("who", ["s3", "s1"])
def test_it_can_be_declined(who: str) -> None:
    """Then it never happens, and the log says who said no."""
    host = soldiers()
    roll = shoot(host)
    (event,) = host.do(who, "roll.decline", roll=roll)
    told = (event.kind, event.body["by"], event.body["sheets"])
    assert ("roll.declined", who, ["s3"]) == told
    assert ((), 0) == (host.state.rolls[roll].waits, wounds(host))
    assert "conflict" == host.refused(who, "roll.apply", roll=roll).code
    check(host)


def test_each_sheet_waits_for_its_own() -> None:
    """Two are hit: one lets it happen, the other does not."""
    host = soldiers()
    aims = [{"name": "@s3"}, {"name": "@s4"}]
    roll = shoot_many(host, aims)
    assert {"s3", "s4"} == set(host.state.rolls[roll].waits)
    host.do("s3", "roll.apply", roll=roll)
    assert (True, 0) == (wounds(host, "s3") > 0, wounds(host, "s4"))
    assert ("s4",) == host.state.rolls[roll].waits
    assert "forbidden" == host.refused("s3", "roll.apply", roll=roll).code
    host.do("s4", "roll.decline", roll=roll)
    assert 0 == wounds(host, "s4")
    check(host)


def shoot_many(host: Host, aims: list[dict[str, Any]]) -> str:
    """A burst whose ammo dice hit a second target too."""
    burst = {"roll": "attack", "weapon": "M4", "ammo_dice": 3, "targets": aims}
    host.do("s2", "roll.start", draft=drafted(burst), physical=True)
    roll = f"r{host.state.rolled}"
    host.do("s2", "roll.enter", roll=roll, faces=[6, 7, 6, 6, 6])
    while roll in host.state.going:
        after = host.state.rolls[roll].after or {}
        if after["step"] == "choice":
            host.do("s2", "roll.choose", roll=roll, number=after["count"] - 1)
        else:
            host.do("s2", "roll.enter", roll=roll, faces=[1] * len(after["dice"]))
    return roll


def test_what_a_roll_does_to_ones_own_sheet_happens_at_once() -> None:
    """Rounds are spent from one's own weapon without a word of anybody."""
    host = soldiers()
    shoot(host)
    (weapon,) = host.state.sheets["s2"].values["weapons"]
    assert weapon["rounds"] < 30


def test_a_referees_roll_happens_at_once() -> None:
    """Whoever runs the game needs nobody's leave, also with the sheet of a player."""
    host = soldiers()
    shoot(host, by="s1")
    assert wounds(host) > 0
    check(host)


def test_the_referee_decides_for_characters_of_their_own() -> None:
    """A player's shot at a guard waits for the referee, and nobody else."""
    host = soldiers()
    host.do("s1", "sheet.create", sheet="npc", shown=True, values={"name": "Guard"})
    roll = shoot(host, "n1")
    assert "forbidden" == host.refused("s3", "roll.apply", roll=roll).code
    host.do("s1", "roll.apply", roll=roll, sheet="n1")
    assert wounds(host, "n1") > 0
    check(host)


def test_a_secret_attack_waits_for_its_victim_too() -> None:
    """Revealing it is not leave: the roller shows it, and then its victim decides."""
    host = soldiers()
    roll = shoot(host, visibility="private")
    assert {"s2", "s3"} == set(host.state.rolls[roll].waits)
    assert "forbidden" == host.refused("s3", "roll.apply", roll=roll).code
    host.do("s2", "roll.apply", roll=roll)
    assert (("s3",), 0) == (host.state.rolls[roll].waits, wounds(host))
    check(host)
    host.do("s2", "roll.reveal", roll=roll)
    assert (("s3",), 0) == (host.state.rolls[roll].waits, wounds(host))
    host.do("s3", "roll.apply", roll=roll)
    assert wounds(host) > 0
    check(host)


def test_a_reveal_does_what_the_secret_alone_held_back() -> None:
    """The roller's own sheet changes with the reveal, the victim's does not."""
    host = soldiers()
    roll = shoot(host, visibility="private")
    host.do("s2", "roll.reveal", roll=roll)
    (weapon,) = host.state.sheets["s2"].values["weapons"]
    assert (True, 0) == (weapon["rounds"] < 30, wounds(host))
    assert ("s3",) == host.state.rolls[roll].waits
    check(host)


def test_a_character_that_is_gone_is_not_hit() -> None:
    """Nor is another one who came in its place since."""
    host = soldiers()
    roll = shoot(host)
    host.do("s1", "sheet.remove", sheet="s3")
    assert "conflict" == host.refused("s1", "roll.apply", roll=roll).code
    host.do("s3", "sheet.create", values={**SOLDIER, "name": "a brother"})
    assert "conflict" == host.refused("s3", "roll.apply", roll=roll).code
    assert 0 == wounds(host)
    check(host)


def test_when_the_owner_has_left_a_referee_decides() -> None:
    """The sheet stays at the table without its seat."""
    host = soldiers()
    roll = shoot(host)
    host.do("s1", "seat.remove", seat="s3")
    host.do("s1", "roll.apply", roll=roll)
    assert wounds(host) > 0
    check(host)


def test_an_undone_roll_waits_no_more() -> None:
    """It counts for nothing, so there is nothing to let happen."""
    host = soldiers()
    roll = shoot(host)
    host.do("s1", "roll.undo", roll=roll)
    assert () == host.state.rolls[roll].waits
    assert "conflict" == host.refused("s3", "roll.apply", roll=roll).code
    check(host)


def test_whoever_comes_later_is_shown_what_waits() -> None:
    """The greeting holds the roll, as far as its events are needed to decide; then no more."""
    host = soldiers()
    roll = shoot(host)
    held = host.snapshot("s3")["rolls"][roll]
    assert ("roll.started", ["s3"]) == (held[0]["kind"], held[-1]["body"]["after"]["waits"])
    host.do("s3", "roll.apply", roll=roll)
    assert {} == host.snapshot("s3")["rolls"]


def test_only_so_many_that_wait_are_held_in_memory() -> None:
    """A stranger who shoots on and on fills no greeting; the oldest can still be decided."""
    host = soldiers()
    for _ in range(45):
        host.do("s2", "sheet.change", sheet="s2", values={"weapons": SOLDIER["weapons"]})
        shoot(host)
    assert 40 == len(host.snapshot("s3")["rolls"])
    assert ("s3",) == host.state.rolls["r1"].waits
    host.do("s3", "roll.decline", roll="r1")
    check(host)


def altered(host: Host, alter: Any) -> set[str]:
    """What is said of a log that somebody altered, with every hash made to fit."""
    log = host.log("s1")
    alter(log)
    return {problem.what for problem in verify_log(rechained(log)).problems}


def of_kind(log: dict[str, Any], kind: str) -> dict[str, Any]:
    """The last event of a kind."""
    event: dict[str, Any] = [e for e in log["events"] if e["kind"] == kind][-1]
    return event


def test_a_host_that_lets_it_happen_by_itself_is_found() -> None:
    """The roller's own leave, a stranger's, or none at all: the log is not true."""
    host = soldiers()
    roll = shoot(host)
    host.do("s3", "roll.apply", roll=roll)
    for somebody in ("s2", "s4"):
        found = altered(
            host,
            lambda log, seat=somebody: of_kind(log, "roll.applied")["body"].update(by=seat),
        )
        assert "forbidden act" in found
    assert "forbidden act" in altered(
        host, lambda log: log["events"].remove(of_kind(log, "roll.applied"))
    )


def test_a_leave_that_changes_nothing_is_found() -> None:
    """What was let happen must follow, whole; and only what waited can be let happen."""
    host = soldiers()
    roll = shoot(host)
    host.do("s1", "roll.apply", roll=roll)
    host.do("s3", "chat.send", text="ouch")
    assert "dropped event" in altered(
        host, lambda log: log["events"].remove(of_kind(log, "sheet.changed"))
    )
    assert "forged event" in altered(
        host, lambda log: of_kind(log, "roll.applied")["body"].update(sheets=["s3", "s4"])
    )
    assert "altered outcome" in altered(
        host, lambda log: of_kind(log, "roll.thrown")["body"]["after"].pop("waits")
    )


def test_without_the_rules_too_nobody_changes_anothers_sheet() -> None:
    """Leave is asked for whoever rolled, also where the game is not installed here."""
    host = soldiers()
    roll = shoot(host)
    host.do("s3", "roll.apply", roll=roll)

    def forget(log: dict[str, Any]) -> None:
        for event in log["events"]:
            if "version" in event["body"]:
                event["body"]["version"] = "none that is installed"

    assert set() == altered(host, forget)

    def jump(log: dict[str, Any]) -> None:
        forget(log)
        log["events"].remove(of_kind(log, "roll.applied"))

    assert "forbidden act" in altered(host, jump)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("roll.apply", "Let happen by player 1:"),
        ("roll.decline", "Not let happen by player 1:"),
        ("", "Waits to be let happen:"),
    ],
)
def test_the_history_says_who_let_it_happen(command: str, said: str) -> None:
    """Or who did not; or that nobody has said a word yet."""
    host = soldiers()
    roll = shoot(host)
    if command:
        host.do("s3", command, roll=roll)
    assert said in history_markdown(host.seen("s1"))
    assert (command != "roll.apply") == ("(not done)" in history_csv(host.seen("s1")))
