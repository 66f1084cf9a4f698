"""Commands at a table, each decided into the events it makes."""
