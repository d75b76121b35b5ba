"""The pods of a DaemonSet: what one looks like, for which node it is, and of which template."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...base.json_types import Json
from ...base.numbers.integers import fits
from ...base.numbers.timestamps import since_epoch
from ..pod_state import has_ended, is_deleted
from ..pod_templates import pod_of
from ..revisions import REVISION_HASH
from ..taints import NO_EXECUTE, NO_SCHEDULE, NOT_READY, UNREACHABLE, UNSCHEDULABLE

ByNode = dict[str, list[Json]]
NODE_NAME = "metadata.name"
GENERATION = "deprecated.daemonset.template.generation"
GENERATION_LABEL = "pod-template-generation"
NETWORK_UNAVAILABLE = "node.kubernetes.io/network-unavailable"
TOLERATED_TAINTS = (
    (NOT_READY, NO_EXECUTE),
    (UNREACHABLE, NO_EXECUTE),
    ("node.kubernetes.io/disk-pressure", NO_SCHEDULE),
    ("node.kubernetes.io/memory-pressure", NO_SCHEDULE),
    ("node.kubernetes.io/pid-pressure", NO_SCHEDULE),
    (UNSCHEDULABLE, NO_SCHEDULE),
)
"""Taints that every daemon tolerates, with their effects."""


def new(daemon_set: Json, node: str, revision_hash: str) -> Json:
    """Return the pod for a node, which the scheduler binds by its affinity."""
    pod = pod_of(daemon_set, daemon_set["spec"]["template"])
    labels = pod["metadata"]["labels"]
    if (generation := generation_of(daemon_set)) is not None:
        labels[GENERATION_LABEL] = str(generation)
    labels[REVISION_HASH] = revision_hash
    spec = {**tolerant(pod["spec"]), "affinity": _bound_to(pod["spec"].get("affinity") or {}, node)}
    return {**pod, "spec": spec}


def tolerant(spec: Json) -> Json:
    """Return the spec of a pod with the tolerations of daemons."""
    needed = (
        (*TOLERATED_TAINTS, (NETWORK_UNAVAILABLE, NO_SCHEDULE))
        if spec.get("hostNetwork")
        else TOLERATED_TAINTS
    )
    tolerations = list(spec.get("tolerations") or ())
    for key, effect in needed:
        toleration = {"key": key, "operator": "Exists", "effect": effect}
        matching = [other for other in tolerations if _is_same_taint(other, toleration)]
        if matching:
            tolerations = [toleration if other in matching else other for other in tolerations]
        else:
            tolerations.append(toleration)
    return {**spec, "tolerations": tolerations}


def generation_of(daemon_set: Json) -> int | None:
    """Return the generation of the template, None when no annotation says it."""
    text = (daemon_set["metadata"].get("annotations") or {}).get(GENERATION)
    return int(text) if text is not None and fits(text, 64) else None


def is_updated(daemon_set: Json, pod: Json, revision_hash: str) -> bool:
    """Tell whether a pod is of the present template."""
    labels, generation = pod["metadata"].get("labels") or {}, generation_of(daemon_set)
    return labels.get(REVISION_HASH) == revision_hash or (
        generation is not None and labels.get(GENERATION_LABEL) == str(generation)
    )


def by_node(pods: Iterable[Json]) -> ByNode:
    """Return pods by the node that each is for, without those that ended and are being deleted."""
    nodes: ByNode = {}
    for pod in pods:
        node = target_node(pod)
        if node is not None and not (has_ended(pod) and is_deleted(pod)):
            nodes.setdefault(node, []).append(pod)
    return nodes


def target_node(pod: Json) -> str | None:
    """Return the node of a pod, or the one that its affinity names; None when there is none."""
    if name := pod["spec"].get("nodeName"):
        return str(name)
    affinity = (pod["spec"].get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or {}
    for term in required.get("nodeSelectorTerms") or ():
        for field in term.get("matchFields") or ():
            if field["key"] == NODE_NAME and field["operator"] == "In":
                values: list[str] = field.get("values") or []
                return values[0] if len(values) == 1 else None
    return None


def oldest_first(pods: Sequence[Json]) -> list[Json]:
    """Return the pods of one node: those that are bound first, then by age."""
    return sorted(
        pods,
        key=lambda pod: (
            not pod["spec"].get("nodeName"),
            since_epoch(pod["metadata"]["creationTimestamp"]),
            pod["metadata"]["name"],
        ),
    )


def _is_same_taint(toleration: Json, other: Json) -> bool:
    members = ("key", "operator", "effect", "value")
    return all((toleration.get(name) or "") == (other.get(name) or "") for name in members)


def _bound_to(affinity: Json, node: str) -> Json:
    term = {"matchFields": [{"key": NODE_NAME, "operator": "In", "values": [node]}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    return {**affinity, "nodeAffinity": {**(affinity.get("nodeAffinity") or {}), **required}}
