"""The versions of the database: what it takes to get from each to the next."""
