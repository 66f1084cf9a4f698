"""`rollwright mcp`: dice and tables for an assistant."""

from __future__ import annotations

import logging

import click

from rollwright.cli.options import count_bytes

NEED = "this needs {}: pip install 'rollwright[mcp]'"


@click.command()
@click.option("--http", is_flag=True, help="Serve streamable HTTP at /mcp instead of stdio.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=7657, show_default=True, type=click.IntRange(1, 65535))
@click.option("--tables", multiple=True, metavar="ADDRESS", help="A server to join tables at.")
@count_bytes
def mcp(http: bool, host: str, port: int, tables: tuple[str, ...], count_bytes: int) -> int:
    """Give an assistant dice that it cannot make up: a server of the Model Context Protocol.

    Over stdio, for one assistant on this machine, tables of any server can be joined; with --http
    only those at the addresses that --tables names. Anyone who reaches the port may use it.
    """
    try:
        from rollwright.mcp.server import http_app, make_server
        from rollwright.workers.bots import BotWorker, bot_limits
    except ModuleNotFoundError as problem:
        raise click.ClickException(NEED.format(problem.name)) from None
    logging.getLogger("mcp").setLevel(logging.WARNING)
    counting = BotWorker(bot_limits(count_bytes))
    counting.start()
    try:
        if http:
            import uvicorn

            app = http_app(make_server(counting, tables), host)
            print(f"Rollwright serves assistants at http://{host}:{port}/mcp", flush=True)
            uvicorn.run(app, host=host, port=port)
        else:
            make_server(counting, tables or None).run("stdio")
    finally:
        counting.close()
    return 0
