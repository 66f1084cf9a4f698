"""Tables in memory: commands one at a time, sockets, and everybody told."""
