"""Other tools' spellings: what they mean there, said in ours, with the reason."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import d20
import pytest

from rollwright import notation
from rollwright.errors import UnknownName
from rollwright.exact import Dist
from rollwright.notation import NotationError


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
        ("avrae", "1d20!=1", "(1-{1d20}=1)"),
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
    assert "includes the number itself" in change.why


def test_what_is_the_same_is_not_changed() -> None:
    """Nothing is listed where nothing changed, and labels and comments are left alone."""
    text = "4d6kh3 + 1d8 [r<2] # d1"
    for dialect in ("roll20", "foundry", "avrae"):
        assert (text, ()) == notation.translate(text, dialect)


def test_what_cannot_be_said_is_refused() -> None:
    """d20 reads `4d6k3` as keep the threes: that is refused, and not guessed."""
    with pytest.raises(NotationError) as caught:
        notation.translate("4d6k3", "avrae")
    assert ("untranslatable", "4d6kh3") == (caught.value.code, caught.value.suggestion)


@pytest.mark.parametrize(
    ("dialect", "text", "instead"),
    [("avrae", "4d6kh3kl1", "4d6kh3"), ("foundry", "{1d6, 1d8}cs", "{1d6, 1d8}>=1")],
)
def test_what_has_no_words_here_says_what_would_do(dialect: str, text: str, instead: str) -> None:
    """A union of ranks, and a highest face of what has no faces."""
    with pytest.raises(NotationError) as caught:
        notation.translate(text, dialect)
    assert ("untranslatable", instead) == (caught.value.code, caught.value.suggestion)


def test_nobody_pastes_a_book() -> None:
    """What is longer than any line of a chat is refused at once."""
    with pytest.raises(NotationError, match="at most 8,000"):
        notation.translate("1d6+" * 2_001 + "1", "roll20")


def test_unknown_dialects_are_guessed() -> None:
    """A slip in the name of a tool is met with the right one."""
    with pytest.raises(UnknownName, match="roll20"):
        notation.translate("1d6", "rol20")
