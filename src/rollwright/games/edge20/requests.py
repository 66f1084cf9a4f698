"""Checks, turns and repairs as somebody asks for them, checked field by field."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from rollwright.budget import Budget
from rollwright.i18n.catalogs import words_of
from rollwright.kit import Request, Value, field, preset, refuse_if
from rollwright.kit.fields import refuse_above, shared_fields

from .house import LINES, House
from .modifiers import EDGES_SAID, checked_edges, effect_dice
from .outcomes import CheckOutcome, RepairOutcome, TurnOutcome

msg = words_of(__package__ or __name__).msg
PER_CHECK = PER_ATTEMPT = 5
MOST_REROLLS = 6
MOST_ATTEMPTS = 40
MOST_CHECKS = 6
MOST_SHARED = 3
MOST_IN_ANY_ORDER = 4
MOST_POINTS = 150
PLAIN_HOUSE = House()
_MODIFIER = "The modifier of that skill; no cap touches it."
_BONUSES = "Every single bonus; together at most twice the largest counts."


def _amounts(help: str, rule: str, most: int = 99) -> Any:
    return preset((), help, 0, 99, rule, most=most)


class D20Roll(Value):
    """The common fields of d20 rolls."""

    skill: str = preset("", "The skill that fits best.", rule="EDGE R4", most=60, known=True)
    modifier: int = preset(0, _MODIFIER, -999, 999, "EDGE R4")
    advantages: int = preset(
        0, "How many things give advantage; one is as good as many.", 0, 99, "EDGE R18"
    )
    disadvantages: int = preset(
        0, "How many things give disadvantage; one is as bad as many.", 0, 99, "EDGE R18"
    )
    edges: int | str | tuple[str, ...] = preset(
        0,
        "Edges on the roll: a number, negative for lost ones, or what each comes from, with a "
        "minus sign before lost ones: high ground, -rain.",
        rule="EDGE R23",
        would_do=EDGES_SAID,
    )
    bonuses: tuple[int, ...] = _amounts(_BONUSES, "EDGE R32")
    penalties: tuple[int, ...] = _amounts(
        "Every single penalty, as a positive number; capped like bonuses.", "EDGE R33"
    )

    def check(self) -> None:
        self.settle(edges=checked_edges("edges", self.edges, "EDGE R23"))


class Action(D20Roll):
    """One action of a turn: everything about its check but its place in the turn."""

    name: str = preset("", LINES["R6"].text, rule="EDGE R6", title="what is tried", most=200)
    target: str = preset("", LINES["R3"].text, rule="EDGE R3", most=60, person=True)
    dc: int = field(
        help=f"The number to reach, before edges on it. {LINES['R7'].text}",
        title="DC",
        low=-99,
        high=199,
        rule="EDGE R7",
    )
    dc_edges: int | str | tuple[str, ...] = preset(
        0,
        "Edges on the DC instead of the roll, written like edges; gained ones raise it.",
        rule="EDGE R29",
        title="edges on the DC",
        would_do=EDGES_SAID,
    )
    rerolls: int = preset(0, "How often something lets you roll one d20 again.", 0, 9, "EDGE R20")
    effect: str = preset(
        "",
        "Damage or healing dice, such as 2d6+3, thrown along with the check.",
        rule="EDGE R5",
        title="effect dice",
        most=100,
    )
    effect_bonuses: tuple[int, ...] = _amounts(
        "Bonuses to damage or healing, capped like others.", "EDGE R30"
    )
    effect_penalties: tuple[int, ...] = _amounts(
        "Penalties to damage or healing, as positive numbers.", "EDGE R30"
    )
    attack: bool = preset(
        False,
        "Whether it is an attack: a critical success then has a critical effect.",
        rule="EDGE R38",
    )
    item: str | None = preset(
        None,
        "The weapon or tool in use, which a critical failure disables; an attack is made with a "
        "weapon unless this is empty.",
        rule="EDGE R39",
        most=60,
    )
    item_tier: int | None = preset(
        None, "The Tier that sets the DC to get it working again.", 0, 99, "EDGE R40"
    )

    def check(self) -> None:
        super().check()
        self.settle(dc_edges=checked_edges("dc_edges", self.dc_edges, "EDGE R29"))
        effect_dice(self.effect)

    @property
    def used_item(self) -> str:
        """The thing that a critical failure disables; empty for bare hands."""
        if self.item is None:
            return "weapon" if self.attack else ""
        return self.item


class Check(Action, Request, roll="check", title="Check", version="3", outcome=CheckOutcome):
    """One check: a d20 against a DC, with all that helps and hinders."""

    nth_check: int = preset(
        1, "Which check of this turn it is: each after the first is at 5 less.", 1, 99, "EDGE R13"
    )
    in_turn: bool = preset(
        True,
        "Whether it is one of the checks of a turn; no outside a turn, and for one that the GM "
        "asks for: then it costs no other check anything, and there is no turn to end.",
        rule="EDGE R13",
    )
    house: House = preset(PLAIN_HOUSE, "House rules.")

    def check(self) -> None:
        super().check()
        most = self.house.max_checks
        if most is not None:
            problem = msg("refusal.nth", n=self.nth_check)
            refuse_above("nth_check", self.nth_check, most, problem, "EDGE R14", low=1)

    @property
    def turn_price(self) -> int:
        """The penalty for earlier checks in the turn."""
        return PER_CHECK * (self.nth_check - 1) if self.in_turn else 0


class Turn(Request, roll="turn", title="Turn of several checks", version="4", outcome=TurnOutcome):
    """Several checks in one turn; after each the player goes on or leaves it at that."""

    checks: tuple[Action, ...] = field(
        help=f"The checks in order. {LINES['R2'].text} {LINES['R14'].text} More than {MOST_CHECKS} "
        "are not counted.",
        most=MOST_CHECKS,
        rule="EDGE R13",
    )
    any_order: bool = preset(
        False,
        "Whether the player picks the next check instead of going down the list.",
        rule="EDGE R12",
    )
    rerolls: int = preset(
        0,
        "Re-rolls for the whole turn, besides those of single checks; each multiplies what there "
        f"is to count, so at most {MOST_SHARED}.",
        0,
        MOST_SHARED,
        "EDGE R20",
    )
    checks_before: int = preset(
        0, "How many checks were already made this turn.", 0, 20, "EDGE R13"
    )
    house: House = preset(PLAIN_HOUSE, "House rules.")

    def check(self) -> None:
        """A turn has at least one check, numbers them, and has one set of house rules."""
        problem, would_do = msg("refusal.no_checks"), msg("fits.check")
        refuse_if(not self.checks, "checks", problem, "EDGE R12", would_do)
        self.settle(checks=tuple(_action(n, part) for n, part in enumerate(self.checks)))
        most = self.house.max_checks
        if most is not None:
            problem = msg("refusal.before", n=self.checks_before)
            refuse_above("checks_before", self.checks_before, most - 1, problem, "EDGE R14")

    def check_count(self, budget: Budget, policy: str = "") -> None:
        """Refuse at once what would take minutes to count: too many re-rolls, too much effect."""
        own, checks = sum(part.rerolls for part in self.checks), len(self.checks)
        rerolls = own + self.rerolls
        problem, would_do = (
            msg("refusal.rerolls", own=own),
            msg("fits.rerolls", most=MOST_REROLLS),
        )
        refuse_if(rerolls > MOST_REROLLS, "rerolls", problem, "EDGE R20", would_do)
        refuse_if(
            rerolls and self.any_order and checks > MOST_IN_ANY_ORDER,
            "any_order",
            msg("refusal.orders"),
            "EDGE R20",
            msg("fits.orders", most=MOST_IN_ANY_ORDER),
        )
        pools = [effect_dice(part.effect).pool for part in self.checks]
        points = sum(len(die.faces) for pool in pools for die in pool)
        orders = 2**checks // checks if self.any_order else 1
        most = MOST_POINTS // (orders * max(rerolls * checks, 1))
        problem = msg("refusal.points", points=points, chosen=most < MOST_POINTS)
        refuse_if(points > most, "checks", problem, "EDGE R5", msg("fits.points", most=most))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """A different word for each check of the plan, to choose among them."""
        names = [part.name or part.skill for part in self.checks]
        labels = tuple(
            f"{name} ({n})" if name and names.count(name) > 1 else name or f"check {n}"
            for n, name in enumerate(names, start=1)
        )
        if len({*labels, "stop"}) == len(labels) + 1:
            return labels
        return tuple(f"check {n}" for n in range(1, len(labels) + 1))


class Repair(
    D20Roll,
    Request,
    roll="repair",
    title="Getting it working again",
    version="2",
    outcome=RepairOutcome,
):
    """Getting a jammed weapon or broken tool to work again, try after try."""

    item: str = preset("", "What does not work.", rule="EDGE R39", most=60, known=True)
    tier: int = field(
        help="The Tier that counts; the DC is 10 more.", low=0, high=99, rule="EDGE R40"
    )
    modifier: int = preset(0, f"{_MODIFIER} There must be room for the +5s.", -499, 499, "EDGE R4")
    bonuses: tuple[int, ...] = _amounts(
        f"{_BONUSES} There must be room for the +5s beside them.", "EDGE R32", most=20
    )
    attempt: int = preset(
        1,
        "Which attempt on this jam the first one here is: each later one has +5 more. By the "
        f"{MOST_ATTEMPTS}th it has +{PER_ATTEMPT * (MOST_ATTEMPTS - 1)}, later ones are alike.",
        1,
        MOST_ATTEMPTS,
        "EDGE R41",
    )
    tries_per_turn: int = preset(
        1,
        "How many attempts are made in a turn; each after the first is at 5 less.",
        1,
        9,
        "EDGE R13",
    )
    checks_before: int = preset(
        0, "How many checks were already made in the first turn.", 0, 20, "EDGE R13"
    )
    limit: int = preset(
        20,
        f"After how many attempts to give up: at most {MOST_ATTEMPTS}, by when +5 has been added "
        "so often that all is settled.",
        1,
        MOST_ATTEMPTS,
        "EDGE R41",
    )
    house: House = preset(PLAIN_HOUSE, "House rules.")

    def check(self) -> None:
        super().check()
        most = self.house.max_checks
        if most is not None:
            beyond = self.checks_before + self.tries_per_turn > most
            problem, would_do = msg("refusal.tries", most=most), msg("fits.tries", most=most)
            refuse_if(beyond, "tries_per_turn", problem, "EDGE R14", would_do)


def _action(number: int, part: Action) -> Action:
    """A check as a part of a turn, which numbers its checks and has one set of house rules."""
    if not isinstance(part, Check):
        return part
    own = part.nth_check != 1 or part.house != PLAIN_HOUSE
    problem, would_do = msg("refusal.settled"), msg("fits.settled")
    refuse_if(own, f"checks[{number}]", problem, "EDGE R13", would_do)
    return Action(**shared_fields(part, Action))


def as_check(part: Action, nth: int, house: House, more_rerolls: int = 0) -> Check:
    """An action as the nth check of its turn."""
    fields = shared_fields(part, Action)
    fields["rerolls"] += more_rerolls
    return Check(**fields, nth_check=nth, house=house)
