"""What distinguishes one release of the provisioning check from another, as one value (C2, defects).

A dialect or a defect replaces a member of this record or of its tuples; no rule asks which dialect it serves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from reference_impl.api.objects import CheckState
from reference_impl.api.resource import Json, Resource
from reference_impl.kueue.workload.view import Workload

from .active import ConfigProblem, IsOutdated
from .config import ProvisioningConfig, RetryStrategy
from .managed_pod_sets import ManagedPodSet
from .merging import MergeKey
from .names import Naming
from .request import Request
from .snapshot import CheckRequest, ProvisioningCheck, WorkloadSnapshot
from .steps import Step
from .templates import CompleteTemplate

StateRule: TypeAlias = "Callable[[CheckContext], CheckState | None]"
"""One line of the table from conditions to an answer: the new entry, or None to leave it to the next."""
NextAttempt: TypeAlias = "Callable[[WorkloadSnapshot, CheckRequest, ProvisioningRules], int | None]"
"""Which attempt is to be made now, None for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvisioningRules:
    """The members that a dialect or a defect may replace."""

    is_enabled_by_default: bool
    """The default of the feature gate ProvisioningACC (DK-01)."""
    request_resource: Resource
    """The version in which requests are read and written (DK-02)."""
    decide: Callable[[WorkloadSnapshot, ProvisioningRules], tuple[Step, ...]]
    skips_workload: Callable[[Workload], bool]
    """Whether no request is made and no answer written for a Workload with quota (CC-023, CC-024)."""
    state_rules: tuple[StateRule, ...]
    answer_without_config: Callable[[WorkloadSnapshot, ProvisioningCheck], CheckState]
    """The answer of a check without a configuration."""
    next_attempt: NextAttempt
    count_retries: Callable[[Workload, CheckState], int]
    """How often a Workload was sent back for an entry (DK-48)."""
    request_naming: Naming
    is_own_request: Callable[[Workload, Request], bool]
    """Whether a request is taken for one of a Workload (PC-06, PC-07)."""
    is_in_sync: Callable[[Request, WorkloadSnapshot, ProvisioningConfig, tuple[ManagedPodSet, ...]], bool]
    keeps_request: Callable[[Request, ProvisioningCheck], bool]
    """Whether the request of a check stays although it no longer fits (PA-131)."""
    managed_pod_sets: Callable[[Workload, frozenset[str]], tuple[ManagedPodSet, ...]]
    merge_keys: Mapping[str, MergeKey]
    request_parameters: Callable[[ProvisioningConfig, Workload], Mapping[str, str]]
    labels: Mapping[str, str]
    """Of requests and templates (DK-20)."""
    complete_template: CompleteTemplate
    transfer_template: Callable[[Json, Request, Workload], Json | None]
    retry_delay: Callable[[RetryStrategy, int, float], int]
    pod_annotations: Callable[[Request], Mapping[str, str]]
    node_selector: Callable[[Request, ProvisioningConfig], Mapping[str, str]]
    updated_pod_sets: Callable[[CheckContext], Sequence[str]]
    """Which podSets get updates (PA-088)."""
    creates_request_first: bool
    """Whether the request is made before its templates (DK-13)."""
    answer_partly: Callable[[WorkloadSnapshot, Mapping[str, CheckState], ProvisioningRules], Iterator[Step]]
    """What becomes of the answers where some check has no request yet (PA-072)."""
    reports_errors: bool
    """Whether a failed creation is reported by an event and in the check (DK-23)."""
    reports_states: bool
    """Whether an event tells of each new state (DK-24)."""
    blocking_problem: Callable[[tuple[ProvisioningCheck, ...]], str]
    """Returns the reason for which all checks are skipped (PA-034)."""
    set_transition_time: Callable[[CheckState, CheckState, float], CheckState]
    """The time of an answer, from the one before (PA-100)."""
    clear_stale_fields: Callable[[CheckState], CheckState]
    """Removes what earlier answers left in an entry (PC-15)."""
    skips_check: Callable[[ProvisioningCheck], bool]
    """Whether no request is made and no answer written for a check any more (PC-12)."""
    set_missing_message: Callable[[CheckState], CheckState]
    """Adds the message where an autoscaler gives none (CC-036)."""
    limit_message: Callable[[CheckState], CheckState]
    """Shortens a message that may be too long (PA-158)."""
    is_usable_template: Callable[[Json, Json, Workload], bool]
    """Whether a PodTemplate of the right name that is there is used, given the one that a new request would
    get (PA-068, KV-43).
    """
    replaces_template: Callable[[Json, Workload, str, Callable[[str], str]], bool]
    """Whether one that is not used is replaced, given how to find the uid of a request (PC-08, KV-43)."""
    needs_request: Callable[[Workload], bool]
    """Whether capacity is requested for a Workload with quota (PC-13)."""
    report_failure: Callable[[CheckState, str, float], CheckState | None]
    """Returns the entry that reports a failed creation, None where it does already (PA-124)."""
    deletes_requests_on_eviction: bool
    config_problem: ConfigProblem
    """What keeps a configuration from being used (PC-23)."""
    is_condition_outdated: tuple[IsOutdated, ...]
    """In what the Active condition must differ to be written again (PA-027, PD-01)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckContext:
    """A check with its current request: the input of a row of the table."""

    workload: Workload
    check: ProvisioningCheck
    config: ProvisioningConfig
    request: Request
    attempt: int
    pod_sets: tuple[ManagedPodSet, ...]
    rules: ProvisioningRules
    current_time: float
    jitter: float

    @property
    def retries(self) -> int:
        """Return how often the Workload was sent back before."""
        return self.rules.count_retries(self.workload, self.check.entry)
