"""Rolls, logs and a database as format 2 wrote them, which every later code reads."""
