"""What a game says of itself is shown as it comes: texts, marks, dice that lie, tokens, sheets."""

import json

import pytest
from playwright.sync_api import expect

from tests.page.test_form import bundled

HARNESS = """
import { signal } from "@preact/signals";
import { render } from "preact";
import { lying } from "./src/dice/standing";
import { Dice } from "./src/dice";
import { markOf, readingOf } from "./src/dice/reading";
import { kindOf } from "./src/dice/kinds";
import { askedOf, askedParts, together } from "./src/form/AskFields";
import { CardSheet } from "./src/sheets/widgets";
import { begun } from "./src/sheets/shown";
import { Assign, sent } from "./src/table/assign";
import { verdictOf } from "./src/table/verdict";
import { front, say, worded } from "./src/words/text";
import { bring } from "./src/words";
import { en_aside } from "./src/words/en_aside";
bring(en_aside);
export { lying, markOf, readingOf, kindOf, askedOf, askedParts, together, sent, verdictOf };
export { front, say, worded, begun };

/** A sheet of somebody who may change it; what is sent is kept. */
export function sheet(values, fields, widgets, mayChange = true) {
  const commands = [];
  const table = {
    standing: signal("open"), isPlaying: signal(true), arrived: new Map(),
    said: (text) => say(text),
    send: (command) => (commands.push(command), Promise.resolve()),
    get: () => Promise.resolve({ hash: "h", widgets }), roll: () => undefined,
  };
  const sheet = { id: "s1", owner: "s1", values, shown: true, changes: {} };
  const paper = { table, sheet, fields, mayChange };
  render(<CardSheet paper={paper} />, document.body);
  return { commands };
}

export function deal(assign) {
  const done = [];
  const deal = (puts) => done.push(puts);
  render(<Assign assign={assign} said={say} disabled={false} onDone={deal} />, document.body);
  return { done };
}

export const empty = () => render(null, document.body);

export function dice(props) {
  render(<Dice {...props} />, document.body);
}
"""


@pytest.fixture(scope="module")
def tab(browser):
    """An empty page with the modules that show a card."""
    tab = browser.new_page()
    tab.evaluate(bundled(HARNESS))
    yield tab
    tab.close()


@pytest.fixture(autouse=True)
def _empty(tab):
    tab.evaluate("page.empty(); page.front.value = null")


WORDS = {
    "hit": [["who"], " hits ", ["n", "cardinal", {"one": "once", "other": [["n"], " times"]}]],
    "word.Hard": "schwer",
}


def test_texts_are_said_as_they_are_or_in_the_words_of_the_game(tab):
    """A string, a message with values, a sentence after a sentence; people have their names."""
    front = {"name": "game", "words": WORDS}
    tab.evaluate("(front) => void (page.front.value = front)", front)
    names = """(text) => page.say(text, (ref) => ({ "@s3": "Ann" })[ref] ?? ref)"""
    assert "Ann waits" == tab.evaluate(names, "@s3 waits")
    assert "Ann hits 3 times" == tab.evaluate(names, ["hit", {"who": {"who": "@s3"}, "n": 3}])
    both = {"all": ["One.", ["hit", {"who": "Bo", "n": 1}]]}
    assert "One. Bo hits once" == tab.evaluate(names, both)
    assert "schwer" == tab.evaluate("page.worded('word.Hard', 'Hard')")
    assert "Easy" == tab.evaluate("page.worded('word.Easy', 'Easy')")


@pytest.mark.parametrize(
    ("die", "face", "tone"),
    [
        ("ammo d6", 6, "great"),
        ("ammo d8", 6, "good"),
        ("d10", 1, "bad"),
        ("d10", 8, "good"),
        ("d10", 3, None),
        ("coin", "won", "great"),
        ("d4", 4, "even"),
    ],
)
def test_a_mark_is_found_by_name_shape_and_range(tab, die, face, tone):
    """The name with its sides first, then the name, the shape, and what counts for all dice."""
    marks = {
        "ammo d6": {"6": {"tone": "great"}},
        "ammo": {"6": {"tone": "good"}},
        "d10": {"1": {"tone": "bad"}, "7..10": {"tone": "good"}},
        "coin": {"won": {"tone": "great"}},
        "*": {"4": {"tone": "even"}},
    }
    code = "([marks, die, face]) => page.markOf(marks, page.kindOf(die), face)?.tone ?? null"
    assert tone == tab.evaluate(code, [marks, die, face])


