"""How long a case may take before it counts as one that hangs."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from ..base.slowdown import MOST_TIMES


def extend(items: Iterable[pytest.Item], timeout_scale: float) -> None:
    """Give cases in real time as much more time as their waits take on a busy machine.

    The time-out of the configuration file or of a marker is for waits that are as long as their budgets.
    """
    for item in items:
        # The marker and the setting are those of pytest-timeout, which can be switched off.
        if not item.config.pluginmanager.has_plugin("timeout"):
            return
        seconds = _seconds(item)
        # In front of the marker of the scenario: pytest-timeout reads the closest one.
        if seconds and item.get_closest_marker("scenario"):
            longest = seconds * MOST_TIMES * max(1.0, timeout_scale)
            item.add_marker(pytest.mark.timeout(longest), append=False)


def _seconds(item: pytest.Item) -> float:
    """Return the time-out of a case in seconds, 0 where it has none."""
    marker = item.get_closest_marker("timeout")
    return float(marker.args[0] if marker and marker.args else item.config.getini("timeout") or 0)
