"""The shared sheet: points and the like that belong to nobody alone, as plain bounded fields.

A game declares them as it declares a sheet, and its effects change them:

    class Boat(Value):
        water: int = preset(0, "water in the boat", 0, 12)
        storm: int = preset(0, "what the river may still do", 0, 6, referee=True)

Fields with `referee=True` only referees change by hand; rolls change them no matter who makes them.

What is marked `referee=True` only referees change by hand; rolls change it whoever makes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rollwright.errors import BadField, Misuse, UnknownName
from rollwright.i18n.messages import msg
from rollwright.kit.fields import Field, Value, fields_of

if TYPE_CHECKING:
    from rollwright.kit.games import Effect

TABLE = "table"
"""The name of the table as a whole in place of a sheet's."""
SHARED = f"@{TABLE}"
"""The target of an effect on what the table shares."""


def check_shared_sheet(kind: type[Value]) -> None:
    """Refuse fields that have no default or no bound: nobody fills them in, and they only grow."""
    for about in fields_of(kind).values():
        if about.is_required:
            raise Misuse(f"shared.{about.name} needs a default: preset(0, …) would do")
        if missing := _bound_problem(about):
            raise Misuse(f"shared.{about.name} has no bound: {missing} would do")


def _bound_problem(about: Field) -> str:
    """Return what a field lacks to be bounded; empty for nothing."""
    if about.kind == "int":
        return "" if about.low is not None and about.high is not None else "low and high"
    if about.kind in ("bool", "choice"):
        return ""
    if about.kind in ("text", "list") and about.most is None:
        return "most"
    if about.kind == "list":
        return _bound_problem(about.inner)
    if about.kind == "value":
        return next(filter(None, map(_bound_problem, fields_of(about.inner).values())), "")
    return "" if about.kind == "text" else "a number, a text, a switch or a list"


def for_referees(kind: type[Value] | None) -> frozenset[str]:
    """The fields that only referees change by hand."""
    known = {} if kind is None else fields_of(kind)
    return frozenset(name for name, about in known.items() if about.more.get("referee"))


def shared_after(shared: Any, effect: Effect) -> Any:
    """Return the shared sheet after an effect named after one of its fields.

    A number is added, and cut where the field ends; anything else is set.
    """
    about = fields_of(type(shared)).get(effect.kind)
    if about is None:
        raise UnknownName("effect", effect.kind, fields_of(type(shared)))
    if about.kind != "int":
        return shared.but(**{effect.kind: effect.amount})
    if type(effect.amount) is not int or about.low is None or about.high is None:
        raise BadField(effect.kind, msg("refused.shared.added"), would_do=msg("fits.whole"))
    held = (getattr(shared, effect.kind) or 0) + effect.amount
    return shared.but(**{effect.kind: min(max(held, about.low), about.high)})
