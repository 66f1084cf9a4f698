"""A game, all it offers, and where games are found."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rollwright.dice import Face, Outcome
from rollwright.engine.steps import Call
from rollwright.engine.values import check_names, settle
from rollwright.errors import BadField, UnknownName, a_or_an
from rollwright.kit.checks import written_fraction
from rollwright.kit.fields import Value
from rollwright.kit.house_rules import Line
from rollwright.kit.questions import Question
from rollwright.kit.requests import Request, make_request

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from rollwright.engine.best.advice import best
    from rollwright.engine.best.policies import Goal as WorthOf
    from rollwright.engine.odds import count
    from rollwright.engine.transcript import Transcript

Decide: TypeAlias = "count.Policy"
Worth: TypeAlias = "WorthOf"

BUILT_IN = ("dust", "edge20", "ghostburn", "kleptonomicon", "twilight2000")
ENTRY_POINTS = "rollwright.games"


class Policy(NamedTuple):
    """A named way to decide: `make(argument, request)` gives the policy for odds and live play."""

    title: str
    make: Callable[[str, Request], Decide]
    argument: str = ""
    """What may follow the name after a colon, such as `N` in `below:N`; empty for nothing."""

    @classmethod
    def of(cls, title: str, decide: Decide) -> Policy:
        """A way to decide that needs nothing but the situation."""
        return cls(title, lambda argument, request: decide)

    @classmethod
    def numbered(
        cls,
        title: str,
        decides: Callable[[int], Decide],
        *,
        name: str,
        says: str,
        low: int,
        high: int,
        rule: str = "",
        default: str = "",
    ) -> Policy:
        """A way to decide with a whole number after its name, such as `below:2`.

        `says` is what the number says: "how many points to keep".
        """

        def make(argument: str, request: Request) -> Decide:
            given = argument or default
            short = given.isascii() and given.isdigit() and len(given) <= len(str(high))
            if not short or not low <= int(given) <= high:
                raise BadField(
                    "policy",
                    f"{name}:{argument[:20]} does not say {says}",
                    rule=rule,
                    would_do=f"{name}:{low} to {name}:{high}",
                )
            return decides(int(given))

        return cls(title, make, "N")


class Goal(NamedTuple):
    """What somebody wants of a roll, in a player's words: a number for every outcome."""

    title: str
    worth: Worth
    rolls: tuple[str, ...] = ()
    """The kinds of roll it is for; empty for all."""


class Effect(NamedTuple):
    """One thing that an outcome changes: `Effect("reliability", -2, "M4")`."""

    kind: str
    amount: Any = 0
    target: str = ""
    """Whom or what it changes; empty for the one who rolled."""
    quiet: bool = False
    """Bookkeeping that nobody needs to be told."""

    def __repr__(self) -> str:
        target = f", {self.target!r}" if self.target else ""
        quiet = ", quiet=True" if self.quiet else ""
        return f"Effect({self.kind!r}, {self.amount!r}{target}{quiet})"


def by_request(kinds: Mapping[type[Request], Callable[..., Any]]) -> Callable[[Request, Any], Any]:
    """One function out of one for each kind of request: `tell`, `effects` and their like."""

    def one(request: Request, other: Any) -> Any:
        found = next((kinds[kind] for kind in type(request).__mro__ if kind in kinds), None)
        if found is None:
            raise UnknownName("roll", request.roll, [kind.roll for kind in kinds])
        return found(request, other)

    return one


