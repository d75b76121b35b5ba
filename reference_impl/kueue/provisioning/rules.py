"""What distinguishes one release of the provisioning check from another, as one value (C2, defects).

A dialect or a defect replaces a member of this record or of its tuples; no rule asks which dialect it serves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from reference_impl.api.resource import Json, Resource
from reference_impl.kueue.workload.view import Workload

from .active import Moved, Problem
from .config import Config, RetryStrategy
from .merging import Essence
from .names import Naming
from .need import Wanted
from .request import Request
from .snapshot import Asked, Check, WorkloadSnapshot
from .steps import Step
from .templates import Completed

StateRule: TypeAlias = "Callable[[Situation], Json | None]"
"""One line of the table from conditions to an answer: the new entry, or None to leave it to the next."""
Attempt: TypeAlias = "Callable[[WorkloadSnapshot, Asked, ProvisioningRules], int | None]"
"""Which attempt is to be made now, None for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvisioningRules:
    """The members that a dialect or a defect may replace."""

    on_by_default: bool
    """The default of the feature gate ProvisioningACC (DK-01)."""
    requests: Resource
    """The version in which requests are read and written (DK-02)."""
    order: Callable[[WorkloadSnapshot, ProvisioningRules], tuple[Step, ...]]
    leaves_alone: Callable[[Workload], bool]
    """Whether no request is made and no answer written for a Workload with quota (CC-023, CC-024)."""
    states: tuple[StateRule, ...]
    inactive: Callable[[WorkloadSnapshot, Check], Json]
    """The answer of a check without a configuration."""
    attempt: Attempt
    retries: Callable[[Workload, Json], int]
    """How often a Workload was sent back for an entry (DK-48)."""
    naming: Naming
    owns: Callable[[Workload, Request], bool]
    """Whether a request is taken for one of a Workload (PC-06, PC-07)."""
    in_sync: Callable[[Request, WorkloadSnapshot, Config, tuple[Wanted, ...]], bool]
    keeps: Callable[[Request, Check], bool]
    """Whether the request of a check stays although it no longer fits (PA-131)."""
    managed_pod_sets: Callable[[Workload, frozenset[str]], tuple[Wanted, ...]]
    essences: Mapping[str, Essence]
    parameters: Callable[[Config, Workload], Mapping[str, str]]
    labels: Mapping[str, str]
    """Of requests and templates (DK-20)."""
    completed: Completed
    handed_over: Callable[[Json, Request, Workload], Json | None]
    wait: Callable[[RetryStrategy, int, float], int]
    annotations: Callable[[Request], Mapping[str, str]]
    selector: Callable[[Request, Config], Mapping[str, str]]
    covered: Callable[[Situation], Sequence[str]]
    """Which podSets get updates (PA-088)."""
    templates_last: bool
    """Whether the request is made before its templates (DK-13)."""
    incomplete: Callable[[WorkloadSnapshot, Mapping[str, Json], ProvisioningRules], Iterator[Step]]
    """What becomes of the answers where some check has no request yet (PA-072)."""
    tells_errors: bool
    """Whether a failed creation is reported by an event and in the check (DK-23)."""
    tells_states: bool
    """Whether an event tells of each new state (DK-24)."""
    blocked: Callable[[tuple[Check, ...]], str]
    """Returns the reason for which all checks are skipped (PA-034)."""
    timed: Callable[[Json, Json, float], Json]
    """The time of an answer, from the one before (PA-100)."""
    tidied: Callable[[Json], Json]
    """Removes what earlier answers left in an entry (PC-15)."""
    silent: Callable[[Check], bool]
    """Whether no request is made and no answer written for a check any more (PC-12)."""
    explained: Callable[[Json], Json]
    """Adds the message where an autoscaler gives none (CC-036)."""
    fitted: Callable[[Json], Json]
    """Shortens a message that may be too long (PA-158)."""
    usable: Callable[[Json, Workload], bool]
    """Whether a PodTemplate of the right name that is there is used (PA-068)."""
    asks_for: Callable[[Workload], bool]
    """Whether capacity is requested for a Workload with quota (PC-13)."""
    report_failure: Callable[[Json, str, float], Json | None]
    """Returns the entry that reports a failed creation, None where it does already (PA-124)."""
    cleans_on_eviction: bool
    config_problem: Problem
    """What keeps a configuration from being used (PC-23)."""
    moved: Moved


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A check with its current request: the input of a row of the table."""

    workload: Workload
    check: Check
    config: Config
    request: Request
    attempt: int
    pod_sets: tuple[Wanted, ...]
    rules: ProvisioningRules
    current_time: float
    jitter: float

    @property
    def retries(self) -> int:
        """Return how often the Workload was sent back before."""
        return self.rules.retries(self.workload, self.check.entry)
