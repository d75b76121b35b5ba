"""Node selectors: terms of which a node has to meet one, by its labels and its name (FK-461, FK-504)."""

from __future__ import annotations

from collections.abc import Mapping

from ..base.json_types import Json
from ..base.numbers.integers import NumberError, parse_int
from ..kinds.validation.basics import matches


def node_selector_matches(terms: list[Json], node: Json) -> bool:
    """Tell whether a node meets one of the terms of a node selector."""
    labels = node["metadata"].get("labels") or {}
    fields = {"metadata.name": node["metadata"]["name"]}
    return any(_term_holds(term, labels, fields) for term in terms)


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
