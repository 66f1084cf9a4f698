"""Tests of sheets at the table: made, changed with a cause, undone, and by effects of rolls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rollwright.kit import Effect, find_game
from rollwright.kit.card.texts import say
from rollwright.table import TableState, effects
from rollwright.table.sheets import CannotRevertError, revert
from rollwright.table.verify.log import verify_log
from tests.drafts import drafted
from tests.table.tables import SOLDIER, Host, soldiers


def pushed(host: Host, seat: str = "s2", **fields: Any) -> str:
    """A recon roll pushed into two 1s with physical dice: the roll's id."""
    host.do(seat, "roll.start", physical=True, **fields)
    roll = f"r{len(host.state.rolls)}"
    host.do(seat, "roll.enter", roll=roll, faces=[2, 3])
    host.do("s1", "roll.choose", roll=roll, option="push")
    host.do(seat, "roll.enter", roll=roll, faces=[1, 1])
    return roll


RECON = {"draft": drafted({"roll": "skill", "skill_name": "recon"})}


def test_making_a_sheet() -> None:
    """A sheet is checked by its game and written whole, whatever the defaults become."""
    host = Host()
    host.do("s2", "sheet.create", values=SOLDIER)
    assert ("s2", "s2", True) == (host.last["sheet"], host.last["owner"], host.last["shown"])
    written = host.last["values"]
    assert ("Bo", "B", 0, 0) == tuple(written[n] for n in ("name", "STR", "damage", "stress"))
    assert "house" not in written
    assert "conflict" == host.refused("s2", "sheet.create").code
    refusal = host.refused("s3", "sheet.create", values={"STR": "E"})
    assert ("bad_field", "values.STR") == (refusal.code, refusal.field)
    assert (
        "did you mean 'stress'" in host.refused("s3", "sheet.create", values={"stres": 1}).message
    )
    assert "bad_field" == host.refused("s3", "sheet.create", sheet="s2").code
    assert "forbidden" == host.refused("s3", "sheet.create", sheet="npc").code


def test_sheets_of_free_notation() -> None:
    """A table without a game keeps any fields."""
    host = Host(game="")
    host.do("s2", "sheet.create", values={"name": "Bo", "gold": 3})
    host.do("s2", "sheet.change", sheet="s2", values={"gold": 5, "hat": True})
    assert {
        "gold": {"before": 3, "after": 5},
        "hat": {"before": None, "after": True},
    } == host.last["changes"]
    assert {"name": "Bo", "gold": 5, "hat": True} == host.state.sheets["s2"].values


def test_the_referees_own_sheets() -> None:
    """Non-player characters are seen by referees alone unless shown; only those that are shown are
    numbered, so that no gap tells of the others."""
    host = Host()
    host.do("s1", "sheet.create", sheet="npc", values={"name": "Guard"})
    guard = host.latest("sheet")
    host.do("s1", "sheet.create", sheet="npc", values={"name": "Dog"}, shown=True)
    host.do("s1", "sheet.create", sheet="s3", values={"name": "Cy"})
    assert [guard, "n1", "s3"] == list(host.state.sheets)
    assert [guard, "n1", "s3"] == [s["sheet"] for s in host.snapshot("s1")["sheets"]]
    assert ["n1", "s3"] == [s["sheet"] for s in host.snapshot("s2")["sheets"]]
    assert "Guard" not in str(host.seen("s2"))
    refusal = host.refused("s2", "sheet.change", sheet=guard, values={"name": "x"})
    assert "not_found" == refusal.code
    assert guard not in refusal.message.replace(f"sheet '{guard}'", "")
    host.do("s1", "sheet.remove", sheet=guard)
    host.do("s1", "sheet.create", sheet="npc")
    assert host.last["sheet"] not in (guard, "n1", "n2")
    host.do("s1", "sheet.create", sheet="npc", shown=True)
    assert "n2" == host.last["sheet"]


