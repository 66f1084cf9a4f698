"""Which worker runs which file, also after one of them has died.

A worker takes a whole file at a time, in the order in which they were found. Where a worker dies,
the test that it was running is one failure; the rest of its files go to the others, or to the
worker that comes in its place.
"""

from __future__ import annotations

from typing import Any

from xdist.scheduler import LoadFileScheduling

ENOUGH = 3
"""So many tests that are known: a worker begins one only when it knows what comes after it."""


class Scheduling(LoadFileScheduling):
    """Whole files; nothing is run twice, and nobody waits for work that is there."""

    def remove_node(self, node: Any) -> str | None:
        """Take a worker away; the test that it was at is over, all others are still to be run."""
        work = self.assigned_work.pop(node)
        left = [name for unit in work.values() for name, done in unit.items() if not done]
        crashed = left[0] if left else None
        for file, unit in reversed(work.items()):
            unfinished = {name: done for name, done in unit.items() if name in left[1:]}
            if unfinished:
                self.workqueue[file] = unfinished
                self.workqueue.move_to_end(file, last=False)
        for other in self.nodes:
            self._reschedule(other)
        return crashed

    def _reschedule(self, node: Any) -> None:
        """Give a worker files until it knows enough tests; send it home where there are no more."""
        if node not in self.registered_collections:
            return  # it came in the place of one, and does not know the tests yet
        while not node.shutting_down and self._pending_of(self.assigned_work[node]) < ENOUGH:
            if not self.workqueue:
                node.shutdown()
                return
            try:
                self._assign_work_unit(node)
            except OSError:
                return  # it has just died; what it was given is taken back when that is told
