"""Other tools' spellings: what they mean there, said in ours, with the reason."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import product

import d20
import pytest

from rollwright import notation
from rollwright.errors import UnknownName
from rollwright.exact import Dist
from rollwright.i18n.locale import use_locale
from rollwright.notation import NotationError
from rollwright.notation.dialects import DIALECTS, interpretations


@pytest.mark.parametrize(
    ("dialect", "text", "ours"),
    [
        ("roll20", "/roll 4d6r<2", "4d6rr<=2"),
        ("roll20", "10d10>8", "10d10>=8"),
        ("roll20", "10d10>8f1", "10d10>=8f1"),
        ("roll20", "4d6!5", "4d6!=5"),
        ("roll20", "5d6!!>4", "5d6!!>=4"),
        ("roll20", "4d6d1", "4d6dl1"),
        ("roll20", "4d6k3", "4d6kh3"),
        ("roll20", "2d20kh1 + @{str}", "2d20kh1 + @str"),
        ("roll20", "{4d6, 2d8}k1", "{4d6, 2d8}kh1"),
        ("roll20", "3d6s", "3d6sa"),
        ("foundry", "/r 4d6r<2", "4d6ro<2"),
        ("foundry", "10d10cs>=8", "10d10>=8"),
        ("foundry", "10d10cs>=8df1", "10d10>=8f=1"),
        ("foundry", "10d10cf1", "10d10=1"),
        ("foundry", "4d6x6", "4d6!=6"),
        ("foundry", "5d10xo10", "5d10xo=10"),
        ("foundry", "4d6k3", "4d6kh3"),
        ("avrae", "!r 4d6e6", "4d6!=6"),
        ("avrae", "4d6mi2", "4d6min2"),
        ("avrae", "1d20 + 5 >= 15", "{1d20 + 5}>= 15"),
        ("avrae", "10d10>=6", "{10d10}>=6"),
        ("avrae", "4d6ro<3kh3", "4d6ro<3kh3"),
        ("avrae", "4d6pl1", "4d6dl1"),
        ("avrae", "1d20adv + 5 [sword]", "1d20adv + 5 [sword]"),
        ("roll20", "(1d4)d6", "(1d4)d6"),
        ("foundry", "(1d4)d6", "(1d4)d6"),
        ("roll20", "{3d6}>3", "3d6>=3"),
        ("roll20", "{3d6+1}<3", "{3d6+1}<=3"),
        ("foundry", "10d10cs", "10d10=10"),
        ("foundry", "10d10cf", "10d10=1"),
        ("foundry", "4dFcs", "4dF=1"),
        ("avrae", "1d20!=1", "{1d20}<>1"),
        ("avrae", "1d20+5>10+3", "{1d20+5-(10+3)}>0"),
        ("avrae", "(1d20+5)>10+1d4", "{(1d20+5)-(10+1d4)}>0"),
        ("avrae", "1d6/2", "trunc(1d6/2)"),
        ("avrae", "1d6//2 # half", "1d6//2 # half"),
        ("avrae", "4d6kh1kh2", "4d6kh2"),
        ("avrae", "(1d20>10)+3", "({1d20}>10)+3"),
    ],
)
def test_each_tool_is_read_by_its_own_rules(dialect: str, text: str, ours: str) -> None:
    """The same letters mean different things in different tools."""
    assert ours == notation.translate(text, dialect).text


@pytest.mark.parametrize(
    "text",
    [
        "1d6/2", "1d4/3-1", "-1d6/4", "3d4kh1kh2", "1d6!=3", "1d6+2>1d4+1", "2d4==5",
        "3d4kh1kh2kh1", "3d4pl1pl2", "3d4pl1pl1", "3d4kh2pl1",
        "3d4k2", "3d4k>2", "3d4p1", "3d4p<3", "2d4!=5", "1d4!=1d4",
        "(1d6>3)+2", "1d4<2d4<2", "3d4pl1", "3d4ph2", "1d6//4", "2d4mi2", "3d4kl2", "1d4-1d6>=0",
    ],
)  # fmt: skip
def test_d20_comes_to_the_same_with_the_same_faces(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every face of every die is given to d20, as Avrae rolls it: its odds are ours."""
    sizes: list[int] = []
    monkeypatch.setattr(random, "randrange", lambda *ends: sizes.append(ends[-1]) or 0)
    d20.roll(text)
    weights: Counter[int] = Counter()
    for faces in product(*[range(size) for size in sizes]):
        coming = iter(faces)
        monkeypatch.setattr(random, "randrange", lambda *ends, coming=coming: next(coming))
        weights[d20.roll(text).total] += 1
    assert Dist(weights) == notation.odds(notation.translate(text, "avrae").text)


def test_every_change_has_a_reason() -> None:
    """A translation says what it changed and why."""
    (change,) = notation.translate("10d10>8", "roll20").changes
    assert (">8", ">=8") == (change.before, change.after)
    assert "includes the number itself" in str(change.why)