def test_changing_by_hand() -> None:
    """A change says what a field was and is, and why; what stays the same is no change."""
    host = soldiers()
    host.do("s2", "sheet.change", sheet="s2", values={"stress": 2}, why="a bad night")
    assert {"stress": {"before": 0, "after": 2}} == host.last["changes"]
    assert host.last["cause"]["hand"]
    assert "a bad night" not in str(host.last)
    assert ["a bad night"] == [t.text for t in host.events[-1].texts.values()]
    assert [] == host.do("s2", "sheet.change", sheet="s2", values={"stress": 2})
    assert (
        "values.stress"
        == host.refused("s2", "sheet.change", sheet="s2", values={"stress": 99}).field
    )
    assert "forbidden" == host.refused("s3", "sheet.change", sheet="s2", values={"stress": 0}).code
    host.do("s1", "sheet.change", sheet="s2", values={"stress": 0})
    assert 0 == host.state.sheets["s2"].values["stress"]


def test_effects_by_hand() -> None:
    """An effect of the game can be applied without a roll: a reload, the next round."""
    host = soldiers()
    weapons = [{"name": "M4", "rounds": 3, "spares": 1}]
    host.do("s2", "sheet.change", sheet="s2", values={"weapons": weapons})
    host.do("s2", "sheet.apply_effect", sheet="s2", kind="reload", target="M4")
    (weapon,) = host.state.sheets["s2"].values["weapons"]
    assert ("M4", 30) == (weapon["name"], weapon.get("rounds", 30))
    assert "reload" == host.last["cause"]["effects"][0]["kind"]
    refusal = host.refused("s2", "sheet.apply_effect", sheet="s2", kind="reload", target="M4")
    assert "no magazine is left" in refusal.message
    assert (
        "did you mean 'stress'"
        in host.refused("s2", "sheet.apply_effect", sheet="s2", kind="stres", amount=1).message
    )
    assert "forbidden" == host.refused("s3", "sheet.apply_effect", sheet="s2", kind="jam").code
    refusal = host.refused("s2", "sheet.apply_effect", sheet="s2", kind="damage", amount=True)
    assert ("bad_field", "amount") == (refusal.code, refusal.field)


def test_an_effect_by_hand_says_which_field_is_wrong() -> None:
    """Amounts beyond all bounds, unknown kinds and unknown targets are refused, each as such."""
    host = soldiers()
    for fields, field, would_do in (
        ({"kind": "damage", "amount": 10**12}, "amount", "-10,000 to 10,000 would do"),
        ({"kind": "damage", "amount": -10_001}, "amount", "-10,000 to 10,000 would do"),
        ({"kind": "rounds", "amount": 1000, "target": "M4"}, "amount.rounds", "0 to 250 would do"),
        ({"kind": "stres", "amount": 1}, "kind", "did you mean 'stress'"),
        ({"kind": "rounds", "amount": -1, "target": "M5"}, "target", "M4"),
    ):
        refusal = host.refused("s2", "sheet.apply_effect", sheet="s2", **fields)
        assert ("bad_field", field) == (refusal.code, refusal.field)
        assert would_do in refusal.message


def test_a_roll_changes_its_rollers_sheet() -> None:
    """Every 1 of a push costs stress, and the change names the roll and its effects."""
    host = soldiers()
    pushed(host, **RECON)
    assert ["roll.thrown", "sheet.changed"] == host.kinds(host.events[-2:])
    assert {"stress": {"before": 0, "after": 2}} == host.last["changes"]
    assert "r1" == host.last["cause"]["roll"]
    told = host.events[-2].body["after"]["effects"]
    assert [("stress", 2, True)] == [(e["kind"], e["amount"], e["applied"]) for e in told]


