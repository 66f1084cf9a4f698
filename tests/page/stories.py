"""Tables at which something has happened, as the tests of the page's own language know them.

Each story plays at a real server. It first says who looks on, by their links or by addresses of
screens without a table, and then goes on a step at a time, in which they may do something on their
pages too; what the server tells them of each step is recorded (`tests/page/recorded.py`) and lies
in `web/tests/recorded`. Dice are typed in, so that a story is the same whenever it is told. Nobody
signs, since a page that reads a recording has no key; `test_signing.py` has pages that do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from rollwright.client import RollView, Server, Table
from rollwright.client.http import hash_of, new_token
from rollwright.kit.games import find_game
from tests.archive.make import SHEETS
from tests.drafts import drafted
from tests.page import moments
from tests.page.people import speak, tab

Lookers = dict[str, str]
Act = Callable[[Page], None]
Told = dict[str, str] | dict[str, Act] | None
"""Who looks on; then what somebody does on their page, so that it asks what it then asks: nothing
that is sent.
"""
Tell = Callable[[Server], Iterator[Any]]
ON_STAGE = ("advice", "marks")
"""What is asked for what lies on the stage: the worth of options, and how faces are read."""


class Story(NamedTuple):
    """A story, and the questions about it whose answers are recorded."""

    tell: Tell
    asks: tuple[str, ...]


STORIES: dict[str, Story] = {}


def story(*asks: str) -> Callable[[Tell], Tell]:
    """A story that is known by its name; `asks` are questions besides those about the stage."""

    def known(tell: Tell) -> Tell:
        STORIES[tell.__name__] = Story(tell, (*ON_STAGE, *asks))
        return tell

    return known


def seated(host: Server, game: str, **values: Any) -> tuple[Table, Table]:
    """A referee, and a player with a character: of the archive, where nothing is said of it."""
    rosa = host.create_table(game, name="Rosa", title="Tonight", signs=False)
    bo = host.join(rosa.links["player"], name="Bo", signs=False)
    known = moments.NOVAK if game == "twilight2000" else SHEETS[game][0]
    bo.do("sheet.create", values=values or known)
    return rosa, bo


def typed(seat: Table, fields: dict[str, Any], *faces: list[int]) -> RollView:
    """A roll of a character with real dice that show this, throw by throw."""
    roll = seat.roll(draft=drafted(fields), sheet=seat.seat, physical=True)
    for one in faces:
        roll = seat.enter(roll, one)
    return roll


def plain(seat: Table, fields: dict[str, Any], *faces: list[int]) -> RollView:
    """The same without a character."""
    roll = seat.roll(fields, physical=True)
    for one in faces:
        roll = seat.enter(roll, one)
    return roll


def looking(**seats: Table) -> Lookers:
    """Who looks on, by the links of their seats."""
    return {who: str(seat.link) for who, seat in seats.items()}


EVE = "eve"


def spectator(rosa: Table) -> Lookers:
    """Eve, who came by the link to watch."""
    return {EVE: str(rosa.links["spectator"])}


@story()
def push(host: Server) -> Iterator[Told]:
    """A burst that misses waits for Bo, who keeps it."""
    rosa, bo = seated(host, "twilight2000")
    roll = moments.push(bo)
    yield looking(bo=bo, rosa=rosa) | spectator(rosa)
    bo.choose(roll, "keep")
    yield None


RIFLE = {"name": "AK", "rounds": 30, "rate_of_fire": 6}
SOLDIER: dict[str, Any] = {"name": "Novak", "AGL": "C", "weapons": [RIFLE]}
BURST = {"roll": "attack", "weapon": "AK", "ammo_dice": 6}


@story()
def waiting(host: Server) -> Iterator[Told]:
    """Bo's attack waits while the referee rolls something else, and is kept then."""
    rosa, bo = seated(host, "twilight2000", **SOLDIER)
    yield looking(bo=bo, rosa=rosa)
    roll = typed(bo, BURST, [2, 3, 2, 1, 4, 5, 3])
    yield None
    rosa.roll("3d1")
    yield None
    bo.choose(roll, "keep")
    yield None


@story()
def edits(host: Server) -> Iterator[Told]:
    """Four edits of one sheet by its player, and one by the referee."""
    rosa, bo = seated(host, "twilight2000", **SOLDIER)
    yield looking(rosa=rosa)
    for stress in (1, 2, 3, 4):
        bo.do("sheet.change", sheet=bo.seat, values={"stress": stress})
    rosa.do("sheet.change", sheet=bo.seat, values={"stress": 0})
    yield None


CHECK = {"roll": "check", "modifier": 5, "dc": 15, "advantages": 1}


@story()
def certain_either_way(host: Server) -> Iterator[Told]:
    """16 against 15 with a re-roll that would change nothing (E20)."""
    _, bo = seated(host, "edge20", name="Oriel")
    plain(bo, {**CHECK, "rerolls": 1}, [11, 4])
    yield looking(bo=bo)


@story()
def discarded(host: Server) -> Iterator[Told]:
    """With advantage a 1 beside a 17."""
    _, bo = seated(host, "edge20", name="Oriel")
    plain(bo, CHECK, [17, 1])
    yield looking(bo=bo)


@story("card")
def jam(host: Server) -> Iterator[Told]:
    """A hit with six ammo dice that may be pushed; pushed, it jams; then the jam is cleared."""
    rosa, bo = seated(host, "twilight2000", **SOLDIER)
    roll = typed(bo, BURST, [2, 3, 6, 4, 4, 5, 3])
    yield looking(bo=bo, rosa=rosa)
    bo.enter(bo.choose(roll, "push"), [1, 1, 1, 2, 2, 2])
    yield None
    bo.do("sheet.apply_effect", sheet=bo.seat, kind="clear", target="AK")
    yield None


@story()
def short_of_hard(host: Server) -> Iterator[Told]:
    """17 against Hard 20 is a Fade, and there is Luck (GHOST R16)."""
    _, bo = seated(host, "ghostburn", name="Nix")
    plain(bo, {"roll": "roll", "ability": 5, "dl": "Hard"}, [3, 9])
    yield looking(bo=bo)


