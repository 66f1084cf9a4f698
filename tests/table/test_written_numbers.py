"""A log is judged by how it is written: no parser's idea of a number makes it true or false."""

from __future__ import annotations

import json
import re
import tracemalloc
from typing import Any

import pytest
from vectors.fairness import PATH
from vectors.logs import fitted

from rollwright.jsonable import BadValue, parse_exact_json
from rollwright.queries.rolls import verified_log
from rollwright.table.verify.log import verify_log
from tests.cli.running import rollwright

PLAIN = json.loads(PATH.read_text("utf-8"))["logs"][0]["log"]
LOG = json.dumps(PLAIN)
LONG = "1" + "0" * 5000


def first(pattern: str, put: str) -> str:
    """The log with the first match of a pattern written in another way."""
    made, count = re.subn(pattern, put, LOG, count=1)
    assert 1 == count
    return made


def problems(text: str) -> list[tuple[int | None, str]]:
    """What is found in the text of a log."""
    return [(one.seq, one.what) for one in verify_log(parse_exact_json(text)).problems]


def test_the_log_itself_is_true() -> None:
    """What the others are made of."""
    assert [] == problems(LOG)


@pytest.mark.parametrize("number", ["2.0", "2e0", "2E+0", "20e-1", "NaN", "Infinity", LONG, '"2"'])
def test_a_number_that_is_not_written_as_a_whole_one_is_none(number: str) -> None:
    """The event is malformed, whatever the number comes to."""
    assert (2, "malformed event") in problems(first(r'"seq": 2\b', f'"seq": {number}'))


@pytest.mark.parametrize("number", ["0.0", "0e0", "-Infinity", "9007199254740993", LONG])
def test_so_is_one_deep_inside(number: str) -> None:
    """In a body as well as beside it."""
    found = problems(first(r'"index": 0\b', f'"index": {number}'))
    assert ["malformed event"] == [what for _, what in found][:1]


@pytest.mark.parametrize("texts", ["[]", "null", '""', "0", "false", "[{}]"])
def test_texts_stand_in_an_object(texts: str) -> None:
    """An empty list is none."""
    assert (1, "malformed event") in problems(
        first('"texts": {', f'"texts": {texts}, "others": {{')
    )


def test_of_a_name_that_stands_twice_the_last_counts() -> None:
    """As in every browser."""
    assert [] == problems(first('"seq": 2', '"seq": 9, "seq": 2'))
    assert problems(first('"seq": 2', '"seq": 2, "seq": 9'))


@pytest.mark.parametrize(
    ("format", "verdict"), [("4", "partly"), ("2", "partly"), ("3.0", "partly"), ('"3"', "false")]
)
def test_another_format_is_not_judged(format: str, verdict: str) -> None:
    """Where it has a number, it may be true by rules that are not here."""
    log: Any = parse_exact_json(first('"format": 3', f'"format": {format}'))
    assert [(None, "unknown format")] == [(one.seq, one.what) for one in verify_log(log).problems]
    found = verified_log(log)
    assert (verdict, None if verdict == "partly" else False) == (found["verdict"], found["true"])


def test_what_was_read_as_no_number_is_not_told_as_one() -> None:
    """Nobody wrote the number that stands for it."""
    for place in ('"format": 3', '"index": 0'):
        log: Any = parse_exact_json(first(place, place[:-1] + "3.0"))
        assert "9007199254740992" not in str(verify_log(log).problems)
    found = verify_log(parse_exact_json(first('"index": 0', '"index": 0.0'))).problems
    assert "no whole one" in str(found[0])


@pytest.mark.parametrize(
    "text", ["", "{", "[1.]", "[01]", "[-NaN]", "[.5]", "nan", '["\t"]', "[" * 9**5]
)
def test_what_is_no_json_is_none(text: str) -> None:
    """It is refused, and nothing breaks."""
    with pytest.raises(BadValue):
        parse_exact_json(text)


@pytest.mark.parametrize("number", ["2.0", "2e0", "NaN", LONG])
def test_the_command_line_reads_in_this_way(number: str, tmp_path: Any) -> None:
    """Beside the page, it is what people check with."""
    file = tmp_path / "log.json"
    file.write_text(first(r'"seq": 2\b', f'"seq": {number}'), "utf-8")
    done = rollwright("verify", str(file), "--json")
    found = [(one["seq"], one["what"]) for one in json.loads(done.out)["problems"]]
    assert (1, True) == (done.code, (2, "malformed event") in found)


@pytest.mark.parametrize(
    "pool",
    [
        [[{"die": 100_000_000, "name": ""}, 1]],
        [[{"die": 2**53 - 1, "name": ""}, 1]],
        [[{"die": 6, "name": ""}, 10**15]],
        [[{"die": 100_000, "name": f"n{name}"}, 1] for name in range(40)],
    ],
    ids=["sides", "most sides", "dice", "large dice"],
)
@pytest.mark.long
def test_dice_of_any_size_take_no_memory(pool: list[Any]) -> None:
    """A stranger's log may claim any number; it is judged, and soon."""
    log = json.loads(LOG)
    thrown = next(e for e in log["events"] if (e.get("body") or {}).get("how") == "fair")
    thrown["body"]["pool"]["pool"] = pool
    log = fitted(log)
    tracemalloc.start()
    try:
        found = [(one.seq, one.what) for one in verify_log(log).problems]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (thrown["seq"], "altered dice") in found
    assert peak < 64_000_000


def test_what_is_wrong_is_told_though_there_was_no_time_for_the_rest() -> None:
    """A host could pad a false log until nobody has the time to check it to its end."""
    log = json.loads(LOG)
    thrown = next(e for e in log["events"] if (e.get("body") or {}).get("how") == "fair")
    thrown["body"]["faces"][0] += 1
    asked = iter(range(1000))
    found = verified_log(log, "", lambda: next(asked) > thrown["seq"])
    assert "false" == found["verdict"]
    assert {"altered face", "altered face or number", "altered dice", "too large"} & {
        one["what"] for one in found["problems"]
    } > {"too large"}


@pytest.mark.parametrize("format", [3.0, 4.5, 1e300])
def test_so_it_is_where_somebody_else_has_read_it(format: float) -> None:
    """Over HTTP a number is what the server's parser makes of it."""
    assert "partly" == verified_log({**PLAIN, "format": format})["verdict"]
