"""Messages: small frozen values that say themselves in English and travel as JSON."""

import copy
import json
import pickle
from fractions import Fraction

import pytest

from rollwright.errors import BadField, BadMessage, CodedError, UnknownName
from rollwright.i18n.catalogs import Catalog, Messages, words_of
from rollwright.i18n.messages import Message, msg
from rollwright.jsonable import check_jsonable
from rollwright.kit import Value, any_of, die, field, percent, row_of, who, with_sign, word
from rollwright.kit.fields import fields_of


class Shot(Value):
    """A few fields to be refused."""

    rounds: int = field(3, help="rounds", low=1, high=30, rule="T2K R34")
    aim: bool = field(False, help="aimed")
    names: tuple[str, ...] = field((), help="names", most=2)
    limit: int | str | None = field(None, help="a limit")


def in_german(problem):
    """What a refusal says to somebody who reads German."""
    return words_of("rollwright").say(problem.wording, "de")


def test_a_message_travels_as_a_list():
    """An id and values that every parser holds alike; without values the id alone."""
    message = msg("hit", n=3, why=msg("aim"), names=["a", "b"], mean=Fraction(7, 2))
    plain = [
        "hit",
        {"n": 3, "why": ["aim"], "names": {"and": ["a", "b"]}, "mean": {"number": "7/2"}},
    ]
    assert plain == message.plain == json.loads(json.dumps(message.plain))
    check_jsonable(message.plain)
    assert ["aim"] == msg("aim").plain


def test_a_message_does_not_change():
    """It is compared by what it says, and can be a key."""
    message = msg("hit", n=3)
    with pytest.raises(AttributeError):
        message.id = "miss"
    assert {message} == {msg("hit", n=3)}
    assert message != msg("hit", n=4)
    assert message == pickle.loads(pickle.dumps(message))


def test_a_message_within_another_is_one_after_it_was_sent():
    """Copied or sent to another process, what is inside is neither a list nor at another home."""
    inside = msg("hit", n=3)
    message = msg("refusal", field="dc", problem=inside, all=[inside, "a"], sum=Fraction(7, 2))
    game = words_of("rollwright.games.dust").msg("hit", problem=message)
    for one in (message, game):
        for again in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
            assert (one, one.home, str(one)) == (again, again.home, str(again))


def test_values_say_how_they_are_written():
    """Each kind of value, in English."""
    texts = {"x": "{a}; {b}; {c}; {d}; {e}; {f}; {g}", "word.Hard": "hard", "die.ammo": "ammo die"}
    words = Messages({"en": Catalog("en", texts)}, *words_of("rollwright").sources)
    message = words.msg(
        "x",
        a=with_sign(-2),
        b=percent(Fraction(11, 16)),
        c=word("Hard"),
        d=who("@s3"),
        e=[die(6), die("ammo")],
        f=any_of([1, 2, 3]),
        g=row_of(["a", "b"]),
    )
    expected = "−2; 69 %; hard; Ann; d6 and ammo die; 1, 2 or 3; a, b"
    assert expected == words.say(message, who={"@s3": "Ann"}.get)


def test_a_message_without_a_text_says_its_id():
    """Telling something never fails for want of words."""
    assert "nobody.wrote.it" == str(msg("nobody.wrote.it", n=3))
    assert "said('x', n=1)" == str(Message("x", {"n": 1}, home="no.such.package"))


@pytest.mark.parametrize(
    "nonsense", [[], [3], ["x", 3], ["x", {}, {}], {}, {"a": 1, "b": 2}, {"loud": 3}, {"and": 3}]
)
def test_what_is_no_message_is_refused(nonsense):
    """A log may hold anything; the answer is an error of ours."""
    with pytest.raises(BadMessage):
        words_of("rollwright").say(nonsense)


def test_a_message_that_never_ends_is_refused():
    """Not by a traceback."""
    deep = ["refusal"]
    for _ in range(5000):
        deep = ["refusal", {"field": "x", "problem": deep}]
    with pytest.raises(BadMessage):
        words_of("rollwright").say(deep)