TALKER: dict[str, Any] = {
    "name": "Nix",
    "luck_points": 1,
    "abilities": [{"name": "Presence", "score": 3}],
    "skills": [{"name": "Persuade", "ability": "Presence", "bonus": 2}],
}


@story()
def added_up(host: Server) -> Iterator[Told]:
    """4 and 9 with an ability and a skill make 18; Luck makes it 20."""
    _, bo = seated(host, "ghostburn", **TALKER)
    draft = {"roll": "roll", "pick": {"skill": "Persuade"}, "set": {"dl": "Hard"}}
    roll = bo.enter(bo.roll(draft=draft, sheet=bo.seat, physical=True), [4, 9])
    yield looking(bo=bo)
    bo.choose(roll, "bonus")
    yield None


@story()
def opposing(host: Server) -> Iterator[Told]:
    """Jax against Mara, and a plain die of the referee's."""
    rosa, bo = seated(host, "dust", name="Jax")
    cy = host.join(rosa.links["player"], name="Cy", signs=False)
    cy.do("sheet.create", values={"name": "Mara"})
    sides = {"actor": {"pool": 2}, "defender": {"name": f"@{cy.seat}", "pool": 2}}
    roll = bo.roll(draft={"roll": "opposing", "set": sides}, sheet=bo.seat, physical=True)
    bo.enter(bo.enter(roll, [9, 8]), [2, 3])
    yield looking(bo=bo, rosa=rosa)
    rosa.enter(rosa.roll("1d10", physical=True), [9])
    yield None


@story()
def task_done(host: Server) -> Iterator[Told]:
    """Seven successes where four were needed (DUST R15)."""
    stats, tasks = [{"name": "Wits", "rating": 8}], [{"name": "lock", "target": 4, "limit": 3}]
    _, bo = seated(host, "dust", name="Mags", stats=stats, tasks=tasks)
    draft = {"roll": "extended", "pick": {"task": "lock", "attribute": "Wits", "ability": ""}}
    bo.enter(bo.roll(draft=draft, sheet=bo.seat, physical=True), [9, 8, 7, 7, 6, 6, 10, 2])
    yield looking(bo=bo)


@story()
def task_begun(host: Server) -> Iterator[Told]:
    """A task with a limit of turns, and then one without, ask about Adrenaline (DUST R15)."""
    _, bo = seated(host, "dust", name="Mags", adrenaline=2)
    task = {"roll": "extended", "pool": 4, "target": 14, "adrenaline": 2}
    bo.roll({**task, "limit": 6}, physical=True)
    yield looking(bo=bo)
    bo.roll({**task, "limit": None}, physical=True)
    yield None


@story()
def bullets(host: Server) -> Iterator[Told]:
    """Two bullets to be dealt out between two targets (T2K R23)."""
    rosa, bo = seated(host, "twilight2000", **SOLDIER)
    bo.choose(moments.thrown(bo, moments.SHOT, [8, 10, 6, 6, 4, 3, 2, 2]), "keep")
    yield looking(bo=bo) | spectator(rosa)
    roll = next(iter(bo.snapshot()["rolls"]))
    bo.do("roll.cancel", roll=roll)
    yield None


@story()
def bullets_for_nobody(host: Server) -> Iterator[Told]:
    """Two ammo sixes, and nobody named whom they hit."""
    _, bo = seated(host, "twilight2000", **SOLDIER)
    shot = {"roll": "attack", "attribute": "B", "skill": "A", "ammo_dice": 3}
    bo.choose(bo.enter(bo.roll(shot, physical=True), [8, 4, 6, 6, 2]), "keep")
    yield looking(bo=bo)


@story()
def glitch(host: Server) -> Iterator[Told]:
    """13 is two levels below Hard: a Glitch, which Luck makes a Fade, for certain (GHOST R16)."""
    _, bo = seated(host, "ghostburn")
    moments.thrown(bo, {"roll": "roll", "ability": 4, "dl": "Hard"}, [5, 4])
    yield looking(bo=bo)


@story()
def doubles(host: Server) -> Iterator[Told]:
    """Whether the point for doubles is taken: either way it is known what comes of it."""
    _, bo = seated(host, "dust")
    fields = {"roll": "roll", "pool": 4, "adrenaline": 2, "doubles": "ask"}
    moments.thrown(bo, fields, [8, 8, 1, 1])
    yield looking(bo=bo)


@story()
def strike(host: Server) -> Iterator[Told]:
    """Bo hits Ilse, whom Cy plays, and a guard: bullets are given out, and then dice say where."""
    rosa, bo = seated(host, "twilight2000")
    cy = host.join(rosa.links["player"], name="Cy", signs=False)
    cy.do("sheet.create", values={**SHEETS["twilight2000"][0], "name": "Ilse"})
    foes = [{"name": f"@{cy.seat}"}, {"name": "Guard"}]
    shot = {"roll": "attack", "weapon": "M249", "ammo_dice": 3, "targets": foes}
    roll = typed(bo, shot, [8, 10, 6, 6, 2])
    yield looking(bo=bo)
    roll = bo.choose(roll, "keep")
    yield None
    bo.enter(bo.choose(roll, "+1 damage; hit Guard"), [6, 3])
    yield None


@story()
def newcomers(host: Server) -> Iterator[Told]:
    """Cy has a sheet, and nobody has rolled; Mina has none; then Bo rolls, and is asked."""
    rosa, bo = seated(host, "twilight2000")
    cy, mina = (host.join(rosa.links["player"], name=name, signs=False) for name in ("Cy", "Mina"))
    cy.do("sheet.create", values={**SHEETS["twilight2000"][0], "name": "Ilse"})
    yield looking(cy=cy, mina=mina) | spectator(rosa)
    asked = {"roll": "skill", "pick": {"skill_name": "recon"}}
    rosa.do("roll_request.create", who=[bo.seat], draft=asked, note="", visibility="open")
    yield None
    rosa.do("roll_request.close", ask="a1")
    moments.push(bo)
    yield None


def beside(name: str) -> Act:
    """Open something beside the table."""

    def act(page: Page) -> None:
        page.keyboard.press("Escape")  # what lies in front
        page.locator(".tab-more").click()
        entries = page.get_by_role("region", name="Around the table")
        entries.get_by_role("button", name=name, exact=True).click()
        page.get_by_role("dialog").wait_for()

    return act


