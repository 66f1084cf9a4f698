"""The card of a game: what a surface needs to know to ask for its rolls, show, judge and tell them.

Everything is data (`parts`) or a pure function, and everything has a default (`defaults`). What
somebody wants to roll is in `drafts`, the controls by which they say it in `controls`. As data that
surfaces show: `marks`, `choices`, `endings`, `pages`, in the shapes of `shapes`.
"""

from rollwright.kit.card.defaults import Card, tone_of
from rollwright.kit.card.parts import (
    TONES,
    Assignment,
    Draft,
    Exploring,
    Lie,
    Lies,
    Look,
    Mark,
    Marks,
    Offer,
    Place,
    Price,
    RollCard,
    Starter,
    Text,
    Theme,
    Tone,
    Trial,
    Verdict,
)

__all__ = [
    "TONES",
    "Assignment",
    "Card",
    "Draft",
    "Exploring",
    "Lie",
    "Lies",
    "Look",
    "Mark",
    "Marks",
    "Offer",
    "Place",
    "Price",
    "RollCard",
    "Starter",
    "Text",
    "Theme",
    "Tone",
    "Trial",
    "Verdict",
    "tone_of",
]
