"""Rules cut at every await: what follows one is a function of the answer and of live locals."""