def rolling_as(name: str) -> Act:
    """Have the panel roll for somebody else."""

    def act(page: Page) -> None:
        page.locator(".tab-roll").click()
        page.get_by_label("Rolling as").select_option(name)

    return act


def asking(*taps: str, **filled: str) -> Act:
    """Say in the dialog of a referee what people are asked for."""

    def act(page: Page) -> None:
        beside("Ask for a roll")(page)
        dialog = page.get_by_role("dialog")
        for name in taps:
            dialog.get_by_role("button", name=name, exact=True).click()
        for label, value in filled.items():
            field = dialog.get_by_label(label.replace("_", " ").capitalize(), exact=True)
            if field.evaluate("field => field.tagName === 'SELECT'"):
                field.select_option(label=value)
            else:
                field.fill(value)

    return act


SKILL = {"roll": "skill", "attribute": "B", "skill": "C"}
HARD = {**SKILL, "modifier": -3}


def character(rosa: Table, values: dict[str, Any], *, shown: bool = False) -> str:
    """A character of the referee's, by the name of its sheet."""
    made = rosa.do("sheet.create", sheet="npc", values=values, shown=shown)
    return str(made.events[0]["body"]["sheet"])


@story("form", "preview")
def characters(host: Server) -> Iterator[Told]:
    """One behind the screen, who is rolled for and goes, and one in sight."""
    rosa, bo = seated(host, "twilight2000")
    yield looking(rosa=rosa, bo=bo)
    kessler = character(rosa, {"name": "Kessler"})
    yield None
    character(rosa, {"name": "Barkeeper"}, shown=True)
    yield None
    yield {"rosa": rolling_as("Kessler")}
    rosa.roll(SKILL, sheet=kessler, physical=True)
    yield None
    rosa.do("sheet.remove", sheet=kessler)
    yield None


@story("card")
def session_over(host: Server) -> Iterator[Told]:
    """A session ends, and Luck that was spent is there again (GHOST R16)."""
    rosa, bo = seated(host, "ghostburn", **TALKER)
    bo.do("sheet.change", sheet=bo.seat, values={"luck_points": 0})
    yield looking(rosa=rosa, bo=bo)
    rosa.do("session.end")
    yield None


@story()
def house_rules(host: Server) -> Iterator[Told]:
    """The table gets another name and a house rule."""
    rosa, bo = seated(host, "twilight2000")
    yield looking(rosa=rosa, bo=bo)
    house = rosa.snapshot()["table"]["house"] | {"push_with_nothing": True}
    rosa.do("table.change", title="Night shift", house=house)
    yield None


@story()
def doors(host: Server) -> Iterator[Told]:
    """Cy knocks. A link is made anew, Cy is turned away, Bo becomes a referee, Dee is removed."""
    rosa, bo = seated(host, "ghostburn")
    dee = host.join(rosa.links["player"], name="Dee", signs=False)
    rosa.do("table.change", knock=True)
    cy = host.join(rosa.links["player"], name="Cy", signs=False)
    yield looking(rosa=rosa, bo=bo, cy=cy, dee=dee)
    rosa.do("link.rotate", role="player", token_hash=hash_of(new_token()))
    yield None
    rosa.do("seat.refuse", seat=cy.seat)
    yield None
    rosa.do("seat.change_role", seat=bo.seat, role="referee")
    yield None
    rosa.do("seat.remove", seat=dee.seat)
    yield None


@story()
def erased(host: Server) -> Iterator[Told]:
    """Bo says his name; both are erased. Then Cy's character has another name."""
    rosa, bo = seated(host, "ghostburn")
    cy = host.join(rosa.links["player"], name="Cy", signs=False)
    cy.do("sheet.create", values=TALKER)
    yield looking(rosa=rosa, bo=bo, cy=cy)
    bo.do("chat.send", text="My real name is Robert.")
    yield None
    rosa.do("person.erase", seat=bo.seat)
    yield None
    cy.do("sheet.change", sheet=cy.seat, values={"name": "Wire"})
    yield None


CLIMB = {"roll": "skill", "skill_name": "mobility"}
WORDS = "climb the wall before they see you"
VEX = {"name": "Vex", "AGL": "B"}


@story("form", "preview")
def asked(host: Server) -> Iterator[Told]:
    """Bo is asked to climb, in the referee's words, and rolls; then everybody is asked."""
    rosa, bo = seated(host, "twilight2000", **VEX)
    yield looking(rosa=rosa, bo=bo)
    rosa.do("roll_request.create", who=[bo.seat], draft=drafted(CLIMB), note=WORDS)
    yield None
    bo.roll(draft=drafted(CLIMB), sheet=bo.seat, ask="a1", physical=True)
    yield None
    rosa.do("roll_request.create", who="all", draft=drafted(CLIMB))
    yield None


@story("form")
def answered(host: Server) -> Iterator[Told]:
    """The same before anybody looks."""
    rosa, bo = seated(host, "twilight2000", **VEX)
    rosa.do("roll_request.create", who=[bo.seat], draft=drafted(CLIMB), note=WORDS)
    bo.roll(draft=drafted(CLIMB), sheet=bo.seat, ask="a1", physical=True)
    yield looking(rosa=rosa)


@story("form", "preview", "card")
def asked_while_out(host: Server) -> Iterator[Told]:
    """Whoever is out is asked for a roll, and is on their feet again."""
    rosa, bo = seated(host, "twilight2000", **VEX, incapacitated=True)
    yield looking(rosa=rosa, bo=bo)
    yield {"rosa": asking("Something else", which_skill="Mobility")}
    rosa.do("roll_request.create", who=[bo.seat], draft=drafted(CLIMB))
    yield None
    bo.do("sheet.change", sheet=bo.seat, values={"incapacitated": False})
    yield None


