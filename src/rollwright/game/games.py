"""A game written as a designer writes it on a page: rolls as functions, sheets as classes."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from inspect import signature
from pathlib import Path
from types import FunctionType
from typing import Any, Self, TypeVar, overload

from rollwright import kit
from rollwright.dice import Die, Pool
from rollwright.errors import BadGame, Misuse, UnknownName
from rollwright.game.drafts import draft_class
from rollwright.game.fields import SET, Shared, Sheet, field_of_effect
from rollwright.game.rolls import RollRequest, make_roll
from rollwright.game.signature import read_signature
from rollwright.game.story import known_label, option_name
from rollwright.game.view import View
from rollwright.game.words import SESSION, texts_for
from rollwright.i18n.catalogs import Messages, add_words, words_of
from rollwright.i18n.messages import HOUSE, Message, Value, clauses
from rollwright.kit.card.parts import RollCard, Starter, Theme
from rollwright.kit.fields import fields_of
from rollwright.kit.games import Effect, Goal, Policy
from rollwright.kit.house_rules import rulebook_of
from rollwright.kit.questions import Question
from rollwright.kit.registration import GAME_API, check_game
from rollwright.kit.shared import SHARED, check_shared_sheet
from rollwright.kit.sheets import clamped
from rollwright.kit.words import capital, format_option

F = TypeVar("F", bound=Callable[..., Any])


class Game(kit.Game):
    """A game: `game = Game("Duality")`, and a function for each roll under `@game.roll(…)`."""

    def __new__(cls, *title: str, **given: Any) -> Self:
        """Refuse what was written for another version."""
        return super().__new__(cls, **{n: given[n] for n in ("name", "api") if n in given})

    def __init__(
        self,
        title: str,
        *,
        name: str = "",
        summary: str = "",
        theme: Theme | str = "",
        rulebook: str = "",
        prefix: str = "",
        starters: Iterable[Starter] = (),
        view: View | None = None,
        api: int = GAME_API,
    ) -> None:
        around = sys._getframe(1).f_globals
        package, module = str(around.get("__package__") or ""), str(around["__name__"])
        home = package if package and _is_whole(package, module, around.get("__file__")) else module
        in_folder = package.rpartition(".")[2]
        named = name or in_folder or _name_for(title, around.get("__file__"))
        view = View() if view is None else view
        super().__init__(
            name=named,
            title=title,
            summary=summary or str(around.get("__doc__") or "").strip().split("\n")[0],
            requests={},
            prefix=prefix,
            rulebook=rulebook_of(rulebook) if rulebook else None,
            card=view,
            package=home,
            api=api,
            is_open=True,
        )
        self.view = view
        self.maker = home.partition(".")[0]
        if theme:
            view.theme = theme if isinstance(theme, Theme) else Theme(felt=theme)  # type: ignore[misc]
        if starters:
            view.starters = tuple(starters)  # type: ignore[misc]
        self.functions: list[FunctionType] = []
        self.actions: dict[str, FunctionType] = {}
        """What sheets can do by a word: functions that assign to them."""
        self.effects = self._effects_of
        self.apply = self._apply
        self.apply_shared = self._apply
        self.from_sheet = self._fill
        self._settled = False

    # --- what an author writes ---

    @overload
    def roll(self, function: F, /) -> F: ...
    @overload
    def roll(
        self,
        /,
        *,
        goal: str = "",
        order: Sequence[str] = ...,
        title: str = "",
        policy: str = "",
        version: str = "1",
        view: RollCard | None = None,
        outcome: type | None = None,
        effects: Callable[..., tuple[Effect, ...]] | None = None,
    ) -> Callable[[F], F]: ...
    def roll(
        self,
        function: Any = None,
        /,
        *,
        goal: str = "",
        order: Sequence[str] = ("success", "failure"),
        title: str = "",
        policy: str = "",
        version: str = "1",
        view: RollCard | None = None,
        outcome: type | None = None,
        effects: Callable[..., tuple[Effect, ...]] | None = None,
    ) -> Any:
        """Make an async function a roll of the game.

        `order` lists the words of its verdicts from the best; `goal` is the one that is wanted, or
        the name of a goal of the game's own.

        A roll that comes to a NamedTuple of the author's own names it as its `outcome`; what that
        changes is then said by `effects(request, outcome)`, and assignments are only told.
        """
        if function is None:
            return partial(
                self.roll, goal=goal, order=order, title=title, policy=policy,
                version=version, view=view, outcome=outcome, effects=effects,
            )  # fmt: skip
        assert isinstance(function, FunctionType)
        name, order = function.__name__, order if outcome is None else ()
        title = title or capital(name.replace("_", " "))
        kind, rule = make_roll(
            self.name,
            self.package,
            function,
            title=title,
            order=order,
            version=version,
            outcome=outcome,
            effects=effects,
        )
        self._take(kind)
        self.functions.append(function)
        if outcome is None:
            function.__globals__[kind.outcome.__name__] = kind.outcome  # so that it is found again
        self.add_requests({kind: rule})
        if goal in order:
            self._want(name, goal, order)
        roles = tuple(role.name for role in kind.signature.others)
        card = RollCard() if view is None else view
        view_rolls = {
            **self.card.rolls,
            name: card._replace(
                goal=card.goal or goal,
                policy=card.policy or policy,
                drawn=card.drawn or kind.outcome._fields[:1],  # type: ignore[attr-defined]
                roles=card.roles or roles,
            ),
        }
        self.view.rolls = view_rolls  # type: ignore[misc]
        self._settled = False
        return function

    def add_goal(self, title: str, *, rolls: Sequence[str] = ()) -> Callable[[F], F]:
        """Make a function of the outcome something that players may want: a number, or whether."""

        def add(function: F) -> F:
            self.goals[_name_of(function)] = Goal(title, function, tuple(rolls))
            return function

        return add

    def add_policy(self, title: str) -> Callable[[F], F]:
        """Make a function of the situation a way to decide, by the function's name."""

        def add(function: F) -> F:
            self.policies[_name_of(function)] = Policy.of(title, function)
            return function

        return add

    def add_question(self, function: F) -> F:
        """Make a function a question that players can ask, answered exactly."""
        self.questions[function.__name__] = Question(function)
        return function

    def add_action(self, function: F) -> F:
        """Make a function something that can be done to a sheet by its word: `rest(me: Hero)`."""
        assert isinstance(function, FunctionType)
        self.actions[_name_of(function)] = function
        return function

    def on_new_session(self, function: F) -> F:
        """Make a function what a new session changes on every sheet, or on what is shared."""
        self.new_session = self._new_session
        self.actions[_kind_of(function) + SESSION] = function  # type: ignore[assignment]
        return function

    # --- what comes of it ---

    def request_class(self, roll: str) -> type[RollRequest]:
        """The kind of request of a roll."""
        kind = self.requests[roll]
        assert issubclass(kind, RollRequest)
        return kind

    def settle(self) -> None:
        """Look at the whole game, once all of it is there."""
        if self._settled:
            return
        self._settled = True
        self.default_roll = next(iter(self.requests), "")
        check_game(self)
        add_words(self.package, Messages(texts_for(self), *words_of(HOUSE).sources,
                                         home=self.package))  # fmt: skip

    @property
    def words(self) -> Messages:
        """The messages: English is in the code."""
        self.settle()
        return words_of(self.package)

    def label(self, name: str) -> Message | str:
        """What a field, a part or a term of a sum is called."""
        id = f"label.{name}"
        return self.words.msg(id) if id in self.words.own else known_label(self, name)

    def word(self, word: str, *, capitals: bool = False) -> Message | str:
        """A word of the game as it is said; several are separated by commas."""
        parts = [self._one_word(part) for part in str(word).split(", ")]
        if len(parts) > 1:
            return Message("sentences", {"parts": clauses(parts)}, self.package)
        if capitals and f"verdict.{word}" in self.words.own:
            return self.words.msg(f"verdict.{word}")
        return parts[0]

    def _one_word(self, word: str) -> Message | str:
        id = f"word.{word}"
        return self.words.msg(id) if id in self.words.own else word

    def option(self, option: Any) -> Message:
        """An option as its button says it."""
        if isinstance(option, (Die, Pool)):
            return Message("story.again", {"die": self.word(option_name(option))}, self.package)
        name = format_option(option)
        for id in (f"option.{name}", f"word.{name}", f"label.{name}"):
            if id in self.words.own:
                return self.words.msg(id)
        return Message("sentences", {"parts": capital(name)}, self.package)

    def remark(self, text: str, values: Mapping[str, Value]) -> Message:
        """A sentence of the game's own."""
        return Message(text, values, self.package)

    def _take(self, kind: type[RollRequest]) -> None:
        """Take the classes that a roll names for those of the game."""
        told = kind.signature
        sheets = [role.kind for role in (told.me, *told.others) if role is not None]
        for part, found in (
            *(("sheet", one) for one in sheets),
            ("shared", told.table.kind if told.table else None),
            ("house", told.house[1] if told.house else None),
        ):
            known = getattr(self, part)
            if found is None or found is known:
                continue
            if known is not None and known is not kit.house_rules.NoHouse:
                said = f"{found.__name__} is not the {known.__name__} of the rolls before"
                raise BadGame(self.name, f"{kind.roll}: {part}", said, "one class for all rolls")
            setattr(self, part, found)
        if self.shared is not None:
            check_shared_sheet(self.shared)

    def _want(self, roll: str, goal: str, order: Sequence[str]) -> None:
        known = self.goals.get(goal)
        title = goal if goal == order[0] else f"{goal} or better"
        rolls = (roll,) if known is None else (*known.rolls, roll)
        self.goals[goal] = Goal(title, lambda end: end.verdict >= goal, rolls)

    @staticmethod
    def _effects_of(request: Any, outcome: Any) -> tuple[Effect, ...]:
        found: tuple[Effect, ...] = request.effects(outcome)
        return found

    def _apply(self, sheet: Any, effect: Effect) -> Any:
        """A sheet after an effect; one that is meant for another stays as it is."""
        if effect.target not in ("", SHARED):
            return sheet
        if (action := self.actions.get(effect.kind)) is not None:
            return self._act(sheet, action)
        about = field_of_effect(type(sheet), effect.kind)
        if about is None:
            raise UnknownName("effect", effect.kind, [*fields_of(type(sheet)), *self.actions])
        field = about.name
        if about.kind != "int" or effect.kind.endswith(SET):
            return sheet.but(**{field: effect.amount})
        now = clamped(getattr(sheet, field) + effect.amount, about.low, about.high)
        return sheet.but(**{field: now})

    def _act(self, sheet: Any, action: FunctionType) -> Any:
        told = read_signature(self.name, action)
        role = told.me or told.table
        if role is None or not isinstance(sheet, role.kind):
            return sheet
        draft = draft_class(role)(sheet)
        action(draft)
        return sheet.but(**{name: getattr(draft, name) for name in role.changes})

    def _new_session(self) -> tuple[Effect, ...]:
        kinds = [name.removesuffix(SESSION) for name in self.actions if name.endswith(SESSION)]
        targets = {"sheet.": "", "shared.": SHARED}
        return tuple(Effect(kind + SESSION, 0, targets[kind]) for kind in kinds)

    def _fill(self, sheet: Any, roll: str = "", **fields: Any) -> RollRequest:
        kind = self.request_class(roll or self.default_roll)
        me = kind.signature.me
        held = {} if me is None else {name: getattr(sheet, name) for name in me.reads}
        found = self.request(kind.roll, **{**held, **fields})
        assert isinstance(found, RollRequest)
        return found


def _name_for(title: str, file: object) -> str:
    """What a game is called that does not say: as its file, else by its title."""
    if isinstance(file, str):
        return Path(file).stem
    return re.sub(r"\W+", "_", title.lower()).strip("_")


def _is_whole(package: str, module: str, file: object) -> bool:
    """Whether a package is one game, whose words it holds; else each module may be a game."""
    return module == package or (isinstance(file, str) and Path(file).with_name("words").is_dir())


def _name_of(function: Callable[..., Any]) -> str:
    return function.__name__.replace("_", "-")


def _kind_of(function: Callable[..., Any]) -> str:
    """Whether a function is for sheets or for what is shared."""
    hints = kit.fields.types_in(function)
    first = next(iter(signature(function).parameters), "")
    kind = hints.get(first)
    if isinstance(kind, type) and issubclass(kind, Shared):
        return "shared."
    if isinstance(kind, type) and issubclass(kind, Sheet):
        return "sheet."
    raise Misuse(f"{function.__name__} takes a sheet or what is shared: (me: Hero)")
