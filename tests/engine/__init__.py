"""Tests of dice, rules, positions and interpreters."""
