"""The table server, tested with real processes and real databases."""
