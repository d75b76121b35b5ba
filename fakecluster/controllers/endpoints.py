"""Which pods stand behind a Service: an EndpointSlice and Endpoints for each one with a selector (FK-462, FK-498).

A Service without a selector whose address was given when the cluster was started has one endpoint that is always ready.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..api.service_address import SERVICE_OF_SLICE, SLICES
from ..api.steps import Steps
from ..kinds.validation.basics import matches
from ..registry.machinery import Api
from ..store import Event, Store, Stored
from .actor import Actor, service_account
from .engine import Key
from .owners import reference_to

Json = Any
SERVICES, PODS, ENDPOINTS = ("", "services"), ("", "pods"), ("", "endpoints")
MANAGED_BY = "endpointslice.kubernetes.io/managed-by"
MANAGER = "endpointslice-controller.k8s.io"
LEGACY = {"endpoints.kubernetes.io/managed-by": "endpoint-controller"}
HEADLESS = "service.kubernetes.io/headless"
LOCAL = "192.168.0.1"
"""The address of the only node there is by name; loopback may not be published."""
ENDED = frozenset({"Succeeded", "Failed"})


class EndpointKeeper:
    """Keeps the endpoints of every Service in step with its pods."""

    resources = (SERVICES, PODS)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("endpointslice-controller"), "kube-controller-manager")
        self._legacy = Actor(api, service_account("endpoint-controller"), "kube-controller-manager")

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every Service."""
        return [one.name for one in store.list(SERVICES)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return a Service that changed, or those that a changed pod stands or stood behind."""
        if event.resource == SERVICES:
            return (event.after.name,) if event.type != "DELETED" else ()
        states = [one.object for one in (event.before, event.after) if one]
        around = self._api.store.list(SERVICES, namespace=event.after.name[0])
        return [one.name for one in around if any(_selects(one.object, pod) for pod in states)]

    def work(self, key: Key) -> Steps[float | None]:
        """Write the endpoints of one Service."""
        stored = self._api.store.get(SERVICES, (key[0], key[1]))
        if stored is None or "deletionTimestamp" in stored.object["metadata"]:
            return None
        service = stored.object
        if service["spec"].get("selector") and service["spec"].get("type") != "ExternalName":
            pods = [one.object for one in self._api.store.list(PODS, namespace=key[0])]
            behind = [pod for pod in pods if _selects(service, pod) and _has_address(pod)]
            yield from self._write_slice(stored, [_endpoint(pod) for pod in behind], _ports(service, behind))
            yield from self._write_legacy(service, behind)
        elif f"{key[0]}/{key[1]}" in self._api.services.known:
            ready = {"addresses": [LOCAL], "conditions": {"ready": True}}
            yield from self._write_slice(stored, [ready], _ports(service, []))
        return None

    def _write_slice(self, service: Stored, endpoints: list[Json], ports: list[Json]) -> Steps[None]:
        row = self._actor.kind("discovery.k8s.io/v1", "EndpointSlice")
        if row is None:
            return
        there = self._slice_of(service)
        content = {"addressType": "IPv4", "endpoints": endpoints, "ports": ports}
        if there is None:
            yield from self._actor.create(row, {"metadata": _metadata(service.object), **content})
        elif any((there.object.get(name) or []) != (value or []) for name, value in content.items()):
            yield from self._actor.update(row, {**there.object, **content})

    def _slice_of(self, service: Stored) -> Stored | None:
        namespace, name = service.name
        return next(
            (
                one
                for one in self._api.store.list(SLICES, namespace=namespace)
                if (labels := one.object["metadata"].get("labels") or {}).get(SERVICE_OF_SLICE) == name
                and labels.get(MANAGED_BY) == MANAGER
            ),
            None,
        )

    def _write_legacy(self, service: Json, pods: list[Json]) -> Steps[None]:
        row, metadata = self._legacy.kind("v1", "Endpoints"), service["metadata"]
        if row is None:
            return
        subsets = _subsets(pods, _ports(service, pods))
        there = self._api.store.get(ENDPOINTS, (metadata["namespace"], metadata["name"]))
        if there is None:
            labels = {**metadata.get("labels", {}), **LEGACY}
            named = {"name": metadata["name"], "namespace": metadata["namespace"], "labels": labels}
            yield from self._legacy.create(row, {"metadata": named, "subsets": subsets})
        elif (there.object.get("subsets") or []) != subsets:
            yield from self._legacy.update(row, {**there.object, "subsets": subsets})


def _metadata(service: Json) -> Json:
    metadata, headless = service["metadata"], service["spec"].get("clusterIP") == "None"
    labels = {
        **metadata.get("labels", {}),
        MANAGED_BY: MANAGER,
        SERVICE_OF_SLICE: metadata["name"],
        **({HEADLESS: ""} if headless else {}),
    }
    return {
        "generateName": f"{metadata['name']}-",
        "namespace": metadata["namespace"],
        "labels": labels,
        "ownerReferences": [reference_to({**service, "apiVersion": "v1", "kind": "Service"})],
    }


def _selects(service: Json, pod: Json) -> bool:
    selector = service["spec"].get("selector")
    return bool(selector) and matches({"matchLabels": selector}, pod["metadata"].get("labels", {}))


def _has_address(pod: Json) -> bool:
    status = pod.get("status", {})
    return bool(status.get("podIP")) and status.get("phase") not in ENDED


def _is_ready(pod: Json) -> bool:
    conditions = pod.get("status", {}).get("conditions", ())
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


def _target(pod: Json) -> Json:
    metadata = pod["metadata"]
    return {
        "kind": "Pod",
        "name": metadata["name"],
        "namespace": metadata["namespace"],
        "uid": metadata["uid"],
    }


def _endpoint(pod: Json) -> Json:
    going, ready = "deletionTimestamp" in pod["metadata"], _is_ready(pod)
    return {
        "addresses": [pod["status"]["podIP"]],
        "conditions": {"ready": ready and not going, "serving": ready, "terminating": going},
        "nodeName": pod["spec"].get("nodeName", ""),
        "targetRef": _target(pod),
    }


def _ports(service: Json, pods: list[Json]) -> list[Json]:
    """Return the ports where the pods listen; a named one is looked up in the first pod."""
    return [
        {"name": one.get("name", ""), "port": number, "protocol": one.get("protocol", "TCP")}
        for one in service["spec"].get("ports") or ()
        if (number := _number(one, pods)) is not None
    ]


def _number(port: Json, pods: list[Json]) -> int | None:
    target = port.get("targetPort") or port["port"]
    if isinstance(target, int):
        return target
    opened = (
        int(one["containerPort"])
        for pod in pods
        for container in pod["spec"]["containers"]
        for one in container.get("ports") or ()
        if one.get("name") == target
    )
    return next(opened, None)


def _subsets(pods: list[Json], ports: list[Json]) -> list[Json]:
    """Return Endpoints' view of the same; a port without a name has none there."""
    addresses: dict[bool, list[Json]] = {True: [], False: []}
    for pod in pods:
        one = {
            "ip": pod["status"]["podIP"],
            "nodeName": pod["spec"].get("nodeName", ""),
            "targetRef": _target(pod),
        }
        addresses[_is_ready(pod) and "deletionTimestamp" not in pod["metadata"]].append(one)
    if not pods:
        return []
    members = {"addresses": addresses[True], "notReadyAddresses": addresses[False]}
    plain = [{name: value for name, value in one.items() if value != ""} for one in ports]
    return [{**{name: found for name, found in members.items() if found}, "ports": plain}]
