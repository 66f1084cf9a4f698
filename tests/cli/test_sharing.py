"""A roll to show elsewhere, from the command line: drawn, told to paste, and checked again."""

import re

from tests.cli.running import rollwright

SKILL = ["twilight2000", "skill", "--attribute", "B", "--skill", "C", "--faces", "3,7"]
LINK = re.compile(r"roll:[\w-]+")


def test_a_roll_is_drawn(tmp_path):
    """The picture is written beside the words, as SVG and as PNG."""
    for suffix, first in ((".svg", b"<svg"), (".png", b"\x89PNG")):
        file = tmp_path / f"roll{suffix}"
        done = rollwright("roll", *SKILL, "--choose", "keep", "--picture", str(file))
        assert (0, True) == (done.code, f"Drawn to {file}" in done.err)
        assert file.read_bytes().startswith(first)


def test_what_is_shared_verifies():
    """The text that is pasted has the odds and a link, and `verify` reads the link."""
    done = rollwright("roll", *SKILL, "--choose", "keep", "--share")
    assert "68.8 % if you never push" in done.out
    link = LINK.search(done.out)[0]
    checked = rollwright("verify", link)
    assert 0 == checked.code
    assert "not proven" in checked.out.replace("\n", " ")
    forged = rollwright("verify", link[:-8])
    assert (2, True) == (forged.code, "no link to a roll" in forged.err.replace("\n", " "))


def test_what_cannot_be_drawn_is_refused_before_the_throw():
    """A name of another kind, and words where a program listens."""
    assert ".svg or .png would do" in rollwright("roll", "2d6", "--picture", "x.gif").err
    assert "--json for programs" in rollwright("roll", "2d6", "--share", "--json").err
