"""May the pods of a pod set run on the nodes of a flavor at all? (Q-156, Q-158…Q-160)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...api.resource import Json
from ...pods.selectors import satisfies
from ...pods.tolerations import find_untolerated
from . import texts


def check_flavor(pod_spec: Json, name: str, flavor: Json, keys: frozenset[str]) -> str:
    """Say why a flavor is out of the question for a pod, empty when it is not; only labels with `keys`
    count.
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
