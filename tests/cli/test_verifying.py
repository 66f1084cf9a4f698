"""`rollwright verify` on the log of a table."""

import json
import os

import pytest

from rollwright.client import Unreachable
from rollwright.client.seat_stores import FileSeatStore
from rollwright.table.fairness import head_to_words
from tests.cli.running import in_a_process, rollwright, saved
from tests.client.hosted import asking_of, rolled_back, sit_down
from tests.table.tables import Host
from tests.table.written_logs import WrittenLog, rechained


@pytest.fixture(scope="module")
def table():
    """A table with open and secret rolls, words and real dice."""
    log = WrittenLog()
    log.play()
    log.play("1d20", by="s3")
    log.play(visibility="blind")
    log.type(log.start("2d6", physical=True), [3, 4])
    log.say("good night")
    return log


def written(folder, plain):
    """A log in a file."""
    file = folder / "log.json"
    file.write_text(json.dumps(plain), "utf-8")
    return str(file)


def altered(table):
    """The log with another outcome of the d20, and all hashes made to fit."""
    plain = table.log()
    event = next(e for e in plain["events"] if (e.get("body") or {}).get("dice") == ["D20"])
    event["body"]["after"]["outcome"] = 21
    return rechained(plain)


def test_a_true_log_is_told_in_a_few_lines(table, tmp_path):
    """What was checked first, then what cannot be known, then the head; 80 columns."""
    done = rollwright("verify", written(tmp_path, table.log()))
    assert (0, "") == (done.code, done.err)
    lines = done.out.splitlines()
    assert lines[0].startswith(f"True: chain, dice and rules. {len(table.events)} events, 3 ")
    assert lines[1].startswith("Not checked: the contents of ")
    assert "1 throw typed in from real dice" in " ".join(done.out.split())
    assert f"Head: {table.events[-1]['hash']}" == lines[-2]
    assert f"({head_to_words(table.events[-1]['hash'])})" == lines[-1].strip()
    assert max(map(len, lines)) <= 80


def test_a_false_log_names_each_problem_in_a_line(table, tmp_path):
    """Exit code 1, the event and the name of what was altered."""
    done = rollwright("verify", written(tmp_path, altered(table)), columns=100)
    assert (1, "") == (done.code, done.err)
    first, second = done.out.splitlines()
    assert "Not true. 1 problem:" == first
    assert "altered outcome: by the rules it comes to " in second


def test_problems_fit_the_paper(table, tmp_path):
    """Long ones go on in the next line, a little to the right."""
    done = rollwright("verify", written(tmp_path, altered(table)), columns=40)
    lines = done.out.splitlines()
    assert max(map(len, lines)) <= 40
    assert lines[2].startswith("  ")


def test_the_same_facts_as_json(table, tmp_path):
    """For programs: true or not, the counts, the problems by name."""
    good = json.loads(rollwright("verify", written(tmp_path, table.log("s2")), "--json").out)
    assert (True, "s2", table.table) == (good["true"], good["for"], good["table"])
    assert 1 == good["checked"]["typed throws"]
    done = rollwright("verify", written(tmp_path, altered(table)), "--json")
    problem = json.loads(done.out)["problems"][0]
    assert (1, "altered outcome") == (done.code, problem["what"])
    assert {"seq", "what", "message"} == set(problem)


def test_a_noted_hash_holds_the_log(table, tmp_path):
    """`--head` finds a log that was cut off since."""
    head = table.events[-1]["hash"]
    assert 0 == rollwright("verify", written(tmp_path, table.log()), "--head", head).code
    short = table.log()
    del short["events"][-1]
    done = rollwright("verify", written(tmp_path, short), "--head", head[:40])
    assert 1 == done.code
    assert "missing head" in done.out


@pytest.mark.parametrize("said", ["{}", " {} "])
def test_eight_words_hold_the_log_as_well(table, tmp_path, said):
    """As somebody read them aloud; others, or too few, are none of the log's."""
    words = head_to_words(table.events[-1]["hash"])
    written(tmp_path, table.log())
    for told in (words, words.replace("-", " "), words.upper()):
        assert (
            0 == rollwright("verify", str(tmp_path / "log.json"), "--head", said.format(told)).code
        )
    for told in (words[:-6], words[:-1] + ("b" if words[-1] != "b" else "d")):
        done = rollwright("verify", str(tmp_path / "log.json"), "--head", said.format(told))
        assert (1, True) == (done.code, "missing head" in done.out)


