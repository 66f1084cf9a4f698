"""Settings for every test: no deadlines, since machines differ; the same examples in CI."""

import os

from hypothesis import settings

if not os.environ.get("CI"):
    settings.register_profile("local", deadline=None)
    settings.load_profile("local")
