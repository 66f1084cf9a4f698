"""The machinery of rules: their steps, replays and positions, live play, and rolls as data."""
