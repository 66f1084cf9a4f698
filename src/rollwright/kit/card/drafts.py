"""A roll in preparation: a draft with everything that its form may depend on.

A form is a function of the sheet and the draft, so that limits, notes and reasons are up to date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.errors import LONGEST_WHY, BadField, RollwrightError
from rollwright.i18n.messages import msg
from rollwright.jsonable import JsonMapping
from rollwright.kit.card.parts import Text
from rollwright.kit.card.paths import default_at, merge_drafts, over, reached, without
from rollwright.kit.controls import (
    MOST_PARTS,
    Choice,
    Control,
    control_base,
    field_control,
    field_text,
)
from rollwright.kit.fields import Field, Value, fields_of
from rollwright.kit.requests import Request, field_to_json
from rollwright.kit.words import capital

if TYPE_CHECKING:
    from rollwright.kit.games import Game

ALWAYS_SAID = frozenset(("control", "value", "options", "parts", "low", "high"))
"""Keys that a control always has, even if empty."""


class Person(NamedTuple):
    """Somebody at the table whom a roll may name."""

    ref: str
    """Such as `@s3`, so that they choose for themselves."""
    name: str
    """The name at the table: their character's, if it has one."""
    sheet: Value | None = None
    player: str = ""
    """Who plays them, where that is another name."""


def _nothing() -> Mapping[str, JsonMapping]:
    return {"pick": {}, "set": {}}


