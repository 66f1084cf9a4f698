"""People and characters at the table are aimed at by name; what hits them reaches the sheet."""

from __future__ import annotations

from typing import Any

from rollwright.api import started
from rollwright.kit.games import find_game
from rollwright.kit.surfaces import throw_shown
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
    host.do("s2", "sheet.make", values=SOLDIER)
    host.do("s1", "sheet.make", values={**SOLDIER, "name": "Guard"}, sheet="npc", shown=True)
    shot(host, "@n1")
    assert ("n1",) == host.state.rolls["r1"].waits
    host.do("s1", "roll.apply", roll="r1")
    assert host.state.sheets["n1"].values["damage"] > 0
    assert verify_log(host.log("s2")).ok


def test_the_die_of_a_place_is_called_by_whom_it_hits() -> None:
    """Its name is part of the logged pool and stays; people read whom it is about."""
    host = Host()
    host.do("s2", "sheet.make", values=SOLDIER)
    thrown = shot(host, "Guard")[0].body
    (name,) = thrown["named"]
    assert name.startswith("Guard ")
    assert ["die.place", {"name": "Guard"}] == thrown["named"][name]
    assert verify_log(host.log("s2")).ok


def test_dice_without_such_names_are_called_as_they_are() -> None:
    """Ammo dice have a name for people."""
    attack = find_game("twilight2000").request(
        "attack", attribute="B", skill="C", rate_of_fire=6, ammo_dice=1, rounds=9
    )
    waits = started(attack)
    assert "named" not in throw_shown(waits)  # nothing is thrown yet: real dice are waited for
    assert "named" not in throw_shown(waits.throw([6, 2, 3]))


def test_bullets_without_a_target_do_not_vanish() -> None:
    """T2K R23: with nobody named, the verdict says that two ammo sixes are still to be spent."""
    game = find_game("twilight2000")
    request = game.request(
        "attack", attribute="B", skill="C", rate_of_fire=6, ammo_dice=2, rounds=30
    )
    ended = started(request).throw([6, 2, 6, 6]).choose("keep")
    detail = [game.words.say(text) for text in game.card.verdict(request, ended.outcome).detail]
    assert any(text.startswith("2 bullets to spend") for text in detail)
