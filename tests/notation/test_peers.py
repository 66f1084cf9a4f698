"""Every cell of the table of dialects is true: peers are played through, tools are translated."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

from rollwright import notation
from rollwright.notation import NotationError
from tests.notation import peers

PAGE = Path(__file__).parents[2] / "docs" / "dialects.md"
HEAD = "| written | here | d20 | dice | py-rolldice | Roll20 | Foundry |"
SAME, REFUSED = "=", "–"
MOST_CUT = Fraction(1, 20)

Odds = tuple[dict[Fraction, Fraction], Fraction] | None
"""The chance of every total, and what was cut off; None for a line that is refused."""


def table() -> list[dict[str, str]]:
    """The rows of the table, by column."""
    lines = PAGE.read_text("utf-8").partition(HEAD)[2].partition("\n\n")[0].splitlines()[2:]
    names = [name.strip() for name in HEAD.strip("|").split("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [dict(zip(names, row, strict=True)) for row in cells]


def ours(text: str) -> Odds:
    """The same of a line of ours, of its rolls together where it has several."""
    try:
        each = notation.odds_of_each(text)
    except NotationError:
        return None
    if len(each) > 1:
        return None  # nobody adds them up
    (dist,) = each
    found = {Fraction(int(total)) if total == int(total) else Fraction(total): dist.p(total)
             for total in dist.outcomes}  # fmt: skip
    return found, Fraction(dist.lost, dist.total)


def agree(one: Odds | Fraction, other: Odds) -> bool:
    """Whether two lines come to the same, up to what is cut off of either."""
    if one is None or other is None:
        return one is other
    if isinstance(one, Fraction):
        return one == sum(total * chance for total, chance in other[0].items())
    (left, lost), (right, cut) = one, other
    assert lost + cut < MOST_CUT
    totals = left.keys() | right.keys()
    return all(abs(left.get(n, 0) - right.get(n, 0)) <= lost + cut for n in totals)


def translated(tool: str, text: str) -> Odds:
    """What a dialect makes of a line."""
    try:
        return ours(notation.translate(text, tool).text)
    except NotationError:
        return None


def meant(row: dict[str, str], column: str) -> Odds | Fraction:
    """What a cell says: refused, as here, a line of ours, or the mean of what has none."""
    cell = row[column]
    if cell.startswith("mean "):
        return Fraction(cell.removeprefix("mean "))
    if cell == SAME:
        return meant(row, "here") if column != "here" else ours(row["written"].strip("`"))
    return None if cell == REFUSED else ours(cell.strip("`"))


ROWS = table()
BY_TEXT = [pytest.param(row, id=row["written"].strip("`")) for row in ROWS]


def test_the_table_is_there() -> None:
    """A page that lost its table would pass every test of its rows."""
    assert len(ROWS) > 50


@pytest.mark.parametrize("row", BY_TEXT)
def test_here_it_is_what_the_page_says(row: dict[str, str]) -> None:
    """Read or refused, as the first column has it; `=` is said by the line itself."""
    text = row["written"].strip("`")
    assert (row["here"] == REFUSED) == (ours(text) is None)
    assert agree(meant(row, "here"), ours(text))


@pytest.mark.parametrize("peer", peers.PEERS)
@pytest.mark.parametrize("row", BY_TEXT)
def test_peers_read_it_as_the_page_says(row: dict[str, str], peer: str) -> None:
    """Every sequence of faces is given to the peer: the chance of each total is the cell's."""
    assert agree(meant(row, peer), peers.odds(peer, row["written"].strip("`")))


@pytest.mark.parametrize("tool", ["Roll20", "Foundry"])
@pytest.mark.parametrize("row", BY_TEXT)
def test_dialects_read_it_as_the_page_says(row: dict[str, str], tool: str) -> None:
    """What the translation comes to is what the cell says."""
    text = row["written"].strip("`")
    assert agree(meant(row, tool), translated(tool.lower(), text))


def test_every_difference_is_explained() -> None:
    """Each line that somebody reads otherwise stands among the reasons below the table."""
    reasons = PAGE.read_text("utf-8").partition("### Why they differ")[2]
    differs = [
        row["written"]
        for row in ROWS
        if any(cell not in (SAME, REFUSED) for cell in list(row.values())[2:])
    ]
    assert [] == [text for text in differs if text not in reasons]


DONE_TO_DICE = (
    *("", "", "kh1", "kl1", "pl1", "ph1", "ro1", "ro<3", "mi2", "ma3", "k2", "k>1", "p1", "p<3"),
    *("ro2kh1", "mi2kl1", "kh1kh2", "pl1pl2", "kh2pl1", "ro4mi2ph1", "ra3", "rr1", "e3"),
)


def any_line(chance: random.Random) -> str:
    """A line of d20 with three dice at most, which are of four sides at most."""
    terms, left = [], 3
    while left and len(terms) < 3:
        count, sides = chance.randint(1, left), chance.randint(2, 4)
        left -= count
        terms.append(f"{count}d{sides}{chance.choice(DONE_TO_DICE)}")
        if chance.random() < 0.5:
            terms.append(str(chance.randint(1, 3)))
    text = terms[0]
    for term in terms[1:]:
        text += f" {chance.choice('+-*')} {term}"
    text = f"({text})" if chance.random() < 0.2 else text
    text += chance.choice(["", "", "", " / 2", " // 2", " > 4", " <= 3", " == 5", " != 2"])
    return text + chance.choice(["", "", " + 1", " [fire]"])


@pytest.mark.parametrize("seed", range(120))
def test_any_line_of_d20_comes_to_the_same_in_its_dialect(seed: int) -> None:
    """Lines that nobody chose: what d20 makes of them is what the translation comes to."""
    text = any_line(random.Random(seed))
    theirs = peers.odds("d20", text)
    assert theirs is not None
    if theirs[1] < MOST_CUT:
        assert agree(translated("avrae", text), theirs), notation.translate(text, "avrae").text
