"""Where the trees of decisions begin and end, each such place with a number of its own.

A place is an outcome, a rule that begins, a rule that has been told something, a sum still to be
thrown, or what a bound cut off. Equal places have one number, so that what each is worth stands
in a list.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rollwright.budget import Budget
from rollwright.engine.odds.chains import changes
from rollwright.engine.replay import Entered, ended, is_offer
from rollwright.engine.steps import (
    Args,
    Call,
    Choice,
    Finish,
    Rule,
    Step,
    Tally,
    Throw,
    Token,
    Tokens,
)
from rollwright.errors import Misuse

Place = int
"""The number of a place; never 0 but for what is lost."""


class Outcome(NamedTuple):
    """The end of the rule."""

    outcome: object


class Lost(NamedTuple):
    """What a stated bound cut off: it counts as the worst that was counted."""

    bound: str = "cut"


class Told(NamedTuple):
    """A rule that has been told something: a tree begins there."""

    tokens: Tokens


class Sum(NamedTuple):
    """A tally still to be thrown at the very end."""

    step: Tally[object]


End = Outcome | Lost | Sum | Told | Call[object]
"""What a place is; a call is a rule that begins."""
LOST: Place = 0
"""The place of all that a bound cut off."""
Ends = dict[Token, Place]
"""What a finish makes of what the dice gave."""
Offered = tuple[int, Token, Choice[object]]
"""The number of a case, what was thrown, and the choice that the finish makes of it."""
KEPT_START = 500
"""About how many bytes are kept for the place where a tree begins."""
_LESS = "keep less in the arguments of a rule that ends in itself"
DECISIONS = "following the decisions of this rule"


def leads_on(end: End) -> bool:
    """Whether a tree begins there."""
    return type(end) is Call or type(end) is Told


class Places:
    """All places of one question."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.ends: list[End] = [Lost()]
        self.valued: list[Place] = []
        """Outcomes and sums: the places that are worth something by themselves."""
        self._started: dict[Rule[..., object], dict[Args, Place]] = {}
        """By the rule and its arguments, which are sooner looked up than the call is."""
        self._told: dict[Tokens, Place] = {}
        self._outcomes: dict[object, Place] = {}
        self._sums: dict[tuple[object, ...], Place] = {}
        self._noted: dict[tuple[object, ...], Ends | None] = {}

    def tokens(self, place: Place) -> Tokens:
        """What the rule that goes on there has been told."""
        end = self.ends[place]
        if type(end) is Call:
            return (Entered(end),)
        assert type(end) is Told
        return end.tokens

    def start(self, call: Call[object]) -> Place:
        """Where a rule begins."""
        starts = self._starts_of(call.rule)
        place = starts.get(call.args)
        if place is None:
            place = starts[call.args] = len(self.ends)
            self.ends.append(call)
            self.budget.keep_states(call.args, 1, KEPT_START, DECISIONS, _LESS)
        return place

    def _starts_of(self, rule: Rule[..., object]) -> dict[Args, Place]:
        starts = self._started.get(rule)
        if starts is None:
            starts = self._started[rule] = {}
        return starts

    def told(self, tokens: Tokens) -> Place:
        """Where a rule stands after these tokens."""
        first = tokens[0]
        if len(tokens) == 1 and type(first) is Entered and type(first.call) is Call:
            return self.start(first.call)
        place = self._told.get(tokens)
        if place is None:
            place = self._told[tokens] = len(self.ends)
            self.ends.append(Told(tokens))
            self.budget.keep_states(tokens, 1, KEPT_START, DECISIONS, _LESS)
        return place

    def outcome(self, outcome: object) -> Place:
        """Where a rule ends in an outcome."""
        try:
            place = self._outcomes.get(outcome)
        except TypeError:
            raise Misuse(f"an outcome must be an unchanging value, not {outcome!r}") from None
        if place is None:
            place = self._outcomes[outcome] = len(self.ends)
            self.ends.append(Outcome(outcome))
            self.valued.append(place)
        return place

    def sum(self, step: Tally[object]) -> Place:
        """Where a rule ends in a sum; equal ones are thrown once."""
        start = step.start
        name = (step.pool, step.tables, step.finish, step.given, type(start), start)
        try:
            place = self._sums.get(name)
        except TypeError:
            raise Misuse(changes(step)) from None
        if place is None:
            place = self._sums[name] = len(self.ends)
            self.ends.append(Sum(step))
            self.valued.append(place)
        return place

    def finished(
        self, step: Throw[object], cases: list[tuple[Token, int]]
    ) -> tuple[list[Place], list[Offered]]:
        """Where the cases of a throw lead that has a finish: to outcomes, or to rules once more.

        Those that end in a choice have 0 for now, and are listed beside.
        """
        finish, given = step.finish, step.given
        assert finish is not None
        noted = self._ends_of(step, finish)
        offered: list[Offered] = []
        if noted is None:
            values = [finish(raw, *given) for raw, _ in cases]
            led_to = self._led_to(values)
            if 0 in led_to:
                offered = [
                    (number, cases[number][0], values[number])
                    for number, place in enumerate(led_to)
                    if not place
                ]
            return led_to, offered
        fresh = [raw for raw, _ in cases if not noted.get(raw)]
        values = [finish(raw, *given) for raw in fresh]
        noted.update(zip(fresh, self._led_to(values), strict=True))
        led_to = [noted[raw] for raw, _ in cases]
        if 0 in led_to:
            offers = dict(zip(fresh, values, strict=True))
            offered = [
                (number, raw, offers[raw])
                for number, (raw, _) in enumerate(cases)
                if not led_to[number]
            ]
        return led_to, offered

    def _led_to(self, values: list[Any]) -> list[Place]:
        """The places of outcomes, and of rules that begin; 0 for choices."""
        rule, starts = None, {}
        places: list[Place] = []
        for value in values:
            if type(value) is not Call:
                places.append(0 if is_offer(value) else self.outcome(ended(value)))
                continue
            if value.rule is not rule:
                rule = value.rule
                starts = self._starts_of(rule)
            places.append(starts.get(value.args) or self.start(value))
        return places

    def _ends_of(self, step: Throw[object], finish: Finish) -> Ends | None:
        """What a finish has made of sums and hands so far; None where it is the first time.

        Most ways to end are come to once, and then it is not worth noting them.
        """
        name = (finish, step.given)
        try:
            if name not in self._noted:
                self._noted[name] = None
                return None
        except TypeError:
            raise Misuse(changes(step)) from None
        known = self._noted[name]
        if known is None:
            known = self._noted[name] = {}
        return known

    def endings(self, endings: tuple[object, ...] | None) -> list[Place] | None:
        """Where the options of a choice lead that end the rule: 0 where dice are thrown first.

        None where there are none, or where a part would have to be played.
        """
        if endings is None:
            return None
        rule, starts = None, {}
        places: list[Place] = []
        for ending in endings:
            if type(ending) is Call:
                if ending.rule is not rule:
                    rule = ending.rule
                    starts = self._starts_of(rule)
                places.append(starts.get(ending.args) or self.start(ending))
            elif not isinstance(ending, Step):
                places.append(self.outcome(ending))
            elif isinstance(ending, Throw):
                places.append(0)
            else:
                return None
        return places
