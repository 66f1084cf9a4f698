"""The workbench: Python in the browser, boxed in: what it counts, survives and trusts.

What stands there of an answer of Python, and what is asked, is looked at in web/tests
(`workbench.test.tsx`, `python.test.ts`), without a browser.
"""

import base64
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
from tests.page.people import DESKTOP, KEEPING, PHONE, Person, resize, speak
from tests.workbench.recorded import DICE, RULE
from tests.workbench.test_games import SHEETED

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
KEPT = """async () => {
  const kept = [];
  for (const name of await caches.keys()) kept.push(...await (await caches.open(name)).keys());
  const paths = new Set(kept.map(({ url }) => new URL(url).pathname));
  const asked = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
  return asked.filter((path) => /\\.(js|css)$/.test(path)).every((path) => paths.has(path));
}"""
"""Whether all scripts and styles that the page has fetched are there to be fetched again."""
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


def test_a_rule_is_counted_moved_and_rolled_by_the_browsers_own_python(anna):
    """Its slider goes by the keyboard, a seed rolls its dice, and pictures are pixels where they
    are saved or copied. What else can be asked of a rule is in web/tests.
    """
    write(anna, RULE)
    rule = anna.page.locator(".rule-shown")
    rule.get_by_label("dice").focus()
    anna.page.keyboard.press("ArrowRight")
    expect(rule.get_by_label("dice")).to_have_attribute("aria-valuetext", "4")
    shown = output(anna, "check(dice=4, target=5)")
    with anna.page.expect_download() as saved:
        shown.get_by_role("button", name="PNG").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    take = "navigator.clipboard.write = async ([one]) => { globalThis.copied = one.types; }"
    anna.page.evaluate(f"() => {{ {take} }}")
    shown.get_by_role("button", name="Copy image").click()
    anna.page.wait_for_function("globalThis.copied?.[0] === 'image/png'")
    anna.page.locator(".toast").get_by_role("button").click()
    rule.get_by_role("button", name="Roll it").click()
    rule.get_by_label("Seed").fill("7")
    rule.get_by_role("button", name="Roll", exact=True).click()
    expect(rule.locator(".play .told")).not_to_be_empty()
    rule.get_by_text("Transcript").click()
    expect(rule.locator("pre")).to_contain_text("faces")


def test_the_editor_knows_python_and_our_words(anna):
    """Keywords have a colour of their own, words are completed, and a slip is underlined. Tab
    indents; after Escape it goes on to what comes next.
    """
    write(anna, "x = 1\nif x: rool\n")
    editor = anna.page.locator(".cm-content")
    expect(editor.locator(".cm-lintRange-error")).to_have_text("rool")
    colours = editor.evaluate("it => [...it.querySelectorAll('span')].map(one => one.className)")
    assert any(colours)
    write(anna, "x = 1\n")
    anna.page.keyboard.type("swee")
    expect(anna.page.get_by_role("option", name="sweep").first).to_be_visible()
    anna.page.keyboard.press("Escape")
    anna.page.keyboard.press("Tab")
    expect(anna.page.get_by_role("textbox", name="Program")).not_to_be_focused()


def test_what_does_not_end_is_ended_and_the_page_goes_on(anna):
    """An endless loop is stopped by hand, and the next program is answered."""
    write(anna, "while True:\n    pass\n")
    anna.page.get_by_role("button", name="Stop").click()
    expect(anna.page.locator("main").get_by_text("Stopped.", exact=True)).to_be_visible()
    write(anna, "3d6")
    expect(output(anna, "3d6").locator("svg").first).to_be_visible()


