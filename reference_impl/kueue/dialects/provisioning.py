"""The rules of the provisioning check, by release."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from ...api import kinds
from ...api.releases import Row, by_release
from ..provisioning import active as check_active
from ..provisioning import decide as provisioning
from ..provisioning import defect_pairs, managed_pod_sets, merging, names, retries, states, templates, updates
from ..provisioning import fitting as requests
from ..provisioning import legacy_v0_6 as legacy_provisioning
from ..provisioning.rules import ProvisioningRules

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
    replaces_template=by_release(Row("PC-08", (0, 6), templates.is_left_over)),
    needs_request=by_release(Row("PC-13", (0, 6), defect_pairs.needs_always)),
    report_failure=by_release(
        Row("DK-23", (0, 6), defect_pairs.report_once),
        Row("PA-124", (0, 19), defect_pairs.report_each_time),
    ),
    deletes_requests_on_eviction=by_release(
        Row("PA-032", (0, 6), value=False), Row("DK-49", (0, 19), value=True)
    ),
    config_problem=by_release(Row("PC-23", (0, 6), check_active.is_missing)),
    is_condition_outdated=by_release(Row("PA-027", (0, 6), check_active.WHEN_STATUS_FLIPS)),
)
"""The rules of the provisioning check."""
