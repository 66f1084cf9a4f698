"""Pictures tell the truth, fit their sheet, and can be read without colour or eyes."""

import re
import sys
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollwright as rw
from rollwright import pictures
from rollwright.cli.console import Console
from rollwright.dice import D6, D8, D12, Die
from rollwright.errors import RollwrightError
from rollwright.exact import sum_of
from rollwright.pictures import (
    Bars,
    HeatMap,
    Lines,
    Series,
    distribution,
    picture_comparison,
    picture_distribution,
    render,
    svg,
)
from rollwright.pictures.charts import TextTable, format_number, format_value
from rollwright.pictures.distributions import summary, table_of, together
from rollwright.pictures.files import html, numbers
from rollwright.pictures.outcomes import rows_of
from rollwright.pictures.terminal import draw, draw_dice
from rollwright.queries.measures import percent

SVG = "{http://www.w3.org/2000/svg}"
TWO = sum_of(2 * D6)
WORDS = rw.Dist({"a long word": 1, "another, longer one": 2, "<b>&": 3})
SHAPES = {
    "upright": lambda: distribution(TWO, "2d6"),
    "lying": lambda: distribution(WORDS, "words <&>"),
    "many": lambda: distribution(sum_of(100 * D6), "100d6"),
    "very many": lambda: picture_distribution(sum_of(100 * D6), "100d6"),
    "more than many": lambda: picture_distribution(sum_of(3000 * D6), "3000d6"),
    "grouped": lambda: picture_comparison(
        {"one": sum_of(1 * D6), "two": sum_of(2 * Die(3))}, "two rolls"
    ),
    "words compared": lambda: picture_comparison(
        {"x": WORDS, "y": rw.Dist({"a long word": 1})}, "words"
    ),
    "curves": lambda: picture_comparison(
        {"one": sum_of(3 * D6), "two": TWO, "three": sum_of(4 * D6)}, "sums"
    ),
    "curve": lambda: Lines(
        "by n", ("1", "2", "3"), (Series("chance", (0.1, None, 0.9)),), x_name="n"
    ),
    "means": lambda: Lines("by n", ("1", "2"), (Series("mean", (3.5, -7.0)),), unit=""),
    "map": lambda: HeatMap("map", "x", "y", ("1", "2"), ("a", "b"), ((0.1, 0.95), (None, 1.0))),
    "means map": lambda: HeatMap("map", "x", "y", ("1",), ("a",), ((3.25,),), unit=""),
    "six": lambda: Bars("six", ("0", "1"), tuple(Series(f"s{n}", (0.5, 0.5)) for n in range(6))),
    "nothing": lambda: Bars("none", (), (Series("", ()),)),
    "zero": lambda: Bars("zero", ("a",), (Series("", (0.0,)),)),
}


@cache
def shape(name):
    """One of the pictures, drawn when it is first looked at."""
    return SHAPES[name]()


@pytest.mark.parametrize("name", SHAPES)
def test_a_picture_is_sound_svg(name):
    """Well-formed, with title and description, for light and dark, and nothing off the sheet."""
    root = ElementTree.fromstring(svg(shape(name)))
    width, height = float(root.get("width")), float(root.get("height"))
    assert root.findtext(f"{SVG}title")
    assert root.find(f"{SVG}desc") is not None
    assert "prefers-color-scheme: dark" in root.findtext(f"{SVG}style")
    for text in root.iter(f"{SVG}text"):
        x, wide = float(text.get("x")), len(text.text or "") * 6.0
        kinds = text.get("class", "").split()
        left = x - wide if "end" in kinds else x - wide / 2 if "middle" in kinds else x
        assert -2 <= left
        assert left + wide <= width + 14, text.text
        assert 0 <= float(text.get("y")) <= height
    for box in root.iter(f"{SVG}rect"):
        assert 0 <= float(box.get("x", 0)) <= width
        assert float(box.get("y", 0)) + float(box.get("height")) <= height + 1


def test_a_picture_is_told_in_words():
    """The description has every value, so that the picture can be heard."""
    told = ElementTree.fromstring(svg(shape("upright"))).findtext(f"{SVG}desc")
    assert "7: 16.7 %" in told
    assert "12: 2.8 %" in told


def test_series_differ_without_colour():
    """Curves have dashes and signs of their own; bars have stripes; each has its name."""
    curves = ElementTree.fromstring(svg(shape("curves")))
    lines = [path for path in curves.iter(f"{SVG}path") if "line" in path.get("class")]
    assert 3 == len({path.get("stroke-dasharray") for path in lines})
    assert {"one", "two", "three"} <= {text.text for text in curves.iter(f"{SVG}text")}
    bars = ElementTree.fromstring(svg(shape("grouped")))
    assert any("hatch" == line.get("class") for line in bars.iter(f"{SVG}line"))


