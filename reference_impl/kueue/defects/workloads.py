"""Defects in what becomes of a Workload: verdicts, evictions, timeouts, events."""

from __future__ import annotations

from typing import Final

from ..checks import rules as checks
from ..workload import activity, notes, timeouts, verdicts
from .defect import Defect

DEFECTS: Final = (
    Defect(
        "AC-295",
        "a Workload that a check rejected cannot be made active again",
        "v0.19.3 (#14874)",
        "workload.is_requeued_on_activation",
        activity.is_deactivated_exactly,
        activity.is_deactivated_for_any_reason,
    ),
    Defect(
        "BUG-157",
        "a Rejected that comes during an eviction is dropped",
        "v0.19.3 (#14309)",
        "workload.order",
        verdicts.mark_rejected,
        verdicts.mark_rejected_during_eviction,
    ),
    Defect(
        "C-02",
        "a Workload that ran too long is marked again while it stops, and is switched off for ever",
        "",
        "workload.order",
        timeouts.execution_timeout,
        timeouts.execution_timeout_once,
    ),
    Defect(
        "C-03",
        "checks for all flavors are dropped when the ClusterQueue loses the assigned flavor",
        "",
        "workload.required_checks",
        checks.required,
        checks.required_for_lost_flavors_too,
    ),
    Defect(
        "C-24",
        "requeueAt stays for ever when a Retry is withdrawn",
        "",
        "workload.order",
        activity.backoff_over,
        activity.backoff_over_or_withdrawn,
    ),
    Defect(
        "AC-383",
        "a percent sign in a check's message is garbled in events",
        "",
        "workload.format_note",
        notes.print_without_operands,
        notes.plain,
    ),
    Defect(
        "D-07",
        "a Retry with a delay keeps its quota until the delay is over",
        "v0.19.14 (#18785)",
        "workload.order",
        activity.backoff_running,
        activity.backoff_running_without_quota,
    ),
    Defect(
        "PC-04",
        "a check that turns from Retry to Ready does not admit before the wait is over that it no longer asks for",
        "",
        "workload.order",
        activity.backoff_running,
        activity.backoff_running_unless_ready,
    ),
)
