"""The card of a game: everything an interface needs to ask for its rolls and to show them.

Everything is data (`parts`) or a pure function, and everything has a default (`defaults`). `drafts`
hold the roll that somebody is preparing, with `paths` into it. For each part of a card one
function, called by `guard`, makes the data that interfaces show: what does not fit is replaced by
the default. They are in `marks`, `choices`, `endings`, `pages`, their shapes in `shapes`.
"""

from rollwright.kit.card.defaults import Card, tone_of
from rollwright.kit.card.drafts import Asked, Person
from rollwright.kit.card.parts import (
    TONES,
    Assignment,
    Draft,
    Exploring,
    Ladder,
    Lie,
    Lies,
    Look,
    Mark,
    Marks,
    Member,
    Offer,
    Place,
    Price,
    RollCard,
    Rung,
    Starter,
    Sum,
    Text,
    Theme,
    Tone,
    Trial,
    Verdict,
)
from rollwright.kit.card.paths import reached

__all__ = [
    "TONES",
    "Asked",
    "Assignment",
    "Card",
    "Draft",
    "Exploring",
    "Ladder",
    "Lie",
    "Lies",
    "Look",
    "Mark",
    "Marks",
    "Member",
    "Offer",
    "Person",
    "Place",
    "Price",
    "RollCard",
    "Rung",
    "Starter",
    "Sum",
    "Text",
    "Theme",
    "Tone",
    "Trial",
    "Verdict",
    "reached",
    "tone_of",
]
