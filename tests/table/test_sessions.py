"""An evening with each of the five games: rolls, choices, effects, secrets, a true log."""

from __future__ import annotations

from typing import Any

from rollwright.kit.card.texts import say
from rollwright.table import TableState
from tests.drafts import drafted
from tests.table.tables import SOLDIER, Host, check, forget_transcripts, hashed


def kept_in(thrown: Any) -> list[str]:
    """The dice that stay on the table beside a throw: the entry and the place of each."""
    return [at for at, lie in thrown["lies"].items() if lie == "kept"]


def bodies(host: Host, kind: str) -> list[dict[str, Any]]:
    """The bodies of all events of a kind."""
    return [event.body for event in host.events if event.kind == kind]


def enter(host: Host, seat: str, roll: str, *throws: list[Any]) -> None:
    """Faces for throw after throw."""
    for faces in throws:
        host.do(seat, "roll.enter", roll=roll, faces=faces)


def test_an_evening_of_twilight_2000() -> None:
    """A patrol: an ask answered, a burst that hits and jams, a secret watch, a jam cleared."""
    host = Host(players=2, spectators=1, title="Patrol", house={"push_with_nothing": True})
    for seat in ("s2", "s3"):
        host.do(seat, "sheet.create", values={**SOLDIER, "name": f"soldier {seat}"})
    host.offer("s3", *map(str, range(8)))
    host.do(
        "s1",
        "roll_request.create",
        who="all",
        draft=drafted({"skill_name": "recon", "modifier": -1}),
    )
    for seat in ("s2", "s3"):
        host.do(seat, "roll.start", ask="a1", nonce=hashed(seat))
        for roll in list(host.state.going):
            host.do(seat, "roll.choose", roll=roll, option="push", nonce=hashed(f"push {seat}"))
    host.do("s1", "roll_request.close", ask="a1")
    burst = {"roll": "attack", "weapon": "M4", "ammo_dice": 3}
    host.do("s2", "roll.start", draft=drafted(burst), physical=True)
    shot = f"r{len(host.state.rolls)}"
    enter(host, "s2", shot, [2, 6, 3, 1, 4])
    assert ["d8", "d8", "ammo d6", "ammo d6", "ammo d6"] == bodies(host, "roll.thrown")[-1]["dice"]
    host.do("s2", "roll.choose", roll=shot, option="push")
    kept = host.state.rolls[shot].entries
    enter(host, "s2", shot, [1, 1, 6])
    thrown = bodies(host, "roll.thrown")[-1]
    lies = {"kept": {"0.1", "0.3"}, "again": {"0.0", "0.2", "0.4"}}
    assert lies == {
        lie: {place for place, held in thrown["lies"].items() if held == lie} for lie in lies
    }
    assert kept[0]["faces"] == [2, 6, 3, 1, 4]
    outcome = thrown["after"]["fields"]
    assert (True, True, 1) == (outcome["hit"], outcome["pushed"], outcome["sixes"])
    (weapon,) = host.state.sheets["s2"].values["weapons"]
    assert 30 - outcome["rounds_spent"] == weapon["rounds"]
    assert outcome["jammed"] == weapon.get("jammed", False)
    host.do("s1", "sheet.create", sheet="npc", values={"name": "Sentry", "recon": "C"})
    sentry = host.latest("sheet")
    watch = {"draft": drafted({"skill_name": "recon", "pushable": False}), "sheet": sentry}
    host.do("s1", "roll.start", **watch, visibility="hidden", announce=False, nonce=hashed("x"))
    if outcome["jammed"]:
        jam = {"roll": "clear_jam", "weapon": "M4", "tries": 1}
        host.do("s2", "roll.start", draft=drafted(jam), nonce=hashed("y"))
        for roll in list(host.state.going):
            host.do("s2", "roll.choose", roll=roll, option="keep")
    host.do("s1", "roll.reveal", roll=next(r.id for r in host.state.rolls.values() if r.is_secret))
    host.do("s1", "session.end")
    check(host)


def test_an_evening_of_dust() -> None:
    """A chase: doubles taken as Adrenaline, an extended repair across a restart, a duel."""
    host = Host(game="dust", house={"pool_cap": 12})
    driver = {
        "name": "Mara",
        "stats": [{"name": "Wits", "rating": 3}, {"name": "Drive", "rating": 4}],
        "adrenaline": 2,
        "tasks": [{"name": "engine", "target": 6, "limit": 4}],
    }
    host.do("s2", "sheet.create", values=driver)
    drive = {"roll": "roll", "attribute": "Wits", "ability": "Drive"}
    host.do("s2", "roll.start", draft=drafted(drive), physical=True)
    enter(host, "s2", "r1", [10, 9, 9, 3, 3, 2, 2])
    if "r1" in host.state.going:
        host.do("s2", "roll.choose", roll="r1", option="take")
    assert 3 == host.state.sheets["s2"].values["adrenaline"]
    repair = {"roll": "extended", "attribute": "Wits", "task": "engine"}
    host.do("s2", "roll.start", draft=drafted(repair), nonce=hashed("n"))
    while host.state.going:
        forget_transcripts()
        host.state = TableState.of(host.events)
        host.do("s2", "roll.choose", roll="r2", number=0, nonce=hashed("m"))
    done = [b for b in bodies(host, "roll.thrown") if b["roll"] == "r2"][-1]["after"]["fields"]
    (task,) = host.state.sheets["s2"].values["tasks"]
    assert (done["total"], done["turns"]) == (task.get("progress", 0), task.get("turns", 0))
    sides = {"actor": {"name": "@s2", "pool": 4}, "defender": {"name": "@s3", "pool": 4}}
    host.do("s2", "roll.start", request={"roll": "opposing", **sides}, nonce=hashed("d"))
    after = bodies(host, "roll.thrown")[-1]["after"]
    assert ("done", True) == (after["step"], say(after["told"], "dust").startswith("@s2, 4 dice"))
    check(host)


