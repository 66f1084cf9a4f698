"""The documentation site, for all tests that look at it."""

import pytest

from tests.docs.built import the_site


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The site, built afresh for this run."""
    return the_site(tmp_path_factory.getbasetemp())
