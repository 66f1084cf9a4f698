"""Live rolls: as likely as the odds say, and the same on every way to them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pickle import dumps, loads
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollwright as rw
from rollwright import notation
from rollwright.engine.sources import SeededSource, TypedSource
from rollwright.errors import BadAnswer
from rollwright.notation import NotationError
from rollwright.notation.breakdowns import Breakdown, format_dice, format_totals
from rollwright.notation.dice import SYSTEM, DieKind, SourceThrower, SystemThrower
from rollwright.notation.programs import CompiledExpression
from tests.notation.oracles import chi_square
from tests.notation.test_odds import CONSTRUCTS

# The 99.99 % quantile of chi-square by degrees of freedom, from its cube-root approximation.
UNLIKELY = 3.72


def limit(freedom: int) -> float:
    """The statistic that is exceeded once in ten thousand."""
    share = 2 / (9 * freedom)
    return float(freedom * (1 - share + UNLIKELY * share**0.5) ** 3)


@pytest.mark.parametrize(
    "text",
    ["2d6+1", "4d6kh3", "10d10>=6", "10d10>=8f=1", "3d4!", "2d4!!kh1", "3d4!pkh2", "4d6ro<3",
     "3d6rr=2", "{2d6, 1d12}kh1", "(1d4)d6", "1d20+5 vs 15", "4dF", "2d{1,1,2}", "3d300kh1//30"],
)  # fmt: skip
def test_live_rolls_are_as_likely_as_the_odds_say(text: str) -> None:
    """Chi-square of 4,000 rolls under a fixed seed stays where it belongs."""
    source = SeededSource("live rolls")
    seen = Counter(notation.roll(text, source=source).value for _ in range(4_000))
    statistic, freedom = chi_square(dict(seen), notation.odds(text))
    assert statistic < limit(freedom)


@pytest.mark.parametrize("sides", [2, 6, 20, 100, 255, 256, 1_000])
def test_the_systems_entropy_makes_fair_dice(sides: int) -> None:
    """Every face comes up as often as the others, as far as chance would not be in 10^14 runs."""
    thrower = SystemThrower()
    kind = DieKind(sides)
    throws = 20 * sides + 2_000
    seen = Counter(thrower.faces(kind, throws))
    assert set(seen) <= set(range(1, sides + 1))
    expected = throws / sides
    statistic = sum((seen[face] - expected) ** 2 / expected for face in range(1, sides + 1))
    freedom = sides - 1
    share = 2 / (9 * freedom)
    assert statistic < freedom * (1 - share + 8 * share**0.5) ** 3


@pytest.mark.parametrize("text", [*CONSTRUCTS, "2d4rr<3", "100d6", "7", "2d20kh1+1d8+7"])
def test_quick_rolls_and_transcripts_agree_face_by_face(text: str) -> None:
    """With one seed, the quick way, the rule of the engine and the story throw the same faces."""
    for seed in range(5):
        quick = notation.roll(text, source=SeededSource(seed))
        transcript = rw.roll(notation.as_rule(text), seed=seed)
        assert [faces for _, faces in transcript.throws] == [tuple(f) for f in quick.throws]
        assert transcript.outcome == quick.value
        told = tuple(one.value for one in quick.rolls)
        assert (told[0] if len(told) == 1 else told) == quick.value


SHORT = st.lists(
    st.one_of(
        st.integers(0, 1_200).map(str),
        st.builds(
            "{}d{}{}{}".format,
            st.sampled_from(["", "1", "2", "13", "0", "01"]),
            st.sampled_from(["6", "20", "255", "256", "0", "4 ", "x"]),
            st.sampled_from(["", "kh", "kl", ">=", "kh2>="]),
            st.sampled_from(["", "0", "1", "3", "40", "07"]),
        ),
        st.sampled_from(["", " ", "2*3", "d", "²", "@a"]),
    ),
    min_size=1,
    max_size=4,
).map(" + ".join)


@given(SHORT, st.integers(0, 100))
def test_dice_thrown_at_once_are_those_that_are_asked_for_one_by_one(text: str, seed: int) -> None:
    """Where every throw is known beforehand, nothing is asked for, and the same dice are thrown."""
    try:
        line = CompiledExpression(text)
    except NotationError:
        return
    thrower, asking = SourceThrower(SeededSource(seed)), line.request_throws()
    hands = []
    try:
        kind, count = next(asking)
        while True:
            kind, count = asking.send(thrower.faces(kind, count))
    except StopIteration as stop:
        hands = stop.value
    assert hands == line.throw(SourceThrower(SeededSource(seed)))


@pytest.mark.parametrize("text", CONSTRUCTS)
def test_a_quick_roll_is_a_transcript_like_every_other(text: str) -> None:
    """It equals what the engine plays with the same seed, and is stored, replayed and told so."""
    quick, played = rw.roll(text, seed=3), rw.roll(notation.as_rule(text), seed=3)
    assert played == quick
    assert hash(played) == hash(quick)
    assert (played.outcome, played.is_done) == (quick.outcome, quick.is_done)
    assert played.to_json() == quick.to_json()
    assert str(played) == str(quick) == str(notation.result(quick))
    assert played.throws == quick.throws
    assert quick == rw.verify(quick) == rw.verify(quick.to_json()) == loads(dumps(quick))
    assert repr(played) == repr(quick)
    if quick.entries:
        assert not quick.back().is_done


def listing(told: Breakdown[Any]) -> list[tuple[int, str]]:
    """The dice of everything that was thrown, each with where its term ends."""
    inside = [one for part in told.parts for one in listing(part)]
    return [*inside, (told.span[1], format_dice(told.shown))] if told.shown else inside


@pytest.mark.parametrize("text", CONSTRUCTS)
def test_a_line_is_said_as_it_is_told(text: str) -> None:
    """The text of a roll is the line with the dice of everything that was told behind its term."""
    for seed in range(5):
        rolled = notation.roll(text, source=SeededSource(seed))
        said = []
        for told in rolled.rolls:
            start, end = told.span
            pieces = []
            for place, listed in sorted(listing(told), key=lambda one: one[0]):
                pieces += [rolled.text[start:place], " ", listed]
                start = place
            by_label = format_totals(told)
            line = f"{''.join(pieces)}{rolled.text[start:end]} = {told.value}"
            said.append(f"{line} ({by_label})" if by_label else line)
        assert str(rolled).startswith("; ".join(said))


def test_faces_of_real_dice_are_asked_for_in_turn() -> None:
    """An explosion is a throw of its own, asked for when the die has exploded."""
    transcript = rw.Transcript(notation.as_rule("2d6!"))
    assert "2D6" == repr(transcript.step.pool)
    transcript = transcript.throw([6, 3], "typed")
    assert "D6" == repr(transcript.step.pool)
    assert 12 == transcript.throw([3], "typed").outcome


def test_faces_that_cannot_be_or_are_left_over_are_refused() -> None:
    """Typed faces are checked on the quick way as everywhere else."""
    for faces in ([7], [1, 2]):
        with pytest.raises(BadAnswer):
            notation.roll("1d6", source=TypedSource(faces))


@pytest.mark.long
def test_a_flat_sum_of_five_thousand_terms_is_rolled() -> None:
    """Thousands of terms are one long line, not a deep one."""
    text = "+".join(["1d6"] * 5_000)
    assert 5_000 <= notation.roll(text).value <= 30_000
    assert 5_000 <= rw.roll(text, seed=1).outcome <= 30_000


def test_a_forked_process_shows_other_faces() -> None:
    """What lies ready in the thrower is forgotten in a child process."""
    SYSTEM.faces(DieKind(6), 1)
    assert SYSTEM._ready
    SYSTEM.forget()
    assert not SYSTEM._ready


def test_a_line_is_compiled_once() -> None:
    """The same text is known again, with the same variables."""
    assert notation.roll("3d6+1").program is notation.roll("3d6+1").program
    one = notation.roll("1d6+@a", {"a": 1}).program
    assert one is notation.roll("1d6+@a", {"a": 1}).program
    assert one is not notation.roll("1d6+@a", {"a": 2}).program


def test_only_so_many_lines_are_remembered() -> None:
    """The cache is bounded: old lines make room for new ones."""
    from rollwright.notation.programs import MOST_KNOWN, _known

    for number in range(MOST_KNOWN + 50):
        notation.roll(f"1d6+{number}")
    assert len(_known) <= MOST_KNOWN


def _without_places(node: object) -> object:
    """A tree with nothing but what is meant."""
    if not isinstance(node, tuple):
        return node
    kept = node[1:] if hasattr(node, "span") else node
    return (type(node).__name__, *[_without_places(one) for one in kept])


@pytest.mark.parametrize(
    "lines",
    [
        ("4d6", "4 d6", "4d 6", "4D6", "4W6"),
        ("2d20kh1+1d8-1d4", "2 d 20 kh 1 + 1 d 8 - 1 d 4"),
        ("(1d4,2d6)kh1", "(1 d4, 2 d6) kh1"),
        ("00004d00006", "4d6"),
    ],
)
def test_dice_mean_the_same_in_one_word_and_in_several(lines: tuple[str, ...]) -> None:
    """`4d6` is one token where a part begins, and three with spaces; the tree is the same."""
    trees = [[_without_places(one) for one in notation.parse(line).rolls] for line in lines]
    assert all(tree == trees[0] for tree in trees)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("4d6kh3d6", "ambiguous-drop"), ("3d6>4d6", "ambiguous-comparison"),
        ("3d6>-2d6", "ambiguous-comparison"), ("4d6x3d6", "ambiguous-explosion"),
        ("4d6d1", "ambiguous-drop"), ("1d6.5", "bad-sides"), ("dd66d6", "ambiguous-drop"),
    ],
)  # fmt: skip
def test_a_number_belongs_to_the_word_before_it(text: str, code: str) -> None:
    """Behind a modifier or a comparison a number is its own, and no count of dice."""
    with pytest.raises(notation.NotationError) as caught:
        notation.roll(text)
    assert code == caught.value.code


def test_what_is_kept_of_dice_does_not_depend_on_what_was_rolled_before() -> None:
    """What is done to dice is remembered by all that is said; a whole fraction is a number."""
    for amount in (2, Fraction(2), 3, 2):
        rolled = notation.roll("4d6kh@n", {"n": amount}, source=TypedSource([6, 1, 3, 5]))
        assert (11 if amount == 2 else 14) == rolled.value
    assert 1 == notation.roll("4d6>=6", source=TypedSource([6, 1, 3, 5])).value
    assert 3 == notation.roll("4d6<=5", source=TypedSource([6, 1, 3, 5])).value


def test_lines_are_forgotten_by_how_long_they_are_together() -> None:
    """Long lines make room sooner than so many short ones would."""
    from rollwright.notation import programs

    for number in range(200):
        notation.roll("+".join(["1d6"] * 200) + f"+{number}")
    assert sum(len(one.text) for one in programs._known.values()) <= programs.MOST_SIGNS
    assert notation.roll("1d6+1").value in range(2, 8)
