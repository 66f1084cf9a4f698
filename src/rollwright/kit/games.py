"""A game, all it offers, and where games are found."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeAlias

from rollwright.dice import Face, Outcome
from rollwright.engine.steps import Call
from rollwright.engine.values import check_names, package_of, register_game
from rollwright.errors import BadCatalog, BadField, BrokenGame, UnknownName, article
from rollwright.i18n.catalogs import Messages, words_of
from rollwright.i18n.messages import HOUSE, msg
from rollwright.kit.card import Card
from rollwright.kit.checks import written_fraction
from rollwright.kit.fields import Value
from rollwright.kit.house_rules import Line, NoHouse
from rollwright.kit.questions import Question
from rollwright.kit.registration import (
    GAME_API,
    check_api,
    check_game,
    check_own,
    check_requests,
    check_rulebook,
)
from rollwright.kit.requests import Request, make_request
from rollwright.kit.shared import check_shared_sheet, shared_after
from rollwright.pictures.themes import icons_to_json, theme_to_json
from rollwright.timeouts import TooSlow, call_with_timeout

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from rollwright.engine.best.advice import best
    from rollwright.engine.best.policies import Goal as WorthOf
    from rollwright.engine.odds import count
    from rollwright.engine.transcript import Transcript

Decide: TypeAlias = "count.Policy"
Worth: TypeAlias = "WorthOf"

OWN = ENTRY_POINTS = "rollwright.games"
"""The folder of our own games, and the name of the group by which packages add theirs."""


class Policy(NamedTuple):
    """A named way to decide: `make(argument, request)` gives the policy for odds and live play."""

    title: str
    make: Callable[[str, Request], Decide]
    argument: str = ""
    """The argument after the name and a colon, such as `N` in `below:N`; empty for nothing."""

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
                problem = msg("refused.policy.says", policy=f"{name}:{argument[:20]}", says=says)
                fits = msg("fits.range", low=f"{name}:{low}", high=f"{name}:{high}")
                raise BadField("policy", problem, rule=rule, would_do=fits)
            return decides(int(given))

        return cls(title, make, "N")


class Goal(NamedTuple):
    """A goal of a roll, in a player's words: a number for every outcome."""

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
    """Bookkeeping that nobody needs to see."""

    def __repr__(self) -> str:
        target = f", {self.target!r}" if self.target else ""
        quiet = ", quiet=True" if self.quiet else ""
        return f"Effect({self.kind!r}, {self.amount!r}{target}{quiet})"


def by_request(kinds: Mapping[type[Request], Callable[..., Any]]) -> Callable[[Request, Any], Any]:
    """Return one function out of one for each kind of request: `tell`, `effects` and their like."""

    def one(request: Request, other: Any) -> Any:
        found = next((kinds[kind] for kind in type(request).__mro__ if kind in kinds), None)
        if found is None:
            raise UnknownName("roll", request.roll, [kind.roll for kind in kinds])
        return found(request, other)

    return one


