"""A form with every control in a browser; what the controls do is tested in web/tests."""

from playwright.sync_api import expect

from tests.page.people import PHONE, barriers


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


def test_no_control_is_a_barrier_on_a_phone(somebody):
    """By day and by night axe finds nothing, nothing sticks out, and everything can be hit."""
    ann = somebody(size=PHONE)

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
    ann.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert [] == barriers(ann.page, "color-contrast")
    assert 360 >= ann.page.evaluate("document.documentElement.scrollWidth")
    small = """[...document.querySelectorAll(".builder-controls :is(button, input, select)")]
        .map((one) => (one.type === "radio" || one.type === "checkbox" ? one.labels[0] : one))
        .map((one) => [one.className + one.textContent, one.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.height < 24 || box.width < 24))
        .map(([name]) => name)"""
    assert [] == ann.page.evaluate(small)
