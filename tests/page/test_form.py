"""Forms that are drawn from data: drafts, the lane that asks for forms, and every control."""

import subprocess

import pytest
from hatch_build import WEB, node_from_pypi, node_on_path
from playwright.sync_api import expect

from tests.page.people import PHONE

HARNESS = """
import { signal, effect } from "@preact/signals";
import { render } from "preact";
import * as draft from "./src/form/draft";
import * as lane from "./src/form/lane";
import * as view from "./src/form/FormView";
import { Live } from "./src/ui/live";
import { bring } from "./src/words";
import { en_panel } from "./src/words/en_panel";
bring(en_panel);
export { draft, lane, view };
const GAME = { name: "game", rolls: { attack: {}, clear_jam: {} }, card: {} };

/** Shows a form, as it is told, for a draft of its own; `acts` are the effects asked for. */
export function mount(first, sheet = true) {
  const made = new draft.Draft(GAME, signal(sheet ? { id: "s1", values: {} } : undefined));
  const form = signal(first);
  const answered = signal(made.n.value);
  const acts = [], warmed = [];
  const View = () => {
    made.lists = lane.listsOf(form.value);
    const current = answered.value === made.n.value;
    const desk = { draft: made, current, sheet, say: (text) => text ?? "",
      act: (...how) => acts.push(how), warm: (...what) => warmed.push(what),
      reshape: (change) => { form.value = change(form.value); } };
    return <><div class="builder"><view.FormView desk={desk} form={form.value} /></div><Live /></>;
  };
  render(<View />, document.body);
  const answer = (next) => { form.value = next; answered.value = made.n.value; };
  return { draft: made, answer, acts, warmed, said: () => made.parts.value };
}
"""
BUNDLE = """
import { build } from "esbuild";
import { languagesFromFiles } from "./languages.mjs";
const stdin = { contents: process.argv[1], resolveDir: process.cwd(), loader: "tsx" };
const plugins = [languagesFromFiles];
const made = await build({ stdin, plugins, bundle: true, globalName: "page", write: false,
    jsx: "automatic", jsxImportSource: "preact", loader: { ".css": "empty" },
    define: { "import.meta.url": '"https://dice.example/assets/form.js"' },
    footer: { js: "globalThis.page = page;" } });
console.log(made.outputFiles[0].text);
"""


def bundled(harness):
    """Modules of the page as one script that gives `page`."""
    node = node_on_path() or node_from_pypi()
    command = [node.node, "--input-type=module", "--eval", BUNDLE, "--", harness]
    made = subprocess.run(command, cwd=WEB, capture_output=True, check=True)
    return made.stdout.decode()


@pytest.fixture(scope="module")
def tab(browser):
    """An empty page with the modules of forms."""
    tab = browser.new_page()
    tab.evaluate(bundled(HARNESS))
    yield tab
    tab.close()


@pytest.fixture
def shown(tab):
    """Shows a form; gives the page, and what the draft says so far."""

    def show(*form, sheet=True):
        tab.evaluate("document.body.replaceChildren()")
        tab.evaluate(
            "([form, sheet]) => void (globalThis.at = page.mount(form, sheet))", [form, sheet]
        )
        return tab

    return show


def said(tab):
    """What the draft says."""
    return tab.evaluate("at.said()")


def drafted(tab, parts, *steps):
    """A draft after steps, each a function of the page's module and its arguments."""
    code = """([parts, steps]) => steps.reduce(
        (held, [name, ...rest]) => page.draft[name](held, ...rest), parts)"""
    return tab.evaluate(code, [parts, steps])


EMPTY = {"pick": {}, "set": {}, "roles": {}}


def test_paths_are_rooted_in_the_draft(tab):
    """What is written at a path stands there, and taking it out leaves nothing behind."""
    hard = {"set.rolls.1.dl": "Hard", "pick.weapon": "M16", "roles.passive": "s3"}
    held = drafted(tab, EMPTY, ["written", hard])
    assert held == {
        "pick": {"weapon": "M16"},
        "set": {"rolls": [{}, {"dl": "Hard"}]},
        "roles": {"passive": "s3"},
    }
    code = """(held) =>
        page.draft.written(held, { "pick.weapon": undefined, "roles.passive": undefined })"""
    assert tab.evaluate(code, held) == {**EMPTY, "set": {"rolls": [{}, {"dl": "Hard"}]}}


