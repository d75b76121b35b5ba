"""May a pod run on a node?

One rule after another, as kube-scheduler filters; what is only preferred does not count (PR-331).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from reference_impl.api.resource import Json
from reference_impl.pods.selectors import satisfies
from reference_impl.pods.tolerations import find_untolerated

from .node import NodeInfo, NodeShape
from .pod import ANY_ADDRESS, PODS, PodShape
from .relations import NodeInfoLister, objection_of_neighbours


def objection(shape: PodShape, node_info: NodeInfo, neighbours: NodeInfoLister) -> str:
    """Say why a pod cannot run on a node, empty when it can. `neighbours` are the nodes with their pods."""
    for rule in RULES:
        message = rule(shape, node_info)
        if message:
            return message
    return objection_of_neighbours(shape, node_info, neighbours)


def _is_cordoned(_shape: PodShape, node_info: NodeInfo) -> str:
    """Keep every pod away: cluster-autoscaler looks at the field alone, so that a toleration of the taint
    beside it changes nothing.
    """
    return "node(s) were unschedulable" if node_info.node.cordoned else ""


def _taints(shape: PodShape, node_info: NodeInfo) -> str:
    taint = find_untolerated(node_info.node.taints, shape.spec.get("tolerations") or ())
    if taint is None:
        return ""
    return f"node(s) had untolerated taint {{{taint['key']}: {taint.get('value') or ''}}}"


def _labels(shape: PodShape, node_info: NodeInfo) -> str:
    return "" if selects(shape.spec, node_info.node) else "node(s) didn't match Pod's node affinity/selector"


def _ports(shape: PodShape, node_info: NodeInfo) -> str:
    if not shape.ports:
        return ""
    taken = [port for pod in node_info.pods for port in pod.shape.ports]
    clash = any(_clashes(port, other) for port in shape.ports for other in taken)
    return "node(s) didn't have free ports for the requested pod ports" if clash else ""


def _resources(shape: PodShape, node_info: NodeInfo) -> str:
    resource = node_info.lacks(shape)
    if not resource:
        return ""
    return "Too many pods" if resource == PODS else f"Insufficient {resource}"


RULES: Final[Sequence[Callable[[PodShape, NodeInfo], str]]] = (
    _is_cordoned,
    _taints,
    _labels,
    _ports,
    _resources,
)


def selects(spec: Json, node: NodeShape) -> bool:
    """Tell whether the node selector and the required node affinity of a pod select a node."""
    labels = node.labels
    if any(labels.get(key) != value for key, value in (spec.get("nodeSelector") or {}).items()):
        return False
    affinity = (spec.get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    if required is None:
        return True
    return any(_term(term, node.name, labels) for term in required.get("nodeSelectorTerms") or ())


def _term(term: Json, name: str, labels: Mapping[str, str]) -> bool:
    """Tell whether one term matches; an empty one matches nothing."""
    expressions, fields = term.get("matchExpressions") or (), term.get("matchFields") or ()
    # Kubernetes says that an empty term matches no objects, unlike an empty label
    # selector.
    if not expressions and not fields:
        return False
    named = {"metadata.name": name}
    return all(_satisfies(expression, labels) for expression in expressions) and all(
        _satisfies(expression, named) for expression in fields
    )


def _satisfies(expression: Json, labels: Mapping[str, str]) -> bool:
    try:
        return satisfies(expression, labels)
    except ValueError:  # the API server refuses such a term, a PodTemplate may have it
        return False


def _clashes(port: tuple[str, str, int], other: tuple[str, str, int]) -> bool:
    # 0.0.0.0 takes the port on every address.
    same_address = port[1] == other[1] or ANY_ADDRESS in {port[1], other[1]}
    return port[0] == other[0] and port[2] == other[2] and same_address