@story("form", "preview", "card")
def lacking(host: Server) -> Iterator[Told]:
    """Everybody is asked for a skill that the only player lacks."""
    fight = {"name": "Fight", "modifier": 4}
    rosa, bo = seated(host, "edge20", name="Kit", skills=[fight])
    yield looking(rosa=rosa, bo=bo)
    yield {"rosa": asking("Something else", skill="Stealth")}
    stealth = {"roll": "check", "pick": {}, "set": {"skill": "Stealth", "dc": 15}, "roles": {}}
    rosa.do("roll_request.create", who="all", draft=stealth)
    yield None


@story("form", "preview", "card")
def second_stat(host: Server) -> Iterator[Told]:
    """A tapped stat goes with another (DUST R2)."""
    stats = [{"name": "Wits", "rating": 3}, {"name": "Drive", "rating": 4}]
    rosa, bo = seated(host, "dust", name="Jory", stats=stats)
    yield looking(rosa=rosa, bo=bo)
    yield {"rosa": asking("Wits", ability="Drive")}
    both = {"roll": "roll", "attribute": "Wits", "ability": "Drive"}
    rosa.do("roll_request.create", who="all", draft=drafted(both))
    yield None


@story("form", "preview", "card")
def never_pushed(host: Server) -> Iterator[Told]:
    """A roll that may not be pushed is asked for, and fails."""
    rosa, bo = seated(host, "twilight2000", name="Vex", INT="C", recon="C")
    yield looking(rosa=rosa, bo=bo)
    yield {"rosa": asking("Recon")}
    recon = {"roll": "skill", "skill_name": "recon"}
    rosa.do("roll_request.create", who="all", draft=drafted(recon), policy="never")
    yield None
    bo.enter(
        bo.roll(draft=drafted(recon), sheet=bo.seat, ask="a1", policy="never", physical=True),
        [3, 4],
    )
    yield None


@story()
def real_dice(host: Server) -> Iterator[Told]:
    """Bo has thrown two dice of his own, and nobody has typed them in."""
    rosa, bo = seated(host, "twilight2000")
    bo.roll("2d6", physical=True)
    yield looking(rosa=rosa, bo=bo)


KARL = {"name": "Karl Brandt", "STR": "B"}
TRAITOR = {"name": "The Traitor", "STR": "B", "recon": "B"}


def looked_back(page: Page) -> None:
    """Look back on the session that is over."""
    page.get_by_role("button", name="Look back").click()


@story("recap?session=1", "statistics?for=me")
def shared_evening(host: Server) -> Iterator[Told]:
    """An evening with a secret in it is over: everybody looks back on it, Bo at his dice too."""
    rosa, bo = seated(host, "twilight2000", **KARL)
    plain(bo, SKILL, [7, 1])
    traitor = character(rosa, TRAITOR)
    draft = drafted({"roll": "skill", "skill_name": "recon"})
    hidden: dict[str, Any] = {
        "sheet": traitor,
        "physical": True,
        "note": "an ambush",
        "visibility": "private",
    }
    rosa.enter(rosa.roll(draft=draft, **hidden), [8, 8])
    rosa.enter(rosa.roll(HARD, sheet=traitor, physical=True), [6, 1])
    for faces in ([], [2, 3]):
        given_up = bo.roll(SKILL, physical=True)
        if faces:
            bo.enter(given_up, faces)
        bo.do("roll.cancel", roll=given_up.id)
    rosa.do("session.end")
    yield looking(rosa=rosa, bo=bo) | spectator(rosa)
    yield dict.fromkeys(("rosa", "bo", EVE), looked_back)
    yield {"bo": beside("Are my dice bad?")}


@story()
def styled(host: Server) -> Iterator[Told]:
    """Bo has dice of glass and a violet skull, and rolls; then they are in his own colour."""
    rosa, bo = seated(host, "edge20")
    look = {"seat": bo.seat, "colour": "violet", "symbol": "skull"}
    bo.do("seat.style", **look, dice="glass")
    bo.enter(bo.roll("1d20", physical=True), [7])
    yield looking(rosa=rosa, bo=bo)
    bo.do("seat.style", **look, dice="own")
    yield None


@story("preview")
def streamed(host: Server) -> Iterator[Told]:
    """A roll that everybody watches."""
    rosa, bo = seated(host, "twilight2000", **KARL)
    yield spectator(rosa)
    plain(bo, SKILL, [7, 1])
    yield None


@story("preview")
def streamed_among_secrets(host: Server) -> Iterator[Told]:
    """The same between all that there may be of secrets."""
    rosa, bo = seated(host, "twilight2000", **KARL)
    yield spectator(rosa)
    for visibility in ("private", "hidden", "blind"):
        rosa.roll("3d97", visibility=visibility, announce=False, note="an ambush")
    character(rosa, TRAITOR)
    rosa.do("chat.send", text="An ambush!", to=[bo.seat])
    plain(bo, SKILL, [7, 1])
    yield None
    rosa.roll("3d97", visibility="private", announce=False, note="an ambush")
    rosa.roll("3d97", visibility="private", note="an ambush")
    yield None


@story()
def deleted(host: Server) -> Iterator[Told]:
    """The referee deletes the table."""
    rosa, bo = seated(host, "ghostburn")
    yield looking(bo=bo)
    rosa.delete()
    yield None


@story()
def secret_choice(host: Server) -> Iterator[Told]:
    """Luck that might be spent on a private roll."""
    rosa, bo = seated(host, "ghostburn", **TALKER)
    cy = host.join(rosa.links["player"], name="Cy", signs=False)
    yield looking(rosa=rosa, bo=bo, cy=cy)
    bo.enter(bo.roll(moments.LUCK, sheet=bo.seat, physical=True, visibility="private"), [4, 9])
    yield None


@story()
def luck(host: Server) -> Iterator[Told]:
    """18 against Hard 20, and Luck to spend that makes it 20."""
    rosa, bo = seated(host, "ghostburn")
    moments.luck(bo)
    yield looking(bo=bo) | spectator(rosa)


@story()
def group(host: Server) -> Iterator[Told]:
    """A Group Test: who can help, who needs it."""
    rosa, bo = seated(host, "kleptonomicon")
    moments.group(bo)
    yield looking(bo=bo) | spectator(rosa)


@story()
def reroll(host: Server) -> Iterator[Told]:
    """Two d20 with advantage, one of which counts, and a re-roll."""
    rosa, bo = seated(host, "edge20")
    moments.check(bo)
    yield looking(bo=bo) | spectator(rosa)


