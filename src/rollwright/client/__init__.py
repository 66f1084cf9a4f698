"""A small client: ask a Rollwright server for odds, sit at its tables, roll, choose and listen.

    from rollwright.client import Server

    with Server("http://127.0.0.1:7655") as server:
        table = server.create_table("twilight2000", name="Ana")
        print(table.links["player"])
        roll = table.roll({"roll": "skill", "attribute": "B", "skill": "C"})
        if roll.waits_for == "choice":
            roll = table.choose(roll, table.advise(roll)["best"])
        print(roll.told)

`AsyncServer` is the same for whoever has an event loop, and `happening` makes a typed value of an
event. Needs the extra `client`: pip install 'rollwright[client]'.
"""

from rollwright.client.async_tables import AsyncServer, AsyncTable
from rollwright.client.happenings import Happening, happening
from rollwright.client.http import Link, Refused, Unreachable, key_of
from rollwright.client.rolls import Ack, Event, Roll, Unfair
from rollwright.client.tables import Server, Table

__all__ = [
    "Ack",
    "AsyncServer",
    "AsyncTable",
    "Event",
    "Happening",
    "Link",
    "Refused",
    "Roll",
    "Server",
    "Table",
    "Unfair",
    "Unreachable",
    "happening",
    "key_of",
]
