"""Forms as data: what somebody wants to roll, and the controls by which they say it.

A form is a function of the sheet and the draft, so that limits, notes and reasons are those of the
moment. Every control is plain data; `docs/reference/card.md` has all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.errors import LONGEST_WHY, BadField, RollwrightError
from rollwright.kit.fields import REQUIRED, Field, Value, fields_of
from rollwright.kit.requests import Request, plain_held
from rollwright.words.messages import Message, said

if TYPE_CHECKING:
    from rollwright.kit.games import Game

Text = str | Message
Control = dict[str, Any]
Plain = Mapping[str, Any]
EMPTY: Plain = MappingProxyType({})
MOST_IN_SIGHT, WIDEST_SLIDER, MOST_PARTS = 5, 12, 6
ALWAYS_SAID = frozenset(("control", "value", "options", "parts", "low", "high"))
"""What a control says also where it is nothing."""
UNSHOWN = ("house",)
"""Fields that no form asks for: the table has settled them."""


class Person(NamedTuple):
    """Somebody at the table whom a roll may name."""

    ref: str
    """Such as `@s3`, so that they choose for themselves."""
    name: str
    sheet: Value | None = None

    @property
    def character(self) -> str:
        """The name on the sheet, where it is another one."""
        name = str(getattr(self.sheet, "name", ""))
        return "" if name == self.name else name


class Choice(NamedTuple):
    """One of the values that a control offers."""

    value: Any
    label: Text
    note: Text = ""
    off: Text = ""
    """Why it cannot be taken now; it stays where it is."""
    set: Plain = EMPTY
    """What else it writes: paths of the draft, such as `set.passive.skill`; None takes one away."""
    group: Text = ""
    """The heading that it stands under, where a control has several."""

    def plain(self) -> Control:
        """As the control has it."""
        found: Control = {"value": self.value, "label": self.label}
        for name in ("note", "off", "set", "group"):
            if held := getattr(self, name):
                found[name] = held
        return found


def _nothing() -> Mapping[str, Plain]:
    return {"pick": {}, "set": {}}


@dataclass(frozen=True)
class Asked:
    """A draft with everything that its form may go by."""

    game: Game
    kind: type[Request]
    first: Mapping[str, Plain] = field(default_factory=_nothing)
    """What the roll starts with: a `pick` and a `set`."""
    said: Mapping[str, Plain] = field(default_factory=_nothing)
    """What somebody said instead: a `pick` and a `set`."""
    kept: Mapping[str, Plain] = field(default_factory=_nothing)
    """What of that is not refused."""
    sheet: Value | None = None
    """The sheet, where it knows enough for this kind of roll."""
    whole_sheet: Value | None = None
    """The sheet, whatever it knows."""
    shared: Value | None = None
    """What the table shares, as it stands; as it begins where there is no table."""
    people: tuple[Person, ...] = ()
    me: Person | None = None
    """Whoever rolls, as the table knows them; None where there is no table."""
    roles: Plain = field(default_factory=dict)
    """Who of them plays which part of the rule: `{"passive": "s3"}`."""
    house: Value | None = None
    purpose: str = "roll"
    request: Request | None = None
    """What the draft makes; None where it makes none."""
    wrong: Mapping[str, Text] = field(default_factory=dict)
    """Refusals by the path of the draft that they are about."""
    rule: str = ""
    """The line of the rulebook behind the first of them: `T2K R32`."""
    inside: str = ""
    """Where in the request these fields stand, such as `rolls.0`; empty for the request itself."""
    about: type[Value] | None = None
    """The class whose fields they are, where it is not the request's."""

    @cached_property
    def pick(self) -> Plain:
        """Things on the sheet by name, those that the roll starts with among them."""
        return over(self.first["pick"], self.kept["pick"])

    @cached_property
    def set(self) -> Plain:
        """Fields of the request that are said instead of filled in."""
        return over(self.first["set"], self.kept["set"])

    def without(self, place: str) -> Asked:
        """The same without something that was said."""
        part, _, path = place.partition(".")
        usual = _usual(self.first[part], path)
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
            problem = said("pick.none") if self.whole_sheet is None else said("pick.empty")
            raise BadField(str(picked_of), problem)
        house = {} if self.house is None or "house" not in self._known else {"house": self.house}
        if self.sheet is None or self.game.from_sheet is None:
            return self.game.request(self.roll, **{**self.set, **house})
        both = {name: held for name, held in self.set.items() if name not in self.pick}
        over = {
            name: held
            for name, held in self.set.items()
            if name in self.pick and not isinstance(held, list | dict)
        }
        picked = {name: joined(held, self.set.get(name)) for name, held in self.pick.items()}
        request = self._from_sheet({**picked, **both, **house})
        return request.but(**over) if over else request

    def _from_sheet(self, fields: Plain) -> Request:
        """What the game's own function makes of the sheet; whatever it raises is a refusal."""
        assert self.game.from_sheet is not None
        try:
            request: object = self.game.from_sheet(self.sheet, self.roll, **fields)
        except RollwrightError:
            raise
        except Exception as problem:
            why = f"{type(problem).__name__}: {problem}"[:LONGEST_WHY]
            raise BadField("sheet", said("form.fails", problem=why)) from problem
        if not isinstance(request, Request):
            came = type(request).__name__
            raise BadField("sheet", f"from_sheet gave {came}", would_do=self.kind.__name__)
        return request

    @property
    def _known(self) -> Mapping[str, Field]:
        return fields_of(self.kind)

    # Where things stand

    @cached_property
    def _fields(self) -> Mapping[str, Field]:
        return fields_of(self.about or self.kind)

    @cached_property
    def _here(self) -> Any:
        """What of the request these fields are of."""
        return reached(self.request, self.inside, ...)

    @cached_property
    def _set_here(self) -> Any:
        return reached(self.set, self.inside, ...)

    @cached_property
    def _said_here(self) -> Any:
        return reached(self.said["set"], self.inside, ...)

    def path(self, name: str) -> str:
        """The path of a field in the request."""
        return f"{self.inside}.{name}" if self.inside else name

    def held(self, name: str, otherwise: Any = None) -> Any:
        """What a field of the request holds, or of the draft where there is no request."""
        if self.request is not None:
            return reached(self._here, name, otherwise)
        about = self._fields.get(name)
        usual = otherwise if about is None or about.is_required else about.default
        return reached(self._set_here, name, usual)

    def picked(self, name: str) -> Any:
        """What of the sheet is picked."""
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
        """What a field is called."""
        title = self._fields[name].title if name in self._fields else name
        return _named(self.game, "label", self.roll, name, capital(title))

    def word(self, *names: str, otherwise: str = "", **values: Any) -> Text:
        """The first of these messages that the game has, else a text as it is."""
        found = next((name for name in names if name in self.game.words), "")
        return self.game.words.said(found, **values) if found else otherwise

    def source(self, name: str) -> str:
        """Where a field's value comes from: `you`, the `sheet`, or the `book`."""
        if reached(self._said_here, name, ...) is not ...:
            return "you"
        about = self._fields.get(name)
        if self.sheet is None or about is None or self.held(name) in (about.default, None):
            return "book"
        return "sheet" if reached(self._set_here, name, ...) is ... else "book"

    # Controls

    def field(self, name: str, **how: Any) -> Control:
        """The control that a field has by its kind; `how` says what is to be otherwise."""
        about = self.described(name)
        made = _BY_KIND.get(about.kind, _text)(self, about)
        if about.more.get("in_order"):
            made = _pick(self, about._replace(choices=tuple(about.more["in_order"])))
        usual = {
            "at": f"set.{self.path(name)}",
            "label": self.label(name),
            "help": _named(self.game, "help", self.roll, name, about.help),
            "value": plain_of(self.held(name)),
            "from": self.source(name),
        }
        return self._told({**usual, **made, **how})

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
        return self._told({**usual, **how})

    def role(
        self,
        name: str,
        *,
        sets: Callable[[Person], Plain] | None = None,
        none: Text = "",
        **how: Any,
    ) -> Control:
        """Who of the people at the table plays a part of the rule: helps, opposes, judges.

        `sets` are the paths of the draft that picking somebody writes, such as
        `{"set.against": 4}`; picking nobody takes them out again.
        """
        at = f"roles.{name}"
        people = [
            Choice(one.ref[1:], one.name, one.character, set={} if sets is None else sets(one))
            for one in self.people
        ]
        nobody = none or self.word(f"role.{name}.none", otherwise="") or said("form.nobody")
        out = dict.fromkeys([path for one in people for path in one.set])
        usual = {
            "control": "pick",
            "style": "chips" if len(people) <= MOST_PARTS else "menu",
            "at": at,
            "label": self.label(name),
            "value": self.roles.get(name),
            "options": [one.plain() for one in (Choice(None, nobody, set=out), *people)],
        }
        return self._told({**usual, **how})

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
        return self._told({**made, **how})

    def _told(self, control: Control) -> Control:
        """A control with what is wrong with it, without what says nothing."""
        at = str(control.get("at", ""))
        if self.wrong and at:
            wrong = self.wrong.get(at)
            part, _, path = at.partition(".")
            # What was refused, or went with something else that was, is shown as it was said.
            went = any(at.startswith(f"{place}.") for place in self.wrong if place)
            came = reached(self.said.get(part, {}), path) if wrong or went else None
            control |= {
                **({"wrong": wrong} if wrong else {}),
                **({} if came is None else {"value": came}),
            }
        return {key: held for key, held in control.items() if held or key in ALWAYS_SAID}


