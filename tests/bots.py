"""The counting of bots in tests: one process for all bots of a test process."""

from __future__ import annotations

from rollwright.workers.bots import BotWorker, bot_limits

PATIENT = 600.0
"""Seconds that no test takes, however busy the machine is."""
COUNTING = BotWorker(bot_limits()._replace(seconds=PATIENT, wait=PATIENT))
"""It begins with the first question, and ends with the tests."""
