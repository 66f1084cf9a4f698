"""Tests of the documentation: its site, its pages, its reference."""
