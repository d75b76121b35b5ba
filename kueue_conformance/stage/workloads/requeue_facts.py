"""Counters in a Workload's status: delays, evictions, the time that it ran."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.numbers import moment
from ...base.objects import RequeueState
from ...history.fact import Fact
from ..checks.check import Check, timestamp
from .reader import WorkloadReader


class RequeueFacts(WorkloadReader):
    """Facts about status.requeueState, status.schedulingStats and the accumulated execution time."""

    def has_requeue_time_of(self, check: Check) -> Fact:
        """status.requeueState.requeueAt is the time of the check's newest Retry and the delay of that."""
        # Of the story: the entry itself may be Pending again, since a later second.
        entries = [new.checks.get(check.name, {}) for _, new in self._views()]
        verdict = next((entry for entry in reversed(entries) if entry.get("state") == "Retry"), None)
        if verdict is None:
            return Fact(False, f"{self}: requeueAt is set for {check.name}", "it has no Retry of that check")
        due = timestamp(moment(verdict["lastTransitionTime"]) + verdict["requeueAfterSeconds"])
        requeue_at = (self._read().status.get("requeueState") or {}).get("requeueAt")
        return Fact(requeue_at == due, f"{self}: requeueAt is {due}", f"it is {requeue_at}")

    def current_requeue_state(self) -> RequeueState:
        """Return status.requeueState for a later comparison."""
        return self._read().status.get("requeueState") or RequeueState()

    def has_requeue_state(self, state: RequeueState) -> Fact:
        """status.requeueState is this."""
        observed = self.current_requeue_state()
        return Fact(observed == state, f"{self}: requeueState is {state}", f"it is {observed}")

    def has_requeue_count(self, times: int) -> Fact:
        """status.requeueState.count tells so many attempts whose pods were not ready in time."""
        count = (self._read().status.get("requeueState") or {}).get("count", 0)
        return Fact(count == times, f"{self}: requeueState.count is {times}", f"it is {count}")

    def has_past_execution_time(self, seconds: int) -> Fact:
        """status.accumulatedPastExecutionTimeSeconds is this."""
        observed_seconds = self._read().status.get("accumulatedPastExecutionTimeSeconds", 0)
        return Fact(
            observed_seconds == seconds, f"{self}: it ran {seconds} s before", f"it ran {observed_seconds} s"
        )

    def has_eviction_counts(self, counts: Mapping[tuple[str, str], int]) -> Fact:
        """status.schedulingStats counts so many evictions by reason and underlying cause, and no others."""
        lines = (self._read().status.get("schedulingStats") or {}).get("evictions", [])
        observed = {(line["reason"], line.get("underlyingCause", "")): line["count"] for line in lines}
        return Fact(
            observed == dict(counts), f"{self}: evictions are counted as {dict(counts)}", f"{observed}"
        )
