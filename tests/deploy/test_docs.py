"""What the page for hosts quotes is what lies in deploy/."""

import re

import pytest

from tests.deploy.proxies import DEPLOY

PAGE = DEPLOY.parent / "docs" / "table" / "deploying.md"
QUOTED = re.compile(r'^```\w+ title="deploy/([^"]+)"\n(.*?)^```$', re.M | re.S)


@pytest.mark.parametrize("name", sorted(file.name for file in DEPLOY.iterdir()))
def test_every_file_is_quoted_as_it_is(name):
    """Whole and word for word, so that one may copy it from the page."""
    quoted = dict(QUOTED.findall(PAGE.read_text("utf-8")))
    assert (DEPLOY / name).read_text("utf-8") == quoted.get(name)


def test_nothing_else_is_quoted():
    """Every quotation has its file, once."""
    names = [name for name, _ in QUOTED.findall(PAGE.read_text("utf-8"))]
    assert sorted(names) == sorted(file.name for file in DEPLOY.iterdir())
