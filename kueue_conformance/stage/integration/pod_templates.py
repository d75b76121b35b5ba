"""Pod templates by what they mean to Kubernetes, not by how a client writes them: one that decodes templates
into types of its own writes an empty `resources` for none, and 500m for 0.5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...base.json_types import Json

_AMOUNTS = frozenset({"requests", "limits"})
# Elsewhere an empty mapping is a choice: that of a volume `emptyDir: {}`, for example.
_EMPTY_AS_ABSENT = frozenset({"metadata", "labels", "annotations", "resources", "nodeSelector"}) | _AMOUNTS


def meaning(value: Json, field: str = "") -> Json:
    """Return a pod template, or the value of a field of one, so that what means the same is equal."""
    if isinstance(value, list):
        return [meaning(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    if field in _AMOUNTS:
        return _amounts(value)
    members = {name: meaning(member, name) for name, member in value.items()}
    return {name: member for name, member in members.items() if not _is_absent(member, name)}


def section(template: Json, field: str) -> Mapping[str, str]:
    """Return labels, annotations or nodeSelector of a pod template."""
    holder = template.get("spec", {}) if field == "nodeSelector" else template.get("metadata") or {}
    entries: Mapping[str, str] = holder.get(field) or {}
    return entries


def requests(template: Json) -> Sequence[Json]:
    """Return what a pod template says of its containers that takes resources."""
    return [
        (container["name"], container.get("resources", {}).get("requests", {}))
        for container in template["spec"]["containers"]
    ]


def request_amounts(pod_set: tuple[int, Sequence[Json]]) -> Json:
    """Return the count and the requests of a pod set, with each quantity as a number."""
    count, containers = pod_set
    return count, [(name, _amounts(quantities)) for name, quantities in containers]


def _amounts(quantities: Mapping[str, Json]) -> Json:
    return {name: _amount(quantity) for name, quantity in quantities.items()}


def _is_absent(value: Json, field: str) -> bool:
    return value is None or value == [] or (value == {} and field in _EMPTY_AS_ABSENT)


def _amount(quantity: Json) -> Json:
    from kubernetes.utils import parse_quantity  # the client takes long to load, and not each run needs it

    try:
        return parse_quantity(quantity)
    except ValueError:
        return quantity
