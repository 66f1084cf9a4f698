"""What people read: messages with values, catalogs of texts, and a voice for each language."""
