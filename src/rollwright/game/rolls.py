"""Kinds of roll made from functions: the request, the outcome, the rule and its effects."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType, new_class
from typing import Annotated, Any, ClassVar, NamedTuple

from rollwright.dice import Die, Pool
from rollwright.engine.steps import Rule
from rollwright.errors import BadGame, Misuse
from rollwright.game import records
from rollwright.game.counted import write_counted
from rollwright.game.drafts import Draft, check_cost, draft_class
from rollwright.game.fields import SET, Known, Trait, describe_field, mark_in, marks_of, traits_of
from rollwright.game.signature import Role, Signature, read_signature
from rollwright.kit.dice_fields import DICE_KIND, dice_of, dice_text
from rollwright.kit.fields import REQUIRED, Choices, Value, fields_of, types_in
from rollwright.kit.games import Effect
from rollwright.kit.requests import Request
from rollwright.kit.shared import SHARED
from rollwright.ranks import Ranked


class Verdict:
    """What a roll has come to: a word, what belongs to it, and values by name.

    `Verdict("success", "with hope", damage=hurt)`: the word is one of the roll's `order`. Words are
    known by what is written here, whatever they are called in English later.
    """

    __slots__ = ("word", "details", "values")

    def __init__(self, word: str, *details: str, **values: Any) -> None:
        self.word, self.details, self.values = word, details, values


class Changed(NamedTuple):
    """A field of the outcome that says how a field of a sheet has changed."""

    name: str
    role: str
    field: str
    sets: bool
    """Whether it is what the field was set to, rather than by how much it changed."""
    effect: str
    """What the effect is called in logs."""


class RollRequest(Request):
    """A roll of a game that is written as functions."""

    pays: ClassVar[bool] = True
    choosers_agree: ClassVar[bool] = True
    signature: ClassVar[Signature]
    function: ClassVar[Callable[..., Any]]
    changed: ClassVar[tuple[Changed, ...]] = ()
    own_effects: ClassVar[Callable[..., tuple[Effect, ...]] | None] = None
    """What an outcome of the author's own type changes."""
    words: ClassVar[type[Ranked]]
    """The words of its verdicts."""
    sheets: ClassVar[Mapping[str, type[Draft]]] = {}
    views: ClassVar[Mapping[str, type[Draft]]] = {}
    """The same sheets, to be read alone."""
    _roles: ClassVar[Mapping[str, Role]] = {}
    _changing: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Every field that may change, with whose it is."""
    pools: ClassVar[Mapping[str, type]] = {}
    """The fields that are dice, and what the function gets: a die or a pool."""

    def part(self, role: Role) -> Value | None:
        """What the request knows of somebody's sheet; None where nobody plays the part."""
        is_flat = role in (self.signature.me, self.signature.table)
        return self if is_flat else getattr(self, role.name)

    def drafts(self) -> dict[str, Draft | None]:
        """The sheets for one run of the roll."""
        records.begin()
        found: dict[str, Draft | None] = {}
        for role in self.signature.roles:
            part = self.part(role)
            found[role.name] = None if part is None else self.sheets[role.name](part)
        return found

    def begin(self, drafts: Mapping[str, Draft | None]) -> Any:
        """The roll itself, with these sheets."""
        house = [] if self.signature.house is None else [self.signature.house[0]]
        given = {name: self.argument(name) for name in (*self.signature.fields, *house)}
        return type(self).function(**drafts, **given)

    # --- the same with variables in the place of fields, as it is counted ---

    def argument(self, name: str) -> Any:
        """An argument of the function."""
        if self.signature.house is not None and name == self.signature.house[0]:
            return self.house  # type: ignore[attr-defined]
        value = getattr(self, name)
        if (kind := self.pools.get(name)) is None:
            return value
        pool = dice_of(value)
        assert pool is not None
        return pool.dice[0] if kind is Die else pool

    def sheet_before(self, name: str) -> Draft | None:
        """A sheet as it was when the roll began; None where nobody plays the part."""
        part = self.part(self._roles[name])
        return None if part is None else self.views[name](part)

    def value_before(self, name: str, field: str) -> Any:
        """What a field was when the roll began."""
        part = self.part(self._roles[name])
        return None if part is None else getattr(part, field)

    @staticmethod
    def cut(value: int, low: int | None, high: int | None) -> int:
        """A number, cut where its field ends."""
        value = value if high is None else min(value, high)
        return value if low is None else max(value, low)

    def pay(self, name: str, field: str, held: int, cost: int) -> int:
        """What is left after a cost."""
        check_cost(self.sheets[name], field, held, cost)
        return held - cost

    def finish(self, found: Any, held: tuple[Any, ...]) -> Any:
        """The outcome, with fields as they are at the end."""
        return self.outcome_of(dict(zip(self._changing, held, strict=True)).__getitem__, found)

    def outcome_of(self, now: Callable[[tuple[str, str]], Any], found: Any) -> Any:
        """The outcome: the verdict, its values, and what has changed by what fields are now."""
        if type(self).own_effects is not None:
            return found
        if not isinstance(found, Verdict):
            found = Verdict(found)
        if found.word not in self.words.ranks:
            raise Misuse(f"{found.word!r} is no verdict of {self.roll}: add it to its order=")
        if unknown := [name for name in found.values if name not in self.signature.values]:
            raise Misuse(f"{unknown[0]!r} is named where it cannot be read: Verdict(…, name=…)")
        held: list[Any] = [self.words(found.word)]
        if self.signature.has_details:
            held.append(", ".join(found.details))
        for name, kind in self.signature.values.items():
            value = found.values.get(name, 0)
            held.append(bool(value) if kind is bool else value)
        for one in self.changed:
            part = self.part(self._roles[one.role])
            held.append(None if one.sets else 0)
            if part is not None:
                after, before = now((one.role, one.field)), getattr(part, one.field)
                held[-1] = after - before if not one.sets else None if after == before else after
        return self.outcome(*held)

    def effects(self, outcome: Any) -> tuple[Effect, ...]:
        """What an outcome changes, on whose sheet."""
        if self.own_effects is not None:
            return type(self).own_effects(self, outcome)  # type: ignore[misc]
        found = []
        for one in self.changed:
            amount = getattr(outcome, one.name)
            if amount is None or (amount == 0 and not one.sets):
                continue
            found.append(Effect(one.effect, amount, self._target(one.role)))
        return tuple(found)

    def _target(self, name: str) -> str:
        """Whose sheet a role's is: nothing for the roller's."""
        me, table = self.signature.me, self.signature.table
        if me is not None and name == me.name:
            return ""
        if table is not None and name == table.name:
            return SHARED
        called = str(getattr(getattr(self, name), "name", ""))
        return called if called.startswith("@") else name


