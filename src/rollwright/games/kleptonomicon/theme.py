"""Velvet, gold and black letters; locks and keys on the cloth."""

from rollwright.kit.card import Theme

_PATTERN = (
    "<svg width='112' height='112' fill='none' stroke='#000' stroke-width='1.5'><path d='M56 0l56"
    " 56-56 56L0 56z'/><path d='M56 12l44 44-44 44-44-44z' opacity='0.4'/><circle cx='56' cy='45'"
    " r='7'/><path d='M56 52v22M56 74h7M56 68h5'/><circle cx='0' cy='0' r='7'/><circle cx='112' "
    "cy='0' r='7'/><circle cx='0' cy='112' r='7'/><circle cx='112' cy='112' r='7'/></svg>"
)
THEME = Theme(
    felt="#561a4c",
    accent="#f3c552",
    dice="#9c1f45",
    day="#f3e3ea",
    day_accent="#8a2459",
    day_dice="#9c1f45",
    other_dice="#eab83f",
    line="#f1c866",
    pattern=_PATTERN,
    display="Grenze Gotisch",
    numbers="Grenze",
    label="Grenze",
    weight=650,
    round=14,
)
