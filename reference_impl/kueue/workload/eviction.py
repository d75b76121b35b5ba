"""The eviction procedure: one status write that tells a Workload to stop (AC-340…346).

Quota and the Admitted condition stay until its job has stopped.
"""

from __future__ import annotations

from reference_impl.api.objects import WorkloadStatus
from reference_impl.kueue.checks.entries import Checks

from . import conditions as c
from . import metrics
from .conditions import Condition
from .decision import NORMAL, ApplyStatus, Decision, MetricSample, RecordedEvent
from .draft import StatusDraft
from .rules import Eviction, WorkloadRules
from .view import Workload


def evict(workload: Workload, draft: StatusDraft, eviction: Eviction, rules: WorkloadRules) -> Decision:
    """Mark it evicted, reset the answers, count it; tell the outside only if it held something (AC-342)."""
    # Looked up before this eviction is counted: the metric of unique evictions counts
    # Workloads, not evictions.
    first = (eviction.group, eviction.cause) not in _lines(draft.status)
    marked = _mark(draft, eviction, rules)
    write = ApplyStatus(_count(marked, eviction).status)
    # Nothing was held, so nobody outside is told (AC-342).
    if workload.admission is None:
        return Decision(write=write)
    note = RecordedEvent(NORMAL, f"EvictedDueTo{eviction.reason}", eviction.message)
    samples = _samples(workload, eviction, draft.current_time, first=first)
    return Decision(write=write, events=(note,), metrics=samples)


def evict_silently(
    _workload: Workload, draft: StatusDraft, eviction: Eviction, rules: WorkloadRules
) -> Decision:
    """Do what v0.6 did: the condition and nothing else (AC-346)."""
    return Decision(write=ApplyStatus(_mark(draft, eviction, rules).status))


def _mark(draft: StatusDraft, eviction: Eviction, rules: WorkloadRules) -> StatusDraft:
    # The KEP keeps a Retry until its delay is over; released versions reset it like the
    # rest.
    reset = rules.reset_checks_on_retry if eviction.reason == "AdmissionCheck" else rules.reset_checks
    evicted = draft.set(Condition(c.EVICTED, True, eviction.reason, eviction.message))
    # MultiKueue and node failure belong to the attempt that has ended.
    cleared = evicted.drop("clusterName", "nominatedClusterNames", "unhealthyNodes")
    return cleared.with_checks(reset(Checks.of(draft.status), draft.current_time))


def _lines(status: WorkloadStatus) -> dict[tuple[str, str], int]:
    lines = (status.get("schedulingStats") or {}).get("evictions") or ()
    return {(line["reason"], line.get("underlyingCause", "")): int(line["count"]) for line in lines}


def _count(draft: StatusDraft, eviction: Eviction) -> StatusDraft:
    key = (eviction.group, eviction.cause)
    lines = _lines(draft.status)
    counts = {**lines, key: lines.get(key, 0) + 1}
    # In the order of the first eviction of each kind: an apply of the same list is no
    # change.
    evictions = [{"reason": r, "underlyingCause": u, "count": n} for (r, u), n in counts.items()]
    return draft.put("schedulingStats", {"evictions": evictions})


def _samples(
    workload: Workload, eviction: Eviction, current_time: float, *, first: bool
) -> tuple[MetricSample, ...]:
    counted = metrics.eviction(workload, eviction, first=first)
    if not workload.is_true(c.PODS_READY):
        return counted
    waited = current_time - workload.since(c.PODS_READY)
    return (*counted, metrics.pods_ready_to_evicted(workload, eviction, waited))
