"""Decisions about a Workload before it is created: a system that decides at once would be faster than one
that comes later (harness/H-11).
"""

from __future__ import annotations

from collections.abc import Sequence

from ...base.json_types import Json
from ...subject.drivers import DriverContext, DriverFailed, StateDriver
from ...subject.drivers.decision import Decision
from ...subject.drivers.labels import WorkloadLabels


class EarlyDecisions:
    """Makes decisions ahead, as long as the drivers of the case can do without the Workload."""

    def __init__(self) -> None:
        self._has_failed = False

    def make(
        self, state_driver: StateDriver, decisions: Sequence[Decision], manifest: Json, means: DriverContext
    ) -> Json | None:
        """Make them and return the manifest that is created; None where the driver needs the Workload."""
        driver = state_driver.driver
        if isinstance(driver, WorkloadLabels):
            return driver.label(manifest, decisions)
        if driver is None or driver.needs_workload or self._has_failed:
            return None
        try:
            for decision in decisions:
                driver.decide(decision, means, state_driver.timeout)
        except DriverFailed:
            # A command may label the Workload, too. It is called again when that is there, and fails then
            # where something else is wrong.
            self._has_failed = True
            return None
        return manifest