def test_a_key_that_goes_takes_empty_places_with_it(tab):
    """As on the sheet: neither the key nor what held only it is said any more."""
    held = {**EMPTY, "set": {"passive": {"modifier": 1}, "gear": [2]}}
    code = """(held) =>
        page.draft.written(held, { "set.passive.modifier": undefined, "set.gear.0": undefined })"""
    assert tab.evaluate(code, held) == EMPTY


def test_nothing_is_changed_in_place(tab):
    """A draft is a value: writing gives another one."""
    code = """() => {
        const before = { pick: {}, set: { rolls: [{ dl: "Easy" }] }, roles: {} };
        const after = page.draft.written(before, { "set.rolls.0.dl": "Hard" });
        return [before.set.rolls[0].dl, after.set.rolls[0].dl];
    }"""
    assert tab.evaluate(code) == ["Easy", "Hard"]


HELD = {
    "set": [{"dl": "Easy"}, {"dl": "Moderate"}],
    "pick": [{"skill": "Hack"}, {"skill": "Drive"}],
    "length": 2,
}


def test_a_part_is_added_as_a_copy_of_the_last_or_fresh(tab):
    """Both sides of the draft say every part, since a list that is said stands alone."""
    held = drafted(tab, EMPTY, ["partAdded", "set.rolls", HELD])
    assert held["set"]["rolls"] == [*HELD["set"], {"dl": "Moderate"}]
    assert held["pick"]["rolls"] == [*HELD["pick"], {"skill": "Drive"}]
    fresh = {"set": {"dl": "Severe"}}
    held = drafted(tab, EMPTY, ["partAdded", "set.rolls", HELD, fresh])
    assert held["set"]["rolls"][2] == {"dl": "Severe"}
    assert held["pick"]["rolls"][2] == {}


def test_a_part_that_goes_renumbers_those_behind_it(tab):
    """The second becomes the first on both sides; a side that names nothing is left out."""
    held = drafted(tab, EMPTY, ["partRemoved", "set.rolls", HELD, 0])
    assert held == {
        "pick": {"rolls": [{"skill": "Drive"}]},
        "set": {"rolls": [{"dl": "Moderate"}]},
        "roles": {},
    }
    bare = {**HELD, "pick": []}
    assert drafted(tab, EMPTY, ["partRemoved", "set.rolls", bare, 1])["pick"] == {}


def test_fields_of_an_old_link_are_fields_that_were_set(tab):
    """A link with the fields of a request opens as a draft."""
    assert drafted(tab, {"dl": "Hard"}, ["partsOf"]) == {**EMPTY, "set": {"dl": "Hard"}}
    assert drafted(tab, {"pick": {"skill": "Hack"}}, ["partsOf"]) == {
        **EMPTY,
        "pick": {"skill": "Hack"},
    }


def test_the_newest_draft_wins_and_those_between_are_not_asked(tab):
    """While one question is under way the newest waits; an answer that was known comes at once."""
    code = """async () => {
        const asked = [], open = [];
        const lane = new page.lane.Lane((body) => new Promise((done) => {
            asked.push(body.n);
            const form = [{ control: "note", text: String(body.x) }];
            open.push(() => done({ n: body.n, hash: "h" + body.x, form, can: true }));
        }));
        const want = (n, x) => lane.want({ n, body: { x }, kind: "attack", salt: "" });
        want(1, 1); want(2, 2); want(3, 3);
        open[0](); await new Promise((go) => setTimeout(go));
        open[1](); await new Promise((go) => setTimeout(go));
        const seen = [lane.answer.value.n, lane.answer.value.form[0].text];
        want(4, 1);
        return [asked, seen, lane.answer.value.n, lane.answer.value.form[0].text];
    }"""
    assert tab.evaluate(code) == [[1, 3], [3, "3"], 4, "1"]


