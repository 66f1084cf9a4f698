"""A log from elsewhere as the beginning of a table here: checked first, secrets kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rollwright import __version__
from rollwright.table.events import Draft, Event, Sealed
from rollwright.table.importing_audiences import Audiences
from rollwright.table.refusals import Refusal
from rollwright.table.state import TableState
from rollwright.table.verifying import verify_log
from rollwright.table.views import seen, snapshot


class Imported(NamedTuple):
    """A log that can be gone on with here."""

    table: str
    events: tuple[Event, ...]
    number: int
    """The number of the next fair throw."""

    def rebased(self, commitment: str) -> Draft:
        """The event to be written next: this host's commitment to the key of the next throw."""
        return rebased(self.events[-1].seq, commitment)


def rebased(from_seq: int, commitment: str, *, copied: bool = False) -> Draft:
    """The event from which on a table has other keys: it came from elsewhere, or from a copy."""
    body: dict[str, Any] = {"from_seq": from_seq, "rollwright": __version__, "by": ""}
    return Draft(
        "table.imported", body | ({"copy": True} if copied else {}), open={"next": commitment}
    )


def import_log(plain: Any, *, stop: Callable[[], bool] | None = None) -> Imported:
    """The events behind a log, to be stored as they are; refused if anything is wrong with it.

    What the log withholds stays withheld, from everybody. Whatever was secret in it is seen by
    no more people than before. Follow it with `rebased(…)`: the old host's keys are not here.
    """
    report = verify_log(plain, stop=stop)
    if not report.ok:
        raise Refusal("bad_request", f"this log is not true: {report.problems[0]}"[:600])
    events = _whole(plain["events"], Audiences(report.seen_by))
    numbers = [event.open["number"] for event in events if "number" in event.open]
    return Imported(report.table, events, 1 + max(numbers, default=0))


def _event(plain: dict[str, Any], audiences: Audiences) -> Event:
    body = plain.get("body")
    return Event(
        seq=plain["seq"],
        at=plain["at"],
        kind=plain["kind"],
        open=plain["open"],
        body=body or {},
        salt=plain["salt"] if body is not None else "",
        digest=plain["digest"],
        hash=plain["hash"],
        audience=audiences.of(plain),
        texts={} if body is None else _texts(plain, body),
    )


def _texts(plain: dict[str, Any], body: dict[str, Any]) -> dict[str, Sealed]:
    """The sealed texts of an event, each with the seat that it is of."""
    name = body.get("name")
    of_seat = name["text"] if isinstance(name, dict) and "seat" in body else ""
    return {
        ref: Sealed(str(body["seat"] if ref == of_seat else body.get("by", "")), **held)
        for ref, held in (plain.get("texts") or {}).items()
    }


def _whole(listed: list[Any], audiences: Audiences) -> tuple[Event, ...]:
    """The events, refused if so much is held back that nobody can go on with them."""
    try:
        events = tuple(_event(event, audiences) for event in listed)
        state = TableState.of(events)
        for seat in (None, *state.seats.values()):
            snapshot(state, seat, events[-1:], events)
        for event in events:
            seen(event, None, state)
    except Exception as problem:  # what is missing shows wherever the table needs it
        raise _too_little(f"something else refers to it ({type(problem).__name__})") from None
    for event in events:
        if not event.body and event.open.get("roll") in state.going:
            raise _too_little(f"{event.open['roll']} is open, and event {event.seq} belongs to it")
    return events


def _too_little(why: str) -> Refusal:
    return Refusal(
        "bad_request",
        "this copy of the log withholds too much to be gone on with; "
        f"the referee's copy would do: {why}",
    )
