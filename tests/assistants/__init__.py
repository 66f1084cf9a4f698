"""Assistants with tools."""