class Game:
    """Everything a game offers. A module `rollwright.games.NAME` holds one as `game`.

    `api` is the version of all this that the game was written for.
    """

    says_sides: ClassVar[bool] = True
    """Whether its requests say who plays against whom."""

    def __new__(cls, **given: Any) -> Self:
        """Refuse what was written for another version before its keywords are looked at."""
        check_api(given.get("name") or "a game", given.get("api", GAME_API))
        return super().__new__(cls)

    def __init__(
        self,
        *,
        name: str = "",
        title: str,
        summary: str,
        requests: Mapping[type[Request], Callable[[Any], Call[Outcome]]]
        | tuple[type[Request], ...],
        house: type[Value] = NoHouse,
        prefix: str = "",
        rulebook: Mapping[str, Line] | None = None,
        tell: Callable[[Request, Transcript], str] | None = None,
        card: Card | None = None,
        policies: Mapping[str, Policy] | None = None,
        goals: Mapping[str, Goal] | None = None,
        default_policy: str = "",
        default_goal: str = "",
        sheet: type[Value] | None = None,
        effects: Callable[[Request, Outcome], tuple[Effect, ...]] | None = None,
        apply: Callable[[Any, Effect], Value] | None = None,
        shared: type[Value] | None = None,
        apply_shared: Callable[[Any, Effect], Value] = shared_after,
        from_sheet: Callable[..., Request] | None = None,
        questions: Iterable[Callable[..., object]] = (),
        icons: Mapping[Face, str] | None = None,
        new_session: Callable[[], tuple[Effect, ...]] | None = None,
        stays: Callable[[Request, Transcript], tuple[tuple[int, int], ...]] | None = None,
        whose: Callable[[Request, Transcript], str] | None = None,
        package: str = "",
        sheet_version: str = "1",
        api: int = GAME_API,
        is_open: bool = False,
    ) -> None:
        module = str(sys._getframe(1).f_globals["__name__"])
        self.maker = module.partition(".")[0]
        """Whose game it is: the name of the package at the top."""
        self.package = package or module
        """The module or package of its types and rules: as a rule the one that makes the game.
        Stored data call them by the game's name and their own.
        """
        self.name = name or self.package.rpartition(".")[2]
        """That of its folder, unless it says another."""
        self.api = api
        self.title = title
        self.summary = summary
        self.requests: dict[str, type[Request]] = {}
        """The kinds of roll by name, the usual one first; given with the rule that each calls with
        itself, or alone where they have a `call` of their own."""
        if not is_open:
            check_requests(self.name, requests)
            check_own(self.name, self.maker, requests, card)
            self.add_requests(requests)
        self.default_roll = next(iter(self.requests), "")
        self.house = house
        self.prefix = prefix
        """How tests cite a line of the rulebook: `T2K R31`."""
        lines = {} if rulebook is None else rulebook
        check_rulebook(self.name, lines)
        self.rulebook = dict(lines)
        self.told = tell
        """`tell(request, transcript)` as it was given: the narration in one sentence of plain text;
        a card may use messages instead.
        """
        self.card = card or Card()
        self.card.game = self
        theme_to_json(self.card.theme)
        icons_to_json(self.card.icons)
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
        if shared is not None:
            check_shared_sheet(shared)
        self.shared = shared
        """The shared sheet: fields with defaults and bounds."""
        self.apply_shared = apply_shared
        """`apply_shared(shared, effect)`: what the table shares after an effect on it."""
        self.from_sheet = from_sheet
        """`from_sheet(sheet, roll, **fields)`: a request with what the sheet knows filled in."""
        self.questions = {asked.__name__: Question(asked) for asked in questions}
        """Questions of players and referees, each answered exactly; by the function's name."""
        self.icons = dict(icons or {})
        """Icons on a face beside its number: by the face, or as `"ammo 6"`."""
        self.new_session = new_session
        """`new_session()`: what a new session changes on every sheet, as data."""
        self.stays = stays
        """`stays(request, transcript)`: which earlier faces lie on beside the last throw: the
        number of the entry and the place in it, for each."""
        self.whose = whose
        """`whose(request, transcript)`: the name of the player whose dice are due; empty if that is
        the roller.
        """
        if not is_open:
            check_game(self)
        register_game(self.name, self.package)

    def add_requests(
        self, requests: Mapping[type[Request], Callable[..., Any]] | Iterable[type[Request]]
    ) -> None:
        """Take kinds of roll for those of this game, as a rule each with its rule."""
        for kind in requests:
            kind.game, kind._maker = self.name, self.maker
            if isinstance(requests, Mapping):
                kind.rule = requests[kind]
            self.requests[kind.roll] = kind

    def settle(self) -> None:
        """Look at the game as a whole, where its parts come one by one."""

    @property
    def words(self) -> Messages:
        """The messages, in each language of the folder `words` beside its modules."""
        try:
            return words_of(self.package)
        except BadCatalog:  # typed where nothing can be imported from: it has no folder
            return words_of(HOUSE)

    def request(self, roll: str = "", /, **fields: object) -> Request:
        """A request of this game, checked field by field."""
        return make_request(self.requests, roll or self.default_roll, fields)

    def tell(self, request: Request, transcript: Transcript, language: str = "en") -> str:
        """Return the narration, in a sentence or more."""
        text = self.card.told(request, transcript)
        return text if isinstance(text, str) else self.words.say(text, language)

    def usual_goal(self, roll: str) -> str:
        """Return the usual goal of a kind of roll: its own, the game's, or the first one."""
        fitting = self.goals_for(roll)
        wanted = self.card.roll(roll).goal or self.default_goal
        return wanted if wanted in fitting else next(iter(fitting), "")

    def usual_policy(self, roll: str) -> str:
        """How a kind of roll is decided as a rule: its own way, the game's, or best play.

        Empty where the game has no goals, so that nothing is best.
        """
        said = self.card.roll(roll).policy or self.default_policy
        return said or ("best" if self.usual_goal(roll) else "")

    def goals_for(self, roll: str) -> dict[str, Goal]:
        """The goals that go with a kind of roll."""
        known = self.goals.items()
        return {name: goal for name, goal in known if not goal.rolls or roll in goal.rolls}

    def version_of(self, roll: object) -> str:
        """The version of a kind of roll, which old rolls name; empty where there is no such."""
        kind = self.requests.get(roll) if isinstance(roll, str) else None
        return "" if kind is None else kind.version

    def policy(self, name: str, request: Request) -> Decide | best:
        """The policy of that name: `never`, `below:2`, or `best` and `best:GOAL`."""
        from rollwright.engine.best.advice import best

        word, _, argument = name.partition(":")
        if word == "best":
            return best(self.goal(argument, request), opponents=request.opponents)
        if word not in self.policies:
            raise UnknownName("policy", name, [*self.policies, "best"])
        if argument and not self.policies[word].argument:
            raise BadField(
                "policy", msg("refused.policy.bare", policy=repr(word), came=repr(argument))
            )
        return self.policies[word].make(argument, request)

    def goal(self, name: str, request: Request | type[Request]) -> Worth:
        """The goal of that name, or prices such as `hit=1,damage=-0.3` per outcome field."""
        own = request.usual_goal if isinstance(request, Request) else ""
        name = name or own or self.usual_goal(request.roll)
        if not name:
            would_do = ", ".join([*self.goals_for(request.roll), "FIELD=1"])
            raise BadField("goal", msg("refused.goal.unsaid"), would_do=would_do)
        if "=" in name:
            return _prices(name, request.outcome)
        if name not in self.goals:
            raise UnknownName("goal", name, self.goals)
        goal = self.goals[name]
        if goal.rolls and request.roll not in goal.rolls:
            roll = {"article": article(request.roll), "roll": request.roll}
            raise BadField("goal", msg("refused.goal.other", goal=repr(name), **roll))
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
            raise UnknownName("outcome_field", name, fields, field="goal")
        worth = written_fraction(price)
        if worth is None:
            raise BadField("goal", msg("refused.goal.price", price=repr(price[:40])))
        prices.append((name, worth))
    return lambda found: sum((price * _number(found, name) for name, price in prices), Fraction(0))


