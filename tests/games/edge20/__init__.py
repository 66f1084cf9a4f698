"""Tests of edge20: its rules line by line, its odds against slow counts, its words and sheets."""
