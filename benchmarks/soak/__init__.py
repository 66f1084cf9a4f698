"""Servers that are killed in the middle of load, again and again: nothing may be lost."""
