"""Random lines of the notation: rolled, counted, told, stored and translated, or refused by us."""
