"""Loads the plugin in a plain checkout, and collects the tests, which stay until the end, without a search
for garbage among them.
"""

import signal
import sys
import zlib
from collections.abc import Generator

import pytest

from fakecluster.base.memory import for_good

pytest_plugins = ["kueue_conformance.plugin"]

# A shell starts what runs in the background with Ctrl-C ignored, and every program of a test inherits that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--zoo-sample",
        type=int,
        default=1,
        help="of the wrong implementations try one of so many, always the same",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of the zoo that are not in the sample."""
    sample = config.getoption("--zoo-sample")
    if sample == 1:
        return
    left_out = {
        item for item in items if "zoo" in item.keywords and zlib.crc32(item.nodeid.encode()) % sample
    }
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]


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
