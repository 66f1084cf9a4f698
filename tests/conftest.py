"""Settings for every test: no deadlines, since machines differ; the same examples in CI."""

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

collect_ignore = ["cli/test_playing.py"] if os.name == "nt" else []  # it needs a terminal of Unix

if not os.environ.get("CI"):
    slow_machine = [HealthCheck.too_slow]
    settings.register_profile("local", deadline=None, suppress_health_check=slow_machine)
    settings.load_profile("local")

os.environ["ROLLWRIGHT_LANGUAGE"] = "en"  # whatever the machine speaks

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background of a script; what the tests start must hear Ctrl-C all the same.
    signal.signal(signal.SIGINT, signal.default_int_handler)
if os.name != "nt" and signal.getsignal(signal.SIGQUIT) is signal.SIG_IGN:
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items):
    """Whatever asks for a browser is marked so."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
