"""Catalogs: files that are read when needed, layers, what translations lack, a pseudo-language."""

import json
import re

import pytest

from rollwright.errors import BadCatalog
from rollwright.i18n.catalogs import Catalog, Folder, Messages, words_in, words_of
from rollwright.i18n.check import problems_in
from rollwright.i18n.formatter import FORMATS
from rollwright.i18n.languages import PSEUDO
from rollwright.kit.games import find_game, own_games
from rollwright.queries import answer

GUNS = "tests.i18n.guns"
HOMES = ["rollwright", *(f"rollwright.games.{name}" for name in own_games())]


@pytest.mark.parametrize("home", HOMES)
def test_every_language_says_everything(home):
    """Ours and the games': each message in each language, with the same values and all forms."""
    catalogs = words_of(home).sources[0]
    if catalogs:
        assert [] == problems_in(catalogs)


def test_words_are_looked_for_in_layers():
    """The game's language, all others' language, the game's English, everybody's English."""
    own = {"en": {"a": "own en", "b": "own en"}, "de": {"a": "own de"}}
    all_ = {
        "en": {x: "all en" for x in "abcd"},
        "de": {"a": "all de", "b": "all de", "c": "all de"},
    }
    layers = [{code: Catalog(code, texts) for code, texts in one.items()} for one in (own, all_)]
    words = Messages(*layers)
    expected = ["own de", "all de", "all de", "all en"]
    assert expected == [words.say([id], "de") for id in "abcd"]
    assert "own en" == words.say(["b"], "en")


@pytest.mark.parametrize("language", ["de", "de-AT", "de-DE-1996"])
def test_a_language_is_also_said_to_its_neighbours(language):
    """Somebody who reads Austrian German gets German."""
    assert "die Waffe klemmt" == words_of(GUNS).say(["jam"], language)


@pytest.mark.parametrize(
    "language", ["xx", "", "../../secrets", "de/../de", "languages", "a" * 999]
)
def test_a_language_that_nobody_wrote_is_english(language):
    """Whatever is asked for; and nothing is kept for it."""
    words = Messages(*words_of(GUNS).sources)
    assert "the gun is jammed" == words.say(["jam"], language)
    assert {"en"} == set(words._voices)


def test_the_page_gets_the_game_and_how_values_are_written():
    """What German lacks is there in English; nothing but plain data."""
    compiled = words_of(GUNS).compile("de")
    assert {"jam", "fired", "only.english", "word.Hard", *FORMATS} == set(compiled)
    assert "die Waffe klemmt" == compiled["jam"]
    assert compiled == json.loads(json.dumps(compiled))


def test_nothing_is_read_before_something_is_said():
    """Games make messages when they are imported; files are opened for whoever reads them."""
    words = Messages(words_in(GUNS))
    words.msg("jam")
    assert {} == words.sources[0]._read
    assert "the gun is jammed" == words.say(["jam"])
    assert {"en"} == set(words.sources[0]._read)


@pytest.mark.parametrize("home", ["json", "sys", "rollwright.games"])
def test_a_package_without_words_says_what_all_say(home):
    """Also one that lies in no file."""
    words = words_of(home)
    assert ("3 is too low", "no.such") == (
        words.say(["field.low", {"came": 3}]),
        words.say(["no.such"]),
    )


@pytest.mark.parametrize("home", ["", "no.such", ".relative", "1"])
def test_words_of_no_package_are_refused(home):
    """The refusal says what to write."""
    with pytest.raises(BadCatalog, match="__package__ would do"):
        words_of(home)


