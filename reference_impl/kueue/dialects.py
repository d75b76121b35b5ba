"""Which version of the documents the control plane follows:
the disagreement table as rows (design.md §2, D-01…D-27).

A row gives one member of the rules its value from a release on. A dialect is the newest value of each member
at its version; `kep993` stands outside the order and replaces members of the newest release (admission.md
§5). Wire shapes per dialect are pruned in `api.crds`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Final

from ..api import kinds
from ..api.crds.pruning import workload_status
from ..api.releases import Release, Row, Version, by_release
from .checks import rules as checks
from .checks.entries import Checks
from .jobs import decide as jobs
from .jobs import ownership, reclaiming, workload_construction
from .jobs.legacy_v0_6 import V0_6_ORDER
from .jobs.rules import JobRules
from .jobs.snapshot import JobRule
from .provisioning import active as check_active
from .provisioning import decide as provisioning
from .provisioning import defect_pairs, managed_pod_sets, merging, names, retries, states, templates, updates
from .provisioning import fitting as requests
from .provisioning import legacy_v0_6 as legacy_provisioning
from .provisioning.rules import ProvisioningRules
from .queueing import pending, strategies
from .queueing.rules import PendingRules
from .queues import legacy_v0_6 as legacy_queues
from .queues import status as queues
from .queues.rules import AdmissionNote, QueueRules
from .queues.shares import Shares
from .quota import adjusting, fitness
from .quota import legacy_v0_6 as legacy_quota
from .quota.catalogue import Catalogue
from .quota.cohort_trees import CohortTrees
from .scheduling import (
    assignment,
    entry,
    flavor_fit,
    outcomes,
    texts,
)
from .scheduling import legacy_v0_6 as legacy_scheduling
from .scheduling.preemption import wording
from .scheduling.rules import SchedulingRules
from .visibility.rules import LEVEL, MISSING_LEVEL, VisibilityRules
from .workload import activity, eviction, kep, messages, notes, queue_state, release, timeouts, verdicts
from .workload import legacy_v0_6 as legacy_workload
from .workload.rules import PodsReady, TransitionRule, WorkloadRules, keep_status
from .workload.transitions import ORDER


@dataclass(frozen=True, slots=True)
class Dialect:
    """Everything that the parts of the control plane follow."""

    name: str
    version: Version
    workload: WorkloadRules
    job_order: tuple[JobRule, ...]
    jobs: JobRules
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
    """Return the rules under which a rejected Workload gives its
    quota back and is finished then, as in v0.6 (AC-483, D-08).
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

NEWEST: Final[Version] = (0, 19, 2)
VERSIONS: Final[Mapping[str, Version]] = MappingProxyType(
    {"v0.6": (0, 6, 2), "docs-2024": (0, 9), "v0.19": NEWEST, "kep993": NEWEST}
)


