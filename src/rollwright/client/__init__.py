"""A small client: ask a Rollwright server for odds, sit at its tables, roll, choose and listen.

    from rollwright.client import Server

`AsyncServer` is the same for an event loop, and `happening` makes a typed value of an event. Needs
the extra `client`: pip install 'rollwright[client]'.

`AsyncServer` is the same for whoever has an event loop, and `happening` makes a typed value of an
event. Needs the extra `client`: pip install 'rollwright[client]'.
"""

from rollwright.client.async_tables import AsyncServer, AsyncTable
from rollwright.client.events import TypedEvent, parse_event
from rollwright.client.http import Link, ServerError, Unreachable, key_of
from rollwright.client.rolls import Ack, EventData, RollView, UnfairHostError
from rollwright.client.tables import Server, Table

__all__ = [
    "Ack",
    "AsyncServer",
    "AsyncTable",
    "EventData",
    "TypedEvent",
    "Link",
    "ServerError",
    "RollView",
    "Server",
    "Table",
    "UnfairHostError",
    "Unreachable",
    "parse_event",
    "key_of",
]
