"""What is allowed of writes that evict, and of what is counted by them (pure)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from ....base.numbers import moment
from ....base.objects import CheckState
from ....stage.workloads.view import WorkloadView
from ..state import DRAINED
from .workload_write import WorkloadWrite

_SPENT: Final = "accumulatedPastExecutionTimeSeconds"
_RESET = "Reset to Pending after eviction. Previously: {}"


def _eviction(write: WorkloadWrite) -> Iterator[tuple[str, str]]:
    """An eviction resets entries, and nothing else of what the Workload holds (AC-340, AC-341)."""
    if not write.is_eviction:
        return
    if write.before.admission != write.after.admission:
        yield "the admission stays until quota is released (AC-341)", f"it is {write.after.admission}"
    for name, old in write.before.checks.items():
        new = write.after.checks.get(name, CheckState())
        for field, value in _after_eviction(old, is_kep=write.state.is_kep).items():
            if new.get(field) != value:
                yield f"{field} of the entry {name} is {value!r} (AC-340)", f"it is {new.get(field)!r}"


def _after_eviction(old: CheckState, *, is_kep: bool) -> Mapping[str, object]:
    """Return fields of an entry when its Workload was evicted."""
    # What is Pending keeps even its message and its updates; KEP-993 keeps a Retry until its delay is over.
    if old.get("state") == "Pending" or (old.get("state") == "Retry" and is_kep):
        return dict(old)
    expected: dict[str, object] = {
        "state": "Pending",
        "message": _RESET.format(old.get("state")),
        "requeueAfterSeconds": old.get("requeueAfterSeconds"),
    }
    if old.get("state") == "Retry":
        expected["retryCount"] = old.get("retryCount", 0) + 1
    return expected


def _counts(write: WorkloadWrite) -> Iterator[tuple[str, str]]:
    """The count of requeues grows by one at a time-out of pods, and nowhere else (AC-275, AC-315)."""
    old, new = (view.status.get("requeueState", {}).get("count") for view in (write.before, write.after))
    # The count is written by the same request as the eviction.
    timed_out = write.is_eviction and write.after.condition("Evicted").get("reason") == "PodsReadyTimeout"
    if new is not None and new != (old or 0) + timed_out:
        yield f"requeueState.count is {(old or 0) + timed_out} (AC-315)", f"it is {new}"
    if timed_out and new is None:
        yield f"requeueState.count is {(old or 0) + 1} (AC-315)", "there is none"


def _statistics(write: WorkloadWrite) -> Iterator[tuple[str, str]]:
    """Each eviction is counted by its reason and cause (AC-340, AC-344)."""
    old, new = _evictions(write.before), _evictions(write.after)
    if not write.is_eviction:
        if old != new:
            yield f"only an eviction is counted as one: {old}", f"it is {new}"
        return
    # The condition has both in one word, the statistics in two fields.
    reason, _, cause = write.after.condition("Evicted").get("reason", "").partition("DueTo")
    grown = {key for key, count in new.items() if count == old.get(key, 0) + 1}
    if len(grown) != 1 or sum(new.values()) != sum(old.values()) + 1:
        yield f"one eviction more is counted than {old} (AC-340)", f"{new}"
    elif (key := next(iter(grown)))[0] != reason or (cause and key[1] != cause):
        yield f"an eviction with reason {reason} and cause {cause!r} is counted (AC-344)", f"{key}"


def _evictions(workload: WorkloadView) -> Mapping[tuple[str, str], int]:
    statistics: Any = workload.status.get("schedulingStats") or {}
    counts = statistics.get("evictions", ())
    return {
        (item.get("reason", ""), item.get("underlyingCause", "")): item.get("count", 0) for item in counts
    }


def _time_spent(write: WorkloadWrite) -> Iterator[tuple[str, str]]:
    """The time of an admission is added when it ends with an eviction (AC-129, AC-289)."""
    old, new = (view.status.get(_SPENT, 0) for view in (write.before, write.after))
    is_release = write.before.is_true("Admitted") and not write.after.is_true("Admitted")
    if is_release and write.after.is_true("Evicted"):
        times = [
            moment(str(view.condition("Admitted").get("lastTransitionTime", "")))
            for view in (write.before, write.after)
        ]
        # Both times have whole seconds.
        if abs(new - old - (times[1] - times[0])) > 1:
            yield f"{_SPENT} grows by the {times[1] - times[0]:.0f} s of the admission", f"{old} → {new}"


def _target(write: WorkloadWrite) -> Iterator[tuple[str, str]]:
    """What is to be deactivated says so until it is evicted for it (AC-292, AC-293)."""
    evicted = write.after.condition("Evicted")
    if write.is_eviction and evicted.get("reason", "").startswith("Deactivated"):
        if write.after.condition("DeactivationTarget"):
            yield "DeactivationTarget is removed by the eviction (AC-293)", "it is there"
        if write.after.active:
            yield "a Workload is inactive when it is evicted as one (AC-293)", "it is active"
        cause = write.before.condition("DeactivationTarget").get("reason", "")
        expected = f"DeactivatedDueTo{cause}" if cause else "Deactivated"
        if evicted.get("reason") != expected:
            yield f"Evicted has the reason {expected} (AC-293)", str(evicted.get("reason"))


def _first_reason(write: WorkloadWrite) -> Iterator[tuple[str, str]]:
    """What is evicted is not evicted again before it has released its quota (AC-434)."""
    for old, new in write.changes_of("Evicted"):
        if old.get("status") == new["status"] == "True" and write.before.is_true("QuotaReserved"):
            yield (
                f"Evicted says {old.get('reason')} until quota is released (AC-434)",
                f"it says {new.get('reason')}",
            )


def _causes(write: WorkloadWrite) -> Iterator[tuple[str, str]]:
    """An eviction has its cause in the Workload and its queues (AC-287, AC-303, AC-304)."""
    if not write.is_eviction:
        return
    reason = write.after.condition("Evicted").get("reason", "")
    states = {entry.get("state") for entry in write.before.checks.values()}
    policies = write.state.policies(write.before)
    causes: Mapping[str, Callable[[], bool]] = {
        "AdmissionCheck": lambda: "Retry" in states and "Rejected" not in states,
        # What is gone may have been stopped before.
        "ClusterQueueStopped": lambda: policies[0] == DRAINED or not write.state.queue_of(write.before),
        "LocalQueueStopped": lambda: policies[1] == DRAINED or not write.state.local_queue(write.before),
        "Deactivated": lambda: not write.after.active,
    }
    if reason in causes and not causes[reason]():
        yield f"an eviction for {reason} has its cause", f"checks {states}, stop policies {policies}"


def _delays(write: WorkloadWrite) -> Iterator[tuple[str, str]]:
    """An eviction waits for the delays of a Retry, or stores them, by release; behind pods that were not
    ready the delay doubles with each attempt (AC-288, AC-315, KV-35).
    """
    evicted = write.after.condition("Evicted")
    ends = [end for entry in write.before.checks.values() if (end := end_of_retry(entry))]
    if not write.is_eviction:
        return
    at = moment(str(evicted.get("lastTransitionTime", "")))
    requeue: Any = write.after.status.get("requeueState", {})
    delay = moment(str(requeue["requeueAt"])) - at if requeue.get("requeueAt") else 0
    if evicted.get("reason") == "AdmissionCheck" and ends and at < max(ends):
        if write.state.facts.get("retry-delay") == "deferred":
            yield f"it is evicted when the delay is over, in {max(ends) - at:.0f} s (AC-288)", "it is now"
        elif write.state.facts.get("retry-delay") == "requeue" and delay < max(ends) - at:
            yield f"requeueAt is {max(ends) - at:.0f} s later (KV-35)", f"it is {delay:.0f} s later"
    # A check may have asked for a longer delay in the same moment.
    elif evicted.get("reason") == "PodsReadyTimeout" and not ends:
        expected = min(_BACK_OFF_SECONDS * 2 ** (requeue.get("count", 1) - 1), _LONGEST_BACK_OFF_SECONDS)
        # Kueue adds a ten-thousandth at most, and times have whole seconds.
        if not expected <= delay <= expected + 1:
            yield f"requeueAt is {expected} s later (AC-315)", f"it is {delay:.0f} s later"


def end_of_retry(entry: CheckState) -> float:
    """Return when the delay of a Retry ends, in seconds since the epoch; 0 for other entries."""
    if entry.get("state") != "Retry" or not entry.get("requeueAfterSeconds"):
        return 0.0
    began = moment(str(entry.get("lastTransitionTime", "")))
    return began + int(entry.get("requeueAfterSeconds") or 0)


_BACK_OFF_SECONDS, _LONGEST_BACK_OFF_SECONDS = 60, 3600
"""The delay of the first attempt and the longest one, where a configuration says nothing else."""
EVICTIONS: Mapping[str, Callable[[WorkloadWrite], Iterator[tuple[str, str]]]] = {
    "evictions": _eviction,
    "delays": _delays,
    "requeues": _counts,
    "statistics": _statistics,
    "time-spent": _time_spent,
    "deactivation-target": _target,
    "causes": _causes,
    "first-reason": _first_reason,
}
"""The statements about a write that may evict, by name."""
