"""Live tables in memory: commands one at a time, sockets, and events sent to everybody."""
