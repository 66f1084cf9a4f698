"""The history of a table, to be read: sessions, spreadsheets, and whether the dice were fair."""