def test_a_link_runs_nothing_before_its_reader_agrees_and_reaches_nothing_then(anna):
    """Hostile code is shown first; agreed to, it finds no network, storage, page or script."""
    asked = []
    anna.page.on("request", lambda request: asked.append(request.url))
    link = fragment(HOSTILE)
    anna.page.evaluate("link => { location.hash = link; }", link)
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
    assert not [url for url in asked if link[:40] in url.partition("#")[0]]


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
    "no memory": BOMB,
    "an answer that is none": "import json\njson.dumps = lambda *a, **k: '<html>'",
    "one without its parts": "import json\njson.dumps = lambda *a, **k: '{\"answer\": {}}'",
    "one of another shape": "import rollwright.workbench.programs as it\n"
    "it.output_of = lambda *a: {'kind': 'odds', 'name': 'x', 'line': 1, 'rule': ''}\n2 * D6",
    "no modules": "import sys\nsys.modules.clear()\n2 * D6",
    "no bottom": "import sys\nsys.setrecursionlimit(10**6)\ndef f(n): return f(n + 1)\nf(0)",
}


@pytest.mark.parametrize("how", but(BROKEN, "no memory", "no modules"))
def test_what_a_program_breaks_stays_its_own(anna, how):
    """Whatever it does to Python or to our own modules, the next program is answered: with
    three gigabytes, which are more than Python gets here, or without any module.
    """
    sides = 5 + list(BROKEN).index(how)
    write(anna, BROKEN[how])
    problem = anna.page.locator(".outputs .notice, .results-head .notice")
    expect(problem.first).to_be_visible()
    write(anna, f"{sides}d6")
    expect(output(anna, f"{sides}d6").locator("svg").first).to_be_visible()
    expect(problem).to_have_count(0)


def test_what_a_program_forges_stays_its_own(anna):
    """Whatever it makes of our own answers, all others are true: a program of AnyDice becomes one
    of ours, and so does a roll of a game.
    """
    write(anna, FOOLS + "5 * D4")
    expect(output(anna, "5 * D4").locator("svg").first).to_be_visible()
    anna.page.get_by_role("button", name="From AnyDice").click()
    ours = anna.page.get_by_label("The same as a Rollwright program")
    expect(ours).to_have_value(re.compile("keep"))
    anna.page.keyboard.press("Escape")
    anna.page.get_by_role("button", name="From a game").click()
    expect(anna.page.get_by_role("dialog").locator(".roll-panel")).to_contain_text("%")
    assert "label." not in anna.page.get_by_role("dialog").inner_text()
    anna.page.get_by_role("button", name="Take over as a program").click()
    expect(anna.page.get_by_role("textbox", name="Program")).to_contain_text("rw.")


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


WAYS = [
    (size, code, theme)
    for size in (DESKTOP, PHONE)
    for code in ("de-DE", "en-GB")
    for theme in ("dark", "light")
]


@pytest.mark.parametrize("way", but(WAYS, WAYS[0], WAYS[-1]), ids=str)
def test_the_workbench_has_no_barriers(anna, way):
    """axe finds nothing, by day and by night, in English and in German, on a desktop and a phone,
    where the results stay in sight above the program.
    """
    size, code, theme = way
    write(anna, DICE + RULE + SHOWN)
    resize(anna.page, size)
    speak(anna.page, code)
    anna.page.emulate_media(color_scheme=theme)
    expect(output(anna, "At least one").locator(".chart-cell").first).to_be_visible()
    assert [] == anna.barriers()
    results, editor = (anna.page.locator(f".workbench-{one}") for one in ("results", "editor"))
    if size == PHONE:
        assert results.bounding_box()["y"] < editor.bounding_box()["y"]
        anna.page.locator(".cm-line").last.scroll_into_view_if_needed()
        expect(results).to_be_in_viewport()
    resize(anna.page, DESKTOP)
    speak(anna.page, "en-GB")


def test_the_second_visit_needs_no_network(anna):
    """The page, its editor and Python are there without any."""
    anna.page.evaluate("history.replaceState(null, '', 'workbench')")  # a link may lie there
    anna.page.evaluate("navigator.serviceWorker.ready")
    anna.page.wait_for_function(KEPT)
    anna.context.set_offline(True)
    anna.page.reload()
    expect(anna.page.locator(".cm-content")).to_be_visible()
    expect(anna.page.locator(".output svg").first).to_be_visible()
    anna.context.set_offline(False)