@story()
def secret(host: Server) -> Iterator[Told]:
    """A private attack that was kept: what it does to the sheet waits until it is wanted."""
    rosa, bo = seated(host, "twilight2000", **SOLDIER)
    started = bo.roll(draft=drafted(BURST), sheet=bo.seat, physical=True, visibility="private")
    roll = bo.choose(bo.enter(started, [2, 3, 2, 1, 4, 5, 3]), "keep")
    yield looking(bo=bo, rosa=rosa) | spectator(rosa)
    bo.do("roll.apply", roll=roll.id)
    yield None


NOVAK: dict[str, Any] = {
    "name": "Novak", "AGL": "B", "INT": "B", "recon": "C",
    "weapons": [{"name": "AK", "rounds": 30, "rate_of_fire": 5, "spares": 1}],
}  # fmt: skip


def on_the_sheet(page: Page, name: str) -> None:
    """Tap a row of the sheet in front, or the button of a thing on it."""
    sheet = page.get_by_role("region", name="Sheet", exact=True)
    sheet.get_by_role("button", name=re.compile(f"^Roll with {name}")).click()


def a_row(page: Page) -> None:
    """A row is tapped, and its roll is made easier; then another kind of roll."""
    chance = page.locator(".laid .dock .chance:not([data-waits]) strong")
    on_the_sheet(page, "Recon")
    expect(chance).to_have_text("69 %")
    modifier = page.locator(".laid").get_by_role("group", name="Modifier")
    modifier.get_by_role("radio", name="+1").check(force=True)
    expect(chance).to_have_text(re.compile(r"^(?!69)\d+ %$"))
    page.get_by_role("button", name="Put this roll away").click()
    page.locator(".other-rolls").get_by_role("button", name="Opposed").click()


@story("card", "chances", "form", "preview")
def played(host: Server) -> Iterator[Told]:
    """Bo's sheet is played with; he gets better, and his rifle jams, wears and breaks."""
    _, bo = seated(host, "twilight2000", **NOVAK)
    yield looking(bo=bo)
    yield {"bo": a_row}
    bo.do("sheet.change", sheet=bo.seat, values={"recon": "A"})
    yield None
    [rifle] = NOVAK["weapons"]
    worn = rifle | {"jammed": True, "reliability": 3}
    bo.do("sheet.change", sheet=bo.seat, values={"weapons": [rifle | {"jammed": True}]})
    yield None
    bo.do("sheet.change", sheet=bo.seat, values={"weapons": [worn], "spare_parts": 1})
    yield None
    bo.do("sheet.change", sheet=bo.seat, values={"weapons": [worn | {"reliability": 0}]})
    yield None


def a_stat(page: Page) -> None:
    """A stat is tapped and another picked beside it; then a task."""
    dice = page.locator(".laid-dice .die")
    on_the_sheet(page, "Drive")
    expect(dice).to_have_count(3)
    ability = page.locator(".laid").get_by_role("combobox", name="Ability")
    ability.select_option(label="Reflexes · 4")
    expect(dice).to_have_count(7)
    page.get_by_role("button", name="Put this roll away").click()
    on_the_sheet(page, "Hotwire")


@story("card", "chances", "form", "preview")
def stats(host: Server) -> Iterator[Told]:
    """Bo has two stats, and a task under way."""
    values: dict[str, Any] = {
        "name": "Mags", "adrenaline": 1,
        "stats": [{"name": "Reflexes", "rating": 4}, {"name": "Drive", "rating": 3}],
        "tasks": [{"name": "Hotwire", "target": 4}],
    }  # fmt: skip
    _, bo = seated(host, "dust", **values)
    yield looking(bo=bo)
    yield {"bo": a_stat}


@story("card", "chances")
def removed(host: Server) -> Iterator[Lookers | None]:
    """Bo is removed, the house rules change, and Mina takes Bo's character."""
    rosa, bo = seated(host, "twilight2000", **SOLDIER)
    mina = host.join(rosa.links["player"], name="Mina", signs=False)
    yield looking(rosa=rosa)
    rosa.do("seat.remove", seat=bo.seat)
    rosa.do("table.change", house={"jam_rule": "ammo"})
    yield None
    rosa.do("sheet.create", sheet=mina.seat, values=SOLDIER, shown=True)
    yield None
    rosa.do("sheet.remove", sheet=bo.seat)
    yield None


def in_german(page: Page) -> None:
    """Somebody has a browser that is German, and then English again."""
    with page.expect_response("**/games/*?language=de"):
        speak(page, "de-DE")
    speak(page, "en-GB")


@story("card", "chances")
def starters(host: Server) -> Iterator[Told]:
    """Bo becomes Kestrel; Cy copies that character, and calls it Kite."""
    rosa = host.create_table("ghostburn", name="Rosa", title="Tonight", signs=False)
    bo, cy = (host.join(rosa.links["player"], name=name, signs=False) for name in ("Bo", "Cy"))
    known = [dict(starter.values) for starter in find_game("ghostburn").card.starters]
    [kestrel] = [values for values in known if values["name"] == "Kestrel"]
    yield looking(bo=bo, cy=cy)
    yield {"bo": in_german}
    bo.do("sheet.create", values=kestrel)
    yield None
    cy.do("sheet.create", values={**kestrel, "name": "Kite"})
    yield None


@story()
def turn(host: Server) -> Iterator[Lookers | None]:
    """Four checks in a row; the first was a success, and somebody has gone on to the second."""
    _, bo = seated(host, "edge20")
    check = {"modifier": 5, "dc": 15}
    roll = plain(bo, {"roll": "turn", "checks": [check] * 4}, [18])
    yield looking(bo=bo)
    bo.enter(bo.choose(roll, "go on"), [19])
    yield None


@story()
def four_bullets(host: Server) -> Iterator[Lookers | None]:
    """Base damage 3, a hit with three successes and four bullets for two foes (T2K R23)."""
    _, bo = seated(host, "twilight2000", **SOLDIER)
    foes = [{"name": "Guard"}, {"name": "Driver"}]
    shot = {"roll": "attack", "attribute": "B", "skill": "A", "ammo_dice": 6, "base_damage": 3}
    bo.choose(plain(bo, {**shot, "targets": foes}, [8, 10, 6, 6, 6, 6, 2, 2]), "keep")
    yield looking(bo=bo)


