"""Red earth and old woodcuts: dunes in rows."""

from rollwright.kit.card import Theme

_PATTERN = (
    "<svg width='220' height='84' fill='none' stroke='#000' stroke-width='1.4'><path d='M0 "
    "18q55-28 110 0t110 0M0 46q55-28 110 0t110 0M0 74q55-28 110 0t110 0'/></svg>"
)
THEME = Theme(
    felt="#7a3415",
    accent="#ffb866",
    dice="#3a2a22",
    day="#f6e2c8",
    day_accent="#8f3208",
    day_dice="#5a3a28",
    other_dice="#e2b079",
    line="#ffd9a0",
    pattern=_PATTERN,
    display="Alfa Slab One",
    numbers="Alfa Slab One",
    weight=400,
    round=4,
)
