"""Adds to the archive what it does not have yet: `python -m tests.archive.make`.

What lies there in a frozen format is never written again: it must be read for ever. A new kind
of event or of roll, or a new version of one, gets files of its own, by a longer script here.
Format 3 of logs is not frozen yet: until it is, its files may be deleted, with their digests, and
made anew.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rollwright.kit.games import own_games
from rollwright.server.storage.appends import Creation
from rollwright.server.storage.store import Store
from rollwright.table import Decision
from rollwright.table.imports import import_log, rebase
from tests.drafts import drafted
from tests.table.tables import TABLE, Host, hashed

HERE = Path(__file__).parent
DIGESTS = HERE / "digests.json"
STORED = HERE.parent / "games"
NOW = 1_789_100_000_000

SHEETS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "dust": (
        {
            "name": "Ana",
            "stats": [{"name": "Perception", "rating": 3}, {"name": "Wits", "rating": 4}],
            "adrenaline": 4,
        },
        {"roll": "roll", "attribute": "Perception", "ability": "Wits", "modifier": 1},
    ),
    "edge20": (
        {
            "name": "Mara",
            "skills": [{"name": "Marksmanship", "modifier": 6}],
            "items": [{"name": "rifle", "tier": 3, "effect": "2d6+3"}],
            "edges": ["high ground"],
        },
        {"roll": "check", "skill": "Marksmanship", "item": "rifle", "dc": 15},
    ),
    "ghostburn": (
        {
            "name": "Nix",
            "abilities": [{"name": "Strength", "score": 5}],
            "skills": [{"name": "Firearms", "ability": "Strength", "bonus": 1}],
        },
        {"roll": "roll", "skill": "Firearms", "dl": "Hard"},
    ),
    "kleptonomicon": (
        {"name": "Alice", "modifiers": [{"name": "Sneaking", "value": 2}]},
        {"roll": "test", "score_name": "Sneaking"},
    ),
    "twilight2000": (
        {
            "name": "Bo",
            "STR": "B",
            "recon": "B",
            "ranged_combat": "C",
            "hit_capacity": 4,
            "weapons": [{"name": "M4", "rate_of_fire": 6, "rounds": 30, "magazine_size": 30}],
        },
        {"roll": "skill", "skill_name": "recon"},
    ),
}
"""For each game a sheet, and a roll that is made from it."""
HOUSE: dict[str, dict[str, Any]] = {
    "dust": {"pool_cap": 12},
    "twilight2000": {"push_with_nothing": True},
}


def go_on(host: Host, seat: str, roll: str) -> None:
    """Play a roll to its end: fair dice, and each time the last option."""
    for step in range(60):
        host.answer()
        if roll not in host.state.going:
            return
        after, nonce = host.state.rolls[roll].after or {}, hashed(f"{roll} {step}")
        if after["step"] == "throw":
            host.do(seat, "roll.throw", roll=roll, nonce=nonce)
            continue
        who = "s1" if after["by"][0] == "referee" else after["by"][0]
        number = after["count"] - 1
        host.do(who, "roll.choose", roll=roll, number=number, nonce=nonce, anyway=True)


def start(host: Host, seat: str, **fields: Any) -> str:
    """Begin a roll."""
    host.do(seat, "roll.start", nonce=hashed(f"start {host.state.rolled}"), **fields)
    return f"r{host.state.rolled}"


def retyped(host: Host, path: Path) -> None:
    """A stored transcript once more at the table, its faces typed in and its choices made."""
    plain = json.loads(path.read_text("utf-8"))
    request = {**plain["request"], "game": host.state.game}
    if request["house"] != host.state.house:
        return
    roll = start(host, "s3", request=request, physical=True)
    for answer in plain["answers"]:
        if roll not in host.state.going:
            break
        after = host.state.rolls[roll].after or {}
        if "faces" in answer and after["step"] == "throw":
            if answer["faces"]:
                who = "s1" if after["by"] == "referee" else after["by"]
                host.do(who, "roll.enter", roll=roll, faces=answer["faces"])
        elif "option" in answer and after["step"] == "choice":
            host.do("s1", "roll.choose", roll=roll, option=answer["option"])
    if roll in host.state.going:
        if host.state.rolls[roll].entries:
            host.do("s1", "roll.take_back", roll=roll)
        host.do("s3", "roll.cancel", roll=roll)


def an_evening(game: str, called: str = "", *, signed: bool = False) -> Host:
    """Every kind of roll of a game, every way to see one, sheets, undo, house rules, an import.

    `called` is the name by which it is installed, where that is another. People who have `signed`
    have live witnesses too.
    """
    host = Host(
        called or game,
        players=2,
        spectators=1,
        seed=f"archive {game}",
        signed=signed,
        witnesses=signed,
    )
    values, draft = SHEETS[game]
    for seat in ("s2", "s3"):
        host.offer(seat, *[f"{seat} {n}" for n in range(8)])
        host.do(seat, "sheet.create", values={**values, "name": f"{values['name']} {seat}"})
    host.do("s1", "sheet.create", sheet="npc", values={**values, "name": "Someone"}, shown=False)
    for number, visibility in enumerate(("open", "private", "blind", "hidden")):
        announce = number % 2 == 0
        how = {"visibility": visibility, "announce": announce, "note": "in the dark"}
        go_on(host, "s2", start(host, "s2", draft=drafted(draft), **how))
    host.do("s1", "roll.undo", roll="r1", why="a slip")
    host.do("s1", "roll.reveal", roll="r2")
    typed = start(host, "s3", expression="2d6+1", physical=True)
    host.do("s3", "roll.enter", roll=typed, faces=[6, 6])
    for path in sorted((STORED / game / "transcripts").glob("*.json")):
        retyped(host, path)
    host.do("s3", "sheet.change", sheet="s3", values={"name": "Somebody else"})
    host.do("s1", "roll_request.create", who=["s2"], draft=drafted(draft), note="go on")
    go_on(host, "s2", start(host, "s2", ask="a1"))
    host.do("s1", "table.change", house=HOUSE.get(game, {}), title="The end")
    go_on(host, "s2", start(host, "s2", draft=drafted(draft)))
    host.do("s2", "chat.send", text="what a night", to="all")
    host.do("s1", "session.end")
    host.do("s3", "person.erase")
    return host


def moved(host: Host) -> Host:
    """The table taken up by another host from the referee's copy, and gone on with."""
    imported = import_log(host.log("s1"))
    host.secret = sha256(b"another host").digest()
    draft = rebase(imported.events[-1].seq, host.secret, imported.devices, by="s1")
    host.commit(Decision((draft,)))
    go_on(host, "s2", start(host, "s2", expression="4d6kh3"))
    return host