def test_a_form_that_is_the_same_is_not_sent_again_and_stays_when_nobody_answers(tab):
    """The page sends the hash it has; offline the last form stays, and is asked for again."""
    code = """async () => {
        const hashes = []; let away = false;
        const lane = new page.lane.Lane(async (body) => {
            hashes.push(body.hash ?? null);
            if (away) throw new Error("away");
            const form = body.hash === "h" ? null : [{ control: "switch" }];
            return { n: body.n, hash: "h", form, can: body.x < 2 };
        });
        const rest = () => new Promise((go) => setTimeout(go));
        const ask = async (n, x) => {
            lane.want({ n, body: { x }, kind: "attack", salt: "" });
            await rest();
        };
        await ask(1, 1); await ask(2, 2);
        const second = [lane.answer.value.form.length, lane.answer.value.can];
        away = true; await ask(3, 3);
        const { n, form } = lane.answer.value;
        const offline = [n, form.length, lane.problem.value.message];
        away = false; lane.again(); await rest();
        return [hashes, second, offline, lane.answer.value.n, lane.problem.value];
    }"""
    assert tab.evaluate(code) == [
        [None, "h", "h", "h"],
        [1, False],
        [2, 1, "away"],
        3,
        None,
    ]


def test_an_answer_to_an_older_draft_does_not_bring_back_a_part(tab):
    """What was taken away is away at once, and stays so while older questions are answered."""
    code = """async () => {
        const open = [];
        const lane = new page.lane.Lane((body) => new Promise((done) => {
            const parts = body.parts.map((title) => ({ title, form: [] }));
            const form = [{ control: "parts", at: "set.rolls", parts }];
            open.push(() => done({ n: body.n, hash: "h" + body.n, form, can: true }));
        }));
        const rest = () => new Promise((go) => setTimeout(go));
        const want = (n, parts) => lane.want({ n, body: { parts }, kind: "turn", salt: "" });
        const titles = () => lane.answer.value.form[0].parts.map((part) => part.title).join("");
        const { withoutPart } = page.lane;
        const without = (n, place) =>
            lane.reshape(n, (form) => withoutPart(form, "set.rolls", place));
        want(1, ["a", "b", "c"]); open[0](); await rest();
        const seen = [titles()];
        without(2, 1); want(2, ["a", "c"]);
        seen.push(titles());
        without(3, 0); want(3, ["c"]);
        seen.push(titles());
        open[1](); await rest();
        seen.push(titles());
        open[2](); await rest();
        return [...seen, titles(), lane.answer.value.n];
    }"""
    assert tab.evaluate(code) == ["abc", "ac", "c", "c", "c", 3]


def pick(at="pick.weapon", **how):
    """A control for a weapon, one of which is jammed."""
    weapons = [
        {"value": "M16", "label": "M16", "note": "12 rounds"},
        {"value": "AK", "label": "AK", "off": "jammed: clear it first"},
        {"value": "PM", "label": "PM", "set": {"set.ammo_dice": None, "roles.passive": "s2"}},
    ]
    return {
        "control": "pick",
        "style": "chips",
        "at": at,
        "label": "Weapon",
        "value": "M16",
        "options": weapons,
        **how,
    }


def test_an_option_that_is_off_can_be_reached_but_not_picked(shown):
    """Arrow keys come to it, its reason describes it, and the choice stays."""
    tab = shown(pick())
    tab.get_by_label("M16").focus()
    tab.keyboard.press("ArrowRight")
    off = tab.get_by_label("AK")
    expect(off).to_be_focused()
    expect(off).to_have_accessible_description("jammed: clear it first")
    assert said(tab) == EMPTY
    tab.keyboard.press("ArrowRight")
    expect(tab.get_by_label("PM")).to_be_focused()
    assert said(tab)["pick"] == {"weapon": "PM"}


def test_an_option_writes_all_that_it_brings(shown):
    """Its value at the control's path, and every path of `set`; null takes a key out."""
    tab = shown(pick())
    tab.evaluate("at.draft.write({ 'set.ammo_dice': 3 })")
    tab.get_by_label("PM").check(force=True)
    assert said(tab) == {"pick": {"weapon": "PM"}, "set": {}, "roles": {"passive": "s2"}}


def test_a_board_goes_in_two_directions(shown):
    """Columns under their headings; left and right change the column, up and down the row."""
    skills = [("STR", "Brawl"), ("STR", "Lift"), ("INT", "Recon"), ("INT", "Tech")]
    options = [{"value": name, "label": name, "group": group} for group, name in skills]
    tab = shown(pick("pick.skill", style="board", value="Lift", options=options))
    tab.get_by_label("Lift").focus()
    tab.keyboard.press("ArrowRight")
    assert said(tab)["pick"] == {"skill": "Tech"}
    tab.keyboard.press("ArrowUp")
    assert said(tab)["pick"] == {"skill": "Recon"}
    tab.keyboard.press("ArrowLeft")
    expect(tab.get_by_label("Brawl")).to_be_focused()


