"""The card for interfaces: how a roll is read, decided, judged and narrated; sheets as widgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import Message, percent, row_of, somebody, with_sign, word
from rollwright.kit import Effect, Request
from rollwright.kit.card import (
    Asked,
    Assignment,
    Card,
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
    Text,
    Tone,
    Verdict,
)
from rollwright.kit.controls import Control
from rollwright.kit.widgets import Widget

from . import drafts, form
from .dice import BASE, DOUBLE, SUCCESS, ways_to_push
from .firearms import Attack, ClearJam, Magazine
from .outcomes import (
    AttackOutcome,
    ClearJamOutcome,
    MagazineOutcome,
    OpposedOutcome,
    RepairOutcome,
)
from .paper import widgets_of
from .requests import Opposed, Repair
from .rules import PushAbout
from .starters import STARTERS, TRIAL
from .story import (
    Cast,
    casts,
    hits_in,
    lift_said,
    passive_throw,
    place_said,
    plan_of,
    plan_said,
    staying,
    successes_on,
    tell,
    throws_in,
)
from .targets import Aim, Plan, plan_name
from .theme import THEME

WORDS = words_of(__package__ or __name__)
msg, name_said = WORDS.msg, WORDS.name
_PUSHES = ("never", "if-failed", "best")
_MODIFIERS = {"modifier": tuple(form.USUAL_MODIFIERS)}
_SUCCESS = Mark("good", ("crosshair",), said=msg("mark.success"))
_TWO = Mark("great", ("crosshair", "crosshair"), said=msg("mark.two"))
_ONE = Mark("bad", ("burst",), alone=True, said=msg("mark.one"))
_BULLET = Mark("good", ("bullet",), alone=True, said=msg("mark.bullet"))
_BURST = Mark("bad", ("burst",), alone=True, said=msg("mark.burst"))


class TwilightCard(Card):
    """The card of Twilight: 2000."""

    theme = THEME
    rolls = {
        "skill": RollCard(
            policies=_PUSHES,
            drawn=("successes",),
            more=("modifier", "helpers"),
            asked=("skill_name", "modifier"),
            needed=(("skill_name",),),
            explore=Exploring(
                along="modifier",
                map=("skill", "attribute"),
                builds=({}, {"attribute": "A", "skill": "D"}, {"helpers": 1}),
                values=_MODIFIERS,
            ),
        ),
        "attack": RollCard(
            policies=_PUSHES,
            drawn=("successes", "sixes"),
            more=("modifier", "helpers", "ammo_dice"),
            explore=Exploring(
                along="ammo_dice",
                map=("ammo_dice", "modifier"),
                builds=({"ammo_dice": 0}, {"ammo_dice": 3}, {"ammo_dice": 3, "modifier": 1}),
                values=_MODIFIERS,
            ),
        ),
        "opposed": RollCard(
            policies=("never", "if-not-ahead", "best"),
            drawn=("margin",),
            more=("active.modifier", "passive.modifier"),
            explore=Exploring(
                along="active.modifier",
                map=("active.modifier", "passive.modifier"),
                values=_MODIFIERS,
            ),
        ),
        "group": RollCard(
            policies=_PUSHES,
            drawn=("successes",),
            more=("modifier",),
            explore=Exploring(along="modifier", values=_MODIFIERS),
        ),
        "clear_jam": RollCard(
            policies=_PUSHES,
            drawn=("cleared", "tries"),
            more=("modifier",),
            asked=("weapon", "modifier"),
            explore=Exploring(along="modifier", map=("tries", "modifier"), values=_MODIFIERS),
        ),
        "magazine": RollCard(
            policies=_PUSHES,
            drawn=("attacks",),
            explore=Exploring(along="ammo_dice", map=("ammo_dice", "reliability")),
            only_explored=True,
        ),
        "repair": RollCard(
            policies=_PUSHES,
            drawn=("restored",),
            more=("modifier", "helpers"),
            asked=("item", "modifier"),
            needed=(("item",),),
            explore=Exploring(along="modifier", map=("skill", "attribute"), values=_MODIFIERS),
        ),
    }
    prices = {
        "stress": Price("amount", msg("price.stress", n=1)),
        "damage": Price("amount", msg("price.damage", n=1)),
        "reliability_loss": Price("amount", msg("price.reliability", n=1)),
        "jammed": Price("chance", msg("price.jam")),
        "broken": Price("chance", msg("price.broken")),
        "rounds_spent": Price("amount", msg("price.rounds", n=1)),
        "emptied": Price("chance", msg("price.emptied")),
    }
    outcomes = {
        "successes": {"0": "bad", "1..2": "good", "3..9": "great"},
        "sixes": {"1..": "good"},
        "winner": {"active": "good", "passive": "bad"},
        "margin": {"-9..0": "bad", "1..9": "good"},
    }
    dice = {"ammo": Look(6, msg("die.ammo"), "dark"), "d6": Look(6)}
    starters = STARTERS
    trial = TRIAL

    # The roll's subject

    def title(self, request: Request) -> Text:
        kind = msg(f"title.{request.roll}")
        terms = [getattr(request, name, None) for name in ("skill_name", "attribute_name")]
        if isinstance(request, Attack) and request.weapon:  # which says how it is fired
            kind, terms = msg("roll.attack"), []
        things = [getattr(request, name, None) for name in ("weapon", "primary", "item", "gear")]
        names = [
            *(word(term) for term in terms if term),
            *(name_said(name) for name in things if name),
        ]
        title = msg("title", roll=kind, names=row_of(names)) if names else kind
        first = request.aimed_at if isinstance(request, Attack) else None
        if not isinstance(request, Attack) or not first:
            return title
        foes = [first, *(foe for foe in request.targets if foe is not first)]
        return msg("title.at", title=title, name=row_of([somebody(foe.name) for foe in foes]))

    def knows(self, roll: str, sheet: Any) -> bool:
        return drafts.knows(roll, sheet)

    def first(self, roll: str, sheet: Any) -> Draft:
        return drafts.first(roll, sheet)

    def fill(self, asked: Asked) -> Request:
        return drafts.fill(asked)

    def form(self, asked: Asked) -> Sequence[Control]:
        return form.form(asked)

    def sheet(self, sheet: Any) -> Sequence[Widget]:
        return widgets_of(sheet)

    # The dice

    def marks(self, request: Request) -> Marks:
        """Successes and 1s of base dice, bullets and bursts of ammo dice; where a hit strikes."""
        base = {f"d{len(die.faces)}": _base_marks(len(die.faces)) for die in BASE}
        if not isinstance(request, Attack | Magazine):
            return base
        ammo: dict[int | str, Mark] = {6: _BULLET, 1: _BURST}
        if not isinstance(request, Attack):
            return {**base, "ammo": ammo}
        places: dict[int | str, Mark] = {
            face: Mark(said=msg("mark.place", place=word(place)), written=True)
            for face, place in enumerate(request.locations, 1)
        }
        return {**base, "ammo": ammo, **{f"{one.name} *": places for one in request.targets}}

    def lies(self, request: Request, transcript: Transcript) -> Lies:
        """Beside the dice of a push some stay, and the others were taken up."""
        found: dict[tuple[int, int], Lie] = {}
        if len(transcript.throws) < 2:
            return found
        for cast in casts(transcript):
            if cast.throws[1:]:
                stay = cast.staying
                for place in range(len(cast.first.faces)):
                    found[cast.first.entry, place] = "kept" if place in stay else "again"
        return found

    def label(self, request: Request, transcript: Transcript) -> Text:
        """Which side's dice, which try's or attack's, or where hits strike."""
        if isinstance(request, Opposed):
            last = transcript.throws and throws_in(transcript, range(len(transcript.entries)))[-1]
            theirs = passive_throw(transcript)
            passive = theirs is not None and last and theirs.entry == last.entry
            return msg("side.passive" if passive else "side.active")
        if isinstance(request, Magazine):
            return msg("side.attack", n=len(casts(transcript)))
        if isinstance(request, ClearJam):
            return msg("side.try", n=len(casts(transcript))) if request.tries > 1 else ""
        if not isinstance(request, Attack):
            return ""
        return msg("side.hits") if hits_in(transcript) else ""

    def die(self, request: Request, name: str) -> Text:
        """A hit is thrown for with a die that has the target's name and its damage."""
        if not isinstance(request, Attack):
            return ""
        target, _, damage = name.rpartition(" ")
        known = target in [one.name for one in request.targets] and damage.isdigit()
        return place_said(name) if known else ""

    def whose(self, request: Request, transcript: Transcript) -> str:
        """The second throw of an opposed roll is the passive side's."""
        opposed = isinstance(request, Opposed) and not request.secret
        return "passive" if opposed and len(transcript.throws) == 1 else ""

    def throws(self, request: Request, transcript: Transcript) -> Text:
        """By which skill and attribute the passive side throws."""
        if not isinstance(request, Opposed) or not self.whose(request, transcript):
            return ""
        both = (request.passive.skill_name, request.passive.named_attribute)
        names = [word(name) for name in both if name]
        return msg("throws", names=row_of(names)) if names else ""

    # The progress

    def standing(self, request: Request, transcript: Transcript) -> Text:
        """Return the result of the dice so far."""
        thrown = casts(transcript)
        if not thrown:
            return ""
        if getattr(transcript.step, "by", "") == "shooter":
            return msg("standing.spend", n=transcript.step.about.sixes)
        if isinstance(request, ClearJam) and request.tries > 1:
            stands = _stands(thrown[-1], "skill")
            return msg("standing.jam", n=len(thrown), of=request.tries, said=stands)
        if isinstance(request, Magazine):
            return msg("standing.magazine", n=len(thrown), said=_stands(thrown[-1], "attack"))
        if isinstance(request, Opposed) and not request.secret:
            theirs = passive_throw(transcript)
            if theirs is not None:
                return _stands(thrown[-1], "opposed", theirs=successes_on(theirs.dice))
        return _stands(thrown[-1], "attack" if isinstance(request, Attack) else "skill")

    def ask(self, request: Request, transcript: Transcript) -> Text:
        asks = {"group": "ask.who", "helpers": "ask.help", "shooter": "ask.spend"}
        return msg(asks.get(transcript.step.by, "ask.push"))

    def offered(self, request: Request, transcript: Transcript, option: Any) -> Offer:
        step = transcript.step
        if step.by == "shooter":
            return Offer(plan_said(transcript, option))
        if step.by in ("group", "helpers"):
            chances = {name: Fraction(weight, total) for name, weight, total in step.about.chances}
            leads = msg("leads.chance", chance=percent(chances[str(option)]))
            if step.by == "helpers":
                return Offer(msg("option.helpers", n=option), leads)
            seat = option if option.startswith("@") else ""
            return Offer(msg("option.who", name=somebody(option)), leads, seat)
        return _pushed_way(casts(transcript)[-1], option)

    def assignment(self, request: Request, transcript: Transcript) -> Assignment | None:
        """Each bullet raises the first hit, buys another one, or raises that one."""
        if getattr(transcript.step, "by", "") != "shooter":
            return None
        aim: Aim = transcript.request.aim
        first = aim.foes[aim.primary].name
        places = [
            Place(name, msg("place.hit", name=somebody(name), again=name == first), True)
            for name in (aim.foes[foe].name for foe in aim.legal)
        ]
        raised = Place("", msg("place.damage", name=somebody(first)))
        return Assignment(transcript.step.about.sixes, (raised, *places))

    def option_of(
        self, request: Request, transcript: Transcript, puts: Mapping[str, Sequence[int]]
    ) -> str:
        """The plan that hands bullets out so: `{"": [1], "Guard": [2]}` raises the first hit by 1
        and buys one raised hit; `{"Guard": [1, 1]}` buys two.
        """
        aim, tokens = transcript.request.aim, transcript.step.about.sixes
        legal = {aim.foes[foe].name: foe for foe in aim.legal}
        sizes = [size for put in puts.values() for size in put]
        fits = all(type(size) is int and size > 0 for size in sizes) and sum(sizes) == tokens
        if not fits or not set(puts) <= {"", *legal}:
            problem = msg("refusal.puts", n=tokens)
            raise BadField("puts", problem, rule="T2K R23", would_do=msg("do.puts"))
        extra = tuple(
            (foe, size - 1)
            for name, foe in legal.items()
            for size in sorted(puts.get(name, ()), reverse=True)
        )
        plan = Plan(sum(puts.get("", ())), extra)
        return plan_name(plan, tuple(foe.name for foe in aim.foes))

    def aim(self, request: Request, transcript: Transcript) -> str:
        """Return the goal: the targets of the bullets no longer decide whether it hits."""
        return "most-damage" if getattr(transcript.step, "by", "") == "shooter" else ""

    def puts_of(
        self, request: Request, transcript: Transcript, option: str
    ) -> Mapping[str, Sequence[int]] | None:
        """Return the tokens of a plan by place: `hit B +1` is one hit of two bullets."""
        if getattr(transcript.step, "by", "") != "shooter":
            return None
        plan, foes = plan_of(transcript, option), transcript.request.aim.foes
        found: dict[str, list[int]] = {"": [1] * plan.boost} if plan.boost else {}
        for foe, more in plan.extra:
            found.setdefault(foes[foe].name, []).append(more + 1)
        return found

    def nothing_to_gain(self, request: Request, transcript: Transcript, goal: str) -> Any:
        """A push without a die to throw; one of a check that is won, unless more is wanted.

        Of a hit more can always be had: damage, and bullets for others.
        """
        step = transcript.step
        if not isinstance(step.about, PushAbout) or set(step.options) != {"keep", "push"}:
            return None
        return "keep" if _has_all(request, step.about, goal) else None

    def agreed(self, request: Request, transcript: Transcript) -> bool:
        """Whether to push; who rolls, who helps and where bullets go is always asked."""
        return isinstance(transcript.step.about, PushAbout)

    # The result

    def verdict(self, request: Request, outcome: Any) -> Verdict:
        if isinstance(outcome, AttackOutcome):
            aimed = isinstance(request, Attack) and bool(request.targets)
            return _attack_verdict(outcome, aimed=aimed)
        if isinstance(outcome, ClearJamOutcome):
            word_said = msg("verdict.cleared" if outcome.cleared else "verdict.stuck")
            broken = (msg("verdict.broken"),) if outcome.broken else ()
            return Verdict(word_said, _tone(outcome.cleared), broken, _paid(outcome))
        if isinstance(outcome, MagazineOutcome):
            ends = [
                msg(f"verdict.{name}")
                for name, true in (
                    ("empty", outcome.emptied),
                    ("jammed", outcome.jammed),
                    ("broken", outcome.broken),
                )
                if true
            ]
            attacks = msg("verdict.attacks", n=outcome.attacks)
            return Verdict(attacks, _tone(outcome.emptied), tuple(ends), _paid(outcome))
        if isinstance(outcome, OpposedOutcome):
            won = outcome.winner == "active"
            score = msg("verdict.score", n=outcome.successes, theirs=outcome.opposing)
            return Verdict(
                msg("verdict.won" if won else "verdict.lost"), _tone(won), (score,), _paid(outcome)
            )
        many = outcome.successes
        if isinstance(outcome, RepairOutcome):
            word_said = msg("verdict.repaired" if outcome.restored else "verdict.unrepaired")
            now = (msg("verdict.reliability", n=outcome.reliability),)
            return Verdict(word_said, _tone(outcome.restored > 0), now, _paid(outcome))
        detail = (msg("verdict.successes", n=many),) if many > 1 else ()
        succeeds = msg("verdict.success" if many else "verdict.failure")
        return Verdict(succeeds, _tone(many > 0), detail, _paid(outcome))

    def effect(self, effect: Effect) -> Text:
        amount: Any = effect.amount
        if isinstance(amount, int):
            amount = with_sign(amount) if amount < 0 or effect.kind in GAINED else amount
        else:
            amount = word(str(amount))
        name = f"effect.{effect.kind.replace(' ', '-')}"
        if not effect.target:
            return msg(name, n=amount)
        skill = effect.kind == "group failure"
        known = word(effect.target) if skill else name_said(effect.target)
        target = somebody(known) if isinstance(known, str) else known
        return msg(f"{name}.on", n=amount, target=target)

    def told(self, request: Request, transcript: Transcript) -> Text:
        return tell(request, transcript)


