"""Rules written as the book says them, without a word for the counter."""
