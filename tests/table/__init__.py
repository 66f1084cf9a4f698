"""Tests of the shared table: its log, its fairness, its commands and its secrets."""
