"""What the host of a server can do: look at tables and delete them, keep people out, hand out keys.

Nothing here tells what is said or rolled at a table, except the export that the host asks for.
"""