def test_dice_show_and_say_their_marks_but_not_where_they_do_not_count(tab):
    """Several symbols on a face, the spoken word, and a dropped die without it."""
    marks = {"d10": {"10": {"tone": "great", "symbols": ["crosshair", "crosshair"], "said": "two"}}}
    props = {"dice": ["d10", "d10"], "faces": [10, 10], "marks": marks, "dropped": [1]}
    tab.evaluate("(props) => page.dice(props)", props)
    first, second = tab.get_by_role("img").all()
    expect(first).to_have_accessible_name("d10 shows 10, two")
    expect(second).to_have_accessible_name("d10 shows 10, does not count")
    assert 2 == first.locator("g[transform] .die-stroke").count()


EYE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
EYE += '<circle cx="12" cy="12" r="9"/></svg>'


def test_a_die_with_words_is_the_solid_that_its_game_says_with_all_its_signs(tab):
    """Signs of the page and pictures of the game side by side; a blank face has nothing on it."""
    looks = {"deed": {"sides": 8, "label": "Deed"}}
    tab.evaluate(
        "(card) => void (page.front.value = { name: 'game', words: {}, card })",
        {"dice": looks, "icons": {"eye": EYE}},
    )
    faces = {"eye+won": ["eye", "won"], "won+won+won": ["won"] * 3, "blank": []}
    marks = {
        "deed": {
            face: {"tone": "good", "symbols": signs, "alone": True, "said": f"{len(signs)} signs"}
            for face, signs in faces.items()
        }
    }
    die = {"die": [[face, 1] for face in faces], "name": "deed"}
    props = {"dice": ["deed"] * 3, "pool": {"pool": [[die, 3]]}, "faces": [*faces], "marks": marks}
    tab.evaluate("(props) => page.dice(props)", props)
    dice = tab.locator(".die")
    assert ["d8"] * 3 == [dice.nth(n).get_attribute("data-shape") for n in range(3)]
    signs = [
        (one.locator("image").count(), one.locator(".die-stroke").count()) for one in dice.all()
    ]
    assert [(1, 1), (0, 3), (0, 0)] == signs
    assert 0 == dice.locator("text").count()
    expect(tab.get_by_role("img").nth(1)).to_have_accessible_name("Deed shows 3 signs")


PAINTING = """
import { sheetOf } from "./src/dice3d/painting";
import { shapeOf } from "./src/dice3d/shapes";
import { front } from "./src/words/text";

/** How many marks stand side by side on the first side of a die that rolls. */
export async function marks(icons) {
  front.value = { name: "game", words: {}, card: { icons: PICTURES } };
  const labels = Array(6).fill("x");
  const colours = { body: "#ffffff", ink: "#000000" };
  const paint = () => ({ text: "x", icons, alone: true });
  const sheet = sheetOf(shapeOf("d6"), labels, "x", paint, colours, () => {});
  const drawn = sheet.version;
  const late = icons.some((icon) => icon in PICTURES);
  while (late && sheet.version === drawn) await new Promise(requestAnimationFrame);
  const side = sheet.image.width / 3;
  const row = sheet.image.getContext("2d").getImageData(0, side / 2, side, 1).data;
  const dark = Array.from({ length: side }, (_, x) => row[4 * x] < 128);
  return dark.filter((is, x) => is && !dark[x - 1]).length;
}
"""


def test_dice_that_roll_have_all_signs_too(browser):
    """A bar for each sign across the middle of a side, pictures once they are there."""
    tab = browser.new_page()
    tab.evaluate(bundled(PAINTING.replace("PICTURES", json.dumps({"eye": EYE}))))
    counted = [tab.evaluate("(icons) => page.marks(icons)", icons) for icons in (
        ["minus"], ["minus", "minus"], ["minus"] * 3, [], ["eye"],
    )]  # fmt: skip
    assert [1, 2, 3, 0, 1] == counted
    tab.close()


