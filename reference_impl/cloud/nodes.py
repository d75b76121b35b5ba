"""The Nodes of a group: the template that tells what a machine is like, and the Node that a machine's kubelet
makes (PR-311, PR-356).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from reference_impl.api import instants
from reference_impl.api.resource import Json

from .groups import HOSTNAME, PLATFORM, ZONE, NodeGroupSpec
from .machines import Machine

# An annotation and no label: groups that differ by a label only are not similar to an
# autoscaler.
GROUP_ANNOTATION: Final = "cloud.kueue-conformance.dev/group"
NOT_READY: Final[Json] = {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}


def template(spec: NodeGroupSpec) -> Json:
    """Return a Node of a group before it has any: ready, without startup taints."""
    return _node(spec, f"template-{spec.id}", list(spec.taints))


def make_node(spec: NodeGroupSpec, machine: Machine, current_time: float) -> Json:
    """Return the Node of a machine that has just booted: not ready, and with the taints that keep pods away
    until it is.
    """
    taints = [*spec.taints, *spec.startup_taints, NOT_READY]
    node = _node(spec, machine.id, taints)
    node["spec"]["providerID"] = machine.provider_id
    node["status"]["conditions"] = [ready_condition(current_time, is_ready=False)]
    return node


def without_startup_taints(spec: NodeGroupSpec, taints: Sequence[Json]) -> list[Json]:
    """Return the taints of a Node that is ready; what others have put there stays."""
    startup = {(taint["key"], taint["effect"]) for taint in (*spec.startup_taints, NOT_READY)}
    return [taint for taint in taints if (taint["key"], taint["effect"]) not in startup]


def ready_condition(current_time: float, *, is_ready: bool) -> Json:
    """Return the Ready condition that a kubelet writes for its Node."""
    return {
        "type": "Ready",
        "status": "True" if is_ready else "False",
        "reason": "KubeletReady" if is_ready else "KubeletNotReady",
        "message": "kubelet is posting ready status" if is_ready else "container runtime is starting",
        "lastHeartbeatTime": instants.render(current_time),
        "lastTransitionTime": instants.render(current_time),
    }


def _node(spec: NodeGroupSpec, name: str, taints: list[Json]) -> Json:
    zone = {ZONE: spec.zone} if spec.zone else {}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": {**PLATFORM, **zone, **spec.labels, HOSTNAME: name},
            "annotations": {GROUP_ANNOTATION: spec.id},
        },
        "spec": {"taints": taints} if taints else {},
        "status": {
            "capacity": dict(spec.capacity),
            "allocatable": {**spec.capacity, **spec.allocatable},
        },
    }
