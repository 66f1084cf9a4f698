"""The documentation site, for all tests that look at it."""

import pytest

from docs import website


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The site, built afresh."""
    folder = tmp_path_factory.mktemp("site") / "site"
    website.build(folder)
    return folder
