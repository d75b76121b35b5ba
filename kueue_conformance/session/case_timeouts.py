"""How long a case may take before it counts as one that hangs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pytest

from ..base.errors import UnmetPremise
from ..base.slowdown import MOST_TIMES
from ..case.context import CaseContext
from ..case.failure_text import explain

_ENDED = re.compile(r"Timeout \(>([\d.]+)s\) from pytest-timeout")


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


@contextmanager
def judge_timeout(context: CaseContext | None) -> Iterator[None]:
    """Carry out a case; raise UnmetPremise where pytest-timeout ends it, with what it waited for then."""
    try:
        yield
    except pytest.fail.Exception as problem:
        if not (ended := _ENDED.search(str(problem))):
            raise
        waited = f"\n{explain(context, *context.awaited)}" if context and context.awaited else ""
        raise UnmetPremise(
            f"undetermined: the case was ended after {float(ended[1]):g} s, longer than all of its waits should take{waited}",
            hint="use a machine with less other work, or --timeout-scale 2; where that changes nothing, the case hangs",
        ) from problem