def test_what_cannot_be_checked_here_has_an_exit_code_of_its_own(table, tmp_path):
    """A roll of another version of its game, an event of an unknown kind, another format."""
    other = table.log()
    started = next(one for one in other["events"] if one["kind"] == "roll.started")
    started["body"]["version"] = "99"
    unknown = WrittenLog()
    unknown.write("dance", {"by": "s1"})
    told = {}
    for name, plain in (("partly", rechained(other)), ("unknown", unknown.log())):
        done = rollwright("verify", written(tmp_path, plain))
        assert (3, "Partly checked: ") == (done.code, done.out[:16])
        told[name] = json.loads(rollwright("verify", written(tmp_path, plain), "--json").out)
        assert (None, "partly") == (told[name]["true"], told[name]["verdict"])
    done = rollwright("verify", written(tmp_path, {**table.log(), "format": 4}))
    assert (3, "Cannot be checked here") == (done.code, done.out[:22])


def test_a_seat_remembers_what_it_signed(tmp_path):
    """`--seat` finds a log in which what a device signed is gone, or what it saw."""
    host, keep = Host("", players=0), FileSeatStore(tmp_path / "seat.json")
    table = sit_down(host, keep)
    keep.write({**keep.read(), "table": host.state.table, "seat": "s2", "token": "token"})
    table.roll("1d20")
    seat = ("--seat", str(tmp_path / "seat.json"))
    done = rollwright("verify", written(tmp_path, table.log()), *seat)
    assert (0, True) == (done.code, "what your seat saw" in done.out)
    rolled_back(table, 2)
    file = written(tmp_path, host.log("s1"))
    assert 0 == rollwright("verify", file).code
    done = rollwright("verify", file, *seat)
    assert (1, True) == (done.code, "does not have event 5" in " ".join(done.out.split()))
    assert 2 == rollwright("verify", saved(tmp_path), *seat).code
    other = rollwright("verify", written(tmp_path, WrittenLog(table="zzzzzzzz2345").log()), *seat)
    assert (2, True) == (other.code, "keeps no seat" in other.err)


def test_a_seat_tells_of_calls_that_the_log_hides(tmp_path):
    """Another secret in its place fills the gap; of a log of somebody else nothing is known."""
    host, keep = Host("", players=0), FileSeatStore(tmp_path / "seat.json")
    table = sit_down(host, keep)
    keep.write({**keep.read(), "table": host.state.table, "seat": "s2", "token": "token"})
    seat = ("--seat", str(tmp_path / "seat.json"))
    secret = {"visibility": "private", "announce": False}

    def lose(command):
        raise Unreachable("lost")

    asking_of(table).before = lose
    with pytest.raises(Unreachable):
        table.roll("1d20", **secret)
    asking_of(table).before = lambda command: command
    host.do("s1", "roll.start", expression="1d20", **secret)
    table.roll("1d20", **secret)
    for whose, tells in (("s2", True), ("s1", False)):
        done = rollwright("verify", written(tmp_path, host.log(whose)), *seat)
        assert (0, tells) == (done.code, "Of your calls, 1 was never answered" in done.out)


def test_a_log_comes_through_the_pipe(table):
    """As everything does."""
    done = rollwright("verify", "-", pipe=json.dumps(table.log()))
    assert (0, "True:") == (done.code, done.out[:5])


def test_rolls_are_still_rolls(tmp_path):
    """A saved roll is replayed as before; `--head` is not for it."""
    file = saved(tmp_path)
    assert rollwright("verify", file).out.startswith("True. D8 3 and D10 2 lie there")
    done = rollwright("verify", file, "--head", "0" * 64)
    assert 2 == done.code
    assert "--head is for the log of a table" in done.err


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "[" * 100_000, '{"events": 1}', '{"events": [{}], "format": 3}', "NaN"]
)
def test_whatever_is_in_the_file_is_judged(tmp_path, text):
    """Not true, in one or a few lines, without a traceback."""
    file = tmp_path / "odd.json"
    file.write_text(text, "utf-8")
    done = rollwright("verify", str(file))
    assert (1, "") == (done.code, done.err)
    assert done.out.startswith("Not true. ")