def typed_on(host: Host, roll: str, number: int = 0) -> None:
    """A roll of s2 with real dice to its end: nothing but 1s, and one option of many."""
    while roll in host.state.going:
        after = host.state.rolls[roll].after or {}
        if after["step"] == "choice":
            most = after["count"] - 1
            host.do("s2", "roll.choose", roll=roll, number=min(number, most))
        else:
            host.do("s2", "roll.enter", roll=roll, faces=[1] * len(after["dice"]))


def waiting() -> Host:
    """Effects on somebody else's sheet: some let happen, some declined, some that wait still."""
    host = Host(players=3, seed="archive waiting")
    values, _ = SHEETS["twilight2000"]
    for seat in ("s2", "s3", "s4"):
        host.do(seat, "sheet.create", values={**values, "name": f"soldier {seat}"})
    burst = {"roll": "attack", "weapon": "M4", "ammo_dice": 0, "targets": [{"name": "@s3"}]}
    for leave in ("roll.apply", "roll.decline", ""):
        roll = start(host, "s2", draft=drafted(burst), physical=True)
        host.do("s2", "roll.enter", roll=roll, faces=[6, 7])
        typed_on(host, roll)
        if leave:
            host.do("s3", leave, roll=roll)
    return host


def many_options() -> Host:
    """A choice among so many options that the event names the first of them."""
    host = Host(players=1, seed="archive options")
    aims = [{"name": name, "capacity": 9} for name in ("A", "B", "C", "D")]
    attack = {"roll": "attack", "attribute": "A", "skill": "A", "ammo_dice": 6, "targets": aims}
    roll = start(host, "s2", request=attack, physical=True)
    host.do("s2", "roll.enter", roll=roll, faces=[6, 7, *[6] * 6])
    typed_on(host, roll, number=300)
    return host


