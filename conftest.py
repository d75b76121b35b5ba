"""Loads the plugin in a plain checkout, and collects the tests, which stay until the end, without a search for garbage among them."""

from collections.abc import Generator

import pytest

from fakecluster.loading import for_good

pytest_plugins = ["kueue_conformance.plugin"]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    with for_good():
        return (yield)
