"""What an author writes a form with: what a draft asks, and the makers of controls."""

from rollwright.kit.card.controls import Choice, Control, act, fields_form, fresh, group, jump, note
from rollwright.kit.card.drafts import Asked, Person
from rollwright.kit.card.parts import Plain
from rollwright.kit.card.paths import reached
from rollwright.kit.words import Text, capital
from rollwright.plain import EMPTY

__all__ = [
    "EMPTY",
    "Asked",
    "Choice",
    "Control",
    "Person",
    "Plain",
    "Text",
    "act",
    "capital",
    "fields_form",
    "fresh",
    "group",
    "jump",
    "note",
    "reached",
]
