"""What a card gives, as the data that surfaces show: guarded, so that no card stops a roll.

Of each part there is one function that makes plain data of it, which `guard` calls: what does not
fit has the default in its place.
"""

from rollwright.guard import Text, failed_parts
from rollwright.kit.card.choices import (
    assigned,
    choice_shown,
    offer_shown,
    option_shown,
    puts_shown,
)
from rollwright.kit.card.endings import (
    effect_shown,
    effects_of,
    ending_shown,
    is_good,
    title_shown,
    told,
    told_shown,
)
from rollwright.kit.card.marks import (
    dice_named,
    marks_read,
    marks_shown,
    throw_shown,
    thrower_shown,
    throws_shown,
)
from rollwright.kit.card.pages import card_shown, policy_word, shared_shown, sheet_shown
from rollwright.kit.card.shapes import (
    ChoiceSaid,
    EndingSaid,
    MarksSaid,
    OptionSaid,
    ThrowSaid,
    VerdictSaid,
)
from rollwright.kit.card.texts import said_whole, say

__all__ = [
    "ChoiceSaid",
    "EndingSaid",
    "MarksSaid",
    "OptionSaid",
    "Text",
    "ThrowSaid",
    "VerdictSaid",
    "assigned",
    "card_shown",
    "choice_shown",
    "dice_named",
    "effect_shown",
    "effects_of",
    "ending_shown",
    "failed_parts",
    "is_good",
    "marks_read",
    "marks_shown",
    "offer_shown",
    "option_shown",
    "policy_word",
    "puts_shown",
    "said_whole",
    "say",
    "shared_shown",
    "sheet_shown",
    "throw_shown",
    "thrower_shown",
    "throws_shown",
    "title_shown",
    "told",
    "told_shown",
]
