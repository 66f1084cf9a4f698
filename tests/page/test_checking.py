"""The page's verifier checks logs as Rollwright itself does, on a page without TLS too."""

import copy
import itertools
import json
import re
import subprocess

import pytest
from hatch_build import WEB, node_from_pypi, node_on_path
from vectors.fairness import PATH
from vectors.logs import Host, fitted

from rollwright.dice import Die, Pool
from rollwright.table.fairness import FairDice
from rollwright.table.verify.log import verify_log
from rollwright.table.verify.report import NOTES
from tests.gates import first
from tests.page_verifier import PageVerifier
from tests.table.altered_fields import STORIES, altered
from tests.table.test_verifying_each import climbed
from tests.table.test_verifying_fields import RULES as RULED
from tests.table.test_verifying_fields import WORD, is_listed, listed
from tests.table.test_verifying_hidden import SECRET, WAYS, moments

VECTORS = json.loads(PATH.read_text("utf-8"))
COUNTED = {
    "events": "events",
    "withheld events": "sealed",
    "throws": "throws",
    "typed throws": "typed",
    "unsigned throws": "unsigned",
    "held throws": "held",
    "closed throws": "closed",
    "witnessed throws": "witnessed",
    "silent witnesses": "silent",
    "signatures": "signatures",
    "calls refused": "refused",
    "calls never answered": "unanswered",
    "insertions": "inserted",
    "rolls given up": "cancelled",
    "rolls given up after dice": "regretted",
    "open rolls": "open",
    "open rolls after dice": "openSeen",
    "rolls undone": "undone",
    "secret rolls kept": "kept",
    "erased texts": "erased",
    "unknown events": "unknown",
    "calls waiting": "waiting",
    "keys replaced": "replaced",
    "keys replaced unsigned": "replacedUnsigned",
    "agreed choices": "agreed",
    "imports": "imports",
}
"""What both count, by the names of either."""
RULES = {"rolls with withheld parts", "rolls not replayable here", "rolls too long to replay"}
"""What the page's own Python says."""


@pytest.fixture(scope="module")
def page():
    """The page's own modules of fairness, without the browser around them."""
    with PageVerifier(node_on_path() or node_from_pypi()) as verifier:
        yield verifier


def checked(page, text):
    """What the page finds in the text of a log."""
    report = page.check(text)
    return report, [(found["seq"], found["fault"]) for found in report["problems"]]


def told(text):
    """What the library finds in it; the log as a whole is event 0."""
    return [(problem.seq or 0, problem.what) for problem in verify_log(json.loads(text)).problems]


@pytest.mark.long
def test_the_pages_checker_holds_by_the_whole_conformance_files():
    """Written from docs/table/verifier.md: every value, true log, forged log and signature."""
    node = node_on_path() or node_from_pypi()
    done = subprocess.run([node.node, "conformance.mjs"], cwd=WEB, capture_output=True, text=True)
    assert (0, "") == (done.returncode, done.stderr)
    forged = len(VECTORS["forged"])
    assert f"forged: {forged}" in done.stdout


def test_the_page_remarks_on_all_that_the_command_line_remarks_on():
    """Beside the verdict, each as a count of its own."""
    screen = (WEB / "src" / "screens" / "VerifyScreen.tsx").read_text("utf-8")
    beside = re.findall(r'"(\w+)"', screen.split("const BESIDE = [")[1].split("]")[0])
    assert {COUNTED[name] for name in NOTES if name not in RULES} <= {*beside, "witnessed"}


@pytest.mark.parametrize(
    "case", VECTORS["logs"], ids=lambda case: f"{case['name']} for {case['log']['for']}"
)
def test_a_true_log_is_true(page, case):
    """Nothing is wrong, and all is counted as the library counts it."""
    report, problems = checked(page, json.dumps(case["log"]))
    counts = verify_log(case["log"]).counts
    assert [] == problems
    assert {name: counts[name] for name in COUNTED} == {
        name: report[counted] for name, counted in COUNTED.items()
    }
    assert case["log"]["events"][-1]["hash"] == report["head"]


