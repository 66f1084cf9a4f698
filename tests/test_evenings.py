"""Random evenings, a few under fixed seeds: `./dev evenings` plays many more."""

import pytest

from rollwright.table.verify.log import verify_log
from tests.evenings import played


@pytest.mark.parametrize("seed", [1000, 1006, 1011, 1365, 9012])
def test_every_copy_of_a_random_evening_is_true(seed: int) -> None:
    """Whoever did what, over whichever game."""
    evening = played(seed)
    assert [] == [str(one) for log in evening.copies() for one in verify_log(log).problems]
