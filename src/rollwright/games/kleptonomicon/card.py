"""What surfaces need to know: forms and sheets, how a roll is read, judged and told."""

from __future__ import annotations

from rollwright.engine.transcript import Transcript
from rollwright.kit import Request
from rollwright.kit.card import Card
from rollwright.kit.controls import Text

from .casts import whose
from .story import tell


class KlepCard(Card):
    """The card of the Kleptonomicon."""

    def whose(self, request: Request, transcript: Transcript) -> str:
        return whose(request, transcript)

    def told(self, request: Request, transcript: Transcript) -> Text:
        return tell(request, transcript)
