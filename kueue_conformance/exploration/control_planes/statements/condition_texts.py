"""Reasons and messages of conditions, as the documents have them (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ....base.objects import Condition
from ....stage.workloads.view import WorkloadView
from .workload_write import WorkloadWrite

_DEACTIVATED = r"DeactivatedDueTo\w+"
_REASONS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "QuotaReserved=True": (
        "AC-250",
        {"QuotaReserved": r"Quota reserved in ClusterQueue {queue}(; waiting for \d+ preemption\(s\))?"},
    ),
    "Admitted=True": ("AC-258", {"Admitted": "The workload is admitted"}),
    "Evicted=True": (
        "AC-265",
        {
            "Preempted": r"Preempted to accommodate a workload \(UID: .+",
            "PodsReadyTimeout": "Exceeded the PodsReady timeout {namespace}/{name}",
            "AdmissionCheck": r"(?s)Evicted due to AdmissionChecks? in Retry state: .+",
            "ClusterQueueStopped": "The ClusterQueue is stopped",
            "LocalQueueStopped": "The LocalQueue is stopped",
            "Deactivated": "The workload is deactivated",
            _DEACTIVATED: r"(?s)The workload is deactivated due to .+",
        },
    ),
    "Evicted=False": ("AC-266", {"QuotaReserved": "Previously: {former}"}),
    "Preempted=True": ("AC-267", {r"In(ClusterQueue|Cohort\w+)": r"Preempted to accommodate a workload .+"}),
    "Preempted=False": ("AC-266", {"QuotaReserved": "Previously: {former}"}),
    "Requeued=True": (
        "AC-269",
        {
            "Preempted": r"Preempted to accommodate a workload .+",
            "BackoffFinished": "The workload backoff was finished",
            "Reactivated": "The workload was reactivated",
            "ClusterQueueRestarted": "The ClusterQueue was restarted after being stopped",
            "LocalQueueRestarted": "The LocalQueue was restarted after being stopped",
        },
    ),
    "DeactivationTarget=True": (
        "AC-270",
        {
            "AdmissionCheck": r"(?s)AdmissionChecks? in Rejected state: .+",
            "RequeuingLimitExceeded": "exceeding the maximum number of re-queuing retries",
            "MaximumExecutionTimeExceeded": "exceeding the maximum execution time",
        },
    ),
}
"""By condition and status: the row, and the patterns of its reasons with those of their messages."""
_RESUMED: Mapping[str, str] = {
    "AdmissionCheck": "BackoffFinished",
    "PodsReadyTimeout": "BackoffFinished",
    "ClusterQueueStopped": "ClusterQueueRestarted",
    "LocalQueueStopped": "LocalQueueRestarted",
}
"""Why a Workload is Requeued, by why it was not (AC-290, AC-306, AC-307)."""


def texts(write: WorkloadWrite) -> Iterator[tuple[str, str]]:
    """Reasons and messages of conditions are those of their table (AC-250…AC-270)."""
    for kind, (row, reasons) in _REASONS.items():
        condition, _, status = kind.partition("=")
        for old, new in write.changes_of(condition):
            if new["status"] != status:
                continue
            observed = f"{kind} with {new.get('reason')}: {new.get('message')!r}"
            if not any(
                re.fullmatch(reason, new.get("reason", ""))
                and re.fullmatch(_pattern(text, write.after, old), new.get("message", ""))
                for reason, text in reasons.items()
            ):
                yield f"{kind} has a reason and the message of it ({row})", observed


def _pattern(text: str, workload: WorkloadView, old: Condition) -> str:
    """Return the pattern of a message with the names of a Workload in it."""
    metadata = workload.object["metadata"]
    values = {
        "{queue}": (workload.admission or {}).get("clusterQueue", ""),
        "{namespace}": metadata.get("namespace", ""),
        "{name}": metadata["name"],
        "{former}": old.get("message", ""),
    }
    # Names may have characters that mean something in a pattern, such as dots.
    for field, value in values.items():
        text = text.replace(field, re.escape(value))
    return text


def requeue_reasons(write: WorkloadWrite) -> Iterator[tuple[str, str]]:
    """Requeued says why by what Evicted says, and later by what has ended (AC-268, AC-290, AC-306)."""
    evicted = write.after.condition("Evicted")
    for old, new in write.changes_of("Requeued"):
        reason = new.get("reason", "")
        # Evicted may be False again by the write that reserves quota anew.
        if new["status"] == "False" and evicted.get("status") == "True":
            expected = evicted.get("reason"), evicted.get("message")
            if (reason, new.get("message")) != expected:
                yield (
                    f"Requeued=False says {expected}, as Evicted does (AC-268)",
                    f"{reason}, {new.get('message')}",
                )
        elif old.get("status") == "False":
            former = old.get("reason", "")
            expected_reason = "Reactivated" if former.startswith("Deactivated") else _RESUMED.get(former)
            if expected_reason and reason != expected_reason:
                yield f"Requeued is True with {expected_reason} behind {former}", f"with {reason}"