def number(**how):
    """A number of ammo dice."""
    return {
        "control": "number",
        "at": "set.ammo_dice",
        "label": "Ammo dice",
        "value": 2,
        "low": 0,
        "high": 5,
        **how,
    }


def test_what_the_sheet_filled_in_is_marked_and_ones_own_can_be_taken_back(shown):
    """A mark for the sheet's values; a button that deletes one's own."""
    tab = shown(number(style="stepper", **{"from": "sheet"}))
    expect(tab.get_by_text("from the sheet")).to_be_visible()
    tab = shown(number(style="stepper", **{"from": "you"}))
    tab.evaluate("at.draft.write({ 'set.ammo_dice': 2 })")
    tab.get_by_role("button", name="Ammo dice: as on the sheet").click()
    assert said(tab) == EMPTY
    tab = shown(number(style="stepper", **{"from": "you"}), sheet=False)
    expect(tab.get_by_role("button", name="Ammo dice: as in the book")).to_be_visible()


def test_a_slider_is_described_by_its_limit_and_asks_ahead(shown):
    """The native slider, the reason of its limit, its neighbours' odds, and rest while it moves."""
    tab = shown(number(style="slider", why="at most 5: one fewer than the rounds", ahead=True))
    slider = tab.get_by_role("slider", name="Ammo dice")
    expect(slider).to_have_accessible_description("At most 5: one fewer than the rounds")
    slider.focus()
    assert tab.evaluate("at.warmed.at(-1)") == ["set.ammo_dice", [0, 1, 2, 3, 4, 5]]
    tab.keyboard.press("ArrowRight")
    assert said(tab)["set"] == {"ammo_dice": 3}
    expect(slider).to_have_value("3")
    assert tab.evaluate("at.draft.moves.value") is False


def test_a_wish_that_was_refused_stays_with_its_refusal(shown):
    """The refused value and its reason stand at the control, and are read when it is left."""
    aimed = {"control": "switch", "at": "set.aimed", "label": "Aimed", "value": False}
    form = [number(style="stepper", value=2, wrong="4 is too high"), aimed]
    tab = shown(*form)
    tab.evaluate("at.draft.write({ 'set.ammo_dice': 4 })")
    tab.evaluate("(form) => at.answer(form)", form)
    box = tab.get_by_role("textbox", name="Ammo dice")
    expect(box).to_have_value("4")
    expect(box).to_have_attribute("aria-invalid", "true")
    expect(tab.locator(".control .wrong")).to_have_text("4 is too high")
    assert tab.locator("[role=alert]").count() == 0
    box.focus()
    tab.get_by_label("Aimed").focus()
    expect(tab.locator("#announcements")).to_have_text("4 is too high")


def test_taps_may_be_left_out(shown):
    """A row of numbers with words below, and what counts without one."""
    tab = shown(number(style="taps", row=[0, 1, 2, 3], words={"2": "usual"}, none="as the weapon"))
    expect(tab.get_by_text("usual")).to_be_visible()
    tab.get_by_label("as the weapon").check(force=True)
    assert said(tab)["set"] == {"ammo_dice": None}


def test_several_are_picked_up_to_the_most(shown):
    """Names to tick and one of one's own; beyond the most nothing is added."""
    options = [{"value": name, "label": name} for name in ("Guard", "Dog", "Officer")]
    tab = shown(
        {
            "control": "picks",
            "at": "set.targets",
            "label": "Targets",
            "value": ["Guard"],
            "options": options,
            "most": 3,
            "add": "Somebody else",
        }
    )
    tab.get_by_label("Dog").check(force=True)
    assert said(tab)["set"] == {"targets": ["Guard", "Dog"]}
    tab.get_by_role("textbox", name="Somebody else").fill("Ivan")
    tab.keyboard.press("Enter")
    assert said(tab)["set"] == {"targets": ["Guard", "Dog", "Ivan"]}
    expect(tab.get_by_role("textbox")).to_have_count(0)
    tab.get_by_label("Officer").click(force=True)
    assert said(tab)["set"] == {"targets": ["Guard", "Dog", "Ivan"]}


