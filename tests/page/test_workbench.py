"""The workbench: Python in the browser, boxed in: what it shows, survives and trusts."""

import base64
import csv
import json
import re
import zipfile
import zlib
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from rollwright.cli.commands.workbench import export_page
from tests.gates import but
from tests.page.people import DESKTOP, KEEPING, PHONE, Person, resize, speak, wait_until
from tests.workbench.test_games import SHEETED

DICE = "4d6kh3\n"
RULE = '''
@rule
async def check(dice: int = 3, target: int = 5):
    """Roll some dice; each that reaches the target is a hit."""
    hand = await roll(dice * D6)
    return hand.count(lambda face: face >= target)
'''
SHOWN = """
# At least one
rw.sweep(check, where=lambda hits: hits >= 1, dice=range(1, 5), target=range(3, 7))
rw.roll("4d6kh3", seed=1)
nmae
"""
BOMB = "x = bytes(3 * 10**9)\nx"
# Whatever a program could try, as Python and as the JavaScript below it.
HOSTILE = """
import js, pyodide_js, pyodide
tried = {}
def attempt(name, do):
    try:
        tried[name] = f"got {do()!r}"[:60]
    except BaseException as problem:
        tried[name] = f"no: {type(problem).__name__}"
attempt("fetch", lambda: js.fetch("/api/v1/games"))
attempt("storage", lambda: js.localStorage.length)
attempt("database", lambda: js.indexedDB)
attempt("document", lambda: js.document.cookie)
attempt("parent", lambda: js.parent.document)
attempt("worker", lambda: js.Worker.new("x"))
attempt("script", lambda: pyodide.code.run_js("self.origin"))
attempt("function", lambda: pyodide_js.constructor.constructor("return fetch('/')")())
attempt("request", lambda: __import__("urllib.request").request.urlopen("http://127.0.0.1:1"))
pyodide_js.loadPackage("micropip")
[[name, said] for name, said in tried.items()]
"""
# Nor could a script, were there one: asked in the frame itself.
BOXED = """async () => {
  const refused = async (what) => {
    try { return String(await what()) } catch (why) { return why.name }
  };
  return [origin, await refused(() => fetch(LINK)), await refused(() => localStorage.length),
    await refused(() => parent.document.cookie)];
}"""
REFUSED = ["null", "TypeError", "SecurityError", "SecurityError"]


