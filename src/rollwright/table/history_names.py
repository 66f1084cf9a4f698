"""Names in the place of seats: nothing else in a log says who somebody is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

SOMEONE = "someone"
MENTIONED = re.compile(r"@([sn]\d+)\b")

PlainEvent = Mapping[str, Any]
"""An event as a seat sees it."""


def kind_of(event: PlainEvent) -> str:
    """What an event is, as far as whoever sees it may know."""
    body = event.get("body")
    if event["kind"] == "sealed" and body:
        return str(body.get("kind", ""))
    return str(event["kind"])


def text_of(event: PlainEvent, sealed: Any) -> str:
    """The text behind a seal; empty where there is none, or none any more."""
    if not isinstance(sealed, Mapping):
        return ""
    held = (event.get("texts") or {}).get(sealed.get("text"))
    return str(held["text"]) if held else ""


class Names:
    """What everybody at a table is called: the last name of each seat, and names of sheets."""

    def __init__(self, names: Mapping[str, str], title: str = "") -> None:
        self._names = dict(names)
        self.title = title
        """What the table is called."""

    @classmethod
    def of(cls, events: Iterable[PlainEvent]) -> Names:
        """The names at the end of these events; whoever was forgotten has none."""
        names: dict[str, str] = {}
        title = ""
        for event in events:
            body = event.get("body")
            if not body:
                continue
            kind = kind_of(event)
            if kind in ("seat.joined", "seat.renamed"):
                names[body["seat"]] = text_of(event, body["name"])
            elif kind == "person.forgotten":
                names[body["seat"]] = ""
            elif kind == "sheet.made" and body["sheet"].startswith("n"):
                names[body["sheet"]] = str(body["values"].get("name") or "")
            elif kind in ("table.created", "table.changed") and "title" in body:
                title = text_of(event, body["title"])
        return cls(names, title)

    def name(self, seat: str) -> str:
        """What a seat or a sheet is called, or "someone"."""
        return self._names.get(seat) or SOMEONE

    def put(self, text: str) -> str:
        """The text with names in the place of @s3 and the like.

        >>> Names({"s3": "Ann"}).put("@s3 helps @s4")
        'Ann helps someone'
        """
        return MENTIONED.sub(lambda found: self.name(found[1]), text)
