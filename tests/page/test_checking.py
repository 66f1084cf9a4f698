"""The browser checks logs as Rollwright itself does, with the browser's own hashes and without."""

import copy
import json
import re
import subprocess
from itertools import chain

import pytest
from conformance.fairness import PATH
from hatch_build import WEB, node_from_pypi, node_on_path
from playwright.sync_api import expect

from rollwright.table.fairness import key_of, next_commitment
from rollwright.table.verify.log import verify_log
from tests.table import test_verifying as told
from tests.table.tables import Host, hashed
from tests.table.written_logs import WrittenLog, rechained

VECTORS = json.loads(PATH.read_text("utf-8"))
PARTS = ("bytes", "sha256", "stream", "chain", "own", "check")
EXPORTS = "\n".join(f'export * from "./src/fair/{part}";' for part in PARTS)
BUNDLE = """
import { build } from "esbuild";
const stdin = { contents: process.argv[1], resolveDir: process.cwd(), loader: "ts" };
const made = await build({ stdin, bundle: true, globalName: "fair", write: false,
    define: { "import.meta.url": '"https://dice.example/assets/fair.js"' },
    footer: { js: "globalThis.fair = fair;" } });
console.log(made.outputFiles[0].text);
"""
SECURE = "https://table.example/"


@pytest.fixture(scope="module")
def fair_script():
    """The page's own modules of fairness as one script that gives `fair`."""
    node = node_on_path() or node_from_pypi()
    command = [node.node, "--input-type=module", "--eval", BUNDLE, "--", EXPORTS]
    made = subprocess.run(command, cwd=WEB, capture_output=True, check=True)
    return made.stdout.decode()


@pytest.fixture(scope="module", params=["WebCrypto", "by hand"])
def page(request, browser, fair_script):
    """A page that may ask the browser for hashes, and one without TLS that may not."""
    page = browser.new_page()
    if request.param == "WebCrypto":
        page.route(SECURE, lambda route: route.fulfill(body="<!doctype html>"))
        page.goto(SECURE)
    assert page.evaluate("!!globalThis.crypto.subtle") == (request.param == "WebCrypto")
    page.evaluate(fair_script)
    yield page
    page.close()


def checked(page, log, own=()):
    """What the browser finds in a log, with what it has given to throws of its own."""
    check = "([log, own]) => fair.checkLog(log, { own })"
    report = page.evaluate(check, [log, list(own)])
    return report, [(found["seq"], found["fault"]) for found in report["problems"]]


@pytest.mark.long
def test_the_pages_checker_holds_by_the_whole_conformance_file():
    """Written from docs/table/verifier.md: every value, every true log and every forged one."""
    node = node_on_path() or node_from_pypi()
    done = subprocess.run([node.node, "conformance.mjs"], cwd=WEB, capture_output=True, text=True)
    assert (0, "") == (done.returncode, done.stderr)
    forged = len(VECTORS["forged"])
    assert f"forged: {forged}" in done.stdout


def test_frames_and_texts(page):
    """Fields are framed, and JSON is written, byte for byte as published."""
    framed = page.evaluate(
        "(cases) => cases.map((one) => fair.hex(fair.frame(...one.fields.map(fair.unhex))))",
        VECTORS["frames"],
    )
    assert [case["bytes"] for case in VECTORS["frames"]] == framed
    written = page.evaluate(
        "(texts) => texts.map((text) => fair.canonical(JSON.parse(text)))",
        [json.dumps(case["value"]) for case in VECTORS["canonical"]],
    )
    assert [case["text"] for case in VECTORS["canonical"]] == written


def test_keys_and_commitments(page):
    """HMAC and SHA-256 give the published keys, promises and witnesses' promises."""
    made = page.evaluate(
        """async (cases) => Promise.all(cases.map(async ({ secret, number }) => {
            const message = fair.frame("rollwright/key/1", String(number));
            const key = fair.hex(await fair.hmac(fair.unhex(secret), message));
            return [key, fair.hex(await fair.commitment(key))];
        }))""",
        VECTORS["keys"],
    )
    assert [[case["key"], case["commitment"]] for case in VECTORS["keys"]] == made
    offered = page.evaluate(
        """async (cases) => Promise.all(cases.map(async ({ derived }) =>
            fair.hex(await fair.witnessCommitment(derived))))""",
        VECTORS["nonces"],
    )
    assert [case["offered"] for case in VECTORS["nonces"]] == offered


def test_the_rollers_numbers(page):
    """What each throw of a command makes of the one number that came with it."""
    made = page.evaluate(
        "(cases) => Promise.all(cases.map(({ nonce, throw: n }) => fair.nonceOf(nonce, n)))",
        VECTORS["nonces"],
    )
    assert [case["derived"] for case in VECTORS["nonces"]] == made
    assert "" == page.evaluate("fair.nonceOf('', 0)")