@story()
def doubles_of_a_failure(host: Server) -> Iterator[Lookers | None]:
    """Two successes and two 1s come to nothing, and the point for doubles is asked about."""
    _, bo = seated(host, "dust")
    plain(bo, {"roll": "roll", "pool": 4, "doubles": "ask"}, [9, 9, 1, 1])
    yield looking(bo=bo)


@story("card", "form")
def asked_for_anything(host: Server) -> Iterator[Told]:
    """Rosa asks all for any skill."""
    rosa, bo = seated(host, "twilight2000", **SOLDIER)
    yield looking(rosa=rosa, bo=bo)
    yield {"rosa": asking("Something else", which_skill="Recon")}
    any_skill = drafted({"roll": "skill"})
    rosa.do("roll_request.create", who="all", draft=any_skill, note="anything")
    yield None


RECON = {"roll": "skill", "skill_name": "recon"}


@story("card")
def own_die(host: Server) -> Iterator[Told]:
    """One D8 of Bo's own: a face is typed, taken back, typed again, and pushed for stress."""
    rosa, bo = seated(host, "twilight2000", name="Novak")
    roll = typed(bo, RECON)
    yield looking(bo=bo, rosa=rosa)
    roll = bo.enter(roll, [3])
    yield None
    roll = bo.take_back(roll)
    yield None
    roll = bo.enter(roll, [3])
    yield None
    roll = bo.choose(roll, "push")
    yield None
    bo.enter(roll, [1])
    yield None


@story()
def hidden(host: Server) -> Iterator[Told]:
    """Three dice of Bo's that only the referee could see, and which he shows at last."""
    rosa, bo = seated(host, "twilight2000", name="Novak")
    cy = host.join(rosa.links["player"], name="Cy", signs=False)
    roll = bo.enter(bo.roll("3d6", physical=True, visibility="private"), [2, 3, 5])
    yield looking(bo=bo, cy=cy)
    bo.do("roll.reveal", roll=roll.id)
    yield None


@story("form", "preview")
def two_asks(host: Server) -> Iterator[Told]:
    """Rosa asks Bo for a skill, and then for dice."""
    rosa, bo = seated(host, "twilight2000")
    rosa.do("roll_request.create", who=[bo.seat], draft=drafted({**RECON, "skill_name": "stamina"}))
    yield looking(bo=bo)
    rosa.do("roll_request.create", who=[bo.seat], expression="2d6", note="How long?")
    yield None


SABLE: dict[str, Any] = {
    "name": "Sable",
    "luck_points": 1,
    "abilities": [{"name": "Presence", "score": 5}],
    "skills": [
        {"name": "Persuade", "ability": "Presence", "bonus": 2, "favored": True},
        {"name": "Deceive", "ability": "Presence", "bonus": 1},
    ],
}
RECAP = "recap?session=1"


@story(RECAP)
def evening_over(host: Server) -> Iterator[Told]:
    """Three choices about Luck, the end of the session, and a roll of the next one."""
    rosa, bo = seated(host, "ghostburn", **SABLE)
    una = host.join(rosa.links["spectator"], name="Una", signs=False)
    for skill, chosen in (("Persuade", "keep"), ("Deceive", "keep"), ("Persuade", "bonus")):
        draft = {"roll": "roll", "pick": {"skill": skill}, "set": {"dl": "Severe"}}
        bo.choose(bo.enter(bo.roll(draft=draft, sheet=bo.seat, physical=True), [8, 8]), chosen)
    yield looking(bo=bo, una=una)
    rosa.do("session.end")
    yield None
    bo.roll("3d1")
    yield None


@story(RECAP)
def open_rolls(host: Server) -> Iterator[Told]:
    """A roll that waits as the session ends, and is kept for the next."""
    rosa, bo = seated(host, "twilight2000", **SOLDIER)
    typed(bo, RECON, [2])
    yield looking(rosa=rosa)
    rosa.do("session.end", keep_open=True)
    yield None


@story(RECAP)
def given_up(host: Server) -> Iterator[Told]:
    """A roll that waits as the session ends, and is given up with it."""
    rosa, bo = seated(host, "twilight2000", **SOLDIER)
    typed(bo, RECON, [2])
    yield looking(rosa=rosa)
    rosa.do("session.end")
    yield None


@story(RECAP)
def numbers_of_an_evening(host: Server) -> Iterator[Told]:
    """Two bursts, of which the odds of one can be counted, and a weapon that is jammed."""
    rosa, bo = seated(host, "twilight2000", name="Ines", weapons=[{"name": "AK", "jammed": True}])
    attack = {"game": "twilight2000", "roll": "attack", "attribute": "B", "skill": "C"}
    short = {**attack, "rounds": 60, "ammo_dice": 2, "targets": [{"name": "Olek", "capacity": 5}]}
    two = [{"name": name, "capacity": 5} for name in ("Olek", "Ursa")]
    long = {**attack, "rounds": 60, "ammo_dice": 12, "rate_of_fire": 12, "targets": two}
    first = bo.choose(bo.enter(bo.roll(short, physical=True), [6, 2, 6, 2]), "keep")
    bo.do("roll.choose", roll=first.id, puts={"Olek": [1]})
    bo.enter(first, [3, 3])
    bo.choose(bo.enter(bo.roll(long, physical=True), [1, 2, *[2] * 12]), "keep")
    yield looking(bo=bo)
    rosa.do("session.end")
    yield None


@story(RECAP)
def hopeless(host: Server) -> Iterator[Told]:
    """A task that nobody could do."""
    rosa, bo = seated(host, "dust", name="Ines")
    task = {"game": "dust", "roll": "extended", "attribute": 2, "ability": 1, "target": 20}
    bo.enter(bo.roll({**task, "limit": 1}, physical=True), [2, 2, 2])
    yield looking(bo=bo)
    rosa.do("session.end")
    yield None


