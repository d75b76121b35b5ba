"""Which version of the documents the control plane follows: the disagreement table as rows (design.md §2,
D-01…D-27).

A row gives one member of the rules its value from a release on. A dialect is the newest value of each member
at its version; `kep993` stands outside the order and replaces members of the newest release (admission.md
§5). Wire shapes per dialect are pruned in `api.crds`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from ..api import kinds
from ..api.crds.pruning import workload_status
from .checks import rules as checks
from .checks.entries import Checks
from .jobs import decide as jobs
from .jobs.legacy_v0_6 import V0_6_ORDER
from .jobs.snapshot import JobRule
from .provisioning import active as check_active
from .provisioning import decide as provisioning
from .provisioning import fitting as requests
from .provisioning import legacy_v0_6 as legacy_provisioning
from .provisioning import merging, names, need, pairs, retries, states, templates, updates
from .provisioning.rules import ProvisioningRules
from .queueing import pending, strategies
from .queueing.rules import PendingRules
from .queues import legacy_v0_6 as legacy_queues
from .queues import status as queues
from .queues.rules import QueueRules
from .queues.shares import Shares
from .quota import fitness
from .quota import legacy_v0_6 as legacy_quota
from .quota.catalogue import Catalogue
from .quota.forest import CohortTrees
from .scheduling import assignment, considered, eligibility, fitting, grades, judging, outcomes, texts
from .scheduling import legacy_v0_6 as legacy_scheduling
from .scheduling.preemption import wording
from .scheduling.rules import SchedulingRules
from .visibility.rules import LEVEL, MISSING_LEVEL, VisibilityRules
from .workload import activity, eviction, kep, messages, notes, queue_state, release, timeouts, verdicts
from .workload import legacy_v0_6 as legacy_workload
from .workload.rules import PodsReady, TransitionRule, WorkloadRules, keep_status
from .workload.transitions import ORDER

Version = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One member's value since a release; `id` names the line of the table."""

    id: str
    member: str
    since: Version
    value: Any


@dataclass(frozen=True, slots=True)
class Dialect:
    """Everything that the parts of the control plane follow."""

    name: str
    version: Version
    workload: WorkloadRules
    job_order: tuple[JobRule, ...]
    queues: QueueRules
    pending: PendingRules
    scheduling: SchedulingRules
    visibility: VisibilityRules
    provisioning: ProvisioningRules


V0_6_WORKLOAD_ORDER: Final[tuple[TransitionRule, ...]] = (
    activity.rest_when_finished,
    verdicts.sync_checks,
    verdicts.admit,
    legacy_workload.negative,
    queue_state.cluster_queue_state,
    timeouts.pods_ready_timeout,
    activity.backoff_running,
    activity.backoff_over,
    legacy_workload.finish_rejected,
    queue_state.explain_block,
    timeouts.next_deadline,
)


def swap(
    order: tuple[TransitionRule, ...], swaps: Mapping[TransitionRule, tuple[TransitionRule, ...]]
) -> tuple[TransitionRule, ...]:
    """Return an order in which members are replaced, by none or by several."""
    return tuple(new for rule in order for new in swaps.get(rule, (rule,)))


def finishing(rules: WorkloadRules) -> WorkloadRules:
    """Return the rules under which a rejected Workload gives its quota back and is finished then, as in v0.6
    (AC-483, D-08).
    """
    order = swap(
        rules.order,
        {
            activity.rest_when_finished: (activity.rest_when_finished, legacy_workload.finish_rejected),
            verdicts.mark_rejected: (legacy_workload.negative,),
        },
    )
    return replace(rules, order=order, reset_checks_on_retry=kep.keep_negative)


