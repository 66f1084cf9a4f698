"""House rules of The Kleptonomicon: what is none is refused."""

import pytest

from rollwright.errors import BadField
from rollwright.games.kleptonomicon import House


def test_an_unknown_setting_is_refused():
    """The refusal names the switch, its rule and the settings there are."""
    with pytest.raises(BadField, match=r"coins.*KLEP R18.*each, one"):
        House(coins="two")