def test_throws(page):
    """Every published throw shows the same faces again."""
    drawn = page.evaluate(
        """async (cases) => Promise.all(cases.map(({ key, nonce, witness, number, ...place }) =>
            fair.redraw({ ...place, fair: {
                key, nonce, number, witness: witness ? { seat: "s9", nonce: witness } : null } })))
        """,
        VECTORS["throws"],
    )
    assert [case["faces"] for case in VECTORS["throws"]] == drawn


def test_the_chain(page):
    """The published events hash to what is published, their texts to their seals."""
    [case] = VECTORS["chain"]
    made = page.evaluate(
        """async ({ table, events }) => {
            const found = [await fair.firstHash(table)];
            for (const one of events) {
                found.push(await fair.digestOf(one.salt, one.body));
                found.push(await fair.chainHash(found.at(-2), one));
                for (const { salt, text } of Object.values(one.texts))
                    if ((await fair.sealOf(salt, text)) !== one.body.text.seal) throw text;
            }
            return found;
        }""",
        case,
    )
    pairs = [[event["digest"], event["hash"]] for event in case["events"]]
    assert [case["before"], *chain.from_iterable(pairs)] == made


@pytest.mark.parametrize("length", [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])
def test_hashes_by_hand_of_every_length(page, length):
    """Padding holds at the edges of a block: by hand and by the browser the same."""
    by_hand, asked = page.evaluate(
        """async (length) => {
            const bytes = Uint8Array.from({ length }, (_, i) => (i * 7) % 256);
            return [fair.hex(fair.sha256(bytes)), fair.hex(await fair.hashed(bytes))];
        }""",
        length,
    )
    assert by_hand == asked


@pytest.mark.parametrize("everything", [False, True], ids=["everybody's", "the host's"])
def test_a_true_log_is_true(page, everything):
    """As everybody has it, and with every secret laid open: nothing is wrong, all is counted."""
    log = told.SESSION.log(everything=everything)
    report, problems = checked(page, log)
    counts = verify_log(log).counts
    assert [] == problems
    assert counts["throws"] == report["throws"] - report["typed"]
    for name, counted in (
        ("events", "events"), ("withheld events", "sealed"), ("typed throws", "typed"),
        ("witnessed throws", "witnessed"), ("erased texts", "erased"),
    ):  # fmt: skip
        assert (name, counts[name]) == (name, report[counted])
    assert told.SESSION.events[-1]["hash"] == report["head"]


def stale_number(log):
    """A throw is left out, and whatever follows keeps its number."""
    told.dropped_throw(log)


def reused_witness(log):
    """The nonce of a witness a second time."""
    first = told.thrown(log, 0)["body"]["fair"]["witness"]
    told.thrown(log, 1)["body"]["fair"]["witness"] = dict(first)


def own_witness(log):
    """The roller as the witness of their own throw."""
    body = told.thrown(log, 0)["body"]
    body["by"] = body["fair"]["witness"]["seat"]


def unproven(log):
    """Faces that nobody typed and no key gave."""
    told.thrown(log)["body"]["how"] = "thought up"


def more_dice(log):
    """A die more than faces."""
    told.thrown(log)["body"]["pool"]["pool"][0][1] = 10**9


FACES = "altered face or nonce"
FOUND = {
    told.altered_face: (FACES, FACES),
    told.altered_face_and_outcome: (FACES, FACES),
    told.altered_key: ("altered key", "altered key"),
    told.altered_nonce: (FACES, FACES),
    told.altered_witness_nonce: ("altered witness nonce", "altered witness nonce"),
    told.left_out_witness: ("witness passed over", "witness passed over"),
    told.forged_number: ("forged number", "forged number"),
    told.number_used_twice: ("forged number", "forged number"),
    told.number_of_the_key_alone: ("forged number", "forged number"),
    told.reused_key: ("reused key", "reused key"),
    told.replaced_key: ("unopened commitment", "unopened commitment"),
    told.missing_commitment: ("missing commitment", "missing commitment"),
    told.altered_commitment: ("broken chain", "unopened commitment"),
    told.altered_index: ("dropped event", "dropped event"),
    stale_number: ("dropped event", "dropped event"),
    told.dropped_secret: ("dropped event", "dropped event"),
    told.dropped_choice: ("dropped event", "dropped event"),
    told.dropped_start: ("dropped event", "dropped event"),
    told.swapped: ("wrong order", "wrong order"),
    told.swapped_at_one_time: ("wrong order", "wrong order"),
    told.altered_text: ("altered text", "altered text"),
    told.stray_text: ("unsealed text", "unsealed text"),
    told.altered_time: ("wrong order", "wrong order"),
    told.twice: ("repeated event", "reused witness nonce"),
    told.other_table: ("altered event", "altered event"),
    told.altered_outcome: ("altered event", None),
    told.altered_option: ("altered event", None),
    reused_witness: ("reused witness nonce", "reused witness nonce"),
    own_witness: ("altered witness", "altered witness"),
    unproven: ("unproven throw", "unproven throw"),
    more_dice: ("altered dice", "altered dice"),
}
"""What the browser calls each alteration, and what once every hash was made to fit again: None
where only the rules tell, which Python replays."""