def fields_form(asked: Asked, *names: str) -> list[Control]:
    """The controls of these fields, or of all; what is seldom needed is folded away."""
    known = fields_of(asked.about or asked.kind)
    wanted = names or tuple(name for name in known if name not in UNSHOWN)
    front = [name for name in wanted if known[name].is_required or names]
    rest = [name for name in wanted if name not in front]
    who = [] if names or asked.inside else asked.who_plays()
    in_a_group = bool(asked.inside) and not asked.inside.rpartition(".")[2].isdigit()
    if len(rest) <= MOST_PARTS or in_a_group:  # what is folded once is not folded again inside
        return [*(asked.field(name) for name in wanted), *who]
    seldom = group(*(asked.field(name) for name in rest), title=said("form.more"), fold=True)
    return [*(asked.field(name) for name in front), *who, seldom]


def group(*form: Control, title: Text = "", columns: int = 0, fold: bool = False) -> Control:
    """Controls that belong together."""
    about = {"title": title, "columns": columns, "fold": fold}
    return {
        "control": "group",
        **{name: held for name, held in about.items() if held},
        "form": [*form],
    }


def note(text: Text, tone: str = "") -> Control:
    """Something to read."""
    return {"control": "note", "text": text, **({"tone": tone} if tone else {})}


def jump(text: Text, roll: str, *, pick: Plain | None = None, set: Plain | None = None) -> Control:
    """A way to another roll."""
    draft = {"roll": roll, "pick": dict(pick or {}), "set": dict(set or {})}
    return {"control": "jump", "text": text, "draft": draft}