GAINED = ("reliability", "rounds", "parts")
"""Effects that may give as well as take: shown with their sign."""
ENOUGH = {"just-succeed": 1, "succeed-cheaply": 1, "two-successes": 2, "three-successes": 3}
"""The successes that each goal of a check wants; of the others more is always better."""


def _has_all(request: Request, about: PushAbout, goal: str) -> bool:
    """Whether a push could gain nothing that is wanted."""
    loose = about.loose + about.loose_ammo
    if not loose or isinstance(request, Attack | Magazine):
        return not loose
    if isinstance(request, Repair):
        most = request.restored(about.successes + DOUBLE * about.loose)
        return request.restored(about.successes) == most
    wanted = ENOUGH.get(goal)
    return wanted is not None and about.successes >= wanted + (about.against or 0)


def _base_marks(sides: int) -> dict[int | str, Mark]:
    found: dict[int | str, Mark] = {1: _ONE}
    found[f"{SUCCESS}..{min(sides, DOUBLE - 1)}"] = _SUCCESS
    return found | ({f"{DOUBLE}..{sides}": _TWO} if sides >= DOUBLE else {})


def _stands(cast: Cast, way: str, **more: int) -> Message:
    lying = cast.lying
    about = {"n": lying.successes, "ones": lying.ones + lying.ammo_ones, **more}
    if way == "attack":
        about["sixes"] = lying.sixes
    return msg(f"standing.{way}", **about)


