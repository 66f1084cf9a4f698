"""What keeps a server running: processes, chores, backups, checks, logs and numbers."""
