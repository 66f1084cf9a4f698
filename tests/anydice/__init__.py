"""Programs of AnyDice."""