@pytest.mark.parametrize("alter", FOUND, ids=lambda alter: alter.__name__)
def test_an_alteration_is_found(page, alter):
    """Naively, or with every hash made to fit: the browser names it unless only rules can tell."""
    log = told.SESSION.log()
    alter(log)
    _, naive = checked(page, log)
    _, fitted = checked(page, rechained(copy.deepcopy(log)))
    kinds = [{fault for _, fault in found} for found in (naive, fitted)]
    expected, once_fitted = FOUND[alter]
    assert expected in kinds[0]
    assert (once_fitted in kinds[1]) if once_fitted else not kinds[1]


def test_another_number_than_the_browsers_own_is_found(page):
    """A host that puts in numbers of its own could choose faces: whoever gave others tells."""
    host = Host("", players=2)
    nonce, events = hashed("mine"), []
    for number in (nonce, nonce, hashed("the host's own")):
        events.append(host.do("s2", "roll.start", expression="1d6; 1d6", nonce=number))
    host.do("s3", "roll.start", expression="1d6", visibility="hidden", nonce=hashed("secret"))
    own = [
        {"nonce": nonce, "first": made[0].seq, "last": made[-1].seq, "hash": made[-1].hash}
        for made in events
    ]
    throws = [(event.seq, "another number") for event in events[2][1:]]
    log = host.log("s2")
    assert ([], []) == (checked(page, log)[1], checked(page, log, own[:2])[1])
    assert throws == checked(page, log, own)[1]
    assert [] == checked(page, log, [own[2] | {"hash": "0" * 64}])[1], "an event of a lost log"
    late = own[0] | {"seen": 0, "first": len(log["events"]) + 1}
    between = page.evaluate("([one, events]) => fair.between(one, events)", [late, log["events"]])
    assert 2 == between


def moved():
    """A table that went on with another host, whose keys are others."""
    log = WrittenLog("")
    log.offer("s3")
    log.play("2d6")
    log.offers.clear()
    log.host = b"another host's secret of 32 bytes"
    body = {"from_seq": len(log.events), "rollwright": "1", "by": ""}
    log.write("table.imported", body, open={"next": next_commitment(log.host, log.number)})
    log.play("3d6")
    log.play("1d20")
    return log.log()


def test_a_table_that_moved_promises_anew(page):
    """After an import the new host's promise holds for the very next throw; old offers lapse."""
    log = moved()
    report, problems = checked(page, log)
    assert ([], 3) == (problems, report["throws"])
    old = told.thrown(log, 1)
    old["body"]["fair"]["key"] = key_of(b"the first host", old["open"]["number"]).hex()
    _, problems = checked(page, rechained(log))
    assert (old["seq"], "altered key") in problems


def test_a_roll_that_was_not_announced_is_checked_too(page):
    """Whoever may see a sealed event has its dice drawn again as those of any other."""
    log = WrittenLog("")
    log.play("5d10", visibility="private", announce=False)
    plain = log.log(everything=True)
    report, problems = checked(page, plain)
    assert ([], 5) == (problems, report["faces"])
    event = next(e for e in plain["events"] if e["body"].get("kind") == "roll.thrown")
    event["body"]["faces"][0] = event["body"]["faces"][0] % 10 + 1
    _, problems = checked(page, rechained(plain))
    assert [(event["seq"], FACES)] == problems


@pytest.mark.parametrize("events", [[None], [{}], [[]], [{"seq": "1"}], ["x" * 9]])
def test_anything_may_stand_in_a_log(page, events):
    """What is no event is told as that, and nothing is raised."""
    _, problems = checked(page, {"table": "abcdefgh2345", "events": events})
    assert [(1, "malformed event")] == problems


def test_ones_own_number_is_known_again(somebody):
    """The page says of its own roll that its number was used, also after it was loaded anew."""
    rosa = somebody()
    rosa.open_table("Twilight: 2000", "Rosa")
    rosa.page.locator(".roll-button").click()
    for _ in range(2):
        seal = rosa.page.locator(".roll-card").get_by_role("button", name="Verified")
        expect(seal).to_have_class(re.compile("good"))
        seal.click()
        step = rosa.page.locator(".fair-step", has_text="Your own number was used").first
        expect(step).to_have_attribute("data-good", "true")
        rosa.page.reload()


def test_a_server_that_puts_in_another_number_is_found_out(somebody):
    """Whoever can choose the roller's number can choose the dice: it does not add up."""
    rosa = somebody()

    def meddle(line):
        server = line.connect_to_server()

        def pass_on(text):
            message = json.loads(text)
            if "nonce" in message.get("command", {}):
                message["command"]["nonce"] = hashed("the host's own")
            server.send(json.dumps(message))

        line.on_message(pass_on)

    rosa.page.route_web_socket(re.compile("/socket"), meddle)
    rosa.open_table("Twilight: 2000", "Rosa")
    rosa.page.locator(".roll-button").click()
    rosa.page.locator(".roll-card").get_by_role("button", name="Does not add up").click()
    step = rosa.page.locator(".fair-step", has_text="not the number that your browser gave").first
    expect(step).to_have_attribute("data-good", "false")