@story(RECAP)
def botch(host: Server) -> Iterator[Told]:
    """Two 1s and no success (DUST R9)."""
    rosa, bo = seated(host, "dust", name="Ines")
    plain(bo, {"game": "dust", "roll": "roll", "pool": 3}, [1, 1, 4])
    yield looking(bo=bo)
    rosa.do("session.end")
    yield None


MEDIC: dict[str, Any] = {"name": "Kasia", "tools": [{"name": "med kit", "reliability": 5}]}


@story("card")
def one_list(host: Server) -> Iterator[Told]:
    """Rosa changes the list that Bo looks at: she adds something, and then makes another worse."""
    rosa, bo = seated(host, "twilight2000", **MEDIC)
    yield looking(bo=bo)
    rosa.do("sheet.change_item", sheet=bo.seat, list="tools", after={"name": "lantern"})
    yield None
    [sheet] = [one for one in bo.snapshot()["sheets"] if one["sheet"] == bo.seat]
    kit = sheet["values"]["tools"][0]
    worse = {**kit, "reliability": 2}
    rosa.do("sheet.change_item", sheet=bo.seat, list="tools", before=kit, after=worse)
    yield None


@story("preview")
def another_spelling(host: Server) -> Iterator[Told]:
    """A table without a game whose dice are written as in Roll20."""
    rosa = host.create_table(name="Rosa", title="Tonight", signs=False)
    yield looking(rosa=rosa)
    rosa.do("table.change", dialect="roll20")
    yield None
    rosa.roll("3d1>1 + 1d1>2", dialect="roll20")
    yield None


MARKSMAN: dict[str, Any] = {"STR": "A", "AGL": "A", "ranged_combat": "A", "hit_capacity": 5}
M4 = {"name": "M4", "rate_of_fire": 6, "rounds": 30, "magazine_size": 30}


@story("card")
def harm(host: Server) -> Iterator[Told]:
    """Bo's shot is to hurt Cy, who lets it happen; another that Rosa does not let happen."""
    rosa, bo = seated(host, "twilight2000", **MARKSMAN, name="Bo", weapons=[M4])
    cy = host.join(rosa.links["player"], name="Cy", signs=False)
    cy.do("sheet.create", values={**MARKSMAN, "name": "Cy"})
    shot = {"roll": "attack", "weapon": "M4", "ammo_dice": 0, "targets": [{"name": f"@{cy.seat}"}]}
    aimed = {**shot, "pushable": False}
    roll = typed(bo, aimed, [12, 12])
    yield looking(cy=cy, rosa=rosa) | spectator(rosa)
    bo.enter(roll, [1])
    yield None
    cy.apply(roll, cy.seat)
    yield None
    rosa.decline(typed(bo, aimed, [12, 12], [1]), cy.seat)
    yield None


@story()
def contest(host: Server) -> Iterator[Told]:
    """Milo plays Vex, who wins against Ash, whom Bo plays."""
    rosa = host.create_table("kleptonomicon", name="Rosa", signs=False)
    milo, bo = (host.join(rosa.links["player"], name=name, signs=False) for name in ("Milo", "Bo"))
    for seat, name in ((milo, "Vex"), (bo, "Ash")):
        seat.do("sheet.create", values={"name": name})
    sides = {"first": {"name": "milo", "modifier": 20}, "second": {"name": "Ash"}}
    roll = milo.roll(request={"roll": "contest", **sides}, physical=True)
    while not roll.has_outcome:
        roll = milo.enter(roll, [5] * len((roll.after or {})["dice"]))
    yield looking(rosa=rosa)


@story()
def latecomer(host: Server) -> Iterator[Told]:
    """Bo has rolled when Cy comes, takes somebody who is ready to play, and rolls."""
    rosa, bo = seated(host, "twilight2000")
    bo.choose(moments.push(bo), "keep")
    cy = host.join(rosa.links["player"], name="Cy", signs=False)
    yield looking(cy=cy)
    cy.do("sheet.create", values={**SHEETS["twilight2000"][0], "name": "Ilse"})
    yield None
    cy.roll("3d1")
    yield None


@story()
def alone(host: Server) -> Iterator[Told]:
    """Rosa is at a new table, by a name of its own; then Bo comes."""
    rosa = host.create_table("twilight2000", name="Rosa", title="Sobieski's Ferry", signs=False)
    yield looking(rosa=rosa)
    host.join(rosa.links["player"], name="Bo", signs=False)
    yield None


@story()
def crowd(host: Server) -> Iterator[Told]:
    """Eleven strangers sit down at once; from then on newcomers knock; then all are removed."""
    rosa = host.create_table("", name="Rosa", signs=False)
    yield looking(rosa=rosa)
    link = rosa.links["player"]
    strangers = [host.join(link, name=f"Stranger {n}", signs=False) for n in range(11)]
    yield None
    rosa.do("table.change", knock=True)
    yield None
    for seat in strangers:
        rosa.do("seat.remove", seat=seat.seat)
    yield None


def screen(host: Server, name: str, **fields: Any) -> str:
    """The address of a screen without a table, with what is set there."""
    query = {key: one if isinstance(one, str) else json.dumps(one) for key, one in fields.items()}
    return f"{host.address}/{name}" + (f"?{urlencode(query)}" if query else "")


def rolling(host: Server, game: str, roll: str, **fields: Any) -> str:
    """The address of a roll of a game, with what is set of it."""
    return screen(host, "roll", game=game, roll=roll, **{"with": fields})


def pressing(*names: str) -> Act:
    """Press buttons of the roll panel, one after the other."""

    def act(page: Page) -> None:
        if page.locator("nav.tabs").count():
            tab(page, "Roll")
        for name in names:
            page.locator(".roll-panel").get_by_role("button", name=name, exact=True).first.click()
            page.wait_for_timeout(MOMENT)

    return act


def picking(*names: str) -> Act:
    """Pick one of several after the other."""

    def act(page: Page) -> None:
        for name in names:
            page.get_by_role("radio", name=name).first.check(force=True)
            page.wait_for_timeout(MOMENT)

    return act


def writing(*texts: str) -> Act:
    """Write dice, one after the other."""

    def act(page: Page) -> None:
        for text in texts:
            page.get_by_label("Dice", exact=True).fill(text)
            page.wait_for_timeout(MOMENT)

    return act