def test_a_game_has_words():
    """Those in its folder, and what all say."""
    game = find_game("dust")
    assert words_of("rollwright.games.dust") is game.words
    assert "3 ist zu niedrig" == game.words.say(["field.low", {"came": 3}], "de")


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ('{"a": "b",}', "xx/words/en.json: this is no JSON: "),
        ("[]", 'xx/words/en.json: this is no catalog; {"id": "text"} would do'),
        ('{"a": 3}', 'xx/words/en.json: a: 3 is no text; "text" would do'),
        ('{"a": "\\ud800"}', "xx/words/en.json: 'a': it holds half a character"),
        ('{"a": "x", "a": "y"}', "xx/words/en.json: a: it is there twice; each id once would do"),
        ('{"@a": "a note"}', "xx/words/en.json: @a: this is a note on nothing"),
        (
            '{"a": "x {n, plurl, other {}}"}',
            "xx/words/en.json: a: plurl is no way to choose, after 'x {n, ' and before "
            "'plurl, other {}}'; plural, selectordinal, select would do",
        ),
    ],
)
def test_a_bad_catalog_is_named(tmp_path, written, problem):
    """Which file, which message, where, and what would do."""
    folder = tmp_path / "xx" / "words"
    folder.mkdir(parents=True)
    (folder / "en.json").write_text(written, "utf-8")
    with pytest.raises(BadCatalog) as refused:
        Messages(Folder(folder)).say(["a"])
    assert str(refused.value).startswith(problem)


@pytest.mark.parametrize(
    ("slip", "problem"),
    [
        ('"b": "{n, plurl, other {}}"', "b: plurl is no way to choose"),
        ('"b": 7', "b: 7 is no text"),
        ('"b": "\\ud800"', "'b': it holds half a character"),
        ('"@c": "a note"', "@c: this is a note on nothing"),
        ('"c": "x", "c": "y"', "c: it is there twice"),
    ],
)
def test_a_slip_in_a_translation_costs_that_message_alone(tmp_path, slip, problem):
    """The rest is said in that language, the one in English; what checks words names it."""
    folder = tmp_path / "xx" / "words"
    folder.mkdir(parents=True)
    (folder / "en.json").write_text('{"a": "one", "b": "two"}', "utf-8")
    (folder / "de.json").write_text(f'{{"a": "eins", {slip}}}', "utf-8")
    words = Messages(Folder(folder))
    assert "eins" == words.say(["a"], "de")
    assert "two" == words.say(["b"], "de")
    compiled = words.compile("de")
    assert ["eins", "two"] == [compiled["a"], compiled["b"]]
    assert any(f"xx/words/de.json: {problem}" in line for line in problems_in(Folder(folder)))


def test_a_translation_that_is_no_json_is_named_and_english_is_said(tmp_path):
    """Of such a file nothing can be read; the game is there all the same."""
    (tmp_path / "en.json").write_text('{"a": "one"}', "utf-8")
    (tmp_path / "de.json").write_text('{"a": "eins",}', "utf-8")
    assert "one" == Messages(Folder(tmp_path)).say(["a"], "de")
    assert "de.json: this is no JSON" in " ".join(problems_in(Folder(tmp_path)))


