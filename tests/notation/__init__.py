"""The notation: what is read, rolled, counted, told and refused."""
