"""Commands by which a referee asks for rolls."""

from __future__ import annotations

from rollwright.kit.fields import field, said
from rollwright.table.asks import EVERYBODY
from rollwright.table.commands_rolls import Rolling, write_closed
from rollwright.table.forms import Id, Seats
from rollwright.table.memory import weighed
from rollwright.table.needs import REFEREES, Command, find_seat
from rollwright.table.pens import Pen
from rollwright.table.refusals import Refusal
from rollwright.table.rolls import OPEN
from rollwright.table.seats import REFEREE, SPECTATOR
from rollwright.table.starting import check_asked


class MakeAsk(Rolling, do="ask.make", allowed=REFEREES):
    """Somebody, or everybody, is asked to roll."""

    who: Seats = field(help='The seats that are asked; "all" for everybody.', most="seats")

    def run(self, pen: Pen) -> None:
        if len(pen.state.asks) >= pen.limits.asks:
            raise Refusal("too_many", f"{len(pen.state.asks)} asks are open; ask.close closes one")
        some = () if isinstance(self.who, str) else self.who
        for seat in some:
            if find_seat(pen, seat, "who").role == SPECTATOR:
                raise Refusal("bad_field", f"who: {seat} only watches", "who")
        check_asked(pen.state, self.ways, self.goal)
        self._check_room(pen)
        how = {"roles": self.roles, "physical": self.physical, "goal": self.goal}
        visibility = self.visibility or OPEN
        body = {
            "ask": f"a{pen.state.asked + 1}",
            "who": list(some) or EVERYBODY,
            "roll": {name: held for name, held in (self.ways | how).items() if held},
            "note": pen.seal(self.note),
            "visibility": visibility,
            "announce": self.announce,
        }
        secret = visibility != OPEN and bool(some)
        write = pen.write_unnamed if secret and not self.announce else pen.write
        write("ask.made", body, (*some, pen.seat.id, REFEREE) if secret else None)

    def _check_room(self, pen: Pen) -> None:
        """Refuse to ask for so much that all asks are too much to be shown at once."""
        held = sum(ask.weight for ask in pen.state.asks.values())
        if held + sum(map(weighed, self.ways.values())) > pen.limits.asks_bytes:
            raise Refusal("too_many", "so much is asked for already; ask.close closes one")


class CloseAsk(Command, do="ask.close", allowed=REFEREES):
    """The ask is over, whoever has answered."""

    ask: Id = field(help="The ask.")

    def run(self, pen: Pen) -> None:
        ask = pen.state.asks.get(self.ask)
        if ask is None:
            raise Refusal("not_found", f"there is no open ask {said(self.ask)}", "ask")
        write_closed(pen, ask)


COMMANDS = (MakeAsk, CloseAsk)