def test_dice_lie_as_the_game_says(tab):
    """Kept dice stay, dropped and taken up ones do not count, by entry and place."""
    lies = {"0.0": "kept", "0.1": "dropped", "2.0": "again", "2.1": "counts"}
    code = "([lies, entry]) => page.lying(lies, entry)"
    assert {"locked": [0], "dropped": [1]} == tab.evaluate(code, [lies, 0])
    assert {"locked": [], "dropped": [0]} == tab.evaluate(code, [lies, 2])


def test_a_verdict_is_the_games_and_an_old_roll_says_whether_it_went_well(tab):
    """Word, detail and price of the game; without one `good`, and of dice alone the number."""
    code = """(after) => {
        const ended = { step: "done", fields: {}, good: null, ...after };
        return page.verdictOf({ after: ended }, { said: (text) => page.say(text) });
    }"""
    verdict = {
        "word": "hit",
        "tone": "great",
        "detail": ["4 damage", "a kill"],
        "paid": ["5 rounds"],
    }
    shown = {"text": "Hit", "more": "4 damage · a kill", "paid": "5 rounds", "tone": "great"}
    assert shown == tab.evaluate(code, {"verdict": verdict})
    old = {"text": "Failure", "more": "", "paid": "", "tone": "bad"}
    assert old == tab.evaluate(code, {"good": False})
    assert "−3" == tab.evaluate(code, {"fields": {"value": -3}})["text"]
    assert tab.evaluate(code, {}) is None


def test_tokens_are_dealt_out_whole(tab):
    """All of them are given before it is done; what stacks is one larger thing or several."""
    places = [{"at": "", "label": "Damage"}, {"at": "Guard", "label": "Guard", "stacks": True}]
    tab.evaluate(
        "(assign) => void (globalThis.dealt = page.deal(assign))", {"tokens": 3, "places": places}
    )
    done = tab.get_by_role("button", name="Done")
    expect(tab.get_by_role("status")).to_have_text("3 left to give")
    tab.get_by_role("button", name="Damage: one more").click()
    expect(tab.get_by_role("status")).to_have_text("2 left to give")
    done.click(force=True)
    tab.get_by_role("button", name="Guard: one more").click()
    tab.get_by_role("button", name="Another: Guard").click()
    done.click()
    assert [{"": [1], "Guard": [1, 1]}] == tab.evaluate("dealt.done")


FIELDS = [
    {"name": "damage", "title": "damage", "kind": "int", "default": 0},
    {
        "name": "weapons",
        "title": "weapons",
        "kind": "list",
        "items": {
            "name": "",
            "title": "weapon",
            "kind": "value",
            "fields": [{"name": "name", "title": "name", "kind": "text", "required": True}],
        },
    },
]


