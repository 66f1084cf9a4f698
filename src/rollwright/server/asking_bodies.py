"""Bodies of questions read into their shape; what does not fit is refused by its field."""

from __future__ import annotations

from re import compile as pattern
from typing import Any

import msgspec

from rollwright.table.refusals import Refusal

PLACE = pattern(r" - at `\$\.?([^`]*)`")
UNKNOWN = pattern(r"unknown field `([^`]*)`")
MOST_SHOWN = 60


def body_of(data: bytes, shape: type) -> dict[str, Any]:
    """The fields in some JSON that were given and are not null."""
    try:
        read: Any = msgspec.json.decode(data, type=shape)
    except msgspec.ValidationError as problem:
        raise _refused(str(problem)) from None
    except (msgspec.MsgspecError, ValueError):
        raise Refusal("bad_request", "this is no JSON") from None
    except RecursionError:
        raise Refusal("bad_request", "this JSON is nested too deeply") from None
    plain: dict[str, Any] = msgspec.to_builtins(read)
    return {name: value for name, value in plain.items() if value is not None or name == "option"}


def _refused(problem: str) -> Refusal:
    """What the reader of JSON says, as a refusal that names the field."""
    unknown = UNKNOWN.search(problem)
    place = PLACE.search(problem)
    field = unknown[1] if unknown else place[1] if place else ""
    said = PLACE.sub("", problem).replace("`", "")
    said = said[0].lower() + said[1:] if said else "this is no such body"
    field = field[:MOST_SHOWN]
    return Refusal("bad_field", f"{field}: {said}" if field else f"the body: {said}", field)
