"""Labels of nodes that have other names by now (FK-236)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ...base.json_types import Json
from ...meta import labels

MESSAGES: Mapping[str, str] = MappingProxyType(
    {
        "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
        "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
        "failure-domain.beta.kubernetes.io/region": 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
        "failure-domain.beta.kubernetes.io/zone": 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
        "beta.kubernetes.io/instance-type": 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
        "app.kubernetes.io/created-by": "deprecated since v1.9",
        "scheduler.alpha.kubernetes.io/preferAvoidPods": "deprecated since v1.22; use Taints and Tolerations instead",
        "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
    }
)


def of_term(term: Json, path: str, *, values: bool = False) -> Iterator[str]:
    """Yield the warnings of a term that selects nodes;
    with `values` also of values that no label can have.
    """
    for number, expression in enumerate(term.get("matchExpressions") or ()):
        expression_path, key = f"{path}.matchExpressions[{number}]", expression.get("key", "")
        if why := MESSAGES.get(key):
            yield f"{expression_path}.key: {key} is {why}"
        for index, value in enumerate((expression.get("values") or ()) if values else ()):
            for why in labels.value_problems(value):
                yield f"{expression_path}.values[{index}]: {value} is invalid, {why}"


def of_selector(selector: Json, path: str) -> Iterator[str]:
    """Yield the warnings of a label selector that selects nodes."""
    for number, expression in enumerate((selector or {}).get("matchExpressions") or ()):
        key = expression.get("key", "")
        if why := MESSAGES.get(key):
            yield f"{path}.matchExpressions[{number}].key: {key} is {why}"
    for label in (selector or {}).get("matchLabels") or ():
        if why := MESSAGES.get(label):
            yield f"{path}.matchLabels.{label}: {why}"
