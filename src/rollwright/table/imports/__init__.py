"""A log from elsewhere as the beginning of a table here."""
