"""A roll made to be shown elsewhere: in words and as a picture, and as a link that verifies."""
