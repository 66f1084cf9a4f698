"""Sweeps in Python, and pictures that keep to themselves in somebody's page."""

import re
from fractions import Fraction

import pytest

import rollwright as rw
from rollwright.dice import D6
from rollwright.errors import Misuse
from rollwright.pictures import Figure, picture_comparison
from rollwright.rules import explode


def test_a_sweep_counts_for_every_value():
    """Each cell is what odds give for it."""
    found = rw.sweep(lambda dice: dice * D6, dice=range(1, 5))
    assert [Fraction(7, 2) * n for n in range(1, 5)] == [found[n] for n in range(1, 5)]
    found = rw.sweep(lambda dice: dice * D6, where=lambda total: total >= 10, dice=[2, 3])
    assert Fraction(1, 6) == found[2]
    spread = rw.sweep(lambda dice: dice * D6, measure=lambda dist: dist.variance, dice=[2])
    assert Fraction(35, 6) == spread[2]


def test_two_things_are_a_map():
    """By both values, in the order in which they were named."""
    found = rw.sweep(
        lambda dice, target: 0 + dice * D6 >= target, where=True, dice=[1, 2], target=[6, 7]
    )
    assert (Fraction(1, 6), Fraction(7, 12)) == (found[1, 6], found[2, 7])
    assert "58.3 %" in repr(found)


def test_a_loss_is_told():
    """The largest share that a bound cut off, in numbers, in words and in the picture."""
    found = rw.sweep(lambda dice: explode(dice * D6, bound=1), where=6, dice=[1, 2])
    assert 1 - (1 - Fraction(1, 36)) ** 2 == found.lost
    assert "bound" in repr(found)
    assert "bound" in found._repr_html_()


def test_an_event_may_be_typed_with_what_is_moved():
    """As with `--where ">= @tn"`: the target, the roll, or both; 11 of 20 faces make 15 with 5."""
    targets = rw.sweep("d20 + 5", where=">= @tn", tn=[10, 15, 20])
    assert [Fraction(n, 20) for n in (16, 11, 6)] == [targets[tn] for tn in (10, 15, 20)]
    both = rw.sweep("d20 + @bonus", where=">= @tn", bonus=[0, 5], tn=[15])
    assert (Fraction(6, 20), Fraction(11, 20)) == (both[0, 15], both[5, 15])
    dice = rw.sweep(lambda dice: dice * D6, where="total >= @tn", dice=[1, 2], tn=[6])
    assert (Fraction(1, 6), Fraction(26, 36)) == (dice[1, 6], dice[2, 6])
    same = rw.sweep(lambda n: n * D6 >= 6, where="= yes", n=[1])
    assert Fraction(1, 6) == same[1]


def test_an_event_of_a_game_may_be_typed():
    """A D12 shows two successes on 10 to 12: `need` is in the event, `modifier` in the roll."""
    skill = {"game": "twilight2000", "roll": "skill", "attribute": "A"}
    found = rw.sweep(skill, policy="never", where="successes >= @need", need=[1, 2], modifier=[0])
    assert (Fraction(7, 12), Fraction(3, 12)) == (found[1, 0], found[2, 0])


def test_a_sweep_is_drawn(tmp_path):
    """Alone in a notebook, and as a file."""
    found = rw.sweep(lambda dice: dice * D6, dice=[1, 2, 3])
    assert "<svg" in found._repr_html_()
    found.save(str(tmp_path / "sums.svg"))
    assert (tmp_path / "sums.svg").read_text("utf-8").startswith("<svg")
    figure = Figure(picture_comparison({"one": rw.odds(D6), "two": rw.odds(2 * D6)}))
    figure.save(str(tmp_path / "both.html"))
    assert "<svg" in figure._repr_html_()


@pytest.mark.parametrize(
    "slip",
    [
        lambda: rw.sweep(lambda: D6),
        lambda: rw.sweep(lambda a, b, c: D6, a=[1], b=[1], c=[1]),
        lambda: rw.sweep(lambda n: D6, n=[]),
        lambda: rw.sweep(lambda n: D6, n=range(100_000)),
        lambda: rw.sweep(lambda n: D6, where=6, measure=len, n=[1]),
        lambda: rw.sweep(lambda n: D6, n=[1])[2],
        lambda: rw.sweep("d20 + @bonus", where=">= @tn", bonus=[1]),
        lambda: rw.sweep("d20", where=">= 10", tn=[1]),
    ],
)
def test_slips_are_refused(slip):
    """Nothing to move, too much of it, two questions at once, a value that was not there."""
    with pytest.raises(Misuse):
        slip()


@pytest.mark.parametrize("shown", [rw.odds(2 * D6), rw.sweep(lambda n: n * D6, n=[1, 2])])
def test_a_picture_does_not_restyle_the_page_around_it(shown):
    """Every rule of its style is for its own class alone."""
    page = shown._repr_html_()
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert styles
    for style in styles:
        bare = re.sub(r"@media[^{]*\{", "", style)
        selectors = [found.strip() for found in re.findall(r"([^{}]+)\{", bare)]
        assert selectors
        assert all(one.startswith(".rollwright-picture ") for one in selectors)
    assert 'class="rollwright-picture"' in page
