"""Requests and limits of a pod as a whole, and how its containers' fit in (FK-497)."""

from __future__ import annotations

from .....base.json_types import Json
from .....schema import fields
from .... import resource_lists
from ....validation.basics import Errors
from .. import requests
from . import resource_claims, resources

POD_LEVEL_RESOURCES = ["cpu", "hugepages-", "memory"]


def judge(spec: Json, path: str) -> Errors:
    """Judge the resources of a pod, where it has any."""
    value = spec.get("resources")
    if value is None:
        return
    if (spec.get("os") or {}).get("name") == "windows":
        yield fields.forbidden(path, "may not be set for a windows pod")
        return
    if value.get("claims"):
        yield fields.forbidden(f"{path}.claims", "claims may not be set for Resources at pod-level")
    yield from resources.requirements(value, path, _name)
    yield from resource_claims.judge_container_claims(spec, path, resource_claims.names(spec))
    yield from _requests(spec, value, f"{path}.requests")
    yield from _huge_pages(spec, value, f"{path}.limits")
    yield from _limits(spec, value, path)


def _name(name: str, path: str) -> Errors:
    wrong = list(resources.resource_name(name, path))
    yield from wrong
    if not wrong and name not in requests.POD_LEVEL_RESOURCES and not name.startswith(resources.HUGE_PAGES):
        yield fields.not_supported(path, name, POD_LEVEL_RESOURCES)


def _requests(spec: Json, value: Json, path: str) -> Errors:
    pod_requests = resource_lists.of(value.get("requests"))
    for name, amount in sorted(requests.sum_of_containers(spec, "requests").items()):
        if name in pod_requests and amount.amount > pod_requests[name].amount:
            why = f"must be greater than or equal to aggregate container requests of {amount}"
            yield fields.invalid(f"{path}[{name}]", str(pod_requests[name]), why)


def _huge_pages(spec: Json, value: Json, path: str) -> Errors:
    pod_limits = resource_lists.of(value.get("limits"))
    for name, amount in sorted(requests.sum_of_containers(spec, "limits").items()):
        if (
            name.startswith(resources.HUGE_PAGES)
            and name in pod_limits
            and amount.amount > pod_limits[name].amount
        ):
            why = f"must be greater than or equal to aggregate container limits of {amount}"
            yield fields.invalid(f"{path}[{name}]", str(pod_limits[name]), why)


def _limits(spec: Json, value: Json, path: str) -> Errors:
    pod_limits = resource_lists.of(value.get("limits"))
    for number, container in enumerate(spec.get("containers") or ()):
        own = resource_lists.of((container.get("resources") or {}).get("limits"))
        for name, amount in sorted(own.items()):
            if name in pod_limits and amount.amount > pod_limits[name].amount:
                why = f"must be less than or equal to pod limits of {pod_limits[name]}"
                yield fields.invalid(f"{path}.containers[{number}][{name}].limits", str(amount), why)
