"""The object Endpoints of a Service, which says less than its slices (FK-462)."""

from __future__ import annotations

from collections.abc import Sequence

from ...api.steps import Steps
from ...base.json_types import Json
from ...registry.machinery import Api
from ..actor import Actor, service_account
from . import pods as published
from .slices import TRIGGER_TIME

ENDPOINTS = ("", "endpoints")
MANAGED_LABELS = {"endpoints.kubernetes.io/managed-by": "endpoint-controller"}
HEADLESS = "service.kubernetes.io/headless"


class LegacyEndpoints:
    """Writes Endpoints."""

    def __init__(self, api: Api) -> None:
        self._store = api.store
        self._actor = Actor(api, service_account("endpoint-controller"), "kube-controller-manager")

    def write(self, service: Json, pods: Sequence[Json], trigger_time: str) -> Steps[None]:
        """Bring the Endpoints of a Service in step with its pods. Raises StatusError."""
        row, metadata = self._actor.kind("v1", "Endpoints"), service["metadata"]
        if row is None:
            return
        labels, content = {**_labels(service), **MANAGED_LABELS}, subsets(service, pods)
        trigger = {TRIGGER_TIME: trigger_time} if trigger_time else {}
        stored = self._store.get(ENDPOINTS, (metadata["namespace"], metadata["name"]))
        if stored is None:
            created = {"name": metadata["name"], "namespace": metadata["namespace"], "labels": labels}
            annotated = {**created, "annotations": trigger}
            yield from self._actor.create(row, {"metadata": annotated, "subsets": content})
            return
        present = stored.object["metadata"]
        if (stored.object.get("subsets") or []) == content and present.get("labels") == labels:
            return
        annotations = {
            name: text for name, text in (present.get("annotations") or {}).items() if name != TRIGGER_TIME
        }
        changed = {**present, "labels": labels, "annotations": {**annotations, **trigger}}
        yield from self._actor.update(row, {**stored.object, "metadata": changed, "subsets": content})

    def delete(self, namespace: str, name: str) -> Steps[None]:
        """Delete the Endpoints of a Service that is gone. Raises StatusError."""
        row, stored = self._actor.kind("v1", "Endpoints"), self._store.get(ENDPOINTS, (namespace, name))
        if row and stored:
            yield from self._actor.delete(row, stored)


def subsets(service: Json, pods: Sequence[Json]) -> list[Json]:
    """Return the addresses of pods, those with the same ports together."""
    groups: dict[str, tuple[list[Json], list[Json], list[Json]]] = {}
    not_ready_too = published.publishes_not_ready(service)
    for pod in pods:
        ports, address = published.ports(service, pod), _address(service, pod)
        is_headless = service["spec"].get("clusterIP") == published.HEADLESS
        portless = is_headless and not service["spec"].get("ports")
        if not published.is_published(pod, going=not_ready_too) or address is None or not (ports or portless):
            continue
        _, ready, not_ready = groups.setdefault(repr(ports), (ports, [], []))
        (ready if not_ready_too or published.is_ready(pod) else not_ready).append(address)
    return [_subset(*group) for group in groups.values()]


def _subset(ports: list[Json], ready: list[Json], not_ready: list[Json]) -> Json:
    members = {
        "addresses": _in_order(ready),
        "notReadyAddresses": _in_order(not_ready),
        "ports": _without_empty_names(ports),
    }
    return {name: value for name, value in members.items() if value}


def _without_empty_names(ports: list[Json]) -> list[Json]:
    """Return ports of which one without a name has none."""
    return [{name: value for name, value in port.items() if value != ""} for port in ports]


def _in_order(addresses: list[Json]) -> list[Json]:
    return sorted(addresses, key=lambda address: (address["ip"], address["targetRef"]["uid"]))


def _address(service: Json, pod: Json) -> Json | None:
    addresses = (
        published.addresses(pod, published.address_types(service)[0]) if pod["status"].get("podIP") else []
    )
    if not addresses:
        return None
    optional = {"hostname": published.hostname(service, pod), "nodeName": pod["spec"].get("nodeName")}
    present = {name: value for name, value in optional.items() if value}
    return {"ip": addresses[0], **present, "targetRef": published.target(pod)}


def _labels(service: Json) -> dict[str, str]:
    headless = {HEADLESS: ""} if service["spec"].get("clusterIP") in {None, "", published.HEADLESS} else {}
    labels = service["metadata"].get("labels") or {}
    return {**{name: value for name, value in labels.items() if name != HEADLESS}, **headless}
