"""What a referee copies, shares, saves or streams holds no secret, though they see them all."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from rollwright.client import ServerError
from tests.page.overlays import SIZE, over
from tests.page.playing import around, at, close, export
from tests.page.test_overlay import ROLL
from tests.page.test_sheet_panel import a_table

SOURCE = Path(__file__).parents[2] / "web" / "src"
SKILL = {"roll": "skill", "attribute": "B", "skill": "C"}
HARD = {**SKILL, "modifier": -3}
KARL = {"name": "Karl Brandt", "STR": "B"}
TRAITOR = {"name": "The Traitor", "STR": "B", "recon": "B"}
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}
SECRET = re.compile("Traitor|ambush|recon|3d97|private", re.IGNORECASE)

OUTWARD = re.compile(
    r"ui/clipboard|navigator\.(clipboard|share)|ClipboardItem|window\.print|execCommand"
)
"""What takes something out of the page."""
TAKES_OUT = {
    "screens/RecapDialog.tsx": "the evening, made of what everybody may see",
    "table/RollActions.tsx": "a roll as the server tells it to everybody",
    "table/More.tsx": "files of the server: everybody's, or a copy of one's own that says so",
    "table/Invite.tsx": "a link to the table",
    "table/People.tsx": "links to the table and to a seat",
    "ui/clipboard.ts": "how it is done",
    "justroll/index.tsx": "a roll without a table",
    "workbench/ShareTools.tsx": "a program of one's own",
    "workbench/saving.ts": "a program of one's own",
    "workbench/Games.tsx": "a game of one's own",
}
"""Each part of the page that does, with what it takes out."""


def test_every_way_out_of_the_page_is_known():
    """A new one has to be put into the list, and its secrets into a test here."""
    parts = [*SOURCE.rglob("*.ts"), *SOURCE.rglob("*.tsx")]
    found = {str(one.relative_to(SOURCE)) for one in parts if OUTWARD.search(one.read_text())}
    assert set(TAKES_OUT) == found


@pytest.fixture
def evening(host):
    """A referee with a secret roll that is the moment of the evening, and a player."""
    rosa, bo = a_table(host, "twilight2000", KARL)
    bo.enter(bo.roll(SKILL, physical=True), [7, 1])
    made = rosa.do("sheet.create", sheet="npc", values=TRAITOR)
    hidden = made.events[0]["body"]["sheet"]
    draft = {"roll": "skill", "pick": {"skill_name": "recon"}}
    how = {"sheet": hidden, "physical": True, "note": "an ambush"}
    for secret in ({}, {"announce": False}):
        roll = rosa.roll(draft=draft, visibility="private", **how, **secret)
        rosa.enter(roll, [8, 8])
    rosa.enter(rosa.roll(HARD, sheet=hidden, physical=True), [6, 1])
    for faces in ([], [2, 3]):
        given_up = bo.roll(SKILL, physical=True)
        if faces:
            bo.enter(given_up, faces)
        bo.do("roll.cancel", roll=given_up.id)
    with pytest.raises(ServerError):
        bo.roll("1d")
    return rosa, bo


def test_a_referee_shares_an_evening_without_its_secrets(somebody, host, evening):
    """The copied text is the same whoever copies it; who a hidden character is stays hidden.

    What was given up is said, with whether the dice had been seen, and what was refused.
    """
    rosa, bo = evening
    rosa.do("session.end")
    watcher = host.join(rosa.links["spectator"], name="Eve")
    copied = []
    for seat in (rosa, bo, watcher):
        person = at(somebody, seat, **CLIPBOARD)
        over_card = person.page.get_by_role("region", name="Session 1 is over")
        over_card.get_by_role("button", name="Look back").click()
        shown = person.page.get_by_role("dialog")
        expect(shown).to_contain_text("2 rolls, 4 dice, 2 rolls given up")
        expect(shown.get_by_role("region", name="Given up and rolled again")).to_contain_text(
            "Karl Brandt 2 rolls given up, 1 after the dice were seen · 1 call refused"
        )
        assert not SECRET.search(shown.inner_text())
        assert [] == person.barriers()
        shown.get_by_role("button", name="Share the evening").click()
        expect(person.seen("The evening is copied as text.").first).to_be_visible()
        copied.append(person.page.evaluate("navigator.clipboard.readText()"))
    assert not SECRET.search(copied[0])
    assert "Against the odds: Rosa, Skill roll." in copied[0]
    gone = "Karl Brandt: 2 rolls given up, 1 after the dice were seen · 1 call refused"
    assert gone in copied[0]
    assert 1 == len({*copied})


def test_a_referee_saves_a_history_without_its_secrets(somebody, evening, tmp_path):
    """What is to be shared holds none; one's own copy holds them, and is called so."""
    rosa, _ = evening
    person = at(somebody, rosa)
    for name in ("History to read", "History to calculate with"):
        found = export(person, name, tmp_path)
        assert re.fullmatch(r"rollwright-[a-z2-7]{12}-history\.(md|csv)", found.name)
        text = found.read_text("utf-8").replace("in private", "").replace(",private,", "")
        assert not SECRET.search(text)
    own = export(person, "What you saw, to read", tmp_path)
    assert re.fullmatch(r"rollwright-[a-z2-7]{12}-s1-history\.md", own.name)
    assert "What Rosa may see, secrets included" in own.read_text("utf-8")
    assert "an ambush" in own.read_text("utf-8")
    assert '"for":"everybody"' in export(person, "Log for others to verify", tmp_path).read_text()


