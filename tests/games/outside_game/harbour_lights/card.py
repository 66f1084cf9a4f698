"""How it looks and reads."""

from rollwright.engine.transcript import ThrowEntry
from rollwright.errors import BadField
from rollwright.kit import words_of
from rollwright.kit.card import Card, Look, Mark, Offer, Price, RollCard, Starter, Theme, Verdict

from .rolls import BLANK, DEED, PERIL, Duel, shown, stars

said = words_of(__package__).msg
TONES = {"star": "good", "rope": "good", "wave": "bad", "gull": "bad"}


def drawn(path: str) -> str:
    """A sign as a picture."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="{path}"/></svg>'


def mark(face: str) -> Mark:
    """All signs of a face, in place of a number."""
    signs = () if face == "blank" else tuple(face.split("+"))
    tone = TONES[signs[0]] if signs else "even"
    return Mark(tone, signs, alone=True, said=said(f"face.{face.replace('+', '.')}"))


def placed(transcript):
    """Every face with its entry and its place in it."""
    thrown = enumerate(transcript.entries)
    faces = [(number, entry.faces) for number, entry in thrown if isinstance(entry, ThrowEntry)]
    return [((number, place), face) for number, all in faces for place, face in enumerate(all)]


class HarbourCard(Card):
    """The card of Harbour Lights."""

    rolls = {
        "run": RollCard(
            goal="through", policy="stubborn", policies=("calm", "stubborn"), roles=("helper",)
        ),
        "duel": RollCard(goal="win", policies=("calm", "stubborn"), roles=("opponent",)),
    }
    prices = {
        "light": Price("amount", said("price.light")),
        "gulls": Price("amount", said("price.alarm")),
    }
    dice = {
        "deed": Look(8, said("die.deed"), "light"),
        "peril": Look(6, said("die.peril"), "dark"),
    }
    theme = Theme(felt="#12343b", accent="#e1a340")
    icons = {
        "star": drawn("M12 2l3 7h7l-6 4 3 8-7-5-7 5 3-8-6-4h7z"),
        "rope": drawn(
            "M3 12a5 5 0 0 1 10 0h-3a2 2 0 1 0-4 0zm8 0a5 5 0 1 0 10 0h-3a2 2 0 1 1-4 0z"
        ),
        "wave": drawn("M1 15q5-9 11-2t11-2v5q-6 7-11 1t-11 3z"),
        "gull": drawn("M1 8q6-3 11 4 5-7 11-4-7 1-11 9-4-8-11-9z"),
    }
    starters = (Starter(said("starter.pilot"), {"name": "Mo", "skill": 3, "nerve": 3}),)

    def fill(self, asked):
        sheet = asked.whole_sheet
        request = asked.over(**({"skill": sheet.skill} if sheet else {})).filled()
        if isinstance(request, Duel):
            return request
        light = asked.shared.light
        if request.light > light:
            raise BadField("light", said("light.short", n=light), rule="HARBOUR R1")
        return request.but(left=light - request.light, helped=bool(asked.roles.get("helper")))

    def form(self, asked):
        skill = asked.field("skill", style="taps")
        if asked.roll == "duel":
            theirs = asked.field("theirs", style="taps")
            who = [asked.role("opponent", sets=self._dice_of)] if asked.people else []
            return [skill, *who, theirs]
        light = asked.shared.light
        why = said("light.left", n=light)
        burnt = asked.field("light", style="taps", high=min(light, 3), why=why)
        return [skill, asked.field("peril", style="taps"), burnt, *asked.who_plays()]

    def _dice_of(self, person):
        return {"set.theirs": person.sheet.skill if person.sheet else None}

    def marks(self, request):
        dice = [DEED] if isinstance(request, Duel) else [DEED, PERIL]
        return {die.name: {face: mark(face) for face in die.faces} for die in dice}

    def lies(self, request, transcript):
        if isinstance(request, Duel):
            return {place: "dropped" for place, face in placed(transcript) if not stars(face)}
        first = [place for place, face in placed(transcript) if place[0] == 0 and face == BLANK]
        thrown_again = len(transcript.throws) > 2
        return dict.fromkeys(first, "again") if thrown_again else {}

    def standing(self, request, transcript):
        return said("standing", n=self._stars(transcript))

    def offered(self, request, transcript, option):
        label = said(f"option.{option.replace(' ', '.')}")
        return Offer(label, said("leads.light") if option == "again" else "")

    def verdict(self, request, outcome):
        if isinstance(request, Duel):
            word = "verdict.draw" if not outcome.margin else "verdict.won"
            word = "verdict.lost" if outcome.margin < 0 else word
            tone = "bad" if outcome.margin < 0 else "good" if outcome.margin else "mixed"
            return Verdict(said(word), tone)
        through = outcome.stars > 0
        paid = (said("price.light", n=outcome.light),) if outcome.light else ()
        detail = (said("detail.stars", n=max(outcome.stars, 0)),)
        word = said("verdict.through" if through else "verdict.stuck")
        return Verdict(word, "good" if through else "bad", detail, paid)

    def told(self, request, transcript):
        if not transcript.is_done:
            return said("standing", n=self._stars(transcript))
        if isinstance(request, Duel):
            margin, gave_way = transcript.outcome
            end = "gave" if gave_way else "won" if margin > 0 else "lost" if margin else "draw"
            return said("told.duel", n=abs(margin), end=end)
        return said("told.run", n=max(transcript.outcome.stars, 0), gulls=transcript.outcome.gulls)

    def _stars(self, transcript):
        faces = [face for _, faces in transcript.throws for face in faces]
        read = stars if isinstance(transcript.request, Duel) else lambda face: shown(face)[0]
        return max(sum(map(read, faces)), 0)