def fragment(text, **more):
    """The end of a link that holds a program."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(json.dumps({"t": text, **more}).encode()) + packer.flush()
    return "w=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


@pytest.fixture(scope="module")
def anna(browser, server):
    """Somebody at the workbench, whose Python has started once for all that is looked at here."""
    person = Person(browser, server.address, **KEEPING)
    person.page.goto(f"{server.address}workbench")
    expect(person.page.locator(".output svg").first).to_be_visible()
    yield person
    assert person.complaints == []
    person.context.close()


def write(person, text):
    """Write another program over what is there."""
    editor = person.page.get_by_role("textbox", name="Program")
    editor.click()
    person.page.keyboard.press("ControlOrMeta+a")
    person.page.keyboard.insert_text(text)


def output(person, name):
    """An output by its name."""
    return person.page.get_by_role("region", name=name, exact=True)


def test_odds_stand_beside_the_dice_that_are_typed(anna):
    """3 to 18 with best three of four: 18 is 21 of 1296, and at least 18 is the same (by hand)."""
    write(anna, DICE)
    shown = output(anna, "4d6kh3")
    shown.get_by_text("As a table").click()
    row = shown.get_by_role("row").filter(has=anna.page.get_by_role("rowheader", name="18"))
    expect(row).to_contain_text("21")
    anna.page.get_by_role("button", name="At least").click()
    expect(shown.get_by_text("mean 12.24")).to_be_visible()
    anna.page.get_by_role("button", name="Exactly").click()
    with anna.page.expect_download() as saved:
        shown.get_by_role("button", name="CSV").click()
    assert "21" in saved.value.path().read_text("utf-8")
    with anna.page.expect_download() as saved:
        shown.get_by_role("button", name="PNG").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")


def test_a_rule_has_sliders_and_can_be_tuned_and_rolled(anna):
    """Its arguments move the odds, a wanted chance finds its value, and a seed rolls its dice."""
    write(anna, RULE)
    rule = anna.page.locator(".rule-shown")
    expect(rule).to_contain_text("each that reaches the target is a hit")
    rule.get_by_label("dice").focus()
    anna.page.keyboard.press("ArrowRight")
    expect(rule.get_by_label("dice")).to_have_attribute("aria-valuetext", "4")
    rule.get_by_role("button", name="Tune it").click()
    rule.get_by_label("What counts").fill("it >= 1")
    rule.get_by_role("button", name="Find the value").click()
    expect(rule.locator(".designing [role=status]")).to_contain_text("dice")
    rule.get_by_role("button", name="What moves it most").click()
    moved = rule.get_by_role("row").filter(has_text="target")
    expect(moved).to_contain_text("28.5")  # 1 − (2/3)⁴ is 80.2 %, 1 − (5/6)⁴ is 51.8 %
    rule.get_by_label("target").focus()
    anna.page.keyboard.press("ArrowRight")
    expect(moved).to_have_count(0)  # it was true of another target
    anna.page.keyboard.press("ArrowLeft")
    expect(output(anna, "check(dice=4, target=5)")).to_be_visible()
    rule.get_by_role("button", name="Map over two").click()
    expect(rule.locator(".chart-cell").first).to_be_visible()
    with anna.page.expect_download() as saved:
        rule.get_by_role("button", name="CSV").click()
    head, *rows = csv.reader(saved.value.path().read_text("utf-8").splitlines())
    cells = {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in rows}
    assert "0.8024691358" == cells["5"]["4"]  # 1 − (2/3)⁴
    for what in ("SVG", "PNG"):
        expect(rule.get_by_role("button", name=f"{what}: check")).to_be_visible()
    rule.get_by_role("button", name="Roll it").click()
    rule.get_by_label("Seed").fill("7")
    rule.get_by_role("button", name="Roll", exact=True).click()
    expect(rule.locator(".play .told")).not_to_be_empty()
    rule.get_by_text("Transcript").click()
    expect(rule.locator("pre")).to_contain_text("faces")


def tuned(person):
    """The one rule of the program, with what tunes it open."""
    rule = person.page.locator(".rule-shown")
    expect(rule.get_by_role("button", name="Tune it")).to_be_visible()
    closed = rule.get_by_role("button", name="Tune it", expanded=False)
    closed.evaluate_all("buttons => buttons.forEach((button) => button.click())")
    expect(rule.locator(".designing")).to_be_visible()
    return rule


AT_ONCE = """() => {
  const slider = document.querySelector(".rule-shown input[type=range]");
  slider.value = 5;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  [...document.querySelectorAll(".designing button")].find((one) =>
    one.textContent === "What moves it most").click();
}"""


RESTING = """() => {
  const usual = window.setTimeout;
  window.setTimeout = (what, time, ...more) => {
    if (time !== 40) return usual(what, time, ...more);
    window.setTimeout = usual;
    return usual(what, 1500, ...more);
  };
}"""
"""Next time a program is run after a rest that is longer than most answers take."""


@pytest.mark.parametrize(("name", "rests"), [("reach", False), ("attain", True)])
def test_what_is_asked_while_a_program_counts_is_answered_afterwards(anna, name, rests):
    """A slider moves and a button is pressed in the same moment: the rule is counted anew first,
    however long that rests, and what was asked is answered for it (1 − (2/3)⁵ is 86.8 %).
    """
    write(anna, RULE.replace("check", name))
    expect(output(anna, f"{name}(dice=3, target=5)")).to_be_visible()
    rule = tuned(anna)
    rule.get_by_label("What counts").fill("it >= 1")
    if rests:
        anna.page.evaluate(RESTING)
    anna.page.evaluate(AT_ONCE)
    expect(output(anna, f"{name}(dice=5, target=5)")).to_be_visible()
    expect(rule.locator(".designing [role=status]")).to_contain_text("86.8 %")


HANGS = """
@rule
async def hits(dice: int = 1, target: int = 5, bonus: int = 0):
    while dice > 2:
        pass
    return (await roll(dice * D6)).count(lambda face: face >= target) + bonus
