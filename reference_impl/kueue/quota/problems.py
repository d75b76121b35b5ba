"""Reasons why a ClusterQueue cannot admit, in the order in which they
are reported (AC-412…418, M-004…M-008).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from ..checks.preemption_policy import ANYTIME
from .cluster_queue import ClusterQueueSpec

MULTIKUEUE: Final = "kueue.x-k8s.io/multikueue"
PROVISIONING: Final = "kueue.x-k8s.io/provisioning-request"


class CheckStatus(NamedTuple):
    """What counts of an AdmissionCheck."""

    controller: str
    active: bool
    preemption_policy: str = ANYTIME


class ClusterQueueProblem(NamedTuple):
    """A reason with its part of the message."""

    reason: str
    text: str


Flavors = Mapping[str, Any]
Checks = Mapping[str, CheckStatus]
ProblemFinder = Callable[[ClusterQueueSpec, Flavors, Checks], ClusterQueueProblem | None]


def stop_policy(spec: ClusterQueueSpec, _flavors: Flavors, _checks: Checks) -> ClusterQueueProblem | None:
    """A stop policy is set."""
    return ClusterQueueProblem("Stopped", "is stopped") if spec.is_stopped else None


def flavor_missing(spec: ClusterQueueSpec, flavors: Flavors, _checks: Checks) -> ClusterQueueProblem | None:
    """A flavor has no object.

    Kueue tells flavors as the spec has them, and checks by their names (seen of v0.19.2).
    """
    missing = [name for name in spec.groups.flavors if name not in flavors]
    return _problem("FlavorNotFound", "references missing ResourceFlavor(s): {}", missing)


def check_missing(spec: ClusterQueueSpec, _flavors: Flavors, checks: Checks) -> ClusterQueueProblem | None:
    """A check has no object."""
    missing = sorted(rule.name for rule in spec.checks if rule.name not in checks)
    return _problem("AdmissionCheckNotFound", "references missing AdmissionCheck(s): {}", missing)


def check_inactive(spec: ClusterQueueSpec, _flavors: Flavors, checks: Checks) -> ClusterQueueProblem | None:
    """A check's controller is not ready for it."""
    inactive = sorted(
        rule.name for rule in spec.checks if rule.name in checks and not checks[rule.name].active
    )
    return _problem("AdmissionCheckInactive", "references inactive AdmissionCheck(s): {}", inactive)


def several_multikueue(
    spec: ClusterQueueSpec, _flavors: Flavors, checks: Checks
) -> ClusterQueueProblem | None:
    """Two checks would send the Workload to other clusters."""
    multikueue_checks = _of(MULTIKUEUE, spec, checks)
    text = "Cannot use multiple MultiKueue AdmissionChecks on the same ClusterQueue, found: {}"
    return _problem(
        "MultipleMultiKueueAdmissionChecks", text, multikueue_checks if len(multikueue_checks) > 1 else ()
    )


def multikueue_for_flavors(
    spec: ClusterQueueSpec, _flavors: Flavors, checks: Checks
) -> ClusterQueueProblem | None:
    """A Workload cannot be sent to another cluster for some of its flavors only."""
    every = frozenset(spec.groups.flavors)
    partial = {rule.name for rule in spec.checks if rule.on_flavors and rule.on_flavors != every}
    partial_checks = [name for name in _of(MULTIKUEUE, spec, checks) if name in partial]
    text = "Cannot specify MultiKueue AdmissionCheck per flavor, found: {}"
    return _problem("MultiKueueAdmissionCheckAppliedPerFlavor", text, partial_checks)


def multikueue_and_provisioning(
    spec: ClusterQueueSpec, _flavors: Flavors, checks: Checks
) -> ClusterQueueProblem | None:
    """The other cluster would have to provide the capacity."""
    elsewhere, provisioning_checks = (
        _of(controller, spec, checks) for controller in (MULTIKUEUE, PROVISIONING)
    )
    if not elsewhere or not provisioning_checks:
        return None
    text = "Cannot use both MultiKueue and ProvisioningRequest AdmissionChecks together, found: "
    return ClusterQueueProblem(
        "MultiKueueWithProvisioningRequest", text + ", ".join(map(_join, (elsewhere, provisioning_checks)))
    )


OF_QUEUES: Final[tuple[ProblemFinder, ...]] = (stop_policy, flavor_missing)
OF_CHECKS: Final[tuple[ProblemFinder, ...]] = (
    check_missing,
    check_inactive,
    several_multikueue,
    multikueue_for_flavors,
    multikueue_and_provisioning,
)


def problems(spec: ClusterQueueSpec, flavors: Flavors, checks: Checks) -> tuple[ClusterQueueProblem, ...]:
    """Name everything that keeps a ClusterQueue from admitting, empty when nothing does."""
    rules = (*OF_QUEUES, *OF_CHECKS) if spec.checks else OF_QUEUES
    return tuple(problem for rule in rules if (problem := rule(spec, flavors, checks)) is not None)


def _of(controller: str, spec: ClusterQueueSpec, checks: Checks) -> list[str]:
    return sorted(
        rule.name
        for rule in spec.checks
        if rule.name in checks and checks[rule.name].controller == controller
    )


def _problem(reason: str, text: str, names: Iterable[str]) -> ClusterQueueProblem | None:
    joined = _join(names)
    return ClusterQueueProblem(reason, text.format(joined)) if joined else None


def _join(names: Iterable[str]) -> str:
    return ",".join(names)
