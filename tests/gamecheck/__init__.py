"""Checks of games, for those who write them."""