def repairs() -> Host:
    """What came later: a jam that is cleared try by try, and a repair with spare parts."""
    host = Host(players=1, seed="archive repairs")
    rifle = {"name": "M4", "jammed": True, "reliability": 2}
    values = {"name": "Diaz", "INT": "B", "tech": "C", "spare_parts": 2, "weapons": [rifle]}
    host.do("s2", "sheet.create", values=values)
    for kind in ("clear_jam", "clear_jam", "repair"):
        roll = start(host, "s2", draft={"roll": kind, "pick": {}, "set": {}}, physical=True)
        typed_on(host, roll)
    return host


def effect_dice() -> Host:
    """What came later: effect dice that are thrown along with a check, alone and in a turn."""
    host = Host("edge20", players=1, seed="archive effect dice")
    values, draft = SHEETS["edge20"]
    host.do("s2", "sheet.create", values={**values, "rerolls": 1})
    typed_on(host, start(host, "s2", draft=drafted(draft), physical=True), number=1)
    host.do("s2", "sheet.apply_effect", sheet="s2", kind="new turn")
    checks = [{"dc": 10, "modifier": 9, "effect": "1d6+1"}, {"dc": 12, "effect": "2d4"}]
    request = {"roll": "turn", "checks": checks, "rerolls": 1}
    typed_on(host, start(host, "s2", request=request, physical=True), number=1)
    return host


def open_choices() -> Host:
    """What came later: choices of which the log has number and digest, some of them still open."""
    host = many_options()
    skill = {"roll": "skill", "attribute": "B", "skill": "C"}
    opposed = {"roll": "opposed", "active": {"attribute": "B"}, "passive": {"attribute": "C"}}
    for request in (skill, {**opposed, "secret": True}):
        roll = start(host, "s2", request=request, physical=True)
        for _ in range(3):
            after = host.state.rolls[roll].after or {}
            if after["step"] == "throw":
                who = "s1" if after["by"] == "referee" else after["by"]
                host.do(who, "roll.enter", roll=roll, faces=[2] * len(after["dice"]))
    return host


def tools() -> Host:
    """What came later: tools with a skill, alone and in a group, and one that is only named."""
    host = Host(players=1, seed="archive tools")
    kit = [{"name": "rope", "reliability": 3}, {"name": "med kit", "skill_name": "medical aid"}]
    values = {"name": "Diaz", "STR": "B", "stamina": "C", "medical_aid": "D", "tools": kit}
    host.do("s2", "sheet.create", values=values)
    climb = {"skill_name": "stamina", "gear": "rope"}
    others = {"members": [{"name": "Bo", "attribute": "C"}]}
    for draft in (
        {"roll": "skill", "pick": {"gear": "med kit", "skill_name": "medical aid"}, "set": {}},
        {"roll": "skill", "pick": climb, "set": {}},
        {"roll": "group", "pick": climb, "set": others},
        {"roll": "opposed", "pick": climb, "set": {"passive": {"attribute": "C"}}},
    ):
        typed_on(host, start(host, "s2", draft=draft, physical=True), number=1)
    named = {"roll": "skill", "attribute": "B", "skill_name": "stamina", "gear": "crowbar"}
    typed_on(host, start(host, "s2", request=named, physical=True), number=1)
    return host