def act(text: Text, effect: str, *, amount: Any = 0, target: str = "", off: Text = "") -> Control:
    """A change of the sheet by one of the game's effects."""
    about = {"amount": amount, "target": target, "off": off}
    said_of = {name: held for name, held in about.items() if held}
    return {"control": "act", "text": text, "effect": effect, **said_of}


@cache
def _named(game: Game, what: str, roll: str, name: str, otherwise: str) -> Text:
    """The label or the help of a field, of its kind of roll first; a form has hundreds of them."""
    words = game.words
    ids = (f"{what}.{roll}.{name}", f"{what}.{name}")
    return next((words.said(id) for id in ids if id in words.own), otherwise)


def _pick(asked: Asked, about: Field) -> Control:
    options = [{**option} for option in _options(asked.game, about.choices, about.optional)]
    style = "row" if len(options) <= MOST_IN_SIGHT else "menu"
    held = plain_of(asked.held(about.name))
    value = None if held == "" else held
    return {"control": "pick", "style": style, "value": value, "options": options}


@cache
def _options(game: Game, choices: tuple[str, ...], optional: bool) -> tuple[Control, ...]:
    """The options of a field with choices, which are the same in every form."""
    asked = Asked(game, game.requests[game.default_roll])
    options = [Choice(value, word_of(asked, value)) for value in choices if value != ""]
    if optional or "" in choices:
        options.insert(0, Choice(None, said("form.none")))
    return tuple(option.plain() for option in options)


def word_of(asked: Asked, value: Any) -> Text:
    """A word of the game's vocabulary, as people write it."""
    return asked.word(f"word.{value}", otherwise=capital(str(value).replace("_", " ")))


def _switch(asked: Asked, about: Field) -> Control:
    return {"control": "switch"}


def _number(asked: Asked, about: Field) -> Control:
    low, high = about.low, about.high
    style = "slider" if low == 0 and high is not None and high <= WIDEST_SLIDER else "stepper"
    none = {"none": said("form.left_out")} if about.optional else {}
    signed = low is None or low < 0
    return {"control": "number", "style": style, "low": low, "high": high, "signed": signed, **none}


def _text(asked: Asked, about: Field) -> Control:
    return {"control": "text", "most": about.most}


def _list(asked: Asked, about: Field) -> Control:
    inner = about.inner
    if inner.kind == "int":
        low = inner.low if inner.low is not None else -1
        offers = [-2, -1, 1, 2, 3] if low < 0 else [1, 2, 3, 4, 5]
        return {
            "control": "numbers",
            "offers": offers,
            "most": about.most,
            "signed": low < 0,
            "low": inner.low,
            "high": inner.high,
        }
    if inner.kind == "value":
        held = asked.held(about.name) or ()
        forms = [
            fields_form(asked.part(about.name, number, inner.inner)) for number in range(len(held))
        ]
        return asked.parts(about.name, inner.inner, forms) | {
            "fresh": {"set": fresh(inner.inner)},
            "value": None,
        }
    words = {"control": "text", "words": True, "most": about.most}
    if not inner.choices:
        return words
    return {**words, "options": list(_options(asked.game, inner.choices, False))}