@pytest.mark.parametrize("witnesses", [False, True], ids=["alone", "with witnesses"])
def test_somebody_else_may_lead_to_dice_of_the_roller_here_too(page, witnesses):
    """In a roll in which each throws for themselves, by the call of a helper or of a rival."""
    host = climbed(witnesses=witnesses, is_rival_signed=True)
    for seat in ("", "s2", "s3"):
        assert [] == checked(page, json.dumps(host.log(seat)))[1]


def signed_otherwise(expression):
    """A log in which a device is said to have called for other dice than were rolled."""
    host = Host()
    host.roll("s2", "1d6")
    log = host.log()
    (started,) = [event for event in log["events"] if event["kind"] == "roll.started"]
    started["body"]["call"]["command"]["expression"] = expression
    return json.dumps(fitted(log)), started["seq"]


@pytest.mark.parametrize("space", ["\ufeff", "\u200b", "\u180e", "\ufffe"])
def test_what_only_looks_like_space_was_signed_with_the_rest(page, space):
    """As the library has it: a mark of byte order is no space, though browsers take it for one."""
    text, seq = signed_otherwise(f"{space}1d6")
    for found in (checked(page, text)[1], told(text)):
        assert seq in [place for place, _ in found]
    faults = {fault for place, fault in checked(page, text)[1] if place == seq}
    assert {"forged signature", "forged act"} <= faults


def test_the_middle_of_a_text_is_gone_through_once(page):
    """A host that writes a million spaces into a command does not keep a tab busy for an hour."""
    text, seq = signed_otherwise("1" + 1_000_000 * " " + "d6")
    assert (seq, "forged act") in checked(page, text)[1]


@pytest.mark.parametrize(("visibility", "announce"), SECRET)
def test_what_a_rule_hides_is_missed_by_nobody_here_either(page, visibility, announce):
    """Announced or not, before and behind dice that all see, and however the roll goes on."""
    texts = []
    for way, physical in itertools.product(WAYS[:4], (False, True)):
        fields = {"visibility": visibility, "announce": announce, "physical": physical}
        for host in moments(way, keeper="s1", **fields):
            texts += [json.dumps(host.log(seat)) for seat in ("", "s2", "s3")]
    assert [] == [found for text in texts for found in page.check(text)["problems"]]


LOG = json.dumps(VECTORS["logs"][0]["log"])


def with_first(pattern, put):
    """The log with its first match of a pattern written in another way."""
    made, count = re.subn(pattern, put, LOG, count=1)
    assert count == 1
    return made


WRITTEN = {
    "a point": with_first(r'"seq": 2\b', '"seq": 2.0'),
    "an exponent": with_first(r'"seq": 2\b', '"seq": 2e0'),
    "a point deep inside": with_first(r'"index": 0\b', '"index": 0.0'),
    "no number": with_first(r'"at": \d+', '"at": NaN'),
    "no end": with_first(r'"index": 0\b', '"index": Infinity'),
    "below all": with_first(r'"index": 0\b', '"index": -Infinity'),
    "minus nothing": with_first(r'"index": 0\b', '"index": -0'),
    "too large": with_first(r'"index": 0\b', '"index": 9007199254740993'),
    "texts in a list": with_first('"texts": {', '"texts": [], "others": {'),
    "no texts": with_first('"texts": {', '"texts": null, "others": {'),
    "a text that is nothing": with_first(r'"t1\.0": \{', '"t1.0": 0, "others": {'),
    "a text without anything": with_first(r'"t1\.0": \{', '"t1.0": "", "others": {'),
    "a text that is no more": with_first(r'"t1\.0": \{[^}]*\}', '"t1.0": null'),
    "texts twice": with_first('"texts": {', '"texts": {}, "texts": {'),
    "a name twice": with_first('"seq": 2', '"seq": 9, "seq": 2'),
    "half a character": with_first('"kind": "chat.sent"', r'"kind": "\\ud800"'),
    "another format": with_first('"format": 3', '"format": 4'),
    "a format with a point": with_first('"format": 3', '"format": 3.0'),
    "a format in a text": with_first('"format": 3', '"format": "3"'),
    "no format": with_first('"format": 3, ', ""),
    "another table": with_first('"table": "abcdefgh2345"', '"table": 7'),
    "a table without a name": with_first('"table": "abcdefgh2345"', '"table": ""'),
    "no events": '{"format": 3, "table": "abcdefgh2345", "events": []}',
    "events of another kind": '{"format": 3, "table": "abcdefgh2345", "events": {}}',
    "nothing that is an event": json.dumps(
        {"format": 3, "table": "abcdefgh2345", "events": [None, {}, [], {"seq": "1"}, "x" * 9]}
    ),
    "a text": '"log"',
    "numbers in texts": with_first("a line", "1.5e3 NaN"),
}


