"""Attacks on a real server with its default limits, and what the others feel of them.

One module for each: `python -m benchmarks.attacks.costly_rolls`.
"""
