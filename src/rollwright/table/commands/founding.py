"""How a table comes to be, and how people come to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rollwright import __version__
from rollwright.engine.transcript import FORMAT
from rollwright.kit.games import find_game
from rollwright.table.commands.forms import (
    Field,
    anything,
    filled,
    mapping,
    one_of,
    plain,
    text,
    token_hash,
    yes_or_no,
)
from rollwright.table.commands.seats import house_of
from rollwright.table.commands.writer import AddToken, Decision, Entropy, Pen, Secrets
from rollwright.table.fairness import handover_commitment, handover_of, next_commitment
from rollwright.table.limits import LIMITS, Limits
from rollwright.table.refusals import Refusal, refusing
from rollwright.table.seats import HERE, KNOCKING, PLAYER, REFEREE, REMOVED, ROLES, SPECTATOR, Seat
from rollwright.table.state import TableState


def found(
    command: Mapping[str, Any],
    *,
    table: str,
    secret: bytes,
    entropy: Entropy,
    limits: Limits = LIMITS,
) -> Decision:
    """A new table: `table.created`, and its founder's `seat.joined` as the referee s1.

    `command` is what `POST /tables` takes: `{id?, game?, house?, title?, name, knock?, lists?,
    tokens: {seat, referee, player, spectator}}` with the hashes of tokens. The sides hold the
    tokens. Refused with a Refusal.
    """
    came = plain(command)
    came.pop("id", None)
    fields = filled(_form(limits), came, "a new table")
    tokens = filled(_tokens(), fields["tokens"], "tokens")
    given = [token for token in tokens.values() if token]
    if len(set(given)) < len(given):
        raise Refusal("bad_field", "tokens: two are alike; each needs one of its own", "tokens")
    with refusing("game"):
        if fields["game"]:
            find_game(fields["game"])
    house = house_of(fields["game"], fields["house"])
    founder = Seat("s1", REFEREE, HERE)
    pen = Pen(TableState.new(table), founder, Secrets(secret), entropy, limits)
    body = {
        "table": table,
        "format": FORMAT,
        "rollwright": __version__,
        "game": fields["game"],
        "house": house,
        "knock": fields["knock"],
        "lists": fields["lists"],
        "title": pen.seal(fields["title"]),
        "handover": handover_commitment(handover_of(secret)),
    }
    pen.write("table.created", body, open={"next": next_commitment(secret, 1)})
    _sit_down(pen, fields["name"])
    pen.side(AddToken(tokens["seat"], "seat", REFEREE, founder.id))
    for role in ROLES:
        if tokens[role]:
            pen.side(AddToken(tokens[role], "link", role))
    return pen.decision


def _form(limits: Limits) -> dict[str, Field]:
    return {
        "game": Field(text(60, empty=True), ""),
        "house": Field(mapping(limits.house), {}),
        "title": Field(text(limits.title, empty=True), ""),
        "name": Field(text(limits.name)),
        "knock": Field(yes_or_no, False),
        "lists": Field(anything(limits.lists), {}),
        "tokens": Field(mapping(2000)),
    }


def _tokens() -> dict[str, Field]:
    links = {role: Field(token_hash, "") for role in (REFEREE, PLAYER, SPECTATOR)}
    return {"seat": Field(token_hash), **links}


def _sit_down(pen: Pen, name: str) -> None:
    seat = pen.seat
    body = {"seat": seat.id, "role": seat.role, "name": pen.seal(name), "status": seat.status}
    pen.write("seat.joined", body)


def join(
    state: TableState,
    *,
    role: str,
    name: str,
    token_hash: str,
    entropy: Entropy,
    limits: Limits = LIMITS,
) -> Decision:
    """A new seat by a link of that role: `seat.joined`, here or knocking, and its token."""
    form = {
        "role": Field(one_of(*ROLES)),
        "name": Field(text(limits.name)),
        "token_hash": Field(_hash),
    }
    came = plain({"role": role, "name": name, "token_hash": token_hash})
    fields = filled(form, came, "join")
    present = [seat for seat in state.seats.values() if seat.status != REMOVED]
    if len(present) >= limits.seats:
        raise Refusal("too_many", f"the table is full: it has {limits.seats} seats")
    if len(state.seats) >= limits.seats_ever:
        raise Refusal("too_many", f"{limits.seats_ever:,} people have sat at this table by now")
    knocks = state.knock and role != REFEREE
    seat = Seat(f"s{len(state.seats) + 1}", fields["role"], KNOCKING if knocks else HERE)
    pen = Pen(state, seat, Secrets(b""), entropy, limits)
    _sit_down(pen, fields["name"])
    pen.side(AddToken(fields["token_hash"], "seat", seat.role, seat.id))
    return pen.decision


_hash = token_hash
