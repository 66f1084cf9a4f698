"""Load on a running server: many sockets in one process, and a bare server to compare with."""
