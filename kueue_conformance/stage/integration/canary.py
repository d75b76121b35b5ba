"""A canary shows that an external integration has read everything: a job that was made afterwards has a
Workload (design.md §6).
"""

from __future__ import annotations

import time
from collections.abc import Callable

from ...base.errors import Nonconformance, too_busy
from ...case.context import CaseContext
from ...case.failure_text import explain
from ...history.fact import Fact
from .job import IntegratedJob

_CALM_FACTOR = 3.0
"""How many times the slowest reaction nothing must happen (design.md §6)."""


class IntegrationCanary:
    """Makes one job after another, in a queue that does not exist."""

    def __init__(self, context: CaseContext, submit: Callable[[], IntegratedJob]) -> None:
        self._context = context
        self._submit = submit
        self._slowest = 0.0

    def wait_for_workload(self) -> float:
        """Return the calm that is needed when a new job has its Workload; at once where no replica runs.

        Raises Nonconformance.
        """
        if self._context.subject is None or not self._context.subject.up:
            return 0.0
        job, began = self._submit(), time.monotonic()
        budget = self._context.budgets.seconds("react")
        if not self._context.cluster.wait(lambda: bool(job.has_one_workload()), budget, self._context.react):
            raise self._silence(job)
        # Real time: a canary is needed only where no virtual clock tells quiet.
        self._slowest = max(self._slowest, time.monotonic() - began)
        job.delete()
        return _CALM_FACTOR * self._slowest

    def _silence(self, job: IntegratedJob) -> Exception:
        expected = f"the integration makes a Workload for {job}, which is there only to see whether it works"
        silent = Fact(False, expected, f"it has gone silent: {job.has_one_workload().observed}")
        text = explain(self._context, "", silent, f"within {self._context.budgets.describe('react')}")
        return too_busy(text) if self._context.cluster.was_wait_too_short else Nonconformance(text)