def test_lists_of_numbers_and_of_words_and_switches(shown):
    """Each writes its whole value at its path."""
    tab = shown(
        {"control": "numbers", "at": "set.gear", "label": "Gear", "value": [1], "offers": [2, 3]},
        {
            "control": "text",
            "at": "set.edges",
            "label": "Edges",
            "value": ["high ground"],
            "words": True,
        },
        {"control": "text", "at": "set.name", "label": "Name", "value": "", "suggest": ["Ann"]},
        {"control": "switch", "at": "set.aimed", "label": "Aimed", "value": False},
    )
    tab.get_by_role("button", name="Add 3").click()
    tab.get_by_role("textbox", name="Add: Edges").fill("cover")
    tab.keyboard.press("Enter")
    tab.get_by_role("combobox", name="Name").fill("Bob")
    tab.get_by_label("Aimed").check()
    assert said(tab)["set"] == {
        "gear": [1, 3],
        "edges": ["high ground", "cover"],
        "name": "Bob",
        "aimed": True,
    }


def rolls(count):
    """A list of rolls, each with its level."""
    level = [{"value": name, "label": name} for name in ("Easy", "Hard")]
    parts = [
        {
            "title": f"Roll {n + 1}",
            "form": [pick(f"set.rolls.{n}.dl", label="Level", value="Easy", options=level)],
        }
        for n in range(count)
    ]
    held = {"set": [{"dl": "Easy"}] * count, "pick": []}
    return {
        "control": "parts",
        "at": "set.rolls",
        "label": "Rolls",
        "parts": parts,
        "add": "One more",
        "most": 4,
        "held": held,
    }


def test_focus_goes_to_the_part_that_was_added(shown):
    """Adding leads into the new part, taking away to the one before it."""
    tab = shown(rolls(2))
    tab.get_by_role("button", name="One more").click()
    assert said(tab)["set"]["rolls"] == [{"dl": "Easy"}] * 3
    tab.evaluate("(form) => at.answer([form])", rolls(3))
    expect(tab.get_by_text("Roll 3", exact=True)).to_be_focused()
    tab.get_by_role("button", name="Take away Roll 3").click()
    tab.evaluate("(form) => at.answer([form])", rolls(2))
    expect(tab.get_by_text("Roll 2", exact=True)).to_be_focused()


def test_parts_can_be_taken_away_and_changed_faster_than_the_server_answers(shown):
    """Each tap counts: what went before is not brought back by a form that is not there yet."""
    tab = shown(rolls(3))
    tab.get_by_role("button", name="Take away Roll 1").click()
    tab.get_by_label("Hard").last.check(force=True)
    assert said(tab)["set"] == {"rolls": [{"dl": "Easy"}, {"dl": "Hard"}]}
    tab.get_by_role("button", name="Take away Roll 2").click()
    assert said(tab)["set"] == {"rolls": [{"dl": "Hard"}]}
    tab.get_by_role("button", name="One more").click()
    tab.get_by_role("button", name="One more").click()
    assert said(tab)["set"] == {"rolls": [{"dl": "Hard"}] * 3}


def test_a_change_in_one_part_says_the_others_as_they_are(shown):
    """Since a list that is said stands alone."""
    tab = shown(rolls(2))
    tab.get_by_label("Hard").last.check(force=True)
    assert said(tab)["set"] == {"rolls": [{"dl": "Easy"}, {"dl": "Hard"}]}


def test_notes_groups_jumps_and_acts(shown):
    """A way to another roll, an effect on the sheet, and one that says why it cannot be now."""
    start = {"roll": "clear_jam", "pick": {"weapon": "AK"}, "set": {}}
    tab = shown(
        {
            "control": "group",
            "title": "More settings",
            "fold": True,
            "form": [{"control": "note", "text": "3 dice", "tone": "good"}],
        },
        {"control": "jump", "text": "Clear the jam", "draft": start},
        {"control": "act", "text": "Reload", "effect": "reload", "target": "M16"},
        {"control": "act", "text": "Rest", "effect": "rest", "off": "not in a fight"},
    )
    tab.get_by_text("More settings").click()
    expect(tab.get_by_text("3 dice")).to_be_visible()
    tab.get_by_role("button", name="Reload").click()
    rest = tab.get_by_role("button", name="Rest")
    expect(rest).to_have_accessible_description("not in a fight")
    rest.click(force=True)
    assert tab.evaluate("at.acts.map(([effect, , target]) => [effect, target])") == [
        ["reload", "M16"]
    ]
    tab.get_by_role("button", name="Clear the jam").click()
    assert tab.evaluate("at.draft.roll.value") == "clear_jam"
    assert said(tab)["pick"] == {"weapon": "AK"}