def test_a_game_that_crashes_over_an_outcome_is_told_to_the_host_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The roll ends without effects; the log names the game, and nothing of what was rolled."""

    def crash(*_: object) -> None:
        raise ValueError("secret faces 1 1")

    monkeypatch.setattr(effects, "_stumbled", set())
    monkeypatch.setattr(find_game("twilight2000"), "effects", crash)
    host = soldiers()
    for _ in range(2):
        pushed(host, **RECON)
        assert [] == host.last["after"]["effects"]
    [line] = caplog.messages
    assert "the game twilight2000 fails to say what a roll changes: ValueError" == line


def many(number: int) -> Callable[..., Iterator[Effect]]:
    """A game's effects of which there are so many."""
    return lambda *_: (Effect("stress", 1) for _ in range(number))


def test_more_effects_than_an_event_has_room_for_are_refused_and_the_roll_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The dice are thrown, so the roll ends; none of its effects happens, in every language."""
    monkeypatch.setattr(find_game("twilight2000"), "effects", many(effects.MOST_EFFECTS + 1))
    host = soldiers()
    pushed(host, **RECON)
    assert "roll.thrown" == host.events[-1].kind
    [told] = host.last["after"]["effects"]
    assert ("", False) == (told["sheet"], told["applied"])
    said = [say(told["said"], "twilight2000", language) for language in ("en", "de", "fr")]
    assert 3 == len({*said})
    assert all(str(effects.MOST_EFFECTS) in one for one in said)
    report = verify_log(host.log("s1"))
    assert report.ok, report.problems


def test_as_many_effects_as_an_event_has_room_for_happen(monkeypatch: pytest.MonkeyPatch) -> None:
    """One less is not refused."""
    monkeypatch.setattr(find_game("twilight2000"), "effects", many(effects.MOST_EFFECTS))
    host = soldiers()
    pushed(host, **RECON)
    assert "sheet.changed" == host.events[-1].kind
    assert effects.MOST_EFFECTS == len(host.events[-2].body["after"]["effects"])


def test_a_session_that_would_change_too_much_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """No dice were thrown for it: the command is refused, and says why."""
    monkeypatch.setattr(find_game("twilight2000"), "new_session", many(10**9))
    refusal = soldiers().refused("s1", "session.end")
    assert "too_much_work" == refusal.code
    assert str(effects.MOST_EFFECTS) in refusal.message


def test_an_effect_that_is_refused_stops_nothing() -> None:
    """What a game refuses is told with its reason; the roll ends as it would have."""
    host = Host(game="ghostburn")
    host.do("s2", "sheet.create", values={"luck_points": 0})
    ask = {"roll": "roll", "ability": 3, "dl": "Easy", "luck_points": 1}
    host.do("s2", "roll.start", request=ask, physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[4, 5])
    host.do("s2", "roll.choose", roll="r1", option="bonus")
    assert "roll.chosen" == host.events[-1].kind
    (effect,) = host.last["after"]["effects"]
    assert ("luck", False) == (effect["kind"], effect["applied"])
    assert "luck_points" in say(effect["why"])


def test_effects_for_others_go_to_their_sheets() -> None:
    """A person in a request is written @SEAT: what befalls them changes their own sheet."""
    host = Host(game="kleptonomicon")
    host.do("s2", "sheet.create", values={"name": "Bo"})
    host.do("s3", "sheet.create", values={"name": "Cy"})
    contest = {"roll": "contest", "first": {"name": "@s2"}, "second": {"name": "@s3"}}
    host.do("s2", "roll.start", request=contest, physical=True)
    after = host.last["after"]
    shown = {"d10": 10, "coin": "won", "toss": "first"}
    while after["step"] == "throw":
        faces = [shown[die] for die in after["dice"]]
        host.do("s2", "roll.enter", roll="r1", faces=faces)
        thrown = [e for e in host.events if e.kind == "roll.thrown"]
        after = thrown[-1].body["after"]
    host.do("s3", "roll.apply", roll="r1")
    changed = [e.body["sheet"] for e in host.events if e.kind == "sheet.changed"]
    assert ["s2", "s3"] == changed
    assert all("due" in str(host.state.sheets[name].values["notes"]) for name in changed)


def test_undoing_a_change() -> None:
    """A referee takes a change back; another change beside it since then stays."""
    host = soldiers()
    first = host.do("s2", "sheet.change", sheet="s2", values={"stress": 2, "STR": "A"})[0].seq
    host.do("s2", "sheet.change", sheet="s2", values={"stress": 3})
    host.do("s1", "sheet.undo", seq=first)
    values = host.state.sheets["s2"].values
    assert (1, "B") == (values["stress"], values["STR"])
    assert {"undo": first} == host.last["cause"]
    assert "conflict" == host.refused("s1", "sheet.undo", seq=first).code
    assert "not_found" == host.refused("s1", "sheet.undo", seq=1).code


def test_undoing_what_something_else_stands_on() -> None:
    """A change that cannot be taken back whole leaves what it must, and says so."""
    host = soldiers()
    first = host.do("s2", "sheet.change", sheet="s2", values={"STR": "A", "stress": 1})[0].seq
    host.do("s2", "sheet.change", sheet="s2", values={"STR": "C"})
    host.do("s1", "sheet.undo", seq=first)
    assert {"undo": first, "left": ["STR"]} == host.last["cause"]
    second = host.do("s2", "sheet.change", sheet="s2", values={"STR": "D"})[0].seq
    host.do("s2", "sheet.change", sheet="s2", values={"STR": "A"})
    assert "by hand" in host.refused("s1", "sheet.undo", seq=second).message


def test_undoing_a_roll() -> None:
    """A roll that is undone gives back what it took, and counts for nothing."""
    host = soldiers()
    roll = pushed(host, **RECON)
    before = dict(host.state.sheets["s2"].values)
    host.do("s2", "sheet.change", sheet="s2", values={"stress": 3})
    host.do("s1", "roll.undo", roll=roll, why="wrong skill")
    assert ["roll.undone", "sheet.changed"] == host.kinds(host.events[-2:])
    assert (2, 1) == (before["stress"], host.state.sheets["s2"].values["stress"])
    assert "undone" == host.state.rolls[roll].status
    assert "conflict" == host.refused("s1", "roll.undo", roll=roll).code


def test_removing_a_sheet() -> None:
    """A removed sheet is gone for everything but the log."""
    host = soldiers()
    seq = host.do("s2", "sheet.change", sheet="s2", values={"stress": 1})[0].seq
    host.do("s1", "sheet.remove", sheet="s2")
    assert [] == host.snapshot("s2")["sheets"]
    assert "gone" == host.refused("s1", "sheet.undo", seq=seq).code
    assert "not_found" == host.refused("s2", "sheet.change", sheet="s2", values={}).code
    assert "no sheet to pick it from" in host.refused("s2", "roll.start", **RECON).message
    host.do("s2", "sheet.create", values={"name": "Bo II", "stress": 3})
    assert "Bo II" == host.state.sheets["s2"].name
    assert "gone" == host.refused("s1", "sheet.undo", seq=seq).code


@pytest.mark.parametrize(("shown", "shooter", "wounds"), [(1, "s2", 3), (0, "s2", 0), (0, "s1", 3)])
def test_wounds_of_a_character_at_the_table(shown: int, shooter: str, wounds: int) -> None:
    """A target written @SHEET takes its wounds on that sheet, if whoever rolls may see it."""
    host = soldiers()
    guard = {"name": "Guard", "hit_capacity": 4}
    host.do("s1", "sheet.create", sheet="npc", shown=bool(shown), values=guard)
    sheet = host.latest("sheet")
    aimed = {"ammo_dice": 0, "targets": [{"name": f"@{sheet}"}]}
    burst = {"roll": "attack", "weapon": "M4", **aimed}
    host.do(shooter, "roll.start", draft=drafted(burst), sheet="s2", physical=True)
    host.do(shooter, "roll.enter", roll="r1", faces=[6, 7])
    while "r1" in host.state.going:
        after = host.last["after"]
        if after["step"] == "choice":
            host.do(shooter, "roll.choose", roll="r1", number=0)
        else:
            host.do(shooter, "roll.enter", roll="r1", faces=[1] * len(after["dice"]))
    if host.state.rolls["r1"].waits:
        host.do("s1", "roll.apply", roll="r1")
    assert wounds == host.state.sheets[sheet].values.get("damage", 0)
    changes = [e for e in host.events if e.kind == "sheet.changed" and e.body["sheet"] == sheet]
    assert [None if shown else ("referee",)] * bool(wounds) == [e.audience for e in changes]


def test_a_sheet_under_the_tables_house_rules() -> None:
    """A sheet that has house rules of its own takes the table's where it names none."""
    host = Host(game="ghostburn", house={"luck_carries": True})
    host.do("s2", "sheet.create", values={"session": 2, "luck_points": 2})
    assert "house" not in host.last["values"]
    plain = Host(game="ghostburn")
    assert (
        "bad_field"
        == plain.refused("s2", "sheet.create", values={"session": 2, "luck_points": 2}).code
    )


