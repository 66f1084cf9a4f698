"""The benchmarks ask every library the same question, and show what they found legibly."""

from __future__ import annotations

import doctest
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pytest
from benchmarks.__main__ import main
from benchmarks.answers import digest, reduced
from benchmarks.cases import ENGINE, GROWTH, PEERS, Case
from benchmarks.child import parts_of
from benchmarks.measuring import Ratio, Settings, Timing, disagreement, measure, ratio
from benchmarks.pictures import Line, Mark, Panel, bars, curves
from benchmarks.records import refresh_page
from benchmarks.suites import engine, names, newer, page
from benchmarks.tables import WIDTH, text_table

from rollwright.server.routes import site

SVG = "{http://www.w3.org/2000/svg}"
SLOW = Timing("over", computed=120, cold=120)


def timed(seconds: float, answer: str = "same") -> Timing:
    """A run that went well."""
    return Timing("ok", computed=seconds, cold=seconds, answer=answer, runs=1)


def answer(case: Case, library: str) -> dict[object, dict[object, int]]:
    """What a library finds for the small size of a workload."""
    compute = getattr(case.load(), library)(*case.small)
    return {label: reduced(items) for label, items in parts_of(compute()).items()}


@pytest.mark.filterwarnings("ignore")  # dyce warns that some functions are experimental
@pytest.mark.parametrize(
    ("case", "peer"),
    [(case, peer) for case in ENGINE for peer in PEERS if not case.refusal(peer)],
    ids=lambda value: getattr(value, "key", value),
)
def test_libraries_agree(case: Case, peer: str) -> None:
    """Every workload that a peer can express, at a reduced size, has the same answer everywhere."""
    assert answer(case, peer) == answer(case, "ours")


def test_best_play_of_the_push() -> None:
    """W9 is worth 4981/5760 and pushes 24 of the 96 pairs of faces, as the design says."""
    (case,) = [case for case in ENGINE if case.key == "W9"]
    found = parts_of(case.load().ours(*case.size)())
    expected = {"value": [(Fraction(4981, 5760), 1)], "pushed": [(Fraction(24, 96), 1)]}
    assert expected == found


def test_every_workload_of_the_design_is_there() -> None:
    """W1 to W9, X1, X2 and D1 to D4 are run, and each has the bar that the design sets."""
    bars_set = {case.key[:2]: case.bar for case in ENGINE if case.bar}
    expected = {f"W{n}": {3: 3, 5: 5}.get(n, 10) for n in range(1, 10)} | {"X1": 10, "X2": 10}
    expected |= {f"D{n}": 1 for n in range(1, 5)}
    assert expected == bars_set


def test_growth_covers_the_sizes_asked_for() -> None:
    """W1 grows from 10 to 300 dice and sums from 100 to 10,000."""
    sizes = {name: [case.size[0] for case in cases] for name, (_, cases) in GROWTH.items()}
    assert {"net_successes": [10, 30, 100, 300], "sums": [100, 1000, 10_000]} == sizes


def test_digest_knows_every_weight() -> None:
    """Equal chances over another total are one answer; one weight more is another."""
    assert digest({"": [(1, 1), (2, 2)]}) == digest({"": [(2, 4), (1, 2), (3, 0)]})
    assert digest({"": [(1, 1), (2, 2)]}) != digest({"": [(1, 1), (2, 3)]})


def test_measuring_runs_fresh_processes() -> None:
    """A measurement gives times, answers that agree, and the reason where there is no answer."""
    case = Case("", "", "pairing", (2,), (2,))
    timings = measure(case, Settings(most=1))
    assert ["ok", "ok", "no"] == [timing.status for timing in timings.values()]
    assert 0 < timings["ours"].computed < timings["ours"].cold
    assert 10 < int(engine.megabytes(timings["ours"])) < 200
    assert "no" == engine.megabytes(timings["dyce"])
    assert not disagreement(timings)


@pytest.mark.long
def test_a_slow_library_is_stopped() -> None:
    """A run that exceeds the limit counts as at least that slow."""
    case = Case("", "", "sums", (3000,), (2,))
    timings = measure(case, Settings(limit=0.5, most=1), ["dyce"])
    assert "over" == timings["dyce"].status


def test_ratio_is_to_the_better_peer() -> None:
    """The faster of the two others counts; where both were stopped the ratio is a lower bound."""
    times = {"ours": timed(2.0), "icepool": timed(50.0), "dyce": timed(30.0)}
    assert Ratio(15.0) == ratio(times)
    assert Ratio(60.0, at_least=True) == ratio(times | {"icepool": SLOW, "dyce": SLOW})
    assert Ratio(25.0) == ratio(times | {"dyce": Timing("fails")})


