"""The referee's side in a real browser: the list of house rules, a table deleted and made again.

What the dialogs say, send and show to others is in web/tests/referee.test.tsx.
"""

import json

from playwright.sync_api import expect

from tests.page.people import PHONE, resize
from tests.page.playing import around, at, close


def test_house_rules_are_a_short_list_with_its_button_in_sight(somebody, host):
    """A line each, and Save stands below them whatever is scrolled, on a phone too."""
    rosa = host.create_table("twilight2000", name="Rosa")
    person = at(somebody, rosa)
    dialog = around(person, "House rules")
    expect(dialog.locator(".rule")).not_to_have_count(0)
    expect(dialog.get_by_role("radio")).to_have_count(0)
    assert dialog.locator(".inside").evaluate("inside => inside.scrollHeight") < 1100
    resize(person.page, PHONE)
    expect(dialog.get_by_role("button", name="Save")).to_be_in_viewport(ratio=1)
    close(dialog)


def test_a_table_is_deleted_and_made_again_from_its_log(somebody, host, tmp_path):
    """From its log the referee goes on elsewhere, and dice hold; a log that was changed and a file
    that is none make no table, and it is said why where the file was chosen.
    """
    rosa = host.create_table("ghostburn", name="Rosa")
    rosa.roll("3d6")
    person = at(somebody, rosa)
    dialog = around(person, "Export and delete")
    with person.page.expect_download() as download:
        dialog.get_by_role("button", name="Log, to verify or move").click()
    path = tmp_path / "log.json"
    download.value.save_as(path)
    dialog.get_by_role("button", name="Delete the table").click()
    dialog.get_by_role("button", name="Yes, delete for ever").click()
    expect(person.page.get_by_role("heading", name="Start a table")).to_be_visible()
    assert {} == person.tables

    log = json.loads(path.read_text("utf-8"))
    file = person.page.locator("input[type=file]")
    wrong = tmp_path / "wrong.json"
    log["events"][0]["body"]["game"] = "edge20"
    wrong.write_text(json.dumps(log), "utf-8")
    file.set_input_files(wrong)
    expect(person.page.get_by_role("alert")).to_contain_text("this log is not true")
    wrong.write_text("no log", "utf-8")
    file.set_input_files(wrong)
    expect(person.page.get_by_role("alert")).to_have_text("This file is no log of a table.")

    file.set_input_files(path)
    expect(person.feed("The table was moved here from another server")).to_be_visible()
    person.seat().roll("2d10")
    card = person.page.locator(".stage-pane .roll-card")
    expect(card).to_contain_text("2d10")
    expect(card.get_by_role("button", name="Verified")).to_be_visible()
    assert host.verify(log=person.seat().log())["true"]
