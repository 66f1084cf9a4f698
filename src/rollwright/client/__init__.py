"""A small client: ask a Rollwright server for odds, sit at its tables, roll, choose and listen.

    from rollwright.client import Server

`AsyncServer` is the same for an event loop, and `happening` makes a typed value of an event. Needs
the extra `client`: pip install 'rollwright[client]'.

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
