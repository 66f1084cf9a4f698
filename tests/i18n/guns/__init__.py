"""A game of nothing but words, in three languages."""