def test_a_file_that_is_no_text_is_named(tmp_path):
    """Bytes that are no UTF-8."""
    (tmp_path / "en.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(BadCatalog, match=r"en\.json: this is no JSON"):
        Messages(Folder(tmp_path)).say(["a"])


ENGLISH = "{who} fires {n, plural, one {# round} other {# rounds}}"


@pytest.mark.parametrize(
    ("language", "text", "problems"),
    [
        ("de", "{who} schießt {n, plural, one {einmal} other {#-mal}}", []),
        ("de", "{who} schießt {n, plural, =1 {einmal} other {#-mal}}", []),
        ("de", "{who} schießt {n}-mal", []),
        ("ja", "{who} {n}", []),
        ("de", "{who} {n} {who, select, x {} other {}}", []),
        ("pl", "{who} {n, plural, one {#} few {#} many {#} other {#}}", []),
        ("de", None, ["fired: the message is missing"]),
        ("de", "{n}-mal", ["fired: {who} is missing"]),
        ("de", "{who} {n} {x}", ["fired: English has no {x} here"]),
        ("de", "{who} {n, plural, other {#}}", ["fired: n has no text for one (such as 1)"]),
        (
            "de",
            "{who} {n, plural, one {#} few {#} other {#}}",
            ["fired: n never is few in this language"],
        ),
        (
            "pl",
            "{who} {n, plural, one {#} few {#} other {#}}",
            ["fired: n has no text for many (such as 0)"],
        ),
        ("de", "{who {n}", ["fired: a value is a name, or a name and a comma"]),
    ],
)
def test_a_translation_that_does_not_fit_is_named(language, text, problems):
    """File and message of whatever is missing, too much, or in other forms than the language's."""
    there = {} if text is None else {"fired": text}
    catalogs = {
        "en": Catalog("en", {"fired": ENGLISH}, "guns/words/en.json"),
        language: Catalog(language, there, f"guns/words/{language}.json"),
    }
    found = problems_in(catalogs)
    assert len(problems) == len(found)
    for problem, line in zip(problems, found):
        assert line.startswith(f"guns/words/{language}.json: {problem}")


def test_the_gaps_of_the_little_game_are_found():
    """German has one message too few, and no plural rules are guessed for Klingon."""
    catalogs = {**words_of(GUNS).sources[0], "tlh": Catalog("tlh", {}, "tlh.json")}
    problems = problems_in({"en": catalogs["en"], "de": catalogs["de"]})
    assert ["guns/words/de.json: only.english: the message is missing"] == problems
    assert "tlh.json: nothing is known of the plurals of tlh" in problems_in(catalogs)


def test_a_pseudo_language_shows_what_is_translated():
    """Texts have accents and brackets; values and names that people typed stay as they are."""
    words = words_of(GUNS)
    message = words.msg("fired", who="Sarah", n=2, hits={"and": ["one", "no other"]})
    expected = "[Sarah fířéš 2 řóúñdš, [one áñd no other] óf thém wéll]"
    assert expected == words.say(message, PSEUDO)


@pytest.mark.parametrize("home", HOMES)
def test_every_text_shows_in_the_pseudo_language(home):
    """No text is without a sign of it, so that a test of a surface can look for letters alone."""
    words = words_of(home)
    for id in words.sources[0].get("en", ()):
        assert re.match(r"\[.*\]\Z", words.say([id], PSEUDO), re.S), id


def test_a_hint_on_grammar_may_be_left_out():
    """What English only selects by need not matter elsewhere; what it shows must be shown."""
    english = Catalog("en", {"a": "{article, select, an {an} other {a}} {kind}"}, "en.json")
    problems = [
        problems_in({"en": english, "de": Catalog("de", {"a": text}, "de.json")})
        for text in ("ein {kind}", "ein {article, select, other {}}")
    ]
    assert [[], ["de.json: a: {kind} is missing"]] == problems


def test_names_of_a_game_are_no_words_of_all():
    """A field called dice is raised by its own name, though all have a sentence `more.dice`."""
    assert frozenset() == words_of("rollwright").own == words_of("rollwright.games").own
    assert "jam" in words_of(GUNS).own
    assert "field.low" not in words_of(GUNS).own


def test_the_page_gets_no_sentence_that_only_a_server_says():
    """What a table refuses and what verify finds come as text; all that forms say is there."""
    sent = answer("describe", {"game": "dust", "language": "de"})["words"]
    assert {"field.high", "form.more", "title", "roll.opposing"} <= set(sent)
    assert [] == [id for id in sent if id.startswith(("verify.", "table.", "server.", "client."))]
    assert len(json.dumps(sent)) < 60_000


SHARED = {"die", "policy.best", "verdict.failure", "verdict.success"}
"""What a game may say in other words than we do; where it says nothing, ours are meant."""


def test_no_message_of_a_game_is_called_like_one_of_ours():
    """One that a language lacks in a game would be said in our words, which mean something else."""
    ours = words_of("rollwright").sources[0]["en"]
    for name in own_games():
        theirs = words_of(f"rollwright.games.{name}").sources[0]["en"]
        assert set(theirs) & set(ours) <= SHARED, name
