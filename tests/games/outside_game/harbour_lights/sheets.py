"""What rolls change: sheets of those who take part, and what everybody shares."""

from rollwright.kit import SHARED, Effect
from rollwright.kit.sheets import adds, applying, happening, mine

from .rolls import Duel

apply = applying(
    {"nerve": mine(adds("nerve", low=0, high=5)), "tired": mine(adds("tired", low=0, high=3))}
)


def effects(request, outcome):
    """HARBOUR R3 to R6."""
    if isinstance(request, Duel):
        loser = "" if outcome.margin < 0 else "opponent"
        return happening(Effect("nerve", -int(outcome.margin != 0), loser))
    return happening(
        Effect("light", outcome.ropes // 2 - outcome.light, SHARED),
        Effect("alarm", outcome.gulls, SHARED),
        Effect("tired", int(request.helped), "helper"),
    )
