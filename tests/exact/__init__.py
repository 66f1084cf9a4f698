"""Dist and the counting functions."""
