"""The database: one writer that commits in groups, readers beside it, versions, locks."""
