"""Steps a compiled rule by itself from position to position, where nothing is to be learned.

That is what nearly all positions of a rule with a loop are like: one frame waits, all is known of
the dice, and what lives are plain values. Each answer is handed to the author's own lines, and
where it leads is looked up at once; a position is made only where it is new.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.engine.best.nodes import (
    KEPT_WAY,
    Chance,
    Child,
    Decision,
    Runs,
    Tree,
    merge_children,
)
from rollwright.engine.best.states import DECISIONS, NOTED, Plain, StateId
from rollwright.engine.compiled.fixed import are_own_keys
from rollwright.engine.compiled.keys import SIMPLE, Frozen, Keys, step_key
from rollwright.engine.compiled.machine import At, Machine, copied_live, have_no_dice, named_values
from rollwright.engine.failures import note_answers
from rollwright.engine.odds.count import GROWN, WAY_ON, spend_ways
from rollwright.engine.outcome_keys import ATOMS
from rollwright.engine.steps import Choice, RollStep, Step, Token, Tokens

if TYPE_CHECKING:
    from rollwright.engine.best.trees import TreeBuilder, _TreeBuild

_are_own_keys = SIMPLE.issuperset
_made: Any = tuple.__new__
"""Makes nodes, of which there are very many."""


class Ready(NamedTuple):
    """Answers to a throw or a choice of a rule by itself, ready to be stepped on from."""

    answers: Sequence[Token]
    total: int
    weights: Sequence[int]
    kept: int
    """About so many bytes are kept for a tree with them."""


class AuthorValues:
    """Picks those live values out of all that have names of an author's own."""

    __slots__ = ("places", "make")

    def __init__(self, names: tuple[str, ...]) -> None:
        self.places = [place for place, name in enumerate(names) if name[0] != "."]
        self.make = named_values(tuple([names[place] for place in self.places]))

    def __call__(self, live: tuple[Any, ...]) -> Tokens:
        return self.make([live[place] for place in self.places])


