"""The bot for Discord, against a Discord of our own."""
