"""Settings for every test: no deadlines, since machines differ; the same examples in CI."""

import os

from hypothesis import settings

collect_ignore = ["cli/test_playing.py"] if os.name == "nt" else []  # it needs a terminal of Unix

if not os.environ.get("CI"):
    settings.register_profile("local", deadline=None)
    settings.load_profile("local")
