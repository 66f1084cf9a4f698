"""Dice for assistants: a server of the Model Context Protocol, a thin skin over `ask` and tables.

Needs the extra `mcp`: pip install 'rollwright[mcp]'.
"""