V0_8_WORKLOAD_ORDER: Final = swap(
    ORDER,
    {
        activity.retry_delay: (),
        activity.backoff_running: (legacy_workload.backoff_of_evicted,),
        activity.deactivate: (),
        verdicts.mark_rejected: (legacy_workload.deactivate_rejected,),
        timeouts.execution_timeout: (),
    },
)
KEP_ORDER: Final = swap(
    ORDER,
    {
        activity.retry_delay: (),
        activity.requeue_after_backoff: (kep.delay_over, kep.requeue),
        verdicts.sync_checks: (kep.recheck, verdicts.sync_checks, kep.report_preemptions),
        verdicts.admit: (kep.admit,),
        timeouts.pods_ready_timeout: (kep.preempt_victims, timeouts.pods_ready_timeout),
        queue_state.explain_block: (queue_state.explain_block, kep.set_suspended),
        timeouts.next_deadline: (timeouts.next_deadline, kep.next_delay),
    },
)

ROWS: Final = (
    Row("AC-280…346", "order", (0, 6), V0_6_WORKLOAD_ORDER),
    Row("D-08", "order", (0, 8), V0_8_WORKLOAD_ORDER),
    Row("AC-291", "order", (0, 10), ORDER),
    Row("AC-355", "required_checks", (0, 6), checks.all_listed),
    Row("AC-350", "required_checks", (0, 7), checks.required),
    Row("D-11", "reset_checks", (0, 6), Checks.keep),
    Row("D-11", "reset_checks", (0, 9), Checks.reset),
    Row("D-11", "reset_checks_on_retry", (0, 6), Checks.keep),
    Row("D-11", "reset_checks_on_retry", (0, 9), Checks.reset),
    Row("AC-346", "evict", (0, 6), eviction.evict_silently),
    Row("AC-342", "evict", (0, 8), eviction.evict),
    Row("AC-221", "release", (0, 6), release.without_requeued),
    Row("AC-268", "release", (0, 7), release.after_eviction),
    Row("D-06", "retry_message", (0, 6), messages.retry_unnamed),
    Row("D-06", "retry_message", (0, 18), messages.retry),
    Row("D-09", "rejection_note", (0, 6), messages.rejection_note_of_first),
    Row("D-09", "rejection_note", (0, 18), messages.rejection_note),
    Row("D-10", "deactivation", (0, 6), activity.inactive_workload),
    Row("D-10", "deactivation", (0, 10), activity.due_to_target),
    Row("D-10", "is_requeued_on_activation", (0, 6), activity.is_inactive_workload),
    Row("AC-295", "is_requeued_on_activation", (0, 10), activity.is_deactivated_exactly),
    Row("Q-517", "pods_ready", (0, 6), None),
    Row("Q-517", "pods_ready", (0, 19), PodsReady()),
    Row("AC-220", "prune_status", (0, 6), workload_status("v0.6")),
    Row("AC-220", "prune_status", (0, 9), workload_status("docs-2024")),
    Row("AC-220", "prune_status", (0, 19), keep_status),
    Row("AC-383", "format_note", (0, 6), notes.print_without_operands),
    Row("D-18", "unsatisfied_reason", (0, 6), "NoChecks"),
    Row("D-18", "unsatisfied_reason", (0, 7), "UnsatisfiedChecks"),
    Row("D-18", "no_reservation_unsatisfied_reason", (0, 6), "NoReservationNoChecks"),
    Row("D-18", "no_reservation_unsatisfied_reason", (0, 7), "NoReservationUnsatisfiedChecks"),
)
JOB_ROWS: Final = (
    Row("AC-337", "job_order", (0, 6), V0_6_ORDER),
    Row("AC-293", "job_order", (0, 8), jobs.ORDER),
)
QUEUE_ROWS: Final = (
    Row("AC-426", "cluster_queue_active", (0, 6), legacy_queues.cluster_queue_active_by_reason),
    Row("D-17", "cluster_queue_active", (0, 9), queues.cluster_queue_active),
    Row("AC-437", "local_queue_ready_message", (0, 6), "Can submit new workloads to clusterQueue"),
    Row("AC-437", "local_queue_ready_message", (0, 9), queues.CAN_SUBMIT),
    Row("AC-319", "eviction_ordered_reasons", (0, 6), frozenset({"PodsReadyTimeout"})),
    Row("AC-319", "eviction_ordered_reasons", (0, 9), frozenset({"PodsReadyTimeout", "AdmissionCheck"})),
    Row("D-19", "pending_event_type", (0, 6), "Normal"),
    Row("D-19", "pending_event_type", (0, 19), "Warning"),
    Row("QC-04", "event_subject", (0, 6), outcomes.before_attempt),
    Row("AC-370", "has_strict_pending_writes", (0, 6), value=True),
    Row("AC-370", "has_strict_pending_writes", (0, 19), value=False),
    Row("Q-512", "preemption_wording", (0, 6), wording.V0_6),
    Row("Q-512", "preemption_wording", (0, 9), wording.V0_9),
    Row("Q-512", "preemption_wording", (0, 19), wording.V0_19),
    Row("Q-513", "immediate_admission_note", (0, 6), legacy_queues.admission_note),
    Row("Q-513", "immediate_admission_note", (0, 7), partial(messages.admission_note, waited=0)),
    Row("Q-502", "requeue_batch_seconds", (0, 6), 0.0),
    Row("QC-02", "requeue_batch_seconds", (0, 17), 1.0),
    Row("Q-508", "has_cohort_objects", (0, 6), value=False),
    Row("Q-508", "has_cohort_objects", (0, 9), value=True),
    Row("Q-376", "cohorts_to_update", (0, 6), Shares.cohorts_above),
)
PENDING_ROWS: Final = (
    Row("C-01", "requeue_on_check_change", (0, 6), pending.requeue_on_spec_change),
    Row("QC-05", "priority_key", (0, 6), pending.class_priority_key),
    Row("QC-03", "requeues_on_status_change", (0, 6), CohortTrees.has_cohort_object),
    Row("Q-503", "immediate_requeue_reasons", (0, 6), strategies.IMMEDIATE_V0_6),
    Row("Q-503", "immediate_requeue_reasons", (0, 15), strategies.IMMEDIATE),
    Row("Q-504", "has_sticky_workload", (0, 6), value=False),
    Row("Q-504", "has_sticky_workload", (0, 15), value=True),
    Row("Q-504", "parks_equivalent_workloads", (0, 6), value=False),
    Row("Q-504", "parks_equivalent_workloads", (0, 17), value=True),
)
SCHEDULING_ROWS: Final = (
    Row("Q-507", "process_entry", (0, 6), legacy_scheduling.process_entry),
    Row("Q-224", "process_entry", (0, 9), judging.process_entry),
    Row("Q-507", "usage_to_reserve", (0, 6), judging.usage_within_limits),
    Row("Q-229", "usage_to_reserve", (0, 9), judging.whole_usage),
    Row("Q-519", "fit_quota", (0, 6), legacy_scheduling.fit_quota),
    Row("Q-519", "fit_quota", (0, 9), legacy_scheduling.fit_quota_or_reclaim),
    Row("Q-168", "fit_quota", (0, 13), fitting.fit_quota),
    Row("Q-154", "combine_modes", (0, 6), grades.worst_of_all),
    Row("QC-07", "combine_modes", (0, 15), grades.worst_by_preference),
    Row("QC-06", "preemption_usage", (0, 6), assignment.usage_without_pods),
    Row("QC-08", "is_preemptible_queue", (0, 6), Catalogue.is_active),
    Row("Q-159", "label_keys", (0, 6), eligibility.flavor_label_keys),
    Row("Q-510", "validate_requests", (0, 6), legacy_quota.validate_requests),
    Row("M-042", "validate_requests", (0, 19), fitness.validate_requests),
    Row("Q-511", "namespace_mismatch_message", (0, 6), legacy_scheduling.NAMESPACE_MISMATCH),
    Row("Q-175", "describe_flavors", (0, 6), considered.omit_flavors),
    Row("Q-175", "describe_flavors", (0, 15), considered.describe_flavors),
    Row("M-041", "namespace_mismatch_message", (0, 19), texts.NAMESPACE_MISMATCH),
)
VISIBILITY_ROWS: Final = (
    Row("VIS-D14", "aggregate_to", (0, 6), ()),
    Row("VIS-D14", "aggregate_to", (0, 18), ("admin", "edit", "view")),
    Row("VIS-440", "has_role_labels", (0, 6), value=False),
    Row("VIS-440", "has_role_labels", (0, 18), value=True),
    Row("VIS-D13", "priority_level", (0, 6), ""),
    Row("VIS-D13", "priority_level", (0, 9), LEVEL),
    Row("VIS-612", "priority_level", (0, 18), MISSING_LEVEL),
)
PROVISIONING_ROWS: Final = (
    Row("DK-01", "is_enabled_by_default", (0, 6), value=False),
    Row("DK-41", "is_enabled_by_default", (0, 7), value=True),
    Row("DK-02", "request_resource", (0, 6), replace(kinds.PROVISIONING_REQUESTS, version="v1beta1")),
    Row("DK-46", "request_resource", (0, 13), kinds.PROVISIONING_REQUESTS),
    Row("DK-11", "decide", (0, 6), legacy_provisioning.decide),
    Row("DK-43", "decide", (0, 9), legacy_provisioning.decide_v0_9),
    Row("DK-48", "decide", (0, 15), provisioning.decide),
    Row("DK-09", "state_rules", (0, 6), legacy_provisioning.STATES),
    Row("DK-42", "state_rules", (0, 8), legacy_provisioning.STATES_V0_9),
    Row("DK-48", "state_rules", (0, 15), states.STATES),
    Row("PA-070", "answer_without_config", (0, 6), provisioning.pending_without_configuration),
    Row("DK-06", "next_attempt", (0, 6), legacy_provisioning.next_attempt),
    Row("DK-48", "next_attempt", (0, 9), provisioning.next_attempt),
    Row("DK-48", "count_retries", (0, 6), legacy_provisioning.count_retries_of_all),
    Row("PA-099", "count_retries", (0, 15), provisioning.count_retries),
    Row("PA-047", "request_naming", (0, 6), names.CUT_AT_THE_END),
    Row("PA-007", "is_own_request", (0, 6), requests.is_owned_by_name),
    Row("DK-15", "is_in_sync", (0, 6), requests.is_same_request),
    Row("DK-16", "is_in_sync", (0, 7), requests.has_configured_parameters),
    Row("PA-131", "keeps_request", (0, 6), requests.keep_no_request),
    Row("DK-18", "managed_pod_sets", (0, 6), need.managed_pod_sets_by_requests),
    Row("PA-040", "managed_pod_sets", (0, 7), need.managed_pod_sets),
    Row("DK-45", "merge_keys", (0, 6), merging.NO_MERGE_KEYS),
    Row("DK-45", "merge_keys", (0, 12), merging.MERGE_KEYS),
    Row("DK-17", "request_parameters", (0, 6), requests.parameters_of_config),
    Row("DK-41", "request_parameters", (0, 7), requests.parameters),
    Row("DK-20", "labels", (0, 6), MappingProxyType({})),
    Row("DK-43", "labels", (0, 9), templates.MANAGED_LABELS),
    Row("DK-19", "complete_template", (0, 6), templates.keep_requests),
    Row("PA-066", "complete_template", (0, 7), templates.use_limits_as_requests),
    Row("PA-067", "transfer_template", (0, 6), templates.transfer),
    Row("PA-095", "retry_delay", (0, 6), retries.retry_delay),
    Row("DK-21", "pod_annotations", (0, 6), updates.consumer_annotations_v0_6),
    Row("DK-43", "pod_annotations", (0, 9), updates.consumer_annotations_v0_9),
    Row("DK-47", "pod_annotations", (0, 14), updates.consumer_annotations),
    Row("PA-087", "node_selector", (0, 6), updates.node_labels),
    Row("PA-088", "updated_pod_sets", (0, 6), states.representatives),
    Row("DK-13", "creates_request_first", (0, 6), value=True),
    Row("DK-44", "creates_request_first", (0, 11), value=False),
    Row("PA-072", "answer_partly", (0, 6), provisioning.report_only),
    Row("DK-23", "reports_errors", (0, 6), value=False),
    Row("DK-43", "reports_errors", (0, 9), value=True),
    Row("DK-24", "reports_states", (0, 6), value=False),
    Row("DK-24", "reports_states", (0, 9), value=True),
    Row("DK-25", "blocking_problem", (0, 6), pairs.no_problem),
    Row("PA-034", "blocking_problem", (0, 9), pairs.first_problem),
    Row("DK-47", "set_transition_time", (0, 6), pairs.set_transition_time),
    Row("PA-100", "set_transition_time", (0, 15), pairs.keep_transition_time),
    Row("CC-024", "skips_workload", (0, 6), pairs.skip_no_workload),
    Row("PC-15", "clear_stale_fields", (0, 6), pairs.keep_stale_fields),
    Row("PC-12", "skips_check", (0, 6), pairs.skip_no_check),
    Row("PA-076", "set_missing_message", (0, 6), pairs.keep_missing_message),
    Row("PA-170", "limit_message", (0, 6), pairs.limit_message),
    Row("PA-158", "limit_message", (0, 19), pairs.keep_message),
    Row("PA-068", "is_usable_template", (0, 6), templates.is_any_template),
    Row("PC-13", "needs_request", (0, 6), pairs.needs_always),
    Row("DK-23", "report_failure", (0, 6), pairs.report_once),
    Row("PA-124", "report_failure", (0, 19), pairs.report_each_time),
    Row("PA-032", "deletes_requests_on_eviction", (0, 6), value=False),
    Row("DK-49", "deletes_requests_on_eviction", (0, 19), value=True),
    Row("PC-23", "config_problem", (0, 6), check_active.is_missing),
    Row("PA-027", "is_condition_outdated", (0, 6), check_active.has_other_status),
)
KEP_MEMBERS: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "order": KEP_ORDER,
        "reset_checks": kep.reset,
        "reset_checks_on_retry": kep.keep_retry,
        "reserves_before_preemption": True,
        "recheck_kinds": (
            kinds.CLUSTER_QUEUES,
            kinds.COHORTS,
            kinds.RESOURCE_FLAVORS,
            kinds.ADMISSION_CHECKS,
        ),
    }
)
KEP_PENDING_MEMBERS: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "requeue_on_check_change": pending.requeue_on_check_change
    }  # a Retry that Kueue takes back must reach the queue (AC-478)
)
KEP_SCHEDULING_MEMBERS: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "process_entry": judging.process_entry_beside_targets
    }  # quota is given once, whatever a release did
)
OUTSIDE: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType({"kep993": KEP_MEMBERS})
PENDING_OUTSIDE: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType({"kep993": KEP_PENDING_MEMBERS})
SCHEDULING_OUTSIDE: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {"kep993": KEP_SCHEDULING_MEMBERS}
)
NEWEST: Final[Version] = (0, 19, 2)
VERSIONS: Final[Mapping[str, Version]] = MappingProxyType(
    {"v0.6": (0, 6, 2), "docs-2024": (0, 9), "v0.19": NEWEST, "kep993": NEWEST}
)


def members_at(version: Version, rows: Iterable[Row]) -> Mapping[str, Any]:
    """Return of each member the newest value it had by a release."""
    valid = sorted((row for row in rows if row.since <= version), key=lambda row: row.since)
    return {row.member: row.value for row in valid}


def dialect(name: str) -> Dialect:
    """Return a dialect by its name; raises KeyError for an unknown one."""
    version = VERSIONS[name]
    members = {**members_at(version, ROWS), **OUTSIDE.get(name, {})}
    return Dialect(
        name,
        version,
        WorkloadRules(**members),
        **members_at(version, JOB_ROWS),
        queues=QueueRules(**members_at(version, QUEUE_ROWS)),
        pending=PendingRules(**{**members_at(version, PENDING_ROWS), **PENDING_OUTSIDE.get(name, {})}),
        scheduling=SchedulingRules(
            **{**members_at(version, SCHEDULING_ROWS), **SCHEDULING_OUTSIDE.get(name, {})}
        ),
        visibility=VisibilityRules(**members_at(version, VISIBILITY_ROWS)),
        provisioning=ProvisioningRules(**members_at(version, PROVISIONING_ROWS)),
    )