"""


def test_a_map_shows_what_has_come_and_nothing_waits_for_it(anna):
    """The columns that can be counted are there while the next one never ends; it is stopped, or
    whatever is written goes before it.
    """
    write(anna, HANGS)
    expect(output(anna, "hits(dice=1, target=5, bonus=0)")).to_be_visible()
    rule = tuned(anna)
    rule.get_by_label("Map: down").select_option("bonus")
    begin = rule.get_by_role("button", name="Map over two")
    begin.click()
    counted = rule.locator(".designing .chart-cell", has_text=re.compile("[0-9]"))
    expect(counted).to_have_count(36)
    bar = rule.get_by_role("progressbar")
    assert ["36", "144"] == [bar.get_attribute(name) for name in ("value", "max")]
    rule.get_by_role("button", name="Stop").click()
    expect(bar).to_have_count(0)
    expect(counted).to_have_count(36)
    begin.click()
    expect(counted).to_have_count(36)
    write(anna, "7d6")
    expect(output(anna, "7d6").locator("svg").first).to_be_visible()


ALL = """low: d4
high: d6+2

class Hit(NamedTuple):
    hits: int
    hurt: bool

@rule
async def volley(dice: Annotated[int, range(1, 9)] = 3) -> Hit:
    hand = await roll(dice * D6)
    return Hit(hand.count(6), hand.count(1) >= 2)

@rule
async def again() -> int:
    first = await tally(D6)
    return first if await choose("keep", "throw", about=first) == "keep" else await tally(D6)

def never(now): return "keep"
# Given away
value_lost(again(), never, lambda end: end)
rw.advise(again(), lambda end: end)
volley(2)
rw.sweep(volley, where=lambda end: end.hits >= 1, dice=range(1, 5))
rw.roll("4d6kh3", seed=1)
{"a": 1, "b": Fraction(1, 3)}
print("<i>said</i>")
"""


def test_every_kind_of_output_has_its_picture_its_table_and_its_files(anna):
    """Several on one axis, fields together, best play as a table, what a rule of thumb gives away
    (3/4: keeping a d6 is worth 3.5, and best play 4.25), a curve, dice drawn, what was printed.
    """
    write(anna, ALL)
    beside = output(anna, "Side by side")
    expect(beside.get_by_role("list", name="One against the other")).to_contain_text("low against")
    anna.page.get_by_role("button", name="At most").click()
    beside.get_by_text("As a table").click()
    row = beside.get_by_role("row").filter(has=anna.page.get_by_role("rowheader", name="5"))
    expect(row).to_contain_text(re.compile("100 %.*50 %"))
    anna.page.get_by_role("button", name="Exactly").click()
    expect(output(anna, "volley(2)").locator(".chart-cell").first).to_be_visible()
    advice = anna.page.locator(".output[data-kind=advice]")
    expect(advice.get_by_role("region", name="What to do when")).to_contain_text("throw")
    expect(output(anna, "Given away")).to_contain_text("0.75")
    rolled = anna.page.locator(".output[data-kind=roll]")
    expect(
        rolled.locator(".felt-tray svg, .felt-tray canvas, .felt-tray .die").first
    ).to_be_visible()
    rolled.get_by_text("Transcript").click()
    expect(rolled.locator("pre")).to_contain_text("faces")
    expect(anna.page.locator(".output pre").last).to_have_text("<i>said</i>\n")
    charts = anna.page.locator(".outputs figure.chart")
    assert charts.count() == anna.page.locator(".outputs figure.chart table").count() >= 7
    for what in ("SVG", "PNG", "CSV"):
        assert anna.page.get_by_role("button", name=f"{what}: ").count() >= 7
    with anna.page.expect_download() as saved:
        beside.get_by_role("button", name="SVG").click()
    assert saved.value.path().read_text("utf-8").startswith("<svg")


def test_the_editor_knows_python_and_our_words(anna):
    """Keywords have a colour of their own, words are completed, and a slip is underlined."""
    write(anna, "x = 1\nif x: rool\n")
    editor = anna.page.locator(".cm-content")
    expect(editor.locator(".cm-lintRange-error")).to_have_text("rool")
    colours = editor.evaluate("it => [...it.querySelectorAll('span')].map(one => one.className)")
    assert any(colours)
    write(anna, "x = 1\n")
    anna.page.keyboard.type("swee")
    expect(anna.page.get_by_role("option", name="sweep").first).to_be_visible()
    anna.page.keyboard.press("Escape")


def test_a_work_is_shared_whole_in_a_link_a_frame_and_an_image(anna):
    """The link holds text, arguments and view behind its #, so that no server is asked for it."""
    write(anna, RULE.replace("check", "shots"))
    expect(output(anna, "shots(dice=3, target=5)")).to_be_visible()
    anna.page.locator(".rule-shown").get_by_label("dice").focus()
    anna.page.keyboard.press("ArrowRight")
    expect(output(anna, "shots(dice=4, target=5)")).to_be_visible()
    take = "navigator.clipboard.write = async ([one]) => { globalThis.copied = one.types; }"
    anna.page.evaluate(f"() => {{ {take} }}")
    anna.page.get_by_role("button", name="Share").click()
    dialog = anna.page.get_by_role("dialog")
    expect(dialog.get_by_label("Link", exact=True)).to_have_value(re.compile("#w=.{80}"))
    link = dialog.get_by_label("Link", exact=True).input_value()
    assert len(link) < len(RULE) + 120
    frame = dialog.get_by_role("textbox", name="Frame for a page of your own")
    expect(frame).to_have_value(re.compile(r"workbench\?embed#w="))
    dialog.get_by_role("button", name="Copy image").click()
    anna.page.wait_for_function("globalThis.copied?.[0] === 'image/png'")
    anna.page.keyboard.press("Escape")
    asked = []
    anna.page.on("request", lambda request: asked.append(request.url))
    anna.page.goto("about:blank")
    anna.page.goto(link)
    anna.page.get_by_role("button", name="Run it").click()
    expect(output(anna, "shots(dice=4, target=5)")).to_be_visible()
    assert not [url for url in asked if link.partition("#")[2][:40] in url.partition("#")[0]]


