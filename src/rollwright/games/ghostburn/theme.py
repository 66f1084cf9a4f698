"""A city at night: ink, neon and a grid."""

from rollwright.kit.card import Theme

_PATTERN = (
    "<svg width='60' height='60' fill='none' stroke='#000'><path d='M0 0.5h60M0.5 0v60' "
    "opacity='0.55'/><path d='M30 26v8M26 30h8' opacity='0.8'/></svg>"
)
THEME = Theme(
    felt="#16204a",
    accent="#ff5aab",
    dice="#101a44",
    day="#dfe6f6",
    day_accent="#a3135f",
    day_dice="#1c2a66",
    other_dice="#3a0f3a",
    edges="#35e6ff",
    line="#35e6ff",
    pattern=_PATTERN,
    display="Chakra Petch",
    numbers="Chakra Petch",
    label="Chakra Petch",
    weight=700,
    round=2,
)