def test_bars_are_as_long_as_the_chances():
    """Heights of bars stand in the ratio of the weights."""
    root = ElementTree.fromstring(svg(shape("upright")))
    heights = [float(r.get("height")) for r in root.iter(f"{SVG}rect") if r.get("class") == "fill0"]
    assert [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1] == [round(h / heights[0]) for h in heights]


@pytest.mark.parametrize("name", SHAPES)
def test_pages_need_nothing_from_elsewhere(name):
    """HTML holds the picture and its numbers, and loads nothing."""
    page = html(shape(name))
    assert "<table>" in page
    assert not re.search(r"(src|href)=|url\(|@import|<script", page)
    assert page.count("<tr>") == len(numbers(shape(name)).rows) + 1


def test_words_of_strangers_are_only_words():
    """Nothing in a title or a label becomes markup."""
    nasty = Bars("<script>x</script>", ("</svg>\x00",), (Series('"&', (0.5,)),))
    ElementTree.fromstring(svg(nasty))
    assert "<script>" not in html(nasty)


def test_png_is_drawn_by_an_extra():
    """With the extra there is a PNG; without it, a line that says how to get it."""
    assert render(shape("upright"), "x.png").startswith(b"\x89PNG")


def test_png_without_the_extra_is_refused(monkeypatch):
    """The refusal names the extra and the forms that need none."""
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(RollwrightError, match=r"rollwright\[pictures\]"):
        render(shape("upright"), "x.png")


def test_a_picture_of_another_kind_is_refused(tmp_path):
    """Only .svg, .png and .html are known."""
    with pytest.raises(RollwrightError, match="svg"):
        render(shape("upright"), "x.gif")
    pictures.save(shape("upright"), str(tmp_path / "x.svg"))
    assert (tmp_path / "x.svg").read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize("width", [20, 40, 80, 100])
@pytest.mark.parametrize("name", SHAPES)
def test_terminal_pictures_fit(name, width):
    """No line is wider than the paper, with signs or without, in colour or not."""
    for page in (Console(width), Console(width, unicode=False), Console(width, colour=True)):
        text = re.sub(r"\x1b\[[\d;]*m", "", draw(shape(name), page))
        assert max(map(len, text.splitlines()), default=0) <= width + (4 if width < 40 else 0)
        assert page.unicode or page.plain(text).isascii()


def test_colours_come_and_go():
    """Colour is only where the paper has it."""
    assert "\x1b[" in draw(shape("upright"), Console(colour=True))
    assert "\x1b[" not in draw(shape("upright"), Console())


def test_dice_are_drawn_as_dice():
    """A box for each die with its kind below; many dice take several rows."""
    shown = draw_dice([(D8, 3), (D12, 11)], Console()).splitlines()
    assert ["╭─────╮ ╭─────╮", "│  3  │ │  11 │", "╰─────╯ ╰─────╯", "   D8     D12"] == shown
    rows = draw_dice([(D6, 6)] * 30, Console(40)).splitlines()
    assert 6 * 4 == len(rows)
    assert max(map(len, rows)) <= 40
    assert draw_dice([(D6, 6)], Console(unicode=False)).isascii()


@given(
    st.dictionaries(st.integers(-5000, 5000), st.integers(1, 10**6), min_size=1, max_size=300),
    st.integers(4, 40),
)
def test_rows_keep_every_weight(weights, most):
    """However outcomes are gathered, they stay in order and nothing is lost."""
    dist = rw.Dist(weights)
    rows = rows_of(dist, most)
    assert len(rows) <= most
    assert dist.total == sum(row.weight for row in rows)
    assert [row.first for row in rows] == sorted(row.first for row in rows)


@given(st.dictionaries(st.text(max_size=5), st.integers(1, 9), min_size=1, max_size=60))
def test_rows_of_words_keep_every_weight(weights):
    """Of many words the likeliest are shown, the others together."""
    dist = rw.Dist(weights)
    assert dist.total == sum(row.weight for row in rows_of(dist, 10))


def test_comparisons_share_their_rows():
    """Every distribution is counted in the same rows, and each adds up to all."""
    for name in ("grouped", "words compared", "curves"):
        for series in shape(name).series:
            assert 1 == pytest.approx(sum(series.values))


def test_very_many_numbers_are_a_curve():
    """A curve through every number that matters; what is left out at the ends is said."""
    curve = shape("very many")
    assert isinstance(curve, Lines)
    assert "350" in curve.labels
    assert "99.8 % of all cases are shown" in curve.note
    assert isinstance(picture_distribution(TWO), Bars)


def test_numbers_have_sensible_digits():
    """Whole numbers stay whole; others have two or three digits that matter."""
    assert ["7", "2.42", "0.954", "12,345"] == [format_number(n) for n in (7, 2.415, 0.9542, 12345)]
    assert "mean 7, standard deviation 2.42" == summary(TWO)
    assert "" == summary(WORDS)


