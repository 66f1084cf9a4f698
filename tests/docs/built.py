"""The documentation site, built once for all workers of a run."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from docs import website


def the_site(base: Path) -> Path:
    """The site as it is published; who asks first builds it, `base` being where a worker may write.

    Whoever reads it leaves it as it is.
    """
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    site = shared / "documentation"
    with (shared / "documentation.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not site.exists():
            website.build(shared / "documentation.new")
            (shared / "documentation.new").rename(site)
    return site