async def play(asked: Any) -> Any:
    """Play a roll with its sheets, and see what it comes to and what it has changed."""
    drafts = asked.drafts()
    found = await asked.begin(drafts)
    return asked.outcome_of(lambda place: getattr(drafts[place[0]], place[1]), found)


def make_roll(
    game: str,
    package: str,
    function: FunctionType,
    *,
    title: str,
    order: Sequence[str],
    version: str,
    outcome: type | None = None,
    effects: Callable[..., tuple[Effect, ...]] | None = None,
) -> tuple[type[RollRequest], Rule[..., Any]]:
    """The kind of request behind a function, and its rule."""
    told = read_signature(game, function)
    name = function.__name__
    held = dict(_own_fields(game, name, told))
    for role in (told.me, told.table):
        for field, about in _part_fields(role) if role else ():
            if field in held:
                raise BadGame(game, f"{name}({field})", f"{role.name}.{field} is called so too")  # type: ignore[union-attr]
            held[field] = about
    for role in told.others:
        held[role.name] = _part(role)
    if told.house is not None:
        held["house"] = told.house[1], describe_field(told.house[1], told.house[1]())
    for field in held:
        if hasattr(RollRequest, field):
            raise BadGame(game, f"{name}({field})", "requests have that name for themselves")

    def body(space: dict[str, Any]) -> None:
        space.update({field: about for field, (_, about) in held.items()})
        space["__annotations__"] = {field: hint for field, (hint, _) in held.items()}
        space["__module__"], space["__doc__"] = package, function.__doc__

    words = _words_of(name, package, order)
    changed = tuple(_list_changes(game, name, told))
    if outcome is None:
        outcome = _outcome(name, package, told, words, changed)
    elif effects is None:
        effects = _nothing
    how = {"roll": name, "title": title, "outcome": outcome, "version": version}
    kind: type[RollRequest] = new_class(_class_name(name), (RollRequest,), how, body)
    kind.signature, kind.changed, kind.words = told, changed, words
    kind.function = staticmethod(function)
    kind.own_effects = None if effects is None else staticmethod(effects)
    kind.views = {
        role.name: draft_class(role, others=role in told.others, is_fixed=True)
        for role in told.roles
    }
    kind._roles = {role.name: role for role in told.roles}
    kind._changing = tuple([(role.name, field) for role in told.roles for field in role.changes])
    shared = told.table.reads if told.table else ()
    kind.elsewhere = (*shared, *(role.name for role in told.others))
    kind.sheets = {role.name: draft_class(role, others=role in told.others) for role in told.roles}
    kind.pools = {
        field: hint for field, (hint, _) in told.fields.items() if _bare(hint) in (Die, Pool)
    }
    kind.pools = {field: _bare(hint) for field, hint in kind.pools.items()}
    rule = _rule(name, package, function)
    rule.counted = write_counted(function, told) or rule.function
    return kind, rule