@pytest.mark.parametrize(
    ("ours", "verdict"), [(timed(1), "ok"), (timed(5), "MISS"), (timed(1, "another"), "DIFF")]
)
def test_verdicts(ours: Timing, verdict: str) -> None:
    """A missed bar and a different answer are both told."""
    case = Case("", "", "sums", (1,), (1,))
    assert verdict == engine.verdict(case, {"ours": ours, "icepool": SLOW, "dyce": timed(10)})


def longest_times() -> list[tuple[Case, dict[str, Timing]]]:
    """Every workload with times as wide as they come."""
    wide = {"ours": timed(12.345678), "icepool": SLOW, "dyce": timed(119.999)}
    widest = {"ours": timed(0.001), "icepool": SLOW, "dyce": SLOW}
    return [(case, widest if i % 2 else wide) for i, case in enumerate(ENGINE)]


def test_table_fits_a_terminal() -> None:
    """The table of ratios is at most 80 columns wide, whatever the times."""
    found = longest_times()
    for head, rows in (
        (engine.HEAD, engine.rows(found)),
        (engine.COLD_HEAD, engine.cold_rows(found)),
        (engine.ROOM_HEAD, engine.room_rows(found)),
        (newer.HEAD, newer.rows(found)),
    ):
        assert max(map(len, text_table(head, rows).splitlines())) <= WIDTH


def test_bars_are_well_formed() -> None:
    """The picture of the engine is XML with a bar for each time and a word where there is none."""
    marks = [
        Mark("ours", 0.001, "1 ms"),
        Mark("icepool", 30, "> 30 s", True),
        Mark("dyce", None, "no"),
    ]
    root = ElementTree.fromstring(bars("a < b & c", [("W1", marks)]))
    kinds = [rect.get("class") for rect in root.iter(f"{SVG}rect")]
    assert {"ours", "icepool open"} <= set(kinds)
    assert "dyce: no" in [text.text for text in root.iter(f"{SVG}text")]
    assert "prefers-color-scheme: dark" in root.findtext(f"{SVG}style", "")


def test_engine_picture_is_well_formed() -> None:
    """All workloads together make a picture in which nothing sticks out to the left or right."""
    root = ElementTree.fromstring(engine.picture(longest_times()))
    width = float(root.get("width", "0"))
    assert all(0 <= float(text.get("x", "-1")) <= width for text in root.iter(f"{SVG}text"))


def test_curves_are_well_formed() -> None:
    """The picture of growth is XML with a line for each library."""
    lines = [Line("ours", [(10, 0.001), (100, 0.002)]), Line("dyce", [(10, 0.01)])]
    root = ElementTree.fromstring(curves("growth", [Panel("one", lines), Panel("two", lines)]))
    kinds = [path.get("class") for path in root.iter(f"{SVG}path")]
    assert 2 == kinds.count("ours line") == kinds.count("dyce line")


def test_pages_are_refreshed_between_markers(tmp_path: Path) -> None:
    """What a run found replaces what stood between the markers, and nothing else."""
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- a: begin -->\nold\n<!-- a: end -->\nafter\n", "utf-8")
    assert refresh_page("a", "new", page)
    expected = "before\n<!-- a: begin -->\n\nnew\n\n<!-- a: end -->\nafter\n"
    assert expected == page.read_text("utf-8")
    assert not refresh_page("b", "new", page)


def test_list_names_every_suite(capsys: pytest.CaptureFixture[str]) -> None:
    """`python -m benchmarks list` says what there is to run."""
    assert 0 == main(["list"])
    shown = capsys.readouterr().out
    assert all(name in shown for name in names())


def test_a_misspelt_suite_is_guessed(capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong name ends in exit code 2 and a suggestion."""
    with pytest.raises(SystemExit) as stop:
        main(["engin"])
    assert 2 == stop.value.code
    assert 'Did you mean "engine"?' in capsys.readouterr().err


@pytest.mark.parametrize("name", ["answers", "pictures", "tables"])
def test_examples(name: str) -> None:
    """The examples in the benchmarks' own docstrings hold."""
    failed, tried = doctest.testmod(import_module(f"benchmarks.{name}"))
    assert 0 == failed < tried


def test_a_page_that_was_not_built_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where there is no page to measure the suite says what to run, and fails."""
    monkeypatch.setattr(site, "FOLDER", tmp_path)
    assert page.run(Settings()) is False
    assert "./dev page" in capsys.readouterr().out


def value_of(workload: str, size: int) -> Fraction:
    """The one value that a workload of best play gives."""
    found = import_module(f"benchmarks.workloads.{workload}").ours(size)()
    ((value, _),) = found["value"].items()
    return value


def test_a_turn_of_farkle_is_worth_what_others_found() -> None:
    """446.175… points to 2,000, as a plain dynamic program has it."""
    assert f"{float(value_of('farkle', 2000)):.9f}" == "446.175459590"


def test_two_at_pig_have_the_chance_that_an_independent_solver_found() -> None:
    """To 5 points."""
    assert value_of("pig_duel", 5) == Fraction(216, 271)
