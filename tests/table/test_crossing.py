"""Tests of commands that cross each other: two hands on one roll, two rolls on one sheet."""

from __future__ import annotations

import pytest

from rollwright.table.verify.log import verify_log
from tests.drafts import drafted
from tests.table.tables import Host, soldiers

SKILL = {"roll": "skill", "attribute": "B", "skill": "C"}


def test_a_choice_for_a_decision_that_is_over() -> None:
    """What was meant for an earlier moment is refused, not taken for the next one."""
    host = Host()
    host.do("s2", "roll.start", request=SKILL, physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[2, 3], index=0)
    refused = host.refused("s2", "roll.choose", roll="r1", option="keep", index=0)
    assert ("conflict", "index") == (refused.code, refused.field)
    host.do("s2", "roll.choose", roll="r1", option="push", index=1)
    assert "index" == host.refused("s2", "roll.enter", roll="r1", faces=[4, 5], index=0).field
    assert "index" == host.refused("s2", "roll.throw", roll="r1", index=1).field
    host.do("s2", "roll.throw", roll="r1", index=2)


def test_taking_back_one_entry_twice() -> None:
    """The second of two hands that take the same entry back does not take the one before it."""
    host = Host()
    host.do("s2", "roll.start", request=SKILL, physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[2, 3])
    host.do("s2", "roll.choose", roll="r1", option="push")
    host.do("s2", "roll.take_back", roll="r1", index=1)
    assert "index" == host.refused("s1", "roll.take_back", roll="r1", index=1).field
    host.do("s1", "roll.take_back", roll="r1", index=0)


def test_two_rolls_that_spend_the_same() -> None:
    """Luck that another roll has spent meanwhile is not spent again without a word (GHOST R13)."""
    host = Host(game="ghostburn")
    skilled = {"name": "Bluff", "ability": "Nerve", "bonus": 2}
    values = {"abilities": [{"name": "Nerve", "score": 3}], "skills": [skilled]}
    host.do("s2", "sheet.create", values=values)
    for name in ("r1", "r2"):
        start = {"draft": drafted({"skill": "Bluff", "dl": "Hard"}), "physical": True}
        host.do("s2", "roll.start", **start)
        host.do("s2", "roll.enter", roll=name, faces=[5, 4])
    host.do("s2", "roll.choose", roll="r1", option="bonus")
    refused = host.refused("s2", "roll.choose", roll="r2", option="bonus")
    assert ("conflict", "anyway") == (refused.code, refused.field)
    assert "the sheet has changed since r2 began: Luck Points was 1 and is 0 now" == refused.message
    host.do("s2", "roll.choose", roll="r2", option="bonus", anyway=True)
    assert host.state.rolls["r2"].status == "done"


def test_a_roll_whose_sheet_could_not_make_it_any_more() -> None:
    """Why the sheet would not do is said; what changed beside the roll does not matter."""
    host = soldiers()
    burst = {"roll": "attack", "weapon": "M4", "ammo_dice": 1}
    host.do("s2", "roll.start", draft=drafted(burst), physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[2, 3, 4])
    host.do("s2", "sheet.change", sheet="s2", values={"name": "Bo the Second"})
    weapons = host.state.sheets["s2"].values["weapons"]
    empty = [{**weapon, "rounds": 0} for weapon in weapons]
    host.do("s2", "sheet.change", sheet="s2", values={"weapons": empty})
    refused = host.refused("s2", "roll.choose", roll="r1", option="keep")
    assert "anyway" == refused.field
    assert "weapon: the M4 is empty (T2K R73)" in refused.message
    host.do("s1", "sheet.remove", sheet="s2")
    host.do("s2", "roll.choose", roll="r1", option="keep")


@pytest.mark.parametrize("shown", [True, False])
def test_rolling_again_with_a_sheet_that_is_not_ones_own_any_more(shown: bool) -> None:
    """A referee who is one no more does not roll with the referees' characters."""
    host = soldiers()
    host.do("s1", "sheet.create", sheet="npc", shown=shown, values={"name": "Guard", "recon": "C"})
    host.do("s1", "seat.change_role", seat="s3", role="referee")
    guard = host.latest("sheet")
    host.do("s3", "roll.start", draft=drafted({"skill_name": "recon"}), sheet=guard)
    host.do("s1", "seat.change_role", seat="s3", role="player")
    assert host.refused("s3", "roll.repeat", roll="r1").field == "sheet"


def test_what_was_signed_before_a_roll_went_on_is_not_taken_for_what_came_then() -> None:
    """Without an index too: whoever was quicker may have known the number of the call."""
    host = Host(signed=True)
    host.do("s2", "roll.start", request=SKILL, physical=True)
    sent = host.command("s2", {"do": "roll.throw", "roll": "r1"})
    host.do("s1", "roll.enter", roll="r1", faces=[1, 2])
    host.do("s1", "roll.choose", roll="r1", option="push")
    refused = host.decide_command("s2", sent)
    assert ["roll.refused"] == [draft.kind for draft in refused.drafts]
    assert refused.refusal is not None
    assert "conflict" == refused.refusal.code
    host.commit(refused)
    host.do("s2", "roll.throw", roll="r1")
    assert verify_log(host.log("s2")).ok
