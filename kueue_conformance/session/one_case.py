"""A pytest plugin for a run of one case:
no table of profiles is printed, about which one case says nothing.
"""

from __future__ import annotations

import pytest

from ..report.collect import IS_ONE_CASE


def pytest_configure(config: pytest.Config) -> None:
    """Leave the end of the output to the command that has started pytest."""
    config.stash[IS_ONE_CASE] = True
