"""The card for interfaces: forms and sheets, how a roll is read, judged and narrated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rollwright.engine.transcript import ThrowEntry, Transcript
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import Value, row_of, somebody, with_sign, word
from rollwright.kit import Effect, Request
from rollwright.kit.card import (
    Asked,
    Card,
    Draft,
    Exploring,
    Lie,
    Lies,
    Look,
    Mark,
    Marks,
    Offer,
    Price,
    RollCard,
    Sum,
    Text,
    Tone,
    Verdict,
)
from rollwright.kit.controls import Control
from rollwright.kit.widgets import Widget

from . import forms, widgets
from .outcomes import CheckOutcome, Tier, TurnOutcome
from .requests import PER_CHECK, Action, Check, Repair, Turn
from .rules import KEEP, REROLL_HIGHER, Reroll, Standing
from .sheet import Sheet
from .starters import STARTERS
from .story import Told, check_name, item_name, option_name, sum_of, tell, told_checks
from .theme import THEME
from .tiers import settled
from .turns import GO_ON, STOP, GoOn

WORDS = words_of(__package__ or __name__)
msg, name_said = WORDS.msg, WORDS.name
MOST_NAMED = 3
TONES: dict[str, Tone] = {
    Tier.CRITICAL_FAILURE.value: "awful",
    Tier.FAILURE.value: "bad",
    Tier.SUCCESS.value: "good",
    Tier.CRITICAL_SUCCESS.value: "great",
}
STOCK_TARGETS = ("target", "targets", "weapon")
"""The labels of targets without a name."""
OF_ITEMS = ("disabled", "attempts", "repaired")
"""Effects whose target is a thing."""


ENOUGH = {
    "just-succeed": Tier.SUCCESS,
    "careful": Tier.SUCCESS,
    "no-disaster": Tier.FAILURE,
    "critical": Tier.CRITICAL_SUCCESS,
}
"""The result that each goal of a check wants; of the others a better one is always better."""


class EdgeCard(Card):
    """The card of the d20 game."""

    theme = THEME
    starters = STARTERS
    rolls = {
        "check": RollCard(
            policies=("never", "if-failed", "best"),
            drawn=("tier", "margin"),
            more=("modifier", "edges", "advantages"),
            asked=("skill", "dc", "advantages", "disadvantages"),
            ask_sets={"in_turn": False},
            untrained=("skill",),
            explore=Exploring(
                along="modifier",
                map=("modifier", "dc"),
                builds=({}, {"advantages": 1}, {"edges": 1}),
            ),
        ),
        "turn": RollCard(
            policies=("if-failed", "stop-if-failed", "best"),
            drawn=("successes",),
            more=("rerolls",),
            explore=Exploring(along="rerolls"),
        ),
        "repair": RollCard(
            drawn=("attempts",),
            more=("modifier", "edges"),
            explore=Exploring(
                along="modifier",
                map=("modifier", "tier"),
                builds=({}, {"tier": 3}, {"advantages": 1}),
                values={"tier": tuple(range(7))},
            ),
        ),
    }
    prices = {
        "turn_ends": Price("chance", msg("price.turn_ends")),
        "cut_short": Price("chance", msg("price.cut_short")),
        "disabled": Price("chance", msg("price.disabled")),
        "harm": Price("chance", msg("price.harm")),
        "critical_failures": Price("amount", msg("price.critical_failures", n=1)),
        "rerolled": Price("amount", msg("price.rerolled", n=1)),
    }
    outcomes = {
        "tier": TONES,
        "base_tier": TONES,
        "margin": {"..-1": "bad", "0..": "good"},
        "successes": {"1..": "good"},
        "attempts": {"1..": "good"},
    }
    dice = {
        "edge": Look(label=msg("die.edge"), set="accent"),
        "effect": Look(label=msg("die.effect"), set="dark"),
    }

    # The roll's subject

    def title(self, request: Request) -> Text:
        names = [*_names(request)][:MOST_NAMED]
        kind = msg(f"roll.{request.roll}")
        return msg("title.named", roll=kind, names=row_of(names)) if names else kind

    def knows(self, roll: str, sheet: Any) -> bool:
        """A repair is of something on the sheet that does not work."""
        if roll == "repair":
            return any(item.disabled for item in sheet.items)
        return bool(sheet.skills or sheet.items)

    def first(self, roll: str, sheet: Any) -> Draft:
        skill = {"skill": sheet.skills[0].name} if sheet and sheet.skills else {}
        typed = {} if skill else {"modifier": 5}
        if roll == "turn":
            return Draft(
                {"checks": [skill] * 2} if skill else {}, {"checks": [{"dc": 15} | typed] * 2}
            )
        if roll == "repair" and sheet:
            broken = next(item.name for item in sheet.items if item.disabled)
            return Draft({"item": broken} | skill)
        if roll == "repair":
            return Draft(set={"tier": 1, "modifier": 5})
        return Draft(skill, {"dc": 15} | ({} if sheet else typed))

    def fill(self, asked: Asked) -> Request:
        """A sheet without skills or things still knows whether there is a turn, and its checks."""
        sheet, roll = asked.whole_sheet, asked.roll
        if asked.sheet is None and isinstance(sheet, Sheet):
            made = sheet.checks_before
            turn = {"in_turn": sheet.in_turn, "nth_check": made + 1}
            asked = asked.over(**turn if roll == "check" else {"checks_before": min(made, 20)})
        return asked.filled()

    def form(self, asked: Asked) -> Sequence[Control]:
        return forms.form_of(asked)

    def sheet(self, sheet: Any) -> Sequence[Widget]:
        return widgets.sheet_of(sheet)

    # The dice

    def marks(self, request: Any) -> Marks:
        """A natural 1 and a natural 20; by the house they settle the result outright."""
        way = "automatic" if request.house.natural_is_automatic_critical else "natural"
        return {
            "d20": {
                1: Mark("bad", ("burst",), said=msg(f"mark.{way}_1")),
                20: Mark("great", ("crown",), said=msg(f"mark.{way}_20")),
            }
        }

    def lies(self, request: Request, transcript: Transcript) -> Lies:
        """Which of two d20s counts, which was rolled again, what stayed, what came to nothing."""
        found: dict[tuple[int, int], Lie] = {}
        for told in _thrown(request, transcript):
            found.update(_lies(told))
        return found

    def label(self, request: Request, transcript: Transcript) -> Text:
        """Which check or attempt begins with the last throw; a die rolled again begins none."""
        told = _thrown(request, transcript)
        entries = transcript.entries
        last = max((n for n, one in enumerate(entries) if isinstance(one, ThrowEntry)), default=-1)
        if isinstance(request, Check) or not told or told[-1].part.entries[0] != last:
            return ""
        way = "throw.attempt" if isinstance(request, Repair) else "throw.check"
        return msg(way, n=told[-1].nth)

    # The progress

    def standing(self, request: Request, transcript: Transcript) -> Text:
        """Return the status: the total against the DC, or how many checks have succeeded."""
        told = _thrown(request, transcript)
        if told and (told[-1].is_open or isinstance(request, Check)):
            found, dc = told[-1].found, told[-1].known.dc
            tier = word(found.tier.value)
            stands = msg("standing.check", total=found.total, dc=dc, tier=tier)
            return _with_effect(stands, found.effect)
        about = getattr(transcript.step, "about", None)
        if not isinstance(about, GoOn):
            return ""
        if not about.made:
            return msg("standing.plan", n=len(about.left))
        done = msg("standing.turn", n=about.successes, all=about.made)
        return _with_effect(done, about.effect)

    def sum(self, request: Request, transcript: Transcript) -> Sum | None:
        """The dice of the check that counts now, and what is added to them."""
        told = _thrown(request, transcript)
        if not told or told[-1].in_hand or not (told[-1].is_open or isinstance(request, Check)):
            return None
        return sum_of(told[-1])

    def ask(self, request: Any, transcript: Transcript) -> Text:
        about = transcript.step.about
        if not isinstance(about, GoOn):
            return msg("ask.reroll", n=about.left)
        if not request.any_order:
            return msg("ask.go_on")
        return msg("ask.next" if about.made else "ask.first")

    def offered(self, request: Any, transcript: Transcript, option: Any) -> Offer:
        step = transcript.step
        label = option_name(request, step, option)
        if isinstance(step.about, GoOn):
            return Offer(label, _leads_on(request, step.about, option))
        told = _thrown(request, transcript)[-1]
        if option == KEEP:
            tier = told.found.tier.value
            return Offer(label, msg("leads", tier=word(tier)), tone=TONES[tier])
        pick = max if option == REROLL_HIGHER else min
        d20s = told.laid[-1].d20s
        (entry, place), _ = up = pick(d20s, key=lambda die: die[1])
        stays = [face for die in d20s if die is not up for face in die[1:]]
        leads = msg("leads.again", stays=stays[0]) if stays else ""
        return Offer(label, leads, dice=(f"{entry}.{place}",))

    # The effects and the result

    def effect(self, effect: Effect) -> Text:
        name = f"effect.{effect.kind.replace(' ', '-')}"
        target = name_said(effect.target) if effect.kind in OF_ITEMS else somebody(effect.target)
        if effect.target in STOCK_TARGETS:
            target = msg(f"target.{effect.target}")
        if not target and f"{name}.unnamed" in self.game.words:
            name = f"{name}.unnamed"
        signs = effect.kind == "rerolls"
        return msg(name, n=with_sign(effect.amount) if signs else effect.amount, target=target)

    def nothing_to_gain(self, request: Any, transcript: Transcript, goal: str) -> Any:
        """A re-roll of a check that has come to what is wanted of it, or to the best there is."""
        about = transcript.step.about
        if not isinstance(about, Reroll | Standing):
            return None
        wanted = Tier.CRITICAL_SUCCESS if about.effect else ENOUGH.get(goal, Tier.CRITICAL_SUCCESS)
        return KEEP if about.tier >= wanted else None

    def agreed(self, request: Any, transcript: Transcript) -> bool:
        """Whether to roll again and to go on; which check of a turn is next is always asked."""
        about, options = transcript.step.about, transcript.step.options
        return isinstance(about, Reroll | Standing) or GO_ON in options

    def verdict(self, request: Any, outcome: Any) -> Verdict:
        if isinstance(outcome, CheckOutcome):
            tier = outcome.tier.value
            return Verdict(
                msg(f"tier.{tier}"),
                TONES[tier],
                tuple(_check_detail(request, outcome)),
                tuple(_paid(request, outcome, outcome.turn_ends)),
            )
        if isinstance(outcome, TurnOutcome):
            last = request.checks[outcome.last - 1]
            return Verdict(
                msg("verdict.successes", n=outcome.successes, all=outcome.checks),
                _turn_tone(outcome),
                tuple(_turn_detail(outcome)),
                tuple(_paid(last, outcome, outcome.ended_badly, _end_of(outcome))),
            )
        tries = msg("verdict.attempts", n=outcome.attempts)
        turns = [msg("verdict.turns", n=outcome.turns)] if outcome.turns > 1 else []
        flops = outcome.critical_failures
        paid = (msg("price.critical_failures", n=flops),) if flops else ()
        fixed = outcome.fixed
        way = "verdict.fixed" if fixed else "verdict.unfixed"
        return Verdict(msg(way), "good" if fixed else "bad", (tries, *turns), paid)

    def told(self, request: Request, transcript: Transcript) -> Text:
        return tell(request, transcript)


def _names(request: Request) -> Iterator[Value]:
    """Yield the names in a title: the action, the skill, the checks of a turn, a broken thing."""
    if isinstance(request, Turn):
        given = any(check.name or check.skill for check in request.checks)
        yield from (check_name(request, n) for n in range(len(request.checks)) if given)
    elif isinstance(request, Repair):
        yield from (name_said(one) for one in (request.item, request.skill) if one)
    elif isinstance(request, Check):
        skill = name_said(request.skill)
        yield from filter(None, (request.name, skill, somebody(request.target)))


def _thrown(request: Request, transcript: Transcript) -> list[Told]:
    """Return the checks whose dice are rolled."""
    return [told for told in told_checks(request, transcript) if told.laid]


def _with_effect(stands: Text, effect: int) -> Text:
    """Return the status, with the effect if there is one."""
    return msg("standing.effect", said=stands, n=effect) if effect else stands


def _lies(told: Told) -> Iterator[tuple[tuple[int, int], Lie]]:
    laid, again = told.laid[-1], len(told.laid) > 1
    yield from ((place, "again") for place in laid.taken_up)
    if not (told.is_open or told.in_hand or told.found.success):
        yield from ((place, "dropped") for place in laid.effect)
    if again and laid.edge:
        yield laid.edge, "kept"
    if not told.known.advantage:
        return
    counts = next(place for place, face in laid.d20s if face == told.d20)
    newest = laid.d20s[-1][0]
    for place, _ in laid.d20s:
        if place != counts:
            yield place, "dropped"
        else:
            yield place, "kept" if again and place != newest else "counts"


def _leads_on(request: Turn, about: GoOn, option: object) -> Text:
    """Which check would be next, and at what price."""
    before = request.checks_before + about.made
    price = with_sign(-PER_CHECK * before)
    if option == STOP or not before:
        return ""
    if option == GO_ON and not request.any_order:
        number = request.labels.index(about.left[0])
        return msg("leads.at", name=check_name(request, number), n=price)
    return msg("leads.next", n=price)


def _check_detail(request: Check, outcome: CheckOutcome) -> Iterator[Text]:
    yield msg("verdict.against", n=outcome.total, dc=settled(request).dc)
    if outcome.effect > 0:
        yield msg("verdict.effect", n=outcome.effect)
    if outcome.tier is Tier.CRITICAL_SUCCESS:
        yield msg("verdict.extra")
    if outcome.critical_effect:
        target = somebody(request.target) or msg("told.main_target")
        yield msg("verdict.critical_effect", target=target)


def _turn_detail(outcome: TurnOutcome) -> Iterator[Text]:
    if outcome.effect > 0:
        yield msg("verdict.effect", n=outcome.effect)
    if outcome.critical_successes:
        yield msg("verdict.critical_successes", n=outcome.critical_successes)


def _end_of(outcome: TurnOutcome) -> str:
    return "verdict.cut" if outcome.cut_short else "verdict.turn_ends"


def _turn_tone(outcome: TurnOutcome) -> Tone:
    if outcome.ended_badly:
        return "mixed" if outcome.successes else "awful"
    if not outcome.successes:
        return "bad"
    return "good" if outcome.successes == outcome.checks else "mixed"


def _paid(
    action: Action, outcome: CheckOutcome | TurnOutcome, over: bool, way: str = "verdict.turn_ends"
) -> Iterator[Text]:
    """Yield the price: the turn, the thing in use, some harm, re-rolls."""
    if over:
        yield msg(way)
    if outcome.disabled:
        yield msg("verdict.disabled", item=item_name(action))
    if outcome.harm:
        yield msg("verdict.harm")
    if outcome.rerolled:
        yield msg("price.rerolled", n=outcome.rerolled)
