"""A night sky with its constellations."""

from rollwright.kit.card import Theme

_PATTERN = (
    "<svg width='200' height='200' fill='#000'><path d='M28 36l2 7 7 2-7 2-2 7-2-7-7-2 7-2zM138 "
    "110l3 10 10 3-10 3-3 10-3-10-10-3 10-3zM172 30l1 5 5 1-5 1-1 5-1-5-5-1 5-1zM64 164l1 5 5 1-5"
    " 1-1 5-1-5-5-1 5-1z'/><path d='M28 45l110 78 34-87M138 123l-74 47' fill='none' stroke='#000'"
    " opacity='0.5'/></svg>"
)
THEME = Theme(
    felt="#2c3b86",
    accent="#c9b6ff",
    dice="#e9e6ff",
    day="#e6e6fa",
    day_accent="#4a2fb0",
    day_dice="#3b3a94",
    other_dice="#7b5be0",
    line="#dcd6ff",
    pattern=_PATTERN,
    display="Marcellus",
    numbers="Marcellus",
    weight=400,
    round=10,
)
