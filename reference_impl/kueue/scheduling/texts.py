"""The texts of flavor assignment and of the cycle, exactly (scheduling §10.3, §10.4, §11)."""

from __future__ import annotations

from collections.abc import Iterable

from ...pods.amounts import render, render_limit
from ..quota.resources import FlavorResource

FAILED_CHECKS = "The workload has failed admission checks"
NO_LONGER_FITS = "Workload no longer fits after processing another workload"
OVERLAPPING_TARGETS = "Workload has overlapping preemption targets with another workload"
FITS_AFTER_PREEMPTIONS = f"{OVERLAPPING_TARGETS}, but will fit after these preemptions complete"
PLANNED_FOR_OTHERS = "free quota is left to Workloads that wait for preemptions"
NAMESPACE_MISMATCH = "workload namespace doesn't match ClusterQueue selector"
WAITING_FOR_PODS_READY = "waiting for all admitted workloads to be in PodsReady condition"


def inactive(cluster_queue: str) -> str:
    """Say that the ClusterQueue takes no Workload (M-021)."""
    return f"ClusterQueue {cluster_queue} is inactive"


def namespace_missing(namespace: str) -> str:
    """Say that the namespace is gone (M-040)."""
    return f'workload namespace "{namespace}" does not exist: Namespace "{namespace}" not found'


def no_resource_group(resource: str) -> str:
    """Say that no resource group covers a resource (M-050)."""
    return f"resource {resource} unavailable in ClusterQueue"


def flavor_missing(flavor: str) -> str:
    """Say that a flavor has no object (M-051)."""
    return f"flavor {flavor} not found"


def not_nominated(flavor: str, resource: str) -> str:
    """Say that another flavor was nominated in the same cycle (KV-21)."""
    return f"skipping flavor {flavor} as it is not found in the nomination mapping for resource {resource}"


def taint_not_tolerated(taint: dict[str, str], flavor: str) -> str:
    """Name the first taint that is not tolerated, in the form of a printed Go struct (M-052, T-18)."""
    fields = (taint.get("key", ""), taint.get("value", ""), taint.get("effect", ""), "<nil>")
    return f"untolerated taint {{{' '.join(fields)}}} in flavor {flavor}"


def no_affinity(flavor: str) -> str:
    """Say that a pod set must not run on the nodes of a flavor (M-053)."""
    return f"flavor {flavor} doesn't match node affinity"


def never_fits(fr: FlavorResource, before: int, request: int, most: int) -> str:
    """Say that a request exceeds what there ever will be (M-054)."""
    return (
        f"insufficient quota for {fr.resource} in flavor {fr.flavor}, "
        f"previously considered podsets requests ({render_limit(fr.resource, before)}) "
        f"+ current podset request ({render(fr.resource, request)}) "
        f"> maximum capacity ({render_limit(fr.resource, most)})"
    )


def insufficient_unused(fr: FlavorResource, missing: int) -> str:
    """Say how much is missing now (M-055)."""
    needed = render_limit(fr.resource, missing)
    return f"insufficient unused quota for {fr.resource} in flavor {fr.flavor}, {needed} more needed"


def pending_preemption(message: str, count: int) -> str:
    """Say for how many Workloads it waits (M-026)."""
    return f"{message}. Pending the preemption of {count} workload(s)"


def preemption_failed(message: str, count: int) -> str:
    """Say that Workloads could not be told to go (M-027)."""
    return f"{message}. Preempting {count} workload(s) failed, will retry."


def assignment_failure(pod_set: str, error: str) -> str:
    """Say that a pod set cannot be judged at all (M-056)."""
    return f"failed to assign flavors to pod set {pod_set}: {error}"


def no_flavors(pod_set: str, reasons: Iterable[str]) -> str:
    """Say why a pod set got no flavors (M-057)."""
    return f"couldn't assign flavors to pod set {pod_set}: {', '.join(sorted(reasons))}"


def quota_reserved(cluster_queue: str) -> str:
    """Say where quota is reserved (M-030)."""
    return f"Quota reserved in ClusterQueue {cluster_queue}"


def quota_reserved_note(cluster_queue: str, waited: float, considered: str) -> str:
    """Say in the event where quota is reserved, after how long, and what was considered (EV-001)."""
    note = f"{quota_reserved(cluster_queue)}, wait time since queued was {waited:.0f}s"
    return f"{note}; Flavors considered: {considered}" if considered else note