WORKLOAD: Final = WorkloadRules(
    order=by_release(
        Row("AC-280…346", (0, 6), V0_6_WORKLOAD_ORDER),
        Row("D-08", (0, 8), V0_8_WORKLOAD_ORDER),
        Row("AC-291", (0, 10), ORDER),
    ),
    required_checks=by_release(
        Row("AC-355", (0, 6), checks.all_listed), Row("AC-350", (0, 7), checks.required)
    ),
    reset_checks=by_release(Row("D-11", (0, 6), Checks.keep), Row("D-11", (0, 9), Checks.reset)),
    reset_checks_on_retry=by_release(Row("D-11", (0, 6), Checks.keep), Row("D-11", (0, 9), Checks.reset)),
    evict=by_release(Row("AC-346", (0, 6), eviction.evict_silently), Row("AC-342", (0, 8), eviction.evict)),
    release=by_release(
        Row("AC-221", (0, 6), release.without_requeued), Row("AC-268", (0, 7), release.after_eviction)
    ),
    retry_message=by_release(
        Row("D-06", (0, 6), messages.retry_unnamed), Row("D-06", (0, 18), messages.retry)
    ),
    rejection_note=by_release(
        Row("D-09", (0, 6), messages.rejection_note_of_first),
        Row("D-09", (0, 18), messages.rejection_note),
    ),
    deactivation=by_release(
        Row("D-10", (0, 6), activity.inactive_workload), Row("D-10", (0, 10), activity.due_to_target)
    ),
    is_requeued_on_activation=by_release(
        Row("D-10", (0, 6), activity.is_inactive_workload),
        Row("AC-295", (0, 10), activity.is_deactivated_exactly),
    ),
    pods_ready=by_release(Row("Q-517", (0, 6), None), Row("Q-517", (0, 19), PodsReady())),
    prune_status=by_release(
        Row("AC-220", (0, 6), workload_status("v0.6")),
        Row("AC-220", (0, 9), workload_status("docs-2024")),
        Row("AC-220", (0, 19), keep_status),
    ),
    format_note=by_release(Row("AC-383", (0, 6), notes.print_without_operands)),
    unsatisfied_reason=by_release(Row("D-18", (0, 6), "NoChecks"), Row("D-18", (0, 7), "UnsatisfiedChecks")),
    no_reservation_unsatisfied_reason=by_release(
        Row("D-18", (0, 6), "NoReservationNoChecks"),
        Row("D-18", (0, 7), "NoReservationUnsatisfiedChecks"),
    ),
)
"""The rules of the Workload state machine."""

JOB_ORDER: Final[tuple[JobRule, ...]] = by_release(
    Row("AC-337", (0, 6), V0_6_ORDER), Row("AC-293", (0, 8), jobs.ORDER)
)
"""The evaluation order of a Job."""

JOBS: Final = JobRules(
    count_reclaimable=by_release(Row("BUG-158", (0, 6), reclaiming.free_slots)),
    may_write_reclaimable=by_release(Row("BUG-159", (0, 6), reclaiming.write_whatever_holds_quota)),
    is_of_job=by_release(Row("BUG-165", (0, 6), ownership.refers_to)),
    describe_pods=by_release(Row("BUG-162", (0, 6), workload_construction.describe_containers)),
    is_gone=by_release(Row("BUG-164", (0, 6), ownership.is_gone_with_deletion)),
)
"""How Jobs are followed, beside the order."""

QUEUES: Final = QueueRules(
    cluster_queue_active=by_release(
        Row("AC-426", (0, 6), legacy_queues.cluster_queue_active_by_reason),
        Row("D-17", (0, 9), queues.cluster_queue_active),
    ),
    check_circle=by_release(Row("QC-01", (0, 6), queues.ignore_circle)),
    local_queue_ready_message=by_release(
        Row("AC-437", (0, 6), "Can submit new workloads to clusterQueue"),
        Row("AC-437", (0, 9), queues.CAN_SUBMIT),
    ),
    eviction_ordered_reasons=by_release(
        Row("AC-319", (0, 6), frozenset({"PodsReadyTimeout"})),
        Row("AC-319", (0, 9), frozenset({"PodsReadyTimeout", "AdmissionCheck"})),
    ),
    pending_event_type=by_release(Row("D-19", (0, 6), "Normal"), Row("D-19", (0, 19), "Warning")),
    event_subject=by_release(Row("QC-04", (0, 6), outcomes.before_attempt)),
    has_strict_pending_writes=by_release(
        Row("AC-370", (0, 6), value=True), Row("AC-370", (0, 19), value=False)
    ),
    preemption_wording=by_release(
        Row("Q-512", (0, 6), wording.V0_6),
        Row("Q-512", (0, 9), wording.V0_9),
        Row("Q-512", (0, 19), wording.V0_19),
    ),
    immediate_admission_note=by_release(
        Row[AdmissionNote]("Q-513", (0, 6), legacy_queues.admission_note),
        Row[AdmissionNote]("Q-513", (0, 7), partial(messages.admission_note, waited=0)),
    ),
    requeue_batch_seconds=by_release(Row("Q-502", (0, 6), 0.0), Row("QC-02", (0, 17), 1.0)),
    has_cohort_objects=by_release(Row("Q-508", (0, 6), value=False), Row("Q-508", (0, 9), value=True)),
    cohorts_to_update=by_release(Row("Q-376", (0, 6), Shares.cohorts_above)),
)
"""The rules of queues and their statuses."""

