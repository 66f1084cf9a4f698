"""People and characters at the table are aimed at by name; what hits them reaches the sheet."""

from __future__ import annotations

from typing import Any

from rollwright.api import new_transcript
from rollwright.kit.card.marks import throw_to_json
from rollwright.kit.games import find_game
from rollwright.table.verify.log import verify_log
from tests.drafts import drafted
from tests.table.tables import SOLDIER, Host


def shot(host: Host, target: str) -> list[Any]:
    """s2 hits a target with real dice; the events of the throw for where it strikes."""
    burst = {"roll": "attack", "weapon": "M4", "ammo_dice": 0, "targets": [{"name": target}]}
    host.do("s2", "roll.start", draft=drafted(burst), physical=True, policy="never")
    host.do("s2", "roll.enter", roll="r1", faces=[6, 7])
    return host.do("s2", "roll.enter", roll="r1", faces=[3])


def test_a_character_of_the_referees_is_hit() -> None:
    """What a player's roll does to an NPC that is shown waits for a referee, and reaches it."""
    host = Host()
    host.do("s2", "sheet.create", values=SOLDIER)
    host.do("s1", "sheet.create", values={**SOLDIER, "name": "Guard"}, sheet="npc", shown=True)
    shot(host, "@n1")
    assert ("n1",) == host.state.rolls["r1"].waits
    host.do("s1", "roll.apply", roll="r1")
    assert host.state.sheets["n1"].values["damage"] > 0
    assert verify_log(host.log("s2")).ok


def test_the_die_of_a_place_is_called_by_whom_it_hits() -> None:
    """Its name is part of the logged pool and stays; people read whom and what it is about."""
    host = Host()
    host.do("s2", "sheet.create", values=SOLDIER)
    thrown = shot(host, "Guard")[0].body
    (name,) = thrown["named"]
    assert name.startswith("Guard ")
    assert ["die.hit", {"name": "Guard", "n": int(name[6:])}] == thrown["named"][name]
    assert verify_log(host.log("s2")).ok


def test_dice_without_such_names_are_called_as_they_are() -> None:
    """Ammo dice have a name for people."""
    attack = find_game("twilight2000").request(
        "attack", attribute="B", skill="C", rate_of_fire=6, ammo_dice=1, rounds=9
    )
    waits = new_transcript(attack)
    assert "named" not in throw_to_json(waits)  # nothing is thrown yet: real dice are waited for
    assert "named" not in throw_to_json(waits.throw([6, 2, 3]))


def test_bullets_without_a_target_do_not_vanish() -> None:
    """T2K R23: with nobody named, the verdict says that two ammo sixes are still to be spent."""
    game = find_game("twilight2000")
    request = game.request(
        "attack", attribute="B", skill="C", rate_of_fire=6, ammo_dice=2, rounds=30
    )
    ended = new_transcript(request).throw([6, 2, 6, 6]).choose("keep")
    detail = [game.words.say(text) for text in game.card.verdict(request, ended.outcome).detail]
    assert any(text.startswith("2 bullets to spend") for text in detail)
    assert "a hit for 2 and 2 ammo sixes" in game.tell(request, ended)
    assert "mit 2 Schaden und 2 Kugeln" in game.tell(request, ended, "de")


def aimed_at(host: Host, name: str, by: str = "s2") -> str:
    """What stands in the log for a target that s2 typed."""
    burst = {"roll": "attack", "weapon": "M4", "targets": [{"name": name}], "primary": name}
    host.do(by, "roll.start", draft=drafted(burst), physical=True)
    roll = host.state.rolls[f"r{host.state.rolled}"]
    assert roll.draft is not None
    assert roll.draft["pick"]["targets"] == [{"name": roll.what["request"]["primary"]}]
    found: str = roll.what["request"]["targets"][0]["name"]
    assert verify_log(host.log(by)).ok
    return found