class Stepping:
    """Steps on for the trees of one question."""

    __slots__ = ("grower", "places", "growth")

    def __init__(self, grower: TreeBuilder, growth: _TreeBuild) -> None:
        self.grower = grower
        self.places = grower.places
        self.growth = growth

    def plainly(self, place: StateId, end: Plain) -> list[Child]:
        """Grow the tree where a rule by itself asks something; return where that leads."""
        machine, number, live, asked, changes = end
        grower = self.grower
        if asked is machine.asks[number]:
            key = None
        elif type(asked) is Choice or asked.sees is not None:
            key = asked
        else:
            key = asked.pool if asked.read is None else asked
        ready: Ready | None = machine.ready[number].get(key)
        if ready is None:
            ready = self._ready(end, key)
            if ready is None:
                return [*grower.build(place).ends()]
        site = machine.program.sites[number]
        if site.added and grower.runs and grower.compiling.grows and len(self.places.ends) > GROWN:
            raise Runs
        answers, total, weights, kept = ready
        budget = grower.budget
        steps = WAY_ON * (1 + len(answers))
        if steps > budget.work - budget.spent:
            spend_ways(budget, end.at, len(answers), DECISIONS)
        else:
            budget.spend(steps, DECISIONS)
        node: Chance | Decision
        if total:
            copies = changes and not machine.shares(number, live, self.immutable)
            children = self.step_each(machine, number, live, answers, place, copies=copies)
            if len({*children}) < len(children):
                weights, children = merge_children(children, weights)
                if len(children) == 1:
                    grower.grown[place] = _made(Tree, ([], children[0]))
                    return children
            node = _made(Chance, (total, weights, children))
        else:
            children = self.follow_choice(end, place)
            about = asked.about
            seen = () if about is not None else self._author_values(machine, number)(live)
            node = _made(Decision, (answers, asked.by, about, asked.against, seen, children))
        budget.kept += kept
        grower.grown[place] = _made(Tree, ([node], -1))
        self.places.ends[place] = NOTED
        return children

    @property
    def immutable(self) -> Frozen:
        """Return the values that positions share."""
        return self.grower.compiling.stepper.frozen

    def _author_values(self, machine: Machine, number: int) -> AuthorValues:
        """Return the function that picks the values by which a line of advice is named."""
        named = machine.named[number]
        if named is None:
            named = machine.named[number] = AuthorValues(machine.program.sites[number].names)
        return named  # type: ignore[no-any-return]

    def _ready(self, end: Plain, key: object) -> Ready | None:
        """The answers to what is asked; None where more has to be known than lives there."""
        machine, number, _, asked, _ = end
        grower = self.grower
        if grower.compiling.stepper.sees_types or grower.running is not None or grower.others:
            return None
        if type(asked) is Choice:
            kept = KEPT_WAY * len(asked.options)
            grower.choosers.add(asked.by)
            ready = _made(Ready, (asked.options, 0, (), kept))
            if key is None:
                machine.ready[number][key] = ready
            return ready  # type: ignore[no-any-return]
        self.growth.refuse_hidden(asked)
        cases = grower.compiling.straight(end.at, None)
        if cases is None or sum(cases.weights) != cases.total:
            return None
        answers = [token for token, _ in cases.listed]
        kept = KEPT_WAY * len(answers)
        ready = machine.ready[number][key] = Ready(answers, cases.total, cases.weights, kept)
        return ready

    def led_on(self, at: At, place: StateId, answers: list[Token]) -> list[Child]:
        """Return the places to which answers to a straight position lead."""
        assert at.frame is not None
        machine, number, live, _ = at.frame
        if type(at.asked) is Choice:
            return self.follow_choice(Plain(machine, number, live, at.asked, at.changes), place)
        copies = at.changes and not machine.shares(number, live, self.immutable)
        return self.step_each(machine, number, live, answers, place, copies=copies)

    def led_on_below(self, at: At, place: StateId, answers: Iterable[Token]) -> list[Child]:
        """The same where other frames wait below, none of which can change."""
        assert at.frame is not None
        machine, number, live, below = at.frame
        compiling = self.grower.compiling
        function, run = machine.functions[number], compiling.stepper.run
        outcome, kept, leads_to = self.places.outcome, compiling.narrow, self.growth.leads_to
        children: list[Child] = []
        token: Token = None
        try:
            for token in answers:
                asked, after, lives = function(live, token)
                asked, frame = run(asked, after, lives, machine, below)
                if not isinstance(asked, Step):
                    children.append(outcome(frame))
                else:
                    children.append(leads_to(asked, kept(frame), (place, token)))
        except Exception as problem:
            note_answers(problem, (at, token))
            raise
        return children

    def follow_choice(self, end: Plain, place: StateId) -> list[Child]:
        """Return the places to which the options of a choice lead.

        Where one leads does not rest on which others there are.
        """
        machine, number, live, asked, changes = end
        options = asked.options
        if asked is machine.asks[number] or changes:
            copies = changes and not machine.shares(number, live, self.immutable)
            return self.step_each(machine, number, live, options, place, copies=copies)
        if id(asked) not in machine.kept and not are_own_keys(options):
            return self.step_each(machine, number, live, options, place)
        all_live = live if _are_own_keys(map(type, live)) else Keys().all_of(live)
        ways: dict[Token, Child] = machine.ways[number].setdefault(all_live, {})
        children: list[Any] = [*map(ways.get, options)]
        if None in children:
            fresh = [option for option in options if option not in ways]
            led_to = self.step_each(machine, number, live, fresh, place)
            ways.update(zip(fresh, led_to, strict=True))
            children = [*map(ways.get, options)]
        return children

    def step_each(
        self,
        machine: Machine,
        number: int,
        live: Any,
        answers: Iterable[Token],
        place: StateId,
        *,
        copies: bool = False,
    ) -> list[Child]:
        """Return where answers lead; each way has its own copy of what can change, if wanted."""
        compiling, places = self.grower.compiling, self.places
        function, asks, plain = machine.functions[number], machine.asks, machine.plain
        immutable, kept, tables = compiling.stepper.frozen, machine.kept, machine.tables
        outcomes, are_own_keys = places.plain, _are_own_keys
        children: list[Child] = []
        add = children.append
        token: Token = None
        try:
            for token in answers:
                if copies:
                    asked, after, lives = function(copied_live(live), token)
                else:
                    asked, after, lives = function(live, token)
                kind = type(asked)
                if after is None:
                    if kind in ATOMS:
                        found = outcomes.get((kind, asked))
                        if found is None:
                            found = outcomes[kind, asked] = places.outcome(asked)
                        add(found)
                        continue
                elif after < 0:
                    pass
                elif asked is asks[after] and are_own_keys(map(type, lives)):
                    found = plain[after].get(lives)
                    if found is None:
                        found = places.plainly_asks(machine, after, lives, asked, compiling)
                        plain[after][lives] = found
                    add(found)
                    continue
                elif (kind is Choice and asked.endings is None) or (
                    kind is RollStep and asked.finish is None
                ):
                    keys: Keys | None = None
                    key: Hashable = lives
                    known = are_own_keys(map(type, lives))
                    if not known and have_no_dice(map(type, lives)):
                        keys = Keys(frozen=immutable)
                        key, known = keys.all_of(lives), True
                    if known:
                        table: dict[Any, int] = tables[after]
                        if asked is asks[after]:
                            table = plain[after]
                        elif kind is RollStep and asked.read is None:
                            key = (key, (asked.pool, None, asked.sees))
                        else:
                            name: Any = kept.get(id(asked))
                            if name is None:
                                keys = keys or Keys(frozen=immutable)
                                name = step_key(asked, keys)
                            key = (key, name)
                        found = table.get(key)
                        if found is None:
                            found = table[key] = places.plainly_asks(
                                machine,
                                after,
                                lives,
                                asked,
                                compiling,
                                keys is not None and bool(keys.numbers),
                            )
                        add(found)
                        continue
                led_to = compiling.stepper.run(asked, after, lives, machine, None)
                ((asked, waiting),) = compiling.ends([led_to], places.outcome)
                add(self.growth.leads_to(asked, waiting, (place, token)))
        except Exception as problem:
            note_answers(problem, (At(None, (machine, number, live, None), False), token))
            raise
        return children