PENDING: Final = PendingRules(
    requeue_on_check_change=by_release(Row("C-01", (0, 6), pending.requeue_on_spec_change)),
    priority_key=by_release(Row("QC-05", (0, 6), pending.class_priority_key)),
    requeues_on_status_change=by_release(Row("QC-03", (0, 6), CohortTrees.has_cohort_object)),
    immediate_requeue_reasons=by_release(
        Row("Q-503", (0, 6), strategies.IMMEDIATE_V0_6), Row("Q-503", (0, 15), strategies.IMMEDIATE)
    ),
    has_sticky_workload=by_release(Row("Q-504", (0, 6), value=False), Row("Q-504", (0, 15), value=True)),
    fill_container=by_release(Row("BUG-160", (0, 6), adjusting.fill_from_limit_range)),
    complete_pod=by_release(Row("BUG-163", (0, 6), adjusting.keep_pod)),
    requeues_on_limit_range=by_release(Row("BUG-161", (0, 6), adjusting.rests_on_any_change)),
    parks_equivalent_workloads=by_release(
        Row("Q-504", (0, 6), value=False), Row("Q-504", (0, 17), value=True)
    ),
)
"""The rules of pending Workloads."""

SCHEDULING: Final = SchedulingRules(
    process_entry=by_release(
        Row("Q-507", (0, 6), legacy_scheduling.process_entry),
        Row("Q-224", (0, 9), entry.process_entry),
    ),
    usage_to_reserve=by_release(
        Row("Q-507", (0, 6), entry.usage_within_limits),
        Row("Q-229", (0, 9), entry.whole_usage),
    ),
    fit_quota=by_release(
        Row("Q-519", (0, 6), legacy_scheduling.fit_quota),
        Row("Q-519", (0, 9), legacy_scheduling.fit_quota_or_reclaim),
        Row("Q-168", (0, 13), flavor_fit.fit_quota),
    ),
    combine_modes=by_release(
        Row("Q-154", (0, 6), assignment.worst_of_all),
        Row("QC-07", (0, 15), assignment.worst_by_preference),
    ),
    preemption_usage=by_release(Row("QC-06", (0, 6), assignment.usage_without_pods)),
    is_preemptible_queue=by_release(Row("QC-08", (0, 6), Catalogue.is_active)),
    label_keys=by_release(Row("Q-159", (0, 6), flavor_fit.flavor_label_keys)),
    validate_requests=by_release(
        Row("Q-510", (0, 6), legacy_quota.validate_requests),
        Row("M-042", (0, 19), fitness.validate_requests),
    ),
    namespace_mismatch_message=by_release(
        Row("Q-511", (0, 6), legacy_scheduling.NAMESPACE_MISMATCH),
        Row("M-041", (0, 19), texts.NAMESPACE_MISMATCH),
    ),
    describe_flavors=by_release(
        Row("Q-175", (0, 6), assignment.omit_flavors), Row("Q-175", (0, 15), assignment.describe_flavors)
    ),
)
"""The rules of the scheduling cycle."""

VISIBILITY: Final = VisibilityRules(
    aggregate_to=by_release(Row("VIS-D14", (0, 6), ()), Row("VIS-D14", (0, 18), ("admin", "edit", "view"))),
    has_role_labels=by_release(Row("VIS-440", (0, 6), value=False), Row("VIS-440", (0, 18), value=True)),
    priority_level=by_release(
        Row("VIS-D13", (0, 6), ""), Row("VIS-D13", (0, 9), LEVEL), Row("VIS-612", (0, 18), MISSING_LEVEL)
    ),
)
"""The rules of the visibility server."""