def after(*acts: Act) -> Act:
    """Do one thing after the other."""
    return lambda page: [act(page) for act in acts] and None


def helped(page: Page) -> None:
    """Take what one more helper is worth."""
    page.locator(".one-more").get_by_role("button", name="One helper").click()


MOMENT = 600
"""Milliseconds in which a page asks all that it asks about something."""
PANEL = ("form", "preview")
"""What the roll panel asks."""
PLAIN_SKILL = {"attribute": "B", "skill": "C"}


@story(*PANEL)
def without_table(host: Server) -> Iterator[Told]:
    """Rolls without a table: what one more is worth, what a push costs, what is refused."""
    yield {
        "skill": rolling(host, "twilight2000", "skill", **PLAIN_SKILL),
        "attack": rolling(host, "twilight2000", "attack", **PLAIN_SKILL, ammo_dice=3),
        "few": rolling(host, "twilight2000", "attack", **PLAIN_SKILL, rounds=4),
        "refused": rolling(host, "twilight2000", "skill", **PLAIN_SKILL, modifier=25),
        "turn": rolling(host, "edge20", "turn"),
        "pool": rolling(host, "dust", "roll", pool=7, difficulty=8),
    }
    yield {
        "skill": helped,
        "attack": picking("Push a failure"),
        "turn": pressing("One more check", "Take away Check 3"),
        "pool": pressing("Extended roll", "Pool roll"),
    }


@story("preview")
def written(host: Server) -> Iterator[Told]:
    """Dice in writing: wrong in many ways, and mended; what cannot be counted."""
    dice = {"kq": "4d6kq+2", "hk": "4d6hk3", "many": "1000d6", "product": "100d100*100d100"}
    yield {who: screen(host, "roll", dice=text) for who, text in dice.items()}
    yield {"kq": pressing("4d6k+2"), "many": writing("99999d6", "d0", "🎲", "2d6")}


@story(*PANEL)
def armed(host: Server) -> Iterator[Told]:
    """A weapon that fires, is empty, and is jammed."""
    _, bo = seated(host, "twilight2000", name="Ron", weapons=[WEAPON])
    yield looking(bo=bo)
    yield {"bo": pressing("Attack")}
    bo.do("sheet.change", sheet=bo.seat, values={"weapons": [{**WEAPON, "rounds": 0}]})
    yield None
    bo.do("sheet.change", sheet=bo.seat, values={"weapons": [{**WEAPON, "jammed": True}]})
    yield None
    yield {"bo": pressing("Clear a jam")}


WEAPON = {"name": "AK", "rounds": 20}


@story(*PANEL)
def nobody(host: Server) -> Iterator[Told]:
    """A contest, and a Group Test in which nobody takes part."""
    rosa = host.create_table("kleptonomicon", name="Rosa", signs=False)
    yield looking(rosa=rosa)
    taken = [f"Take away Player {number}" for number in (2, 1)]
    yield {"rosa": pressing("Contest", "Group Test", *taken)}


@story(*PANEL)
def spent(host: Server) -> Iterator[Told]:
    """Cy has no Luck left, Kim one point of Adrenaline; neither rolls by a skill of the sheet."""
    _, cy = seated(host, "ghostburn", name="Cy", luck_points=0)
    _, kim = seated(host, "dust", name="Kim", adrenaline=1)
    yield looking(cy=cy, kim=kim)
    yield {"cy": after(pressing("Skill roll"), picking("Hard")), "kim": pressing("Pool roll")}


@story(*PANEL)
def as_whom(host: Server) -> Iterator[Told]:
    """The referee has a character, and none of her own."""
    rosa = host.create_table("twilight2000", name="Rosa", signs=False)
    rosa.do("sheet.create", sheet="npc", values={"name": "Kessler"})
    yield looking(rosa=rosa)
    yield {"rosa": rolling_as("Kessler")}


@story(*PANEL)
def by_the_sheet(host: Server) -> Iterator[Told]:
    """Dice in writing at a table, with a number of the sheet."""
    _, vera = seated(host, "ghostburn", name="Vera", luck_points=1)
    yield looking(vera=vera)
    yield {"vera": after(pressing("Any dice"), writing("1d20", "1d20+@luck_points"))}


@story(*PANEL)
def agreed(host: Server) -> Iterator[Told]:
    """What is done of a choice is agreed before; it is taken back, and pushed after all."""
    rosa = host.create_table("twilight2000", name="Bo", signs=False)
    yield looking(bo=rosa)
    yield {"bo": after(pressing("Skill"), picking("Never push", "Push a failure", "Ask me"))}
    fields = {"roll": "skill", **PLAIN_SKILL}
    kept = rosa.enter(rosa.roll(fields, physical=True, policy="never"), [3, 2])
    yield None
    rosa.take_back(kept)
    yield None
    rosa.enter(rosa.choose(kept, "push"), [6, 2])
    yield None
    for policy in ("ask", "if-failed"):
        rosa.enter(rosa.roll(fields, physical=True, policy=policy), [6, 2])
        yield None


RIFLEMAN = {"roll": "attack", "attribute": "A", "skill": "C", "ammo_dice": 2, "rounds": 30}


@story()
def ammo(host: Server) -> Iterator[Told]:
    """A burst that hits; one that misses, is pushed and hits."""
    rosa = host.create_table("twilight2000", name="Rosa", signs=False)
    rosa.enter(rosa.roll(RIFLEMAN, physical=True), [6, 12, 1, 6])
    yield looking(rosa=rosa)
    roll = rosa.choose(rosa.enter(rosa.roll(RIFLEMAN, physical=True), [6, 3, 1, 4]), "push")
    rosa.enter(roll, [7, 5])
    yield None


@story("", "games?language=en", "roll", "advise")
def first_page(host: Server) -> Iterator[Told]:
    """Somebody looks at the first page."""
    yield {"ana": screen(host, "")}


@story("", "games?language=de", "roll")
def first_page_in_german(host: Server) -> Iterator[Told]:
    """Somebody else does, in German."""
    yield {"uwe": screen(host, "")}
    yield {"uwe": lambda page: speak(page, "de-DE")}
