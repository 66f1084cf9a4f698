"""A small client: ask a Rollwright server for odds, sit at its tables, roll, choose and listen.

    from rollwright.client import Server

    with Server("http://127.0.0.1:7655") as server:
        table = server.create_table("twilight2000", name="Ana")
        print(table.links["player"])
        roll = table.roll({"roll": "skill", "attribute": "B", "skill": "C"})
        if roll.waits_for == "choice":
            roll = table.choose(roll, table.advise(roll)["best"])
        print(roll.told)

Needs the extra `client`: pip install 'rollwright[client]'.
"""

from rollwright.client.http import Link, Refused, Unreachable, key_of
from rollwright.client.rolls import Ack, Roll, Unfair
from rollwright.client.tables import Server, Table

__all__ = ["Ack", "Link", "Refused", "Roll", "Server", "Table", "Unfair", "Unreachable", "key_of"]