PROVISIONING: Final = ProvisioningRules(
    is_enabled_by_default=by_release(Row("DK-01", (0, 6), value=False), Row("DK-41", (0, 7), value=True)),
    request_resource=by_release(
        Row("DK-02", (0, 6), replace(kinds.PROVISIONING_REQUESTS, version="v1beta1")),
        Row("DK-46", (0, 13), kinds.PROVISIONING_REQUESTS),
    ),
    decide=by_release(
        Row("DK-11", (0, 6), legacy_provisioning.decide),
        Row("DK-43", (0, 9), legacy_provisioning.decide_v0_9),
        Row("DK-48", (0, 15), provisioning.decide),
    ),
    state_rules=by_release(
        Row("DK-09", (0, 6), legacy_provisioning.STATES),
        Row("DK-42", (0, 8), legacy_provisioning.STATES_V0_9),
        Row("DK-48", (0, 15), states.STATES),
    ),
    answer_without_config=by_release(Row("PA-070", (0, 6), provisioning.pending_without_configuration)),
    next_attempt=by_release(
        Row("DK-06", (0, 6), legacy_provisioning.next_attempt),
        Row("DK-48", (0, 9), provisioning.next_attempt),
    ),
    count_retries=by_release(
        Row("DK-48", (0, 6), legacy_provisioning.count_retries_of_all),
        Row("PA-099", (0, 15), provisioning.count_retries),
    ),
    request_naming=by_release(Row("PA-047", (0, 6), names.CUT_AT_THE_END)),
    is_own_request=by_release(Row("PA-007", (0, 6), requests.is_owned_by_name)),
    is_in_sync=by_release(
        Row("DK-15", (0, 6), requests.is_same_request),
        Row("DK-16", (0, 7), requests.has_configured_parameters),
    ),
    keeps_request=by_release(Row("PA-131", (0, 6), requests.keep_no_request)),
    managed_pod_sets=by_release(
        Row("DK-18", (0, 6), managed_pod_sets.managed_pod_sets_by_requests),
        Row("PA-040", (0, 7), managed_pod_sets.managed_pod_sets),
    ),
    merge_keys=by_release(
        Row("DK-45", (0, 6), merging.NO_MERGE_KEYS), Row("DK-45", (0, 12), merging.MERGE_KEYS)
    ),
    request_parameters=by_release(
        Row("DK-17", (0, 6), requests.parameters_of_config), Row("DK-41", (0, 7), requests.parameters)
    ),
    labels=by_release(
        Row("DK-20", (0, 6), MappingProxyType({})), Row("DK-43", (0, 9), templates.MANAGED_LABELS)
    ),
    complete_template=by_release(
        Row("DK-19", (0, 6), templates.keep_requests),
        Row("PA-066", (0, 7), templates.use_limits_as_requests),
    ),
    transfer_template=by_release(Row("PA-067", (0, 6), templates.transfer)),
    retry_delay=by_release(Row("PA-095", (0, 6), retries.retry_delay)),
    pod_annotations=by_release(
        Row("DK-21", (0, 6), updates.consumer_annotations_v0_6),
        Row("DK-43", (0, 9), updates.consumer_annotations_v0_9),
        Row("DK-47", (0, 14), updates.consumer_annotations),
    ),
    node_selector=by_release(Row("PA-087", (0, 6), updates.node_labels)),
    updated_pod_sets=by_release(Row("PA-088", (0, 6), states.representatives)),
    creates_request_first=by_release(Row("DK-13", (0, 6), value=True), Row("DK-44", (0, 11), value=False)),
    answer_partly=by_release(Row("PA-072", (0, 6), provisioning.report_only)),
    reports_errors=by_release(Row("DK-23", (0, 6), value=False), Row("DK-43", (0, 9), value=True)),
    reports_states=by_release(Row("DK-24", (0, 6), value=False), Row("DK-24", (0, 9), value=True)),
    blocking_problem=by_release(
        Row("DK-25", (0, 6), defect_pairs.no_problem), Row("PA-034", (0, 9), defect_pairs.first_problem)
    ),
    set_transition_time=by_release(
        Row("DK-47", (0, 6), defect_pairs.set_transition_time),
        Row("PA-100", (0, 15), defect_pairs.keep_transition_time),
    ),
    skips_workload=by_release(Row("CC-024", (0, 6), defect_pairs.skip_no_workload)),
    clear_stale_fields=by_release(Row("PC-15", (0, 6), defect_pairs.keep_stale_fields)),
    skips_check=by_release(Row("PC-12", (0, 6), defect_pairs.skip_no_check)),
    set_missing_message=by_release(Row("PA-076", (0, 6), defect_pairs.keep_missing_message)),
    limit_message=by_release(
        Row("PA-170", (0, 6), defect_pairs.limit_message),
        Row("PA-158", (0, 19), defect_pairs.keep_message),
    ),
    is_usable_template=by_release(Row("PA-068", (0, 6), templates.is_any_template)),
    needs_request=by_release(Row("PC-13", (0, 6), defect_pairs.needs_always)),
    report_failure=by_release(
        Row("DK-23", (0, 6), defect_pairs.report_once),
        Row("PA-124", (0, 19), defect_pairs.report_each_time),
    ),
    deletes_requests_on_eviction=by_release(
        Row("PA-032", (0, 6), value=False), Row("DK-49", (0, 19), value=True)
    ),
    config_problem=by_release(Row("PC-23", (0, 6), check_active.is_missing)),
    is_condition_outdated=by_release(Row("PA-027", (0, 6), check_active.has_other_status)),
)
"""The rules of the provisioning check."""


