"""Where a pod may run for the sake of other pods: affinity,
anti-affinity and a spread over a topology (PR-331).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from reference_impl.api.resource import Json
from reference_impl.pods.selectors import matches

from .node import NodeInfo
from .pod import PodShape

REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"


class NodeInfoLister(Protocol):
    """All nodes of a placement with their pods."""

    @property
    def node_infos(self) -> Sequence[NodeInfo]:
        """Return the nodes."""

    @property
    def relational(self) -> bool:
        """Tell whether any pod there has anti-affinity, which holds for those that come later too."""


def objection_of_neighbours(shape: PodShape, node_info: NodeInfo, neighbours: NodeInfoLister) -> str:
    """Say which pods speak against a node, empty when none do."""
    if not shape.relational and not neighbours.relational:
        return ""
    node_infos = neighbours.node_infos
    if _is_repelled(shape, node_info, node_infos):
        return "node(s) didn't satisfy existing pods anti-affinity rules"
    if any(_has_match(term, shape, node_info, node_infos) for term in _terms(shape, "podAntiAffinity")):
        return "node(s) didn't match pod anti-affinity rules"
    if not all(_is_drawn(term, shape, node_info, node_infos) for term in _terms(shape, "podAffinity")):
        return "node(s) didn't match pod affinity rules"
    if not all(_is_even(spread, shape, node_info, node_infos) for spread in _spreads(shape)):
        return "node(s) didn't match pod topology spread constraints"
    return ""


def _terms(shape: PodShape, kind: str) -> Sequence[Json]:
    return ((shape.spec.get("affinity") or {}).get(kind) or {}).get(REQUIRED) or ()


def _spreads(shape: PodShape) -> Iterable[Json]:
    each_of = shape.spec.get("topologySpreadConstraints") or ()
    return (spread for spread in each_of if spread.get("whenUnsatisfiable") == "DoNotSchedule")


def _selects(term: Json, own: PodShape, other: PodShape) -> bool:
    """Tell whether a term of `own` selects another pod; without namespaces it looks at its own."""
    namespaces = term.get("namespaces") or (() if "namespaceSelector" in term else (own.namespace,))
    anywhere = term.get("namespaceSelector") == {}
    return (anywhere or other.namespace in namespaces) and matches(term.get("labelSelector"), other.labels)


def _together(key: str, node_info: NodeInfo, node_infos: Iterable[NodeInfo]) -> Iterable[NodeInfo]:
    """Return the nodes of the same domain."""
    value = node_info.node.labels.get(key)
    return (
        ()
        if value is None
        else (node_info for node_info in node_infos if node_info.node.labels.get(key) == value)
    )


def _has_match(term: Json, shape: PodShape, node_info: NodeInfo, node_infos: Sequence[NodeInfo]) -> bool:
    return any(
        _selects(term, shape, pod.shape)
        for neighbour in _together(term["topologyKey"], node_info, node_infos)
        for pod in neighbour.pods
    )


def _is_repelled(shape: PodShape, node_info: NodeInfo, node_infos: Sequence[NodeInfo]) -> bool:
    return any(
        _selects(term, pod.shape, shape)
        and neighbour.node.labels.get(term["topologyKey"])
        == node_info.node.labels.get(term["topologyKey"], "\0")
        for neighbour in node_infos
        for pod in neighbour.pods
        if pod.shape.relational
        for term in _terms(pod.shape, "podAntiAffinity")
    )


def _is_drawn(term: Json, shape: PodShape, node_info: NodeInfo, node_infos: Sequence[NodeInfo]) -> bool:
    """Tell whether the domain has a match; the first pod of a series that matches
    itself may start anywhere.
    """
    if term["topologyKey"] not in node_info.node.labels:
        return False
    if _has_match(term, shape, node_info, node_infos):
        return True
    anywhere = any(_selects(term, shape, pod.shape) for node_info in node_infos for pod in node_info.pods)
    return not anywhere and _selects(term, shape, shape)


def _is_even(spread: Json, shape: PodShape, node_info: NodeInfo, node_infos: Sequence[NodeInfo]) -> bool:
    """Tell whether one more pod keeps the difference between the domains within maxSkew."""
    key, selector = spread["topologyKey"], spread.get("labelSelector")
    own = node_info.node.labels.get(key)
    if own is None:
        return False
    counts: Counter[str] = Counter()
    for neighbour in node_infos:
        domain = neighbour.node.labels.get(key)
        if domain is not None:
            counts[domain] += sum(
                pod.namespace == shape.namespace and matches(selector, pod.shape.labels)
                for pod in neighbour.pods
            )
    least = min(counts.values(), default=0)
    if len(counts) < (spread.get("minDomains") or 1):
        least = 0
    return counts[own] + matches(selector, shape.labels) - least <= int(spread["maxSkew"])