def a_fight() -> Host:
    """Milo plays Vex, Bo plays Milo's brother by the name of Ash."""
    host = Host(players=0)
    for name, character in (("Ann", "Kim"), ("Milo", "Vex the Red"), ("Bo", "Ash")):
        host.join("player", name)
        host.do(f"s{len(host.state.seats)}", "sheet.create", values={**SOLDIER, "name": character})
    return host


def test_a_typed_name_means_whoever_is_called_so() -> None:
    """By character or by player, whatever the capitals and spaces; others stay who they are."""
    host = a_fight()
    assert "@s3" == aimed_at(host, "  vex the  RED")
    assert "@s3" == aimed_at(host, "milo")
    assert "@s4" == aimed_at(host, "Ash")
    assert "@s4" == aimed_at(host, "@s4")
    assert "a marauder" == aimed_at(host, "a marauder")
    assert "Kim" == aimed_at(host, "ann")


def test_what_hits_a_typed_name_reaches_the_sheet() -> None:
    """As if they had been chosen: it waits for whoever plays them."""
    host = a_fight()
    shot(host, "Vex the Red")
    assert ("s3",) == host.state.rolls["r1"].waits
    host.do("s3", "roll.apply", roll="r1")
    assert host.state.sheets["s3"].values["damage"] > 0


def test_a_name_that_two_have_is_asked_about() -> None:
    """Both are named, and nothing begins."""
    host = a_fight()
    host.do("s4", "sheet.change", sheet="s4", values={"name": "Milo"})
    burst = {"roll": "attack", "weapon": "M4", "targets": [{"name": "Milo"}]}
    refused = host.refused("s2", "roll.start", draft=drafted(burst), physical=True)
    assert ("bad_field", "pick.targets.0.name") == (refused.code, refused.field)
    told = "Vex the Red (played by Milo) or Milo (played by Bo)"
    assert told in str(refused)


def test_whom_somebody_cannot_see_is_nobody_for_them() -> None:
    """A hidden character of the referee's is not found out by its name; the referee means it."""
    host = a_fight()
    host.do("s1", "sheet.create", values={**SOLDIER, "name": "Guard"}, sheet="npc")
    guard = host.latest("sheet")
    assert "Guard" == aimed_at(host, "Guard")
    burst = {"roll": "attack", "weapon": "M4", "targets": [{"name": "guard"}]}
    host.do("s1", "roll.start", draft=drafted(burst), sheet="s2", physical=True)
    assert f"@{guard}" == host.state.rolls["r2"].what["request"]["targets"][0]["name"]


def test_somebody_on_the_own_sheet_goes_first() -> None:
    """A foe of that name is kept count of there."""
    host = a_fight()
    host.do("s2", "sheet.change", sheet="s2", values={"foes": [{"name": "Ash", "capacity": 4}]})
    assert "Ash" == aimed_at(host, "Ash")


def test_every_game_knows_whom_a_roll_names() -> None:
    """Conditions of ghostburn, sides and members of the others: typed in a request of a program."""
    typed = {
        "ghostburn": ("roll", {"ability": 1, "dl": "Hard", "target": "milo"}, "target"),
        "edge20": ("check", {"dc": 12, "target": "milo"}, "target"),
        "dust": (
            "opposing",
            {"actor": {"pool": 2}, "defender": {"pool": 2, "name": "milo"}},
            "defender.name",
        ),
        "kleptonomicon": ("contest", {"second": {"name": "milo"}}, "second.name"),
    }
    for game, (roll, fields, path) in typed.items():
        host = Host(game, players=0)
        for name in ("Ann", "Milo"):
            host.join("player", name)
            host.do(f"s{len(host.state.seats)}", "sheet.create", values={})
        host.do("s2", "roll.start", request={"roll": roll, **fields}, physical=True)
        held: Any = host.state.rolls["r1"].what["request"]
        for part in path.split("."):
            held = held[part]
        assert (game, "@s3") == (game, held)
        assert verify_log(host.log("s2")).ok
