"""Tests, a folder for each part."""
