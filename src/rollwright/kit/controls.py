"""The makers of controls: those that an author writes, and one for each kind of field.

Every control is plain data; `docs/reference/card.md` has all of them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.i18n.messages import msg
from rollwright.jsonable import EMPTY, JsonMapping
from rollwright.kit.fields import REQUIRED, Field, Value, fields_of
from rollwright.kit.requests import field_to_json
from rollwright.kit.words import Text, capital

if TYPE_CHECKING:
    from rollwright.kit.card.drafts import Asked
    from rollwright.kit.games import Game

__all__ = ["Choice", "Control", "act", "fields_form", "fresh", "group", "jump", "note"]
"""The names for authors of forms; the rest is the kit's own."""

Control = dict[str, Any]
MOST_IN_SIGHT, WIDEST_SLIDER, MOST_PARTS = 5, 12, 6
UNSHOWN = ("house",)
"""Fields that no form asks for: the table has settled them."""


class Choice(NamedTuple):
    """One of the values that a control offers."""

    value: Any
    label: Text
    note: Text = ""
    off: Text = ""
    """Why it cannot be taken now; it stays where it is."""
    set: JsonMapping = EMPTY
    """Other fields that it writes: paths of the draft, such as `set.passive.skill`; None takes one
    away.
    """
    group: Text = ""
    """The heading above it, if a control has several."""
    none: bool = False
    """Whether the value None is said, instead of leaving it to what a roll starts with."""

    def plain(self) -> Control:
        """As the control has it."""
        found: Control = {"value": self.value, "label": self.label}
        for name in ("note", "off", "set", "group", "none"):
            if held := getattr(self, name):
                found[name] = held
        return found


def group(*form: Control, title: Text = "", columns: int = 0, fold: bool = False) -> Control:
    """Controls that belong together."""
    about = {"title": title, "columns": columns, "fold": fold}
    return {
        "control": "group",
        **{name: held for name, held in about.items() if held},
        "form": [*form],
    }


def note(text: Text, tone: str = "", *, docked: bool = False) -> Control:
    """Return a text to read; `docked`, it is beside the chance and the button."""
    about = {"tone": tone, "docked": docked}
    return {"control": "note", "text": text, **{name: held for name, held in about.items() if held}}


def jump(
    text: Text, roll: str, *, pick: JsonMapping | None = None, set: JsonMapping | None = None
) -> Control:
    """A way to another roll."""
    draft = {"roll": roll, "pick": dict(pick or {}), "set": dict(set or {})}
    return {"control": "jump", "text": text, "draft": draft}


def act(
    text: Text,
    effect: str,
    *,
    amount: Any = 0,
    target: str = "",
    off: Text = "",
    docked: bool = False,
) -> Control:
    """A change of the sheet by one of the game's effects; `docked`, beside the button."""
    about = {"amount": amount, "target": target, "off": off, "docked": docked}
    said_of = {name: held for name, held in about.items() if held}
    return {"control": "act", "text": text, "effect": effect, **said_of}


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
    seldom = group(*(asked.field(name) for name in rest), title=msg("form.more"), fold=True)
    return [*(asked.field(name) for name in front), *who, seldom]


@cache
def field_text(game: Game, what: str, roll: str, name: str, otherwise: str) -> Text:
    """The label or the help of a field, of its kind of roll first; a form has hundreds of them."""
    words = game.words
    ids = (f"{what}.{roll}.{name}", f"{what}.{name}")
    return next((words.msg(id) for id in ids if id in words.own), otherwise)


def _pick(asked: Asked, about: Field) -> Control:
    options = [{**option} for option in _options(asked.game, about.choices, about.optional)]
    style = "row" if len(options) <= MOST_IN_SIGHT else "menu"
    held = field_to_json(asked.held(about.name))
    value = None if held == "" else held
    return {"control": "pick", "style": style, "value": value, "options": options}


@cache
def _options(game: Game, choices: tuple[str, ...], optional: bool) -> tuple[Control, ...]:
    """The options of a field with choices, which are the same in every form."""
    options = [Choice(value, _word(game, value)) for value in choices if value != ""]
    if optional or "" in choices:
        options.insert(0, Choice(None, msg("form.none")))
    return tuple(option.plain() for option in options)


def _word(game: Game, value: Any) -> Text:
    """A word of the game's vocabulary, as people write it."""
    name = f"word.{value}"
    known = name in game.words
    return game.words.msg(name) if known else capital(str(value).replace("_", " "))


def _switch(about: Field) -> Control:
    return {"control": "switch"}


def _number(about: Field) -> Control:
    low, high = about.low, about.high
    style = "slider" if low == 0 and high is not None and high <= WIDEST_SLIDER else "stepper"
    none = {"none": msg("form.left_out")} if about.optional else {}
    signed = low is None or low < 0
    return {"control": "number", "style": style, "low": low, "high": high, "signed": signed, **none}


def _text(about: Field) -> Control:
    known = {"known": True} if about.more.get("known") else {}
    return {"control": "text", "most": about.most, **known}


def _numbers(about: Field) -> Control:
    inner: Field = about.inner
    low = inner.low if inner.low is not None else -1
    offers = (-2, -1, 1, 2, 3) if low < 0 else (1, 2, 3, 4, 5)
    return {
        "control": "numbers",
        "offers": offers,
        "most": about.most,
        "signed": low < 0,
        "low": inner.low,
        "high": inner.high,
    }


def _list(asked: Asked, about: Field) -> Control:
    inner = about.inner
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


_BY_KIND = {"choice": _pick, "list": _list, "value": _value}
_ALWAYS_ALIKE = {"bool": _switch, "int": _number, "list": _numbers}


def fresh(kind: type[Value]) -> dict[str, Any]:
    """Return the required fields of a new part, with their first values."""
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


def field_control(asked: Asked, about: Field) -> Control:
    """Return the control of a field by its kind."""
    if in_order := about.more.get("in_order"):
        return _pick(asked, about._replace(choices=tuple(in_order)))
    return _BY_KIND[about.kind](asked, about)


class ControlBase(NamedTuple):
    """The part of a field's control that does not depend on the draft."""

    says: Control
    whole: bool
    """Whether that is all; else `field_control` says the rest."""


@cache
def control_base(game: Game, roll: str, kind: type, name: str) -> ControlBase:
    """The control of a field as far as no draft changes it; a form has hundreds of them."""
    about = fields_of(kind)[name]
    says = {
        "label": field_text(game, "label", roll, name, capital(about.title)),
        "help": field_text(game, "help", roll, name, about.help),
    }
    draws = about.kind in _BY_KIND and not (about.kind == "list" and about.inner.kind == "int")
    if draws or about.more.get("in_order"):
        return ControlBase(says, whole=False)
    return ControlBase({**says, **_ALWAYS_ALIKE.get(about.kind, _text)(about)}, whole=True)
