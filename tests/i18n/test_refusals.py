"""Refusals and the sentences of `verify`: in the catalogs, in the reader's language, none besides.

What stays English is listed in docs/words.md by where it is written; this holds the list.
"""

import ast
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

from rollwright.i18n.catalogs import words_of
from rollwright.i18n.languages import PSEUDO
from rollwright.i18n.locale import format_text, use_locale
from rollwright.table.verify.log import verify_log
from rollwright.table.verify.report import FALSE, NAMES, PARTLY, TRUE
from tests.i18n.pseudo import leftovers
from tests.table.tables import Host
from tests.table.test_verifying import ALTERED, SESSION
from tests.table.written_logs import rechained

ROOT = Path(__file__).parent.parent.parent
SOURCES = ROOT / "src" / "rollwright"
OWN = ("table.", "server.", "saved.", "verify.")
"""How messages begin that only refusals and `verify` say."""
MAKERS = ("command_error", "Message", "msg", "message", "in_words")
"""What makes a message of the house's words; a refusal has a code in front of it."""
REFUSING = ("bad_field", "field_error", "refused", "problem", "_problem")
"""What is called with the text of a refusal, beside `Bad…` and `…Error`."""
SAYING = ("say", "problem", "wrong", "hint", "why", "would_do")
"""What the text of a refusal is called before it is given."""


def modules():
    """Every module by its place, with what is written in it."""
    for path in sorted(SOURCES.rglob("*.py")):
        yield path.relative_to(SOURCES).as_posix(), ast.parse(path.read_text("utf-8"))


def called(node):
    """The last name of what is called."""
    return getattr(node.func, "attr", "") or getattr(node.func, "id", "")


def texts(node):
    """The texts of more than one word in some code, but for names that programs go by."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            words = [word for word in part.value.split() if word.isalpha()]
            if len(words) > 1 and part.value not in NAMES:
                yield part.value


def is_refusing(node):
    """Whether what stands here ends up before whoever is refused something."""
    if isinstance(node, ast.Raise):
        return node.exc is not None
    if isinstance(node, ast.Call):
        name = called(node)
        return name in REFUSING or name.startswith("Bad") or name.endswith("Error")
    named = [one.id for one in getattr(node, "targets", ()) if isinstance(one, ast.Name)]
    return isinstance(node, ast.Assign) and any(name in SAYING for name in named)


def untranslated(node, place):
    """Where a text is given to a refusal as it is: the module and the function, and the text."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        place = f"{place}:{node.name}" if ":" not in place else f"{place}.{node.name}"
    if is_refusing(node):
        yield from ((place, text) for text in texts(node))
        return
    for child in ast.iter_child_nodes(node):
        yield from untranslated(child, place)


def listed():
    """The places that docs/words.md lists under what stays English."""
    page = (ROOT / "docs" / "words.md").read_text("utf-8")
    table = page.split("## What stays English")[1].split("\n## ")[0]
    rows = [line.split("|")[2] for line in table.splitlines() if line.count("|") == 4]
    return [place for row in rows for place in re.findall("`([^`]+)`", row)]


def covers(place, found):
    """Whether a listed place is that of a text: a module, a folder, or a function in a module."""
    module, _, function = found.partition(":")
    wanted, _, inside = place.partition(":")
    if inside:
        return module == wanted and (function == inside or function.startswith(f"{inside}."))
    return fnmatch(module, wanted)


@pytest.mark.long
def test_what_is_said_in_english_alone_is_listed():
    """No refusal escapes translation but where the page says so, with a reason."""
    found = [one for module, tree in modules() for one in untranslated(tree, module)]
    places = listed()
    assert [] == [one for one in found if not any(covers(place, one[0]) for place in places)]


@pytest.mark.long
def test_nothing_is_listed_in_vain():
    """A place where nothing is said in English alone any more goes from the list."""
    found = {one[0] for module, tree in modules() for one in untranslated(tree, module)}
    assert [] == [place for place in listed() if not any(covers(place, one) for one in found)]


def test_a_text_that_is_no_message_is_found():
    """Also where it is put together, or named first."""
    code = """
def one(name):
    raise CodedError("gone", f"{name} was removed")

def two(findings):
    say = "not what it was"
    findings.problem(3, "altered face", say)

def three():
    raise command_error("gone", "table.removed", seat="s2")
"""
    found = list(untranslated(ast.parse(code), "some.py"))
    assert [("some.py:one", " was removed"), ("some.py:two", "not what it was")] == found