def _value(asked: Asked, about: Field) -> Control:
    inside = fields_form(asked.within(about.name, about.inner))
    return {"control": "group", "title": asked.label(about.name), "form": inside, "value": None}


_BY_KIND = {
    "choice": _pick,
    "bool": _switch,
    "int": _number,
    "list": _list,
    "value": _value,
}


def fresh(kind: type[Value]) -> dict[str, Any]:
    """What a new part begins with: what has to be given."""
    found: dict[str, Any] = {}
    for name, about in fields_of(kind).items():
        if about.default is not REQUIRED:
            continue
        if about.kind == "int":
            found[name] = max(about.low or 0, 0)
        elif about.choices or about.more.get("in_order"):
            found[name] = (*about.choices, *about.more.get("in_order", ()))[0]
        elif about.kind == "value":
            found[name] = fresh(about.inner)
        elif about.kind == "list":
            found[name] = []
        else:
            found[name] = False if about.kind == "bool" else "1"
    return found


def over(first: Plain, said: Plain) -> dict[str, Any]:
    """What a roll starts with under what was said; a list that was said stands alone."""
    found = dict(first)
    for name, held in said.items():
        under = found.get(name)
        both = isinstance(under, Mapping) and isinstance(held, Mapping)
        found[name] = over(under, held) if both else held  # type: ignore[arg-type]
    return found


def reached(held: Any, path: str, otherwise: Any = None) -> Any:
    """What lies at a path in values, mappings and lists.

    >>> reached({"rolls": [{"dl": "Hard"}]}, "rolls.0.dl"), reached({}, "rolls.0.dl", "?")
    ('Hard', '?')
    """
    for name in path.split(".") if path else ():
        if isinstance(held, Value):
            held = getattr(held, name, ...)
        elif isinstance(held, (dict, Mapping)):  # a dict is known quicker
            held = held.get(name, ...)
        elif isinstance(held, (list, tuple)) and not hasattr(held, "_fields"):
            held = held[int(name)] if name.isdigit() and int(name) < len(held) else ...
        else:
            held = getattr(held, name, ...)
        if held is ...:
            return otherwise
    return held


def without(held: Any, path: str, usual: Any = None) -> Any:
    """The same without what lies at a path, or with what is usual there.

    >>> without({"a": {"b": 1, "c": 2}}, "a.b"), without([{"b": 1}], "0.b", 5)
    ({'a': {'c': 2}}, [{'b': 5}])
    """
    name, _, rest = path.partition(".")
    if isinstance(held, Mapping):
        if rest:
            return {
                k: without(part, rest, usual) if k == name else part for k, part in held.items()
            }
        gone = {key: part for key, part in held.items() if key != name}
        return gone if usual is None else {**gone, name: usual}
    if isinstance(held, list) and name.isdigit() and rest:
        return [
            without(part, rest, usual) if n == int(name) else part for n, part in enumerate(held)
        ]
    return held


def _usual(first: Any, path: str) -> Any:
    """What a part of a list starts with at a path, since a list that is said stands alone.

    Parts beyond those that the roll starts with are like the last of them.

    >>> _usual({"rolls": [{"dl": "Easy"}]}, "rolls.3.dl"), _usual({"dl": "Easy"}, "dl")
    ('Easy', None)
    """
    listed = False
    for name in path.split("."):
        if isinstance(first, list) and first and name.isdigit():
            listed, first = True, first[min(int(name), len(first) - 1)]
        elif isinstance(first, Mapping) and name in first:
            first = first[name]
        else:
            return None
    return first if listed else None


def joined(under: Any, over: Any) -> Any:
    """Two drafts of the same thing, the second over the first.

    >>> joined({"rolls": [{"skill": "Hack"}]}, {"rolls": [{"dl": "Hard"}]})
    {'rolls': [{'skill': 'Hack', 'dl': 'Hard'}]}
    """
    if isinstance(under, Mapping) and isinstance(over, Mapping):
        return {**under, **{key: joined(under.get(key), held) for key, held in over.items()}}
    if isinstance(under, list) and isinstance(over, list) and len(under) == len(over):
        return [joined(one, other) for one, other in zip(under, over, strict=True)]
    return under if over is None else over


def path_of(refusal: BadField) -> str:
    """Where in the draft a refused field stands: `rolls[0].skill` is `rolls.0.skill`."""
    return refusal.field.replace("[", ".").replace("]", "").strip(".")


def plain_of(held: Any) -> Any:
    """What a control shows of a field's value."""
    return plain_held(held)


def capital(text: str) -> str:
    """A text that begins with a capital letter."""
    return f"{text[:1].upper()}{text[1:]}"
