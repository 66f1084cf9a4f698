"""Tests of the Python client without a server: what it believes, and what it does not."""