def test_a_slip_is_told_at_its_line(anna):
    """A sentence of ours with the number of the line, and Python's own only for who asks."""
    write(anna, "2d6\n\nx = (1,\n")
    problem = anna.page.locator(".problem").first
    expect(problem.get_by_role("button", name="Line 3")).to_be_visible()
    expect(problem.locator("pre")).to_be_hidden()
    write(anna, DICE)
    expect(anna.page.locator(".problem")).to_have_count(0)


def test_what_does_not_end_is_ended_and_the_page_goes_on(anna):
    """An endless loop is stopped by hand, with a sentence after a while, or by the next program,
    which is answered.
    """
    write(anna, "while True:\n    pass\n")
    anna.page.get_by_role("button", name="Stop").click()
    expect(anna.page.locator("main").get_by_text("Stopped.", exact=True)).to_be_visible()
    anna.page.clock.install()
    anna.page.get_by_role("button", name="Try again").click()
    late = anna.page.locator("main").get_by_text("did not end in time")
    wait_until(anna.page, lambda: anna.page.clock.fast_forward(5_000) or late.count())
    write(anna, "3d6")
    expect(output(anna, "3d6").locator("svg").first).to_be_visible()
    expect(anna.page.locator("main").get_by_text("did not end in time")).to_have_count(0)
    write(anna, "while 1:\n    print('on and on' * 1000)\n")
    write(anna, "4d6")  # whoever goes on writing has taken it back
    expect(output(anna, "4d6").locator("svg").first).to_be_visible()
    expect(anna.page.locator("main").get_by_text("did not end in time")).to_have_count(0)


def test_what_eats_all_memory_is_refused_and_the_page_goes_on(anna):
    """Three gigabytes are more than Python gets here."""
    write(anna, BOMB)
    expect(anna.page.locator(".outputs .problem, .results-head .notice.bad").first).to_be_visible()
    write(anna, "5d6")
    expect(output(anna, "5d6").locator("svg").first).to_be_visible()


