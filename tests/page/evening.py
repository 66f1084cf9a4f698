"""A believable evening at a table, told through the client, for pictures and for tests of looks."""

from __future__ import annotations

from itertools import count
from typing import NamedTuple

from rollwright.client import RollView, Server, Table
from tests.drafts import drafted

SAW = {
    "name": "M249", "kind": "belt", "magazine_size": 200, "rounds": 180, "rate_of_fire": 6,
    "base_damage": 2, "spares": 1,
}  # fmt: skip
AK = {"name": "AK-74", "rate_of_fire": 5, "rounds": 30, "spares": 1, "reliability": 3}
NOVAK = {
    "name": "Sgt. Novak", "STR": "B", "AGL": "A", "INT": "C", "EMP": "C",
    "ranged_combat": "B", "recon": "C", "survival": "C", "mobility": "C", "stress": 1,
    "weapons": [SAW], "foes": [{"name": "Marauder", "capacity": 4}],
}  # fmt: skip
WOJCIK = {
    "name": "Doc Wójcik", "STR": "C", "AGL": "B", "INT": "A", "EMP": "B",
    "medical_aid": "A", "persuasion": "B", "recon": "C", "weapons": [AK], "damage": 1,
}  # fmt: skip
PETERS = {
    "name": "Peters", "STR": "A", "AGL": "C", "INT": "C", "EMP": "C",
    "driving": "B", "tech": "C", "heavy_weapons": "C", "stamina": "B",
}  # fmt: skip
BELT = 12
"""So many attacks with two ammo dice each always find rounds in the weapon."""
MARAUDERS = {"name": "Marauder chief", "AGL": "B", "ranged_combat": "C", "weapons": [AK]}


class Evening(NamedTuple):
    """A table of Twilight: 2000 in the middle of a fight, with the seats of everybody."""

    referee: Table
    players: tuple[Table, ...]
    open_roll: RollView
    """An attack of the first player, thrown and waiting: push or keep?"""


def an_evening(server: Server) -> Evening:
    """Rosa runs the game; Bo, Mina and Jonas play. Bo's attack lies on the table."""
    rosa = server.create_table("twilight2000", name="Rosa", title="The road to Kalisz")
    link = rosa.links["player"]
    bo, mina, jonas = (server.join(link, name=name) for name in ("Bo", "Mina", "Jonas"))
    for seat, values in ((bo, NOVAK), (mina, WOJCIK), (jonas, PETERS)):
        seat.do("sheet.create", values=values)
    rosa.do("sheet.create", sheet="npc", values=MARAUDERS)
    for seat in (rosa, mina, jonas):
        seat.commit_witness()
    _on_the_road(rosa, bo, mina, jonas)
    return Evening(rosa, (bo, mina, jonas), _attack(bo))


def _on_the_road(rosa: Table, bo: Table, mina: Table, jonas: Table) -> None:
    for name in ("shells on the far bank", "and closer", "and closer still"):
        rosa.roll("12d6", note=name)
    rosa.do("chat.send", text="Rain since dawn. The bridge at Kalisz is still standing.")
    played(jonas, {"roll": "skill", "skill_name": "driving"}, note="through the ford")
    played(bo, {"roll": "skill", "skill_name": "recon"}, note="what moves behind the barn?")
    bo.do("chat.send", text="Three of them, and one is asleep.")
    asked = {"roll": "skill", "skill_name": "persuasion"}
    rosa.do(
        "roll_request.create", who=[mina.seat], draft=drafted(asked), note="talk them into trading"
    )
    played(mina, asked, ask="a1")
    rosa.roll("1d6", visibility="blind", note="do they believe her?")
    played(mina, {"roll": "skill", "skill_name": "medical aid"}, note="Peters' hand")
    mina.do("sheet.change", sheet=mina.seat, values={"damage": 0}, why="slept in a dry bed")
    asked = {"roll": "skill", "skill_name": "stamina"}
    rosa.do("roll_request.create", who=[jonas.seat], draft=drafted(asked), note="hold the door")
    jonas.do("chat.send", text="They have seen us. Doors shut!")


def played(seat: Table, fields: dict[str, object], **more: object) -> None:
    """A roll to its end: pushed while nothing was achieved, else kept."""
    roll = seat.roll(draft=drafted(fields), sheet=seat.seat, **more)
    while roll.waits_for == "choice":
        roll = seat.choose(roll, seat.advise(roll)["best"])


def _attack(seat: Table) -> RollView:
    """A miss that is worth a push, if one comes soon with no 1 in it; all others are kept."""
    fields = {"roll": "attack", "weapon": "M249", "ammo_dice": 2, "modifier": -1}
    for tries in count():
        if tries % BELT == BELT - 1:
            seat.do("sheet.change", sheet=seat.seat, values={"weapons": [SAW]}, why="a new belt")
        roll = seat.roll(draft=drafted(fields), sheet=seat.seat, note="keep their heads down")
        if roll.waits_for != "choice":
            continue
        if seat.advise(roll)["best"] == "push" and roll.faces[0].count(1) <= tries // 6:
            return roll
        seat.choose(roll, "keep")
    raise AssertionError("count() never ends")