@pytest.mark.parametrize("number", ["many", "1/0", "--1", "1/x", "9" * 5000, "٣"])
def test_a_number_that_is_none_is_nothing(number):
    """What stands in a log as a number and is none does no harm."""
    assert words_of("rollwright").say({"percent": number}) in ("0 %", "100 %")
    assert words_of("rollwright").say({"number": number}) in ("0", "1")


@pytest.mark.parametrize(
    ("given", "english", "german"),
    [
        (
            {"rounds": 31},
            "rounds: 31 is too high (T2K R34); 1 to 30 would do",
            "rounds: 31 ist zu hoch (T2K R34); möglich: 1 bis 30",
        ),
        (
            {"rounds": -12345},
            "rounds: -12,345 is too low (T2K R34); 1 to 30 would do",
            "rounds: -12.345 ist zu niedrig (T2K R34); möglich: 1 bis 30",
        ),
        (
            {"rounds": "x"},
            "rounds: 'x' is not a whole number (T2K R34); 1 to 30 would do",
            "rounds: 'x' ist keine ganze Zahl (T2K R34); möglich: 1 bis 30",
        ),
        (
            {"aim": 1},
            "aim: 1 is neither true nor false; true or false would do",
            "aim: 1 ist weder wahr noch falsch; möglich: true oder false",
        ),
        (
            {"names": ["a", "b", "c"]},
            "names: 3 are more than 2; a list (at most 2 of: a text) would do",
            "names: 3 sind mehr als 2; möglich: eine Liste (höchstens 2, jeweils ein Text)",
        ),
        (
            {"rond": 3},
            "rond: there is no such field; did you mean 'rounds'?",
            "rond: dieses Feld gibt es nicht; ist 'rounds' gemeint?",
        ),
        (
            {"zzz": 3},
            "zzz: there is no such field; there are aim, limit, names, rounds",
            "zzz: dieses Feld gibt es nicht; es gibt aim, limit, names, rounds",
        ),
    ],
)
def test_a_refusal_is_said_in_both_languages(given, english, german):
    """The English is what it was before there were messages; the German says the same."""
    with pytest.raises(BadField) as refused:
        Shot.from_plain(given)
    assert (english, german) == (str(refused.value), in_german(refused.value))


def test_what_would_do_is_english_text_and_a_message():
    """Programs that print it go on as before; a surface says it in the reader's language."""
    about = fields_of(Shot)["limit"]
    assert "a whole number or a text" == about.would_do
    assert "eine ganze Zahl oder ein Text" == words_of("rollwright").say(about.fits, "de")


def test_a_game_refuses_in_words_of_its_own():
    """A message keeps the home of its text when a refusal holds it, however deep."""
    inner = Message("jam", {}, home="tests.i18n.guns")
    problem = BadField("weapon", inner, rule="T2K R32").inside("weapons")
    assert "weapons.weapon: the gun is jammed (T2K R32)" == str(problem)
    words = words_of("tests.i18n.guns")
    assert "weapons.weapon: die Waffe klemmt (T2K R32)" == words.say(problem.wording, "de")
    assert str(problem) == str(pickle.loads(pickle.dumps(problem)))


def test_names_and_refusals_carry_messages():
    """A name that nobody knows; a refusal made of a message; any other error is its text."""
    unknown = UnknownName("game", "dusk", ["dust", "edge20"])
    assert "there is no game 'dusk'; did you mean 'dust'?" == str(unknown)
    assert "das Spiel 'dusk' gibt es nicht; ist 'dust' gemeint?" == in_german(unknown)
    refusal = CodedError("bad_field", msg("field.missing.named", field="text"), "text")
    assert ("text is missing", "text fehlt") == (refusal.message, in_german(refusal))
    assert "as it is" == in_german(BadMessage("as it is"))
