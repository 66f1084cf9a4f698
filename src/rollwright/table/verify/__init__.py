"""Whether a log is true: every check, without the host and offline."""