def test_what_is_the_same_is_not_changed() -> None:
    """Nothing is listed where nothing changed, and labels and comments are left alone."""
    text = "4d6kh3 + 1d8 [r<2] # d1"
    for dialect in ("roll20", "foundry", "avrae"):
        assert (text, (), ()) == notation.translate(text, dialect)


def test_faces_are_kept_by_name() -> None:
    """d20 reads `4d6k3` as keep the threes, and not the highest three."""
    assert "4d6k=3" == notation.translate("4d6k3", "avrae").text
    assert "4d6p<3" == notation.translate("4d6p<3", "avrae").text


@pytest.mark.parametrize(
    ("dialect", "text", "instead"),
    [
        ("avrae", "4d6kh3kl1", "4d6kh3&kl1"),
        ("avrae", "4d6k3kh1", "4d6k=3"),
        ("foundry", "{1d6, 1d8}cs", "{1d6, 1d8}>=1"),
    ],
)
def test_what_has_no_words_here_says_what_would_do(dialect: str, text: str, instead: str) -> None:
    """A union of ranks, and a highest face of what has no faces."""
    with pytest.raises(NotationError) as caught:
        notation.translate(text, dialect)
    assert ("untranslatable", instead) == (caught.value.code, caught.value.repair)


def test_nobody_pastes_a_book() -> None:
    """What is longer than any line of a chat is refused at once."""
    with pytest.raises(NotationError, match="at most 8,000"):
        notation.translate("1d6+" * 2_001 + "1", "roll20")


def test_unknown_dialects_are_guessed() -> None:
    """A slip in the name of a tool is met with the right one."""
    with pytest.raises(UnknownName, match="roll20"):
        notation.translate("1d6", "rol20")


@pytest.mark.parametrize(
    ("dialect", "text", "ours"),
    [
        ("roll20", "[[1d20+5]]", "1d20+5"),
        ("roll20", "/gmroll [[1d4]]d6", "(1d4)d6"),
        ("roll20", "/roll [[ 2d6 + [[1d4]] ]]", "2d6 + (1d4)"),
        ("roll20", "1d20+@{selected|str-mod}", "1d20+@selected.str_mod"),
        ("roll20", "@{dice}d6", "(@dice)d6"),
        ("roll20", "1d20+?{Bonus|2}", "1d20+@Bonus"),
        ("roll20", "?{How many dice?|3}d6", "(@How_many_dice)d6"),
        ("roll20", "1d20+?{Bonus|2}-?{Bonus|2}", "1d20+@Bonus-@Bonus"),
        ("roll20", "1d20 + ?{a b} + ?{a-b}", "1d20 + @a_b + @a_b_2"),
        ("roll20", "2d6 + floor(1d6/2)", "2d6 + floor(1d6/2)"),
        ("foundry", "/gmr 1d20+@abilities.str.mod", "1d20+@abilities.str.mod"),
        ("foundry", "[[/r 2d6x5]]", "2d6!=5"),
        ("roll20", "3d6k>4", "3d6kh>=4"),
        ("avrae", "1d20+5 vs 15", "1d20+5 vs 15 nat"),
        ("roll20", "1d20+?{Bonus} vs 15; 1d8", "1d20+@Bonus vs 15 nat; 1d8"),
        ("foundry", "1d20 vs 10 # 1d20 vs 3", "1d20 vs 10 nat # 1d20 vs 3"),
        ("foundry", "1d20 vs 10 auto", "1d20 vs 10 auto"),
        ("foundry", "3d6 vs 10", "3d6 vs 10"),
        ("yearzero", "1d20 vs 10", "1d20 vs 10"),
        ("foundry", "max(1d6, 1d8)", "max(1d6, 1d8)"),
        ("avrae", "(1d6, 1d8)kh1", "{1d6, 1d8}kh1"),
        ("yearzero", "6yz", "6d6=6"),
        ("yearzero", "!r 4b3s2g", "4d6=6[base] + 3d6=6[skill] + 2d6=6[gear]"),
        ("yearzero", "5db 3ds + 2db # by 3s", "5d6=6[base] + 3d6=6[skill] + 2d6=6[base] # by 3s"),
        ("yearzero", "4b2n", "4d6=6[base] - 2d6=6[negative]"),
        ("yearzero", "a c", "1d12t6t10 + 1d8t6"),
        ("yearzero", "!r A+D", "1d12t6t10 + 1d6t6"),
        ("yearzero", "d12 d10", "1d12t6t10 + 1d10t6t10"),
        ("yearzero", "d12+d10", "d12+d10"),
        ("yearzero", "b 3g", "1d10t6t10 + 3d6=6[gear]"),
        ("roll20", "/roll 1d20+5 to hit", "1d20+5 to hit"),
        ("wod", "6wod7", "6d10>=7f=1"),
        ("wod", "6wod", "6d10>=6f=1"),
        ("wod", "6wod8 + 1", "6d10>=8f=1 + 1"),
        ("cofd", "/roll 5cod", "5d10!=10>=8"),
        ("cofd", "5cod9 [5cod] + 2", "5d10!>=9>=8 [5cod] + 2"),
        ("cofd", "5cod8", "5d10!>=8>=8"),
        ("cofd", "0cod", "1d10=10f=1"),
    ],
)  # fmt: skip
def test_what_chats_know_is_known(dialect: str, text: str, ours: str) -> None:
    """Rolls within rolls, questions, variables, and the shorthands of systems."""
    assert ours == notation.translate(text, dialect).text


