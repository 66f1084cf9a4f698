"""Sheets of another version are not called true, and long rolls are checked in one go."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
from vectors.attacks import Drafts, Forger, begun

from rollwright.engine.play import OpenRoll
from rollwright.engine.transcript import ThrowEntry
from rollwright.kit.games import find_game
from rollwright.notation import as_rule
from rollwright.table.verify.entries import RollReplay
from rollwright.table.verify.log import verify_log
from rollwright.table.verify.report import FALSE, PARTLY, TRUE


def ended(version: str | None) -> str:
    """The verdict on a session whose end changes nothing, or all that it has to."""
    host = Forger("ghostburn")
    values = {**find_game("ghostburn").card.starters[0].values, "luck_points": 0}
    host.do("s2", "sheet.create", values=values)

    def forge(drafts: Drafts) -> Drafts:
        assert 1 < len(drafts)
        if version is None:
            return drafts
        body: dict[str, Any] = {**drafts[0].body, "version": version}
        return [drafts[0]._replace(body=body)]

    host.act("s1", {"do": "session.end"}, forge)
    return verify_log(host.log()).verdict


def test_what_a_session_changes_is_left_out_by_no_other_version() -> None:
    """Where a host says so, that nothing was renewed could not be checked, and is said so."""
    assert TRUE == ended(None)
    assert FALSE == ended("1")
    assert PARTLY == ended("0")


def test_a_long_roll_is_not_played_again_for_each_throw() -> None:
    """Whose dice they are is asked at every throw: that took the square of how many there were."""
    replay, played = RollReplay(as_rule("; ".join(["1d6"] * 60))), 0
    go_on = OpenRoll.go_on

    def counted(self: OpenRoll, *entry: Any) -> None:
        nonlocal played
        played += 1
        go_on(self, *entry)

    with patch.object(OpenRoll, "go_on", counted):
        for _ in range(59):
            assert "" == replay.whose
            replay.take(ThrowEntry((3,), "fair"))
    assert played <= 3 * 60


def test_what_a_sheet_of_another_version_lacked_is_not_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An ask was answered without what the sheet lacked then: nobody is accused of it."""
    game, host = find_game("ghostburn"), Forger("ghostburn")
    with monkeypatch.context() as then:
        then.setitem(vars(game), "sheet_version", "0")
        host.do("s2", "sheet.create", values=game.card.starters[0].values)
        lacked = {"ability": "Focus", "skill": "Underwater basket weaving"}
        draft = {"roll": "roll", "pick": lacked, "set": {"dl": "Moderate"}}
        host.do(
            "s1", "roll_request.create", who=["s2"], draft={"roll": "roll", "set": {"dl": "Hard"}}
        )
        host.do("s2", "roll.start", ask="a1", draft=draft)
    report = verify_log(host.log("s2"))
    assert ((), PARTLY) == (report.problems, report.verdict)


@pytest.mark.parametrize("owner", ["s2", "s3", "everybody", "nobody", None])
def test_whose_copy_a_log_says_it_is_excuses_nothing(owner: str | None) -> None:
    """Whoever sees a secret roll that was made again has seen the one before it."""
    host = begun()
    host.do("s2", "roll.start", expression="1d20", visibility="private")
    host.keep_back("roll.started", "roll.thrown")
    host.state.rolls["r1"].what = {"expression": "1d6+14"}
    host.do("s2", "roll.repeat", roll="r1")
    log = {**host.log("s2"), "for": owner}
    found = [(one.seq, one.what) for one in verify_log(log).problems]
    assert (host.last("roll.started"), "forged act") in found


def test_a_false_roll_is_not_played_again_for_each_throw(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was altered is found out of the first ones; that it was is told of all."""
    monkeypatch.setattr("rollwright.table.verify.entries.MOST_EXPLAINED", 10)
    host, explained = begun(), 0
    host.roll("s2", "; ".join(["1d6"] * 40))
    log, explains = host.log(), RollReplay.explains

    def counted(self: RollReplay, *entry: Any) -> bool:
        nonlocal explained
        explained += 1
        return explains(self, *entry)

    for event in log["events"]:
        if event["kind"] == "roll.thrown":
            event["body"]["faces"] = [event["body"]["faces"][0] % 6 + 1]
    with patch.object(RollReplay, "explains", counted):
        assert 40 == len(verify_log(log).problems)
    assert 0 < explained <= 8
