"""Whether a flavor suits a pod set: may its pods run on the nodes (Q-156, Q-158…Q-160), and is there quota
for each resource, now or after a preemption (scheduling §5.3)?
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ...api.resource import Json
from ...pods.selectors import satisfies
from ...pods.tolerations import find_untolerated
from ..queueing.last_assignment import LastAssignment
from ..quota.cluster_queue import ClusterQueueSpec
from ..quota.resources import FlavorResource
from ..quota.tree import Node, borrow_level, fits_now, potential
from ..workload.unreserved import UnreservedReason
from ..workload.view import Workload
from . import texts
from .assignment import NO_FIT, GranularMode, PreemptionMode, QuotaFit
from .preemption.targets import Preemptor

NominationMapping: TypeAlias = Mapping[tuple[str, str], str]
"""The flavor with which a Workload was nominated, by pod set and resource."""


@dataclass(frozen=True, slots=True)
class AssignmentContext:
    """A ClusterQueue, its node in the quota tree, the flavors, and the search for preemption targets."""

    spec: ClusterQueueSpec
    node: Node
    flavors: Mapping[str, Json]
    preemptor: Preemptor
    last_assignment: LastAssignment | None = None
    """Where the search of the cycle before stopped, if that still holds (Q-178)."""
    nominated: NominationMapping | None = None
    """The only flavors that are looked at, where a cycle assigns anew what it has nominated (KV-21)."""


def fit_quota(
    context: AssignmentContext, workload: Workload, fr: FlavorResource, before: int, request: int
) -> QuotaFit:
    """Tell how a request fits, beside what earlier pod sets take (`before`, Q-165…Q-169)."""
    node, value = context.node, before + request
    most = potential(node, fr)
    # Not even an empty cohort has so much: preemption is pointless.
    if value > most:
        message = texts.never_fits(fr, before, request, most)
        return QuotaFit(NO_FIT, message, UnreservedReason.EXCEEDS_MAX_QUOTA)
    level = borrow_level(node, fr, value)
    free = fits_now(node, fr)
    if value <= free:
        return QuotaFit(GranularMode(PreemptionMode.FIT, level.height))
    message = texts.insufficient_unused(fr, value - free)
    may_borrow = context.preemptor.may_borrow(context.spec.preemption)
    # Preemption may take back only what is ours, or what the policies let us borrow
    # over.
    if node.quota(fr).nominal >= value or level.within_subtree or may_borrow:
        return QuotaFit(_simulate(context, workload, fr, value, level.height), message)
    mode = GranularMode(PreemptionMode.NO_FIT, level.height)
    return QuotaFit(mode, message, UnreservedReason.WAITING_FOR_QUOTA)


def _simulate(
    context: AssignmentContext, workload: Workload, fr: FlavorResource, value: int, height: int
) -> GranularMode:
    """Ask whether preemption would make room for this resource alone (Q-168)."""
    name, preemptor = context.spec.name, context.preemptor
    targets = preemptor.targets(workload, name, {fr: value}, frozenset({fr}))
    if not targets:
        return GranularMode(PreemptionMode.NO_PREEMPTION_CANDIDATES, height)
    # With its targets gone the head may have to borrow less.
    with preemptor.without(targets):
        height = borrow_level(context.node, fr, value).height
    # One victim of the own queue is enough to call it a preemption and not a
    # reclamation.
    own = any(target.holding.cluster_queue == name for target in targets)
    return GranularMode(PreemptionMode.PREEMPT if own else PreemptionMode.RECLAIM, height)


def check_flavor(pod_spec: Json, name: str, flavor: Json, keys: frozenset[str]) -> str:
    """Say why a flavor is out of the question for a pod, empty when it is not; only
    labels with `keys` count.
    """
    spec = flavor.get("spec") or {}
    # Tolerations of the flavor are added to the pods when they start, so they count
    # already.
    tolerations = [*(pod_spec.get("tolerations") or ()), *(spec.get("tolerations") or ())]
    taint = find_untolerated(spec.get("nodeTaints") or (), tolerations)
    if taint is not None:
        return texts.taint_not_tolerated(taint, name)
    return (
        ""
        if _matches_node_affinity(pod_spec, spec.get("nodeLabels") or {}, keys)
        else texts.no_affinity(name)
    )


def flavor_label_keys(flavor: Json, _siblings: Sequence[Json]) -> frozenset[str]:
    """Name the labels that a flavor itself sets (Q-159)."""
    return frozenset((flavor.get("spec") or {}).get("nodeLabels") or ())


def _matches_node_affinity(pod_spec: Json, labels: Mapping[str, str], keys: frozenset[str]) -> bool:
    """Judge node selector and required affinity, but only by some keys (Q-159)."""
    selector = pod_spec.get("nodeSelector") or {}
    # Keys that no flavor of the group sets decide nothing between its flavors.
    if any(labels.get(key) != value for key, value in selector.items() if key in keys):
        return False
    terms = [
        [expression for expression in term.get("matchExpressions") or () if expression["key"] in keys]
        for term in _required_terms(pod_spec)
    ]
    # An empty term would match anything, so the other terms cannot matter.
    if not all(terms):
        return True
    return not terms or any(all(satisfies(expression, labels) for expression in term) for term in terms)


def _required_terms(pod_spec: Json) -> Sequence[Json]:
    node_affinity = (pod_spec.get("affinity") or {}).get("nodeAffinity") or {}
    required = node_affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or {}
    return required.get("nodeSelectorTerms") or ()