def test_a_link_runs_nothing_before_its_reader_agrees_and_reaches_nothing_then(anna):
    """Hostile code is shown first; agreed to, it finds no network, storage, page or script."""
    asked = []
    anna.page.on("request", lambda request: asked.append(request.url))
    anna.page.goto(f"{anna.address}workbench#{fragment(HOSTILE)}")
    anna.page.reload()
    expect(anna.page.locator("main").get_by_text("This program came with a link")).to_be_visible()
    expect(anna.page.get_by_role("textbox", name="Program")).to_contain_text("js.fetch")
    expect(anna.page.locator(".output")).to_have_count(0)
    anna.page.get_by_role("button", name="Run it").click()
    shown = anna.page.locator(".outputs")
    expect(shown).to_contain_text("fetch")
    told = shown.inner_text()
    assert "got" not in told, told
    [box] = [frame for frame in anna.page.frames if frame.url == "about:srcdoc"]
    assert REFUSED == box.evaluate(BOXED.replace("LINK", repr(anna.address)))
    assert not [url for url in asked if "/api/" in url or "127.0.0.1:1/" in url]


FOOLS = """
from rollwright.queries.answers import ANSWERS
ANSWERS["anydice"] = lambda question, budget: {"python": "fooled"}
ANSWERS["describe"] = ANSWERS["verify"] = ANSWERS["anydice"]
from rollwright.workbench.answers import ANSWERS as OURS
OURS["from_anydice"] = ANSWERS["anydice"]
"""
SIGNS = """
'<img src=x onerror="document.title = 1">'
{"<b>one</b>": D6, "</title><script>": D8}
"""
BROKEN = {
    "an answer that is none": "import json\njson.dumps = lambda *a, **k: '<html>'",
    "one without its parts": "import json\njson.dumps = lambda *a, **k: '{\"answer\": {}}'",
    "one of another shape": "import rollwright.workbench.programs as it\n"
    "it.output_of = lambda *a: {'kind': 'odds', 'name': 'x', 'line': 1, 'rule': ''}\n2 * D6",
    "no modules": "import sys\nsys.modules.clear()\n2 * D6",
    "no bottom": "import sys\nsys.setrecursionlimit(10**6)\ndef f(n): return f(n + 1)\nf(0)",
}


@pytest.mark.parametrize("how", but(BROKEN, "an answer that is none", "no modules"))
def test_what_a_program_breaks_stays_its_own(anna, how):
    """Whatever it does to Python or to our own modules, the next program is answered."""
    sides = 5 + list(BROKEN).index(how)
    write(anna, BROKEN[how])
    problem = anna.page.locator(".outputs .notice, .results-head .notice")
    expect(problem.first).to_be_visible()
    write(anna, f"{sides}d6")
    expect(output(anna, f"{sides}d6").locator("svg").first).to_be_visible()
    expect(problem).to_have_count(0)


def test_what_a_program_forges_stays_its_own(anna):
    """Whatever it makes of our own answers, all others are true; and what it writes is text."""
    anna.page.goto(f"{anna.address}workbench")
    title = anna.page.title()
    write(anna, FOOLS + SIGNS)
    expect(anna.page.locator(".outputs").get_by_text("<b>one</b>").first).to_be_visible()
    expect(anna.page.locator(".outputs img, .outputs b b, .outputs script")).to_have_count(0)
    assert title == anna.page.title()
    anna.page.get_by_role("button", name="From AnyDice").click()
    ours = anna.page.get_by_label("The same as a Rollwright program")
    expect(ours).to_have_value(re.compile("keep"))
    anna.page.keyboard.press("Escape")
    anna.page.evaluate("location.hash = 'w=' + 'A'.repeat(1_500_000)")
    expect(anna.seen("This link holds no program that can be read.").first).to_be_visible()


def test_the_gallery_and_the_forms_of_games_give_programs(anna):
    """A worked mechanic is taken over as it is; a roll of a game becomes code."""
    anna.page.goto(f"{anna.address}workbench")
    anna.page.get_by_role("button", name="Gallery").click()
    anna.page.get_by_role("searchbox").fill("4d6")
    anna.page.locator(".gallery-item").first.click()
    expect(anna.page.locator(".outputs svg").first).to_be_visible()
    anna.page.get_by_role("button", name="From a game").click()
    expect(anna.page.get_by_role("dialog").locator(".roll-panel")).to_contain_text("%")
    assert "label." not in anna.page.get_by_role("dialog").inner_text()
    anna.page.get_by_role("button", name="Take over as a program").click()
    expect(anna.page.get_by_role("textbox", name="Program")).to_contain_text("rw.")


