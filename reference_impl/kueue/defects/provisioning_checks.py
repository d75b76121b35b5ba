"""Defects in how provisioning checks are answered: states, messages, waits, podSetUpdates."""

from __future__ import annotations

from typing import Final

from ..provisioning import active as check_active
from ..provisioning import decide as provisioning
from ..provisioning import defect_pairs, retries, states, updates
from .defect import Defect

DEFECTS: Final = (
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
        "PC-05",
        "a wait that is negative or too large is refused by the API, and the check is stuck without a word",
        "",
        "provisioning.retry_delay",
        retries.retry_delay,
        retries.retry_delay_within_limits,
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
)