def test_a_sheet_is_drawn_from_widgets_and_changed_where_it_stands(tab):
    """Boxes, steppers, levels, flags, things with what is on them, acts with their reasons."""
    values = {"damage": 2, "STR": "B", "weapons": [{"name": "M16", "rounds": 12}]}
    gun = {
        "key": "M16",
        "title": "M16",
        "chips": ["jammed"],
        "begins": {"roll": "attack", "pick": {"weapon": "M16"}},
        "show": [
            {
                "widget": "track",
                "style": "bar",
                "at": "rounds",
                "label": "Rounds",
                "value": 12,
                "most": 30,
            },
            {
                "widget": "act",
                "text": "Reload",
                "effect": "reload",
                "target": "M16",
                "off": "no spares",
            },
        ],
    }
    levels = [
        {"value": None, "label": ""},
        {"value": "A", "label": "A"},
        {"value": "B", "label": "B"},
    ]
    widgets = [
        {
            "widget": "group",
            "title": "Wounds",
            "show": [{"widget": "track", "at": "damage", "label": "Damage", "value": 2, "most": 5}],
        },
        {"widget": "level", "at": "STR", "label": "Strength", "value": "B", "options": levels},
        {"widget": "flag", "at": "out", "label": "Out", "value": False},
        {"widget": "things", "at": "weapons", "key": "name", "label": "Weapons", "rows": [gun]},
        {"widget": "words", "at": "edges", "label": "Edges", "value": ["quick"]},
        {"widget": "act", "text": "New round", "effect": "new round"},
        {"widget": "note", "text": "Falls when resolved", "tone": "bad"},
    ]
    tab.evaluate(
        "(all) => void (globalThis.made = page.sheet(...all))",
        [values | {"edges": ["quick"]}, FIELDS, widgets],
    )
    tab.get_by_role("group", name="Damage: 2 of 5").get_by_role("button").nth(3).click()
    tab.get_by_label("Strength").select_option(label="A")
    tab.get_by_role("button", name="Out").click()
    tab.get_by_role("button", name="Rounds: one less").click()
    tab.get_by_role("button", name="Remove quick").click()
    tab.get_by_role("button", name="New round").click()
    reload = tab.get_by_role("button", name="Reload")
    expect(reload).to_have_accessible_description("no spares")
    reload.click(force=True)
    sent = tab.evaluate("made.commands")
    changes = [one["values"] for one in sent if one["do"] == "sheet.change"]
    assert [{"damage": 4}, {"STR": "A"}, {"out": True}, {"edges": []}] == changes
    [thing] = [one for one in sent if one["do"] == "sheet.thing"]
    rifle = {"name": "M16", "rounds": 12}
    assert ("weapons", rifle, rifle | {"rounds": 11}) == (
        thing["list"],
        thing["before"],
        thing["after"],
    )
    assert ["new round"] == [one["kind"] for one in sent if one["do"] == "sheet.effect"]
    tab.get_by_role("button", name="Roll with M16").click()
    assert "attack" == tab.evaluate("page.begun.value.start.roll")


def test_who_may_not_change_a_sheet_reads_it(tab):
    """Nothing can be pressed, and nothing that is not so is shown."""
    widgets = [
        {"widget": "track", "at": "damage", "label": "Damage", "value": 2, "most": 5},
        {"widget": "flag", "at": "out", "label": "Out", "value": False},
        {"widget": "act", "text": "New round", "effect": "new round"},
    ]
    tab.evaluate("([widgets]) => void page.sheet({}, [], widgets, false)", [widgets])
    expect(tab.get_by_role("group", name="Damage: 2 of 5")).to_be_visible()
    assert 5 == tab.locator("button:disabled").count() == tab.locator("button").count()


def test_a_referee_asks_by_the_names_on_all_sheets(tab):
    """Of each form what is asked, without what one sheet has filled in; names of all together."""

    def form(*names):
        options = [{"value": name, "label": name, "note": "+5"} for name in names]
        return [
            {
                "control": "group",
                "form": [
                    {"control": "pick", "at": "pick.skill", "value": names[0], "options": options}
                ],
            },
            {"control": "number", "at": "set.modifier", "value": 2, "from": "sheet"},
            {"control": "switch", "at": "set.aimed", "value": False},
        ]

    code = "([forms, names]) => page.together(forms.map((one) => page.askedOf(one, names)))"
    asked = tab.evaluate(code, [[form("Hack"), form("Hack", "Drive")], ["skill", "modifier"]])
    assert ["pick.skill", "set.modifier"] == [control["at"] for control in asked]
    assert ["Hack", "Drive"] == [option["value"] for option in asked[0]["options"]]
    assert [None, None] == [control["value"] for control in asked]
    assert "note" not in asked[0]["options"][0]


def test_what_stands_there_unsaid_is_asked_too(tab):
    """A level that nobody touched is asked as it is seen; what is said stays."""
    form = [
        {"control": "pick", "at": "set.dl", "value": "Moderate", "options": []},
        {"control": "number", "at": "set.modifier", "value": 2},
        {"control": "pick", "at": "pick.skill", "value": None, "options": []},
    ]
    parts = {"pick": {"skill": "Hack"}, "set": {"modifier": -1}, "roles": {}}
    asked = tab.evaluate("([form, parts]) => page.askedParts(form, parts)", [form, parts])
    assert {**parts, "set": {"modifier": -1, "dl": "Moderate"}} == asked
