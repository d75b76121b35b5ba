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
        fixed_in=("0.19.3", "0.20.0"),
        report=(14870, 14874),
        member="workload.is_requeued_on_activation",
        observed=activity.is_deactivated_exactly,
        corrected=activity.is_deactivated_for_any_reason,
    ),
    Defect(
        "BUG-157",
        "a Rejected that comes during an eviction is dropped",
        fixed_in=("0.19.3", "0.20.0"),
        report=(10807, 14309),
        member="workload.order",
        observed=verdicts.mark_rejected,
        corrected=verdicts.mark_rejected_during_eviction,
    ),
    Defect(
        "C-02",
        "a Workload that ran too long is marked again while it stops, and is switched off for ever",
        fixed_in=(),
        report=(),
        member="workload.order",
        observed=timeouts.execution_timeout,
        corrected=timeouts.execution_timeout_once,
    ),
    Defect(
        "C-03",
        "checks for all flavors are dropped when the ClusterQueue loses the assigned flavor",
        fixed_in=(),
        report=(),
        member="workload.required_checks",
        observed=checks.checks_for_flavors,
        corrected=checks.checks_for_flavors_and_lost_ones,
    ),
    Defect(
        "C-24",
        "requeueAt stays for ever when a Retry is withdrawn",
        fixed_in=(),
        report=(),
        member="workload.order",
        observed=activity.backoff_over,
        corrected=activity.backoff_over_or_withdrawn,
    ),
    Defect(
        "AC-383",
        "a percent sign in a check's message is garbled in events",
        fixed_in=(),
        report=(),
        member="workload.format_note",
        observed=notes.print_without_operands,
        corrected=notes.plain,
    ),
    Defect(
        "D-07",
        "a Retry with a delay keeps its quota until the delay is over",
        fixed_in=("0.19.14", "0.20.7"),
        report=(18785, 18786),
        member="workload.order",
        observed=activity.backoff_running,
        corrected=activity.backoff_running_without_quota,
    ),
    Defect(
        "PC-04",
        "a check that turns from Retry to Ready does not admit before the wait is over that it no longer asks for",
        fixed_in=("0.19.14", "0.20.7"),
        report=(18785, 18786),
        member="workload.order",
        observed=activity.backoff_running,
        corrected=activity.backoff_running_unless_ready,
    ),
)