@dataclass(frozen=True)
class Asked:
    """A draft with everything that its form may go by."""

    game: Game
    kind: type[Request]
    first: Mapping[str, JsonMapping] = field(default_factory=_nothing)
    """The draft that the roll starts with: a `pick` and a `set`."""
    said: Mapping[str, JsonMapping] = field(default_factory=_nothing)
    """The input in its place: a `pick` and a `set`."""
    kept: Mapping[str, JsonMapping] = field(default_factory=_nothing)
    """The accepted part of the input."""
    sheet: Value | None = None
    """The sheet, where it knows enough for this kind of roll."""
    whole_sheet: Value | None = None
    """The sheet, whatever it knows."""
    shared: Value | None = None
    """The shared sheet's present value; its first one without a table."""
    people: tuple[Person, ...] = ()
    me: Person | None = None
    """The roller, as the table knows them; None without a table."""
    roles: JsonMapping = field(default_factory=dict)
    """Who of them plays which part of the rule: `{"passive": "s3"}`."""
    house: Value | None = None
    purpose: str = "roll"
    request: Request | None = None
    """The request that the draft makes; None if it makes none."""
    wrong: Mapping[str, Text] = field(default_factory=dict)
    """Refusals by the path of the draft that they are about."""
    rule: str = ""
    """The line of the rulebook behind the first of them: `T2K R32`."""
    inside: str = ""
    """Path of these fields in the request, such as `rolls.0`; empty for the request itself."""
    about: type[Value] | None = None
    """The class whose fields they are, where it is not the request's."""

    @cached_property
    def pick(self) -> JsonMapping:
        """Things on the sheet by name, those that the roll starts with among them."""
        return over(self.first["pick"], self.kept["pick"])

    @cached_property
    def set(self) -> JsonMapping:
        """Fields of the request that are said instead of filled in."""
        return over(self.first["set"], self.kept["set"])

    def without(self, place: str) -> Asked:
        """The same without something that was said."""
        part, _, path = place.partition(".")
        usual = default_at(self.first[part], path)
        return replace(self, kept={**self.kept, part: without(self.kept[part], path, usual)})

    def over(self, **fields: Any) -> Asked:
        """The same with other fields to start with."""
        return replace(self, first={**self.first, "set": {**self.first["set"], **fields}})

    @property
    def roll(self) -> str:
        """The name of the kind of roll."""
        return self.kind.roll

    def filled(self) -> Request:
        """The request, filled in from the sheet by the game's `from_sheet` where there is one."""
        picked_of = next(iter(self.kept["pick"]), None)
        if picked_of is not None and self.sheet is None:
            problem = msg("pick.none") if self.whole_sheet is None else msg("pick.empty")
            raise BadField(str(picked_of), problem)
        house = (
            {}
            if self.house is None or "house" not in self._request_fields
            else {"house": self.house}
        )
        if self.sheet is None or self.game.from_sheet is None:
            return self.game.request(self.roll, **{**self.set, **house})
        both = {name: held for name, held in self.set.items() if name not in self.pick}
        over = {
            name: held
            for name, held in self.set.items()
            if name in self.pick and not isinstance(held, list | dict)
        }
        picked = {name: merge_drafts(held, self.set.get(name)) for name, held in self.pick.items()}
        request = self._from_sheet({**picked, **both, **house})
        return request.but(**over) if over else request

    def _from_sheet(self, fields: JsonMapping) -> Request:
        """Return the request that the game's own function makes; its errors are refusals."""
        assert self.game.from_sheet is not None
        try:
            request: object = self.game.from_sheet(self.sheet, self.roll, **fields)
        except RollwrightError:
            raise
        except Exception as problem:
            why = f"{type(problem).__name__}: {problem}"[:LONGEST_WHY]
            raise BadField("sheet", msg("form.broken", problem=why)) from problem
        if not isinstance(request, Request):
            came = type(request).__name__
            raise BadField("sheet", f"from_sheet gave {came}", would_do=self.kind.__name__)
        return request

    @property
    def _request_fields(self) -> Mapping[str, Field]:
        return fields_of(self.kind)

    # The present values

    @cached_property
    def _fields(self) -> Mapping[str, Field]:
        return fields_of(self.about or self.kind)

    @cached_property
    def _here(self) -> Any:
        """The part of the request with these fields."""
        return reached(self.request, self.inside, ...)

    @cached_property
    def _set_here(self) -> Any:
        return reached(self.set, self.inside, ...)

    @cached_property
    def _values_here(self) -> Any:
        return reached(self.said["set"], self.inside, ...)

    def path(self, name: str) -> str:
        """The path of a field in the request."""
        return f"{self.inside}.{name}" if self.inside else name

    def held(self, name: str, otherwise: Any = None) -> Any:
        """Return the value of a field of the request, or of the draft if there is no request."""
        if self.request is not None:
            here = self._here
            if isinstance(here, Value) and "." not in name:
                return getattr(here, name, otherwise)
            return reached(here, name, otherwise)
        about = self._fields.get(name)
        usual = otherwise if about is None or about.is_required else about.default
        return reached(self._set_here, name, usual)

    def picked(self, name: str) -> Any:
        """Return the picked value of the sheet."""
        return reached(self.pick, self.path(name))

    def part(self, name: str, number: int, about: type[Value]) -> Asked:
        """The same for one part of a list."""
        return replace(self, inside=f"{self.path(name)}.{number}", about=about)

    def within(self, name: str, about: type[Value]) -> Asked:
        """The same for a field that has fields of its own."""
        return replace(self, inside=self.path(name), about=about)

    def described(self, name: str) -> Field:
        """The description of a field."""
        return self._fields[name]

    def label(self, name: str) -> Text:
        """Return the label of a field."""
        title = self._fields[name].title if name in self._fields else name
        return field_text(self.game, "label", self.roll, name, capital(title))

    def word(self, *names: str, otherwise: str = "", **values: Any) -> Text:
        """The first of these messages that the game has, else a text as it is."""
        found = next((name for name in names if name in self.game.words), "")
        return self.game.words.msg(found, **values) if found else otherwise

    def source(self, name: str) -> str:
        """Return the origin of a field's value: `you`, the `sheet`, or the `book`."""
        if reached(self._values_here, name, ...) is not ...:
            return "you"
        if self.sheet is None:
            return "book"
        about = self._fields.get(name)
        if about is None or self.held(name) in (about.default, None):
            return "book"
        return "sheet" if reached(self._set_here, name, ...) is ... else "book"

    # Controls

    def field(self, name: str, **how: Any) -> Control:
        """The control that a field has by its kind; `how` says what is to be otherwise."""
        kind: type = self.about or self.kind
        usual = control_base(self.game, self.kind.roll, kind, name)
        control = {**usual.says, "at": f"set.{self.path(name)}", "from": self.source(name)}
        if "value" not in how:
            control["value"] = field_to_json(self.held(name))
        if not usual.whole:
            control |= field_control(self, self.described(name))
        return self._with_problem(control | how if how else control)

    def choose(self, name: str, options: Iterable[Choice], **how: Any) -> Control:
        """One of the things on the sheet, or of what else can be picked."""
        usual = {
            "control": "pick",
            "style": "chips",
            "at": f"pick.{self.path(name)}",
            "label": self.label(name),
            "value": self.picked(name),
            "options": [option.plain() for option in options],
        }
        return self._with_problem({**usual, **how})

    def role(
        self,
        name: str,
        *,
        sets: Callable[[Person], JsonMapping] | None = None,
        none: Text = "",
        **how: Any,
    ) -> Control:
        """Who of the people at the table plays a part of the rule: helps, opposes, judges.

        `sets` are the paths of the draft that picking somebody writes, such as
        `{"set.against": 4}`; picking nobody takes them out again.
        """
        at = f"roles.{name}"
        people = [
            Choice(one.ref[1:], one.name, one.player, set={} if sets is None else sets(one))
            for one in self.people
        ]
        nobody = none or self.word(f"role.{name}.none", otherwise="") or msg("form.nobody")
        out = dict.fromkeys([path for one in people for path in one.set])
        usual = {
            "control": "pick",
            "style": "chips" if len(people) <= MOST_PARTS else "menu",
            "at": at,
            "label": self.label(name),
            "value": self.roles.get(name),
            "options": [one.plain() for one in (Choice(None, nobody, set=out), *people)],
        }
        return self._with_problem({**usual, **how})

    def who_plays(self) -> list[Control]:
        """A control for each part of the rule that people at the table may play."""
        roles = self.game.card.roll(self.roll).roles if self.people else ()
        return [self.role(name) for name in roles]

    def parts(
        self,
        name: str,
        about: type[Value],
        forms: Sequence[Sequence[Control]],
        *,
        title: str = "part",
        **how: Any,
    ) -> Control:
        """A list of which each part has a form of its own."""
        path = self.path(name)
        made = {
            "control": "parts",
            "at": f"set.{path}",
            "label": self.label(name),
            "parts": [
                {"title": self.word(title, otherwise=str(number), n=number), "form": list(form)}
                for number, form in enumerate(forms, start=1)
            ],
            "held": {
                "pick": reached(self.pick, path, []),
                "set": reached(self.set, path, []),
            },
            "add": self.word(f"{title}.add", otherwise="+"),
            "most": self.described(name).most or MOST_PARTS,
        }
        return self._with_problem({**made, **how})

    def _with_problem(self, control: Control) -> Control:
        """A control with what is wrong with it, without what says nothing."""
        if self.wrong and (at := str(control.get("at", ""))):
            wrong = self.wrong.get(at)
            part, _, path = at.partition(".")
            # Refused input, and input that went with it, is shown as it was typed.
            went = any(at.startswith(f"{place}.") for place in self.wrong if place)
            came = reached(self.said.get(part, {}), path) if wrong or went else None
            control |= {
                **({"wrong": wrong} if wrong else {}),
                **({} if came is None else {"value": came}),
            }
        return {key: held for key, held in control.items() if held or key in ALWAYS_SAID}