def _number(outcome: Outcome, name: str) -> int | Fraction:
    value = getattr(outcome, name)
    if not isinstance(value, (int, Fraction)):
        raise BadField("goal", msg("refused.goal.priceless", name=name, value=repr(value)))
    return value


LOADING = 10.0
"""Seconds of work that loading a game may take where others wait for it."""
_loaded: dict[str, Game | BrokenGame] = {}
_listed: set[str] = set()
"""Games that were added in this process and are listed with those that are installed."""
TAKEN = "there is a game of that name already"


def find_game(name: str) -> Game:
    """A game by name: a folder of ours, or one that an installed package adds.

    One that cannot be loaded is refused with what went wrong, and the others go on.
    """
    game = _loaded.get(name)
    if game is None:
        game = _loaded[name] = _load(name)
    if isinstance(game, BrokenGame):
        raise game.with_traceback(None) from game.problem
    return game


def _load(name: str) -> Game | BrokenGame:
    """A game, or what is wrong with it, which is not tried again in this process."""
    point = None if name in own_games() else _entry_points().get(name)
    if point is None and name not in own_games():
        raise UnknownName("game", name, list_games())
    try:
        load = partial(_own_game, name) if point is None else point.load
        found = call_with_timeout(load, working=LOADING, waiting=2 * LOADING)
        if not isinstance(found, Game):
            raise TypeError(f"{type(found).__name__} is no Game")
        found.settle()
        check_names(found.name)
        if found.name != name:
            raise ValueError(f"it calls itself {found.name!r}")
    except KeyboardInterrupt:
        raise
    except BaseException as problem:  # whatever is wrong in somebody's package
        settle_known_games()
        slow = TimeoutError(f"it takes longer than {LOADING:.0f} seconds to load")
        return BrokenGame(name, slow if isinstance(problem, TooSlow) else problem)
    settle_known_games()  # it may have made others beside the one that it is
    return found


