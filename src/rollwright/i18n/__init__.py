"""Messages with values, catalogs of their texts, and a voice for each language."""