class Game:
    """Everything a game offers. A module `rollwright.games.NAME` holds one as `game`."""

    def __init__(
        self,
        *,
        name: str,
        title: str,
        summary: str,
        requests: Mapping[type[Request], Callable[[Any], Call[Outcome]]]
        | tuple[type[Request], ...],
        house: type[Value],
        prefix: str,
        rulebook: Mapping[str, Line],
        tell: Callable[[Request, Transcript], str],
        policies: Mapping[str, Policy] | None = None,
        goals: Mapping[str, Goal] | None = None,
        default_policy: str = "",
        default_goal: str = "",
        sheet: type[Value] | None = None,
        effects: Callable[[Request, Outcome], tuple[Effect, ...]] | None = None,
        apply: Callable[[Any, Effect], Value] | None = None,
        from_sheet: Callable[..., Request] | None = None,
        questions: Iterable[Callable[..., object]] = (),
        icons: Mapping[Face, str] | None = None,
        new_session: Callable[[], tuple[Effect, ...]] | None = None,
        stays: Callable[[Request, Transcript], tuple[tuple[int, int], ...]] | None = None,
        whose: Callable[[Request, Transcript], str] | None = None,
        package: str = "",
        sheet_version: str = "1",
    ) -> None:
        self.name = name
        self.package = package or str(sys._getframe(1).f_globals["__name__"])
        """Where its types and rules lie: the module or package that makes the game, as a rule.
        What is written down calls them by the game's name and their own."""
        self.title = title
        self.summary = summary
        self.requests = {kind.roll: kind for kind in requests}
        """The kinds of roll by name, the usual one first; given with the rule that each calls with
        itself, or alone where they have a `call` of their own."""
        for kind in requests:
            kind.game = name
            if isinstance(requests, Mapping):
                kind.rule = requests[kind]
        self.default_roll = next(iter(self.requests))
        self.house = house
        self.prefix = prefix
        """How tests cite a line of the rulebook: `T2K R31`."""
        self.rulebook = dict(rulebook)
        self.tell = tell
        """`tell(request, transcript)`: what happened, in one sentence."""
        self.policies = dict(policies or {})
        self.goals = dict(goals or {})
        self.default_policy = default_policy
        self.default_goal = default_goal
        self.sheet = sheet
        self.sheet_version = sheet_version
        """Another one when sheets are understood otherwise, or a new session changes them so."""
        self.effects = effects
        """`effects(request, outcome)`: what an outcome changes, as data."""
        self.apply = apply
        """`apply(sheet, effect)`: the sheet after an effect."""
        self.from_sheet = from_sheet
        """`from_sheet(sheet, roll, **fields)`: a request with what the sheet knows filled in."""
        self.questions = {asked.__name__: Question(asked) for asked in questions}
        """What players and referees ask of it, each answered exactly; by the function's name."""
        self.icons = dict(icons or {})
        """What stands on a face beside its number: by the face, or as `"ammo 6"`."""
        self.new_session = new_session
        """`new_session()`: what a new session changes on every sheet, as data."""
        self.stays = stays
        """`stays(request, transcript)`: which earlier faces lie on beside the last throw: the
        number of the entry and the place in it, for each."""
        self.whose = whose
        """`whose(request, transcript)`: the name of whoever throws the dice that are waited for;
        empty where that is the roller."""
        settle(name, self.package)

    def request(self, roll: str = "", /, **fields: object) -> Request:
        """A request of this game, checked field by field."""
        return make_request(self.requests, roll or self.default_roll, fields)

    def version_of(self, roll: object) -> str:
        """The version of a kind of roll, which old rolls name; empty where there is no such."""
        kind = self.requests.get(roll) if isinstance(roll, str) else None
        return "" if kind is None else kind.version

    def policy(self, name: str, request: Request) -> Decide | best:
        """The policy of that name: `never`, `below:2`, or `best` and `best:GOAL`."""
        from rollwright.engine.best.advice import best

        word, _, argument = name.partition(":")
        if word == "best":
            return best(self.goal(argument, request))
        if word not in self.policies:
            raise UnknownName("policy", name, [*self.policies, "best"])
        if argument and not self.policies[word].argument:
            raise BadField("policy", f"{word!r} takes nothing after it, {argument!r} came")
        return self.policies[word].make(argument, request)

    def goal(self, name: str, request: Request | type[Request]) -> Worth:
        """The goal of that name, or prices such as `hit=1,damage=-0.3` per outcome field."""
        name = name or self.default_goal
        if "=" in name:
            return _prices(name, request.outcome)
        if name not in self.goals:
            raise UnknownName("goal", name, self.goals)
        goal = self.goals[name]
        if goal.rolls and request.roll not in goal.rolls:
            raise BadField("goal", f"{name!r} is not a goal of {a_or_an(request.roll)} roll")
        return goal.worth

    def __repr__(self) -> str:
        return f"<game {self.name}: {', '.join(self.requests)}>"


def _prices(text: str, outcome: type) -> Callable[[Outcome], Fraction]:
    """A goal that adds up a price for each named field of an outcome."""
    fields = getattr(outcome, "_fields", ())
    prices: list[tuple[str, Fraction]] = []
    for part in text.split(","):
        name, _, price = (word.strip() for word in part.partition("="))
        if name not in fields:
            raise UnknownName("outcome field", name, fields, field="goal")
        worth = written_fraction(price)
        if worth is None:
            raise BadField("goal", f"the price {price[:40]!r} is not a number")
        prices.append((name, worth))
    return lambda found: sum((price * _number(found, name) for name, price in prices), Fraction(0))


def _number(outcome: Outcome, name: str) -> int | Fraction:
    value = getattr(outcome, name)
    if not isinstance(value, (int, Fraction)):
        raise BadField("goal", f"{name} is {value!r} here, which cannot be given a price")
    return value


_loaded: dict[str, Game] = {}


def find_game(name: str) -> Game:
    """A game by name: one of ours, or one that an installed package adds."""
    if name not in _loaded:
        if name in BUILT_IN:
            from importlib import import_module

            game: Game = import_module(f"rollwright.games.{name}").game
        else:
            point = _entry_points().get(name)
            if point is None:
                raise UnknownName("game", name, [*BUILT_IN, *_entry_points()])
            game = point.load()
        check_names(game.name)
        _loaded[name] = game
    return _loaded[name]


def from_plain(plain: Any) -> Request:
    """The request behind parsed JSON, checked field by field."""
    if not isinstance(plain, dict):
        raise BadField("request", f"{plain!r} is not a request", would_do='{"game": …, "roll": …}')
    for name in plain:
        if not isinstance(name, str):
            raise BadField("request", f"a field is named by a text, not by {name!r}")
    fields = dict(plain)
    game = find_game(str(fields.pop("game", "")))
    return game.request(str(fields.pop("roll", game.default_roll)), **fields)


def add_game(game: Game) -> Game:
    """Make a game known by name in this process, to try it while it is being written.

    The list of games still names only what is installed.
    """
    if game.name in BUILT_IN:
        raise BadField("name", f"{game.name!r} is a game of Rollwright's own", would_do="another")
    check_names(game.name)
    _loaded[game.name] = game
    return game


def list_games() -> tuple[str, ...]:
    """The names of all games there are."""
    return tuple(sorted({*BUILT_IN, *_entry_points()}))


def _entry_points() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}