@pytest.mark.parametrize(
    ("before", "after", "now", "expected"),
    [
        (1, 3, 3, 1),
        (1, 3, 5, 3),
        ("a", "b", "b", "a"),
        ([1, 2], [1, 3], [7, 3], [7, 2]),
        ({"a": 1}, {"a": 2}, {"a": 3, "b": 1}, {"a": 2, "b": 1}),
        ({}, {"a": 2}, {"a": 2, "b": 1}, {"b": 1}),
        ({"a": 1}, {}, {"b": 1}, {"a": 1, "b": 1}),
        ([{"n": "a", "r": 9}], [{"n": "a", "r": 7}], [{"n": "a", "r": 4}], [{"n": "a", "r": 6}]),
    ],
)
def test_taking_back(before: Any, after: Any, now: Any, expected: Any) -> None:
    """A change is taken out of the middle: numbers by what they changed, the rest by place."""
    assert expected == revert(before, after, now)


@pytest.mark.parametrize(
    ("before", "after", "now"),
    [
        ("a", "b", "c"),
        ([1], [1, 2], [1, 2, 3]),
        (1, 2, "2"),
        ({"a": 1}, {"a": 2}, {}),
        (True, 1, 2),
    ],
)
def test_entangled(before: Any, after: Any, now: Any) -> None:
    """Where something else stands in its place, a change is not taken back."""
    with pytest.raises(CannotRevertError):
        revert(before, after, now)


def test_the_end_of_a_session() -> None:
    """A new session sets Luck anew on every sheet of GHOST/BURN, the referee's included."""
    host = Host(game="ghostburn")
    host.do("s2", "sheet.create", values={"luck_points": 0})
    host.do("s1", "sheet.create", sheet="npc", values={"luck_points": 0})
    events = host.do("s1", "session.end")
    assert ["session.ended", "sheet.changed", "sheet.changed"] == host.kinds(events)
    assert [1, 1] == [sheet.values["luck_points"] for sheet in host.state.sheets.values()]
    assert {"session": 1} == host.last["cause"]
    assert ("referee",) == events[-1].audience
    assert 2 == host.state.session
    assert TableState.of(host.events) == host.state


@pytest.mark.parametrize("game", ["twilight2000", "dust", "kleptonomicon", "edge20", ""])
def test_sessions_that_reset_nothing(game: str) -> None:
    """Where the rules reset nothing, only the number of the session changes."""
    host = Host(game=game)
    host.do("s2", "sheet.create", values={"name": "Bo"})
    assert ["session.ended"] == host.kinds(host.do("s1", "session.end"))