def ids_in(tree):
    """The ids of messages that some code makes, as far as they stand there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in MAKERS:
            for given in node.args[:2]:
                for part in ast.walk(given):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield part.value


@pytest.mark.long
def test_every_message_of_a_refusal_has_a_text():
    """An id that is mistyped would be said instead of its text."""
    known = words_of("rollwright").sources[0]["en"]
    named = {id for _, tree in modules() for id in ids_in(tree) if id.startswith(OWN)}
    assert len(named) > 200
    whole = {id for id in named if not id.endswith(".")}  # the others are put together
    assert [] == sorted(whole - set(known))


@pytest.mark.long
def test_every_text_of_a_refusal_is_said_somewhere():
    """By its id, or by one that is put together from a name of `verify`."""
    written = {
        part.value
        for _, tree in modules()
        for part in ast.walk(tree)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }
    made = (*NAMES, TRUE, PARTLY, FALSE, "held.", "unchecked.", "remark.")
    unsaid = [
        id
        for id in words_of("rollwright").sources[0]["en"]
        if id.startswith(OWN) and id not in written
    ]
    assert [] == [id for id in unsaid if not id.removeprefix("verify.").startswith(made)]


@pytest.mark.parametrize("alter", ALTERED, ids=lambda alter: alter.__name__)
def test_a_forged_log_is_told_in_the_readers_language(alter):
    """Every sentence, whatever was altered, as it is and with hashes that fit."""
    log = SESSION.log()
    alter(log)
    for plain in (log, rechained(log)):
        with use_locale(PSEUDO):
            report = verify_log(plain)
            told = [*report.sentences(), *(one["message"] for one in report.to_json()["problems"])]
        assert [] == leftovers("\n".join(told), RULES, repr(SESSION.log()))


RULES = "Throw Tally tally Pool Choice keep push Done Check D6 D12 options by about"
"""How a rule's own values are written in Python."""


def test_a_true_log_is_told_in_the_readers_language():
    """What holds, what nobody checked, and what is remarked beside."""
    with use_locale("de"):
        said = verify_log(SESSION.log()).sentences()
    assert said[0].startswith("Wahr: Kette, Würfel und Regeln. ")
    assert "Einträge" in said[0]


def refused_commands():
    """What a table refuses because of who or when, by whom and how it is sent."""
    yield "s2", "session.end", {}
    yield "s4", "roll.start", {"expression": "2d6"}
    yield "s2", "seat.rename", {"seat": "s3", "name": "Cy"}
    yield "s1", "seat.remove", {"seat": "s1"}
    yield "s1", "seat.admit", {"seat": "s2"}
    yield "s2", "sheet.change", {"sheet": "s9", "values": {}}
    yield "s2", "sheet.create", {"sheet": "npc"}
    yield "s2", "roll.choose", {"roll": "r9", "number": 0}
    yield "s3", "roll.cancel", {"roll": "r1"}
    yield "s2", "roll.reveal", {"roll": "r1"}
    yield "s2", "roll.enter", {"roll": "r2", "faces": [1]}
    yield "s2", "roll.start", {"ask": "a9"}
    yield "s1", "roll.undo", {"roll": "r1"}
    yield "s1", "roll_request.close", {"ask": "a3"}
    yield "s2", "roll_request.close", {"ask": "a3"}
    yield "s1", "sheet.undo", {"seq": 2}
    yield "s1", "table.change", {}


CODES = "sheet.change roll.cancel house knock title lists npc player spectator open done"
"""Commands and fields as they are typed; roles and states, by which other languages choose."""


@pytest.mark.parametrize(("by", "do", "fields"), list(refused_commands()))
def test_a_command_is_refused_in_the_readers_language(by, do, fields):
    """English for programs and logs; the sentence is a message for every reader."""
    host = Host(game="", spectators=1)
    host.do("s2", "roll.start", expression="2d6", physical=True)
    host.do("s2", "roll.start", expression="1d6")
    refused = host.refused(by, do, **fields)
    with use_locale(PSEUDO):
        told = format_text(refused.wording)
    assert "[" in told
    assert [] == leftovers(told, CODES, do, repr(fields), refused.field)
    with use_locale("de"):
        assert format_text(refused.wording) != refused.message == str(refused)
