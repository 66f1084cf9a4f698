"""Sheets within a roll: what it may read of them, and what is assigned to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from rollwright.errors import BadField, Misuse
from rollwright.game.records import Change, note
from rollwright.game.signature import Role
from rollwright.i18n.messages import msg
from rollwright.kit.fields import Field, Value, fields_of, range_of


class Draft:
    """A sheet within a roll; assigning to it is what the roll does to the sheet.

    It holds no more than the roll may read, so that two ways meet where that is the same.
    """

    never_changes: ClassVar[bool] = False
    role: ClassVar[str] = ""
    """Who it is: the name of the argument."""
    seat: ClassVar[str] = ""
    """Under which name they throw and choose: `player` is the roller."""
    _known: ClassVar[Mapping[str, Field]] = {}
    """The fields that the roll may change."""
    _listed: ClassVar[tuple[str, ...]] = ()
    _place: ClassVar[str] = ""
    """Where its fields are in the request: `helper.`."""
    _before: Value

    def __init_subclass__(cls, **more: object) -> None:
        """Nothing: it is no value with fields of its own."""

    def __init__(self, before: Value) -> None:
        held = self.__dict__
        held["_before"] = before
        for name in self._listed:
            held[name] = getattr(before, name)

    __deepcopy__ = None
    __getstate__ = object.__getstate__
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __setattr__(self, name: str, value: Any) -> None:
        about = self._known.get(name)
        if about is None:
            raise Misuse(f"{self.role}.{name} cannot be changed by this roll")
        before = self.__dict__[name]
        if about.kind == "int":  # what is gained or lost beyond a field's bounds is cut off
            value = value if about.high is None else min(value, about.high)
            value = value if about.low is None else max(value, about.low)
        self.__dict__[name] = value
        note(Change(self.role, name, before, value))

    def pay(self, **costs: int) -> None:
        """Pay by the names of fields; refused if there is too little, and nothing is paid then."""
        for name, cost in costs.items():
            check_cost(type(self), name, self.__dict__[name], cost)
        for name, cost in costs.items():
            if cost:
                setattr(self, name, self.__dict__[name] - cost)

    def __repr__(self) -> str:
        return f"<{self.role}>"


class Fixed(Draft):
    """A sheet that a roll reads and does not change: equal ones are the same."""

    never_changes: ClassVar[bool] = True

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    def __hash__(self) -> int:
        return hash((type(self), self._before))


def check_cost(kind: type[Draft], name: str, held: int, cost: int) -> None:
    """Refuse a cost beyond what there is."""
    left = held - (kind._known[name].low or 0)
    if cost > left:
        fits = range_of(0, left) if left else "0"
        raise BadField(kind._place + name, msg("field.high", came=cost), would_do=fits)


def draft_class(role: Role, *, others: bool = False, is_fixed: bool = False) -> type[Draft]:
    """The class of a sheet within a roll: the author's own, with methods and all."""
    known = fields_of(role.kind)
    held: dict[str, Any] = {name: _unseen(role, name) for name in known if name not in role.reads}
    held |= {
        "role": role.name,
        "_known": {name: known[name] for name in role.changes},
        "_listed": role.reads,
        "seat": role.name if others else "player",
        "_place": f"{role.name}." if others else "",
    }
    base = Fixed if is_fixed or not role.changes else Draft
    return type(role.kind.__name__, (base, role.kind), held)


def _unseen(role: Role, name: str) -> property:
    def refuse(self: object) -> Any:
        raise Misuse(
            f"{role.name}.{name} is read where nobody could know beforehand that it would be: "
            f"write {role.name}.{name} in the roll itself"
        )

    return property(refuse)
