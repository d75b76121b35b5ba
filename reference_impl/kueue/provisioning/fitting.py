"""The requests of a Workload, the current one, and whether it fits the wanted podSets (PA-036, PA-037)."""

from __future__ import annotations

from collections.abc import Mapping

from reference_impl.api.kinds import PROVISIONING_PARAMETERS
from reference_impl.kueue.workload.view import Workload

from .config import ProvisioningConfig
from .managed_pod_sets import ManagedPodSet
from .request import Request
from .rules import ProvisioningRules
from .snapshot import ProvisioningCheck, WorkloadSnapshot


def is_owned_by_name(workload: Workload, request: Request) -> bool:
    """Tell whether a request has an owner of the Workload's name, of whatever kind (PA-007, PC-07)."""
    # Kueue's index uses the name of the owner alone, so an object of another kind with
    # this name counts (PC-07).
    return any(owner["name"] == workload.name for owner in request.owners)


def is_owned(workload: Workload, request: Request) -> bool:
    """Tell whether this very Workload controls a request (PC-06, PC-07, fixed)."""
    return any(owner["uid"] == workload.uid and owner.get("controller") for owner in request.owners)


def parameters(config: ProvisioningConfig, workload: Workload) -> Mapping[str, str]:
    """Return the parameters of a request: the configured ones,
    then those of the Workload's annotations (PA-059).
    """
    noted = workload.metadata.get("annotations") or {}
    own = {
        name.removeprefix(PROVISIONING_PARAMETERS): value
        for name, value in noted.items()
        if name.startswith(PROVISIONING_PARAMETERS)
    }
    return {**config.parameters, **own}


def parameters_of_config(config: ProvisioningConfig, _workload: Workload) -> Mapping[str, str]:
    """Return the configured ones alone (DK-17)."""
    return config.parameters


def has_configured_parameters(
    request: Request,
    _snapshot: WorkloadSnapshot,
    config: ProvisioningConfig,
    _pod_sets: tuple[ManagedPodSet, ...],
) -> bool:
    """Tell whether class and configured parameters are those of a request;
    what it has besides does not count (PA-037).
    """
    return request.class_name == config.class_name and config.parameters.items() <= request.parameters.items()


def has_effective_parameters(
    request: Request,
    snapshot: WorkloadSnapshot,
    config: ProvisioningConfig,
    _pod_sets: tuple[ManagedPodSet, ...],
) -> bool:
    """Tell the same of the parameters that a new request would have:
    an annotation may override (PA-133, fixed).
    """
    expected = parameters(config, snapshot.workload)
    same = {name: expected[name] for name in config.parameters}
    return request.class_name == config.class_name and same.items() <= request.parameters.items()


def is_same_request(
    request: Request,
    _snapshot: WorkloadSnapshot,
    config: ProvisioningConfig,
    pod_sets: tuple[ManagedPodSet, ...],
) -> bool:
    """Tell whether class, parameters and podSets are the same, as v0.6 asked (DK-15, DK-16)."""
    counts = [pod_set["count"] for pod_set in request.pod_sets]
    return (
        request.class_name == config.class_name
        and request.parameters == config.parameters
        and counts == [pod_set.count for pod_set in pod_sets]
    )


def keep_no_request(_request: Request, _check: ProvisioningCheck) -> bool:
    """Keep no request that does not fit (PA-131)."""
    return False


def keep_used_request(_request: Request, check: ProvisioningCheck) -> bool:
    """Keep the request of a check that said yes: what it booked is used (PA-131, fixed)."""
    return check.state == "Ready"


def current_request(
    snapshot: WorkloadSnapshot,
    check: ProvisioningCheck,
    pod_sets: tuple[ManagedPodSet, ...],
    rules: ProvisioningRules,
) -> tuple[Request, int] | None:
    """Return the request that counts for a check and its attempt: the last of those that fit (PA-036)."""
    config = check.config
    if config is None or not pod_sets:
        return None
    candidates = [
        (attempt, request)
        for request in snapshot.requests
        if (attempt := rules.request_naming.attempt(request.name, snapshot.workload.name, check.name))
        is not None
        and (rules.is_in_sync(request, snapshot, config, pod_sets) or rules.keeps_request(request, check))
    ]
    if not candidates:
        return None
    # The attempt is part of the name; the newest is the one that counts, whatever
    # became of it.
    attempt, request = max(candidates, key=lambda candidate: candidate[0])
    return request, attempt
