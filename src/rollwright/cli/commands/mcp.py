"""`rollwright mcp`: dice and tables for an assistant."""

from __future__ import annotations

import logging

import click

NEED = "this needs {}: pip install 'rollwright[mcp]'"


@click.command()
@click.option("--http", is_flag=True, help="Serve streamable HTTP at /mcp instead of stdio.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=7657, show_default=True, type=click.IntRange(1, 65535))
@click.option("--tables", multiple=True, metavar="ADDRESS", help="A server to join tables at.")
def mcp(http: bool, host: str, port: int, tables: tuple[str, ...]) -> int:
    """Give an assistant dice that it cannot make up: a server of the Model Context Protocol.

    Over stdio, for one assistant on this machine, tables of any server can be joined; with --http
    only those at the addresses that --tables names. Whoever reaches the port may use it.
    """
    try:
        from rollwright.mcp.server import make_server
    except ModuleNotFoundError as problem:
        raise click.ClickException(NEED.format(problem.name)) from None
    logging.getLogger("mcp").setLevel(logging.WARNING)
    if http:
        server = make_server(tables)
        print(f"Rollwright serves assistants at http://{host}:{port}/mcp", flush=True)
        server.run("streamable-http", host=host, port=port)
    else:
        make_server(tables or None).run("stdio")
    return 0