def _pushed_way(cast: Cast, option: str) -> Offer:
    """Keeping, with what that comes to; a push, with the dice that it throws again."""
    if option == "keep":
        made = cast.shown.lying.successes
        tone: Tone = "good" if made else "bad"
        return Offer(msg("option.keep"), msg("leads.keep", n=made), tone=tone)
    ways = {way.name: way for way in ways_to_push(cast.handful, cast.shown)}
    _, again, stays = ways[option]
    stay = staying(cast.first, again)
    taken = [place for place in range(len(cast.first.faces)) if place not in stay]
    leads = msg("leads.push", n=again.size, ones=stays.ones + stays.ammo_ones)
    dice = tuple(f"{cast.first.entry}.{place}" for place in taken)
    if option == "push":
        return Offer(msg("option.push"), leads, dice=dice)
    return Offer(msg("option.push.again", dice=lift_said(cast, option)), leads, dice=dice)


def _attack_verdict(outcome: AttackOutcome, *, aimed: bool) -> Verdict:
    detail: list[Text] = []
    if outcome.damage_dealt:
        detail.append(msg("verdict.damage", n=outcome.damage_dealt))
    if outcome.hit and outcome.sixes and not aimed:
        # Nobody was named whom they could be given to: they are the table's to spend.
        detail.append(msg("verdict.bullets", n=outcome.sixes))
    if outcome.kills:
        detail.append(msg("verdict.kills", n=outcome.kills))
    if outcome.crits:
        detail.append(msg("verdict.crits", n=outcome.crits))
    if outcome.can_suppress:
        detail.append(msg("verdict.suppress"))
    if outcome.emptied:
        detail.append(msg("verdict.empty"))
    rounds = (msg("paid.rounds", n=outcome.rounds_spent),) if outcome.rounds_spent else ()
    weapon = "broken" if outcome.broken else "jammed" if outcome.jammed else "fires"
    hit = msg("verdict.hit" if outcome.hit else "verdict.miss", weapon=weapon)
    return Verdict(hit, _attack_tone(outcome), tuple(detail), (*rounds, *_paid(outcome)))


def _attack_tone(outcome: AttackOutcome) -> Tone:
    """A weapon that fails spoils a hit, and makes a miss worse than one."""
    if outcome.jammed or outcome.broken:
        return "mixed" if outcome.hit else "awful"
    return "great" if outcome.kills or outcome.crits else _tone(outcome.hit)


def _paid(outcome: Any) -> tuple[Text, ...]:
    """Return the roll's price for the roller."""
    prices = {"damage": "damage", "stress": "stress", "reliability": "reliability_loss"}
    owed = {name: getattr(outcome, field, 0) for name, field in prices.items()}
    return tuple(msg(f"paid.{name}", n=points) for name, points in owed.items() if points)


def _tone(good: bool) -> Tone:
    return "good" if good else "bad"
