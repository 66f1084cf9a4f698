"""The twins, as they would be after an install."""

import sys

import pytest

from rollwright.kit import games
from tests.twins.packages import TWINS, install


@pytest.fixture(scope="package", autouse=True)
def site(tmp_path_factory):
    """The folder of the twins, from which everything here may import."""
    folder = install(tmp_path_factory.mktemp("twins") / "site")
    patch = pytest.MonkeyPatch()
    patch.syspath_prepend(str(folder))
    patch.setenv("PYTHONPATH", str(folder))
    yield folder
    patch.undo()
    for twin in TWINS.values():
        games._loaded.pop(twin, None)
        for module in [name for name in sys.modules if name.partition(".")[0] == twin]:
            del sys.modules[module]
