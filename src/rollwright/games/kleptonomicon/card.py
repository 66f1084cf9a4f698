"""The card for interfaces: forms and sheets, how a roll is read, judged and narrated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rollwright.engine.transcript import Transcript
from rollwright.i18n.messages import Value, with_sign, word
from rollwright.kit import Effect, Request, widgets
from rollwright.kit.card import (
    Asked,
    Card,
    Draft,
    Exploring,
    Lies,
    Look,
    Mark,
    Marks,
    Member,
    Offer,
    RollCard,
    Text,
    Tone,
    Verdict,
)
from rollwright.kit.controls import Control
from rollwright.kit.widgets import Row, Widget, things

from . import forms
from .casts import lying, story_of, thrower, whose
from .outcomes import (
    MIXED,
    ContestOutcome,
    GroupOutcome,
    Judging,
    Score,
    TestOutcome,
    judged_by,
    msg,
    name_said,
)
from .requests import HELPERS, KEEP, Contest, Group, Player, Test
from .rules import AGAIN, BANDS, COIN, D10ISH, TOSS, Situation, is_won
from .sheet import SIDE_EFFECTS, Circumstance, NamedModifier, Sheet
from .standings import is_reached, may_improve
from .starters import STARTERS
from .story import called, ranges_said, ranges_told, shown, tell
from .theme import THEME

FOLLOWS = (COIN, AGAIN)
"""Coins and dice rolled again belong to the throw before them."""
UNNAMED = Contest()
"""A roll whose sides have no names: what has none is called by its place."""
TONES: dict[str, Tone] = {"low": "bad", "mixed": "mixed", "high": "good", "0!": "awful"}
TONES |= {"10!": "great", "first": "good", "second": "bad"}


class KlepCard(Card):
    """The card of the Kleptonomicon."""

    theme = THEME
    starters = STARTERS
    rolls = {
        "test": RollCard(
            drawn=("score", "band"),
            more=("modifier", "advantages"),
            asked=("score_name", "advantages", "disadvantages"),
            untrained=("score_name",),
            explore=Exploring(
                along="modifier",
                map=("modifier", "advantages"),
                builds=({}, {"modifier": 2}, {"advantages": 1}),
                values={"advantages": (0, 1, 2, 3)},
            ),
        ),
        "contest": RollCard(
            drawn=("winner",),
            more=("first.modifier", "first.advantages", "second.advantages"),
            explore=Exploring(along="first.modifier", map=("first.modifier", "second.modifier")),
        ),
        "group": RollCard(
            policies=("never", "lowest-first", "best"),
            drawn=("reached",),
            more=("goal",),
            explore=Exploring(along="goal"),
        ),
    }
    outcomes = {
        "score": {"0!": "awful", "10!": "great"},
        "reached": {"yes": "good"},
        "band": {band: TONES[band] for band in BANDS},
        "critical": {side: TONES[side] for side in SIDE_EFFECTS},
        "winner": {side: TONES[side] for side in ("first", "second")},
    }
    dice = {
        COIN.name: Look(label=msg("dice.coin")),
        AGAIN.name: Look(sides=10, label=msg("dice.again"), set="dark"),
        D10ISH.name: Look(sides=20, label=msg("dice.d10ish")),
        TOSS.name: Look(label=msg("dice.toss")),
    }

    # The roll's subject

    def title(self, request: Request) -> Text:
        if not isinstance(request, Contest):
            return super().title(request)
        kind = msg("roll.contest")  # the first side is the roller's, and named beside it
        if not request.second.name:
            return kind
        return msg("title.rival", roll=kind, name=called(request, request.names[1]))

    def knows(self, roll: str, sheet: object) -> bool:
        """A group lists its members, the roller among them; none is filled in unseen."""
        return roll != "group"

    def start(self, asked: Asked) -> Draft:
        return forms.start(asked)

    def fill(self, asked: Asked) -> Request:
        return forms.fill(asked)

    def form(self, asked: Asked) -> Sequence[Control]:
        return forms.form(asked)

    # The dice

    def marks(self, request: Request) -> Marks:
        """A 10 is critical on the d10 of the book; other dice are only summed."""
        if isinstance(request, Test) and request.dice:
            return {}
        won, lost = (msg(f"face.{word}") for word in ("won", "lost"))
        return {
            "d10": {10: Mark("great", ("crown",), said=msg("face.critical"))},
            D10ISH.name: {
                0: Mark("bad", said=msg("face.worst")),
                10: Mark("great", said=msg("face.best")),
            },
            COIN.name: {
                "won": Mark("great", ("won",), alone=True, said=won),
                "lost": Mark("bad", ("lost",), alone=True, said=lost),
            },
            AGAIN.name: {
                face: Mark("great", ("won",), said=won)
                if is_won(face)
                else Mark("bad", ("lost",), said=lost)
                for face in range(1, 11)
            },
            TOSS.name: {
                "first": Mark("good", said=msg("face.first")),
                "second": Mark("bad", said=msg("face.second")),
            },
        }

    def lies(self, request: Request, transcript: Transcript) -> Lies:
        found = lying(request, transcript)
        return {place: "counts" if counts else "dropped" for place, counts in found.items()}

    def label(self, request: Request, transcript: Transcript) -> Text:
        if not isinstance(request, Contest | Group) or not transcript.throws:
            return ""
        die = transcript.throws[-1][0].pool.dice[0]
        if die == TOSS:
            return msg("side.toss")
        name = "" if die in FOLLOWS else thrower(request, transcript)
        return msg("side", who=called(request, name, start=True)) if name else ""

    def whose(self, request: Request, transcript: Transcript) -> str:
        return whose(request, transcript)

    def throws(self, request: Request, transcript: Transcript) -> Text:
        """Return the Modifier of the thrower, and what helps or hinders them."""
        name = whose(request, transcript)
        if not name:
            return ""
        if isinstance(request, Contest):
            players: tuple[Player, ...] = (request.first, request.second)
        else:
            assert isinstance(request, Group)
            players = request.members
        player = players[request.names.index(name)]
        return msg(
            "throws", n=with_sign(player.modifier), net=with_sign(player.net), even=not player.net
        )

    # The progress

    def standing(self, request: Request, transcript: Transcript) -> Text:
        """Return how many Advantages the chooser has left, and the lowest Score of all."""
        if not isinstance(request, Group):
            return ""
        lowest = min(score for _, score in story_of(request, transcript).scores)
        left = transcript.step.about.gifts
        return msg("standing.help", left=left, lowest=shown(lowest))

    def ask(self, request: Request, transcript: Transcript) -> Text:
        """Return the question to a chooser; one with a seat is asked there, others are named."""
        by = transcript.step.by
        if by == HELPERS or by.startswith("@"):
            return msg("ask.helpers")
        return msg("ask.help", who=called(request, by, start=True))

    def offered(self, request: Request, transcript: Transcript, option: Any) -> Offer:
        if option == KEEP or not isinstance(request, Group):
            return Offer(msg("option.keep"))
        scores = dict(story_of(request, transcript).scores)
        seat = option if option.startswith("@") else ""
        label = msg("option.give", who=called(request, option))
        leads = msg("leads.now", score=shown(scores[option]))
        return Offer(label, leads, seat, member=list(scores).index(option))

    def party(self, request: Request, transcript: Transcript) -> Sequence[Member]:
        """Return everybody with their Score; the chooser with the Advantages that are left."""
        if not isinstance(request, Group):
            return ()
        by, left = transcript.step.by, transcript.step.about.gifts
        members = [
            Member(
                msg("side", who=called(request, name, start=True)),
                msg("party.score", score=shown(score)),
                _judged(score, "", judged_by(request.ranges), ()).tone,
                left if name == by else 0,
            )
            for name, score in story_of(request, transcript).scores
        ]
        together = [Member(msg("party.helpers"), "", gives=left)] if by == HELPERS else []
        return [*members, *together]

    def nothing_to_gain(self, request: Request, transcript: Transcript, goal: str) -> Any:
        """Return KEEP if no Advantage leads to a better end for the group, or to one it wants."""
        about = transcript.step.about
        if not isinstance(about, Situation) or not isinstance(request, Group):
            return None
        party = transcript.trace.runs_of("give_help")[-1].args[1]
        reached = goal == "just-succeed" and is_reached(request, party)
        return KEEP if reached or not may_improve(request, party) else None

    # The result

    def verdict(self, request: Request, outcome: Any) -> Verdict:
        if isinstance(outcome, ContestOutcome) and isinstance(request, Contest):
            return _contest_verdict(request, outcome)
        if isinstance(outcome, GroupOutcome) and isinstance(request, Group):
            return _group_verdict(request, outcome)
        return _test_verdict(request, outcome)

    def is_good(self, request: Request, outcome: Any) -> bool | None:
        plain = isinstance(request, Test) and request.is_plain
        return None if plain else super().is_good(request, outcome)

    def effect(self, effect: Effect) -> Text:
        """An effect in a few words; whom it is meant for is part of them."""
        whom = {"who": called(UNNAMED, effect.target), "someone": bool(effect.target)}
        if effect.kind == "side_effect":
            return msg("effect.side_effect", good=effect.amount == "good", **whom)
        if effect.kind == "contest":
            won = effect.amount == "[Win]"
            return msg("effect.won" if won else "effect.lost", who=whom["who"])
        if effect.kind == "range":
            return ranges_said([str(effect.amount)])
        begun = effect.amount
        amount = begun.source if isinstance(begun, Circumstance) else str(begun)
        return msg(f"effect.{effect.kind}", n=amount)

    def told(self, request: Request, transcript: Transcript) -> Text:
        return tell(request, transcript)

    # The sheet

    def sheet(self, sheet: Sheet) -> Sequence[Widget]:
        modifiers = [_modifier(one) for one in sheet.modifiers]
        causes = [_cause(one) for one in sheet.circumstances]
        net = [widgets.note(_net(sheet))] if causes else []
        return [
            things("modifiers", msg("label.modifiers"), modifiers, icon="person"),
            things("circumstances", msg("label.circumstances"), causes, key="source", icon="star"),
            *net,
            widgets.words(
                "notes",
                [_note(one) for one in sheet.notes],
                msg("label.notes"),
                icon="speech",
                adds={"effect": "note", "text": msg("note.add")},
                drops=[{"effect": "cross_out", "amount": one} for one in sheet.notes],
            ),
        ]


def _critical(outcome: TestOutcome | GroupOutcome) -> list[Text]:
    side = SIDE_EFFECTS.get(outcome.critical or "")
    return [msg(f"verdict.side.{side}")] if side else []


def _score(value: int, critical: str | None) -> str:
    """A Score as the book writes it: 10! and 0! lie beyond all numbers."""
    return critical or str(value)


def _test_verdict(request: Request, outcome: TestOutcome) -> Verdict:
    score = _score(outcome.score, outcome.critical)
    detail = _critical(outcome)
    if not isinstance(request, Test) or request.is_plain:
        return Verdict(msg("verdict.total", score=score), "even")
    if told := ranges_told(request.ranges, request.judging, outcome.ranges):
        detail.append(told)
    judged = Score(outcome.score, _side_of(outcome))
    return _judged(judged, score, request.judging, detail)


def _side_of(outcome: TestOutcome | GroupOutcome) -> int:
    """Whether it is a 10! (1), a 0! (-1) or neither."""
    return (outcome.critical == "10!") - (outcome.critical == "0!")


def _judged(score: Score, written: Value, judging: Judging, detail: Sequence[Text]) -> Verdict:
    """A Score with what it is by its ranges: a band, passed or failed, or for them to say."""
    if judging == "ranges":
        tone: Tone = TONES[score.side] if score.side else "even"
        return Verdict(msg("verdict.total", score=written), tone, tuple(detail))
    band: Value = word(score.band)
    tone = TONES[score.side or score.band]
    if judging == "pass":
        passes = score.value >= MIXED
        band = msg("verdict.passed" if passes else "verdict.failed")
        tone = TONES[score.side] if score.side else "good" if passes else "bad"
    return Verdict(msg("verdict.score", score=written, band=band), tone, tuple(detail))


def _contest_verdict(request: Contest, outcome: ContestOutcome) -> Verdict:
    name = request.names[outcome.winner == "second"]
    first = _score(outcome.first_score, outcome.first_critical)
    second = _score(outcome.second_score, outcome.second_critical)
    detail = [msg("verdict.scores", first=first, second=second)]
    if outcome.tied:
        detail.append(msg("verdict.toss"))
    wins = msg("verdict.wins", who=called(request, name, start=True))
    return Verdict(wins, TONES[outcome.winner], tuple(detail))


def _group_verdict(request: Group, outcome: GroupOutcome) -> Verdict:
    goal = msg("verdict.goal", goal=request.aim, reached=outcome.reached)
    detail = (*_critical(outcome), goal)
    if outcome.band not in BANDS:  # only the goal was read
        way = msg("verdict.success" if outcome.reached else "verdict.failure")
        return Verdict(way, "good" if outcome.reached else "bad", detail)
    if outcome.score is None:
        tone = TONES[outcome.critical or outcome.band]
        return Verdict(msg("verdict.band", band=word(outcome.band)), tone, detail)
    score = Score(outcome.score, _side_of(outcome))
    return _judged(score, shown(score), judged_by(request.ranges), detail)


def _modifier(one: NamedModifier) -> Row:
    amount = {"n": with_sign(one.value)}
    chip = msg("dice.bonus", dice=one.dice, **amount) if one.dice else msg("bonus", **amount)
    begins = {"roll": "test", "pick": {"score_name": one.name}}
    return Row(one.name, name_said(one.name), chips=(chip,), begins=begins)


def _cause(one: Circumstance) -> Row:
    """Return a row for help or hindrance, its Tests, and its end."""
    tests: Value = [name_said(name) for name in one.tests] if one.tests else msg("sheet.all_tests")
    about = (
        msg("sheet.until", tests=tests, end=one.ends)
        if one.ends
        else msg("sheet.tests", tests=tests)
    )
    show = (widgets.note(about), widgets.act(msg("sheet.end"), "end", amount=one.source))
    return Row(one.source, one.source, show, (msg(f"sheet.{one.kind}", n=one.count),))


def _net(sheet: Sheet) -> Text:
    up, down = (
        sum(one.count for one in sheet.circumstances if one.kind == kind)
        for kind in ("advantage", "disadvantage")
    )
    return msg("sheet.net", up=up, down=down)


def _note(note: str) -> Text:
    """A note as it was written; a side effect that is due in the reader's words."""
    for side in SIDE_EFFECTS.values():
        if note == str(msg(f"note.{side}")):
            return msg(f"note.{side}")
    return note
