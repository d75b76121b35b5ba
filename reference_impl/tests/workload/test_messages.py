"""Texts that are put together of several parts (AC-489)."""

from __future__ import annotations

import pytest

from reference_impl.kueue.workload import messages

DELAYED = {
    "one check": (("a",), '1 preemption(s) wait until admission checks have passed or ask for them: "a"'),
    "two": (("a", "b"), '1 preemption(s) wait until admission checks have passed or ask for them: "a", "b"'),
}


@pytest.mark.parametrize(("checks", "message"), DELAYED.values(), ids=DELAYED)
def test_checks_that_delay_preemptions_are_named(checks: tuple[str, ...], message: str) -> None:
    assert messages.preemptions_delayed(1, checks) == message


def test_the_number_of_preemptions_replaces_an_earlier_one() -> None:
    once = messages.with_preemptions("Quota reserved in ClusterQueue cq", 2)

    assert once.startswith("Quota reserved in ClusterQueue cq")
    assert messages.with_preemptions(once, 1) == once.replace("2 preemption", "1 preemption")
    assert messages.with_preemptions(once, 0) == "Quota reserved in ClusterQueue cq"


ONE, TWO = {"name": "a", "state": "Retry", "message": "no"}, {"name": "b", "state": "Retry", "message": ""}
TEXTS = {
    "M-064 one check": (messages.retry([ONE]), 'Evicted due to AdmissionCheck in Retry state: "a" (no)'),
    "M-064 two checks": (messages.retry([ONE, TWO]), 'Evicted due to AdmissionChecks in Retry state: "a" (no); "b"'),
    "EV-020": (messages.rejection_note([ONE]), 'Deactivated due to AdmissionCheck in Retry state: "a" (no)'),
    "D-09 the first": (messages.rejection_note_of_first([ONE, TWO]), "Deactivating workload because AdmissionCheck for a was Rejected: no"),
    "D-08": (messages.checks_rejected([ONE, TWO]), "Admission checks [a b] are rejected"),
    "M-066": (messages.deactivation_due_to(messages.REQUEUING_LIMIT_EXCEEDED), "The workload is deactivated due to exceeding the maximum number of re-queuing retries"),
    "M-069": (messages.EXECUTION_TIME_EXCEEDED, "exceeding the maximum execution time"),
    "M-063": (messages.pods_ready_timeout("ns/w"), "Exceeded the PodsReady timeout ns/w"),
    "EV-021": (messages.execution_time_note(5), "The maximum execution time (5s) exceeded"),
    "M-070": (messages.gates_message("a,b"), "Admission is gated by: a,b"),
    "EV-022": (messages.gates_note("a,b"), "Workload admission is gated by: a,b"),
    "M-071": (messages.GATE_CLEARED, "AdmissionGatedBy cleared, waiting for quota reservation"),
    "EV-023": (messages.GATE_CLEARED_NOTE, "Admission gate cleared, workload is now admissible"),
    "EV-002": (messages.admission_note("cq", 1.5), "Admitted by ClusterQueue cq, wait time since reservation was 2s"),
    "EV-024": (messages.RETENTION_ELAPSED, "Deleted finished workload due to elapsed retention"),
    "AC-258": (messages.ADMITTED, "The workload is admitted"),
    "AC-259": (messages.NO_RESERVATION, "The workload has no reservation"),
    "AC-260": (messages.NO_RESERVATION_UNSATISFIED, "The workload has no reservation and not all checks ready"),
    "AC-261": (messages.UNSATISFIED, "The workload has not all checks ready"),
    "AC-266": (messages.previously("gone"), "Previously: gone"),
    "AC-269 back-off": (messages.BACKOFF_FINISHED, "The workload backoff was finished"),
    "AC-269 active again": (messages.REACTIVATED, "The workload was reactivated"),
    "AC-269 ClusterQueue": (messages.CLUSTER_QUEUE_RESTARTED, "The ClusterQueue was restarted after being stopped"),
    "AC-269 LocalQueue": (messages.LOCAL_QUEUE_RESTARTED, "The LocalQueue was restarted after being stopped"),
    "AC-265 ClusterQueue": (messages.CLUSTER_QUEUE_STOPPED, "The ClusterQueue is stopped"),
    "AC-265 LocalQueue": (messages.LOCAL_QUEUE_STOPPED, "The LocalQueue is stopped"),
    "AC-271": (messages.OWNER_NOT_FOUND, "The workload's owner no longer exists"),
    "AC-346": (messages.retry_unnamed([ONE]), "At least one admission check is false"),
}  # fmt: skip


@pytest.mark.parametrize(("template", "text"), TEXTS.values(), ids=TEXTS)
def test_a_text(template: str, text: str) -> None:
    assert template == text
