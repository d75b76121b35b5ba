"""Which nodes a pod asks for by labels and names: `nodeSelector` and the required node affinity (FK-461)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...kinds.validation.basics import matches
from ...numbers.integers import NumberError, parse_int

Json = Any


def selects(pod: Json, node: Json) -> bool:
    """Tell whether a node is one that the pod asks for."""
    labels = node["metadata"].get("labels") or {}
    if not matches({"matchLabels": pod["spec"].get("nodeSelector") or {}}, labels):
        return False
    terms = _terms(pod)
    return terms is None or node_selector_matches(terms, node)


def node_selector_matches(terms: list[Json], node: Json) -> bool:
    """Tell whether a node meets one of the terms of a node selector."""
    labels = node["metadata"].get("labels") or {}
    fields = {"metadata.name": node["metadata"]["name"]}
    return any(_term_holds(term, labels, fields) for term in terms)


def names(pod: Json) -> frozenset[str] | None:
    """Return the only nodes that every term of the affinity names by `metadata.name`, None when it names none."""
    nodes: set[str] = set()
    terms = _terms(pod)
    for term in terms or ():
        named = [set(field["values"]) for field in term.get("matchFields") or () if field["operator"] == "In"]
        if not named:
            return None
        nodes |= set.intersection(*named)
    return None if terms is None else frozenset(nodes)


def _terms(pod: Json) -> list[Json] | None:
    affinity = (pod["spec"].get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    return None if required is None else required.get("nodeSelectorTerms") or []


def _term_holds(term: Json, labels: Mapping[str, str], fields: Mapping[str, str]) -> bool:
    expressions, by_field = term.get("matchExpressions") or (), term.get("matchFields") or ()
    if not expressions and not by_field:
        return False
    return all(_holds(expression, labels) for expression in expressions) and all(
        _holds(field, fields) for field in by_field
    )


def _holds(requirement: Json, values: Mapping[str, str]) -> bool:
    if requirement["operator"] in {"Gt", "Lt"}:
        return _compares(requirement, values.get(requirement["key"]))
    return matches({"matchExpressions": [requirement]}, dict(values))


def _compares(requirement: Json, value: str | None) -> bool:
    if value is None:
        return False
    try:
        number, limit = parse_int(value), parse_int(requirement["values"][0])
    except (NumberError, IndexError):
        return False
    return number > limit if requirement["operator"] == "Gt" else number < limit
