"""What runs a rule: its steps, replays and positions, live play, and rolls as data."""
