"""Mutants: whether the tests of a game notice when one thing in its rules is changed.

`./dev mutate GAME` copies the project below .dev/, has Cosmic Ray change one operator, number or
condition at a time in the modules that compute the game's rules, and runs the game's quick tests
against each. A mutant is killed where a test fails or time runs out, and survives otherwise.
`./dev mutate table` does the same to `rollwright.table`, with the quick ones of its tests.
"""