def _own_game(name: str) -> object:
    return import_module(f"{OWN}.{name}").game


def load_outside_games() -> None:
    """Load what other packages add, where a bound on that can be kept: before anybody waits."""
    for name in _entry_points():
        with suppress(BrokenGame):
            find_game(name)


def settle_known_games() -> None:
    """Give games their names back, which a package that was loaded since may have taken."""
    homes = {name: game.package for name, game in _loaded.items() if isinstance(game, Game)}
    for name, home in {**homes, **{name: f"{OWN}.{name}" for name in own_games()}}.items():
        if package_of(name) not in ("", home):
            register_game(name, home)


@cache
def own_games() -> tuple[str, ...]:
    """The names of the games that lie in Rollwright's own folder."""
    return tuple(sorted(found.name for found in iter_modules(import_module(OWN).__path__)))


def from_plain(plain: Any) -> Request:
    """The request behind parsed JSON, checked field by field."""
    if not isinstance(plain, dict):
        none = msg("refused.request.none", came=repr(plain))
        raise BadField("request", none, would_do='{"game": …, "roll": …}')
    for name in plain:
        if not isinstance(name, str):
            raise BadField("request", f"a field is named by a text, not by {name!r}")
    fields = dict(plain)
    game = find_game(str(fields.pop("game", "")))
    return game.request(str(fields.pop("roll", game.default_roll)), **fields)


def add_game(game: Game, *, listed: bool = False) -> Game:
    """Make a game known by name in this process, to try it while it is being written.

    The list of games still names only what is installed, unless this is to be `listed` too.
    """
    if game.name in own_games():
        raise BadField("name", f"{game.name!r} is a game of Rollwright's own", would_do="another")
    game.settle()
    check_names(game.name)
    _loaded[game.name] = game
    if listed:
        _listed.add(game.name)
    return game


def remove_game(name: str) -> None:
    """Forget a game that was made known with `add_game`."""
    _loaded.pop(name, None)
    _listed.discard(name)


def list_games() -> tuple[str, ...]:
    """The names of all games there are, also of those that cannot be loaded."""
    return tuple(sorted({*own_games(), *_entry_points(), *_listed}))


def games_there() -> tuple[list[Game], list[BrokenGame]]:
    """All games that can be played, and what is wrong with the others."""
    games: list[Game] = []
    broken: list[BrokenGame] = []
    for name in list_games():
        try:
            games.append(find_game(name))
        except BrokenGame as problem:
            broken.append(problem)
    for name in sorted({*own_games()} & {*_entry_points()}):
        broken.append(BrokenGame(name, ValueError(TAKEN)))
    return games, [*broken, *map(_second, _seconds())]


def _second(point: EntryPoint) -> BrokenGame:
    package = f" of the package {point.dist.name}" if point.dist is not None else ""
    return BrokenGame(point.name, ValueError(f"{TAKEN}; this is the one{package}"))


def _seconds() -> list[EntryPoint]:
    """Games whose name another package has taken: the first one by the package's name counts."""
    counted = _entry_points()
    return [
        point
        for point in _all_points()
        if point.name in counted and point.value != counted[point.name].value
    ]


def _entry_points() -> dict[str, EntryPoint]:
    return {point.name: point for point in reversed(_all_points())}


def _all_points() -> list[EntryPoint]:
    from importlib.metadata import entry_points

    def package(point: EntryPoint) -> tuple[str, str]:
        return point.dist.name if point.dist is not None else "", point.value

    return sorted(entry_points(group=ENTRY_POINTS), key=package)