def _nothing(request: Any, outcome: Any) -> tuple[Effect, ...]:
    """No effects."""
    return ()


def _class_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _bare(hint: Any) -> Any:
    return hint.__origin__ if marks_of(hint) else hint


def _own_fields(game: str, roll: str, told: Signature) -> list[tuple[str, tuple[Any, Any]]]:
    found = []
    for name, (hint, default) in told.fields.items():
        trait = next((mark for mark in marks_of(hint) if isinstance(mark, Trait)), None)
        if trait is not None:
            if told.me is None:
                raise BadGame(game, f"{roll}({name})", "there is no sheet to take a trait from")
            names = traits_of(told.me.kind, trait)
            default = names[0] if default is REQUIRED and names else default
            found.append((name, (Annotated[str, Choices(names)], describe_field(hint, default))))
        elif _bare(hint) in (Die, Pool):
            preset = default if default is REQUIRED else dice_text(default)
            found.append((name, (Annotated[str, DICE_KIND], describe_field(hint, preset))))
        else:
            found.append((name, (hint, describe_field(hint, default))))
    return found


def _part_fields(role: Role) -> list[tuple[str, tuple[Any, Any]]]:
    """The fields of a sheet that a roll may read, as fields of a request."""
    hints = types_in(role.kind)
    known: Any = role.kind.__dataclass_fields__  # type: ignore[attr-defined]
    return [
        (
            name,
            (
                hints[name],
                dataclasses.field(default=known[name].default, metadata=known[name].metadata),
            ),
        )
        for name in role.reads
    ]


def _part(role: Role) -> tuple[Any, Any]:
    """The field for what a roll may read of somebody else's sheet."""
    held = dict(_part_fields(role))

    def body(space: dict[str, Any]) -> None:
        space.update({field: about for field, (_, about) in held.items()})
        space["__annotations__"] = {field: hint for field, (hint, _) in held.items()}
        space["__module__"] = role.kind.__module__

    kind: Any = new_class(role.kind.__name__, (Value,), {}, body)
    if role.optional:
        return kind | None, describe_field(kind, None)
    return kind, describe_field(kind, kind())


def _words_of(name: str, package: str, order: Sequence[str]) -> type[Ranked]:
    """The words of a roll's verdicts, listed from the best."""
    ranks = {word: rank for rank, word in enumerate(reversed(order))}
    held = {"ranks": ranks, "__module__": package, "__qualname__": f"{_class_name(name)}Word"}
    return type(f"{_class_name(name)}Word", (Ranked,), held)


def _list_changes(game: str, roll: str, told: Signature) -> list[Changed]:
    found: dict[str, Changed] = {}
    for role in told.roles:
        known = fields_of(role.kind)
        for field in role.changes:
            name = f"{role.name}_{field}" if role in told.others else field
            name = f"{role.name}_{field}" if name in found or name in told.values else name
            sets = field in role.sets or known[field].kind != "int"
            named = mark_in(known[field], Known)
            effect = named.effect if named else field + SET * sets
            found[name] = Changed(name, role.name, field, sets, effect)
    return list(found.values())


def _outcome(
    name: str, package: str, told: Signature, words: type[Ranked], changed: Sequence[Changed]
) -> type:
    """The type of a roll's outcomes, which can be asked for by their names."""
    held: list[tuple[str, Any]] = [("verdict", words)]
    if told.has_details:
        held.append(("detail", str))
    held += told.values.items()
    held += [(one.name, Any if one.sets else int) for one in changed]
    kind: Any = NamedTuple(f"{_class_name(name)}Outcome", held)  # type: ignore[misc]
    kind.__module__, kind.__qualname__ = package, f"{_class_name(name)}Outcome"
    kind.__doc__ = f"What {name.replace('_', ' ')} comes to."
    return kind


def _rule(name: str, package: str, function: FunctionType) -> Rule[..., Any]:
    """The rule of a roll, found again by the game's name and its own."""
    own = FunctionType(play.__code__, play.__globals__, name)
    own.__module__, own.__qualname__, own.__doc__ = package, f"{name}.roll", function.__doc__
    return Rule(own)
