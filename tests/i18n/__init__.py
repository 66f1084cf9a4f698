"""Tests of messages, catalogs and languages."""
