"""Whoever names people costs the others little: sheets are read once, names are looked up."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from rollwright.kit.games import find_game
from rollwright.server.live.commands import relevant_state
from rollwright.table import mentions
from rollwright.table.mentions import visible_people
from tests.table.tables import SOLDIER, Host


class Counted:
    """A function that counts how often it is called."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self.times = 0

    def __call__(self, *args: Any) -> Any:
        self.times += 1
        return self.call(*args)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Counts the calls of a function of `table.people`."""

    def count(name: str) -> Counted:
        call = Counted(getattr(mentions, name))
        monkeypatch.setattr(mentions, name, call)
        return call

    return count


def guarded_by(guards: int) -> Host:
    """A table with a soldier of s2 and some guards that everybody sees."""
    host = Host()
    host.do("s2", "sheet.create", values=SOLDIER)
    for number in range(guards):
        guard = {**SOLDIER, "name": f"Guard {number}"}
        host.do("s1", "sheet.create", values=guard, sheet="npc", shown=True)
    return host


def test_a_sheet_is_read_once_until_it_changes(counted: Any) -> None:
    """A form looks at everybody's sheet: sixty of them took it a tenth of a second, each time."""
    host, read = guarded_by(5), counted("sheet_value")
    seat = host.state.seats["s2"]
    before = visible_people(host.state, seat, "s2")
    assert before == visible_people(host.state, seat, "s2")
    assert 5 == read.times
    host.do("s1", "sheet.change", sheet="n1", values={"name": "Vex"})
    assert "Vex" == visible_people(host.state, seat, "s2")[0].name
    assert 6 == read.times


def test_a_sheet_is_read_again_under_other_house_rules(counted: Any) -> None:
    """What a sheet is may depend on them."""
    host, read = guarded_by(2), counted("sheet_value")
    seat = host.state.seats["s2"]
    visible_people(host.state, seat, "s2")
    host.do("s1", "table.change", house=dict(host.state.house))
    visible_people(host.state, seat, "s2")
    assert 4 == read.times


def test_many_names_are_not_compared_with_everybody(counted: Any) -> None:
    """Two thousand typed names at a table of sixty held everybody up for a third of a second."""
    host, compared = guarded_by(30), counted("_comparable")
    names = [{"name": "nobody"}] * 500
    host.refused("s2", "roll.start", request={"roll": "attack", "targets": names})
    assert compared.times < 500 + 4 * 33


def test_a_name_of_player_and_character_alike_is_one_person() -> None:
    """Whoever is called as their character is not meant twice."""
    host = Host()
    host.do("s3", "seat.rename", name="Vex")
    host.do("s3", "sheet.create", values={**SOLDIER, "name": "Vex"})
    host.do("s2", "sheet.create", values=SOLDIER)
    burst = {"roll": "attack", "pick": {"weapon": "M4"}, "set": {"targets": [{"name": "vex"}]}}
    started = host.do("s2", "roll.start", draft=burst)[0]
    assert "@s3" == started.body["what"]["request"]["targets"][0]["name"]


def test_what_is_decided_elsewhere_goes_there_bare() -> None:
    """Neither what was made of sheets nor rolls that have ended are sent along."""
    host = guarded_by(1)
    visible_people(host.state, host.state.seats["s2"], "s2")
    recon = {"roll": "skill", "pick": {"skill_name": "recon"}}
    host.do("s2", "roll.start", draft=recon, physical=True, policy="never")
    host.do("s2", "roll.enter", roll="r1", faces=[3, 4])
    assert host.state.agreed
    part = relevant_state(host.state, {"do": "roll.start"})
    assert {} == part.agreed
    sheet = part.sheets["n1"]
    assert sheet.made_of is not None
    assert sheet == pickle.loads(pickle.dumps(sheet.bare()))
    assert sheet.bare().made_of is None


def test_more_parts_than_there_may_be_are_not_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine thousand checks from a sheet took a quarter of a second before they were refused."""
    from rollwright.kit import sheets
    from rollwright.kit.forms import form_of

    game = find_game("edge20")
    assert game.sheet is not None

    def never(*args: Any) -> Any:
        raise AssertionError("they are filled in")

    long = {"roll": "turn", "set": {"checks": [{"dc": 1}] * 9_000}}
    monkeypatch.setattr(sheets, "filled_parts", never)
    told = form_of(game, long, game.sheet(), None, purpose="roll")
    assert not told["can"]
    assert ["field.many", {"n": "9000", "most": "6"}] == told["why"][1]["said"]
