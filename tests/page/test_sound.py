"""The sound of a table: dice, choices and verdicts, and one tap that mutes it for good."""

from playwright.sync_api import expect

from tests.page.people import wait_until

LISTENING = """
globalThis.sounds = [];
for (const kind of ["createOscillator", "createBufferSource"]) {
  const made = BaseAudioContext.prototype[kind];
  BaseAudioContext.prototype[kind] = function () {
    sounds.push(kind);
    return made.call(this);
  };
}
"""
HEARD = "kind => sounds.filter((one) => one === kind).length"
SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B"}


def heard(person, kind):
    """How many knocks or notes were made so far."""
    return person.page.evaluate(HEARD, kind)


def test_dice_and_verdicts_are_heard_and_one_tap_mutes_them_for_good(somebody):
    """Three knocks a die, and a chord for a success of the game; muted there is none, and after a
    reload it is still muted.
    """
    rosa = somebody()
    rosa.context.add_init_script(LISTENING)
    rosa.open_table("Twilight: 2000", "Rosa")
    seat, rolls = rosa.seat(), rosa.page.locator(".feed-item.is-roll")
    seat.roll("3d6")
    wait_until(rosa.page, lambda: heard(rosa, "createBufferSource") == 9)
    assert 0 == heard(rosa, "createOscillator")
    seat.enter(seat.roll(SKILL, physical=True), [7])
    wait_until(rosa.page, lambda: heard(rosa, "createOscillator") >= 2)
    mute = rosa.page.get_by_role("button", name="Mute")
    expect(mute).to_have_attribute("aria-pressed", "false")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    rosa.page.evaluate("sounds.length = 0")
    seat.roll("2d6")
    expect(rolls).to_have_count(3)
    assert [] == rosa.page.evaluate("sounds")
    rosa.page.reload()
    expect(mute).to_have_attribute("aria-pressed", "true")
    seat.roll("2d6")
    expect(rolls).to_have_count(4)
    assert [] == rosa.page.evaluate("sounds")
    assert [] == rosa.barriers()
