"""Questions answered in processes of their own, shared fairly by all tables."""
