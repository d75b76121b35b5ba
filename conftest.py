"""Loads the plugin in a plain checkout, and collects the tests, which stay until the end, without a search
for garbage among them.
"""

import signal
import sys
from collections.abc import Generator

import pytest

from fakecluster.base.memory import for_good

pytest_plugins = ["kueue_conformance.plugin"]

# A shell starts what runs in the background with Ctrl-C ignored, and every program of a test inherits that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    with for_good():
        return (yield)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Drop Hypothesis' summary where no test of this process used it: it imports all of Hypothesis, half a
    second.
    """
    manager = session.config.pluginmanager
    if "hypothesis" not in sys.modules and not manager.hasplugin("dsession"):
        manager.unregister(name="hypothesispytest")
