"""The picture on the assistants' page is of what the tools answer."""

import asyncio

from rollwright.mcp import server
from tests.assistants.pictures import FOLDER, PICTURE, conversation, drawn

PAGE = (FOLDER.parents[1] / "howto" / "assistant.md").read_text("utf-8")
SKINS = 600


def test_the_picture_is_there_and_shows_what_is_answered():
    """11 of 16 succeed without a push, which is 68.8 %; the push has one success and one 1."""
    assert f"(../pictures/assistant/{PICTURE})" in PAGE
    assert (FOLDER / PICTURE).stat().st_size < 60_000
    told = [asked.told for asked in asyncio.run(conversation()) if asked.tool]
    for text, part in zip(
        told, ("68.8 %", "keep / push", "push: 68.8 %", "1 success"), strict=True
    ):
        assert part in text
    assert "68.8 % against 0 %" in PAGE


def test_the_picture_holds_nothing_that_is_new_each_time():
    """Ids and links are cut, so that it can be made anew and be the same."""
    asked = asyncio.run(conversation())
    page, rolls = drawn(asked), [one.data["roll"] for one in asked if "roll" in one.data]
    assert 2 == len(rolls)
    assert not any(roll in page for roll in rolls)


def test_the_skin_is_thin():
    """Under 600 lines for all of it."""
    folder = FOLDER.parents[2] / "src" / "rollwright" / "mcp"
    assert server.__file__.startswith(str(folder))
    lines = [len(path.read_text("utf-8").splitlines()) for path in folder.glob("*.py")]
    assert sum(lines) < SKINS