def kep993(dialect: Dialect) -> Dialect:
    """Return KEP-993 as written: members of the newest release
    replaced by those of the document (admission.md §5).
    """
    return replace(
        dialect,
        workload=replace(
            dialect.workload,
            order=KEP_ORDER,
            reset_checks=kep.reset,
            reset_checks_on_retry=kep.keep_retry,
            reserves_before_preemption=True,
            recheck_kinds=(
                kinds.CLUSTER_QUEUES,
                kinds.COHORTS,
                kinds.RESOURCE_FLAVORS,
                kinds.ADMISSION_CHECKS,
            ),
        ),
        # Quota is held for what runs, also while a Job is being deleted (BUG-164).
        jobs=replace(dialect.jobs, is_gone=ownership.is_never_gone),
        # A Retry that Kueue takes back must reach the queue (AC-478).
        pending=replace(dialect.pending, requeue_on_check_change=pending.requeue_on_check_change),
        # Quota is given once, whatever a release did.
        scheduling=replace(dialect.scheduling, process_entry=entry.process_entry_beside_targets),
    )


OUTSIDE: Final[Mapping[str, Callable[[Dialect], Dialect]]] = MappingProxyType({"kep993": kep993})
"""Dialects that are no release: each changes the newest one."""


def dialect(name: str) -> Dialect:
    """Return a dialect by its name; raises KeyError for an unknown one."""
    version = VERSIONS[name]
    at = Release(version)
    released = Dialect(
        name,
        version,
        at.select(WORKLOAD),
        job_order=at.value(JOB_ORDER),
        jobs=at.select(JOBS),
        queues=at.select(QUEUES),
        pending=at.select(PENDING),
        scheduling=at.select(SCHEDULING),
        visibility=at.select(VISIBILITY),
        provisioning=at.select(PROVISIONING),
    )
    return OUTSIDE[name](released) if name in OUTSIDE else released
