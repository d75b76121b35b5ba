"""Every text the state machine writes, exactly (admission.md §2.2–2.3, scheduling.md §10.2, §10.5)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from reference_impl.api.objects import CheckState

ADMITTED: Final = "The workload is admitted"
NO_RESERVATION: Final = "The workload has no reservation"
NO_RESERVATION_UNSATISFIED: Final = "The workload has no reservation and not all checks ready"
UNSATISFIED: Final = "The workload has not all checks ready"
DEACTIVATED: Final = "The workload is deactivated"
RETENTION_ELAPSED: Final = "Deleted finished workload due to elapsed retention"
REACTIVATED: Final = "The workload was reactivated"
BACKOFF_FINISHED: Final = "The workload backoff was finished"
CLUSTER_QUEUE_STOPPED: Final = "The ClusterQueue is stopped"
LOCAL_QUEUE_STOPPED: Final = "The LocalQueue is stopped"
CLUSTER_QUEUE_RESTARTED: Final = "The ClusterQueue was restarted after being stopped"
LOCAL_QUEUE_RESTARTED: Final = "The LocalQueue was restarted after being stopped"
OWNER_NOT_FOUND: Final = "The workload's owner no longer exists"
REQUEUING_LIMIT_EXCEEDED: Final = "exceeding the maximum number of re-queuing retries"
EXECUTION_TIME_EXCEEDED: Final = "exceeding the maximum execution time"
GATE_CLEARED: Final = "AdmissionGatedBy cleared, waiting for quota reservation"
GATE_CLEARED_NOTE: Final = "Admission gate cleared, workload is now admissible"
WAITING_FOR_PREEMPTIONS: Final = "; waiting for "
CHECK_IS_FALSE: Final = "At least one admission check is false"


def checks_in_state(entries: Sequence[CheckState]) -> str:
    """Name the checks that are in one state, with what they say (AC-276); entries come sorted by name."""
    noun = "AdmissionCheck" if len(entries) == 1 else "AdmissionChecks"
    return f"{noun} in {entries[0]['state']} state: " + "; ".join(_name(entry) for entry in entries)


def _name(entry: CheckState) -> str:
    name = json.dumps(entry["name"], ensure_ascii=False)
    return f"{name} ({entry['message']})" if entry.get("message") else name


def retry(entries: Sequence[CheckState]) -> str:
    """Say which checks send a Workload back (M-064)."""
    return "Evicted due to " + checks_in_state(entries)


def retry_unnamed(_entries: Sequence[CheckState]) -> str:
    """Say that some check sends it back: releases before v0.18 (D-06)."""
    return CHECK_IS_FALSE


def rejection_note(entries: Sequence[CheckState]) -> str:
    """Say in the event which checks ended it (EV-020)."""
    return "Deactivated due to " + checks_in_state(entries)


def rejection_note_of_first(entries: Sequence[CheckState]) -> str:
    """Say it as v0.8–v0.17 did, naming the first check only (D-09)."""
    first = entries[0]
    name, message = first["name"], first.get("message", "")
    return f"Deactivating workload because AdmissionCheck for {name} was Rejected: {message}"


def checks_rejected(entries: Sequence[CheckState]) -> str:
    """Say why v0.6 declares a Workload finished (D-08)."""
    return f"Admission checks [{' '.join(entry['name'] for entry in entries)}] are rejected"


def attempts_exhausted(key: str) -> str:
    """Return the text of the event about a Workload that has had its attempts, until v0.7."""
    return f'Deactivated Workload "{key}" by reached re-queue backoffLimitCount'


def deactivation_due_to(cause: str) -> str:
    """Say why it was deactivated (M-066)."""
    return f"{DEACTIVATED} due to {cause}"


def pods_ready_timeout(key: str) -> str:
    """Say that the pods came too late (M-063)."""
    return f"Exceeded the PodsReady timeout {key}"


def execution_time_note(seconds: int) -> str:
    """Say in the event that it ran too long (EV-021)."""
    return f"The maximum execution time ({seconds}s) exceeded"


def gates_message(by: str) -> str:
    """Return the message with its admission gates (M-070)."""
    return f"Admission is gated by: {by}"


def gates_note(by: str) -> str:
    """Return the event note with its admission gates (EV-022)."""
    return f"Workload admission is gated by: {by}"


def admission_note(cluster_queue: str, waited: float) -> str:
    """Say where it was admitted and how long that took after the reservation (EV-002)."""
    return f"Admitted by ClusterQueue {cluster_queue}, wait time since reservation was {waited:.0f}s"


def with_preemptions(message: str, count: int) -> str:
    """Say after where quota is reserved for how many preemptions the Workload waits (AC-489)."""
    reserved = message.partition(WAITING_FOR_PREEMPTIONS)[0]
    return f"{reserved}{WAITING_FOR_PREEMPTIONS}{count} preemption(s)" if count else reserved


def preemptions_delayed(count: int, checks: Sequence[str]) -> str:
    """Say in the event which checks delay how many preemptions (AC-489)."""
    names = ", ".join(json.dumps(name, ensure_ascii=False) for name in checks)
    return f"{count} preemption(s) wait until admission checks have passed or ask for them: {names}"


def previously(message: str) -> str:
    """Turn the text of a condition that no longer holds (AC-266)."""
    return f"Previously: {message}"