def test_a_program_of_anydice_is_answered_with_ours_beside_it(anna):
    """What is typed as AnyDice has it is worked out there, and taken over it comes to the same."""
    write(anna, 'output [highest 3 of 4d6] named "best"')
    expect(output(anna, "best")).to_contain_text("mean 12.24")
    expect(anna.page.locator(".cm-lintRange-error")).to_have_count(0)  # nothing is wrong with it
    anna.page.locator(".problem").get_by_role("button", name="From AnyDice").click()
    expect(anna.page.get_by_label("An AnyDice program")).to_have_value(re.compile("highest 3"))
    dialog = anna.page.get_by_role("dialog")
    expect(dialog.locator("svg[role=img]")).to_be_visible()
    with anna.page.expect_download() as saved:
        dialog.get_by_role("button", name="CSV: best").click()
    assert "best.csv" == saved.value.suggested_filename
    expect(dialog.get_by_role("button", name="SVG: best")).to_be_visible()
    dialog.get_by_role("button", name="Take over as a program").click()
    expect(anna.page.locator(".outputs").get_by_text("mean 12.24")).to_be_visible()


def test_the_editor_is_left_by_escape_and_tab(anna):
    """Tab indents; after Escape it goes on to what comes next."""
    write(anna, DICE)
    anna.page.keyboard.press("Escape")
    anna.page.keyboard.press("Tab")
    expect(anna.page.get_by_role("textbox", name="Program")).not_to_be_focused()


def test_a_whole_game_is_typed_in_with_its_sheet_and_saved_as_a_package(anna):
    """The game of the how-to: a tap on its sheet begins a roll, which is filled from the sheet and
    changes it; and it becomes a folder to install. Dice of four sides show no stroke: there is
    always something left to decide.
    """
    write(anna, SHEETED.replace("D6", "D4"))
    game = output(anna, "Night Ferry")
    sheet = game.get_by_role("article", name="Sheet")
    expect(sheet).to_contain_text("0/9")
    sheet.get_by_role("button", name="Change").click()
    sheet.get_by_role("textbox", name="Name of the character").fill("Otter")
    sheet.get_by_role("textbox", name="Name of the character").press("Enter")
    sheet.get_by_role("button", name="Done").click()
    expect(sheet.get_by_role("heading", name="Otter")).to_be_visible()
    sheet.get_by_role("button", name="Oars: one more").click()
    sheet.get_by_role("button", name="Roll with Oars").click()
    expect(game.locator(".roll-panel")).to_contain_text("from the sheet")
    game.get_by_role("button", name="Roll", exact=True).click()
    game.locator(".play").get_by_role("button", name="Rest").click()
    expect(game.locator(".play .told")).to_contain_text("oars show")
    assert 5 == len(game.locator(".play .told").inner_text().split(":")[0].split()[3:])
    expect(sheet).to_contain_text("1/9")
    sheet.get_by_role("button", name="Bail").click()
    expect(sheet).to_contain_text("0/9")
    expect(game).to_contain_text("Best play")
    with anna.page.expect_download() as saved:
        game.get_by_role("button", name="Save as a package").click()
    with zipfile.ZipFile(saved.value.path()) as folder:
        assert folder.testzip() is None
        assert "night_ferry/pyproject.toml" in folder.namelist()


@pytest.fixture(scope="module")
def static(tmp_path_factory):
    """A host of files, which has the workbench below a path."""
    folder = tmp_path_factory.mktemp("host")
    export_page(folder / "docs" / "play")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as host:
        Thread(target=host.serve_forever, daemon=True).start()
        yield folder, f"http://127.0.0.1:{host.server_port}/"
        host.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    """Files, without a word about it."""

    def log_message(self, format, *args):
        """Nobody reads it."""


