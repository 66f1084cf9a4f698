"""Rolls as pictures: dice as they lie, the verdict, the odds, in the look of the game."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rollwright as rw
from rollwright import queries
from rollwright.pictures.dice import BULLET, MARKS, PIPS, SIGNS, DieDrawing, draw_die
from rollwright.pictures.files import CannotDraw
from rollwright.pictures.rolls import RollDrawing, ThrowDrawing, render_svg, render_text
from rollwright.pictures.themes import contrast, theme_to_json

ROOT = Path(__file__).parents[2]
STORED = sorted((ROOT / "tests" / "games").glob("*/transcripts/*.json"))
SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}


def words_in(svg: str) -> str:
    """All that is written in a picture, which is well-formed."""
    return " ".join("".join(part.itertext()) for part in ElementTree.fromstring(svg).iter())


@pytest.mark.long
@pytest.mark.parametrize("path", STORED, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_every_stored_roll_has_a_picture_a_text_and_a_link(path: Path) -> None:
    """Of every game, done or open: well-formed, with what happened, and true when it is read."""
    transcript = rw.verify(path.read_text("utf-8"))
    made = rw.share(transcript, "Ana")
    assert ElementTree.fromstring(made.svg).tag.endswith("svg")
    assert made.text.startswith("Ana: ")
    found = queries.answer("verify", {"link": made.link})
    assert (True, "done" if transcript.is_done else "open") == (found["true"], found["state"])


def test_dice_lie_as_they_lie() -> None:
    """Of a push: the die taken up is dim, the kept one is not, and each bears its mark."""
    pushed = queries.answer("roll", {"request": SKILL, "faces": [3, 7]})["transcript"]
    pushed = queries.answer("roll", {"transcript": pushed, "option": "push", "faces": [6]})
    svg = queries.answer("share", {"transcript": pushed["transcript"]})["svg"]
    dice = re.findall(r'<g transform="translate[^>]*>', svg)
    assert 1 == sum('opacity="0.38"' in die for die in dice)
    assert ("Success" in words_in(svg), "pushed" in words_in(svg)) == (True, True)


def test_what_does_not_count_in_dice_alone_is_struck() -> None:
    """The lowest of four is dropped: one die is dim and struck, three are not (counted by hand)."""
    made = rw.share(rw.roll("4d6kh3", faces=[6, 1, 3, 5]))
    assert 1 == made.svg.count('class="struck"')
    assert "14" in made.text
    exploded = rw.share(rw.roll("2d6!", faces=[6, 2, 3]))
    assert 0 == exploded.svg.count('class="struck"')


def test_odds_stand_with_the_play_they_hold_under() -> None:
    """11/16 for a 6 with D8 and D10 without a push (by hand: 1 - 5/8 · 5/10); a push adds to it."""
    rolled = rw.roll(SKILL, faces=[3, 7], policy="never")
    assert "68.8 % if you never push" in rw.share(rolled).text
    other = queries.answer("share", {"transcript": rolled.to_plain(), "policy": "if-failed"})
    assert "86.9 % with a push of a failure" in other["odds"]
    assert 0.68 < other["chance"] < 1


def test_a_language_is_spoken_throughout() -> None:
    """The same roll in German: sentence, odds and what can be checked."""
    rolled = rw.roll(SKILL, faces=[3, 7], policy="never").to_plain()
    text = queries.answer("share", {"transcript": rolled, "language": "de"})["text"]
    assert ("Chancen davor" in text, "The odds" in text) == (True, False)


def test_the_look_is_the_game_s_and_can_be_read() -> None:
    """A game's felt is in the picture, by day and by night; words on it keep 4.5 to 1."""
    from rollwright.kit.games import find_game

    svg = rw.share(rw.roll(SKILL, faces=[3, 7], policy="never")).svg
    look = theme_to_json(find_game("twilight2000").card.theme)
    for light in ("light", "dark"):
        assert look[light]["felt"] in svg
        assert contrast(look[light]["on-felt"], look[light]["felt"]) >= 4.5
    assert "prefers-color-scheme: dark" in svg


def test_what_people_write_stays_text() -> None:
    """Markup in a name, a title or a face is shown and never becomes part of the picture."""
    nasty = '<script>alert("1")</script>\x00'
    die = DieDrawing("card", nasty, symbols=(nasty,), name=nasty)
    shown = RollDrawing(nasty, nasty, (ThrowDrawing((die,), nasty),), nasty, nasty, detail=(nasty,))
    for part in ElementTree.fromstring(render_svg(shown)).iter():
        assert not part.tag.endswith("script")


def test_many_dice_are_a_bounded_picture() -> None:
    """Of a thousand dice sixty are drawn and the others are counted; the link is left out."""
    made = rw.share(rw.roll("1000d6", seed="many"))
    assert 60 == made.svg.count('class="die edge"')
    assert "940 more dice" in words_in(made.svg)
    assert "" == rw.share(rw.roll("20000d1000", seed="many")).link


def test_a_picture_is_saved_as_what_its_name_says(tmp_path: Path) -> None:
    """SVG and PNG; anything else is refused with what would do."""
    made = rw.share(rw.roll("2d6", faces=[3, 4]))
    made.save(str(tmp_path / "roll.svg"))
    made.save(str(tmp_path / "roll.png"))
    assert (tmp_path / "roll.svg").read_text("utf-8") == made.svg
    assert (tmp_path / "roll.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(CannotDraw, match=r"\.svg and \.png would do"):
        made.save(str(tmp_path / "roll.gif"))


def test_an_own_rule_has_a_picture_and_no_link() -> None:
    """Nobody else could replay a rule that only its author has."""
    from rollwright.demo import push_roll

    made = rw.share(rw.roll(push_roll(rw.Pool([rw.D8, rw.D12])), faces=[3, 7]))
    assert ("", True) == (made.link, made.svg.startswith("<svg"))


def test_marks_are_the_page_s() -> None:
    """The signs on dice are the same drawings as on the page, and so are the pips."""
    page = (ROOT / "web" / "src" / "dice" / "marks.ts").read_text("utf-8")
    for mark in ("won", "lost", "plus", "minus"):
        assert f'"{MARKS[mark].line}"' in page
    assert (MARKS["crown"].area in page, BULLET in page) == (True, True)
    for sign, name in SIGNS.items():
        assert f'"{sign}": "{name}"' in page
    written = re.sub(r"\s+|,(?=\s*\])", "", page)
    for face, pips in PIPS.items():
        assert f"{face}:[{','.join(f'[{x},{y}]' for x, y in pips)}]" in written


def test_a_game_s_own_sign_is_drawn() -> None:
    """An icon of the game is put in as it is; a sign that nobody knows is written."""
    icon = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><circle r="4"/></svg>'
    die = DieDrawing("d6", "3", symbols=("eye", "☂"), alone=True)
    drawn = draw_die(die, 0, 0, 60, {"eye": icon})
    assert (icon in drawn, "☂" in drawn) == (True, True)


def test_the_text_alone_says_it() -> None:
    """Lines that are empty are left out, and the link stands last."""
    shown = RollDrawing("2d6", "2d6 [3 4] = 7", verdict="7", proof="Check it:")
    assert "2d6\n7\n2d6 [3 4] = 7\nCheck it: roll:x" == render_text(shown, "roll:x")