SHARED = ("Copy as text", "Share, with odds and a link", "Save as a picture")


def test_a_secret_roll_is_not_offered_to_be_shared_before_it_is_revealed(somebody, host):
    """Its menu has neither text nor picture; and the text of an open one names nobody hidden."""
    rosa, _ = a_table(host, "twilight2000", KARL)
    made = rosa.do("sheet.create", sheet="npc", values=TRAITOR)
    hidden = made.events[0]["body"]["sheet"]
    person = at(somebody, rosa, **CLIPBOARD)
    rosa.enter(rosa.roll("1d6 [an ambush]", visibility="private", physical=True), [6])
    offered = menu_of(person, "ambush")
    expect(offered.get_by_role("menuitem", name="Reveal to all")).to_be_visible()
    for name in SHARED:
        expect(offered.get_by_role("menuitem", name=name)).to_have_count(0)
    person.page.keyboard.press("Escape")
    rosa.enter(rosa.roll(HARD, sheet=hidden, physical=True), [6, 1])
    offered = menu_of(person, "The Traitor")
    expect(offered.get_by_role("menuitem", name="Save as a picture")).to_be_visible()
    offered.get_by_role("menuitem", name="Share, with odds and a link").click()
    expect(person.seen("Copied.").first).to_be_visible()
    pasted = person.page.evaluate("navigator.clipboard.readText()")
    assert pasted.startswith("Rosa: Skill roll\n")
    assert "Traitor" not in pasted


def menu_of(person, words):
    """The menu of the roll on the stage, once it is the one that is meant."""
    card = person.page.locator(".stage-pane .roll-card", has_text=words)
    card.get_by_role("button", name="More about this roll").click()
    return person.page.get_by_role("menu")


def test_the_statistics_say_what_was_given_up_and_whose_view_it_is(somebody, evening):
    """Beside the dice; a referee reads their own view, which says so."""
    _, bo = evening
    person = at(somebody, bo)
    dialog = around(person, "Are my dice bad?")
    expect(dialog).to_contain_text("2 rolls given up, 1 after the dice were seen")
    expect(dialog).to_contain_text("As you see it, secret rolls of which you know included.")
    close(dialog)


def test_the_overlay_is_the_same_whatever_is_rolled_in_secret(somebody, host):
    """A stream shows the open roll, to the last sign of the page, with secrets and without."""
    drawn = []
    for secrets in (False, True):
        rosa, bo = a_table(host, "twilight2000", KARL)
        page = somebody(size=SIZE).page
        over(page, str(rosa.links["spectator"]))
        if secrets:
            for visibility in ("private", "hidden", "blind"):
                rosa.roll("3d97", visibility=visibility, announce=False, note="an ambush")
            rosa.do("sheet.create", sheet="npc", values=TRAITOR)
            rosa.do("chat.send", text="An ambush!", to=[bo.seat])
        bo.enter(bo.roll(SKILL, physical=True), [7, 1])
        expect(page.locator(f"{ROLL} .outcome")).to_contain_text("Success")
        expect(page.locator(f"{ROLL} .odds-line")).to_contain_text("%")
        if secrets:
            rosa.roll("3d97", visibility="private", announce=False, note="an ambush")
            rosa.roll("3d97", visibility="private", note="an ambush")
        drawn.append(page.locator(".overlay").evaluate("one => one.outerHTML"))
    assert drawn[0] == drawn[1]