def test_a_check_needs_no_network_and_no_server(table, tmp_path):
    """A process of its own with the library alone says the same, soon."""
    before = os.times()
    done = in_a_process("verify", written(tmp_path, table.log()))
    after = os.times()
    assert (0, "True:") == (done.returncode, done.stdout[:5])
    assert after.children_user - before.children_user < 20


def test_what_has_events_is_a_log_whatever_else_it_holds(tmp_path):
    """A host could put a true roll beside a false log, and have that called true."""
    held = {"format": 2, "expression": "1d20", "answers": [], "outcome": 14}
    file = tmp_path / "log.json"
    file.write_text(json.dumps({**held, "table": "abcdefgh2345", "events": [{}]}), "utf-8")
    done = rollwright("verify", str(file), "--json")
    assert "unknown format" == json.loads(done.out)["problems"][0]["what"]


ESCAPE = "\x1b]0;told\x07\x9b2J\u202e"


@pytest.mark.parametrize(
    "way", ["texts", "command", "request", "seat", "sheet", "game", "table", "format", "saved"]
)
def test_nothing_in_a_log_is_obeyed_by_the_terminal(table, tmp_path, way):
    """Signs that move the cursor or turn the writing are shown as signs of nothing."""
    log = table.log()
    started = next(one for one in log["events"] if one["kind"] == "roll.started")["body"]
    if way == "texts":
        log["events"][0]["texts"][ESCAPE] = {"salt": "0" * 64, "text": ""}
    elif way == "command":
        started["call"] |= {ESCAPE: 1}
    elif way == "request":
        started["what"]["request"][ESCAPE] = 1
    elif way == "seat":
        started["by"] = ESCAPE
    elif way == "sheet":
        started["sheet"] = ESCAPE
    elif way == "game":
        started["what"]["request"]["game"] = ESCAPE
    elif way == "table":
        log["events"][0]["body"]["table"] = ESCAPE
    elif way == "format":
        log["format"] = ESCAPE
    else:
        log = {"format": ESCAPE, "expression": ESCAPE, "answers": []}
    for plain in (log, rechained(log) if "events" in log else log):
        done = rollwright("verify", written(tmp_path, plain))
        assert (True, "") == (done.out.replace("\n", "").isprintable(), done.err)


def test_more_than_any_log_has_is_refused_and_not_cut(tmp_path, monkeypatch):
    """In a sentence, with the size; as much as that is read whole."""
    file = tmp_path / "log.json"
    file.write_text('{"events": []}', "utf-8")
    monkeypatch.setattr("rollwright.cli.commands.roll.LONGEST_LOG", 14)
    assert 1 == rollwright("verify", str(file)).code
    monkeypatch.setattr("rollwright.cli.commands.roll.LONGEST_LOG", 13)
    for done in (rollwright("verify", str(file)), rollwright("verify", "-", pipe='{"events": []}')):
        assert (2, True) == (done.code, "has more than 13 bytes" in done.err)


def test_a_mark_at_the_beginning_of_a_file_is_no_part_of_it(table, tmp_path):
    """Some editors write one."""
    file = tmp_path / "log.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(table.log()).encode())
    assert 0 == rollwright("verify", str(file)).code


@pytest.mark.parametrize("depth", [400, 600, 100_000])
@pytest.mark.parametrize("place", ['"events":', '"seq":', '"salt":'], ids=["log", "event", "text"])
def test_what_lies_too_deep_is_no_log_though_nobody_reads_it(table, tmp_path, place, depth):
    """Parsers differ on it: so that all say the same."""
    file = tmp_path / "log.json"
    whole = json.dumps(table.log(), separators=(",", ":"))
    place = place if place != '"salt":' else '"texts":{'
    deep = f'"beside":{"[" * depth}{"]" * depth},'
    put = f"{place}{deep.replace('beside', 't9')}" if place[-1] == "{" else f"{deep}{place}"
    file.write_text(whole.replace(place, put, 1), "utf-8")
    done = rollwright("verify", str(file))
    if place[-1] == "{" and depth == 400:
        assert (1, True) == (done.code, "unsealed text" in done.out)
    elif depth == 400:
        assert 0 == done.code
    else:
        assert (1, "") == (done.code, done.err)
        assert "lies deeper than 500" in done.out or "neither a log nor" in done.out
