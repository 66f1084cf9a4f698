"""Games written in one file."""
