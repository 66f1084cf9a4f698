"""The rules of a program: what each takes, and its odds where all of that has a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from rollwright.engine.best.advice import advise
from rollwright.engine.steps import Rule
from rollwright.errors import NeedsPolicy, RollwrightError
from rollwright.file_games import game_of_rules
from rollwright.i18n.locale import format_text
from rollwright.kit.fields import Field, fields_of
from rollwright.kit.games import Game
from rollwright.kit.requests import Request, to_plain
from rollwright.queries.curves import axis_of
from rollwright.queries.games import field_plain
from rollwright.queries.measures import GoalMeasure
from rollwright.queries.odds import known_odds
from rollwright.queries.roll_specs import of_request
from rollwright.workbench.outputs import advice_output, odds_output
from rollwright.workbench.problems import ABOVE, msg
from rollwright.workbench.texts import text_place

if TYPE_CHECKING:
    from rollwright.budget import Budget
    from rollwright.dice import Outcome
    from rollwright.exact import Dist
    from rollwright.jsonable import Json
    from rollwright.pictures.outcomes import View
    from rollwright.workbench.shapes import ArgumentShown, Output, OutputPlace, RuleShown, TextPlace

NAME = "program"
"""Name of a program's rules as a game, and of the module that it is run as."""
BEST = "best"
LONGEST_TOLD = 1_000
USUAL, FARTHEST = 12, 200
"""How far a slider goes where nothing bounds it, and how far at most."""


class RuleArguments(NamedTuple):
    """The values given for rules beside the program."""

    arguments: Mapping[str, Mapping[str, Json]]
    policies: Mapping[str, str]
    view: View = "each"


class RuleDescription(NamedTuple):
    """A rule, and what it shows by itself."""

    rule: RuleShown
    outputs: list[Output]
    failed: Exception | None = None
    """The exception of its own code while it was counted."""


def rules_in(module: ModuleType) -> dict[str, Rule[..., Any]]:
    """The rules that a program has made, by name, but for those that a game of it calls.

    Nor those of examples above it.
    """
    games = [one for one in vars(module).values() if isinstance(one, Game)]
    called = {id(kind.rule) for game in games for kind in game.requests.values()}
    return {
        name: one
        for name, one in vars(module).items()
        if isinstance(one, Rule)
        and one.__module__ == module.__name__
        and one.function.__code__.co_filename != ABOVE
        and id(one) not in called
    }


def as_game(module: ModuleType, title: str) -> Game | None:
    """The rules of a program as a game, so that everything can be asked about them."""
    rules = rules_in(module)
    return game_of_rules(module, rules, NAME, title) if rules else None


def describe_rules(
    game: Game, module: ModuleType, given: RuleArguments, budget: Callable[[], Budget]
) -> Iterator[RuleDescription]:
    """Each rule, with its odds where all that it takes has a value."""
    for name, kind in game.requests.items():
        yield _RuleCall(game, kind, cast("Rule[..., Any]", getattr(module, name)), given).describe(
            budget()
        )


class _RuleCall:
    """One rule with the values of its arguments."""

    def __init__(
        self, game: Game, kind: type[Request], rule: Rule[..., Any], given: RuleArguments
    ) -> None:
        self.game, self.kind, self.rule, self.view = game, kind, rule, given.view
        said = given.arguments.get(kind.roll, {})
        self.values = {name: one for name, one in said.items() if name in fields_of(kind)}
        self.policy = given.policies.get(kind.roll, "")

    @property
    def place(self) -> TextPlace:
        """The line of its `def`."""
        return text_place(self.rule.function.__code__.co_firstlineno)

    def describe(self, budget: Budget) -> RuleDescription:
        """The rule, and its odds if there is nothing missing."""
        fields = fields_of(self.kind).values()
        arguments = [self._argument(about.name) for about in fields]
        shown: RuleShown = {
            **self.place,
            "name": self.kind.roll,
            "told": " ".join((self.rule.__doc__ or "").split())[:LONGEST_TOLD],
            "arguments": arguments,
            "missing": [one["name"] for one in arguments if "value" not in one],
            "numbers": [one["name"] for one in arguments if one["kind"] == "int" and one["values"]],
            "outcome": list(getattr(self.kind.outcome, "_fields", ())),
            "chooses": False,
            "policies": [*self.game.policies, *([BEST] if self._has_worth else [])],
            "goals": list(self.game.goals_for(self.kind.roll)),
            "needs": "",
            "request": None,
        }
        if shown["missing"]:
            return RuleDescription(shown, [])
        try:
            request = self.kind.from_plain(self.values)
            shown["request"] = to_plain(request)
            return RuleDescription(shown, self._count(request, shown, budget))
        except NeedsPolicy as problem:
            first = problem.options[0]
            shown["needs"] = f"{format_text(problem.wording)}. {msg('needs.policy', option=first)}"
            return RuleDescription(shown, [])
        except RollwrightError as problem:
            shown["needs"] = format_text(problem.wording)
            shown["chooses"] = bool(self.policy)  # so that another can be named
            return RuleDescription(shown, [])
        except Exception as problem:  # whatever somebody's rule does
            return RuleDescription(shown, [], problem)

    @property
    def _has_worth(self) -> bool:
        """Whether it is known what best play is for."""
        return bool(self.game.usual_goal(self.kind.roll))

    def _argument(self, name: str) -> ArgumentShown:
        about = fields_of(self.kind)[name]
        axis = axis_of(self.kind, name)
        values = () if axis is None else _stops(about, axis.values)
        shown = cast("ArgumentShown", {**field_plain(about), "values": list(values)})
        if about.kind == "int" and values:
            shown["low"], shown["high"] = values[0], values[-1]
        if name in self.values:
            shown["value"] = self.values[name]
        elif not about.is_required:
            shown["value"] = shown.get("default")
        return shown

    def _count(self, request: Request, shown: RuleShown, budget: Budget) -> list[Output]:
        """Its odds under the policy that was named; without one best play, if that is known."""
        subject = of_request(request)
        at: OutputPlace = {**self.place, "name": _format_call(request), "rule": self.kind.roll}
        try:
            known = known_odds(subject, self.policy, budget)
        except NeedsPolicy as problem:
            shown["chooses"] = True
            if not self._has_worth:
                raise problem
            return self._best(request, at, budget)
        shown["chooses"] = known.chooses
        return [odds_output(known.dist, at, self.view)]

    def _best(self, request: Request, at: OutputPlace, budget: Budget) -> list[Output]:
        """Best play for as much as can be, and its odds."""
        subject = of_request(request)
        aim = GoalMeasure(subject)
        dist: Dist[Outcome] = known_odds(subject, BEST, budget).dist
        advice = advise(request.call(), aim.goal, budget=budget)
        chance = self.kind.outcome is bool
        return [advice_output(advice, at, chance=chance), odds_output(dist, at, self.view)]


def _stops(about: Field, values: tuple[Json, ...]) -> tuple[Any, ...]:
    """Return the stops of a slider: all values of an argument; if it is open, the usual ones."""
    if about.kind != "int" or about.low is not None or about.high is not None:
        return values
    now = about.default if type(about.default) is int else 0
    far = max(USUAL, 2 * abs(now))
    return tuple(range(-far if now < 0 else 0, min(far, FARTHEST) + 1))


def _format_call(request: Request) -> str:
    """The rule as it would be called."""
    held = to_plain(request, whole=True)
    given = [f"{name}={one}" for name, one in held.items() if name not in ("game", "roll")]
    return f"{request.roll}({', '.join(given)})"