def test_tables_are_exact_and_harmless():
    """CSV has the weights in full, and no cell that a spreadsheet would take for a formula."""
    assert "2,1,36,0.02777777778" == table_of(TWO).csv().splitlines()[1]
    table = TextTable(("a", "b"), (("=1+1", "-3"), ("@x", "-a"), ("", "+1/3")))
    assert ["a,b", "'=1+1,-3", "'@x,'-a", ",+1/3"] == table.csv().splitlines()


def test_tables_give_way():
    """Where a table is too wide, texts are cut first, then columns go below in another block."""
    table = TextTable(("name", "x", "y"), (("a very long name indeed", "1", "2"),))
    assert max(map(len, table.text(20).splitlines())) <= 20
    assert "…" in table.text(20)
    narrow = table.text(12).splitlines()
    assert max(map(len, narrow)) <= 12
    assert ["name      x", "name      y"] == [line for line in narrow if line.startswith("name")]


def test_a_half_is_rounded_up_everywhere():
    """1/80 is 1.25 %, said as 1.3 % in the picture, its words and its table."""
    dist = rw.Dist({"a": 1, "b": 79})
    assert (
        "1.3 %"
        == format_value(Fraction(1, 80), "%")
        == format_value(0.0125, "%")
        == percent(1 / 80)
    )
    page = dist._repr_html_()
    assert "1.3" in page
    assert "1.2" not in re.sub(r'"[^"]*"', "", page)


def test_two_pictures_on_a_page_have_names_of_their_own():
    """The ids come from what is shown, so that a reader's program finds the right words."""
    ids = [set(re.findall(r' id="([^"]+)"', svg(shape(name)))) for name in ("upright", "curves")]
    assert [2, 2] == [len(found) for found in ids]
    assert not ids[0] & ids[1]
    assert svg(shape("upright")) == svg(shape("upright"))


def test_values_above_bars_do_not_run_together():
    """Six bars side by side have no room for their values, so that none is written."""
    shares = tuple(Series(f"s{n}", (0.131, 0.414, 0.376, 0.079)) for n in range(6))
    root = ElementTree.fromstring(svg(Bars("six", tuple("0123"), shares)))
    assert [] == [text for text in root.iter(f"{SVG}text") if "tiny" in text.get("class", "")]
    three = ElementTree.fromstring(svg(Bars("three", tuple("0123"), shares[:3])))
    assert 12 == len([t for t in three.iter(f"{SVG}text") if "tiny" in t.get("class", "")])


def test_ranges_are_of_one_width():
    """What lies beyond the bulk has a row of its own and is not hidden in the last range."""
    labels, columns = together({"1d20": sum_of(1 * Die(20)), "100d6": sum_of(100 * D6)}, 12)
    ranges = [label.split("–") for label in labels if "–" in label]
    assert {49, 50} >= {int(high) - int(low) + 1 for low, high in ranges}
    assert "400 or more" == labels[-1]
    assert columns["100d6"][-1] < sum_of(100 * D6).total / 500


def test_scores_beyond_all_others_are_said_and_not_averaged():
    """0! and 10! of the Kleptonomicon count -99 and 99, but nobody says so (KLEP R12)."""
    score = rw.odds({"game": "kleptonomicon", "roll": "test", "modifier": 2}).of("score")
    labels = [row.label for row in rows_of(score)]
    assert ["0!", "3", "10!"] == [labels[0], labels[1], labels[-1]]
    assert "" == summary(score)
    assert ["0!", "10!"] == [row.label for row in rows_of(score, 8) if "!" in row.label]
    assert {-99, 99} <= {entry["value"] for entry in score.to_plain()["outcomes"]}


def test_outcomes_with_fields_are_shown_by_field():
    """A notebook names every field and what it comes to, and no Python."""
    request = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
    page = rw.odds(request, "always")._repr_html_()
    assert re.search(r"successes</th><td[^>]*>mean 1.4 ", page)
    assert re.search(r"broken</th><td[^>]*>always no", page)
    assert "SkillOutcome" not in page


@pytest.mark.parametrize("width", [360, 800])
def test_pages_fit_a_phone(browser, width, tmp_path):
    """Whatever is wider than the screen scrolls by itself; the page does not."""
    wide = tuple(map(str, range(-9, 10)))
    grid = HeatMap("map", "modifier", "ammo dice", wide, ("0", "1"), ((0.3211,) * 19,) * 2)
    (tmp_path / "map.html").write_text(html(grid), "utf-8")
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto((tmp_path / "map.html").as_uri())
    assert width >= page.evaluate("document.documentElement.scrollWidth")
    assert page.evaluate("document.querySelector('svg').clientWidth") > 500
    page.close()