def test_a_specialty_counts_tens_twice() -> None:
    """At difficulty 7 a die is worth (1·−1 + 3·1 + 1·2)/10 successes, by hand."""
    ours = notation.translate("5wod7s", "wod").text
    assert 5 * Fraction(4, 10) == notation.odds(ours).mean


@pytest.mark.parametrize(("text", "again"), [("1cod", 10), ("1cod9", 9), ("1cod8", 8)])
def test_dice_that_are_thrown_again_count_again(text: str, again: int) -> None:
    """One success is a success that is not thrown again, or one that is and then fails, 7 in 10."""
    dist = notation.odds(notation.translate(text, "cofd").text)
    assert Fraction(7, 10) == dist.p(0)
    assert Fraction(again - 8, 10) + Fraction(11 - again, 10) * Fraction(7, 10) == dist.p(1)


def test_questions_are_variables() -> None:
    """With the number they begin with, and the list that one chooses from."""
    made = notation.translate("1d20+?{Size|Small,-1|Large,+2.5}+?{Luck}+?{Aim|4}", "roll20")
    size, luck, _ = made.queries
    assert (("Small", -1), ("Large", Fraction(5, 2))) == size.options
    assert ("Luck", None) == (luck.prompt, luck.default)
    assert {"Size": -1, "Aim": 4} == made.defaults
    assert "1d20+(-1)+@Luck+4" == made.fill(made.defaults)
    assert "1d20+@Size+(5/2)+@Aim" == made.fill({"Luck": Fraction(5, 2)})


@pytest.mark.parametrize(
    ("dialect", "text", "suggestions"),
    [
        ("roll20", "?{Roll|Plain,1d20|Advantage,2d20kh1}+2", ("1d20+2", "2d20kh1+2")),
        ("roll20", "%{Ann|attack}", ("1d20+5",)),
        ("cofd", "5codr", ("5d10ro<8!=10>=8",)),
        ("wod", "6wod11", ("6d10>=6f=1",)),
    ],
)
def test_what_cannot_be_known_here_is_refused(
    dialect: str, text: str, suggestions: tuple[str, ...]
) -> None:
    """Answers that are dice, buttons of a sheet, re-rolls of the first throw alone."""
    with pytest.raises(NotationError) as caught:
        notation.translate(text, dialect)
    assert ("untranslatable", suggestions) == (caught.value.code, caught.value.repairs)


def test_the_place_of_a_refused_shorthand_is_where_it_stands() -> None:
    """Behind labels too, in the text as it was written."""
    text = "1d6 [fire] + 5codr"
    with pytest.raises(NotationError) as caught:
        notation.translate(text, "cofd")
    assert "5codr" == caught.value.excerpt


@pytest.mark.parametrize("text", ["(" * 60 + "1d6" + ")" * 60, "{" * 3_000, "1d4" + "<1" * 60])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_nothing_goes_deeper_than_a_line_may(text: str, dialect: str) -> None:
    """Otherwise what stands inside would be gone through again for each bracket around it."""
    with pytest.raises(NotationError):
        notation.translate(text, dialect)


def test_lines_of_other_tools_are_known_by_what_they_mean_there() -> None:
    """The first tool for each reading; nothing where ours reads it, and nothing where none does."""
    assert (("roll20", "4d6rr<=2"), ("foundry", "4d6ro<2")) == interpretations("4d6r<2")
    assert (("roll20", "1d20+2"),) == interpretations("1d20+?{Bonus|2}")
    assert (("avrae", "{(1d20+5)}>10"),) == interpretations("(1d20+5)>10")
    assert (("yearzero", "6d6=6"),) == interpretations("6yz")
    assert (("roll20", "10d10>=8"), ("avrae", "{10d10}>8")) == interpretations("/r 10d10>8")
    assert () == interpretations("/r 4d6kh3") == interpretations("[[2d6]]")
    assert (
        ()
        == interpretations("4d6kh3")
        == interpretations("fish")
        == interpretations("1d6+" * 300 + "1")
    )


def test_reasons_are_told_in_the_language_of_whoever_reads() -> None:
    """A translation is told as every message is."""
    made = notation.translate("/r 4d6k3", "roll20")
    with use_locale("de"):
        assert [
            "4d6kh3",
            "/r → (nichts): ein Befehl des Chats",
            "k3 → kh3: k behält die höchsten",
        ] == str(made).splitlines()