def test_an_evening_of_the_kleptonomicon() -> None:
    """A heist: a Group Test in which the helpers choose, a Contest, a critical noted on a sheet."""
    host = Host(game="kleptonomicon", players=3)
    for seat, name in (("s2", "Bo"), ("s3", "Cy"), ("s4", "Di")):
        host.do(seat, "sheet.create", values={"name": name, "modifiers": [{"name": "Sneaking"}]})
    members = [{"name": f"@s{n}", "modifier": 3 - n} for n in (2, 3, 4)]
    host.do("s1", "roll.start", request={"roll": "group", "members": members}, nonce=hashed("g"))
    while host.state.going:
        after = host.state.rolls["r1"].after
        (chooser,) = after["by"]
        host.do(chooser, "roll.choose", roll="r1", number=after["count"] - 1)
    chosen = bodies(host, "roll.chosen")
    assert {body["by"] for body in chosen} <= {"s2", "s3", "s4"}
    host.do(
        "s2", "roll.start", draft=drafted({"roll": "test", "score_name": "Sneaking"}), physical=True
    )
    enter(host, "s2", "r2", [10], ["won"])
    assert ["a good side effect is due"] == host.state.sheets["s2"].values["notes"][-1:]
    host.do("s1", "roll.undo", roll="r2", why="the alarm was off")
    assert "due" not in str(host.state.sheets["s2"].values["notes"][-1:])
    check(host)


def test_an_evening_of_edge20() -> None:
    """A fight: a re-roll beside a die that stays, an item that breaks, a private check."""
    host = Host(game="edge20")
    fighter = {
        "name": "Bo",
        "skills": [{"name": "Aim", "modifier": 5}],
        "items": [{"name": "bow", "tier": 1, "effect": "1d8"}],
        "rerolls": 2,
    }
    host.do("s2", "sheet.create", values=fighter)
    host.do("s2", "sheet.apply_effect", sheet="s2", kind="new turn")
    shot = {"skill": "Aim", "item": "bow", "dc": 25, "advantages": 1, "target": "the ogre"}
    host.do("s2", "roll.start", draft=drafted(shot), physical=True)
    enter(host, "s2", "r1", [2, 9, 5])
    options = [option["option"] for option in host.offered]
    assert {"keep", "re-roll lower", "re-roll higher"} == set(options)
    host.do("s2", "roll.choose", roll="r1", option="re-roll lower")
    enter(host, "s2", "r1", [4])
    assert ["0.1"] == kept_in(bodies(host, "roll.thrown")[-1])
    host.do("s2", "roll.choose", roll="r1", option="re-roll lower")
    enter(host, "s2", "r1", [3])
    last = bodies(host, "roll.thrown")[-1]
    assert (["0.1"], "done") == (kept_in(last), last["after"]["step"])
    values = host.state.sheets["s2"].values
    assert (1, 0) == (values["checks_made"], values["rerolls"])
    host.do("s2", "sheet.apply_effect", sheet="s2", kind="new turn")
    host.do("s2", "roll.start", draft=drafted({"skill": "Aim", "dc": 10}), visibility="private")
    assert 0 == host.state.sheets["s2"].values["checks_made"]
    host.do("s2", "roll.apply", roll="r2")
    assert 1 == host.state.sheets["s2"].values["checks_made"]
    check(host)


def test_an_evening_of_ghostburn() -> None:
    """A job: Luck spent on a Fade, a condition from a chart, and a new session with new Luck."""
    host = Host(game="ghostburn")
    ghost = {
        "name": "Bo",
        "abilities": [{"name": "Presence", "score": 3}],
        "skills": [{"name": "Persuade", "ability": "Presence", "bonus": 2}],
    }
    host.do("s2", "sheet.create", values=ghost)
    host.do("s2", "roll.start", draft=drafted({"skill": "Persuade", "dl": "Hard"}), physical=True)
    enter(host, "s2", "r1", [5, 5])
    after = host.last["after"]
    assert (["s2"], "player") == (after["by"], after["role"])
    host.do("s2", "roll.choose", roll="r1", option="bonus")
    assert 0 == host.state.sheets["s2"].values["luck_points"]
    host.do(
        "s2", "roll.start", draft=drafted({"skill": "Persuade", "dl": "Easy"}), nonce=hashed("n")
    )
    assert {} == host.state.going
    host.do("s1", "session.end")
    values = host.state.sheets["s2"].values
    assert (1, 2) == (values["luck_points"], values["session"])
    check(host)
