"""The pictures of the webhooks' and the bridge's pages show runs as they are today."""

import pytest

from tests.server.sequences import FOLDER, PICTURES, picture

pytestmark = pytest.mark.storm


@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_is_of_a_run_of_today(name):
    """Run again, it is the same to the last sign; and the page shows it."""
    assert (FOLDER / name).read_text("utf-8") == picture(name)
    page = FOLDER.parent / "howto" / f"{name.removesuffix('.svg')}.md"
    assert f"](../pictures/{name})" in page.read_text("utf-8")