def test_files_on_any_host_and_a_frame_of_any_page_show_the_workbench(somebody, server, static):
    """Below a path without a server of ours; a server lets others frame this screen alone."""
    folder, address = static
    person = somebody(address=address)
    person.page.goto(f"{address}docs/play/")
    expect(person.page.locator(".output svg").first).to_be_visible()
    assert person.page.url == f"{address}docs/play/workbench/"
    expect(person.page.get_by_role("link", name="Explore odds")).to_be_visible()
    expect(person.page.get_by_role("link", name="Rollwright")).to_be_hidden()
    frames = [f'<iframe src="{server.address}{one}"></iframe>' for one in ("workbench?embed", "")]
    (folder / "blog.html").write_text("".join(frames), "utf-8")
    person.page.goto(f"{address}blog.html")
    first, second = (person.page.frame_locator("iframe").nth(n) for n in (0, 1))
    expect(first.get_by_role("link", name="Open in the workbench")).to_be_visible()
    expect(second.locator("#page")).to_have_count(0)
    expect(first.get_by_role("navigation")).to_have_count(0)


def test_whoever_has_written_nothing_is_offered_something_to_begin_with(anna):
    """Below the first dice stand a few worked mechanics; one of them taken, they are gone."""
    write(anna, DICE)
    offered = anna.page.locator(".beginnings")
    expect(offered.get_by_role("button")).to_have_count(4)
    offered.get_by_role("button").nth(1).click()
    expect(anna.page.locator(".rule-shown, .output").first).to_be_visible()
    expect(anna.page.get_by_role("textbox", name="Program")).to_contain_text("@rule")
    expect(offered).to_have_count(0)


def test_on_a_phone_results_have_the_room_that_is_needed(anna):
    """Little while somebody writes, most of the screen while they move a slider; and what is wrong
    comes into sight.
    """
    write(anna, "\n".join(f"{n}d6" for n in range(1, 5)) + RULE)
    expect(anna.page.locator(".rule-shown")).to_be_visible()
    resize(anna.page, PHONE)
    results = anna.page.locator(".workbench-results")
    anna.page.get_by_role("textbox", name="Program").focus()
    assert results.bounding_box()["height"] < 0.55 * PHONE[1]
    anna.page.locator(".rule-shown input").first.focus()
    assert results.bounding_box()["height"] > 0.75 * PHONE[1]
    results.evaluate("it => it.scrollTo(0, it.scrollHeight)")
    anna.page.get_by_role("textbox", name="Program").focus()
    anna.page.keyboard.press("ControlOrMeta+End")
    anna.page.keyboard.insert_text("\nx = (1,\n")
    problem = anna.page.locator(".problem").first
    expect(problem).to_be_in_viewport()
    assert problem.bounding_box()["y"] >= results.bounding_box()["y"]
    resize(anna.page, DESKTOP)


def test_the_workbench_has_no_barriers(anna):
    """axe finds nothing, by day and by night, in English and in German, on a desktop and a phone,
    where the results stay in sight above the program.
    """
    write(anna, DICE + RULE + SHOWN)
    expect(output(anna, "At least one").locator(".chart-cell").first).to_be_visible()
    found = {}
    for size in (DESKTOP, PHONE):
        resize(anna.page, size)
        for code in ("de-DE", "en-GB"):
            speak(anna.page, code)
            for theme in ("dark", "light"):
                anna.page.emulate_media(color_scheme=theme)
                found[size, code, theme] = anna.barriers()
    assert {} == {place: all for place, all in found.items() if all}
    results, editor = (anna.page.locator(f".workbench-{one}") for one in ("results", "editor"))
    assert results.bounding_box()["y"] < editor.bounding_box()["y"]
    anna.page.locator(".cm-line").last.scroll_into_view_if_needed()
    expect(results).to_be_in_viewport()
    resize(anna.page, DESKTOP)


def test_the_second_visit_needs_no_network(anna):
    """The page, its editor and Python are there without any."""
    anna.page.goto(f"{anna.address}workbench")
    anna.page.evaluate("navigator.serviceWorker.ready")
    anna.page.reload()
    expect(anna.page.locator(".cm-content")).to_be_visible()
    anna.context.set_offline(True)
    anna.page.reload()
    expect(anna.page.locator(".output svg").first).to_be_visible()
    anna.context.set_offline(False)
