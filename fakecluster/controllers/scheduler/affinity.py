"""Which nodes a pod asks for by labels and names: `nodeSelector` and the required node affinity (FK-461)."""

from __future__ import annotations

from ...base.json_types import Json
from ...kinds.validation.basics import matches
from ..node_selectors import node_selector_matches


def selects(pod: Json, node: Json) -> bool:
    """Tell whether a node is one that the pod asks for."""
    labels = node["metadata"].get("labels") or {}
    if not matches({"matchLabels": pod["spec"].get("nodeSelector") or {}}, labels):
        return False
    # No affinity allows every node; an affinity without terms allows none.
    terms = _terms(pod)
    return terms is None or node_selector_matches(terms, node)


def names(pod: Json) -> frozenset[str] | None:
    """Return the only nodes that every term of the affinity
    names by `metadata.name`, None when it names none.
    """
    nodes: set[str] = set()
    terms = _terms(pod)
    for term in terms or ():
        named = [set(field["values"]) for field in term.get("matchFields") or () if field["operator"] == "In"]
        # One term without names may match any node, so all have to be looked at.
        if not named:
            return None
        # Fields of one term must all match, terms are alternatives.
        nodes |= set.intersection(*named)
    return None if terms is None else frozenset(nodes)


def _terms(pod: Json) -> list[Json] | None:
    affinity = (pod["spec"].get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    return None if required is None else required.get("nodeSelectorTerms") or []
