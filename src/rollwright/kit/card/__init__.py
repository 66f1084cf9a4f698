"""The card of a game: what a surface needs to know to ask for its rolls, show, judge and tell them.

Everything is data (`parts`) or a pure function, and everything has a default (`defaults`). What
somebody wants to roll is in `drafts`, with `paths` in it. What a card gives is made into the data
that surfaces show by one function for each part, which `guard` calls: what does not fit has the
default in its place. They are in `marks`, `choices`, `endings`, `pages`, their shapes in `shapes`.
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