def every_control():
    """A form with every control in every style, refused and filled in ones among them."""
    skills = [("STR", "Brawl"), ("STR", "Lift"), ("INT", "Recon"), ("INT", "Tech")]
    board = [{"value": name, "label": name, "group": group, "note": "B"} for group, name in skills]
    level = [{"value": name, "label": name} for name in ("Easy", "Moderate", "Hard", "Severe")]
    names = [{"value": name, "label": name} for name in ("Guard", "Dog", "Officer")]
    words = {"control": "text", "words": True, "at": "set.edges", "label": "Edges"}
    return [
        pick(),
        pick("pick.skill", style="board", label="Skill", value="Tech", options=board),
        pick("set.dl", style="row", label="Level", value="Hard", options=level),
        pick("set.band", style="menu", label="Band", value="Hard", options=level),
        {"control": "picks", "at": "set.targets", "label": "Targets", "value": ["Dog"]}
        | {"options": names, "add": "Somebody else"},
        number(style="slider", why="at most 5: one fewer than the rounds"),
        number(style="taps", at="set.mod", label="Modifier", low=-20, high=20, signed=True)
        | {"row": [-3, -2, -1, 0, 1, 2, 3], "words": {"2": "usual"}, "from": "you"},
        number(style="stepper", at="set.rounds", label="Rounds", wrong="40 is too high")
        | {"from": "sheet"},
        number(style="stepper", at="set.pool", label="Pool", value=None, none="left out"),
        {"control": "numbers", "at": "set.gear", "label": "Gear", "value": [1], "offers": [2, 3]},
        words | {"value": ["high ground"]},
        {"control": "text", "at": "set.name", "label": "Name", "value": "", "suggest": ["Ann"]},
        {"control": "switch", "at": "set.aimed", "label": "Aimed", "value": True, "from": "you"},
        rolls(2),
        {"control": "group", "title": "Both", "columns": 2, "form": [number(at="set.a")]},
        {"control": "note", "text": "3 dice, the highest counts", "tone": "good"},
        {"control": "jump", "text": "Clear the jam", "draft": {"roll": "session"}},
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_control_is_a_barrier_on_a_phone(somebody, scheme):
    """Axe finds nothing, nothing sticks out at 360 pixels, and everything can be hit."""
    ann = somebody(size=PHONE, color_scheme=scheme, reduced_motion="reduce")

    def answer(route):
        asked = route.request.post_data_json
        made = {"n": asked["n"], "hash": "h", "form": every_control(), "draft": asked["draft"]}
        rest = {"request": None, "title": "Attack", "can": False, "why": "40 is too high"}
        route.fulfill(json=made | rest | {"dice": None, "pool": None, "marks": {}})

    ann.page.route("**/api/v1/form", answer)
    ann.page.goto(f"{ann.address}roll?game=ghostburn&roll=roll")
    expect(ann.page.get_by_role("button", name="Clear the jam")).to_be_visible()
    expect(ann.page.locator(".dock-why")).to_contain_text("40 is too high")
    assert [] == ann.barriers()
    assert 360 >= ann.page.evaluate("document.documentElement.scrollWidth")
    small = """[...document.querySelectorAll(".builder-controls :is(button, input, select)")]
        .map((one) => (one.type === "radio" || one.type === "checkbox" ? one.labels[0] : one))
        .map((one) => [one.className + one.textContent, one.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.height < 24 || box.width < 24))
        .map(([name]) => name)"""
    assert [] == ann.page.evaluate(small)


def test_words_of_a_list_are_shown_as_the_game_calls_them(shown):
    """What is typed or picked is the label; what is sent is the option's own name."""
    options = [{"value": "legs", "label": "Beine"}, {"value": "head", "label": "Kopf"}]
    places = {"control": "text", "at": "set.places", "label": "Zonen", "words": True, "most": 3}
    tab = shown({**places, "value": ["legs"], "options": options})
    tab.locator(".number-chips button", has_text="Beine").wait_for()
    tab.locator(".add-word input").fill("Kopf")
    tab.locator(".add-word input").press("Enter")
    assert {"places": ["legs", "head"]} == said(tab)["set"]
