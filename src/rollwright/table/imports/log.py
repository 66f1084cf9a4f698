"""A log from elsewhere as the beginning of a table here: checked first, secrets kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from rollwright import __version__
from rollwright.table.events import Draft, Event, Sealed
from rollwright.table.fairness import handover_commitment, handover_of, next_commitment
from rollwright.table.imports.audiences import Audiences
from rollwright.table.imports.bounds import check_bounds
from rollwright.table.refusals import Refusal
from rollwright.table.state import TableState
from rollwright.table.verify.chain import is_hash
from rollwright.table.verify.log import verify_log
from rollwright.table.views import seen, snapshot


class Imported(NamedTuple):
    """A log that can be gone on with here."""

    table: str
    events: tuple[Event, ...]
    number: int
    """The number of the next fair throw."""

    @property
    def handovers(self) -> tuple[str, ...]:
        """Every commitment to a handover in the log; the last one counts."""
        founding = ("table.created", "table.imported")
        found = [event.body for event in self.events if event.kind in founding]
        return tuple(str(body.get("handover", "")) for body in found)

    def rebased(self, secret: bytes, by: str) -> Draft:
        """The event to be written next: this host's commitments, and the referee who came."""
        return rebased(self.events[-1].seq, secret, self.number, by=by)


def rebased(from_seq: int, secret: bytes, number: int, *, by: str = "") -> Draft:
    """The event from which on a table has other keys: it came from elsewhere, or from a copy.

    `by` is the referee who brought it; a copy is made by the host, and by nobody at the table.
    """
    body: dict[str, Any] = {
        "from_seq": from_seq,
        "rollwright": __version__,
        "by": by,
        "handover": handover_commitment(handover_of(secret)),
    }
    copied = {} if by else {"copy": True}
    return Draft("table.imported", body | copied, open={"next": next_commitment(secret, number)})


def import_log(plain: Any, *, stop: Callable[[], bool] | None = None) -> Imported:
    """The events behind a log, to be stored as they are; refused if anything is wrong with it.

    What the log withholds stays withheld, from everybody. Whatever was secret in it is seen by
    no more people than before. Follow it with `rebased(…)`: the old host's keys are not here.
    Whether somebody may go on with the table is another question: see `check_handover`.
    """
    report = verify_log(plain, stop=stop)
    if not report.ok:
        raise Refusal("bad_request", f"this log is not true: {report.problems[0]}"[:600])
    events = _whole(plain["events"], Audiences(report.seen_by))
    check_bounds(report.table, events)
    numbers = [event.open["number"] for event in events if "number" in event.open]
    return Imported(report.table, events, 1 + max(numbers, default=0))


def check_handover(plain: Mapping[str, Any], imported: Imported) -> None:
    """Refuse a copy that is no referee's: it lacks what its host gave to referees alone.

    Whoever goes on with a table becomes its referee, under the id and the log that people know.
    """
    given = plain.get("handover")
    if is_hash(given) and handover_commitment(bytes.fromhex(given)) == imported.handovers[-1]:
        return
    raise Refusal(
        "forbidden",
        "this copy of the log is not a referee's: to go on with a table takes the log.json that a "
        "referee has saved, as it came from the server",
        "handover",
    )


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
