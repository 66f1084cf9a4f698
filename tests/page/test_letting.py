"""What a roll does to somebody else is found, decided by a tap or a key, and true in the log.

What is said of it to whom, and what an answer sends, is in web/tests (`letting.test.tsx`).
"""

import json
import re

from playwright.sync_api import expect

from tests.archive.make import SHEETS
from tests.drafts import drafted
from tests.page.moments import seated
from tests.page.people import PHONE, resize, speak
from tests.page.playing import at, tab, true_log
from tests.page.test_watching import LAPTOP

ELSEWHERE = re.compile(r"What Sgt\. Novak rolled \(.*\) would change Ilse: \d+ damage")


def strike(bo, victim):
    """Bullets for Ilse and a guard, given out: dice typed, so that they hit a head and a torso."""
    foes = [{"name": f"@{victim.seat}"}, {"name": "Guard"}]
    shot = {"roll": "attack", "weapon": "M249", "ammo_dice": 3, "targets": foes}
    roll = bo.enter(bo.roll(draft=drafted(shot), sheet=bo.seat, physical=True), [8, 10, 6, 6, 2])
    roll = bo.choose(roll, "keep")
    return bo.enter(bo.choose(roll, "+1 damage; hit Guard"), [6, 3])


def test_what_waits_for_ones_word_is_found_and_decided_by_a_key(somebody, host, tmp_path):
    """How it went and the question come into sight though ten dice lie there, each fact once. On a
    phone a strip leads back to it from wherever one is, in the reader's language. The referee says
    no with three keys, and nothing changes.
    """
    leads, bo = seated(host, "twilight2000")
    victim = host.join(leads.links["player"], name="Cy")
    victim.do("sheet.create", values={**SHEETS["twilight2000"][0], "name": "Ilse"})
    strike(bo, victim)
    cy = at(somebody, victim, size=LAPTOP)
    let = cy.page.get_by_role("button", name="Let it happen")
    expect(cy.page.locator(".stage-pane .outcome")).to_be_in_viewport(ratio=1)
    expect(let).to_be_in_viewport(ratio=1)
    assert 1 == cy.page.locator(".stage-pane .roll-card").inner_text().count("5 damage")
    assert [] == cy.barriers()
    resize(cy.page, PHONE)
    tab(cy, "Feed")
    strip = cy.page.locator(".waiting-strip")
    expect(strip).to_contain_text(ELSEWHERE)
    strip.click()
    expect(let).to_be_in_viewport()
    assert [] == cy.barriers()
    speak(cy.page, "de-DE")
    german = re.compile(r"Das würde Ilse ändern: \d+ Schaden")
    expect(cy.page.get_by_role("group", name=german)).to_be_visible()

    rosa = at(somebody, leads)
    letting = rosa.page.get_by_role("group", name=re.compile(r"This would change Ilse: \d+ damage"))
    expect(letting).to_be_visible()
    rosa.page.keyboard.press("c")
    expect(rosa.page.get_by_role("button", name="Let it happen")).to_be_focused()
    rosa.page.keyboard.press("Tab")
    rosa.page.keyboard.press("Enter")
    expect(letting).to_have_count(0)
    expect(cy.page.get_by_role("group", name=german)).to_have_count(0)
    [sheet] = [one for one in bo.snapshot()["sheets"] if one["sheet"] == victim.seat]
    assert 0 == sheet["values"].get("damage", 0)
    log = tmp_path / "log.json"
    log.write_text(json.dumps(bo.log()), "utf-8")
    assert "roll.declined" in [event["kind"] for event in true_log(log)]
