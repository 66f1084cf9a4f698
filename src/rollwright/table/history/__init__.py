"""What was played, to be read: sessions, spreadsheets, and whether the dice were good."""
