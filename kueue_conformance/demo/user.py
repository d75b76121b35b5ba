"""The user of the demonstration: a client that creates a Job at a fixed time, on the shared event loop, so
that each run is the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from reference_impl.api.kinds import JOBS
from reference_impl.runtime.alarm import Alarm
from reference_impl.runtime.part import Runnable, Runtime

from ..base.json_types import Json

AFTER = 5.0
"""Seconds after the start, when everything else is quiet."""


@dataclass(frozen=True, slots=True)
class User:
    """A part of a program that creates Jobs."""

    jobs: Sequence[Json]

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Return what waits for its time."""
        return [_Creating(runtime, self.jobs)]


@dataclass(frozen=True, slots=True)
class _Creating:
    runtime: Runtime
    jobs: Sequence[Json]
    name: str = "user"

    async def run(self) -> None:
        """Wait, then create the Jobs."""
        alarm = Alarm(self.runtime.clock)
        try:
            await alarm.wait(AFTER)
            for job in self.jobs:
                await self.runtime.client.create(JOBS, job)
            await alarm.wait(math.inf)
        finally:
            alarm.close()
