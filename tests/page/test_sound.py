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


def heard(person, kind):
    """How many knocks or notes were made so far."""
    return person.page.evaluate(HEARD, kind)


def test_dice_are_heard_and_one_tap_mutes_them_for_good(somebody):
    """Three knocks a die; muted there is none, and after a reload it is still muted."""
    rosa = somebody()
    rosa.context.add_init_script(LISTENING)
    rosa.open_table("Free dice", "Rosa")
    seat = rosa.seat()
    seat.roll("3d6")
    wait_until(rosa.page, lambda: heard(rosa, "createBufferSource") == 9)
    mute = rosa.page.get_by_role("button", name="Mute")
    expect(mute).to_have_attribute("aria-pressed", "false")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    seat.roll("2d6")
    expect(rosa.page.locator(".feed-item.is-roll")).to_have_count(2)
    rosa.page.reload()
    expect(mute).to_have_attribute("aria-pressed", "true")
    seat.roll("2d6")
    expect(rosa.page.locator(".feed-item.is-roll")).to_have_count(3)
    assert [] == rosa.page.evaluate("sounds")
    assert [] == rosa.barriers()


def test_a_verdict_is_heard_by_its_tone(somebody):
    """A success of the game has a chord of its own, whichever game it is."""
    rosa = somebody()
    rosa.context.add_init_script(LISTENING)
    rosa.open_table("Twilight: 2000", "Rosa")
    seat = rosa.seat()
    skill = {"game": "twilight2000", "roll": "skill", "attribute": "B"}
    seat.enter(seat.roll(skill, physical=True), [7])
    wait_until(rosa.page, lambda: heard(rosa, "createOscillator") >= 2)