@pytest.mark.parametrize("written", WRITTEN)
def test_what_is_written_is_judged_as_the_library_judges_it(page, written):
    """By the same names in the same places, whatever a parser makes of it."""
    text = WRITTEN[written]
    _, problems = checked(page, text)
    due = told(text)
    assert bool(due) == bool(problems)
    assert [] == [one for one in due if one not in problems]


@pytest.mark.parametrize(
    "text", ["", "{", "[1.]", "[01]", "[-NaN]", "[.5]", "[1e]", "nan", '["\t"]']
)
def test_what_is_no_json_is_none_here_either(page, text):
    """What Python refuses to read, the page does."""
    with pytest.raises(ValueError, match=r"."):
        json.loads(text)
    assert not page.reads(text)


def test_a_die_of_any_size_is_never_laid_out(page):
    """The largest is drawn from as a D6 is; a larger one is none, nor are more dice than faces."""
    key, call = bytes(range(32)), bytes(range(32, 64))
    faces = FairDice(key, call).throw(Pool([Die(100_000)] * 50))
    pool = {"pool": [[{"die": 100_000, "name": ""}, 50]]}
    assert list(faces) == page.draw(key, call, pool)
    for pool in ([[{"die": 100_000_000, "name": ""}, 2]], [[{"die": 6, "name": ""}, 10**15]]):
        log = json.loads(LOG)
        thrown = next(e for e in log["events"] if (e.get("body") or {}).get("how") == "fair")
        thrown["body"]["pool"]["pool"] = pool
        _, problems = checked(page, json.dumps(log))
        assert (thrown["seq"], "altered dice") in problems


ODD = (None, [], {}, -1, "x", True)
FIELDS = [
    (place, name, key)
    for place, event in enumerate(json.loads(LOG)["events"])
    for name in ("open", "body")
    for key in event.get(name) or {}
]


@pytest.mark.long
@pytest.mark.parametrize("half", first([0, 1]))
def test_anything_may_stand_in_a_log(page, half):
    """Whatever stands in an event, it is told, and nothing is raised; half of it in each field."""
    log = json.loads(LOG)
    for number, (place, name, key) in enumerate(FIELDS):
        for value in ODD[(number + half) % 2 :: 2]:
            if json.dumps(value) != json.dumps(log["events"][place][name][key]):
                forged = copy.deepcopy(log)
                forged["events"][place][name][key] = value
                _, problems = checked(page, json.dumps(forged))
                assert problems


@pytest.mark.parametrize("name", ["evening", "pushed", "beside", "witnessed"])
def test_whatever_is_altered_is_found_here_too(page, name):
    """Or it rests on the host's word, or the state and the rules tell, as the document lists."""
    make, seat = STORIES[name]
    forged = [*altered(make().log(seat))]
    known = listed(WORD) | listed(RULED)
    missed = set()
    for field, log in forged:
        report = page.check(json.dumps(log))
        if not (report["problems"] or report["unknown"] or report["closed"]):  # it is called true
            missed.add(field)
    assert set() == {field for field in missed if not is_listed(field, known)}