def declared_turns() -> Host:
    """What came later: checks inside and outside a declared turn, and one that is asked for."""
    host = Host("edge20", players=1, seed="archive turns")
    values, _ = SHEETS["edge20"]
    rifle = {"name": "rifle", "tier": 3, "effect": "2d6+3", "skill": "Marksmanship"}
    host.do("s2", "sheet.create", values={**values, "items": [rifle], "edges": []})
    check = {"roll": "check", "pick": {"skill": "Marksmanship"}, "set": {"dc": 15}}
    for effect in ("", "new turn", ""):
        if effect:
            host.do("s2", "sheet.apply_effect", sheet="s2", kind=effect)
        roll = start(host, "s2", draft=check, physical=True)
        host.do("s2", "roll.enter", roll=roll, faces=[9])
    host.do("s1", "roll_request.create", who=["s2"], draft=check)
    typed_on(host, start(host, "s2", ask="a1", physical=True))
    host.do("s2", "sheet.apply_effect", sheet="s2", kind="end turn")
    return host


def plain_dice() -> Host:
    """What came later: dice that are no Test, and Tests that are passed or judged by ranges."""
    host = Host("kleptonomicon", players=1, seed="archive plain dice")
    for fields in (
        {"dice": "2d12 +3"},
        {"dice": "2d12 +3", "ranges": ["[..6]", "[12..]"]},
        {"ranges": ["[..6]", "[7..]"]},
        {"ranges": ["[1..2]"]},
    ):
        typed_on(host, start(host, "s2", request={"roll": "test", **fields}, physical=True))
    return host


async def _stored(path: Path, host: Host) -> None:
    store = await Store.open(f"sqlite:///{path}")
    await store.create_table(
        Creation(TABLE, "archive", host.secret, tuple(host.events), NOW, tuple(host.sides))
    )
    await store.close()


def write(name: str, content: Callable[[], bytes]) -> None:
    """Put a file into the archive, unless it lies there."""
    path = HERE / name
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content())
    known = json.loads(DIGESTS.read_text("utf-8")) if DIGESTS.exists() else {}
    known[name] = sha256(path.read_bytes()).hexdigest()
    DIGESTS.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", "utf-8")


def written(plain: Any) -> bytes:
    """JSON in few bytes."""
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def make() -> None:
    """Everything that is written: rolls in their format 2, logs and databases in format 3."""
    for path in sorted(STORED.glob("*/transcripts/*.json")):
        name = f"2/transcripts/{path.parent.parent.name}-{path.name}"
        write(name, path.read_bytes)
    for game in own_games():
        host = moved(an_evening(game, signed=True))
        for seat in ("s1", "s2", "") if game == "twilight2000" else ("s1", ""):
            plain = host.log(seat)
            write(f"3/logs/{game}-{seat or 'everybody'}.json", lambda plain=plain: written(plain))
    for name, host in (
        ("waiting", waiting()),
        ("options", many_options()),
        ("repairs", repairs()),
        ("effect-dice", effect_dice()),
        ("choices", open_choices()),
        ("tools", tools()),
        ("turns", declared_turns()),
        ("plain-dice", plain_dice()),
        *((f"counted-{game}", an_evening(game)) for game in own_games()),
    ):
        plain = host.log("s1")
        write(f"3/logs/{name}-s1.json", lambda plain=plain: written(plain))
    write("3/table.sqlite", lambda: stored(moved(an_evening("twilight2000", signed=True))))
    write("3/choices.sqlite", lambda: stored(open_choices()))


def stored(host: Host) -> bytes:
    """A table as it lies in a database."""
    with TemporaryDirectory() as folder:
        database = Path(folder) / "new.sqlite"
        asyncio.run(_stored(database, host))
        return database.read_bytes()


if __name__ == "__main__":
    make()
