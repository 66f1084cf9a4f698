"""Programs that somebody writes, and what their lines show."""
