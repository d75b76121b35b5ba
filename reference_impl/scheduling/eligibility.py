"""May the pods of a pod set run on the nodes of a flavor at all? (Q-156, Q-158…Q-160)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..api.resource import Json
from ..quota.selectors import satisfies
from . import texts

_REPELLING = frozenset({"NoSchedule", "NoExecute"})


def objection(pod_spec: Json, name: str, flavor: Json, keys: frozenset[str]) -> str:
    """Say why a flavor is out of the question for a pod, empty when it is not; only labels with `keys` count."""
    spec = flavor.get("spec") or {}
    tolerations = [*(pod_spec.get("tolerations") or ()), *(spec.get("tolerations") or ())]
    taint = untolerated(spec.get("nodeTaints") or (), tolerations)
    if taint is not None:
        return texts.untolerated(taint, name)
    return "" if _wants(pod_spec, spec.get("nodeLabels") or {}, keys) else texts.no_affinity(name)


def own_keys(flavor: Json, _siblings: Sequence[Json]) -> frozenset[str]:
    """Name the labels that a flavor itself sets (Q-159)."""
    return frozenset((flavor.get("spec") or {}).get("nodeLabels") or ())


def untolerated(taints: Sequence[Json], tolerations: Sequence[Json]) -> Json | None:
    """Return the first taint that keeps a pod away, None when it tolerates all of them."""
    repelling = (taint for taint in taints if taint.get("effect") in _REPELLING)
    return next((taint for taint in repelling if not any(_tolerates(t, taint) for t in tolerations)), None)


def _tolerates(toleration: Json, taint: Json) -> bool:
    if toleration.get("effect") and toleration["effect"] != taint.get("effect"):
        return False
    if toleration.get("key") and toleration["key"] != taint["key"]:
        return False
    operator = toleration.get("operator") or "Equal"
    same_value = (toleration.get("value") or "") == (taint.get("value") or "")
    return operator == "Exists" or (operator == "Equal" and bool(toleration.get("key")) and same_value)


def _wants(pod_spec: Json, labels: Mapping[str, str], keys: frozenset[str]) -> bool:
    """Judge node selector and required affinity, but only by some keys (Q-159)."""
    selector = pod_spec.get("nodeSelector") or {}
    if any(labels.get(key) != value for key, value in selector.items() if key in keys):
        return False
    terms = [
        [expression for expression in term.get("matchExpressions") or () if expression["key"] in keys]
        for term in _required_terms(pod_spec)
    ]
    # An empty term would match anything, so the other terms cannot matter.
    if not all(terms):
        return True
    return not terms or any(all(satisfies(each, labels) for each in term) for term in terms)


def _required_terms(pod_spec: Json) -> Sequence[Json]:
    node_affinity = (pod_spec.get("affinity") or {}).get("nodeAffinity") or {}
    required = node_affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or {}
    return required.get("nodeSelectorTerms") or ()
