"""Defects of v0.19.2 that the reference shows on purpose, each with what replaces it (design.md §8).

`--without-defects` puts the replacement wherever a dialect has the defective member: as a member of its rules
or within an order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from . import dialects
from .checks import rules as checks
from .dialects import Dialect
from .jobs import ownership, reclaiming, workload_construction
from .provisioning import active as check_active
from .provisioning import decide as provisioning
from .provisioning import defect_pairs, merging, names, retries, states, templates, updates
from .provisioning import fitting as requests
from .queueing import event_handlers, pending
from .queues import status
from .queues.shares import Shares
from .quota import adjusting
from .quota.catalogue import Catalogue
from .quota.cohort_trees import CohortTrees
from .scheduling import assignment, entry, outcomes
from .scheduling.preemption import classical
from .visibility.rules import LEVEL, MISSING_LEVEL
from .workload import activity, notes, timeouts, verdicts


@dataclass(frozen=True, slots=True)
class Defect:
    """An observed defect: the release that fixes it, or where it is reported (empty: none), and the member of
    a dialect that differs.
    """

    id: str
    finding: str
    fixed_in: str
    member: str
    """The rules and their member, as `pending.priority_key`; of an order, or of a table, one rule."""
    observed: object
    corrected: object

    def correct(self, value: object) -> object:
        """Return the corrected value of the member."""
        if isinstance(value, tuple):
            return tuple(self._swap(rule) for rule in value)
        return self._swap(value)

    def _swap(self, value: object) -> object:
        # A dialect of another release may have a value of its own here, without the defect.
        return self.corrected if value == self.observed else value


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
        "BUG-158",
        "a Job of more parallelism than completions gives back the quota of pods that run",
        "v0.19.6 (#16111)",
        "jobs.count_reclaimable",
        reclaiming.free_slots,
        reclaiming.free_pods,
    ),
    Defect(
        "BUG-159",
        "an eviction does not end while reclaimablePods are more than the Job gives back: the write that lowers them is refused again and again",
        "open (#14811)",
        "jobs.may_write_reclaimable",
        reclaiming.write_whatever_holds_quota,
        reclaiming.is_accepted,
    ),
    Defect(
        "BUG-160",
        "a container with a limit and no request is charged the default request of a LimitRange",
        "v0.19.3 (#15020)",
        "pending.fill_container",
        adjusting.fill_from_limit_range,
        adjusting.fill_from_own_limits_first,
    ),
    Defect(
        "BUG-161",
        "what a LimitRange refused waits for ever when its bounds are relaxed, or when it is deleted",
        "v0.19.3 (#14965)",
        "pending.requeues_on_limit_range",
        adjusting.rests_on_any_change,
        adjusting.has_other_bounds,
    ),
    Defect(
        "BUG-162",
        "resources of a whole pod are not compared: a Workload of other ones is taken for that of its Job",
        "v0.19.3 (#14436)",
        "jobs.describe_pods",
        workload_construction.describe_containers,
        workload_construction.describe_containers_and_pod,
    ),
    Defect(
        "BUG-163",
        "resources of a whole pod below those of its containers are charged as they are",
        "v0.19.6 (#16047)",
        "pending.complete_pod",
        adjusting.keep_pod,
        adjusting.raise_pod_requests,
    ),
    Defect(
        "BUG-164",
        "the Workload of a Job is finished when the deletion of the Job begins, and its quota is free while pods run",
        "v0.19.5 (#12849)",
        "jobs.is_gone",
        ownership.is_gone_with_deletion,
        ownership.is_never_gone,
    ),
    Defect(
        "BUG-165",
        "a Workload that refers to a Job without being controlled by it stops every look at the Job, or is deleted when another controls it",
        "v0.19.5 (#13573)",
        "jobs.is_of_job",
        ownership.refers_to,
        ownership.is_controlled_by,
    ),
    Defect(
        "C-01",
        "a Workload that waits stays blocked when a check takes its Retry or Rejected back",
        "",
        "pending.requeue_on_check_change",
        pending.requeue_on_spec_change,
        pending.requeue_on_check_change,
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
        "CC-024",
        "a Workload that was switched off or is being deleted still gets answers of its provisioning checks",
        "",
        "provisioning.skips_workload",
        defect_pairs.skip_no_workload,
        defect_pairs.is_inactive_or_deleting,
    ),
    Defect(
        "CC-036",
        "a provisioning check gives no reason for Rejected where the autoscaler gives none",
        "",
        "provisioning.set_missing_message",
        defect_pairs.keep_missing_message,
        defect_pairs.set_missing_message,
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
        "PA-027",
        "the Active condition of a provisioning check keeps the text of a problem that another has taken the place of, and the generation of the check that it spoke of first",
        "v0.19.3 in part (#14931)",
        "provisioning.is_condition_outdated",
        check_active.has_other_status,
        check_active.has_other_content,
    ),
    Defect(
        "PA-034",
        "a bad reference of one provisioning check stops the others of the Workload",
        "",
        "provisioning.blocking_problem",
        defect_pairs.first_problem,
        defect_pairs.no_problem,
    ),
    Defect(
        "PA-051",
        "requests with long names are deleted and made again without end, or refused for a name that was cut at a dot (PC-22)",
        "v0.19.5 (#14916)",
        "provisioning.request_naming",
        names.CUT_AT_THE_END,
        names.CUT_BEFORE_THE_NUMBER,
    ),
    Defect(
        "PA-064",
        "podSets on different flavors are merged, and all asked for on the first one's",
        "",
        "provisioning.merge_keys",
        merging.MERGE_KEYS,
        merging.MERGE_KEYS_WITH_FLAVORS,
    ),
    Defect(
        "PA-072",
        "a check without a request keeps the answers of the others from being written; events report them all the same",
        "open (#14414)",
        "provisioning.answer_partly",
        provisioning.report_only,
        provisioning.write_answers,
    ),
    Defect(
        "PA-080",
        "a request that is no longer provisioned turns the check of a running Workload back",
        "",
        "provisioning.state_rules",
        states.pass_on_message,
        states.pass_on_message_before_admission,
    ),
    Defect(
        "PA-082",
        "a request whose conditions are withdrawn turns the check of a running Workload back",
        "",
        "provisioning.state_rules",
        states.reset_to_pending,
        states.reset_to_pending_before_admission,
    ),
    Defect(
        "PA-083",
        "a request that fails late evicts a Workload that runs",
        "",
        "provisioning.state_rules",
        states.retry_failed,
        states.retry_failed_before_admission,
    ),
    Defect(
        "PA-088",
        "podSets that were merged away get no annotation, and their pods use no booked capacity",
        "open (#14408)",
        "provisioning.updated_pod_sets",
        states.representatives,
        states.all_members,
    ),
    Defect(
        "PA-100",
        "the wait of a Retry is counted from when the check became Pending",
        "",
        "provisioning.set_transition_time",
        defect_pairs.keep_transition_time,
        defect_pairs.set_transition_time,
    ),
    Defect(
        "PA-124",
        "a repeated refusal gives the check another lastTransitionTime, although its state stays",
        "",
        "provisioning.report_failure",
        defect_pairs.report_each_time,
        defect_pairs.report_once,
    ),
    Defect(
        "PA-131",
        "the request of a running Workload is deleted when its configuration changes",
        "",
        "provisioning.keeps_request",
        requests.keep_no_request,
        requests.keep_used_request,
    ),
    Defect(
        "PA-133",
        "a request whose annotation overrides a parameter is deleted and made again without end",
        "",
        "provisioning.is_in_sync",
        requests.has_configured_parameters,
        requests.has_effective_parameters,
    ),
    Defect(
        "PA-136",
        "a configuration that is deleted turns the checks of running Workloads back",
        "",
        "provisioning.answer_without_config",
        provisioning.pending_without_configuration,
        provisioning.waiting_without_configuration,
    ),
    Defect(
        "PA-158",
        "the longest message of a request that failed is too long with the words before it, and the check is stuck without a word",
        "",
        "provisioning.limit_message",
        defect_pairs.keep_message,
        defect_pairs.limit_message,
    ),
    Defect(
        "PC-03",
        "a request that is deleted while its Workload is sent back is made again, and the retry is lost",
        "",
        "provisioning.next_attempt",
        provisioning.next_attempt,
        provisioning.next_attempt_when_pending,
    ),
    Defect(
        "PC-04",
        "a check that turns from Retry to Ready does not admit before the wait is over that it no longer asks for",
        "",
        "workload.order",
        activity.backoff_running,
        activity.backoff_running_unless_ready,
    ),
    Defect(
        "PC-05",
        "a wait that is negative or too large is refused by the API, and the check is stuck without a word",
        "",
        "provisioning.retry_delay",
        retries.retry_delay,
        retries.retry_delay_within_limits,
    ),
    Defect(
        "PC-07",
        "a request of a Workload that is gone is taken over by one of the same name, with its answers",
        "",
        "provisioning.is_own_request",
        requests.is_owned_by_name,
        requests.is_owned,
    ),
    Defect(
        "PC-08",
        "PodTemplates of a request that is gone, and those of others, are used for the next one of their name, for which every look ends in an error",
        "v0.20.0 (#13015)",
        "provisioning.is_usable_template",
        templates.is_any_template,
        templates.is_own_template,
    ),
    Defect(
        "PC-11",
        "a detail that can be no label is written again and again, and the check is stuck without a word",
        "",
        "provisioning.node_selector",
        updates.node_labels,
        updates.valid_node_labels,
    ),
    Defect(
        "PC-12",
        "a provisioning check that is being deleted is answered as long as a ClusterQueue holds it",
        "",
        "provisioning.skips_check",
        defect_pairs.skip_no_check,
        defect_pairs.is_check_deleting,
    ),
    Defect(
        "PC-13",
        "room is asked for a Workload that runs already, when a check comes to its ClusterQueue or its configuration comes back",
        "",
        "provisioning.needs_request",
        defect_pairs.needs_always,
        defect_pairs.needs_before_admission,
    ),
    Defect(
        "PC-15",
        "podSetUpdates and waits of earlier answers stay in the check",
        "",
        "provisioning.clear_stale_fields",
        defect_pairs.keep_stale_fields,
        defect_pairs.clear_stale_fields,
    ),
    Defect(
        "PC-23",
        "a check is active although its configuration has no spec, and every request is refused",
        "",
        "provisioning.config_problem",
        check_active.is_missing,
        check_active.is_missing_or_empty,
    ),
    Defect(
        "QC-01",
        "a ClusterQueue is Active while the cohorts above it form a circle; what ends or changes there hangs the release, which no dialect does",
        "v0.19.7 (#13774)",
        "queues.check_circle",
        status.ignore_circle,
        status.report_circle,
    ),
    Defect(
        "QC-03",
        "every status that is written to a ClusterQueue below a Cohort object, though not the root's, has its whole tree look again",
        "",
        "pending.requeues_on_status_change",
        CohortTrees.has_cohort_object,
        event_handlers.never_requeues_on_status_change,
    ),
    Defect(
        "QC-04",
        "the event of a failed attempt is about the older Workload: the message of a second attempt on it is not reported",
        "",
        "queues.event_subject",
        outcomes.before_attempt,
        outcomes.as_stored,
    ),
    Defect(
        "QC-05",
        "no Workload is tried again when the priority of one with quota changes, unless it has a WorkloadPriorityClass",
        "",
        "pending.priority_key",
        pending.class_priority_key,
        pending.priority_key,
    ),
    Defect(
        "QC-06",
        "the pods themselves are not among what room is made for: a preemptor short of them may wait for ever",
        "after v0.19.2 (#16167)",
        "scheduling.preemption_usage",
        assignment.usage_without_pods,
        assignment.usage_with_pods,
    ),
    Defect(
        "QC-07",
        "a flavor whose resources fit by borrowing and by preemption counts as fit, and nothing is ever preempted",
        "",
        "scheduling.combine_modes",
        assignment.worst_by_preference,
        assignment.worst_of_all,
    ),
    Defect(
        "QC-08",
        "what is held in a ClusterQueue that is not active cannot be reclaimed",
        "",
        "scheduling.is_preemptible_queue",
        Catalogue.is_active,
        classical.is_preemptible_always,
    ),
    Defect(
        "Q-224",
        "what victims hold beyond the claim made for it is given to several Workloads of one cycle",
        "",
        "scheduling.process_entry",
        entry.process_entry,
        entry.process_entry_beside_targets,
    ),
    Defect(
        "Q-376",
        "the share of a Cohort is updated only when a ClusterQueue below it has changed, not when one has moved away or lends less",
        "",
        "queues.cohorts_to_update",
        Shares.cohorts_above,
        Shares.all_cohorts,
    ),
    Defect(
        "VIS-612",
        "the FlowSchema for visibility names a priority level that is not shipped, and is without effect",
        "",
        "visibility.priority_level",
        MISSING_LEVEL,
        LEVEL,
    ),
)


def find(name: str, *, defects: bool = True) -> Dialect:
    """Return a dialect by its name, with its defects or without; raises KeyError for an unknown one."""
    dialect_ = dialects.dialect(name)
    return dialect_ if defects else without(dialect_)


def without(dialect: Dialect, defects: tuple[Defect, ...] = DEFECTS) -> Dialect:
    """Return the dialect with every defect corrected."""
    for defect in defects:
        part, member = defect.member.split(".")
        rules = getattr(dialect, part)
        corrected = replace(rules, **{member: defect.correct(getattr(rules, member))})
        dialect = replace(dialect, **{part: corrected})
    return dialect
