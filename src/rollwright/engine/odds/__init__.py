"""Exact odds of a rule, from any position and under any policy."""
