"""What surfaces need to know: forms and sheets, how a roll is read, judged and told."""

from __future__ import annotations

from rollwright.engine.transcript import Transcript
from rollwright.kit import Request
from rollwright.kit.card import Card, Lie, Lies
from rollwright.kit.controls import Text

from .story import casts, tell


class TwilightCard(Card):
    """The card of Twilight: 2000."""

    def lies(self, request: Request, transcript: Transcript) -> Lies:
        """Beside the dice of a push some stay, and the others were taken up."""
        found: dict[tuple[int, int], Lie] = {}
        for cast in casts(transcript):
            if cast.throws[1:]:
                stay = cast.staying
                for place in range(len(cast.first.faces)):
                    found[cast.first.entry, place] = "kept" if place in stay else "again"
        return found

    def told(self, request: Request, transcript: Transcript) -> Text:
        return tell(request, transcript)
